"""``make mutants``: how many changes of constructions and numerics make a *claim* fall?

A seeded sample of changes is run in shards; what is done is kept in build/mutants and goes on where it stopped. The check and each tie of every claim that
runs the changed line may be asked, the cheapest and closest first. What does not end has not noticed. Survivors must stand in survivors.toml, each with a reason.

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
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

sys.path.insert(0, str(Path(__file__).parent))  # run as a folder: python tests/mutants

from drawing import Mutant, draw
from lists import listed, named_functions, reason_of, unlisted, write_named
from page import page
from parts import part
from public import ROOT, fingerprint, public, snapshot, source
from reach import Debt, debts
from runner import loaded, outcomes, run
from tracing import prepare, trace

HERE = Path(__file__).parent
KEPT = ROOT / "build" / "mutants"

#: the share that must fall, and the part of the sample without which there is no verdict
LEAST_SHARE, LEAST_COUNT = 0.95, 600

#: the seed of the sample, drawn once by the operating system
SEED = 3500470

#: seconds of a processor for a mutant of which survivors.toml says that it cannot be noticed
BRIEF = 15.0

#: kinds of survivors that no claim can notice: no result differs, or only how long it takes and what an error says
UNNOTICED = ("unchanged", "cost")

#: states of mutants that changed no result: none could be changed, or the function refuses each call that the change is about, which claims see
NOTHING = ("same", "refused")


def main() -> int:
    """Run a sample, or one shard of it, and print what became of it; 0 if enough mutants fell and every survivor has a reason."""
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=LEAST_COUNT, help="mutants in the sample")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--shard", default="1/1", help="which part to run: 2/6 is the second of six")
    parser.add_argument("--budget", type=float, default=90.0, help="seconds of a processor for one mutant")
    parser.add_argument("--only", default="", help="only mutants whose title contains this")
    parser.add_argument("--listed", action="store_true", help="only the mutants of listed.toml")
    parser.add_argument("--trace", action="store_true", help="trace the claims, write named.json, and stop")
    parser.add_argument("--summary", action="store_true", help="write summary.json from what is kept, and run nothing")
    parser.add_argument("--report", type=Path, help="with a whole sample: write the table of all samples, as Markdown, to this file")
    parser.add_argument("--debts", action="store_true", help="print what no claim reaches, by function, write debts.json, and stop")
    parser.add_argument("--claims", nargs="*", default=None, help="with --trace: trace these claims anew and keep the rest")
    options = parser.parse_args()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    snapshot()
    with Progress(*columns, console=Console(stderr=True)) as bar:
        traced = trace(bar, options.claims)
        if options.trace:
            write_named(traced["functions"] if options.claims is None else with_named(traced))
        if options.debts:
            write_debts(debts(traced), options.only)
        if options.trace or options.debts:
            return 0
        drawn = [] if options.listed else draw(traced["functions"], traced["lines"], options.count, options.seed)
        sample = [*drawn, *(listed() if options.seed == SEED else [])]
        part, parts = map(int, options.shard.split("/"))
        mine = [m for i, m in enumerate(sample) if i % parts == part - 1 and options.only in m.title]
        if not options.summary:
            run_all(mine, traced, KEPT / f"shard-{part}-of-{parts}.jsonl", options.budget, bar)
    shown = sample if options.summary else mine
    return report(
        shown, options.seed if options.summary or (parts == 1 and not options.only and not options.listed) else None, options.report
    )


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


def with_named(traced: dict[str, Any]) -> dict[str, list[str]]:
    """What a trace of some claims found, and of the others what named.json says."""
    known = {part(text).claim for text in traced["parts"]}
    before, now = named_functions(), traced["functions"]
    both = {key: sorted({*now.get(key, []), *(id for id in before.get(key, []) if id not in known)}) for key in {*before, *now}}
    return {key: ids for key, ids in both.items() if ids}


def run_all(mutants: list[Mutant], traced: dict[str, Any], kept: Path, budget: float, bar: Progress) -> None:
    """Run what is not kept yet, and keep it line by line. Parts that noticed another mutant of the same file are asked first."""
    before = kept_outcomes()
    todo = [m for m in mutants if not still_true(m, before.get(m.title), budget)]
    task = bar.add_task("mutants", total=len(todo))
    if not todo:
        return
    prepare()
    loaded()
    first: dict[str, list[str]] = {}
    for one in before.values():
        first.setdefault(one["title"].split(": ")[0], []).append(one["part"])
    with kept.open("a", encoding="utf-8") as file:
        for m in todo:
            allowed = min(budget, BRIEF) if is_unnoticed(m) else budget
            one = run(m, traced, allowed, first.setdefault(m.file, []))
            first[m.file].append(one["part"])
            file.write(json.dumps(one | {"mark": mark(m, one["by"]), "at": time.time(), "budget": budget}) + "\n")
            file.flush()
            bar.advance(task)


def is_unnoticed(m: Mutant) -> bool:
    """Whether a reason is written down why no claim can notice a mutant."""
    return (reason_of(m.title) or ("passed",))[0] in UNNOTICED


def kept_outcomes(last: bool = True) -> dict[str, dict[str, Any]]:
    """title -> the last outcome, or the first, from all shards: a mutant may have moved from one to another."""
    rows = [one for path in KEPT.glob("shard-*.jsonl") for one in outcomes(path)]
    return {one["title"]: one for one in sorted(rows, key=lambda one: one["at"], reverse=not last)}


def still_true(m: Mutant, outcome: dict[str, Any] | None, budget: float) -> bool:
    """Whether an outcome of an earlier run still holds: what fell needs its file, its check and the ties there were; more ties take nothing back."""
    if outcome is None:
        return False
    then, now = outcome["mark"], mark(m, outcome["by"])
    if outcome["by"] is None and not is_unnoticed(m) and outcome["unasked"] and budget > outcome["budget"]:
        return False
    if outcome["by"] is None and is_unnoticed(m):
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


def _ties(topic: str, claim: str) -> list[str]:
    """A digest of each tie of a claim, without its decorators."""
    return _all_ties(topic).get(claim, [])


@cache
def _all_ties(topic: str) -> dict[str, list[str]]:
    """claim -> digests of its ties, for the claims of a topic."""
    found: dict[str, list[str]] = {}
    for node in [node for file in ties_of(topic) for node in ast.parse(source(file)).body]:
        if isinstance(node, ast.FunctionDef):
            ids = [d.args[0].value for d in node.decorator_list if isinstance(d, ast.Call) and ast.unparse(d.func) == "tie"]
            node.decorator_list = []
            for id in ids:
                found.setdefault(str(id), []).append(_digest(ast.unparse(node)))
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


def report(mutants: list[Mutant], seed: int | None, path: Path | None) -> int:
    """Print counts and survivors; write summary.json for the whole sample of a seed. 0 if enough of what can be noticed fell, and every survivor has a reason."""
    drawn = [m for m in mutants if m.kind != "listed"]
    now, first = Outcomes(drawn, kept_outcomes()), Outcomes(drawn, kept_outcomes(last=False))
    by_hand = Outcomes([m for m in mutants if m.kind == "listed"], kept_outcomes())
    for title in [*now.alive, *by_hand.alive]:
        print(f"survived ({kind_of(title)}): {title}")
    for kind, counts in now.by_kind.items():
        print(f"{kind}: {', '.join(f'{n} {word}' for word, n in counts.items())}")
    print(f"as first run: {first}")
    print(f"now:          {now}")
    if by_hand.mutants:
        print(f"by hand:      {by_hand}")
    missing = unlisted()
    for key in missing:
        print(f"no claim runs it, and no reason says why: {key}")
    samples = write_summary(seed, now, first) if seed is not None else {}
    if samples and path:
        path.write_text(page(samples, UNNOTICED), encoding="utf-8")
    unexplained = [title for title in [*now.alive, *by_hand.alive] if kind_of(title) == "no reason yet"]
    return 0 if now.share >= LEAST_SHARE and not now.counts["not run"] and not missing and not unexplained else 1


def kind_of(title: str) -> str:
    """The kind under which a survivor is listed."""
    return (reason_of(title) or ("no reason yet", ""))[0]


@dataclass(frozen=True)
class Outcomes:
    """What became of mutants: ``found`` holds an outcome by title."""

    mutants: list[Mutant]
    found: dict[str, dict[str, Any]]

    def word(self, m: Mutant) -> str:
        """ "fell", "survived", "cannot be noticed" or "not run"."""
        one = self.found.get(m.title)
        if one is None or one["by"]:
            return "not run" if one is None else "fell"
        return "cannot be noticed" if one["state"] in NOTHING or kind_of(m.title) in UNNOTICED else "survived"

    @cached_property
    def counts(self) -> Counter[str]:
        return Counter(map(self.word, self.mutants))

    @property
    def by_kind(self) -> dict[str, dict[str, int]]:
        """kind of mutant -> outcome -> how many."""
        counts: dict[str, Counter[str]] = {}
        for m in self.mutants:
            counts.setdefault(m.kind, Counter())[self.word(m)] += 1
        return {kind: dict(sorted(n.items())) for kind, n in sorted(counts.items())}

    @cached_property
    def alive(self) -> list[str]:
        """The titles of those that a claim did not notice, whatever the reason; not of those that changed nothing."""
        return sorted(m.title for m in self.mutants if (one := self.found.get(m.title)) and not one["by"] and one["state"] not in NOTHING)

    @property
    def share(self) -> float:
        """The part that fell of those that a claim can notice."""
        return self.counts["fell"] / max(self.counts["fell"] + self.counts["survived"], 1)

    @property
    def plain(self) -> dict[str, Any]:
        """Counts, and counts by kind."""
        return {"counts": dict(sorted(self.counts.items())), "by kind": self.by_kind}

    def __str__(self) -> str:
        counts = ", ".join(f"{n} {word}" for word, n in sorted(self.counts.items()))
        return f"{counts}; {100 * self.share:.1f} % of those that a claim can notice fell"


def write_summary(seed: int, now: Outcomes, first: Outcomes) -> dict[str, Any]:
    """The outcome of a whole sample, beside those of other seeds, without anything that a processor decides; "as first run" once written stays."""
    path = HERE / "summary.json"
    samples = json.loads(path.read_text(encoding="utf-8"))["samples"]
    survivors = {title: dict(zip(("kind", "reason"), reason_of(title) or ("no reason yet", ""), strict=True)) for title in now.alive}
    kept = samples.get(str(seed), {}).get("as first run")
    drawn = first.plain if kept is None or "not run" in kept["counts"] else kept
    samples[str(seed)] = {"as first run": drawn, "now": now.plain, "survivors": survivors}
    out = {"public functions": len(public()), "samples": samples}
    path.write_text(json.dumps(out, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return samples


if __name__ == "__main__":
    sys.exit(main())
