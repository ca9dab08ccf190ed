"""What the claims on eigenvalues and norms of short products, of topic householder, demand of their certificates."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...exact import apply, dot, freeze, is_orthogonal, matrix, number, require
from ...gaussian import gaussian, gaussian_vector
from ...registry import statement
from ...roots import all_roots_between, characteristic, divided_by_root, roots_inside
from ...schema import Fields, Items, Matrix, Natural, Rational, Truth, Tuple, Vector
from ...shapes import GHFactors
from ...typed import Certificates, Data, Decided
from .demands import declared_range, gh_factors, gh_matrix, in_range, product_of

# -- Proposition 1.3 ------------------------------------------------------------------------------------------------------


@statement("grazzi25.prop1.3", "witness", Fields(factors=GHFactors((1, 5), 1, 6)))
def one_or_inside(data: Data) -> None:
    """Eigenvalues of a product with ranges in (-1, 1]: once the roots 1 are divided out, all have modulus below 1 (Schur and Cohn)."""
    factors = gh_factors(data["factors"])
    in_range(factors, -1, 1, open_below=True)
    rest, _ = divided_by_root(characteristic(product_of(factors)), Fraction(1))
    require(len(rest) > 1 and roots_inside(rest), "every other eigenvalue lies inside the unit disc")


def squares(parts: Sequence[Sequence[Fraction]]) -> Fraction:
    return sum((dot(x, x) for x in parts), Fraction(0))


def length_after(v: tuple[Sequence[Fraction], Sequence[Fraction]], z: Sequence[Fraction], beta: Fraction) -> Fraction:
    """|C v|^2 for C = I - beta z z^T / z^T z and complex v."""
    return squares([apply(gh_matrix(z, beta), x) for x in v])


@statement(
    "grazzi25.prop1.3.display",
    "witness",
    Fields(factors=GHFactors(2, 2, 2), eigenvalue=Vector(2, 4), vector=Matrix(2, (1, 2), 8)),
    hypotheses={"eigenvector": "N v = lambda v", "complex": "lambda is not real", "betas": "both betas lie in (0, 2)"},
    violates={"length": "the display differs from |C_2 v|^2"},
)
def complex_eigenvector(data: Data) -> Decided:
    """N v = lambda v, lambda not real, N = C_1 C_2 with ranges in (-1, 1): |C_2 v|^2 differs from the displayed value, both over |v|^2."""
    factors = gh_factors(data["factors"])
    require(len(factors) == 2, "two factors")
    (a, b), (x, y) = gaussian(data["eigenvalue"]), gaussian_vector(data["vector"])
    n = product_of(factors)
    require(any(x) or any(y), "v is not 0")
    real, imaginary = [a * p - b * q for p, q in zip(x, y, strict=True)], [b * p + a * q for p, q in zip(x, y, strict=True)]
    (z, beta), whole = factors[1], squares((x, y))
    # (v^T z)^2 = (p + iq)^2
    p, q = dot(x, z), dot(y, z)
    weight = beta * (2 - beta) / dot(z, z)
    displayed = (whole - weight * (p * p - q * q), -weight * 2 * p * q)
    return {
        "eigenvector": apply(n, x) == real and apply(n, y) == imaginary,
        "complex": b != 0,
        "betas": all(0 < strength < 2 for _, strength in factors),
        "length": displayed != (length_after((x, y), z, beta), 0),
    }


@statement("grazzi25.prop1.3.display.amended", "witness", Fields(factors=GHFactors((1, 3), 1, 1), vector=Matrix((1, 3), 2, 4)))
def complex_vector(data: Data) -> None:
    """|C v|^2 = |v|^2 - beta (2 - beta) |z^T v|^2 / z^T z for a complex v that is not orthogonal to z."""
    ((z, beta),), (x, y) = gh_factors(data["factors"]), gaussian_vector(data["vector"])
    overlap = (dot(x, z) ** 2 + dot(y, z) ** 2) / dot(z, z)
    require(any(x) and any(y) and overlap and beta * (2 - beta), "a complex vector that the factor changes")
    require(length_after((x, y), z, beta) == squares((x, y)) - beta * (2 - beta) * overlap, "the length")


@statement("grazzi25.prop1.3.two", "witness", Fields(factors=GHFactors((1, 5), 2, 2)))
def two_factors(data: Data) -> None:
    """Two factors with eigenvalues in [0, 1], vectors neither parallel nor orthogonal: all eigenvalues of the product are real and in [0, 1]."""
    factors = gh_factors(data["factors"])
    in_range(factors, 0, 1)
    require(len(factors) == 2 and all(beta for _, beta in factors), "two factors that are not I")
    (v, _), (w, _) = factors
    require(dot(v, w) != 0, "vectors that are not orthogonal")
    require(all_roots_between(characteristic(product_of(factors)), 0, 1), "all eigenvalues lie in [0, 1]")


@statement("grazzi25.prop1.3.orthogonal", "witness", Fields(factors=GHFactors((1, 4), 1, 4)))
def not_orthogonal(data: Data) -> None:
    """A product with ranges in (-1, 1], not all factors I, is not orthogonal."""
    factors = gh_factors(data["factors"])
    in_range(factors, -1, 1, open_below=True)
    require(not is_orthogonal(product_of(factors)), "the product is not orthogonal")


@statement(
    "new.householder.three-projections",
    "gh-product",
    Fields(matrix=Matrix(2, 2, 8), factors=GHFactors(2, 3, 3), low=Rational(4), high=Rational(4), fewest=Truth(only=False)),
)
def three_of_the_plane(data: Data) -> None:
    """Three projections of the plane."""
    declared_range(data, 0, 1)
    factors = gh_factors(data["factors"])
    require([beta for _, beta in factors] == [1, 1, 1] and len(data["matrix"]) == 2, "three projections of the plane")


@statement("new.householder.three-projections", "eigenvector", Fields(matrix=Matrix(2, 2, 8), eigenvalue=Rational(8), vector=Vector(2, 4)))
def negative_eigenvalue(data: Data) -> None:
    """The eigenvalue is negative."""
    require(number(data["eigenvalue"]) < 0, "a negative eigenvalue")


@statement(
    "new.householder.three-projections",
    "eventually-periodic",
    Fields(
        D=Vector(2, 4),
        layers=Items(
            Fields(
                maps=Items(Fields(A=Matrix(2, 2, 8), B=Matrix(2, 1, 4)), 1, 1),
                H0=Matrix(2, 1, 4),
                before=Items(Natural(0, 0), 0, 0),
                period=Items(Natural(0, 0), 1, 1),
                P=Matrix(2, 2, 4),
                P_inverse=Matrix(2, 2, 4),
                blocks=Items(Tuple(Rational(8), Natural(1, 1)), 2, 2),
                settled=Natural(2, 2),
                threshold=Natural(3, 3),
                cycle=Items(Matrix(2, 1, 4), 2, 2),
            ),
            1,
            1,
        ),
    ),
)
def alternates(data: Data) -> None:
    """One layer on 1^k with D free of 0, whose two states of the cycle differ."""
    require(len(data["layers"]) == 1 and all(number(x) != 0 for x in data["D"]), "one layer, D without 0")
    (layer,) = data["layers"]
    require(layer["before"] == [] and layer["period"] == [0] and len(layer["maps"]) == 1, "the word 111...")
    require(matrix(layer["H0"]) == [[0], [-1]] and matrix(layer["maps"][0]["B"]) == [[0], [1]], "B = w and H_0 = -w for the eigenvector w")
    even, odd = layer["cycle"]
    require(freeze(matrix(even)) != freeze(matrix(odd)), "the cycle has two states")


@statement("new.householder.three-projections")
def one_matrix(certificates: Certificates) -> None:
    """The product, its eigenvalue and the layer are about one matrix."""
    table = dict(certificates)
    require(len(table) == len(certificates) == 3, "one certificate of each kind")
    (first, *others) = [
        matrix(table["gh-product"]["matrix"]),
        matrix(table["eigenvector"]["matrix"]),
        matrix(table["eventually-periodic"]["layers"][0]["maps"][0]["A"]),
    ]
    require(all(m == first for m in others), "one matrix")
