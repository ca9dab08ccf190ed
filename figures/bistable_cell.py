"""degeeter26, Fig. 12: the steady states of the bistable recurrent cell (Eq. 15) for b_a = -1, 0, 1, and the curve of its singular states for other w_a."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from . import style
from .bistable_equilibria import CURVE, steady

FINDING = "The cell passes from one to three steady states at b_a = 0; other w_a move the cusp along one curve"

UNFOLDING = (-1.0, 0.0, 1.0)


def compute() -> xr.Dataset:
    """Steady inputs (b_a, u), stability, and the singular state h(w_a) on its curve (k)."""
    beta = np.tanh(np.array(UNFOLDING))[:, None]
    k = 1 + (1 + np.sqrt(5)) * np.linspace(0.002, 0.97, 40)
    h = np.sqrt(2 * (k - 1) / (6 * k - 1 - k**2))
    w = -4 * k * (k - 1) / ((k + 1) * (k**2 - 4 * k - 1)) / h
    return xr.Dataset(
        {
            "steady_input": (("b_a", "u"), steady(CURVE[None], beta), {"long_name": "input at which h is a steady state", "units": "1"}),
            "stable": (
                ("b_a", "u"),
                (beta + 1) * (1 - np.tanh(CURVE[None]) ** 2) <= 1,
                {"long_name": "the steady state is stable", "units": "1"},
            ),
            "singular_state": ("k", h, {"long_name": "state at the singularity", "units": "1"}),
            "weight": ("k", w, {"long_name": "w_a", "units": "1"}),
        },
        {
            "b_a": ("b_a", np.array(UNFOLDING), {"long_name": "unfolding parameter", "units": "1"}),
            "u": ("u", CURVE, {"long_name": "artanh of the steady state", "units": "1"}),
            "h": ("u", np.tanh(CURVE), {"long_name": "steady state", "units": "1"}),
            "k": ("k", k, {"long_name": "parameter of the curve", "units": "1"}),
        },
        {"source": "degeeter26, Figure 12"},
    )


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    turns = {float(b): int((np.diff(np.sign(np.diff(data.steady_input.sel(b_a=b)))) != 0).sum()) for b in data.b_a}
    k, h = data.k, data.singular_state
    a = (3 - (k + 1 / k) / 2) / 2
    one = bool((np.diff(data.weight) > 0).all())
    # the U_a that makes G_x = 0, for U_h = 1
    fatal = -1 / (a * (2 - a) * h)
    return (
        f"'monostable, singular, bistable for b_a = -1, 0, 1': {'yes' if list(turns.values()) == [0, 0, 2] else 'no'}, the curves turn {', '.join(str(n) for n in turns.values())} times; "
        f"'other parameters do not alter the singularity': there is {'one' if one else 'more than one'} for each w_a drawn, and one U_a for each w_a, from {float(fatal.max()):.2f} down to {float(fatal.min()):.2f} on the curve, destroys it "
        "(claim degeeter26.appA.modifications.exception)"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """The unfolding, and where the cusp goes."""
    figure = style.new_figure(FINDING, 10, 4.2)
    left, right = figure.subplots(1, 2)
    names = {-1.0: "monostable", 0.0: "singular", 1.0: "bistable"}
    for b, colour in zip(data.b_a.values, (style.BLUE, style.BLACK, style.VERMILION), strict=True):
        one = data.sel(b_a=b)
        left.plot(one.steady_input.where(one.stable), one.h, color=colour, label=f"$b_a$ = {b:g}, {names[b]}")
        left.plot(one.steady_input.where(~one.stable), one.h, "--", color=colour)
    left.set(xlabel="input x", ylabel="state h", xlim=(-1.6, 1.6), title="steady states (dashed: unstable)")
    left.legend(fontsize=9, loc="upper left")
    right.plot(data.weight, data.singular_state, color=style.GREEN)
    right.plot(3 / np.sqrt(2), 1 / np.sqrt(2), "o", color=style.BLACK)
    right.annotate(
        "$w_a=3/\\sqrt{2},\\ h=1/\\sqrt{2}$", (3 / np.sqrt(2), 1 / np.sqrt(2)), xytext=(10, -14), textcoords="offset points", fontsize=10
    )
    right.set(xlabel="$w_a$", ylabel="state h at the singularity", title="the one singular state for each $w_a$", xlim=(0, 10), ylim=(0, 1))
    return figure
