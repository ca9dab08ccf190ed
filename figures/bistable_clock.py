"""degeeter26, Fig. 1: states of Eq. 4b along the internal clock, c = 0.01, x = 0, for beta = -1.5 and beta = 1.5."""

from __future__ import annotations

import numpy as np
import xarray as xr
from flint import arb
from matplotlib.figure import Figure

from ..constructions.bistable import equilibria
from . import style

FINDING = "One equilibrium forgets the start; with two the sign of the start is remembered, but 0 stays 0"

C, BETAS, TICKS = 0.01, (-1.5, 1.5), np.arange(0, 601, 10)
STARTS = np.linspace(-1, 1, 9)


def trajectories(x: np.ndarray, beta: np.ndarray, starts: np.ndarray, ticks: np.ndarray, c: float = C) -> np.ndarray:
    """Eq. 4b for all x, beta and starts that broadcast, at the given ticks (last axis)."""
    h, out = np.broadcast_to(starts, np.broadcast_shapes(np.shape(x), np.shape(beta), np.shape(starts))), []
    for n in range(int(ticks[-1]) + 1):
        if n in ticks:
            out.append(h)
        h = (1 - c) * h + c * np.tanh(x + (beta + 1) * h)
    return np.stack(out, axis=-1)


def compute() -> xr.Dataset:
    """States (beta, start, n)."""
    states = trajectories(np.zeros((1, 1)), np.array(BETAS)[:, None], STARTS[None], TICKS)
    return xr.Dataset(
        {"state": (("beta", "start", "n"), states, {"long_name": "internal state", "units": "1"})},
        {
            "beta": ("beta", np.array(BETAS), {"long_name": "feedback", "units": "1"}),
            "start": ("start", STARTS, {"long_name": "previous state", "units": "1"}),
            "n": ("n", TICKS, {"long_name": "internal clock", "units": "ticks"}),
        },
        {"source": "degeeter26, Figure 1", "c": C},
    )


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    last = data.state.isel(n=-1)
    one, two = last.sel(beta=-1.5), last.sel(beta=1.5)
    goal = float(equilibria(0, arb(1.5))[-1].mid())
    spread = float(abs(one).max())
    signs = bool((np.sign(two.where(data.start != 0, drop=True)) == np.sign(data.start.where(data.start != 0, drop=True))).all())
    return (
        f"'all starts lead to the same equilibrium' at beta = -1.5: {'yes' if spread < 1e-2 else 'no'}, within {spread:.0e} after {int(data.n[-1])} ticks; "
        f"'+1 and -1 by the sign of the start' at beta = 1.5: {'yes' if signs else 'no'}, to +-{goal:.4f}, and the start 0 ends at {float(two.sel(start=0)):.0f}"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """One panel for each beta; a line for each start, black the one that starts at 0."""
    figure = style.new_figure(FINDING, 9.5, 4)
    for ax, beta in zip(figure.subplots(1, 2, sharey=True), data.beta.values, strict=True):
        for start in data.start.values:
            colour = style.BLACK if start == 0 else style.BLUE if start > 0 else style.VERMILION
            ax.plot(data.n, data.state.sel(beta=beta, start=start), color=colour, lw=2.4 if start == 0 else 1.3)
        ax.set(xlabel="internal clock n (ticks)", title=f"β = {beta:g}", ylim=(-1.05, 1.05))
    figure.axes[0].set_ylabel("state $\\tilde h[n]$")
    return figure
