"""How long cascades take, against SgpDec in GAP on the same machine, and how long compiling takes with the exhaustive proof.

``python benchmarks/cascades.py [--largest 9] [--largest-explicit 7] [--seeds 6] [--gap COMMAND] [--out FILE.json]``. T_n is the automaton on n
points whose letters generate all n^n maps: a cycle, a swap and a collapse, or n letters with further swaps. Seconds of processor time on one
core, best of three, or a single run of what takes longer than two seconds. GAP counts whole milliseconds.

Two comparisons with the peer, each of like with like:

* skeleton: the images of all states, their classes and tiles, and the order of the holonomy group of every class
* explicit: from the automaton to the cascade with all coordinates: for every letter and level a table that says, for each tuple of
  positions above that stands for a chain of tiles, what the letter does to the level, the identity left out

The cascade that lemmata compiles needs no such table (column ``lazy``: what the levels may read, found from pairs of sets). Compiling is
``proved``, the choice of a construction and the proof, and ``all``, what ``lemmata compile`` does: also the document that it writes, with
micro-steps, and its summary, with the lengths up to which rounding is proved harmless. An automaton that is refused has the time until then.

The peer is run if COMMAND (default: ``gap`` if there is one) starts a GAP with the package SgpDec; it is left out, with a line that says so, if
not. Wheels: ``passagemath-gap`` and ``passagemath-gap-pkg-semigroups`` hold GAP and all packages that SgpDec needs, in ``site-packages/gap``, but
not SgpDec itself: put the sources of gap-packages/sgpdec into ROOT/pkg/sgpdec; COMMAND is ``site-packages/gap/gap -A -l "ROOT;site-packages/gap"``.
"""

from __future__ import annotations

import argparse
import json
import platform
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import numpy as np
from lemmata.cli.network_summary import summary_of
from lemmata.constructions.automata import Automaton, Cascade, Network, compile_automaton, krohn_rhodes
from lemmata.constructions.automata.cascade.cascade import CascadeState, Move
from lemmata.constructions.automata.cascade.skeleton import skeleton
from lemmata.constructions.automata.choose.candidate import MANY_READS
from lemmata.constructions.automata.read.families import full_transformations, random_automaton
from lemmata.constructions.automata.read.sources import from_regex
from lemmata.constructions.automata.read.tasks import TASKS
from rich.console import Console
from rich.progress import track
from rich.table import Table

EXPRESSIONS = (
    "(a|b)*abb(a|b)*(aa|b)*c?(ab|ca)*b?(a|c)(b|c)(aa)*b",
    "((a|b)(a|b)(a|b))*a(b|c)*(ab|ba|cc)*(aaa|bb)*c(a|b|c)(a|b)*cab",
    "(a|b)*a(a|b){9}",
)
RUNS, LONG = 3, 2.0
Result = TypeVar("Result")
#: states of a counter
COUNT = 200

#: seconds after which the peer is given up
PATIENCE = 1800

#: prints for each run name, milliseconds for the skeleton and for the explicit cascade, number of levels, product of the groups' orders
PEER = """
if LoadPackage("sgpdec", false) <> true then QUIT_GAP(3); fi;
Measure := function(name, gens, explicit)
  local i, S, sk, start, orders, skeleton, cascade, states;
  for i in [1..RUNS] do
    S := Semigroup(List(gens, Transformation));
    start := Runtime();
    sk := Skeleton(S);
    orders := List(GroupComponents(sk), level -> List(level, Size));
    skeleton := Runtime() - start;
    cascade := 0;
    if explicit then
      S := Semigroup(List(gens, Transformation));
      start := Runtime();
      HolonomyCascadeSemigroup(Skeleton(S));
      cascade := Runtime() - start;
    fi;
    Print("ROW;", name, ";", skeleton, ";", cascade, ";", Length(orders), ";", Product(Concatenation(orders)), "\\n");
  od;
end;
"""


