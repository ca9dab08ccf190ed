"""What the claims of topic depth demand of their certificates."""
