"""Polynomials over the rationals, coefficients lowest first; real roots by Sturm's theorem."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from .exact import number, require


def polynomial(coefficients: Sequence[Any]) -> list[Fraction]:
    """Exact coefficients, lowest first, without zeros at the end."""
    return trimmed([number(c) for c in coefficients])


def trimmed(p: Sequence[Any]) -> list[Fraction]:
    p = list(p)
    while p and not p[-1]:
        p.pop()
    return p


def at(p: Sequence[Fraction], x: Fraction | int) -> Fraction:
    total = Fraction(0)
    for c in reversed(p):
        total = total * x + c
    return total


def plus(p: Sequence[Fraction], q: Sequence[Fraction | int]) -> list[Fraction]:
    n = max(len(p), len(q))
    return trimmed([(p[i] if i < len(p) else 0) + (q[i] if i < len(q) else 0) for i in range(n)])


def times(p: Sequence[Fraction | int], q: Sequence[Fraction | int]) -> list[Fraction]:
    out = [Fraction(0)] * max(len(p) + len(q) - 1, 0)
    for i, x in enumerate(p):
        for j, y in enumerate(q):
            out[i + j] += x * y
    return trimmed(out)


def scaled(c: int, p: Sequence[Fraction]) -> list[Fraction]:
    return trimmed([c * x for x in p])


def derivative(p: Sequence[Fraction]) -> list[Fraction]:
    return trimmed([k * c for k, c in enumerate(p)][1:])


def remainder(p: Sequence[Fraction], q: Sequence[Fraction]) -> list[Fraction]:
    """p modulo q."""
    p, q = trimmed(p), trimmed(q)
    require(q, "division by the polynomial 0")
    while len(p) >= len(q):
        c, shift = p[-1] / q[-1], len(p) - len(q)
        p = trimmed([x - c * q[i - shift] if i >= shift else x for i, x in enumerate(p[:-1])])
    return p


def sturm_chain(p: Sequence[Fraction]) -> list[list[Fraction]]:
    chain = [trimmed(p), derivative(p)]
    while chain[-1]:
        chain.append(scaled(-1, remainder(chain[-2], chain[-1])))
    return chain[:-1]


def sign_changes(values: Sequence[Fraction]) -> int:
    signs = [x > 0 for x in values if x]
    return sum(a != b for a, b in itertools.pairwise(signs))


def count_real_roots(p: Sequence[Fraction], low: Fraction | int | None = None, high: Fraction | int | None = None) -> int:
    """How many different real roots lie in (low, high]; None stands for an end at infinity."""
    chain = sturm_chain(p)
    require(chain and chain[0], "roots of the polynomial 0")

    def changes(x: Fraction | int | None, sign: int) -> int:
        return sign_changes([q[-1] * sign ** (len(q) - 1) for q in chain] if x is None else [at(q, x) for q in chain])

    return changes(low, -1) - changes(high, 1)
