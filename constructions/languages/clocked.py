"""Clocked by N: no word of a length divisible by N permutes states. The union over N: star-free but for the length, the regular languages in AC0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .language import Language
from .machine import Array
from .monoid import MOST_ELEMENTS, Monoid
from .pairs import spell
from .property import Property
from .undecided import Undecided
from .witness import Witness

SAYS = "{w} moves the states after {u} and {u}{w} on along a cycle that {o}, of the same length, leaves alone"

#: elements that are looked at, all lengths together
MOST_LOOKS = 20_000_000


@dataclass(frozen=True, eq=False)
class Lengths:
    """``layers[t]`` marks the elements of words of length t; what follows the last is ``layers[again]``."""

    monoid: Monoid
    layers: list[Array]
    again: int
    cyclic: Array

    def permutes(self, N: int) -> bool:
        """Whether some word of a length divisible by N, above 0, permutes states."""
        last = len(self.layers)
        period = last - self.again
        times = {t if t < last else self.again + (t - self.again) % period for t in range(N, last + period * N + 1, N)}
        return any((self.layers[t] & self.cyclic).any() for t in times)

    def word(self, element: int, t: int) -> tuple[int, ...]:
        """A word of length t of an element of its layer."""
        letters: list[int] = []
        for layer in reversed(self.layers[:t]):
            before = np.flatnonzero(layer)
            i, a = map(int, np.argwhere(self.monoid.right[before] == element)[0])
            letters.append(a)
            element = int(before[i])
        return tuple(reversed(letters))


def lengths_of(language: Language) -> Lengths:
    """What words of each length do. Raises :class:`Undecided` beyond the bounds."""
    monoid = language.monoid
    if not monoid.complete:
        raise Undecided(f"the transition monoid has more than {MOST_ELEMENTS:,} elements")
    layer = np.zeros(len(monoid), dtype=bool)
    layer[0] = True
    layers, seen = [layer], {layer.tobytes(): 0}
    while True:
        longer = np.zeros(len(monoid), dtype=bool)
        longer[monoid.right[layers[-1]]] = True
        if len(layers) * len(monoid) > MOST_LOOKS:
            raise Undecided(f"words of more than {len(layers):,} lengths act differently")
        if longer.tobytes() in seen:
            y = monoid.settled
            moved = (np.take_along_axis(monoid.maps, y.astype(np.intp), axis=1) != y).any(axis=1)
            return Lengths(monoid, layers, seen[longer.tobytes()], moved)
        seen[longer.tobytes()] = len(layers)
        layers.append(longer)


def least_clock(language: Language) -> int | None:
    """The least N, or None if there is none. Raises :class:`Undecided` beyond the bounds."""
    lengths = lengths_of(language)
    return next((N for N in range(1, 2 * len(lengths.layers) + 1) if not lengths.permutes(N)), None)


def decide(language: Language) -> Witness | None:
    """Some N serves; else two words of one length, the first of which permutes states that the second leaves alone (new.bistable.hybrid)."""
    if least_clock(language) is not None:
        return None
    m, lengths = language.machine, lengths_of(language)
    maps = language.monoid.maps
    for t, layer in enumerate(lengths.layers):
        elements = np.flatnonzero(layer)
        done: set[frozenset[int]] = set()
        for i in np.flatnonzero(layer & lengths.cyclic).tolist():
            for cycle in cycles(maps[i].tolist()):
                if frozenset(cycle) in done:
                    continue
                done.add(frozenset(cycle))
                still = elements[(maps[elements][:, cycle] == cycle).all(axis=1)]
                if len(still):
                    words = {"w": lengths.word(i, t), "o": lengths.word(int(still[0]), t), "u": m.reaching[cycle[0]]}
                    return Witness("clocked", SAYS, spell(m, words))
    raise AssertionError("unreachable: without such words there is a clock (new.bistable.hybrid)")


def cycles(f: list[int]) -> list[list[int]]:
    """The cycles of two states or more."""
    found, seen = [], set()
    for start in range(len(f)):
        path, q = [], start
        while q not in seen:
            seen.add(q)
            path.append(q)
            q = f[q]
        if q in path and len(path) - path.index(q) > 1:
            found.append(path[path.index(q) :])
    return found


PROPERTY = Property(
    "clocked",
    "star-free but for the length",
    "for some N no word of a length divisible by N permutes two or more states",
    "new.bistable.hybrid; Barrington, Compton, Straubing and Thérien 1992 (regular AC0)",
    "k M for each length until they repeat",
    decide,
)
