"""Fractions that declare their work: each operation charges the meter for the digits of its operands before it begins."""

# pyright: reportIncompatibleMethodOverride=false
# a Number makes Numbers, also of integers: the stubs of Fraction say so by overloads

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import Any

from .limits import charge

#: what an operation on small fractions costs, in elementary operations
SMALL = 1500

RATIONAL = (int, Fraction)


class Number(Fraction):
    """A fraction in lowest terms whose arithmetic is metered; what it makes with integers and other fractions is metered again."""

    __slots__ = ()

    def __add__(self, other: Any) -> Number:
        if not isinstance(other, RATIONAL):
            return NotImplemented
        return _sum(self._numerator, self._denominator, other.numerator, other.denominator)

    def __radd__(self, other: Any) -> Number:
        return self.__add__(other)

    def __sub__(self, other: Any) -> Number:
        if not isinstance(other, RATIONAL):
            return NotImplemented
        return _sum(self._numerator, self._denominator, -other.numerator, other.denominator)

    def __rsub__(self, other: Any) -> Number:
        if not isinstance(other, RATIONAL):
            return NotImplemented
        return _sum(-self._numerator, self._denominator, other.numerator, other.denominator)

    def __mul__(self, other: Any) -> Number:
        if not isinstance(other, RATIONAL):
            return NotImplemented
        return _product(self._numerator, self._denominator, other.numerator, other.denominator)

    def __rmul__(self, other: Any) -> Number:
        return self.__mul__(other)

    def __truediv__(self, other: Any) -> Number:
        if not isinstance(other, RATIONAL):
            return NotImplemented
        return _quotient(self._numerator, self._denominator, other.numerator, other.denominator)

    def __rtruediv__(self, other: Any) -> Number:
        if not isinstance(other, RATIONAL):
            return NotImplemented
        return _quotient(other.numerator, other.denominator, self._numerator, self._denominator)

    def __pow__(self, exponent: int) -> Number:
        if not isinstance(exponent, int):
            return NotImplemented
        base, k = (self, exponent) if exponent >= 0 else (1 / self, -exponent)
        pay(base._numerator.bit_length() * k + base._denominator.bit_length() * k)
        return made(base._numerator**k, base._denominator**k)

    def __neg__(self) -> Number:
        return made(-self._numerator, self._denominator)

    def __pos__(self) -> Number:
        return self

    def __abs__(self) -> Number:
        return made(abs(self._numerator), self._denominator)

    def __lt__(self, other: Any) -> bool:
        return _difference(self, other) < 0 if isinstance(other, RATIONAL) else NotImplemented

    def __le__(self, other: Any) -> bool:
        return _difference(self, other) <= 0 if isinstance(other, RATIONAL) else NotImplemented

    def __gt__(self, other: Any) -> bool:
        return _difference(self, other) > 0 if isinstance(other, RATIONAL) else NotImplemented

    def __ge__(self, other: Any) -> bool:
        return _difference(self, other) >= 0 if isinstance(other, RATIONAL) else NotImplemented

    __eq__ = Fraction.__eq__

    __hash__ = Fraction.__hash__


def made(numerator: int, denominator: int) -> Number:
    """The number, from terms without a common factor, the denominator positive."""
    out = object.__new__(Number)
    out._numerator, out._denominator = numerator, denominator
    return out


def as_number(x: Fraction | int) -> Number:
    """An integer or a fraction as a number whose arithmetic is metered."""
    return x if type(x) is Number else made(int(x.numerator), int(x.denominator))


def ratio(numerator: int, denominator: int) -> Number:
    """The number numerator / denominator of integers, the denominator positive."""
    pay(numerator.bit_length() + denominator.bit_length())
    common = gcd(numerator, denominator)
    return made(numerator // common, denominator // common)


def pay(bits: int) -> None:
    """Charge for sums, products and common factors of integers of so many bits together."""
    digits = bits // 30
    charge(SMALL + digits * (30 + digits))


def _difference(x: Fraction, y: Fraction | int) -> int:
    """The sign of x - y."""
    a, b, c, d = x._numerator, x._denominator, y.numerator, y.denominator
    pay(a.bit_length() + b.bit_length() + c.bit_length() + d.bit_length())
    return a * d - c * b


def _sum(a: int, b: int, c: int, d: int) -> Number:
    """a / b + c / d (Knuth, The Art of Computer Programming 2, 4.5.1)."""
    pay(a.bit_length() + b.bit_length() + c.bit_length() + d.bit_length())
    common = gcd(b, d)
    if common == 1:
        return made(a * d + b * c, b * d)
    b //= common
    above = a * (d // common) + c * b
    rest = gcd(above, common)
    return made(above // rest, b * (d // rest))


def _product(a: int, b: int, c: int, d: int) -> Number:
    """(a / b) (c / d)."""
    pay(a.bit_length() + b.bit_length() + c.bit_length() + d.bit_length())
    left, right = gcd(a, d), gcd(c, b)
    return made((a // left) * (c // right), (b // right) * (d // left))


def _quotient(a: int, b: int, c: int, d: int) -> Number:
    """(a / b) / (c / d)."""
    if c == 0:
        raise ZeroDivisionError("division by 0")
    return _product(a, b, d, c) if c > 0 else _product(a, b, -d, -c)
