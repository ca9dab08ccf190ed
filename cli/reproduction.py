"""The page of the papers' trained figures and tables, ``docs/reference/reproduction.md``: written from the list and the data in ``experiments``.

Each row has a page of its own, written by ``reproduction_rows``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..experiments.criteria import Values
from ..experiments.judged import Verdict, certified, judge, minutes, reproduced
from ..experiments.reproduction import Listed, Row, listed
from ..figures.rows import kept_row, stored
from .reference import table

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class Result:
    """What was found of a row: its data, sentence by sentence, core-minutes of the judged networks and of the others, what is certified."""

    data: xr.Dataset
    verdicts: list[Verdict]
    minutes: tuple[float, float]
    certified: str

    @property
    def said(self) -> str:
        """Whether the row is reproduced."""
        return "reproduced" if reproduced(self.verdicts) else "not reproduced"


def result(row: Row) -> Result | None:
    """What the stored data of a row say; None where nothing is stored."""
    if not stored(row.id):
        return None
    data = kept_row(row.id)
    return Result(data, judge(row, data), minutes(data), certified(data))


def overview(found: Listed | None = None) -> str:
    """The page of all rows, without the line that says who wrote it."""
    given = found or listed()
    results = {row.id: result(row) for row in given.rows.values()}
    parts = [
        "# The papers' trained figures and tables, and what became of each",
        "For readers of the papers who want to know which figures of small trained networks are reproduced here. Each row has a page of its own.",
        "A row is a figure or a table that shows small trained networks. Its sentences are the paper's. "
        "Each has a criterion, and criteria do not move after a run. A row is reproduced if all its deciding sentences hold.",
        "The settings were chosen after trials of our own, whose networks do not count.",
        "Intervals are those of the difference of means at 95 %, over at least five seeds. An ordered criterion fails when its sides are swapped. "
        "A threshold needs both sides. No difference means that the interval lies within a margin, so that a difference of that size would be seen.",
        *_results(given, results),
        "## All rows",
        table(["row", "place", "kind", "core-minutes planned", "on other data"], [_line(row) for row in given.rows.values()]),
        "Core-minutes are for the run that is kept; tuning may take as many again, and is counted apart.",
        "## Beside the rows",
        table(["experiment", "question"], [[f"`{b.experiment}`", b.says] for b in given.beside]),
        "## Out of scope",
        table(["paper", "place", "what it is"], [[f"`{o.paper}`", o.place, o.what] for o in given.outside]),
    ]
    return "\n\n".join(parts) + "\n"


def link(row: Row) -> str:
    """A row's name, as a link to its page."""
    return f"[`{row.id}`](reproduction/{row.id}.md)"


def _results(given: Listed, results: Mapping[str, Result | None]) -> list[str]:
    """What was found so far: a line for each row that was run."""
    ran = {name: found for name, found in results.items() if found is not None}
    count = sum(reproduced(found.verdicts) for found in ran.values())
    left = [link(given.rows[name]) for name, found in results.items() if found is None]
    head = [
        "row",
        "what decides",
        "the paper's difference",
        "ours, with its interval",
        "core-minutes",
        "of the choice of rates",
        "certified",
        "outcome",
    ]
    return [
        "## Results",
        f"{len(ran)} of {len(results)} rows were run at desk scale. {count} are reproduced. "
        "`lemmata reproduce ROW` runs a row, and `--redraw` draws what is stored.",
        table(head, [_result(given.rows[name], found) for name, found in ran.items()]),
        "A rate was chosen for each cell by the median of its seeds on validation words. Where a row's settings say so, pilot seeds chose it before the run. Networks at other rates count as tuning. "
        "Core-minutes are those of one thread on a busy machine.",
        "*Certified* is what `lemmata certify` says of trained networks of regular tasks.",
        f"Not run at this scale yet: {', '.join(left)}." if left else "Every row was run.",
    ]


def _result(row: Row, found: Result) -> list[str]:
    decide = [v for v in found.verdicts if v.sentence.decides]
    criteria = [v.sentence.criterion for v in decide]
    papers_own = [f"{c.paper[0] - c.paper[1]:.3g}" if isinstance(c, Values) else "-" for c in criteria]
    kept_run, others = found.minutes
    return [
        link(row),
        "; ".join(c.says for c in criteria),
        "; ".join(papers_own),
        "; ".join(map(difference, decide)),
        f"{kept_run:.1f}",
        f"{others:.1f}",
        found.certified,
        found.said + (" on other data" if row.training.substitute and reproduced(found.verdicts) else ""),
    ]


def difference(v: Verdict) -> str:
    """The difference of the two sides with its interval."""
    return "not trained" if v.judged is None else f"{v.judged.difference:.3g} ({v.judged.low:.3g} to {v.judged.high:.3g})"


def _line(row: Row) -> list[str]:
    return [link(row), row.place, row.kind, str(row.training.minutes), row.training.substitute or "-"]
