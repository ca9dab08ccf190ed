"""Which involutions of a finite group lift to reflections of a finite Coxeter group that maps onto what they generate.

A homomorphism from a Coxeter group W is a choice of images of its simple reflections that satisfies the relations. All reflections of W are conjugate to simple
ones, so their images are the conjugates of these images, in the group K that they generate. Letters whose graph of pairs that do not commute is
connected generate an irreducible W if they lift. So each component is to be found among the images of the reflections of one irreducible W.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np

from ..read.small_groups import Table, generated

#: irreducible finite Coxeter groups of rank 3 and 4: rank, and the order of the product of two simple reflections where it is not 2
DIAGRAMS: dict[str, tuple[int, dict[tuple[int, int], int]]] = {
    "A_3": (3, {(0, 1): 3, (1, 2): 3}),
    "B_3": (3, {(0, 1): 3, (1, 2): 4}),
    "H_3": (3, {(0, 1): 3, (1, 2): 5}),
    "A_4": (4, {(0, 1): 3, (1, 2): 3, (2, 3): 3}),
    "B_4": (4, {(0, 1): 3, (1, 2): 3, (2, 3): 4}),
    "D_4": (4, {(0, 1): 3, (1, 2): 3, (1, 3): 3}),
    "F_4": (4, {(0, 1): 3, (1, 2): 4, (2, 3): 3}),
    "H_4": (4, {(0, 1): 3, (1, 2): 3, (2, 3): 5}),
}


def table_of(generators: Sequence[Sequence[int]]) -> tuple[Table, list[tuple[int, ...]]]:
    """The multiplication table of a permutation group, g h meaning h first, and its elements, the identity first.

    Example:
        >>> table_of([(1, 0)])[0].tolist()
        [[0, 1], [1, 0]]
    """
    elements = [tuple(range(len(generators[0])))]
    known = set(elements)
    for g in elements:
        for s in generators:
            after = tuple(s[i] for i in g)
            if after not in known:
                known.add(after)
                elements.append(after)
    number = {g: i for i, g in enumerate(elements)}
    return np.array([[number[tuple(g[i] for i in h)] for h in elements] for g in elements]), elements


def involutions(table: Table) -> list[int]:
    """The elements of order 2."""
    return [int(g) for g in range(1, len(table)) if table[g, g] == 0]


def order_of_product(table: Table, x: int, y: int) -> int:
    """The least k > 0 with (x y)^k = 1."""
    k, step = 1, int(table[x, y])
    power = step
    while power:
        k, power = k + 1, int(table[power, step])
    return k


def components(table: Table, letters: Iterable[int]) -> list[frozenset[int]]:
    """The letters, joined where they do not commute; the identity is left out."""
    rest, found = {x for x in letters if x}, []
    while rest:
        part, waiting = set(), [min(rest)]
        while waiting:
            x = waiting.pop()
            if x not in part:
                part.add(x)
                waiting += [y for y in rest - part if table[x, y] != table[y, x]]
        rest -= part
        found.append(frozenset(part))
    return found


def conjugates(table: Table, letters: Sequence[int]) -> frozenset[int]:
    """The classes of the letters in the group that they generate: the images of all reflections, if the letters are those of the simple ones."""
    inverse = np.argmin(table, axis=1)
    found, waiting = set(letters), list(letters)
    for y in waiting:
        for x in letters:
            after = int(table[table[x, y], inverse[x]])
            if after not in found:
                found.add(after)
                waiting.append(after)
    return frozenset(found)


def homomorphisms(table: Table, name: str) -> Iterator[list[int]]:
    """The images, of order 2, of the simple reflections of a group of :data:`DIAGRAMS` under its homomorphisms, connected as the diagram is."""
    rank, edges = DIAGRAMS[name]
    letters = involutions(table)
    orders = {(x, y): order_of_product(table, x, y) for x in letters for y in letters}

    def extended(images: list[int]) -> Iterator[list[int]]:
        i = len(images)
        if i == rank:
            yield images
            return
        for x in letters:
            if all(edges.get((j, i), 2) % orders[y, x] == 0 for j, y in enumerate(images)):
                yield from extended([*images, x])

    yield from extended([])


def largest_liftable(table: Table, names: Iterable[str] = DIAGRAMS) -> list[frozenset[int]]:
    """The largest connected sets of images of reflections of a dihedral group, or of one of :data:`DIAGRAMS`, under its homomorphisms.

    For groups of order below 120 the diagrams suffice: the other irreducible types have no quotient that is so small and not abelian.
    """
    pairs = [pair for pair in combinations(involutions(table), 2) if table[pair] != table[pair[::-1]]]
    chosen = [list(pair) for pair in pairs] + [images for name in names for images in homomorphisms(table, name)]
    found = {part for images in set(map(tuple, chosen)) for part in components(table, conjugates(table, images)) if len(part) > 1}
    return [s for s in sorted(found, key=sorted) if not any(s < other for other in found)]


def obstruction(table: Table, letters: Iterable[int], largest: Sequence[frozenset[int]]) -> frozenset[int] | None:
    """A component of the letters in none of the ``largest`` sets: it does not lift. None if all components lift, single letters always."""
    parts = components(table, letters)
    return next((part for part in parts if len(part) > 1 and not any(part <= s for s in largest)), None)


def generating_sets(table: Table, automorphisms: Iterable[np.ndarray]) -> list[tuple[int, ...]]:
    """The sets of involutions that generate the group, one of each orbit of its automorphisms."""
    letters = involutions(table)
    place = {x: i for i, x in enumerate(letters)}
    masks = np.arange(1 << len(letters))
    least = masks.copy()
    for s in {tuple(place[int(s[x])] for x in letters) for s in automorphisms}:
        moved = sum((((masks >> i) & 1) << j for i, j in enumerate(s)), masks * 0)
        np.minimum(least, moved, out=least)
    sets = [tuple(x for i, x in enumerate(letters) if mask >> i & 1) for mask in masks[least == masks].tolist()]
    return [s for s in sets if len(generated(table, s)) == len(table)]
