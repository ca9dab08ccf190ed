"""Certificates of kind ``collision``."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

from ..exact import matrix, number, plus, require, times
from ..registry import rule
from ..typed import Data


@rule("collision")
def check_collision(data: Data) -> None:
    """Layers with piecewise linear activations between them have the same states after two words of inputs with different products.

    h^l_t = V h^l_(t-1) + U y^(l-1)_t + b from ``initial``; y is h through the function with these slopes between the knots, 0 at 0.
    """
    require(data["layers"] and len(data["inputs"]) == 2 and data["inputs"][0], "layers, and two words that are not empty")
    finals, products = [], []
    for word in data["inputs"]:
        states, total = [[[number(x)] for x in a["initial"]] for a in data["layers"]], Fraction(1)
        for x in word:
            below, total = [[number(x)]], total * number(x)
            for i, a in enumerate(data["layers"]):
                inner = plus(times(matrix(a["V"]), states[i]), times(matrix(a["U"]), below))
                states[i] = plus(inner, [[number(b)] for b in a["b"]])
                knots, slopes = [number(k) for k in a["knots"]], [number(c) for c in a["slopes"]]
                below = [[broken_line(h, knots, slopes)] for (h,) in states[i]]
        finals.append(states)
        products.append(total)
    require(len(finals) == 2 and finals[0] == finals[1], "the states differ")
    require(len(data["inputs"][0]) == len(data["inputs"][1]) and products[0] != products[1], "the products agree")


def broken_line(u: Fraction, knots: Sequence[Fraction], slopes: Sequence[Fraction]) -> Fraction:
    """The integral from 0 to u of the slope, slopes[i] between knots[i - 1] and knots[i]."""
    require(len(slopes) == len(knots) + 1 and knots == sorted(knots), "expected sorted knots and one slope more")
    low, high = min(u, Fraction(0)), max(u, Fraction(0))
    cuts = [low, *[k for k in knots if low < k < high], high]
    total = sum(((b - a) * slopes[sum(k <= a for k in knots)] for a, b in itertools.pairwise(cuts)), Fraction(0))
    return total if u > 0 else -total
