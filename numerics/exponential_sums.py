"""Finite sums  a_k = sum_i c_i C(k, m_i) lambda_i^(k - m_i)  with rational data, and where their sign settles.

These are the entries of powers of a matrix (grazzi25, Lemma 1). The printed lemma says that a threshold exists;
:meth:`ExponentialSum.settles` computes one, with a proof that a few lines of rational arithmetic can repeat.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import NamedTuple

from flint import fmpq


class Settled(NamedTuple):
    """``sign(a_k) == sign`` for every k >= ``threshold`` of the requested parity."""

    threshold: int
    sign: int


@dataclass(frozen=True)
class ExponentialSum:
    """``terms[(lambda, m)] = c`` stands for c C(k, m) lambda^(k-m), which is 0 for k < m."""

    terms: dict[tuple[fmpq, int], fmpq]

    def __str__(self) -> str:
        return " + ".join(f"({c}) C(k,{m}) ({x})^(k-{m})" for (x, m), c in self.terms.items()) or "0"

    def to_text(self) -> str:
        return str(self)

    def __call__(self, k: int) -> fmpq:
        """The exact value at k >= 0."""
        return sum((c * comb(k, m) * eigenvalue ** (k - m) for (eigenvalue, m), c in self.terms.items() if k >= m), fmpq(0))

    def __add__(self, other: ExponentialSum) -> ExponentialSum:
        terms = dict(self.terms)
        for key, c in other.terms.items():
            terms[key] = terms.get(key, fmpq(0)) + c
        return ExponentialSum({key: c for key, c in terms.items() if c != 0})

    def __sub__(self, constant: fmpq) -> ExponentialSum:
        """The sum minus a constant, which is the term with lambda = 1 and m = 0."""
        return self + ExponentialSum({(fmpq(1), 0): -constant})

    def on_parity(self, parity: int) -> ExponentialSum:
        """A sum with positive lambda that agrees with this one at every k = parity mod 2 with k > max m.

        sign(lambda)^(k-m) does not depend on k once the parity of k is fixed (grazzi25, Lemma 1, second part);
        lambda = 0 contributes nothing beyond k = m.
        """
        folded = ExponentialSum({})
        for (eigenvalue, m), c in self.terms.items():
            if eigenvalue != 0:
                sign = -1 if eigenvalue < 0 and (parity - m) % 2 else 1
                folded = folded + ExponentialSum({(abs(eigenvalue), m): sign * c})
        return folded

    def settles(self, parity: int) -> Settled:
        """From where on the sign of a_k is constant along k = parity mod 2; ``threshold`` is even or odd like ``parity``.

        Write a_k = g_1(k) (c_1 + sum_i c_i g_i(k) / g_1(k)) with g_1 the fastest growing term. From ``monotone_from``
        on every ratio g_i / g_1 is nonincreasing, so the first k with sum_i |c_i g_i(k)| < |c_1 g_1(k)| settles it.
        """
        positive = self.on_parity(parity)
        start = 1 + max((m for _, m in self.terms), default=-1)
        if not positive.terms:
            return Settled(start + (start - parity) % 2, 0)
        lead = max(positive.terms)
        start = max([start] + [monotone_from(lead, key) for key in positive.terms if key != lead])
        k = _first(start, lambda k: positive.is_dominated_by(lead, k))
        return Settled(k + (k - parity) % 2, 1 if positive.terms[lead] > 0 else -1)

    def is_dominated_by(self, lead: tuple[fmpq, int], k: int) -> bool:
        """sum of |c_i g_i(k)| over the other terms < |c g(k)| of ``lead``."""
        rest = sum((abs(c) * comb(k, m) * x ** (k - m) for (x, m), c in self.terms.items() if (x, m) != lead), fmpq(0))
        return rest < abs(self.terms[lead]) * comb(k, lead[1]) * lead[0] ** (k - lead[1])


def monotone_from(lead: tuple[fmpq, int], other: tuple[fmpq, int]) -> int:
    """From this k on, C(k,m) x^(k-m) / (C(k,M) X^(k-M)) is nonincreasing in k, for (X, M) = lead > other = (x, m).

    The step's ratio is (k+1-M) x / ((k+1-m) X); it is at most 1 iff (k+1)(X-x) >= m X - M x.
    """
    (large, m_lead), (small, m_other) = lead, other
    if large == small:
        return m_lead
    bound = (m_other * large - m_lead * small) / (large - small)
    return max(m_lead, m_other, int(-((-bound.p) // bound.q)) - 1)


def _first(start: int, holds) -> int:
    """The least k >= start with ``holds(k)``, for a condition that stays true once it is: doubling, then bisection."""
    if holds(start):
        return start
    low, step = start, 1
    while not holds(low + step):
        low, step = low + step, 2 * step
    high = low + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
