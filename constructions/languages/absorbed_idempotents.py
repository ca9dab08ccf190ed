"""Idempotents with f (e f)^ω = (e f)^ω: what one layer of norm at most 1 with a margin is bound by."""

from __future__ import annotations

import numpy as np

from . import one_sided_idempotents
from .language import Language
from .monoid import MOST_ELEMENTS, settled
from .pairs import spell
from .property import Property
from .undecided import Undecided
from .witness import Witness

SAYS = "{e} and {f} act idempotently, and {u}{f} ({e}{f})^({p} j) {v} and {u} ({e}{f})^({p} j) {v} are answered differently for every j > 0"

#: products of pairs of idempotents and states
MOST_PRODUCTS = 500_000_000


def decide(language: Language) -> Witness | None:
    """A power z of e f with settled image makes q f and q equal for all states q. So it is where e f e = f e, which is quicker to decide."""
    m, monoid = language.machine, language.monoid
    if _one_sided(language):
        return None
    numbers = monoid.idempotents
    F = monoid.maps[numbers].astype(np.intp)
    if len(F) * F.size > MOST_PRODUCTS:
        raise Undecided(f"the transition monoid has {len(F):,} idempotents")
    for i, e in enumerate(F):
        z = settled(F[:, e], m.n)
        wrong = np.argwhere(np.take_along_axis(z, F, axis=1) != z)
        if len(wrong):
            j, q = map(int, wrong[0])
            unit, exponent = idempotent_power(F[j][e])
            words = {
                "e": monoid.word(int(numbers[i])),
                "f": monoid.word(int(numbers[j])),
                "u": m.reaching[q],
                "v": m.telling(int(unit[F[j, q]]), int(unit[q])),
            }
            return Witness("absorbed-idempotents", SAYS, spell(m, words), {"p": exponent})
    if not monoid.complete:
        raise Undecided(f"the transition monoid has more than {MOST_ELEMENTS:,} elements")
    return None


def _one_sided(language: Language) -> bool:
    """Whether e f e = f e for all idempotents, as far as that is decided; what was found is kept for whoever asks for it."""
    if "efe-is-fe" not in language.answers:
        try:
            language.answers["efe-is-fe"] = one_sided_idempotents.decide(language)
        except Undecided as bound:
            language.answers["efe-is-fe"] = bound
    return language.answers["efe-is-fe"] is None


def idempotent_power(f: np.ndarray) -> tuple[np.ndarray, int]:
    """The first power of a map that is idempotent, and its exponent."""
    power, exponent = f, 1
    while (power[power] != power).any():
        power, exponent = f[power], exponent + 1
    return power, exponent


PROPERTY = Property(
    "absorbed-idempotents",
    "idempotents with f (e f)^ω = (e f)^ω",
    "f (e f)^ω = (e f)^ω for all idempotents e and f of the transition monoid",
    "idempotents that generate L-trivial monoids (Almeida, from memory)",
    "n E^2 log n, E idempotents",
    decide,
)
