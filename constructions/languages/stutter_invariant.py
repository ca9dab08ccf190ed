"""Stutter-invariant: a letter twice in a row counts as once."""

from __future__ import annotations

import numpy as np

from .language import Language
from .pairs import spell
from .property import Property
from .witness import Witness

SAYS = "{u}{x}{v} and {u}{x}{x}{v} are answered differently"


def decide(language: Language) -> Witness | None:
    """Every letter acts idempotently."""
    m = language.machine
    for x in range(m.k):
        once = m.delta[x]
        wrong = np.flatnonzero(once[once] != once)
        if len(wrong):
            q = int(wrong[0])
            tail = m.telling(int(once[q]), int(once[once[q]]))
            return Witness("stutter-invariant", SAYS, spell(m, {"u": m.reaching[q], "x": (x,), "v": tail}))
    return None


PROPERTY = Property(
    "stutter-invariant",
    "stutter-invariant",
    "every letter acts idempotently: x x as x",
    "new.bistable.stutter; Lamport's stuttering",
    "k n",
    decide,
)
