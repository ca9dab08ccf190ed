"""Exponential sums {(eigenvalue, m): coefficient}, the entries of powers of a matrix in Jordan form, and their casts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Any

from .exact import matrix, natural, number, one, require, times
from .typed import Data


def value(terms: dict[tuple[Fraction, int], Fraction], k: int) -> Fraction:
    return sum((c * comb(k, m) * x ** (k - m) for (x, m), c in terms.items() if k >= m), Fraction(0))


def sign_is_settled(terms: dict[tuple[Fraction, int], Fraction], shift: Fraction, k: int, parity: int) -> int:
    """The sign of a_j - shift, the same for every j >= k with j = parity mod 2; Rejected if that is not shown.

    With every |lambda| > 0 and its sign fixed by the parity, the term of largest (|lambda|, m) outweighs the others together
    at the first such j, and the ratio of each of them to it never grows again: the step's factor is
    (j+1-M) x / ((j+1-m) X) <= 1, that is (j+1)(X - x) >= m X - M x.
    """
    start = k + (k - parity) % 2
    positive = {}
    for (x, m), c in [*list(terms.items()), ((Fraction(1), 0), -shift)]:
        require(m < start + 1 or not c, "the threshold lies below m")
        if x:
            flipped = -c if x < 0 and (parity - m) % 2 else c
            positive[abs(x), m] = positive.get((abs(x), m), 0) + flipped
        else:
            require(m < start or not c, "a term with eigenvalue 0 is still alive at the threshold")
    positive = {key: c for key, c in positive.items() if c}
    if not positive:
        return 0
    big, m_big = max(positive)
    rest = Fraction(0)
    for (x, m), c in positive.items():
        if (x, m) != (big, m_big):
            require((start + 1) * (big - x) >= m * big - m_big * x, "a ratio to the leading term may still grow")
            rest += abs(c) * comb(start, m) * x ** (start - m)
    lead = positive[big, m_big]
    require(rest < abs(lead) * comb(start, m_big) * big ** (start - m_big), "the leading term does not outweigh the rest")
    return 1 if lead > 0 else -1


def settled_values(
    terms: dict[tuple[Fraction, int], Fraction], d: Sequence[Fraction], middles: Sequence[Fraction], k: int
) -> list[Fraction]:
    """(value at even j, value at odd j) of cast(a_j) for all j >= k."""
    return [d[sum(sign_is_settled(terms, y, k, parity) > 0 for y in middles)] for parity in (0, 1)]


def check_jordan_form(a: Sequence[Sequence[Fraction]], data: Data) -> tuple[Any, ...]:
    """(P, P^-1, blocks) with A = P J P^-1, verified."""
    p, q = matrix(data["P"]), matrix(data["P_inverse"])
    blocks = [(number(x), natural(size)) for x, size in data["blocks"]]
    n, jordan = len(a), []
    require(sum(size for _, size in blocks) == n and times(p, q) == one(n), "P P^-1 = I, blocks of total size n")
    for x, size in blocks:
        start = len(jordan)
        for i in range(size):
            jordan.append([x if j == start + i else Fraction(int(i + 1 < size and j == start + i + 1)) for j in range(n)])
    require(times(a, p) == times(p, jordan), "A P = P J")
    return p, q, blocks


def power_entries(
    jordan: tuple[Any, ...], left: Sequence[Sequence[Fraction]], right: Sequence[Sequence[Fraction]]
) -> list[list[dict[tuple[Fraction, int], Fraction]]]:
    """The entries of left A^k right as sums: C(k,m) lambda^(k-m) sits on the m-th superdiagonal of a block's power."""
    p, q, blocks = jordan
    rows, columns = times(left, p), times(q, right)
    out = [[{} for _ in right[0]] for _ in rows]
    start = 0
    for x, size in blocks:
        for m in range(size):
            for i, row in enumerate(rows):
                for j in range(len(right[0])):
                    weight = sum(row[start + t] * columns[start + t + m][j] for t in range(size - m))
                    out[i][j][x, m] = out[i][j].get((x, m), 0) + weight
        start += size
    return out
