"""Controlled linear equations with random low-rank matrices (movahedi25, App. G): signatures, states, and the exact moments of their overlaps.

dY = sum_i A^i Y dw^i has the solution Y_t = sum_I A_I Y_0 S^I(w)_[0,t] over all words I = i_1 ... i_n, where A_I = A^{i_n} ... A^{i_1} and
S^I is an iterated integral of the path w. With A^i = W^i M^i' / sqrt(N r) for Gaussian N x r matrices W^i, M^i, what the states know about
the path is decided by the overlaps X_IJ = <A_I Y_0, A_J Y_0> / N.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import sympy
from flint import fmpq

from ..numerics import exact, wick
from ..numerics.exact import Array
from ..numerics.low_rank import Word


def words(letters: int, length: int) -> list[Word]:
    """All words of at most ``length`` letters 1 .. ``letters``, the empty one first, shorter ones before longer ones."""
    return [w for n in range(length + 1) for w in product(range(1, letters + 1), repeat=n)]


def word_pairs(total: int) -> Iterator[tuple[Word, Word]]:
    """All pairs (I, J) with |I| + |J| = ``total``, up to naming the letters and exchanging I and J."""
    for joint in _first_use(total):
        for n in range(total // 2 + 1):
            yield joint[:n], joint[n:]


def _first_use(length: int) -> Iterator[Word]:
    """Words in which every new letter is the next number: one for each pattern of repetitions."""
    if length == 0:
        yield ()
        return
    for w in _first_use(length - 1):
        for letter in range(1, max(w, default=0) + 2):
            yield (*w, letter)


# -- exact moments ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Expansion:
    """sum of c N^-a r^-b: ``terms`` maps (a, b) to the integer c, not 0."""

    terms: Mapping[tuple[int, int], int]

    def at(self, N: int, r: int) -> fmpq:
        """The exact value for N units and rank r."""
        return sum((fmpq(c) / (fmpq(N) ** a * fmpq(r) ** b) for (a, b), c in self.terms.items()), fmpq(0))

    def in_symbols(self, N: sympy.Symbol, r: sympy.Symbol) -> sympy.Expr:
        return sympy.Add(*(c * N**-a * r**-b for (a, b), c in self.terms.items()))

    @property
    def constant(self) -> int:
        """What is left for N, r -> infinity, if no exponent is positive."""
        return self.terms.get((0, 0), 0)

    @property
    def total(self) -> int:
        """The value at N = r = 1: for a moment, the number of pairings."""
        return sum(self.terms.values())

    def __add__(self, other: Expansion) -> Expansion:
        keys = {**self.terms, **other.terms}
        return Expansion({k: c for k in keys if (c := self.terms.get(k, 0) + other.terms.get(k, 0))})

    def __rmul__(self, factor: int) -> Expansion:
        return Expansion({k: factor * c for k, c in self.terms.items() if factor})


def low_rank(letter: int) -> wick.Trace:
    """W M', N x r times r x N."""
    return wick.Gaussian(f"W{letter}", "N", "r"), wick.Gaussian(f"M{letter}", "N", "r").T


def dense(letter: int) -> wick.Trace:
    """One N x N Gaussian matrix, for comparison."""
    return (wick.Gaussian(f"G{letter}", "N", "N"),)


def overlap_trace(I: Word, J: Word, mixer=low_rank) -> wick.Trace:
    """<A_I Y, A_J Y> without its scale, as a trace: Y' A_{i_1}' ... A_{i_n}' A_{j_k} ... A_{j_1} Y."""
    Y = wick.Gaussian("Y", "N", "1")
    left = [x.T for i in I for x in reversed(mixer(i))]
    right = [x for j in reversed(J) for x in mixer(j)]
    return (Y.T, *left, *right, Y)


def overlap_moment(I: Word, J: Word, copies: int = 1, mixer=low_rank) -> Expansion:
    """E[X_IJ^copies], exactly, X_IJ = <A_I Y_0, A_J Y_0> / N; each matrix is divided by sqrt(N r), a ``dense`` one by sqrt N."""
    half = copies * (len(I) + len(J)) // 2  # an odd number of letters has no pairing
    has_rank = any("r" in x.shape for x in mixer(1))
    counts = wick.moment(*[overlap_trace(I, J, mixer)] * copies)
    return Expansion({(copies + half - m.count("N"), half * has_rank - m.count("r")): count for m, count in counts.items()})


def squared_error(I: Word, J: Word) -> Expansion:
    """E[(X_IJ - delta_IJ)^2], exactly: the square of the L2 error in Eq. 15."""
    second = overlap_moment(I, J, 2)
    return second + (-2) * overlap_moment(I, J) + Expansion({(0, 0): 1}) if I == J else second


# -- paths -----------------------------------------------------------------------------------------------------------------


def signature(increments: Array, depth: int) -> dict[Word, Any]:
    """S^I of the piecewise linear path with these increments, shape (pieces, letters), for all words of at most ``depth`` letters.

    Exact for exact increments: a straight piece has S^I = product of its increments / n!, and Chen's identity joins pieces.
    """
    letters = np.shape(increments)[1]
    found: dict[Word, Any] = {w: fmpq(not w) for w in words(letters, depth)}
    for piece in increments:
        straight: dict[Word, Any] = {(): fmpq(1)}
        for w in words(letters, depth)[1:]:
            straight[w] = straight[w[:-1]] * piece[w[-1] - 1] / len(w)
        found = {w: sum(found[w[:k]] * straight[w[k:]] for k in range(len(w) + 1)) for w in found}
    return found


def nilpotent_flow(increments: Array, matrices: Sequence[Array], Y: Array) -> Array:
    """The exact solution at the end of the path for strictly upper triangular rational matrices A^i: the exponential series ends."""
    n = len(Y)
    for piece in increments:
        A = sum((m * x for m, x in zip(matrices, piece, strict=True)), exact.zeros(n, n))
        term = Y
        for k in range(1, n):
            term = (A @ term) / k
            Y = Y + term
    return Y
