"""What the claims of topic fixed_point demand of their certificates: gradients at the fixed point, stopping, the Bedouin iteration."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ...exact import (
    Rejected,
    apply,
    characteristic_polynomial,
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
    plus,
    rank,
    require,
    scaled,
    square,
    times,
    transpose,
    vector,
)
from ...polynomials import count_real_roots
from ...polynomials import times as polynomial_times
from ...registry import statement
from ...schema import Fields, Items, Matrix, Natural, Rational, Vector
from ...shapes import Token
from ...typed import Certificates, Data, Decided
from .demands import (
    add,
    constant_layer,
    diagonal,
    differences,
    fixed_point,
    is_strict,
    layer_of,
    loop,
    matrix_states,
    nonzero,
    one_pass,
    outer,
    passes,
    scaled_rows,
    size,
    square_of_size,
    times_entries,
    unit_vectors,
)
from .states import reflection

# -- gradients ------------------------------------------------------------------------------------------------------------------------


def source(layer: Sequence[Any], mixers: Sequence[Sequence[Sequence[Fraction]]]) -> list[list[Fraction]]:
    """J_x: the map from b_1, ..., b_T to a pass from 0, as a matrix."""
    d, length = len(layer[0][0]), len(layer)
    columns, zero = [], [[Fraction(0)] * d] * length
    for k in range(d * length):
        driven = []
        for t, ((decay, gate, f, _), q) in enumerate(zip(layer, mixers, strict=True)):
            b = [Fraction(int(t * d + i == k)) for i in range(d)]
            driven.append((decay, gate, f, times_entries(gate, apply(q, b))))
        columns.append([x for v in one_pass(driven, zero) for x in v])
    return transpose(columns)


@statement(
    "movahedi25.appB.eq7",
    "witness",
    Fields(
        tokens=Items(Token((1, 3)), 1, 4),
        jacobian=Matrix((1, 12), (1, 12), 16),
    ),
)
def implicit(data: Data) -> None:
    """(I - J_h) dh*/dx = J_x, with dh*/dx from the dense recurrence, column by column."""
    layer = layer_of(data["tokens"])
    mixers, jacobian = [matrix(t["Q"]) for t in data["tokens"]], matrix(data["jacobian"])
    d, length, columns = len(layer[0][0]), len(layer), []
    for k in range(d * length):
        driven = []
        for t, ((decay, gate, f, _), q) in enumerate(zip(layer, mixers, strict=True)):
            driven.append((decay, gate, f, times_entries(gate, apply(q, [Fraction(int(t * d + i == k)) for i in range(d)]))))
        columns.append([x for v in fixed_point(driven) for x in v])
    require(transpose(columns) == jacobian and any(map(any, jacobian)), "not the Jacobian of the dense recurrence")
    j = loop(layer)
    require(times(minus(one(len(j)), j), jacobian) == source(layer, mixers), "(I - J_h) dh*/dx is not J_x")


@statement(
    "movahedi25.thm2.2",
    "witness",
    Fields(Q=Matrix(2, 2, 4), B=Matrix(2, 2, 4), slope=Matrix(2, 2, 4), x=Vector(2, 4), y=Vector(2, 4)),
    hypotheses={"equal": "J_x = J_h", "below": "||J_h|| < 1"},
    violates={"opposite": "the two derivatives by theta have opposite signs"},
)
def opposite_derivatives(data: Data) -> Decided:
    """One token, J_x = Q B = I - Q = J_h for a family I - Q + theta slope, ||J_h|| < 1: pass and truth have derivatives of opposite signs."""
    q, slope = square(matrix(data["Q"])), matrix(data["slope"])
    b, x, y = matrix(data["B"]), vector(data["x"]), vector(data["y"])
    j = minus(one(len(q)), q)
    h = apply(inverse(q), apply(j, x))
    once = apply(slope, add(x, h))  # f = J(theta)(x + h) with h frozen
    true = apply(inverse(q), once)
    (delta,) = differences([h], [y])
    return {"equal": times(q, b) == j, "below": is_strict(j), "opposite": dot(delta, once) * dot(delta, true) < 0}


def cosine(g: Sequence[Fraction], true: Sequence[Fraction], gamma: Fraction, sharp: bool) -> None:
    inner, bound = dot(g, true), (1 - gamma * gamma) * dot(nonzero(g), g) * dot(true, true)
    require(inner > 0 and (inner * inner == bound if sharp else inner * inner >= bound), "the angle")


@statement(
    "movahedi25.thm2.2.amended",
    "witness",
    Fields(J=Matrix((2, 4), (2, 4), 12), gamma=Rational(4), delta=Vector((2, 4), 4), sharp=Natural(0, 1)),
)
def angle(data: Data) -> None:
    """g = J^T delta and (I - J)^-T g have a squared cosine of at least 1 - gamma^2, with equality where ``sharp`` says so."""
    j, gamma, delta = square(matrix(data["J"])), number(data["gamma"]), vector(data["delta"])
    require(0 < gamma < 1 and norm_at_most(j, gamma), "||J|| <= gamma < 1")
    true = apply(transpose(times(inverse(minus(one(len(j)), j)), j)), delta)
    cosine(apply(transpose(j), delta), true, gamma, natural(data["sharp"]) == 1)


@statement("movahedi25.thm2.2.amended")
def sharp_case(certificates: Certificates) -> None:
    """The case of equality is among them."""
    require(any(data["sharp"] == 1 for _, data in certificates), "the case of equality")


@statement(
    "movahedi25.thm2.2.amended.parameters",
    "witness",
    Fields(U=Matrix((2, 3), (2, 3), 12), values=Vector((2, 3), 4), J=Matrix((2, 3), (2, 3), 16), gamma=Rational(4)),
)
def conditioned(data: Data) -> None:
    """S = U diag(values) U^T within ((kappa - 1)/(kappa + 1))^2 + gamma^2 < 1: the symmetric part of S (I - J)^-T is positive definite."""
    u, values, j, gamma = square(matrix(data["U"])), vector(data["values"]), square(matrix(data["J"])), number(data["gamma"])
    require(times(u, transpose(u)) == one(len(u)) and all(x > 0 for x in values), "an orthogonal U and positive values")
    kappa = max(values) / min(values)
    require(norm_at_most(j, gamma) and ((kappa - 1) / (kappa + 1)) ** 2 + gamma**2 < 1, "the condition of the statement")
    m = times(times(times(u, diagonal(values)), transpose(u)), transpose(inverse(minus(one(len(j)), j))))
    symmetric = plus(m, transpose(m))
    require(is_positive_semidefinite(symmetric) and determinant(symmetric) != 0, "no descent direction")


@statement(
    "movahedi25.appF2.eigenvalues",
    "witness",
    Fields(J=Matrix(2, 2, 4), M=Matrix(2, 2, 4), w=Vector(2, 4)),
    hypotheses={"below": "||J|| < 1", "ones": "the eigenvalues of M are 1, 1"},
    violates={"complex": "the eigenvalues of I - J are not real", "negative": "w.M^-1 w < 0"},
)
def two_steps(data: Data) -> Decided:
    """||J|| < 1 with no real eigenvalue of I - J; and M with positive eigenvalues and w.M^-1 w < 0."""
    j, m, w = square_of_size(data["J"], 2), square_of_size(data["M"], 2), vector(data["w"])
    return {
        "below": is_strict(j),
        "complex": count_real_roots(characteristic_polynomial(minus(one(2), j))[::-1]) == 0,
        "ones": characteristic_polynomial(m)[::-1] == polynomial_times([-1, Fraction(1)], [-1, Fraction(1)]),
        "negative": dot(w, apply(inverse(m), w)) < 0,
    }


@statement(
    "movahedi25.appF2.strict",
    "witness",
    Fields(J=Matrix(2, 2, 4), delta=Vector(2, 4)),
    hypotheses={"below": "||J|| < 1", "nonzero": "delta is not 0"},
    violates={"zero": "the inner product is not above 0"},
)
def a_kernel(data: Data) -> Decided:
    """||J|| < 1, a delta other than 0, and omega = J' delta with omega.(I - J)^-1 omega not above 0."""
    j, delta = square_of_size(data["J"], 2), vector(data["delta"])
    w = apply(transpose(j), delta)
    return {"below": is_strict(j), "nonzero": any(delta), "zero": dot(w, apply(inverse(minus(one(2), j)), w)) <= 0}


