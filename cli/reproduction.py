"""The page of the papers' trained figures and tables, ``docs/reference/reproduction.md``: written from the list in ``experiments``."""

from __future__ import annotations

from ..experiments.criteria import Values
from ..experiments.reproduction import SETTINGS, Listed, Row, Sentence, Training, listed
from ..papers import papers
from .reference import table


def page(found: Listed | None = None) -> str:
    """The page, without the line that says who wrote it."""
    given = found or listed()
    parts = [
        "# The papers' trained figures and tables, and how each is judged",
        "For readers who want to know what counts as reproduced, before they see a result.",
        "A row is a figure or a table that shows small trained networks. Its sentences are the paper's. "
        "Each has a criterion, and criteria do not move after a run. A row is reproduced if all its deciding sentences hold.",
        "The settings were chosen after trials of our own, whose networks do not count.",
        "Intervals are those of the difference of means at 95 %, over at least five seeds. An ordered criterion fails when its sides are swapped. "
        "A threshold needs both sides. No difference means that the interval lies within a margin, so that a difference of that size would be seen.",
        table(["row", "place", "kind", "core-minutes planned", "on other data"], [_line(row) for row in given.rows.values()]),
        "Core-minutes are for the run that is kept; tuning may take as many again, and is counted apart.",
    ]
    for key in dict.fromkeys(row.paper for row in given.rows.values()):
        parts.append(f"## {papers()[key].short or papers()[key].title}")
        for row in (row for row in given.rows.values() if row.paper == key):
            parts += [f"### `{row.id}`", f"Compared: {row.measure}. Trained as [{row.training.name}](#training-{row.training.name})."]
            parts.append(table(["place", "the paper", "its values", "criterion", "decides"], [_sentence(s) for s in row.sentences]))
    parts.append("## How the rows are trained")
    parts.append(
        "The paper's settings stand with their places, and ours with a reason for each difference. Where the paper is silent, the place is empty."
    )
    for name, training in given.training.items():
        parts += [f"### Training: {name}", _settings(training)]
    parts += [
        "## Beside the rows",
        table(["experiment", "question"], [[f"`{b.experiment}`", b.says] for b in given.beside]),
        "## Out of scope",
        table(["paper", "place", "what it is"], [[f"`{o.paper}`", o.place, o.what] for o in given.outside]),
    ]
    return "\n\n".join(parts) + "\n"


def _line(row: Row) -> list[str]:
    return [f"`{row.id}`", row.place, row.kind, str(row.training.minutes), row.training.substitute or "-"]


def _sentence(s: Sentence) -> list[str]:
    criterion = s.criterion
    values = f"{criterion.paper[0]:g} and {criterion.paper[1]:g}" if isinstance(criterion, Values) else "-"
    statistic = f" ({criterion.of} of the seeds)" if isinstance(criterion, Values) else ""
    judged = f"not judged: {s.cannot}" if s.cannot else f"{criterion.says}{statistic}"
    return [s.place, f"“{s.words}”", values, judged, "yes" if s.decides else "no"]


def _settings(training: Training) -> str:
    rows = [
        [title, s.paper, s.place or "-", s.here, s.why or "-"]
        for title, s in zip(SETTINGS.values(), training.settings.values(), strict=True)
    ]
    return table(["setting", "paper", "place", "desk scale", "reason"], rows)
