"""The picture of the experiment ``experiments/bistable_paths.py`` (degeeter26, Fig. 11): accuracies by the width of a block, for each number of blocks."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..experiments.bistable_paths import EXPERIMENT
from ..experiments.pathfinder import CURVE, DOT
from . import style

FINDING = EXPERIMENT.finding

LOOKS = {"BMRU": (style.BLUE, "o"), "LRU": (style.VERMILION, "s")}


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """An image of each kind; then, for each number of blocks, every seed and the medians by width, with guessing and what simple numbers give."""
    depths = data.depth.values
    figure = style.new_figure(FINDING, 3 + 3.4 * len(depths), 4.6)
    places = figure.add_gridspec(2, 1 + len(depths), width_ratios=[0.6] + [1] * len(depths))
    for row, answer in enumerate(data.answer.values[::-1]):
        _image(figure.add_subplot(places[row, 0]), data.example.sel(answer=answer))
    axes: list[Axes] = []
    for i in range(len(depths)):
        axes.append(figure.add_subplot(places[:, 1 + i], sharey=axes[0] if axes else None))
    for ax, depth in zip(axes, depths, strict=True):
        for kind, (colour, marker) in LOOKS.items():
            one = data.accuracy.sel(kind=kind, depth=depth).dropna("width", how="all")
            ax.plot(
                np.repeat(one.width.values, one.sizes["seed"]),
                one.transpose("width", "seed").values.ravel(),
                marker,
                color=colour,
                ms=4,
                alpha=0.5,
            )
            ax.plot(one.width, one.median("seed"), marker + "-", color=colour, mfc="white", ms=8, label=f"{kind}, median")
        ax.axhline(0.5, color="#888888", ls=":", lw=1)
        ax.axhline(data.attrs["simple"], color=style.GREEN, ls="--", lw=1.2, label="weighted sum of simple numbers")
        ax.set(xscale="log", xlabel="units of a block, each way", title=f"{int(depth)} block{'s' if depth > 1 else ''}")
        ax.set_xticks(data.width.values, [str(n) for n in data.width.values])
        ax.minorticks_off()
        ax.set_xlim(float(data.width[0]) / 1.3, float(data.width[-1]) * 1.3)
        ax.tick_params(labelleft=ax is axes[0])
    axes[0].set(ylabel="share of right answers, unseen images", ylim=(0.45, 1.0))
    axes[0].text(float(data.width[-1]) * 1.25, 0.505, "guessing", fontsize=9, ha="right")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=10)
    return figure


def _image(ax: Axes, image: xr.DataArray) -> None:
    ax.imshow(image.values, cmap="gray", vmin=0, vmax=DOT)
    # dots are as bright as can be, curves half as bright: told apart by a ring as well
    for row, column in np.argwhere(image.values > CURVE):
        ax.plot(column, row, "o", mfc="none", mec=style.ORANGE, ms=9)
    ax.set(xticks=[], yticks=[], title=str(image.answer.item()))
    ax.grid(visible=False)
