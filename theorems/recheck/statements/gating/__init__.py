"""What the claims of topic gating demand of their certificates."""