@statement(
    "movahedi25.eq6.descent",
    "witness",
    Fields(u=Vector(2, 8), alpha=Rational(4), Delta=Vector(2, 4), delta=Items(Natural(1, 1), 2, 2)),
    hypotheses={"rate": "0 < Delta < 1", "mixer": "||I - Q|| < 1"},
    violates={"negative": "the inner product is negative"},
)
def ascent(data: Data) -> Decided:
    """A mixer of Eq. 10 with ||I - Q|| < 1, 0 < Delta < 1, J_x = Delta Q, J_h = Delta (I - Q): a negative inner product of the gradients."""
    u, alpha, gate, delta = vector(data["u"]), number(data["alpha"]), vector(data["Delta"]), vector(data["delta"])
    require(dot(u, u) == 1 and 0 < alpha < 1, "Eq. 10")
    q = reflection(u, alpha)
    f = minus(one(len(q)), q)
    j_x, j_h = scaled_rows(gate, q), scaled_rows(gate, f)
    true = times(inverse(minus(one(len(q)), j_h)), j_x)
    return {
        "rate": all(0 < x < 1 for x in gate),
        "mixer": is_strict(f),
        "negative": dot(apply(transpose(j_x), delta), apply(transpose(true), delta)) < 0,
    }


@statement(
    "movahedi25.eq6.descent.amended",
    "witness",
    Fields(F=Matrix(2, 2, 8), decay=Rational(4), length=Natural(1, 3), gamma=Rational(4), delta=Vector((2, 6), 4)),
)
def commuting(data: Data) -> None:
    """One mixer and one scalar decay with the gate 1 - decay: J_x and J_h commute, and the gradients have the angle of the statement."""
    f, decay, length, gamma = square(matrix(data["F"])), number(data["decay"]), natural(data["length"]), number(data["gamma"])
    require(0 <= decay < 1 and 1 <= length <= 8 and 0 < gamma < 1 and norm_at_most(f, gamma), "the hypotheses")
    d = len(f)
    layer = constant_layer([decay] * d, [1 - decay] * d, f, length)
    j_h, j_x = loop(layer), source(layer, [minus(one(d), f)] * length)
    require(times(j_h, j_x) == times(j_x, j_h), "J_x and J_h do not commute")
    delta = vector(data["delta"])
    true = apply(transpose(times(inverse(minus(one(len(j_h)), j_h)), j_x)), delta)
    cosine(apply(transpose(j_x), delta), true, gamma, False)


