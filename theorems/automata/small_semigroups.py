"""All maps of at most four points, as numbers, and semigroups of maps as sets of numbers, up to renaming the points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement, permutations, product

import numpy as np

from ...constructions.languages.machine import Array


class Maps:
    """The maps of n points in the order of their images: ``after[f, g]`` is f and then g; ``renamed[p, f]`` is f when point q is called p(q)."""

    def __init__(self, n: int):
        self.n = n
        self.images = np.array(list(product(range(n), repeat=n)))
        self.after = np.array([self.number(self.images[:, f]) for f in self.images])
        names = np.array(list(permutations(range(n))))
        self.renamed = np.array([self.number(p[self.images[:, np.argsort(p)]]) for p in names])

    def number(self, images: Array) -> Array:
        """The numbers of maps, given by their images along the last axis."""
        return images @ self.n ** np.arange(self.n - 1, -1, -1)

    def __len__(self) -> int:
        return len(self.images)


@cache
def maps_of(n: int) -> Maps:
    """The maps of n points, computed once."""
    return Maps(n)


def up_to_names(n: int, letters: int) -> Array:
    """Automata of n states, all reachable from some state, as rows of numbers of maps: the least of each class under renaming states and letters."""
    known = maps_of(n)
    chosen = np.array(list(combinations_with_replacement(range(len(known)), letters)))

    def place(rows: Array) -> Array:
        return np.sort(rows, axis=1) @ len(known) ** np.arange(letters - 1, -1, -1)

    own = place(chosen)
    for renamed in known.renamed:
        least = place(renamed[chosen]) >= own
        chosen, own = chosen[least], own[least]
    return chosen[starts(n, chosen).any(axis=1)]


def starts(n: int, letters: Array) -> Array:
    """From which states all are reached: rows of letters to rows of n truth values."""
    images = maps_of(n).images[letters]
    step = (images[..., None] == np.arange(n)).any(axis=1) | np.eye(n, dtype=bool)
    reached = step
    for _ in range(n - 1):
        reached = (reached[..., None] & step[:, None]).any(axis=2)
    return reached.all(axis=2)


def semigroups(n: int, letters: Array) -> Array:
    """The maps of all nonempty words: rows of letters to rows of n ** n truth values."""
    after = maps_of(n).after
    found = np.zeros((len(letters), len(after)), dtype=bool)
    new = np.zeros_like(found)
    new[np.arange(len(letters))[:, None], letters] = True
    while new.any():
        found |= new
        rows, old = np.nonzero(new)
        new[:] = False
        new[rows[:, None], after[old[:, None], letters[rows]]] = True
        new &= ~found
    return found


def conjugates(n: int, elements: Sequence[int]) -> Array:
    """The sets of numbers that a set of maps becomes under all names of the points, packed into bits."""
    renamed = maps_of(n).renamed
    found = np.zeros((len(renamed), n**n), dtype=bool)
    found[np.arange(len(renamed))[:, None], renamed[:, elements]] = True
    return np.unique(packed(found), axis=0)


def packed(sets: Array) -> Array:
    """Rows of truth values as rows of 64 bits each."""
    spare = -sets.shape[1] % 64
    return np.packbits(np.pad(sets, ((0, 0), (0, spare))), axis=1).view(np.uint64)


def least_names(n: int, sets: Array) -> tuple[Array, Array]:
    """Sets of maps up to names of the points: one of each class, and the class of each row."""
    best: Array | None = None
    for renamed in maps_of(n).renamed:
        # element f is called renamed[f]
        other = np.empty_like(sets)
        other[:, renamed] = sets
        words = packed(other)
        if best is None:
            best = words
            continue
        differ = words != best
        first = differ.argmax(axis=1)
        rows = np.arange(len(sets))
        smaller = differ.any(axis=1) & (words[rows, first] < best[rows, first])
        best = np.where(smaller[:, None], words, best)
    assert best is not None
    _, index, which = np.unique(best, axis=0, return_index=True, return_inverse=True)
    return sets[index], which.ravel()


def within(n: int, sets: Array, elements: Sequence[int]) -> Array:
    """Which packed sets are subsets of these elements, under some names of the points."""
    return np.any([((sets & ~larger) == 0).all(axis=1) for larger in conjugates(n, elements)], axis=0)


def around(n: int, sets: Array, elements: Sequence[int]) -> Array:
    """Which packed sets contain these elements, under some names of the points."""
    return np.any([((sets & smaller) == smaller).all(axis=1) for smaller in conjugates(n, elements)], axis=0)


def one_sided(n: int, elements: Sequence[int] | Array) -> bool:
    """Whether all idempotents e, f among the elements satisfy e f e = f e."""
    after = maps_of(n).after
    E = np.array([f for f in elements if after[f, f] == f])
    products = after[np.ix_(E, E)]
    return bool((after[products, E[:, None]] == products.T).all())


def spelled(n: int, letters: Sequence[int]) -> str:
    """Letters by their images, such as 0012 1231."""
    return " ".join("".join(map(str, maps_of(n).images[f])) for f in letters)


def read(n: int, text: str) -> Iterator[list[int]]:
    """Letters of :func:`spelled`, a list for each part that commas separate."""
    for part in text.split(","):
        yield [int(word, n) for word in part.split()]
