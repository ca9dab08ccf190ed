"""The picture of the experiment ``experiments/iterations.py`` (movahedi25, Fig. 1): passes in training, and which gradient."""

from __future__ import annotations

import xarray as xr
from matplotlib.figure import Figure

from ..experiments.iterations import BOUNDS, EXPERIMENT
from . import style

FINDING = EXPERIMENT.finding

COLOURS = ("#999999", style.ORANGE, style.GREEN, style.SKY, style.BLUE, style.VERMILION, style.PURPLE, style.BLACK)


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Accuracy with as many passes as in training, and at the fixed point: best seed, and thin all seeds."""
    figure = style.new_figure(FINDING, 12.5, 5.6)
    panels = figure.subplots(1, 2, sharey=True)
    for ax, shown, title in zip(
        panels, (data.accuracy, data.settled), ("with as many passes as in training", "at the fixed point"), strict=True
    ):
        for i, (name, colour, marker) in enumerate(zip(BOUNDS, COLOURS, "ov^D<sP*", strict=True)):
            accuracy = shown.sel(bound=name)
            ax.plot(data.length, accuracy.max("seed"), marker + "-", color=colour, ms=5, markevery=slice(i, None, 8), label=name)
            ax.plot(data.length, accuracy.transpose("length", "seed"), color=colour, lw=0.7, alpha=0.5)
        ax.axvline(data.attrs["longest"], color=style.PURPLE, lw=1)
        ax.text(data.attrs["longest"] + 0.5, 0.95, "trained up to here", color=style.PURPLE, fontsize=9)
        ax.set(title=f"tested {title}", xlabel="length of the word (letters)", ylim=(0, 1.04))
    panels[0].set_ylabel("share of right answers")
    figure.legend(
        *panels[0].get_legend_handles_labels(),
        loc="outside lower center",
        ncols=4,
        fontsize=9,
        title="in training (best seed with markers, others thin):",
        title_fontsize=9,
    )
    return figure
