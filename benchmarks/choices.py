"""What the compiler builds, and what it would build by the layers of Theorem 4 and by polygons: ``python benchmarks/choices.py [--check]``.

Three tables of ``docs/reference/benchmarks.md``, written to ``results/choices.json``: what each ``--prefer`` takes; named tasks; and the
declared sample of random cascades (``constructions.automata.read.families.random_cascades``). With ``--check`` nothing is written, and the
command fails if the numbers differ. About a minute of processor time.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any, get_args

from compare import write_or_check
from lemmata.constructions.automata import Automaton, Candidate, candidates, compile_candidate
from lemmata.constructions.automata.algebra.permuting import permuting
from lemmata.constructions.automata.choose.candidate import Prefer, ranked
from lemmata.constructions.automata.choose.ways import choose
from lemmata.constructions.automata.read.families import full_transformations, random_cascades
from lemmata.constructions.automata.read.sources import from_permutations, from_regex, named_group
from lemmata.constructions.automata.read.tasks import TASKS, cycle_navigation
from lemmata.constructions.automata.rounding.precision import PATHS, guaranteed_length

RESULTS = Path(__file__).parent / "results" / "choices.json"

#: what Theorem 4 and representations of groups give
THEOREM_4 = ("holonomy", "wide-holonomy", "disjoint", "excluded")
PLAIN = (*THEOREM_4, "rotation", "permutation", "two-reflections", "addition", "dihedral", "solvable")


def counter(n: int) -> Automaton:
    """A counter modulo n, with a reset."""
    return Automaton({"+": tuple((i + 1) % n for i in range(n)), "r": (0,) * n})


def shift_register(bits: int) -> Automaton:
    """The last letters 0 and 1."""
    return Automaton({b: tuple((2 * q + b) % 2**bits for q in range(2**bits)) for b in (0, 1)})


#: name -> automaton
INSTANCES: dict[str, Callable[[], Automaton]] = {
    "parity": TASKS["parity"],
    "cycle navigation modulo 5": lambda: cycle_navigation(5),
    "counter modulo 6": lambda: from_permutations(named_group("Z6")),
    "counter modulo 60": lambda: from_permutations(named_group("Z60")),
    "counter modulo 12, reset": lambda: counter(12),
    "counter modulo 60, reset": lambda: counter(60),
    "S₅, two generators": lambda: from_permutations(named_group("S5")),
    "A₅, two generators": lambda: from_permutations(named_group("A5")),
    "D₄": lambda: from_permutations(named_group("D4")),
    "D₆": lambda: from_permutations(named_group("D6")),
    "S₄": lambda: from_permutations(named_group("S4")),
    "flip-flop": lambda: Automaton({"set": (1, 1), "reset": (0, 0), "keep": (0, 1)}),
    "last letter of 5": lambda: Automaton({x: (i,) * 5 for i, x in enumerate("abcde")}),
    "shift register, 8 bits": lambda: shift_register(8),
    "even pairs": TASKS["even-pairs"],
    **{f"Tomita {k}": TASKS[f"tomita-{k}"] for k in range(1, 8)},
    "modular arithmetic": TASKS["modular-arithmetic"],
    "`a*b*`": lambda: from_regex("a*b*"),
    "`(a|b)*abb(a|b)*`": lambda: from_regex("(a|b)*abb(a|b)*"),
    "`(ab|c)*d?`": lambda: from_regex("(ab|c)*d?"),
    "T₅": lambda: full_transformations(5),
    "T₇": lambda: full_transformations(7),
}


def length(n: float | None) -> int | str:
    """A length as JSON has it."""
    return "every length" if n == inf else int(n or 0)


def measured(candidate: Candidate) -> dict[str, Any]:
    """What a candidate comes to once it is proved: widths, the most GH factors of a letter on each layer, lengths in bfloat16 by path."""
    document = compile_candidate(candidate).document()
    return {
        "construction": candidate.construction,
        "widths": list(candidate.widths),
        "factors": [max(len(m["steps"]) for m in layer["maps"]) for layer in document["layers"]],
        "bfloat16": {path: length(guaranteed_length(document, "bfloat16", path)) for path in PATHS},
    }


def plain(automaton: Automaton) -> Candidate:
    """The shallowest of the plain constructions, then the narrowest, then the one with the most room."""
    reachable = automaton.reachable()
    constructions = PLAIN if permuting(reachable) else THEOREM_4
    found = [c for c in candidates(reachable) if c.construction in constructions and c.reads_at_most(30_000)]
    return min(found, key=lambda c: (c.depth, c.width, -c.room))


def tasks() -> list[dict[str, Any]]:
    """Each instance by the plain constructions and by default."""
    return [
        {"automaton": name, "states": make().reachable().n, "plain": measured(plain(make())), "default": measured(choose(make()))}
        for name, make in INSTANCES.items()
    ]


def preferred() -> list[dict[str, Any]]:
    """What each criterion takes."""
    names = [name for name in INSTANCES if not name.startswith("Tomita")]
    rows = []
    for name in names:
        found = list(candidates(INSTANCES[name]().reachable()))
        first = {prefer: next(c for c in ranked(found, prefer) if c.reads_at_most(30_000)) for prefer in get_args(Prefer)}
        rows.append(
            {"automaton": name} | {prefer: {"construction": c.construction, "widths": list(c.widths)} for prefer, c in first.items()}
        )
    return rows


def sample() -> dict[str, Any]:
    """The random cascades: how many are right at every length in bfloat16 on each path, and the sums of widths and layers."""
    counted = {kind: Counter(dict.fromkeys([*PATHS, "widths", "layers"], 0)) for kind in ("Theorem 4", "default")}
    missed = []
    drawn = list(random_cascades())
    for k, automaton in enumerate(drawn):
        for kind, candidate in (("Theorem 4", plain(automaton)), ("default", choose(automaton))):
            found = measured(candidate)
            counted[kind].update(widths=sum(found["widths"]), layers=len(found["widths"]))
            counted[kind].update({path: n == "every length" for path, n in found["bfloat16"].items()})
            if kind == "default" and set(found["bfloat16"].values()) != {"every length"}:
                missed.append({"number": k, **found})
    return {"count": len(drawn), **{kind: dict(row) for kind, row in counted.items()}, "missed by default": missed}


def main() -> None:
    """Measure, and write or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    found = {
        "note": "the construction that each criterion takes, with the widths of its layers",
        "rows": preferred(),
        "tasks": tasks(),
        "sample": sample(),
    }
    write_or_check(RESULTS, found, check)


if __name__ == "__main__":
    main()
