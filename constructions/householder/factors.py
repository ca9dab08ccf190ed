"""Generalized Householder (GH) factors, products of them, and reflections for orthogonal matrices and permutations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from flint import fmpq

from ...numerics import exact

Array = np.ndarray

EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class GeneralizedHouseholder:
    """I - beta v v^T / (v^T v): eigenvalue 1 - beta along ``v``, shape (n,), and 1 across it; a reflection for beta = 2."""

    v: Array
    beta: Any = 2

    def matrix(self) -> Array:
        """The n x n matrix."""
        v = np.asarray(self.v)
        return identity_like(v) - np.outer(v * (self.beta / (v @ v)), v)

    def apply(self, matrix: Array) -> Array:
        """The factor times ``matrix``, shape (n, m), as a rank-one update: O(n m) instead of a matrix product."""
        v = np.asarray(self.v)
        return matrix - np.outer(v * (self.beta / (v @ v)), v @ matrix)

    def _repr_latex_(self) -> str:
        entries = r" \\ ".join(str(x) for x in self.v)
        return rf"$I - {self.beta}\, vv^\top/(v^\top v),\quad v = \begin{{pmatrix}} {entries} \end{{pmatrix}}$"


def product(factors: Sequence[GeneralizedHouseholder], n: int) -> Array:
    """The product of the factors, left to right; the n x n identity (over the rationals) for none."""
    if not factors:
        return exact.identity(n)
    out = factors[-1].matrix()
    for factor in reversed(factors[:-1]):
        out = factor.apply(out)
    return out


# -- orthogonal matrices ------------------------------------------------------------------------------------------------


def reflections(Q: Array) -> list[GeneralizedHouseholder]:
    """Reflections (beta = 2) whose product is the orthogonal matrix ``Q``: exactly rank(Q - I) of them, the fewest.

    Reflect Q e_i back onto e_i, one axis at a time (Cartan-Dieudonne, Scherk 1950). Exact entries give exact factors;
    floats are taken as orthogonal up to 1e-9. Raises ``ValueError`` if Q is not square, finite, real and orthogonal.
    """
    Q = require_real(Q)
    n = len(Q)
    if exact.is_exact(Q):
        Q = Q.astype(object)
        if not np.array_equal(Q.T @ Q, exact.identity(n)):
            raise ValueError("expected an orthogonal matrix, got one with Q^T Q different from I")
        tolerance = 0.0
    else:
        Q = Q.astype(np.float64)
        defect = float(np.abs(Q.T @ Q - np.eye(n)).max())
        if defect > 1e-9:
            raise ValueError(f"expected an orthogonal matrix, got one with |Q^T Q - I| up to {defect:.1e}")
        tolerance = noise(n)
    rest, factors = Q, []
    for i in range(n):
        axes = identity_like(rest[0])
        mirror = mirror_between(rest[:, i], axes[:, i], axes[:, :i], tolerance)
        if mirror:
            factors.append(mirror)
            rest = mirror.apply(rest)
    return factors


def permutation_matrix(permutation: Sequence[int]) -> Array:
    """P with P e_i = e_{permutation[i]}. Raises ``ValueError`` unless the argument permutes 0 .. n-1, n >= 1."""
    return boolean_transition(_require_permutation(permutation))


def swaps(permutation: Sequence[int]) -> list[GeneralizedHouseholder]:
    """Swaps e_i - e_j whose product is the permutation matrix: n minus the number of cycles, the fewest reflections."""
    rest, factors = list(_require_permutation(permutation)), []
    for i in range(len(rest)):
        j = rest[i]
        if j != i:
            v = exact.unit_vector(len(rest), j)
            v[i] = fmpq(-1)
            factors.append(GeneralizedHouseholder(v))
            rest[rest.index(i)], rest[i] = j, i
    return factors


def cycles(permutation: Sequence[int]) -> list[tuple[int, ...]]:
    """The cycles of a permutation of 0 .. n-1, fixed points included."""
    found, seen = [], set()
    for start in range(len(permutation)):
        cycle, i = [], start
        while i not in seen:
            seen.add(i)
            cycle.append(i)
            i = permutation[i]
        if cycle:
            found.append(tuple(cycle))
    return found


def compose(g: Sequence[int], h: Sequence[int]) -> tuple[int, ...]:
    """The permutation g after h."""
    return tuple(g[i] for i in h)


def zero_factors(n: int) -> list[GeneralizedHouseholder]:
    """The zero matrix as n projections I - e_i e_i^T (grazzi25, App. C.5); fewer GH factors cannot give it."""
    if n < 1:
        raise ValueError(f"expected a size n >= 1, got {n}")
    return [GeneralizedHouseholder(exact.unit_vector(n, i), fmpq(1)) for i in range(n)]


def boolean_transition(function: Sequence[int]) -> Array:
    """The one-hot transition of q -> function[q] on n states: column q is e_{function[q]} (grazzi25, App. A.3)."""
    n = len(function)
    matrix = exact.zeros(n, n)
    for q, image in enumerate(function):
        if not 0 <= image < n:
            raise ValueError(f"expected states in 0 .. {n - 1}, got {image}")
        matrix[image, q] = fmpq(1)
    return matrix


# -- helpers ------------------------------------------------------------------------------------------------------------


def _require_permutation(permutation: Sequence[int]) -> Sequence[int]:
    n = len(permutation)
    if n == 0 or sorted(permutation) != list(range(n)):
        raise ValueError(f"expected a permutation of 0 .. n-1 with n >= 1, got {list(permutation)}")
    return permutation


def require_real(M: Array) -> Array:
    M = exact.require_square(M)
    if np.iscomplexobj(M) or (M.dtype == object and any(isinstance(x, complex) for x in M.flat)):
        raise ValueError("expected a real matrix, got complex entries")
    return M


def identity_like(v: Array) -> Array:
    """The identity of size len(v), exact if v is."""
    return exact.identity(len(v)) if v.dtype == object else np.eye(len(v))


def mirror_between(x: Array, y: Array, fixed: Array, tolerance: float) -> GeneralizedHouseholder | None:
    """The reflection that swaps x and y, vectors of equal length; None if they are equal (up to ``tolerance``).

    x and y are orthogonal to the orthonormal columns of ``fixed``, which therefore stay put.
    """
    v = x - y
    if tolerance == 0:
        return GeneralizedHouseholder(v) if any(entry != 0 for entry in v) else None
    s = x + y
    opposite = float(s @ s) <= float(v @ v)
    # what is orthogonal on paper is made so, twice: a short v would magnify the rounding by 1 / |v|
    for _ in range(2):
        if float(np.linalg.norm(v)) <= tolerance:
            return None
        v = v if opposite else v - s * ((v @ s) / (s @ s))
        v = v - fixed @ (fixed.T @ v)
    return GeneralizedHouseholder(v)


def noise(n: int) -> float:
    """Displacements of unit vectors up to this size count as rounding: 16 sqrt(n) eps."""
    return 16 * sqrt(n) * EPS
