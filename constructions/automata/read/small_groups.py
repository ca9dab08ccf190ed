"""All groups of a small order, up to isomorphism, as permutation groups: no table is copied, all are built.

A finite solvable group has a normal subgroup N of prime index p. It is then given by N, an automorphism s of N and an element z of N with
s(z) = z and s^p = conjugation by z: t stands for an element outside N, with t n t^-1 = s(n) and t^p = z (Hoelder; D. L. Johnson, Presentations of
Groups, Chapter 10). Every group of order below 60 is solvable, so going through all N, s and z finds every one of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product

import numpy as np

from ....numerics.primes import prime_factors

#: orders beyond this one are refused: the automorphisms become too many
LARGEST_ORDER = 31

#: how many groups there are of order 1, 2, ... (OEIS A000001); the tests hold the construction to it
NUMBERS = (1, 1, 1, 2, 1, 2, 1, 5, 2, 2, 1, 5, 1, 2, 1, 14, 1, 5, 1, 5, 2, 2, 1, 15, 2, 2, 5, 4, 1, 4, 1)

#: a multiplication table: table[g][h] is g h; 0 is the identity
Table = np.ndarray


def small_group(order: int, number: int) -> dict[str, tuple[int, ...]]:
    """Generators of the ``number``-th group of an order, counted from 1, acting on the group from the left: permutations of 0 .. order - 1.

    The numbers are ours, in the order of construction. They are not those of GAP's library.

    Raises:
        ValueError: for an order beyond ``LARGEST_ORDER`` and a number beyond how many groups there are.

    Example:
        >>> small_group(4, 1)
        {'a': (1, 0, 3, 2), 'b': (2, 3, 0, 1)}
    """
    if not 1 <= order <= LARGEST_ORDER:
        raise ValueError(f"expected an order from 1 to {LARGEST_ORDER}, got {order}")
    tables = small_groups(order)
    if not 1 <= number <= len(tables):
        raise ValueError(f"expected a number from 1 to {len(tables)}: there are so many groups of order {order}, got {number}")
    table = tables[number - 1]
    chosen = generators(table) or [0]
    return {"abcdefgh"[i]: tuple(int(x) for x in table[g]) for i, g in enumerate(chosen)}


@cache
def small_groups(order: int) -> list[Table]:
    """A multiplication table of each group of an order, no two isomorphic."""
    if order == 1:
        return [np.zeros((1, 1), dtype=int)]
    found: dict[tuple[object, ...], list[Table]] = {}
    out: list[Table] = []
    for p in prime_factors(order):
        for normal in small_groups(order // p):
            for table in _extensions(normal, p):
                alike = found.setdefault(invariants(table), [])
                if not any(isomorphic(table, other) for other in alike):
                    alike.append(table)
                    out.append(table)
    return out


def _extensions(n: Table, p: int) -> Iterator[Table]:
    """The groups with the normal subgroup N of index p: elements x t^i with x in N and 0 <= i < p have the number x + i |N|."""
    size, rows = len(n), np.arange(len(n))
    inverse = np.argmax(n == 0, axis=1)
    for s in automorphisms(n):
        powers = [rows]
        for _ in range(p):
            powers.append(s[powers[-1]])
        for z in range(size):
            conjugation = n[n[z], inverse[z]]
            if s[z] == z and np.array_equal(powers[p], conjugation):
                table = np.empty((size * p, size * p), dtype=int)
                for i, j in product(range(p), repeat=2):
                    # x t^i y t^j = x s^i(y) t^(i+j), and t^p = z
                    block = n[:, powers[i]]
                    if i + j >= p:
                        block = n[block, z]
                    table[i * size : (i + 1) * size, j * size : (j + 1) * size] = block + (i + j) % p * size
                yield table


def generators(table: Table) -> list[int]:
    """Elements that generate the group: each one outside what those before it generate, those of largest order first;
    none can be left out."""
    order = sorted(range(1, len(table)), key=lambda g: (-order_of(table, g), g))
    chosen, span = [], {0}
    for g in order:
        if g not in span:
            chosen.append(g)
            span = generated(table, chosen)
    for g in list(chosen):
        others = [h for h in chosen if h != g]
        if len(generated(table, others)) == len(table):
            chosen = others
    return chosen


def generated(table: Table, chosen: Iterable[int]) -> frozenset[int]:
    """The subgroup that elements generate.

    Example:
        >>> sorted(generated(small_groups(4)[0], [0]))
        [0]
    """
    chosen = list(chosen)
    span, waiting = {0}, [0]
    for g in waiting:
        for h in chosen:
            after = int(table[g, h])
            if after not in span:
                span.add(after)
                waiting.append(after)
    return frozenset(span)


def order_of(table: Table, g: int) -> int:
    """The least k > 0 with g^k = 1."""
    k, power = 1, g
    while power:
        k, power = k + 1, int(table[power, g])
    return k


def automorphisms(table: Table) -> list[np.ndarray]:
    """All automorphisms, as arrays of images."""
    return list(_isomorphisms(table, table))


def isomorphic(one: Table, other: Table) -> bool:
    """Whether two groups are isomorphic."""
    return len(one) == len(other) and next(_isomorphisms(one, other), None) is not None


def _isomorphisms(one: Table, other: Table) -> Iterator[np.ndarray]:
    """The images of generators that extend to an isomorphism."""
    chosen = generators(one)
    orders = [order_of(other, h) for h in range(len(other))]
    candidates = [[h for h in range(len(other)) if orders[h] == order_of(one, g)] for g in chosen]
    for images in product(*candidates):
        found = _extended(one, other, dict(zip(chosen, images, strict=True)))
        if found is not None:
            yield found


def _extended(one: Table, other: Table, images: dict[int, int]) -> np.ndarray | None:
    """The isomorphism with these images of generators, or None."""
    image, waiting = {0: 0}, [0]
    for g in waiting:
        for h, there in images.items():
            product_, wanted = int(one[g, h]), int(other[image[g], there])
            if product_ not in image:
                image[product_] = wanted
                waiting.append(product_)
            elif image[product_] != wanted:
                return None
    if len(set(image.values())) < len(one):
        return None
    return np.array([image[g] for g in range(len(one))])


def invariants(table: Table) -> tuple[object, ...]:
    """What isomorphic groups have in common: how many pairs commute, orders of elements with orders of their squares and sizes of their centralisers."""
    commute = table == table.T
    kinds = Counter((order_of(table, g), int(commute[g].sum())) for g in range(len(table)))
    return int(commute.sum()), tuple(sorted(kinds.items()))
