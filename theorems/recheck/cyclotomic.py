"""Arithmetic in Q(zeta_N): coefficient tuples modulo the N-th cyclotomic polynomial."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from .exact import number, require
from .rationals import made
from .ring import prime_factors

LARGEST_FIELD = 10_000


@cache
def cyclotomic_polynomial(n: int) -> list[int]:
    """Coefficients of the n-th cyclotomic polynomial, lowest first.

    Phi_mp(x) = Phi_m(x^p) / Phi_m(x) for a prime p that does not divide m, and Phi_mp(x) = Phi_m(x^p) for one that does.
    """
    require(isinstance(n, int) and 1 <= n <= LARGEST_FIELD, "a field of roots of unity of moderate order")
    p, radical = [-1, 1], 1
    for prime in prime_factors(n):
        p, radical = divide(in_powers(p, prime), p)[0], radical * prime
    return in_powers(p, n // radical)


def in_powers(p: Sequence[Any], k: int) -> list[int]:
    """p(x^k)."""
    out = [0] * (k * (len(p) - 1) + 1)
    out[::k] = p
    return out


def divide(p: Sequence[Any], q: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """(quotient, remainder) of polynomials with leading coefficient of q equal to 1."""
    p = list(p)
    quotient: list[Any] = [0] * max(len(p) - len(q) + 1, 1)
    for shift in range(len(p) - len(q), -1, -1):
        c = quotient[shift] = p[shift + len(q) - 1]
        if c:
            for i, y in enumerate(q):
                p[shift + i] -= c * y
    return quotient, p[: len(q) - 1]


def element(x: Any, modulus: Sequence[int]) -> tuple[Fraction, ...]:
    coefficients = [number(c) for c in x] if isinstance(x, list) else [number(x)]
    return reduce(coefficients, modulus)


def reduce(coefficients: Sequence[Any], modulus: Sequence[int]) -> tuple[Fraction, ...]:
    remainder = divide(coefficients, modulus)[1] if len(coefficients) >= len(modulus) else list(coefficients)
    while remainder and not remainder[-1]:
        remainder.pop()
    return tuple(remainder)


def field_matrix(rows: Sequence[Sequence[Any]], modulus: Sequence[int]) -> list[list[tuple[Fraction, ...]]]:
    m = [[element(x, modulus) for x in row] for row in rows]
    require(m and m[0] and all(len(row) == len(m[0]) for row in m), "expected a rectangular matrix")
    return m


def field_column(rows: Any, n: Any, modulus: Any) -> Any:
    """A frozen n x 1 state."""
    h = field_matrix(rows, modulus)
    require(len(h) == n and all(len(row) == 1 for row in h), f"a state of shape {n} x 1")
    return tuple(tuple(row) for row in h)


def field_map(f: Any, n: Any, modulus: Any) -> Any:
    """The pair (A, B) of an affine map of a layer of width n: n x n and n x 1."""
    a, b = field_matrix(f["A"], modulus), field_matrix(f["B"], modulus)
    require(len(a) == len(a[0]) == n and len(b) == n and len(b[0]) == 1, f"maps of a layer of width {n}")
    return a, b


def field_times(
    a: Sequence[Sequence[tuple[Fraction, ...]]], state: Sequence[Sequence[tuple[Fraction, ...]]], modulus: Sequence[int]
) -> list[list[tuple[Fraction, ...]]]:
    """Matrix times a frozen state (tuple of rows)."""
    require(len(a[0]) == len(state), "matrices of fitting sizes")
    out = []
    for row in a:
        entries = []
        for column in zip(*state, strict=True):
            total = [made(0, 1)] * (2 * len(modulus))
            for x, y in zip(row, column, strict=True):
                for i, u in enumerate(x):
                    for j, v in enumerate(y):
                        total[i + j] += u * v
            entries.append(reduce(total, modulus))
        out.append(entries)
    return out


def field_plus(
    a: Sequence[Sequence[tuple[Fraction, ...]]], b: Sequence[Sequence[tuple[Fraction, ...]]]
) -> list[list[tuple[Fraction, ...]]]:
    require(len(a) == len(b) and len(a[0]) == len(b[0]), "matrices of one size")
    out = []
    for r, s in zip(a, b, strict=True):
        row = []
        for x, y in zip(r, s, strict=True):
            n = max(len(x), len(y))
            total = [(x[i] if i < len(x) else 0) + (y[i] if i < len(y) else 0) for i in range(n)]
            while total and not total[-1]:
                total.pop()
            row.append(tuple(total))
        out.append(row)
    return out
