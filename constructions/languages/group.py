"""Group language: every letter permutes the states."""

from __future__ import annotations

import numpy as np

from .language import Language
from .pairs import spell
from .property import Property
from .witness import Witness

SAYS = "{u}{v} and {t}{v} are answered differently, and no word tells {u}{x} from {t}{x}"


def decide(language: Language) -> Witness | None:
    """No letter leads two states to one."""
    m = language.machine
    for x, row in enumerate(m.delta):
        _, first, counts = np.unique(row, return_index=True, return_counts=True)
        if (counts > 1).any():
            p = int(first[counts > 1][0])
            q = int(np.flatnonzero(row == row[p])[1])
            return Witness("group", SAYS, spell(m, {"u": m.arriving(p), "t": m.arriving(q), "x": (x,), "v": m.telling(p, q)}))
    return None


PROPERTY = Property(
    "group",
    "group language",
    "every letter permutes the states of the machine: the transition monoid is a group",
    "grazzi25.thm3 has one layer",
    "k n",
    decide,
)
