"""The exact gain (H-infinity norm) of y_t = A y_{t-1} + K u_t over square-summable sequences: the least Lipschitz constant over all lengths.

The gain is the largest norm of the transfer function G(z) = (I - zA)^-1 K on the unit circle (Zhou, Doyle, Glover, *Robust and Optimal
Control*, 1996, Sec. 4.3 and 21.3). It is below gamma iff H(z) = gamma^2 (I - zA)(I - zA)^* - K K^T is positive definite for all |z| = 1. For
rational A and K that is decided exactly: det H is a polynomial in x = z + 1/z, and Sturm's theorem says whether it vanishes on [-2, 2].
"""

from __future__ import annotations

import numpy as np
from flint import fmpq, fmpq_poly

from . import exact
from .exact import Array


def is_stable(A: Array) -> bool:
    """Exact test that all eigenvalues of a rational matrix have modulus below 1: P - A^T P A = I has a positive definite solution (Stein)."""
    n = len(exact.require_square(A))
    # row-major vec: vec(A^T P A) = (A^T kron A^T) vec(P)
    operator = exact.identity(n * n) - np.kron(A.T, A.T)
    if exact.rank(operator) < n * n:
        return False
    P = (exact.inverse(operator) @ exact.identity(n).reshape(-1)).reshape(n, n)
    return exact.is_positive_definite((P + P.T) / 2)


def gain_is_below(A: Array, K: Array, squared: fmpq) -> bool:
    """Exact: the gain of y_t = A y_{t-1} + K u_t, over all lengths, is below the square root of ``squared``.

    A is (n, n) and K (n, m), both rational. Raises ``ValueError`` if A is not stable, since the gain is then unbounded or not attained by G.
    """
    if not is_stable(A):
        raise ValueError("expected a stable A (all eigenvalues of modulus below 1), got one that is not; its gain is not finite")
    at_one = exact.identity(len(A)) - A
    gram = exact.multiply(K, K.T)
    if not exact.is_positive_definite(exact.multiply(at_one, at_one.T) * squared - gram):
        return False
    return not exact.has_root_in(_determinant(A, gram, squared), fmpq(-2), fmpq(2))


def peak_gain(A: Array, K: Array, digits: int = 6) -> tuple[fmpq, fmpq]:
    """(low, high) with low <= gain < high and high - low <= 10^-digits, both rational and both proved."""
    high = fmpq(1)
    while not gain_is_below(A, K, high * high):
        high *= 2
    low = high / 2 if high > 1 else fmpq(0)
    while high - low > fmpq(1, 10**digits):
        middle = (low + high) / 2
        low, high = (low, middle) if gain_is_below(A, K, middle * middle) else (middle, high)
    return low, high


def toeplitz(A: Array, K: Array, length: int) -> Array:
    """The map (u_1, ..., u_T) -> (y_1, ..., y_T) as one matrix, shape (nT, mT): blocks A^(t-s) K on and below the diagonal."""
    n, m = K.shape
    out, block = exact.zeros(n * length, m * length), K
    for lag in range(length):
        for s in range(length - lag):
            t = s + lag
            out[t * n : (t + 1) * n, s * m : (s + 1) * m] = block
        block = A @ block
    return out


def norm_is_below(M: Array, squared: fmpq) -> bool:
    """Exact: the Euclidean operator norm of a rational matrix is below the square root of ``squared``."""
    return exact.is_positive_definite(exact.identity(M.shape[1]) * squared - exact.multiply(M.T, M))


def norm_bracket(M: Array, digits: int = 6) -> tuple[fmpq, fmpq]:
    """(low, high) with low <= norm < high and high - low <= 10^-digits, found near LAPACK's value and then proved; raises ``ArithmeticError`` if not.

    The width is 10^-digits, less where the bracket is cut at 0: for a norm of about half of that or less.
    """
    guess = fmpq(round(float(np.linalg.norm(exact.as_float(M), 2)) * 10**digits * 2), 10**digits * 2)
    low, high = max(guess - fmpq(1, 2 * 10**digits), fmpq(0)), guess + fmpq(1, 2 * 10**digits)
    if not norm_is_below(M, high * high) or norm_is_below(M, low * low):
        raise ArithmeticError(f"expected the norm in [{low}, {high}), where double precision sees it; exact arithmetic does not")
    return low, high


def _determinant(A: Array, gram: Array, squared: fmpq) -> fmpq_poly:
    """det(squared (I - zA)(I - A^T/z) - gram) as a polynomial in x = z + 1/z of degree at most n, by interpolation at z = 1, 2, ..., n + 1."""
    n = len(A)
    one = exact.identity(n)
    points, values = [], []
    for k in range(1, n + 2):
        z = fmpq(k)
        points.append(z + 1 / z)
        values.append(exact.determinant(exact.multiply(one - A * z, one - A.T / z) * squared - gram))
    total = fmpq_poly([0])
    for i, (x, y) in enumerate(zip(points, values, strict=True)):
        term = fmpq_poly([y])
        for j, other in enumerate(points):
            if j != i:
                term = term * fmpq_poly([-other, 1]) / (x - other)
        total = total + term
    return total
