"""Addition modulo m (grazzi25, Theorem 6, App. D) and the dihedral groups, S_3 among them, with one reflection per letter and layer."""

from __future__ import annotations

import numpy as np

from ...numerics.cyclotomic import root_of_unity, rotation_order
from ...numerics.exact import Array, freeze, rationals
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


def dihedral_step(m: int, element: tuple[int, int], letter: tuple[str, int]) -> tuple[int, int]:
    """The product letter * element in D_m; (theta, epsilon) stands for r^theta s^epsilon, ("r", a) for r^a, ("s", a) for r^a s."""
    theta, epsilon = element
    kind, a = letter
    return ((theta + a) % m, epsilon) if kind == "r" else ((a - theta) % m, 1 - epsilon)


def dihedral_by_reflections(m: int) -> Stack:
    """Two layers of width 2, each with one reflection per letter, for the word problem of D_m; m = 3 is S_3.

    The angle theta turns at a rotation and flips at a reflection; a layer with one reflection per letter can only flip. So layer
    2 holds phi = eta theta, where the sign eta changes at every rotation: phi -> -phi - eta a at r^a, phi -> -phi + eta a at r^a s.
    Layer 1 holds the two signs, eta and (-1)^epsilon, and flips one of them at each letter. Letters are ("r", a), ("s", a) with
    0 <= a < m, outputs (theta, epsilon). Raises ``ValueError`` for m < 1.
    """
    if m < 1:
        raise ValueError(f"expected a modulus m >= 1, got {m}")
    letters = [(kind, a) for kind in "rs" for a in range(m)]
    flips = {"r": rationals([[-1, 0], [0, 1]]), "s": rationals([[1, 0], [0, -1]])}
    signs = rationals([[1], [1]])
    first = Recurrence.from_table({x: (flips[x[0]], signs * 0) for x in letters}, signs, lambda H, x: (x, int(H[0, 0]), int(H[1, 0] == -1)))
    start = mirror(m, 0)[:, :1]
    polygon = {freeze(mirror(m, 2 * phi)[:, :1]): phi for phi in range(m)}

    def flip(letter: tuple[tuple[str, int], int, int]) -> Array:
        (_, a), eta, _ = letter
        # eta is the sign after the letter: at a rotation it has just changed
        return mirror(m, 2 * eta * a)

    def decode(H: Array, letter: tuple[tuple[str, int], int, int]) -> tuple[int, int] | None:
        phi = polygon.get(freeze(H))
        return None if phi is None else (letter[1] * phi % m, letter[2])

    return Stack((first, Recurrence(flip, lambda _: start * 0, start, decode)))