# -- stopping ---------------------------------------------------------------------------------------------------------------------------


def largest(sequence: Sequence[Sequence[Fraction]]) -> Fraction:
    return max(abs(x) for v in sequence for x in v)


def stopped(layer: Sequence[Any], tolerance: Fraction, initial: Sequence[Fraction] | None = None) -> tuple[list[list[Fraction]], int]:
    """(states, passes): iterate from 0 until a pass changes the states by less than ``tolerance`` times their size (0 settles)."""
    h = [[Fraction(0)] * len(layer[0][0])] * len(layer)
    for count in range(1, 200):
        before, h = h, one_pass(layer, h, initial)
        change = largest(differences(h, before))
        if change < tolerance * largest(h) or change == 0:
            return h, count
    raise Rejected("the iteration does not settle within 200 passes")


@statement(
    "movahedi25.appD2.stopping",
    "witness",
    Fields(Q=Rational(8), passes=Natural(10, 10), tolerance=Rational(4)),
    hypotheses={"mixer": "|1 - Q| < 1"},
    violates={"half": "the relative error is above one half"},
)
def early_stop(data: Data) -> Decided:
    """d = T = 1, |1 - Q| < 1, the paper's rule with 0.1: it stops where more than half of the way is left."""
    q, count, tolerance = number(data["Q"]), natural(data["passes"]), number(data["tolerance"])
    require(q != 0 and tolerance == Fraction(1, 10), "one fixed point, and the paper's rule")
    layer = [([Fraction(1, 2)], [Fraction(1)], [[1 - q]], [q])]
    h, at = stopped(layer, tolerance)
    require(at == count, "it stops at this pass")
    (truth,) = fixed_point(layer)[0]
    return {"mixer": abs(1 - q) < 1, "half": abs(h[0][0] - truth) > Fraction(1, 2) * abs(truth)}


