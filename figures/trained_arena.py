"""The picture of the experiment ``experiments/arena.py`` (lizaire26, Table 1): accuracies against the number of layers, at one number of parameters."""

from __future__ import annotations

import xarray as xr
from matplotlib.figure import Figure

from ..experiments.arena import EXPERIMENT, gains
from . import style

FINDING = EXPERIMENT.finding

NAMES = {"images": "digits, pixel by pixel", "listops": "ListOps", "pathfinder": "Pathfinder"}


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """A panel for each task: medians over the seeds, bars from the least to the largest, and the share of the most frequent answer."""
    figure = style.new_figure(f"{FINDING}: gains from depth, by task", 12, 4.2)
    axes = figure.subplots(1, data.sizes["task"], sharey=True)
    for task, ax in zip(data.task.values, axes, strict=True):
        at = data.sel(task=task)
        middle, low, high = at.accuracy.median("seed"), at.accuracy.min("seed"), at.accuracy.max("seed")
        ax.errorbar(
            at.depth, middle, yerr=[middle - low, high - middle], fmt="o-", color=style.BLUE, capsize=2, elinewidth=1, label="trained"
        )
        ax.axhline(float(at.guess), color="0.5", lw=1, ls="--", label="always the most frequent answer")
        ax.set(title=f"{NAMES[str(task)]}: {gains(data, str(task))}", xlabel="layers", ylim=(0, 1.02))
        ax.set_xticks(at.depth.values)
    axes[0].set_ylabel("share of right answers, test")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure
