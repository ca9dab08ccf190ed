"""Rotations that rounding does not wear down: one complex diagonal unit h -> a h whose states come back exactly, every product and sum rounded.

With t next to sqrt(3)/2, s the rounded product t c and 3c/4 the rounded product t s, the unit a = (-1/2, t) permutes (c, 0), (-c/2, s), (-c/2, -s), and
a = (1/2, t) these and their negatives: all other products are by powers of two, and all sums exact. Complex numbers are pairs of rationals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isqrt
from typing import TypeVar

from flint import fmpq

from ..numerics.aliases import Exact
from ..numerics.floating_point import Format

Number = TypeVar("Number")

#: a rounding, and a complex number as real and imaginary part
Rounding = Callable[[fmpq], fmpq]
Complex = tuple[fmpq, fmpq]


@dataclass(frozen=True)
class Turn:
    """t = ``height``, c = ``size`` and s = ``other``: numbers with s = t c and 3c/4 = t s when rounded."""

    height: fmpq
    size: fmpq
    other: fmpq

    def unit(self, m: int) -> Complex:
        """The a that counts modulo m = 3 or 6."""
        return fmpq(-1 if m == 3 else 1, 2), self.height


def bits(precision: int) -> Format:
    """Numbers of so many bits, with room for the exponents of a turn."""
    return Format(f"{precision} bits", precision, -3 * precision - 8, fmpq(8))


def height(precision: int) -> fmpq:
    """The number of that precision nearest to sqrt(3)/2."""
    n = isqrt(3 * 4**precision)  # twice as fine, so that its last bit says where to round
    return fmpq((n + 1) // 2, 2**precision)


def sizes(precision: int) -> Iterator[fmpq]:
    """Where c is looked for: numbers with 3c/4 of that precision. From 12 bits on the 15 first of every second one from 4/3 on, else all in [1, 2)."""
    last = fmpq(2) ** (1 - precision)
    if precision < 12:
        yield from (1 + k * last for k in range(2 ** (precision - 1)) if (3 * (1 + k * last) / 4) in bits(precision))
    else:
        first = (fmpq(4, 3) / (4 * last)).ceil() * 4 * last
        yield from (first + 8 * k * last for k in range(15))


def turn(precision: int) -> Turn | None:
    """The first that there is, without a tie; None if there is none, as for 2 bits."""
    format, t = bits(precision), height(precision)
    for c in sizes(precision):
        s = format.round(t * c)
        if not format.is_tie(t * c) and not format.is_tie(t * s) and format.round(t * s) == 3 * c / 4:
            return Turn(t, c, s)
    return None


def times(
    a: tuple[Number, Number], h: tuple[Number, Number], product: Callable[[Number, Number], Exact], rounded: Callable[[Exact], Number]
) -> tuple:
    """a h for complex numbers: four rounded products, each sum of two rounded."""
    (x, y), (u, v) = a, h
    return rounded(product(x, u) - product(y, v)), rounded(product(x, v) + product(y, u))


def orbit(a: Complex, start: Complex, rounded: Rounding, steps: int) -> list[Complex]:
    """start, a start, a a start, ... with every operation rounded."""
    out = [start]
    for _ in range(steps):
        out.append(times(a, out[-1], lambda x, y: rounded(x * y), rounded))
    return out