def explicit(cascade: Cascade) -> int:
    """The cascade with all coordinates: what each letter does to each level, for every chain of tiles; the number of entries."""
    identity = [tuple(range(size)) for size in cascade.sizes]
    entries = 0
    for letter in cascade.automaton.letters:
        prefixes = {(): (cascade.top, cascade.top)}
        for k, size in enumerate(cascade.sizes):
            table: dict[CascadeState, Move] = {}
            below = {}
            for prefix, (X, Y) in prefixes.items():
                move = cascade.act(k, letter, X, Y)
                if move.permutation != identity[k]:
                    table[prefix] = move
                # a level that is passed over holds position 0
                for i in range(size) if cascade.level(X) == k else (0,):
                    if cascade.stands(k, X, i):
                        below[(*prefix, i)] = (cascade.chosen(k, X, i), cascade.chosen(k, Y, move(i)))
            prefixes = below
            entries += len(table)
    return entries


def timed(run: Callable[[], Result]) -> tuple[Result, float]:
    """What it returns, and the least of three times, in seconds of processor time; one run is enough if it is long."""
    times = []
    while True:
        start = time.process_time()
        result = run()
        times.append(time.process_time() - start)
        if len(times) == RUNS or sum(times) > LONG:
            return result, min(times)


def best_of(run: Callable[[], object]) -> float:
    """The time of :func:`timed`."""
    return timed(run)[1]


def compiled(automaton: Automaton) -> Network | None:
    """The network by the best construction; None if the automaton is refused."""
    try:
        return compile_automaton(automaton)
    except ArithmeticError:
        return None


def written(network: Network) -> dict[str, Any]:
    """The rest of what ``lemmata compile`` does, but for files."""
    return summary_of(network, network.document())


def measure(name: str, automaton: Automaton, with_explicit: bool) -> dict[str, Any]:
    """Our seconds: skeleton and groups, the cascade as it is compiled and in full, choice and proof, and the whole command."""
    automaton = automaton.reachable()
    cascade = krohn_rhodes(automaton, "disjoint", all_tiles=True)
    network, proving = timed(lambda: compiled(automaton))
    row = {
        "name": name,
        "states": automaton.n,
        "letters": len(automaton.letters),
        "levels": len(cascade.sizes),
        "widest": max(cascade.sizes, default=1),
        "construction": network.construction if network else "refused",
        "layers": len(network.layers) if network else None,
        "width": max(network.widths) if network else None,
        "pairs": sum(len(c.place) for c in network.proof) if network else None,
        "transitions": sum(c.transitions for c in network.proof) if network else None,
        "skeleton_seconds": best_of(lambda: [g.order() for g in skeleton(automaton, all_tiles=True).groups().values()]),
        "lazy_seconds": best_of(lambda: krohn_rhodes(automaton).reads_at_most(MANY_READS)),
        "explicit_seconds": best_of(lambda: explicit(krohn_rhodes(automaton, "disjoint", all_tiles=True))) if with_explicit else None,
        "compile_and_prove_seconds": proving,
        "command_seconds": proving + best_of(lambda: written(network)) if network else None,
    }
    return {key: round(x, 5) if isinstance(x, float) else x for key, x in row.items()}


def instances(largest: int, seeds: int) -> list[tuple[str, Automaton]]:
    """What is compiled, with names."""
    full = [(f"T_{n}, {letters} letters", full_transformations(n, letters)) for n in range(3, largest + 1) for letters in sorted({3, n})]
    random = [
        (f"random, {n} states, {letters} letters, seed {seed}", random_automaton(Random(seed), n, letters))
        for n, letters in ((10, 3), (20, 3))
        for seed in range(seeds)
    ]
    expressions = [(f"expression of {len(e)} symbols", from_regex(e)) for e in EXPRESSIONS]
    turn, reset = tuple((q + 1) % COUNT for q in range(COUNT)), (0,) * COUNT
    counters = [
        (f"counter of {COUNT}", Automaton({"next": turn})),
        (f"counter of {COUNT}, reset", Automaton({"next": turn, "reset": reset})),
    ]
    return [*full, *random, *expressions, *counters, ("modular arithmetic", TASKS["modular-arithmetic"]())]


