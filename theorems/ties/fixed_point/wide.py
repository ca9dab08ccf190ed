"""Layers and bases of 9 to 13 coordinates, letters and tokens, row by row; the types of numbers that a layer takes, and those that it refuses."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
from flint import fmpq, fmpq_poly

from ....constructions.fixed_point import bases, layer, one_gate, sets
from ....constructions.fixed_point.layer import Selective, Token
from ....numerics import exact
from ....numerics.cyclotomic import gaussian, root_of_unity
from ...claim import tie
from ...evidence import Proof
from ..held import POSITIVE, SIZES, hold, hold_refusals, integers, matrix, products, rational

#: sizes on both sides of 7, 9 and 12, beside the least
WIDE = (1, 2, 7, 9, 13)


def triangle(rng: Random, n: int) -> np.ndarray:
    """An integer matrix with ones on the diagonal and zeros above: its inverse is one too, and it less 1 is nilpotent."""
    return np.tril(integers(rng, n, n, 1), -1) + np.eye(n, dtype=int)


def diagonal(v: Any) -> list[list[Any]]:
    return [[x if i == j else fmpq(0) for j in range(len(v))] for i, x in enumerate(v)]


# -- bases ----------------------------------------------------------------------------------------------------------------


@tie("new.fixed-point.signed-decay")
def forms_of_many_rows(proof: Proof) -> None:
    """Lambda A + A' Lambda - Lambda^2 entry by entry; mixers of transitions with zero columns; no floats."""
    rng = Random(401)
    for n in proof.tied("1 to 13 rows", WIDE):
        A, decay = matrix(rng, n, n), matrix(rng, n, 1)[:, 0]
        wanted = [[decay[i] * A[i, j] + A[j, i] * decay[j] - (decay[i] ** 2 if i == j else 0) for j in range(n)] for i in range(n)]
        proof.exactly("contraction_form", bases.contraction_form(A, decay).tolist(), wanted)
        proof.exactly("_diagonal", bases._diagonal(decay).tolist(), diagonal(decay))
        kept = [j % 3 > 0 for j in range(n)]
        B = triangle(rng, n)
        B[:, [j for j in range(n) if not kept[j]]] = fmpq(0)
        decay = np.array([x if k else fmpq(0) for x, k in zip(decay, kept, strict=True)], dtype=object)
        Q = bases.mixer_of_singular(B, decay)
        away = exact.nullspace(B.T)
        proof.exactly("mixer_of_singular: Q A = Lambda", products([Q.tolist(), B.tolist()]), diagonal(decay))
        proof.exactly("and 1 off the range", (Q @ away).tolist(), away.tolist())
    hold_refusals(
        proof, "floats and complex numbers", [(bases.contraction_form, (np.eye(2) * z, np.ones(2) * z)) for z in (0.5, -2.0, 1j, 2 - 1j)]
    )


@tie("new.fixed-point.reflections")
def decays_in_floats(proof: Proof) -> None:
    """The best decay of a reflection by floats and by complex numbers without imaginary part."""
    rng = Random(402)
    for n in proof.tied("1 to 13 coordinates", WIDE):
        u = integers(rng, n, 1)[:, 0]
        top = rng.randrange(n)
        u[top] = rng.choice((-1, 1)) * 7
        c = 2 * 49 / sum(int(x * x) for x in u) - 1
        wanted = [-c if i == top else c for i in range(n)]
        for kind in (float, complex):
            proof.closely(
                "reflection_decay", max(abs(a - b) for a, b in zip(bases.reflection_decay(u.astype(kind)), wanted, strict=True)), 1e-15
            )


