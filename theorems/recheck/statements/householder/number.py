"""What the claims on the number of factors of a contraction demand of their certificates."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ...exact import (
    determinant,
    inverse,
    is_positive_semidefinite,
    matrix,
    minus,
    number,
    one,
    plus,
    rank,
    require,
    scaled,
    square,
    times,
    transpose,
)
from ...gaussian import gaussian
from ...polynomials import polynomial
from ...polynomials import times as multiplied
from ...registry import statement
from ...roots import all_roots_between, characteristic, is_positive_definite
from ...schema import Fields, Items, Matrix, Rational, Tuple, Vector
from ...shapes import GHFactors
from ...typed import Certificates, Data
from .demands import gh_factors, in_range, product_of
from .instances import products_with_all_eigenvalues_in_range


def shrinking(m: Sequence[Sequence[Fraction]]) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """(I - M, I - M M^T) for a contraction with invertible I - M."""
    d, e = minus(one(len(square(m))), m), minus(one(len(m)), times(m, transpose(m)))
    require(determinant(d) != 0 and is_positive_semidefinite(e), "a contraction without the eigenvalue 1")
    return d, e


def criterion(
    m: Sequence[Sequence[Fraction]], w: Sequence[Sequence[Fraction]], c: Sequence[Sequence[Fraction]]
) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """(L, Delta) of the criterion, with the inequalities that it asks for."""
    d, e = shrinking(m)
    g = plus(c, transpose(square(c)))
    require(len(w) == len(m) and all(len(row) == len(c) for row in w) and is_positive_definite(g), "W of n rows, and C + C^T > 0")
    left = [[*row, *extra] for row, extra in zip(d, w, strict=True)] + [[*[Fraction(0)] * len(m), *row] for row in c]
    right = [[*row, *extra] for pair in ((e, w), (transpose(w), g)) for row, extra in zip(*pair, strict=True)]
    require(is_positive_semidefinite(right), "[[E, W], [W^T, C + C^T]] >= 0")
    return left, right


def real_zeros(p: Sequence[Any]) -> bool:
    largest = 2 + sum(abs(x) for x in p) / abs(p[-1])
    return all_roots_between(p, -largest, largest)


@statement(
    "new.householder.number",
    "witness",
    Fields(
        matrix=Matrix((1, 3), (1, 3), 32),
        W=Matrix((1, 3), (1, 2), 16),
        C=Matrix((1, 2), (1, 2), 8),
        factors=GHFactors((1, 3), 2, 5, 32),
    ),
)
def factors_and_criterion(data: Data) -> None:
    """A product of n + m factors with eigenvalues in [-1, 1], and W, C for it whose determinant has only real zeros."""
    factors = gh_factors(data["factors"])
    in_range(factors, -1, 1)
    m, w, c = product_of(factors), matrix(data["W"]), matrix(data["C"])
    require(m == matrix(data["matrix"]), "the factors multiply to M")
    left, right = criterion(m, w, c)
    require(len(factors) == len(m) + len(c), "n + m factors")
    require(real_zeros(characteristic(times(inverse(left), right))), "only real zeros")


@statement("new.householder.number")
def of_the_family(certificates: Certificates) -> None:
    """The matrices are products of the seeded family with more than n factors, in its order; n = 1, 2, 3 and m = 1, 2 occur."""
    family = iter([product_of(f) for f in products_with_all_eigenvalues_in_range() if len(f) > len(f[0][0])])
    for _, data in certificates:
        require(matrix(data["matrix"]) in family, "a product of the family, none twice, in its order")
    require({len(data["matrix"]) for _, data in certificates} == {1, 2, 3}, "n = 1, 2, 3")
    require({len(data["C"]) for _, data in certificates} == {1, 2}, "m = 1, 2")


def pencil_pairs(m: Sequence[Sequence[Fraction]], pairs: Sequence[Any], rest: Sequence[Any]) -> tuple[int, int]:
    """(g, h) of the pencil: its characteristic polynomial is that of the ``pairs`` x^2 + b x + c, without real zeros, times the real-rooted ``rest``."""
    d, e = shrinking(m)
    a = times(inverse(d), e)
    product, rest, most = [Fraction(1)], polynomial(rest), 0
    for b, c in ([number(x) for x in pair] for pair in pairs):
        require(b * b < 4 * c, "a pair of nonreal eigenvalues")
        product = multiplied(product, [c, b, Fraction(1)])
        quadratic = plus(plus(times(a, a), scaled(b, a)), scaled(c, one(len(a))))
        most = max(most, (len(a) - rank(quadratic)) // 2)
    require(multiplied(product, rest) == characteristic(a) and (len(rest) == 1 or real_zeros(rest)), "these eigenvalues, and real ones")
    return most, len(pairs)


@statement(
    "new.householder.between",
    "witness",
    Fields(
        matrix=Matrix((2, 6), (2, 6), 32),
        factors=GHFactors((2, 6), 2, 9, 64),
        pairs=Matrix((0, 3), 2, 8),
        rest=Vector((1, 4), 4),
    ),
)
def number_between(data: Data) -> None:
    """A contraction as k factors with eigenvalues in [-1, 1], n + g <= k <= n + h; no eigenvalue 1."""
    m, factors = matrix(data["matrix"]), gh_factors(data["factors"])
    in_range(factors, -1, 1)
    require(product_of(factors) == m, "the factors multiply to M")
    most, pairs = pencil_pairs(m, data["pairs"], data["rest"])
    require(len(m) + most <= len(factors) <= len(m) + pairs, "n + g <= k <= n + h")


def two_turns(nu: Sequence[Sequence[str]]) -> tuple[list[list[Fraction]], list[tuple[Fraction, Fraction]]]:
    """The direct sum of two scaled rotations with eigenvalues (1 - conj(nu)) / (1 + nu), Re nu > 0 and Im nu > 0, and the points (a, b)."""
    points = [gaussian(x) for x in nu]
    require(len(points) == 2 and points[0] != points[1] and all(a > 0 and b > 0 for a, b in points), "two different points, a, b > 0")
    m = [[Fraction(0)] * 4 for _ in range(4)]
    for j, (a, b) in enumerate(points):
        length = (1 + a) ** 2 + b * b
        x, y = (1 - a * a + b * b) / length, 2 * a * b / length
        m[2 * j][2 * j], m[2 * j][2 * j + 1], m[2 * j + 1][2 * j], m[2 * j + 1][2 * j + 1] = x, -y, y, x
    return m, points


def corners(path: str) -> tuple[Any, ...]:
    """A piece of the triangle of weights: each letter halves the side that faces the first corner and keeps one half, 0 or 1."""
    require(isinstance(path, str) and len(path) <= 30 and set(path) <= {"0", "1"}, "a path of bisections")
    top, left, right = [(Fraction(a), Fraction(b)) for a, b in ((0, 0), (1, 0), (0, 1))]
    for letter in path:
        middle = ((left[0] + right[0]) / 2, (left[1] + right[1]) / 2)
        top, left, right = middle, top, (left if letter == "0" else right)
    return top, left, right


def gaussian_times(*factors: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    x, y = Fraction(1), Fraction(0)
    for a, b in factors:
        x, y = x * a - y * b, x * b + y * a
    return x, y


def extra_polynomial(
    points: Sequence[tuple[Fraction, Fraction]], weights: tuple[Fraction, Fraction], y: tuple[Fraction, Fraction]
) -> tuple[Fraction, Fraction]:
    """q(y) = y p_1 p_2 - (y^2 - 1)(w_1 (y - a_1) p_2 + w_2 (y - a_2) p_1), p_j = (y - a_j)^2 + b_j^2, at a complex y."""
    lines = [(y[0] - a, y[1]) for a, _ in points]
    p = [gaussian_times(line, line) for line in lines]
    p = [(x + b * b, i) for (x, i), (_, b) in zip(p, points, strict=True)]
    x, i = gaussian_times(y, *p)
    s = gaussian_times(y, y)
    for w, line, other in zip(weights, lines, reversed(p), strict=True):
        u, v = gaussian_times((s[0] - 1, s[1]), line, other)
        x, i = x - w * u, i - w * v
    return x, i


def no_weights_serve(
    points: Sequence[tuple[Fraction, Fraction]],
    path: str,
    z: tuple[Fraction, Fraction],
    low: tuple[Fraction, Fraction],
    along: tuple[Fraction, Fraction],
) -> None:
    """|q(z)| |along| < Re(conj(along) q(low)) at the corners, with low under z: q is larger at low than at z, so not all its zeros are real."""
    require(low[0] == z[0] and abs(low[1]) < abs(z[1]), "a point nearer to the real line on the same vertical line")
    for weights in corners(path):
        (x, y), (u, v) = extra_polynomial(points, weights, z), extra_polynomial(points, weights, low)
        right = along[0] * u + along[1] * v
        require(
            right > 0 and (x * x + y * y) * (along[0] ** 2 + along[1] ** 2) < right * right,
            "the polynomial is larger nearer to the real line",
        )


@statement(
    "new.householder.four",
    "witness",
    Fields(
        optional={
            "pieces": Items(Tuple(Rational(8), Vector(2, 8), Vector(2, 8), Vector(2, 8)), 4, 7),
            "W": Matrix(4, 1, 4),
            "C": Matrix(1, 1, 4),
        },
        nu=Matrix(2, 2, 8),
    ),
)
def five_or_six(data: Data) -> None:
    """Two scaled rotations with different nonreal pairs: W, C with only real zeros (five), or pieces that cover all weights and exclude them (six)."""
    m, points = two_turns(data["nu"])
    if "W" in data:
        left, right = criterion(m, matrix(data["W"]), matrix(data["C"]))
        require(len(left) == 5 and real_zeros(characteristic(times(inverse(left), right))), "five factors: only real zeros")
        return
    paths = []
    for path, z, low, along in data["pieces"]:
        no_weights_serve(points, path, *(gaussian(x) for x in (z, low, along)))
        paths.append(path)
    require(not any(i != j and r.startswith(p) for i, p in enumerate(paths) for j, r in enumerate(paths)), "pieces that do not overlap")
    require(sum(Fraction(1, 2 ** len(path)) for path in paths) == 1, "pieces that cover all weights")


@statement("new.householder.four")
def both_occur(certificates: Certificates) -> None:
    """A pair that needs five, and pairs that need six."""
    require({"W" in data for _, data in certificates} == {False, True}, "both occur")


@statement("new.householder.near", "witness", Fields(radius=Rational(12), c=Rational(4)))
def violated_within(data: Data) -> None:
    """For ||M - c (J + J)|| <= radius the determinant with n = 4, m = 1, s = (1 - ic)/(1 - c^2) is too small for real zeros, in rational bounds."""
    c, radius = number(data["c"]), number(data["radius"])
    require(0 < c < 1 and radius > 0, "0 < c < 1, and a neighbourhood")
    square_of_s = (1 + c * c) / (1 - c * c) ** 2
    s, smallest = 1 + square_of_s, 1 + c * c
    for _ in range(8):
        # Newton's steps fall to |s| and sqrt(1 + c^2) from above
        s, smallest = (s + square_of_s / s) / 2, (smallest + (1 + c * c) / smallest) / 2
    smallest = (1 + c * c) / smallest
    # of E = 1 - c^2, and of D - sE, whose singular values are 2c, 2c, 0, 0
    change = 2 * c * radius + radius * radius
    epsilon = radius + s * change
    # |1 - s| = c |s|, |1 - 2s| <= (1 + c) |s|, and W W^T <= E
    border = 2 * c * s * s * (1 - c * c + change) + (1 + c) * s * epsilon
    most, least = (2 * c + epsilon) ** 2 * epsilon * border, (smallest - radius) ** 4
    require(smallest > radius and most**2 < least**2 * (c * c / (1 + c * c)) ** 5, "five factors fail")
