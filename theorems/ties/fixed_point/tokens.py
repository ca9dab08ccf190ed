"""Tokens of fixed-point layers: gate, mixer and decay where the formulas have them, for decays of either sign."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import numpy as np
from flint import fmpq

from ....constructions import quaternions, reflections, samples, spin
from ....constructions.bistable.hybrids import clock_matrix
from ....constructions.fixed_point import (
    Selective,
    Token,
    dense_recurrence,
    dense_states,
    gated,
    gated_by_modulus,
    has_mixer,
    iterate,
    lag_one_layer,
    mixer_for,
    passes_needed,
    rotated_decay,
    ungated,
)
from ....constructions.fixed_point.one_gate import GatedLayer, constant_power, counter, gated_layer
from ....numerics import exact
from ....numerics.cyclotomic import root_of_unity
from ...claim import tie
from ...evidence import Proof


def diagonal(v: np.ndarray) -> np.ndarray:
    """A matrix with this diagonal, entry by entry."""
    n = len(v)
    return np.array([[v[i] if i == j else v[i] * 0 for j in range(n)] for i in range(n)], dtype=v.dtype)


@tie("movahedi25.eq2")
@tie("movahedi25.thm2.1")
def tokens(proof: Proof) -> None:
    """Source, feedback and the dense form are the matrices of the text."""
    rng = Random(21)
    for d in proof.tied("d = 1 to 8, decays and gates of either sign", range(1, 9)):
        draw = lambda: np.array([fmpq(rng.randint(-3, 3), rng.randint(4, 9)) for _ in range(d)], dtype=object)  # noqa: B023, E731
        mixer = exact.identity(d) * 2 + samples.integers(rng, d, d, bound=1) / fmpq(9)
        token = Token(draw(), draw(), mixer, draw())
        G, one = diagonal(token.gate), exact.identity(d)
        proof.exactly("the source is G Q b", list(token.source), list(G @ (mixer @ token.drive)))
        proof.exactly("the feedback is G (I - Q)", token.feedback, G @ (one - mixer))
        A, c = token.dense()
        left = one - G @ (one - mixer)
        proof.exactly("(I - G (I - Q)) A = Lambda", left @ A, diagonal(token.decay))
        proof.exactly("(I - G (I - Q)) c = G Q b", list(left @ c), list(G @ (mixer @ token.drive)))
        decay = draw()
        gates = {
            "ungated": (ungated, [fmpq(1)] * d),
            "gated": (gated, [1 - x for x in decay]),
            "by modulus": (gated_by_modulus, [1 - abs(x) for x in decay]),
        }
        for name, (make, gate) in gates.items():
            made = make(decay, mixer, token.drive)
            proof.exactly(
                f"{name}: decay, gate, mixer, drive",
                [list(made.decay), list(made.gate), made.mixer.tolist(), list(made.drive)],
                [list(decay), gate, mixer.tolist(), list(token.drive)],
            )
    generator = np.random.default_rng(21)
    for d in proof.tied("d = 1 to 8, floats, 7 tokens", range(1, 9)):
        vector = lambda: generator.uniform(-0.5, 0.5, d)  # noqa: B023, E731
        word = [gated_by_modulus(vector(), np.eye(d) + 0.1 * vector()[:, None] * vector()[None, :], vector()) for _ in range(7)]
        start = vector()
        h, wanted = start, []
        for t in word:
            h = np.linalg.solve(np.eye(d) - np.diag(t.gate) @ (np.eye(d) - t.mixer), t.decay * h + t.gate * (t.mixer @ t.drive))
            wanted.append(h)
        proof.closely("dense_states: one solve a token", float(np.max(np.abs(dense_states(word, start) - np.array(wanted)))), 1e-12)
        proof.closely("60 passes of iterate come there", float(np.max(np.abs(iterate(word, 60, start) - np.array(wanted)))), 1e-12)


@tie("movahedi25.eq2")
def mixers(proof: Proof) -> None:
    """Which transitions have a mixer, and decays that make all passes converge."""
    rng = Random(23)
    for n in proof.tied("n <= 6", range(1, 7)):
        A = samples.basis(rng, n)
        proof.exactly("has_mixer: an invertible A", has_mixer(A), True)
        proof.exactly("and it gives A", exact.multiply(exact.inverse(mixer_for(A, [fmpq(1, 2)] * n)), exact.identity(n) * fmpq(1, 2)), A)
        silent, twice = A * 1, A * 1
        silent[:, 0] = silent[:, 0] * 0
        proof.exactly("has_mixer: a column of zeros does no harm", has_mixer(silent), True)
        if n > 1:
            twice[:, 0] = twice[:, 1] * 3
            proof.exactly("has_mixer: dependent columns", has_mixer(twice), False)
        L = exact.identity(n) + np.tril(samples.integers(rng, n, n, bound=1), -1)
        M = L @ (exact.identity(n) * 2 + np.triu(samples.integers(rng, n, n, bound=1), 1))
        decay = rotated_decay(M)
        chi = exact.characteristic_polynomial(decay[:, None] * M)
        proof.exactly("rotated_decay: the eigenvalues are real", exact.count_real_roots(chi), n)
        proof.exactly("rotated_decay: their sum is 1", sum((decay[i] * M[i, i] for i in range(n)), fmpq(0)), fmpq(1))
        proof.holds("rotated_decay: none is 0 or negative", not exact.has_root_in(chi, fmpq(-1000), fmpq(0)))
    generator = np.random.default_rng(25)
    for d, tolerance in proof.tied("d <= 4, 5 tokens, tolerances down to 10^-9", [(d, t) for d in (1, 2, 4) for t in (1e-2, 1e-5, 1e-9)]):
        word = [
            gated(generator.uniform(0.1, 0.9, d), np.eye(d) + 0.1 * generator.uniform(-1, 1, (d, d)), generator.uniform(-1, 1, d))
            for _ in range(5)
        ]
        target = dense_states(word)
        errors = [float(np.abs(iterate(word, k) - target).max() / np.abs(target).max()) for k in range(1, 40)]
        proof.exactly(
            "passes_needed: the first pass within the tolerance",
            passes_needed(word, tolerance, 39),
            next(k for k, e in enumerate(errors, 1) if e <= tolerance),
        )
        proof.exactly("passes_needed: None beyond the limit", passes_needed(word, 0.0, 2), None)
    for length in proof.tied("words of up to 40 letters over 2", (1, 2, 9, 40)):
        table = {
            x: gated(exact.rationals([1 - fmpq(1, i + 3), fmpq(1, 2)]), exact.rationals([[2, i], [1, 3]]), exact.rationals([i, 1]))
            for i, x in enumerate("ab")
        }
        word = [rng.choice("ab") for _ in range(length)]
        layer = dense_recurrence(table, exact.rationals([[1], [2]]), lambda H, x: list(H[:, 0]))
        wanted = dense_states([table[x] for x in word], exact.rationals([1, 2]))
        proof.exactly("dense_recurrence has these states", layer.run(word), wanted.tolist())
        proof.exactly("GatedLayer.run, the last of them", list(GatedLayer(table, exact.rationals([1, 2]), 2).run(word)), list(wanted[-1]))


@tie("movahedi25.appC1.gap")
@tie("movahedi25.appC1.gap.amended")
def selective_layers(proof: Proof) -> None:
    """Tokens that depend on the state before: the fixed point by one linear system a token, passes as written, stopping by hand."""
    rng = Random(26)
    kinds = {
        "rationals": lambda: fmpq(rng.randint(-3, 3), rng.randint(4, 9)),
        "floats": lambda: rng.randint(-3, 3) / 8,
    }
    for kind, d, length in proof.tied("d <= 7, up to 9 tokens, rational and float", product(kinds, (1, 2, 5, 7), (1, 2, 4, 9))):
        number = kinds[kind]
        dtype = np.float64 if kind == "floats" else object
        vector = lambda: np.array([number() for _ in range(d)], dtype=dtype)  # noqa: B023, E731
        mixers = [np.array([[(i == j) + number() / (4 * d) for j in range(d)] for i in range(d)], dtype=dtype) for _ in range(2)]
        decays, start, inputs = [vector(), vector()], vector(), [vector() for _ in range(length)]
        pick = lambda p: int(p[0] > 0)  # noqa: E731
        make = lambda x, p: Token(decays[pick(p)], vector() * 0 + 1, mixers[pick(p)], x)  # noqa: B023, E731
        layer = Selective(make, start)
        found, before, rests = layer.solve(inputs), start, []
        for x, h in zip(inputs, found, strict=True):
            k = pick(before)
            # Q h = Lambda h before + Q x
            rests += list(mixers[k] @ h - decays[k] * before - mixers[k] @ x)
            before = h
        if kind == "rationals":
            proof.exactly("solve, rationals", rests, [fmpq(0)] * len(rests))
        else:
            proof.closely(f"solve, {kind}", max(map(abs, rests)), 1e-12)
        h = np.array([vector() for _ in range(length)], dtype=dtype)
        passed, state = layer.parallel(inputs, h), start
        for t, x in enumerate(inputs):
            k = pick(start if t == 0 else h[t - 1])
            state = decays[k] * state + mixers[k] @ x + h[t] - mixers[k] @ h[t]
            gap = [abs(a - b) for a, b in zip(passed[t], state, strict=True)]
            proof.closely(f"a pass in parallel, {kind}", float(max(gap)), 1e-12)
    for d, norm in proof.tied("lag_one_layer, d <= 7", product((1, 2, 5, 7), (fmpq(1, 3), fmpq(1), fmpq(3, 2)))):
        layer = lag_one_layer(norm, d)
        proof.exactly("lag_one_layer starts at 0", list(layer.initial), [fmpq(0)] * d)
        for _ in range(3):
            p, x = samples.integers(rng, d), samples.integers(rng, d)
            size, token = sum(y * y for y in p), layer.token(x, p)
            one = [[int(i == j) for j in range(d)] for i in range(d)]
            wanted = [[one[i][j] - norm * (one[i][j] - 2 * p[i] * p[j] / (1 + size)) for j in range(d)] for i in range(d)]
            proof.exactly("lag_one_layer: the mixer", token.mixer.tolist(), wanted)
            proof.exactly(
                "lag_one_layer: decay, gate and drive",
                [list(token.decay), list(token.gate), list(token.drive)],
                [[1 / (2 + size)] * d, [1] * d, list(x)],
            )
    for q, length in proof.tied("decays of 1/8 to 1, up to 9 tokens", product((fmpq(1, 8), fmpq(1, 2), fmpq(7, 8)), (1, 2, 9))):
        inputs = [exact.rationals([rng.choice((-2, 1, 3))]) for _ in range(length)]
        layer = Selective(lambda x, p, q=q: ungated([fmpq(1, 3)], exact.rationals([[q]]), x), exact.rationals([1]))
        tolerance, h, count = fmpq(1, 100), [fmpq(0)] * length, 0
        while True:
            new, state = [], fmpq(1)
            for t in range(length):
                state = state / 3 + q * inputs[t][0] + (1 - q) * h[t]
                new.append(state)
            count += 1
            stop = max(abs(a - b) for a, b in zip(new, h, strict=True)) <= tolerance * max(map(abs, new))
            h = new
            if stop:
                break
        # as many passes as it takes are enough
        for limit in (count, count + 1, 10_000):
            states, passes = layer.run_parallel(inputs, tolerance, limit)
            proof.exactly("run_parallel: states and passes", ([s[0] for s in states], passes), (h, count))
        states, most = layer.run_sequential(inputs, tolerance)
        state, wanted, counts = fmpq(1), [], []
        for x in inputs:
            y, k = fmpq(0), 0
            while True:
                after, k = state / 3 + q * x[0] + (1 - q) * y, k + 1
                stop, y = abs(after - y) <= tolerance * abs(after), after
                if stop:
                    break
            state = y
            wanted.append(state)
            counts.append(k)
        proof.exactly("run_sequential: states and the most passes", ([s[0] for s in states], most), (wanted, max(counts)))
        floats = Selective(lambda x, p, q=q: ungated([1 / 3], np.array([[float(q)]]), x), np.array([1.0]))
        states, passes = floats.run_sequential([exact.as_float(x) for x in inputs], 0.01)
        proof.closely("run_sequential on floats", float(np.abs(states[:, 0] - exact.as_float(np.array(wanted, dtype=object))).max()), 1e-12)
        proof.exactly("run_sequential on floats: passes", passes, max(counts))


@tie("new.fixed-point.gated.automata")
def counters(proof: Proof) -> None:
    """Up and down by one; the first power that is constant; one gated layer that counts."""
    rng = Random(29)
    for n in proof.tied("counters of 1 to 6 states, words of 12 letters", range(1, 7)):
        moves = counter(n)
        proof.exactly("counter", moves, {"up": tuple(min(q + 1, n - 1) for q in range(n)), "down": tuple(max(q - 1, 0) for q in range(n))})
        proof.exactly("constant_power", [constant_power(m) for m in moves.values()], [max(n - 1, 1)] * 2)
        turn = tuple((q + 1) % n for q in range(n))
        proof.exactly("constant_power: a turn has none", constant_power(turn), 1 if n == 1 else None)
        if n <= 3:
            layer, q, h = gated_layer(moves), 0, None
            for x in (word := [rng.choice(("up", "down")) for _ in range(12)]):
                q = moves[x][q]
            h = layer.run(word)
            proof.exactly("the state that is decoded", (layer.decode(h), list(layer.belief(h))), (q, list(h[:n])))
            floats = exact.as_float(h)
            proof.exactly("and on floats", (layer.decode(floats), layer.belief(floats).tolist()), (q, floats[:n].tolist()))


@tie("movahedi25.eq2")
def clifford_matrices(proof: Proof) -> None:
    """Anticommuting generators and exchanges as matrices, and as words."""
    for n in proof.tied("2 to 6 generators, matrices of up to 32 rows", range(2, 7)):
        g = spin.clifford_generators(n)
        one = np.eye(2 ** (n - 1), dtype=int)
        anti = [[(a @ b + b @ a).tolist() for b in g] for a in g]
        proof.exactly("they anticommute, with square 1", anti, [[(2 * one * (i == j)).tolist() for j in range(n)] for i in range(n)])
        for j in range(n):
            for k in range(n):
                if j != k:
                    A = spin.exchange(g, j, k)
                    proof.exactly("exchange is 1 + g_j g_k", A.tolist(), (one + g[j] @ g[k]).tolist())
                    swap = [k if i == j else j if i == k else i for i in range(n)]
                    proof.exactly("it exchanges two", list(spin.conjugated(g, A, 2) or ()), swap)
    for n in proof.tied("sizes 1 to 16", (1, 2, 6, 7, 9, 16)):
        C = clock_matrix(n)
        proof.exactly(
            "clock_matrix moves each coordinate to the next",
            [[int(x) for x in row] for row in C],
            [[int(i == (j + 1) % n) for j in range(n)] for i in range(n)],
        )


#: x y for the units 1, i, j, k as (sign, unit), by i^2 = j^2 = k^2 = ijk = -1
HAMILTON = (
    ((1, 0), (1, 1), (1, 2), (1, 3)),
    ((1, 1), (-1, 0), (1, 3), (-1, 2)),
    ((1, 2), (-1, 3), (-1, 0), (1, 1)),
    ((1, 3), (1, 2), (-1, 1), (-1, 0)),
)


@tie("movahedi25.abstract.tracking")
def hamilton_products(proof: Proof) -> None:
    """Products of quaternions by Hamilton's table; the numbers are such that no sum rounds."""
    root = root_of_unity(8)
    kinds = {
        "integers": (np.array([3, -1, 0, 2]), np.array([-2, 5, 1, -1])),
        "floats": (np.array([0.5, -1.25, 0.0, 2.0]), np.array([-2.5, 0.75, 1.0, -1.0])),
        "floats as objects": (np.array([0.5, -1.25, 0.0, 2.0], dtype=object), np.array([-2.5, 0.75, 1.0, -1.0], dtype=object)),
        "complex numbers": (np.array([1j, -1.5, 0, 2]), np.array([-2.5, 1 + 1j, 1, -1j])),
        "rationals": (exact.rationals([fmpq(1, 3), -2, 0, fmpq(5, 7)]), exact.rationals([-1, fmpq(2, 5), 4, -3])),
        "numbers of Q(zeta_8)": (
            np.array([root, -root, fmpq(0), 1 + root], dtype=object),
            np.array([fmpq(2), root**3, -root, fmpq(1)], dtype=object),
        ),
    }
    for _, (p, q) in proof.tied("integers, floats, complex, rational and cyclotomic numbers", list(kinds.items())):
        wanted = [p[0] * 0] * 4
        for a, row in enumerate(HAMILTON):
            for b, (s, unit) in enumerate(row):
                wanted[unit] = wanted[unit] + s * p[a] * q[b]
        proof.exactly("left_multiplication", list(quaternions.left_multiplication(p) @ q), wanted)
        proof.exactly("multiply", list(quaternions.multiply(p, q)), wanted)
        norm = sum(x * x for x in p)
        L = quaternions.left_multiplication(p)
        proof.exactly("its columns are orthogonal", (L.T @ L).tolist(), [[norm * int(i == j) for j in range(4)] for i in range(4)])


