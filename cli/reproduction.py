"""The page of the papers' trained figures and tables, ``docs/reference/reproduction.md``: written from the list in ``experiments``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..experiments.criteria import Values
from ..experiments.judged import Verdict, certified, judge, minutes, reproduced
from ..experiments.reproduction import SETTINGS, Listed, Row, Sentence, Training, listed
from ..figures.kept import file_name, kept
from ..papers import papers
from .reference import table

#: the rows that are kept with the project, and the scale of their files
DATA, SCALE = Path(__file__).parents[1] / "experiments" / "data", "desk"


@dataclass(frozen=True)
class Result:
    """What was found of a row: sentence by sentence, core-minutes of the judged networks and of the others, what is certified."""

    verdicts: list[Verdict]
    minutes: tuple[float, float]
    certified: str

    @property
    def said(self) -> str:
        """Whether the row is reproduced."""
        return "reproduced" if reproduced(self.verdicts) else "not reproduced"


def result(row: Row, folder: Path = DATA) -> Result | None:
    """What the stored data of a row say; None where nothing is stored."""
    if not (folder / file_name(row.id, SCALE)).is_file():
        return None
    data = kept(row.id, SCALE, folder)
    return Result(judge(row, data), minutes(data), certified(data))


def page(found: Listed | None = None) -> str:
    """The page, without the line that says who wrote it."""
    given = found or listed()
    results = {row.id: result(row) for row in given.rows.values()}
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
        *_results(given, results),
    ]
    for key in dict.fromkeys(row.paper for row in given.rows.values()):
        parts.append(f"## {papers()[key].short or papers()[key].title}")
        for row in (row for row in given.rows.values() if row.paper == key):
            parts += [f"### `{row.id}`", f"Compared: {row.measure}. Trained as [{row.training.name}](#training-{row.training.name})."]
            parts.append(table(HEAD, [_sentence(s, v) for s, v in zip(row.sentences, _verdicts(row, results), strict=True)]))
            parts += [f"Tried: {row.tried}"] if row.tried else []
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


#: of the table of a row's sentences
HEAD = ["place", "the paper", "its values", "criterion", "decides", "difference here", "holds here"]


def _results(given: Listed, results: Mapping[str, Result | None]) -> list[str]:
    """What was found so far: a line for each row that was run."""
    ran = {name: found for name, found in results.items() if found is not None}
    count = sum(reproduced(found.verdicts) for found in ran.values())
    left = [f"`{name}`" for name, found in results.items() if found is None]
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
        f"`{row.id}`",
        "; ".join(c.says for c in criteria),
        "; ".join(papers_own),
        "; ".join(map(_difference, decide)),
        f"{kept_run:.1f}",
        f"{others:.1f}",
        found.certified,
        found.said + (" on other data" if row.training.substitute and reproduced(found.verdicts) else ""),
    ]


def _verdicts(row: Row, results: Mapping[str, Result | None]) -> list[Verdict | None]:
    """What was found of each sentence of a row."""
    found = results[row.id]
    return [None] * len(row.sentences) if found is None else list(found.verdicts)


def _difference(v: Verdict) -> str:
    """The difference of the two sides with its interval."""
    return "not trained" if v.judged is None else f"{v.judged.difference:.3g} ({v.judged.low:.3g} to {v.judged.high:.3g})"


def _line(row: Row) -> list[str]:
    return [f"`{row.id}`", row.place, row.kind, str(row.training.minutes), row.training.substitute or "-"]


def _sentence(s: Sentence, found: Verdict | None) -> list[str]:
    criterion = s.criterion
    values = f"{criterion.paper[0]:g} and {criterion.paper[1]:g}" if isinstance(criterion, Values) else "-"
    statistic = f" ({criterion.of} of the seeds)" if isinstance(criterion, Values) else ""
    judged = f"not judged: {s.cannot}" if s.cannot else f"{criterion.says}{statistic}"
    here = ["not trained", "-"]
    if found is not None and found.judged is not None:
        here = [_difference(found), "holds" if found.judged.holds else "fails"]
    return [s.place, f"“{s.words}”", values, judged, "yes" if s.decides else "no", *here]


def _settings(training: Training) -> str:
    rows = [
        [title, s.paper, s.place or "-", s.here, s.why or "-"]
        for title, s in zip(SETTINGS.values(), training.settings.values(), strict=True)
    ]
    return table(["setting", "paper", "place", "desk scale", "reason"], rows)
