"""Simple networks to hold the compiler to: ``python benchmarks/rivals.py [--check] [FOLDER]``.

Each rival is a way to build exact layers of norm at most 1 that takes a few lines, and shares no code with the compiler: layers and numbers in all states. No
rival may have as few layers as the default and a smaller state, or fewer layers and as small a state. Compared are named tasks, 200 random automata
(:func:`random_machines`), examples of SgpDec's, and, where FOLDER is a checkout of pentagonalize/crasp_reg, its 1,000 expressions. Beside them stand lower
bounds by claims: layers with finitely many exact states (new.automata.depth.exact), and the width of one layer (new.automata.one-layer.width).

Written to ``results/rivals.json``, which ``docs/reference/benchmarks.md`` shows; with ``--check`` the command fails if the numbers differ.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from choices import INSTANCES, length, plain
from compare import write_or_check
from lemmata.constructions.automata import Automaton, Candidate, compile_candidate
from lemmata.constructions.automata.choose.ways import choose
from lemmata.constructions.automata.read.families import random_automaton
from lemmata.constructions.automata.read.sources import from_regex
from lemmata.constructions.automata.rounding.precision import PATHS, guaranteed_length
from lemmata.constructions.languages.layers_of_norm_one import MOST_ELEMENTS, bound
from lemmata.constructions.languages.machine import machine_of
from lemmata.constructions.languages.monoid import monoid_of
from lemmata.constructions.languages.undecided import Undecided
from lemmata.constructions.languages.width import width_of_one_layer

RESULTS = Path(__file__).parent / "results" / "rivals.json"

Table = Sequence[Sequence[int]]
#: layers, and numbers in the states of all of them
Shape = tuple[int, int]

#: OVLCOVERS and PERM2HOLNONTRIVIAL of SgpDec's bestiary, and an automaton whose shared positions make a larger group
SGPDEC = {
    "SgpDec: OVLCOVERS": Automaton({"a": (3, 2, 3, 1), "b": (0, 1, 1, 0), "c": (2, 1, 0, 0)}),
    "SgpDec: PERM2HOLNONTRIVIAL": Automaton({"a": (1, 0, 3, 4, 2), "b": (0, 1, 1, 1, 1), "c": (2, 2, 2, 3, 4)}),
    "shared positions": Automaton({"a": (3, 3, 3, 1), "b": (0, 2, 1, 2)}),
}


def random_machines(count: int = 200, seed: int = 200) -> Iterator[Automaton]:
    """Random automata of 2 to 10 states, 1 to 4 letters; what words reach of them."""
    rng = Random(seed)
    for _ in range(count):
        yield random_automaton(rng, rng.randint(2, 10), rng.randint(1, 4)).reachable()


# -- rivals: from the letters' tables and the start to a shape; None where they do not fit ----------------------------------------


def excluded(table: Table, start: int) -> Shape | None:
    """The plain cascade: which states it is not in. Levels of n, ..., 2 states with a coordinate for the old one, the last a sign."""
    n = len(table[0])
    return (max(n - 1, 1), sum(range(4, n + 2)) + 1)


def permutation_matrices(table: Table, start: int) -> Shape | None:
    """One-hot states, moved by permutation matrices."""
    return (1, len(table[0])) if all(len(set(f)) == len(f) for f in table) else None


def one_to_one(table: Table, start: int) -> Shape | None:
    """One-hot states but for one that every letter keeps, the vector 0; other states may merge with that one only."""
    n = len(table[0])
    for sink in range(n):
        if all(f[sink] == sink and len({f[q] for q in range(n) if f[q] != sink}) == sum(f[q] != sink for q in range(n)) for f in table):
            return 1, n - 1
    return None


def shift_register(table: Table, start: int) -> Shape | None:
    """The last k letters decide."""
    images, k = {tuple(range(len(table[0])))}, 0
    while any(len(set(f)) > 1 for f in images):
        images, k = {tuple(g[q] for q in f) for f in images for g in table}, k + 1
        if k > len(table[0]) or len(images) > 3000:
            return None
    return 1, max(k, 1)


def signs_and_resets(table: Table, start: int) -> Shape | None:
    """Diagonals of 0, 1 and -1: divisions of the states in two that every letter keeps, swaps, or overwrites."""
    n, found = len(table[0]), []
    for part in product((1, -1), repeat=n - 1) if n <= 10 else ():
        s = (1, *part)
        if all(len({s[f[q]] for q in range(n)}) == 1 or len({s[f[q]] * s[q] for q in range(n)}) == 1 for f in table):
            found.append(s)
    label: list[Any] = [()] * n
    width = 0
    while len(set(label)) < n:
        best = max(found, key=lambda s: len(set(zip(label, s, strict=True))), default=None)
        if best is None or len(set(zip(label, best, strict=True))) == len(set(label)):
            return None
        label, width = list(zip(label, best, strict=True)), width + 1
    return 1, width


def one_letter(table: Table, start: int) -> Shape | None:
    """All letters act alike: a register until the cycle is entered, and the cycle's states one-hot."""
    if len(set(map(tuple, table))) > 1:
        return None
    path = [start]
    while (q := table[0][path[-1]]) not in path:
        path.append(q)
    tail, cycle = path.index(q), len(path) - path.index(q)
    return 1, tail + (0 if cycle == 1 else 1 if cycle == 2 else cycle)


