"""Compiled networks through flash-linear-attention's fused delta-rule kernel: how far is it right, how far must it be, and how long does it take?

``python benchmarks/delta_rule_kernel.py [--network S5 ...] [--length 1000 ...] [--dtype float32 ...] [--device cpu] [--out FILE.json]``.
Needs the extra ``fla``. On a CPU the kernel runs in Triton's interpreter, a thousandth of its speed on a GPU. Prints one JSON line per run:
what was observed on one random word beside what is guaranteed for every word (docs/explanation/rounding.md).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
import warnings
from functools import cache
from itertools import product
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import torch
from lemmata.constructions.automata import Network, compile_automaton, compile_cyclic, compile_group
from lemmata.constructions.automata.read.sources import named_group
from lemmata.constructions.automata.read.tasks import TASKS
from lemmata.constructions.automata.rounding.precision import guaranteed_lengths
from lemmata.constructions.automata.run.delta_rule import DeltaRuleLayer, delta_rule, run_delta_rule

NETWORKS = ("parity", "S5", "A5", "Z60", "modular-arithmetic")
DTYPES = ("float64", "float32", "float16", "bfloat16")


@cache
def network_of(name: str) -> Network:
    """A group's word problem or a task, compiled."""
    if name in TASKS:
        return compile_cyclic(TASKS[name]()) or compile_automaton(TASKS[name]())
    # a polygon of 60 corners is rounded, so that its promise ends
    return compile_group(named_group(name), polygons=name == "Z60")


@cache
def promised(name: str) -> dict[str, dict[str, int | float]]:
    """The lengths that are guaranteed, by path and data type."""
    return guaranteed_lengths(network_of(name).document())


def random_word(network: Network, length: int) -> tuple[torch.Tensor, torch.Tensor]:
    """A seeded word as indices of letters, shape (1, length), and the automaton's states after each, shape (length,)."""
    letters, rng = network.automaton.letters, Random(length)
    word = [rng.randrange(len(letters)) for _ in range(length)]
    return torch.tensor([word]), torch.tensor(network.automaton.run([letters[i] for i in word]))


def right_up_to(found: torch.Tensor, expected: torch.Tensor) -> int:
    """How many positions are right before the first that is wrong."""
    wrong = torch.nonzero(found.cpu() != expected)
    return int(wrong[0]) if len(wrong) else len(expected)


def measure(name: str, length: int, dtype: str, device: str) -> dict[str, object]:
    """Run a seeded random word through the kernel, and through the same rule step by step."""
    from fla.ops.delta_rule import fused_recurrent_delta_rule

    fused: Any = fused_recurrent_delta_rule  # its decorator hides the parameters

    network = network_of(name)
    document = network.document()
    word, expected = random_word(network, length)

    def kernel(*inputs, scale, initial_state):
        o, s = fused(*(x.to(device) for x in inputs), scale=scale, initial_state=initial_state.to(device))
        return o.cpu(), s

    def right(rule) -> int:
        return right_up_to(run_delta_rule(document, word, rule, getattr(torch, dtype))[0], expected)

    start = time.perf_counter()
    in_kernel = right(kernel)
    seconds = time.perf_counter() - start
    return {
        "network": name,
        "length": length,
        "dtype": dtype,
        "device": torch.cuda.get_device_name() if device == "cuda" else f"{platform.machine()}, Triton interpreter",
        "kernel_right_up_to": in_kernel,
        "kernel_seconds": round(seconds, 2),
        "step_by_step_right_up_to": right(delta_rule),
        "guaranteed": {
            path: "every length" if promised(name)[path][dtype] == inf else promised(name)[path][dtype] for path in ("fused", "delta")
        },
        "margins": [round(DeltaRuleLayer(layer, document["field"]).margin, 5) for layer in document["layers"]],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", nargs="+", choices=NETWORKS, default=list(NETWORKS))
    parser.add_argument("--length", nargs="+", type=int, default=[1, 10, 1000])
    parser.add_argument("--dtype", nargs="+", choices=DTYPES, default=["float32", "bfloat16"])
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    if arguments.device == "cpu":
        os.environ["TRITON_INTERPRET"] = "1"
    warnings.filterwarnings("ignore", message="Triton is not supported on current platform")
    rows = []
    for name in arguments.network:
        for length, dtype in product(arguments.length, arguments.dtype):
            rows.append(measure(name, length, dtype, arguments.device))
            print(json.dumps(rows[-1]), flush=True)
    if arguments.out:
        arguments.out.write_text(json.dumps({"torch": torch.__version__, "rows": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
