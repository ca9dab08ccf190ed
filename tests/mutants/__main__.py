"""``make mutants``: how many changes of constructions, numerics and the checks' own instances do *claims* notice?

Each mutant is one change of one line (operators of cosmic-ray), or one sampler that returns zeros. Claims are decided at quick
effort, cheapest first, in a process of their own, until one loses its pinned verdict. Only claims that execute the line are asked. The sample is fixed by the seed.
Every mutant that no claim notices must stand in ``survivors.toml`` with the reason why it is harmless.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

sys.path.insert(0, str(Path(__file__).parent))  # run as a folder: python tests/mutants

from coverage_map import coverage_map
from runner import run_all
from sample import instances, sample
from survivors import reasons

KEPT = Path(__file__).parents[2] / "build" / "mutants"


def main() -> int:
    """Run a sample and print what became of it; 0 if every survivor has a reason and at least 90 of 100 were noticed."""
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300, help="how many changes of constructions/ and numerics/")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="a claim's limit; beyond it the mutant counts as hanging, which is noticed"
    )
    parser.add_argument("--only", default="", help="only mutants whose name contains this")
    options = parser.parse_args()
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
    with bar:
        covered = coverage_map(KEPT / "coverage.json", bar)
        chosen = [m for m in [*sample(covered, options.count, options.seed), *instances(covered)] if options.only in m.name]
        results = run_all(chosen, covered, KEPT / "results.jsonl", options.jobs, options.seconds, bar)
    chosen = [m for m in chosen if not results[m.name]["void"]]
    known = reasons()
    alive = [m for m in chosen if results[m.name]["by"] is None]
    for group in ("code", "instances"):
        members = [m for m in chosen if m.group == group]
        seen = sum(results[m.name]["by"] is not None for m in members)
        harmless = sum(m.name in known for m in members if m in alive)
        print(
            f"{group}: {len(members)} mutants, {seen} noticed by claims, {len(members) - seen} not, of which {harmless} are listed as harmless"
        )
    unexplained = [m for m in alive if m.name not in known]
    for m in unexplained:
        print(f"survived: {m.name}")
    code = [m for m in chosen if m.group == "code"]
    share = sum(results[m.name]["by"] is not None for m in code) / max(len(code), 1)
    (KEPT / "survivors.json").write_text(json.dumps([m.name for m in alive], indent=1), encoding="utf-8")
    return 0 if not unexplained and share >= 0.9 else 1


if __name__ == "__main__":
    sys.exit(main())
