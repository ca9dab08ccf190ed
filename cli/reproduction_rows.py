"""The page of each of the papers' trained figures and tables, ``docs/reference/reproduction/ROW.md``, and its picture beside it.

A page describes the paper's picture in words, shows ours, and says how it was judged. It is written from ``experiments/reproduction.toml`` and the stored data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..experiments.criteria import Values
from ..experiments.judged import Found, Verdict, names_of
from ..experiments.reproduction import SETTINGS, Row, Sentence, listed
from ..figures.rows import draw, finding, findings, signed
from ..papers import papers
from .reference import table
from .reproduction import Result, difference, result

#: of the table of a row's sentences
HEAD = ["place", "the paper", "criterion, set before the run", "decides", "paper's values", "difference here", "holds here"]

#: numbers of a network that another part of the page has
ELSEWHERE = ("certify", "wrong word")


def files() -> dict[str, str]:
    """The page of every row, and the picture of every row that was run, by the names of their files."""
    found = {}
    for row in listed().rows.values():
        ran = result(row)
        found[f"{row.id}.md"] = page(row, ran)
        if ran is not None:
            found[f"{row.id}.svg"] = draw(row, ran.verdicts)
    return found


def page(row: Row, ran: Result | None) -> str:
    """The page of a row, without the line that says who wrote it."""
    paper = papers()[row.paper]
    parts = [
        f"# {finding(row, ran.verdicts)}" if ran else f"# {row.place} of {row.paper}, not run yet",
        f"For readers of `{row.paper}` who want to see a picture of the paper beside ours. [All rows](../reproduction.md).",
        f"- The paper: {paper.title}\n- Its place there: {row.place}",
        _outcome(row, ran),
        "## What the paper shows",
        row.picture,
        "## What we see",
        *(["This row was not run yet, so there is nothing to see."] if ran is None else _seen(row, ran)),
        "## How it is judged",
        "The words are the paper's. Criteria were written before the run and did not move. The row is reproduced if all that decide hold.",
        table(HEAD, [_sentence(s, v) for s, v in zip(row.sentences, _verdicts(row, ran), strict=True)]),
        *(["## What was tried", row.tried] if row.tried else []),
        "## Settings side by side",
        "The paper's settings stand with their places, ours with a reason for each difference. Where the paper is silent, the place is empty.",
        _settings(row),
        "## Draw it again, or run it",
        f"```console\n$ lemmata reproduce {row.id} --redraw --out rows   # from the stored data\n$ lemmata reproduce {row.id} --out rows            # train it anew\n```"
        if row.id in findings()
        else "There is no command for this row yet.",
    ]
    return "\n\n".join(parts) + "\n"


def _outcome(row: Row, ran: Result | None) -> str:
    """The verdict, and what it cost."""
    if ran is None:
        return f"**Not run at this scale yet.** {row.training.minutes} core-minutes are planned."
    other = f", on other data: {row.training.substitute}" if row.training.substitute else ""
    judged, tuned = ran.minutes
    spent = f"The run took {judged:.1f} core-minutes" + (f", and {tuned:.1f} more for the choice of rates." if tuned >= 0.05 else ".")
    return f"**{ran.said.capitalize()}{' at this scale' if ran.said != 'reproduced' else ''}**{other}. {spent}"


def _seen(row: Row, ran: Result) -> list[str]:
    """Our picture, its numbers, and every network behind them."""
    shown = [v for v in ran.verdicts if v.judged is not None]
    rows = [_sides(v) for v in sorted(shown, key=lambda v: not v.sentence.decides)]
    return [
        f"![Our picture: seeds, means and intervals of both sides of each criterion; numbers in the tables below]({row.id}.svg)",
        f"Compared: {row.measure}. Each number is the mean of the seeds, with the least and the greatest.",
        table(["place", "first side", "its seeds", "second side", "its seeds"], rows),
        "Every network that was trained, at the rate that its validation words chose. Here numbers are medians of the seeds.",
        _networks(ran),
        *(["What `lemmata certify` says of these networks:", _items(ran.certified)] if ran.certified != "-" else []),
    ]


def _items(text: str) -> str:
    """A list of what stands between semicolons."""
    return "\n".join(f"- {item}" for item in text.split("; "))


def _sides(v: Verdict) -> list[str]:
    """A line for a sentence: its two sides and their numbers."""
    assert v.sides is not None
    first, second = names_of(v.sentence)
    return [v.sentence.place, first, _spread(v.sides[0], np.mean), second, _spread(v.sides[1], np.mean)]


def _spread(values: Sequence[float], of: Callable[..., np.floating]) -> str:
    """The middle of some numbers, with the least and the greatest where they differ."""
    middle, least, most = float(of(values)), min(values), max(values)
    return signed(middle) if least == most else f"{signed(middle)} ({signed(least)} to {signed(most)})"


def _networks(ran: Result) -> str:
    """A line for each cell: its rate, its numbers, and the loss at the beginning and at the end of training."""
    data, of = ran.data, Found(ran.data)
    numbers = [str(n) for n in data.number.values if n not in ELSEWHERE]
    lines = []
    for cell in map(str, data.cell.values):
        i = of.rate(cell)
        loss = data.loss.sel(cell=cell).values[i]
        loss = loss[np.isfinite(loss)]
        found = [of(cell, n) for n in numbers]
        lines.append(
            [
                cell,
                str(max(map(len, found))),
                f"{float(data.tried.sel(cell=cell).values[i]):g}",
                *(_spread(x, np.median) if x else "-" for x in found),
                f"{signed(float(loss[0]))} to {signed(float(loss[-1]))}",
            ]
        )
    return table(["network", "seeds", "rate", *numbers, "loss, first to last part"], lines)


def _verdicts(row: Row, ran: Result | None) -> list[Verdict | None]:
    """What was found of each sentence of a row."""
    return [None] * len(row.sentences) if ran is None else list(ran.verdicts)


def _sentence(s: Sentence, found: Verdict | None) -> list[str]:
    """A line for a sentence: its words, its criterion, and what was found."""
    criterion = s.criterion
    values = f"{criterion.paper[0]:g} and {criterion.paper[1]:g}" if isinstance(criterion, Values) else "-"
    statistic = f" ({criterion.of} of the seeds)" if isinstance(criterion, Values) else ""
    judged = f"not judged: {s.cannot}" if s.cannot else f"{criterion.says}{statistic}"
    here = ["not trained", "-"]
    if found is not None and found.judged is not None:
        here = [difference(found), "holds" if found.judged.holds else "fails"]
    return [s.place, f"“{s.words}”", judged, "yes" if s.decides else "no", values, *here]


def _settings(row: Row) -> str:
    """The settings of the paper beside ours."""
    rows = [
        [title, s.paper, s.place or "-", s.here, s.why or "-"]
        for title, s in zip(SETTINGS.values(), row.training.settings.values(), strict=True)
    ]
    return table(["setting", "paper", "place", "desk scale", "reason"], rows)
