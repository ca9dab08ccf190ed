"""Exact random matrices with prescribed structure, from a seeded ``random.Random``: what the checks are run on.

:mod:`lemmata.constructions.strategies` draws the same objects with Hypothesis, for property tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
from flint import fmpq

from ..numerics import exact
from ..numerics.exact import Array
from ..numerics.exponential_sums import ExponentialSum
from ..numerics.finite_precision import FiniteSet
from ..numerics.jordan import jordan_block
from .householder import GeneralizedHouseholder, product

#: eigenvalues worth trying: 0, 1 and both sides of 1
NONNEGATIVE = [fmpq(0), fmpq(1, 3), fmpq(1, 2), fmpq(1), fmpq(1), fmpq(3, 2), fmpq(2)]
REAL = [*NONNEGATIVE, fmpq(-1, 2), fmpq(-1), fmpq(-1), fmpq(-2)]

#: both signs, with moduli that products keep apart by a factor of 2 or more, so that thresholds stay small
DYADIC = [fmpq(0), fmpq(1, 2), fmpq(-1, 2), fmpq(1), fmpq(-1), fmpq(-1), fmpq(2), fmpq(-2)]


def tries(what: str, most: int = 10_000) -> Iterator[int]:
    """An iterator for a loop that draws until a property holds: ``next`` raises ``ArithmeticError`` after ``most`` draws, and says ``what`` did not come.

    With a broken construction nothing that is drawn may ever have the property: that is an error, and no loop without end.
    """
    yield from range(most)
    raise ArithmeticError(f"expected {what} within {most} draws, got none")


def partitions(n: int) -> Iterator[tuple[int, ...]]:
    """The partitions of n, largest part first: the possible sizes of the Jordan blocks of one eigenvalue."""
    if n == 0:
        yield ()
    for first in range(n, 0, -1):
        for rest in partitions(n - first):
            if not rest or rest[0] <= first:
                yield (first, *rest)


def integers(rng: Random, *shape: int, bound: int = 3) -> Array:
    """An exact array of integers in [-bound, bound]."""
    out = exact.zeros(*shape)
    for index in np.ndindex(*shape):
        out[index] = fmpq(rng.randint(-bound, bound))
    return out


def nonzero_vector(rng: Random, n: int, bound: int = 3) -> Array:
    """A nonzero integer vector, shape (n,)."""
    draws = tries("a nonzero vector")
    while True:
        next(draws)
        v = integers(rng, n, bound=bound)
        if any(x != 0 for x in v):
            return v


def basis(rng: Random, n: int) -> Array:
    """An invertible integer matrix."""
    draws = tries("an invertible matrix")
    while True:
        next(draws)
        p = integers(rng, n, n, bound=2)
        if exact.rank(p) == n:
            return p


def with_jordan_form(blocks: Sequence[tuple[fmpq, int]], p: Array) -> Array:
    """P J P^-1 for the Jordan blocks (eigenvalue, size) and the basis ``p``."""
    return exact.multiply(p, exact.block_diagonal(jordan_block(x, size) for x, size in blocks), exact.inverse(p))


def jordan_blocks(rng: Random, n: int, eigenvalues: Sequence[fmpq]) -> list[tuple[fmpq, int]]:
    """Blocks of total size n with eigenvalues drawn from a list; several blocks may share one."""
    blocks, left = [], n
    while left:
        size = rng.randint(1, left)
        blocks.append((rng.choice(eigenvalues), size))
        left -= size
    return blocks


def triangular(rng: Random, n: int, eigenvalues: Sequence[fmpq]) -> Array:
    """An upper triangular matrix with diagonal entries drawn from ``eigenvalues``."""
    t = exact.zeros(n, n)
    for i in range(n):
        t[i, i] = rng.choice(eigenvalues)
        t[i, i + 1 :] = integers(rng, n - i - 1, bound=1)
    return t


def orthogonal(rng: Random, n: int, reflections: int | None = None) -> Array:
    """A rational orthogonal matrix: a product of ``reflections`` reflections (random number up to n + 1 by default)."""
    count = rng.randint(0, n + 1) if reflections is None else reflections
    return product([GeneralizedHouseholder(nonzero_vector(rng, n)) for _ in range(count)], n)


def fraction(rng: Random, low: int = 0, high: int = 1, denominator: int = 4) -> fmpq:
    """A rational in [low, high] with a small denominator, the ends included."""
    q = rng.randint(1, denominator)
    return fmpq(rng.randint(low * q, high * q), q)


def contraction(rng: Random, n: int) -> Array:
    """U diag(sigma) V with rational orthogonal U, V and rational singular values in [0, 1], ends and ties included."""
    sigma = exact.block_diagonal(exact.rationals([[fraction(rng)]]) for _ in range(n))
    return exact.multiply(orthogonal(rng, n), sigma, orthogonal(rng, n))


def householder_factors(rng: Random, n: int, k: int, low: int, high: int) -> list[GeneralizedHouseholder]:
    """k GH factors with 1 - beta in [low, high]."""
    return [GeneralizedHouseholder(nonzero_vector(rng, n), 1 - fraction(rng, low, high)) for _ in range(k)]


def positive_semidefinite(rng: Random, n: int) -> Array:
    """X X^T, of random rank, entries scaled down to about 1."""
    x = integers(rng, n, rng.randint(1, n))
    return exact.multiply(x, x.T) / rng.randint(1, 4 * n)


def finite_set(rng: Random) -> FiniteSet:
    """One to five points of a half-integer grid, so that ties do happen."""
    grid = [fmpq(i, 2) for i in range(-6, 7)]
    return FiniteSet(rng.sample(grid, rng.randint(1, 5)))


def symmetric_set(rng: Random) -> FiniteSet:
    """0 and one or two half-integers with both signs: what is cast to 0 stays harmless, so that states may move for ever."""
    sizes = rng.sample([fmpq(i, 2) for i in range(1, 7)], rng.randint(1, 2))
    return FiniteSet([0, *sizes, *(-x for x in sizes)])


def exponential_sum(rng: Random, eigenvalues: Sequence[fmpq]) -> ExponentialSum:
    """Up to four terms c C(k, m) lambda^(k-m) with m <= 2."""
    terms = {(rng.choice(eigenvalues), rng.randint(0, 2)): fraction(rng, -3, 3) for _ in range(rng.randint(1, 4))}
    return ExponentialSum({key: c for key, c in terms.items() if c != 0})
