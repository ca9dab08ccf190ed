"""degeeter26, Fig. 2: trajectories for four inputs, and the solutions of Eq. 5 with their stability, for beta = -1.5 and beta = 1.5."""

from __future__ import annotations

import numpy as np
import xarray as xr
from flint import arb
from matplotlib.figure import Figure

from ..constructions.bistable import fold_input
from . import style
from .bistable_clock import trajectories

FINDING = "For β > 0 three equilibria lie between the folds $\\pm x_f$, the outer two stable; for β ≤ 0 there is one"

BETAS, INPUTS, STARTS, TICKS = (-1.5, 1.5), (-1.2, -0.4, 0.4, 1.2), np.linspace(-0.9, 0.9, 5), np.arange(0, 501, 50)
#: artanh of the states at which the curve of equilibria is drawn: dense between the folds, then out to where tanh is 1
CURVE = np.concatenate([np.linspace(-14, -3.5, 8), np.linspace(-3, 3, 45), np.linspace(3.5, 14, 8)])


def steady(u: np.ndarray, beta: np.ndarray | float) -> np.ndarray:
    """The input at which tanh(u) is an equilibrium."""
    return u - (beta + 1) * np.tanh(u)


def compute() -> xr.Dataset:
    """Trajectories (beta, x, start, n), the curve of equilibria and where it is stable (beta, u)."""
    beta, x = np.array(BETAS), np.array(INPUTS)
    states = trajectories(x[None, :, None], beta[:, None, None], STARTS[None, None], TICKS)
    curve = steady(CURVE[None], beta[:, None])
    stable = (beta[:, None] + 1) * (1 - np.tanh(CURVE[None]) ** 2) < 1
    return xr.Dataset(
        {
            "state": (("beta", "x", "start", "n"), states, {"long_name": "internal state", "units": "1"}),
            "steady_input": (("beta", "u"), curve, {"long_name": "input at which h is an equilibrium", "units": "1"}),
            "stable": (("beta", "u"), stable, {"long_name": "the equilibrium is stable", "units": "1"}),
        },
        {
            "beta": ("beta", beta, {"long_name": "feedback", "units": "1"}),
            "x": ("x", x, {"long_name": "input", "units": "1"}),
            "start": ("start", STARTS, {"long_name": "previous state", "units": "1"}),
            "n": ("n", TICKS, {"long_name": "internal clock", "units": "ticks"}),
            "u": ("u", CURVE, {"long_name": "artanh of the equilibrium", "units": "1"}),
            "h": ("u", np.tanh(CURVE), {"long_name": "equilibrium", "units": "1"}),
        },
        {"source": "degeeter26, Figure 2", "x_f": float(fold_input(arb(1.5)).mid())},
    )


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    folds = np.abs(data.steady_input.sel(beta=1.5).where(~data.stable.sel(beta=1.5))).max()
    x_f, beta = data.attrs["x_f"], 1.5
    curve = data.steady_input.sel(beta=beta).values
    crossings = np.flatnonzero(np.diff(np.sign(curve - 0.4)))
    stable = [bool(data.stable.sel(beta=beta).values[i] and data.stable.sel(beta=beta).values[i + 1]) for i in crossings]
    ends = data.state.isel(n=-1).sel(beta=1.5)
    kept = [float(x) for x in data.x if float(ends.sel(x=x).min()) < 0 < float(ends.sel(x=x).max())]
    return (
        f"'two solutions are possible in the memory region': {len(crossings)} at x = 0.4, {sum(stable)} of them stable; it ends at x_f = {x_f:.4f} (curve: {float(folds):.3f}), "
        f"{'not ' if x_f < 0.99 * beta else ''}at beta = {beta}; both signs are remembered at x = {', '.join(f'{x:g}' for x in kept)} and not at the others"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """A row for each beta: four inputs, then the diagram; solid is stable, dashed unstable."""
    figure = style.new_figure(FINDING, 13, 5.6)
    axes = figure.subplots(2, 5, width_ratios=(1, 1, 1, 1, 1.7), sharey=True)
    for row, beta in zip(axes, data.beta.values, strict=True):
        for ax, x in zip(row[:4], data.x.values, strict=True):
            for start in data.start.values:
                ax.plot(data.n, data.state.sel(beta=beta, x=x, start=start), color=style.BLUE if start >= 0 else style.VERMILION, lw=1.2)
            ax.set_title(f"β = {beta:g}, x = {x:g}", fontsize=10)
        right, one = row[4], data.sel(beta=beta)
        right.plot(one.steady_input.where(one.stable), one.h, color=style.BLACK, label="stable")
        right.plot(one.steady_input.where(~one.stable), one.h, "--", color=style.BLACK, label="unstable")
        if beta > 0:
            for s in (-1, 1):
                right.axvline(s * data.attrs["x_f"], color=style.GREEN, ls=":", label="folds ±$x_f$" if s > 0 else None)
                right.axvline(s * beta, color=style.ORANGE, ls="-.", label="±β" if s > 0 else None)
        right.set_title(f"β = {beta:g}: solutions of Eq. 5", fontsize=10)
        right.set_xlim(-2.5, 2.5)
        right.legend(fontsize=9, loc="center left", bbox_to_anchor=(1, 0.5))
        row[0].set_ylabel("state h")
    for ax in axes[1, :4]:
        ax.set_xlabel("n (ticks)")
    axes[1, 4].set_xlabel("input x")
    return figure
