"""Metacyclic groups <a, b | a^m = 1, b^s = a^t, b a b^-1 = a^u>, and layers that track them by a larger group (after grazzi25, Theorem 3).

The larger group turns several m-gons, one for each image of a under b up to inversion, and b permutes them: a power of a turns one polygon
only, two reflections, where a faithful representation of the group itself has to turn them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import gcd

import numpy as np

from ....numerics.exact import Array
from ...householder import exact_rotation
from .covers import Images, Tracked, by_matrices

Element = tuple[int, int]


@dataclass(frozen=True)
class Metacyclic:
    """The group of order m s; elements are (i, j) = a^i b^j with 0 <= i < m, 0 <= j < s. Raises ``ValueError`` if the relations are at odds."""

    m: int
    s: int
    u: int
    t: int

    def __post_init__(self) -> None:
        if pow(self.u, self.s, self.m) != 1 % self.m or (self.u - 1) * self.t % self.m:
            raise ValueError(f"expected u^s = 1 and (u - 1) t = 0 modulo m, got m, s, u, t = {self.m, self.s, self.u, self.t}")

    @property
    def elements(self) -> list[Element]:
        return [(i, j) for j in range(self.s) for i in range(self.m)]

    @cached_property
    def _powers(self) -> tuple[int, ...]:
        """u^j modulo m for 0 <= j < s."""
        return tuple(pow(self.u, j, self.m) for j in range(self.s))

    def times(self, g: Element, h: Element) -> Element:
        """g h."""
        carry, j = divmod(g[1] + h[1], self.s)
        return ((g[0] + h[0] * self._powers[g[1]] + self.t * carry) % self.m, j)

    def permutation(self, g: Element) -> Images:
        """Multiplication by g from the left, on the elements in order."""
        return tuple((h := self.times(g, x))[1] * self.m + h[0] for x in self.elements)

    @cached_property
    def period(self) -> int:
        """The order of b."""
        return self.s * (self.m // gcd(self.t, self.m))

    @cached_property
    def turns(self) -> tuple[int, bool]:
        """(k, flips): b takes polygon 0 to 1 to ... to k - 1 and back to 0, mirrored if ``flips``: u^k = -1, else 1."""
        k = next(k for k in range(1, self.s + 1) if pow(self.u, k, self.m) in (1 % self.m, self.m - 1))
        return k, pow(self.u, k, self.m) != 1 % self.m

    @property
    def counts_b(self) -> bool:
        """b needs a polygon of its own, unless it moves the others faithfully."""
        k, flips = self.turns
        return self.t != 0 or self.s != k * (2 if flips else 1)

    def lifts(self, g: Element) -> Iterator[tuple[int, Element]]:
        """(factors, (i, j)) for all a^i b^j, j below the order of b, that are the element g: the fewest reflections of a lift of it."""
        for carry in range(self.period // self.s):
            i, j = (g[0] - self.t * carry) % self.m, g[1] + self.s * carry
            yield self.polygons(i, j) + (self.own(j) if self.counts_b else 0), (i, j)

    def own(self, j: int) -> int:
        """Reflections of b^j on its own polygon."""
        return 0 if j % self.period == 0 else 1 if 2 * j % self.period == 0 and self.period == 2 else 2

    def polygons(self, i: int, j: int) -> int:
        """The fewest reflections on the polygons that a lift of a^i b^j takes: 2 l - 1 for a cycle of l polygons that mirrors, else 2 l - 2.

        A turn of one polygon more, unless a^i b^j is conjugate to b^j or some cycle mirrors and swallows the turn.
        """
        if j == 0:
            return 2 if i else 0
        k, flips = self.turns
        cycles = gcd(j, k)
        length = k // cycles
        if flips and j // cycles % 2:
            return cycles * (2 * length - 1)
        free = i % gcd(pow(self.u, j, self.m) - 1, self.m) == 0
        return cycles * (2 * length - 2) + (0 if free else 2)

    def factors(self, g: Element) -> int:
        return min(self.lifts(g))[0]


def metacyclic_by_polygons(group: Metacyclic) -> Tracked:
    """The layer that tracks the group, all elements but 1 as letters, by ``factors`` reflections each; exact in a cyclotomic field."""
    k, flips = group.turns
    corners = group.m * group.period
    one, blank = exact_rotation(corners, 0), exact_rotation(corners, 0) * 0
    mirror = one.copy()
    mirror[1, 1] = -mirror[1, 1]
    size = k + group.counts_b

    def assemble(blocks: dict[Element, Array]) -> Array:
        return np.block([[blocks.get((row, column), blank) for column in range(size)] for row in range(size)])

    def turned(polygon: int, i: int) -> Array:
        """Polygon number ``polygon`` turned by i corners."""
        return assemble({(p, p): exact_rotation(corners, i * group.period) if p == polygon else one for p in range(size)})

    last = {(k, k): exact_rotation(corners, group.m)} if group.counts_b else {}
    b = assemble({((p + 1) % k, p): mirror if flips and p == k - 1 else one for p in range(k)} | last)
    powers = [assemble({(p, p): one for p in range(size)})]
    for _ in range(group.period - 1):
        powers.append(b @ powers[-1])

    def lift(g: Element) -> Array:
        _, (i, j) = min(group.lifts(g))
        free = gcd(pow(group.u, j, group.m) - 1, group.m)
        if j and not (flips and j // gcd(j, k) % 2) and i % free == 0:
            # a^c b^j a^-c = a^(c (1 - u^j)) b^j
            c = next(c for c in range(group.m) if (c * (1 - pow(group.u, j, group.m)) - i) % group.m == 0)
            return turned(0, c) @ powers[j] @ turned(0, -c)
        return turned(0, i) @ powers[j]

    elements = {g: group.permutation(g) for g in group.elements if g != (0, 0)}
    # on no mirror: (p + 2, 1) is at no rational angle
    start = np.concatenate([one[:, :1] * (p + 2) + one[:, 1:] for p in range(size)])
    return by_matrices({elements[g]: lift(g) for g in elements}, start, {g: g for g in elements.values()})
