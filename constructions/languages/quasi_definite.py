"""Quasi-definite: the length and the last i letters decide, for some i."""

from __future__ import annotations

import numpy as np

from .language import Language
from .machine import Array
from .pairs import Pairs, spell
from .property import Property
from .witness import Witness

SAYS = "{u}{a}{x} {z}^j {v} and {u}{b}{x} {z}^j {v} are answered differently for every j > 0"


def exchanged(language: Language, states: Array) -> tuple[int, int, int, int, tuple[int, ...], tuple[int, ...]] | None:
    """(q, a, b, pair, x, z): in state q the letters a and b lead, after x, to a pair that z leads back to itself; None if there is none."""
    m, pairs = language.machine, language.pairs
    a, b = np.triu_indices(m.k, 1)
    seeds = pairs.number(m.delta[a][:, states], m.delta[b][:, states])
    found = pairs.search(seeds.ravel())
    cycle = pairs.returning(found)
    if cycle is None:
        return None
    seed, x = found.word(cycle[0])
    i, j = map(int, np.argwhere(seeds == seed)[0])
    return int(states[j]), int(a[i]), int(b[i]), cycle[0], x, cycle[1]


def decide(language: Language) -> Witness | None:
    """After two letters in one state no pair of different states returns."""
    m = language.machine
    found = exchanged(language, np.arange(m.n))
    if found is None:
        return None
    q, a, b, pair, x, z = found
    words = {"u": m.reaching[q], "a": (a,), "b": (b,), "x": x, "z": z, "v": tail(language.pairs, pair)}
    return Witness("quasi-definite", SAYS, spell(m, words))


def tail(pairs: Pairs, pair: int) -> tuple[int, ...]:
    """What tells the states of a pair apart."""
    return pairs.machine.telling(*pairs.states(pair))


PROPERTY = Property(
    "quasi-definite",
    "quasi-definite",
    "for some i the length and the last i letters decide the answer",
    "one time-invariant dense layer; new.bilinear.late has the stacks",
    "k^2 n + k n^2",
    decide,
)
