"""Addition modulo m with reflections only (grazzi25, Theorem 6, App. D)."""

from __future__ import annotations

import numpy as np

from ...numerics.cyclotomic import root_of_unity, rotation_order
from ...numerics.exact import Array, freeze
from ..parity import scalar
from ..recurrence import Recurrence, Stack


def mirror(m: int, k: int) -> Array:
    """H(pi k / m): the reflection of the plane at the line of angle pi k / (2 m), exact in Q(zeta_lcm(4, 2m))."""
    order = rotation_order(2 * m)
    zeta, i = root_of_unity(order, k * (order // (2 * m))), root_of_unity(order, order // 4)
    cos, sin = (zeta + zeta.conjugate()) / 2, (zeta - zeta.conjugate()) / (2 * i)
    return np.array([[cos, sin], [sin, -cos]], dtype=object)


def addition_by_reflections(m: int) -> Stack:
    """Two layers that add modulo m, every transition a reflection: theta(i, 1) = (1-2i) pi/m, theta(i, 0) = (1+2i) pi/m.

    Layer 1 is the scalar h -> -h + 1, the parity of the position; layer 2 lives on 2m points of the circle, rotated ones
    at even and mirrored ones at odd times. Letters are 0 .. m-1. Raises ``ValueError`` for m < 1.
    """
    if m < 1:
        raise ValueError(f"expected a modulus m >= 1, got {m}")
    position = {x: (scalar(-1), scalar(1)) for x in range(m)}
    first = Recurrence.from_table(position, scalar(0), lambda H, x: (x, int(H[0, 0])))
    one = mirror(m, 0)[:, :1]
    nothing = one * 0
    turns = {(x, odd): (mirror(m, 1 - 2 * x if odd else 1 + 2 * x), nothing) for x in range(m) for odd in (0, 1)}
    points = {}
    for i in range(m):
        # d_i = R(2 i pi / m) d_0 and c_i = R(-2 i pi / m) H(pi / m) d_0, each as the image of (1, 0)
        points[freeze(mirror(m, 2 * i) @ one)] = i
        points[freeze(mirror(m, 1 - 2 * i) @ one)] = i
    second = Recurrence.from_table(turns, one, lambda H, y: points.get(freeze(H)))
    return Stack((first, second))
