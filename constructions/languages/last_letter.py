"""The last letter alone decides."""

from __future__ import annotations

import numpy as np

from .language import Language
from .pairs import spell
from .property import Property
from .witness import Witness

SAYS = "{u}{a}{v} and {t}{a}{v} are answered differently"


def decide(language: Language) -> Witness | None:
    """Each letter leads all states to one."""
    m = language.machine
    moved = np.argwhere(m.delta != m.delta[:, :1])
    if not len(moved):
        return None
    a, q = map(int, moved[0])
    tail = m.telling(int(m.delta[a, 0]), int(m.delta[a, q]))
    return Witness("last-letter", SAYS, spell(m, {"u": m.reaching[0], "t": m.reaching[q], "a": (a,), "v": tail}))


PROPERTY = Property(
    "last-letter",
    "last letter",
    "the answer is a function of the last letter",
    "definite languages of order one (Perles, Rabin and Shamir 1963)",
    "k n",
    decide,
)
