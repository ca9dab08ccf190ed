"""What the claims of topic depth on widths, depths and counts of parameters demand of their certificates."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ... import intervals
from ...exact import matrix, natural, rank, require, square, times
from ...registry import refuted, statement
from ...schema import Fields, Items, Matrix, Natural
from ...shapes import LinearLayer
from ...typed import Data, Decided
from .demands import layers_of, least_width, parameters, run, word

# -- sizes -----------------------------------------------------------------------------------------------------------------


def joined(layers: Sequence[Any]) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """(U, V) of the joint states: row blocks P_l0 and P_lj V_j."""
    n = len(layers[0][1])
    U, V = [], []
    for top in range(len(layers)):
        P = layers[0][0]
        for W, _ in layers[1 : top + 1]:
            P = times(W, P)
        U += P
        blocks = []
        for j in range(len(layers)):
            block = layers[j][1] if j <= top else [[Fraction(0)] * n for _ in range(n)]
            for W, _ in layers[j + 1 : top + 1]:
                block = times(W, block)
            blocks.append(block)
        V += [[x for block in blocks for x in block[i]] for i in range(n)]
    return U, V


@statement(
    "lizaire26.prop1",
    "witness",
    Fields(layers=Items(LinearLayer((1, 3), (1, 3)), 2, 3), U=Matrix((2, 9), 1, 4), V=Matrix((2, 9), (2, 9), 4)),
)
def one_wide_layer(data: Data) -> None:
    """The layer (U, V) of width nL has the joint states of L > 1 layers, on an impulse followed by 2 nL zeros in every channel: so on every word."""
    layers, U, V = layers_of(data), matrix(data["U"]), square(matrix(data["V"]))
    n, depth, d = len(layers[0][1]), len(layers), len(layers[0][0][0])
    require(depth > 1 and len(V) == len(U) == n * depth and len(U[0]) == d, "L > 1 layers, and one of width n L")
    require(joined(layers) == (U, V), "the blocks of Corollary 2")
    for channel in range(d):
        xs = [[Fraction(int(t == 0 and i == channel)) for i in range(d)] for t in range(2 * n * depth + 1)]
        deep = [[x for h in states for x in h] for states in run(layers, xs)]
        require(any(map(any, deep)) and deep == [states[0] for states in run([(U, V)], xs)], "the same states, not all 0")


@statement(
    "lizaire26.thm6",
    "witness",
    Fields(n=Natural(1, 2), U=Matrix((3, 4), (1, 2), 4), V=Matrix((3, 4), (3, 4), 4), inputs=Items(Items(Natural(0, 1), 1, 2), 2, 2)),
)
def hidden_from_the_first_block(data: Data) -> None:
    """A layer of width nL, L > 1, whose first n states do not depend on the first input, and whose next n do."""
    U, V, n = matrix(data["U"]), square(matrix(data["V"])), natural(data["n"])
    require(n >= 1 and len(U) == len(V) and len(V) % n == 0 and len(V) >= 2 * n, "a layer of width n L, L > 1")
    first, second = (states[0][0] for states in (run([(U, V)], [x]) for x in word(data["inputs"], len(U[0]))))
    require(first[:n] == second[:n] and first[n : 2 * n] != second[n : 2 * n], "the first block is blind where the second is not")


@statement(
    "lizaire26.thm6.one",
    "witness",
    Fields(layers=Items(LinearLayer(2, 1), 1, 1), U=Matrix(2, 1, 4), V=Matrix(2, 2, 4)),
    hypotheses={"sizes": "n > 1 and L >= 1, V not 0"},
    violates={"same": "the layer of width nL is the layer of width n"},
)
def the_same_class(data: Data) -> Decided:
    """Refuted for L = 1: the joint layer is the layer itself."""
    layers, U, V = layers_of(data), matrix(data["U"]), square(matrix(data["V"]))
    return {"sizes": len(V) > 1 and len(layers) == 1 and any(map(any, V)), "same": (U, V) == layers[0] == joined(layers)}


@refuted("lizaire26.thm6.proof", {"sizes": "n > 1, L > 1"}, {"rank": "no block has rank 2"}, n=2, L=2, d=1)
def one_column(n: int, L: int, d: int) -> Decided:
    return {"sizes": n > 1 and L > 1, "rank": rank([[Fraction(int(i == j)) for j in range(d)] for i in range(n)]) == min(n, d) < 2}


@statement("lizaire26.thm2", "witness", Fields(n=Natural(4, 9), rows=Items(Items(Natural(1, 2499), 4, 4), 8, 8)))
def shallower_copies_cost_more(data: Data) -> None:
    """n >= 4: L' < L layers that copy L (n - 1) steps have more parameters."""
    n = natural(data["n"])
    require(n >= 4 and data["rows"], "n >= 4, and something to compare")
    for depth, shallow, width, count in data["rows"]:
        require(1 <= natural(shallow) < natural(depth), "1 <= L' < L")
        require(
            width == least_width(depth * (n - 1), shallow) and count == parameters(width, shallow), "the narrowest network and its size"
        )
        require(count > parameters(n, depth), "it has more parameters")


