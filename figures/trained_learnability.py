"""The picture of the experiment ``experiments/learnability.py``: how far networks are right before and after training, from compiled to random weights."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from ..experiments.learnability import EXPERIMENT
from . import style

FINDING = EXPERIMENT.finding

TITLES = {"parity": "parity, one factor", "S3": "$S_3$, two factors", "A5": "$A_5$, two factors"}


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Above: letters up to which all test words are right; below: distance of the eigenvalues from the compiled ones. Medians and ranges of all seeds."""
    figure = style.new_figure(FINDING, 13.5, 7.5)
    panels = figure.subplots(2, data.sizes["task"], sharex=True, sharey="row", squeeze=False)
    series = [("before training", style.BLACK, "o", data.isel(rate=0).sel(when="before"))]
    for rate, colour, marker in zip(data.rate.values, (style.VERMILION, style.BLUE), "s^", strict=True):
        series.append((f"after, learning rate {rate:g}", colour, marker, data.sel(rate=rate, when="after")))
    at = np.arange(data.sizes["start"])
    for (above, below), task in zip(panels.T, data.task.values, strict=True):
        for i, (label, colour, marker, there) in enumerate(series):
            for ax, name in ((above, "right"), (below, "spectrum")):
                y = there[name].sel(task=task)
                middle = y.median("seed")
                spread = [middle - y.min("seed"), y.max("seed") - middle]
                ax.errorbar(at + (i - 1) * 0.2, middle, spread, fmt=marker, color=colour, capsize=3, label=label)
        above.set_yscale("symlog", linthresh=1)
        above.set_ylim(-0.2, data.attrs["tested"] * 2)
        above.axhline(data.attrs["longest"], color=style.PURPLE, lw=1)
        above.axhline(data.attrs["tested"], color=style.BLACK, lw=1, ls="--")
        above.set_title(TITLES[str(task)])
        below.set_yscale("log")
        below.set_xticks(at, ["compiled\n(1e-6)" if s == "at" else str(s) for s in data.start.values])
        below.set_xlabel("noise on the first weights")
    panels[0, 0].set_ylabel("right up to so many letters")
    panels[1, 0].set_ylabel("greatest distance of an\neigenvalue from the compiled")
    panels[0, -1].text(at[-1] + 0.4, data.attrs["longest"] * 1.1, "longest in training", color=style.PURPLE, fontsize=9, ha="right")
    panels[0, -1].text(at[-1] + 0.4, data.attrs["tested"] * 1.1, "longest test word", fontsize=9, ha="right")
    figure.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure
