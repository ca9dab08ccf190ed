"""Matrices of Gaussian rationals as pairs (real part, imaginary part)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from .exact import number, plus, rank, require, scaled, times, transpose


def gaussian(x: Sequence[str]) -> tuple[Any, ...]:
    """From a number, or the list [real, imaginary] whose last zeros may be missing."""
    parts = [number(c) for c in x] if isinstance(x, list) else [number(x)]
    require(len(parts) <= 2, "expected a real and an imaginary part")
    return tuple(parts + [Fraction(0)] * (2 - len(parts)))


def gaussian_vector(entries: Sequence[Sequence[str]]) -> tuple[list[Fraction], list[Fraction]]:
    """(real parts, imaginary parts) of a vector."""
    pairs = [gaussian(x) for x in entries]
    require(pairs, "expected a vector")
    return [a for a, _ in pairs], [b for _, b in pairs]


def gaussian_matrix(rows: Sequence[Sequence[Sequence[str]]]) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """(real part, imaginary part) of a rectangular matrix."""
    pairs = [[gaussian(x) for x in row] for row in rows]
    require(pairs and pairs[0] and all(len(row) == len(pairs[0]) for row in pairs), "expected a rectangular matrix")
    return [[a for a, _ in row] for row in pairs], [[b for _, b in row] for row in pairs]


def product(
    x: tuple[Sequence[Sequence[Fraction]], Sequence[Sequence[Fraction]]],
    y: tuple[Sequence[Sequence[Fraction]], Sequence[Sequence[Fraction]]],
) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """The product of two matrices (or of a matrix and a column) of Gaussian rationals."""
    (a, b), (c, d) = x, y
    return plus(times(a, c), scaled(-1, times(b, d))), plus(times(a, d), times(b, c))


def adjoint(x: tuple[Sequence[Sequence[Fraction]], Sequence[Sequence[Fraction]]]) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    return transpose(x[0]), scaled(-1, transpose(x[1]))


def complex_rank(x: tuple[Sequence[Sequence[Fraction]], Sequence[Sequence[Fraction]]]) -> int:
    """The rank over the complex numbers: half that of [[A, -B], [B, A]]."""
    a, b = x
    top = [[*r, *(-y for y in s)] for r, s in zip(a, b, strict=True)]
    bottom = [[*s, *r] for r, s in zip(a, b, strict=True)]
    return rank(top + bottom) // 2
