"""Answers about languages against deciders that nobody here wrote: python benchmarks/languages.py FOLDER [FOLDER]

FOLDER is a checkout of pentagonalize/crasp_reg (its results/all_results.txt has 1,000 expressions) or of bveseli/state-tracking-crasp (its
main_language_suite.csv has 125). Labels are compared, every difference is printed with a witness, and the seconds of processor for all models, with all
witnesses, are measured. Nothing of the folders is kept.
"""

import csv
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

from lemmata.api.languages import answer_of
from lemmata.api.question import Question
from lemmata.constructions.languages import Undecided

#: the labels of the files, by the names of our properties; crasp_reg's R_infinity does not ask for star-free languages, and its decider does not either
LABELS = {
    "all_results.txt": {"R": "r-trivial", "C-RASP": "c-rasp", "R_infinity": "r-and-groups"},
    "main_language_suite.csv": {"R": "r-trivial", "CRasp": "c-rasp", "Rinf": "r-infinity", "R_G": "r-and-groups"},
}


def rows(folder: Path):
    """(expression with | for union, labels by column) of the file that the folder has."""
    for place, union in (("results/all_results.txt", True), ("main_language_suite.csv", False)):
        path = folder / place
        if path.exists():
            with path.open(encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file):
                    expression = row["regex"].replace("+", "|") if union else row["regex"]
                    yield path.name, expression, {column: row[column] == "True" for column in LABELS[path.name]}


def main(folders):
    found = [row for folder in folders for row in rows(Path(folder))]
    if not found:
        raise SystemExit("expected a folder with results/all_results.txt or main_language_suite.csv")
    answer_of(Question("regex", "ab")).data  # noqa: B018  # the ledger is read once
    agree, replayed, slowest = Counter(), Counter(), (0.0, "")
    seconds: defaultdict[str, float] = defaultdict(float)
    for name, expression, labels in found:
        began = time.process_time()
        answer = answer_of(Question("regex", expression))
        assert answer.data
        taken = time.process_time() - began
        seconds[name] += taken
        slowest = max(slowest, (taken, expression))
        checks = answer.check()
        replayed[all(checks.values())] += len(checks)
        for column, label in labels.items():
            property = LABELS[name][column]
            ours = answer.asked.witness(property)
            same = not isinstance(ours, Undecided) and (ours is None) == label
            agree[name, column, same] += 1
            if not same:
                print(f"{name} {column}: the file says {label} of {expression}; {'no witness' if ours is None else ours}")
    print(f"\n{'file':26} {'label':12} {'agree':>6} {'differ':>7}")
    for name, columns in LABELS.items():
        for column in columns:
            if agree[name, column, True] + agree[name, column, False]:
                print(f"{name:26} {column:12} {agree[name, column, True]:6} {agree[name, column, False]:7}")
    print()
    for name, total in seconds.items():
        count = sum(1 for row in found if row[0] == name)
        print(f"{name}: {count} expressions, all models with witnesses, {total:.1f} s of processor, {1000 * total / count:.1f} ms each")
    print(f"slowest: {slowest[0]:.2f} s, {slowest[1]}; {replayed[True]} witnesses replayed, {replayed[False]} fail")


if __name__ == "__main__":
    main(sys.argv[1:])
