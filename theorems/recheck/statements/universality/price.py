"""What the claims of topic universality demand of their certificates: maps that vary in time."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from math import factorial
from typing import Any

from ...exact import apply, dot, matrix, natural, number, rank, require, times, transpose, vector
from ...kinds.shared_head import left_on_cube, neurons
from ...registry import statement
from ...schema import Fields, Items, Matrix, Natural, Rational, Vector
from ...typed import Certificates, Data
from .demands import ascending, piecewise_linear
from .sequences import model


@statement(
    "new.universality.price",
    "shared-head",
    Fields(
        nodes=Vector((2, 3), 4),
        largest=Natural(1, 1),
        head=Fields(inner=Matrix((5, 6), (3, 4), 8), bias=Vector((5, 6), 8), outer=Vector((5, 6), 24), offset=Rational(4)),
        heads=Items(Fields(inner=Matrix((0, 3), (1, 3), 4), bias=Vector((0, 3), 4), outer=Vector((0, 3), 24), offset=Rational(12)), 2, 3),
    ),
)
def unrelated_values(data: Data) -> None:
    """The heads are staircases in the newest token whose values are 1, q, q^2, ... with q = 2 (M - 1)! + 1, M of them in all; the shared head has M - 1 steps."""
    _, head, heads = model(data)
    values = []
    for k, g in enumerate(heads, 1):
        cuts, jumps = ([-b for b in vector(g["bias"])], vector(g["outer"])) if g["bias"] else ([], [])
        require(all(vector(row) == [Fraction(0)] * (k - 1) + [Fraction(1)] for row in g["inner"]), "steps in the newest token")
        require(ascending([Fraction(-1), *cuts, Fraction(1)]), "thresholds inside (-1, 1), ascending")
        values += itertools.accumulate(jumps, initial=number(g["offset"]))
    M = len(values)
    require(values == [(2 * factorial(M - 1) + 1) ** i for i in range(M)] and len(heads) < M, "values that no small integers relate")
    require(len(head["bias"]) == M - 1, "another number of neurons")


@statement(
    "new.universality.clocks",
    "witness",
    Fields(
        nodes=Vector((2, 6), 8),
        direction=Vector((2, 6), 8),
        n=Natural(2, 5),
        corners=Matrix((2, 6), (5, 7), 8),
        values=Matrix((2, 6), (5, 7), 8),
        inner=Matrix((8, 20), (4, 12), 24),
        outer=Vector((8, 20), 4),
    ),
)
def thresholds_on_schedule(data: Data) -> None:
    """On (c_k, V_k v) all 4 n neurons read the same linear form of the padded tokens; at every step their staircase is within 1/n of the piecewise linear tau_k, which differ."""
    nodes, direction, n = vector(data["nodes"]), vector(data["direction"]), natural(data["n"])
    inner, outer = matrix(data["inner"]), vector(data["outer"])
    maps = [(vector(c), vector(v)) for c, v in zip(data["corners"], data["values"], strict=True)]
    L = len(maps)
    require(L == len(nodes) == len(set(nodes)) >= 2 and len(direction) == L, "as many different nodes as steps, two at least")
    require(sum(map(abs, direction)) <= 1 and len({tuple(v) for _, v in maps}) > 1, "|a|_1 <= 1, and maps that vary in time")
    require(len(inner) == len(outer) == 4 * n and all(abs(w) == Fraction(1, n) for w in outer), "4 n neurons of weight 1/n")
    for k, tau in enumerate(maps, 1):
        clock = [sum(x**j for j in range(k)) for x in nodes]
        thresholds = [-dot(row[:L], clock) for row in inner]  # pyright: ignore[reportArgumentType]
        memory = [[x ** (k - 1 - j) for x in nodes] for j in range(k)]
        require(all(apply(memory, row[L:]) == direction[L - k :] for row in inner), "the linear form")
        within(tau, Fraction(0), list(zip(thresholds, outer, strict=True)), Fraction(1), n)


def within(
    tau: tuple[Sequence[Fraction], Sequence[Fraction]],
    constant: Fraction,
    steps: Sequence[tuple[Fraction, Fraction]],
    reach: Any,
    n: int,
) -> None:
    """tau, piecewise linear on [-1, 1], bounded by 1 and 1-Lipschitz, is within 1/n of a staircase for |u| <= reach: between these places the output is constant and tau linear."""
    corners, values = tau
    require(ascending(corners) and corners[0] == -1 and corners[-1] == 1 and len(values) == len(corners), "a function on [-1, 1]")
    slopes = [abs(b - a) <= y - x for (x, a), (y, b) in itertools.pairwise(zip(corners, values, strict=True))]
    require(all(slopes) and max(map(abs, values)) <= 1, "1-Lipschitz and bounded by 1")
    places = sorted({-reach, reach, *(x for x in (*corners, *(t for t, _ in steps)) if -reach < x < reach)})
    for low, high in [*itertools.pairwise(places), (reach, reach)]:
        output = constant + sum(w for t, w in steps if t <= low)
        require(n * max(abs(piecewise_linear(corners, values, x) - output) for x in (low, high)) <= 1, "an error above 1/n")


@statement(
    "new.universality.exchange",
    "witness",
    Fields(
        period=Natural(1, 4),
        direction=Vector((3, 6), 8),
        n=Natural(1, 2),
        corners=Matrix((3, 6), (5, 7), 8),
        values=Matrix((3, 6), (5, 7), 8),
        head=Fields(inner=Matrix((8, 26), (5, 10), 12), bias=Vector((8, 26), 8), outer=Vector((8, 26), 4), offset=Rational(4)),
    ),
)
def blocks_of_steps(data: Data) -> None:
    """On (k, the residues of k - 1 modulo Q, the padded tokens) a head of ceil(L/Q)(4n + 1) - 1 steps is, at every step, a staircase along the linear form within 1/n of tau_k."""
    Q, direction, n = natural(data["period"]), vector(data["direction"]), natural(data["n"])
    maps = [(vector(c), vector(v)) for c, v in zip(data["corners"], data["values"], strict=True)]
    L = len(maps)
    require(1 <= Q <= L == len(direction) and L >= 2 and sum(map(abs, direction)) <= 1 and n >= 1, "Q <= L steps, |a|_1 <= 1")
    require(len({tuple(v) for _, v in maps}) > 1, "maps that vary in time")
    shared, offset = neurons(data["head"], 1 + Q + L)
    require(len(shared) == -(-L // Q) * (4 * n + 1) - 1, "another number of neurons")
    for k, tau in enumerate(maps, 1):
        clock = [Fraction(k), *(Fraction(int((k - 1) % Q == r)) for r in range(Q))]
        seen = [(row[Q + 1 + L - k :], bias + dot(row[: Q + 1], clock), c) for row, bias, c in shared]
        constant, left = left_on_cube(seen, offset, 1)
        require(all(list(row) == direction[L - k :] for row, _ in left), "the linear form")
        within(tau, constant, [(-bias, w) for (_, bias), w in left.items()], sum(map(abs, direction[L - k :])), n)


@statement("new.universality.clocks")
def several_sizes(certificates: Certificates) -> None:
    """Three certificates at least, one of six steps."""
    require(len(certificates) >= 3 and max(len(d["nodes"]) for _, d in certificates) >= 6, "too few or too small")


@statement(
    "new.universality.bias.head",
    "witness",
    Fields(
        nodes=Vector((2, 4), 4),
        beta=Rational(4),
        head=Fields(inner=Matrix((4, 10), (2, 4), 12), bias=Vector((4, 10), 8), outer=Vector((4, 10), 4), offset=Rational(4)),
        heads=Items(Fields(inner=Matrix((0, 2), (1, 4), 4), bias=Vector((0, 2), 4), outer=Vector((0, 2), 4), offset=Rational(4)), 2, 4),
    ),
)
def paired_copies(data: Data) -> None:
    """On x_k = V_k (beta + v), beta > 1, without a clock, one head of D_1 + 2 (D_2 + ... + D_L) + L - 1 steps is the k-th head of v_1, ..., v_k at every step k, for all |v_i| <= 1."""
    nodes, beta, heads = vector(data["nodes"]), number(data["beta"]), data["heads"]
    require(len(set(nodes)) == len(nodes) >= len(heads) >= 2 and beta > 1, "different nodes, one for each step, and a bias above 1")
    shared, offset = neurons(data["head"], len(nodes))
    widths = [len(own["bias"]) for own in heads]
    require(sum(widths) > 0 and len(shared) == widths[0] + 2 * sum(widths[1:]) + len(heads) - 1, "another number of neurons")
    for k, own in enumerate(heads, 1):
        seen = [([dot(row, [x ** (k - 1 - j) for x in nodes]) for j in range(k)], bias, c) for row, bias, c in shared]
        moved = [(row, bias + beta * sum(row), c) for row, bias, c in seen]
        require(left_on_cube(moved, offset, 1) == left_on_cube(*neurons(own, k), 1), f"the head is another function at step {k}")


@statement(
    "new.universality.bias.subspace",
    "witness",
    Fields(
        nodes=Vector((1, 3), 4),
        basis=Matrix((2, 5), (1, 3), 4),
        beta=Rational(8),
        head=Fields(inner=Matrix((5, 14), (1, 3), 16), bias=Vector((5, 14), 16), outer=Vector((5, 14), 4), offset=Rational(8)),
        heads=Items(Fields(inner=Matrix(2, (1, 5), 8), bias=Vector(2, 4), outer=Vector(2, 4), offset=Rational(4)), 2, 5),
    ),
)
def as_many_units_as_dimensions(data: Data) -> None:
    """P positive units, no clock, inputs from a basis of P < L vectors: one head of sum (D_k + 1) - 1 steps is the k-th head at every step k, for all coordinates in [-1, 1]."""
    nodes, basis, beta, heads = vector(data["nodes"]), matrix(data["basis"]), number(data["beta"]), data["heads"]
    P, L = len(nodes), len(heads)
    require(
        P == len(basis[0]) == rank(basis) < L == len(basis) and all(x > 0 for x in nodes),
        "as many positive nodes as dimensions, fewer than steps",
    )
    shared, offset = neurons(data["head"], P)
    widths = [len(own["bias"]) for own in heads]
    require(min(widths) > 0 and len(shared) == sum(widths) + L - 1, "another number of neurons")
    for k, own in enumerate(heads, 1):
        powers = [[x ** (k - 1 - j) for j in range(k)] for x in nodes]
        centre, shown = [sum(row) for row in powers], times(powers, basis[:k])
        moved = [(apply(transpose(shown), row), bias + beta * dot(row, centre), c) for row, bias, c in shared]  # pyright: ignore[reportArgumentType]
        steps, at = neurons(own, k)
        expected = [(apply(transpose(basis[:k]), row), bias, c) for row, bias, c in steps]
        require(left_on_cube(moved, offset, 1) == left_on_cube(expected, at, 1), f"the head is another function at step {k}")
