"""Idempotents with e f e = f e: what one layer of norm at most 1 with finitely many exact states can do."""

from __future__ import annotations

import numpy as np

from .language import Language
from .monoid import MOST_ELEMENTS
from .pairs import spell
from .property import Property
from .undecided import Undecided
from .witness import Witness

SAYS = "{e} and {f} act idempotently, and {u}{e}{f}{e}{v} and {u}{f}{e}{v} are answered differently"

#: products of pairs of idempotents and states
MOST_PRODUCTS = 500_000_000


def decide(language: Language) -> Witness | None:
    """Every idempotent f keeps the classes of states that every idempotent e makes equal: that is e f e = f e, since q and q e are such states."""
    m, monoid = language.machine, language.monoid
    numbers = monoid.idempotents
    E = monoid.maps[numbers].astype(np.intp)
    kernels = first_of_each_kernel(E)
    if len(kernels) * E.size > MOST_PRODUCTS:
        raise Undecided(f"the transition monoid has {len(E):,} idempotents")
    for i in kernels:
        e = E[i]
        wrong = np.argwhere(e[E] != e[E[:, e]])
        if len(wrong):
            j, q = map(int, wrong[0])
            two, one = int(e[E[j, q]]), int(e[E[j, e[q]]])
            words = {"e": monoid.word(int(numbers[i])), "f": monoid.word(int(numbers[j])), "u": m.reaching[q], "v": m.telling(one, two)}
            return Witness("efe-is-fe", SAYS, spell(m, words))
    if not monoid.complete:
        raise Undecided(f"the transition monoid has more than {MOST_ELEMENTS:,} elements")
    return None


def first_of_each_kernel(E: np.ndarray) -> list[int]:
    """The first map of each kernel, among maps by rows: which states it makes equal."""
    least = kernel(E)
    _, first = np.unique(least, axis=0, return_index=True)
    return sorted(first.tolist())


def kernel(E: np.ndarray) -> np.ndarray:
    """For each map and state the least state with the same image."""
    order = np.full((len(E), E.shape[1]), E.shape[1])
    for q in reversed(range(E.shape[1])):
        order[np.arange(len(E)), E[:, q]] = q
    return np.take_along_axis(order, E, axis=1)


PROPERTY = Property(
    "efe-is-fe",
    "idempotents with e f e = f e",
    "e f e = f e for all idempotents e and f of the transition monoid",
    "right regular bands of idempotents; a divisor of a right regular band by a group (Birget, Margolis and Rhodes 1990, from memory)",
    "n E for each kernel of an idempotent, E idempotents",
    decide,
)
