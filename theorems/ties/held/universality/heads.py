"""Heads, filters and readers of many steps, row by row."""

from __future__ import annotations

from random import Random

import numpy as np
from flint import arb, arb_mat, ctx, fmpq

from .....constructions import vandermonde
from .....constructions.universality import heads as heads_module
from .....constructions.universality import maps, vectors
from .....constructions.universality.networks import Network
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, hold_refusals, integers, matrix, rational
from .common import fires


@tie("orvieto24.thm2")
def heads_and_readers_of_many_steps(proof: Proof) -> None:
    """Filters and products of tokens within their bounds for up to 13 steps; squares by steps; readers of half circles; waves in up to 13 variables; models on nodes of each type."""
    rng = Random(316)
    for length, steps in proof.tied("up to 13 steps and 13 neurons", [(13, 9), (12, 13), (9, 1), (5, 4), (2, 0), (1, 3)]):
        taps = [rational(rng) for _ in range(rng.randint(1, length))]
        heads, bound = heads_module.filter_heads(taps, length, steps)
        proof.exactly("filter_heads: bound", bound, sum((abs(t) for t in taps), fmpq(0)) / (steps + 1))
        tokens = [fmpq(rng.randint(-8, 8), 8) for _ in range(length)]
        for k, head in enumerate(heads, 1):
            wanted = sum((t * tokens[k - 1 - j] for j, t in enumerate(taps) if j < k), fmpq(0))
            value = head(np.array(tokens[:k], dtype=object))
            proof.exactly("filter_heads", (len(heads), abs(value - wanted) <= bound, head.width), (length, True, steps))
        lags = tuple(rng.sample(range(length), 2)) if length > 1 else (0, 1)
        products_of, error = heads_module.product_heads((lags[0], lags[1]), length, steps + 1)
        proof.exactly(
            "product_heads: bound", error <= fmpq(201, 100) / (steps + 2) and error >= fmpq(2) / (steps + 2) - fmpq(1, 1000), True
        )
        for k, head in enumerate(products_of, 1):
            there = k > max(lags)
            wanted = tokens[k - 1 - lags[0]] * tokens[k - 1 - lags[1]] if there else fmpq(0)
            value = head(np.array(tokens[:k], dtype=object))
            proof.exactly("product_heads", (abs(value - wanted) <= (error if there else 0), head.width), (True, 2 * (steps + 1) * there))
    for steps in proof.tied("up to 13 steps, and none", (-3, 0, 1, 2, 5, 9, 13)):
        network, error = heads_module.square_staircase(steps)
        u = [fmpq(k, 20) for k in range(-40, 41)]
        errors = [abs(fires(network, [x]) - x * x / 4) for x in u]
        proof.exactly("square_staircase", (network.width, max(errors) <= error), (max(steps, 0), True))
        # one piece is half as far off as two: squares run from 0 to 1; thresholds are roots to six digits
        wanted = fmpq(1, max(steps + 1, 2))
        proof.exactly("square_staircase: error", abs(error - wanted) <= fmpq(1, 10**5), True)
    for n in proof.tied("13 to 1 variables and waves", POSITIVE[::-1]):
        frequencies, a, b = (
            integers(rng, n, n, 2).astype(float),
            integers(rng, n, 1)[:, 0].astype(float),
            integers(rng, n, 1)[:, 0].astype(float),
        )
        waves, wide = heads_module.Waves(frequencies, a, b, -0.5), sum(abs(x) + abs(y) for x, y in zip(a, b, strict=True)) + 1
        proof.closely(
            "barron",
            abs(waves.barron - sum(np.sqrt(sum(w * w)) * abs(p + 1j * q) for w, p, q in zip(frequencies, a, b, strict=True))),
            4 * n * wide * 9 * 2.0**-52,
        )
        real, imaginary = (integers(rng, n, 3).astype(float) for _ in range(2))
        for z in (real / 8, real / 8 + 1j * (imaginary / 32)):
            sums = []
            for point in np.asarray(z, dtype=complex).T:
                phases = [sum(w * p for w, p in zip(row, point, strict=True)) for row in frequencies]
                turned = [(np.exp(1j * t), np.exp(-1j * t)) for t in phases]
                sums.append(sum(p * (x + y) / 2 + q * (x - y) / 2j for p, q, (x, y) in zip(a, b, turned, strict=True)) - 0.5)
            grown = wide * float(np.exp(n * 2 * 4 / 32.0))
            # phases of up to n, values of up to the largest imaginary part's exponential
            proof.closely("Waves", float(np.abs(waves(z) - np.array(sums)).max()), grown * 8 * (n + 4) * 2.0**-52 * n)
        hold_refusals(proof, "exact numbers, which have no cosine", [(waves, (matrix(rng, n, 2),))])
    for near in proof.tied("two points 10^-3 to 10^-5 apart, fitted with the printed weight", (1e-3, 1e-4, 1e-5)):
        points, values = np.array([[0.25, 0.25 + near, -1.0]]), np.array([1.0, -0.5, 2.0])
        # with 50 digits, for the weight, the period and the number of waves that are printed
        with ctx.workprec(170):
            phases = [arb(float(x)) * arb.pi() / 6 for x in points[0]]
            F = arb_mat([[t.cos(), t.sin(), arb(1)] for t in phases])
            ridge = arb_mat([[arb(3) * arb(1e-8) if i == j else 0 for j in range(3)] for i in range(3)])
            wanted = (F.transpose() * F + ridge).solve(F.transpose() * arb_mat([[float(v)] for v in values]))
            largest = max(abs(float(x)) for x in wanted.entries())
            exactly = [float(x) for x in wanted.entries()]
        fitted = heads_module.fit_waves(points, values)
        found = [*fitted.cosines, *fitted.sines, fitted.constant]
        given = heads_module.fit_waves(points, values, most=1, period=12.0, ridge_weight=1e-8)
        proof.exactly("fit_waves: as given", found, [*given.cosines, *given.sines, given.constant])
        # rounded normal equations, whose least eigenvalue is the weight
        proof.closely("fit_waves", max(abs(a - b) for a, b in zip(found, exactly, strict=True)) / largest, 1e-5)
    for length in proof.tied("12 to 2 steps", (12, 10, 8, 6, 2)):
        reader, nodes = vectors.real_reader(length), vandermonde.half_circle(length)
        read = [
            [sum((reader[i, j] * nodes[j] ** (length - 1 - k) for j in range(len(nodes))), nodes[0] * 0) for k in range(length)]
            for i in range(length)
        ]
        proof.exactly(
            "real_reader",
            [[vectors.real_part(x) for x in row] for row in read],
            [[int(i == k) for k in range(length)] for i in range(length)],
        )
        for inputs in (1, 3) if length < 9 else (2,):
            heads = [
                Network(integers(rng, 2, inputs * length) * fmpq(1), matrix(rng, 2, 1)[:, 0], matrix(rng, 2, 1)[:, 0], rational(rng))
                for _ in range(2)
            ]
            tokens = [[fmpq(rng.randint(-3, 3), 2) for _ in range(inputs)] for _ in range(length)]
            padded = [
                [x for m in range(inputs) for x in [fmpq(0)] * (length - k) + [row[m] for row in tokens[:k]]] for k in range(1, length + 1)
            ]
            proof.exactly(
                "vector_model", vectors.vector_model(inputs, length, heads).run(tokens), [[fires(h, x) for h in heads] for x in padded]
            )
    hold_refusals(proof, "odd lengths, and none", [(vectors.real_reader, (k,)) for k in (-3, -2, 0, 1, 3, 13)])
    for length in proof.tied("13 to 1 nodes of each type", (13, 9, 5, 2, 1)):
        head = Network(integers(rng, 3, length) * 1.0, integers(rng, 3, 1)[:, 0] + 0.5, np.array([1.0, -2.0, 4.0]), -3.0)
        tokens = [float(rng.randint(-2, 2)) for _ in range(length)]
        wanted = [
            sum(
                (
                    w
                    for row, b, w in zip(head.inner, head.bias, head.outer, strict=True)
                    if sum(row[length - k + i] * tokens[i] for i in range(k)) + b >= 0
                ),
                head.offset,
            )
            for k in range(1, length + 1)
        ]
        # sums are half integers: what is recalled to within 1/100 gives the same side
        given = [np.exp(1j * np.pi * (k + 0.5) / length) for k in range(length)]
        proof.exactly(
            "invariant_model: complex nodes",
            [float(y[0]) for y in maps.invariant_model([complex(x) for x in given], head, length).run(tokens)],
            wanted,
        )
        if length < 6:
            quarters = [0.25 * (k + 1) * (-1) ** k for k in range(length)]
            proof.exactly(
                "invariant_model: real nodes", [float(y[0]) for y in maps.invariant_model(quarters, head, length).run(tokens)], wanted
            )