@tie("new.fixed-point.reflection-groups")
def long_paths(proof: Proof) -> None:
    """The path of up to 13 roots: its edges, Cartan matrix, reflections, and letters in other coordinates."""
    rng = Random(403)
    for n in proof.tied("1 to 13 roots", WIDE):
        edges = [(i, i + 1) for i in range(n - 1)]
        C = [[2 if i == j else -1 if abs(i - j) == 1 else 0 for j in range(n)] for i in range(n)]
        S = [[[int(a == b) - (C[i][b] if a == i else 0) for b in range(n)] for a in range(n)] for i in range(n)]
        found = bases.cartan(edges, n)
        proof.exactly("path, cartan", (bases.path(n), found.tolist()), (edges, C))
        proof.exactly("simple_reflections", [M.tolist() for M in bases.simple_reflections(found)], S)
        near = [[x + int(i == j) for j, x in enumerate(row)] for i, row in enumerate(C)]
        proof.exactly("near_orthonormal", bases.near_orthonormal(found).tolist(), near)
        basis, strength = triangle(rng, n), fmpq(-2, 7)
        letters = bases.mirror_letters(found, basis, strength)
        rows = basis.tolist()
        some = {0, n // 2, n - 1}
        proof.exactly("mirror_letters: A", [products([letters[i][0], rows]) for i in some], [products([rows, S[i]]) for i in some])
        proof.exactly(
            "mirror_letters: decays",
            [list(d) for _, d in letters],
            [[-strength if i == j else strength for j in range(n)] for i in range(n)],
        )
    hold_refusals(proof, "numbers of roots below 0", [(bases.cartan, ([], -1)), (bases.cartan, ([], -9))])


@tie("new.fixed-point.all-reflections")
def turns_of_many_coordinates(proof: Proof) -> None:
    """Cayley's formula and the normals of signed permutations, up to 13 coordinates."""
    for n, t in proof.tied("1 to 13 coordinates, t of either sign", [(n, t) for n in WIDE for t in (fmpq(-1, 2), fmpq(1, 30))]):
        K = [[int(j > i) - int(j < i) for j in range(n)] for i in range(n)]
        plus, minus = ([[int(i == j) + s * t * x for j, x in enumerate(row)] for i, row in enumerate(K)] for s in (1, -1))
        proof.exactly("slightly_turned", products([minus, bases.slightly_turned(n, t).tolist()]), plus)

    def normals(n: int) -> list[list[int]]:
        unit = [[int(i == j) for j in range(n)] for i in range(n)]
        pairs = [[a + s * b for a, b in zip(unit[i], unit[j], strict=True)] for i in range(n) for j in range(i + 1, n) for s in (1, -1)]
        return unit + pairs

    hold(proof, "1 to 13 coordinates", bases.signed_permutation_normals, lambda n: [np.array(v) for v in normals(n)], ((n,) for n in WIDE))
    hold_refusals(proof, "no number of coordinates", [(bases.signed_permutation_normals, (k,)) for k in (-1, -9)])


@tie("new.fixed-point.any-letters")
def signs_and_values(proof: Proof) -> None:
    """Signs of numbers of each kind, products of signs, values and characteristic polynomials of degree up to 13."""
    golden = root_of_unity(5) + root_of_unity(5, 4)
    signs = [*((k, (k > 0) - (k < 0)) for k in range(-13, 14)), (fmpq(-1, 9), -1), (fmpq(13, 2), 1), (golden, 1), (golden * -1, -1)]
    signs += [(golden * golden + golden - 1, 0), (golden - fmpq(618, 1000), 1), (golden - fmpq(619, 1000), -1)]
    hold(
        proof,
        "-13 to 13, and (sqrt 5 - 1)/2",
        lambda i: bases.sign_of(signs[i][0]),
        lambda i: signs[i][1],
        ((i,) for i in range(len(signs))),
        "sign_of",
    )
    for x, sign in proof.tied("the same numbers", signs):
        proof.exactly("sign_of", bases.sign_of(x), sign)
    rng = Random(404)
    for n in proof.tied("0 to 13 numbers; degrees 1 to 13", SIZES):
        v = integers(rng, n, 1)[:, 0]
        wanted = -1 if sum(x < 0 for x in v) % 2 else 1
        for kind in (object, float, complex):
            proof.exactly("_sign_of_product", bases._sign_of_product(v.astype(kind)), wanted)
        coefficients, s = [rational(rng) for _ in range(n + 1)], rational(rng)
        by_powers = sum((c * s**k for k, c in enumerate(coefficients)), fmpq(0))
        proof.exactly("value_at", bases.value_at(coefficients, s), by_powers)
        if n and n < 9:
            A = integers(rng, n, n, 2) * fmpq(1)
            found = bases.characteristic(A * root_of_unity(3, 0)) if n < 6 else bases.characteristic(A)
            for k in range(n + 1):
                proof.exactly(
                    "characteristic", sum((c * k**i for i, c in enumerate(found)), 0), exact.determinant(exact.identity(n) * k - A)
                )


@tie("new.fixed-point.any-letters")
def decays_that_separate_many(proof: Proof) -> None:
    """Eigenvalues of up to 13 rows, one between each two neighbouring points, by signs of determinants; the points drawn together."""
    rng = Random(405)
    for n in proof.tied("7 to 13 rows", (7, 8, 9, 12, 13)):
        M = exact.multiply(triangle(rng, n), np.triu(integers(rng, n, n, 1), 1) + exact.identity(n) * rng.choice((-1, 2)))
        decay, points = bases.separated_decay(M)
        scaled = decay[:, None] * M
        values = [exact.determinant(exact.identity(n) * s - scaled) for s in points]
        proof.exactly("points", (len(points), points[0] > 0, points[0] + points[-1], sorted(set(points))), (n + 1, True, fmpq(2), points))
        proof.exactly("separated_decay: a root in each gap", [a * b < 0 for a, b in pairwise(values)], [True] * n)
        proof.exactly("separates", bases.separates(M, decay, points), True)
        proof.exactly(
            "separates: other points",
            [bases.separates(M, decay, p) for p in (points[1:], points[::-1], [-points[0], *points[1:]])],
            [False] * 3,
        )
        chi = bases.characteristic(M)
        proof.exactly(
            "characteristic",
            [fmpq_poly(chi)(k) for k in range(n + 1)],
            [exact.determinant(exact.identity(n) * k - M) for k in range(n + 1)],
        )
        # roots 1, ..., n: the ends may move by 5/4 and 4/5 as long as they keep their sides
        roots = fmpq_poly([1])
        for k in range(1, n + 1):
            roots = roots * fmpq_poly([-k, 1])
        low, high = fmpq(1, 8), fmpq(4 * n)
        given = [low, *(fmpq(2 * k + 1, 2) for k in range(1, n)), high]
        while low * 5 / 4 < 1:
            low = low * 5 / 4
        while high * 4 / 5 > n:
            high = high * 4 / 5
        proof.exactly("_tightened", bases._tightened(roots.coeffs(), given), [low, *given[1:-1], high])


@tie("new.fixed-point.any-letters")
def fifth_turns_and_others(proof: Proof) -> None:
    """Sign matrices as rationals, floats and in the field; matrices of another size, and others, are refused."""
    golden = root_of_unity(5) + root_of_unity(5, 4)
    one = golden * 0 + 1
    turn = np.array([[golden + 1, one * -1, golden], [one, golden, golden * -1 - 1], [golden, golden + 1, one]], dtype=object) / 2
    for signs in proof.tied("four sign matrices of determinant 1", ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))):
        for unit in (fmpq(1), 1.0, 1, one):
            D = np.array(
                [[s * unit if i == j else unit * 0 for j in range(3)] for i, s in enumerate(signs)],
                dtype=float if isinstance(unit, float) else object,
            )
            proof.exactly("a sign matrix itself", [x == s for x, s in zip(bases.signed_fifth_turn(D), signs, strict=True)], [True] * 3)
        D = np.array([[s * one if i == j else one * 0 for j in range(3)] for i, s in enumerate(signs)], dtype=object)
        found = bases.signed_fifth_turn(D @ turn)
        proof.exactly("cos 72 D", [x == golden * s / 2 for x, s in zip(found, signs, strict=True)], [True] * 3)
    others = [np.eye(n, dtype=int).astype(object) for n in SIZES if n != 3] + [np.eye(3) * 1j, np.eye(3) * -1.5, exact.identity(3) * -1]
    hold_refusals(proof, "other sizes, and no such turn", [(bases.signed_fifth_turn, (M,)) for M in others])


