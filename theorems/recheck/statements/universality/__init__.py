"""What the claims of topic universality demand of their certificates."""
