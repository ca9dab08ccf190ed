"""lizaire26, Fig. 6: copying d channels p steps forward: the least error of each width and depth. What training finds is the experiment lizaire26.fig7.

The expected error of a linear network on white inputs is a quadratic function of its impulse response (``constructions.depth.errors``). So no
test set is needed, and the best error can be searched for directly.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from ..constructions.depth import copy_network, least_width, parameters
from ..constructions.depth.errors import copied_error, lower_bound, near_error
from ..numerics.exact import as_float
from ..numerics.progress import Progress, silent
from . import style
from .points import measure_points, one_thread

FINDING = "Exact copies need pd ≤ L(n − d); at length 2p, networks with pd units in all come arbitrarily close, in many depths"

#: d, p, T, widths, depths, starts and steps of the search for the best
SIZES = {
    "smoke": (1, 2, 4, (1, 2, 3), (1, 2), 2, 200),
    "quick": (2, 4, 8, (2, 3, 4, 5, 6, 7, 8, 10), (1, 2, 4), 5, 300),
    "paper": (5, 8, 16, (5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 60), (1, 2, 4, 8), 7, 600),
}


def compute(scale: str = "quick", keep: Path | None = None, progress: Progress = silent) -> xr.Dataset:
    """Errors (n, L): lower bound, best found, best built, copying fewer channels; the best is the less of what is found and built."""
    d, p, T, widths, depths, starts, search = SIZES[scale]
    points = [(n, depth) for n in widths for depth in depths]
    measured = measure_points(points, lambda n, depth: least_error(n, depth, d, p, T, starts, search), keep, progress)
    shape = (len(widths), len(depths))
    found = np.array(measured).reshape(shape)
    bounds = [(lower_bound(n * depth, d, p, T), copied_error(n, depth, d, p, T), near_error(n, depth, d, p, T)) for n, depth in points]
    lower, copied, near = (np.array([b[i] for b in bounds]).reshape(shape) for i in (0, 1, 2))
    unit = {"units": "1 (a silent network has (T - p) / T)"}
    over = ("n", "depth")
    return xr.Dataset(
        {
            "lower": (over, lower, {"long_name": "lower bound of the mean squared error", **unit}),
            "best": (over, np.minimum(found, near), {"long_name": "least mean squared error found or built", **unit}),
            "found": (over, found, {"long_name": "least mean squared error that the search found", **unit}),
            "near": (over, near, {"long_name": "mean squared error of copies with one wrong response", **unit}),
            "copied": (over, copied, {"long_name": "mean squared error of copying as many channels as fit", **unit}),
            "needed": ("depth", [least_width(p, depth, d) for depth in depths], {"long_name": "least width that copies", "units": "1"}),
            "parameters": (over, np.reshape([parameters(n, k, d) for n, k in points], shape), {"long_name": "parameters", "units": "1"}),
        },
        {
            "n": ("n", list(widths), {"long_name": "width", "units": "1"}),
            "depth": ("depth", list(depths), {"long_name": "layers", "units": "1"}),
        },
        {"source": "lizaire26, Figure 6", "d": d, "p": p, "T": T},
    )


@one_thread()
def least_error(n: int, depth: int, d: int, p: int, T: int, starts: int, search: int) -> float:
    """The least expected error found by BFGS on the expected error itself, from a copy of as many channels as fit and ``starts`` random networks."""
    channels = min(d, depth * n // (p + depth))
    if channels == d:
        return 0.0
    candidates = [_random(n, depth, d, seed) for seed in range(starts)]
    if channels:
        noise = _random(n, depth, d, starts)
        candidates.append([w + 0.1 * e for w, e in zip(_partial_copy(n, depth, p, channels, d), noise, strict=True)])
    found = [_refined(weights, depth, d, p, T, search) for weights in candidates]
    return min([copied_error(n, depth, d, p, T), *(x for x in found if np.isfinite(x))])


def _refined(weights: list, depth: int, d: int, p: int, T: int, search: int) -> float:
    """The expected error after at most ``search`` steps of BFGS in double precision."""
    import torch

    weights = [w.clone().requires_grad_() for w in weights]
    optimizer = torch.optim.LBFGS(weights, lr=1, max_iter=search, history_size=20, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        loss = _expected_error(weights, depth, d, p, T)
        loss.backward()
        return loss

    optimizer.step(closure)  # type: ignore[arg-type]
    return float(_expected_error(weights, depth, d, p, T).detach())


def _random(n: int, depth: int, d: int, seed: int) -> list:
    """U_1, V_1, ..., U_L, V_L and the readout, uniform in [-1, 1] / sqrt(n)."""
    import torch

    generator = torch.Generator().manual_seed(seed)
    shapes = [s for k in range(depth) for s in ((n, n if k else d), (n, n))] + [(d, n)]
    return [(torch.rand(*s, generator=generator, dtype=torch.float64) * 2 - 1) / n**0.5 for s in shapes]


def _partial_copy(n: int, depth: int, p: int, channels: int, d: int) -> list:
    import torch

    network = copy_network(n, depth, p, channels)
    weights = [as_float(M) for layer in network.layers for M in layer] + [as_float(network.readout)]
    weights[0] = np.hstack([weights[0], np.zeros((n, d - channels))])
    weights[-1] = np.vstack([weights[-1], np.zeros((d - channels, n))])
    return [torch.from_numpy(w) for w in weights]


def _run(weights: list, depth: int, inputs):
    """Outputs (T, batch, d) of the network from a zero state."""
    import torch

    layer = list(inputs)
    for k in range(depth):
        U, V = weights[2 * k], weights[2 * k + 1]
        h, out = None, []
        for x in layer:
            h = x @ U.T if h is None else h @ V.T + x @ U.T
            out.append(h)
        layer = out
    return torch.stack(layer) @ weights[-1].T


def _expected_error(weights: list, depth: int, d: int, p: int, T: int):
    """sum_k (T - k) |g_k - [k = p] I|^2 / (T d), from the response to a unit impulse in each channel."""
    import torch

    impulse = torch.zeros(T, d, d, dtype=torch.float64)
    impulse[0] = torch.eye(d, dtype=torch.float64)
    response = _run(weights, depth, impulse)
    target = torch.zeros_like(response)
    target[p] = torch.eye(d, dtype=torch.float64)
    lags = torch.arange(T, 0, -1, dtype=torch.float64)
    return ((response - target) ** 2).sum((1, 2)) @ lags / (T * d)


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    exact = data.needed <= data.n
    falls = bool((data.best.diff("depth") <= 1e-9).all())
    first = data.parameters.where(exact).min("n").fillna(np.inf).values
    cheapest = int(data.depth.values[first.argmin()])
    needed = ", ".join(f"n = {int(n)} for L = {int(depth)}" for depth, n in zip(data.depth.values, data.needed.values, strict=True))
    open_ = ~exact & (data.lower < 1e-3)
    built, found = open_ & (data.near < 1e-3), open_ & (data.found < 1e-3)
    missed = int((built & ~found).sum())
    return (
        f"'deeper models need a smaller width': for exact copies yes, from {needed}; at length {data.attrs['T']} less will do: of {int((~exact).sum())} smaller sizes "
        f"{int((~exact & ~open_).sum())} have too few units for an error below 1e-3 (a bound), {int(built.sum())} reach an error of {float(data.near.where(built).max()):.0e} or less by a copy with one wrong response, "
        f"which a greater scale makes as small as one likes (new.depth.approximate-copies); the search alone stays above 1e-3 at {missed} of these, up to {float(data.found.where(built).fillna(0).max()):.2g}, "
        f"and {int((open_ & ~built & ~found).sum())} sizes are open; the least error {'never rises' if falls else 'sometimes rises'} with depth; "
        f"'fewer parameters with depth': the cheapest exact copy on this grid has {cheapest} layer{'s' if cheapest > 1 else ''} at lag {data.attrs['p']}"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Error against width, units and parameters; the best found or built."""
    figure = style.new_figure(FINDING, 12, 4.4)
    axes = figure.subplots(1, 3, sharey=True)
    colours = (style.BLACK, style.VERMILION, style.GREEN, style.BLUE)
    d, p, T = (data.attrs[k] for k in ("d", "p", "T"))
    for i, depth in enumerate(data.depth.values):
        at = data.sel(depth=depth)
        for ax, x in zip(axes, (at.n, at.n * depth, at.parameters), strict=True):
            ax.plot(x, at.best, "o-", color=colours[i], label=f"L = {depth}", markersize=4)
        axes[0].axvline(int(at.needed), color=colours[i], ls=":", lw=1)
    units = np.arange(0, int((data.n * data.depth).max()) + 1)
    axes[1].plot(units, [lower_bound(int(u), d, p, T) for u in units], "--", color=style.PURPLE, label="lower bound")
    axes[1].set_xlim(0, 2.2 * p * d)
    axes[2].set_xscale("log")
    for ax, label in zip(axes, ("width n (dotted: exact from here on)", "units n L", "parameters"), strict=True):
        ax.set_xlabel(label)
    axes[0].set_ylabel("mean squared error of the copy")
    axes[2].legend(fontsize=9)
    axes[1].legend(*([a[-1:] for a in axes[1].get_legend_handles_labels()]), fontsize=9)
    axes[1].set_title(f"d = {d} channels, p = {p} steps, length {T}", fontsize=10)
    return figure