# -- layers ---------------------------------------------------------------------------------------------------------------


def one_pass(tokens: list[Token], h: np.ndarray, start: np.ndarray) -> list[list[Any]]:
    """A pass by sums."""
    state, out = list(start), []
    for t, token in enumerate(tokens):
        d = len(state)
        reads = [token.drive[j] - h[t, j] for j in range(d)]
        state = [
            token.decay[i] * state[i] + token.gate[i] * (sum(token.mixer[i, j] * reads[j] for j in range(d)) + h[t, i]) for i in range(d)
        ]
        out.append(state)
    return out


@tie("movahedi25.eq2")
def layers_of_many_tokens(proof: Proof) -> None:
    """Up to 13 tokens of up to 13 coordinates with unit triangular mixers: passes by sums, the fixed point, which a pass leaves alone, and as many passes as it takes."""
    rng = Random(406)
    for d, T in proof.tied("up to 13 coordinates and tokens; rational, float", [(1, 13), (2, 1), (7, 3), (4, 12), (13, 2)]):
        raw = [(integers(rng, d, 1, 1)[:, 0], triangle(rng, d), integers(rng, d, 1)[:, 0]) for _ in range(T)]
        start, h = integers(rng, d, 1)[:, 0], integers(rng, T, d)
        for one in (fmpq(1), 1.0):
            kind = float if isinstance(one, float) else object
            given = [tuple((part * one).astype(kind) for part in token) for token in raw]
            for make, gate in (
                (layer.ungated, lambda x: 1), (layer.gated, lambda x: 1 - x), (layer.gated_by_modulus, lambda x: 1 - abs(x)),
            ):  # fmt: skip
                made = [make(*token) for token in given]
                proof.exactly("the gates", [list(t.gate) for t in made], [[gate(x) for x in t[0]] for t in given])
                found = layer.diagonal_layer(made, (h * one).astype(kind), (start * one).astype(kind))
                proof.exactly("diagonal_layer", found.tolist(), one_pass(made, h, start))
            tokens, begin = [layer.ungated(*token) for token in given], (start * one).astype(kind)
            states = layer.dense_states(tokens, begin)
            proof.exactly("dense_states: a pass leaves them alone", one_pass(tokens, states, start), states.tolist())
            passed, counts = (h * 0 * one).astype(kind), []
            for _ in range(d + 1):
                passed = np.array(one_pass(tokens, passed, start), dtype=kind)
                counts.append(passed)
            needed = next(k for k, x in enumerate(counts, 1) if x.tolist() == states.tolist())
            proof.exactly("iterate", [layer.iterate(tokens, k, begin).tolist() for k in (1, d)], [counts[k - 1].tolist() for k in (1, d)])
            proof.exactly(
                "passes_needed", [layer.passes_needed(tokens, 0, k, begin) for k in (needed, d + 9)] + [layer.passes_needed(tokens, 0, needed - 1, begin)],
                [needed, needed, None],
            )  # fmt: skip
            table = dict(enumerate(tokens[:13]))
            recurrence = layer.dense_recurrence(table, begin[:, None], lambda H, x: (H[:, 0].tolist(), x))
            proof.exactly("dense_recurrence", recurrence.run(list(range(T))), [(row, t) for t, row in enumerate(states.tolist())])
            proof.exactly("dense_recurrence: from", recurrence.initial[:, 0].tolist(), list(begin))


