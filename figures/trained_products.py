"""The picture of the experiment ``experiments/products.py`` (lizaire26, Fig. 8): parity and products of real numbers, errors after training against the width."""

from __future__ import annotations

import xarray as xr
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ..experiments.products import EXPERIMENT, KINDS, solved
from . import style
from .trained_depth import COLOURS, MARKERS

FINDING = EXPERIMENT.finding

NAMES = {"parity": "parity", "products": "real products"}


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Rows: tasks; columns: stacks. Medians over the seeds, bars from the least to the largest; pale: words twice as long."""
    counts = [(kind, int(solved(data).sel(kind=kind).sum())) for kind in KINDS]
    figure = style.new_figure(f"{FINDING}; sizes that learnt: {', '.join(f'{kind} {n}' for kind, n in counts)}", 13, 7)
    axes = figure.subplots(data.sizes["task"], len(KINDS), sharey=True, sharex=True)
    for row, task in zip(axes, data.task.values, strict=True):
        for ax, kind in zip(row, KINDS, strict=True):
            for depth, colour, marker in zip(data.depth.values, COLOURS, MARKERS, strict=False):
                at = data.sel(task=task, kind=kind, depth=depth)
                at = at.isel(width=at.error.notnull().all("seed").values)
                middle, low, high = at.error.median("seed"), at.error.min("seed"), at.error.max("seed")
                ax.errorbar(
                    at.width, middle, yerr=[middle - low, high - middle], fmt=marker + "-", color=colour, ms=4.5, elinewidth=1, capsize=2
                )
                ax.plot(at.width, at.longer.median("seed").clip(max=1.9), marker, color=colour, ms=4.5, mfc="none", alpha=0.6)
            ax.plot(data.width, data.possible.sel(task=task, kind=kind), ":", color=style.PURPLE)
            ax.axhline(1, color="0.6", lw=1)
            ax.set(title=f"{NAMES[str(task)]}: {kind}", xscale="log", ylim=(-0.08, 2))
            ax.set_xticks(data.width.values, [str(n) for n in data.width.values])
            ax.minorticks_off()
        row[0].set_ylabel("mean squared test error")
    for ax in axes[-1]:
        ax.set_xlabel("width n")
    figure.legend(handles=_legend(data), loc="outside lower center", ncols=6, fontsize=10)
    return figure


def _legend(data: xr.Dataset) -> list[Line2D]:
    T = data.attrs["length"]
    trained = [
        Line2D([], [], color=colour, marker=marker, ms=4.5, label=f"L = {k}, length {T}")
        for k, colour, marker in zip(data.depth.values, COLOURS, MARKERS, strict=False)
    ]
    return [
        *trained,
        Line2D([], [], color="0.4", marker="o", mfc="none", ls="", ms=4.5, label=f"length {2 * T} (cut at 1.9)"),
        Line2D([], [], color=style.PURPLE, ls=":", label=f"one layer, weights exist (length {T})"),
        Line2D([], [], color="0.6", lw=1, label="silent network"),
    ]
