"""Rotations of the plane as two reflections, and the counter modulo m (grazzi25, App. C.1)."""

from __future__ import annotations

import numpy as np
from flint import arb

from ...numerics import exact
from ...numerics.cyclotomic import cosine_and_sine
from ..recurrence import Recurrence
from .factors import Array, GeneralizedHouseholder


def rotation(theta: float) -> Array:
    """R(theta), counter-clockwise by ``theta`` radians, float64. Raises ``ValueError`` unless theta is finite."""
    theta = _require_angle(theta)
    return np.array([[np.cos(theta), -np.sin(theta)], [np.sin(theta), np.cos(theta)]])


def rotation_as_two_reflections(theta: float) -> list[GeneralizedHouseholder]:
    """R(theta) = (I - 2 v1 v1^T)(I - 2 v2 v2^T) with unit v1, v2 (grazzi25, App. C.1); theta in radians.

    The mirrors enclose the angle theta / 2. Raises ``ValueError`` unless theta is finite.
    """
    theta = _require_angle(theta)
    return [
        GeneralizedHouseholder(np.array([-np.sin(theta / 2), np.cos(theta / 2)]), 2.0),
        GeneralizedHouseholder(np.array([0.0, 1.0]), 2.0),
    ]


def exact_rotation(m: int, k: int = 1) -> Array:
    """R(2 pi k / m) in exact cyclotomic numbers. Raises ``ValueError`` for m < 1."""
    c, s = cosine_and_sine(m, k)
    return np.array([[c, -s], [s, c]], dtype=object)


def rotation_counter(m: int) -> Recurrence:
    """The layer that counts modulo m by rotation: letter 1 turns by 2 pi / m, letter 0 does nothing (grazzi25, App. C.1).

    Exact in Q(zeta_lcm(4,m)). The decoder is the index of the state on the m-gon; ``None`` for any other state.
    """
    turn, still = exact_rotation(m), exact_rotation(m, 0)
    start = still[:, :1]
    polygon = {exact.freeze(exact_rotation(m, k)[:, :1]): k for k in range(m)}
    nothing = start * 0
    table = {0: (still, nothing), 1: (turn, nothing)}
    return Recurrence.from_table(table, start, lambda H, x: polygon.get(exact.freeze(H)))


def decoder_tolerance(m: int) -> arb:
    """How far the state of :func:`rotation_counter` may be off (Euclidean, strictly less) with the argmax still right.

    Half the distance of neighbouring codewords, sin(pi / m); unbounded, given as +inf, for m = 1. A rigorous ball.
    """
    if m < 1:
        raise ValueError(f"expected a modulus m >= 1, got {m}")
    return arb("inf") if m == 1 else (arb.pi() / m).sin()


def _require_angle(theta: float) -> float:
    if not np.isfinite(theta):
        raise ValueError(f"expected a finite angle in radians, got {theta}")
    return float(theta)
