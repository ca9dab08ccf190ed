"""degeeter26, Fig. 8 and 9: copy-first-input with noise, by trained BMRU and LRU layers at two lengths, then on longer sequences; beside them a layer by hand.

Smaller than the paper's models (one layer, one seed); noise N(0, 0.1) is read as variance 0.1.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from . import style
from .points import measure_all, one_thread

FINDING = "Trained bistable units keep the input far beyond the trained length until noise writes; weights by hand keep it for ever"

MODELS = ("BMRU", "LRU", "BMRU by hand")
#: short and long training length, units, hidden units, steps, batch, sequences per test, learning rate
SIZES = {
    "smoke": (4, 8, 4, 4, 10, 8, 4, 0.02),
    "quick": (20, 60, 32, 32, 250, 32, 12, 0.02),
    "paper": (100, 300, 256, 128, 4000, 128, 600, 0.003),
}
LENGTHS = (100, 1000, 10_000, 100_000)
NOISE = (1.0, 0.1)


def compute(scale: str = "quick", keep: Path | None = None, tick: Callable[[float], None] | None = None) -> xr.Dataset:
    """Test errors (model, trained) and, for models of the short length, (model, variance, length)."""
    points = [(kind, length) for kind in MODELS for length in SIZES[scale][:2]]
    measured = measure_all(points, lambda kind, length: errors(kind, length, scale), keep, tick)
    error = np.array([m[0] for m in measured]).reshape(len(MODELS), 2)
    longer = np.array([m[1:] for m in measured[::2]]).reshape(len(MODELS), len(NOISE), len(LENGTHS))
    short, long, *_ = SIZES[scale]
    return xr.Dataset(
        {
            "mse": (("model", "trained"), error, {"long_name": "test error at the trained length", "units": "1"}),
            "mse_longer": (("model", "variance", "length"), longer, {"long_name": f"error of the models of length {short}", "units": "1"}),
        },
        {
            "model": ("model", list(MODELS), {"long_name": "layer"}),
            "trained": ("trained", np.array([short, long]), {"long_name": "trained length", "units": "steps"}),
            "variance": ("variance", np.array(NOISE), {"long_name": "variance of the noise", "units": "1"}),
            "length": ("length", np.array(LENGTHS), {"long_name": "length of the test sequences", "units": "steps"}),
        },
        {"source": "degeeter26, Figures 8 and 9", "scale": scale},
    )


@one_thread()
def errors(kind: str, length: int, scale: str) -> list[float]:
    """[the test error at the trained length, and the errors by variance and length if that is the short one]."""
    from .bistable_training import build, by_hand, errors_at, flagged, train

    short, _, units, hidden, steps, batch, tests, rate = SIZES[scale]
    if kind == "BMRU by hand":
        model = by_hand(units)
    else:
        model = build(kind, 2, units, hidden, seed=0)
        train(model, lambda size, rng: flagged(size, length, rng), steps, batch, rate)
    found = errors_at(model, [length], 1.0, 40 * tests)
    if length == short:
        for v in NOISE:
            found += errors_at(model, LENGTHS, float(np.sqrt(v)), tests)
    return found


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figures, and whether the data bear it out."""
    short, long = (int(t) for t in data.trained)
    bmru, lru, hand = (data.sel(model=m) for m in MODELS)
    loud, quiet = (bmru.mse_longer.sel(variance=v) for v in NOISE)
    return (
        f"one seed; 'only BMRU learns the longer task' (variance of the goal: 1): errors BMRU {float(bmru.mse[0]):.2f}, {float(bmru.mse[1]):.2f} and LRU {float(lru.mse[0]):.2f}, {float(lru.mse[1]):.2f} "
        f"at T = {short}, {long}; 'decreases if stored values are overwritten by noise': {float(loud[0]):.2f} -> {float(loud[-1]):.2f} at T = 10^5 with variance 1; 'unaffected if the noise is low': "
        f"{float(quiet[0]):.2f} -> {float(quiet[-1]):.2f} with variance 0.1; by hand, variance 1: {float(hand.mse_longer[0, 0]):.4f} -> {float(hand.mse_longer[0, -1]):.4f}"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Bars for the trained lengths; errors on longer sequences for two levels of noise."""
    figure = style.new_figure(FINDING, 13, 4.2)
    axes = figure.subplots(1, 3)
    colours, markers = (style.BLUE, style.VERMILION, style.GREEN), "os^"
    for i, (model, colour) in enumerate(zip(data.model.values, colours, strict=True)):
        axes[0].bar(
            np.arange(2) + 0.27 * (i - 1),
            data.mse.sel(model=model),
            width=0.25,
            color=colour,
            label=model,
            hatch=("", "//", "..")[i],
            edgecolor="white",
        )
    axes[0].set_xticks([0, 1], [f"T = {int(t)}" for t in data.trained])
    axes[0].set(ylabel="mean squared error", title="at the trained length", yscale="log")
    for ax, v in zip(axes[1:], data.variance.values, strict=True):
        for model, colour, marker in zip(data.model.values, colours, markers, strict=True):
            ax.loglog(data.length, data.mse_longer.sel(model=model, variance=v), marker + "-", color=colour)
        ax.axhline(1, color="#888888", ls=":", lw=1)
        ax.set(xlabel="length T (steps)", title=f"trained at T = {int(data.trained[0])}, noise variance {v:g}", ylim=(5e-4, 10))
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=10)
    return figure
