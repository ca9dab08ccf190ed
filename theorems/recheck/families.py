"""The random families of the claims, drawn again from their seeds with the standard library: a certificate must speak of these instances and of no others.

Each function makes the same draws, in the same order, as the words of its docstring say; it shares no code with the constructions.
"""

from fractions import Fraction

from .exact import apply, one, plus, rank, scaled, times


def integers(rng, rows, columns, bound=3):
    """A matrix of integers in [-bound, bound], row by row."""
    return [[Fraction(rng.randint(-bound, bound)) for _ in range(columns)] for _ in range(rows)]


def integer_vector(rng, n, bound=3):
    """A vector of integers in [-bound, bound]."""
    return [Fraction(rng.randint(-bound, bound)) for _ in range(n)]


def nonzero_vector(rng, n, bound=3):
    """A vector of integers in [-bound, bound], drawn again until it is not 0."""
    while True:
        v = integer_vector(rng, n, bound)
        if any(v):
            return v


def basis(rng, n):
    """An n x n matrix of integers in [-2, 2], drawn again until it is invertible."""
    while True:
        m = integers(rng, n, n, 2)
        if rank(m) == n:
            return m


def reflections(rng, n, count):
    """The product of ``count`` reflections I - 2 v v^T / v^T v, each v a nonzero integer vector."""
    out = one(n)
    for _ in range(count):
        v = nonzero_vector(rng, n)
        out = times(out, plus(one(n), scaled(Fraction(-2) / sum(x * x for x in v), [[x * y for y in v] for x in v])))
    return out


def linear_network(rng, n, depth, d=1):
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


def _responds(layers, readout, channel):
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


def gaussian_nodes(rng, count):
    """Gaussian rationals: with probability 4/10 from the list, else (a / b, c) with |a| <= 5, b <= 6, |c| <= 2."""
    nodes = []
    for _ in range(count):
        if rng.random() < 0.4:
            nodes.append(rng.choice(GAUSSIAN))
        else:
            real = Fraction(rng.randint(-5, 5), rng.randint(1, 6))
            nodes.append((real, Fraction(rng.randint(-2, 2))))
    return nodes


def gaussian_inputs(rng, count):
    """Gaussian integers with parts of modulus at most 3, the real one not 0."""
    return [(Fraction(rng.choice((-3, -2, -1, 1, 2, 3))), Fraction(rng.randint(-3, 3))) for _ in range(count)]
