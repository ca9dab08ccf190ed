"""The picture of the experiment ``experiments/bistable_persistence.py`` (degeeter26, Fig. 6): errors by length beside what is left of a first state."""

from __future__ import annotations

import xarray as xr
from matplotlib.figure import Figure

from ..experiments.bistable_persistence import ENOUGH, EXPERIMENT, MODELS
from ..experiments.words import in_seeds
from . import style

FINDING = EXPERIMENT.finding

COLOURS, MARKERS = (style.BLUE, style.GREEN, style.VERMILION), "o^s"


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Errors by length, a line for each seed and the median; and what is left of the first state after t zeros, as the theorems say."""
    figure = style.new_figure(FINDING, 13, 4.4)
    *panels, last = figure.subplots(1, len(MODELS) + 1)
    trained = data.attrs["trained"]
    for ax, model, colour, marker in zip(panels, MODELS, COLOURS, MARKERS, strict=True):
        error = data.error.sel(model=model).clip(min=1e-14)
        for seed in data.seed.values:
            ax.loglog(data.length, error.sel(seed=seed), "-", color=colour, lw=1, alpha=0.5)
        ax.loglog(data.length, error.median("seed"), marker + "-", color=colour, lw=2.4, label="median; thin: every seed")
        ax.axvline(trained, color=style.BLACK, ls=":", lw=1)
        learnt = int((data.error.sel(model=model, length=trained) < ENOUGH).sum())
        ax.set(xlabel="length T (steps)", title=f"{model}: {learnt} of {in_seeds(data.sizes['seed'])} learnt", ylim=(1e-15, 1e4))
        ax.legend(fontsize=9, loc="upper left")
    panels[0].set_ylabel("mean squared error on +1 and -1")
    panels[0].text(trained * 1.2, 1e-12, "trained here", fontsize=9, rotation=90, va="center")
    for seed in data.seed.values:
        left = float(data.kept.sel(seed=seed)) ** (data.length - 1)
        last.semilogx(data.length, left, color=style.VERMILION, lw=1, label="LRU: $|\\lambda|^{T-1}$, every seed" if seed == 0 else None)
    last.semilogx(data.length, 1 + 0 * data.length, "--", color=style.BLUE, label="BMRU: 1")
    last.set(xlabel="length T (steps)", ylabel="share of the first state", title="what the theorems say is left", ylim=(-0.05, 1.35))
    last.legend(fontsize=9, loc="upper right")
    return figure
