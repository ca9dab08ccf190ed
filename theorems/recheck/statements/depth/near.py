"""What the claims of topic depth on copies with one wrong response, delayed links and the cheapest shape demand of their certificates."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...exact import matrix, natural, number, require
from ...kinds.copy import check_copy
from ...registry import statement
from ...schema import Fields, Items, Matrix, Natural, Rational
from ...shapes import LinearLayer
from ...typed import Data
from .demands import layers_of, responses


@statement(
    "new.depth.approximate-copies",
    "witness",
    Fields(
        layers=Items(Fields(U=Matrix((1, 4), (1, 4), 4), V=Matrix((1, 4), (1, 4), 8)), 2, 4),
        readout=Matrix((1, 2), (1, 4), 16),
        p=Natural(2, 12),
        error=Rational(16),
    ),
)
def nearly_a_copy_in_layers(data: Data) -> None:
    """L > 1 layers of width n, p = nL / d: the responses before time 2p are error I, 0, ..., 0, I (at p), 0, ..., 0."""
    layers, readout, p, error = layers_of(data), matrix(data["readout"]), natural(data["p"]), number(data["error"])
    n, depth, d = len(layers[0][1]), len(layers), len(layers[0][0][0])
    require(depth > 1 and n % d == 0 and len(readout) == d and p * d == n * depth and 0 < error < 1, "L > 1, p d = n L, an error in (0, 1)")
    require(n // d % 2 == 0 or d % 2 == 0 or depth == 2, "n / d or d is even, or L = 2")
    for channel in range(d):
        unit = [Fraction(int(i == channel)) for i in range(d)]
        wanted = [[error * x for x in unit], *[[x * (k == p) for x in unit] for k in range(1, 2 * p)]]
        require(responses(layers, readout, 2 * p, channel) == wanted, "only the first response is wrong, by the error")


def as_text(m: Sequence[Sequence[Fraction]]) -> list[list[str]]:
    return [[str(x) for x in row] for row in m]


@statement(
    "new.depth.delayed-links",
    "witness",
    Fields(layers=Items(LinearLayer((1, 4), (1, 3)), 1, 4), readout=Matrix(1, (1, 4), 4), p=Natural(3, 5)),
)
def a_copy_with_delayed_links(data: Data) -> None:
    """Layers that read the one below a step late copy p = nL - 1 steps: as one layer, by the rule of copies."""
    layers, readout, p = layers_of(data), matrix(data["readout"]), natural(data["p"])
    n, depth = len(layers[0][1]), len(layers)
    require(len(readout) == 1 == len(layers[0][0][0]) and p == n * depth - 1 >= 1, "one channel, p = n L - 1 >= 1")
    V = [[Fraction(0)] * (n * depth) for _ in range(n * depth)]
    for level, (U, own) in enumerate(layers):
        for i in range(n):
            V[level * n + i][level * n : (level + 1) * n] = own[i]
            if level:
                V[level * n + i][(level - 1) * n : level * n] = U[i]
    first = layers[0][0] + [[Fraction(0)] for _ in range(n * (depth - 1))]
    joint = {"U": as_text(first), "V": as_text(V)}
    check_copy({"layers": [joint], "readout": as_text([[Fraction(0)] * (n * (depth - 1)) + readout[0]]), "p": p})
