"""The checker's intervals contain the value, whatever the argument (``make intervals`` tries 100,000 for each function)."""

import random
from fractions import Fraction

import pytest
from lemmata.theorems.recheck import Rejected, intervals
from lemmata.theorems.recheck.registry import DEMANDS

from .interval_points import DOMAINS, POINTS, REFERENCE, interval, misses, pi_fraction

BITS = intervals.BITS


@pytest.mark.parametrize("name", REFERENCE)
def test_each_function_contains_its_values(name):
    rng = random.Random(f"intervals of {name}")
    for _ in range(500):
        low, high = interval(name, rng)
        missed, found = misses(name, low, high, rng)
        assert missed == []
        if low == high:
            assert found[1] - found[0] <= Fraction(4, 2**BITS) * max(1, abs(found[0]))


def test_the_points_are_of_all_sorts():
    rng = random.Random(0)
    found = [interval("sin", rng) for _ in range(500)]
    pi = pi_fraction()
    assert {0 if low == high else 1 if high - low < 1 else 2 for low, high in found} == {0, 1, 2}
    assert min(low for low, _ in found) < -(10**50)
    assert max(high for _, high in found) > 10**50
    assert min(abs(low) for low, _ in found if low) < Fraction(1, 10**200)
    assert any(abs(low - round(low * 2 / pi) * pi / 2) < Fraction(1, 10**40) for low, _ in found if abs(low) > 1)
    assert len(POINTS) == 6


def test_exact_values():
    assert intervals.sqrt(intervals.exact(Fraction(9, 4)))[0] == Fraction(3, 2)
    for name, x, y in (("exp", 0, 1), ("log", 1, 0), ("tanh", 0, 0), ("sin", 0, 0), ("cos", 0, 1), ("normal_cdf", 0, Fraction(1, 2))):
        low, high = getattr(intervals, name)(intervals.exact(x))
        assert low <= y <= high
        assert high - low <= Fraction(4, 2**BITS)
    assert intervals.cos((Fraction(-10), Fraction(10))) == (-1, 1)


def test_pi():
    low, high = intervals.pi()
    assert low < pi_fraction() < high
    assert high - low <= Fraction(2, 2**BITS)


def test_huge_arguments():
    """10^1000 needs pi to 3,500 bits."""
    for name in ("sin", "cos"):
        missed, found = misses(name, Fraction(10**1000), Fraction(10**1000), random.Random(0))
        assert missed == []
        assert found[1] - found[0] <= Fraction(4, 2**BITS)


@pytest.mark.parametrize(
    ("name", "low", "high", "why"),
    [
        ("sqrt", -1, 4, "the root of a negative number"),
        ("log", 0, 1, "that may not be positive"),
        ("log", -1, 1, "that may not be positive"),
        ("exp", 10**9, 10**9, "exp of a number above"),
    ],
)
def test_outside_of_a_domain(name, low, high, why):
    assert name in DOMAINS
    with pytest.raises(Rejected, match=why):
        getattr(intervals, name)((intervals.exact(low)[0], intervals.exact(high)[0]))
    with pytest.raises(Rejected, match="an interval that contains 0"):
        intervals.divided(intervals.exact(1), (intervals.exact(-1)[0], intervals.exact(1)[0]))


def test_a_rounding_that_goes_inwards_is_noticed(monkeypatch):
    """Sabotage: both ends are rounded down."""
    monkeypatch.setattr(intervals, "outwards", lambda a, bits=intervals.INNER: tuple(intervals.dyadic(x >> bits - BITS) for x in a))
    for name in ("exp", "log", "sin"):
        rng = random.Random(name)
        assert any(misses(name, *interval(name, rng), rng)[0] for _ in range(100))


#: m -> lengths below and above; the second is less than sin(pi/m), by 10^-49 or so
FALSE_MARGINS = {
    11: ("280323/1000000", "704331392103574244278544788366542247589444747433/2500000000000000000000000000000000000000000000000"),
    28: ("27851/250000", "559822380516539292343529676360121016290982114837/5000000000000000000000000000000000000000000000000"),
}


@pytest.mark.parametrize("m", FALSE_MARGINS)
def test_a_margin_below_the_sine_is_refused(m):
    """Both were accepted when the slack did not follow from the roundings."""
    below, above = FALSE_MARGINS[m]
    demand = DEMANDS["new.householder.decoder-margin", "witness"]
    with pytest.raises(Rejected, match="the longer one breaks the comparison"):
        demand({"m": m, "below": below, "above": above})
    demand({"m": m, "below": below, "above": str(Fraction(above) + Fraction(1, 10**40))})
