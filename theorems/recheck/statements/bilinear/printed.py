"""Demands of the misprints of lizaire26 on products (App. A.1.3, A.7 to A.10)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...exact import apply, matrix, natural, require, times, transpose, vector
from ...registry import statement
from ...schema import Fields, Items, Matrix, Natural, Vector
from ...sparse import layers_of, run
from ...typed import Data, Decided
from .demands import degrees_in_first

ONE_UNIT = Fields(A=Items(Matrix(1, 1, 4), 1, 1), V=Matrix(1, 1, 4), U=Matrix(1, 1, 4), b=Vector(1, 4), initial=Vector(1, 4))


@statement(
    "lizaire26.def4.shape",
    "witness",
    Fields(n=Natural(2, 2), d=Natural(1, 1), matrix=Matrix(1, 2, 4)),
    violates={"applies": "its columns are not as many as an input has components", "returns": "its rows are not as many as a state has"},
)
def def4_shape(data: Data) -> Decided:
    """A matrix of shape d x n; U x needs n x d."""
    n, d, U = natural(data["n"]), natural(data["d"]), matrix(data["matrix"])
    require((len(U), len(U[0])) == (d, n), "the printed shape")
    return {"applies": len(U[0]) != d, "returns": len(U) != n}


@statement(
    "lizaire26.thm3.list",
    "witness",
    Fields(layers=Items(ONE_UNIT, 1, 1)),
    hypotheses={"listed": "L layers are listed"},
    violates={"degree": "the largest degree of h_2 in x_1 is not L + 1"},
)
def thm3_list(data: Data) -> Decided:
    """L = 1 layer of the listed kind, A = 1 and h_0 = 1."""
    layers = layers_of(data["layers"])
    require(all(A == [[[1]]] and initial == [1] for A, _, _, _, initial in layers), "the listed parameters")
    return {"listed": len(layers) == 1, "degree": max(degrees_in_first(layers)) != len(layers) + 1}


@statement(
    "lizaire26.thmA.7.1.display",
    "witness",
    Fields(layers=Items(ONE_UNIT, 3, 3)),
    hypotheses={"first": "the first layer has b = 1"},
    violates={"state": "the printed product gives another state"},
)
def thmA71_display(data: Data) -> Decided:
    """Layers of one unit with U and b alone, b only in the first: the state is the product of the other U, printed is a power of the last."""
    layers = layers_of(data["layers"])
    require(all(A == [[[0]]] and V == [[0]] and h == [0] for A, V, _, _, h in layers), "U and b alone")
    (first, *rest), weights = layers, [U[0][0] for _, _, U, _, _ in layers[1:]]
    require(first[2] == [[0]] and all(b == [0] for _, _, _, b, _ in rest), "b in the first layer alone, which reads nothing")
    zero = [Fraction(0)]
    state = run(layers, [zero, zero])[1][-1][0]
    return {"first": first[3] == [1], "state": state != weights[-1] ** len(weights)}


def first_state(factors: Sequence[Sequence[Sequence[Fraction]]], start: Sequence[Fraction], x: Sequence[Fraction]) -> Sequence[Fraction]:
    """C diag(A^T h_0) B^T x."""
    A, B, C = factors
    weights, read = apply(transpose(A), start), apply(transpose(B), x)
    return apply(C, [w * v for w, v in zip(weights, read, strict=True)])


@statement(
    "lizaire26.thm4.columns",
    "witness",
    Fields(factors=Items(Matrix((1, 3), 2, 4), 3, 3), initial=Vector(3, 4), x=Vector(1, 4)),
    hypotheses={"rank": "R < n"},
    violates={"state": "with the columns j >= R the first state is another one"},
)
def thm4_columns(data: Data) -> Decided:
    """A CPBIRNN of rank R and one layer, and its first state when the columns before the R-th are 0."""
    factors = [matrix(m) for m in data["factors"]]
    R = len(factors[0][0])
    start, x = vector(data["initial"]), vector(data["x"])
    require(all(len(m[0]) == R for m in factors) and len(factors[0]) == len(start), "factors of one rank")
    last = [[[v if j >= R - 1 else Fraction(0) for j, v in enumerate(row)] for row in m] for m in factors]
    return {"rank": len(start) > R, "state": first_state(factors, start, x) != first_state(last, start, x)}


@statement(
    "lizaire26.thm5.display",
    "witness",
    Fields(tensor=Items(Matrix(1, 2, 4), 2, 2), initial=Vector(2, 4), x=Vector(1, 4)),
    hypotheses={"step": "by Definition 2 the first state is e_2"},
    violates={"product": "the printed product is another vector"},
)
def thm5_display(data: Data) -> Decided:
    """One step of a bilinear layer, d = 1: f_1 = M^T f_0 with M = A x_2 x_1; printed is M f_0."""
    A, start, (x,) = [matrix(block) for block in data["tensor"]], vector(data["initial"]), vector(data["x"])
    M = times([[x, Fraction(0)], [Fraction(0), x]], [block[0] for block in A])
    state = apply(transpose(M), start)
    return {"step": state == [0, 1], "product": apply(M, start) != state}
