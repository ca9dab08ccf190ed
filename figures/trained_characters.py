"""The picture of the experiment ``experiments/characters.py`` (lizaire26, Fig. 9): bits per character against width and parameters, for each depth."""

from __future__ import annotations

import xarray as xr
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ..experiments.characters import KINDS, gains
from ..experiments.characters import outcome as outcome
from . import style
from .trained_depth import COLOURS, MARKERS

FINDING = "A play, letter by letter: what depth adds, in bits, in the median over sizes"


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Columns: stacks; rows: by width, and by parameters. Medians over the seeds, bars from the least to the largest; n-gram models beside them."""
    deepest = int(data.depth[-1])
    said = [
        f"{kind} {float(gains(data, 'width').sel(kind=kind, depth=deepest).median()):+.2f} at the same width, "
        f"{float(gains(data, 'parameters').sel(kind=kind, depth=deepest).median()):+.2f} at the same parameters"
        for kind in KINDS
    ]
    figure = style.new_figure(f"{FINDING} (depth {deepest} against 1)\n{'; '.join(said)}", 13, 8.5)
    axes = figure.subplots(2, len(KINDS), sharey=True, sharex="row")
    for matched, row in zip(("width", "parameters"), axes, strict=True):
        for kind, ax in zip(KINDS, row, strict=True):
            for depth, colour, marker in zip(data.depth.values, COLOURS, MARKERS, strict=False):
                at = data.sel(kind=kind, matched=matched, depth=depth)
                middle, low, high = at.bits.median("seed"), at.bits.min("seed"), at.bits.max("seed")
                bars = [middle - low, high - middle]
                ax.errorbar(at[matched], middle, yerr=bars, fmt=marker + "-", color=colour, ms=4.5, elinewidth=1, capsize=2)
            for order, found in zip(data.order.values, data.ngram.values, strict=True):
                if order:
                    ax.axhline(found, color="0.6", lw=1, ls=":")
                    ax.annotate(
                        f"{order} letters before", (0.99, found), xycoords=("axes fraction", "data"), ha="right", va="bottom", color="0.4"
                    )
            ax.set(title=f"{kind}: the same {matched}", xscale="log", xlabel=data[matched].attrs["long_name"])
        row[0].set_ylabel("bits per character, test")
    axes[0][0].set_xticks(data.base.values, [str(n) for n in data.base.values])
    axes[0][0].minorticks_off()
    figure.legend(handles=_legend(data), loc="outside lower center", ncols=5)
    return figure


def _legend(data: xr.Dataset) -> list[Line2D]:
    depths = [
        Line2D([], [], color=colour, marker=marker, ms=4.5, label=f"L = {k}")
        for k, colour, marker in zip(data.depth.values, COLOURS, MARKERS, strict=False)
    ]
    return [*depths, Line2D([], [], color="0.6", ls=":", label="n-gram models")]
