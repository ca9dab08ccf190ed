"""The picture of the experiment ``experiments/bistable_copy.py`` (degeeter26, Figs. 8 and 9): errors at the trained lengths and beyond, and writes."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..experiments.bistable_copy import EXPERIMENT
from . import style

FINDING = EXPERIMENT.finding

COLOURS, MARKERS = (style.BLUE, style.GREEN, style.VERMILION, style.BLACK), "o^sD"


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Every seed at both trained lengths; errors on longer sequences by variance, with bands over all seeds; how often noise writes the units."""
    figure = style.new_figure(FINDING, 15, 4.6)
    axes = figure.subplots(1, 4)
    _at_trained_lengths(axes[0], data)
    for ax, v in zip(axes[1:3], data.variance.values, strict=True):
        for model, colour, marker in zip(data.model.values, COLOURS, MARKERS, strict=True):
            error = data.longer.sel(model=model, variance=v)
            ax.loglog(data.length, error.median("seed"), marker + "-", color=colour)
            ax.fill_between(data.length, error.min("seed"), error.max("seed"), color=colour, alpha=0.15, lw=0)
        ax.axhline(1, color="#888888", ls=":", lw=1)
        ax.set(xlabel="length T (steps)", title=f"trained at T = {int(data.trained[0])}, variance {v:g}", ylim=(5e-4, 20))
    axes[1].set_ylabel("mean squared error; bands: all seeds")
    _written(axes[3], data)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=10)
    return figure


def _at_trained_lengths(ax: Axes, data: xr.Dataset) -> None:
    for i, (model, colour, marker) in enumerate(zip(data.model.values, COLOURS, MARKERS, strict=True)):
        for j in range(data.sizes["trained"]):
            error = data.error.sel(model=model).isel(trained=j)
            place = j + 0.2 * (i - 1.5)
            ax.plot(np.full(error.size, place), error, marker, color=colour, ms=4, alpha=0.6, label=model if j == 0 else None)
            ax.plot([place - 0.08, place + 0.08], [float(error.median())] * 2, color=colour, lw=2.5)
    ax.axhline(1, color="#888888", ls=":", lw=1)
    ax.set_xticks(range(data.sizes["trained"]), [f"T = {int(t)}" for t in data.trained])
    ax.set(ylabel="mean squared error; bar: median", title="at the trained length, variance 1", yscale="log", ylim=(5e-4, 20))


def _written(ax: Axes, data: xr.Dataset) -> None:
    """Units in order of how often noise of variance 1 writes them; those that it never did on the floor."""
    floor = 1 / data.attrs["counted"]
    for kind, colour in zip(data.kind.values, COLOURS, strict=False):
        for block, line in zip(data.block.values, (":", "-"), strict=True):
            shares = np.sort(data.written.sel(kind=kind, block=block).isel(variance=0).values.ravel())
            ax.semilogy(
                (np.arange(shares.size) + 0.5) / shares.size, shares.clip(min=floor / 2), line, color=colour, label=f"{kind}, block {block}"
            )
    ax.axhline(floor, color="#888888", lw=1)
    ax.text(0.98, floor * 1.3, f"once in {data.attrs['counted']:,} steps", fontsize=9, ha="right")
    ax.set(
        xlabel="share of the units of all seeds",
        ylabel="share of the steps that write",
        title="noise of variance 1 writes",
        ylim=(floor / 3, 2),
    )
    ax.legend(fontsize=8, loc="lower right", bbox_to_anchor=(1, 0.13))
