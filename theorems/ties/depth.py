"""Deep linear networks: sizes beyond those of the claims' own instances."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
from flint import fmpq, fmpq_poly

from ...constructions import samples
from ...constructions import tanh_units as tanh
from ...constructions.depth import DeepLinear, as_one_layer, copy_network, impulse_response, least_width, resolvent
from ...constructions.depth import errors as depth_errors
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
        states = network.stack().run([exact.rationals([[x]]) for x in word])
        proof.exactly("DeepLinear.stack: states of one column", [h.shape for h in states], [(n, 1)] * len(word))
        read = [sum((w * h for w, h in zip(network.readout[0], state[:, 0], strict=True)), fmpq(0)) for state in states]
        proof.exactly("DeepLinear.stack: its states, read", read, wanted)
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
        rest = denominator * responses - numerator[0, 0]
        proof.exactly("D times the responses is N, up to where they end", [rest[k] for k in range(steps)], [0] * steps)
        adjugate, determinant = resolvent(network.layers[0][1])
        z = fmpq(1, 7)
        at_z = exact.map_entries(lambda p, z=z: p(z), adjugate)
        wanted = exact.identity(n) * determinant(z)
        proof.exactly(
            "(I - zV) times its adjugate is its determinant", exact.multiply(exact.identity(n) - network.layers[0][1] * z, at_z), wanted
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


@tie("new.depth.approximate-copies")
def errors_of_sizes(proof: Proof) -> None:
    """Errors of networks on white noise: from responses, for what is copied and left out, and never below the bound."""
    rng = Random(49)
    for n, depth in proof.tied("n <= 8, L <= 4, 12 steps", product((1, 3, 8), (1, 2, 4))):
        network = small_network(rng, n, depth)
        weights = [exact.as_float(M) for M in (*(M for layer in network.layers for M in layer), network.readout)]
        found = depth_errors.impulse_response(weights, depth, 1, 12)[:, 0, 0]
        wanted = [float(y) for y in outputs_by_hand(network, [1] + [0] * 11)]
        proof.closely(
            "impulse_response is the network's",
            max(abs(a - b) for a, b in zip(found, wanted, strict=True)),
            1e-9 * max(1.0, *map(abs, wanted)),
        )
        for p in (0, 1, 5, 11):
            error = sum((12 - k) * (g - (k == p)) ** 2 for k, g in enumerate(wanted)) / 12
            proof.closely(
                "expected_error sums squares",
                abs(depth_errors.expected_error(np.array(wanted)[:, None, None], p) - error),
                1e-9 * max(1.0, error),
            )
    for n, depth, d, p in proof.tied(
        "n <= 12, L <= 4, d <= 3, p <= 12, 2p steps", product((1, 2, 5, 12), (1, 2, 4), (1, 2, 3), (1, 4, 12))
    ):
        T, units = 2 * p, n * depth
        m = max(sum(1 for t in range(1, s + 1) if s <= t + p <= T) for s in range(1, T + 1))
        proof.closely("lower_bound", abs(depth_errors.lower_bound(units, d, p, T) - max(0.0, (m * d - units) / (T * d))), 1e-12)
        channels = max(c for c in range(d + 1) if p * c <= depth * (n - c) or c == 0)
        copied = depth_errors.copied_error(n, depth, d, p, T)
        proof.closely("copied_error: channels that do not fit are left out", abs(copied - (d - channels) / d * (T - p) / T), 1e-12)
        near = depth_errors.near_error(n, depth, d, p, T)
        sizes = [
            (c, k)
            for c in range(1, d + 1)
            for k in range(1, depth + 1)
            if p % k == 0 and p // k * c <= n and ((p // k) % 2 == 0 or c % 2 == 0 or k <= 2)
        ]
        kept = max((c for c, _ in sizes), default=0)
        left = (d - kept) / d * (T - p) / T
        proof.closely("near_error: what fits is copied up to one response", abs(near - left - kept / d * 0.1 ** (2 * p)), 1e-9)


@tie("new.depth.approximate-copies")
def tanh_units(proof: Proof) -> None:
    """Layers that count and layers that remember the sign, by enumeration of all words."""
    for T in proof.tied("T <= 8, all words", range(1, 9)):
        words = list(product((-1, 1), repeat=T))
        for units in (1, T // 2 + 1, T, T + 3):
            total = 0.0
            for word in words:
                k = 0
                for t, x in enumerate(word):
                    k += x < 0
                    y = 1 + sum((-1) ** (j + 1) * (np.tanh(20 * (k - j - 0.5)) + 1) for j in range(min(units, T)))
                    total += (y - np.prod(word[: t + 1])) ** 2
            proof.closely(
                "counted_parity_error is the mean over all words", abs(tanh.counted_parity_error(units, T) - total / len(words) / T), 1e-9
            )
    for T in proof.tied("T <= 200", (1, 2, 9, 200)):
        V, U, b, h, w, c = tanh.recurrent_parity_layer()
        sign = 1
        for t in range(T):
            x = -1 if t % 3 == 1 else 1
            h, sign = np.tanh(V @ h + U * x + b), sign * x
            proof.closely("the readout is the product of the signs", abs(float(w @ h) + c - sign), 4 * np.exp(-40) + 1e-14)
        proof.closely("recurrent_parity_error", tanh.recurrent_parity_error(T), 1e-20)
    errors = [tanh.sine_error(units, 4.0) for units in range(12)]
    for omega in proof.tied("up to 11 units", (1.0, 4.0)):
        proof.closely("no unit: the variance of the sine", abs(tanh.sine_error(0, omega) - (1 - np.exp(-2 * omega**2)) / 2), 1e-9)
        proof.certified(
            "twelve steps leave less than a tenth of it",
            tanh.sine_error(11, 4.0) < errors[0] / 10 and errors[11] < errors[3] < errors[0] + 1e-12,
        )


@tie("lizaire26.lemma3")
def power_series(proof: Proof) -> None:
    """N / D as a power series: D times the response is N, with coefficients of either sign."""
    rng = Random(47)
    for steps, degree in proof.tied("0 to 40 steps, degrees up to 9", product((0, 1, 2, 7, 40), (0, 1, 4, 9))):
        draw = lambda low: fmpq_poly([rng.choice((-2, low, 3)), *(fmpq(rng.randint(-5, 5), 3) for _ in range(degree))])  # noqa: B023, E731
        numerator, denominator = draw(0), draw(-1)
        response = impulse_response(numerator, denominator, steps)
        rest = denominator * fmpq_poly(response) - numerator
        proof.exactly("as many coefficients as steps", len(response), steps)
        proof.exactly("impulse_response times D is N", [rest[k] for k in range(steps)], [0] * steps)
