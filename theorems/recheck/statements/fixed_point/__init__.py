"""What the claims of topic fixed_point demand of their certificates."""
