"""Involutions that lift to reflections, row by row: by permutations, their products and all homomorphisms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

import numpy as np

from .....constructions.automata.algebra import reflection_lifts as lifts
from ....claim import tie
from ....evidence import Proof
from ...shared import spread
from .common import Images, after, power

#: groups by generators: S3, Z2^3, D4, D5, D6, A4, S4, Z6, Q8, S3 x Z2, D12, the trivial one
GROUPS: dict[str, list[Images]] = {
    "S4": [(1, 0, 2, 3), (1, 2, 3, 0)],
    "D12": [(*((i + 1) % 12 for i in range(12)),), (*(-i % 12 for i in range(12)),)],
    "A4": [(1, 2, 0, 3), (1, 0, 3, 2)],
    "S3 x Z2": [(1, 0, 2, 3, 4), (1, 2, 0, 3, 4), (0, 1, 2, 4, 3)],
    "D5": [(1, 2, 3, 4, 0), (0, 4, 3, 2, 1)],
    "Q8": [(1, 4, 3, 6, 5, 0, 7, 2), (2, 7, 4, 1, 6, 3, 0, 5)],
    "Z2^3": [(1, 0, 2, 3, 4, 5), (0, 1, 3, 2, 4, 5), (0, 1, 2, 3, 5, 4)],
    "D4": [(1, 2, 3, 0), (0, 3, 2, 1)],
    "S3": [(1, 0, 2), (1, 2, 0)],
    "Z6": [(1, 2, 3, 4, 5, 0)],
    "Z2": [(1, 0)],
    "trivial": [(0, 1)],
}

#: Coxeter matrices of rank 3 and 4, by the edges that say more than 2
COXETER = {
    "A_3": (3, {(0, 1): 3, (1, 2): 3}),
    "B_3": (3, {(0, 1): 3, (1, 2): 4}),
    "H_3": (3, {(0, 1): 3, (1, 2): 5}),
    "A_4": (4, {(0, 1): 3, (1, 2): 3, (2, 3): 3}),
    "B_4": (4, {(0, 1): 3, (1, 2): 3, (2, 3): 4}),
    "D_4": (4, {(0, 1): 3, (1, 2): 3, (1, 3): 3}),
    "F_4": (4, {(0, 1): 3, (1, 2): 4, (2, 3): 3}),
    "H_4": (4, {(0, 1): 3, (1, 2): 3, (2, 3): 5}),
}


def times(g: Images, h: Images) -> Images:
    """g first."""
    return after(h, g)


def inverse(g: Images) -> Images:
    return tuple(sorted(range(len(g)), key=lambda i: g[i]))


def order(g: Images) -> int:
    return next(k for k in range(1, 999) if power(g, k) == tuple(range(len(g))))


def joined(letters: Sequence[Images]) -> list[set[Images]]:
    """Letters that a chain of pairs that do not commute connects."""
    return [set(spread([x], lambda y: [z for z in letters if times(y, z) != times(z, y)])) for x in letters]


@tie("new.automata.one-factor.census")
def reflections_of_small_groups(proof: Proof) -> None:
    """Twelve groups of 24 elements to one: orders, components, classes, homomorphisms of eight Coxeter groups, and what lifts."""
    for name in proof.tied("twelve groups", list(GROUPS)):
        letters = GROUPS[name]
        table, elements = lifts.table_of(letters)
        identity = tuple(range(len(letters[0])))
        number = {g: i for i, g in enumerate(elements)}
        proof.exactly("elements", elements, spread([identity], lambda g, letters=letters: [times(g, x) for x in letters]))
        proof.exactly("table_of", table.tolist(), [[number[after(g, h)] for h in elements] for g in elements])
        halves = [i for i, g in enumerate(elements) if g != identity and times(g, g) == identity]
        proof.exactly("involutions", lifts.involutions(table), halves)
        orders = [[lifts.order_of_product(table, x, y) for y in range(len(table))] for x in range(len(table))]
        proof.exactly("order_of_product", orders, [[order(times(g, h)) for h in elements] for g in elements])
        subsets = [*[list(some) for k in (0, 1, 2, 3) for some in combinations(halves, k)][:40], [0, *halves], list(range(len(table)))]
        for some in subsets:
            given = [elements[x] for x in some if x]
            wanted = {frozenset(number[x] for x in part) for part in joined(given)}
            found = lifts.components(table, some)
            proof.exactly("components", sorted(map(sorted, found)), sorted(map(sorted, wanted)))
            moved = spread(given, lambda y, given=given: [times(times(inverse(x), y), x) for x in given])
            proof.exactly("conjugates", lifts.conjugates(table, [x for x in some if x]), frozenset(number[x] for x in moved))
        largest = _largest(elements, halves, list(COXETER) if len(table) <= 12 else ["A_3", "B_3"])
        if len(table) <= 12:
            for diagram in COXETER:
                wanted = _homomorphisms(elements, halves, diagram)
                proof.exactly("homomorphisms", sorted(map(tuple, lifts.homomorphisms(table, diagram))), sorted(wanted))
            proof.exactly("largest_liftable", lifts.largest_liftable(table), largest)
        proof.exactly(
            "largest_liftable: of two diagrams", lifts.largest_liftable(table, ("A_3", "B_3")), _largest(elements, halves, ["A_3", "B_3"])
        )
        for some in subsets:
            parts = {frozenset(number[x] for x in part) for part in joined([elements[x] for x in some if x])}
            left = [part for part in parts if len(part) > 1 and not any(part <= s for s in largest)]
            found = lifts.obstruction(table, some, largest)
            proof.exactly("obstruction", found in left if left else found, bool(left) or None)
        if len(halves) <= 7:
            automorphisms = _automorphisms(elements, letters)
            found = lifts.generating_sets(table, [np.array(s) for s in automorphisms])
            sets = [some for k in range(len(halves) + 1) for some in combinations(halves, k) if _generates(elements, some)]
            orbits = {frozenset(frozenset(s[x] for x in some) for s in automorphisms) for some in sets}
            covered = {frozenset(frozenset(s[x] for x in some) for s in automorphisms) for some in found}
            proof.exactly("generating_sets: one of each orbit", covered, orbits)
            proof.exactly("generating_sets: how many", len(found), len(orbits))


def _homomorphisms(elements: Sequence[Images], halves: Sequence[int], diagram: str) -> list[tuple[int, ...]]:
    """All choices of involutions that satisfy the relations."""
    rank, edges = COXETER[diagram]
    orders = {(x, y): order(times(elements[x], elements[y])) for x in halves for y in halves}
    return [
        images
        for images in product(halves, repeat=rank)
        if all(edges.get((i, j), 2) % orders[images[i], images[j]] == 0 for i, j in combinations(range(rank), 2))
    ]


def _largest(elements: Sequence[Images], halves: Sequence[int], diagrams: Sequence[str]) -> list[frozenset[int]]:
    number = {g: i for i, g in enumerate(elements)}
    chosen = [images for name in diagrams for images in _homomorphisms(elements, halves, name)]
    chosen += [
        pair for pair in combinations(halves, 2) if times(*(elements[x] for x in pair)) != times(*(elements[x] for x in reversed(pair)))
    ]
    found: set[frozenset[int]] = set()
    for images in {frozenset(images) for images in chosen}:
        given = [elements[x] for x in images]
        classes = spread(given, lambda y, given=given: [times(times(x, y), x) for x in given])
        found |= {frozenset(number[x] for x in part) for part in joined(classes) if len(part) > 1}
    return sorted((s for s in found if not any(s < other for other in found)), key=sorted)


def _automorphisms(elements: Sequence[Images], letters: Sequence[Images]) -> list[list[int]]:
    """All, by the images of the generators: products follow, and must be one to one."""
    number, identity = {g: i for i, g in enumerate(elements)}, elements[0]
    found = []
    for images in product(elements, repeat=len(letters)):
        image, waiting, good = {identity: identity}, [identity], True
        for g in waiting:
            for x, y in zip(letters, images, strict=True):
                new, to = times(g, x), times(image[g], y)
                if new not in image:
                    image[new] = to
                    waiting.append(new)
                good = good and image[new] == to
        if good and len(set(image.values())) == len(elements):
            found.append([number[image[g]] for g in elements])
    return found


def _generates(elements: Sequence[Images], some: Sequence[int]) -> bool:
    return len(spread([elements[0]], lambda g: [times(g, elements[x]) for x in some])) == len(elements)
