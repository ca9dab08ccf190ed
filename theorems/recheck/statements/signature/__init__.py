"""What the claims of topic signature demand of their certificates."""
