"""The largest eigenvalue of a Hermitian positive semidefinite matrix: Lanczos' method, compiled by Numba, proposes it and a Cholesky factorisation decides.

Lanczos' method with full reorthogonalisation finds a number near an eigenvalue, and almost surely the largest. That no eigenvalue exceeds it by more than a few
roundings follows when (1 + delta) theta - G has a Cholesky factor; where it has none, LAPACK computes all eigenvalues. Both are cheaper than a reduction to tridiagonal form.
"""

from __future__ import annotations

from functools import cache
from math import inf, isfinite, nan, sqrt

import numpy as np
from scipy.linalg.blas import zherk  # pyright: ignore[reportAttributeAccessIssue] # compiled, without a stub
from scipy.linalg.lapack import zpotrf  # pyright: ignore[reportAttributeAccessIssue] # compiled, without a stub

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
    if isfinite(theta):
        rest = -gram
        rest.T.reshape(-1)[:: n + 1] += theta * (1 + 2 * n * EPS)
        _, info = zpotrf(rest, overwrite_a=1, clean=0)
        if info == 0:
            return theta
    return float(np.linalg.eigvalsh(gram, UPLO="U")[-1])


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
    # the basis: real and imaginary parts
    v, w = np.empty((n, n)), np.empty((n, n))
    for j in range(n):
        v[0, j], w[0, j] = first[0, j], first[1, j]
    # the diagonal, and the squares of what stands beside it
    a, b = np.empty(n), np.empty(n)
    x, y, value, beta, check = np.empty(n), np.empty(n), 0.0, 0.0, 3
    for k in range(n):
        for i in range(n):
            s, t = 0.0, 0.0
            for j in range(n):
                s += real[i, j] * v[k, j] - imag[i, j] * w[k, j]
                t += real[i, j] * w[k, j] + imag[i, j] * v[k, j]
            x[i], y[i] = s, t
        # orthogonal to all before: without that the method loses digits
        for l in range(k, -1, -1):
            s, t = 0.0, 0.0
            for j in range(n):
                s += v[l, j] * x[j] + w[l, j] * y[j]
                t += v[l, j] * y[j] - w[l, j] * x[j]
            if l == k:
                a[k] = s
            for j in range(n):
                x[j] -= v[l, j] * s - w[l, j] * t
                y[j] -= v[l, j] * t + w[l, j] * s
        b[k] = 0.0
        for j in range(n):
            b[k] += x[j] * x[j] + y[j] * y[j]
        value, beta = max(value, a[k]), sqrt(b[k])
        if k + 1 == check or k + 1 == n or beta <= EPS * value:
            # the norm of a symmetric matrix is at most its largest sum of a row
            bound = 0.0
            for i in range(k + 1):
                bound = max(bound, a[i] + (sqrt(b[i]) if i < k else 0.0) + (sqrt(b[i - 1]) if i > 0 else 0.0))
            value, residual = top(a, b, k + 1, bound)
            if residual <= 1e-14 * value or beta <= EPS * value or residual == inf:
                break
            check += 2 if k < 40 else 4
        if k + 1 < n:
            for j in range(n):
                v[k + 1, j], w[k + 1, j] = x[j] / beta, y[j] / beta
    return value


@compiled
def top(a, b, k, bound):
    """The largest eigenvalue of the tridiagonal matrix with diagonal ``a`` and ``b`` the squares beside it, k x k; and the residual of its vector with the next of ``b``; (nan, inf) if not found."""
    x, step = bound, bound
    for _ in range(100 + 10 * k):
        # Newton's method from the right, where the characteristic polynomial is convex
        d, slope = x - a[0], 1.0
        total = slope / d
        for i in range(1, k):
            t = b[i - 1] / d
            slope = 1 + t * slope / d
            d = x - a[i] - t
            total += slope / d
        # not to the right of it any more
        step = 1 / total if d > 0 else 0.0
        x -= step
        if step <= 2 * EPS * x:
            break
    if not step <= 2 * EPS * x:
        return nan, inf
    # the vector from its last entry 1 upwards, where it grows
    e, square, norm = x - a[k - 1], 1.0, 1.0
    for i in range(k - 1, 0, -1):
        square *= e * e / b[i - 1]
        norm += square
        e = x - a[i - 1] - b[i - 1] / e
    return x, sqrt(b[k - 1] / norm)
