"""The picture of the experiment ``experiments/copying.py`` (movahedi25, Table 2): what sees the output before, and how well a Bedouin layer copies."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from ..experiments.copying import EXPERIMENT, LETTERS, TABLE
from . import style

FINDING = EXPERIMENT.finding


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Accuracy at the trained length and at twice that, median and range of the seeds, beside the paper's; and the passes."""
    figure = style.new_figure(FINDING, 13.0, 5.6)
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    trained = data.attrs["longest"]
    for ax, values in ((left, data.accuracy), (right, data.passes.sel(row=TABLE))):
        place = np.arange(values.sizes["row"])
        for i, (times, colour, marker) in enumerate(zip(data.times.values, (style.BLUE, style.VERMILION), "os", strict=True)):
            at = values.sel(times=times)
            middle = at.median("seed")
            spread = np.abs(np.stack([at.min("seed"), at.max("seed")]) - middle.values)
            ax.errorbar(place + 0.2 * i - 0.1, middle, spread, fmt=marker, color=colour, capsize=3, label=f"{times * trained} letters")
        ax.set_xticks(place, [str(d) for d in values.row.values], rotation=35, ha="right", fontsize=9)
        ax.set(xlabel="what sees the output before")
    left.plot(np.arange(data.sizes["row"]), data.paper, "D", mfc="none", color=style.BLACK, label="the paper, 100 letters, trained to 50")
    left.axhline(1 / LETTERS, color=style.BLACK, ls=":", lw=1, label="guessing, here")
    left.axvline(len(TABLE) - 0.5, color=style.PALE, lw=2)
    left.set(ylabel="share of letters copied right", ylim=(0, 1.04), xlabel="what sees the output before; right of the line others")
    right.set(ylabel="passes to a change below a tenth", ylim=(0, None))
    handles, labels = left.get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=4,
        fontsize=9,
        title=f"trained up to {trained} letters; median, least and greatest of the seeds",
        title_fontsize=9,
    )
    return figure
