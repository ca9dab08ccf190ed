"""Layers that track a group G through a larger one: a finite group that maps onto G, with a lift of each letter (after grazzi25, Theorem 3).

``cover_layer`` builds such a layer from matrices; ``carried`` finds the larger group and its representation inside any layer with finitely
many states that tells the elements of G apart. So the fewest factors per letter in one layer are a minimum over covers of G.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from flint import fmpq

from ....numerics import exact
from ....numerics.aliases import Key
from ....numerics.exact import Array
from ...householder import compose, cycles, permutation_matrix
from ...recurrence import Recurrence
from ..affine import key

Images = tuple[int, ...]

#: layers with more states than this are taken for infinite
LARGEST = 5000


class Tracked(NamedTuple):
    """A layer H -> A H + B from ``start``, shape (n, d), and the element of G, a permutation, that each letter stands for."""

    maps: Mapping[Key, tuple[Array, Array]]
    start: Array
    elements: Mapping[Key, Images]

    @property
    def identity(self) -> Images:
        return tuple(range(len(next(iter(self.elements.values())))))

    def states(self) -> tuple[list[Array], dict[Hashable, list[int]]]:
        """All states that words reach, and where each letter takes them. Raises ``ValueError`` if there are more than ``LARGEST``."""
        states, number = [self.start], {key(self.start): 0}
        moves: dict[Hashable, list[int]] = {x: [] for x in self.maps}
        for H in states:
            for x, (A, B) in self.maps.items():
                after = A @ H + B
                q = number.setdefault(key(after), len(states))
                if q == len(states):
                    if q >= LARGEST:
                        raise ValueError(f"expected a layer of at most {LARGEST} states, got more")
                    states.append(after)
                moves[x].append(q)
        return states, moves

    def products(self, moves: Mapping[Key, Sequence[int]]) -> dict[int, set[Images]]:
        """The products in G of the words that lead to each state."""
        found = {(0, self.identity)}
        waiting = list(found)
        for q, g in waiting:
            for x, w in self.elements.items():
                after = (moves[x][q], compose(w, g))
                if after not in found:
                    found.add(after)
                    waiting.append(after)
        return {q: {g for p, g in found if p == q} for q in {q for q, _ in found}}


def cover_layer(tracked: Tracked) -> Recurrence:
    """The layer, decoded to the product of its letters in G; None where the state does not determine it."""
    states, moves = tracked.states()
    products = tracked.products(moves)
    element = {key(states[q]): next(iter(gs)) if len(gs) == 1 else None for q, gs in products.items()}
    return Recurrence.from_table(dict(tracked.maps), tracked.start, lambda H, x: element.get(key(H)))


# -- the group that a layer carries ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Carried:
    """The group that words make of the image of an idempotent word e, and its action on the differences of these states."""

    idempotent: list[int]
    differences: Array
    lifts: dict[Hashable, tuple[int, ...]]
    linear: dict[Hashable, Array]

    @property
    def points(self) -> list[int]:
        return sorted(set(self.idempotent))

    def rank(self, A: Array) -> int:
        """rank(A - 1) on the span of the differences; A must map it into itself."""
        return exact.rank((A - exact.identity(len(A))) @ self.differences)


def smallest_image(moves: Mapping[Key, Sequence[int]]) -> list[Hashable]:
    """A word that takes the set of all states to as few as possible."""
    everything = frozenset(range(len(next(iter(moves.values())))))
    words: dict[frozenset[int], list[Hashable]] = {everything: []}
    waiting = [everything]
    for found in waiting:
        for x, f in moves.items():
            image = frozenset(f[q] for q in found)
            if image not in words:
                words[image] = [*words[found], x]
                waiting.append(image)
    return words[min(words, key=len)]


def carried(tracked: Tracked, word_of: Callable[..., list[Hashable]] = smallest_image) -> Carried:
    """The lifts e x e of the letters x, as permutations of the states of e and as linear maps of the differences of these states."""
    states, moves = tracked.states()
    once, E = list(range(len(states))), exact.identity(len(tracked.start))
    for x in word_of(moves):
        once, E = [moves[x][q] for q in once], tracked.maps[x][0] @ E
    e, power = once, E
    while [e[q] for q in e] != e:
        e, power = [once[q] for q in e], E @ power
    points = sorted(set(e))
    differences = np.concatenate([states[q] - states[points[0]] for q in points], axis=1)
    lifts = {x: tuple(points.index(e[f[q]]) for q in points) for x, f in moves.items()}
    return Carried(e, differences, lifts, {x: power @ A @ power for x, (A, _) in tracked.maps.items()})


def with_memory(tracked: Tracked) -> Tracked:
    """The same with two more coordinates, which remember the last two letters, states moved by a vector, and all in another basis."""
    n = len(tracked.start)
    # unitriangular: its inverse has integer entries
    P = exact.rationals([[1 if i == j else (i * j + 1) % 3 - 1 if i < j else 0 for j in range(n + 2)] for i in range(n + 2)])
    shift, away = exact.rationals([[0, 0], [1, 0]]), exact.rationals([[i + 1] for i in range(n + 2)])
    maps = {}
    for number, (x, (A, B)) in enumerate(tracked.maps.items(), start=1):
        M = P @ exact.block_diagonal([A, shift]) @ exact.inverse(P)
        maps[x] = (M, P @ np.concatenate([B, exact.rationals([[number], [0]])]) + away - M @ away)
    return Tracked(maps, P @ np.concatenate([tracked.start, exact.zeros(2, 1)]) + away, tracked.elements)


# -- covers and representations ----------------------------------------------------------------------------------------------


def by_matrices(matrices: Mapping[Key, Array], start: Array, elements: Mapping[Key, Images]) -> Tracked:
    """A(x) = matrices[x] and B = 0."""
    return Tracked({x: (A, start * 0) for x, A in matrices.items()}, start, elements)


#: the four diagonals of the cube, up to sign
DIAGONALS = ((1, 1, 1), (1, 1, -1), (1, -1, 1), (-1, 1, 1))


def of_diagonals(A: Array) -> Images:
    """The permutation of the cube's four diagonals by a signed permutation matrix."""
    images = [tuple((A @ exact.rationals([[c] for c in d]))[:, 0]) for d in DIAGONALS]
    return tuple(next(j for j, d in enumerate(DIAGONALS) if v in (d, tuple(-c for c in d))) for v in images)


def cube_by_mirrors() -> Tracked:
    """S_4 = W(B_3) / {1, -1} by three mirrors of the cube: single reflections, one of which stands for the product of two disjoint swaps."""
    mirrors = [permutation_matrix((1, 0, 2)), permutation_matrix((0, 2, 1)), exact.rationals([[1, 0, 0], [0, 1, 0], [0, 0, -1]])]
    letters = {of_diagonals(A): A for A in mirrors}
    return by_matrices(letters, exact.rationals([[1], [2], [4]]), {x: x for x in letters})


def quaternion_group(words: Mapping[str, Array]) -> dict[str, Images]:
    """The eight products i^p j^q as permutations of themselves (by multiplication from the left), named as in ``words``."""
    order = [(p, q) for q in range(2) for p in range(4)]

    def times(g: tuple[int, int], h: tuple[int, int]) -> tuple[int, int]:
        # j i = i^-1 j, and j^2 = i^2
        p, q = g[0] + (-h[0] if g[1] else h[0]), g[1] + h[1]
        return ((p + 2) % 4, 0) if q == 2 else (p % 4, q)

    return {name: tuple(order.index(times(order[k], h)) for h in order) for k, name in enumerate(words)}


def quaternions_by_cover() -> Tracked:
    """The quaternion group, all eight elements as letters, by a group of order 16 in R^4 (b a = a^-1 b, a^4 = b^4 = 1): three reflections."""
    turn, mirror, one = exact.rationals([[0, -1], [1, 0]]), exact.rationals([[1, 0], [0, -1]]), exact.identity(2)
    a, b = exact.block_diagonal([turn, one]), exact.block_diagonal([mirror, turn])
    names = [f"i^{p} j^{q}" for q in range(2) for p in range(4)]
    powers = [exact.identity(4), a, a @ a, a @ a @ a]
    matrices = dict(zip(names, [*powers, *(A @ b for A in powers)], strict=True))
    elements = quaternion_group(matrices)
    return by_matrices(
        {elements[x]: A for x, A in matrices.items()}, exact.rationals([[1], [2], [4], [8]]), {g: g for g in elements.values()}
    )


def is_odd(g: Sequence[int]) -> bool:
    return (len(g) - len(cycles(g))) % 2 == 1


def signed_permutation_matrix(g: Sequence[int]) -> Array:
    """sgn(g) P on vectors with sum 0, and 1 on the others: orthogonal and rational; n - 1 - (even cycles of g) reflections if g is odd."""
    n = len(g)
    mean = exact.rationals([[1] * n] * n) * fmpq(1, n)
    return (permutation_matrix(g) - mean) * (-1 if is_odd(g) else 1) + mean


def turn(m: int) -> Array:
    """A rational orthogonal matrix of order m in {2, 3, 4, 6} with rank(1 - A) = 2, or 1 for m = 2. Raises ``ValueError`` for other m."""
    if m == 2:
        return exact.rationals([[-1]])
    if m == 4:
        return exact.rationals([[0, -1], [1, 0]])
    if m not in (3, 6):
        raise ValueError(f"expected an order 2, 3, 4 or 6, of which there is a rational turn, got {m}")
    mean = exact.rationals([[1] * 3] * 3) * fmpq(1, 3)
    return (permutation_matrix((1, 2, 0)) - mean) * (1 if m == 3 else -1) + mean


def abelian_by_cover(orders: Sequence[int]) -> Tracked:
    """The product of cyclic groups of these orders, all elements but 1 as letters: one block for each largest cyclic subgroup, turned by its own letters.

    A letter turns the block of one cyclic subgroup that has it, so it takes two reflections, or one if that subgroup has order 2. Elements are
    permutations of the points 0 .. sum(orders) - 1, a cycle for each factor. The largest cyclic subgroups must have order 2, 3, 4 or 6.
    """
    elements = [e for e in product(*map(range, orders)) if any(e)]
    multiples = {e: _multiples(e, orders) for e in elements}
    largest = [e for e in elements if not any(set(multiples[e]) < set(multiples[f]) for f in elements)]
    chosen = {frozenset(multiples[e]): e for e in reversed(largest)}
    roots = sorted(chosen.values())
    blocks = {e: turn(len(multiples[e]) + 1) for e in roots}
    matrices = {}
    for e in elements:
        root = next(f for f in roots if e in multiples[f])
        power = multiples[root].index(e) + 1
        parts = [exact.identity(len(A)) for A in blocks.values()]
        for _ in range(power):
            parts[roots.index(root)] = blocks[root] @ parts[roots.index(root)]
        matrices[_as_cycles(e, orders)] = exact.block_diagonal(parts)
    start = np.concatenate([exact.rationals([[2**i] for i in range(len(A))]) for A in blocks.values()])
    return by_matrices(matrices, start, {g: g for g in matrices})


def _multiples(e: Sequence[int], orders: Sequence[int]) -> list[tuple[int, ...]]:
    """e, 2e, 3e, ..., without 0."""
    found, after = [], tuple(e)
    while any(after):
        found.append(after)
        after = tuple((a + b) % m for a, b, m in zip(after, e, orders, strict=True))
    return found


def _as_cycles(e: Sequence[int], orders: Sequence[int]) -> Images:
    images: list[int] = []
    for a, m in zip(e, orders, strict=True):
        images += [len(images) + (i + a) % m for i in range(m)]
    return tuple(images)
