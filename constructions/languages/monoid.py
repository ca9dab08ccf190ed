"""The transition monoid: what words do to all states at once, enumerated by layers of equal word length, products of arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .machine import Array, Machine

#: monoids with more elements are not enumerated
MOST_ELEMENTS = 100_000
#: elements that are multiplied by all letters at once
CHUNK = 4096


@dataclass(frozen=True, eq=False)
class Monoid:
    """``maps[i, q]`` is where element i takes state q; element 0 is the empty word. Elements come by the length of their shortest words.

    ``right[i, a]`` is the element of a word of i followed by letter a. If ``complete`` is false there are more elements, and no ``right``.
    """

    machine: Machine
    maps: Array
    before: Array
    letter: Array
    right: Array
    complete: bool

    def __len__(self) -> int:
        return len(self.maps)

    def word(self, i: int) -> tuple[int, ...]:
        """A shortest word of element i, as numbers of letters."""
        letters: list[int] = []
        while i:
            letters.append(int(self.letter[i]))
            i = int(self.before[i])
        return tuple(reversed(letters))

    @cached_property
    def idempotents(self) -> Array:
        """The numbers of the elements e with e e = e."""
        return np.flatnonzero((after(self.maps, self.maps) == self.maps).all(axis=1))

    @cached_property
    def settled(self) -> Array:
        """The power 2^j >= n of each element: on its image the element permutes, and its period has no factor 2 left."""
        return settled(self.maps, self.machine.n)


def after(f: Array, g: Array) -> Array:
    """f, then g, row by row, shapes (elements, states)."""
    return np.take_along_axis(g, f.astype(np.intp), axis=1)


def settled(maps: Array, n: int) -> Array:
    """The power 2^j >= n of each map."""
    power, exponent = maps, 1
    while exponent < n:
        power, exponent = after(power, power), 2 * exponent
    return power


def monoid_of(machine: Machine, most: int = MOST_ELEMENTS) -> Monoid:
    """The monoid of a machine; not complete if it has more than ``most`` elements."""
    n, k = machine.n, machine.k
    kind = np.uint8 if n <= 256 else np.uint16
    rows, width = machine.delta.astype(kind), n * np.dtype(kind).itemsize
    one = np.arange(n, dtype=kind)
    number = {one.tobytes(): 0}
    maps, before, letter, right = [one[None]], [-1], [-1], []
    frontier, done, complete = one[None], 0, True
    while len(frontier) and complete:
        fresh: list[Array] = []
        for begin in range(0, len(frontier), CHUNK):
            part = frontier[begin : begin + CHUNK]
            data = np.ascontiguousarray(rows[:, part].transpose(1, 0, 2)).tobytes()
            for i in range(len(part) * k):
                key = data[i * width : (i + 1) * width]
                found = number.setdefault(key, len(number))
                right.append(found)
                if found == len(before):
                    before.append(done + begin + i // k)
                    letter.append(i % k)
                    fresh.append(np.frombuffer(key, dtype=kind))
            if len(number) > most:
                complete = False
                break
        done += len(frontier)
        frontier = np.array(fresh, dtype=kind).reshape(-1, n)
        maps.append(frontier)
    table = np.array(right).reshape(-1, k) if complete else np.zeros((0, k), dtype=int)
    return Monoid(machine, np.concatenate(maps), np.array(before), np.array(letter), table, complete)
