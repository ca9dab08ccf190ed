"""Topic automata, row by row: against definitions and counts from tables, at sizes up to 13, and what is refused."""

from . import (
    actions,
    cascades,
    covers,
    decisions,
    elements,
    families,
    groups,
    languages,
    letters,
    limits,
    rounding,
    searches,
    steps,
    stored,
    unrounded,
    vectors,
)

__all__ = [
    "actions",
    "cascades",
    "covers",
    "decisions",
    "elements",
    "families",
    "groups",
    "languages",
    "letters",
    "limits",
    "rounding",
    "searches",
    "steps",
    "stored",
    "unrounded",
    "vectors",
]
