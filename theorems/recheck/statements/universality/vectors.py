"""What the claim of topic universality on several inputs and outputs demands of its certificates."""

from __future__ import annotations

from fractions import Fraction

from ...cyclotomic import element
from ...exact import natural, require
from ...kinds.shared_head import neurons
from ...registry import statement
from ...schema import Fields, Matrix, Natural, Rational, Vector
from ...typed import Data
from ..vandermonde.demands import field_gram, field_sum, roots, to_power
from .sequences import range_of_error


@statement(
    "new.universality.vectors",
    "witness",
    Fields(
        field=Natural(4, 12),
        nodes=Matrix((1, 3), (2, 4), 4),
        length=Natural(2, 6),
        filter=Fields(inner=Matrix(6, (4, 12), 4), bias=Vector(6, 4), outer=Vector(6, 4), offset=Rational(4)),
        product=Fields(inner=Matrix(14, (4, 12), 4), bias=Vector(14, 16), outer=Vector(14, 32), offset=Rational(4)),
    ),
)
def two_inputs_and_outputs(data: Data) -> None:
    """Half a circle of L/2 units with Re V* V = L/2 I, and on the padded past of two inputs 6 steps within 1/4 of a filter of both, 14 within 1/4 (1 + 10^-5) of a product across them."""
    modulus, nodes, conjugates = roots(data)
    L = natural(data["length"])
    require(
        L >= 2 and L % 2 == 0 and 2 * len(nodes) == len({*nodes, *conjugates}) == L,
        "half of an even number L of nodes, conjugates left out",
    )
    require(all(to_power(x, L, modulus) == element(-1, modulus) for x in nodes), "roots of z^L = -1")
    G, H = field_gram(conjugates, nodes, L, modulus), field_gram(nodes, conjugates, L, modulus)
    for a in range(L):
        for b in range(L):
            require(field_sum([G[a][b], H[a][b]], modulus) == element(L * int(a == b), modulus), "Re V* V = L/2 I")
    newest, other, older = ([Fraction(int(i == at)) for i in range(2 * L)] for at in (L - 1, 2 * L - 1, 2 * L - 2))
    steps, offset = neurons(data["filter"], 2 * L)
    row = [x - y / 2 + z / 4 for x, y, z in zip(newest, other, older, strict=True)]
    require(len(steps) == 6 and all(a == row for a, _, _ in steps), "6 steps along the filter")
    low, high = range_of_error([-b for _, b, _ in steps], [c for _, _, c in steps], lambda u: u, Fraction(7, 4))
    require(max(abs(low - offset), abs(high - offset)) == Fraction(1, 4), "an error of 1/4 of the filter")
    steps, offset = neurons(data["product"], 2 * L)
    rows = [[x + sign * y for x, y in zip(newest, older, strict=True)] for sign in (1, -1)]
    require([a for a, _, _ in steps] == [rows[0]] * 7 + [rows[1]] * 7 and offset == 0, "7 steps along the sum and 7 along the difference")
    require(
        [b for _, b, _ in steps[:7]] == [b for _, b, _ in steps[7:]] and [c for _, _, c in steps[:7]] == [-c for _, _, c in steps[7:]],
        "one staircase, with both signs",
    )
    low, high = range_of_error(
        [-b for _, b, _ in steps[:7]], [c for _, _, c in steps[:7]], lambda u: u * u / 4, Fraction(2), (Fraction(0),)
    )
    require(high - low <= Fraction(1, 4) * (1 + Fraction(1, 10**5)), "an error above 1/4 of the product")
