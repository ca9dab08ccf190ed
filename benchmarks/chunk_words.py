"""Stored networks in chunks of the WY form, at seven chunk lengths: ``python benchmarks/chunk_words.py [--check]``.

Six networks, S₅ with unit keys, and two that the verified checker refuses, in three formats, on words of 100,000 letters altogether. Every output, every state after a letter and
the last state are compared with the micro-steps in exact fractions, by value (0 = -0). Written to ``results/chunk_words.json``, a table of ``docs/reference/benchmarks.md``; with
``--check`` nothing is written, and the command fails if the numbers differ. Needs ``make verified``; some minutes of processor time.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import torch
from compare import write_or_check
from lemmata.cli import verified
from lemmata.constructions.automata import compile_automaton, compile_cyclic, compile_group, compile_regex
from lemmata.constructions.automata.read.sources import named_group
from lemmata.constructions.automata.read.tasks import TASKS
from lemmata.constructions.automata.rounding.stored_numbers import STORED, stored_numbers

RESULTS = Path(__file__).parent / "results" / "chunk_words.json"

#: words at a time, and their letters
WORDS, LENGTH = 40, 2_500
#: letters of a network that the checker refuses: its states in exact fractions grow with each letter
FEW = 100
#: micro-steps of a chunk, as a kernel may have them; 7 and 48 are no powers of two
CHUNKS = (1, 7, 16, 32, 48, 64, 128)
#: rows of the triangular inverse that are substituted one by one
BLOCK = 16


def _task(name: str) -> dict[str, Any]:
    machine = TASKS[name]()
    return (compile_cyclic(machine) or compile_automaton(machine)).document()


#: exported networks by name
NETWORKS: dict[str, Callable[[], dict[str, Any]]] = {
    "parity": lambda: compile_regex("(b|ab*a)*").document(),
    "S₃": lambda: compile_group(named_group("S3")).document(),
    "S₅": lambda: compile_group(named_group("S5")).document(),
    "A₅": lambda: compile_group(named_group("A5")).document(),
    "(a|b)*abb, three layers": lambda: compile_regex("(a|b)*abb", construction="holonomy").document(),
    "modular arithmetic": lambda: _task("modular-arithmetic"),
    "turns of five": lambda: compile_group(named_group("Z5"), polygons=True).document(),
}


def with_unit_keys(stored: dict[str, Any]) -> dict[str, Any]:
    """Two copies of each state: a key of squared length 2 becomes (k, k) / 2 of length 1, and its strength 1 becomes 2."""

    def copied(layer: dict[str, Any]) -> dict[str, Any]:
        n = len(layer["start"])
        zero = [[0, 0]] * n
        maps = [
            m
            | {
                "A": [[*row, *zero] for row in m["A"]] + [[*zero, *row] for row in m["A"]],
                "B": m["B"] * 2,
                "codes": [code * 2 for code in m["codes"]],
                "steps": [
                    {
                        "key": [[a, e - 1] for a, e in s["key"]] * 2,
                        "strength": [s["strength"][0], s["strength"][1] + 1],
                        "value": s["value"],
                    }
                    for s in m["steps"]
                ],
            }
            for m in layer["maps"]
        ]
        return layer | {"start": layer["start"] * 2, "maps": maps}

    return stored | {"layers": [copied(layer) for layer in stored["layers"]]}


def doubling(stored: dict[str, Any]) -> dict[str, Any]:
    """The same with one more coordinate, which is 0 and which the first letter's map multiplies by -2, by a strength of 3: right step by step, and T holds powers of 2."""
    layer = stored["layers"][0]
    n, zero, one = len(layer["start"]), [0, 0], [1, 0]
    maps = []
    for f, m in enumerate(layer["maps"]):
        steps = [s | {"key": [*s["key"], zero]} for s in m["steps"]]
        steps += [{"key": [zero] * n + [one], "strength": [3, 0], "value": zero}] if f == 0 else []
        A = [[*row, zero] for row in m["A"]] + [[zero] * n + [one if f else [-1, 1]]]
        maps.append(m | {"A": A, "B": [*m["B"], zero], "codes": [[*code, 0] for code in m["codes"]], "steps": steps})
    return stored | {"layers": [layer | {"start": [*layer["start"], zero], "maps": maps}]}


