"""grazzi25, Fig. 2: the states of one-layer scalar LRNNs on the word 111..., and the same states cast onto a finite set D.

The recurrence h_t = a h_{t-1} + b is run in exact rationals; the lower row is the cast model of App. B.1, whose end is
computed for all times and not read off the window. Theorem 1 is the lower row.
"""

from __future__ import annotations

from itertools import islice

import numpy as np
import xarray as xr
from flint import fmpq
from matplotlib.figure import Figure

from ..constructions.parity import power_recurrence, scalar
from ..constructions.recurrence import Recurrence
from ..numerics.finite_precision import FiniteSet
from . import style

FINDING = "Cast onto a finite set, the state settles if a(1) ≥ 0; with a(1) = −1 it alternates with the parity"

#: what the state does -> a(1), with b(1) = 1 and h_0 = 0 throughout
LAYERS = {
    "diverges": fmpq(3, 2),
    "counts": fmpq(1),
    "converges": fmpq(1, 2),
    "alternates": fmpq(-1),
}
D = FiniteSet(fmpq(k, 4) for k in range(-16, 17))
LAST = 12


def layer(a: fmpq) -> Recurrence:
    """h -> a h + 1 at every letter 1, from h_0 = 0."""
    return power_recurrence(scalar(a), scalar(0), scalar(1))


def compute() -> xr.Dataset:
    """States and cast states at t = 0 .. ``LAST``, per layer its a(1), and from when on its cast state has which period."""
    word = [1] * LAST
    layers = [layer(a) for a in LAYERS.values()]
    forever = [one.eventual_states([], [1], D) for one in layers]
    return xr.Dataset(
        {
            "state": (
                ("layer", "t"),
                [_floats(one.states(word)) for one in layers],
                {"long_name": "state in exact arithmetic", "units": "1"},
            ),
            "cast_state": (
                ("layer", "t"),
                [_floats(one.cast_states(word, D)) for one in layers],
                {"long_name": "state cast onto D", "units": "1"},
            ),
        },
        {
            "layer": ("layer", list(LAYERS), {"long_name": "what the state does"}),
            "t": ("t", np.arange(LAST + 1), {"long_name": "number of ones read", "units": "letters"}),
            "a": ("layer", [str(a) for a in LAYERS.values()], {"long_name": "transition a(1)", "units": "1"}),
            "period": (
                "layer",
                [states.period for states in forever],
                {"long_name": "eventual period of the cast state", "units": "letters"},
            ),
            "periodic_from": (
                "layer",
                [_first(states) for states in forever],
                {"long_name": "time from which it has that period", "units": "letters"},
            ),
        },
        {"source": "grazzi25, Figure 2", "D": f"multiples of 1/4 in [{D.values[0]}, {D.values[-1]}]"},
    )


def _floats(states) -> list[float]:
    return [float(H[0, 0]) for H in islice(states, LAST + 1)]


def _first(states) -> int:
    """The least time from which the states have their eventual period; the computed threshold may be later."""
    t = states.threshold
    while t > 0 and np.array_equal(states.state(t - 1), states.state(t - 1 + states.period)):
        t -= 1
    return t


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """One column per layer: the exact state above, its cast below; the marker tells the parity of the number of ones."""
    figure = style.new_figure(FINDING, 9.6, 5.2)
    axes = figure.subplots(2, data.sizes["layer"], sharex=True)
    for column, name in zip(axes.T, data["layer"].values, strict=True):
        one = data.sel(layer=name)
        column[0].set_title(f"$a(1) = {one['a'].item()}$: {name}")
        for ax, variable in zip(column, ("state", "cast_state"), strict=True):
            _plot(ax, data["t"].values, one[variable].values)
        column[1].set_ylim(-0.4, 4.5)
        when, period = one["periodic_from"].item(), one["period"].item()
        column[1].set_title("always alternating" if period == 2 else f"constant from $t = {when}$ on")
        if period == 1:
            column[1].axvspan(when - 0.5, data["t"].values[-1] + 0.5, color=style.PALE, alpha=0.6, lw=0, zorder=0)
    for ax in axes[0, 2:]:
        ax.set_ylim(-0.2, 2.35)
    axes[0, 0].set_ylabel("state $h_t$")
    axes[1, 0].set_ylabel("cast onto\n$\\{k/4: |k| \\leq 16\\}$")
    axes[0, 1].set_yticks(range(0, 13, 4))
    for ax in axes[1]:
        ax.set_xlabel("ones read, $t$")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2)
    return figure


def _plot(ax, t: np.ndarray, h: np.ndarray) -> None:
    ax.plot(t, h, color="#888888", lw=1, zorder=1)
    for parity, colour, marker, label in ((0, style.BLUE, "o", "$t$ even"), (1, style.VERMILION, "s", "$t$ odd")):
        chosen = t % 2 == parity
        ax.plot(t[chosen], h[chosen], marker, color=colour, label=label, zorder=2)
    ax.set_xticks(range(0, len(t), 4))
