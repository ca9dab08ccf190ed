"""Accuracy against the length of the word, a panel for each task: what experiments that train every task with every layer draw."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from . import style

#: architecture -> colour and marker; dashed and hollow where no eigenvalue is negative, dotted where the first weights are chosen
LOOKS = {
    "diagonal": (style.SKY, "o"),
    "Mamba": (style.ORANGE, "D"),
    "DeltaNet": (style.BLUE, "s"),
    "DeltaProduct_2": (style.GREEN, "^"),
    "DeltaProduct_4": (style.VERMILION, "v"),
    "full matrix": ("#777777", "P"),
}
#: what the table says, in the legend
WORDS = {"yes": "possible", "no": "impossible", "open": "open"}


def look(layer: str) -> dict[str, object]:
    """How a layer's line is drawn."""
    colour, marker = next(looks for name, looks in LOOKS.items() if layer.startswith(name))
    nonnegative, chosen = "[0, 1]" in layer, layer.endswith("first reflections")
    face = "white" if nonnegative else colour
    return {"color": colour, "marker": marker, "mfc": face, "ls": "--" if nonnegative else ":" if chosen else "-"}


def against_length(data: xr.Dataset, finding: str, titles: Mapping[str, str], ylabel: str, columns: int, heading: str = "") -> Figure:
    """A panel for each task: the best seed of each layer, bands over all seeds, and the compiled network if there is one; what is ``predicted`` stands in
    the legend under ``heading``. The line that ends training is at ``trained`` (task), or at the attribute ``longest``."""
    rows = ceil(data.sizes["task"] / columns)
    # a legend's line takes a fifth of an inch
    figure = style.new_figure(finding, 4.6 * columns, rows * (4.2 + 0.2 * data.sizes["layer"]))
    panels = figure.subplots(rows, columns, sharey=True, squeeze=False)
    for ax in panels.flat[data.sizes["task"] :]:
        ax.remove()
    for ax, task in zip(panels.flat, data.task.values, strict=False):
        _panel(ax, data.sel(task=task), heading)
        ax.set_title(titles[str(task)])
    for ax in panels[:, 0]:
        ax.set_ylabel(ylabel)
    return figure


def _panel(ax: Axes, data: xr.Dataset, heading: str) -> None:
    """One task."""
    if (compiled := data.compiled.dropna("length")).size:
        ax.plot(
            compiled.length, compiled, color=style.BLACK, lw=4, alpha=0.35, solid_capstyle="butt", label="compiled weights, not trained"
        )
    for layer in data.layer.values:
        accuracy = data.accuracy.sel(layer=layer).dropna("seed", how="all").dropna("length")
        label = f"{layer}: {WORDS[str(data.predicted.sel(layer=layer).item())]}" if "predicted" in data else str(layer)
        looks = look(str(layer))
        ax.plot(accuracy.length, accuracy.max("seed"), ms=4, label=label, **looks)  # type: ignore[arg-type]
        if accuracy.sizes["seed"] > 1:
            ax.fill_between(accuracy.length, accuracy.min("seed"), accuracy.max("seed"), color=str(looks["color"]), alpha=0.12, lw=0)
    trained = float(data.trained) if "trained" in data else data.attrs["longest"]
    ax.axvline(trained, color=style.PURPLE, lw=1.5, label="trained up to here")
    ax.set_xscale("log", base=2)
    ax.set_xticks(ticks := [2**k for k in range(10) if 2**k <= data.length[-1]], [str(n) for n in ticks])
    ax.set(xlabel="length of the word (letters)", ylim=(0, 1.04))
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), fontsize=9, title=heading or None, title_fontsize=9)
