"""What the claims of topic signature on paths and counts of parameters demand of their certificates."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from math import factorial, prod
from typing import Any

from ...exact import apply, matrix, natural, require, vector
from ...registry import statement
from ...schema import Fields, Items, Matrix, Natural, Vector
from ...typed import Certificates, Data, Decided

# -- signatures ------------------------------------------------------------------------------------------------------------


def signature(increments: Sequence[Sequence[Fraction]], depth: int) -> Any:
    """S^I of a piecewise linear path for all words of at most ``depth`` letters 0, 1, ..., by Chen's identity."""
    letters = len(increments[0])
    words = [w for n in range(depth + 1) for w in itertools.product(range(letters), repeat=n)]
    found = {w: Fraction(not w) for w in words}
    for piece in increments:
        straight = {w: Fraction(prod((piece[i] for i in w), start=Fraction(1)), factorial(len(w))) for w in words}
        found = {w: sum(found[w[:k]] * straight[w[k:]] for k in range(len(w) + 1)) for w in words}
    return found


@statement(
    "movahedi25.eq13",
    "witness",
    Fields(matrices=Items(Matrix((2, 3), (2, 3), 4), 1, 3), Y=Vector((2, 3), 4), increments=Matrix(3, (1, 3), 4)),
)
def series(data: Data) -> None:
    """The flow of strictly upper triangular matrices along a piecewise linear path, piece by piece, is the sum of A_I Y_0 S^I."""
    matrices, y, increments = [matrix(a) for a in data["matrices"]], vector(data["Y"]), matrix(data["increments"])
    n = len(y)
    require(all(len(a) == n and all(a[i][j] == 0 for i in range(n) for j in range(i + 1)) for a in matrices), "strictly upper triangular")
    require(len(increments[0]) == len(matrices), "a coordinate of the path for each matrix")
    total = [Fraction(0)] * n
    for word, s in signature(increments, n - 1).items():
        state = y
        for letter in word:
            state = apply(matrices[letter], state)
        total = [t + s * x for t, x in zip(total, state, strict=True)]
    flow = y
    for piece in increments:
        a = [[sum(x * m[i][j] for x, m in zip(piece, matrices, strict=True)) for j in range(n)] for i in range(n)]
        term = flow
        for k in range(1, n):
            term = [x / k for x in apply(a, term)]  # pyright: ignore[reportArgumentType]
            flow = [x + t for x, t in zip(flow, term, strict=True)]
    require(flow == total, "the flow is the series")


@statement("movahedi25.eq13")
def some_move(certificates: Certificates) -> None:
    require(
        sum(any(x for row in d["increments"] for x in vector(row)) and any(vector(d["Y"])[1:]) for _, d in certificates) >= 5,
        "paths that move",
    )


def nilpotent_flow(a: Sequence[Sequence[Fraction]], path: Sequence[Any], y: Sequence[Fraction]) -> Sequence[Fraction]:
    """exp(A x_n) ... exp(A x_1) y for a nilpotent A, whose series ends."""
    for x in path:
        terms = [y]
        for k in range(1, len(a)):
            terms.append([x / k * z for z in apply(a, terms[-1])])
        y = [sum(column, Fraction(0)) for column in zip(*terms, strict=True)]
    return y


@statement(
    "movahedi25.thmD.1.every-path",
    "witness",
    Fields(increments=Vector(2, 4), values=Vector(2, 4)),
    violates={
        "signatures": "the signatures agree to depth 8",
        "states": "so do the states of an equation with N = 4",
        "values": "f differs",
    },
)
def out_and_back(data: Data) -> Decided:
    """A readout of (12) finds the largest value on the way; refuted by a path p, p_1, ... -p_1, -p, whose flow is I, as exp(-A x) exp(A x) = I."""
    path, values = vector(data["increments"]), vector(data["values"])
    half = len(path) // 2
    require(len(path) == 2 * half > 0 and [-x for x in reversed(path[half:])] == path[:half], "out and the same way back")
    largest = max(itertools.accumulate(path, initial=Fraction(0)))
    require(values == [largest, 0], "the largest values of the two paths")
    a = [[Fraction(i + 2 * j if i < j else 0) for j in range(4)] for i in range(4)]
    start = [Fraction(1), Fraction(-2), Fraction(3), Fraction(4)]
    return {
        "signatures": all(s == 0 for w, s in signature([[x] for x in path], 8).items() if w),
        "states": nilpotent_flow(a, path, start) == start,
        "values": values[0] != values[1],
    }


@statement("movahedi25.thmD.1.diagonal", "witness", Fields(increments=Matrix(3, (1, 3), 4)))
def end_point(data: Data) -> None:
    """The S^I of all words with the same letters sum to the product of (increments)^k / k!, for words of at most three letters."""
    increments = matrix(data["increments"])
    S, end = signature(increments, 3), [sum(column) for column in zip(*increments, strict=True)]
    require(any(x for row in increments for x in row), "a path that moves")
    for word in S:
        if list(word) == sorted(word):
            moved = prod((Fraction(end[i] ** word.count(i), factorial(word.count(i))) for i in set(word)), start=Fraction(1))
            require(sum(S[w] for w in set(itertools.permutations(word))) == moved, "a function of the end point")


@statement("movahedi25.thmD.1.amended", "witness", Fields(increments=Matrix(3, 2, 4)))
def shuffles(data: Data) -> None:
    """S^I S^J is the sum over the shuffles of I and J, for words of at most two letters; with the time the path is told from the one that stays."""
    increments = matrix(data["increments"])
    S = signature(increments, 4)
    short = [w for w in S if len(w) <= 2]
    require(len(increments[0]) == 2 and all(any(S[w] for w in short if len(w) == n) for n in (1, 2)), "a path in the plane that moves")
    for a, b in itertools.product(short, repeat=2):
        places = itertools.combinations(range(len(a) + len(b)), len(a))
        total = Fraction(0)
        for chosen in places:
            left, right = iter(a), iter(b)
            total += S[tuple(next(left) if k in chosen else next(right) for k in range(len(a) + len(b)))]
        require(S[a] * S[b] == total, "the shuffle product")


# -- parameters ------------------------------------------------------------------------------------------------------------


@statement(
    "movahedi25.appD.parameters",
    "witness",
    Fields(r=Natural(4, 4), constants=Items(Natural(1, 1000), 3, 3), channels=Items(Natural(1, 1000), 3, 3)),
    hypotheses={"full": "a full mixer counts d^3 in the same way"},
    violates={"unbounded": "parameters / (d r) is unbounded"},
)
def more_than_linear(data: Data) -> Decided:
    """O(d r) parameters for linear maps from d numbers to r (d + 1); refuted for each constant C by a d with more than C d r."""
    r, constants, channels = natural(data["r"]), [natural(c) for c in data["constants"]], [natural(d) for d in data["channels"]]
    require(r >= 1 and len(constants) == len(channels) >= 3 and max(constants) >= 1000, "constants up to 1000 at least")
    # of a linear map from d numbers
    parameters = lambda d, outputs: d * outputs  # noqa: E731
    return {
        "full": all(parameters(d, d * d) == d**3 for d in channels),
        "unbounded": all(d >= 1 and parameters(d, r * d + r) > c * d * r for c, d in zip(constants, channels, strict=True)),
    }
