"""What nodes hold, and models with a head for each step, row by row."""

from __future__ import annotations

from random import Random

import numpy as np
from flint import fmpq

from .....constructions.universality import clocks, maps
from .....constructions.universality.networks import Network
from .....numerics import exact
from .....numerics.cyclotomic import root_of_unity
from ....claim import tie
from ....evidence import Proof
from .. import hold_closely, hold_refusals, integers, rational


@tie("orvieto24.thm2")
def models_of_many_steps(proof: Proof) -> None:
    """What 1 to 12 nodes hold, what is recalled from it, and models with a head for each of up to 12 steps."""
    rng = Random(312)
    for n in proof.tied("1 to 12 nodes and steps", (1, 2, 3, 5, 7, 10, 12)):
        nodes = [fmpq(k + 1, n + 1) * rng.choice((-1, 1)) for k in range(n)]
        tokens = [fmpq(rng.randint(-3, 3)) for _ in range(n)]
        states = maps.remembering(nodes).run(tokens)
        wanted = [[fmpq(k), *(sum(tokens[j] * x ** (k - 1 - j) for j in range(k)) for x in nodes)] for k in range(1, n + 1)]
        proof.exactly("remembering", [list(state[:, 0]) for state in states], wanted)
        proof.exactly(
            "recall", [list((maps.recall(nodes, k) @ states[k - 1])[:, 0]) for k in range(1, n + 1)], [tokens[:k] for k in range(1, n + 1)]
        )
        corners = [complex(np.exp(2j * np.pi * k / n) * 0.9) for k in range(n)]
        floats = maps.remembering(corners).run([float(int(x)) for x in tokens])
        for k in range(1, n + 1):
            sums = np.array([sum(float(int(tokens[j])) * x ** (k - 1 - j) for j in range(k)) for x in corners])
            hold_closely(
                proof,
                "complex nodes",
                lambda *_, w=floats[k - 1][:, 0]: w,
                lambda *_, s=sums, k=k: np.concatenate([[k], s.real, s.imag]),
                [()],
                1e-12,
                "remembering",
            )
        found = maps.recall(corners, n) @ floats[-1][:, 0]
        proof.closely("recall: complex nodes", float(np.abs(found - [float(int(x)) for x in tokens]).max()), 1e-9)
        heads = [
            Network(
                integers(rng, 2, k) * fmpq(1),
                rng.randint(-2, 2) * exact.rationals([1, 1]),
                integers(rng, 2, 1)[:, 0] * fmpq(1),
                rational(rng),
            )
            for k in range(1, n + 1)
        ]
        by_hand = [
            sum(
                (
                    w * int(sum(a * t for a, t in zip(row, tokens, strict=False)) + b >= 0)
                    for row, b, w in zip(h.inner, h.bias, h.outer, strict=True)
                ),
                h.offset,
            )
            for h in heads
        ]
        model = maps.sequence_model(nodes, heads, fmpq(3))
        proof.exactly("sequence_model", [y[0] for y in model.run(tokens)], by_hand)
        last, padded = heads[-1], [[fmpq(0)] * (n - k) + tokens[:k] for k in range(1, n + 1)]
        by_padding = [
            sum(
                (
                    w * int(sum(a * t for a, t in zip(row, given, strict=True)) + b >= 0)
                    for row, b, w in zip(last.inner, last.bias, last.outer, strict=True)
                ),
                last.offset,
            )
            for given in padded
        ]
        proof.exactly("invariant_model", [y[0] for y in maps.invariant_model(nodes, last, n).run(tokens)], by_padding)
        proof.exactly(
            "clock_states",
            clocks.clock_states(nodes, n).tolist(),
            [[sum((x**j for j in range(k)), fmpq(0)) for x in nodes] for k in range(1, n + 1)],
        )
        both = clocks.clocks_and_memory(nodes).run(tokens)
        proof.exactly(
            "clocks_and_memory",
            [list(H) for H in both],
            [[*(sum((x**j for j in range(k)), fmpq(0)) for x in nodes), *wanted[k - 1][1:]] for k in range(1, n + 1)],
        )
        shifted = clocks.biased(nodes, fmpq(7, 2)).run(tokens)
        proof.exactly(
            "biased",
            [list(H) for H in shifted],
            [[sum((tokens[j] + fmpq(7, 2)) * x ** (k - 1 - j) for j in range(k)) for x in nodes] for k in range(1, n + 1)],
        )
        direction = [fmpq(rng.randint(1, 3)) for _ in range(n)]
        steps = [[fmpq(rng.randint(-9, 9), 2) for _ in range(4)] for _ in range(n)]
        scheduled = clocks.scheduled_model(nodes, direction, steps, 1)
        along = [sum(d * t for d, t in zip(direction, given, strict=True)) for given in padded]
        by_steps = [fmpq(sum(x >= t for t in row[:2]) - sum(x >= t for t in row[2:])) for x, row in zip(along, steps, strict=True)]
        proof.exactly("scheduled_model", scheduled.run(tokens), by_steps)
        for k in range(1, 2 * n + 2):
            held = [sum((root_of_unity(n, s) ** j for j in range(k)), root_of_unity(n, 0) * 0) for s in range(1, n)]
            proof.exactly("residue", [clocks.residue(held, n, r) == int((k - 1) % n == r) for r in range(n)], [True] * n)
    hold_refusals(proof, "nodes that do not tell tokens apart", [(maps.recall, ([fmpq(1, 2)] * 2, 2)), (maps.recall, ([0.5 + 0j], 3))])