@tie("new.fixed-point.equal-reflections.thresholds")
def powers_on_the_circle(proof: Proof) -> None:
    """P at rational points of the circle: an identity for every alpha, also where no mixer contracts."""
    alphas = (fmpq(1, 4), fmpq(-1, 3), fmpq(-2), fmpq(5, 7), fmpq(0), fmpq(3))
    for r, alpha in proof.tied("r <= 13, alpha of either sign", product((1, 2, 3, 4, 7, 13), alphas)):
        P = reflections.closeness(r, alpha)
        for m in (fmpq(0), fmpq(2, 3), fmpq(-5, 2)):
            real, imaginary = reflections.circle_point(alpha, m)
            size = 1 + m * m
            wanted = (1 - alpha + alpha * (1 - m * m) / size, 2 * alpha * m / size)
            proof.exactly("circle_point: tan of half the angle is m", (real, imaginary), wanted)
            x, y = fmpq(1), fmpq(0)
            for _ in range(r):
                x, y = x * real - y * imaginary, x * imaginary + y * real
            proof.exactly("complex_power", reflections.complex_power((real, imaginary), r), (x, y))
            proof.exactly("P(|z|^2) = 1 - |1 - z^r|^2", P(real**2 + imaginary**2), 1 - (1 - x) ** 2 - y**2)


