"""What displays and sentences of the paper say, refuted by small numbers: topic fixed_point."""

from __future__ import annotations

from fractions import Fraction

from ...exact import dot, natural, number, vector
from ...registry import statement
from ...schema import Fields, Items, Natural, Rational
from ...typed import Data, Decided
from .instances import HALF, printed


@statement(
    "movahedi25.appF1.cauchy",
    "witness",
    Fields(decay=Rational(4), differences=Items(Natural(-1, 1), 2, 2)),
    hypotheses={"decay": "|Lambda| < 1"},
    violates={"longer": "the left side exceeds the right side"},
)
def powers_that_cancel(data: Data) -> Decided:
    """|sum Lambda^(t - tau) u_tau| <= |sum Lambda^(t - tau)| |u| for one channel; refuted where the left side is larger."""
    decay, u = number(data["decay"]), vector(data["differences"])
    powers = [decay ** (len(u) - 1 - k) for k in range(len(u))]
    return {"decay": abs(decay) < 1, "longer": dot(powers, u) ** 2 > sum(powers) ** 2 * dot(u, u)}


@statement(
    "movahedi25.appF1.inverse",
    "witness",
    Fields(decay=Rational(4), t=Natural(0, 0)),
    hypotheses={"decay": "0 < Lambda < 1"},
    violates={"larger": "the sum exceeds I - Lambda"},
)
def sum_against_one_minus_decay(data: Data) -> Decided:
    """sum_(k <= t) Lambda^k <= 1 - Lambda; refuted by a decay in (0, 1)."""
    decay, t = number(data["decay"]), natural(data["t"])
    return {"decay": 0 < decay < 1, "larger": sum((decay**k for k in range(t + 1)), Fraction(0)) > 1 - decay}


@statement(
    "movahedi25.sec2.1.start",
    "witness",
    Fields(Q=Natural(1, 1), B=Natural(1, 1), x=Natural(1, 1)),
    violates={"zero": "the first pass is not 0"},
)
def first_pass(data: Data) -> Decided:
    """Eq. 4 from 0 gives Q B x at the first token; refuted if that is not 0."""
    return {"zero": natural(data["Q"]) * natural(data["B"]) * natural(data["x"]) != 0}


printed("movahedi25.appF1.cauchy", decay=-HALF, differences=[1, -1])
printed("movahedi25.appF1.inverse", decay=HALF, t=0)
printed("movahedi25.sec2.1.start", Q=1, B=1, x=1)