@tie("movahedi25.appC1.gap")
def selective_layers_of_many_tokens(proof: Proof) -> None:
    """Mixers that depend on the state before, unit triangular: the fixed point token by token, passes, and how many settle it; up to 13 tokens and coordinates."""
    rng = Random(407)
    for d, T in proof.tied("up to 13 coordinates and tokens; rational, float", [(1, 13), (2, 2), (4, 10), (13, 2)]):
        choices = [(integers(rng, d, 1, 1)[:, 0], triangle(rng, d)) for _ in range(2)]
        inputs, start, h = [integers(rng, d, 1)[:, 0] for _ in range(T)], integers(rng, d, 1)[:, 0], integers(rng, T, d)
        for one in (fmpq(1), 1.0):
            kind = float if isinstance(one, float) else object
            typed = lambda A, one=one, kind=kind: (A * one).astype(kind)  # noqa: E731

            def token(x: Any, p: Any, typed=typed, choices=choices) -> Token:
                decay, mixer = choices[int(sum(p)) % 2]
                return layer.ungated(typed(decay), typed(mixer), typed(x))

            selective, before, states, most = Selective(token, typed(start)), typed(start), [], 0
            for x in inputs:
                here, state, count = [token(x, before)], typed(start) * 0, 0
                while True:
                    new = np.array(one_pass(here, state[None], before), dtype=kind)[0]
                    count += 1
                    stop, state = new.tolist() == state.tolist(), new
                    if stop:
                        break
                before, most = state, max(most, count)
                states.append(state.tolist())
            proof.exactly("solve", selective.solve(inputs).tolist(), states)
            found, passes = selective.run_sequential(inputs, 0)
            proof.exactly("run_sequential", (found.tolist(), passes), (states, most))
            tokens = [token(x, p) for x, p in zip(inputs, [typed(start), *typed(h)[:-1]], strict=True)]
            proof.exactly("parallel", selective.parallel(inputs, typed(h)).tolist(), one_pass(tokens, h, start))
            found, passes = selective.run_parallel(inputs, 0)
            at, count = typed(h) * 0, 0
            while True:
                here = [token(x, p) for x, p in zip(inputs, [typed(start), *at[:-1]], strict=True)]
                new = np.array(one_pass(here, at, start), dtype=kind)
                count += 1
                stop, at = new.tolist() == at.tolist(), new
                if stop:
                    break
            proof.exactly("run_parallel", (found.tolist(), passes, at.tolist()), (states, count, states))


