"""What the claims of topic householder demand of their certificates."""
