"""Where the eigenvalues of a rational matrix lie, and matrices that are positive definite or shorten every vector."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .exact import characteristic_polynomial, is_positive_semidefinite, minus, one, rank, require, scaled, times, transpose
from .polynomials import at, count_real_roots, sturm_chain, trimmed


def is_positive_definite(g: Sequence[Sequence[Fraction]]) -> bool:
    return is_positive_semidefinite(g) and rank(g) == len(g)


def norm_below(m: Sequence[Sequence[Fraction]], bound: Fraction | int) -> bool:
    """The Euclidean operator norm is strictly below ``bound``."""
    gram = times(transpose(m), m)
    return bound > 0 and is_positive_definite(minus(scaled(bound * bound, one(len(gram))), gram))


def characteristic(m: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    """det(x I - m), lowest coefficient first."""
    return trimmed(list(reversed(characteristic_polynomial(m))))


def all_roots_between(p: Sequence[Fraction], low: Fraction | int, high: Fraction | int) -> bool:
    """All roots are real and lie in [low, high]: as many different ones there as the square-free part has roots."""
    chain = sturm_chain(p)
    different = len(chain[0]) - len(chain[-1])
    return count_real_roots(p, low, high) + (at(p, low) == 0) == different


def roots_inside(p: Sequence[Fraction]) -> bool:
    """All roots have modulus below 1 (Schur and Cohn): |p(0)| < |leading|, and so on for a polynomial of one degree less."""
    p = trimmed(p)
    require(p, "roots of the polynomial 0")
    while len(p) > 1:
        if abs(p[0]) >= abs(p[-1]):
            return False
        n = len(p) - 1
        p = [p[n] * p[k + 1] - p[0] * p[n - k - 1] for k in range(n)]
    return True


def divided_by_root(p: Sequence[Fraction], x: Fraction) -> tuple[list[Fraction], int]:
    """(p / (t - x)^m, m) with the multiplicity m of the root x."""
    p, m = trimmed(p), 0
    while len(p) > 1 and at(p, x) == 0:
        quotient, carry = [], Fraction(0)
        for c in reversed(p):
            carry = c + carry * x
            quotient.append(carry)
        p, m = list(reversed(quotient[:-1])), m + 1
    return p, m