@refuted("lizaire26.thm2.sketch", {"width": "n >= 4"}, {"longer": "p exceeds L (n - 1)"}, n=4, L=1)
def too_far(n: int, L: int) -> Decided:
    return {"width": n >= 4, "longer": (L + 1) * (n - 1) > L * (n - 1)}


@statement("new.depth.parameters", "witness", Fields(rows=Items(Items(Natural(1, 15), 4, 4), 21, 21)))
def fewer_layers_cost_more(data: Data) -> None:
    """n' = ceil(n L / L') units in L' < L layers cost more than n in L, d = 1."""
    require(data["rows"], "something to compare")
    for n, depth, shallow, width in data["rows"]:
        require(
            natural(n) >= 1 and 1 <= natural(shallow) < natural(depth) and natural(width) == -(-n * depth // shallow),
            "L' < L and n' = ceil(n L / L')",
        )
        require(parameters(width, shallow) > parameters(n, depth), "more parameters")


@statement("lizaire26.params", "witness", Fields(rows=Items(Items(Natural(1, 265), 4, 4), 75, 75)))
def count_of_parameters(data: Data) -> None:
    """Rows (n, L, d, count): the entries of U, V and b, and (2L - 1) n^2 + (L + d) n."""
    require(data["rows"], "something to count")
    for n, depth, d, count in data["rows"]:
        require(min(natural(n), natural(depth), natural(d)) >= 1, "n, L, d >= 1")
        require(count == parameters(n, depth, d) == (2 * depth - 1) * n * n + (depth + d) * n, "the count")


@statement(
    "lizaire26.params.initial", "witness", Fields(rows=Items(Items(Natural(1, 1054), 5, 5), 16, 16), even=Items(Natural(2, 1000), 4, 4))
)
def with_initial_states(data: Data) -> None:
    """n >= 4: more parameters also with initial states; n = 2 and L' = L / 2: fewer."""
    require(data["rows"] and data["even"], "something to compare")
    for n, depth, shallow, width, count in data["rows"]:
        require(natural(n) >= 4 and 1 <= natural(shallow) < natural(depth), "n >= 4 and L' < L")
        require(
            width == least_width(depth * (n - 1), shallow) and count == parameters(width, shallow) + width * shallow,
            "the narrowest network",
        )
        require(count > parameters(n, depth) + n * depth, "more parameters, initial states included")
    for depth in data["even"]:
        shallow = natural(depth) // 2
        require(depth >= 2 and depth % 2 == 0 and least_width(depth, shallow) == 3, "an even L, and L' = L / 2 layers of width 3")
        require(parameters(3, shallow) + 3 * shallow < parameters(2, depth) + 2 * depth, "fewer parameters for n = 2")


@statement("lizaire26.appA5.1", "witness", Fields(pairs=Items(Items(Natural(1, 9), 2, 2), 5, 5)))
def critical_widths(data: Data) -> None:
    """For each (L, L') the quadratic is the difference of sizes, is positive from 4 on and, for (2, 1) alone of those listed, negative at 3."""
    require([2, 1] in data["pairs"] and len(data["pairs"]) > 1, "the pair (2, 1), and others")
    for depth, shallow in data["pairs"]:
        require(1 <= natural(shallow) < natural(depth), "1 <= L' < L")
        a = 2 * depth * shallow - depth - shallow
        b, c = -2 * a - shallow, a - shallow * (3 * shallow - 1)
        for n in range(1, 8):
            width = Fraction(depth * (n - 1), shallow) + 1
            difference = (2 * shallow - 1) * width**2 + (shallow + 1) * width - parameters(n, depth)
            require(difference == Fraction(depth - shallow, shallow**2) * (a * n * n + b * n + c), "the quadratic")
        require(a > 0 and 16 * a + 4 * b + c > 0 and 8 * a + b > 0, "positive and rising at n = 4")
        require((9 * a + 3 * b + c < 0) == ([depth, shallow] == [2, 1]), "negative at n = 3 for L = 2, L' = 1 only")
        # at (3 + sqrt 13)/2 the square is 3 x + 1, so the value is (3a + b) x + a + c, exactly 0 for (2, 1)
        x = intervals.divided(intervals.plus(intervals.exact(3), intervals.sqrt(intervals.exact(13))), intervals.exact(2))
        value = intervals.plus(intervals.times(intervals.exact(3 * a + b), x), intervals.exact(a + c))
        require((3 * a + b, a + c) == (0, 0) if [depth, shallow] == [2, 1] else value[0] > 0, "no other critical width is as large")
