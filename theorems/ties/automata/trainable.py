"""Trainable networks in torch: mixed maps, states and logits, entry by entry in NumPy."""

from __future__ import annotations

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


def as_text(M: np.ndarray) -> list[list[str]]:
    """Multiples of 1/8 as a document has them."""
    return [[f"{round(8 * x)}/8" for x in row] for row in M]


def drawn_maps(rng: Random, n: int, count: int) -> list[dict[str, Any]]:
    """Maps with entries of either sign, and up to three micro-steps, whose beta lies in [0, 2]."""
    eighths = lambda *shape: np.array([rng.randint(-8, 8) / 8 for _ in range(int(np.prod(shape)))]).reshape(shape)  # noqa: E731
    found = []
    for f in range(count):
        steps = []
        for j in range(f % 4):
            v = eighths(n)
            v[j % n] = -0.5
            steps.append({"v": as_text(v[None])[0], "beta": f"{rng.randint(0, 16)}/8", "write": f"{rng.randint(-8, 8)}/8", "scale": "0"})
        found.append({"A": as_text(eighths(n, n)), "B": as_text(eighths(n, 1)), "steps": steps})
    return found


def number(text: str) -> float:
    p, _, q = text.partition("/")
    return float(p) / float(q or 1)


def mixed_dense(maps: list[dict[str, Any]], weights: Any) -> tuple[np.ndarray, np.ndarray]:
    A, B = (
        sum(w * np.array([[number(x) for x in row] for row in m[part]]) for w, m in zip(weights, maps, strict=True)) for part in ("A", "B")
    )
    return A, B  # type: ignore[return-value]


def mixed_delta(maps: list[dict[str, Any]], weights: Any, beta_by: float) -> tuple[np.ndarray, np.ndarray]:
    """Micro-steps with mixed unit keys, strengths moved by a number and clamped, and values."""
    n, longest = len(maps[0]["A"]), max(1, *(len(m["steps"]) for m in maps))
    A, B = np.eye(n), np.zeros((n, 1))
    for j in range(longest):
        key, beta, write = np.zeros(n), 0.0, 0.0
        for w, m in zip(weights, maps, strict=True):
            if j < len(m["steps"]):
                v = np.array([number(x) for x in m["steps"][j]["v"]])
                size = float(np.sqrt(v @ v))
                key, write = key + w * v / size, write + w * number(m["steps"][j]["write"]) * size
                beta += w * (number(m["steps"][j]["beta"]) + beta_by)
            else:
                # what fills up points along the first axis
                key, beta = key + w * np.eye(n)[0], beta + w * beta_by
        key = key / np.sqrt(key @ key)
        beta = min(max(beta, 0.0), 2.0)
        A, B = A - beta * np.outer(key, key @ A), B - beta * np.outer(key, key @ B) + write * key[:, None]
    return A, B


@tie("grazzi25.sec1.regular")
def trainable_maps(proof: Proof) -> None:
    """Maps mixed by weights, as entries and as micro-steps, in two data types."""
    rng = Random(98)
    for torch in proof.extra("torch"):
        from ....constructions.automata.run.trainable import DeltaMaps, DenseMaps

        for (n, count), (dtype, close) in product(
            ((1, 1), (2, 3), (5, 4), (12, 2), (13, 5)), ((torch.float32, 1e-5), (torch.float64, 1e-12))
        ):
            maps = drawn_maps(rng, n, count)
            weights = np.array([[rng.randint(1, 8) / 8 - (0.25 if f else 0) for f in range(count)] for _ in range(4)])
            given = torch.tensor(weights, dtype=dtype)
            dense, delta = DenseMaps(maps, 1, dtype), DeltaMaps(maps, 1, dtype)
            for moved in (0.0, 3.0, -3.0):
                with torch.no_grad():
                    delta.beta.add_(moved)
                    found = [*dense(given), *delta(given)]
                    delta.beta.sub_(moved)
                wanted = [[*mixed_dense(maps, w), *mixed_delta(maps, w, moved)] for w in weights]
                for k, what in enumerate(("dense A", "dense B", "delta A", "delta B")):
                    apart = max(float(np.abs(found[k][i].double().numpy() - wanted[i][k]).max()) for i in range(len(weights)))
                    proof.closely(f"torch: mixed maps of up to 13 rows, {what}", apart, close)
        without = {"A": [["1"]], "B": [["0"]], "steps": None}
        proof.holds("torch: no delta maps without micro-steps", refuses(DeltaMaps, [without], 1, torch.float32))


