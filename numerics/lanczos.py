"""The largest eigenvalue of a Hermitian positive semidefinite matrix: Lanczos' method, compiled by Numba, proposes it and a Cholesky factorisation decides.

Lanczos' method with full reorthogonalisation finds a number near an eigenvalue, and almost surely the largest. That no eigenvalue exceeds it by more than a few
roundings follows when (1 + delta) theta - G has a Cholesky factor; where it has none, LAPACK computes all eigenvalues. Both are cheaper than a reduction to tridiagonal form.
"""

from __future__ import annotations

from functools import cache
from math import sqrt

import numpy as np
from scipy.linalg.blas import zherk
from scipy.linalg.lapack import zpotrf

from .compiled import kept_on_disk

EPS = float(np.finfo(float).eps)

#: sums may be reordered, and products added with one rounding
compiled = kept_on_disk(fastmath={"reassoc", "contract", "nsz"}, error_model="numpy")


def largest_eigenvalue(matrix: np.ndarray) -> float:
    """Of A A^* for A of shape (n, m): to about 2 n units in the last place."""
    # LAPACK's matrices are columns, so its A is the transpose: the conjugate of A A^*, with the same eigenvalues
    gram = zherk(1.0, matrix.T, trans=2)
    n = len(gram)
    theta = propose(gram.T, start(n))
    rest = -gram
    rest.T.reshape(-1)[:: n + 1] += theta * (1 + 2 * n * EPS)
    _, info = zpotrf(rest, overwrite_a=1, clean=0)
    return theta if info == 0 else float(np.linalg.eigvalsh(gram, UPLO="U")[-1])


@cache
def start(n: int) -> np.ndarray:
    """Random phases over sqrt(n): no coordinate is left out, also where the eigenvector is one of them. Real above imaginary parts, (2, n)."""
    angles = np.random.default_rng(n).uniform(0, 2 * np.pi, n)
    return np.stack([np.cos(angles), np.sin(angles)]) / sqrt(n)


@compiled
def propose(lower, first):
    """Lanczos' method for the Hermitian matrix with this ``lower`` triangle, until the residual is 10^-14 of the value."""
    n = lower.shape[0]
    real, imag = np.empty((n, n)), np.empty((n, n))
    for i in range(n):
        for j in range(i + 1):
            z = lower[i, j]
            real[i, j], imag[i, j] = z.real, z.imag
            real[j, i], imag[j, i] = z.real, -z.imag
    basis = np.empty((2, n, n))
    basis[:, 0] = first
    # the diagonal, and the squares of what stands beside it
    a, b = np.empty(n), np.empty(n)
    u, w, value, beta, check = np.empty(n), np.empty(n), 0.0, 0.0, 3
    for k in range(n):
        v, v_imag = basis[0, k], basis[1, k]
        for i in range(n):
            x, y = 0.0, 0.0
            for j in range(n):
                x += real[i, j] * v[j] - imag[i, j] * v_imag[j]
                y += real[i, j] * v_imag[j] + imag[i, j] * v[j]
            u[i], w[i] = x, y
        # without all of them the method loses digits
        for l in range(k, -1, -1):
            q, q_imag, x, y = basis[0, l], basis[1, l], 0.0, 0.0
            for j in range(n):
                x += q[j] * u[j] + q_imag[j] * w[j]
                y += q[j] * w[j] - q_imag[j] * u[j]
            if l == k:
                a[k] = x
            for j in range(n):
                u[j] -= q[j] * x - q_imag[j] * y
                w[j] -= q[j] * y + q_imag[j] * x
        b[k] = 0.0
        for j in range(n):
            b[k] += u[j] * u[j] + w[j] * w[j]
        value, beta = max(value, a[k]), sqrt(b[k])
        if k + 1 == check or k + 1 == n or beta <= EPS * value:
            # the norm of a symmetric matrix is at most its largest sum of a row
            bound = 0.0
            for i in range(k + 1):
                bound = max(bound, a[i] + (sqrt(b[i]) if i < k else 0.0) + (sqrt(b[i - 1]) if i > 0 else 0.0))
            value, residual = top(a, b, k + 1, bound)
            if residual <= 1e-14 * value or beta <= EPS * value:
                break
            check += 2 if k < 40 else 4
        if k + 1 < n:
            for j in range(n):
                basis[0, k + 1, j], basis[1, k + 1, j] = u[j] / beta, w[j] / beta
    return value


@compiled
def top(a, b, k, bound):
    """The largest eigenvalue of the tridiagonal matrix with diagonal ``a`` and ``b`` the squares beside it, k x k; and the residual of its vector with the next of ``b``."""
    x = bound
    for _ in range(200):
        # Newton's method from the right, where the characteristic polynomial is convex
        d, slope = x - a[0], 1.0
        total = slope / d
        for i in range(1, k):
            t = b[i - 1] / d
            slope = 1 + t * slope / d
            d = x - a[i] - t
            total += slope / d
        if not d > 0:
            break
        x -= 1 / total
        if 1 / total <= 2 * EPS * x:
            break
    # the vector from its last entry 1 upwards, where it grows
    e, square, norm = x - a[k - 1], 1.0, 1.0
    for i in range(k - 1, 0, -1):
        square *= e * e / b[i - 1]
        norm += square
        e = x - a[i - 1] - b[i - 1] / e
    return x, sqrt(b[k - 1] / norm)
