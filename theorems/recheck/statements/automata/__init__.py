"""What the claims of topic automata demand of their certificates."""
