"""Binary floating point in exact arithmetic, and the ways to evaluate a step of the delta rule: the checker's own."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Any

from .exact import require

#: name: (precision, exponent of the least positive number, largest number)
FORMATS = {
    "float64": (53, -1074, Fraction(2**53 - 1) * 2**971),
    "float32": (24, -149, Fraction(2**24 - 1) * 2**104),
    "float16": (11, -24, Fraction(65504)),
    "bfloat16": (8, -133, Fraction(2**8 - 1) * 2**120),
    "float8_e4m3fn": (4, -9, Fraction(448)),
    "float8_e5m2": (3, -16, Fraction(57344)),
}


def nearest(x: Fraction, precision: int, lowest: int, largest: Fraction, ties: str = "even") -> Fraction:
    """x rounded to nearest, ties as said: in units of 2^lowest the numbers are the integers of ``precision`` bits with zeros appended."""
    scaled = x / Fraction(2) ** lowest
    # appended zeros: as many as it takes for the integer part to have at most ``precision`` bits
    zeros = max(0, int(abs(scaled)).bit_length() - precision)
    found = Fraction(whole(scaled / 2**zeros, ties) * 2**zeros) * Fraction(2) ** lowest
    require(abs(found) <= largest, f"{x} overflows")
    return found


def whole(x: Fraction, ties: str) -> int:
    """The integer nearest to x; halfway between two: the even one, the upper, the lower, the one away from zero or towards it."""
    if ties == "even" or 2 * x % 2 != 1:
        return round(x)
    upper = x > 0 if ties == "away" else x < 0 if ties == "zero" else ties == "up"
    return floor(x) + upper


def steps(
    name: str, k: Sequence[Fraction], beta: Fraction, v: Fraction, h: Sequence[Fraction], residual: bool = False
) -> tuple[list[list[Fraction]], list[Fraction]]:
    """The states after one step s = k.h, u = beta (v - s), h + u k in each of the evaluations that round s, and the results on the way."""
    results = []

    def fl(x: Any) -> Fraction:
        results.append(nearest(x, *FORMATS[name]))
        return results[-1]

    sums = {fl(sum(x * y for x, y in zip(k, h, strict=True)))}
    for order in itertools.permutations(range(len(k))):
        apart = fused = Fraction(0)
        for i in order:
            apart, fused = fl(apart + fl(k[i] * h[i])), fl(fused + k[i] * h[i])
        sums |= {apart, fused}
    differences = {fl(v - s) for s in sums}
    if residual:
        differences.add(fl(v - sum(x * y for x, y in zip(k, h, strict=True))))
    after = []
    for difference in differences:
        u = fl(beta * difference)
        after.append([fl(x + fl(u * y)) for x, y in zip(h, k, strict=True)])
        after.append([fl(x + u * y) for x, y in zip(h, k, strict=True)])
    return after, results
