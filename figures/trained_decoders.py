"""The picture of the experiment ``experiments/decoders.py`` (orvieto24, Fig. 4): the error of images given back from the last state, by its width."""

from __future__ import annotations

import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from ..experiments.decoders import DECODERS, EXPERIMENT
from . import style

FINDING = EXPERIMENT.finding


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """A panel for each kind of images. Medians over the seeds, bars from the least to the largest; the bound for linear decoders, and the width from which exact weights exist."""
    figure = style.new_figure(FINDING, 1.5 + 5.5 * data.sizes["task"], 4.8)
    axes = figure.subplots(1, data.sizes["task"], sharey=True, squeeze=False)[0]
    for ax, task in zip(axes, data.task.values, strict=True):
        _panel(ax, data.sel(task=task), data.attrs[task])
    axes[0].set_ylabel("error of a pixel (root mean square)")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=10)
    return figure


def _panel(ax: Axes, data: xr.Dataset, images: str) -> None:
    for kind, colour, marker in zip(DECODERS, (style.BLUE, style.VERMILION), "os", strict=True):
        error = data.error.sel(kind=kind)
        middle = error.median("seed")
        bars = [middle - error.min("seed"), error.max("seed") - middle]
        ax.errorbar(data.width, middle, yerr=bars, fmt=marker + "-", color=colour, capsize=2, label=f"{kind}, trained")
    ax.plot(data.width, data.bound.where(data.bound > 1e-9), "--", color=style.BLACK, label="no linear decoder is below")
    ax.axvline(data.attrs["length"] / 2, color=style.PURPLE, lw=1, label="exact linear decoders from here on")
    ax.axhline(float(data.spread), color="0.6", lw=1, label="spread of a pixel")
    ax.set(xscale="log", yscale="log", xlabel="complex units N of the recurrence", title=f"{data.task.item()}: {images}")
    ax.set_xticks(data.width.values, [str(n) for n in data.width.values])
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.yaxis.set_major_formatter("{x:g}")
    ax.minorticks_off()
