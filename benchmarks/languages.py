"""Answers about languages against deciders that nobody here wrote: python benchmarks/languages.py [--page] FOLDER [FOLDER]

FOLDER is a checkout of pentagonalize/crasp_reg (its results/all_results.txt has 1,000 expressions) or of bveseli/state-tracking-crasp (its
main_language_suite.csv has 125). Labels are compared, every difference is printed with a witness, and the seconds of processor for all models, with all
witnesses, are measured; beside them those of crasp_reg's own decider. Nothing of the folders is kept but the expressions on which answers differ, in
languages.toml, with what settles them. With --page the tables are written as docs/reference/race.md.
"""

import csv
import importlib
import sys
import time
import tomllib
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from lemmata.api.languages import answer_of
from lemmata.api.question import Question
from lemmata.cli.blocks import Block, Counts, Generated, Heading, Paragraph
from lemmata.cli.markdown import markdown
from lemmata.constructions.automata.read.sources import from_regex
from lemmata.constructions.languages import Undecided, language_of
from lemmata.constructions.languages.properties import decided

KNOWN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

#: where the files lie in their folders, and whether + is their union
PLACES = (("results/all_results.txt", True), ("main_language_suite.csv", False))


@dataclass
class Seconds:
    """Seconds of processor over some expressions: for all models with witnesses, the slowest of these, the replay of witnesses, C-RASP alone."""

    whole: list[float] = field(default_factory=list)
    replayed: float = 0.0
    alone: float = 0.0
    theirs: float | None = None


def rows(folder: Path):
    """(name of the file, expression with | for union, labels by column) of the file that the folder has."""
    for place, union in PLACES:
        path = folder / place
        if path.exists():
            with path.open(encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file):
                    expression = row["regex"].replace("+", "|") if union else row["regex"]
                    yield path.name, expression, {column: row[column] == "True" for column in KNOWN["files"][path.name]["labels"]}


def their_decider(folders):
    """crasp_reg's function from an expression to whether C-RASP has it; None if it cannot be imported."""
    for folder in folders:
        if (folder / "decider.py").exists():
            sys.path.insert(0, str(folder))
            try:
                return importlib.import_module("decider").decide_CRASP_membership_from_regex
            except ImportError as error:
                print(f"the decider of {folder.name} was not run: {error}")
            finally:
                sys.path.pop(0)
    return None


def timed(function, *given):
    """(what a function returns, the seconds of processor that it took)."""
    began = time.process_time()
    return function(*given), time.process_time() - began


def race(folders):
    """(agreements by (file, label, whether they agree), seconds by file, [(file, label, expression, their label, our witness)], witnesses by whether they hold)."""
    found = [row for folder in folders for row in rows(folder)]
    if not found:
        raise SystemExit("expected a folder with results/all_results.txt or main_language_suite.csv")
    answer_of(Question("regex", "ab")).data  # noqa: B018  # the ledger is read once
    agree, replayed, differences, theirs = Counter(), Counter(), [], their_decider(folders)
    seconds: defaultdict[str, Seconds] = defaultdict(Seconds)
    for name, expression, labels in found:
        taken = seconds[name]

        def whole(expression=expression):
            answer = answer_of(Question("regex", expression))
            assert answer.data
            return answer

        answer, once = timed(whole)
        taken.whole.append(once)
        checks, once = timed(answer.check)
        taken.replayed += once
        replayed[all(checks.values())] += len(checks)
        taken.alone += timed(lambda expression=expression: decided(language_of(from_regex(expression)), "c-rasp"))[1]
        # theirs reads + as union
        if theirs is not None and name == "all_results.txt":
            said, once = timed(theirs, expression)
            taken.theirs = (taken.theirs or 0) + once
            agree[name, "their decider, run here", said == next(labels[c] for c in labels if c.lower().startswith("c"))] += 1
        for column, label in labels.items():
            ours = answer.asked.witness(KNOWN["files"][name]["labels"][column])
            same = not isinstance(ours, Undecided) and (ours is None) == label
            agree[name, column, same] += 1
            if not same:
                differences.append((name, column, expression, label, ours))
    return agree, seconds, differences, replayed


