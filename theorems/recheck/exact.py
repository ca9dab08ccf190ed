"""Exact numbers, matrices and finite sets, from integers and text alone."""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from .limits import Rejected, charge, require, within  # noqa: F401  the other modules take Rejected from here
from .rationals import SMALL, made, pay, ratio

sys.set_int_max_str_digits(0)  # the limits bound lengths

K = TypeVar("K")
T = TypeVar("T")
M = TypeVar("M", bound=Sequence[Sequence[Any]])

#: sign, digits, optional /digits, in ASCII
NUMBER = re.compile(r"-?[0-9]+(/[0-9]+)?", re.ASCII)


def number(x: Any) -> Fraction:
    """A number from an int or text such as "-3/4"; floats, exponents, digits other than 0 to 9 and whatever else Fraction would read are refused."""
    if isinstance(x, str):
        above, _, below = x.removeprefix("-").partition("/")
        within("digits", max(len(above), len(below)), "a number")
        require(NUMBER.fullmatch(x), f"expected an exact number such as -3/4, got {x[:40]!r}")
        require(below == "" or below.strip("0"), "a denominator of 0")
        pay(4 * len(x))
        return ratio(int(above) * (-1 if x[0] == "-" else 1), int(below or 1))
    require(isinstance(x, int) and not isinstance(x, bool), f"expected an exact number, got {x!r:.40}")
    return made(x, 1)


def natural(x: int, most: int | None = None) -> int:
    """A natural number up to ``most``; by default up to the limit for all that count steps, sizes or copies."""
    require(isinstance(x, int) and not isinstance(x, bool) and x >= 0, f"expected a natural number, got {x!r:.40}")
    if most is None:
        within("natural", x, "a natural number")
    else:
        require(x <= most, "a natural number is too large")
    return x


def matrix(rows: Sequence[Sequence[Any]]) -> list[list[Fraction]]:
    require(isinstance(rows, list) and all(isinstance(row, list) for row in rows), "expected a list of rows")
    m = [[number(x) for x in row] for row in rows]
    require(m and m[0] and all(len(row) == len(m[0]) for row in m), "expected a rectangular matrix")
    return m


