"""Deep linear networks: sizes beyond those of the claims' own instances."""

from __future__ import annotations

from itertools import product
from random import Random

from flint import fmpq, fmpq_poly

from ...constructions import samples
from ...constructions.depth import DeepLinear, as_one_layer, copy_network, least_width, resolvent
from ...numerics import exact
from ..claim import tie
from ..evidence import Proof


def small_network(rng: Random, n: int, depth: int, d: int = 1) -> DeepLinear:
    """Small integer matrices, drawn without conditions: 1 network for each call."""
    layers = [(samples.integers(rng, n, d if level == 0 else n, bound=1), samples.integers(rng, n, n, bound=1)) for level in range(depth)]
    return DeepLinear(tuple(layers), samples.integers(rng, 1, n, bound=1) + 1)


def outputs_by_hand(network: DeepLinear, word: list[int]) -> list[fmpq]:
    """The outputs of a network on one channel, entry by entry: h = V h + U x, layer by layer."""
    states, out = [[fmpq(0)] * len(V) for _, V in network.layers], []
    for x in word:
        below = [fmpq(x)]
        for level, (U, V) in enumerate(network.layers):
            before, n = states[level], len(V)
            below = [
                sum((V[i, j] * before[j] for j in range(n)), fmpq(0)) + sum((U[i, j] * below[j] for j in range(len(below))), fmpq(0))
                for i in range(n)
            ]
            states[level] = below
        out.append(sum((w * h for w, h in zip(network.readout[0], below, strict=True)), fmpq(0)))
    return out


@tie("lizaire26.prop1")
def joined_layers(proof: Proof) -> None:
    """One wide layer, the stack and the sums written out give the same outputs."""
    rng = Random(41)
    sizes = [(1, depth) for depth in range(1, 11)] + [(2, 5), (2, 7), (3, 4), (4, 6), (6, 2), (9, 2)]
    for n, depth in proof.tied("n L <= 24: n = 1 and L <= 10, n = 2 and L <= 7, n <= 9", sizes):
        network, word = small_network(rng, n, depth), [rng.choice((-2, -1, 1, 3)) for _ in range(12)]
        wanted = outputs_by_hand(network, word)
        proof.exactly("DeepLinear.run is the sums written out", [y[0] for y in network.run(list(word))], wanted)
        proof.exactly("as_one_layer has the same outputs", [y[0] for y in as_one_layer(network).run(list(word))], wanted)


@tie("lizaire26.lemma3")
def transfer_functions(proof: Proof) -> None:
    """N(z) / D(z) is the power series of the outputs; the resolvent is an inverse."""
    rng = Random(43)
    sizes = [(1, 8), (2, 4), (4, 2), (5, 1), (5, 2), (6, 1), (8, 1), (9, 2)]
    for n, depth in proof.tied("n <= 9, L <= 8", sizes):
        network = small_network(rng, n, depth)
        numerator, denominator = network.transfer()
        steps = n * depth + 6
        responses = fmpq_poly(outputs_by_hand(network, [1] + [0] * (steps - 1)))
        proof.exactly(
            "D times the responses is N",
            list((denominator * responses - numerator[0, 0]).coeffs()[:steps]),
            [0] * min(steps, len((denominator * responses - numerator[0, 0]).coeffs())),
        )
        adjugate, determinant = resolvent(network.layers[0][1])
        z = fmpq(1, 7)
        inverse = exact.map_entries(lambda p: p(z) / determinant(z), adjugate)
        proof.exactly(
            "the resolvent inverts I - zV", exact.multiply(exact.identity(n) - network.layers[0][1] * z, inverse), exact.identity(n)
        )


@tie("lizaire26.lemma2")
def copies_by_registers(proof: Proof) -> None:
    """Copies through many layers, channels and steps; the width is the least by search."""
    cases = [(n, depth, d) for n, depth in ((2, 9), (5, 4), (9, 3), (13, 1), (41, 1)) for d in (1, 2, 3) if d < n]
    for n, depth, d in proof.tied("n <= 41, L <= 9, d <= 3", cases):
        p = depth * (n - d) // d
        word = [[fmpq(3 * t + c + 1) for c in range(d)] for t in range(p + 3)]
        found = copy_network(n, depth, p, d).run(word if d > 1 else [x[0] for x in word])
        proof.exactly("p = L (n - d) / d steps are copied", [list(y) for y in found], [[fmpq(0)] * d] * p + word[: len(word) - p])
    for p, depth, d in proof.tied("p <= 200, L <= 9, d <= 3", product((*range(13), 39, 40, 41, 99, 200), range(1, 10), (1, 2, 3))):
        proof.exactly(
            "least_width is the least", least_width(p, depth, d), next(n for n in range(d, p * d + d + 1) if p * d <= depth * (n - d))
        )
