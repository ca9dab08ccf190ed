"""What the claims of topic fixed_point demand of their certificates: what fades, how many passes are needed, which groups are tracked."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Any

from ... import intervals
from ...cyclotomic import cyclotomic_polynomial, field_matrix, field_plus, field_times, reduce
from ...exact import (
    apply,
    dot,
    freeze,
    inverse,
    is_positive_semidefinite,
    matrix,
    minus,
    natural,
    norm_at_most,
    number,
    one,
    plus,
    require,
    scaled,
    square,
    times,
    transpose,
    vector,
)
from ...registry import statement
from ...schema import Fields, Items, Matrix, Natural, Rational, Vector
from ...typed import Data
from .demands import (
    diagonal,
    differences,
    fixed_point,
    is_strict,
    layer_of,
    lexicographic,
    nonzero,
    outer,
    passes,
    scaled_rows,
    size,
    square_of_size,
)

# -- what contraction costs -------------------------------------------------------------------------------------------------------


def gated_transition(decay: Sequence[Fraction], q: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """(Lambda + (I - Lambda) Q)^-1 Lambda for 0 <= Lambda < 1."""
    require(all(0 <= x < 1 for x in decay) and len(decay) == len(square(q)), "0 <= Lambda < 1")
    return times(inverse(plus(diagonal(decay), scaled_rows([1 - x for x in decay], q))), diagonal(decay))


def metric(decay: Sequence[Fraction]) -> list[list[Fraction]]:
    """D = Lambda (I - Lambda)^-1."""
    return diagonal([x / (1 - x) for x in decay])


def diameter(decay: Sequence[Fraction], gamma: Fraction) -> Fraction:
    lam = max(decay)
    return lam / (lam + (1 - gamma) * (1 - lam))


def contractive_mixer(q: Sequence[Sequence[Fraction]], gamma: Fraction) -> None:
    require(0 < gamma < 1 and norm_at_most(minus(one(len(q)), q), gamma), "||I - Q|| <= gamma < 1")


@statement("new.fixed-point.gated.disc", "witness", Fields(decay=Vector((1, 3), 8), Q=Matrix((1, 3), (1, 3), 12), gamma=Rational(4)))
def disc(data: Data) -> None:
    """rho (A^T D + D A)/2 - A^T D A is positive semidefinite: so every eigenvalue z of A has |z|^2 <= rho Re z."""
    decay, gamma = vector(data["decay"]), number(data["gamma"])
    q = square_of_size(data["Q"], len(decay))
    contractive_mixer(q, gamma)
    require(any(decay), "a decay other than 0")
    a, d, rho = gated_transition(decay, q), metric(decay), diameter(decay, gamma)
    da = times(d, a)
    require(
        rho < 1 and is_positive_semidefinite(minus(scaled(rho / 2, plus(da, transpose(da))), times(transpose(a), da))), "outside the disc"
    )


@statement("new.fixed-point.gated.disc.filled", "witness", Fields(z=Vector(2, 4), decay=Rational(8), Q=Matrix(2, 2, 12)))
def filled(data: Data) -> None:
    """A gated layer with one decay and a contractive mixer whose transition is the multiplication by z, |z - 1/2| < 1/2."""
    (x, y), decay = vector(data["z"]), number(data["decay"])
    q = square_of_size(data["Q"], 2)
    require((x - Fraction(1, 2)) ** 2 + y * y < Fraction(1, 4) and 0 < decay < 1 and is_strict(minus(one(2), q)), "the hypotheses")
    require(gated_transition([decay, decay], q) == [[x, -y], [y, x]], "the transition is not z")


@statement(
    "new.fixed-point.gated.fades",
    "witness",
    Fields(decay=Vector((2, 3), 8), mixers=Items(Matrix((2, 3), (2, 3), 16), 1, 4), gamma=Rational(4)),
)
def fades(data: Data) -> None:
    """rho^(2T) D - P^T D P is positive semidefinite for the product P of T gated transitions with one Lambda."""
    decay, gamma = vector(data["decay"]), number(data["gamma"])
    p = one(len(decay))
    require(data["mixers"] and any(decay), "tokens, and a decay other than 0")
    for rows in data["mixers"]:
        q = square_of_size(rows, len(decay))
        contractive_mixer(q, gamma)
        p = times(gated_transition(decay, q), p)
    d, rho = metric(decay), diameter(decay, gamma)
    left = scaled(rho ** (2 * len(data["mixers"])), d)
    require(is_positive_semidefinite(minus(left, times(transpose(p), times(d, p)))), "two states do not approach by rho per token")


@statement(
    "new.fixed-point.gated.letters",
    "witness",
    Fields(
        decay=Vector((1, 3), 8),
        Q=Matrix((1, 3), (1, 3), 8),
        b=Vector((1, 3), 4),
        gamma=Rational(4),
        starts=Matrix(2, (1, 3), 4),
        steps=Natural(6, 6),
    ),
)
def letters_forget(data: Data) -> None:
    """Two runs under one letter approach by rho per step in the metric of its gate, from two different starts."""
    decay, gamma, steps = vector(data["decay"]), number(data["gamma"]), natural(data["steps"])
    q, b = square_of_size(data["Q"], len(decay)), vector(data["b"])
    contractive_mixer(q, gamma)
    layer = layer_of([{"decay": data["decay"], "gate": [str(1 - x) for x in decay], "Q": data["Q"], "b": data["b"]}] * steps)
    starts = [vector(s) for s in data["starts"]]
    require(len(starts) == 2 and starts[0] != starts[1] and len(b) == len(decay) and 1 <= steps <= 20, "two starts")
    require(all(0 <= x < 1 for x in decay), "0 <= Lambda < 1")
    d, rho = metric(decay), diameter(decay, gamma)
    gaps = differences(*(fixed_point(layer, s) for s in starts))
    (first,) = differences([starts[0]], [starts[1]])
    for k, gap in enumerate(gaps, start=1):
        require(dot(gap, apply(d, gap)) <= rho ** (2 * k) * dot(first, apply(d, first)), "the runs do not approach by rho")


@statement(
    "new.fixed-point.gated.alternating",
    "witness",
    Fields(tokens=Items(Fields(decay=Vector(2, 4), Q=Matrix(2, 2, 4)), 2, 2), vector=Vector(2, 4)),
)
def alternating(data: Data) -> None:
    """Two gated tokens, 0 < Lambda < 1, ||I - Q|| < 1, with A_b A_a v = -v; each alone has its eigenvalues in the disc |z|^2 <= rho Re z."""
    require(len(data["tokens"]) == 2, "two tokens")
    v = nonzero(vector(data["vector"]))
    w = v
    for t in data["tokens"]:
        decay, q = vector(t["decay"]), matrix(t["Q"])
        require(all(0 < x < 1 for x in decay) and is_strict(minus(one(len(q)), q)), "0 < Lambda < 1 and ||I - Q|| < 1")
        w = apply(gated_transition(decay, q), w)
    require(w == [-x for x in v], "the state is not flipped")


@statement("movahedi25.appD2.delta.amended", "witness", Fields(k=Rational(4), below=Rational(8), above=Rational(4), Delta=Rational(4)))
def lowest_decay(data: Data) -> None:
    """lambda = e^(-k Delta): for gamma = ``below``, under 1 - e^-k, Delta gamma/(1 - lambda) < 1, and for ``above`` it is over 1; in intervals."""
    k, delta, below, above = number(data["k"]), number(data["Delta"]), number(data["below"]), number(data["above"])
    require(0 < k <= 100 and 0 < delta < 1 and 0 < below < above, "k > 0 and 0 < Delta < 1")
    (low, high), (left, right) = (intervals.minus(intervals.exact(1), intervals.exp(intervals.exact(-x))) for x in (k, k * delta))
    require(below <= low and high < above, "gamma below and above 1 - e^-k")
    require(delta * below < left and delta * above > right, "the constant is on the other side of 1")


# -- mixers of Eq. 10 -----------------------------------------------------------------------------------------------------------------


def reflection(u: Sequence[Fraction], alpha: Fraction) -> list[list[Fraction]]:
    """I - 2 alpha u u^T / u.u."""
    u = nonzero(u)
    return minus(one(len(u)), scaled(2 * alpha / dot(u, u), outer(u, u)))


# -- how many passes -------------------------------------------------------------------------------------------------------------------


def walks(length: int, count: int, time: Fraction, depth: Fraction) -> Fraction:
    """sum over k < count of C(T - 1 + k, k) time^T depth^k."""
    return sum((comb(length - 1 + k, k) * time**length * depth**k for k in range(count)), Fraction(0))


@statement("new.fixed-point.passes", "witness", Fields(c=Rational(4), errors=Matrix(5, 8, 24)))
def one_bit(data: Data) -> None:
    """Errors of h_T after l = 0, 1, ... passes for T = 1, 2, ..., Lambda = Q = c: P(N >= l)."""
    c, table = number(data["c"]), matrix(data["errors"])
    require(0 < c < 1 and 2 <= len(table) <= 12 and 2 <= len(table[0]) <= 24, "0 < c < 1 and a table")
    for t, row in enumerate(table, start=1):
        layer = [([c], [Fraction(1)], [[1 - c]], [c * int(k == 0)]) for k in range(t)]
        for n, error in enumerate(row):
            require(error == 1 - passes(layer, n)[-1][0] == 1 - walks(t, n, c, 1 - c), f"the error at T = {t}, l = {n}")
            require(c != Fraction(1, 2) or n != t or error == Fraction(1, 2), "one half at l = T")


def contracting_layer(data: Data) -> tuple[Any, ...]:
    """(layer, gamma) with one Lambda in [0, 1), the gate I - Lambda, and one mixer with ||I - Q|| <= gamma < 1."""
    layer, gamma = layer_of(data["tokens"]), number(data["gamma"])
    decay, _, f, _ = layer[0]
    require(all(x == decay and y == f for x, _, y, _ in layer) and all(0 <= x < 1 for x in decay), "one Lambda in [0, 1) and one Q")
    require(all(g == 1 - x for _, gate, _, _ in layer for x, g in zip(decay, gate, strict=True)), "the gate I - Lambda")
    require(0 < gamma < 1 and norm_at_most(f, gamma), "||I - Q|| <= gamma < 1")
    return layer, gamma


@statement(
    "movahedi25.sec2.1.attracts",
    "witness",
    Fields(
        tokens=Items(Fields(decay=Vector(2, 8), gate=Vector(2, 8), Q=Matrix(2, 2, 12), b=Vector(2, 4)), 2, 4),
        gamma=Rational(4),
        passes=Natural(4, 4),
    ),
)
def bounded_iterates(data: Data) -> None:
    """|h^l| <= (1 - gamma^l)/(1 - gamma) |h^1|, and |h^1| <= |Q b|."""
    (layer, gamma), most = contracting_layer(data), natural(data["passes"])
    inputs = [apply(matrix(t["Q"]), vector(t["b"])) for t in data["tokens"]]
    first = size(passes(layer, 1))
    require(0 < first <= size(inputs) and 2 <= most <= 20, "the first pass is longer than Q b")
    for count in range(2, most + 1):
        require(size(passes(layer, count)) <= ((1 - gamma**count) / (1 - gamma)) ** 2 * first, f"the iterate after pass {count}")


@statement(
    "new.fixed-point.passes.contractive",
    "witness",
    Fields(
        tokens=Items(Fields(decay=Vector((1, 2), 8), gate=Vector((1, 2), 8), Q=Matrix((1, 2), (1, 2), 8), b=Vector((1, 2), 4)), 2, 6),
        gamma=Rational(4),
        passes=Natural(3, 3),
    ),
)
def geometric_error(data: Data) -> None:
    """The error falls by gamma per pass."""
    (layer, gamma), most = contracting_layer(data), natural(data["passes"])
    target = fixed_point(layer)
    require(size(target) > 0 and 1 <= most <= 20, "states that are not 0")
    for count in range(1, most + 1):
        require(size(differences(passes(layer, count), target)) <= gamma ** (2 * count) * size(target), f"the error after pass {count}")


@statement(
    "new.fixed-point.passes.linear",
    "witness",
    Fields(
        tokens=Items(Fields(decay=Vector((1, 3), 4), gate=Vector((1, 3), 4), Q=Matrix((1, 3), (1, 3), 16), b=Vector((1, 3), 4)), 1, 6),
        initial=Vector((1, 3), 4),
        c=Rational(4),
        gamma=Rational(8),
        passes=Natural(1, 12),
    ),
)
def counted_walks(data: Data) -> None:
    """|Lambda_t| <= c < 1, ||G (I - Q_t)|| <= gamma, no inputs: |h_T| after l passes is at most the sum over walks, times |h_0|."""
    layer, initial = layer_of(data["tokens"]), nonzero(vector(data["initial"]))
    c, gamma, count = number(data["c"]), number(data["gamma"]), natural(data["passes"])
    for decay, gate, f, s in layer:
        require(all(abs(x) <= c for x in decay) and norm_at_most(scaled_rows(gate, f), gamma) and not any(s), "the hypotheses")
    require(0 < c < 1 and gamma > 0 and 1 <= count <= 40, "c < 1 and a pass")
    out = passes(layer, count, initial)[-1]
    require(0 < dot(out, out) <= walks(len(layer), count, c, gamma) ** 2 * dot(initial, initial), "the state is longer than the bound")


@statement("new.fixed-point.overshoot", "witness", Fields(A=Matrix(2, 2, 4), c=Rational(4), length=Natural(1, 5), passes=Natural(8, 8)))
def changes(data: Data) -> None:
    """A a rotation with cosine c = Lambda, Q = c A^T, one input: pass k + 1 changes h_T by C(T - 1 + k, k) c^T |I - Q|^k in length."""
    a, c, length, most = square_of_size(data["A"], 2), number(data["c"]), natural(data["length"]), natural(data["passes"])
    require(0 < c < 1 and times(a, transpose(a)) == one(2) and a[0][0] == a[1][1] == c, "a rotation with cosine c")
    require(1 <= length <= 12 and 1 <= most <= 24, "moderate sizes")
    q = scaled(c, transpose(a))
    b = apply(a, [Fraction(1), Fraction(0)])
    layer = [([c, c], [Fraction(1)] * 2, minus(one(2), q), apply(q, b) if t == 0 else [Fraction(0)] * 2) for t in range(length)]
    norm = 1 - c * c  # |I - Q|^2, as 1 - 2 c cos + c^2
    for k in range(most):
        (change,) = differences([passes(layer, k + 1)[-1]], [passes(layer, k)[-1]])
        require(dot(change, change) == (comb(length - 1 + k, k) * c**length) ** 2 * norm**k, f"the change by pass {k + 1}")


# -- which transitions ------------------------------------------------------------------------------------------------------------------


@statement(
    "new.fixed-point.permutations",
    "witness",
    Fields(permutations=Items(Items(Natural(0, 4), 2, 5), 1, 119), cycles=Items(Items(Natural(0, 4), 2, 5), 1, 119)),
)
def zero_trace(data: Data) -> None:
    """For every permutation of n points but the identity: Lambda P^-1 maps the coordinates of a cycle to themselves, with zeros on its diagonal there."""
    listed = [tuple(natural(x) for x in p) for p in data["permutations"]]
    n = len(listed[0])
    wanted = set(lexicographic(list(range(n)))) - {tuple(range(n))}
    require(
        2 <= n <= 6 and set(listed) == wanted and len(listed) == len(wanted) == len(data["cycles"]), "all permutations but the identity"
    )
    for p, cycle in zip(listed, data["cycles"], strict=True):
        require(len(cycle) >= 2 and len(set(cycle)) == len(cycle), "a cycle of length at least 2")
        for i in cycle:
            require(p[i] in cycle and p[i] != i, "the cycle is kept, without fixed points")


# -- groups ------------------------------------------------------------------------------------------------------------------------------


def permutation(text: str) -> tuple[int, ...]:
    p = tuple(int(x) for x in text.strip("()").split(","))
    require(sorted(p) == list(range(len(p))), "a permutation")
    return p


def computes_products(data: Data, image: Sequence[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """The automaton of the certificate is the group: an edge by the letter x leads from g to image(x) after g, from the identity on."""
    states = [permutation(q) for q in data["automaton"]]
    require(states[0] == tuple(range(len(states[0]))) and data["outputs"] == data["automaton"], "the product itself, from the identity on")
    for i, x, read, j in data["edges"]:
        require(read == [x], "the map of the letter")
        require(states[j] == tuple(image[x][k] for k in states[i]), "an edge that is no product")
    return set(states)


def rotations(data: Data) -> tuple[list[tuple[Fraction, ...]], list[int]]:
    """(c, field): each letter of the one layer has B = 0 and an orthogonal A with A + A^T = 2 c; so Lambda = c I, Q = c A^T, ||I - Q||^2 = 1 - c^2."""
    modulus = cyclotomic_polynomial(natural(data["field"]))
    (layer,) = data["layers"]
    out = []
    for letter in layer:
        a = field_matrix(letter["A"], modulus)
        require(not any(any(row) for row in field_matrix(letter["B"], modulus)), "no input")
        at = [list(column) for column in zip(*a, strict=True)]
        unit = [[(Fraction(1),) if i == j else () for j in range(len(a))] for i in range(len(a))]
        require(freeze(field_times(a, freeze(at), modulus)) == freeze(unit), "an orthogonal transition")
        c = a[0][0]
        double = tuple(2 * x for x in c)
        require(field_plus(a, at) == [[double if i == j else () for j in range(len(a))] for i in range(len(a))], "A + A^T = 2 c I")
        out.append(c)
    return out, modulus


@statement("new.fixed-point.s3.signed", "automaton")
def hexagon(data: Data) -> None:
    """All six letters in dimension 2: for some signs D, Q = D A^T / 2 is half a rotation by at most 60 degrees, so ||I - Q||^2 = 5/4 - cos <= 3/4."""
    letters = [permutation(x) for x in data["letters"]]
    require(len(set(letters)) == 6 == len(computes_products(data, letters)), "all of S_3")
    modulus = cyclotomic_polynomial(natural(data["field"]))
    (layer,) = data["layers"]
    require(len(layer) == 6, "a map for each letter")
    for letter in layer:
        at = [list(column) for column in zip(*field_matrix(letter["A"], modulus), strict=True)]
        require(len(at) == 2 and not any(any(row) for row in field_matrix(letter["B"], modulus)), "dimension 2, no input")
        a = [list(column) for column in zip(*at, strict=True)]
        require(
            freeze(field_times(a, freeze(at), modulus)) == freeze([[(Fraction(1),), ()], [(), (Fraction(1),)]]), "an orthogonal transition"
        )
        require(any(is_short_turn(s, t, at) for s in (1, -1) for t in (1, -1)), "no signs make the mixer contract")


def is_short_turn(s: int, t: int, at: Sequence[Sequence[tuple[Fraction, ...]]]) -> bool:
    """diag(s, t) A^T is a rotation by 0 or 60 degrees: equal diagonal entries 1 or 1/2, and opposite others."""
    m = [[tuple(sign * x for x in entry) for entry in row] for sign, row in zip((s, t), at, strict=True)]
    return m[0][0] == m[1][1] in ((Fraction(1),), (Fraction(1, 2),)) and m[0][1] == tuple(-x for x in m[1][0])


@statement("movahedi25.abstract.tracking", "automaton")
def icosahedral(data: Data) -> None:
    """All 60 products in A_5 from a 3-cycle and a 5-cycle, with c = 1/2 and c = (1 + zeta + zeta^4)/2 = cos 36."""
    require(data["field"] == 5 and data["letters"] == ["a", "b"], "the letters a and b, fifth roots of unity")
    states = [permutation(q) for q in data["automaton"]]
    image = [states[j] for x in range(2) for i, letter, _, j in data["edges"] if i == 0 and letter == x]
    orders = [sum(p[i] != i for i in range(5)) for p in image]
    require(orders == [3, 5] and len(computes_products(data, image)) == 60, "a 3-cycle and a 5-cycle that generate A_5")
    cs, modulus = rotations(data)
    half = Fraction(1, 2)
    require(cs == [(half,), reduce([half, half, 0, 0, half], modulus)], "the real parts")


def exchanges(data: Data) -> int:
    """Symmetric g_1, ..., g_N that anticommute and square to 1; A = 1 + g_j g_k (times 1/sqrt 2) acts on their lines as (j k), and 4 (I - Q)^T (I - Q) = 2."""
    g = [square(matrix(rows)) for rows in data["generators"]]
    n, unit = len(g), one(len(g[0]))
    require(n >= 2 and all(len(x) == len(unit) for x in g), "matrices of one size")
    for i in range(n):
        require(g[i] == transpose(g[i]) and times(g[i], g[i]) == unit, "symmetric, with square 1")
        for j in range(i):
            require(times(g[i], g[j]) == scaled(-1, times(g[j], g[i])), "anticommuting")
    for j in range(n):
        for k in range(n):
            if j == k:
                continue
            a = plus(unit, times(g[j], g[k]))
            f = minus(scaled(2, unit), transpose(a))
            require(times(a, transpose(a)) == scaled(2, unit) == times(transpose(f), f), "orthogonal, and ||I - Q||^2 = 1/2")
            for i in range(n):
                turned, wanted = times(times(a, g[i]), transpose(a)), g[k if i == j else j if i == k else i]
                require(turned in (scaled(2, wanted), scaled(-2, wanted)), "not the transposition")
    return n


@statement("new.fixed-point.symmetric", "witness", Fields(generators=Items(Items(Items(Natural(-1, 1), 2, 8), 2, 8), 2, 4)))
def symmetric(data: Data) -> None:
    """The generators for one N."""
    exchanges(data)


@statement("movahedi25.abstract.tracking", "witness", Fields(generators=Items(Items(Items(Natural(-1, 1), 16, 16), 16, 16), 5, 5)))
def s5(data: Data) -> None:
    """N = 5."""
    require(exchanges(data) == 5, "five generators")