@tie("movahedi25.eq2")
def complex_layers(proof: Proof) -> None:
    """When a sequence has settled, for each type of numbers; layers of complex numbers are refused, since these do not add to rationals."""
    rng = Random(411)
    for n, kind in proof.tied("up to 13 tokens; rational, float, complex", [(n, k) for n in POSITIVE for k in (fmpq(1), 1.0, 1j, -1j)]):
        new, old = integers(rng, n, 2) * kind, integers(rng, n, 2) * kind
        gap, size = (max(abs(x) for x in A.flat) for A in (new - old, new))
        proof.exactly("_settled", [layer._settled(new, old, t) for t in (0, 1, 3)], [gap <= t * size for t in (0, 1, 3)])
    z = np.ones(2) * (1 - 2j)
    token = Token(z, z, np.eye(2) * 1j, z)
    table_of = lambda t, h: layer.dense_recurrence({0: t}, h, lambda H, x: H)  # noqa: E731
    calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (f, (z, np.eye(2) * 1j, z)) for f in (layer.ungated, layer.gated, layer.gated_by_modulus)
    ]
    calls += [
        (layer.diagonal_layer, ([token], z[None])), (layer.iterate, ([token], 1)), (layer.dense_states, ([token],)),
        (layer.passes_needed, ([token], 0.0, 2)), (table_of, (token, z[:, None])),
    ]  # fmt: skip
    hold_refusals(proof, "complex numbers", calls)
    silent = Selective(lambda x, p: Token(z, z, np.eye(2) * 1j, z), z)
    hold_refusals(
        proof,
        "complex numbers",
        [(silent.parallel, ([z], z[None])), (silent.solve, ([z],)), (silent.run_parallel, ([z], 0.0)), (silent.run_sequential, ([z], 0.0))],
    )


