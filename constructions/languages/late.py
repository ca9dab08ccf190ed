"""Late: for long words the beginning, the end and the length modulo N decide."""

from __future__ import annotations

import numpy as np

from .language import Language
from .machine import Array, Machine
from .pairs import search, spell
from .property import Property
from .quasi_definite import exchanged, tail
from .witness import Witness

SAYS = "{s} {l}^i {t}{a}{x} {z}^j {v} and {s} {l}^i {t}{b}{x} {z}^j {v} are answered differently for all i, j > 0"


def late_states(m: Machine) -> Array:
    """The states to which arbitrarily long words lead."""
    found = np.arange(m.n)
    for _ in range(m.n):
        found = np.unique(m.delta[:, found])
    return found


def around(m: Machine, q: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """(s, l, t): s leads to a state that l leads back to, and t from there to the late state q."""
    closed = np.zeros(m.n, dtype=bool)
    for r in map(int, late_states(m)):
        found = search(m.delta, m.delta[:, r], closed)
        reached = set(found.met.tolist())
        if r in reached and (q in reached or q == r):
            return m.reaching[r], _way(m, found, r, r), () if q == r else _way(m, found, r, q)
    raise ValueError(f"expected a late state, got {q}")


def _way(m: Machine, found, r: int, goal: int) -> tuple[int, ...]:
    seed, word = found.word(goal)
    return (int(np.flatnonzero(m.delta[:, r] == seed)[0]), *word)


def decide(language: Language) -> Witness | None:
    """As quasi-definite, in late states only."""
    m = language.machine
    found = exchanged(language, late_states(m))
    if found is None:
        return None
    q, a, b, pair, x, z = found
    s, loop, t = around(m, q)
    words = {"s": s, "l": loop, "t": t, "a": (a,), "b": (b,), "x": x, "z": z, "v": tail(language.pairs, pair)}
    return Witness("late", SAYS, spell(m, words))


PROPERTY = Property(
    "late",
    "beginning, end and length",
    "for some i and N the first i letters, the last i letters and the length modulo N decide the answer to every word of at least 2 i letters",
    "generalised definite up to a clock; new.bilinear.late",
    "k^2 n + k n^2",
    decide,
)
