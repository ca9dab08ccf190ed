"""Diagonal recurrences and their matrices, row by row: powers written out, up to 13 nodes and steps."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from ....constructions import vandermonde
from ....numerics import double_double, exact, haar, lanczos
from ....numerics import vandermonde as matrices
from ....numerics.cyclotomic import gaussian
from ....numerics.enclosures import certified_condition_number
from ...claim import tie
from ...evidence import Proof
from . import POSITIVE, hold, hold_closely, hold_refusals, matrix, plain, rational


@tie("orvieto24.eq4")
def diagonal_states(proof: Proof) -> None:
    """The states of up to 13 nodes after up to 13 inputs, alone, beside a clock, and in blocks; the matrix of powers in each type."""
    rng = Random(341)
    for n in proof.tied("1 to 13 nodes and inputs", POSITIVE):
        nodes, inputs = [rational(rng) for _ in range(n)], [rational(rng) for _ in range(n)]
        wanted = [[sum((inputs[j] * x ** (k - 1 - j) for j in range(k)), fmpq(0)) for x in nodes] for k in range(1, n + 1)]
        proof.exactly("diagonal_recurrence", [list(H[:, 0]) for H in vandermonde.diagonal_recurrence(nodes).run(inputs)], wanted)
        proof.exactly(
            "clock_and_memory",
            [list(H[:, 0]) for H in vandermonde.clock_and_memory(nodes).run(inputs)],
            [[fmpq(k), *row] for k, row in enumerate(wanted, start=1)],
        )
        start = vandermonde.clock_and_memory(nodes).initial
        proof.exactly("clock_and_memory: from 0", plain(start), plain(exact.zeros(n + 1, 1)))
        blocks = [nodes, nodes[:1], [-x for x in nodes]]
        pairs = [[x, -x, 2 * x] for x in inputs]
        in_blocks = [
            [sum((pairs[j][b] * x ** (k - 1 - j) for j in range(k)), fmpq(0)) for b, block in enumerate(blocks) for x in block]
            for k in range(1, n + 1)
        ]
        layer = vandermonde.blockwise(blocks)
        proof.exactly(
            "blockwise", ([list(H[:, 0]) for H in layer.run(pairs)], plain(layer.initial)), (in_blocks, plain(exact.zeros(2 * n + 1, 1)))
        )
        typed = [nodes, [float(k - n) for k in range(n)], [complex(k - 3, k % 2) for k in range(n)], [gaussian(k, -1) for k in range(n)]]
        for given in typed:
            by_hand = []
            for x in given:
                row = [x * 0 + 1]
                for _ in range(min(n, 6) - 1):
                    row.insert(0, row[0] * x)
                by_hand.append(row)
            proof.exactly("recall_matrix", vandermonde.recall_matrix(given, min(n, 6)).tolist(), by_hand)
        X, Y = matrix(rng, n, 13), matrix(rng, n, 13)
        Z = X + Y * gaussian(0, 1)
        proof.exactly("real_and_imaginary", plain(vandermonde.real_and_imaginary(Z)), plain(np.concatenate([X, Y])))
        r = (n + 1) // 2
        low = (matrix(rng, n, r) + matrix(rng, n, r) * gaussian(0, 1)) @ np.concatenate([exact.identity(r), exact.zeros(r, n - r)], axis=1)
        low = low * 0 + (np.concatenate([exact.identity(r), exact.zeros(n - r, r)]) * gaussian(2, -1)) @ np.concatenate(
            [exact.identity(r), exact.zeros(r, n - r)], axis=1
        )
        proof.exactly(
            "complex_rank", (vandermonde.complex_rank(low), vandermonde.complex_rank(np.concatenate([low, low * gaussian(0, 1)]))), (r, r)
        )
    bad = (
        [(vandermonde.half_circle, (m,)) for m in (-2, 0)]
        + [(haar.haar, pair) for pair in ((-2, -2), (0, 1), (12, 3), (8, 9), (8, 0), (8, -1))]
        + [(lanczos.start, (-2,))]
    )
    hold_refusals(proof, "no length", bad)
    hold_refusals(
        proof,
        "floats",
        [(f, (np.array([[x]], dtype=object),)) for f in (vandermonde.real_and_imaginary, vandermonde.complex_rank) for x in (-0.5, 1j)],
    )
    hold(proof, "degrees below 0", vandermonde.sine_window, lambda k: [], [(-1,), (-3,)])


@tie("orvieto24.sec4.1.real")
def real_nodes(proof: Proof) -> None:
    """Real nodes of either sign as floats, not as complex numbers: powers, condition numbers, singular values, least squares; up to 13 nodes and powers."""
    rng = Random(342)
    for n, length in proof.tied(
        "up to 13 nodes and 13 powers",
        [(1, 1), (1, 7), (2, 2), (3, 2), (2, 5), (5, 5), (7, 3), (3, 12), (9, 9), (12, 12), (13, 4), (5, 13)],
    ):
        nodes = np.array(sorted(rng.sample([k / 16 for k in range(-19, 20)], n)))
        ball = certified_condition_number(nodes, length)
        proof.closely("condition_number", abs(float(matrices.condition_number(nodes, length)) / float(ball) - 1), 1e-11)
        proof.closely("log_condition_number", abs(float(matrices.log_condition_number(nodes, length)) - float(ball.log())), 1e-11)
        by_hand = np.array([[x**k for k in range(length - 1, -1, -1)] for x in nodes])
        hold_closely(proof, "powers", matrices.vandermonde, lambda *_, w=by_hand: w, [(nodes, length)], 1e-14)
        hold_closely(proof, "powers", matrices.powers, lambda *_, w=by_hand: w, [(nodes, length)], 1e-13)
        sizes = np.sort(np.abs(np.asarray(matrices.singular_values(nodes, length))))[::-1]
        wanted = np.linalg.svd(by_hand, compute_uv=False)
        proof.closely("singular_values", float(np.abs(sizes - wanted).max() / wanted[0]), 1e-13)
        if n >= length and float(ball) < 1e7:
            inputs = np.array([rng.uniform(-1, 1) for _ in range(length)])
            found = np.real(np.asarray(matrices.reconstruct(by_hand @ inputs, nodes, length)))
            proof.closely("reconstruct", float(np.abs(found.reshape(-1) - inputs).max()), 1e-14 * float(ball) + 1e-13)
    for scale in proof.tied("nodes down to 2^-1000", (2.0**-1000, 2.0**-901, 2.0**-899, 2.0**-300)):
        for nodes, length in ((np.array([1.0, -3.0]) * scale, 2), (np.array([1.0, 2.0, -5.0]) * scale, 1)):
            ball = certified_condition_number(nodes, length)
            proof.closely(
                "log_condition_number: tiny nodes", abs(float(matrices.log_condition_number(nodes, length)) - float(ball.log())), 1e-10
            )
    many = np.array([[rng.uniform(-1, 1) for _ in range(5)] for _ in range(3)])
    each = [float(matrices.condition_number(row, 4)) for row in many]
    hold_closely(proof, "three sets of real nodes at once", matrices.condition_number, lambda *_, w=each: w, [(many, 4)], 1e-12)
    rows: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (f, (x, 1.5)) for f in (double_double.two_product,) for x in (fmpq(1, 3), fmpq(-2))
    ]
    rows += [
        (double_double.multiply, ((fmpq(1, 3),) * 4, (1.0,) * 4)),
        (double_double.turns, (["a"],)),
    ]
    hold_refusals(proof, "exact numbers, which have no rounding errors", rows)
    refused = [np.zeros((2, 0)), np.array([float("nan")]), np.array([float("inf")]), np.array([1e301]), np.ma.masked_array([1.0], [True])]
    calls = [
        (f, (nodes, 3))
        for f in (matrices.condition_number, matrices.log_condition_number, matrices.vandermonde, matrices.singular_values)
        for nodes in refused
    ]
    hold_refusals(
        proof, "no nodes, infinite and masked ones; no length", [*calls, *[(matrices.condition_number, (np.ones(2), k)) for k in (0, -2)]]
    )