def times(a: Sequence[Sequence[Fraction]], b: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    require(all(len(row) == len(b) for row in a), "matrices of fitting sizes")
    # a sum begins with the integer 0
    return [[sum(x * y for x, y in zip(row, column, strict=True)) for column in zip(*b, strict=True)] for row in a]  # pyright: ignore[reportReturnType]


def plus(a: Sequence[Sequence[Fraction]], b: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    require(len(a) == len(b) and all(len(r) == len(s) for r, s in zip(a, b, strict=True)), "matrices of one size")
    return [[x + y for x, y in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]


def one(n: int) -> list[list[Fraction]]:
    charge(SMALL * n * n)
    zero, unit = made(0, 1), made(1, 1)
    return [[unit if i == j else zero for j in range(n)] for i in range(n)]


def rank(m: Sequence[Sequence[Fraction]]) -> int:
    m, r = [list(row) for row in m], 0
    for column in range(len(m[0])):
        pivot = next((i for i in range(r, len(m)) if m[i][column]), None)
        if pivot is None:
            continue
        m[r], m[pivot] = m[pivot], m[r]
        for i in range(r + 1, len(m)):
            q = m[i][column] / m[r][column]
            m[i] = [x - q * y for x, y in zip(m[i], m[r], strict=True)]
        r += 1
    return r


def freeze(m: Iterable[Iterable[T]]) -> tuple[tuple[T, ...], ...]:
    return tuple(tuple(row) for row in m)


def characteristic_polynomial(a: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    """Coefficients of det(xI - A), highest first (Faddeev and LeVerrier)."""
    n, m, out = len(a), one(len(a)), [Fraction(1)]
    for k in range(1, n + 1):
        m = times(a, m)
        out.append(-sum((m[i][i] for i in range(n)), Fraction(0)) / k)
        m = plus(m, [[out[-1] * x for x in row] for row in one(n)])
    return out


def points(values: Sequence[str]) -> tuple[list[Fraction], list[Fraction]]:
    """A finite set D, sorted, with the midpoints between neighbours."""
    d = sorted({number(v) for v in values})
    require(d, "D is empty")
    return d, [(x + y) / 2 for x, y in itertools.pairwise(d)]


def cast(x: Fraction, d: Sequence[Fraction]) -> Fraction:
    """The nearest element of D, the smaller one at a tie."""
    return min(d, key=lambda z: (abs(z - x), z))


def consistent(table: dict[K, T], items: Iterable[tuple[K, T]]) -> bool:
    """Add (key, value) items to a table; False if a key already has another value."""
    return all(table.setdefault(key, value) == value for key, value in items)


def transpose(a: Sequence[Sequence[T]]) -> list[list[T]]:
    return [list(column) for column in zip(*a, strict=True)]


def minus(a: Sequence[Sequence[Fraction]], b: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    return plus(a, [[-x for x in row] for row in b])


def scaled(c: Fraction | int, a: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    return [[c * x for x in row] for row in a]


def vector(entries: Sequence[Any]) -> list[Fraction]:
    v = [number(x) for x in entries]
    require(v, "expected a vector")
    return v


def dot(v: Sequence[Fraction], w: Sequence[Fraction]) -> Fraction:
    require(len(v) == len(w), "vectors of one size")
    return sum((x * y for x, y in zip(v, w, strict=True)), Fraction(0))


def apply(a: Sequence[Sequence[Fraction]], v: Sequence[Fraction]) -> list[Fraction]:
    """The matrix times the vector."""
    return [dot(row, v) for row in a]


def square(m: M) -> M:
    require(all(len(row) == len(m) for row in m), "expected a square matrix")
    return m


def determinant(m: Sequence[Sequence[Fraction]]) -> Fraction:
    m, out = [list(row) for row in square(m)], Fraction(1)
    for k in range(len(m)):
        pivot = next((i for i in range(k, len(m)) if m[i][k]), None)
        if pivot is None:
            return Fraction(0)
        if pivot != k:
            m[k], m[pivot], out = m[pivot], m[k], -out
        out *= m[k][k]
        for i in range(k + 1, len(m)):
            q = m[i][k] / m[k][k]
            m[i] = [x - q * y for x, y in zip(m[i], m[k], strict=True)]
    return out


def inverse(m: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """The inverse; Rejected if there is none."""
    n = len(square(m))
    rows = [list(row) + [Fraction(int(i == j)) for j in range(n)] for i, row in enumerate(m)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k]), None)
        require(pivot is not None, "expected an invertible matrix")
        assert pivot is not None  # said once more, for the type checker
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(n):
            if i != k and rows[i][k]:
                q = rows[i][k]
                rows[i] = [x - q * y for x, y in zip(rows[i], rows[k], strict=True)]
    return [row[n:] for row in rows]


def is_positive_semidefinite(g: Sequence[Sequence[Fraction]]) -> bool:
    """Symmetric, and no pivot of symmetric elimination is negative."""
    g = [list(row) for row in square(g)]
    if g != transpose(g):
        return False
    for i in range(len(g)):
        if g[i][i] < 0 or (g[i][i] == 0 and any(g[i][i:])):
            return False
        for r in range(i + 1, len(g)):
            if g[i][i]:
                q = g[r][i] / g[i][i]
                g[r] = [x - q * y for x, y in zip(g[r], g[i], strict=True)]
    return True


def norm_at_most(m: Sequence[Sequence[Fraction]], bound: Fraction | int) -> bool:
    """The Euclidean operator norm is at most ``bound``: bound^2 I - M^T M is positive semidefinite."""
    gram = times(transpose(m), m)
    return bound >= 0 and is_positive_semidefinite(minus(scaled(bound * bound, one(len(gram))), gram))


def is_orthogonal(m: Sequence[Sequence[Fraction]]) -> bool:
    return times(transpose(square(m)), m) == one(len(m))
