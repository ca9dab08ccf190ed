"""The picture of a row: of each sentence that was judged the two sides, seed by seed, with their intervals and what the criterion says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from ..experiments.criteria import LEVEL
from ..experiments.judged import Verdict, names_of, reproduced
from . import style
from .kept import file_name, kept

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..experiments.reproduction import Row

#: the rows that are kept with the project
FOLDER = Path(__file__).parents[1] / "experiments" / "data"

#: the scale of a row's data, as in their files
SCALE = "desk"

#: inches of a picture: its width, that of its title and legend together, of each sentence
WIDTH, HEAD, EACH = 10.0, 1.2, 1.05

#: letters of a line of a title, of a label below, and of one on the left; how far dots are apart, so that equal ones are seen
LINE, NARROW, LABEL, APART = 80, 70, 52, 0.08


def kept_row(name: str) -> xr.Dataset:
    """The stored data of a row. Raises ``ValueError`` if there are none."""
    return kept(name, SCALE, FOLDER)


def stored(name: str) -> bool:
    """Whether the data of a row are stored."""
    return (FOLDER / file_name(name, SCALE)).is_file()


def finding(row: Row, verdicts: Sequence[Verdict]) -> str:
    """What the row's data show, in a sentence."""
    from ..experiments.desk import plan

    yes, no = plan(row).findings[row.id]
    return yes if reproduced(verdicts) else no


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The mean of a side less and plus half of its interval."""
    half = float(stats.t.ppf((1 + LEVEL) / 2, len(values) - 1)) * float(np.std(values, ddof=1)) / len(values) ** 0.5
    return float(np.mean(values)) - half, float(np.mean(values)) + half


@style.styled()
def draw(row: Row, verdicts: Sequence[Verdict]) -> Figure:
    """A panel for each sentence that was judged; those that decide come first, in bold."""
    shown = sorted((v for v in verdicts if v.judged is not None), key=lambda v: not v.sentence.decides)
    figure = style.new_figure(fill(finding(row, verdicts), LINE), WIDTH, HEAD + EACH * len(shown))
    axes = figure.subplots(len(shown), 1, squeeze=False)[:, 0]
    for ax, verdict in zip(axes, shown, strict=True):
        _panel(ax, verdict)
    axes[-1].set_xlabel(fill(f"{row.measure}; dots: seeds, bars: means and intervals at {LEVEL:.0%}", NARROW))
    return figure


def _panel(ax: Axes, verdict: Verdict) -> None:
    """The two sides of a sentence, the first above."""
    assert verdict.sides is not None
    assert verdict.judged is not None
    for y, values, colour, marker in ((1, verdict.sides[0], style.BLUE, "o"), (0, verdict.sides[1], style.VERMILION, "s")):
        ax.plot(values, y + APART * (np.arange(len(values)) - (len(values) - 1) / 2), marker, color=colour, mfc="none", ms=6)
        ax.plot(interval(values), [y, y], "-", color=colour, lw=3, alpha=0.5)
        ax.plot([np.mean(values)], [y], "|", color=colour, ms=16, mew=2.5)
    ax.set_yticks([1, 0], [fill(name, LABEL) for name in names_of(verdict.sentence)], fontsize=8)
    ax.set_ylim(-0.6, 1.6)
    ax.grid(visible=False, axis="y")
    j = verdict.judged
    title = (
        f"{verdict.sentence.place}: {'holds' if j.holds else 'does not hold'}, difference {j.difference:.3g} ({j.low:.3g} to {j.high:.3g})"
    )
    ax.set_title(title, loc="left", fontsize=10, fontweight="bold" if verdict.sentence.decides else "normal")


def files(row: Row, verdicts: Sequence[Verdict]) -> dict[str, bytes]:
    """The pictures of a row, by the names of their files."""
    from . import saved

    figure = draw(row, verdicts)
    return {f"{row.id}.{suffix}": saved(figure, suffix) for suffix in ("png", "svg")}
