"""How long compiling takes: cascades, layers and their exhaustive proofs for full transformation monoids.

``python benchmarks/cascades.py [--largest 6] [--out FILE.json]``. The automaton on n points has three letters, a cycle, a swap and a
collapse, which generate all n^n maps. Wall-clock seconds of one run on one core.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from itertools import product
from math import factorial
from pathlib import Path

from lemmata.constructions.automata import compile_automaton, krohn_rhodes
from lemmata.theorems.automata import full_transformations
from rich.console import Console
from rich.progress import track
from rich.table import Table


def measure(n: int, prove: bool) -> dict[str, float | int]:
    """Seconds for the complete action of the cascade (every level, state and letter) and, with ``prove``, for the whole compilation."""
    automaton = full_transformations(n)
    start = time.perf_counter()
    cascade = krohn_rhodes(automaton)
    actions = 0
    for k in range(len(cascade.sizes)):
        for before in product(*(range(m) for m in cascade.sizes[:k])):
            for letter in automaton.letters:
                cascade.move(letter, before)
                actions += 1
    row: dict[str, float | int] = {"n": n, "levels": len(cascade.sizes), "actions": actions, "cascade_seconds": time.perf_counter() - start}
    if prove:
        start = time.perf_counter()
        network = compile_automaton(automaton)
        row |= {"pairs": len(network.proof.pairs), "compile_and_prove_seconds": time.perf_counter() - start}
    return row


def main() -> None:
    """Measure T_2 .. T_largest; the proof up to T_6."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=7)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    sizes = range(2, arguments.largest + 1)
    rows = [measure(n, n <= 6) for n in track(sizes, "compiling", console=Console(stderr=True), transient=True)]
    table = Table("monoid", "levels", "actions", "cascade, s", "network states proved", "compile and prove, s", box=None)
    for r in rows:
        proof = f"{r['compile_and_prove_seconds']:.3f}" if "pairs" in r else "not run"
        table.add_row(
            f"T_{r['n']}",
            str(r["levels"]),
            str(r["actions"]),
            f"{r['cascade_seconds']:.4f}",
            str(r.get("pairs", f"of {factorial(int(r['n']))} x 2")),
            proof,
        )
    Console().print(table)
    if arguments.out:
        arguments.out.write_text(
            json.dumps({"python": platform.python_version(), "machine": platform.machine(), "rows": rows}, indent=2) + "\n",
            encoding="utf-8",
        )


if __name__ == "__main__":
    main()
