"""Linear attention and copies, row by row: sums written out, entries of either sign, up to 13 tokens; and lengths that are refused."""

from __future__ import annotations

from random import Random

import numpy as np
from flint import arb, fmpq

from ....constructions import gating
from ....numerics import exact
from ...claim import tie
from ...evidence import Proof
from . import POSITIVE, hold_refusals, integers


@tie("movahedi25.appC.2")
def attention_written_out(proof: Proof) -> None:
    """Keys, queries and values of either sign, in each type of numbers; copies of up to 13 tokens with the keys made from the state."""
    rng = Random(381)
    for n in proof.tied("up to 13 keys, values and tokens", POSITIVE):
        keys, queries, values = (integers(rng, 5, n) for _ in range(3))
        word = [rng.randrange(5) for _ in range(6)]
        wanted = [
            [sum(sum(queries[x, i] * keys[y, i] for i in range(n)) * values[y, j] for y in word[: t + 1]) for j in range(n)]
            for t, x in enumerate(word)
        ]
        for one in (fmpq(1), 1):
            layer = gating.linear_attention(
                lambda x, k=keys * one: k[x], lambda x, q=queries * one: q[x], lambda x, v=values * one: v[x], n, n
            )
            proof.exactly("linear_attention", [list(y) for y in layer.run(word)], wanted)
        tokens = [integers(rng, 1, 3)[0] + np.array([0, 0, 10], dtype=object) for _ in range(n)]
        sequence = gating.copying_sequence(tokens, tokens[0] * -1)
        copied = gating.state_dependent_copy(sequence, n + 1)
        proof.exactly("state_dependent_copy", [list(p) for p in copied], [list(sequence[t % (n + 1)]) for t in range(len(sequence))])
        layer = gating.copy_with_positions(n, 3)
        letters = [(rng.randrange(n), rng.randrange(3)) for _ in range(8)]
        by_hand = [
            [fmpq(sum(q == p and y == j for q, y in letters[: t + 1]) - (x == j)) for j in range(3)] for t, (p, x) in enumerate(letters)
        ]
        proof.exactly("copy_with_positions", [list(y) for y in layer.run(letters)], by_hand)
    zero = [exact.zeros(2)]
    hold_refusals(
        proof,
        "no length, a token that is zero",
        [(gating.one_sequence_layer, (k,)) for k in (0, -2)]
        + [(gating.state_dependent_copy, (zero, 1)), (gating.copy_with_positions, (-2, 2))],
    )


@tie("movahedi25.appC.2")
def mean_gates_by_sums(proof: Proof) -> None:
    """Means of gates and of their logarithms by sums over a fine grid, biases and sizes 13 to 1 of either sign, whole, rational and float."""
    z = [k / 50 for k in range(-600, 601)]
    weights = np.exp(-np.square(z) / 2) / 50 / np.sqrt(2 * np.pi)
    for b, size in proof.tied(
        "biases -13 to 13, sizes 1/2 to 13",
        [(-13, 2), (13, 1), (0, 13), (2, 9), (fmpq(-7, 2), 5), (0.5, 3), (fmpq(1, 3), fmpq(1, 2)), (-1, 7)],
    ):
        u = float(arb(b)) + float(arb(size)) * np.array(z)
        # the sum over a grid of step h is off by e^(-2 pi^2 / (h size)) for these functions, which is nothing; 1201 terms are rounded
        for what, found, values in (
            ("mean_gate", gating.mean_gate(b, size), 1 / (1 + np.exp(-u))),
            ("mean_log_gate", gating.mean_log_gate(b, size), -np.logaddexp(0, -u)),
        ):
            wide = float(np.abs(values).max()) + 1
            proof.closely(what, abs(float(found) - float(values @ weights)), 1201 * 4 * 2.0**-52 * wide)
