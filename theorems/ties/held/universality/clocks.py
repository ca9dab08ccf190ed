"""Clocks, and heads that take turns, row by row."""

from __future__ import annotations

from random import Random

import numpy as np
from flint import fmpq

from .....constructions.universality import clocks
from .....constructions.universality.networks import Network
from .....numerics import exact
from .....numerics.cyclotomic import root_of_unity
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, hold_refusals, matrix
from .common import fires, heads_of


@tie("orvieto24.thm2")
def clocks_of_many_steps(proof: Proof) -> None:
    """Remainders, heads that take turns, are there twice, or are told apart by a bias, for up to 13 steps, neuron by neuron; directions that are free; neurons that cannot be told apart."""
    rng = Random(315)
    for n in proof.tied("13 to 1 entries, some of them free", POSITIVE[::-1]):
        fixed = sorted(rng.sample(range(n), (n + 1) // 2))
        gamma, read = exact.zeros(n, len(fixed)), matrix(rng, len(fixed), 1)[:, 0]
        for column, j in enumerate(fixed):
            gamma[j, column] = fmpq(rng.choice((-2, 1, 3)))
        free = [j for j in range(n) if j not in fixed]
        wanted = [fmpq(1, 1 + free.index(j)) if j in free else read[fixed.index(j)] / gamma[j, fixed.index(j)] for j in range(n)]
        proof.exactly("_normal", list(clocks._normal(gamma, read)), wanted)
        hold_refusals(proof, "no direction", [(clocks._normal, (gamma * 0, read * 0 - 1))])
    for period in proof.tied("periods 13 to 1", POSITIVE[::-1]):
        for k in (1, period, period + 2):
            held = [sum((root_of_unity(period, s) ** j for j in range(k)), root_of_unity(period, 0) * 0) for s in range(1, period)]
            proof.exactly(
                "residue", [clocks.residue(held, period, r) == int((k - 1) % period == r) for r in range(period)], [True] * period
            )
    for length, period in proof.tied("up to 13 steps, periods 1 to 13", [(13, 5), (12, 13), (9, 1), (7, 3), (2, 2), (1, 1), (1, 4)]):
        direction = [fmpq(rng.choice((-2, -1, 1, 3))) for _ in range(length)]
        thresholds = [[fmpq(rng.randint(-9, 9), 2) for _ in range(4)] for _ in range(length)]
        head = clocks.exchanged_head(direction, thresholds, 3, period)
        for k in range(1, length + 1):
            padded = [fmpq(0)] * (length - k) + [fmpq(rng.randint(-2, 2), 2) for _ in range(k)]
            x = [fmpq(k), *(fmpq(int((k - 1) % period == r)) for r in range(period)), *padded]
            along = sum((d * t for d, t in zip(direction, padded, strict=True)), fmpq(0))
            wanted = fmpq(sum(along >= t for t in thresholds[k - 1][:2]) - sum(along >= t for t in thresholds[k - 1][2:]), 3)
            proof.exactly("exchanged_head", head(np.array(x, dtype=object)), wanted)
    for length in proof.tied("13 to 1 steps, tokens of either sign", (13, 9, 7, 5, 3, 2, 1)):
        heads, beta, largest = heads_of(rng, length), fmpq(5, 2), fmpq(2)
        tokens = [fmpq(rng.randint(-4, 4), 2) for _ in range(length)]
        wanted = [fires(head, tokens[:k]) for k, head in enumerate(heads, 1)]
        paired = clocks.paired_head(heads, beta, largest)
        shifted = [[fmpq(0)] * (length - k) + [beta + t for t in tokens[:k]] for k in range(1, length + 1)]
        proof.exactly("paired_head", [paired(np.array(z, dtype=object)) for z in shifted], wanted)
        nodes = [fmpq(k + 1, length + 1) * rng.choice((-1, 1)) for k in range(length)]
        proof.exactly("biased_model", clocks.biased_model(nodes, heads, beta, largest).run(tokens), wanted)
        # two nodes for tokens from a space of two dimensions
        basis = np.array([[fmpq(1), fmpq(k * k - 3, 4)] for k in range(length)], dtype=object)
        pair = [fmpq(1, 2), fmpq(2, 3)]
        alike = clocks.exceptional_steps(pair, basis, heads) if length > 1 else []
        coordinates = [fmpq(rng.choice((-1, 1)), 5), fmpq(rng.choice((-1, 1)), 40)]
        seen = [coordinates[0] * row[0] + coordinates[1] * row[1] for row in basis]
        if alike:
            hold_refusals(proof, "neurons parallel to a way", [(clocks.separating_head, (pair, basis, heads, max(map(abs, seen))))])
        elif length > 1:
            bias, told = clocks.separating_head(pair, basis, heads, max(map(abs, seen)))
            states = clocks.biased(pair, bias).run(seen)
            proof.exactly("separating_head", [told(state) for state in states], [fires(h, seen[:k]) for k, h in enumerate(heads, 1)])
    for length in proof.tied("one node, one direction, 12 and 9 steps that can be told apart", (12, 9)):
        basis = np.array([[fmpq(rng.choice((-1, 1, 2)))] for _ in range(length)], dtype=object)
        heads = heads_of(rng, length)
        for k, head in enumerate(heads):
            # each neuron moves along the direction
            along = sum((head.inner[:, i] * basis[i, 0] for i in range(k + 1)), head.bias * 0)
            head.inner[:, k] += np.array([fmpq(int(x == 0)) for x in along], dtype=object)
        seen = [fmpq(rng.choice((-1, 1)), 3) * row[0] for row in basis[:1]]
        seen = [seen[0] / basis[0, 0] * row[0] for row in basis]
        bias, told = clocks.separating_head([fmpq(2, 3)], basis, heads, max(map(abs, seen)))
        states = clocks.biased([fmpq(2, 3)], bias).run(seen)
        proof.exactly("separating_head", [told(state) for state in states], [fires(h, seen[:k]) for k, h in enumerate(heads, 1)])
    for length, far in proof.tied(
        "one node, thresholds of up to 10,000", [(length, far) for length in (2, 3, 5) for far in (1, 100, 10_000)]
    ):
        basis, node, largest = np.array([[fmpq(k + 1)] for k in range(length)], dtype=object), fmpq(1, 2), fmpq(length)
        heads = [
            Network(matrix(rng, 1, k) * 0 + 1, np.array([fmpq(far * (-1) ** k)]), np.array([fmpq(1)]), fmpq(0))
            for k in range(1, length + 1)
        ]
        powers = [[node ** (k - 1 - i) for i in range(k)] for k in range(1, length + 1)]
        least = 1 + 4 * length * largest / node**length
        for k, j in [(k, j) for k in range(length) for j in range(length) if j != k]:
            reads = sum((fmpq(i + 1) for i in range(k + 1)), fmpq(0)) / sum((powers[k][i] * (i + 1) for i in range(k + 1)), fmpq(0))
            spread = largest * abs(reads) * sum(powers[j], fmpq(0)) + far
            least = max(least, (spread + 1) / abs(reads * (sum(powers[j], fmpq(0)) - sum(powers[k], fmpq(0)))))
        proof.exactly("separating_head: the least bias", clocks.separating_head([node], basis, heads, largest)[0], least)
    for length in proof.tied("one node, one direction, 13 to 2 steps", (13, 12, 9, 7, 5, 2)):
        basis = np.array([[fmpq(rng.choice((-1, 1, 2)))] for _ in range(length)], dtype=object)
        heads = heads_of(rng, length, 3)
        flat = rng.sample(range(1, length), min(2, length - 1))
        for k in flat:
            # this neuron does not move along the direction, so its states cannot be told from any others
            heads[k].inner[1, k] = -sum((heads[k].inner[1, i] * basis[i, 0] for i in range(k)), fmpq(0)) / basis[k, 0]
        wanted = [
            (k + 1, j + 1)
            for k, head in enumerate(heads)
            for row in head.inner
            if sum((a * b for a, b in zip(row, basis[:, 0], strict=False)), fmpq(0)) == 0
            for j in range(length)
            if j != k
        ]
        # the first step has a basis of the first token alone
        proof.exactly("exceptional_steps", clocks.exceptional_steps([fmpq(2, 3)], basis, heads), wanted)
        hold_refusals(proof, "neurons that cannot be told apart", [(clocks.separating_head, ([fmpq(2, 3)], basis, heads, fmpq(2)))])
