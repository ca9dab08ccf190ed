"""A contraction as few GH factors: one for each dimension of I - M, and extra ones only for nonreal eigenvalues of a pencil.

Everything happens in one picture (``new.householder.number``): M = I - V L^-T V^T with V^T V = L + L^T - Delta, Delta >= 0. A real eigenvalue
of the pencil Delta x = t L x splits off the last factor; a larger picture of the same M, ``PencilForm.extended``, has room for one factor more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...numerics import exact
from .contractions import require_contraction
from .factors import Array, GeneralizedHouseholder, product
from .search import float_factors

#: how far below 1 a singular value counts as 1 in floats, tried in this order: it costs that much, and spares an ill-conditioned pencil
GAPS = (1e-12, 1e-9)


@dataclass(frozen=True)
class PencilForm:
    """M = I - V L^-T V^T with V^T V = L + L^T - Delta: ``L`` and ``Delta`` k x k, ``V`` n x k, L + L^T > 0, Delta >= 0."""

    L: Array
    Delta: Array
    V: Array

    def extended(self, W: Array, C: Array) -> PencilForm:
        """The same M with k + m dimensions, for W (k x m) and C (m x m) with [[Delta, W], [W^T, C + C^T]] >= 0 and C + C^T > 0."""
        k, m = W.shape
        below, beside = exact.zeros(m, k), exact.zeros(len(self.V), m)
        L = np.block([[self.L, W], [below, C]])
        return PencilForm(L, np.block([[self.Delta, W], [W.T, C + C.T]]), np.hstack([self.V, beside]))

    def split(self, x: Array) -> tuple[GeneralizedHouseholder | None, PencilForm]:
        """(last factor, form of the others) for an eigenvector, Delta x = t L x; the factor is None if it is I."""
        v, height = self.V @ x, x @ self.L @ x
        B = exact.nullspace((self.L @ x)[None, :])
        factor = GeneralizedHouseholder(v, (v @ v) / height) if any(entry != 0 for entry in v) else None
        return factor, PencilForm(exact.multiply(B.T, self.L, B), exact.multiply(B.T, self.Delta, B), exact.multiply(self.V, B))

    def pencil(self) -> Array:
        """L^-1 Delta: its eigenvalues t are 1/s for the eigenvalues s of L - s Delta, and 0 for those at infinity."""
        return exact.multiply(exact.inverse(self.L), self.Delta)

    def factors(self) -> list[GeneralizedHouseholder]:
        """M as at most k factors, for exact forms. Raises ``ValueError`` unless all eigenvalues of the pencil are rational."""
        form, found = self, []
        while len(form.L):
            x = _rational_eigenvector(form.pencil())
            if x is None:
                raise ValueError("expected a pencil with rational eigenvalues only, got others")
            factor, form = form.split(x)
            found += [factor] if factor else []
        return found[::-1]


def pencil_form(M: Array) -> PencilForm:
    """L = I - M, Delta = I - M M^T and V = L^T in a basis of the complement of what M fixes, k = rank(I - M); exact M, ||M|| <= 1."""
    one = exact.identity(len(M))
    D = one - M
    fixed = exact.nullspace(D)
    # a contraction and its transpose fix the same vectors, so D and I - M M^T map the complement into itself
    B = exact.nullspace(fixed.T) if fixed.shape[1] else one
    if B.shape[1] == 0:
        return PencilForm(exact.zeros(0, 0), exact.zeros(0, 0), B)
    return PencilForm(exact.multiply(B.T, D, B), exact.multiply(B.T, one - exact.multiply(M, M.T), B), exact.multiply(D.T, B))


def contraction_factor_bounds(M: Array) -> tuple[int, int]:
    """(low, high): the least number of GH factors with eigenvalues in [-1, 1] whose product is ``M`` lies between, for exact M with ||M|| <= 1.

    low = r + g and high = r + h with r = rank(I - M): the pencil of :func:`pencil_form` has h pairs of nonreal eigenvalues, counted with algebraic
    multiplicity, none of geometric multiplicity above g (``new.householder.between``). Equal for h <= 1, so for n <= 3, symmetric and orthogonal M.
    Raises ``ValueError`` for M as in :func:`fewest_contraction_factors`, and for floats, whose eigenvalues decide nothing.
    """
    M = require_contraction(M)
    if not exact.is_exact(M):
        raise ValueError("expected exact entries, got floats: nothing is decided by rounded eigenvalues")
    form = pencil_form(M)
    rank = len(form.L)
    if rank == 0:
        return 0, 0
    pencil = form.pencil()
    _, parts = exact.characteristic_polynomial(pencil).factor()
    pairs = most = 0
    for part, multiplicity in parts:
        nonreal = part.degree() - exact.count_real_roots(part)
        if nonreal:
            # the roots of an irreducible polynomial share their geometric multiplicity
            most = max(most, (rank - exact.rank(_at(part.coeffs(), pencil))) // part.degree())
            pairs += int(multiplicity) * nonreal // 2
    return rank + most, rank + pairs


def _at(coefficients: list[Any], A: Array) -> Array:
    """The polynomial, lowest coefficient first, at a matrix."""
    value = exact.zeros(*A.shape)
    for c in reversed(coefficients):
        value = exact.multiply(value, A) + exact.identity(len(A)) * c
    return value


def fewest_contraction_factors(M: Array, trials: int = 64) -> list[GeneralizedHouseholder]:
    """GH factors with eigenvalues in [-1, 1] whose product is ``M``: at most rank(I - M) + h <= floor(3n/2), h as in :func:`contraction_factor_bounds`.

    These are the fewest if the two bounds there are equal; otherwise at most their difference is lost. Exact M needs rational eigenvalues; an extra factor
    is the first that serves one pair. In floats ``trials`` random extra factors are tried where there are two pairs or more, and the best is improved: one factor
    may serve several pairs (``new.householder.four``), and what is found then may be fewer; 0 does not search. Seeded, so the same M gives the same factors.

    In floats singular values within 1e-12 of 1 are taken for 1, or within 1e-9 where that comes nearer to M, and an eigenvalue whose argument is below 1e-10 for real.
    Raises ``ValueError`` if M is not square, finite and real, is no contraction, or cannot be done exactly; in floats if the product misses M by more than 1e-8.
    """
    M = require_contraction(M)
    if exact.is_exact(M):
        return _exact_factors(pencil_form(M))
    best, error = [], float("inf")
    for gap in GAPS:
        found = float_factors(M, trials, gap)
        off = float(np.abs(product(found, len(M)).astype(float) - M).max())
        best, error = (found, off) if off < error else (best, error)
        if error <= GAPS[0]:
            break
    if not error <= 1e-8:
        raise ValueError(f"expected singular values away from 1, got some so close that the error is {error:.0e}")
    return best


def _exact_factors(form: PencilForm) -> list[GeneralizedHouseholder]:
    found: list[GeneralizedHouseholder] = []
    # each extra factor serves a pair of eigenvalues, and each split takes a row away: at most k/2 and k + k/2 of them
    for _ in range(2 * len(form.L)):
        if not len(form.L):
            break
        x = _rational_eigenvector(form.pencil())
        if x is None:
            # no eigenvalue is real, so Delta > 0; the extra factor is a reflection, and two more eigenvalues become real
            u = _of_least_degree(form.pencil())
            W = exact.multiply(form.Delta, u)
            form = form.extended(W, exact.multiply(u.T, W) / 2)
            continue
        factor, form = form.split(x)
        found += [factor] if factor else []
    if len(form.L):
        raise ArithmeticError(f"expected as many factors as rows and pairs, got a form of {len(form.L)} rows left over")
    return found[::-1]


def _of_least_degree(pencil: Array) -> Array:
    """A column u in the kernel of an irreducible factor of the pencil at the pencil: an extra factor along it leaves the other eigenvalues alone."""
    _, parts = exact.characteristic_polynomial(pencil).factor()
    part = min((part for part, _ in parts), key=lambda part: part.degree())
    return exact.nullspace(_at(part.coeffs(), pencil))[:, :1]


def _rational_eigenvector(pencil: Array) -> Array | None:
    """An eigenvector to a rational eigenvalue; None if no eigenvalue is real."""
    for t in exact.rational_eigenvalues(pencil):
        return exact.nullspace(pencil - exact.identity(len(pencil)) * t)[:, 0]
    if exact.count_real_roots(exact.characteristic_polynomial(pencil)):
        raise ValueError("expected rational eigenvalues for exact factors, got irrational ones; pass floats instead")
    return None
