"""What the claims of topic depth demand of their certificates."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ... import intervals, polynomials
from ...exact import apply, matrix, natural, number, plus, rank, require, square, times, vector
from ...registry import refuted, statement
from ...schema import Fields, Items, Matrix, Natural, Rational, Vector
from ...shapes import LinearLayer
from ...typed import Data, Decided


def layers_of(data: Data, width: int | None = None) -> list[tuple[list[list[Fraction]], list[list[Fraction]]]]:
    """[(U, V), ...] of one width, the first U of shape (n, d) and the others (n, n)."""
    layers = [(matrix(a["U"]), square(matrix(a["V"]))) for a in data["layers"]]
    require(layers, "at least one layer")
    n = len(layers[0][1]) if width is None else width
    require(all(len(V) == n and len(U) == n for U, V in layers), f"layers of width {n}")
    require(all(len(U[0]) == n for U, _ in layers[1:]), "layers that read the one below")
    return layers


def word(rows: Sequence[Sequence[Any]], d: int) -> list[list[Fraction]]:
    xs = [vector(row) for row in rows]
    require(xs and all(len(x) == d for x in xs), f"input vectors of {d} entries")
    return xs


def added(*vectors: Sequence[Fraction]) -> list[Any]:
    return [sum(xs) for xs in zip(*vectors, strict=True)]


def run(
    layers: Sequence[Any],
    xs: Sequence[Sequence[Fraction]],
    biases: Sequence[Sequence[Fraction]] | None = None,
    initial: Sequence[Sequence[Fraction]] | None = None,
) -> list[list[list[Fraction]]]:
    """For every input the states of all layers, h^l_t = V h^l_(t-1) + U h^(l-1)_t + b."""
    n = len(layers[0][1])
    biases = biases or [[Fraction(0)] * n for _ in layers]
    states = initial or [[Fraction(0)] * n for _ in layers]
    out = []
    for x in xs:
        below, new = x, []
        for (U, V), b, h in zip(layers, biases, states, strict=True):
            below = added(apply(V, h), apply(U, below), b)
            new.append(below)
        states = new
        out.append(states)
    return out


def responses(layers: Sequence[Any], readout: Sequence[Sequence[Fraction]], steps: int, channel: int = 0) -> list[list[Fraction]]:
    """The outputs after a unit impulse in one channel."""
    d = len(layers[0][0][0])
    impulse = [[Fraction(int(t == 0 and i == channel)) for i in range(d)] for t in range(steps)]
    return [apply(readout, states[-1]) for states in run(layers, impulse)]


def least_width(lag: int, layers: int) -> int:
    """The least n with lag <= L (n - 1)."""
    return -(-lag // layers) + 1


def parameters(n: int, depth: int, d: int = 1) -> int:
    """Entries of U, V and b in all layers."""
    return n * d + (depth - 1) * n * n + depth * n * n + depth * n


def biased(data: Data) -> tuple[Any, ...]:
    """Layers with biases and initial states, not all 0."""
    layers = layers_of(data)
    n = len(layers[0][1])
    biases, initial = ([vector(a[name]) for a in data["layers"]] for name in ("b", "initial"))
    require(all(len(v) == n for v in biases + initial), "biases and initial states of the layers' width")
    require(any(x for v in biases + initial for x in v), "a bias or initial state other than 0")
    return layers, biases, initial


# -- linearity -------------------------------------------------------------------------------------------------------------


@statement(
    "lizaire26.prop2",
    "witness",
    Fields(
        a=Rational(4),
        layers=Items(Fields(U=Matrix(2, 2, 4), V=Matrix(2, 2, 4), b=Vector(2, 4), initial=Vector(2, 4)), 2, 2),
        inputs=Matrix(3, 2, 4),
        others=Matrix(3, 2, 4),
    ),
)
def states_are_affine(data: Data) -> None:
    """All states of the word a x + (1 - a) y are the combination of those of x and y."""
    layers, biases, initial = biased(data)
    a, d = number(data["a"]), len(layers[0][0][0])
    xs, ys = word(data["inputs"], d), word(data["others"], d)
    require(a not in (0, 1) and xs != ys and len(xs) == len(ys), "two different words of one length, and a other than 0 and 1")
    mixed = [[a * u + (1 - a) * v for u, v in zip(x, y, strict=True)] for x, y in zip(xs, ys, strict=True)]
    left, right = run(layers, xs, biases, initial), run(layers, ys, biases, initial)
    require(left != right, "states that depend on the word")
    expected = [
        [[a * u + (1 - a) * v for u, v in zip(h, k, strict=True)] for h, k in zip(s, t, strict=True)]
        for s, t in zip(left, right, strict=True)
    ]
    require(run(layers, mixed, biases, initial) == expected, "the states are affine in the word")


@refuted("lizaire26.prop2.bias", {}, {"additive": "h(x + y) differs from h(x) + h(y)"}, U=1, V=0, b=1, x=1, y=2)
def states_are_not_additive(U: int, V: int, b: int, x: int, y: int) -> Decided:
    hx, hy, both = (U * v + V * 0 + b for v in (x, y, x + y))
    return {"additive": both != hx + hy}


@statement(
    "lizaire26.cor2",
    "witness",
    Fields(layers=Items(Fields(U=Matrix(2, 2, 4), V=Matrix(2, 2, 4), b=Vector(2, 4), initial=Vector(2, 4)), 2, 2), inputs=Matrix(3, 2, 4)),
)
def one_step_of_all_layers(data: Data) -> None:
    """h^l_t = P_l0 x_t + sum_j P_lj (V_j h^j_(t-1) + b_j), P_lj = U_l ... U_(j+1), along the word."""
    layers, biases, initial = biased(data)
    require(len(layers) > 1, "at least two layers")
    before = initial
    xs = word(data["inputs"], len(layers[0][0][0]))
    for x, states in zip(xs, run(layers, xs, biases, initial), strict=True):
        for top in range(len(layers)):
            formula = x
            terms = [added(apply(layers[j][1], before[j]), biases[j]) for j in range(top + 1)]
            for U, _ in layers[: top + 1]:
                formula = apply(U, formula)
            for j, term in enumerate(terms):
                for U, _ in layers[j + 1 : top + 1]:
                    term = apply(U, term)
                formula = added(formula, term)
            require(formula == states[top], "the formula gives the state")
        before = states


# -- copies ----------------------------------------------------------------------------------------------------------------


def copied(data: Data) -> tuple[int, int, int, int]:
    """(n, L, d, p) of a network that copies, by the rule of the kind."""
    layers, p = layers_of(data), natural(data["p"])
    n, d = len(layers[0][1]), len(layers[0][0][0])
    require(p >= 1 and len(matrix(data["readout"])) == d, "a lag of at least 1, and an output for each channel")
    return n, len(layers), d, p


@statement(
    "lizaire26.lemma2", "copy", Fields(layers=Items(LinearLayer((2, 4), (1, 4)), 1, 3), readout=Matrix(1, (2, 4), 4), p=Natural(1, 5))
)
def as_few_layers(data: Data) -> None:
    n, depth, d, p = copied(data)
    require(d == 1 and n > 1 and depth == -(-p // (n - 1)), "one channel, n > 1 and L = ceil(p / (n - 1))")


@statement("lizaire26.thm1", "copy", Fields(layers=Items(LinearLayer((2, 4), (1, 4)), 2, 4), readout=Matrix(1, (2, 4), 4), p=Natural(2, 9)))
def one_layer_too_many(data: Data) -> None:
    """The copy of L (n - 1) steps, L > 1, which by Lemma 3 needs all L layers."""
    n, depth, d, p = copied(data)
    require(d == 1 and n > 1 and depth > 1 and p == depth * (n - 1) > (depth - 1) * (n - 1), "n > 1, L > 1 and p = L (n - 1)")


@statement(
    "lizaire26.memory", "copy", Fields(layers=Items(LinearLayer((2, 5), (1, 5)), 1, 4), readout=Matrix(1, (2, 5), 4), p=Natural(1, 12))
)
def farthest(data: Data) -> None:
    n, depth, d, p = copied(data)
    require(d == 1 and n > 1 and p == depth * (n - 1), "n > 1 and p = L (n - 1)")


@statement(
    "new.depth.channels",
    "copy",
    Fields(layers=Items(LinearLayer((2, 5), (1, 5)), 1, 3), readout=Matrix((1, 2), (2, 5), 4), p=Natural(1, 12)),
)
def farthest_with_channels(data: Data) -> None:
    n, depth, d, p = copied(data)
    require(p * d <= depth * (n - d) < (p + 1) * d, "the largest p with p d <= L (n - d)")


@statement(
    "lizaire26.lemma2.readout",
    "witness",
    Fields(layers=Items(LinearLayer(3, 1), 1, 1), readout=Matrix(1, 3, 4), p=Natural(1, 1), inputs=Items(Natural(1, 4), 4, 4)),
    hypotheses={"sizes": "n > 1, p >= 1, L = ceil(p / (n - 1))"},
    violates={"output": "the output is another"},
)
def another_output(data: Data) -> Decided:
    """Refuted: the printed network, read at its first component, does not give the inputs p steps later."""
    layers, readout, p, inputs = layers_of(data), matrix(data["readout"]), natural(data["p"]), vector(data["inputs"])
    n = len(layers[0][1])
    unit = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    shift = [unit[i + 1] if i + 1 < n else [Fraction(0)] * n for i in range(n)]
    require(all(shift == V for _, V in layers) and readout == [unit[0]], "the printed V, and the readout of the first component")
    require(layers[0][0] == [[x] for x in unit[-1]], "the printed U of the first layer")
    require(all([[Fraction(0)] * n] * (n - 1) + [unit[0]] == U for U, _ in layers[1:]), "the printed U above")
    outputs = [apply(readout, states[-1])[0] for states in run(layers, [[x] for x in inputs])]
    return {
        "sizes": n > 1 and p >= 1 and len(layers) == -(-p // (n - 1)),
        "output": outputs != ([Fraction(0)] * p + inputs)[: len(inputs)],
    }


def resolvent(V: Sequence[Sequence[Fraction]]) -> tuple[list[list[list[Fraction]]], list[Fraction]]:
    """(adj(I - zV), det(I - zV)): M_0 = I, M_(k+1) = V M_k + c_(k+1) I, polynomials lowest coefficient first."""
    n = len(V)
    one = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    M, c, terms = one, [Fraction(1)], []
    for k in range(1, n + 1):
        terms.append(M)
        VM = times(V, M)
        c.append(-sum((VM[i][i] for i in range(n)), Fraction(0)) / k)
        M = plus(VM, [[c[-1] * x for x in row] for row in one])
    require(not any(x for row in M for x in row), "Cayley and Hamilton")
    return [[polynomials.trimmed([t[i][j] for t in terms]) for j in range(n)] for i in range(n)], polynomials.trimmed(c)


def polynomial_product(A: Sequence[Sequence[Sequence[Fraction]]], B: Sequence[Sequence[Sequence[Any]]]) -> list[list[list[Fraction]]]:
    out = []
    for row in A:
        out.append([])
        for column in zip(*B, strict=True):
            total = []
            for p, q in zip(row, column, strict=True):
                total = polynomials.plus(total, polynomials.times(p, q))
            out[-1].append(total)
    return out


def constants(m: Sequence[Sequence[Fraction]]) -> list[list[list[Fraction]]]:
    return [[polynomials.trimmed([x]) for x in row] for row in m]


def transfer(layers: Sequence[Any], readout: Sequence[Sequence[Fraction]]) -> tuple[list[list[list[Fraction]]], list[Fraction]]:
    """(N, D) of the network, D(0) = 1."""
    numerator, denominator = None, [Fraction(1)]
    for U, V in layers:
        adjugate, c = resolvent(V)
        step = polynomial_product(adjugate, constants(U))
        numerator = step if numerator is None else polynomial_product(step, numerator)
        denominator = polynomials.times(denominator, c)
    require(numerator is not None, "layers")
    assert numerator is not None  # said once more, for the type checker
    return polynomial_product(constants(readout), numerator), denominator


@statement(
    "lizaire26.lemma3",
    "witness",
    Fields(layers=Items(LinearLayer((1, 3), (1, 3)), 1, 2), readout=Matrix(1, (1, 3), 4), N=Matrix(1, (1, 5), 4), D=Vector((1, 4), 4)),
)
def numerators_have_low_degree(data: Data) -> None:
    """The transfer function of a network that is not silent is N / D, D(0) = 1, and deg N <= L (n - 1)."""
    layers, readout = layers_of(data), matrix(data["readout"])
    n, depth = len(layers[0][1]), len(layers)
    require(len(readout) == 1 == len(layers[0][0][0]), "one channel and one output")
    numerator, denominator = transfer(layers, readout)
    require(
        numerator[0] == [polynomials.polynomial(c) for c in data["N"]] and denominator == polynomials.polynomial(data["D"]),
        "N and D as listed",
    )
    N, D = numerator[0][0], denominator
    require(N and D[0] == 1 and len(N) - 1 <= depth * (n - 1), "N is not 0, D(0) = 1 and deg N <= L (n - 1)")
    steps = 2 * n * depth + 2
    g = [y[0] for y in responses(layers, readout, steps)]
    product = [sum(D[k] * g[t - k] for k in range(min(t, len(D) - 1) + 1)) for t in range(steps)]
    require(product == (N + [Fraction(0)] * steps)[:steps], "D times the responses is N")


@statement(
    "lizaire26.lemma3.proof",
    "witness",
    Fields(layers=Items(LinearLayer(2, 1), 1, 1), readout=Matrix(1, 2, 4), p=Natural(1, 1)),
    hypotheses={"copies": "the network copies one step forward"},
    violates={"component": "no component is a multiple of one input"},
)
def no_component_is_an_input(data: Data) -> Decided:
    """Refuted: the network copies one step, and in each component of h_t both x_t and x_(t-1) occur."""
    n, depth, d, p = copied(data)
    require((n, depth, d, p) == (2, 1, 1, 1), "two units, one layer, one channel and one step: no unit to spare")
    ((U, V),) = layers_of(data)
    responses = [[row[0] for row in U]]
    # output minus copy has three states: where its first four responses vanish, all do
    for _ in range(3):
        responses.append(apply(V, responses[-1]))
    outputs = [apply(matrix(data["readout"]), h) for h in responses]
    return {"copies": outputs == [[0], [1], [0], [0]], "component": all(responses[0]) and all(responses[1])}


@statement("new.depth.ranks", "witness", Fields(layers=Items(LinearLayer((1, 3), (1, 3)), 2, 3), readout=Matrix(1, (1, 3), 4)))
def full_rank(data: Data) -> None:
    """The Hankel matrix of the responses of L layers of width n has rank n L."""
    layers, readout = layers_of(data), matrix(data["readout"])
    require(len(layers) > 1 and len(readout) == 1, "at least two layers, one output")
    units = len(layers) * len(layers[0][1])
    g = [y[0] for y in responses(layers, readout, 2 * units + 1)]
    require(rank([[g[1 + i + j] for j in range(units)] for i in range(units)]) == units, "rank n L")


@statement(
    "new.depth.finite-length",
    "witness",
    Fields(layers=Items(LinearLayer((1, 5), 1), 1, 1), readout=Matrix(1, (1, 5), 8), p=Natural(1, 5), error=Rational(8)),
)
def nearly_a_copy(data: Data) -> None:
    """One layer of width p: the responses before time 2p are error, 0, ..., 0, 1 (at p), 0, ..., 0."""
    layers, readout, p, error = layers_of(data), matrix(data["readout"]), natural(data["p"]), number(data["error"])
    require(p >= 1 and 0 < error < 1 and len(layers) == 1 and len(layers[0][1]) == p, "one layer of width p, an error in (0, 1)")
    g = [y[0] for y in responses(layers, readout, 2 * p)]
    require(g == [error] + [Fraction(int(k == p)) for k in range(1, 2 * p)], "only the first response is wrong, by the error")


# -- tanh ------------------------------------------------------------------------------------------------------------------


def artanh(y: Fraction) -> tuple[Fraction, Fraction]:
    """log((1 + y) / (1 - y)) / 2 of a fraction, |y| < 1."""
    return intervals.divided(intervals.log(intervals.exact((1 + y) / (1 - y))), intervals.exact(2))


@statement(
    "lizaire26.thm1.footnote",
    "witness",
    Fields(points=Vector(3, 4), error=Rational(4)),
    hypotheses={"points": "the points 0, 9/20, 9/10 lie in [-a, a]"},
    violates={"none": "no u and b serve (balls)"},
)
def not_a_line(data: Data) -> Decided:
    """Refuted: no u, b have tanh(u y + b) within the error of y at three equidistant points."""
    points, error = vector(data["points"]), number(data["error"])
    require(len(points) == 3 and points[0] < points[1] < points[2] and points[0] + points[2] == 2 * points[1], "three points in a row")
    top = points[2]
    require(error > 0 and all(y - error > -1 and y + error < 1 for y in points), "values of tanh")
    low = intervals.divided(intervals.plus(artanh(points[0] - error), artanh(points[2] - error)), intervals.exact(2))
    return {
        "points": points == [0, Fraction(9, 20), Fraction(9, 10)] and all(abs(y) <= top for y in points),
        "none": low[0] > artanh(points[1] + error)[1],
    }


@statement("lizaire26.thm1.footnote.amended", "witness", Fields(u=Rational(8), y=Rational(4)))
def nearly_the_identity(data: Data) -> None:
    """|tanh(u y) / u - y| <= u^2 |y|^3 / 3 for u > 0 and a y other than 0."""
    u, y = number(data["u"]), number(data["y"])
    require(u > 0 and y != 0, "u > 0 and y other than 0")
    low, high = intervals.minus(intervals.divided(intervals.tanh(intervals.exact(u * y)), intervals.exact(u)), intervals.exact(y))
    require(max(abs(low), abs(high)) <= u * u * abs(y) ** 3 / 3, "the error")
