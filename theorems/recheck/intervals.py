"""Rational intervals (low, high) with the elementary functions, enough to decide strict inequalities about e, pi, log and tanh.

Every interval that is computed contains the true value, because each rounding goes outwards: an elementary function is a finite sum in *ticks*,
intervals of integers in units of 2^-``INNER``, and what is left of its series is bounded by the last term. The ends of results are multiples of
2^-``BITS``. So widths are absolute: of a result much below 2^-``BITS`` in modulus nothing but its smallness is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import isqrt
from typing import Any

from .limits import charge, require
from .rationals import as_number, made

#: the ends of results are multiples of 2^-BITS
BITS = 160

#: the units of series: what thousands of terms lose stays below 2^-BITS
INNER = 224

#: exp beyond is refused, and below -this it is smaller than 2^-BITS
LARGEST_EXPONENT = 10_000


def dyadic(n: int) -> Fraction:
    """n 2^-BITS."""
    zeros = min((n & -n).bit_length() - 1, BITS) if n else BITS
    return made(n >> zeros, 1 << BITS - zeros)


def rounded(low: Any, high: Any) -> tuple[Fraction, Fraction]:
    """An interval with dyadic ends that contains [low, high]."""
    return dyadic((low.numerator << BITS) // low.denominator), dyadic(-((-high.numerator << BITS) // high.denominator))


def exact(x: Fraction | int) -> tuple[Fraction, Fraction]:
    return as_number(x), as_number(x)


def plus(a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    return rounded(a[0] + b[0], a[1] + b[1])


def negated(a: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    return -a[1], -a[0]


def minus(a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    return plus(a, negated(b))


def times(a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    products = [x * y for x in a for y in b]
    return rounded(min(products), max(products))


def divided(a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    require(b[0] > 0 or b[1] < 0, "division by an interval that contains 0")
    quotients = [x / y for x in a for y in b]
    return rounded(min(quotients), max(quotients))


def sqrt(a: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    require(a[0] >= 0, "the root of a negative number")
    return root(a[0], 0), root(a[1], 1)


def root(x: Fraction, up: int) -> Fraction:
    """A dyadic number at most (or, with ``up`` 1, at least) the square root of x."""
    scaled = (x.numerator << 2 * BITS) // x.denominator
    pay(scaled.bit_length())
    return dyadic(isqrt(scaled) + up)


# -- ticks: intervals of integers, in units of 2^-bits ---------------------------------------------------------------------


def pay(bits: int) -> None:
    """One step of a series in integers of so many bits."""
    digits = bits // 30 + 1
    charge(1500 + 4 * digits * digits)


def ticks(x: Fraction, bits: int = INNER) -> tuple[int, int]:
    """A fraction."""
    above = x.numerator << bits
    pay(above.bit_length())
    return above // x.denominator, -(-above // x.denominator)


def shifted(a: tuple[int, int], count: int) -> tuple[int, int]:
    """a 2^-count, rounded outwards; exactly a 2^|count| if count is negative."""
    return (a[0] >> count, -(-a[1] >> count)) if count >= 0 else (a[0] << -count, a[1] << -count)


def product(a: tuple[int, int], b: tuple[int, int], bits: int = INNER) -> tuple[int, int]:
    pay(bits)
    products = [x * y for x in a for y in b]
    return shifted((min(products), max(products)), bits)


def shortened(a: tuple[int, int], d: int) -> tuple[int, int]:
    """a / d for an integer d > 0."""
    return a[0] // d, -(-a[1] // d)


def largest(a: tuple[int, int]) -> int:
    return max(-a[0], a[1])


def outwards(a: tuple[int, int], bits: int = INNER) -> tuple[Fraction, Fraction]:
    """Ticks as an interval."""
    low, high = shifted(a, bits - BITS)
    return dyadic(low), dyadic(high)


def series(term: tuple[int, int], factor: tuple[int, int], divisors: Iterable[Any]) -> tuple[int, int]:
    """t + t f / d_1 + t f^2 / (d_1 d_2) + ... for divisors that grow.

    Once |f| <= d / 2 a term is at most half the one before it, so that what is left is at most twice its first term.
    """
    low = high = 0
    for d in divisors:
        low, high = low + term[0], high + term[1]
        term = shortened(product(term, factor), d)
        rest = largest(term)
        if rest <= 1 and 2 * largest(factor) <= d << INNER:
            return low - 2 * rest, high + 2 * rest
    raise AssertionError("the divisors have no end")


def counted(first: int, step: int) -> Iterator[int]:
    """first, first + step, ... without end."""
    while True:
        yield first
        first += step


def consecutive(n: int) -> Iterator[int]:
    """n (n + 1), (n + 2) (n + 3), ..."""
    while True:
        yield n * (n + 1)
        n += 2


ONE = (1 << INNER, 1 << INNER)


def inverse_powers(q: int, sign: int, bits: int) -> tuple[int, int]:
    """1/q + s / (3 q^3) + 1 / (5 q^5) + s / (7 q^7) + ... with s = ``sign``, in ticks: artanh(1/q), or arctan(1/q) for the sign -1.

    A quotient of quotients rounded down is the quotient rounded down, so each term is too small by less than one unit. When a power is below one unit,
    all that is left is below two.
    """
    power, total, n, s = (1 << bits) // q, 0, 1, 1
    while power:
        pay(bits)
        total += s * (power // n)
        power, n, s = power // (q * q), n + 2, s * sign
    terms = n // 2 + 2
    return total - terms, total + terms


def log_of_2() -> tuple[int, int]:
    """log 2 = 2 artanh(1/3)."""
    low, high = inverse_powers(3, 1, INNER)
    return 2 * low, 2 * high


def pi_ticks(bits: int) -> tuple[int, int]:
    """Machin: 16 arctan(1/5) - 4 arctan(1/239)."""
    (a, b), (c, d) = inverse_powers(5, -1, bits), inverse_powers(239, -1, bits)
    return 16 * a - 4 * d, 16 * b - 4 * c


# -- elementary functions --------------------------------------------------------------------------------------------------


def exp(a: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    return exp_point(a[0])[0], exp_point(a[1])[1]


def exp_point(x: Fraction) -> tuple[Fraction, Fraction]:
    """exp of a fraction, 2^k exp(x - k log 2)."""
    require(x <= LARGEST_EXPONENT, f"exp of a number above {LARGEST_EXPONENT}")
    if x < -LARGEST_EXPONENT:
        return dyadic(0), dyadic(1)
    log2 = log_of_2()
    low, high = ticks(x)
    k = low // log2[0]
    rest = (low - k * log2[1], high - k * log2[0]) if k >= 0 else (low - k * log2[0], high - k * log2[1])
    return outwards(shifted(series(ONE, rest, counted(1, 1)), -k))


def log(a: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    require(a[0] > 0, "the logarithm of a number that may not be positive")
    return log_point(a[0])[0], log_point(a[1])[1]


def log_point(x: Fraction) -> tuple[Fraction, Fraction]:
    """log of a positive fraction: x = m 2^k with m between 1/2 and 2, log m = 2 artanh((m-1)/(m+1))."""
    k = x.numerator.bit_length() - x.denominator.bit_length()
    m = x / as_number(2) ** k
    low, high = artanh_twice(ticks((m - 1) / (m + 1)))
    log2 = log_of_2()
    return outwards((low + min(k * log2[0], k * log2[1]), high + max(k * log2[0], k * log2[1])))


def artanh_twice(u: tuple[int, int]) -> tuple[int, int]:
    """2 (u + u^3/3 + u^5/5 + ...) in ticks, for |u| <= 1/3: a power is at most a ninth of the one before, and what is left at most 9/8 of its first term."""
    power, square, low, high, n = u, product(u, u), 0, 0, 1
    while largest(power) > 1:
        term = shortened(power, n)
        low, high = low + term[0], high + term[1]
        power, n = product(power, square), n + 2
    return 2 * low - 3, 2 * high + 3


def tanh(a: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    return tanh_point(a[0])[0], tanh_point(a[1])[1]


def tanh_point(x: Fraction) -> tuple[Fraction, Fraction]:
    """tanh of a fraction: (1 - e) / (1 + e) with e = exp(-2x) for x >= 0, an odd function."""
    if x < 0:
        return negated(tanh_point(-x))
    e = exp(exact(-2 * x))
    return divided(minus(exact(1), e), plus(exact(1), e))


def pi() -> tuple[Fraction, Fraction]:
    return outwards(pi_ticks(INNER))


def cos(a: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    return waves(a, 0)


def sin(a: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    return waves(a, -1)


def waves(a: tuple[Fraction, Fraction], quarters: int) -> tuple[Fraction, Fraction]:
    """cos(x + quarters pi/2) on an interval: its value at the middle, give or take the radius, since the slope is at most 1."""
    middle, radius = (a[0] + a[1]) / 2, (a[1] - a[0]) / 2
    low, high = wave(middle, quarters)
    return rounded(max(low - radius, -1), min(high + radius, 1))


def wave(x: Fraction, quarters: int) -> tuple[Fraction, Fraction]:
    """cos(x + quarters pi/2) of a fraction: x is r + q pi/2 with pi to as many more digits as x has before the point, and a turn by pi/2 changes cos to -sin."""
    bits = INNER + max(x.numerator.bit_length() - x.denominator.bit_length(), 0) + 2
    half = shifted(pi_ticks(bits), 1)
    low, high = ticks(x, bits)
    q = (2 * low + half[0]) // (2 * half[0])
    r = shifted((low - q * half[1], high - q * half[0]) if q >= 0 else (low - q * half[0], high - q * half[1]), bits - INNER)
    square = product(r, r)
    factor, turn = (-square[1], -square[0]), (q + quarters) % 4
    value = series(r, factor, consecutive(2)) if turn % 2 else series(ONE, factor, consecutive(1))
    return outwards((-value[1], -value[0]) if turn in (1, 2) else value)


def normal_cdf(a: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    """P(Z <= x) of a standard Gaussian, increasing in x."""
    return normal_cdf_point(a[0])[0], normal_cdf_point(a[1])[1]


def normal_cdf_point(x: Fraction) -> tuple[Fraction, Fraction]:
    """1/2 + phi(x) (x + x^3/3 + x^5/(3 5) + ...) for x >= 0; 1 minus it for x < 0. Beyond 20 the tail is below phi(20) < 2^-BITS."""
    if x < 0:
        low, high = normal_cdf_point(-x)
        return 1 - high, 1 - low
    if x > 20:
        return dyadic((1 << BITS) - 1), dyadic(1 << BITS)
    total = outwards(series(ticks(x), ticks(x * x), counted(3, 2)))
    # dividing by a large number loses nothing, where multiplying with a small one would
    low, high = plus(exact(made(1, 2)), divided(total, times(exp(exact(x * x / 2)), sqrt(times(exact(2), pi())))))
    return low, min(high, dyadic(1 << BITS))
