"""How long compiling takes: cascades, layers and their exhaustive proofs.

``python benchmarks/cascades.py [--largest 8] [--out FILE.json]``. T_n is the automaton on n points whose letters generate all n^n maps: a cycle, a
swap and a collapse, or n letters with further swaps. Wall-clock seconds, one run, one core. The reference times for building the cascade of
T_5, T_6, T_7 alone (0.15, 1.5 and 23 s) are quoted, not measured here: another implementation, machine and choice of generators.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from pathlib import Path
from random import Random

from lemmata.constructions.automata import Automaton, Cascade, compile_cascade, excluded_states, krohn_rhodes
from lemmata.constructions.automata.families import full_transformations, random_automaton
from lemmata.constructions.automata.sources import from_regex
from lemmata.constructions.automata.tasks import TASKS
from rich.console import Console
from rich.progress import track
from rich.table import Table

#: seconds quoted for the best known implementation of the holonomy decomposition
QUOTED = {"T_5, 3 letters": 0.15, "T_6, 3 letters": 1.5, "T_7, 3 letters": 23.0}
EXPRESSIONS = ("(a|b)*abb(a|b)*(aa|b)*c?(ab|ca)*b?(a|c)(b|c)(aa)*b", "((a|b)(a|b)(a|b))*a(b|c)*(ab|ba|cc)*(aaa|bb)*c(a|b|c)(a|b)*cab")


def build(cascade: Cascade) -> int:
    """Every action of every level that words can meet; their number."""
    pairs = {(a, cascade.top, cascade.top) for a in cascade.automaton.letters}
    actions = 0
    for k in range(len(cascade.sizes)):
        actions += len(pairs)
        below = set()
        for a, X, Y in pairs:
            move = cascade.act(k, a, X, Y)
            for i in range(len(cascade.tiles(X)) if cascade.level(X) == k else cascade.sizes[k]):
                if cascade.level(Y) != k or move(i) < len(cascade.tiles(Y)):
                    below.add((a, cascade.chosen(k, X, i), cascade.chosen(k, Y, move(i))))
        pairs = below
    return actions


def measure(name: str, automaton: Automaton) -> dict[str, object]:
    """Seconds for the whole cascade and, on top, for layers and proof."""
    automaton = automaton.reachable()
    start = time.perf_counter()
    cascade = krohn_rhodes(automaton)
    groups = cascade.skeleton.groups() if cascade.skeleton else {}
    actions = build(cascade)
    cascade_seconds = time.perf_counter() - start
    start = time.perf_counter()
    network = compile_cascade(krohn_rhodes(automaton))
    seconds = time.perf_counter() - start
    start = time.perf_counter()
    other = compile_cascade(excluded_states(automaton)) if automaton.n <= 8 else None
    return {
        "name": name,
        "states": automaton.n,
        "letters": len(automaton.letters),
        "levels": len(cascade.sizes),
        "widest": max(cascade.sizes, default=1),
        "groups": len(groups),
        "actions": actions,
        "cascade_seconds": round(cascade_seconds, 4),
        "pairs": sum(len(c.place) for c in network.proof),
        "compile_and_prove_seconds": round(seconds, 4),
        "excluded_states_seconds": round(time.perf_counter() - start, 4) if other else None,
        "quoted_cascade_seconds": QUOTED.get(name),
    }


def instances(largest: int) -> list[tuple[str, Automaton]]:
    """What is compiled, with names."""
    full = [(f"T_{n}, {letters} letters", full_transformations(n, letters)) for n in range(3, largest + 1) for letters in sorted({3, n})]
    random = [(f"random {seed}", random_automaton(Random(seed), 10, 3)) for seed in range(6)]
    expressions = [(f"expression of {len(e)} symbols", from_regex(e)) for e in EXPRESSIONS]
    return [*full, *random, *expressions, ("modular arithmetic", TASKS["modular-arithmetic"]())]


def main() -> None:
    """Measure all instances and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=8)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    rows = [measure(*x) for x in track(instances(arguments.largest), "compiling", console=Console(stderr=True), transient=True)]
    table = Table(box=None)
    for name in ("automaton", "states", "levels", "width", "cascade s", "quoted/it", "proved s", "quoted/it", "excluded s"):
        table.add_column(name, justify="left" if name == "automaton" else "right")
    for r in rows:
        quoted, ours, proof = r["quoted_cascade_seconds"], r["cascade_seconds"], r["compile_and_prove_seconds"]
        ratios = [f"{quoted / t:.0f}x" if quoted else "" for t in (ours, proof)]
        other = f"{r['excluded_states_seconds']:.3f}" if r["excluded_states_seconds"] is not None else ""
        cells = [r["name"], r["states"], r["levels"], r["widest"], f"{ours:.4f}", ratios[0], f"{proof:.4f}", ratios[1], other]
        table.add_row(*map(str, cells))
    Console().print(table)
    if arguments.out:
        document = {"python": platform.python_version(), "machine": platform.machine(), "rows": rows}
        arguments.out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