@tie("movahedi25.eq2")
def mixers_of_many_rows(proof: Proof) -> None:
    """Mixers by products, columns that depend on each other, decays whose eigenvalues are positive and simple; inverses over Q(i)."""
    rng = Random(408)
    for n in proof.tied("7 to 13 rows", (7, 8, 9, 12, 13)):
        A, decay = exact.multiply(triangle(rng, n), triangle(rng, n).T), [rational(rng) for _ in range(n)]
        proof.exactly("mixer_for", products([layer.mixer_for(A, decay).tolist(), A.tolist()]), diagonal(decay))
        silent, twice = A * 1, A * 1
        silent[:, n - 1] = fmpq(0)
        twice[:, n - 1] = sum((A[:, j] for j in range(n - 1)), exact.zeros(n))
        proof.exactly("has_mixer", [layer.has_mixer(M) for M in (A, silent, twice)], [True, True, False])
        decay = layer.rotated_decay(A)
        chi = exact.characteristic_polynomial(decay[:, None] * A)
        simple = chi.gcd(chi.derivative()).degree() == 0
        proof.exactly(
            "rotated_decay: positive, simple, of sum 1",
            (
                exact.count_real_roots(chi),
                exact.has_root_in(chi, fmpq(-(10**6)), fmpq(0)),
                simple,
                sum(decay[i] * A[i, i] for i in range(n)),
            ),
            (n, False, True, fmpq(1)),
        )
    for n in proof.tied("matrices over Q(i) of 1 to 7 rows", (1, 2, 3, 5, 7)):
        M = triangle(rng, n) * gaussian(1, -2) + np.triu(integers(rng, n, n, 1), 1) * gaussian(0, 1)
        try_it = layer._inverse(M) if complex_determinant(M) != 0 else None
        if try_it is not None:
            proof.exactly("_inverse", (M @ try_it == np.eye(n, dtype=int)).all(), True)
    for n in proof.tied("triangles over Q(i) of 9 and 12 rows, rows exchanged", (9, 12)):
        M = (triangle(rng, n) * gaussian(0, 1))[rng.sample(range(n), n)]
        proof.exactly("_inverse", (M @ layer._inverse(M) == np.eye(n, dtype=int)).all(), True)


def complex_determinant(M: np.ndarray) -> Any:
    """By its definition, rows expanded over sets of columns."""
    values = {frozenset[int](): gaussian(1)}
    for row in M:
        following: dict[frozenset[int], Any] = {}
        for chosen, value in values.items():
            for j, x in enumerate(row):
                if j not in chosen:
                    key, sign = chosen | {j}, -1 if sum(i > j for i in chosen) % 2 else 1
                    following[key] = following.get(key, gaussian(0)) + value * x * sign
        values = following
    return values[frozenset(range(len(M)))]


# -- one gated layer, and several matrices ----------------------------------------------------------------------------------------


@tie("new.fixed-point.gated.automata")
def gated_layers_of_many_states(proof: Proof) -> None:
    """Rates, interpolation, readings and tokens for up to 13 states, letters and rates; resets, which the layer follows exactly."""
    rng = Random(409)
    hold(proof, "0 to 13 rates", one_gate.fading_rates, lambda k: [fmpq(1, 8 * 2**i) for i in range(k)], ((k,) for k in SIZES))
    for k in proof.tied("1 to 13 rates of either sign", (1, 2, 7, 9, 13)):
        rates = [fmpq((-1) ** i, i + 2) for i in range(k)]
        held = one_gate.interpolation(rates)
        proof.exactly(
            "interpolation", products([held.tolist(), [[x ** (m + 1) for m in range(k)] for x in rates]]), exact.identity(k).tolist()
        )
    hold(
        proof,
        "1 to 13 states",
        one_gate.counter,
        lambda n: {"up": (*range(1, n), n - 1), "down": (0, *range(n - 1))},
        ((n,) for n in POSITIVE),
    )
    for n in proof.tied("1 to 13 points", POSITIVE):
        g = tuple(rng.sample(range(n), n))
        moves = one_gate.alternation({"g": g}, n)
        wanted = {"g": [n + x for x in g] + [2 * n] * (n + 1), "back": [2 * n] * n + list(range(n)) + [2 * n]}
        proof.exactly("alternation", {k: list(v) for k, v in moves.items()}, wanted)
    for n in proof.tied("1 to 13 states and letters that reset", WIDE):
        moves = {c: (c,) * n for c in range(n)}
        word = [rng.randrange(n) for _ in range(5)]
        for start in {0, n - 1}:
            gated = one_gate.gated_layer(moves, start)
            found = [gated.run(word[:k]) for k in range(6)]
            proof.exactly("gated_layer", [list(h) for h in found], [[int(q == x) for q in range(n)] for x in (start, *word)])
            proof.exactly("decode", [gated.decode(h) for h in found], [start, *word])
            mixed = np.array([complex(q, -q) for q in range(n + 2)])
            proof.exactly("belief", list(gated.belief(mixed)), list(mixed[:n]))
            real = [complex(-abs(q - start)) for q in range(n + 2)]
            proof.exactly("decode: complex numbers without imaginary part", gated.decode(np.array(real)), start)
    for n, k in proof.tied("up to 13 states; up to 13 rates of either sign", [(2, 13), (3, 1), (7, 2), (13, 2), (9, 0)]):
        move, rates = tuple(max(q - 1, 0) for q in range(n)), [fmpq((-1) ** i, i + 3) for i in range(k)]
        reading, target = one_gate.reading_of(move, rates)
        proof.exactly("reading_of: where it leads", list(target), [int(q == 0) for q in range(n)])
        for m in range(1, k + 1):
            for q in {0, n - 1}:
                y = [fmpq(int(p == q)) for p in range(n)]
                read = products([reading.tolist(), [[rate**m * x] for rate in rates for x in y]])
                proof.exactly(
                    "reading_of", [f + row[0] for f, row in zip(target, read, strict=True)], [int(p == max(q - m, 0)) for p in range(n)]
                )


