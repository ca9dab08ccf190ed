"""Every letter acts with x^3 = x."""

from __future__ import annotations

import numpy as np

from .language import Language
from .pairs import spell
from .property import Property
from .witness import Witness

SAYS = "{u}{x}{v} and {u}{x}{x}{x}{v} are answered differently"


def decide(language: Language) -> Witness | None:
    """x x x acts as x."""
    m = language.machine
    for x in range(m.k):
        once = m.delta[x]
        thrice = once[once[once]]
        wrong = np.flatnonzero(thrice != once)
        if len(wrong):
            q = int(wrong[0])
            tail = m.telling(int(once[q]), int(thrice[q]))
            return Witness("cubed-letters", SAYS, spell(m, {"u": m.reaching[q], "x": (x,), "v": tail}))
    return None


PROPERTY = Property(
    "cubed-letters",
    "letters with x³ = x",
    "every letter acts as its cube",
    "one layer of a symmetric transition with eigenvalues in [-1, 1]: those that finitely many states allow are 0, 1 and -1",
    "k n",
    decide,
)
