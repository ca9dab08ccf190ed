"""movahedi25, Fig. 1 in small: the ungated layer of Figure 3 trained on S_3 with a bounded number of passes. Needs the extra torch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from . import style
from .fixed_point_training import finish, train
from .points import measure_all

FINDING = "Passes bounded in training: $S_3$ is learnt with a few at the trained length"

#: longer than in Figure 3, where a diagonal layer can learn all words by heart
TRAINED_AT = 12
BOUNDS = (1, 2, 4, 8, TRAINED_AT, "sampled", None)
#: seeds, steps of training, length of the test words
SIZES = {"smoke": (1, 5, 16), "quick": (1, 600, 24), "paper": (5, 3000, 48)}


def label(bound: int | str | None) -> str:
    """What a curve is called."""
    if bound is None:
        return "fixed point"
    return "Gamma(4, 1) passes in training" if bound == "sampled" else f"{bound} pass{'es' if bound != 1 else ''}"


def compute(scale: str = "quick", keep: Path | None = None, tick: Callable[[float], None] | None = None) -> xr.Dataset:
    """Accuracies (passes, seed, length)."""
    seeds, steps, length = SIZES[scale]
    points = [("signed", seed, steps, length, bound, TRAINED_AT) for bound in BOUNDS for seed in range(seeds)]
    values = np.array(measure_all(points, train, keep, tick)).reshape(len(BOUNDS), seeds, length)
    return xr.Dataset(
        {"accuracy": (("passes", "seed", "length"), values, {"long_name": "share of right states after that many letters", "units": "1"})},
        {
            "passes": ("passes", [label(b) for b in BOUNDS], {"long_name": "passes in training"}),
            "seed": ("seed", np.arange(seeds), {"long_name": "random seed", "units": "1"}),
            "length": ("length", np.arange(1, length + 1), {"long_name": "length of the word", "units": "tokens"}),
        },
        {"source": "movahedi25, Figure 1", "steps": steps},
    )


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    at = data.accuracy.max("seed").sel(length=TRAINED_AT)
    text = ", ".join(f"{name} {float(at.sel(passes=name)):.2f}" for name in data.passes.values)
    below = float(at.isel(passes=[i for i, b in enumerate(BOUNDS) if isinstance(b, int) and b < TRAINED_AT]).max())
    enough = float(at.sel(passes=label(TRAINED_AT)))
    return (
        f"S3 for A5, best of {data.sizes['seed']} seeds, {data.attrs['steps']} steps; accuracy at the trained length {TRAINED_AT}: {text}; 'performance decreases once the passes are fewer than the "
        f"training length': {'yes' if below < enough else 'no'}, {below:.2f} at most below it and {enough:.2f} at {TRAINED_AT}"
        " (for S3, other than A5, one pass can hold the sign and a second the signed count of 3-cycles, of which the decoder must learn the remainder modulo 3)"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """One line for each number of passes: the best seed."""
    figure = style.new_figure(FINDING, 10.5, 4.4)
    ax = figure.subplots()
    colours = (style.BLACK, style.PURPLE, style.ORANGE, style.GREEN, style.SKY, style.VERMILION, style.BLUE)
    for name, colour, marker in zip(data.passes.values, colours, "ov^D<s*", strict=True):
        ax.plot(data.length, data.accuracy.sel(passes=name).max("seed"), marker + "-", color=colour, ms=5, label=name)
    finish(figure, ax, TRAINED_AT, int(data.length[-1]))
    return figure
