"""Demands of the claims on the unit, its gradient and its scan, in exact rationals."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ...exact import determinant, matrix, minus, natural, number, one, require, square, times, vector
from ...intervals import divided, exact, exp
from ...intervals import minus as minus_i
from ...intervals import plus as plus_i
from ...intervals import times as times_i
from ...registry import statement
from ...schema import Either, Fields, Items, Matrix, Natural, Rational, Vector
from ...shapes import BISTABLE_LAYER
from ...typed import Certificates, Data, Decided
from .hysteresis import eq8, eq9, sign


def numbers(data: Data, *names: str) -> list[Fraction]:
    return [number(data[name]) for name in names]


def read_layer(data: Data) -> tuple[Any, ...]:
    """(W_x, b_x, W_beta, b_beta, alpha), of fitting sizes."""
    W, V = matrix(data["W_x"]), matrix(data["W_beta"])
    b, c, alpha = (vector(data[name]) for name in ("b_x", "b_beta", "alpha"))
    require(len(W) == len(V) == len(b) == len(c) == len(alpha) and len(W[0]) == len(V[0]), "weights of fitting sizes")
    return W, b, V, c, alpha


def gates(layer: tuple[Any, ...], x: Sequence[Fraction]) -> list[tuple[int, Fraction]]:
    """[(z, S(h-hat) alpha)] of the units at an input (Eqs. 11a to c)."""
    W, b, V, c, alpha = layer
    require(len(x) == len(W[0]), "an input of the layer's size")
    out = []
    for row, bias, v, offset, a in zip(W, b, V, c, alpha, strict=True):
        candidate = sum((p * q for p, q in zip(row, x, strict=True)), bias)
        threshold = abs(sum((p * q for p, q in zip(v, x, strict=True)), offset))
        out.append((int(abs(candidate) >= threshold), sign(candidate) * a))
    return out


def run(layer: tuple[Any, ...], start: Sequence[Fraction], word: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """The states of Eq. 11 after each input."""
    h, states = list(start), []
    require(len(h) == len(layer[0]), "a start for each unit")
    for x in word:
        h = [z * v + (1 - z) * old for (z, v), old in zip(gates(layer, x), h, strict=True)]
        states.append(h)
    return states


def read_run(data: Data) -> tuple[Any, ...]:
    """(layer, start, word, states), where the states are those of Eq. 11, and something is written and something kept."""
    layer, start, word = read_layer(data), vector(data["start"]), [vector(x) for x in data["word"]]
    states = run(layer, start, word)
    require(states == [vector(h) for h in data["states"]] != [], "the states are those of Eq. 11")
    require({z for x in word for z, _ in gates(layer, x)} == {0, 1}, "some gate writes and some gate keeps")
    return layer, start, word, states


# -- what is kept ----------------------------------------------------------------------------------------------------------------


@statement("degeeter26.abstract.persistent", "witness", Fields(alpha=Rational(4), beta=Rational(4), inputs=Vector(4, 8)))
def abstract_persistent(data: Data) -> None:
    """Both states are kept through inputs inside the memory region."""
    alpha, beta = numbers(data, "alpha", "beta")
    inputs = [number(x) for x in data["inputs"]]
    require(
        alpha > 0 and len(inputs) > 1 and any(inputs) and all(abs(x) < beta for x in inputs), "several inputs with |x| < beta, alpha > 0"
    )
    for start in (alpha, -alpha):
        h = start
        for x in inputs:
            h = eq9(h, x, beta, alpha)
            require(h == start, "the state is kept")


@statement("degeeter26.abstract.ssm", "witness", Fields(eigenvalue=Rational(4), inputs=Vector(5, 4), starts=Vector(2, 4)))
def abstract_ssm(data: Data) -> None:
    """The difference of two states after T steps is lambda^T times the first one, 0 < |lambda| < 1."""
    lam, inputs, (h, k) = number(data["eigenvalue"]), [number(b) for b in data["inputs"]], [number(s) for s in data["starts"]]
    require(0 < abs(lam) < 1 and h != k and len(inputs) > 2 and any(inputs), "0 < |lambda| < 1, two starts, some inputs")
    first = h - k
    for b in inputs:
        h, k = lam * h + b, lam * k + b
    require(h - k == lam ** len(inputs) * first and abs(h - k) < abs(first), "the difference has faded")


@statement(
    "degeeter26.sec3.monostable",
    "witness",
    Either(
        Fields(alpha=Rational(4), beta=Rational(4), x=Rational(4), states=Vector(2, 4)),
        Fields(eigenvalue=Rational(4), states=Vector(2, 4)),
        Fields(terms=Natural(1, 100), kept=Rational(4)),
    ),
    hypotheses={"affine": "the step is affine in h, with coefficients from x alone", "open": "z_t > 0"},
    violates={
        "signs": "the states 1 and -1 are both equilibria",
        "units": "the states 0 and 1 are both equilibria",
        "kept": "more than half of h_0 is there for ever",
    },
)
def sec3_monostable(data: Data) -> Decided:
    """A linear recurrence, or a gate above 0 that sees no state, that keeps the past: two equilibria, or more than half of h_0 for ever."""
    if "terms" in data:
        terms, kept = natural(data["terms"]), exact(1)
        require(0 < terms <= 100 and number(data["kept"]) == Fraction(1, 2), "some gates sigma(-t), and half of h_0")
        gates_open = True
        for t in range(1, terms + 1):
            e = exp(exact(t))
            gates_open = gates_open and divided(exact(1), plus_i(exact(1), e))[0] > 0
            kept = times_i(kept, divided(e, plus_i(exact(1), e)))  # 1 - sigma(-t)
        tail = divided(exp(exact(-terms)), minus_i(exp(exact(1)), exact(1)))  # at least the sum of the other gates
        return {"open": gates_open, "kept": times_i(kept, minus_i(exact(1), tail))[0] > Fraction(1, 2)}
    states = [number(h) for h in data["states"]]
    require(len(set(states)) == 2, "two states")
    if "eigenvalue" in data:
        return {"units": set(states) == {0, 1} and all(number(data["eigenvalue"]) * h == h for h in states)}
    alpha, beta, x = numbers(data, "alpha", "beta", "x")
    require(alpha > 0, "alpha > 0")
    z = int(abs(x) >= beta)  # a and b of h -> a h + b, from the input alone
    a, b = 1 - z, z * sign(x) * alpha
    return {
        "affine": all(eq9(h, x, beta, alpha) == a * h + b for h in (*states, Fraction(0), 5 * alpha)),
        "signs": set(states) == {1, -1} and all(a * h + b == h for h in states),
    }


@statement("degeeter26.sec3.monostable.amended", "witness", Fields(A=Matrix((1, 4), (1, 4), 16), power=Natural(1, 64)))
def sec3_monostable_amended(data: Data) -> None:
    """A power of A has row-sum norm below 1, and I - A is invertible."""
    a, k = square(matrix(data["A"])), natural(data["power"])
    require(0 < k <= 64 and any(x for row in a for x in row), "a power of a matrix that is not 0")
    power = one(len(a))
    for _ in range(k):
        power = times(power, a)
    require(max(sum(abs(x) for x in row) for row in power) < 1, "the power is a contraction")
    require(determinant(minus(one(len(a)), a)) != 0, "one equilibrium for every b")


@statement("new.bistable.switching", "witness", Fields(matrices=Items(Matrix(2, 2, 4), 2, 2)))
def switching(data: Data) -> None:
    """Two nilpotent matrices whose product is idempotent and not 0."""
    a, b = (square(matrix(m)) for m in data["matrices"])
    zero = [[0] * len(a) for _ in a]
    product = times(a, b)
    require(times(a, a) == zero == times(b, b), "both are nilpotent")
    require(times(product, product) == product != zero, "the product is idempotent and not 0")


# -- the forms of the rule ---------------------------------------------------------------------------------------------------------


@statement("degeeter26.eq9", "witness", Fields(alpha=Rational(4), beta=Rational(4), x=Rational(4)))
def eq9_statement(data: Data) -> None:
    alpha, beta, x = numbers(data, "alpha", "beta", "x")
    require(alpha >= 1 and abs(x) < beta and x != 0, "alpha >= 1, 0 < |x| < beta")
    require(all(eq8(h, x, beta, alpha) == eq9(h, x, beta, alpha) == h for h in (alpha, -alpha)), "Eq. 8 is Eq. 9 on both states")


@statement(
    "degeeter26.eq9.alpha",
    "witness",
    Fields(alpha=Rational(4), beta=Rational(4), h=Rational(4), x=Rational(4)),
    hypotheses={"start": "h = +-alpha", "weak": "|x| < beta"},
    violates={"changes": "Eq. 8 changes the state", "flips": "it flips at every step"},
)
def eq9_alpha(data: Data) -> Decided:
    """h = +-alpha and |x| < beta, where Eqs. 8 and 9 differ."""
    alpha, beta, h, x = numbers(data, "alpha", "beta", "h", "x")
    require(eq8(h, x, beta, alpha) != eq9(h, x, beta, alpha), "the rules differ")
    after = eq8(h, x, beta, alpha)
    hypotheses = {"start": abs(h) == abs(alpha), "weak": abs(x) < beta}
    return hypotheses | ({"changes": after == -h} if alpha > 0 else {"flips": after == -h and eq8(after, x, beta, alpha) == h})


@statement("degeeter26.eq9.amended", "witness", Fields(alpha=Rational(4), beta=Rational(4), x=Rational(4)))
def eq9_amended(data: Data) -> None:
    """alpha below 1 and not 0: Eq. 8 changes a state, alpha S(h/alpha + x/beta) none."""
    alpha, beta, x = numbers(data, "alpha", "beta", "x")
    require(alpha < 1 and alpha != 0 and abs(x) < beta, "alpha < 1, not 0, and |x| < beta")
    require(any(eq8(h, x, beta, alpha) != h for h in (alpha, -alpha)), "Eq. 8 is not Eq. 9")
    require(all(alpha * sign(h / alpha + x / beta) == h for h in (alpha, -alpha)), "the repaired line is")


@statement("degeeter26.eq10", "witness", Fields(h=Rational(4), x=Rational(4), beta=Rational(4), alpha=Rational(4)))
def eq10(data: Data) -> None:
    h, x, beta, alpha = numbers(data, "h", "x", "beta", "alpha")
    require(beta > 0 and alpha != 0 and h not in (alpha, -alpha), "beta > 0, alpha not 0, a state that a write changes")
    z = int(abs(x) - beta >= 0)
    require(z * sign(x) * alpha + (1 - z) * h == eq9(h, x, beta, alpha), "Eq. 10 is Eq. 9")


@statement("degeeter26.eq10")
def eq10_orders(certificates: Certificates) -> None:
    """|x| below, at and above beta all occur."""
    orders = {(abs(number(d["x"])) > number(d["beta"])) - (abs(number(d["x"])) < number(d["beta"])) for _, d in certificates}
    require(orders == {-1, 0, 1}, "|x| below, at and above beta")


# -- layers -----------------------------------------------------------------------------------------------------------------------


@statement(
    "degeeter26.eq11",
    "witness",
    Fields(
        W_x=Matrix((1, 4), (1, 3), 4),
        b_x=Vector((1, 4), 4),
        W_beta=Matrix((1, 4), (1, 3), 4),
        b_beta=Vector((1, 4), 4),
        alpha=Vector((1, 4), 4),
        start=Vector((1, 4), 4),
        word=Matrix((1, 8), (1, 3), 4),
        states=Matrix((1, 8), (1, 4), 4),
    ),
)
def eq11(data: Data) -> None:
    """The states are those of H -> A(x) H + B(x), A = Diag(1 - z), B = z S(h-hat) alpha, multiplied out: the product of the A times h_0, and so on."""
    layer, start, word, states = read_run(data)
    a, b = [Fraction(1)] * len(start), [Fraction(0)] * len(start)
    for x, expected in zip(word, states, strict=True):
        pairs = gates(layer, x)
        a = [(1 - z) * p for (z, _), p in zip(pairs, a, strict=True)]
        b = [(1 - z) * q + z * v for (z, v), q in zip(pairs, b, strict=True)]
        require([p * h + q for p, h, q in zip(a, start, b, strict=True)] == expected, "the closed form gives the states")


def compose(first: tuple[Fraction | int, Fraction], then: tuple[Fraction | int, Fraction]) -> tuple[Any, ...]:
    """[a, b] then [a', b'] is [a a', a' b + b']."""
    return first[0] * then[0], then[0] * first[1] + then[1]


def balanced(pairs: Sequence[tuple[Fraction | int, Fraction]]) -> tuple[Any, ...]:
    """The product, bracketed in the middle."""
    if len(pairs) == 1:
        return pairs[0]
    middle = len(pairs) // 2
    return compose(balanced(pairs[:middle]), balanced(pairs[middle:]))


@statement("degeeter26.appB.thm2", "witness", Fields(a=Vector(6, 8), b=Vector(6, 8)))
def appB_thm2(data: Data) -> None:
    """Balanced products of the pairs hold the states of h_t = a_t h_(t-1) + b_t, h_0 = b_0."""
    a, b = vector(data["a"]), vector(data["b"])
    require(len(a) == len(b) > 3 and len(set(a)) > 2 and any(b), "a recurrence of some length")
    pairs, h, y = list(zip(a, b, strict=True)), b[0], a[0]
    for t in range(1, len(a)):
        h, y = a[t] * h + b[t], a[t] * y
        require(balanced(pairs[: t + 1]) == (y, h), "the product holds y_t and h_t")


@statement(
    "degeeter26.appB.thm3",
    "witness",
    Fields(
        W_x=Matrix((1, 3), (1, 2), 4),
        b_x=Vector((1, 3), 4),
        W_beta=Matrix((1, 3), (1, 2), 4),
        b_beta=Vector((1, 3), 4),
        alpha=Vector((1, 3), 4),
        start=Vector((1, 3), 4),
        word=Matrix(8, (1, 2), 4),
        states=Matrix(8, (1, 3), 4),
    ),
)
def appB_thm3(data: Data) -> None:
    """Balanced products of [1, h_0] and [1 - z_t, z_t S alpha] hold the states of Eq. 11, unit by unit."""
    layer, start, word, states = read_run(data)
    for i, h in enumerate(start):
        pairs = [(Fraction(1), h)] + [(1 - z, z * v) for z, v in (gates(layer, x)[i] for x in word)]
        for t, expected in enumerate(states, start=1):
            require(balanced(pairs[: t + 1])[1] == expected[i], "the product holds the state")


@statement(
    "new.bistable.last-write",
    "witness",
    Fields(gates=Items(Natural(0, 1), 10, 10), signs=Items(Natural(-1, 1), 10, 10), alpha=Rational(4), start=Rational(4)),
)
def last_write(data: Data) -> None:
    """The loop's states are what was written last."""
    z, s, alpha, start = data["gates"], data["signs"], number(data["alpha"]), number(data["start"])
    require(
        len(z) == len(s) and set(z) == {0, 1} and set(s) == {1, -1} and alpha and abs(start) != abs(alpha), "gates and signs of both kinds"
    )
    h = start
    for t, (gate, side) in enumerate(zip(z, s, strict=True)):
        h = gate * side * alpha + (1 - gate) * h
        last = max((r for r in range(t + 1) if z[r]), default=None)
        require(h == (start if last is None else s[last] * alpha), "the state is what was written last")


@statement(
    "new.bistable.copy-first",
    "witness",
    Fields(
        W_x=Matrix((1, 11), 2, 8),
        b_x=Vector((1, 11), 4),
        W_beta=Matrix((1, 11), 2, 8),
        b_beta=Vector((1, 11), 4),
        alpha=Vector((1, 11), 4),
        low=Rational(4),
        high=Rational(4),
        ceiling=Rational(4),
        first=Rational(8),
        noise=Vector(30, 12),
    ),
)
def copy_first(data: Data) -> None:
    """Through noise of any size each unit keeps what it wrote at the flag, and the linear readout finds the first input within (b - a) / (2K).

    The weights are the claim's: candidate r + u f and threshold |2r + 2v f| with u = (M - 3q)/2, 2v = -(M + 3q)/2 at the levels q = a + (b - a) i / K.
    """
    layer = read_layer(data)
    low, high, ceiling, first = numbers(data, "low", "high", "ceiling", "first")
    noise, n = [number(r) for r in data["noise"]], len(layer[0])
    require(low <= first <= high <= ceiling and -ceiling < 3 * low < 3 * high, "r in [a, b], a > -M/3, b <= M")
    levels = [low + (high - low) * Fraction(i, n + 1) for i in range(1, n + 1)]
    require(layer[0] == [[1, (ceiling - 3 * q) / 2] for q in levels] and not any(layer[1]), "the candidates of the claim")
    require(layer[2] == [[2, -(ceiling + 3 * q) / 2] for q in levels] and not any(layer[3]), "its thresholds")
    require(all(a == 1 for a in layer[4]), "alpha = 1")
    require(len(noise) >= 10 and all(noise) and max(map(abs, noise)) > 100 * (high - low), "noise, some of it large, none of it 0")
    states = run(layer, [Fraction(-1)] * n, [[first, Fraction(1)], *([r, Fraction(0)] for r in noise)])
    require(all(h == states[0] for h in states), "the states are kept")
    step = (high - low) / (n + 1)
    estimate = low + step / 2 + step * sum(h == 1 for h in states[-1])
    require(abs(estimate - first) <= step / 2, "the readout is right")


@statement("new.bistable.noise", "witness", Fields(bound=Natural(2, 4)))
def noise(data: Data) -> None:
    """For all integer units up to a bound: the inputs that write have measure 0 iff (v, c) = k (w, b), |k| > 1, or w = b = 0 other than (v, c).

    |wr + b| < |vr + c| for almost all r iff f g > 0 almost everywhere, f = (v - w) r + c - b and g = (v + w) r + c + b: they are positive multiples.
    """
    bound = natural(data["bound"])
    require(2 <= bound <= 4, "a bound of 2 to 4")
    for w, b, v, c in itertools.product(range(-bound, bound + 1), repeat=4):
        f, g = (v - w, c - b), (v + w, c + b)
        null = f[0] * g[1] == f[1] * g[0] and f[0] * g[0] + f[1] * g[1] > 0
        multiple = v * b == w * c and v * v + c * c > w * w + b * b
        require(null == multiple, "the criterion")


# -- stacks of layers ---------------------------------------------------------------------------------------------------------------------


@statement(
    "new.bistable.stutter", "witness", Fields(stack=Items(BISTABLE_LAYER, 2, 3), word=Matrix((1, 5), (1, 2), 4), repeat=Natural(0, 4))
)
def stutter(data: Data) -> None:
    """The states of all layers after u x v and after u x x v agree; each layer reads what the layer below reads, and its new states."""
    layers = [(read_layer(one_layer), vector(one_layer["start"])) for one_layer in data["stack"]]
    word, i = [vector(x) for x in data["word"]], natural(data["repeat"])
    require(len(layers) > 1 and i < len(word) and any(x for x in word[i]), "a stack, and a letter that is not 0")
    require({z for x in word for z, _ in gates(layers[0][0], x)} == {0, 1}, "some gate writes and some gate keeps")
    once, again = (stack_states(layers, w) for w in (word, [*word[: i + 1], *word[i:]]))
    require(again[i + 1 :] == once[i:], "the states agree")


def stack_states(layers: Sequence[Any], word: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """The states of all layers, one after another, after each letter."""
    read, states = [list(x) for x in word], [[] for _ in word]
    for layer, start in layers:
        for t, h in enumerate(run(layer, start, read)):
            read[t], states[t] = read[t] + h, states[t] + h
    return states


# -- certificates together ---------------------------------------------------------------------------------------------------------------


def cases_of(claim: Any, case: Any, expected: Any, why: Any) -> None:
    """Demand that ``case`` of the claim's certificates takes just the ``expected`` values."""

    def demand(certificates: Certificates) -> None:
        require({case(d) for _, d in certificates} == expected, why)

    statement(claim)(demand)


cases_of(
    "degeeter26.sec3.monostable",
    lambda d: tuple(sorted(d)),
    {("alpha", "beta", "states", "x"), ("eigenvalue", "states"), ("kept", "terms")},
    "three refutations",
)
cases_of("degeeter26.eq9.alpha", lambda d: number(d["alpha"]) > 0, {True, False}, "alpha of both signs")
cases_of("degeeter26.eq9.amended", lambda d: number(d["alpha"]) > 0, {True, False}, "alpha of both signs")
cases_of("degeeter26.appA.fig12", lambda d: number(d["b_a"]) > 0, {True, False}, "b_a of both signs")
cases_of("degeeter26.sec4.3.jacobian.rewriting", lambda d: "radius" in d, {True, False}, "Eq. 8 and the convergent RNN")
cases_of("degeeter26.appB.thm1.only-if", lambda d: len(d["table"]), {2, 3}, "magmas with two and three elements")


def all_different(certificates: Certificates) -> None:
    texts = [repr(d) for _, d in certificates]
    require(len(texts) == len(set(texts)), "certificates that differ")


for _claim in (
    "degeeter26.eq9",
    "degeeter26.eq11",
    "degeeter26.appB.thm3",
    "degeeter26.fig7",
    "degeeter26.sec3.monostable.amended",
    "degeeter26.sec3.solutions",
    "degeeter26.sec3.stability",
    "degeeter26.sec3.convergence",
    "degeeter26.appA.modifications",
    "new.bistable.copy-first",
    "new.bistable.parity",
    "new.bistable.since",
    "new.bistable.stutter",
):
    statement(_claim)(all_different)
