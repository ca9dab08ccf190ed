"""What the claims of topic vandermonde demand of their certificates."""
