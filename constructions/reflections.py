"""Mixers of Eq. 10 (movahedi25, App. D.3.2) with r factors I - 2 alpha u u^T and one alpha: how far from the identity they can be.

Applied to x, a factor gives a vector at the distance alpha |x| from (1 - alpha) x. In the plane, with complex numbers for vectors, it multiplies by a point
of the circle with the diameter [1 - 2 alpha, 1], and each such point z is reached by the factor whose u is the direction of 1 - z.
"""

from __future__ import annotations

from math import pi

import numpy as np
from flint import fmpq, fmpq_poly

from ..numerics import exact
from ..numerics.exact import Array
from .householder import GeneralizedHouseholder, product


def circle_point(alpha: fmpq, m: fmpq) -> tuple[fmpq, fmpq]:
    """1 - alpha + alpha e^(i psi), tan(psi / 2) = m: a rational point of the circle, as (real, imaginary) part."""
    size = 1 + m * m
    return 1 - alpha + alpha * (1 - m * m) / size, 2 * alpha * m / size


def complex_power(z: tuple[fmpq, fmpq], r: int) -> tuple[fmpq, fmpq]:
    """z^r, r >= 0."""
    x, y = fmpq(1), fmpq(0)
    for _ in range(r):
        x, y = x * z[0] - y * z[1], x * z[1] + y * z[0]
    return x, y


def equal_angles(z: tuple[fmpq, fmpq], r: int) -> list[Array]:
    """u_1, ..., u_r in the plane, not normalised: the directions of (1 - z) z^(k - 1), each turned against the one before by the angle of z."""
    out = []
    for k in range(r):
        x, y = complex_power(z, k)
        out.append(exact.rationals([x * (1 - z[0]) + y * z[1], y * (1 - z[0]) - x * z[1]]))
    return out


def mixer(alpha: fmpq, vectors: list[Array]) -> Array:
    """Q: the factor of the first vector is applied first."""
    return product([GeneralizedHouseholder(u, 2 * alpha) for u in reversed(vectors)], len(vectors[0]))


def closeness(r: int, alpha: fmpq) -> fmpq_poly:
    """P with P(t) = 1 - |1 - z^r|^2, for t = |z|^2 of a point z of the circle: 2 Re z^r - t^r as a Dickson polynomial of 2 Re z = (t + 1 - 2 alpha)/(1 - alpha)."""
    t = fmpq_poly([0, 1])
    x = (t + (1 - 2 * alpha)) / (1 - alpha)
    before, now = fmpq_poly([2]), x
    for _ in range(r - 1):
        before, now = now, x * now - t * before
    return now - t**r


def contracts(r: int, alpha: fmpq) -> bool:
    """Exact: ||I - Q|| < 1 for all r unit vectors, 0 < alpha < 1/2: P has no root for t in [(1 - 2 alpha)^2, 1], where it starts positive (Sturm)."""
    return not exact.has_root_in(closeness(r, alpha), (1 - 2 * alpha) ** 2, fmpq(1))


def threshold(r: int, points: int = 200_001) -> float:
    """alpha_r as a float: 1/(2 alpha_r) is the largest real part of 1/(1 - (1 + w)^(1/r)) on the unit circle."""
    w = np.exp(1j * np.linspace(0, pi, points)[:-1])
    return float(1 / (2 * (1 / (1 - (1 + w) ** (1 / r))).real.max()))
