"""What the slips of App. C.2 and Sec. 4.3 demand of their counterexamples."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from ...exact import determinant, minus, natural, one, rank, require, times
from ...registry import instances, refuted, statement
from ...schema import Fields, Items, Matrix, Natural, Rational
from ...typed import Data, Decided


@instances("grazzi25.prop1.3.positive", "witness")
def one_projection() -> Iterable[Data]:
    yield {"n": 2, "betas": [0, 1]}


@statement(
    "grazzi25.prop1.3.positive",
    "witness",
    Fields(n=Natural(2, 2), betas=Items(Natural(0, 1), 2, 2)),
    hypotheses={"range": "1 - beta lies in [0, 1] for both factors"},
    violates={"zero": "0 is an eigenvalue of the product", "norm": "the norm of the product is 1"},
)
def projection(data: Data) -> Decided:
    """Along the first and the last axis of the plane: diag(1 - beta_1, 1 - beta_2), with an entry 0 and an entry 1."""
    n, betas = natural(data["n"]), [natural(b) for b in data["betas"]]
    first, last = one(n), one(n)
    first[0][0], last[n - 1][n - 1] = Fraction(1 - betas[0]), Fraction(1 - betas[1])
    m = times(first, last)
    entries = [m[i][i] for i in range(n)]
    diagonal = all(m[i][j] == 0 for i in range(n) for j in range(n) if i != j)
    return {
        "range": all(0 <= b <= 1 for b in betas),
        "zero": determinant(m) == 0,
        "norm": diagonal and max(entries) == 1 and min(entries) >= 0,
    }


@instances("grazzi25.prop1.2.swap", "witness")
def a_cycle_of_three() -> Iterable[Data]:
    yield {"permutation": [1, 2, 0]}


@statement(
    "grazzi25.prop1.2.swap",
    "witness",
    Fields(permutation=Items(Natural(0, 2), 3, 3)),
    hypotheses={"swaps": "P is a product of k swaps, k <= n - 1"},
    violates={"determinant": "k reflections have another determinant than a swap"},
)
def even_number_of_swaps(data: Data) -> Decided:
    """rank(P - I) = 2 swaps multiply to a 3-cycle, whose determinant is 1; a swap's is -1."""
    p = [natural(i) for i in data["permutation"]]
    n = len(p)
    m = [[Fraction(p[j] == i) for j in range(n)] for i in range(n)]
    k = rank(minus(m, one(n)))
    return {"swaps": sorted(p) == list(range(n)) and determinant(m) == (-1) ** k and k <= n - 1, "determinant": (-1) ** k != -1}


@refuted(
    "grazzi25.prop1.2.range",
    {"missing": "x lies in [-1, 1] and not in Omega"},
    {"reached": "every number of [-1, 1] is a product of two numbers of Omega"},
    omega=Matrix((1, 3), 2, 8),
    x=Rational(8),
)
def smaller_range(omega: list[list[Fraction]], x: Fraction) -> Decided:
    """The products of two intervals are an interval, whose ends are products of ends; from -1 on they have to overlap up to 1."""
    require(all(a <= b for a, b in omega), "intervals")
    corners = [[a * b for a in left for b in right] for left in omega for right in omega]
    reached = -1
    for low, high in sorted((min(c), max(c)) for c in corners):
        if low <= reached:
            reached = max(reached, high)
    starts = any(min(c) <= -1 for c in corners)
    return {"missing": -1 <= x <= 1 and not any(a <= x <= b for a, b in omega), "reached": starts and reached >= 1}