def last_letter_and_parity(table: Table, start: int) -> Shape | None:
    """A scalar for the last letter, and one that letters may turn."""
    for signs in product((1, -1), repeat=len(table)):
        state: dict[tuple[int | None, int], int] = {(None, 1): start}
        waiting = list(state)
        for a, s in waiting:
            for b, f in enumerate(table):
                key, q = (b, s * signs[b]), f[state[a, s]]
                if key not in state:
                    state[key] = q
                    waiting.append(key)
                elif state[key] != q:
                    break
            else:
                continue
            break
        else:
            return 1, 2
    return None


RIVALS: dict[str, Callable[[Table, int], Shape | None]] = {
    f.__name__: f
    for f in (excluded, permutation_matrices, one_to_one, shift_register, signs_and_resets, one_letter, last_letter_and_parity)
}


def beaten_by(automaton: Automaton, shape: Shape) -> list[str]:
    """The rivals that are no worse in layers and size, and better in one."""
    table = [tuple(f) for f in automaton.table.values()]
    found = {name: rival(table, automaton.start) for name, rival in RIVALS.items()} if automaton.n > 1 else {}
    return [name for name, other in found.items() if other and other != shape and other[0] <= shape[0] and other[1] <= shape[1]]


# -- what is compared ---------------------------------------------------------------------------------------------------------------


def layers_needed(automaton: Automaton) -> int | None:
    """The lower bound on layers; None where it is not computed."""
    machine = machine_of(automaton, tracked=True)
    try:
        return bound(machine, monoid_of(machine, MOST_ELEMENTS), exact=True).layers
    except Undecided:
        return None


def built(candidate: Candidate) -> dict[str, Any]:
    """Widths, the most factors of a letter on each layer, and the shortest length in bfloat16 of the four paths."""
    document = compile_candidate(candidate).document()
    lengths = [guaranteed_length(document, "bfloat16", path) for path in PATHS]
    return {
        "construction": candidate.construction,
        "widths": list(candidate.widths),
        "factors": [max((len(m["steps"]) for m in layer["maps"]), default=0) for layer in document["layers"]],
        "bfloat16": length(min(n or 0 for n in lengths)),
    }


def row(name: str, automaton: Automaton, prove_before: bool = True) -> dict[str, Any]:
    """An automaton by Theorem 4 and by default, with bounds and the rivals that beat the default."""
    automaton = automaton.reachable()
    default, before = built(choose(automaton)), plain(automaton)
    shape = len(default["widths"]), sum(default["widths"])
    return {
        "automaton": name,
        "states": automaton.n,
        "before": built(before) if prove_before else {"widths": list(before.widths)},
        "default": default,
        "layers": layers_needed(automaton),
        "width of one layer": width_of_one_layer(automaton),
        "beaten by": beaten_by(automaton, shape),
    }


def total(name: str, automata: Sequence[Automaton], prove_before: bool = True) -> dict[str, Any]:
    """Sums over many automata, with the defaults that a rival beats. Without ``prove_before`` networks of Theorem 4 are not built."""
    rows = [row(str(k), automaton, prove_before) for k, automaton in enumerate(automata)]
    bounded = [r for r in rows if r["layers"] is not None]
    sums = {}
    for kind in ("before", "default"):
        found = [r[kind] for r in rows]
        sums[kind] = {"layers": sum(len(r["widths"]) for r in found), "widths": sum(sum(r["widths"]) for r in found)}
        if kind == "default" or prove_before:
            sums[kind]["factors"] = sum(sum(r["factors"]) for r in found)
            sums[kind]["every length"] = sum(r["bfloat16"] == "every length" for r in found)
    return {
        "automata": name,
        "count": len(rows),
        **sums,
        "bounded": len(bounded),
        "layers needed": sum(max(r["layers"], 1) for r in bounded),
        "layers of these": sum(len(r["default"]["widths"]) for r in bounded),
        "as few as needed": sum(len(r["default"]["widths"]) == max(r["layers"], 1) for r in bounded),
        "beaten": {r["automaton"]: r["beaten by"] for r in rows if r["beaten by"]},
    }


def expressions(folder: Path) -> list[Automaton]:
    """The minimal automata of the expressions in a checkout of pentagonalize/crasp_reg."""
    with (folder / "results" / "all_results.txt").open(encoding="utf-8", newline="") as file:
        return [from_regex(r["regex"].replace("+", "|")) for r in csv.DictReader(file)]


def main() -> None:
    """Compare, and write or check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("folder", nargs="?", type=Path)
    arguments = parser.parse_args()
    old = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    found = {
        "tasks": [row(name, make()) for name, make in INSTANCES.items()] + [row(name, automaton) for name, automaton in SGPDEC.items()],
        "random": total("200 random automata", list(random_machines())),
        "expressions": total("1,000 expressions", expressions(arguments.folder), prove_before=False)
        if arguments.folder
        else old.get("expressions"),
    }
    write_or_check(RESULTS, found, arguments.check)
    if not arguments.check:
        print(json.dumps({name: found[name] for name in ("random", "expressions")}, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