@statement(
    "movahedi25.appD2.stopping.amended",
    "witness",
    Fields(F=Matrix((1, 3), (1, 3), 12), gamma=Rational(4), b=Vector((1, 3), 4), passes=Natural(4, 4)),
)
def after_the_fact(data: Data) -> None:
    """One token without memory: |h^l - h*| <= gamma/(1 - gamma) |h^l - h^(l-1)| for l up to ``passes``."""
    f, gamma, b, most = square(matrix(data["F"])), number(data["gamma"]), nonzero(vector(data["b"])), natural(data["passes"])
    require(0 < gamma < 1 and norm_at_most(f, gamma) and 1 <= most <= 20 and len(b) == len(f), "||F|| <= gamma < 1")
    d = len(f)
    layer = [([Fraction(0)] * d, [Fraction(1)] * d, f, apply(minus(one(d), f), b))]
    target = fixed_point(layer)
    for count in range(1, most + 1):
        now, before = passes(layer, count), passes(layer, count - 1)
        bound = (gamma / (1 - gamma)) ** 2 * size(differences(now, before))
        require(size(differences(now, target)) <= bound, f"the error after pass {count}")


@statement(
    "movahedi25.appC1.several",
    "witness",
    Fields(
        inputs=Items(Natural(1, 1), 2, 2), slope=Natural(-1, -1), constant=Natural(1, 1), solutions=Items(Items(Natural(0, 7), 2, 2), 3, 3)
    ),
)
def several_solutions(data: Data) -> None:
    """d = 1, Lambda = 0, Q_t = constant + slope h_(t-1), h_0 = 0: two different sequences are fixed points."""
    slope, constant, inputs = number(data["slope"]), number(data["constant"]), vector(data["inputs"])
    solutions = matrix(data["solutions"])
    require(len({tuple(h) for h in solutions}) >= 2 and all(len(h) == len(inputs) for h in solutions), "two different sequences")
    for h in solutions:
        for before, now, b in zip([Fraction(0), *h], h, inputs, strict=False):
            q = constant + slope * before
            require(q * b + (1 - q) * now == now, "not a fixed point")


@statement(
    "movahedi25.appC1.gap",
    "witness",
    Fields(decay=Rational(4), Q=Rational(4), inputs=Vector(2, 4), tolerance=Rational(4), visible=Rational(8)),
    hypotheses={"fixed": "it is a fixed point, and Q is invertible at every token, so the only one"},
    violates={"differ": "the two methods differ visibly"},
)
def two_methods(data: Data) -> Decided:
    """One linear layer with Q != 0, so one fixed point; stopped by the paper's rule, token by token and in parallel, the values differ."""
    decay, q, inputs = number(data["decay"]), number(data["Q"]), vector(data["inputs"])
    tolerance, visible = number(data["tolerance"]), number(data["visible"])
    require(abs(1 - q) < 1 and tolerance == Fraction(1, 10) and visible >= Fraction(1, 100), "a contraction, and the paper's rule")
    require(0 <= decay < 1, "0 <= Lambda < 1")
    layer = [([decay], [Fraction(1)], [[1 - q]], [q * b]) for b in inputs]
    together, _ = stopped(layer, tolerance)
    state, one_by_one = [Fraction(0)], []
    for token in layer:
        (state,), _ = stopped([token], tolerance, state)
        one_by_one.append(state)
    solution = fixed_point(layer)
    return {
        "fixed": q != 0 and one_pass(layer, solution) == solution,
        "differ": largest(differences(one_by_one, together)) > visible * largest(together),
    }