def measure_peer(command: str, chosen: list[tuple[str, Automaton, bool]]) -> dict[str, dict[str, float | None]] | str:
    """The peer's best times and its number of levels, by name; or in a line why there are none."""
    program = PEER.replace("RUNS", str(RUNS))
    for name, automaton, with_explicit in chosen:
        maps = [[q + 1 for q in images] for images in automaton.reachable().table.values()]
        program += f"Measure({json.dumps(name)}, {json.dumps(maps)}, {str(with_explicit).lower()});\n"
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "cascades.g"
        script.write_text(program + "QUIT_GAP(0);\n", encoding="utf-8")
        try:
            ran = subprocess.run(
                [*shlex.split(command), "-q", str(script)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE
            )
        except (FileNotFoundError, subprocess.TimeoutExpired) as error:
            return f"the peer is left out: {error}"
    rows: dict[str, dict[str, float | None]] = {}
    for line in ran.stdout.splitlines():
        if line.startswith("ROW;"):
            _, name, skeleton_ms, cascade_ms, levels, orders = line.split(";")
            before: dict[str, Any] = dict(rows.get(name, {}))
            found = {"skeleton": int(skeleton_ms) / 1e3, "explicit": int(cascade_ms) / 1e3 or None}
            rows[name] = {key: x if before.get(key) is None else min(x, before[key]) for key, x in found.items() if x is not None}
            rows[name] |= {"levels": int(levels), "product of orders": int(orders)}
    if ran.returncode != 0 or not rows:
        return f"the peer is left out: {command!r} starts no GAP with the package sgpdec (exit code {ran.returncode}); see the head of this file"
    return rows


def processor() -> str:
    """What ran, as NumPy sees it."""
    found = np.show_config(mode="dicts")["SIMD Extensions"]
    return " ".join([platform.system(), platform.machine(), *found.get("baseline", []), *found.get("found", [])])


def main() -> None:
    """Measure all instances and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=9)
    parser.add_argument("--seeds", type=int, default=6, help="random automata of each size")
    parser.add_argument("--largest-explicit", type=int, default=7, help="the T_n up to which all coordinates are listed")
    parser.add_argument("--gap", default=shutil.which("gap"), help="a command that starts GAP")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    console = Console(stderr=True)
    chosen = [
        (name, a, name.startswith("T_") and a.n <= arguments.largest_explicit) for name, a in instances(arguments.largest, arguments.seeds)
    ]
    rows = [measure(*x) for x in track(chosen, "compiling", console=console, transient=True)]
    shared = [x for x in chosen if x[0].startswith(("T_", "random, 10"))]
    peer = measure_peer(arguments.gap, shared) if arguments.gap else "the peer is left out: no gap on the path, and no --gap COMMAND"
    if isinstance(peer, str):
        console.print(peer, soft_wrap=True)
    else:
        for row in rows:
            row["peer"] = {key: round(x, 5) if isinstance(x, float) else x for key, x in peer.get(row["name"], {}).items()} or None
            if row["peer"] and row["name"].startswith("T_") and row["peer"]["levels"] != row["levels"]:
                raise ArithmeticError(
                    f"expected as many levels as the peer finds for {row['name']}, {row['peer']['levels']}, got {row['levels']}"
                )
    table = Table(box=None)
    columns = (
        "automaton",
        "states",
        "levels",
        "width",
        "skeleton",
        "peer",
        "peer/it",
        "explicit",
        "peer",
        "peer/it",
        "lazy",
        "by",
        "layers",
        "proved",
        "all",
    )
    for name in columns:
        table.add_column(name, justify="left" if name == "automaton" else "right")
    for r in rows:
        cells = [r["name"], r["states"], r["levels"], r["widest"]]
        for ours, theirs in ((r["skeleton_seconds"], "skeleton"), (r["explicit_seconds"], "explicit")):
            other = (r.get("peer") or {}).get(theirs)
            cells += [_seconds(ours), _seconds(other), f"{other / ours:.0f}x" if other and ours else ""]
        cells += [_seconds(r["lazy_seconds"]), r["construction"], f"{r['layers']} x {r['width']}" if r["layers"] else ""]
        table.add_row(*map(str, cells), _seconds(r["compile_and_prove_seconds"]), _seconds(r["command_seconds"]))
    Console().print(table)
    if arguments.out:
        made = {"date": time.strftime("%Y-%m-%d"), "python": platform.python_version(), "numpy": np.__version__, "processor": processor()}
        document = made | {"runs": RUNS, "peer": None if isinstance(peer, str) else "SgpDec", "rows": rows}
        arguments.out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def _seconds(x: float | None) -> str:
    return "" if x is None else f"{x:.4f}"


if __name__ == "__main__":
    main()
