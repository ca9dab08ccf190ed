"""Promised lengths beside the first error that is seen: ``python benchmarks/promises.py [--check]``.

Networks of ``choices.INSTANCES`` by ``--prefer narrow``, in three formats, on two paths: PyTorch's module step by step, and its scan. Each has the
length that is proved by default and with ``--effort 100000``, and the first letter at which it was wrong on words of 100,000 letters: random ones, and
one letter repeated. Rows that are proved at every length by default are left out. Written to ``results/promises.json``, a table of
``docs/reference/benchmarks.md``; with ``--check`` nothing is written, and the command fails if the numbers differ. Some minutes of processor time.
"""

from __future__ import annotations

import argparse
import sys
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import torch
from choices import INSTANCES, length
from compare import write_or_check
from lemmata.constructions.automata import Network, compile_candidate
from lemmata.constructions.automata.choose.ways import choose
from lemmata.constructions.automata.rounding.orbits import Search
from lemmata.constructions.automata.rounding.precision import guaranteed_length

RESULTS = Path(__file__).parent / "results" / "promises.json"

LETTERS, RANDOM, EFFORT = 100_000, 13, 100_000
#: words of one letter, of the first letters
REPEATED = 3
FORMS, WAYS = ("float32", "float16", "bfloat16"), ("loop", "scan")
#: words are run so far at first, since most errors come early
SHORT = 4096
#: words at a time
BATCH = 4


def drawn(network: Network, letters: int = LETTERS) -> tuple[np.ndarray, np.ndarray]:
    """Seeded words (words, length) of letter numbers, and the automaton's states after each letter."""
    automaton = network.automaton
    size, count = len(automaton.letters), min(REPEATED, len(automaton.letters))
    words = np.random.default_rng(0).integers(size, size=(RANDOM + count, letters))
    words[:count] = np.arange(count)[:, None]
    table = np.array([automaton.table[x] for x in automaton.letters])
    states, q = np.empty_like(words), np.full(len(words), automaton.start)
    for t in range(letters):
        states[:, t] = q = table[words[:, t], q]
    return words, states


def first_error(network: Network, dtype: str, path: str, words: np.ndarray, states: np.ndarray) -> int | None:
    """The number of the first letter, from 1, after which some word is read wrong; None if there is none."""
    module = network.to_torch(getattr(torch, dtype))
    for size in (SHORT, words.shape[1]):
        first = inf
        # one word at a time would be as right: rows of a batch do not meet
        for i in range(0, len(words), len(words) if path == "loop" else BATCH):
            some = slice(i, None) if path == "loop" else slice(i, i + BATCH)
            found = module(torch.from_numpy(words[some, :size]), scan=path == "scan").numpy()
            wrong = (found != states[some, :size]).any(0)
            if wrong.any():
                first = min(first, int(wrong.argmax()) + 1)
        if first < inf:
            return int(first)
    return None


def compared(name: str) -> list[dict[str, Any]]:
    """The rows of one network."""
    network = compile_candidate(choose(INSTANCES[name](), prefer="narrow"))
    document, words, rows = network.document(), None, []
    for path in WAYS:
        for dtype in FORMS:
            promised = guaranteed_length(document, dtype, path)
            if promised == inf:
                continue
            words = words or drawn(network)
            longer, seen = guaranteed_length(document, dtype, path, Search(EFFORT)), first_error(network, dtype, path, *words)
            if seen is not None and not seen > (longer or 0):
                raise ArithmeticError(f"expected no error up to {longer} letters, got one at letter {seen}: {name}, {path}, {dtype}")
            rows.append(
                {
                    "network": name,
                    "path": path,
                    "dtype": dtype,
                    "promised": length(promised),
                    "effort": length(longer),
                    "first error": seen,
                }
            )
    return rows


def main() -> None:
    """Measure, and write or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    torch.set_num_threads(1)
    rows = []
    for name in INSTANCES:
        rows += compared(name)
        print(name, file=sys.stderr, flush=True)
    write_or_check(RESULTS, {"letters": LETTERS, "words": RANDOM, "effort": EFFORT, "rows": rows}, check)


if __name__ == "__main__":
    main()