#: stored networks: of an exported one, or what becomes of it
VARIANTS: dict[str, tuple[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    **{name: (name, lambda stored: stored) for name in NETWORKS},
    "S₅, unit keys and β = 2": ("S₅", with_unit_keys),
    "parity beside powers of 2": ("parity", doubling),
}


@dataclass(frozen=True)
class Steps:
    """Micro-steps of a batch of words. ``q``, ``k``: (words, steps, n); ``v``, ``beta``: (words, steps); ``start``: (n,); ``reads``: (words, letters, n), the steps that read
    the entries of the state after a letter; all in float64."""

    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor
    beta: torch.Tensor
    start: torch.Tensor
    reads: torch.Tensor

    def cut(self, steps: int) -> Steps:
        """The first micro-steps."""
        return Steps(self.q[:, :steps], self.k[:, :steps], self.v[:, :steps], self.beta[:, :steps], self.start, self.reads)


def value(number: list[int]) -> Fraction:
    """m 2^e."""
    return Fraction(number[0]) * Fraction(2) ** number[1]


class ExactLayer:
    """A stored layer in exact fractions: what its micro-steps make of each state, remembered."""

    def __init__(self, layer: dict[str, Any]):
        self.letters, self.following = [y[3] for y in layer["letters"]], layer["following"]
        self.start = tuple(value(x) for x in layer["start"])
        self.steps = [[([value(x) for x in s["key"]], value(s["strength"]), value(s["value"])) for s in m["steps"]] for m in layer["maps"]]
        self.codes = [[[value([x, m["unit"]]) for x in code] for code in m["codes"]] for m in layer["maps"]]
        self.known: dict[tuple[tuple[Fraction, ...], int], tuple[tuple[Fraction, ...], int]] = {}

    def run(self, word: list[int]) -> tuple[list[tuple[Fraction, ...]], list[int]]:
        """The state after each letter, and what is handed on: by the code that is nearest in the largest entry."""
        state, states, handed = self.start, [], []
        for y in word:
            f = self.letters[y]
            if (state, f) not in self.known:
                self.known[state, f] = self._after(state, f)
            state, code = self.known[state, f]
            states.append(state)
            handed.append(self.following[y][code])
        return states, handed

    def _after(self, state: tuple[Fraction, ...], f: int) -> tuple[tuple[Fraction, ...], int]:
        for key, strength, v in self.steps[f]:
            told = strength * (v - sum((a * b for a, b in zip(key, state, strict=True)), Fraction(0)))
            state = tuple(x + a * told for a, x in zip(key, state, strict=True))
        distances = [max(abs(a - b) for a, b in zip(code, state, strict=True)) for code in self.codes[f]]
        return state, distances.index(min(distances))

    def micro_steps(self, words: list[list[int]]) -> Steps:
        """The micro-steps of words: after each letter n - 1 idle ones, and unit queries from its last one on. Shorter words are filled up with idle ones."""
        n = len(self.start)
        counts = torch.tensor([len(s) + n - 1 for s in self.steps])[torch.tensor(self.letters)[torch.tensor(words)]]
        ends, total = counts.cumsum(1), int(counts.sum(1).max())
        reads = ends[..., None] - n + torch.arange(n)
        q, k = (torch.zeros(len(words), total, n, dtype=torch.float64) for _ in range(2))
        v, beta = (torch.zeros(len(words), total, dtype=torch.float64) for _ in range(2))
        for i in range(n):
            q[torch.arange(len(words))[:, None], reads[..., i], i] = 1
        maps = torch.tensor(self.letters)[torch.tensor(words)]
        for f, steps in enumerate(self.steps):
            rows, times = torch.nonzero(maps == f, as_tuple=True)
            first = reads[rows, times, 0] - len(steps) + 1
            for j, (key, strength, said) in enumerate(steps):
                k[rows, first + j] = torch.tensor([float(x) for x in key], dtype=torch.float64)
                beta[rows, first + j], v[rows, first + j] = float(strength), float(said)
        return Steps(q, k, v, beta, torch.tensor([float(x) for x in self.start], dtype=torch.float64), reads)


def layers_of(stored: dict[str, Any], words: list[list[int]]) -> list[tuple[Steps, torch.Tensor, torch.Tensor]]:
    """For each layer the micro-steps of the words, the outputs (words, steps) and the last states (words, n) in exact arithmetic, as float64.

    Raises ``ArithmeticError`` if the top layer does not hand on the automaton's states.
    """
    found, letters = [], words
    for described in stored["layers"]:
        layer = ExactLayer(described)
        x, runs = layer.micro_steps(letters), [layer.run(word) for word in letters]
        states = torch.tensor([[[float(e) for e in h] for h in states] for states, _ in runs], dtype=torch.float64)
        outputs = torch.zeros_like(x.v).scatter(1, x.reads.flatten(1), states.flatten(1))
        found.append((x, outputs, states[:, -1]))
        letters = [handed for _, handed in runs]
    machine = stored["automaton"]
    for word, handed in zip(words, letters, strict=True):
        state, states = machine["start"], []
        for y in word:
            state = machine["table"][y][state]
            states.append(state)
        if states != handed:
            raise ArithmeticError("expected the automaton's states from exact arithmetic, got others")
    return found


def in_chunks(x: Steps, size: int, dtype: torch.dtype) -> tuple[torch.Tensor, torch.Tensor]:
    """Outputs (words, steps) and last states (words, n) of the WY form in chunks of ``size`` micro-steps: tensors in ``dtype``, sums and states in float32."""

    def stored(y: torch.Tensor) -> torch.Tensor:
        return y.to(dtype).float()

    state = x.start.float().expand(len(x.q), -1)[..., None]
    outputs = []
    for s in range(0, x.q.shape[1], size):
        q, k, v, beta = (stored(y[:, s : s + size]) for y in (x.q, x.k, x.v[..., None], x.beta[..., None]))
        keys, values, read = stored(beta * k), stored(beta * v), stored(state)
        T = inverse(stored((keys @ k.mT).tril(-1)), stored)
        new = stored(stored(T @ values) - stored(T @ keys) @ read)
        outputs.append(stored(q @ read + stored((q @ k.mT).tril()) @ new)[..., 0])
        state = state + k.mT @ new
    return torch.cat(outputs, 1).double(), state[..., 0].double()


def inverse(A: torch.Tensor, stored: Callable[[torch.Tensor], torch.Tensor], depth: int = 0) -> torch.Tensor:
    """(I + A)^-1 of strictly lower triangular A (words, m, m): forward substitution up to 16 rows, halves merged above, with either product first."""
    m = A.shape[-1]
    T = torch.eye(m).repeat(len(A), 1, 1)
    if m <= BLOCK:
        for i in range(1, m):
            T[:, i, :i] = stored(-(A[:, i : i + 1, :i] @ T[:, :i, :i])[:, 0])
        return T
    h = m // 2
    T[:, :h, :h], T[:, h:, h:] = inverse(A[:, :h, :h], stored, depth + 1), inverse(A[:, h:, h:], stored, depth + 1)
    first, middle, last = T[:, h:, h:], A[:, h:, :h], T[:, :h, :h]
    T[:, h:, :h] = stored(-(first @ (middle @ last) if depth % 2 else (first @ middle) @ last))
    return T


def drawn(stored: dict[str, Any], words: int, length: int) -> list[list[int]]:
    """Seeded words of letter numbers."""
    return torch.randint(len(stored["letters"]), (words, length), generator=torch.Generator().manual_seed(0)).tolist()


def accepted(program: Path, stored: dict[str, Any], dtype: str) -> bool:
    """Whether the verified checker proves the stored network right at every length in chunks of up to 128 micro-steps."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stored.json"
        path.write_text(json.dumps(stored), encoding="utf-8")
        holds, words = verified.stored_verdict(program, path, dtype, "chunk")
    if words.startswith("stopped"):
        raise ArithmeticError(f"expected a verdict, got: {words}")
    return holds


def stored_variant(name: str, dtype: str) -> dict[str, Any]:
    """A network of ``VARIANTS`` in a format."""
    origin, change = VARIANTS[name]
    return change(stored_numbers(NETWORKS[origin](), dtype))


def compared(name: str, dtype: str, program: Path, words: int = WORDS, length: int = LENGTH) -> dict[str, Any]:
    """A row: the verdict, and at each chunk length whether all outputs and last states are equal. ``ArithmeticError`` if not all are, of an accepted network."""
    stored = stored_variant(name, dtype)
    holds = accepted(program, stored, dtype)
    words, length = (words, length) if holds else (1, min(length, FEW))
    layers = layers_of(stored, drawn(stored, words, length))
    equal = {}
    for size in CHUNKS:
        found = [(*in_chunks(x, size, getattr(torch, dtype)), outputs, last) for x, outputs, last in layers]
        equal[str(size)] = all(torch.equal(o, outputs) and torch.equal(s, last) for o, s, outputs, last in found)
    if holds and not all(equal.values()):
        raise ArithmeticError(f"expected no difference from exact arithmetic, got {equal}: {name}, {dtype}")
    steps = sum(x.v.numel() for x, *_ in layers)
    return {"network": name, "dtype": dtype, "accepted": holds, "letters": words * length, "micro-steps": steps, "equal": equal}


def main() -> None:
    """Run, and write or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    torch.set_num_threads(1)
    program, rows = verified.require_program(), []
    for name in VARIANTS:
        for dtype in STORED:
            rows.append(compared(name, dtype, program))
            print(json.dumps(rows[-1], ensure_ascii=False), file=sys.stderr, flush=True)
    write_or_check(RESULTS, {"words": WORDS, "length": LENGTH, "chunks": list(CHUNKS), "rows": rows}, check)


if __name__ == "__main__":
    main()
