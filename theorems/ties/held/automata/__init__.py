"""Topic automata, row by row: against definitions and counts from tables, at sizes up to 13, and what is refused."""

from . import cascades, covers, families, groups, rounding

__all__ = ["cascades", "covers", "families", "groups", "rounding"]
