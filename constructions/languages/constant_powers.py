"""Constant powers: every letter, repeated, leads all states to one."""

from __future__ import annotations

from math import lcm

import numpy as np

from .language import Language
from .pairs import spell
from .property import Property
from .witness import Witness

SAYS = "{u} {c}^({p} j) {v} and {t} {c}^({p} j) {v} are answered differently for every j > 0"


def decide(language: Language) -> Witness | None:
    """Some power of every letter is constant."""
    m = language.machine
    for c in range(m.k):
        kept = np.arange(m.n)
        for _ in range(m.n):
            kept = np.unique(m.delta[c, kept])
        if len(kept) > 1:
            p, q = map(int, kept[:2])
            words = {"u": m.reaching[p], "t": m.reaching[q], "c": (c,), "v": m.telling(p, q)}
            return Witness("constant-powers", SAYS, spell(m, words), {"p": lcm(_cycle(m.delta[c], p), _cycle(m.delta[c], q))})
    return None


def _cycle(row: np.ndarray, q: int) -> int:
    """The length of the cycle that q is on."""
    length, at = 1, int(row[q])
    while at != q:
        length, at = length + 1, int(row[at])
    return length


PROPERTY = Property(
    "constant-powers",
    "constant powers",
    "some power of every letter leads all states to one",
    "new.fixed-point.gated.automata",
    "k n^2",
    decide,
)
