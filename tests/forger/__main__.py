"""``make forger``: does the re-checker refuse every forged certificate?

For each claim with certificates, genuine ones are changed in the ways of ``kinds.py``, and the claim's own check is run with other draws (``draws.py``).
The files keep all bindings. What is accepted must have a reason in ``accepted.toml``; a file that takes more than 10 s or 1 GiB is a fault.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import tomllib
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

sys.path.insert(0, str(Path(__file__).parent))  # run as a folder: python tests/forger

from asking import limit_memory, outcome, passes_rules, same
from draws import DRAWS, certificates_of, replaced
from kinds import PLAIN, mixed, neighbours

HERE = Path(__file__).parent
STAGES = ("schema", "repeats", "instances", "rule", "demand", "accepted", "time", "memory")


def main() -> int:
    """Forge, ask and print the table; 0 if nothing is accepted without a reason and nothing takes too long."""
    parser = argparse.ArgumentParser(prog="forger", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--share", type=int, default=1, help="only every SHARE-th claim, chosen by the seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="only claims whose id contains this")
    parser.add_argument("--report", type=Path, help="write the table of all forgeries, as Markdown, to this file")
    parser.add_argument("--details", type=Path, help="write each forgery and what became of it, as JSON lines, to this file")
    options = parser.parse_args()
    from lemmata.theorems.ledger import ledger

    ids = [id for id, entry in ledger().items() if entry.certificates and options.only in id]
    Random(options.seed).shuffle(ids)
    ids = sorted(ids[:: options.share])
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
    context = multiprocessing.get_context("fork")
    from lemmata.theorems import claims

    claims()  # imported once, before the processes are forked
    with bar, context.Pool(options.jobs, maxtasksperchild=1) as pool:
        genuine = {}
        for id, certificates in bar.track(pool.imap_unordered(_genuine, ids), total=len(ids), description="genuine files"):
            genuine[id] = certificates
        tasks = [(id, genuine[id], {other: genuine[other] for other in _near(id, genuine)}, options.seed) for id in ids]
        results: list[dict[str, Any]] = []
        for found in bar.track(pool.imap_unordered(_forged, tasks), total=len(tasks), description="forged files"):
            results += found
    results.sort(key=lambda r: (r["claim"], r["kind"], r["number"]))
    if options.details:
        options.details.write_text("".join(json.dumps(r) + "\n" for r in results), encoding="utf-8")
    table = report(results)
    if options.report:
        options.report.write_text(table, encoding="utf-8")
    print(table)
    reasons = tomllib.loads((HERE / "accepted.toml").read_text(encoding="utf-8"))
    faults = 0
    for r in results:
        if r["stage"] in ("time", "memory") or (r["stage"] == "accepted" and r["kind"] not in reasons.get(r["claim"], {})):
            faults += 1
            print(f"{r['stage'].upper()}: {r['claim']}, {r['kind']} {r['number']} {r['why']}")
    covered = len({r["claim"] for r in results})
    print(f"{len(results)} forged files for {covered} claims with certificates; {faults} accepted without a reason or over the limits")
    return 1 if faults or covered < len(ids) else 0


def _near(id: str, genuine: dict[str, Any]) -> list[str]:
    """Claims whose certificates are of the same kinds, the likeliest to pass first; few, since they travel between processes."""
    kinds, keys = {c["kind"] for c in genuine[id]}, set(genuine[id][0]["data"])
    fitting = [other for other in genuine if other != id and kinds <= {c["kind"] for c in genuine[other]}]
    return sorted(fitting, key=lambda other: (-len(keys & set(genuine[other][0]["data"])), other))[:3]


def _genuine(id: str) -> tuple[str, list[dict[str, Any]]]:
    return id, certificates_of(id)


def _forged(task: tuple[str, Any, Any, int]) -> list[dict[str, Any]]:
    """What became of each forgery of one claim."""
    id, genuine, others, seed = task
    files = [(kind, f) for kind, forge in PLAIN.items() for f in forge(genuine, Random(f"{seed} {id} {kind}"))]
    files += [("neighbour", f) for f in neighbours(id, genuine, others, Random(f"{seed} {id}"))]
    for kind, generator in DRAWS.items():
        with replaced(generator):
            own = certificates_of(id)
        files += [(kind, f) for f in mixed(genuine, own)]
    limit_memory()
    numbers: Counter[str] = Counter()
    out = []
    for kind, forged in files:
        if same(forged, genuine):
            continue
        numbers[kind] += 1
        stage, why, seconds = outcome(id, forged)
        fits = stage in ("instances", "demand", "accepted") and passes_rules(forged)
        out.append(
            {"claim": id, "kind": kind, "number": numbers[kind], "stage": stage, "why": why, "seconds": round(seconds, 3), "fits": fits}
        )
    return out


def report(results: list[dict[str, Any]]) -> str:
    """A table: for each kind of forgery what refuses it, and how many pass the rules of their kinds, so that only the claim's demand can refuse them."""
    lines = [
        '<!-- generated by make forger FORGER="--report docs/reference/forger.md" -->',
        "# Forged certificates",
        "",
        "For whoever doubts the re-checker. `make forger` forges the certificates of every claim, and this table says what refuses them.",
        "A file passes the rule if its data prove what their kind says; then only the claim itself can refuse it.",
        "Each accepted file has a reason in `tests/forger/accepted.toml`: it was changed where the claim leaves a choice.",
        "",
        "| forgery | files | pass the rule | " + " | ".join(STAGES) + " |",
        "| --- " * (3 + len(STAGES)) + "|",
    ]
    for kind in dict.fromkeys(r["kind"] for r in results):
        members = [r for r in results if r["kind"] == kind]
        stages = Counter(r["stage"] for r in members)
        lines.append(
            f"| {kind} | {len(members)} | {sum(r['fits'] for r in members)} | " + " | ".join(str(stages[s]) for s in STAGES) + " |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
