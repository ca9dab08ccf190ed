"""The picture of the experiment ``experiments/ranges.py`` (grazzi25, Figs. 1 and 4): accuracy against length beside what is predicted and possible."""

from __future__ import annotations

import xarray as xr
from matplotlib.figure import Figure

from ..experiments.ranges import outcome as outcome
from . import style

FINDING = "One layer, trained on short words: what the range of the eigenvalues lets it learn"

TITLES = {"parity": "parity", "S3.swaps": "$S_3$, letters: swaps and ()", "S3": "$S_3$, all six letters"}
COLOURS = (style.ORANGE, style.VERMILION, style.SKY, style.BLUE, style.GREEN)
#: what the table says, in the legend
WORDS = {"yes": "possible", "no": "impossible", "open": "open"}


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """A panel for each task: the best seed of each layer, bands over all seeds, and the compiled network; the legend says what is predicted."""
    figure = style.new_figure(FINDING, 13.5, 5.6)
    panels = figure.subplots(1, data.sizes["task"], sharey=True)
    for ax, task in zip(panels, data.task.values, strict=True):
        ax.plot(data.length, data.compiled.sel(task=task), "--", color=style.BLACK, label="compiled network")
        for layer, colour, marker in zip(data.layer.values, COLOURS, "os^Dv", strict=True):
            accuracy = data.accuracy.sel(task=task, layer=layer)
            label = f"{layer}: {WORDS[str(data.predicted.sel(task=task, layer=layer).item())]}"
            ax.plot(data.length, accuracy.max("seed"), marker + "-", color=colour, ms=4, label=label)
            ax.fill_between(data.length, accuracy.min("seed"), accuracy.max("seed"), color=colour, alpha=0.15, lw=0)
        ax.axvline(data.attrs["longest"], color=style.PURPLE, lw=1)
        ax.set_xscale("log", base=2)
        ax.set_xticks(ticks := [2**k for k in range(10) if 2**k <= data.length[-1]], [str(n) for n in ticks])
        ax.set(title=TITLES[str(task)], xlabel="length of the word (letters)", ylim=(0, 1.04))
        ax.legend(
            loc="upper center", bbox_to_anchor=(0.5, -0.16), fontsize=9, title="in exact arithmetic, with one layer:", title_fontsize=9
        )
    panels[0].set_ylabel("share of right answers")
    panels[0].text(data.attrs["longest"] * 0.94, 0.04, "trained up to here", color=style.PURPLE, fontsize=9, ha="right")
    return figure
