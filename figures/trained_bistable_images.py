"""The picture of the experiment ``experiments/bistable_images.py`` (degeeter26, Fig. 10): accuracies with and without black pixels, and with more of them."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..experiments.bistable_images import EXPERIMENT, at_trained
from . import style

FINDING = EXPERIMENT.finding

COLOURS, MARKERS = (style.BLUE, style.VERMILION, style.PURPLE, style.GREEN), "os^D"


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """A row for each number of blocks: every seed at the trained numbers of black pixels; accuracy and unchanged answers by black pixels at the test."""
    figure = style.new_figure(FINDING, 14, 0.8 + 4 * data.sizes["depth"])
    rows = figure.subplots(data.sizes["depth"], 3, squeeze=False)
    for (first, *others), depth in zip(rows, data.depth.values, strict=True):
        one = data.sel(depth=depth)
        _trained(first, one)
        for ax, name in zip(others, ("accuracy", "same"), strict=True):
            _longer(ax, one.isel(trained=-1), name)
    handles, labels = rows[0][1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=10)
    return figure


def _longer(ax: Axes, data: xr.Dataset, name: str) -> None:
    """Medians and all seeds by black pixels at the test, of the models that were trained with the most."""
    pixels = data.padding.values
    for model, colour, marker in zip(data.model.values, COLOURS, MARKERS, strict=True):
        one = data[name].sel(model=model)
        ax.plot(pixels, one.median("seed"), marker + "-", color=colour, label=model)
        ax.fill_between(pixels, one.min("seed"), one.max("seed"), color=colour, alpha=0.15, lw=0)
    ax.axvline(int(data.trained), color=style.BLACK, ls=":", lw=1)
    ax.set_xscale("symlog", linthresh=1)
    ax.set_xticks(pixels, [str(n) for n in pixels])
    ax.set(
        xlim=(-0.4, pixels[-1] * 1.4),
        xlabel="black pixels after the test image",
        ylabel="share of right answers" if name == "accuracy" else "share of answers as after one black pixel",
        ylim=(0, 1.04),
        title=f"{int(data.depth)} blocks, trained with {int(data.trained)} (dotted); bands: all seeds",
    )


def _trained(ax: Axes, data: xr.Dataset) -> None:
    accuracy = at_trained(data)
    for i, (model, colour, marker) in enumerate(zip(data.model.values, COLOURS, MARKERS, strict=True)):
        for j, n in enumerate(data.trained.values):
            one = accuracy.sel(model=model, trained=n)
            place = j + 0.2 * (i - 1.5)
            ax.plot(np.full(one.size, place), one, marker, color=colour, ms=4, alpha=0.6)
            ax.plot([place - 0.08, place + 0.08], [float(one.median())] * 2, color=colour, lw=2.5)
    ax.axhline(0.1, color="#888888", ls=":", lw=1)
    ax.text(1.45, 0.09, "guessing", fontsize=9, ha="right", va="top")
    ax.set_xticks(range(data.sizes["trained"]), [f"{int(n)} black pixels" for n in data.trained.values])
    ax.set(
        ylabel="share of right answers; bar: median",
        xlim=(-0.5, 1.5),
        ylim=(0, 1.04),
        title=f"{int(data.depth)} blocks, as trained, {data.attrs['images']}",
    )
