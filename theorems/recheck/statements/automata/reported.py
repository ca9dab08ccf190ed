"""What sentences about the tables and listings of grazzi25 demand of their counterexamples: the numbers that are printed, and no others."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from fractions import Fraction

from ...exact import natural, number, vector
from ...registry import instances, statement
from ...schema import Fields, Items, Natural, Rational, Vector
from ...typed import Data, Decided


@instances("grazzi25.sec5.1.mamba", "witness")
def with_brackets() -> Iterable[Data]:
    """Tables 3 and 5, Mamba, modular arithmetic with brackets."""
    yield {"best": [Fraction(123, 1000), Fraction(116, 1000)], "median": [Fraction(116, 1000), Fraction(98, 1000)]}


@statement(
    "grazzi25.sec5.1.mamba",
    "witness",
    Fields(best=Vector(2, 8), median=Vector(2, 8)),
    violates={"best": "the best of three runs is lower with [-1, 1]", "median": "the median is lower with [-1, 1]"},
)
def lower_with_the_wider_range(data: Data) -> Decided:
    """The second number is below the first, twice."""
    best, median = vector(data["best"]), vector(data["median"])
    return {"best": best[1] < best[0], "median": median[1] < median[0]}


@instances("grazzi25.sec5.3.average", "witness")
def rows_of_mamba() -> Iterable[Data]:
    """Table 4, Mamba with 370M parameters."""
    before, after = ("35.6", "70.6", "48.4", "51.2", "53.4", "24.8"), ("36.2", "70.5", "47.8", "53.3", "54.7", "26.7")
    yield {"before": [Fraction(x) for x in before], "after": [Fraction(x) for x in after]}


@statement(
    "grazzi25.sec5.3.average",
    "witness",
    Fields(before=Vector(6, 6), after=Vector(6, 6)),
    violates={"single": "one task alone gains 2.1", "averages": "no average of two or more tasks gains 2.05"},
)
def no_average_of_two(data: Data) -> Decided:
    """All choices of two or more of the six differences."""
    gains = [y - x for x, y in zip(vector(data["before"]), vector(data["after"]), strict=True)]
    chosen = [c for size in range(2, 7) for c in itertools.combinations(gains, size)]
    return {"single": Fraction(21, 10) in gains, "averages": all(sum(c) / len(c) < Fraction(41, 20) for c in chosen)}


@instances("grazzi25.appE1.rates", "witness")
def the_listed_rates() -> Iterable[Data]:
    yield {"rates": [Fraction(1, n) for n in (100, 1000, 2000, 10000)]}


@statement(
    "grazzi25.appE1.rates",
    "witness",
    Fields(rates=Vector(4, 8)),
    violates={"count": "there are not three of them"},
)
def not_three(data: Data) -> Decided:
    """Different rates, counted."""
    return {"count": len(set(vector(data["rates"]))) != 3}


@instances("grazzi25.appE2.tokens", "witness")
def three_labels() -> Iterable[Data]:
    yield {"missing": [4, 5, 6]}


@statement(
    "grazzi25.appE2.tokens",
    "witness",
    Fields(missing=Items(Natural(1, 12), 3, 3)),
    violates={"missing": "none of them is 1, 2 or 3, or i + 3 for an i > 3"},
)
def between_three_and_seven(data: Data) -> Decided:
    """Numbers beyond 3 that are 6 at most."""
    return {"missing": all(natural(j) > 3 and j - 3 <= 3 for j in data["missing"])}


@instances("grazzi25.appE4.listing", "witness")
def one_letter_from_zero() -> Iterable[Data]:
    yield {"before": 0, "decay": 0, "written": 1}


@statement(
    "grazzi25.appE4.listing",
    "witness",
    Fields(before=Rational(2), decay=Rational(2), written=Rational(2)),
    violates={"gradient": "the state before the letter is not the one after it, which the derivative by C is"},
)
def another_state(data: Data) -> Decided:
    """decay * before + written is not before."""
    before, decay, written = (number(data[name]) for name in ("before", "decay", "written"))
    return {"gradient": decay * before + written != before}
