"""lizaire26, Fig. 8: parity with tanh between the layers or in the recurrence: trained networks, and exact ones for reference."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from scipy.stats import binom

from . import style
from .points import measure_all, one_thread

FINDING = "One layer with tanh in depth only can do parity at any given length, but training does not find it"

PLACES = ("in depth", "in the recurrence")

#: channels d, length T, widths, depths, steps of training
SIZES = {
    "smoke": (1, 3, (2, 4), (1, 2), 20),
    "quick": (1, 8, (2, 4, 8, 16), (1, 2, 4), 1200),
    "paper": (5, 20, (5, 10, 20, 30, 50, 75, 100, 150), (1, 2, 4, 8), 20000),
}


def compute(scale: str = "quick", keep: Path | None = None, tick: Callable[[float], None] | None = None) -> xr.Dataset:
    """Test errors (where, n, L) of trained networks, and of the constructed one with tanh in depth only, by width."""
    d, T, widths, depths, steps = SIZES[scale]
    points = [(place, n, depth) for place in PLACES for n in widths for depth in depths]
    measured = measure_all(points, lambda place, n, depth: trained_error(place, n, depth, d, T, steps), keep, tick)
    error = np.array(measured).reshape(len(PLACES), len(widths), len(depths))
    parameters = [[(2 * depth - 1) * n * n + (depth + 2 * d) * n + d for depth in depths] for n in widths]
    unit = {"units": "1 (a silent network has 1)"}
    return xr.Dataset(
        {
            "trained": (("place", "n", "depth"), error, {"long_name": "mean squared test error after training", **unit}),
            "constructed": ("n", [constructed_error(n, d, T) for n in widths], {"long_name": "error of one layer with tanh steps", **unit}),
            "parameters": (("n", "depth"), parameters, {"long_name": "parameters with readout", "units": "1"}),
        },
        {
            "place": ("place", list(PLACES), {"long_name": "where tanh is applied"}),
            "n": ("n", list(widths), {"long_name": "width", "units": "1"}),
            "depth": ("depth", list(depths), {"long_name": "layers", "units": "1"}),
        },
        {"source": "lizaire26, Figure 8", "d": d, "T": T, "training steps": steps},
    )


def signs(batch: int, d: int, T: int, seed: int):
    """(inputs, targets), both (T, batch, d): random signs and their running products."""
    import torch

    x = torch.randint(0, 2, (T, batch, d), generator=torch.Generator().manual_seed(seed), dtype=torch.int64) * 2.0 - 1
    return x, x.cumprod(0)


@one_thread()
def trained_error(place: str, n: int, depth: int, d: int, T: int, steps: int) -> float:
    """The mean squared error on 2000 new sequences after training by Adam on fresh batches of 128."""
    import torch

    torch.manual_seed(1000 * n + depth)
    layers = torch.nn.ModuleList(
        torch.nn.ModuleDict({"U": torch.nn.Linear(n if k else d, n), "V": torch.nn.Linear(n, n, bias=False)}) for k in range(depth)
    )
    readout = torch.nn.Linear(n, d)
    weights = [*layers.parameters(), *readout.parameters()]
    for w in weights:
        torch.nn.init.uniform_(w, -(n**-0.5), n**-0.5)

    def run(x):
        for layer in layers:
            below, h, out = layer["U"](x), torch.zeros(x.shape[1], n), []  # type: ignore[index, operator]
            for u in below:
                h = layer["V"](h) + u  # type: ignore[index, operator]
                if place == "in the recurrence":
                    h = torch.tanh(h)
                out.append(h)
            x = torch.stack(out)
            if place == "in depth":
                x = torch.tanh(x)
        return readout(x)

    optimizer = torch.optim.Adam(weights, lr=3e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    for step in range(steps):
        x, y = signs(128, d, T, step + 1)
        loss = ((run(x) - y) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        schedule.step()
    x, y = signs(2000, d, T, 0)
    with torch.no_grad():
        return float(((run(x) - y) ** 2).mean())


def constructed_error(n: int, d: int, T: int, steepness: float = 20.0) -> float:
    """The error of one linear counting layer, tanh on its outputs and a linear readout: T units a channel give every sum its sign.

    Input weight -1/2 and bias 1/2 count the minus signs, k, and (-1)^k = 1 + sum_j (-1)^(j+1) (tanh(c (k - j - 1/2)) + 1), j = 0 .. T - 1. With fewer than T
    units a channel the last steps are left out. The expectation over random words is exact: k is binomial, and channels are independent.
    """
    steps = min(n // d, T)
    total = 0.0
    for t in range(1, T + 1):
        k = np.arange(t + 1)
        output = 1 + sum((-1.0) ** (j + 1) * (np.tanh(steepness * (k - j - 0.5)) + 1) for j in range(steps))
        total += float(binom.pmf(k, t, 0.5) @ (output - (-1.0) ** k) ** 2)
    return total / T


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    depth_only, recurrent = (data.trained.sel(place=place) for place in PLACES)
    d, T = data.attrs["d"], data.attrs["T"]
    shallow = float(depth_only.sel(depth=[k for k in data.depth.values if k <= 2]).min())
    return (
        f"'shallow networks with tanh in depth only do not learn parity': best error {shallow:.2g} with one or two layers, against {float(recurrent.min()):.2g} in the recurrence; "
        f"'they cannot': no: with {T} units a channel one layer is exact at length {T} (error {constructed_error(T * d, d, T):.0e}), and 2 units "
        "with another strictly increasing activation at every length (lizaire26.thm5.remark)"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Error against the width for both, and against the parameters."""
    figure = style.new_figure(FINDING, 12, 4.4)
    axes = figure.subplots(1, 3, sharey=True)
    colours = (style.BLACK, style.VERMILION, style.GREEN, style.BLUE)
    for i, depth in enumerate(data.depth.values):
        for ax, place, marker in zip(axes, PLACES, "os", strict=False):
            at = data.sel(depth=depth, place=place)
            ax.plot(at.n, at.trained, marker + "-", color=colours[i], label=f"L = {depth}", markersize=4)
            axes[2].plot(at.parameters, at.trained, marker + ("-" if marker == "o" else ":"), color=colours[i], markersize=4)
    axes[0].plot(data.n, data.constructed, "d--", color=style.PURPLE, label="constructed, L = 1", markersize=4)
    for ax, title in zip(axes, ("tanh in depth only", "tanh in the recurrence", "both (dotted: in the recurrence)"), strict=True):
        ax.set(title=title, xlabel="width n")
    axes[2].set(xlabel="parameters", xscale="log")
    axes[0].set_ylabel(f"test error, length {data.attrs['T']}, d = {data.attrs['d']}")
    axes[0].set_ylim(-0.05, 1.3)
    axes[0].legend(fontsize=9)
    return figure
