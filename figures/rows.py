"""The picture of a row as an SVG: of each sentence that was judged the two sides, seed by seed, with their intervals and what the criterion asks.

It is drawn without Matplotlib, so that the site and the reference pages draw it when they are made. Letters are 15 units high at least and the picture is
600 wide, so that it can be read on a telephone. Blue circles and vermilion squares tell the sides apart, in the light and in the dark.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from math import floor, log10
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

import numpy as np
from scipy import stats

from ..experiments.criteria import LEVEL, Criterion, Same, Threshold, Values
from ..experiments.judged import Verdict, names_of, reproduced
from .kept import file_name, kept

if TYPE_CHECKING:
    import xarray as xr

    from ..experiments.reproduction import Row

#: the experiments, and the rows that are kept with the project
HERE = Path(__file__).parents[1] / "experiments"
FOLDER = HERE / "data"

#: the scale of a row's data, as in their files
SCALE = "desk"


def kept_row(name: str) -> xr.Dataset:
    """The stored data of a row. Raises ``ValueError`` if there are none."""
    return kept(name, SCALE, FOLDER)


def stored(name: str) -> bool:
    """Whether the data of a row are stored."""
    return (FOLDER / file_name(name, SCALE)).is_file()


@cache
def findings() -> dict[str, tuple[str, str]]:
    """Row -> its finding if it is reproduced and if not, as the plans in ``experiments/desk_*.py`` have them; read without importing PyTorch."""
    found = {}
    for path in sorted(HERE.glob("desk_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = dict(pair for node in tree.body if isinstance(node, ast.Assign) for pair in _constants(node))
        for node in ast.walk(tree):
            if isinstance(node, ast.keyword) and node.arg == "findings" and isinstance(node.value, ast.Dict):
                keys = [names[key.id] if isinstance(key, ast.Name) else ast.literal_eval(key) for key in node.value.keys if key]
                found |= dict(zip(keys, map(ast.literal_eval, node.value.values), strict=True))
    return found


def _constants(node: ast.Assign) -> list[tuple[str, str]]:
    """The names that a line gives to texts, and the texts: of A = "a", and of A, B = "a", "b"."""
    target, value = node.targets[0], node.value
    targets, values = (target.elts, value.elts) if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) else ([target], [value])
    pairs = zip(targets, values, strict=False)
    return [(t.id, v.value) for t, v in pairs if isinstance(t, ast.Name) and isinstance(v, ast.Constant) and isinstance(v.value, str)]


def finding(row: Row, verdicts: Sequence[Verdict]) -> str:
    """What the row's data show, in a sentence."""
    yes, no = findings()[row.id]
    return yes if reproduced(verdicts) else no


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The mean of a side less and plus half of its interval."""
    half = float(stats.t.ppf((1 + LEVEL) / 2, len(values) - 1)) * float(np.std(values, ddof=1)) / len(values) ** 0.5
    return float(np.mean(values)) - half, float(np.mean(values)) + half


def signed(x: float, digits: int = 3) -> str:
    """A number with so many digits and a proper minus."""
    return f"−{-x:.{digits}g}" if x < 0 else f"{x:.{digits}g}"


def needed(criterion: Criterion) -> str:
    """What a criterion asks of the difference, or of the two sides."""
    if isinstance(criterion, Values):
        return f"needed: {criterion.needed:.3g}"
    if isinstance(criterion, Same):
        return f"needed: an interval within {criterion.margin:g} of 0"
    if isinstance(criterion, Threshold):
        least, most = ("least", "most") if criterion.sign > 0 else ("most", "least")
        return f"needed: medians of at {least} {criterion.enough:g} and at {most} {criterion.short:g} (dotted)"
    return f"needed: {criterion.least:g}, and an interval above 0"


#: units: the width of the picture and of its margins, heights of its letters and of a strip of dots
WIDTH, SIDE, TITLE, TEXT, TICK, STRIP = 600, 14, 20, 16, 15, 34

#: the width of a letter over its height, at most: of bold ones, and of others
BOLD, LETTER = 0.63, 0.56

#: the space of an interval [a, b]
BETWEEN = re.compile(r"(?<=\d), (?=\d+\])")

#: the least share of the whole span that a panel has to fill to be drawn on the axis of all
SHARE = 0.12

STYLE = """
svg { background: #ffffff } text { font: 16px system-ui, sans-serif; fill: #1f2328 } .title { font-size: 20px; font-weight: 600 } .bold { font-weight: 600 }
.small { font-size: 15px; fill: #59636e } .grid { stroke: #d1d9e0 } .axis { stroke: #59636e } .limit { stroke-width: 2; stroke-dasharray: 2 4 }
.one { stroke: #0072b2 } .other { stroke: #d55e00 } .dot { fill: none; stroke-width: 2 } .bar { stroke-width: 8; opacity: 0.35 } .mean { stroke-width: 3 }
@media (prefers-color-scheme: dark) {
  svg { background: #0d1117 } text { fill: #f0f6fc } .small { fill: #9198a1 } .grid { stroke: #3d444d } .axis { stroke: #9198a1 }
  .one { stroke: #56b4e9 } .other { stroke: #e69f00 }
}
""".strip()


@dataclass
class Sheet:
    """The lines of an SVG from the top down; ``y`` is where the next one begins."""

    y: float = SIDE
    lines: list[str] = field(default_factory=list)

    def words(self, text: str, kind: str = "", size: int = TEXT, x: float = SIDE) -> None:
        """Text, on as many lines as it takes; an interval [a, b] stays on one."""
        text = BETWEEN.sub(",\N{NO-BREAK SPACE}", text)
        wide = (BOLD if kind in ("title", "bold") else LETTER) * size
        for line in wrap(text, int((WIDTH - SIDE - x) / wide)):
            self.y += size * 1.3
            self.lines.append(f'<text{_class(kind)} x="{_n(x)}" y="{_n(self.y - size * 0.3)}">{escape(line)}</text>')

    def line(self, kind: str, x1: float, y1: float, x2: float, y2: float) -> None:
        self.lines.append(f'<line{_class(kind)} x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}"/>')

    def dot(self, kind: str, x: float, y: float) -> None:
        """A circle for the first side, a square for the other."""
        shape = (
            f'circle cx="{_n(x)}" cy="{_n(y)}" r="5"' if kind == "one" else f'rect x="{_n(x - 4.5)}" y="{_n(y - 4.5)}" width="9" height="9"'
        )
        self.lines.append(f'<{shape} class="dot {kind}"/>')


def _n(x: float) -> str:
    """A coordinate to a tenth of a unit, the same on every processor."""
    return f"{x + 0.0:.1f}".removesuffix(".0")


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


def draw(row: Row, verdicts: Sequence[Verdict]) -> str:
    """The picture. Sentences that decide come first, in bold. Raises ``ValueError`` if none was judged."""
    shown = sorted((v for v in verdicts if v.judged is not None), key=lambda v: not v.sentence.decides)
    if not shown:
        raise ValueError(f"expected a sentence of {row.id} that was judged, got none")
    title, sheet = finding(row, verdicts), Sheet()
    sheet.words(title, "title", TITLE)
    sheet.y += 4
    sheet.words(
        f"{row.measure[:1].upper()}{row.measure[1:]}. A mark is a seed; bars are means with intervals at {LEVEL:.0%}.", "small", TICK
    )
    spans = [_span(v) for v in shown]
    whole = min(low for low, _ in spans), max(high for _, high in spans)
    for verdict, span in zip(shown, spans, strict=True):
        _panel(sheet, verdict, whole if _shared(span, whole) else span)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {_n(sheet.y + SIDE)}" width="{WIDTH}" height="{_n(sheet.y + SIDE)}" role="img" aria-labelledby="title">'
    return "\n".join([head, f'<title id="title">{escape(title)}</title>', f"<style>{STYLE}</style>", *sheet.lines, "</svg>"]) + "\n"


def _span(verdict: Verdict) -> tuple[float, float]:
    """The least and the largest number of a panel."""
    assert verdict.sides is not None
    c = verdict.sentence.criterion
    limits = [c.enough, c.short] if isinstance(c, Threshold) else []
    all_of = [x for side in verdict.sides for x in (*side, *interval(side))] + limits
    return min(all_of), max(all_of)


def _shared(span: tuple[float, float], whole: tuple[float, float]) -> bool:
    """Whether a panel is drawn on the axis of all: a point is, and what fills enough of it."""
    return span[0] == span[1] or span[1] - span[0] >= SHARE * (whole[1] - whole[0])


def ticks(low: float, high: float) -> list[float]:
    """Round numbers within an axis, three to seven.

    >>> ticks(0, 1)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    rough = (high - low) / 6
    power = 10.0 ** floor(log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough * (1 - 1e-9))
    first, last = -floor(-low / step + 1e-9), floor(high / step + 1e-9)
    return [float(f"{k * step:.12g}") for k in range(first, last + 1)]


def _panel(sheet: Sheet, verdict: Verdict, span: tuple[float, float]) -> None:
    """A sentence: where it stands and whether it holds, the difference and what is needed, its two sides, the first above."""
    assert verdict.sides is not None
    assert verdict.judged is not None
    j, criterion = verdict.judged, verdict.sentence.criterion
    sheet.y += 22
    sheet.words(f"{verdict.sentence.place}: {'holds' if j.holds else 'does not hold'}", "bold" if verdict.sentence.decides else "", TEXT)
    sheet.words(f"difference {signed(j.difference)} ({signed(j.low)} to {signed(j.high)})", "small", TICK)
    sheet.words(needed(criterion), "small", TICK)
    low, high = span if span[0] < span[1] else (span[0] - 0.5, span[1] + 0.5)
    place = lambda x: 2 * SIDE + (x - low) / (high - low) * (WIDTH - 4 * SIDE)  # noqa: E731
    top, at = sheet.y + 6, len(sheet.lines)
    limits = (criterion.enough, criterion.short) if isinstance(criterion, Threshold) else (None, None)
    for kind, name, values, limit in zip(("one", "other"), names_of(verdict.sentence), verdict.sides, limits, strict=True):
        sheet.y += 6
        sheet.dot(kind, SIDE + 6, sheet.y + TEXT * 0.72)
        sheet.words(name, x=SIDE + 20)
        _strip(sheet, kind, [place(x) for x in values], [place(x) for x in interval(values)], None if limit is None else place(limit))
    marks = ticks(low, high)
    grid = Sheet()
    for x in map(place, marks):
        grid.line("grid", x, top, x, sheet.y)
    sheet.lines[at:at] = grid.lines
    sheet.line("axis", SIDE, sheet.y, WIDTH - SIDE, sheet.y)
    sheet.y += TICK * 1.3
    for mark in marks:
        sheet.lines.append(f'<text class="small" x="{_n(place(mark))}" y="{_n(sheet.y - 2)}" text-anchor="middle">{signed(mark, 6)}</text>')


def _strip(sheet: Sheet, kind: str, dots: list[float], bar: list[float], limit: float | None) -> None:
    """The seeds of a side, apart from one another, with its mean and interval."""
    middle = sheet.y + STRIP / 2
    sheet.line(f"bar {kind}", bar[0], middle, bar[1], middle)
    if limit is not None:
        sheet.line(f"limit {kind}", limit, sheet.y, limit, sheet.y + STRIP)
    for i, x in enumerate(dots):
        sheet.dot(kind, x, middle + (STRIP - 14) * ((i + 0.5) / len(dots) - 0.5))
    mean = sum(bar) / 2
    sheet.line(f"mean {kind}", mean, middle - 13, mean, middle + 13)
    sheet.y += STRIP + 2


def files(row: Row, verdicts: Sequence[Verdict]) -> dict[str, bytes]:
    """The picture of a row, by the name of its file."""
    return {f"{row.id}.svg": draw(row, verdicts).encode()}