@tie("new.fixed-point.equal-reflections")
def directions(proof: Proof) -> None:
    """Vectors at equal angles: z^k (1 - z), multiplied out; the mixer is the product of their factors, the first applied first."""
    for r, m in proof.tied("r <= 13, points of either half", product((0, 1, 2, 3, 8, 9, 13), (fmpq(1, 3), fmpq(-2), fmpq(5, 7)))):
        z = reflections.circle_point(fmpq(1), m)
        x, y, wanted = 1 - z[0], -z[1], []
        for _ in range(r):
            wanted.append([x, y])
            x, y = x * z[0] - y * z[1], x * z[1] + y * z[0]
        found = reflections.equal_angles(z, r)
        proof.exactly("equal_angles", [list(u) for u in found], wanted)
        for alpha in (fmpq(-1, 3), fmpq(1, 2), fmpq(1)):
            Q = exact.identity(2)
            for u in wanted:
                square = u[0] * u[0] + u[1] * u[1]
                step = [[(i == j) - 2 * alpha * u[i] * u[j] / square for j in range(2)] for i in range(2)]
                Q = np.array([[sum((step[i][k] * Q[k, j] for k in range(2)), fmpq(0)) for j in range(2)] for i in range(2)], dtype=object)
            if r:
                proof.exactly("mixer", reflections.mixer(alpha, found).tolist(), Q.tolist())


