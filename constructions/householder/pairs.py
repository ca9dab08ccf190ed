"""Two scaled rotations, 4 x 4: five GH factors by weights, or six by a triangulation of all weights (``new.householder.four``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import frexp
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq

from ...numerics import exact
from .factors import Array

#: a + ib, or a pair of weights
Point = tuple[fmpq, fmpq]

HALF = fmpq(1, 2)


class Piece(NamedTuple):
    """A triangle of weights, as the bisections that lead to it ("" is all of them), and why none of its polynomials has only real zeros.

    ``low`` lies under ``z``: the same real part, an imaginary part nearer to 0. A polynomial with real zeros is at least as large at z as at low,
    but all of these are smaller at z than at low in the direction ``along``.
    """

    path: str
    z: Point
    low: Point
    along: Point


def turn_at(nu: Point) -> Array:
    """[[x, -y], [y, x]] with x + iy = (1 - conj(nu)) / (1 + nu), for Re nu > 0: a scaled rotation whose pencil has the eigenvalues (1 + nu)/2 and its conjugate."""
    a, b = nu
    length = (1 + a) ** 2 + b**2
    x, y = ((1 - a) * (1 + a) + b**2) / length, 2 * a * b / length
    return exact.rationals([[x, -y], [y, x]])


def pair_of_turns(first: Point, second: Point) -> Array:
    """The direct sum of two scaled rotations, 4 x 4."""
    return exact.block_diagonal([turn_at(first), turn_at(second)])


def triangle(path: str) -> tuple[Point, Point, Point]:
    """The corners of a piece of {w_1, w_2 >= 0, w_1 + w_2 <= 1}: each letter halves the side that faces the first corner and keeps one half, 0 or 1."""
    zero, one = fmpq(0), fmpq(1)
    top, left, right = (zero, zero), (one, zero), (zero, one)
    for letter in path:
        middle = ((left[0] + right[0]) * HALF, (left[1] + right[1]) * HALF)
        top, left, right = middle, top, (left if letter == "0" else right)
    return top, left, right


def parts_at(first: Point, second: Point, y: Point) -> list[Point]:
    """(u, v_1, v_2) with q(y) = u - w_1 v_1 - w_2 v_2, exactly, for complex y and q of ``new.householder.four``."""

    def times(*factors: Point) -> Point:
        x, z = fmpq(1), fmpq(0)
        for a, b in factors:
            x, z = x * a - z * b, x * b + z * a
        return x, z

    def minus(c: fmpq, d: fmpq) -> Point:
        return y[0] - c, y[1] - d

    quadratic = [times(minus(a, b), minus(a, -b)) for a, b in (first, second)]
    square = times(minus(fmpq(1), fmpq(0)), minus(fmpq(-1), fmpq(0)))
    lines = [minus(a, fmpq(0)) for a, _ in (first, second)]
    return [times(y, *quadratic), times(square, lines[0], quadratic[1]), times(square, lines[1], quadratic[0])]


def excludes(first: Point, second: Point, piece: Piece) -> bool:
    """|q(z)| |along| < Re(conj(along) q(low)) at all corners, so at all weights of the piece: the left side is convex in them, the right side affine."""
    (a, b), (c, d) = piece.low, piece.along
    if a != piece.z[0] or abs(b) >= abs(piece.z[1]):
        return False
    at_z, at_low = parts_at(first, second, piece.z), parts_at(first, second, piece.low)
    for w1, w2 in triangle(piece.path):
        (x, y), (u, v) = ([parts[0][i] - w1 * parts[1][i] - w2 * parts[2][i] for i in (0, 1)] for parts in (at_z, at_low))
        right = c * u + d * v
        if right <= 0 or (x**2 + y**2) * (c**2 + d**2) >= right**2:
            return False
    return True


def triangulation(first: Point, second: Point, deepest: int = 14) -> list[Piece] | None:
    """Pieces that cover all weights and exclude them, so that ``pair_of_turns(first, second)`` needs six factors; None if bisection to that depth finds none."""
    polynomials = _polynomials(first, second)
    found: list[Piece] = []
    waiting = [""]
    while waiting:
        path = waiting.pop()
        piece = next((p for p in _candidates(polynomials, path) if excludes(first, second, p)), None)
        if piece:
            found.append(piece)
        elif len(path) == deepest:
            return None
        else:
            waiting += [path + "1", path + "0"]
    return found


def _polynomials(first: Point, second: Point) -> Callable[[float, float], Array]:
    """(w_1, w_2) -> the coefficients of q in floats, highest first."""
    (a, b), (c, d) = ((float(x), float(y)) for x, y in (first, second))
    p, r = np.array([1, -2 * a, a * a + b * b]), np.array([1, -2 * c, c * c + d * d])
    base, square = np.polymul([1, 0], np.polymul(p, r)), np.array([1, 0, -1])
    left, right = np.polymul(square, np.polymul([1, -a], r)), np.polymul(square, np.polymul([1, -c], p))
    return lambda w1, w2: base - w1 * left - w2 * right


def _candidates(polynomials: Callable[[float, float], Array], path: str) -> Iterator[Piece]:
    """Under the nonreal zeros of q in the middle of the triangle, rounded to ten bits: the real line first, half of the height next."""
    w1, w2 = (float(sum((corner[i] for corner in triangle(path)), fmpq(0))) / 3 for i in (0, 1))
    q = polynomials(w1, w2)
    for zero in np.roots(q):
        z = _short(zero)
        if z[1] > 0:
            for low in ((z[0], fmpq(0)), (z[0], z[1] / 2)):
                value: Any = np.polyval(q, complex(float(low[0]), float(low[1])))
                yield Piece(path, z, low, _short(value))


def _short(z: complex) -> Point:
    """Real and imaginary part rounded to ten bits."""

    def rounded(x: float) -> fmpq:
        mantissa, exponent = frexp(x)
        return fmpq(round(1024 * mantissa), 1024) * fmpq(2) ** exponent

    return rounded(z.real), rounded(z.imag)
