"""Networks and points, neuron by neuron."""

from __future__ import annotations

from itertools import permutations
from math import exp
from random import Random

import numpy as np
from flint import fmpq

from .....constructions.universality import networks
from .....constructions.universality.networks import Network, step
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, hold_closely, hold_refusals, integers, matrix
from .common import typed


@tie("orvieto24.thm1")
def networks_in_types(proof: Proof) -> None:
    """Networks of up to 13 neurons and inputs neuron by neuron, on single inputs and batches, in each type of numbers; points of which no affine map keeps three."""
    rng = Random(313)
    for n in proof.tied("up to 13 neurons and inputs", POSITIVE):
        inner, bias, outer, x = integers(rng, n, n), integers(rng, n, 1)[:, 0], integers(rng, n, 1)[:, 0], integers(rng, n, 13)
        for kind in range(2):
            A, b, w, batch = (typed(M)[kind] for M in (inner, bias, outer, x))
            network = Network(A, b, w, 5)
            wanted = [
                5 + sum(int(outer[d]) * int(sum(inner[d, i] * x[i, c] for i in range(n)) + bias[d] >= 0) for d in range(n))
                for c in range(13)
            ]
            proof.exactly("a batch, and one input", ([int(y) for y in network(batch)], int(network(batch[:, 0]))), (wanted, wanted[0]))
            hold_refusals(proof, "complex coordinates", [(network, (x[:, :2] * one,)) for one in (1j, 1 - 2j)])
            moved = network.after(A)
            proof.exactly("after a matrix", [int(y) for y in moved(batch)], [int(y) for y in network(A @ batch)])
            proof.exactly(
                "bounded_by", int(network.bounded_by(3)), max(3 * sum(abs(int(a)) for a in inner[d]) + abs(int(bias[d])) for d in range(n))
            )
        proof.exactly(
            "step, ramp",
            (step(x).tolist(), networks.ramp(x * fmpq(1, 2)).tolist()),
            ([[int(y >= 0) for y in row] for row in x], [[min(max(y * fmpq(1, 2), fmpq(0)), fmpq(1)) for y in row] for row in x]),
        )
    hold_closely(
        proof,
        "1 to 13 rationals",
        networks.logistic,
        lambda u: [1 / (1 + exp(-int(t.p) / int(t.q))) for t in u],
        [(matrix(rng, n, 1)[:, 0],) for n in POSITIVE],
        1e-14,
    )
    hold_closely(
        proof,
        "arrays of up to 13 floats",
        networks.logistic,
        lambda u: [1 / (1 + exp(-t)) for t in u],
        [(np.linspace(-n, n, n),) for n in POSITIVE],
        1e-14,
    )
    for count in proof.tied("1 to 10 points", (1, 2, 3, 6, 10)):
        points = networks.generic_points(count)
        near = [0 < p * 2 ** (j + 1) - 1 <= fmpq(1, 4) for j, p in enumerate(points)]
        ratios = [(c - a) / (b - a) for a, b, c in permutations(points, 3)]
        proof.exactly(
            "generic_points: above 2^-j, and no two ratios alike",
            (len(points), near, len(set(ratios))),
            (count, [True] * count, len(ratios)),
        )
        proof.exactly("affine_ratios", networks.affine_ratios(points), ratios)
        new = sorted(str(q) for q in networks._new_ratios(points, fmpq(-7, 3)))
        with_it = [(c - a) / (b - a) for a, b, c in permutations([*points, fmpq(-7, 3)], 3)]
        more = sorted(str(q) for q in with_it)
        for q in map(str, ratios):
            more.remove(q)
        proof.exactly("_new_ratios", new, more)
        sigma = networks.spiked_step(points, -5)
        given = np.array([*points, fmpq(-1), fmpq(0), *(p + 1 for p in points)], dtype=object)
        proof.exactly("spiked_step", list(sigma(given)), [fmpq(-5)] * count + [fmpq(0), fmpq(1)] + [fmpq(1)] * count)


@tie("orvieto24.thm1")
def heads_by_the_clock(proof: Proof) -> None:
    """One network for up to nine heads, told by a clock: at step k what head k says, on integers within reach; widths and the rest of the last head."""
    rng = Random(314)
    for count, n, D in proof.tied(
        "one to nine heads of up to 13 neurons", [(9, 2, 1), (7, 1, 3), (5, 3, 2), (3, 2, 13), (2, 12, 4), (1, 3, 5)]
    ):
        heads = [
            Network(
                integers(rng, D + k % 2, n + 1), integers(rng, D + k % 2, 1)[:, 0], integers(rng, D + k % 2, 1)[:, 0], rng.randint(-3, 3)
            )
            for k in range(count)
        ]
        for reach, saturation in ((count + 3, 1), (count + 9, 2)):
            # the last coordinate is the step: it is k at step k
            row = np.array([0] * n + [1], dtype=object)
            times = [(row, -k) for k in range(count)]
            one = networks.saturating_sum(heads, times, reach, saturation)
            proof.exactly("saturating_sum: width", one.width, sum(head.width + 1 for head in heads) - 1)
            for k, head in enumerate(heads):
                for x in ([*(rng.randint(-3, 3) for _ in range(n)), k] for _ in range(4)):
                    given = np.array(x, dtype=object)
                    proof.exactly("saturating_sum", int(one(given)), int(head(given)))
            weights = [
                max(sum(abs(a) for a in row) * reach + abs(b) for row, b in zip(h.inner, h.bias, strict=True)) + saturation for h in heads
            ]
            parts = [h.width + 1 for h in heads[:-1]]
            firsts = [sum(parts[:k]) for k in range(count)]
            found = [
                [one.inner[i, n] - head.inner[i - at, n] for i in range(at, at + head.width)]
                for at, head in zip(firsts, heads, strict=True)
            ]
            proof.exactly("saturating_sum: weights of clocks", [set(row) for row in found], [{w} for w in weights])