@tie("new.fixed-point.symmetric")
def clifford_words(proof: Proof) -> None:
    """Sums and products of words against those of matrices, which multiply by themselves."""
    rng = Random(27)
    for n, terms in proof.tied("2 to 5 generators, up to 20 words", [(2, 1), (2, 4), (3, 5), (4, 9), (5, 20)]):
        g = spin.clifford_generators(n)
        words = [w for size in range(n + 1) for w in combinations(range(n), size)]
        a, b = (spin.CliffordElement.of({w: rng.choice((-3, -1, 2)) for w in rng.sample(words, min(terms, len(words)))}) for _ in range(2))
        A, B = as_matrix(g, a), as_matrix(g, b)
        for name, found, wanted in (
            ("sums", a + b, A + B),
            ("differences", a - b, A - B),
            ("a - a", a - a, A * 0),
            ("multiples", -3 * a, -3 * A),
            ("0 times", 0 * a, 0 * A),
            ("products", a * b, A @ B),
            ("reversed words", a.reversed(), A.T),
        ):
            proof.exactly(f"words as matrices: {name}", as_matrix(g, found).tolist(), wanted.tolist())
            proof.certified(
                "no coefficient is 0, words increase", all(c for _, c in found.terms) and list(found.terms) == sorted(found.terms)
            )


def as_matrix(g: list[np.ndarray], element: spin.CliffordElement) -> np.ndarray:
    """The same sum of products of matrices."""
    total = 0 * g[0]
    for word, c in element.terms:
        part = np.eye(len(total), dtype=int)
        for i in word:
            part = part @ g[i]
        total = total + c * part
    return total
