"""R-infinity: star-free, and no two idempotents generate the same right ideal."""

from __future__ import annotations

import numpy as np

from . import aperiodic
from .language import Language
from .monoid import MOST_ELEMENTS
from .one_sided_idempotents import kernel
from .pairs import spell
from .property import Property
from .undecided import Undecided
from .witness import Witness

SAYS = "{e} and {f} act idempotently, {e}{f} acts as {f} and {f}{e} as {e}, and {u}{e}{v} and {u}{f}{v} are answered differently"


def decide(language: Language) -> Witness | None:
    """Aperiodic, and no two idempotents make the same states equal: such idempotents have e f = f and f e = e."""
    if (counts := aperiodic.decide(language)) is not None:
        return Witness("r-infinity", counts.says, counts.words, counts.numbers)
    return decide_idempotents(language, "r-infinity")


def decide_with_groups(language: Language) -> Witness | None:
    """No two idempotents make the same states equal; groups are allowed."""
    return decide_idempotents(language, "r-and-groups")


def decide_idempotents(language: Language, property: str) -> Witness | None:
    m, monoid = language.machine, language.monoid
    numbers = monoid.idempotents
    E = monoid.maps[numbers].astype(np.intp)
    seen: dict[bytes, int] = {}
    for i, row in enumerate(kernel(E)):
        j = seen.setdefault(row.tobytes(), i)
        if j != i:
            q = int(np.flatnonzero(E[i] != E[j])[0])
            words = {
                "e": monoid.word(int(numbers[j])),
                "f": monoid.word(int(numbers[i])),
                "u": m.reaching[q],
                "v": m.telling(int(E[j, q]), int(E[i, q])),
            }
            return Witness(property, SAYS, spell(m, words))
    if not monoid.complete:
        raise Undecided(f"the transition monoid has more than {MOST_ELEMENTS:,} elements")
    return None


SOURCE = "arXiv 2608.13433, where a transformer that generalises in length is bounded by it"

PROPERTY = Property(
    "r-infinity",
    "R-infinity",
    "star-free, and no R-class of the transition monoid has two idempotents",
    SOURCE,
    "n M",
    decide,
)
WITH_GROUPS = Property(
    "r-and-groups",
    "R with groups",
    "no R-class of the transition monoid has two idempotents",
    SOURCE,
    "n M",
    decide_with_groups,
)
