"""What the claims of topic parity demand of their certificates."""
