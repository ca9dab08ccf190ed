"""What the claims of topic universality demand of their certificates: theorems that are quoted, and controlled differential equations."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from math import isqrt
from typing import Any

from ...exact import apply, dot, inverse, natural, number, require, vector
from ...registry import instances, refuted, statement
from ...schema import Fields, Items, Natural, Rational, Vector
from ...typed import Data, Decided
from .demands import ascending, piecewise_linear

# -- what is quoted ----------------------------------------------------------------------------------------------------------------


def integral(knots: Sequence[Fraction], values: Sequence[Fraction], low: Fraction, high: Fraction) -> Any:
    """The integral over [low, high] of the piecewise linear function, 0 outside its knots, where it is 0 too."""
    require(len(knots) == len(values) and ascending(knots) and values[0] == values[-1] == 0, "a continuous function, 0 at the ends")
    places = [low, *(x for x in knots if low < x < high), high]
    return sum(
        (b - a) * (piecewise_linear(knots, values, a) + piecewise_linear(knots, values, b)) / 2 for a, b in itertools.pairwise(places)
    )


@statement(
    "orvieto24.thm6.homogeneous",
    "witness",
    Fields(knots=Items(Natural(-1, 1), 3, 3), values=Items(Natural(0, 1), 3, 3), t=Rational(4), tau=Rational(4)),
    hypotheses={"shift": "H_t(u^tau) = H_(t-tau)(u), as for every convolution"},
    violates={"differ": "H_t(u^tau) is not H_(t+tau)(u)"},
)
def delay_of_an_average(data: Data) -> Decided:
    """H_t(u^tau) = H_(t + tau)(u) for convolutions; refuted by the integral over [t - 1, t]: delaying the input delays the output."""
    knots, values, t, tau = vector(data["knots"]), vector(data["values"]), number(data["t"]), number(data["tau"])
    delayed = integral([x + tau for x in knots], values, t - 1, t)
    return {
        "shift": delayed == integral(knots, values, t - tau - 1, t - tau),
        "differ": delayed != integral(knots, values, t + tau - 1, t + tau),
    }


@statement(
    "orvieto24.thm7.class",
    "witness",
    Fields(knots=Vector(3, 4), values=Vector(3, 4), t=Rational(4), eps=Rational(4)),
    hypotheses={"small": "|u| < 1"},
    violates={"far": "|H_0(u) - 0| > eps"},
)
def before_time_zero(data: Data) -> Decided:
    """Functionals with integrals from 0 to t approximate the integral over [t - 1, t]; refuted at t = 0, where they are 0 and it exceeds eps."""
    knots, values, t, eps = vector(data["knots"]), vector(data["values"]), number(data["t"]), number(data["eps"])
    require(t == 0 and eps > 0, "t = 0")
    return {"small": all(abs(x) < 1 for x in values), "far": abs(integral(knots, values, t - 1, t)) > eps}


@statement("new.universality.hippo", "witness", Fields(N=Items(Natural(2, 13), 5, 5), error=Vector(5, 12)))
def best_polynomials(data: Data) -> None:
    """The mean square over [-1, 1] of |x| minus its best polynomial of degree below N is what is given, positive and at most (2/3) / (N (N + 1))."""
    require(len(data["N"]) == len(data["error"]) >= 3, "an error for each N")
    for N, error in zip(map(natural, data["N"]), vector(data["error"]), strict=True):
        require(1 <= N <= 30, "a moderate number of coefficients")
        powers = range(0, N, 2)
        gram = [[Fraction(1, i + j + 1) for j in powers] for i in powers]
        moments = [Fraction(1, i + 2) for i in powers]
        left = Fraction(1, 3) - dot(moments, apply(inverse(gram), moments))
        require(left == error and 0 < error <= Fraction(2, 3) / (N * (N + 1)), f"another error, or one above the bound, for N = {N}")


@statement("orvieto24.appE3.lorenz", "witness", Fields(sigma=Rational(4), r=Rational(4), b=Rational(4)))
def no_stable_equilibrium(data: Data) -> None:
    """sigma = 10, r = 26, b = 8/3: Routh and Hurwitz fail at both equilibria off the origin, and the origin has an unstable direction."""
    sigma, r, b = number(data["sigma"]), number(data["r"]), number(data["b"])
    require((sigma, r, b) == (10, 26, Fraction(8, 3)), "the parameters of the paper")
    coefficients = sigma + b + 1, b * (r + sigma), 2 * sigma * b * (r - 1)
    require(min(coefficients) > 0 and coefficients[0] * coefficients[1] < coefficients[2], "Routh and Hurwitz hold")
    require(sigma * (1 - r) < 0, "the origin is stable")


def protein(z: Sequence[Fraction], v: Fraction, rates: Sequence[Fraction]) -> list[Fraction]:
    """z' of protein transduction (App. E.3)."""
    k1, k2, k3, k4, V, K = rates
    binding, back = k2 * z[0] * z[2], V * z[4] / (K + z[4])
    return [
        -k1 * z[0] - binding + k3 * z[3] + v,
        k1 * z[0],
        -binding + k3 * z[3] + back,
        binding - (k3 + k4) * z[3],
        k4 * z[3] - back,
    ]


