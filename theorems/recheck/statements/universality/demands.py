"""What the claims of topic universality demand of their certificates: one hidden layer, filters, Barron constants, quoted theorems."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from ... import intervals
from ... import polynomials as P
from ...exact import (
    apply,
    determinant,
    dot,
    inverse,
    is_orthogonal,
    matrix,
    natural,
    number,
    one,
    require,
    times,
    transpose,
    vector,
)
from ...registry import statement
from ...schema import Fields, Items, Matrix, Natural, Rational, Vector
from ...typed import Data, Decided

HALF = Fraction(1, 2)


def ascending(values: Sequence[Fraction]) -> bool:
    return all(a < b for a, b in itertools.pairwise(values))


def length_of(v: Sequence[Any]) -> tuple[Fraction, Fraction]:
    """The Euclidean length, as an interval."""
    return intervals.sqrt(intervals.exact(sum(x * x for x in v)))


def total(terms: Iterable[Any] | Sequence[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    out = intervals.exact(0)
    for term in terms:
        out = intervals.plus(out, term)
    return out


# -- Theorem 1 and what holds uniformly ------------------------------------------------------------------------------------


@statement(
    "orvieto24.thm1",
    "witness",
    Fields(amplitude=Rational(4), r=Rational(4), eps=Rational(4), width=Natural(3, 3), height=Natural(100, 100), spikes=Vector(8, 12)),
    hypotheses={
        "amplitude": "C_f is the amplitude",
        "inverse": "f is the inverse transform of F",
        "width": "D >= 2 r^2 C_f^2 / eps^2",
        "sigmoid": "sigma is 0 below 0, 1 from 1 on, and bounded",
    },
    violates={
        "spikes": "no affine map sends three spikes to spikes",
        "increase": "f increases on [-r, r], by more than 2 eps and what three neurons of weight 2 eps / (height - 1) can do",
    },
)
def spikes(data: Data) -> Decided:
    """Theorem 1 with the supremum and any function with limits 0 and 1; refuted by a step (0, then 1) with spikes of one height at a sequence falling to 0.

    f(x) = A x exp(-x^2/2) has F(w) = -i A w exp(-w^2/2) / sqrt(2 pi): both solve h'' = (x^2 - 3) h, which is its own transform, are odd, and have the
    slope A at 0, since exp(-w^2/2) / sqrt(2 pi) has the second moment 1. The same moment gives C_f = A. If the ratios of all triples of spikes differ, no affine map sends three spikes to spikes, so a neuron that jumps inside the interval has a
    weight of at most 2 eps / (height - 1), or leaves more than eps at a spike of its own. The sequence goes on for ever in the same way; its beginning is given.
    """
    A, r, eps, height = (number(data[name]) for name in ("amplitude", "r", "eps", "height"))
    D, p = natural(data["width"]), vector(data["spikes"])
    require(0 < r < 1 and eps > 0 and height > 1 and A > 0, "0 < r < 1, eps > 0, spikes above 1")
    require(len(p) >= 5 and p[-1] > 0 and ascending(p[::-1]), "spikes that fall towards 0")
    sigma = lambda x: height if x in p else Fraction(int(x >= 0))  # noqa: E731
    # (q exp(-x^2/2))' is this times exp(-x^2/2); the integral over the line is 0
    moved = lambda q: P.plus(P.derivative(q), [-c for c in P.times([0, 1], q)])  # noqa: E731
    mass, _, per_moment = moved([0, 1])
    second_moment = -mass / per_moment
    ratios = [(c - a) / (b - a) for a, b, c in itertools.permutations(p, 3)]
    variation = 2 * A * r * intervals.exp(intervals.exact(-r * r / 2))[0]
    return {
        "amplitude": A * second_moment == A,
        "inverse": moved(moved([0, 1])) == P.times([-3, 0, 1], [0, 1]) and A * second_moment == A,
        "width": D * eps * eps >= 2 * r * r * A * A,
        "sigmoid": all(x < 1 for x in p) and [sigma(x) for x in (-3, 0, 1, 3)] == [0, 1, 1, 1],
        "spikes": len(set(ratios)) == len(ratios),
        "increase": variation - D * 2 * eps / (height - 1) > 2 * eps,
    }


@statement("orvieto24.thm1.amended", "witness", Fields(points=Vector(5, 8), values=Vector(5, 4)))
def draws_of_centred_steps(data: Data) -> None:
    """For a function on a line, of variation V, some D centred steps (D = 1, 2) of size V / (2 D) leave a mean square error of at most (V/2)^2 / D; V/2 <= r C."""
    points, values = vector(data["points"]), vector(data["values"])
    require(len(points) == len(values) >= 3 and ascending(points), "as many values as ascending points, at least 3")
    jumps = [b - a for a, b in itertools.pairwise(values)]
    V, centre = sum(map(abs, jumps)), (values[0] + values[-1]) / 2
    require(V > 0, "a function that is not constant")
    steps = [[(HALF if p > i else -HALF) * (1 if j >= 0 else -1) * V for p in range(len(values))] for i, j in enumerate(jumps)]
    for D in (1, 2):
        errors = []
        for draw in itertools.combinations_with_replacement(steps, D):
            left = [y - centre - sum(h[p] for h in draw) / D for p, y in enumerate(values)]
            errors.append(sum(e * e for e in left) / len(left))
        require(min(errors) <= (V / 2) ** 2 / D, f"no {D} steps are as near as is said")


def spectrum(data: Data) -> list[tuple[list[Fraction], list[Fraction]]]:
    """[(frequency, coefficient)], all frequencies different."""
    w, c = [vector(x) for x in data["frequencies"]], [vector(x) for x in data["coefficients"]]
    require(len(w) == len(c) >= 1 and len({tuple(x) for x in w}) == len(w), "a coefficient for each frequency")
    require(all(len(x) == 2 and any(x) for x in c) and len({len(x) for x in w}) == 1, "coefficients (re, im) that are not 0")
    return list(zip(w, c, strict=True))


def is_real(atoms: Sequence[tuple[Sequence[Fraction], Sequence[Fraction]]]) -> bool:
    table = {tuple(w): tuple(c) for w, c in atoms}
    return all(table.get(tuple(-a for a in w)) == (c[0], -c[1]) for w, c in table.items())


def barron(atoms: Sequence[tuple[Sequence[Fraction], Sequence[Fraction]]]) -> tuple[Fraction, Fraction]:
    """The sum of |w| |c|."""
    return total(intervals.times(length_of(w), length_of(c)) for w, c in atoms)


def fourier(atoms: Sequence[tuple[Sequence[Fraction], Sequence[Fraction]]]) -> tuple[Fraction, Fraction]:
    """The sum of |c|."""
    return total(length_of(c) for _, c in atoms)


def network(data: Data) -> tuple[list[tuple[list[Fraction], Fraction, Fraction]], Fraction]:
    """[(row, bias, weight)] and the offset of a network of steps."""
    rows, bias, outer = [vector(x) for x in data["inner"]], vector(data["bias"]), vector(data["outer"])
    require(len(rows) == len(bias) == len(outer), "as many weights as neurons")
    require(any(outer) and any(any(row) for row in rows), "a network that is not constant")
    return list(zip(rows, bias, outer, strict=True)), number(data["offset"])


def squared_errors(
    atoms: Sequence[tuple[Sequence[Fraction], Sequence[Fraction]]],
    neurons: Sequence[tuple[Sequence[Fraction], Fraction, Fraction]],
    offset: Fraction,
    points: Sequence[Sequence[Fraction]],
) -> list[Fraction]:
    """An upper bound of (f(x) - g(x))^2 at each point, f = sum c exp(i <w, x>) real."""
    out = []
    for x in points:
        f = intervals.exact(0)
        for w, (p, q) in atoms:
            phase = intervals.exact(dot(w, x))
            f = intervals.plus(f, intervals.times(intervals.exact(p), intervals.cos(phase)))
            f = intervals.minus(f, intervals.times(intervals.exact(q), intervals.sin(phase)))
        g = offset + sum((c for a, b, c in neurons if dot(a, x) + b >= 0), Fraction(0))
        out.append(max(abs(f[0] - g), abs(f[1] - g)) ** 2)
    return out


def points_of_the_ball(data: Data) -> list[list[Fraction]]:
    points = [vector(x) for x in data["points"]]
    require(len(points) >= 2 and all(dot(x, x) <= 1 for x in points), "two points of the unit ball at least")
    require(len({tuple(x) for x in points}) == len(points), "a point twice")
    return points


@statement(
    "new.universality.finitely-many",
    "witness",
    Fields(
        frequencies=Matrix((4, 6), (2, 3), 4),
        coefficients=Matrix((4, 6), 2, 4),
        points=Matrix(80, (2, 3), 12),
        inner=Matrix(64, (2, 3), 4),
        bias=Vector(64, 12),
        outer=Vector(64, 48),
        offset=Rational(48),
    ),
)
def network_on_inputs(data: Data) -> None:
    """A network of D steps has max |f - g| <= C sqrt(2 ln(2m) / D) on the m points of the unit ball (r = 1), f a real sum of waves."""
    atoms, (neurons, offset), points = spectrum(data), network(data), points_of_the_ball(data)
    C = barron(atoms)
    require(is_real(atoms) and C[0] > 0 and neurons, "f is real and not constant, and there are neurons")
    require(len({abs(c) for _, _, c in neurons}) == 1, "steps of one size")
    require(all(any(tuple(a) == tuple(w) for w, _ in atoms) for a, _, _ in neurons), "steps along the waves")
    require(all(b * b <= dot(a, a) for a, b, _ in neurons), "steps that jump in the ball")
    allowed = 2 * C[0] ** 2 * intervals.log(intervals.exact(2 * len(points)))[0] / len(neurons)
    require(max(squared_errors(atoms, neurons, offset, points)) <= allowed, "an error above the bound")


@statement(
    "orvieto24.prop2",
    "witness",
    Fields(
        scale=Rational(4),
        rotation=Matrix(2, 2, 4),
        targets=Items(Fields(frequencies=Matrix((4, 6), 2, 4), coefficients=Matrix((4, 6), 2, 4)), 2, 2),
        points=Matrix(30, 2, 12),
        networks=Items(Fields(inner=Matrix(36, 2, 48), bias=Vector(36, 48), outer=Vector(36, 48), offset=Rational(48)), 2, 2),
    ),
)
def two_outputs_on_states(data: Data) -> None:
    """Networks for T_j o Omega, S = 2, Omega = scale times a rotation: with D neurons in all the errors add up to at most eps, D = 4 |Omega|^2 C^2 S^3 / eps^2 (r = 1, the mean over the points)."""
    scale, rotation, points = number(data["scale"]), matrix(data["rotation"]), points_of_the_ball(data)
    targets, heads = [spectrum(t) for t in data["targets"]], [network(g) for g in data["networks"]]
    require(scale > 0 and is_orthogonal(rotation) and len(targets) == len(heads) == 2, "|Omega| = scale, two outputs")
    C = max(barron(t)[0] for t in targets)
    require(all(is_real(t) for t in targets) and C > 0 and all(neurons for neurons, _ in heads), "real functions, not all constant")
    errors = Fraction(0)
    for atoms, (neurons, offset) in zip(targets, heads, strict=True):
        moved = [([scale * x for x in apply(transpose(rotation), w)], c) for w, c in atoms]
        near = lambda a, w: all(abs(x - y) < Fraction(1, 10**9) for x, y in zip(a, w, strict=True))  # noqa: E731
        require(all(any(near(a, w) for w, _ in moved) for a, _, _ in neurons), "steps along the waves, to nine digits")
        mean = sum(squared_errors(moved, neurons, offset, points)) / len(points)
        errors += intervals.sqrt(intervals.exact(mean))[1]  # pyright: ignore[reportArgumentType]
    for neurons, _ in heads:
        require(len({abs(c) for _, _, c in neurons}) == 1, "steps of one size")
        require(all(0 < dot(a, a) >= b * b for a, b, _ in neurons), "steps that jump in the ball")
    D = sum(len(neurons) for neurons, _ in heads)
    require(errors**2 <= 4 * scale**2 * C**2 * 8 / D, "the errors add up to more than eps")


@statement(
    "new.universality.constants",
    "witness",
    Fields(factors=Items(Fields(frequencies=Matrix((4, 6), 2, 4), coefficients=Matrix((4, 6), 2, 4)), 2, 2)),
)
def product_of_two(data: Data) -> None:
    """C_fg <= C_f C'_g + C'_f C_g and C'_fg <= C'_f C'_g, the product's transform being the convolution."""
    f, g = [spectrum(x) for x in data["factors"]]
    require(is_real(f) and is_real(g), "real functions")
    table = {}
    for (v, (p, q)), (w, (s, t)) in itertools.product(f, g):
        key = tuple(a + b for a, b in zip(v, w, strict=True))
        re, im = table.get(key, (0, 0))
        table[key] = (re + p * s - q * t, im + p * t + q * s)
    product = [(list(w), list(c)) for w, c in table.items() if any(c)]
    bound = intervals.plus(intervals.times(barron(f), fourier(g)), intervals.times(fourier(f), barron(g)))
    require(0 < barron(product)[1] <= bound[0], "C_fg exceeds the bound")
    require(len(product) < len(f) * len(g) or fourier(product)[0] <= intervals.times(fourier(f), fourier(g))[1], "C'_fg exceeds the bound")


def piecewise_linear(knots: Sequence[Fraction], values: Sequence[Fraction], x: Fraction) -> Fraction:
    """The value at x; 0 outside the knots."""
    for (a, u), (b, v) in itertools.pairwise(zip(knots, values, strict=True)):
        if a <= x <= b:
            return u + (v - u) * (x - a) / (b - a)
    return Fraction(0)


@statement(
    "new.universality.interval",
    "witness",
    Fields(corners=Vector((3, 6), 4), values=Vector((3, 6), 4), thresholds=Vector((2, 5), 8), levels=Vector((3, 6), 8)),
)
def pieces_of_equal_variation(data: Data) -> None:
    """The step function with these thresholds and levels is within V / (2 (D + 1)) of the piecewise linear function of variation V > 0, on the whole interval."""
    corners, values = vector(data["corners"]), vector(data["values"])
    thresholds, levels = vector(data["thresholds"]), vector(data["levels"])
    D, V = len(thresholds), sum(abs(b - a) for a, b in itertools.pairwise(values))
    require(len(corners) == len(values) and ascending(corners) and V > 0, "a function that is not constant")
    edges = [corners[0], *thresholds, corners[-1]]
    require(len(levels) == D + 1 and all(a <= b for a, b in itertools.pairwise(edges)), "a level more than thresholds, in order")
    for (a, b), level in zip(itertools.pairwise(edges), levels, strict=True):
        places = [a, b, *(x for x in corners if a < x < b)]
        worst = max(abs(piecewise_linear(corners, values, x) - level) for x in places)
        require(worst <= V / (2 * (D + 1)), "an error above V / (2 (D + 1))")


# -- several outputs, heads on states --------------------------------------------------------------------------------------


@statement("new.universality.outputs", "witness", Fields(curve=Matrix(5, (2, 4), 4)))
def a_step_near_a_curve(data: Data) -> None:
    """For a curve of length V in R^S, S >= 2, one centred step of length V leaves a mean square error of at most (V/2)^2."""
    curve = matrix(data["curve"])
    jumps = [[b - a for a, b in zip(p, q, strict=True)] for p, q in itertools.pairwise(curve)]
    lengths = [length_of(j) for j in jumps]
    V = total(lengths)
    require(len(curve[0]) >= 2 and len(curve) >= 3 and V[0] > 0, "a curve in two dimensions or more")
    centre = [(a + b) / 2 for a, b in zip(curve[0], curve[-1], strict=True)]
    errors = []
    for i, (jump, length) in enumerate(zip(jumps, lengths, strict=True)):
        if not any(jump):
            continue
        step = [intervals.times(intervals.divided(V, length), intervals.exact(x / 2)) for x in jump]
        squares = []
        for p, point in enumerate(curve):
            for s, y, c in zip(step, point, centre, strict=True):
                left = intervals.minus(intervals.exact(y - c), s if p > i else intervals.negated(s))
                squares.append(max(left[0] ** 2, left[1] ** 2))
        errors.append(sum(squares) / len(curve))
    require(min(errors) <= V[0] ** 2 / 4, "no step is as near as is said")


def vandermonde(nodes: Sequence[Fraction], k: int) -> list[list[Fraction]]:
    """V_k, with rows (x^(k-1), ..., x, 1)."""
    return [[x ** (k - 1 - j) for j in range(k)] for x in nodes]


@statement(
    "orvieto24.prop2.penalty",
    "witness",
    Fields(nodes=Vector(2, 8), tokens=Matrix((1, 2), 2, 4), states=Matrix((1, 2), 2, 8), bias=Vector((1, 2), 4), largest=Rational(4)),
    hypotheses={"inverse": "Omega_2 V_2 = I", "large": "|Omega_2|^2 >= 10^6"},
    violates={"head": "the head on states has one neuron, as on tokens", "outputs": "and the same outputs on all tokens of {-1, 0, 1}^2"},
)
def one_neuron_on_states(data: Data) -> Decided:
    """A penalty of |Omega|^2 >= 10^6 in the width; refuted by one neuron on states that is [v_1 - v_2 >= 0] for all tokens."""
    nodes, head, on_states, bias = vector(data["nodes"]), matrix(data["tokens"]), matrix(data["states"]), vector(data["bias"])
    require(len(nodes) == 2 and len(bias) == len(on_states), "two nodes, and a bias for each neuron")
    V = vandermonde(nodes, 2)
    omega = inverse(V)
    largest = max(abs(x) for row in omega for x in row)
    require(largest == number(data["largest"]), "the largest entry of Omega")
    require(head[0] == [1, -1] and not any(bias), "the neuron on tokens is [v_1 - v_2 >= 0]")
    tokens = [[Fraction(x), Fraction(y)] for x in (-1, 0, 1) for y in (-1, 0, 1)]
    return {
        "inverse": times(omega, V) == one(2),
        "large": largest * largest >= 10**6,
        "head": len(on_states) == len(head) == 1,
        "outputs": all(
            [dot(a, v) >= 0 for a in head] == [dot(a, apply(V, v)) + b >= 0 for a, b in zip(on_states, bias, strict=True)] for v in tokens
        ),
    }


@statement(
    "orvieto24.prop2.amended",
    "witness",
    Fields(
        nodes=Vector((2, 4), 8),
        tokens=Fields(inner=Matrix(3, (2, 4), 4), bias=Vector(3, 4), outer=Vector(3, 4), offset=Rational(4)),
        states=Fields(inner=Matrix(3, (2, 4), 32), bias=Vector(3, 4), outer=Vector(3, 4), offset=Rational(4)),
    ),
)
def same_width_on_states(data: Data) -> None:
    """The network on states has the neurons of the network on tokens: with the rows a V_k = those of the tokens, and V_k invertible."""
    nodes, tokens, states = vector(data["nodes"]), data["tokens"], data["states"]
    k = len(nodes)
    V = vandermonde(nodes, k)
    require(k >= 2 and determinant(V) != 0, "two nodes at least, all different")
    rows, above = [vector(x) for x in tokens["inner"]], [vector(x) for x in states["inner"]]
    require(len(rows) == len(above) >= 2 and any(any(x) for x in rows), "as many neurons, at least two, not all constant")
    for name in ("bias", "outer"):
        require(vector(tokens[name]) == vector(states[name]) and len(tokens[name]) == len(rows), f"the same {name}")
    require(number(tokens["offset"]) == number(states["offset"]), "the same offset")
    for a, b in zip(rows, above, strict=True):
        require(apply(transpose(V), b) == a, "a neuron on states is another function of the tokens")


# -- filters -----------------------------------------------------------------------------------------------------------------


def filter_of(data: Data) -> tuple[Callable[..., Any], int]:
    """(h, L) of a piecewise linear filter with support in [-1, 1]."""
    knots, values, L = vector(data["knots"]), vector(data["values"]), natural(data["L"])
    require(len(knots) == len(values) and ascending(knots) and knots[0] >= -1 and knots[-1] <= 1, "knots in [-1, 1]")
    require(values[0] == values[-1] == 0 and any(values) and L >= 1, "a filter that is 0 at the ends of its support, not 0")
    return (lambda t: piecewise_linear(knots, values, Fraction(t))), L


@statement(
    "orvieto24.eq23",
    "witness",
    Fields(knots=Items(Natural(-1, 1), 3, 3), values=Vector(3, 4), L=Natural(1, 1)),
    hypotheses={"support": "h vanishes outside [-1, 1]"},
    violates={"value": "the value at t = 1 is not f_1(0) = 1"},
)
def support_alone(data: Data) -> Decided:
    """A filter with support in [-1, 1] interpolates; refuted by one for which, with f_1 = ... = f_L = 1 at a point, some value is not 1."""
    h, L = filter_of(data)
    outside = [Fraction(t, 4) for t in (-9, -6, -5, 5, 6, 9)]
    return {"support": all(h(t) == 0 for t in outside), "value": sum(h(1 - j) for j in range(1, L + 1)) != 1}


@statement("orvieto24.eq23.amended", "witness", Fields(knots=Items(Natural(-1, 1), 3, 3), values=Vector(3, 4), L=Natural(8, 8)))
def identity_of_shifts(data: Data) -> None:
    """(h(i - j)) is the identity."""
    h, L = filter_of(data)
    require(L >= 2 and all(h(i - j) == int(i == j) for i in range(L) for j in range(L)), "h(i - j) is 1 for i = j and 0 else")


@statement(
    "orvieto24.eq27",
    "witness",
    Fields(a=Rational(4), k=Natural(1, 1), share=Rational(4)),
    hypotheses={"transform": "H(nu) is not 0"},
    violates={"differ": "they differ", "phase": "it is exp(-i nu k) H(nu)"},
)
def shift_of_a_box(data: Data) -> Decided:
    """The transform of h(t - k) is exp(i nu k) H(nu); refuted for h = 1 on [-a, a] at nu = share pi, with (1/2 pi) int h(t) exp(-i nu t) dt in closed form.

    Times -2 pi i nu it is exp(-i nu (k + a)) - exp(-i nu (k - a)), a sum of powers of exp(i nu), whose exponents exp(-i nu k) shifts by -k.
    """
    a, k = number(data["a"]), natural(data["k"])
    require(a > 0 and k >= 1 and number(data["share"]) > 0, "a > 0, k >= 1, nu > 0")
    nu = intervals.times(intervals.pi(), intervals.exact(number(data["share"])))
    angle = lambda t: intervals.times(nu, intervals.exact(Fraction(t)))  # noqa: E731
    scale = intervals.times(intervals.times(intervals.pi(), nu), intervals.exact(2))

    def transform(shift: int) -> list[tuple[Fraction, Fraction]]:
        ends = angle(shift + a), angle(shift - a)
        parts = [intervals.minus(*(f(x) for x in ends)) for f in (intervals.sin, intervals.cos)]
        return [intervals.divided(p, scale) for p in parts]

    (re, im), moved = transform(0), transform(k)
    powers = lambda shift: {-(shift + a): 1, -(shift - a): -1}  # noqa: E731
    c, s = intervals.cos(angle(k)), intervals.sin(angle(k))
    printed = [
        intervals.minus(intervals.times(c, re), intervals.times(s, im)),
        intervals.plus(intervals.times(s, re), intervals.times(c, im)),
    ]
    apart = [x[0] > y[1] or y[0] > x[1] for x, y in zip(moved, printed, strict=True)]
    return {
        "transform": any(x[0] > 0 or x[1] < 0 for x in (re, im)),
        "differ": any(apart),
        "phase": powers(k) == {e - k: sign for e, sign in powers(0).items()},
    }


@statement(
    "orvieto24.eq33",
    "witness",
    Fields(frequencies=Items(Natural(6, 6), 2, 2)),
    hypotheses={"constants": "C_f = w and C'_f = 1"},
    violates={"exceeds": "C~ exceeds the bound (balls)"},
)
def twice_a_wave(data: Data) -> Decided:
    """C~ <= C_(f_k) C'_h + C_h C'_(f_k) for one k, with sinc: w + pi/2 for cos(w x); refuted by twice that wave, where C~ >= w times the mean of |1 + exp(-i nu)| = 2 cos(nu/2)."""
    w, again = vector(data["frequencies"])
    require(w == again > 0, "twice the same wave")
    # cos(w x) = exp(i w x) / 2 + exp(-i w x) / 2
    C, norm = (sum(abs(v) ** power * HALF for v in (w, -w)) for power in (1, 0))
    pieces = 400
    quarter = intervals.divided(intervals.pi(), intervals.exact(2 * pieces))
    # cos falls on [0, pi/2]: values at the right ends give a lower sum
    mean = sum(2 * intervals.cos(intervals.times(quarter, intervals.exact(i)))[0] for i in range(1, pieces + 1)) / pieces
    return {"constants": w == C and norm == 1, "exceeds": w * mean > C + intervals.pi()[1] / 2 * norm}


@statement("orvieto24.thm4", "witness", Fields(functions=Items(Fields(frequencies=Matrix(2, 1, 4), coefficients=Matrix(2, 2, 4)), 3, 3)))
def sinc_interpolation(data: Data) -> None:
    """C~ of the sinc interpolation is at most sum_k C_(f_k) + (pi/2) C'_(f_k): the integral over [-pi, pi] of |(w, nu)| |sum_k F_k(w) exp(-i nu k)| / (2 pi), enclosed piece by piece."""
    functions = [spectrum(f) for f in data["functions"]]
    require(len(functions) >= 2 and all(is_real(f) and len(f[0][0]) == 1 for f in functions), "two real functions of one variable at least")
    half_pi = intervals.divided(intervals.pi(), intervals.exact(2))
    bound = total(intervals.plus(barron(f), intervals.times(half_pi, fourier(f))) for f in functions)
    tables, pieces, C = [{w[0]: c for w, c in f} for f in functions], 48, Fraction(0)
    require(barron(functions[0])[0] > 0, "f_1 is not constant")
    for i in range(pieces):
        # the integrand is even in nu, since the functions are real
        low, high = (intervals.times(intervals.pi(), intervals.exact(Fraction(x, pieces))) for x in (i, i + 1))
        nu = (low[0], high[1])
        turns = [
            (intervals.cos(angle), intervals.sin(angle))
            for angle in (intervals.times(nu, intervals.exact(k)) for k in range(1, len(tables) + 1))
        ]
        for w in {w for table in tables for w in table}:
            re, im = intervals.exact(0), intervals.exact(0)
            for table, (c, s) in zip(tables, turns, strict=True):
                p, q = (intervals.exact(x) for x in table.get(w, (Fraction(0), Fraction(0))))
                re = intervals.plus(re, intervals.plus(intervals.times(p, c), intervals.times(q, s)))
                im = intervals.plus(im, intervals.minus(intervals.times(q, c), intervals.times(p, s)))
            modulus = max(map(abs, re)) ** 2 + max(map(abs, im)) ** 2
            C += intervals.root(modulus, 1) * intervals.root(w * w + nu[1] ** 2, 1) / pieces
    require(bound[0] >= C, "the integral exceeds the bound")


