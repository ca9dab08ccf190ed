"""Hypothesis strategies for exact matrices with prescribed structure, for property tests (yours and ours).

Needs the ``test`` extra (``pip install "lemmata[test]"``). Everything drawn is exact: object arrays of ``flint.fmpq``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from flint import fmpq
from hypothesis import strategies as st

from ..numerics import exact
from ..numerics.exact import Array
from ..numerics.finite_precision import FiniteSet
from . import samples
from .householder import GeneralizedHouseholder, permutation_matrix, product


def fractions(low: int = -3, high: int = 3, denominator: int = 4) -> st.SearchStrategy[fmpq]:
    """Rationals in [low, high] with denominators up to ``denominator``."""
    return st.integers(1, denominator).flatmap(lambda q: st.integers(low * q, high * q).map(lambda p: fmpq(p, q)))


def vectors(n: int, bound: int = 3) -> st.SearchStrategy[Array]:
    """Integer vectors of shape (n,), zero included."""
    return st.lists(st.integers(-bound, bound), min_size=n, max_size=n).map(exact.rationals)


def nonzero_vectors(n: int, bound: int = 3) -> st.SearchStrategy[Array]:
    """Integer vectors of shape (n,) with a nonzero entry."""
    return vectors(n, bound).filter(lambda v: any(x != 0 for x in v))


def matrices(rows: int, columns: int, bound: int = 3) -> st.SearchStrategy[Array]:
    """Integer matrices."""
    return vectors(rows * columns, bound).map(lambda v: v.reshape(rows, columns))


@st.composite
def bases(draw: st.DrawFn, n: int) -> Array:
    """Invertible integer matrices: a permuted product of unit triangular ones."""
    lower, upper = draw(matrices(n, n, 2)), draw(matrices(n, n, 2))
    one = exact.identity(n)
    return exact.multiply(np.tril(lower, -1) + one, np.triu(upper, 1) + one, draw(permutations(n)))


@st.composite
def with_jordan_form(draw: st.DrawFn, n: int, eigenvalues: Sequence[fmpq] = samples.REAL) -> Array:
    """Rational n x n matrices similar to Jordan blocks with eigenvalues from a list; blocks of all sizes, repeated ones too."""
    sizes = draw(st.sampled_from(list(samples.partitions(n))))
    blocks = [(draw(st.sampled_from(list(eigenvalues))), size) for size in sizes]
    return samples.with_jordan_form(blocks, draw(bases(n)))


def permutations(n: int) -> st.SearchStrategy[Array]:
    """n x n permutation matrices."""
    return st.permutations(range(n)).map(permutation_matrix)


def orthogonal(n: int) -> st.SearchStrategy[Array]:
    """Rational orthogonal matrices: products of up to n + 1 reflections."""
    return st.lists(nonzero_vectors(n), max_size=n + 1).map(lambda vs: product([GeneralizedHouseholder(v) for v in vs], n))


@st.composite
def contractions(draw: st.DrawFn, n: int) -> Array:
    """U diag(sigma) V with rational orthogonal U, V and rational sigma in [0, 1]; singular and isometric ones included."""
    sigma = draw(st.lists(fractions(0, 1), min_size=n, max_size=n))
    middle = exact.block_diagonal(exact.rationals([[s]]) for s in sigma)
    return exact.multiply(draw(orthogonal(n)), middle, draw(orthogonal(n)))


def finite_sets() -> st.SearchStrategy[FiniteSet]:
    """Finite sets D of one to six rationals."""
    return st.lists(fractions(), min_size=1, max_size=6).map(FiniteSet)
