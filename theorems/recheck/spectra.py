"""Eigenvalues of rational matrices: which are real, and of what sign, by Sturm's theorem."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .exact import characteristic_polynomial, square
from .polynomials import count_real_roots, derivative, remainder, trimmed


def characteristic(a: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    """det(xI - A), lowest coefficient first."""
    return trimmed(characteristic_polynomial(square(a))[::-1])


def different_roots(p: Sequence[Fraction]) -> int:
    """The degree of the square-free part of p."""
    q, r = p, derivative(p)
    while r:
        q, r = r, remainder(q, r)
    return len(p) - len(q)


def spectrum_is_real(a: Sequence[Sequence[Fraction]]) -> bool:
    p = characteristic(a)
    return count_real_roots(p) == different_roots(p)


def has_negative_eigenvalue(a: Sequence[Sequence[Fraction]]) -> bool:
    p = characteristic(a)
    while not p[0]:  # the eigenvalue 0, where a chain of Sturm would vanish
        p = p[1:]
    return count_real_roots(p, None, Fraction(0)) > 0


def spectrum_is_nonnegative(a: Sequence[Sequence[Fraction]]) -> bool:
    return spectrum_is_real(a) and not has_negative_eigenvalue(a)