@statement("new.universality.apart", "witness", Fields(frequencies=Vector(32, 8)))
def different_frequencies(data: Data) -> None:
    """w_k = 1 + k/L: all different, so every extension pays at least their sum, (3L + 1)/2 >= L."""
    w = vector(data["frequencies"])
    L = len(w)
    require(L >= 4 and w == [1 + Fraction(k, L) for k in range(1, L + 1)] and len(set(w)) == L, "w_k = 1 + k/L")
    require(sum(w) == Fraction(3 * L + 1, 2), "their sum is (3L + 1)/2")


@statement("new.universality.root", "witness", Fields(P=Items(Natural(-1, 1), 1024, 1024), Q=Items(Natural(-1, 1), 1024, 1024)))
def golay_pair(data: Data) -> None:
    """Signs P and Q of one length L = 2^m >= 4 with |P|^2 + |Q|^2 = 2 L on the circle: the autocorrelations cancel."""
    P, Q = vector(data["P"]), vector(data["Q"])
    L = len(P)
    require(L >= 4 and L & (L - 1) == 0 and len(Q) == L, "two sequences of one length, a power of two")
    require(all(abs(x) == 1 for x in P + Q), "signs")
    P, Q = [int(x) for x in P], [int(x) for x in Q]
    for lag in range(1, L):
        require(sum(p[i] * p[i + lag] for p in (P, Q) for i in range(L - lag)) == 0, f"the autocorrelations do not cancel at lag {lag}")
