"""The picture of the experiment ``experiments/depth.py`` (lizaire26, Figs. 6 and 7): errors after training against width, units and parameters."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ..experiments.depth import EXPERIMENT, copied, copies, least
from . import style

FINDING = EXPERIMENT.finding

TITLES = {"copy": "$x_{{t-{lag}}}$, linear", "sinus": "$\\sin 3x_t$, tanh in depth", "copy-sinus": "$\\sin 3x_{{t-{lag}}}$, tanh in depth"}
COLOURS, MARKERS = (style.BLACK, style.VERMILION, style.BLUE, style.GREEN), "osDv"


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """A row for each task: medians over the seeds, bars from the least to the largest; what is known beside them."""
    exactly, exact, nearly, near = (sum(n) for n in zip(*(copied(data, task) for task in copies(data)), strict=True))
    found = f"copies are learnt at {exactly} of {exact} sizes where exact ones exist, and at {nearly} of {near} where none do"
    figure = style.new_figure(f"{FINDING}: {found}", 13, 3 * data.sizes["task"] + 1)
    axes = figure.subplots(data.sizes["task"], 3, sharey="row", sharex="col")
    for row, task in zip(axes, data.task.values, strict=True):
        for depth, colour, marker in zip(data.depth.values, COLOURS, MARKERS, strict=False):
            at = data.sel(task=task, depth=depth)
            known = at.possible
            at = at.isel(width=at.error.notnull().all("seed").values)
            middle, low, high = at.error.median("seed"), at.error.min("seed"), at.error.max("seed")
            for ax, x in zip(row, (at.width, at.width * depth, at.parameters), strict=True):
                bars = [middle - low, high - middle]
                ax.errorbar(x, middle, yerr=bars, fmt=marker + "-", color=colour, ms=4.5, elinewidth=1, capsize=2)
            if known.notnull().any():
                row[0].plot(known.width, known, ":", color=colour, lw=1.4)
            if at.needed.notnull():
                row[0].axvline(int(at.needed), color=colour, lw=1, alpha=0.5)
                row[2].axvline(int(at.cost), color=colour, lw=1, alpha=0.5)
        for ax in row:
            ax.axhline(float(data.silent.sel(task=task)), color="0.6", lw=1)
            ax.set(title=_title(data, str(task)), xscale="log")
        row[0].set(ylabel="mean squared test error", title=f"learnt from n = {_least(data, data.width, str(task))}")
        row[2].set(title=f"learnt from {_least(data, data.parameters.sel(task=task), str(task))} parameters")
        _floor(row[1], data.sel(task=task))
    for ax in axes[-1]:
        low, high = (int(k) for k in (np.ceil(np.log2(ax.get_xlim()[0])), np.floor(np.log2(ax.get_xlim()[1]))))
        ticks = [2**k for k in range(low, high + 1, 1 if high - low < 7 else 2)]
        ax.set_xticks(ticks, [str(n) for n in ticks])
        ax.minorticks_off()
    for ax, label in zip(axes[-1], ("width n", "units n L", "parameters"), strict=True):
        ax.set_xlabel(label)
    figure.legend(handles=_legend(data), loc="outside lower center", ncols=4, fontsize=10)
    return figure


def _title(data: xr.Dataset, task: str) -> str:
    at = data.sel(task=task)
    channels = "" if at.d == 1 else f", {int(at.d)} channels"
    return TITLES[at.learns.item()].format(lag=int(at.lag)) + channels


def _least(data: xr.Dataset, cost: xr.DataArray, task: str) -> str:
    """The least cost at which each depth has learnt the task, "never" where none has."""
    return ", ".join("never" if np.isinf(n) else str(int(n)) for n in least(data, cost, task))


def _floor(ax, at: xr.Dataset) -> None:
    """The bound for linear networks, by the number of units that were trained."""
    trained = at.error.notnull().any("seed").values.ravel()
    units = (at.width * at.depth).transpose("depth", "width").values.ravel()
    order = np.argsort(units)[trained[np.argsort(units)]]
    if at.floor.notnull().all():
        ax.plot(units[order], at.floor.values.ravel()[order], "--", color=style.PURPLE)


def _legend(data: xr.Dataset) -> list[Line2D]:
    depths = [
        Line2D([], [], color=colour, marker=marker, ms=4.5, label=f"L = {k}, trained")
        for k, colour, marker in zip(data.depth.values, COLOURS, MARKERS, strict=False)
    ]
    return [
        *depths,
        Line2D([], [], color="0.3", ls=":", label="weights that exist"),
        Line2D([], [], color="0.3", lw=1, alpha=0.5, label="exact copies from here on"),
        Line2D([], [], color=style.PURPLE, ls="--", label="bound for linear networks"),
        Line2D([], [], color="0.6", lw=1, label="silent network"),
    ]
