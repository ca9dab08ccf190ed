"""Second-order layers, row by row: sums written out, up to 12 units, in each type of numbers."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
from flint import fmpq

from ....constructions import bilinear
from ....numerics import exact
from ...claim import tie
from ...evidence import Proof
from . import POSITIVE, hold, hold_refusals, integers, plain, products


@tie("lizaire26.lemma4")
def second_order_sums(proof: Proof) -> None:
    """A step by its sums; the same as a recurrence; low-rank tensors; weighted automata as products of matrices; stacks of up to 10 layers."""
    rng = Random(321)
    for n, m, R in proof.tied(
        "up to 12 units, 5 inputs, rank 13", [(1, 1, 1), (2, 3, 2), (3, 2, 5), (5, 5, 7), (7, 1, 9), (9, 3, 12), (12, 2, 13)]
    ):
        A = integers(rng, n * m, n, 2).reshape(n, m, n)
        V, U, b, start = integers(rng, n, n, 2), integers(rng, n, m, 2), integers(rng, n, 1)[:, 0], integers(rng, n, 1)[:, 0]
        inputs = [integers(rng, m, 1)[:, 0] for _ in range(4)]
        wanted, h = [], list(start)
        for x in inputs:
            h = [
                b[k]
                + sum(V[k, i] * h[i] for i in range(n))
                + sum(U[k, j] * x[j] for j in range(m))
                + sum(A[i, j, k] * h[i] * x[j] for i, j in product(range(n), range(m)))
                for k in range(n)
            ]
            wanted.append(h)
        for one in (fmpq(1), 1.0, 1 + 0j):
            layer = bilinear.SecondOrderLayer(A * one, V * one, U * one, b * one, start * one)
            given = [x * one for x in inputs]
            proof.exactly("steps", [list(state) for state in bilinear.run([layer], given)], wanted)
            proof.exactly("one step", list(layer.step(start * one, given[0])), wanted[0])
            proof.exactly("as a recurrence", [list(state) for state in layer.recurrence().run(given)], wanted)
            bare = bilinear.bilinear_layer(A * one, start * one)
            if isinstance(one, fmpq):
                alone = [sum(A[i, j, k] * start[i] * inputs[0][j] for i, j in product(range(n), range(m))) for k in range(n)]
                proof.exactly("the product alone", list(bare.step(start * one, given[0])), alone)
            else:
                hold_refusals(proof, "floats beside rationals", [(bare.step, (start * one, given[0]))])
            left, middle, right = integers(rng, n, R, 2), integers(rng, m, R, 2), integers(rng, n, R, 2)
            tensor = [
                [[sum(left[i, r] * middle[j, r] * right[k, r] for r in range(R)) for k in range(n)] for j in range(m)] for i in range(n)
            ]
            found = bilinear.cp_tensor(left * one, middle * one, right * one)
            proof.exactly(
                "cp_tensor, cp_layer",
                (found.tolist(), bilinear.cp_layer(left * one, middle * one, right * one, start * one).A.tolist()),
                (tensor, tensor),
            )
        letters = [integers(rng, n, n, 1) for _ in range(m)]
        automaton = bilinear.weighted_automaton(start * fmpq(1), [T * fmpq(1) for T in letters])
        word = [rng.randrange(m) for _ in range(5)]
        states = bilinear.run([automaton], [np.array([fmpq(int(i == x)) for i in range(m)], dtype=object) for x in word])
        proof.exactly(
            "weighted_automaton",
            list(states[-1]),
            [row[0] for row in products([*(letters[x].tolist() for x in reversed(word)), [[x] for x in start]])],
        )
        if n == m:
            added = bilinear.residual(bilinear.SecondOrderLayer(A * fmpq(1), V * fmpq(1), U * fmpq(1), b * fmpq(1), start * fmpq(1)))
            proof.exactly("residual", list(added.step(start, inputs[0])), [x + y for x, y in zip(wanted[0], inputs[0], strict=True)])
    for n in proof.tied("up to 13 layers that hand on", POSITIVE):
        x = integers(rng, n, 1)[:, 0] * fmpq(1)
        found = bilinear.run([bilinear.identity_layer(n)] * min(n, 10), [x, -x])
        proof.exactly("identity_layer", [list(h) for h in found], [list(x), list(-x)])
        gens = bilinear.variables([f"x{i}" for i in range(n)])
        total = gens[0] * 0
        for i, g in enumerate(gens):
            total = total + g ** (i + 1) * gens[0]
        degrees = [{0, i + 1} if i else ({1, 2} if n > 1 else {2}) for i in range(n)]
        proof.exactly("variables, degrees_in", [bilinear.degrees_in(total, i) for i in range(n)], degrees)
        proof.exactly("entries", plain(bilinear.entries([*range(n)], n, 1)), plain(np.array([[fmpq(i)] for i in range(n)], dtype=object)))
    hold(
        proof,
        "numbers of each type",
        lambda x: bilinear.entries([x] * 13),
        lambda x: np.array([fmpq(x) if isinstance(x, int) else x] * 13, dtype=object),
        [(x,) for x in (-3, fmpq(-1, 2), 0.5, -2j)],
    )
    mixed = bilinear.SecondOrderLayer(exact.zeros(2, 3, 2), exact.zeros(2, 2), exact.zeros(2, 3), exact.zeros(2), exact.zeros(2))
    hold_refusals(proof, "sizes", [(bilinear.identity_layer, (-2,)), (bilinear.residual, (mixed,))])
