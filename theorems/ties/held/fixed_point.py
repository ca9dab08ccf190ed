"""Passes, Clifford algebras, quaternions and Lyapunov's equation, row by row: up to 13 generators, 12 rows, in each type of numbers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise, product
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from ....constructions import bedouin, quaternions, spin
from ....constructions.bedouin import BedouinToken
from ....constructions.fixed_point import bases, layer, one_gate, sets
from ....numerics import exact
from ...claim import tie
from ...evidence import Proof
from . import POSITIVE, hold, hold_refusals, integers, products, rational


@tie("movahedi25.eq6")
def passes_written_out(proof: Proof) -> None:
    """Passes of up to 12 tokens entry by entry, for rationals, floats and complex numbers; the fixed point, which a pass leaves alone; the pass as one matrix."""
    rng = Random(361)
    for T, n, d in proof.tied(
        "up to 12 tokens, 7 rows and 9 columns", [(1, 1, 1), (2, 2, 3), (3, 1, 2), (5, 7, 1), (7, 2, 2), (12, 1, 1), (2, 3, 9)]
    ):
        raw = [
            (
                integers(rng, n, d, 2),
                integers(rng, d, 1, 2)[:, 0],
                integers(rng, n, 1, 2)[:, 0],
                integers(rng, n, 1, 2)[:, 0],
                integers(rng, d, d, 1),
                integers(rng, d, 1, 2)[:, 0],
            )
            for _ in range(T)
        ]
        before = integers(rng, T, d, 2)
        for one in (fmpq(1), 1.0, 1 + 0j):
            tokens = [BedouinToken(*(part * one for part in token)) for token in raw]
            for kind in ("bedouin", "mamba"):
                states, outputs = [], []
                h = [[0] * d for _ in range(n)]
                for (decay, delta, B, C, Q, x), y in zip(raw, before, strict=True):
                    read = [sum(Q[j, i] * (x[i] - y[i]) for i in range(d)) + y[j] for j in range(d)] if kind == "bedouin" else list(y)
                    h = [[decay[i, j] * h[i][j] + B[i] * delta[j] * read[j] for j in range(d)] for i in range(n)]
                    states.append(h)
                    outputs.append([sum(C[i] * h[i][j] for i in range(n)) for j in range(d)])
                found = bedouin.bedouin_pass(tokens, before * one) if kind == "bedouin" else bedouin.mamba_pass(tokens, list(before * one))
                proof.exactly(f"a pass: {kind}", (found[0].tolist(), found[1].tolist()), (states, outputs))
        tokens = [
            BedouinToken(decay * fmpq(1, 3), delta * fmpq(1, 5), B * fmpq(1, 3), C * fmpq(1, 7), Q * fmpq(1, 2), x * fmpq(1))
            for decay, delta, B, C, Q, x in raw
        ]
        y = bedouin.bedouin_fixed_point(tokens)
        proof.exactly("the fixed point", bedouin.bedouin_pass(tokens, y)[1].tolist(), y.tolist())
        if T * d < 15:
            M, start = bedouin.loop_matrix(tokens), integers(rng, T, d) * fmpq(1)
            moved = bedouin.bedouin_pass(tokens, start)[1] - bedouin.bedouin_pass(tokens, start * 0)[1]
            proof.exactly(
                "loop_matrix", [row[0] for row in products([M.tolist(), [[x] for x in start.reshape(-1)]])], list(moved.reshape(-1))
            )
    token = BedouinToken(
        exact.identity(1), exact.identity(1)[0], exact.identity(1)[0], exact.identity(1)[0], exact.zeros(1, 1), exact.zeros(1)
    )
    hold_refusals(proof, "no single fixed point", [(bedouin.bedouin_fixed_point, ([token],))])


@tie("movahedi25.eq2")
def lag_one_tokens(proof: Proof) -> None:
    """The token of a layer whose mixer reads the state before, entry by entry: norms and states of either sign, up to 13 coordinates."""
    rng = Random(365)
    for d in proof.tied("1 to 13 coordinates", POSITIVE):
        x, p = integers(rng, d, 1)[:, 0] * fmpq(1), integers(rng, d, 1)[:, 0] * fmpq(1)
        size = sum(a * a for a in p)
        for norm in (fmpq(1, 2), fmpq(-3, 4), fmpq(0)):
            selective = layer.lag_one_layer(norm, d)
            token = selective.token(x, p)
            mixer = [[int(i == j) - norm * (int(i == j) - 2 * p[i] * p[j] / (size + 1)) for j in range(d)] for i in range(d)]
            proof.exactly(
                "lag_one_layer",
                (list(token.decay), token.mixer.tolist(), list(token.drive)),
                ([1 / (size + 2)] * d, mixer, list(x)),
            )
            proof.exactly("lag_one_layer: from 0", list(selective.initial), [fmpq(0)] * d)


@tie("movahedi25.eq2")
def clifford_relations(proof: Proof) -> None:
    """Generators as matrices, up to 5, and as words, up to 13: squares, anticommutators, exchanges, what is conjugated; signs by counting exchanges."""
    rng = Random(362)
    for n in proof.tied("1 to 5 generators", (1, 2, 3, 5)):
        g = spin.clifford_generators(n)
        one = np.eye(2 ** (n - 1), dtype=int)
        relations = [bool((a @ b + b @ a == 2 * int(i == j) * one).all()) for (i, a), (j, b) in product(enumerate(g), repeat=2)]
        proof.exactly("clifford_generators", (len(g), all(relations), all(bool((a == a.T).all()) for a in g)), (n, True, True))
        for j, k in list(combinations(range(n), 2))[:5]:
            for scale in (1, fmpq(1), 1.0):
                A = spin.exchange([x * scale for x in g], j, k)
                proof.exactly("exchange", A.tolist(), (one + g[j] @ g[k]).tolist())
            swapped = list(range(n))
            swapped[j], swapped[k] = k, j
            proof.exactly("conjugated", spin.conjugated(g, one + g[j] @ g[k], 2), tuple(swapped))
            proof.exactly("conjugated: by no permutation", spin.conjugated(g, 2 * one + g[j] @ g[k], 5), None)
    for length in proof.tied("words of up to 13 of up to 13 generators", POSITIVE):
        word = tuple(rng.choice(range(13)) for _ in range(length))
        letters, sign = list(word), 1
        while any(a > b for a, b in pairwise(letters)):
            i = next(i for i in range(length - 1) if letters[i] > letters[i + 1])
            letters[i], letters[i + 1], sign = letters[i + 1], letters[i], -sign
        left = tuple(x for x in sorted(set(letters)) if letters.count(x) % 2)
        proof.exactly("words in order", spin._in_order(word), (left, sign))
        E = spin.CliffordElement
        total, backwards = E.scalar(length), E.scalar(1)
        for x in word:
            total, backwards = total + (x - 5) * E.generator(x), E.generator(x) * backwards
        square = total * total
        coefficients = {x: sum(y - 5 for y in word if y == x) for x in set(word)}
        wanted: dict[tuple[int, ...], int] = {(): length**2 + sum(c * c for c in coefficients.values())} | {
            (x,): 2 * length * c for x, c in coefficients.items()
        }
        proof.exactly("the square of a sum", square, E.of(wanted))
        forwards = E.scalar(1)
        for x in word:
            forwards = forwards * E.generator(x)
        proof.exactly("reversed, a difference", (forwards.reversed(), forwards - forwards), (backwards, E.scalar(0)))
    g = spin.clifford_generators(2)
    hold_refusals(
        proof, "no generators, one twice", [(spin.clifford_generators, (0,)), (spin.clifford_generators, (-2,)), (spin.exchange, (g, 1, 1))]
    )


@tie("movahedi25.abstract.tracking")
def quaternion_products(proof: Proof) -> None:
    """Products by the table of i, j and k, in each type of numbers; groups of known orders."""
    table = {(0, k): (1, k) for k in range(4)} | {(k, 0): (1, k) for k in range(4)} | {(k, k): (-1, 0) for k in (1, 2, 3)}
    table |= {(1, 2): (1, 3), (2, 3): (1, 1), (3, 1): (1, 2), (2, 1): (-1, 3), (3, 2): (-1, 1), (1, 3): (-1, 2)}
    rng = Random(363)
    for _ in proof.tied("30 pairs, entries of either sign; rational, float, complex", range(30)):
        p, q = integers(rng, 4, 1)[:, 0], integers(rng, 4, 1)[:, 0]
        wanted = [0] * 4
        for i, j in product(range(4), repeat=2):
            sign, k = table[i, j]
            wanted[k] += sign * p[i] * q[j]
        for one in (fmpq(1), 1.0, 1 + 0j):
            proof.exactly("multiply", list(quaternions.multiply(p * one, q * one)), wanted)
            columns = [
                list(quaternions.multiply(p * one, exact.unit_vector(4, j) if isinstance(one, fmpq) else np.eye(4)[j])) for j in range(4)
            ]
            proof.exactly("left_multiplication", quaternions.left_multiplication(p * one).T.tolist(), columns)
        decay = integers(rng, 4, 1)[:, 0]
        A = integers(rng, 4, 4)
        for one in (fmpq(1), 1.0, 1 + 0j):
            token = quaternions.orthogonal_token(A * one, decay * one)
            found = (list(token.decay), list(token.gate), token.mixer.tolist(), list(token.drive))
            mixer = [[decay[i] * A[j, i] for j in range(4)] for i in range(4)]
            proof.exactly("orthogonal_token", found, (list(decay), [1] * 4, mixer, [0] * 4))
    squares = {(0, 2, 1): [1, 1, 0, 0], (1, 0, 2): [1, 0, 0, 1], (1, 2, 0): [fmpq(1, 2)] * 4}
    for key, q in proof.tied("quarter and third turns", quaternions.OCTAHEDRAL.items()):
        proof.exactly("OCTAHEDRAL: squares", [2 * x * x for x in q], list(squares[key]))
    units = [exact.unit_vector(4, k) for k in range(4)]
    groups: list[tuple[list[Any], int]] = [
        ([units[0]], 1),
        ([-units[0]], 2),
        ([units[1]], 4),
        ([units[1], units[2]], 8),
        (list(quaternions.OCTAHEDRAL.values()), 48),
        (list(quaternions.icosahedral().values()), 120),
    ]
    hold(
        proof,
        "groups of order 1 to 120",
        lambda i: len(quaternions.generated(groups[i][0])),
        lambda i: groups[i][1],
        ((i,) for i in range(6)),
        "generated",
    )
    calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (quaternions.generated, ([units[1]], 3)),
        (quaternions.generated, ([units[1] * 2],)),
    ]
    hold_refusals(proof, "more elements than allowed", calls)


@tie("new.fixed-point.gated.sets")
def lyapunov_solutions(proof: Proof) -> None:
    """P M + M' P = I and P = L diag(d) L', up to 9 and 12 rows; none where the equation is singular."""
    rng = Random(364)
    for n in proof.tied("1 to 7 rows", (1, 2, 3, 5, 7)):
        M = np.triu(integers(rng, n, n), 1) * fmpq(1) + exact.identity(n) * fmpq(3, 2)
        P = sets.lyapunov(M)
        zero = P is None
        proof.exactly(
            "lyapunov",
            zero
            or (
                np.array(products([P.tolist(), M.tolist()]), dtype=object) + np.array(products([M.T.tolist(), P.tolist()]), dtype=object)
            ).tolist(),
            exact.identity(n).tolist(),
        )
        turn = exact.zeros(n, n)
        if n > 1:
            turn[0, 1], turn[1, 0] = fmpq(1), fmpq(-1)
        proof.exactly("lyapunov: a singular equation", sets.lyapunov(turn), None)
    for n in proof.tied("1 to 13 rows", POSITIVE):
        X = exact.identity(n) + np.tril(integers(rng, n, n, 2), -1)
        d = np.array([abs(rational(rng)) + 1 for _ in range(n)], dtype=object)
        L, found = sets.ldl(np.array(products([X.tolist(), np.diag(d).tolist(), X.T.tolist()]), dtype=object))
        proof.exactly("ldl", (L.tolist(), list(found)), (X.tolist(), list(d)))
        rank = (n + 1) // 2
        B = exact.multiply(
            np.concatenate([exact.identity(rank), integers(rng, n - rank, rank)]), integers(rng, rank, n) + 20 * np.eye(rank, n, dtype=int)
        ) * fmpq(1)
        rows = sets._independent_rows(B)
        proof.exactly("_independent_rows", (len(rows), exact.rank(rows), exact.rank(np.concatenate([rows, B]))), (rank, rank, rank))
    hold_refusals(
        proof,
        "no sizes, nilpotent matrices",
        [(sets.own_channels, (exact.rationals([[0, 1], [0, 0]]),)), (sets.own_channels, (exact.identity(2) * 2,))],
    )


@tie("new.fixed-point.transpositions")
def parts_of_searches(proof: Proof) -> None:
    """What searches by halving, and lists of groups, rest on: with a claim that runs none of them, so that a wrong part is noticed and not waited for."""
    rng = Random(365)
    for n in proof.tied("13 to 1 roots or coefficients", POSITIVE[::-1]):
        edges = [(i, j) for i, j in combinations(range(n), 2) if rng.random() < 0.3]
        wanted = [[2 if i == j else -1 if (min(i, j), max(i, j)) in edges else 0 for j in range(n)] for i in range(n)]
        proof.exactly("cartan", bases.cartan(edges, n).tolist(), wanted)
        coefficients = [rational(rng) for _ in range(n)]
        for s in (fmpq(0), fmpq(-2, 3), fmpq(1), fmpq(5)):
            proof.exactly("value_at", bases.value_at(coefficients, s), sum((c * s**k for k, c in enumerate(coefficients)), fmpq(0)))
    hold(proof, "rationals of either sign", bases.sign_of, lambda x: (x > 0) - (x < 0), [(fmpq(k, 3),) for k in range(-13, 14)])


@tie("new.fixed-point.gated.depth")
def automata_in_series(proof: Proof) -> None:
    """Two automata in series, state by state: the second reads each letter with the state that the first comes to; up to 13 states."""
    rng = Random(366)
    for n, m, k in proof.tied("up to 13 and 12 states, 13 letters", [(1, 1, 1), (2, 3, 2), (5, 4, 13), (13, 2, 3), (3, 12, 5)]):
        letters = range(k)
        first = {c: tuple(rng.randrange(n) for _ in range(n)) for c in letters}
        second = {(c, p): tuple(rng.randrange(m) for _ in range(m)) for c in letters for p in range(n)}
        found = one_gate.cascade(first, second)
        proof.exactly("cascade: its letters", list(found), list(letters))
        for c in letters:
            pairs = [(i % n, i // n) for i in range(n * m)]
            after = [(first[c][p], second[c, first[c][p]][q]) for p, q in pairs]
            proof.exactly("cascade", [pairs[j] for j in found[c]], after)