@statement("orvieto24.appE3.causal", "witness", Fields(dt=Rational(8), first=Rational(4), second=Vector(3, 4)))
def held_tokens(data: Data) -> None:
    """One classical Runge-Kutta step for each token, held: the second output differs for different second tokens, the first reads the first token only."""
    dt, first, second = number(data["dt"]), number(data["first"]), vector(data["second"])
    require(dt > 0 and len(set(second)) == len(second) >= 2, "two different tokens at least")
    rates = [number(x) for x in ("7/100", "3/5", "1/20", "3/10", "17/1000", "3/10")]

    def step(z: Sequence[Fraction], v: Fraction) -> list[Fraction]:
        along = lambda k, share: [a + dt * share * b for a, b in zip(z, k, strict=True)]  # noqa: E731
        k1 = protein(z, v, rates)
        k2 = protein(along(k1, Fraction(1, 2)), v, rates)
        k3 = protein(along(k2, Fraction(1, 2)), v, rates)
        k4 = protein(along(k3, Fraction(1)), v, rates)
        return [a + dt * (p + 2 * q + 2 * r + s) / 6 for a, p, q, r, s in zip(z, k1, k2, k3, k4, strict=True)]

    state = step([Fraction(x) for x in (1, 0, 1, 0, 0)], first)
    outputs = [step(state, v)[0] for v in second]
    require(len(set(outputs)) == len(outputs), "two tokens give one output")


# -- misprints ----------------------------------------------------------------------------------------------------------------------


def printed(claim: str, **data: Any) -> None:
    """The certificate of this claim holds the counterexample that the ledger prints."""
    instances(claim, "witness")(lambda: [data])


@statement(
    "orvieto24.prop2.four",
    "witness",
    Fields(r=Natural(1, 1), C=Natural(1, 1), S=Natural(1, 1), eps=Natural(1, 1)),
    hypotheses={"remark": "Theorem 1 with Remark 1 gives 2"},
    violates={"differ": "the width after Proposition 2 is another"},
)
def two_against_four(data: Data) -> Decided:
    """2 r^2 C^2 S^3 / eps^2 of Remark 1 against 4 r^2 C^2 S^3 / eps^2."""
    r, c, s, eps = (natural(data[name]) for name in ("r", "C", "S", "eps"))
    size = Fraction(r * r * c * c * s**3, eps * eps)
    return {"remark": 2 * size == 2, "differ": 2 * size != 4 * size}


@statement(
    "orvieto24.appB2.output",
    "witness",
    Fields(B=Natural(1, 1), u=Natural(1, 1), C=Natural(2, 2), t=Natural(1, 1)),
    hypotheses={"time": "t > 0"},
    violates={"differ": "x(t) is not the integral"},
)
def state_against_integral(data: Data) -> Decided:
    """x' = B u from 0 is B u t; the integral of C B u over [0, t] is C B u t."""
    b, u, c, t = (natural(data[name]) for name in ("B", "u", "C", "t"))
    return {"time": t > 0, "differ": b * u * t != c * b * u * t}


