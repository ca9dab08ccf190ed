"""What the claim of topic vandermonde on gaps between the nodes demands of its certificates."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ...exact import dot, natural, number, require, vector
from ...registry import statement
from ...schema import Fields, Natural, Rational, Vector
from ...typed import Data
from .demands import chebyshev


def polynomial_value(coefficients: Sequence[int], x: Fraction) -> Fraction:
    total = Fraction(0)
    for a in reversed(coefficients):
        total = total * x + a
    return total


def squared_modulus(coefficients: Sequence[Any], cosine: Fraction) -> Any:
    """|sum a_j e^(ijt)|^2 for real a_j, from cos t."""
    lags = [sum(a * b for a, b in zip(coefficients, coefficients[d:], strict=False)) for d in range(len(coefficients))]
    cosines = [Fraction(1), cosine]
    while len(cosines) < len(lags):
        cosines.append(2 * cosine * cosines[-1] - cosines[-2])
    return lags[0] + 2 * sum(a * b for a, b in zip(lags[1:], cosines[1:], strict=False))


@statement(
    "new.vandermonde.gap",
    "witness",
    Fields(
        cosines=Vector((12, 64), 16),
        weights=Vector((12, 64), 4),
        c=Rational(8),
        window=Vector((3, 12), 16),
        degree=Natural(3, 20),
        polynomial=Vector((4, 21), 64),
    ),
)
def gap_is_felt(data: Data) -> None:
    """P with |P|^2 = T_m(cos(t/2)/c)^2 <= 1 at all nodes, and q = P f: sum b |q|^2 <= sum b |f|^2 at the nodes, yet |q|^2 / |f|^2 >= (T_m((1 + mean)/c^2 - 1) - 1) / 2 > 1."""
    cosines, weights, c = vector(data["cosines"]), vector(data["weights"]), number(data["c"])
    f, P, m = vector(data["window"]), vector(data["polynomial"]), natural(data["degree"])
    require(0 < c < 1 and len(P) == m + 1 > 2 and len(f) > 1 and m < 64, "a gap, a polynomial of degree m > 1, and a window")
    require(len(cosines) == len(weights) >= m + len(f) and all(b > 0 for b in weights), "N >= L = m + k + 1 nodes with positive weights")
    require(all(-1 <= x <= 2 * c * c - 1 for x in cosines), "nodes on the circle, none in the gap")
    T = chebyshev(m)
    small = [squared_modulus(P, x) for x in cosines]
    require(
        small == [(polynomial_value(T, (1 + x) / c**2 - 1) + 1) / 2 for x in cosines] and max(small) <= 1, "|P|^2 = T_m^2 <= 1 at the nodes"
    )
    q = [sum(P[i] * f[n - i] for i in range(m + 1) if 0 <= n - i < len(f)) for n in range(m + len(f))]
    at_nodes = [sum(b * squared_modulus(w, x) for b, x in zip(weights, cosines, strict=True)) for w in (q, f)]
    require(at_nodes[0] <= at_nodes[1], "the state of q is no longer than that of f")
    mean = sum(a * b for a, b in itertools.pairwise(f)) / dot(f, f)
    bound = (polynomial_value(T, (1 + mean) / c**2 - 1) - 1) / 2
    require(dot(q, q) >= bound * dot(f, f) and bound > 1, "q is longer than f, by the bound")  # pyright: ignore[reportArgumentType]