@statement("movahedi25.appC1.gap.amended", "witness", Fields(norm=Rational(4), inputs=Matrix((2, 3), 2, 4), solution=Matrix((2, 3), 2, 24)))
def lag_one(data: Data) -> None:
    """I - Q_t = norm (I - 2 p p^T/(1 + p.p)) and decay 1/(2 + p.p), p the state before: the solution is a fixed point, and the only one."""
    norm, inputs, solution = number(data["norm"]), matrix(data["inputs"]), matrix(data["solution"])
    require(0 < norm < 1 and len(inputs) == len(solution) >= 2 and any(map(any, solution)), "at least two tokens")
    p = [Fraction(0)] * len(inputs[0])
    for b, h in zip(inputs, solution, strict=True):
        f = scaled(norm, minus(one(len(p)), scaled(2 / (1 + dot(p, p)), outer(p, p))))
        q = minus(one(len(p)), f)
        require(rank(q) == len(q), "an invertible matrix, so one solution for the token")
        decay = 1 / (2 + dot(p, p))
        require(h == add(add([decay * x for x in p], apply(q, b)), apply(f, h)), "not a fixed point")
        p = h


# -- the Bedouin iteration ----------------------------------------------------------------------------------------------------------------


def bedouin_tokens(data: Data) -> list[Any]:
    """(decay n x d, gate n x d, B, C, mixer, x) of one size; the gate of entry (j, i) is Delta_i."""
    unit_vectors(data["tokens"])
    out = []
    for t in data["tokens"]:
        decay, delta, q, x = matrix(t["decay"]), vector(t["delta"]), square(matrix(t["Q"])), vector(t["x"])
        require(len(decay[0]) == len(delta) == len(q) == len(x) and len(decay) == len(t["B"]) == len(t["C"]), "tokens of fitting sizes")
        require(all(0 < y < 1 for y in delta), "0 < Delta < 1")
        out.append((decay, [delta] * len(decay), vector(t["B"]), vector(t["C"]), q, x))
    require(out, "expected tokens")
    return out


def mamba(tokens: Sequence[Any], inputs: Sequence[Sequence[Fraction]]) -> tuple[list[list[list[Fraction]]], list[list[Fraction]]]:
    """Eq. 8 on the given inputs: states and outputs."""
    state, states, outputs = None, [], []
    for (decay, gate, b, c, _, _), v in zip(tokens, inputs, strict=True):
        state = state or [[Fraction(0)] * len(v) for _ in b]
        rows = zip(decay, state, gate, outer(b, v), strict=True)
        state = [[x * h + g * u for x, h, g, u in zip(*row, strict=True)] for row in rows]
        states.append(state)
        outputs.append(apply(transpose(state), c))
    return states, outputs


