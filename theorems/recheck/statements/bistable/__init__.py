"""What the claims of topic bistable demand of their certificates."""
