"""The picture of the experiment ``experiments/characters.py`` (lizaire26, Fig. 9): bits per character against width and parameters, for each depth."""

from __future__ import annotations

import xarray as xr
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ..experiments.characters import EXPERIMENT, KINDS, gains
from . import style
from .trained_depth import COLOURS, MARKERS

FINDING = EXPERIMENT.finding


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Columns: stacks; rows: by width, and by parameters. Medians over the seeds, bars from the least to the largest; n-gram models beside them."""
    deepest = int(data.depth[-1])
    figure = style.new_figure(f"{FINDING}, in bits per character, in the median over sizes (depth {deepest} against 1)", 13, 8.5)
    axes = figure.subplots(2, len(KINDS), sharey=True, sharex="row")
    for matched, row in zip(("width", "parameters"), axes, strict=True):
        for kind, ax in zip(KINDS, row, strict=True):
            for depth, colour, marker in zip(data.depth.values, COLOURS, MARKERS, strict=False):
                at = data.sel(kind=kind, matched=matched, depth=depth)
                middle, low, high = at.bits.median("seed"), at.bits.min("seed"), at.bits.max("seed")
                bars = [middle - low, high - middle]
                ax.errorbar(at[matched], middle, yerr=bars, fmt=marker + "-", color=colour, ms=4.5, elinewidth=1, capsize=2)
            for order, found in zip(data.order.values[1:], data.ngram.values[1:], strict=True):
                ax.axhline(found, color="0.6", lw=1, ls=":")
                if kind == KINDS[-1]:
                    ax.annotate(
                        f" {order} before", (1, found), xycoords=("axes fraction", "data"), va="center", color="0.4", annotation_clip=False
                    )
            gain = float(gains(data, matched).sel(kind=kind, depth=deepest).median())
            ax.set(
                title=f"{kind}, the same {matched}: {gain:+.2f}".replace("-", "\N{MINUS SIGN}"),
                xscale="log",
                xlabel=data[matched].attrs["long_name"],
            )
        row[0].set_ylabel("bits per character, test")
    for ax, ticks in ((axes[0][0], data.base.values.tolist()), (axes[1][0], [2500 * 2**k for k in range(10)])):
        low, high = ax.get_xlim()
        ax.set_xticks([n for n in ticks if low <= n <= high], [str(n) for n in ticks if low <= n <= high])
        ax.minorticks_off()
    figure.legend(handles=_legend(data), loc="outside lower center", ncols=5)
    return figure


def _legend(data: xr.Dataset) -> list[Line2D]:
    depths = [
        Line2D([], [], color=colour, marker=marker, ms=4.5, label=f"L = {k}")
        for k, colour, marker in zip(data.depth.values, COLOURS, MARKERS, strict=False)
    ]
    return [*depths, Line2D([], [], color="0.6", ls=":", label="n-gram models, by the letters before")]
