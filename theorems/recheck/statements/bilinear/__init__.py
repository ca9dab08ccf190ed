"""What the claims of topic bilinear demand of their certificates."""