def adjusted(tokens: Sequence[Any], y: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """Eq. 9: Q (x - y) + y."""
    return [add(apply(q, [a - b for a, b in zip(x, v, strict=True)]), v) for (*_, q, x), v in zip(tokens, y, strict=True)]


@statement(
    "movahedi25.eq9",
    "witness",
    Fields(
        tokens=Items(
            Fields(
                decay=Matrix((1, 3), (1, 3), 4),
                delta=Vector((1, 3), 4),
                B=Vector((1, 3), 8),
                C=Vector((1, 3), 8),
                Q=Matrix((1, 3), (1, 3), 8),
                x=Vector((1, 3), 4),
            ),
            1,
            4,
        ),
        before=Items(Matrix((1, 3), (1, 3), 4), 1, 4),
        after=Items(Matrix((1, 3), (1, 3), 24), 1, 4),
    ),
)
def expanded(data: Data) -> None:
    """The states of Eq. 9 are those of decay * h + B (Delta Q x)^T + B C^T h' (I - Q)^T Delta."""
    tokens, before = bedouin_tokens(data), [matrix(h) for h in data["before"]]
    require(len(before) == len(tokens) and any(any(map(any, h)) for h in before), "states of the pass before")
    y = [apply(transpose(h), c) for (_, _, _, c, _, _), h in zip(tokens, before, strict=True)]
    states, _ = mamba(tokens, adjusted(tokens, y))
    require(states == [matrix(h) for h in data["after"]], "not the states of Eq. 9")
    state = None
    for (decay, gate, b, c, q, x), h, after in zip(tokens, before, states, strict=True):
        state = state or [[Fraction(0)] * len(x) for _ in b]
        mixed = times(times(outer(b, c), h), transpose(minus(one(len(q)), q)))
        rows = zip(decay, state, gate, plus(outer(b, apply(q, x)), mixed), strict=True)
        state = [[u * s + g * m for u, s, g, m in zip(*row, strict=True)] for row in rows]
        require(state == after, "Eq. 6 expanded gives other states")


@statement(
    "movahedi25.eq6",
    "witness",
    Fields(
        tokens=Items(
            Fields(
                decay=Matrix((1, 3), (1, 3), 4),
                delta=Vector((1, 3), 4),
                B=Vector((1, 3), 8),
                C=Vector((1, 3), 8),
                Q=Matrix((1, 3), (1, 3), 16),
                x=Vector((1, 3), 4),
            ),
            1,
            4,
        ),
        y=Matrix((1, 4), (1, 3), 128),
    ),
)
def converges(data: Data) -> None:
    """A pass keeps y; it has the eigenvalues of the blocks (C.B) Delta (I - Q), each of norm below 1."""
    tokens, y = bedouin_tokens(data), matrix(data["y"])
    require(len(y) == len(tokens) and any(map(any, y)) and mamba(tokens, adjusted(tokens, y))[1] == y, "y is no fixed point")
    product, silent = [Fraction(1)], []
    for decay, gate, b, c, q, _ in tokens:
        f = minus(one(len(q)), q)
        block = scaled(dot(b, c), scaled_rows(gate[0], f))
        require(is_strict(block), "a block of norm below 1")
        product = polynomial_times(product, characteristic_polynomial(block)[::-1])
        silent.append((decay, gate, b, c, f))
    d, length, columns = len(y[0]), len(y), []
    for k in range(d * length):
        unit = [[Fraction(int(t * d + i == k)) for i in range(d)] for t in range(length)]
        columns.append([x for v in matrix_states(silent, unit) for x in v])
    require(product == characteristic_polynomial(transpose(columns))[::-1], "other eigenvalues than those of the blocks")


@statement(
    "movahedi25.eq6.alpha",
    "witness",
    Fields(
        alpha=Rational(4),
        u=Items(Natural(1, 1), 1, 1),
        delta=Vector(1, 4),
        B=Items(Natural(1, 1), 1, 1),
        C=Items(Natural(1, 1), 1, 1),
        x=Items(Natural(1, 1), 1, 1),
        passes=Natural(6, 6),
    ),
    hypotheses={"rates": "0 < alpha < 1, 0 < Delta < 1"},
    violates={"grows": "the error grows with every pass"},
)
def diverges(data: Data) -> Decided:
    """One factor of Eq. 10, 0 < alpha < 1, 0 < Delta < 1, unit B and C, one token: the error grows with every pass."""
    alpha, count = number(data["alpha"]), natural(data["passes"])
    require(2 <= count <= 50, "at least two passes")
    q = reflection(vector(data["u"]), alpha)
    decay = [["1/2"] * len(q)] * len(data["B"])
    tokens = bedouin_tokens(
        {"tokens": [{"decay": decay, "delta": data["delta"], "B": data["B"], "C": data["C"], "Q": q_text(q), "x": data["x"]}]}
    )
    y, errors = [[Fraction(0)] * len(q)], []
    (_, gate, b, c, _, x) = tokens[0]
    left = minus(one(len(q)), scaled(dot(b, c), scaled_rows(gate[0], minus(one(len(q)), q))))
    target = apply(inverse(left), [dot(b, c) * z for z in times_entries(gate[0], apply(q, x))])
    for _ in range(count):
        y = mamba(tokens, adjusted(tokens, y))[1]
        errors.append(size(differences(y, [target])))
    return {
        "rates": 0 < alpha < 1 and all(0 < x < 1 for x in vector(data["delta"])),
        "grows": errors[0] > 0 and all(s < t for s, t in itertools.pairwise(errors)),
    }


def q_text(q: Sequence[Sequence[Fraction]]) -> list[list[str]]:
    return [[str(x) for x in row] for row in q]
