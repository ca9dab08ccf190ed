"""Intervals with open and closed ends, rounded outwards: every value lies inside, and an open end is never attained."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from flint import arb, ctx, fmpq, fmpz

#: an end: a rational number, or plus or minus infinity
End = Fraction | float

#: ends longer than that are rounded outwards, to this many bits
BITS = 100


@dataclass(frozen=True)
class Interval:
    """The values between two ends, each of them attained perhaps ("closed") or never ("open"). An infinite end is open.

    >>> str(Interval(Fraction(0), Fraction(2), True, False))
    '[0, 2)'
    """

    low: End
    high: End
    low_closed: bool = True
    high_closed: bool = True

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            raise ValueError(f"expected a lower end and an upper one that is no smaller, got {self.low} and {self.high}")
        if (self.low == -inf and self.low_closed) or (self.high == inf and self.high_closed):
            raise ValueError("expected open ends at infinity, got closed ones")

    def __str__(self) -> str:
        left, right = "[" if self.low_closed else "(", "]" if self.high_closed else ")"
        return f"{left}{shown(self.low)}, {shown(self.high)}{right}"

    def __contains__(self, value: End) -> bool:
        """Whether a number may be attained."""
        above = value > self.low or (value == self.low and self.low_closed)
        return above and (value < self.high or (value == self.high and self.high_closed))

    @property
    def closure(self) -> Interval:
        """The interval with its finite ends."""
        return Interval(self.low, self.high, self.low > -inf, self.high < inf)

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low, self.high_closed, self.low_closed)

    def __add__(self, other: Interval) -> Interval:
        return _rounded(
            self.low + other.low, self.high + other.high, self.low_closed and other.low_closed, self.high_closed and other.high_closed
        )

    def __sub__(self, other: Interval) -> Interval:
        return self + -other

    def __mul__(self, other: Interval) -> Interval:
        corners = [
            (_times(a, b), (a_closed and b_closed) or (a == 0 and a_closed) or (b == 0 and b_closed))
            for a, a_closed in self._ends
            for b, b_closed in other._ends
        ]
        low, high = min(v for v, _ in corners), max(v for v, _ in corners)
        return _rounded(low, high, any(c for v, c in corners if v == low), any(c for v, c in corners if v == high))

    @property
    def _ends(self) -> tuple[tuple[End, bool], tuple[End, bool]]:
        return (self.low, self.low_closed), (self.high, self.high_closed)

    def inverse(self) -> Interval:
        """1/x. Everything, where 0 may be attained inside."""
        if self.low < 0 < self.high or (self.low == 0 and self.low_closed) or (self.high == 0 and self.high_closed):
            return EVERYTHING
        low = 1 / self.high if abs(self.high) < inf and self.high != 0 else (Fraction(0) if self.high != 0 else -inf)
        high = 1 / self.low if abs(self.low) < inf and self.low != 0 else (Fraction(0) if self.low != 0 else inf)
        return _rounded(low, high, self.high_closed and abs(self.high) < inf, self.low_closed and abs(self.low) < inf)

    def square(self) -> Interval:
        """x^2."""
        if self.low >= 0:
            return self * self
        if self.high <= 0:
            return -self * -self
        larger = max((-self.low, self.low_closed), (self.high, self.high_closed))
        return _rounded(Fraction(0), _times(larger[0], larger[0]), True, larger[1])

    def hull(self, other: Interval) -> Interval:
        """The least interval that holds both."""
        low, high = min(self.low, other.low), max(self.high, other.high)
        return Interval(
            low,
            high,
            any(i.low_closed for i in (self, other) if i.low == low),
            any(i.high_closed for i in (self, other) if i.high == high),
        )

    def clamp(self, least: End | None, most: End | None) -> Interval:
        """min(max(x, least), most)."""
        result = self
        if least is not None and result.low < least:
            result = Interval(least, max(result.high, least), least > -inf, result.high_closed if result.high > least else True)
        if most is not None and result.high > most:
            result = Interval(min(result.low, most), most, result.low_closed if result.low < most else True, most < inf)
        return result


def point(value: End | int) -> Interval:
    """One number.

    >>> str(point(2))
    '[2, 2]'
    """
    return Interval(Fraction(value), Fraction(value))


EVERYTHING = Interval(-inf, inf, False, False)


def increasing(ball: Callable[[arb], arb], x: Interval, at_minus_infinity: End, at_infinity: End) -> Interval:
    """The values of an increasing function, given on balls, with its limits, which it never attains.

    >>> str(increasing(lambda t: t.exp(), EVERYTHING, Fraction(0), inf))
    '(0, inf)'
    """
    low = at_minus_infinity if x.low == -inf else max(at_minus_infinity, enclosed(ball, x.low)[0])
    high = at_infinity if x.high == inf else min(at_infinity, enclosed(ball, x.high)[1])
    return Interval(low, high, x.low_closed and low != at_minus_infinity, x.high_closed and high != at_infinity)


def enclosed(ball: Callable[[arb], arb], x: End) -> tuple[Fraction, Fraction]:
    """Rational numbers below and above the value of a function at a rational number."""
    before, ctx.prec = ctx.prec, BITS
    try:
        value = ball(arb(fmpq(Fraction(x).numerator, Fraction(x).denominator)))
        if not value.is_finite():
            raise ValueError(f"expected a function that is finite at {shown(x)}, got {value}")
        return _fraction(value.lower()), _fraction(value.upper())
    finally:
        ctx.prec = before


def _fraction(x: arb) -> Fraction:
    mantissa, exponent = (int(fmpz(part)) for part in x.mid().man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent


def _times(a: End, b: End) -> End:
    """0 times infinity is 0, the limit that other corners do not show."""
    return Fraction(0) if 0 in (a, b) else a * b


def _rounded(low: End, high: End, low_closed: bool, high_closed: bool) -> Interval:
    """An interval whose long ends are rounded outwards."""
    return Interval(_short(low, -1), _short(high, 1), low_closed and low > -inf, high_closed and high < inf)


def _short(x: End, direction: int) -> End:
    if abs(x) == inf or Fraction(x).denominator.bit_length() <= 2 * BITS:
        return x
    scaled = Fraction(x) * 2**BITS
    return Fraction(scaled.__floor__() if direction < 0 else scaled.__ceil__(), 2**BITS)


def shown(x: End) -> str:
    """An end as people read it: six digits.

    >>> shown(Fraction(1, 3)), shown(Fraction(2)), shown(-inf)
    ('0.333333', '2', '-inf')
    """
    return str(x) if abs(x) == inf else f"{float(x):.6g}"