@tie("grazzi25.sec1.regular")
def trainable_layers(proof: Proof) -> None:
    """States by the loop and by the scan, with gaps; scores of pairs; logits at initialisation."""
    rng = Random(99)
    for torch in proof.extra("torch"):
        from ....constructions.automata.run.trainable import TrainableLayer, TrainableNetwork

        automata = {"cycle": tasks.cycle_navigation(5), "parity": tasks.parity(), "random": machines()["random, 4 states, 3 letters"]}
        for (name, automaton), kind in product(automata.items(), ("dense", "delta")):
            network = compile_automaton(automaton, "holonomy") if name == "random" else compile_automaton(automaton)
            document = network.document()
            letters = {x: i for i, x in enumerate(automaton.letters)}
            batch = [[letters[x] for x in w] for w in words(rng, automaton.letters, (14, 14))]
            batch[1][3] = batch[1][9] = -1
            wanted = [network.automaton.run([automaton.letters[i] for i in word if i >= 0]) for word in batch]
            model = TrainableNetwork(document, torch.float64, kind)
            for scan in (False, True):
                with torch.no_grad():
                    logits = model(torch.tensor(batch), scan)
                for row, word, states in zip(logits.numpy(), batch, wanted, strict=True):
                    here = [y for y, i in zip(row, word, strict=True) if i >= 0]
                    proof.closely(
                        "torch: logits of the right state, and of the others",
                        float(np.abs(np.array(here) - 10.0 * np.eye(network.automaton.n)[states]).max()),
                        1e-9,
                    )
                    proof.exactly(
                        "torch: no logits where there is no letter",
                        [y.any() for y, i in zip(row, word, strict=True) if i < 0],
                        [False] * word.count(-1),
                    )
                proof.exactly("torch: predictions", model.predict(torch.tensor(batch[0]), scan).tolist(), wanted[0])
            layer = document["layers"][0]
            first: Any = model.layers[0]
            there = torch.tensor(batch) >= 0
            handed = torch.nn.functional.one_hot(torch.tensor(batch).clamp(0), len(letters)).double() * there[..., None]
            with torch.no_grad():
                found = [first.states(handed, there, scan).numpy() for scan in (False, True)]
                A, B = (x.numpy() for x in first.maps(torch.eye(len(layer["maps"]), dtype=torch.float64)))
            for b, word in enumerate(batch):
                H, states = first.initial.detach().numpy(), []
                for i in word:
                    f = layer["letters"][i][3] if i >= 0 else None
                    H = H if f is None else A[f] @ H + B[f]
                    states.append(H[:, 0])
                for some in found:
                    proof.closely("torch: states by the loop and by the scan", float(np.abs(some[b] - np.array(states)).max()), 1e-12)
            above = [len(more["letters"]) for more in document["layers"][1:2]] or [network.automaton.n]
            own = TrainableLayer(layer, above[0], document["field"], torch.float64, kind)
            codes = own.read_state.detach().numpy()
            scale = float(own.read_letter.detach().max())
            different = np.unique(codes, axis=0)
            # weights are 2 s c, so that the farthest two codes are 8 nats apart
            greatest = max(float(((a - b) ** 2).sum()) for a in different for b in different)
            s = greatest / 4 / (scale - 1) if greatest else 1.0
            proof.closely("torch: the farthest scores", abs(scale - 1 - (8.0 if greatest else 0.0)), 1e-12)
            proof.closely(
                "torch: biases are - s c^2", float(np.abs(own.read_bias.detach().numpy() + (codes**2).sum(-1) / (4 * s)).max()), 1e-9
            )
