"""Complex reflections I - 2 v v^* / v^* v over the Gaussian rationals (movahedi25, Theorem D.2)."""

from __future__ import annotations

from math import isqrt
from typing import Any

import numpy as np
from flint import fmpq

from ..numerics.cyclotomic import Cyclotomic, gaussian
from ..numerics.exact import Array


def inner(a: Array, b: Array) -> Cyclotomic:
    """a^* b for vectors of Gaussian rationals."""
    return sum((x.conjugate() * y for x, y in zip(a, b, strict=True)), gaussian(0))


def adjoint(matrix: Array) -> Array:
    """The conjugate transpose."""
    return np.array([[x.conjugate() for x in row] for row in matrix], dtype=object).T


def complex_reflection(v: Array) -> Array:
    """I - 2 v v^* / v^* v, for v nonzero of shape (n,)."""
    star = np.array([x.conjugate() for x in v], dtype=object)
    return gaussian_identity(len(v)) - np.outer(v, star) * (2 / inner(v, v))


def gaussian_identity(n: int) -> Array:
    """The n x n identity over the Gaussian rationals."""
    return np.array([[gaussian(int(i == j)) for j in range(n)] for i in range(n)], dtype=object)


def reflection_and_phase(U: Array, y: Array) -> tuple[Array, Any] | None:
    """(H, z) with U y = z H y, a reflection H and |z| = 1, for unitary ``U``; None if |y^* U y| is irrational.

    With y^* U y = |y^* U y| z and v = y - conj(z) U y, H = I - 2 v v^* / v^* v takes y to conj(z) U y.
    """
    image = U @ y
    w = inner(y, image)
    modulus = _rational_root(w * w.conjugate())
    if modulus is None:
        return None
    z = w / modulus if modulus != 0 else gaussian(1)
    v = y - image * z.conjugate()
    if any(x != 0 for x in v):
        return complex_reflection(v), z
    # U y = z y: a mirror that contains y changes nothing; in dimension 1 the only reflection is -1, and z takes its sign
    if len(y) == 1:
        return -gaussian_identity(1), -z
    return complex_reflection(_orthogonal_to(y)), z


def _orthogonal_to(y: Array) -> Array:
    """A nonzero v with v^* y = 0, in dimension at least 2."""
    v = np.array([gaussian(0)] * len(y), dtype=object)
    v[0], v[1] = -y[1].conjugate(), y[0].conjugate()
    if v[0] == 0 and v[1] == 0:
        v[0] = gaussian(1)
    return v


def _rational_root(x: Cyclotomic) -> fmpq | None:
    """The square root of a nonnegative rational element, if rational."""
    value = (x.polynomial.coeffs() or [fmpq(0)])[0]
    root = fmpq(isqrt(int(value.p)), isqrt(int(value.q)))
    return root if root * root == value else None
