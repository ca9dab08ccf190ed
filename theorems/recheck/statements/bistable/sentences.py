"""Demands of the findings on sentences and misprints of degeeter26, in exact rationals and rational intervals."""

from __future__ import annotations

from fractions import Fraction

from ...exact import number, require, vector
from ...intervals import exact, plus
from ...registry import refuted, statement
from ...schema import Either, Fields, Rational, Vector
from ...typed import Data, Decided
from .hysteresis import bracket, eq9, image


@statement(
    "degeeter26.sec3.fade",
    "witness",
    Fields(c=Rational(5), beta=Rational(4), x=Rational(4), states=Vector(2, 4)),
    hypotheses={"converges": "the step shrinks all distances, so every orbit converges", "differ": "the two states differ"},
    violates={"same": "both states end in the one fixed point, 0"},
)
def sec3_fade(data: Data) -> Decided:
    """A contraction with the fixed point 0, and two states: f' lies between 1 - c and 1 + c beta."""
    c, beta, x = (number(data[k]) for k in ("c", "beta", "x"))
    first, second = vector(data["states"])
    require(0 < c <= 1 and x == 0, "0 < c <= 1 and the input 0, so that 0 is fixed")
    contracts = max(abs(1 - c), abs(1 + c * beta)) < 1
    return {"converges": contracts, "differ": first != second, "same": contracts}


@statement(
    "degeeter26.sec3.any-dynamics",
    "witness",
    Fields(beta=Rational(4), cycle=Vector(2, 8)),
    hypotheses={"cycle": "r and -r form a cycle: -f(r) = r somewhere in the interval", "attracts": "|f'| < 1 on the interval"},
    violates={"only": "F increases, so 0 is its only zero", "repels": "f'(0) < -1"},
)
def sec3_any_dynamics(data: Data) -> Decided:
    """c = 1 and x = 0: tanh((beta + 1) h) has the fixed point 0 alone, which repels, and a 2-cycle that attracts."""
    beta, (low, high) = number(data["beta"]), bracket(data["cycle"])
    require(low > 0, "a cycle of states other than 0")
    ends = [plus(image(exact(r), exact(0), exact(beta)), exact(r)) for r in (low, high)]
    # on the cycle tanh(...) = -r, so f' = (beta + 1)(1 - r^2)
    steepest = abs((beta + 1) * (1 - low * low))
    return {"cycle": ends[0][1] < 0 < ends[1][0], "attracts": steepest < 1, "only": beta + 1 <= 0, "repels": beta + 1 < -1}


@statement(
    "degeeter26.eq13.zero",
    "witness",
    Either(Fields(sharpness=Rational(4)), Fields(sharpness=Rational(4), ends=Vector(2, 4))),
    violates={"denominator": "pi alpha_surr, by which Eq. 13 divides, is 0", "height": "the function does not run from 0 to 1"},
)
def eq13_zero(data: Data) -> Decided:
    """Eq. 13 divides by pi a, and runs from 1/2 - 1/(2a) to 1/2 + 1/(2a)."""
    a = number(data["sharpness"])
    if "ends" not in data:
        return {"denominator": a == 0}
    ends = vector(data["ends"])
    require(a > 0 and ends == [Fraction(1, 2) - 1 / (2 * a), Fraction(1, 2) + 1 / (2 * a)], "the limits of Eq. 13")
    return {"height": ends != [0, 1]}


@statement(
    "degeeter26.appB.thm3.range",
    "witness",
    Fields(alpha=Rational(4), beta=Rational(4), start=Rational(4), inputs=Vector(1, 4)),
    hypotheses={"written": "the input writes another state than h_0"},
    violates={"missing": "the state after the last input is none of those that Eq. 16c defines"},
)
def appB_thm3_range(data: Data) -> Decided:
    """Eq. 16c for 0 < t < T has h_0 to h_(T-1); Eq. 11 has a state after each of T inputs."""
    alpha, beta, h = (number(data[k]) for k in ("alpha", "beta", "start"))
    inputs = vector(data["inputs"])
    states = [h]
    for x in inputs:
        states.append(eq9(states[-1], x, beta, alpha))
    defined = states[: len(inputs)]
    return {"written": states[-1] != h, "missing": states[-1] not in defined}


@refuted(
    "degeeter26.sec2.linear.index",
    {"moves": "the first tick moves the state"},
    {"behind": "the second tick as printed is not A^2 h[0]"},
    A=2,
    start=1,
)
def a_tick_behind(A: Fraction, start: Fraction) -> Decided:
    """From h[0] a tick leads to A h[0], and a second one to A^2 h[0]; as printed it leads to A h[0] again."""
    return {"moves": A * start != start, "behind": A * start != A * A * start}


@refuted(
    "degeeter26.eq9.greater",
    {"equal": "|x| is the threshold, not more"},
    {"updated": "Eq. 9 updates the state"},
    alpha="1",
    beta="1",
    x="1",
    start=Rational(4),
)
def updated_at_the_threshold(alpha: Fraction, beta: Fraction, x: Fraction, start: Fraction) -> Decided:
    """Eq. 9 at |x| = beta."""
    return {"equal": abs(x) == beta, "updated": eq9(start, x, beta, alpha) != start}