@tie("new.fixed-point.gated.sets")
def common_layers_of_many_matrices(proof: Proof) -> None:
    """P M + M' P = I up to 13 rows; channels of matrices of rank 1 and 2; a layer for up to 13 matrices, by the equation of its tokens."""
    rng = Random(410)
    for n in proof.tied("9 and 12 rows", (9, 12)):
        M = np.triu(integers(rng, n, n, 1), 1) * fmpq(1) + exact.identity(n)
        P = sets.lyapunov(M)
        rows = P.tolist() if P is not None else exact.zeros(n, n).tolist()
        left, right = products([rows, M.tolist()]), products([M.T.tolist(), rows])
        proof.exactly(
            "lyapunov", [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(left, right, strict=True)], exact.identity(n).tolist()
        )
        full = triangle(rng, n) * fmpq(1, 2)
        for B in (full, np.concatenate([full[1:], full[:1] * 0 + full[1:2]])):
            chosen = sets._independent_rows(B)
            r = exact.rank(B)
            proof.exactly("_independent_rows", (chosen.shape, exact.rank(np.concatenate([chosen, B])), exact.rank(chosen)), ((r, n), r, r))
        strict = exact.identity(n) * fmpq(3, 4)
        strict[0, n - 1] = fmpq(1, 8)
        proof.exactly("_is_strict", [sets._is_strict(strict * s) for s in (1, -1, fmpq(4, 3), 2)], [True, True, False, False])
    for n in proof.tied("1 to 13 rows", POSITIVE):
        e = exact.identity(n)
        B = np.outer(e[0] * fmpq(1, 2), e[0] + sum((e[i] * rng.randint(-2, 2) for i in range(1, n)), exact.zeros(n)))
        B = B + (np.outer(e[n - 1], e[n - 1]) * fmpq(1, 3) if n > 1 else 0)
        R, E, d = sets.own_channels(B)
        r = min(n, 2)
        H = np.array(diagonal(d), dtype=object) @ (exact.inverse(exact.multiply(R, E)) - exact.identity(r))
        proof.exactly("own_channels", (products([E.tolist(), R.tolist()]), R.shape), (B.tolist(), (r, n)))
        proof.exactly("own_channels: it contracts", (exact.is_positive_definite(H + H.T), all(x > 0 for x in d)), (True, True))
        several = [exact.rationals([[fmpq(k, n + 1)]]) for k in range(1, n + 1)]
        for matrices in (several, [B]):
            S, tokens = sets.common_layer(matrices)
            proof.exactly("common_layer: injective, a token each", (exact.rank(S), len(tokens)), (len(matrices[0]), len(matrices)))
            for M, token in zip(matrices, tokens, strict=True):
                one = exact.identity(len(S))
                left = one - token.gate[:, None] * (one - token.mixer)
                proof.exactly(
                    "common_layer: Lambda S = (I - G (I - Q)) S B", (token.decay[:, None] * S).tolist(), exact.multiply(left, S, M).tolist()
                )
                proof.exactly(
                    "common_layer: gated, and it contracts",
                    (list(token.gate), exact.is_contraction(one - token.mixer)),
                    ([1 - x for x in token.decay], True),
                )
