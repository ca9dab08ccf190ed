"""Rows of this topic."""
