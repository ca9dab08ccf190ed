"""The picture of the experiment ``experiments/groups.py`` (movahedi25, Figs. 2a and 3): accuracy against length, the learned spectra, the passes."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..experiments.groups import EXPERIMENT, FIXED, FREE, GENERATORS, LAYERS, PAPER, TRAINED
from . import style

FINDING = EXPERIMENT.finding

TITLES = {
    "A5.generators": "$A_5$, a 3-cycle and a 5-cycle",
    "S5.generators": "$S_5$, swaps of neighbours",
    "A5": "$A_5$, all 60 elements",
    "S5": "$S_5$, all 120 elements",
}
COLOURS = dict(zip(LAYERS, (style.BLACK, style.VERMILION, style.ORANGE, style.SKY, style.PURPLE, style.BLUE, style.GREEN), strict=True))
MARKERS = dict(zip(LAYERS, "xosv^D*", strict=True))
WORDS = {"yes": "possible", "no": "impossible", "open": "open"}


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Above accuracy, a panel for each task; below the spectra of the gated layer, of the paper's mixer and of the free one, and passes."""
    figure = style.new_figure(FINDING, 17.0, 9.4)
    panels = figure.subplots(2, 4)
    for ax, task in zip(panels[0], data.task.values, strict=True):
        _accuracy(ax, data.sel(task=task), str(task))
    generators = data.sel(task=list(GENERATORS))
    for ax, layer in zip(panels[1], (FIXED[0], PAPER, FREE), strict=False):
        _spectra(ax, generators.sel(layer=layer), layer)
    _passes(panels[1, 3], generators)
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=4,
        fontsize=9,
        title="at every length, with one layer, letters generators:",
        title_fontsize=9,
    )
    return figure


def _accuracy(ax: Axes, data: xr.Dataset, task: str) -> None:
    """Best seed of each layer at the fixed point, bands over all seeds."""
    for layer in TRAINED[task]:
        accuracy = data.accuracy.sel(layer=layer)
        every = slice(LAYERS_AT[layer], None, 6)
        ax.plot(
            data.length,
            accuracy.max("seed"),
            color=COLOURS[layer],
            marker=MARKERS[layer],
            markevery=every,
            ms=5,
            label=f"{layer}: {WORDS[LAYERS[layer].answer]}",
        )
        ax.fill_between(data.length, accuracy.min("seed"), accuracy.max("seed"), color=COLOURS[layer], alpha=0.12, lw=0)
    ax.axvline(int(data.longest), color=style.PURPLE, lw=1)
    ax.text(int(data.longest) + 0.5, 0.93, "trained up to here", color=style.PURPLE, fontsize=9)
    ax.set(title=TITLES[task], xlabel="length of the word (letters)", ylabel="share of right answers, fixed point", ylim=(0, 1.04))


#: markers of different layers at different places
LAYERS_AT = {layer: i for i, layer in enumerate(LAYERS)}


def _passes(ax: Axes, data: xr.Dataset) -> None:
    """The median of the seeds on A_5, and the exact network; where they do not settle, no point."""
    task = str(data.task.values[0])
    for layer in FIXED:
        passes = data.passes.sel(task=task, layer=layer).fillna(np.inf).median("seed")
        ax.plot(data.whole, passes.where(np.isfinite(passes)), color=COLOURS[layer], marker=MARKERS[layer], ms=5)
    exact = data.exact_passes.sel(generators=task)
    label = "exact weights, no gate" + ("" if exact.notnull().any() else ": given up")
    ax.plot(data.whole, exact, "--", color=style.BLACK, marker="P", label=label)
    ax.plot(data.whole, data.whole, ":", color=style.BLACK, lw=1, label="one pass for each letter")
    ax.axhline(data.attrs["most"], color=style.PALE, lw=2)
    ax.text(float(data.whole[-1]), data.attrs["most"] * 1.05, "given up here", fontsize=9, ha="right", va="bottom")
    ax.set_xscale("log", base=2)
    ax.set_yscale("log", base=2)
    for axis, top in ((ax.xaxis, data.whole[-1]), (ax.yaxis, data.attrs["most"])):
        ticks = [2**k for k in range(1, 12) if float(data.whole[0]) <= 2**k <= top]
        axis.set_ticks(ticks, [str(n) for n in ticks])
    ax.set(title="passes until they settle, $A_5$", xlabel="length of the word (letters)", ylabel="passes, median of the seeds")
    ax.legend(fontsize=9)


def _spectra(ax: Axes, data: xr.Dataset, layer: str) -> None:
    """Eigenvalues of all letters and seeds; hollow where the letter's passes diverge; the circle, and the disc of the gated layer."""
    angle = np.linspace(0, 2 * np.pi, 200)
    ax.plot(np.cos(angle), np.sin(angle), color=style.BLACK, lw=1)
    ax.plot(0.5 + 0.5 * np.cos(angle), 0.5 * np.sin(angle), "--", color=style.VERMILION, lw=1)
    inside = np.broadcast_to((data.radius < 1).values[..., None], data.re.shape)
    for i, (task, marker) in enumerate(zip(data.task.values, "os", strict=True)):
        colour, x, y = (style.BLUE, style.GREEN)[i], data.re.values[i], data.im.values[i]
        ax.plot(x[inside[i]], y[inside[i]], marker, color=colour, ms=4, alpha=0.7, label=TITLES[str(task)])
        ax.plot(x[~inside[i]], y[~inside[i]], marker, mfc="none", color=colour, ms=5)
    outside = int((np.hypot(data.re, data.im) > 2.2).sum())
    ax.set(title=layer, xlabel=f"real part ({outside} beyond the frame)" if outside else "real part", ylabel="imaginary part")
    ax.set(xlim=(-2.2, 2.2), ylim=(-1.7, 1.7), aspect="equal")
    ax.legend(fontsize=8, loc="lower left")
