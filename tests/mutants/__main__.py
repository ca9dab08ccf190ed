"""``make mutants``: how many changes of constructions and numerics make a *claim* fall?

A seeded sample of changes is run in shards; what is done is kept in build/mutants and goes on where it stopped. Every claim that runs the changed function
may be asked, the cheapest first. A claim that does not end has not noticed. Survivors must stand in survivors.toml, each with a reason.

``named.json`` says which public function each claim runs; ``unspoken.toml`` says why no claim runs the others. ``summary.json`` keeps the outcome.
``debts.json`` lists, for every function, what no claim reaches: lines, sides of branches, sizes, types of numbers, negative numbers and late steps.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
import time
from collections import Counter
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

sys.path.insert(0, str(Path(__file__).parent))  # run as a folder: python tests/mutants

from drawing import Mutant, draw
from lists import listed, reason_of, unlisted, write_named
from public import ROOT, fingerprint, public, snapshot, source
from reach import Debt, debts
from runner import outcomes, run
from tracing import prepare, trace

HERE = Path(__file__).parent
KEPT = ROOT / "build" / "mutants"

#: the share that must fall, and the part of the sample without which there is no verdict
LEAST_SHARE, LEAST_COUNT = 0.95, 600

#: kinds of survivors that no claim can notice: no result differs, or only how long it takes and what an error says
UNNOTICED = ("unchanged", "cost")

#: states of mutants that changed no result: none could be changed, or the function refuses each call that the change is about, which claims see
NOTHING = ("same", "refused")


def main() -> int:
    """Run a sample, or one shard of it, and print what became of it; 0 if enough mutants fell and every survivor has a reason."""
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=LEAST_COUNT, help="mutants in the sample")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--shard", default="1/1", help="which part to run: 2/6 is the second of six")
    parser.add_argument("--budget", type=float, default=90.0, help="seconds of a processor for one mutant")
    parser.add_argument("--only", default="", help="only mutants whose title contains this")
    parser.add_argument("--listed", action="store_true", help="only the mutants of listed.toml")
    parser.add_argument("--trace", action="store_true", help="trace the claims, write named.json, and stop")
    parser.add_argument("--summary", action="store_true", help="write summary.json from what is kept, and run nothing")
    parser.add_argument("--debts", action="store_true", help="print what no claim reaches, by function, write debts.json, and stop")
    parser.add_argument("--claims", nargs="*", default=None, help="with --trace: trace these claims anew and keep the rest")
    options = parser.parse_args()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    snapshot()
    with Progress(*columns, console=Console(stderr=True)) as bar:
        traced = trace(bar, options.claims)
        if options.trace:
            write_named(traced["functions"])
        if options.debts:
            write_debts(debts(traced), options.only)
        if options.trace or options.debts:
            return 0
        sample = listed() if options.listed else [*draw(traced["functions"], traced["lines"], options.count, options.seed), *listed()]
        part, parts = map(int, options.shard.split("/"))
        mine = [m for i, m in enumerate(sample) if i % parts == part - 1 and options.only in m.title]
        if not options.summary:
            run_all(mine, traced, KEPT / f"shard-{part}-of-{parts}.jsonl", options.budget, bar)
    return report(sample if options.summary else mine, whole=options.summary or (parts == 1 and not options.only and not options.listed))


def write_debts(found: list[Debt], only: str) -> None:
    """Print what no claim reaches in functions whose key contains ``only``; write debts.json: counts by room, and each function's."""
    rooms: dict[str, Counter[str]] = {}
    for debt in found:
        if only in debt.function.key:
            print(debt)
        folder = debt.function.file.split("/")[:-1]
        rooms.setdefault("/".join(folder), Counter()).update(debt.counts)
    for room, counts in sorted(rooms.items()):
        print(f"{room}: {dict(counts)}")
    out = {"rooms": {room: dict(counts) for room, counts in sorted(rooms.items())}, "functions": {d.function.key: d.words for d in found}}
    (HERE / "debts.json").write_text(json.dumps(out, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def run_all(mutants: list[Mutant], traced: dict[str, Any], kept: Path, budget: float, bar: Progress) -> None:
    """Run what is not kept yet, and keep it line by line."""
    before = kept_outcomes()
    todo = [m for m in mutants if not still_true(m, before.get(m.title))]
    task = bar.add_task("mutants", total=len(todo))
    if not todo:
        return
    prepare()
    quick = frozenset(id for id, stands in traced["quick"].items() if stands)
    with kept.open("a", encoding="utf-8") as file:
        for m in todo:
            one = run(m, traced, budget, (before.get(m.title) or {}).get("by"), quick)
            file.write(json.dumps(one | {"mark": mark(m, one["by"]), "at": time.time()}) + "\n")
            file.flush()
            bar.advance(task)


def kept_outcomes() -> dict[str, dict[str, Any]]:
    """title -> the last outcome, from all shards: a mutant may have moved from one to another."""
    rows = [one for path in KEPT.glob("shard-*.jsonl") for one in outcomes(path).values()]
    return {one["title"]: one for one in sorted(rows, key=lambda one: one.get("at", 0.0))}


def still_true(m: Mutant, outcome: dict[str, Any] | None) -> bool:
    """Whether an outcome of an earlier run still holds: what fell needs its file, its check and the ties there were; more ties take nothing back."""
    if outcome is None:
        return False
    then, now = outcome["mark"], mark(m, outcome["by"])
    reason = reason_of(m.title)
    if outcome["by"] is None and reason is not None and reason[0] in UNNOTICED:
        return then["file"] == now["file"]  # that nothing can be noticed is said of the file
    return {**then, "ties": 0} == {**now, "ties": 0} and set(then["ties"]) <= set(now["ties"])


def mark(m: Mutant, by: str | None) -> dict[str, Any]:
    """Digests of what an outcome rests on: the changed file, the check and the ties of the claim that fell; everything, where none fell."""
    if by is None:
        return {"file": _digest(source(m.file)), "rest": fingerprint(), "ties": []}
    from lemmata.theorems import ledger

    claim = ledger.ledger()[by]
    check = claim.check.rpartition(".")[0].removeprefix("lemmata.").replace(".", "/")
    path = f"{check}.py" if (ROOT / f"{check}.py").exists() else f"{check}/__init__.py"
    return {"file": _digest(source(m.file)), "rest": _digest(source(path)), "ties": _ties(claim.topic, by)}


@cache
def _ties(topic: str, claim: str) -> list[str]:
    """A digest of each tie of a claim, without its decorators."""
    found = []
    for node in [node for file in ties_of(topic) for node in ast.parse(source(file)).body]:
        if isinstance(node, ast.FunctionDef) and any(ast.unparse(d) == f"tie({claim!r})" for d in node.decorator_list):
            node.decorator_list = []
            found.append(_digest(ast.unparse(node)))
    return found


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def ties_of(topic: str) -> list[str]:
    """The files of a topic's ties, and of its rows: one, or a folder of them."""
    found = [
        *ROOT.glob(f"theorems/ties/{topic}.py"),
        *ROOT.glob(f"theorems/ties/held/{topic}.py"),
        *sorted(ROOT.glob(f"theorems/ties/{topic}/*.py")),
        *sorted(ROOT.glob(f"theorems/ties/held/{topic}/*.py")),
    ]
    return [str(path.relative_to(ROOT)) for path in found]


def report(mutants: list[Mutant], whole: bool) -> int:
    """Print counts and survivors; write summary.json for the whole sample. 0 if enough of what can be noticed fell, and every survivor has a reason."""
    found = kept_outcomes()
    done = [m for m in mutants if m.title in found]
    changed = [m for m in done if found[m.title]["state"] not in NOTHING or found[m.title]["by"]]
    fell = [m for m in changed if found[m.title]["by"]]
    alive = sorted(m.title for m in changed if not found[m.title]["by"])
    kinds = {title: (reason_of(title) or ("no reason yet", ""))[0] for title in alive}
    for title in alive:
        print(f"survived ({found[title]['state']}, {kinds[title]}): {title}")
    for kind, n in sorted(Counter(m.kind for m in changed).items()):
        print(f"{kind}: {sum(m.kind == kind for m in fell)} of {n} fell")
    can = len(changed) - sum(kind in UNNOTICED for kind in kinds.values())
    share = len(fell) / max(can, 1)
    print(
        f"{len(fell)} of {len(changed)} mutants fell by claims ({100 * len(fell) / max(len(changed), 1):.1f} %); "
        f"{len(done) - len(changed)} changed nothing; {len(mutants) - len(done)} not run"
    )
    print(
        f"survivors by reason: {dict(sorted(Counter(kinds.values()).items()))}; of what can be noticed {len(fell)} of {can} fell ({100 * share:.1f} %)"
    )
    missing = unlisted()
    for key in missing:
        print(f"no claim runs it, and no reason says why: {key}")
    if whole:
        write_summary(mutants, found, alive)
    return 0 if share >= LEAST_SHARE and len(done) == len(mutants) and not missing and "no reason yet" not in kinds.values() else 1


def write_summary(mutants: list[Mutant], found: dict[str, dict[str, Any]], alive: list[str]) -> None:
    """The outcome of the whole sample without anything that a processor decides."""
    counts: dict[str, Counter[str]] = {}
    for m in mutants:
        one = found.get(m.title)
        word = "not run" if one is None else "fell" if one["by"] else "changed nothing" if one["state"] in NOTHING else "survived"
        counts.setdefault(m.kind, Counter())[word] += 1
    out = {
        "public functions": len(public()),
        "mutants": {kind: dict(sorted(n.items())) for kind, n in sorted(counts.items())},
        "survivors": {title: dict(zip(("kind", "reason"), reason_of(title) or ("no reason yet", ""), strict=True)) for title in alive},
    }
    (HERE / "summary.json").write_text(json.dumps(out, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