@statement(
    "orvieto24.fig13.caption",
    "witness",
    Fields(z=Vector(2, 4), a=Rational(4), b=Rational(4), c=Rational(4), d=Rational(4)),
    hypotheses={"lorenz": "the Lorenz system has three state equations"},
    violates={"two": "the Lotka-Volterra system has two", "conserved": "without input it conserves d z_1 - c ln z_1 + b z_2 - a ln z_2"},
)
def conserved_by_predator_and_prey(data: Data) -> Decided:
    """Along z_1' = z_1 (a - b z_2), z_2' = -z_2 (c - d z_1) the rate of the conserved quantity is 0."""
    (x, y), (a, b, c, d) = vector(data["z"]), (number(data[name]) for name in "abcd")
    slopes = [x * (a - b * y), -y * (c - d * x)]
    # sigma = 10, r = 26, b = 8/3, at (x, y, 0)
    lorenz = [10 * (y - x), 26 * x - y, x * y]
    return {"lorenz": len(lorenz) == 3, "two": len(slopes) == 2, "conserved": dot([d - c / x, b - a / y], slopes) == 0}


@statement(
    "orvieto24.thm4.arguments",
    "witness",
    Fields(values=Items(Natural(0, 1), 2, 2), k=Natural(1, 2), t=Natural(1, 2)),
    hypotheses={"right": "the interpolation at k is f(x, k)"},
    violates={"differ": "it is not f(x, t)"},
)
def interpolated_at_an_index(data: Data) -> Decided:
    """sum_j f_j h(k - j) for the hat h."""
    values, k, t = vector(data["values"]), natural(data["k"]), natural(data["t"])
    at = sum((v * max(0, 1 - abs(k - j)) for j, v in enumerate(values, start=1)), Fraction(0))
    return {"right": at == values[k - 1], "differ": at != values[t - 1]}


printed("orvieto24.prop2.four", r=1, C=1, S=1, eps=1)
printed("orvieto24.appB2.output", B=1, u=1, C=2, t=1)
printed("orvieto24.fig13.caption", z=[2, 3], a=1, b=Fraction(3, 5), c=1, d=Fraction(7, 10))
printed("orvieto24.thm4.arguments", values=[0, 1], k=1, t=2)


@refuted(
    "orvieto24.thm8.exponential",
    {"delta": "0 < delta < 1, for delta = 1/2"},
    {"slower": "exp(-2 sqrt nu), a lower bound of Theorem 8, is more than the factor times exp(-nu)"},
    nu=16,
    factor=1000,
)
def above_an_exponential(nu: int, factor: int) -> Decided:
    """e > 27/10, and the square root of nu is an integer."""
    root, delta = isqrt(nu), Fraction(1, 2)
    return {"delta": 0 < delta < 1, "slower": root * root == nu and Fraction(27, 10) ** max(0, nu - 2 * root) > factor}


@refuted(
    "orvieto24.sec3.1.3.squares",
    {"orthonormal": "sqrt 3 (2 x - 1) and sqrt 5 (6 x^2 - 6 x + 1) are orthonormal on [0, 1]"},
    {"squared": "the squared error is not the sum of the coefficients", "plain": "nor is the error"},
    coefficients=Vector(2, 4),
)
def squares_are_added(coefficients: Sequence[Fraction]) -> Decided:
    """The squared error of the constant 0 is the integral of the square of c_1 p_1 + c_2 p_2."""

    def inner(p: Sequence[int], q: Sequence[int]) -> Fraction:
        return sum((Fraction(a * b, i + j + 1) for i, a in enumerate(p) for j, b in enumerate(q)), Fraction(0))

    one, two = (-1, 2), (1, -6, 6)
    (c, d), total = coefficients, sum(coefficients)
    squared = 3 * c * c * inner(one, one) + 5 * d * d * inner(two, two)
    return {
        "orthonormal": 3 * inner(one, one) == 5 * inner(two, two) == 1 and inner(one, two) == 0,
        "squared": squared != total,
        "plain": squared != total * total,
    }
