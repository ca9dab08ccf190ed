"""degeeter26, Fig. 4: the unit of Eq. 9 for an input and a threshold that vary, and the convergent RNN that it stands for."""

from __future__ import annotations

import numpy as np
import xarray as xr
from flint import arb
from matplotlib.figure import Figure

from ..constructions.bistable import fold_input, simplified
from . import style

FINDING = "The unit is written only where |x| ≥ β; the hysteresis itself already switches at its folds"

STEPS = 240


def compute() -> xr.Dataset:
    """Input, threshold, the unit's state and gate, and the state of Eq. 4 after 4000 ticks with c = 1, per step."""
    t = np.arange(STEPS)
    x = 1.9 * np.sin(2 * np.pi * t / 80) * np.exp(-((t - 90) ** 2) / 9000.0) + 0.25 * np.sin(2 * np.pi * t / 17)
    beta = np.where(t < 150, 1.1, 1.1 - 0.9 * np.clip((t - 150) / 60, 0, 1))
    unit, original = [], []
    h = g = -1.0
    for xt, bt in zip(x, beta, strict=True):
        h = float(simplified(h, xt, bt, 1.0))
        for _ in range(4000):
            g = float(np.tanh(xt + (bt + 1) * g))
        unit.append(h)
        original.append(g)
    name = lambda text: {"long_name": text, "units": "1"}  # noqa: E731
    return xr.Dataset(
        {
            "input": ("t", x, name("input")),
            "threshold": ("t", beta, name("threshold beta")),
            "state": ("t", unit, name("state by Eq. 9, alpha = 1")),
            "convergent": ("t", original, name("state by Eq. 4 at convergence")),
            "written": ("t", np.abs(x) >= beta, name("the gate is open")),
        },
        {"t": ("t", t, {"long_name": "time", "units": "steps"})},
        {"source": "degeeter26, Figure 4"},
    )


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    changed = data.state.diff("t") != 0
    only = bool(data.written.isel(t=slice(1, None)).where(changed, True).all())
    differ = np.sign(data.convergent) != data.state
    folds = np.array([float(fold_input(arb(float(b))).mid()) for b in data.threshold])
    between = differ & (abs(data.input) > folds) & (abs(data.input) < data.threshold)
    return (
        f"'it is only every time |x| is greater than beta that h is updated': {'yes' if only else 'no'}, {int(changed.sum())} changes in {int(data.written.sum())} open steps; "
        f"the convergent RNN has the other sign at {int(differ.sum())} of {data.sizes['t']} steps; at {int(between.sum())} of these |x| lies between its fold and beta, at {int((differ & (abs(data.input) <= folds)).sum())} within the fold, where it keeps what it has"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Input and memory region above, states below; grey where the unit is written."""
    figure = style.new_figure(FINDING, 9.5, 5)
    top, bottom = figure.subplots(2, 1, sharex=True)
    for ax in (top, bottom):
        ax.fill_between(
            data.t,
            0,
            1,
            where=data.written,
            transform=ax.get_xaxis_transform(),
            color=style.PALE,
            lw=0,
            step="mid",
            label="written" if ax is top else None,
        )
    top.fill_between(data.t, -data.threshold, data.threshold, color=style.SKY, alpha=0.35, lw=0, label="memory region ±β")
    top.plot(data.t, data.input, color=style.BLACK, label="input x")
    top.set_ylabel("input")
    bottom.step(data.t, data.state, where="mid", color=style.VERMILION, label="unit, Eq. 9")
    bottom.plot(data.t, data.convergent, "--", color=style.BLUE, label="convergent RNN, Eq. 4")
    bottom.set(xlabel="time t (steps)", ylabel="state h", ylim=(-1.2, 1.2))
    figure.legend(loc="outside lower center", ncols=5, fontsize=10)
    return figure
