"""No ties yet."""
