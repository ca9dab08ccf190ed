"""What the claims of topic vandermonde on sparse inputs demand of their certificates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from ...exact import (
    apply,
    determinant,
    dot,
    inverse,
    is_positive_semidefinite,
    matrix,
    minus,
    natural,
    number,
    one,
    rank,
    require,
    scaled,
    times,
    transpose,
    vector,
)
from ...gaussian_numbers import complex_vector, real_form
from ...registry import statement
from ...schema import Fields, Items, Matrix, Natural, Rational, Vector
from ...typed import Data, Decided
from .demands import complex_vandermonde, gram, vandermonde

# -- sparse inputs -------------------------------------------------------------------------------------------------------------


@statement("orvieto24.thm3", "witness", Fields(nodes=Vector((2, 4), 8), basis=Matrix((2, 8), (2, 4), 4)))
def enough_units(data: Data) -> None:
    """P nodes have rank V_k Psi_k = rank Psi_k for every k, Psi of rank P; P - 1 of them do not have rank P."""
    nodes, basis = vector(data["nodes"]), matrix(data["basis"])
    length, p = len(basis), len(basis[0])
    require(len(nodes) == p == rank(basis) and length >= 2, "Psi of rank P, and P nodes")
    V = vandermonde(nodes, length)
    for k in range(1, length + 1):
        require(rank(times([row[length - k :] for row in V], basis[:k])) == rank(basis[:k]), "rank V_k Psi_k = rank Psi_k")
    require(p == 1 or rank(times(V[1:], basis)) < p, "P - 1 nodes do not do")


@statement(
    "orvieto24.thm3.eq7",
    "witness",
    Fields(nodes=Vector(2, 4), basis=Matrix(2, 2, 4), steps=Natural(1, 1)),
    hypotheses={"nodes": "the nodes are distinct", "rank": "V_L Psi has full rank"},
    violates={"singular": "Gamma_k^T Gamma_k is singular"},
)
def singular_normal_equations(data: Data) -> Decided:
    """Refuted: V_L Psi has full column rank and Gamma_k^T Gamma_k, k <= L, is singular."""
    nodes, basis, k = vector(data["nodes"]), matrix(data["basis"]), natural(data["steps"])
    length, p = len(basis), len(basis[0])
    require(1 <= k <= length and len(nodes) >= p, "k <= L, N >= P")
    V = vandermonde(nodes, length)
    return {
        "nodes": len(set(nodes)) == len(nodes),
        "rank": rank(times(V, basis)) == p,
        "singular": determinant(gram(times([row[length - k :] for row in V], basis[:k]))) == 0,
    }


def reconstruction(V: Sequence[Sequence[Fraction]], basis: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    gamma = times(V, basis)
    return times(times(basis, inverse(gram(gamma))), transpose(gamma))


@statement(
    "orvieto24.sec4.1.sparse",
    "witness",
    Fields(
        nodes=Matrix((3, 6), 2, 4),
        length=Natural(3, 3),
        orthonormal=Matrix(6, 4, 12),
        basis=Matrix(6, 4, 12),
        low=Rational(12),
        high=Rational(12),
        x=Vector(6, 12),
        y=Vector(6, 12),
    ),
)
def no_worse_than_all(data: Data) -> None:
    """In real form: Omega is the same for two bases of a subspace, one orthonormal, and kappa(Omega)^2 <= high / low <= kappa(V)^2."""
    nodes, length = complex_vector(data["nodes"]), natural(data["length"])
    Q, basis, low, high = matrix(data["orthonormal"]), matrix(data["basis"]), number(data["low"]), number(data["high"])
    x, y = vector(data["x"]), vector(data["y"])
    V = real_form(complex_vandermonde(nodes, length))
    require(
        len(set(nodes)) >= length and len(Q) == len(basis) == 2 * length and len(Q[0]) == len(basis[0]) < 2 * length,
        "N >= L distinct nodes, a proper subspace",
    )
    require(gram(Q) == one(len(Q[0])) != gram(basis), "an orthonormal basis, and another one")
    require(rank(basis) == len(basis[0]) == rank([[*r, *s] for r, s in zip(Q, basis, strict=True)]), "of the same subspace")
    require(reconstruction(V, Q) == reconstruction(V, basis), "Omega does not depend on the basis")
    G = gram(V)
    inner = times(times(transpose(Q), G), Q)
    require(0 < low < high, "0 < low < high")
    require(is_positive_semidefinite(minus(inner, scaled(low, one(len(inner))))), "low <= |V Q a|^2 / |a|^2")
    require(is_positive_semidefinite(minus(scaled(high, one(len(inner))), inner)), "|V Q a|^2 / |a|^2 <= high")
    large, small = dot(x, apply(G, x)) / dot(x, x), dot(y, apply(G, y)) / dot(y, y)
    require(large * low >= small * high, "kappa(V)^2 >= high / low")


@statement(
    "new.vandermonde.haar",
    "witness",
    Fields(
        nodes=Items(Items(Natural(-999, 999), 2, 2), 16, 16),
        length=Natural(4096, 4096),
        modulus=Natural(2305843009213693951, 2305843009213693951),
    ),
)
def haar_wavelets_are_determined(data: Data) -> None:
    """16 different nodes (a + bi)/1000 in the ring: (Re, Im) of V Psi, Psi 32 Haar wavelets of length 4096, has rank 32 modulo a number."""
    nodes, length, modulus = [(x, y) for x, y in data["nodes"]], natural(data["length"]), natural(data["modulus"], 2**61)
    require(length == 4096 and len(set(nodes)) == len(nodes) == 16 and modulus > 10**6, "16 different nodes, L = 4096")
    require(all(isinstance(v, int) for x in nodes for v in x), "integers")
    require(all(950**2 <= x * x + y * y <= 1000**2 for x, y in nodes), "nodes in the ring")
    # a pivot with an inverse modulo any number is not 0, whether the number is prime or not
    unit = pow(1000, -1, modulus)
    rows = []
    for x, y in nodes:
        re, im, real, imaginary = 1, 0, [0] * 32, [0] * 32
        for j in range(length - 1, -1, -1):
            for c, entry in haar(j, length):
                real[c] += entry * re
                imaginary[c] += entry * im
            re, im = (re * x - im * y) * unit % modulus, (re * y + im * x) * unit % modulus
        rows += [real, imaginary]
    for column in range(32):
        pivot = next((i for i in range(column, 32) if rows[i][column] % modulus), None)
        require(pivot is not None, "rank 32")
        assert pivot is not None  # said once more, for the type checker
        rows[column], rows[pivot] = rows[pivot], rows[column]
        unit = pow(rows[column][column], -1, modulus)
        for i in range(column + 1, 32):
            q = rows[i][column] * unit % modulus
            rows[i] = [(u - q * v) % modulus for u, v in zip(rows[i], rows[column], strict=True)]


def haar(j: int, length: int) -> Iterator[tuple[int, int]]:
    """(column, value) of the first 32 Haar functions at point j, where they are not 0: the constant, then 1, 2, 4, 8, 16 steps up and down."""
    yield 0, 1
    column, width = 1, length
    while column < 32:
        yield column + j // width, 1 if j % width < width // 2 else -1
        column, width = 2 * column, width // 2
