"""Accuracy against the length of the word, a panel for each task: what experiments that train every task with every layer draw."""

from __future__ import annotations

from collections.abc import Mapping

import xarray as xr
from matplotlib.figure import Figure

from . import style

COLOURS = (style.ORANGE, style.VERMILION, style.SKY, style.BLUE, style.GREEN)
#: what the table says, in the legend
WORDS = {"yes": "possible", "no": "impossible", "open": "open"}


def against_length(data: xr.Dataset, finding: str, titles: Mapping[str, str], ylabel: str, width: float) -> Figure:
    """A panel for each task: the best seed of each layer, bands over all seeds, and the compiled network if there is one; what is ``predicted`` stands in the legend."""
    figure = style.new_figure(finding, width, 5.6)
    panels = figure.subplots(1, data.sizes["task"], sharey=True)
    for ax, task in zip(panels, data.task.values, strict=True):
        if (compiled := data.compiled.sel(task=task).dropna("length")).size:
            ax.plot(compiled.length, compiled, "--", color=style.BLACK, label="compiled network")
        for layer, colour, marker in zip(data.layer.values, COLOURS, "os^Dv", strict=False):
            accuracy = data.accuracy.sel(task=task, layer=layer).dropna("length")
            label = f"{layer}: {WORDS[str(data.predicted.sel(task=task, layer=layer).item())]}" if "predicted" in data else str(layer)
            ax.plot(accuracy.length, accuracy.max("seed"), marker + "-", color=colour, ms=4, label=label)
            ax.fill_between(accuracy.length, accuracy.min("seed"), accuracy.max("seed"), color=colour, alpha=0.15, lw=0)
        ax.axvline(data.attrs["longest"], color=style.PURPLE, lw=1, label="trained up to here")
        ax.set_xscale("log", base=2)
        ax.set_xticks(ticks := [2**k for k in range(10) if 2**k <= data.length[-1]], [str(n) for n in ticks])
        ax.set(title=titles[str(task)], xlabel="length of the word (letters)", ylim=(0, 1.04))
        heading = "in exact arithmetic, with one layer:" if "predicted" in data else None
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), fontsize=9, title=heading, title_fontsize=9)
    panels[0].set_ylabel(ylabel)
    return figure
