"""Recurrences and stacks, row by row: states by their sums, in each type of numbers, up to 13 rows and layers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from .....constructions.recurrence import Recurrence, Stack, TwoSteps, reachable_with
from .....numerics import exact
from .....numerics.finite_precision import FiniteSet, cast_model_states, stepwise_states
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, hold_refusals, integers, plain


@tie("grazzi25.thm2")
def forever(proof: Proof) -> None:
    """What a flip with one layer does for ever, for periods of 1 to 4 letters: sums modulo 2 of the input."""
    flip = Recurrence.from_table(
        {x: (exact.rationals([[(-1) ** x]]), exact.zeros(1, 1)) for x in (0, 1)}, exact.rationals([[1]]), lambda H, x: int(H[0, 0] == -1)
    )
    for period in proof.tied("0/1 words of 1 to 4 letters", [list(w) for k in range(1, 5) for w in product((0, 1), repeat=k)]):
        first, last = Stack((flip,)).eventual_outputs(period, FiniteSet([-1, 0, 1]))
        word = (period * 40)[:40]
        found = [[trace.letter(t) for t in range(1, 41)] for trace in (first, last)]
        proof.exactly("eventual_outputs: one layer", found, [word, [sum(word[: t + 1]) % 2 for t in range(40)]])


@tie("grazzi25.thm2")
def recurrences_in_types(proof: Proof) -> None:
    """States and outputs of up to 13 rows by sums, for rationals, floats and complex numbers; stacks of up to 13 layers; rounded states; pairs that are reached."""
    rng = Random(288)
    for n, d in proof.tied("up to 13 rows and 2 columns", [(1, 1), (2, 2), (3, 1), (5, 2), (8, 1), (10, 1), (12, 2), (13, 1)]):
        table = {x: (integers(rng, n, n, 1), integers(rng, n, d, 2)) for x in range(3)}
        start, word = integers(rng, n, d, 2), [rng.randrange(3) for _ in range(5)]
        H, wanted = start.tolist(), [start.tolist()]
        for x in word:
            H = [[sum(int(table[x][0][i, k]) * H[k][j] for k in range(n)) + int(table[x][1][i, j]) for j in range(d)] for i in range(n)]
            wanted.append(H)
        for one in (fmpq(1), 1.0, 1 + 0j):
            typed = {x: (A * one, B * one) for x, (A, B) in table.items()}
            layer = Recurrence.from_table(typed, start * one, lambda H, x: (H.tolist(), x))
            proof.exactly("states", [S.tolist() for S in layer.states(word)], wanted)
            proof.exactly("run", layer.run(word), [(S, x) for S, x in zip(wanted[1:], word, strict=True)])
            proof.exactly("step", layer.step(start * one, word[0]).tolist(), wanted[1])
            proof.exactly("closed_form", layer.closed_form(word).tolist(), wanted[-1])
            proof.exactly(
                "steps",
                [(A.tolist(), B.tolist()) for A, B in layer.steps(word)],
                [(typed[x][0].tolist(), typed[x][1].tolist()) for x in word],
            )
            first = Recurrence.from_table(
                {x: (np.array([[one]], dtype=object), np.array([[one * x]], dtype=object)) for x in range(3)},
                np.array([[one]], dtype=object),
                lambda H, x: (int(H[0, 0]) if isinstance(H[0, 0], fmpq) else round(complex(H[0, 0]).real)) % 3,
            )
            stack = Stack((first, layer))
            sums = [(1 + sum(word[: t + 1])) % 3 for t in range(5)]
            proof.exactly("a stack", stack.run(word), layer.run(sums))
            states, out = stack.step(stack.initial, word[0])
            proof.exactly(
                "a stack's step",
                ([S.tolist() for S in states], out),
                ([[[1 + word[0]]], layer.step(start * one, sums[0]).tolist()], layer.run(sums)[0]),
            )
        D = FiniteSet([fmpq(k, 2) for k in range(-4, 5)])
        layer = Recurrence.from_table(
            {x: (A * fmpq(1, 2), B * fmpq(1, 3)) for x, (A, B) in table.items()}, start * fmpq(1, 3), lambda H, x: x
        )
        pairs_of = [(A * fmpq(1, 2), B * fmpq(1, 3)) for A, B in (table[x] for x in word)]
        proof.exactly(
            "cast_states",
            [S.tolist() for S in layer.cast_states(word, D)],
            [S.tolist() for S in cast_model_states(pairs_of, layer.initial, D)],
        )
        proof.exactly(
            "stepwise_states",
            [S.tolist() for S in layer.stepwise_states(word, D)],
            [S.tolist() for S in stepwise_states(pairs_of, layer.initial, D)],
        )
        halves = [np.array([[0.5 * c]], dtype=object) for c in (1, 1j)]
        rounded = [Recurrence(lambda x, c=c: c, lambda x, c=c: c, c, lambda H, x: x) for c in halves]
        calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
            (f, ([1], D)) for r in rounded for f in (r.cast_states, r.stepwise_states)
        ]
        calls += [(r.eventual_states, ([], [1], D)) for r in rounded] + [(layer.run, ([7],)), (layer.run, ([None],))]
        hold_refusals(proof, "floats that would be rounded, letters that are none", calls)
        bad = [
            (Recurrence.from_table, ({0: (exact.identity(n), exact.zeros(n + 1, d))}, start, plain)),
            (Recurrence.from_table, ({0: (exact.zeros(n, n + 1), start)}, start, plain)),
        ]
        hold_refusals(proof, "shapes", bad)
    one, flip = (
        exact.identity(1),
        Recurrence.from_table(
            {x: (exact.identity(1) * (-1) ** x, exact.zeros(1, 1)) for x in (0, 1)}, exact.identity(1), lambda H, x: int(H[0, 0] < 0)
        ),
    )
    for depth in proof.tied("stacks of 1 to 13 layers", POSITIVE):
        stack, word = Stack((flip,) * depth), [rng.randrange(2) for _ in range(20)]
        outs = list(word)
        for _ in range(depth):
            outs = [sum(outs[: t + 1]) % 2 for t in range(len(outs))]
        states, found = stack.initial, []
        for x in word:
            states, y = stack.step(states, x)
            found.append(y)
        proof.exactly("run, step, initial", (stack.run(word), found, len(stack.initial), len(states)), (outs, outs, depth, depth))
        if depth < 3:
            traces = stack.eventual_outputs([1, 0, 1], FiniteSet([-1, 0, 1]))
            forever = [1, 0, 1] * 40
            for trace in traces:
                proof.exactly("eventual_outputs", [trace.letter(t) for t in range(1, 100)], forever[:99])
                forever = [sum(forever[: t + 1]) % 2 for t in range(len(forever))]
            proof.exactly(
                "least_period",
                traces[1].least_period,
                next(p for p in range(1, 13) if all(traces[1].letter(t) == traces[1].letter(t + p) for t in range(20, 60))),
            )
        modulus = depth + 1
        turn = Recurrence.from_table(
            {x: (exact.identity(modulus)[:, [(i + x) % modulus for i in range(modulus)]], exact.zeros(modulus, 1)) for x in (0, 1)},
            exact.identity(modulus)[:, :1],
            lambda H, x: [int(q) for q in H[:, 0]].index(1),
        )
        reached = reachable_with(turn, lambda q, x, m=modulus: (q + x) % m, 0, (0, 1), lambda q: q)
        wrong = reachable_with(turn, lambda q, x, m=modulus: (q + x) % m, 0, (1,), lambda q, last=modulus - 1: q if q != last else -1)
        proof.exactly(
            "reachable_with", (len(reached.pairs), len(reached.edges), reached.mismatch, reached.closed), (modulus, 2 * modulus, None, True)
        )
        proof.exactly("reachable_with: the first mismatch", wrong.mismatch, (1,) * (modulus - 1))
        if modulus > 2:
            proof.exactly(
                "reachable_with: too many",
                reachable_with(turn, lambda q, x, m=modulus: (q + x) % m, 0, (0, 1), lambda q: q, limit=2).closed,
                False,
            )
        decoder = TwoSteps(lambda x: x % 3, lambda H, k: (len(H), k), lambda seen, x: (*seen, x))
        for letter in (depth, -depth, depth + 7):
            for H in (exact.zeros(depth, 1), np.zeros((depth, 1)) - 1, np.zeros((depth, 1)) * 1j):
                proof.exactly("TwoSteps", decoder(H, letter), (depth, letter % 3, letter))
