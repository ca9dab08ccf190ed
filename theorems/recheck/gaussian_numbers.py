"""Gaussian rationals, number by number: pairs (real, imaginary part)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from .exact import number, require


def complex_number(pair: Sequence[str]) -> tuple[Fraction, Fraction]:
    require(isinstance(pair, list) and len(pair) == 2, "a Gaussian rational [real, imaginary]")
    return number(pair[0]), number(pair[1])


def complex_vector(entries: Sequence[Sequence[str]]) -> list[tuple[Fraction, Fraction]]:
    v = [complex_number(x) for x in entries]
    require(v, "expected a vector of Gaussian rationals")
    return v


def product(x: tuple[Fraction, Fraction], y: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    return x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]


def total(values: Any) -> tuple[Any, ...]:
    values = list(values)
    return sum(v[0] for v in values), sum(v[1] for v in values)


def difference(x: Any, y: Any) -> Any:
    return x[0] - y[0], x[1] - y[1]


def conjugate(x: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    return x[0], -x[1]


ONE = (Fraction(1), Fraction(0))
ZERO = (Fraction(0), Fraction(0))


def complex_times(
    a: Sequence[Sequence[tuple[Fraction, Fraction]]], b: Sequence[Sequence[tuple[Fraction, Fraction]]]
) -> list[list[tuple[Fraction, Fraction]]]:
    require(all(len(row) == len(b) for row in a), "matrices of fitting sizes")
    return [[total(product(x, y) for x, y in zip(row, column, strict=True)) for column in zip(*b, strict=True)] for row in a]


def real_form(a: Sequence[Sequence[tuple[Fraction, Fraction]]]) -> list[list[Fraction]]:
    """[[X, -Y], [Y, X]] of X + iY: twice the rank, the same singular values."""
    upper = [[x for x, _ in row] + [-y for _, y in row] for row in a]
    return upper + [[y for _, y in row] + [x for x, _ in row] for row in a]
