"""A contraction as at most 2n - 1 GH factors, by its polar form: backward stable, but not the fewest."""

from __future__ import annotations

from math import isqrt
from typing import Any

import numpy as np
from flint import fmpq

from ...numerics import exact
from .factors import EPS, Array, GeneralizedHouseholder, mirror_between, reflections, require_real


def contraction_factors(M: Array) -> list[GeneralizedHouseholder]:
    """At most 2n - 1 GH factors with eigenvalues in [-1, 1] whose product is ``M``, for every M with ||M|| <= 1.

    Polar form M = W P. If W has no eigenvalue 1, flip one eigenvector of P: W D then has it, so W D is n - 1 reflections,
    and D P is n GH factors along the eigenvectors of P. Backward stable in floats; exact for exact M whose singular
    values are rational. Raises ``ValueError`` if M is not square, finite and real, is no contraction, or cannot be done exactly.
    :func:`fewest_contraction_factors` needs only floor(3n/2).
    """
    M = require_contraction(M)
    sigma, u, w = polar(M)
    spectrum = list(sigma)
    orthogonal = reflections(w)
    if len(orthogonal) == len(M):
        # no eigenvalue 1, so det W = (-1)^n; one flip makes it (-1)^(n+1), which forces an eigenvalue 1
        spectrum[0] = -spectrum[0]
        orthogonal = reflections(w @ GeneralizedHouseholder(u[:, 0]).matrix())
    negligible = 0 if exact.is_exact(M) else 4 * EPS
    diagonal = [GeneralizedHouseholder(u[:, i], 1 - s) for i, s in enumerate(spectrum) if abs(1 - s) > negligible]
    if exact.is_exact(M):
        return orthogonal + diagonal
    return [GeneralizedHouseholder(f.v, float(f.beta)) for f in orthogonal + diagonal]


def polar(M: Array) -> tuple[list[Any], Array, Array]:
    """(singular values, orthogonal eigenvectors u of M^T M as columns, orthogonal W) with M = W sum sigma u u^T / u^T u."""
    if not exact.is_exact(M):
        left, sigma, right = np.linalg.svd(M)
        return list(np.clip(sigma, 0.0, 1.0)), right.T, left @ right
    n = len(M)
    sigma, columns = [], []
    gram = exact.multiply(M.T, M)
    for eigenvalue in exact.rational_eigenvalues(gram):
        root = _rational_square_root(eigenvalue)
        for u in _orthogonalise(exact.nullspace(gram - exact.identity(n) * eigenvalue)):
            sigma.append(root)
            columns.append(u)
    if len(columns) < n:
        raise ValueError("expected rational singular values for exact factors, got irrational ones; pass floats instead")
    u, w = np.stack(columns, axis=1), exact.identity(n)
    for i in range(n):
        if sigma[i] != 0:
            # reflect the image so far onto M u / sigma; earlier images are orthogonal to the difference and stay
            mirror = mirror_between(w @ u[:, i], M @ u[:, i] / sigma[i], u[:, :0], 0.0)
            w = mirror.apply(w) if mirror else w
    return sigma, u, w


def _rational_square_root(x: fmpq) -> fmpq:
    root = fmpq(_integer_root(x.p), _integer_root(x.q))
    if root * root != x:
        raise ValueError("expected rational singular values for exact factors, got irrational ones; pass floats instead")
    return root


def _integer_root(k: Any) -> int:
    return isqrt(int(k))


def _orthogonalise(basis: Array) -> list[Array]:
    """Gram-Schmidt without norms: orthogonal columns with the same span, still rational."""
    done: list[Array] = []
    for v in basis.T:
        for u in done:
            v = v - u * ((u @ v) / (u @ u))
        done.append(v)
    return done


def require_contraction(M: Array) -> Array:
    M = require_real(M)
    if exact.is_exact(M):
        M = exact.rationals(M)
        if not exact.is_contraction(M):
            raise ValueError("expected a contraction (||M|| <= 1), got a matrix of larger norm")
        return M
    M = M.astype(np.float64)
    norm = float(np.linalg.norm(M, 2))
    if norm > 1 + 1e-12 * len(M):
        raise ValueError(f"expected a contraction (||M|| <= 1), got norm {norm:.6g}")
    return M
