"""The picture of the experiment ``experiments/odes.py`` (orvieto24, Figs. 5 and 14 to 16): the spread over seeds by model, and an unseen input, for each system."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from ..experiments.odes import EXPERIMENT, HIDDEN, KINDS, LINEAR, SYSTEMS
from . import style

FINDING = EXPERIMENT.finding

#: colour and marker of a model, and its name on two lines
LOOKS = dict(
    zip(
        KINDS,
        ((style.BLUE, "o", "linear"), (style.VERMILION, "s", "hidden\nlayer"), (style.GREEN, "D", "hidden l.,\nfixed eig.")),
        strict=True,
    )
)


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """For each system: every seed's error with the median, the bound for linear functionals; below, an unseen input with each head's best seed."""
    figure = style.new_figure(FINDING, 12, 7)
    above, below = figure.subplots(2, len(data.task))
    for ax in above[1:]:
        ax.sharey(above[0])
    for ax, task in zip(above, data.task.values, strict=True):
        one = data.sel(task=task)
        for i, (kind, (colour, marker, _)) in enumerate(LOOKS.items()):
            error = one.error.sel(kind=kind)
            ax.plot(np.full(len(error), i), error, marker, color=colour, mfc="none")
            ax.hlines(error.median(), i - 0.3, i + 0.3, color=colour)
        ax.axhline(one["filter"], ls="-.", color=style.BLUE, label="no linear readout is below")
        ax.axhline(one.bound, ls="--", color=style.BLACK, label="no linear functional is below")
        ax.axhline(1, color="0.6", lw=1, label="predicting the mean")
        if task == "Lorenz":
            ax.axhline(data.attrs["side error"], ls=":", color=style.PURPLE, label="side of the saddle, linearised")
        ax.set(yscale="log", title=task, xlim=(-0.6, 2.6))
        ax.set_xticks(range(len(LOOKS)), [name for *_, name in LOOKS.values()])
    above[0].set_ylabel("error on unseen inputs\n(of predicting the mean)")
    above[-1].legend(fontsize=9, loc="lower center")
    for ax, task in zip(below, data.task.values, strict=True):
        one = data.sel(task=task).isel(input=0)
        time = data.k.values * SYSTEMS[str(task)].horizon / len(data.k)
        ax.plot(time, one["mean"], color=style.PALE, lw=5, label="mean over inputs")
        ax.plot(time, one.output, color=style.BLACK, label="system, $z_1$")
        for kind, look in ((LINEAR, ":"), (HIDDEN, "--")):
            best = int(one.error.sel(kind=kind).argmin("seed"))
            ax.plot(time, one.model.sel(kind=kind).isel(seed=best), look, color=LOOKS[kind][0], label=kind)
        ax.set(xlabel="time")
    below[0].set_ylabel("output on an unseen input")
    below[0].legend(fontsize=9)
    return figure
