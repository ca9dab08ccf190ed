"""What the claims of topic fixed_point on mixers of many equal factors demand of their certificates."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ...exact import apply, characteristic_polynomial, dot, inverse, minus, natural, number, one, require, vector
from ...exact import times as product
from ...polynomials import at, count_real_roots, plus, scaled, times
from ...registry import statement
from ...schema import Fields, Matrix, Natural, Rational, Vector
from ...typed import Certificates, Data
from .demands import diagonal, nonzero
from .states import reflection


def complex_times(z: tuple[Any, ...], w: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    return (z[0] * w[0] - z[1] * w[1], z[0] * w[1] + z[1] * w[0])


@statement("new.fixed-point.equal-reflections", "witness", Fields(alpha=Rational(4), z=Vector(2, 8), vectors=Matrix((2, 5), 2, 16)))
def attained(data: Data) -> None:
    """z is on the circle with the diameter [1 - 2 alpha, 1], not real, and the factors I - 2 alpha u u^T map (1, 0) to z, z^2, ..., z^r one after another."""
    alpha, z = number(data["alpha"]), tuple(vector(data["z"]))
    require(0 < alpha < Fraction(1, 2) and len(z) == 2 and z[1] != 0, "0 < alpha < 1/2")
    require((z[0] - (1 - alpha)) ** 2 + z[1] ** 2 == alpha**2, "on the circle")
    state = power = (Fraction(1), Fraction(0))
    for u in data["vectors"]:
        state, power = tuple(apply(reflection(vector(u), alpha), list(state))), complex_times(z, power)
        require(state == power, "the next power of z")
    require(len(data["vectors"]) >= 2, "two factors or more")


@statement("new.fixed-point.equal-reflections.thresholds", "witness", Fields(r=Natural(1, 8), below=Rational(24), above=Rational(24)))
def on_either_side(data: Data) -> None:
    """P(t) = 1 - |1 - z^r|^2, t = |z|^2 on the circle: no root for t between (1 - 2 alpha)^2 and 1 at alpha = ``below``, and one at ``above``."""
    r, below, above = natural(data["r"]), number(data["below"]), number(data["above"])
    require((10**9 * below).denominator == 1 and above == below + Fraction(1, 10**9), "neighbours among the multiples of 10^-9")
    require(0 < below < above <= Fraction(1, 2), "0 < alpha <= 1/2")
    counts = []
    for alpha in (below, above):
        x = [(1 - 2 * alpha) / (1 - alpha), 1 / (1 - alpha)]
        before, now = [Fraction(2)], x
        for _ in range(r - 1):
            before, now = now, plus(times(x, now), scaled(-1, times([0, 1], before)))
        p = plus(now, [0] * r + [Fraction(-1)])
        low = (1 - 2 * alpha) ** 2
        require(at(p, Fraction(1)) > 0 and (at(p, low) > 0 or low == 0), "positive at the ends")
        counts.append(count_real_roots(p, low, Fraction(1)) + (at(p, low) == 0))
    require(counts[0] == 0 < counts[1], "contraction at one end only")


@statement("new.fixed-point.equal-reflections.thresholds")
def up_to_eight(certificates: Certificates) -> None:
    require(sorted(d["r"] for _, d in certificates) == list(range(1, 9)), "r = 1, ..., 8")


@statement(
    "new.fixed-point.one-reflection",
    "witness",
    Fields(decay=Vector((2, 4), 4), gate=Vector((2, 4), 4), u=Vector((2, 4), 4), alpha=Rational(8), second=Vector((0, 2), 4)),
)
def sign_of_settling(data: Data) -> None:
    """A = (I - Delta F)^-1 Lambda of one factor: d different real eigenvalues, one of them negative iff t = 2 alpha u.Delta u/u.u > 1. With a second: none real."""
    decay, gate, u = vector(data["decay"]), vector(data["gate"]), nonzero(vector(data["u"]))
    d, alpha = len(u), number(data["alpha"])
    require(len(decay) == len(gate) == d and min(decay) > 0 and min(gate) > 0 and alpha > 0, "Lambda > 0, Delta > 0 and alpha > 0")
    q = reflection(u, alpha)
    if data["second"]:
        q = product(reflection(vector(data["second"]), alpha), q)
    system = minus(one(d), product(diagonal(gate), minus(one(d), q)))
    spectrum = characteristic_polynomial(product(inverse(system), diagonal(decay)))[::-1]
    if data["second"]:
        require(count_real_roots(spectrum) == 0, "a real eigenvalue")
        return
    t = 2 * alpha * dot(u, [g * x for g, x in zip(gate, u, strict=True)]) / dot(u, u)
    require(count_real_roots(spectrum) == d and count_real_roots(spectrum, None, Fraction(0)) == (t > 1), "the signs of the eigenvalues")
