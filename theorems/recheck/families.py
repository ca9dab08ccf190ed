"""The random families of the claims, drawn again from their seeds with the standard library: a certificate must speak of these instances and of no others.

Each function makes the same draws, in the same order, as the words of its docstring say; it shares no code with the constructions.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

from .exact import apply, one, plus, rank, scaled, times


def integers(rng: Random, rows: int, columns: int, bound: int = 3) -> list[list[Fraction]]:
    """A matrix of integers in [-bound, bound], row by row."""
    return [[Fraction(rng.randint(-bound, bound)) for _ in range(columns)] for _ in range(rows)]


def integer_vector(rng: Random, n: int, bound: int = 3) -> list[Fraction]:
    """A vector of integers in [-bound, bound]."""
    return [Fraction(rng.randint(-bound, bound)) for _ in range(n)]


def nonzero_vector(rng: Random, n: int, bound: int = 3) -> list[Fraction]:
    """A vector of integers in [-bound, bound], drawn again until it is not 0."""
    while True:
        v = integer_vector(rng, n, bound)
        if any(v):
            return v


def basis(rng: Random, n: int) -> list[list[Fraction]]:
    """An n x n matrix of integers in [-2, 2], drawn again until it is invertible."""
    while True:
        m = integers(rng, n, n, 2)
        if rank(m) == n:
            return m


def reflections(rng: Random, n: int, count: int) -> list[list[Fraction]]:
    """The product of ``count`` reflections I - 2 v v^T / v^T v, each v a nonzero integer vector."""
    out = one(n)
    for _ in range(count):
        v = nonzero_vector(rng, n)
        out = times(out, plus(one(n), scaled(Fraction(-2) / sum(x * x for x in v), [[x * y for y in v] for x in v])))
    return out


def orthogonal(rng: Random, n: int) -> list[list[Fraction]]:
    """A product of 0 to n + 1 reflections, as many as are drawn first."""
    return reflections(rng, n, rng.randint(0, n + 1))


def fraction(rng: Random, low: int = 0, high: int = 1) -> Fraction:
    """A denominator of 1 to 4, then a numerator, for a number in [low, high]."""
    q = rng.randint(1, 4)
    return Fraction(rng.randint(low * q, high * q), q)


def linear_network(rng: Random, n: int, depth: int, d: int = 1) -> tuple[list[dict[str, Any]], list[list[Fraction]]]:
    """(layers, readout) of integers in [-2, 2]: per layer V, strictly upper triangular with probability 3/10, then U; drawn again until a response is not 0."""
    while True:
        layers = []
        for level in range(depth):
            V = integers(rng, n, n, 2)
            if rng.random() < 0.3:
                V = [[x if j > i else Fraction(0) for j, x in enumerate(row)] for i, row in enumerate(V)]
            layers.append({"U": integers(rng, n, n if level else d, 2), "V": V})
        readout = integers(rng, d, n, 2)
        if any(_responds(layers, readout, channel) for channel in range(d)):
            return layers, readout


def _responds(layers: Sequence[dict[str, Any]], readout: Sequence[Sequence[Fraction]], channel: int) -> bool:
    """An impulse in the channel reaches the readout within n L + 1 steps."""
    n, d = len(readout[0]), len(layers[0]["U"][0])
    states = [[Fraction(0)] * n for _ in layers]
    for t in range(n * len(layers) + 1):
        below = [Fraction(int(t == 0 and i == channel)) for i in range(d)]
        for k, layer in enumerate(layers):
            below = [p + q for p, q in zip(apply(layer["V"], states[k]), apply(layer["U"], below), strict=True)]
            states[k] = below
        if any(apply(readout, below)):
            return True
    return False


#: Gaussian rationals (real, imaginary) worth trying: 0, units, a conjugate pair on the circle
GAUSSIAN = [
    *((Fraction(a), Fraction(b)) for a, b in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1))),
    (Fraction(1, 2), Fraction(0)),
    (Fraction(3, 5), Fraction(4, 5)),
    (Fraction(3, 5), Fraction(-4, 5)),
]


def gaussian_nodes(rng: Random, count: int) -> list[tuple[Fraction, Fraction]]:
    """Gaussian rationals: with probability 4/10 from the list, else (a / b, c) with |a| <= 5, b <= 6, |c| <= 2."""
    nodes = []
    for _ in range(count):
        if rng.random() < 0.4:
            nodes.append(rng.choice(GAUSSIAN))
        else:
            real = Fraction(rng.randint(-5, 5), rng.randint(1, 6))
            nodes.append((real, Fraction(rng.randint(-2, 2))))
    return nodes


def gaussian_inputs(rng: Random, count: int) -> list[tuple[Fraction, Fraction]]:
    """Gaussian integers with parts of modulus at most 3, the real one not 0."""
    return [(Fraction(rng.choice((-3, -2, -1, 1, 2, 3))), Fraction(rng.randint(-3, 3))) for _ in range(count)]


def tensor(rng: Random, n: int, m: int) -> list[list[list[Fraction]]]:
    """A tensor of shape (n, m, n) of integers in [-3, 3], in the order of its indices."""
    return [integers(rng, m, n) for _ in range(n)]


def second_order_layer(rng: Random, n: int, m: int) -> dict[str, Any]:
    """Tensor, V, U, b and initial state of a second-order layer that reads m numbers, all of integers in [-3, 3]."""
    return {
        "A": tensor(rng, n, m),
        "V": integers(rng, n, n),
        "U": integers(rng, n, m),
        "b": integer_vector(rng, n),
        "initial": integer_vector(rng, n),
    }


def only_products(A: Sequence[Any], initial: Sequence[Any]) -> dict[str, Any]:
    """A layer with the tensor A alone."""
    n, m = len(A), len(A[0])
    return {"A": A, "V": [[0] * n] * n, "U": [[0] * m] * n, "b": [0] * n, "initial": initial}


def positive(entries: Any) -> Any:
    """1 + |x| for every entry of a nested list."""
    return [positive(x) for x in entries] if isinstance(entries, list) else 1 + abs(entries)


def bilinear_network(rng: Random, n: int, depth: int) -> list[dict[str, Any]]:
    """Layers of products whose tensors and initial states are 1 + |x| for integers x in [-3, 3]; one input."""
    layers = []
    for level in range(depth):
        A = positive(tensor(rng, n, n if level else 1))
        layers.append(only_products(A, positive(integer_vector(rng, n))))
    return layers


def tensor_of_factors(A: Sequence[Sequence[Any]], B: Sequence[Any], C: Sequence[Sequence[Any]]) -> list[list[list[Any]]]:
    """sum_r a_r o b_r o c_r, r over the columns."""
    return [[[sum(x * y * z for x, y, z in zip(a, b, c, strict=True)) for c in C] for b in B] for a in A]


def cp_network(rng: Random, n: int, depth: int, R: int) -> list[dict[str, Any]]:
    """Layers of products with tensors of R positive factors: A, B, C and the initial state are 1 + |x|; one input."""
    layers = []
    for level in range(depth):
        A, B, C = (positive(integers(rng, rows, R)) for rows in (n, n if level else 1, n))
        layers.append(only_products(tensor_of_factors(A, B, C), positive(integer_vector(rng, n))))
    return layers


def handing_on(layer: dict[str, Any]) -> dict[str, Any]:
    """The layer with what it reads added to its state: U = I."""
    return {**layer, "U": one(len(layer["b"]))}


def piecewise_network(rng: Random, n: int, depth: int, increasing: bool) -> list[dict[str, Any]]:
    """Layers with piecewise linear functions between them, knots in sevenths, slopes in halves (positive if ``increasing``); then a readout."""
    layers = []
    for level in range(depth):
        knots = sorted({Fraction(rng.randint(-20, 20), 7) for _ in range(rng.randint(1, 3))})
        slopes = [Fraction(rng.randint(1, 5) if increasing else rng.randint(-3, 3), 2) for _ in range(len(knots) + 1)]
        V, U = integers(rng, n, n, 2), integers(rng, n, n if level else 1, 2)
        layers.append({"V": V, "U": U, "b": integer_vector(rng, n), "initial": integer_vector(rng, n), "knots": knots, "slopes": slopes})
    integers(rng, 1, n)
    return layers


def waves(
    rng: Random, n: int, of: Sequence[tuple[tuple[int, ...], tuple[Fraction, Fraction]]] = ()
) -> dict[tuple[int, ...], tuple[Fraction, Fraction]]:
    """{frequency: (real, imaginary)} of three waves, frequencies of integers in [-3, 3], amplitudes a / b with |a| <= 4, b <= 3; then the atoms ``of`` are added."""
    total = {}
    for _ in range(3):
        w = [rng.randint(-3, 3) for _ in range(n)]
        wave = rng.choice((cosine, sine))
        total = sum_of_waves(total, wave(w, Fraction(rng.randint(-4, 4), rng.randint(1, 3))))
    return sum_of_waves(total, of)


def cosine(w: Sequence[int], amplitude: Fraction | int = 1) -> list[tuple[tuple[int, ...], tuple[Fraction, Fraction]]]:
    """Atoms of amplitude cos(<w, x>)."""
    half = Fraction(amplitude) / 2
    return [(tuple(w), (half, Fraction(0))), (tuple(-a for a in w), (half, Fraction(0)))]


def sine(w: Sequence[int], amplitude: Fraction | int = 1) -> list[tuple[tuple[int, ...], tuple[Fraction, Fraction]]]:
    """Atoms of amplitude sin(<w, x>)."""
    half = Fraction(amplitude) / 2
    return [(tuple(w), (Fraction(0), -half)), (tuple(-a for a in w), (Fraction(0), half))]


def sum_of_waves(
    total: dict[tuple[int, ...], tuple[Fraction, Fraction]], atoms: Sequence[tuple[tuple[int, ...], tuple[Fraction, Fraction]]]
) -> dict[tuple[int, ...], tuple[Fraction, Fraction]]:
    """Atoms at one frequency are added, those that cancel dropped; in the order in which they came."""
    total = dict(total)
    for w, (p, q) in atoms:
        re, im = total.get(w, (0, 0))
        total[w] = (re + p, im + q)
    return {w: c for w, c in total.items() if any(c)}


def points_of_ball(rng: Random, count: int, n: int) -> list[list[Fraction]]:
    """Points of the grid of width 1/1024 in the unit ball, drawn from the cube until they lie in it."""
    points = []
    while len(points) < count:
        x = [rng.randint(-1024, 1024) for _ in range(n)]
        if sum(a * a for a in x) <= 1024**2:
            points.append([Fraction(a, 1024) for a in x])
    return points


def lipschitz_function(rng: Random) -> tuple[list[Fraction], list[Fraction]]:
    """(corners, values) of a piecewise linear function on [-1, 1], bounded by 1 and 1-Lipschitz, with at most five corners inside."""
    corners = sorted({Fraction(-1), Fraction(1), *(Fraction(rng.randint(-11, 11), 12) for _ in range(5))})
    values = [Fraction(rng.randint(-6, 6), 6)]
    for x, y in itertools.pairwise(corners):
        move = rng.choice((-1, 1, 1, Fraction(1, 2))) * (y - x)
        values.append(max(min(values[-1] + move, Fraction(1)), Fraction(-1)))
    return corners, values
