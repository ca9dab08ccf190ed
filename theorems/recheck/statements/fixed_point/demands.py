"""What the claims of topic fixed_point demand of their certificates: the layers, their fixed points and Lipschitz constants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from ...exact import (
    apply,
    determinant,
    dot,
    inverse,
    is_positive_semidefinite,
    matrix,
    minus,
    natural,
    norm_at_most,
    number,
    one,
    require,
    scaled,
    square,
    times,
    transpose,
    vector,
)
from ...registry import statement
from ...schema import Fields, Items, Matrix, Natural, Rational, Vector
from ...typed import Data, Decided

V = TypeVar("V", bound=Sequence[Fraction])


def is_positive_definite(g: Sequence[Sequence[Fraction]]) -> bool:
    return is_positive_semidefinite(g) and determinant(g) != 0


def is_strict(m: Sequence[Sequence[Fraction]]) -> bool:
    """||M|| < 1."""
    gram = times(transpose(m), m)
    return is_positive_definite(minus(one(len(gram)), gram))


def nonzero(v: V) -> V:
    require(any(v), "a vector that is not 0")
    return v


def diagonal(v: Sequence[Fraction]) -> list[list[Fraction]]:
    return [[x if i == j else Fraction(0) for j in range(len(v))] for i, x in enumerate(v)]


def scaled_rows(v: Sequence[Fraction], m: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """diag(v) M."""
    require(len(v) == len(m), "a factor for each row")
    return [[x * y for y in row] for x, row in zip(v, m, strict=True)]


def square_of_size(rows: Sequence[Sequence[str]], d: int) -> list[list[Fraction]]:
    m = square(matrix(rows))
    require(len(m) == d, "matrices of one size")
    return m


def add(v: Sequence[Fraction], w: Sequence[Fraction]) -> list[Fraction]:
    require(len(v) == len(w), "vectors of one size")
    return [x + y for x, y in zip(v, w, strict=True)]


def times_entries(v: Sequence[Fraction], w: Sequence[Fraction]) -> list[Fraction]:
    require(len(v) == len(w), "vectors of one size")
    return [x * y for x, y in zip(v, w, strict=True)]


def size(sequence: Sequence[Sequence[Fraction]]) -> Fraction:
    """The squared Euclidean norm of a sequence of vectors."""
    return sum((dot(v, v) for v in sequence), Fraction(0))


def differences(left: Sequence[Sequence[Fraction]], right: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    require(len(left) == len(right), "sequences of one length")
    return [[x - y for x, y in zip(v, w, strict=True)] for v, w in zip(left, right, strict=True)]


# -- layers: a list of (decay, gate, F, s), where a pass is h_t = decay h_(t-1) + s_t + gate F h'_t with F = I - Q ---------------------


def layer_of(tokens: Sequence[dict[str, Any]]) -> list[Any]:
    """Tokens {decay, gate, Q, b} of one size."""
    require(isinstance(tokens, list) and tokens, "expected tokens")
    d, out = len(vector(tokens[0]["decay"])), []
    for t in tokens:
        decay, gate, q, b = vector(t["decay"]), vector(t["gate"]), square_of_size(t["Q"], d), vector(t["b"])
        require(len(decay) == len(gate) == len(b) == d, "tokens of one size")
        out.append((decay, gate, minus(one(d), q), times_entries(gate, apply(q, b))))
    return out


def constant_layer(decay: Sequence[Fraction], gate: Sequence[Fraction], f: Sequence[Sequence[Fraction]], length: int) -> list[Any]:
    return [(decay, gate, f, [Fraction(0)] * len(decay))] * length


def one_pass(layer: Sequence[Any], h: Sequence[Sequence[Fraction]], initial: Sequence[Fraction] | None = None) -> list[list[Fraction]]:
    state, out = initial or [Fraction(0)] * len(layer[0][0]), []
    require(len(h) == len(layer), "a state for each token")
    for (decay, gate, f, s), before in zip(layer, h, strict=True):
        state = add(add(times_entries(decay, state), s), times_entries(gate, apply(f, before)))
        out.append(state)
    return out


def passes(layer: Sequence[Any], count: int, initial: Sequence[Fraction] | None = None) -> list[list[Fraction]]:
    h = [[Fraction(0)] * len(layer[0][0])] * len(layer)
    for _ in range(count):
        h = one_pass(layer, h, initial)
    return h


def fixed_point(layer: Sequence[Any], initial: Sequence[Fraction] | None = None) -> list[list[Fraction]]:
    """(I - G F) h_t = decay h_(t-1) + s_t, token after token."""
    state, out = initial or [Fraction(0)] * len(layer[0][0]), []
    for decay, gate, f, s in layer:
        state = apply(inverse(minus(one(len(f)), scaled_rows(gate, f))), add(times_entries(decay, state), s))
        out.append(state)
    return out


def loop(layer: Sequence[Any]) -> list[list[Fraction]]:
    """The linear part of a pass as one matrix of size T d."""
    d, length = len(layer[0][0]), len(layer)
    silent = [(decay, gate, f, [Fraction(0)] * d) for decay, gate, f, _ in layer]
    columns = []
    for k in range(d * length):
        unit = [[Fraction(int(t * d + i == k)) for i in range(d)] for t in range(length)]
        columns.append([x for v in one_pass(silent, unit) for x in v])
    return transpose(columns)


# -- Theorem 2.1 ---------------------------------------------------------------------------------------------------------------


@statement(
    "movahedi25.thm2.1",
    "witness",
    Fields(decay=Vector(1, 4), Q=Matrix(1, 1, 4), difference=Items(Natural(1, 1), 1, 1)),
    hypotheses={"decay": "|Lambda| < 1", "mixer": "|1 - Q| < 1"},
    violates={"lipschitz": "the Lipschitz constant is not below 1"},
)
def negative_decay(data: Data) -> Decided:
    """Theorem 2.1 at T = 1: |Lambda| < 1 and ||I - Q|| < 1, and yet a difference is not shortened."""
    decay, v = vector(data["decay"]), nonzero(vector(data["difference"]))
    f = minus(one(len(decay)), square_of_size(data["Q"], len(decay)))
    out = times_entries([1 - x for x in decay], apply(f, v))
    return {"decay": all(abs(x) < 1 for x in decay), "mixer": is_strict(f), "lipschitz": dot(out, out) >= dot(v, v)}


@statement(
    "movahedi25.appF1.neumann",
    "witness",
    Fields(decay=Vector(2, 4), t=Natural(1, 1)),
    hypotheses={"decay": "0 <= Lambda < 1"},
    violates={"norms": "the product of norms exceeds 1"},
)
def product_of_norms(data: Data) -> Decided:
    """||sum Lambda^k|| ||I - Lambda|| <= 1 for Lambda in [0, 1); refuted where the product of the norms is larger."""
    decay, t = vector(data["decay"]), natural(data["t"])
    require(t <= 100, "at most 100 steps")
    product = max(sum(x**k for k in range(t + 1)) for x in decay) * max(1 - x for x in decay)
    return {"decay": all(0 <= x < 1 for x in decay), "norms": product > 1}


@statement(
    "movahedi25.appF1.pointwise",
    "witness",
    Fields(decay=Rational(4), F=Rational(4), differences=Items(Natural(1, 1), 3, 3)),
    hypotheses={"rows": "every row is shorter than 1, at every length"},
    violates={"norm": "the map on sequences has norm at least 1"},
)
def rows_against_the_whole(data: Data) -> Decided:
    """Every f(h)_t is shorter than the sequence h (at every length), and yet the map does not shorten one sequence."""
    decay, f, u = number(data["decay"]), number(data["F"]), nonzero(vector(data["differences"]))
    out = one_pass(constant_layer([decay], [Fraction(1)], [[f]], len(u)), [[x] for x in u])
    return {"rows": abs(decay) < 1 and f * f < 1 - decay * decay, "norm": size(out) >= dot(u, u)}


def gain(data: Data, gate_of: Callable[..., Any], constant_of: Callable[..., Any]) -> None:
    """The layer's constant is ``bound``: no sequence is lengthened more (all T d of them at this length), and one comes near it.

    ``constant_of`` maps a decay to the gain of its channel; the sequence is sign(lambda)^t v, whose mean square misses 1 - 2m/((1 - m) T) at most.
    """
    decay, v, length, bound = vector(data["decay"]), nonzero(vector(data["vector"])), natural(data["length"]), number(data["bound"])
    d = len(decay)
    gate, f = vector(data["gate"]), square_of_size(data["F"], d)
    require(1 <= length <= 40 and len(v) == d, "sizes that fit")
    require(all(abs(x) < 1 for x in decay), "|Lambda| < 1")
    require(len(gate) == d and all(gate_of(x, g) for x, g in zip(decay, gate, strict=True)), "the gate of the statement")
    squared = max(constant_of(x) for x in decay)  # the largest gain of a channel, squared
    fv = apply(f, v)
    active = [i for i in range(d) if fv[i]]
    require(active and all(constant_of(decay[i]) == squared for i in active), "v meets the channels of the largest gain")
    norm = dot(fv, fv) / dot(v, v)  # of F, squared
    require(bound > 0 and norm * squared == bound * bound, "the bound is the largest gain times |F v|/|v|")
    gram = times(transpose(f), f)
    require(is_positive_semidefinite(minus(scaled(norm, one(d)), gram)), "|F v|/|v| is the norm of F")
    layer = constant_layer(decay, gate, f, length)
    require(norm_at_most(loop(layer), bound), "a sequence is lengthened more than the bound says")
    m = max(abs(decay[i]) for i in active)
    signs = {-1 if decay[i] < 0 else 1 for i in active if decay[i]} or {1}
    require(len(signs) == 1, "one sign of the decays")
    (sign,) = signs
    reached = 1 - 2 * m / ((1 - m) * length)
    require(reached > 0, "a length at which the bound says something")
    sequence = [[sign**t * x for x in v] for t in range(length)]
    require(size(one_pass(layer, sequence)) >= reached * bound * bound * length * dot(v, v), "the sequence does not come near the bound")


@statement(
    "movahedi25.thm2.1.amended",
    "witness",
    Fields(
        decay=Vector((1, 3), 4),
        gate=Vector((1, 3), 4),
        F=Matrix((1, 3), (1, 3), 8),
        bound=Rational(4),
        vector=Vector((1, 3), 8),
        length=Natural(5, 5),
    ),
)
def gated_gain(data: Data) -> None:
    """0 <= Lambda < 1 with the gate I - Lambda: the constant is ||I - Q||."""
    require(all(0 <= x < 1 for x in vector(data["decay"])), "0 <= Lambda < 1")
    gain(data, lambda x, g: g == 1 - x, lambda x: Fraction(1))


@statement(
    "new.fixed-point.signed-gain",
    "witness",
    Fields(
        decay=Vector((1, 2), 8),
        gate=Vector((1, 2), 8),
        F=Matrix((1, 2), (1, 2), 8),
        bound=Rational(8),
        vector=Vector((1, 2), 4),
        length=Natural(6, 24),
    ),
)
def signed_gain(data: Data) -> None:
    """The gate I - Lambda for decays of any sign: max (1 - lambda)/(1 - |lambda|) ||I - Q||, with I - Q = gamma I."""
    require(any(x < 0 for x in vector(data["decay"])), "a negative decay")
    gain(data, lambda x, g: g == 1 - x, lambda x: ((1 - x) / (1 - abs(x))) ** 2)


@statement(
    "new.fixed-point.modulus-gate",
    "witness",
    Fields(
        decay=Vector((1, 2), 4),
        gate=Vector((1, 2), 4),
        F=Matrix((1, 2), (1, 2), 8),
        bound=Rational(4),
        vector=Vector((1, 2), 8),
        length=Natural(6, 6),
    ),
)
def modulus_gain(data: Data) -> None:
    """The gate I - |Lambda|: ||I - Q||."""
    gain(data, lambda x, g: g == 1 - abs(x), lambda x: Fraction(1))


@statement(
    "new.fixed-point.root-gate",
    "witness",
    Fields(
        decay=Vector((1, 2), 4),
        gate=Vector((1, 2), 8),
        F=Matrix((1, 2), (1, 2), 8),
        bound=Rational(8),
        vector=Vector((1, 2), 4),
        length=Natural(12, 12),
    ),
)
def root_gain(data: Data) -> None:
    """The gate sqrt(1 - lambda^2): sqrt((1 + lambda)/(1 - lambda)) ||I - Q||."""
    require(all(0 < x < 1 for x in vector(data["decay"])), "0 < lambda < 1")
    gain(data, lambda x, g: g > 0 and g * g == 1 - x * x, lambda x: (1 + x) / (1 - x))


@statement(
    "new.fixed-point.no-uniform-contraction",
    "witness",
    Fields(
        decay=Vector((1, 2), 4),
        gate=Vector((1, 2), 4),
        F=Matrix((1, 2), (1, 2), 12),
        bound=Rational(4),
        vector=Vector((1, 2), 8),
        length=Natural(8, 8),
    ),
)
def ungated_gain(data: Data) -> None:
    """No gate: ||I - Q||/(1 - lambda)."""
    require(all(0 <= x < 1 for x in vector(data["decay"])), "0 <= lambda < 1")
    gain(data, lambda x, g: g == 1, lambda x: 1 / (1 - x) ** 2)


@statement(
    "movahedi25.appD2.delta",
    "witness",
    Fields(delta=Rational(4), decay=Rational(8), F=Rational(4), differences=Items(Natural(1, 1), 8, 8)),
    hypotheses={"rates": "0 < lambda < 1, 0 < Delta < 1", "mixer": "||I - Q|| < 1"},
    violates={"longer": "constant differences come out longer"},
)
def delta_for_the_gate(data: Data) -> Decided:
    """lambda in (0, 1) is exp(-8 s Delta) for some s > 0; with the gate Delta and |I - Q| < 1 a sequence is lengthened."""
    delta, decay, f, u = number(data["delta"]), number(data["decay"]), number(data["F"]), nonzero(vector(data["differences"]))
    out = one_pass(constant_layer([decay], [delta], [[f]], len(u)), [[x] for x in u])
    return {"rates": 0 < delta < 1 and 0 < decay < 1, "mixer": abs(f) < 1, "longer": size(out) >= dot(u, u)}


# -- parameters that depend on the input -----------------------------------------------------------------------------------------


@statement(
    "movahedi25.thm2.1.selective",
    "witness",
    Fields(decays=Vector(2, 4), F=Rational(4), differences=Items(Natural(0, 1), 2, 2)),
    hypotheses={"decay": "0 <= Lambda_t < 1", "mixer": "|1 - Q| < 1"},
    violates={"longer": "(1, 0) is lengthened"},
)
def two_gates(data: Data) -> Decided:
    """0 <= Lambda_t < 1, the gate 1 - Lambda_t and |I - Q| < 1: a sequence is lengthened."""
    decays, f, u = vector(data["decays"]), number(data["F"]), nonzero(vector(data["differences"]))
    require(u == [1, 0], "the difference (1, 0)")
    out = one_pass([([x], [1 - x], [[f]], [Fraction(0)]) for x in decays], [[x] for x in u])
    return {"decay": all(0 <= x < 1 for x in decays), "mixer": abs(f) < 1, "longer": size(out) > dot(u, u)}


@statement(
    "movahedi25.thm2.1.selective.amended",
    "witness",
    Fields(tokens=Items(Fields(decay=Vector((1, 3), 8), F=Matrix((1, 3), (1, 3), 8)), 2, 4)),
)
def row_sums(data: Data) -> None:
    """Gates 1 - Lambda_t: no row of the map sums, in modulus, to more than the largest row sum of the I - Q_t."""
    tokens = [(vector(t["decay"]), matrix(t["F"])) for t in data["tokens"]]
    require(len(tokens) >= 2 and len(tokens) <= 12, "at least two tokens")
    d = len(tokens[0][0])
    require(all(len(x) == d and len(square(f)) == d and all(0 <= c < 1 for c in x) for x, f in tokens), "0 <= Lambda_t < 1, one size")
    largest = max(sum(map(abs, row)) for _, f in tokens for row in f)
    m = loop([(x, [1 - c for c in x], f, [Fraction(0)] * d) for x, f in tokens])
    require(0 < max(sum(map(abs, row)) for row in m) <= largest, "a row sums to more")


def outer(v: Sequence[Fraction], w: Sequence[Fraction]) -> list[list[Fraction]]:
    return [[x * y for y in w] for x in v]


def matrix_states(tokens: Sequence[Any], y: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """H_t = decay_t H_(t-1) + gate_t (B_t (F_t y_t)^T) entry by entry, and the outputs H_t^T C_t; decay and gate are n x d."""
    state, outputs = None, []
    require(len(tokens) == len(y), "an input for each token")
    for (decay, gate, b, c, f), v in zip(tokens, y, strict=True):
        new = outer(b, apply(f, v))
        state = state or [[Fraction(0)] * len(v) for _ in b]
        rows = zip(decay, state, gate, new, strict=True)
        state = [[x * h + g * u for x, h, g, u in zip(*row, strict=True)] for row in rows]
        outputs.append(apply(transpose(state), c))
    return outputs


def unit_vectors(tokens: Sequence[dict[str, Any]]) -> None:
    for t in tokens:
        for name in ("B", "C"):
            v = vector(t[name])
            require(dot(v, v) == 1, "unit vectors B and C")


@statement(
    "movahedi25.thm2.1.selective.amended.scalar",
    "witness",
    Fields(
        tokens=Items(Fields(decay=Rational(4), B=Vector(2, 8), C=Vector(2, 8), F=Matrix(2, 2, 12)), 3, 4),
        bound=Rational(4),
        differences=Matrix((3, 4), 2, 4),
    ),
)
def scalar_gates(data: Data) -> None:
    """One scalar gate per token, unit B and C, ||I - Q_t|| <= bound: sup |y_t| shrinks by the bound."""
    bound, y = number(data["bound"]), matrix(data["differences"])
    unit_vectors(data["tokens"])
    tokens = []
    for t in data["tokens"]:
        decay, b, c, f = number(t["decay"]), vector(t["B"]), vector(t["C"]), matrix(t["F"])
        require(0 <= decay < 1 and norm_at_most(f, bound), "0 <= lambda_t < 1 and ||I - Q_t|| <= bound")
        n, d = len(b), len(square(f))
        tokens.append(([[decay] * d] * n, [[1 - decay] * d] * n, b, c, f))
    require(0 < bound < 1 and any(any(v) for v in y), "a contraction, and differences that are not 0")
    largest = max(dot(v, v) for v in matrix_states(tokens, y))
    require(0 < largest <= bound * bound * max(dot(v, v) for v in y), "the supremum is not shrunk by the bound")


@statement(
    "movahedi25.appD2.delta.amended.gate",
    "witness",
    Fields(
        tokens=Items(Fields(B=Vector((1, 3), 8), C=Vector((1, 3), 4), F=Matrix((1, 2), (1, 2), 8)), 2, 4),
        decay=Matrix((1, 3), (1, 2), 4),
        bound=Rational(4),
    ),
)
def constant_decays(data: Data) -> None:
    """Decays that do not depend on time, the gate 1 - lambda, unit B and C: the pass y -> y has norm at most max ||I - Q_t||."""
    bound, decay = number(data["bound"]), matrix(data["decay"])
    require(all(0 <= x < 1 for row in decay for x in row), "0 <= lambda < 1")
    gate = [[1 - x for x in row] for row in decay]
    unit_vectors(data["tokens"])
    tokens = [(decay, gate, vector(t["B"]), vector(t["C"]), matrix(t["F"])) for t in data["tokens"]]
    require(len(tokens) >= 2 and 0 < bound < 1 and all(norm_at_most(f, bound) for *_, f in tokens), "||I - Q_t|| <= bound < 1")
    d, length = len(decay[0]), len(tokens)
    columns = []
    for k in range(d * length):
        unit = [[Fraction(int(t * d + i == k)) for i in range(d)] for t in range(length)]
        columns.append([x for v in matrix_states(tokens, unit) for x in v])
    require(any(map(any, columns)) and norm_at_most(transpose(columns), bound), "the norm of the pass is above the bound")


# -- transitions -------------------------------------------------------------------------------------------------------------------


def lexicographic(items: Any) -> list[tuple[int, ...]]:
    if not items:
        return [()]
    return [(x, *rest) for i, x in enumerate(items) for rest in lexicographic(items[:i] + items[i + 1 :])]
