"""What training found, in docs/experiments and docs/reference/experiments.md: written from the declarations of the experiments and their stored data."""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..experiments import load, registered
from ..experiments.words import observations
from ..figures.kept import FOLDER
from ..papers import papers
from ..theorems.files import write_whole
from .docstrings import words
from .markdown import inline
from .where import ROOT, parsed

if TYPE_CHECKING:
    from ..experiments.experiment import Experiment

PAGE = ROOT / "docs" / "reference" / "experiments.md"
PAGES = ROOT / "docs" / "experiments"

#: the scale whose data are judged: that of every experiment with stored data
SCALE = "desk"

#: what is between these lines is written
BEGIN, END = "<!-- written by lemmata pin from the declarations and the stored data -->\n", "<!-- end -->\n"

#: the first line of a page that is written whole
MARK = "<!-- Written by `lemmata pin` from experiments/ and figures/data; do not edit. -->\n\n"

INTRODUCTION = (
    "For readers who compare {paper} with what training found here. Models are small and trained briefly.",
    "A failure is evidence only where no exact weights exist. Otherwise it is 'not reproduced at this scale'.",
    "*Here* says whether an observation holds in the stored data. *Proved* is what the claims say of it.",
)

HEAD = ("`lemmata train`", "what it shows", "of the paper", "data stored", "observations of the paper that hold")


def table(head: tuple[str, ...], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def stored(name: str) -> list[str]:
    """The scales whose data of an experiment are stored."""
    return [scale for scale in ("desk", "paper") if (FOLDER / f"{name}.{scale}.json.xz").is_file()]


def judged(name: str) -> tuple[Experiment, Any]:
    """An experiment and its stored data, with what the table of models predicts."""
    from ..figures.kept import kept
    from .train import with_prediction

    experiment = load(name)
    return experiment, with_prediction(experiment, kept(name, SCALE))


def tally(name: str) -> str:
    """How many of the paper's observations hold, each part of the data counted."""
    if SCALE not in stored(name):
        return "not trained"
    experiment, data = judged(name)
    answers = [held for o in experiment.observations if o.place for held, _ in o.answers(data).values()]
    return f"{sum(map(holds, answers))} of {len(answers)}" if answers else "none, it is new"


def holds(answer: str) -> bool:
    """Whether an answer is yes without a but: not "yes, median no"."""
    return answer.startswith("yes") and re.search(r"\bno\b|alike", answer) is None


def table_of_experiments() -> str:
    """A row for each experiment: its name, what it shows, its place in the paper, the stored data, and how many of the paper's observations hold."""
    rows = []
    for r in registered().values():
        place = "new" if r.name.startswith("new.") else r.place
        rows.append([f"`{r.name}`", inline(r.finding), place, ", ".join(stored(r.name)) or "none", tally(r.name)])
    return table(HEAD, rows)


def section(name: str) -> str:
    """What one experiment trains, what it found beside the paper and the claims, how, and what that does not say."""
    r = registered()[name]
    about = [words(text) for text in parsed(ROOT / "experiments" / f"{r.module}.py").body[0].value.value.split("\n\n")]  # type: ignore[attr-defined]
    parts = [f"## {inline(r.finding)}", f"`lemmata train {name} --scale {SCALE} --redraw` draws it: {r.place}.", *map(inline, about)]
    if SCALE in stored(name):
        parts += found(name)
    return "\n\n".join(part.strip() for part in parts)


def found(name: str) -> list[str]:
    """The table of the observations, and the lists of numbers and remarks."""
    experiment, data = judged(name)
    rows = []
    for o in experiment.observations:
        # what is the same for all parts stands in the first row alone
        shared = [inline(o.says), o.place or "-", linked(o.theory)]
        for part, (held, numbers) in o.answers(data).items():
            says, place, theory = shared
            rows.append([says, place, inline(part), inline(held), inline(numbers), theory])
            shared = ["", "", ""]
    rest = observations(experiment.rest(data)) if experiment.rest else []
    lists = [
        f"{title}:\n\n" + "\n".join(f"- {line}" for line in lines)
        for title, lines in (
            ("Numbers", [inline(line[:1].upper() + line[1:] + ".") for line in rest]),
            ("Remarks", list(map(inline, experiment.remarks))),
        )
        if lines
    ]
    return [table(("observation", "place", "of", "here", "numbers", "proved"), rows), *lists]


def linked(theory: str) -> str:
    """What is proved, with the claims as code."""
    return re.sub(r"\b((?:new|[a-z]+\d\d)\.[\w.-]*\w)", r"`\1`", inline(theory)) or "-"


def page(paper: str) -> str:
    """The page of a paper, or of what is new."""
    known = papers()
    title = known[paper].title if paper in known else "What is new"
    names = [name for name in registered() if name.split(".")[0] == paper]
    introduction = " ".join(INTRODUCTION).format(paper=paper if paper in known else "the claims")
    return MARK + "\n\n".join([f"# {title}: what training found", introduction, *map(section, names)]) + "\n"


def pages() -> dict[Path, str]:
    """The pages of all papers with an experiment, by file."""
    of_papers = dict.fromkeys(name.split(".")[0] for name in registered())
    return {PAGES / f"{paper}.md": page(paper) for paper in of_papers}


def with_table(text: str) -> str:
    """The page with the table as it should be. Raises ``ValueError`` for a page without a place for it."""
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"expected the lines {BEGIN.strip()} and {END.strip()}, got a page without")
    return f"{head}{begin}\n{table_of_experiments()}\n{end}{tail}"


def write_experiments(target: Path = PAGE) -> list[Path]:
    """Write the table and the pages anew; those that changed. Nothing where there is no such file, as in an installed package.

    The data are judged by the experiments, which need torch: without it all stays as it is.
    """
    if not target.is_file() or find_spec("torch") is None:
        return []
    wanted = {target: with_table(target.read_text(encoding="utf-8")), **pages()}
    changed = [path for path, text in wanted.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    for path in changed:
        write_whole(path, wanted[path])
    return [Path(os.path.relpath(path)) for path in changed]
