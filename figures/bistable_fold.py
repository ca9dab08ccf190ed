"""degeeter26, Fig. 3: the solutions of Eq. 5 against Eq. 8 with alpha = 1, and how far the threshold beta lies beyond the fold."""

from __future__ import annotations

import numpy as np
import xarray as xr
from flint import arb
from matplotlib.figure import Figure

from ..constructions.bistable import fold_input
from . import style
from .bistable_equilibria import CURVE, steady

FINDING = "The threshold β lies beyond the true fold for every β: the unit remembers where the hysteresis has forgotten"

BETAS = (0.5, 1.5, 4.0)
RANGE = np.geomspace(1e-3, 1e3, 61)


def compute() -> xr.Dataset:
    """The curve of equilibria (beta, u) and the fold's input (feedback), from balls of radius below 1e-10."""
    folds = [fold_input(arb(float(b))) for b in RANGE]
    if not all(f.rad() < 1e-10 * f.mid() for f in folds):
        raise ArithmeticError("expected tight balls for the folds, got wider ones")
    beta = np.array(BETAS)
    return xr.Dataset(
        {
            "steady_input": (
                ("beta", "u"),
                steady(CURVE[None], beta[:, None]),
                {"long_name": "input at which h is an equilibrium", "units": "1"},
            ),
            "fold": ("feedback", [float(f.mid()) for f in folds], {"long_name": "input of the fold, x_f", "units": "1"}),
        },
        {
            "beta": ("beta", beta, {"long_name": "feedback of the panels", "units": "1"}),
            "u": ("u", CURVE, {"long_name": "artanh of the equilibrium", "units": "1"}),
            "h": ("u", np.tanh(CURVE), {"long_name": "equilibrium", "units": "1"}),
            "feedback": ("feedback", RANGE, {"long_name": "feedback beta", "units": "1"}),
        },
        {"source": "degeeter26, Figure 3"},
    )


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    ratio = data.fold / data.feedback
    at = float(fold_input(arb(1.5)).mid())
    before = int((ratio < 1).sum())
    return (
        f"the memory region of Eq. 5 ends before that of Eq. 8, x_f < beta, for {before} of {data.sizes['feedback']} beta drawn; "
        f"x_f = {at:.3f} at beta = 1.5, x_f / beta from {float(ratio[0]):.3f} to {float(ratio[-1]):.3f}"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Three diagrams and the ratio of the two thresholds."""
    figure = style.new_figure(FINDING, 13, 3.9)
    axes = figure.subplots(1, 4)
    for ax, beta in zip(axes, data.beta.values, strict=False):
        x, h = data.steady_input.sel(beta=beta), data.h
        outer = h**2 > beta / (beta + 1)
        ax.plot(x.where(outer & (h > 0)), h, color=style.BLUE, label="Eq. 5, stable")
        ax.plot(x.where(outer & (h < 0)), h, color=style.BLUE)
        ax.plot(x.where(~outer), h, "--", color=style.BLUE, label="Eq. 5, unstable")
        ax.plot([-beta, 2 * beta], [1, 1], color=style.VERMILION, label="Eq. 8, stable")
        ax.plot([-2 * beta, beta], [-1, -1], color=style.VERMILION)
        ax.plot([-beta, beta], [1, -1], "--", color=style.VERMILION, label="Eq. 8, boundary")
        ax.set(xlabel="input x", ylabel="state h", title=f"β = {beta:g}", xlim=(-2 * beta, 2 * beta), ylim=(-1.15, 1.15))
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=10)
    axes[3].semilogx(data.feedback, data.fold / data.feedback, color=style.BLACK)
    axes[3].set(xlabel="β", ylabel="$x_f\\,/\\,β$", title="true fold over threshold", ylim=(0, 1))
    return figure
