"""What the claims of topic householder demand of their certificates: mixers (movahedi25, Theorem D.2, Eq. 10)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...exact import (
    apply,
    determinant,
    dot,
    is_orthogonal,
    matrix,
    minus,
    norm_at_most,
    number,
    one,
    rank,
    require,
    scaled,
    square,
    transpose,
    vector,
)
from ...gaussian import adjoint, complex_rank, gaussian_matrix, product
from ...polynomials import count_real_roots
from ...registry import statement
from ...roots import characteristic, is_positive_definite, norm_below
from ...schema import Fields, Items, Matrix, Rational, Truth, Vector
from ...typed import Certificates, Data, Decided
from .demands import product_of


@statement(
    "movahedi25.thmD2",
    "witness",
    Fields(
        U=Items(Matrix((2, 3), (0, 2), 8), 2, 3), y=Matrix((2, 3), (0, 2), 4), H=Items(Matrix((2, 3), (0, 2), 4), 2, 3), z=Vector((1, 2), 4)
    ),
)
def reflection_and_phase(data: Data) -> None:
    """U unitary, y not 0, H a reflection, |z| = 1 and U y = z H y."""
    u, h = gaussian_matrix(data["U"]), gaussian_matrix(data["H"])
    y = gaussian_matrix([[x] for x in data["y"]])
    z = gaussian_matrix([[data["z"]]])
    n = len(u[0])
    unit = (one(n), scaled(0, one(n)))
    require(n >= 2 and product(adjoint(u), u) == unit, "U is unitary")
    require(product(h, h) == unit and adjoint(h) == h, "H is an involution and self-adjoint")
    require(complex_rank((minus(one(n), h[0]), scaled(-1, h[1]))) == 1, "H is a reflection")
    require(product(adjoint(z), z) == ([[1]], [[0]]) and any(any(row) for part in y for row in part), "|z| = 1 and y is not 0")
    require(product(u, y) == product(product(h, y), z), "U y = z H y")


def mixer(data: Data) -> tuple[list[list[Fraction]], list[Fraction]]:
    """(Q, alphas, number of vectors) of Eq. 10, prod (I - 2 alpha u u^T / u^T u)."""
    alphas, us = [number(a) for a in data["alphas"]], [vector(u) for u in data["us"]]
    require(len(alphas) == len(us) > 0, "an alpha for each vector")
    require(
        all(0 < a < 1 for a in alphas) and all(any(u) and len(u) == len(us[0]) for u in us), "0 < alpha < 1, nonzero vectors of one size"
    )
    return product_of([(u, 2 * a) for u, a in zip(us, alphas, strict=True)]), alphas


def rest_of(q: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    return minus(one(len(q)), q)


@statement(
    "movahedi25.appD.orthogonal",
    "not-below-one",
    Fields(matrix=Matrix(1, 1, 4), vector=Vector(1, 4), strict=Truth()),
    hypotheses={"orthogonal": "Q is orthogonal", "short": "|Q| < 1"},
    violates={"difference": "|1 - Q| is not below 1"},
)
def orthogonal_or_contractive(data: Data) -> Decided:
    """Q = I - matrix, which is orthogonal if the norm of I - Q is above 1 and contractive if it is 1."""
    q = rest_of(square(matrix(data["matrix"])))
    difference = {"difference": not norm_below(rest_of(q), Fraction(1))}
    return difference | ({"orthogonal": is_orthogonal(q)} if data["strict"] else {"short": norm_below(q, Fraction(1))})


def criterion(q: Sequence[Sequence[Fraction]]) -> bool:
    return is_positive_definite(minus(minus(q, scaled(-1, transpose(q))), one(len(q))))


@statement("movahedi25.appD.orthogonal.amended", "witness", Fields(Q=Matrix((2, 5), (2, 5), 8)))
def angles_below_sixty_degrees(data: Data) -> None:
    """For an orthogonal Q, |I - Q| < 1 iff Q + Q^T - I is positive definite."""
    q = square(matrix(data["Q"]))
    require(is_orthogonal(q) and q != one(len(q)), "an orthogonal Q other than I")
    require(norm_below(rest_of(q), Fraction(1)) == criterion(q), "the criterion")


@statement("movahedi25.appD.orthogonal.amended")
def both_sides(certificates: Certificates) -> None:
    """Some Q meet the criterion, some do not."""
    require({criterion(matrix(data["Q"])) for _, data in certificates} == {True, False}, "both sides of 60 degrees")


@statement(
    "movahedi25.appD.low-rank",
    "witness",
    Fields(alphas=Vector(1, 4), us=Matrix(1, 2, 4)),
    hypotheses={"sum": "sum alpha_i <= 1"},
    violates={"kept": "(I - Q) x = x, so ||I - Q|| >= 1", "singular": "Q is singular"},
)
def fewer_terms_than_dimensions(data: Data) -> Decided:
    """Q = sum alpha u u^T with unit u, alpha > 0 and sum <= 1: I - Q does not shorten every vector, and Q is singular."""
    alphas, us = [number(a) for a in data["alphas"]], [vector(u) for u in data["us"]]
    require(len(alphas) == len(us) > 0 and all(a > 0 for a in alphas), "positive alphas")
    require(all(dot(u, u) == 1 for u in us), "unit vectors")
    n = len(us[0])
    q = [[sum((a * u[i] * u[j] for a, u in zip(alphas, us, strict=True)), Fraction(0)) for j in range(n)] for i in range(n)]
    return {
        "sum": sum(alphas) <= 1,
        "kept": rank(q) < n and not norm_below(rest_of(q), Fraction(1)),
        "singular": determinant(q) == 0,
    }


@statement(
    "movahedi25.eq10.contractive",
    "witness",
    Fields(alphas=Vector(1, 4), us=Matrix(1, 1, 4)),
    hypotheses={"alpha": "0 < alpha < 1"},
    violates={"norm": "||I - Q|| is not below 1", "determinant": "det Q = 0"},
)
def singular_mixer(data: Data) -> Decided:
    """A mixer of Eq. 10 that is singular, with |I - Q| >= 1."""
    q, alphas = mixer(data)
    return {
        "alpha": all(0 < a < 1 for a in alphas),
        "norm": not norm_below(rest_of(q), Fraction(1)),
        "determinant": determinant(q) == 0,
    }


@statement(
    "movahedi25.eq10.negative",
    "witness",
    Fields(alphas=Vector(1, 4), us=Matrix(1, 1, 4), eigenvalue=Rational(4), vector=Vector(1, 4)),
    hypotheses={"alpha": "0 < alpha < 1", "negative": "Q has a negative eigenvalue"},
    violates={"norm": "||I - Q|| >= 1 - mu > 1"},
)
def negative_eigenvalue_of_the_mixer(data: Data) -> Decided:
    """A mixer of Eq. 10 with Q v = mu v, mu < 0, and |I - Q| > 1."""
    (q, alphas), mu, v = mixer(data), number(data["eigenvalue"]), vector(data["vector"])
    return {
        "alpha": all(0 < a < 1 for a in alphas),
        "negative": mu < 0 and any(v) and apply(q, v) == [mu * x for x in v],
        "norm": 1 - mu > 1 and not norm_at_most(rest_of(q), Fraction(1)),
    }


@statement("movahedi25.eq10.amended", "witness", Fields(alphas=Vector((2, 4), 8), us=Matrix((2, 4), (1, 4), 4)))
def small_angles(data: Data) -> None:
    """A mixer with sum alpha < 1/2, two factors at least: |I - Q| < 1, and Q has no eigenvalue in (-inf, 0]."""
    q, alphas = mixer(data)
    require(len(alphas) >= 2 and sum(alphas) < Fraction(1, 2), "two factors at least, sum alpha < 1/2")
    require(norm_below(rest_of(q), Fraction(1)) and determinant(q) != 0, "|I - Q| < 1, and Q is invertible")
    require(count_real_roots(characteristic(q), None, Fraction(0)) == 0, "no eigenvalue in (-inf, 0]")


@statement(
    "movahedi25.appD.collapse.loss",
    "witness",
    Fields(alpha=Rational(4), us=Matrix(2, 2, 4), target=Matrix(2, 2, 4)),
    hypotheses={"unit": "u_1 and u_2 are unit vectors"},
    violates={"apart": "a descent step makes |u_1.u_2| smaller"},
)
def a_step_turns_them_apart(data: Data) -> Decided:
    """Along the sphere the rate of u_1.u_2 under descent of |alpha (u_1 u_1^T + u_2 u_2^T) - P|^2 / 2 has the sign against it."""
    alpha, (u, v), p = number(data["alpha"]), matrix(data["us"]), square(matrix(data["target"]))
    g = [[alpha * (u[i] * u[j] + v[i] * v[j]) - p[i][j] for j in range(2)] for i in range(2)]
    c = dot(u, v)
    # G u.v - (u.v)(u.G u), and the same with u and v exchanged
    rate = -2 * alpha * (2 * dot(apply(g, u), v) - c * (dot(u, apply(g, u)) + dot(v, apply(g, v))))
    return {"unit": dot(u, u) == 1 == dot(v, v), "apart": rate * c < 0}