def document(agree, seconds, differences, replayed) -> list[Block]:
    """The tables as a page."""
    names = list(dict.fromkeys(name for name, _, _ in agree))
    pairs = list(dict.fromkeys((name, column) for name, column, _ in agree))
    repository = {name: f"{KNOWN['files'][name]['repository']} at {KNOWN['files'][name]['commit'][:8]}" for name in names}
    ms = lambda total, name: "" if total is None else f"{1000 * total / len(seconds[name].whole):.1f}"  # noqa: E731
    by_expression: dict[str, list[str]] = {}
    for _, column, expression, _, _ in differences:
        by_expression.setdefault(expression, []).append(column)
    witness = {expression: str(ours) for _, column, expression, _, ours in differences if column != "R"}
    misread = KNOWN["misread"]
    return [
        Generated("make race RIVALS='FOLDER FOLDER' PAGE=--page"),
        Heading(1, "The race against published deciders"),
        Paragraph(
            "For whoever asks whether the answers of `lemmata can` agree with those of others. Two public lists of regular expressions have labels that nobody here wrote. "
            "`make race RIVALS='FOLDER FOLDER'` repeats the comparison where checkouts of them are given."
        ),
        Heading(2, "Labels"),
        Counts(
            ["list", "label", "agree", "differ"],
            [[repository[n], c, f"{agree[n, c, True]:,}", f"{agree[n, c, False]:,}"] for n, c in pairs],
        ),
        Heading(2, "Time"),
        Paragraph(
            "Milliseconds of processor for an expression on average, in one process of one core. The whole answer has all models, layers and witnesses. "
            "The decider of the first repository answers C-RASP alone."
        ),
        Counts(
            ["list", "expressions", "whole answer", "slowest", "replay of its witnesses", "C-RASP alone", "their decider"],
            [
                [
                    repository[n],
                    f"{len(seconds[n].whole):,}",
                    ms(sum(seconds[n].whole), n),
                    f"{1000 * max(seconds[n].whole):.0f}",
                    ms(seconds[n].replayed, n),
                    ms(seconds[n].alone, n),
                    ms(seconds[n].theirs, n),
                ]
                for n in names
            ],
        ),
        Paragraph(f"Of {replayed[True] + replayed[False]:,} witnesses, {replayed[False]} failed when the automaton alone replayed them."),
        Heading(2, "Differences"),
        Paragraph(
            "The labels R and R_infinity of the first list differ for the expressions below. Each begins with a starred group that begins with a starred letter. "
            "That repository requires pysemigroup 0.3b3, whose parser `from_easy_regex` reads another language there. It answers the word in the third column otherwise than the expression. "
            "For the language that it reads, our procedures give the labels of the list, so these seem to be labels of a misread expression. The C-RASP labels rest on another parser, and agree."
        ),
        Counts(
            ["expression", "labels that differ", "misread word", "witness against R_infinity, replayed"],
            [
                [
                    f"`{e.replace('|', chr(92) + '|')}`",
                    ", ".join(columns),
                    f"`{misread[e]}`" if e in misread else "not settled",
                    witness.get(e, ""),
                ]
                for e, columns in by_expression.items()
            ],
        ),
    ]


def main(arguments):
    folders = [Path(x) for x in arguments if x != "--page"]
    agree, seconds, differences, replayed = race(folders)
    blocks = document(agree, seconds, differences, replayed)
    if "--page" in arguments:
        page = Path(__file__).parents[1] / "docs" / "reference" / "race.md"
        page.write_text(markdown(blocks), encoding="utf-8")
    print(markdown(blocks))
    for name, column, expression, label, ours in differences:
        print(f"{name} {column}: the file says {label} of {expression}; {'no witness' if ours is None else ours}")
    unsettled = {e for _, _, e, _, _ in differences} - KNOWN["misread"].keys()
    if unsettled or replayed[False]:
        raise SystemExit(f"not settled: {', '.join(sorted(unsettled)) or 'witnesses that fail'}")


if __name__ == "__main__":
    main(sys.argv[1:])
