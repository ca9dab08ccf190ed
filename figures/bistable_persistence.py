"""degeeter26, Fig. 6: one BMRU and one LRU unit, trained to output a first input of +1 or -1 after zeros."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from . import style
from .points import measure_all, one_thread

FINDING = "The bistable unit holds the sign for ever; the linear unit's state fades"

MODELS = ("BMRU", "LRU")
#: trained length, steps of training
SIZES = {"smoke": (5, 10), "quick": (20, 150), "paper": (100, 2000)}
LENGTHS = (5, 20, 50, 100, 300, 1000, 10_000, 100_000)
SHOWN = 120


def compute(scale: str = "quick", keep: Path | None = None, tick: Callable[[float], None] | None = None) -> xr.Dataset:
    """Moduli of the states (model, input, t) and errors (model, length), which fade or do not."""
    measured = measure_all([(kind,) for kind in MODELS], lambda kind: trained(kind, *SIZES[scale]), keep, tick)
    states, errors = (np.array([m[i] for m in measured]) for i in (0, 1))
    return xr.Dataset(
        {
            "state": (("model", "input", "t"), states, {"long_name": "state (BMRU), modulus of the state (LRU)", "units": "1"}),
            "mse": (("model", "length"), errors, {"long_name": "mean squared error on both inputs", "units": "1"}),
        },
        {
            "model": ("model", list(MODELS), {"long_name": "layer"}),
            "input": ("input", np.array([1.0, -1.0]), {"long_name": "first input", "units": "1"}),
            "t": ("t", np.arange(1, SHOWN + 1), {"long_name": "time", "units": "steps"}),
            "length": ("length", np.array(LENGTHS), {"long_name": "length of the test sequences", "units": "steps"}),
        },
        {"source": "degeeter26, Figure 6", "trained": SIZES[scale][0]},
    )


@one_thread()
def trained(kind: str, length: int, steps: int) -> list[list]:
    """[states (input, t), errors by length] of a unit trained at one length."""
    import torch

    from .bistable_training import build, signs, train

    model = build(kind, 1, 1, 0, seed=5)
    train(model, lambda batch, rng: signs(batch, length, rng), steps, 32, 0.05)
    with torch.no_grad():
        both = torch.zeros(2, SHOWN, 1)
        both[:, 0, 0] = torch.tensor([1.0, -1.0])
        found = model.layer(both)
        states = found[..., 0] if kind == "BMRU" else found.norm(dim=-1)
        errors = []
        for longer in LENGTHS:
            x = torch.zeros(2, longer, 1)
            x[:, 0, 0] = torch.tensor([1.0, -1.0])
            errors.append(float(((model.on_long([x]) - x[:, 0, 0]) ** 2).mean()))
    return [states.tolist(), errors]


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    bmru, lru = (data.mse.sel(model=m) for m in MODELS)
    at = data.attrs["trained"]
    kept = float(bmru.max()) <= float(bmru.sel(length=at)) * 1.001 + 1e-12
    return (
        f"'encoded for ever, the performance is not impacted by the length': BMRU {'yes' if kept else 'no'}, error {float(bmru.sel(length=at)):.1e} at T = {at} and "
        f"{float(bmru[-1]):.1e} at T = {int(data.length[-1])}; LRU {float(lru.sel(length=at)):.1e} and {float(lru[-1]):.1e}"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """States of both units, and the error by length."""
    figure = style.new_figure(FINDING, 12, 3.9)
    axes = figure.subplots(1, 3)
    for ax, model, label in zip(axes, MODELS, ("state h", "modulus |h|"), strict=False):
        for x, colour, line in zip(data.input.values, (style.BLUE, style.VERMILION), ("-", "--"), strict=True):
            ax.plot(data.t, data.state.sel(model=model, input=x), line, color=colour, label=f"first input {x:+g}")
        ax.axvline(data.attrs["trained"], color="#888888", ls=":", lw=1)
        ax.set(xlabel="time t (steps)", ylabel=label, title=f"{model}, one unit")
        ax.legend(fontsize=9, loc="center right")
    for model, colour, marker in zip(MODELS, (style.BLUE, style.VERMILION), "os", strict=True):
        axes[2].loglog(data.length, data.mse.sel(model=model).clip(min=1e-16), marker + "-", color=colour, label=model)
    axes[2].axvline(data.attrs["trained"], color="#888888", ls=":", lw=1, label="trained length")
    axes[2].set(xlabel="length T (steps)", ylabel="mean squared error", title="by length")
    axes[2].legend(fontsize=9, loc="center right")
    return figure
