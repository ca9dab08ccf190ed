"""Demands of the claims on gradients through the unit, in exact rationals."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

from ...exact import natural, number, require, vector
from ...registry import statement
from ...schema import Fields, Natural, Rational, Vector
from ...typed import Certificates, Data, Decided
from .hysteresis import sign
from .unit import numbers

# -- gradients ------------------------------------------------------------------------------------------------------------------------


def slope(v: Fraction) -> Fraction:
    """Eq. 12 at alpha_surr = 1 / pi."""
    return 1 / (1 + v * v)


def backward(candidates: Sequence[Fraction], thresholds: Sequence[Fraction], start: Fraction, alpha: Fraction) -> tuple[Fraction, Fraction]:
    """(d h_T / d h-hat_1, d h_T / d beta_1), from the last step back to the first."""
    passed = Fraction(1)
    for x, beta in zip(candidates[:0:-1], thresholds[:0:-1], strict=True):
        passed *= 1 - int(abs(x) >= beta)
    x, beta = candidates[0], thresholds[0]
    z, s = int(abs(x) >= beta), sign(x)
    by_gate, by_sign = s * alpha - start, z * alpha
    return passed * (by_gate * slope(abs(x) - beta) * s + by_sign * 2 * slope(x)), -passed * by_gate * slope(abs(x) - beta)


def read_sequence(data: Data) -> tuple[list[Fraction], list[Fraction], Fraction, Fraction]:
    """(candidates, thresholds, h_0, alpha), where nothing is written after the first step."""
    xs, betas = vector(data["candidates"]), vector(data["thresholds"])
    start, alpha = numbers(data, "h_0", "alpha")
    require(len(xs) == len(betas) > 2 and alpha != 0 and abs(start) == abs(alpha), "several steps, h_0 = +-alpha, alpha not 0")
    require(all(abs(x) < beta for x, beta in zip(xs[1:], betas[1:], strict=True)), "nothing is written after the first step")
    require(betas[0] >= 0, "thresholds are not negative")
    return xs, betas, start, alpha


@statement(
    "degeeter26.fig7",
    "witness",
    Fields(alpha=Rational(4), h_0=Rational(4), candidates=Vector(10, 4), thresholds=Vector(10, 4), gradient=Vector(2, 8)),
)
def fig7(data: Data) -> None:
    """The gradient is the listed one for every T, not 0, and 0 after a later write."""
    xs, betas, start, alpha = read_sequence(data)
    gradient = tuple(vector(data["gradient"]))
    require(any(gradient), "a gradient that is not 0")
    require(all(backward(xs[:T], betas[:T], start, alpha) == gradient for T in range(1, len(xs) + 1)), "the same for every T")
    require(backward([*xs, betas[-1] + 1], [*betas, betas[-1]], start, alpha) == (0, 0), "0 after a later write")


@statement(
    "degeeter26.fig7.nonzero",
    "witness",
    Fields(alpha=Rational(4), h_0=Rational(4), candidates=Vector(3, 4), thresholds=Vector(3, 4)),
    hypotheses={"writes": "the first step writes", "keep": "the others keep", "start": "h_0 = +-alpha"},
    violates={"gradient": "d h_3 / d beta_1 = 0 exactly"},
)
def fig7_nonzero(data: Data) -> Decided:
    """The first step alone writes, and the gradient in its threshold is 0: whatever the slope, as S alpha = h_0."""
    xs, betas, start, alpha = read_sequence(data)
    require(sign(xs[0]) * alpha == start, "what is written is there already")
    return {
        "writes": abs(xs[0]) >= betas[0],
        "keep": all(abs(x) < b for x, b in zip(xs[1:], betas[1:], strict=True)),
        "start": abs(start) == abs(alpha),
        "gradient": backward(xs, betas, start, alpha)[1] == 0,
    }


@statement(
    "degeeter26.fig7.nonzero.amended",
    "witness",
    Fields(alpha=Rational(4), h_0=Rational(4), candidates=Vector(3, 4), thresholds=Vector(3, 4)),
)
def fig7_nonzero_amended(data: Data) -> None:
    """The first step alone writes: the candidate's gradient is not 0, the threshold's is 0 iff the write changes nothing."""
    xs, betas, start, alpha = read_sequence(data)
    require(abs(xs[0]) >= betas[0], "the first step writes")
    by_candidate, by_threshold = backward(xs, betas, start, alpha)
    require(by_candidate != 0 and (by_threshold == 0) == (sign(xs[0]) * alpha == start), "as stated")


@statement("degeeter26.fig7.nonzero.amended")
def fig7_both_cases(certificates: Certificates) -> None:
    """Writes that change something and writes that do not both occur."""
    cases = {sign(number(d["candidates"][0])) * number(d["alpha"]) == number(d["h_0"]) for _, d in certificates}
    require(cases == {True, False}, "both cases")


@statement(
    "new.bistable.stack-gradient.depth",
    "witness",
    Fields(layers=Natural(2, 4), T=Natural(3, 49), w=Rational(4), first=Rational(4), second=Rational(4), start=Vector((2, 4), 4)),
)
def stack_gradient_depth(data: Data) -> None:
    """Forward through L layers that keep after the first step (alpha = 1, thresholds 1, equal weights): the derivatives are binomial coefficients times the first, not 0."""
    layers, T, (w, first, second) = natural(data["layers"]), natural(data["T"]), numbers(data, "w", "first", "second")
    start = vector(data["start"])
    require(
        2 <= layers < 10 and 2 < T < 50 and len(start) == layers and all(abs(h) == 1 for h in start), "several layers and steps, states +-1"
    )
    require(w != 0 and abs(first) >= 1 and abs(second) < 1, "layer 1 writes once, the others keep")
    s = sign(first)
    row = [slope(abs(first) - 1) * s * (s - start[0]) + 2 * slope(first)] * T
    scale = row[0]
    for h in start[1:]:
        gamma = slope(abs(second) - 1) * sign(second) * (sign(second) - h) * w
        row, scale = [gamma * v for v in itertools.accumulate(row)], scale * gamma
    require(scale != 0, "not 0")
    require(row == [math.comb(t + layers - 2, layers - 1) * scale for t in range(1, T + 1)], "binomial coefficients")
