"""Modules, trainable networks and the delta rule in torch."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from random import Random
from typing import Any

import numpy as np

from ....constructions.automata.compiler import compile_automaton
from ....constructions.automata.read import tasks
from ...claim import tie
from ...evidence import Proof
from ..shared import refuses
from .common import machines, words


@tie("grazzi25.sec1.regular")
def networks_in_torch(proof: Proof) -> None:
    """Modules, step by step and by the scan, in float32 and float64, with padding; trainable ones at initialisation; the delta rule."""
    for torch in proof.extra("torch"):
        from ....constructions.automata.run.delta_rule import delta_rule, run_delta_rule

        rng = Random(66)
        for name, automaton in machines().items():
            network = compile_automaton(automaton, "holonomy")
            letters = {x: i for i, x in enumerate(automaton.letters)}
            batch = [[letters[x] for x in word] for word in words(rng, automaton.letters, (33, 33, 33))]
            wanted = [network.automaton.run([automaton.letters[i] for i in word]) for word in batch]
            many = [[rng.randrange(len(automaton.letters)) for _ in range(4)] for _ in range(13)]
            ends = [automaton.run([automaton.letters[i] for i in word]) for word in many]
            module = network.to_torch()
            names = [[network.automaton.name(q) for q in row] for row in module(torch.tensor(many)).tolist()]
            proof.exactly("torch: thirteen words at once", names, [[automaton.name(q) for q in states] for states in ends])
            if automaton.outputs is not None:
                said = [[module.output_names[y] for y in row] for row in module.outputs(torch.tensor(many)).tolist()]
                proof.exactly("torch: what thirteen words say", said, [[str(automaton.output(q)) for q in states] for states in ends])
            padded = torch.tensor([[-1, *word[:20], -1, *word[20:]] for word in batch])
            expected = torch.tensor([[-1, *states[:20], -1, *states[20:]] for states in wanted])
            for dtype in (torch.float32, torch.float64):
                module = network.to_torch(dtype)
                # the second type on one path is enough: the maps are the same numbers
                for scan in (False, True) if dtype is torch.float32 else (True,):
                    proof.exactly("torch: the states, step by step and by the scan", module(torch.tensor(batch), scan).tolist(), wanted)
                    proof.exactly("torch: with padding before and within", module(padded, scan).tolist(), expected.tolist())
                    accepted = [[q in network.automaton.accepting for q in states] for states in wanted]
                    proof.exactly("torch: what is accepted", module.accepts(torch.tensor(batch), scan).tolist(), accepted)
                    if automaton.outputs is not None:
                        apart, together = module.outputs(padded, scan), module.outputs(torch.tensor(batch), scan)
                        tail = torch.cat([torch.tensor(batch), torch.full((3, 1), -1)], dim=1)
                        proof.exactly(
                            "torch: padding at the end", module.outputs(tail, scan).tolist(), [[*row, -1] for row in together.tolist()]
                        )
                        proof.exactly("torch: nothing is said at padding", (apart == -1).tolist(), (padded == -1).tolist())
                        proof.exactly("torch: and elsewhere the same", apart[padded >= 0].tolist(), together.flatten().tolist())
                        said = [[module.output_names[y] for y in row] for row in module.outputs(torch.tensor(batch), scan).tolist()]
                        proof.exactly(
                            "torch: what is said", said, [[str(network.automaton.output(q)) for q in states] for states in wanted]
                        )
            word = [automaton.letters[i] for i in batch[0]]
            proof.exactly("torch: words as letters", network.to_torch()(network.to_torch().encode(word)).tolist(), [wanted[0]])
            proof.holds(f"torch: the margin of {name} is positive", network.to_torch().margin > 0)
            for parametrisation in ("dense", "delta"):
                model = network.to_torch(trainable=True, parametrisation=parametrisation)
                proof.exactly(
                    f"torch: trainable, {parametrisation}, at initialisation", model.predict(torch.tensor(batch)).tolist(), wanted
                )
            kernel = lambda q, k, v, beta, scale, initial_state: delta_rule(q, k, v, beta, scale, initial_state)  # noqa: E731
            proof.exactly(
                "torch: by the delta rule, in float32", run_delta_rule(network.document(), torch.tensor(batch), kernel).tolist(), wanted
            )


def whole_numbers(rng: Random, *shape: int) -> np.ndarray:
    """An array of integers from -3 to 3."""
    return np.array([rng.randrange(-3, 4) for _ in range(int(np.prod(shape)))], dtype=object).reshape(shape)


def keys_of_powers_of_two(rng: Random, batch: int, steps: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """(k, beta) with 1, 2 or 4 entries 1 or -1 and beta k^T k <= 2: denominators stay powers of two, which every data type holds."""
    k, beta = np.zeros((batch, steps, 1, n), dtype=object), np.zeros((batch, steps, 1), dtype=object)
    for i, t in product(range(batch), range(steps)):
        entries = rng.sample(range(n), rng.choice([size for size in (1, 2, 4) if size <= n]))
        for j in entries:
            k[i, t, 0, j] = rng.choice((-1, 1))
        beta[i, t, 0] = Fraction(rng.choice((0, 1, 2)), len(entries))
    return k, beta


def delta_rule_by_entries(q: Any, k: Any, v: Any, beta: Any, scale: Fraction, initial: Any) -> tuple[list[Any], list[Any]]:
    """S <- S + beta k (v^T - k^T S) and scale S^T q for one word, in rationals: outputs [step][column] and the last state [row][column]."""
    S, outputs = [list(row) for row in initial], []
    rows, columns = range(len(S)), range(len(S[0]))
    for query, key, value, strength in zip(q, k, v, beta, strict=True):
        told = [sum(key[a] * S[a][c] for a in rows) for c in columns]
        S = [[S[a][c] + strength * key[a] * (value[c] - told[c]) for c in columns] for a in rows]
        outputs.append([float(scale * sum(query[a] * S[a][c] for a in rows)) for c in columns])
    return outputs, [[float(x) for x in row] for row in S]


@tie("grazzi25.sec1.regular")
def delta_rule_in_torch(proof: Proof) -> None:
    """The delta rule against rationals, for each width, number of columns, scale and data type; what the kernel is asked for."""
    rng = Random(72)
    shapes = ((1, 1, 1, 0), (1, 1, 1, 4), (2, 1, 3, 7), (4, 3, 2, 5), (6, 2, 1, 9), (9, 1, 2, 6), (3, 6, 6, 3))
    for torch in proof.extra("torch"):
        from ....constructions.automata.run.delta_rule import delta_rule, run_delta_rule

        for n, columns, batch, steps in shapes:
            k, beta = keys_of_powers_of_two(rng, batch, steps, n)
            q, v, S = (whole_numbers(rng, *shape) for shape in ((batch, steps, 1, n), (batch, steps, 1, columns), (batch, 1, n, columns)))
            for scale, dtype in product((Fraction(1), Fraction(1, 2), Fraction(-2)), (torch.float32, torch.float64)):
                queries, keys, values, strengths, start = (torch.tensor(x.astype(float), dtype=dtype) for x in (q, k, v, beta, S))
                outputs, last = delta_rule(queries, keys, values, strengths, float(scale), start)
                for i in range(batch):
                    wanted = delta_rule_by_entries(q[i, :, 0], k[i, :, 0], v[i, :, 0], beta[i, :, 0], scale, S[i, 0])
                    proof.exactly("the delta rule: outputs and the last state", (outputs[i, :, 0].tolist(), last[i, 0].tolist()), wanted)
        for construction in ("permutation", "rotation"):
            network = compile_automaton(tasks.cycle_navigation(5), construction)
            asked: list[float] = []
            kernel = partial(recorded, asked, delta_rule)
            word = [rng.randrange(3) for _ in range(30)]
            found = run_delta_rule(network.document(), torch.tensor([word]), kernel)
            wanted = network.automaton.run([network.automaton.letters[i] for i in word])
            proof.exactly("by the delta rule: states of a cycle", found.tolist(), [wanted])
            proof.exactly("the kernel is asked for states that are not scaled", asked, [1.0] * len(network.layers))


def recorded(asked: list[float], kernel: Any, *given: Any, scale: float, initial_state: Any) -> Any:
    """What the kernel computes; the scale is kept."""
    asked.append(scale)
    return kernel(*given, scale, initial_state)


@tie("grazzi25.sec1.regular")
def batches(proof: Proof) -> None:
    """Batches of words, with and without padding, for each type of integers, and what they refuse."""
    for torch in proof.extra("torch"):
        from ....constructions.automata.run.words import as_batch

        for letters, dtype in product((1, 2, 7, 20), (torch.int8, torch.int16, torch.int32, torch.int64)):
            rows = [[-1, *range(letters), -1], [*range(letters), -1, letters - 1]]
            for given, batch in ((rows, rows), (rows[0], rows[:1]), ([[]], [[]]), ([], [[]])):
                indices, there = as_batch(torch.tensor(given, dtype=dtype), letters)
                proof.exactly("indices, 0 for no letter", indices.tolist(), [[max(i, 0) for i in row] for row in batch])
                proof.exactly("where there is a letter", there.tolist(), [[i >= 0 for i in row] for row in batch])
            for wrong in ([[0, letters]], [[-2, 0]], [letters], [[[0]]]):
                proof.holds("what is no batch of letters is refused", refuses(as_batch, torch.tensor(wrong, dtype=dtype), letters))
            proof.holds("floats are refused", refuses(as_batch, torch.zeros(1, 3), letters))
