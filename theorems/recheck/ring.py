"""Z[zeta_N] in whole numbers: zeta is a power of two, and products of polynomials are products of Python's integers.

A polynomial P in x with x^N = 1 and small coefficients is the number P(2^w) modulo 2^(wN) - 1 (Kronecker substitution): a ring homomorphism, and
injective on polynomials whose coefficients add up to less than 2^(w-2) in absolute value. Such a sum of absolute values, the *size* of P, is
subadditive and submultiplicative, so a bound for whatever is computed, and with it w, is known beforehand.

P(zeta_N) = 0 if and only if P times the product of x^(N/p) - 1 over the primes p | N is 0 modulo x^N - 1: of all N-th roots of unity that product
vanishes at exactly those that are not primitive. So no cyclotomic polynomial is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from math import gcd
from operator import mul
from typing import Any

from .effort import STEP, Effort, multiplication


def prime_factors(n: int) -> list[int]:
    return [p for p in range(2, n + 1) if n % p == 0 and all(p % q for q in range(2, int(p**0.5) + 1))]


def phi(n: int) -> int:
    """The degree of Q(zeta_n)."""
    out = n
    for p in prime_factors(n):
        out -= out // p
    return out


class Ring:
    """Z[x]/(x^N - 1) for results of a size of at most ``size``; plain integers, of any size, for N = 1."""

    def __init__(self, order: int, size: int) -> None:
        self.order, self.shifts = order, [order // p for p in prime_factors(order)]
        # each factor x^(N/p) - 1 doubles the size, and so does the difference of two results
        self.bits = rounded(size.bit_length() + len(self.shifts) + 3)
        self.half, self.length = 1 << self.bits - 1, self.bits * self.order
        #: elementary operations of ``fold`` and ``key``, see effort.py
        self.cost = 0 if order == 1 else 1000 + 2 * self.length
        self.modulus = (1 << self.length) - 1

    def fold(self, x: int) -> int:
        """The same element by its polynomial of degree < N."""
        if self.order == 1:
            return x
        x = self._remainder(x)
        return x if x <= self.modulus >> 1 else x - self.modulus

    def key(self, x: int) -> int:
        """A number that two results share if and only if they are the same element of Q(zeta_N)."""
        if self.order == 1:
            return x
        for shift in self.shifts:
            x = (x << self.bits * shift) - x
        return self._remainder(x)

    def _remainder(self, x: int) -> int:
        while not 0 <= x <= self.modulus:
            x = (x & self.modulus) + (x >> self.length)
        return 0 if x == self.modulus else x


# -- many integers in one --------------------------------------------------------------------------------------------------


def rounded(bits: int) -> int:
    """Whole bytes."""
    return -(-bits // 8) * 8


@cache
def ones(count: int, size: int) -> int:
    """1 in each of ``count`` slots of ``size`` bytes."""
    return int.from_bytes((1).to_bytes(size, "little") * count, "little")


def pack(values: Sequence[int], bits: int) -> int:
    """The sum of values[i] 2^(bits i); each below 2^(bits - 1) in absolute value, bits a multiple of 8."""
    half, size = 1 << bits - 1, bits // 8
    return int.from_bytes(b"".join([(x + half).to_bytes(size, "little") for x in values]), "little") - half * ones(len(values), size)


def unpack(total: int, count: int, bits: int) -> list[int]:
    """The values of :func:`pack`."""
    half, size = 1 << bits - 1, bits // 8
    data = (total + half * ones(count, size)).to_bytes(count * size, "little")
    return [int.from_bytes(data[i : i + size], "little") - half for i in range(0, count * size, size)]


def width_of(rows: Iterable[Any] | Sequence[Sequence[int]]) -> int:
    """The bits of the largest entry."""
    return max((x.bit_length() for row in rows for x in row), default=0)


class Rows:
    """Rows of integers, each packed into one, for their linear combinations."""

    def __init__(self, length: int, rows: Sequence[Sequence[int]] = ()) -> None:
        self.length, self.rows, self.packed = length, list(rows), []
        self.width, self.bits = width_of(self.rows), 0

    def append(self, row: Sequence[int]) -> None:
        self.rows.append(row)
        self.width = max(self.width, width_of([row]))

    def combination(self, factors: Sequence[int], effort: Effort, what: str) -> list[int]:
        """The sum of factors[l] rows[l]."""
        bits = self.width + width_of([factors]) + len(factors).bit_length() + 2
        if bits > self.bits:
            # some room, if it grows again and again
            self.bits, self.packed = rounded(bits + self.bits // 2), []
        fresh = self.rows[len(self.packed) :]
        effort.hold(self.length * len(self.rows), self.bits, what)
        effort.spend(self.length * (len(fresh) + 1) * (STEP + 2 * self.bits), what)
        effort.spend(len(factors) * multiplication(self.length * self.bits, width_of([factors])), what)
        self.packed += [pack(row, self.bits) for row in fresh]
        return unpack(sum(map(mul, factors, self.packed)), self.length, self.bits)


def in_lowest_terms(numbers: Sequence[int], denominator: int) -> tuple[list[int], int]:
    common = gcd(denominator, *numbers)
    return [x // common for x in numbers], denominator // common
