"""Which width and depth copies p steps of d channels with the fewest parameters (after lizaire26, Theorem 2)."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from ..constructions.depth import least_width, parameters
from . import style

FINDING = "Beyond a few steps, the cheapest copy of d channels by p steps has about p layers of width 2d"

LAGS, CHANNELS = tuple(range(1, 101)), (1, 2, 5)


def compute() -> xr.Dataset:
    """Least number of parameters, and the width and depth that attain it, by lag and number of channels; exact, by p d <= L (n - d)."""
    cheapest = np.zeros((len(CHANNELS), len(LAGS)), dtype=int)
    depth, width, single = (np.zeros_like(cheapest) for _ in range(3))
    for i, d in enumerate(CHANNELS):
        for j, p in enumerate(LAGS):
            # more than p d layers never help: the width is d + 1 from there on
            costs = [(parameters(least_width(p, k, d), k, d), k) for k in range(1, p * d + 1)]
            cheapest[i, j], depth[i, j] = min(costs)
            width[i, j] = least_width(p, int(depth[i, j]), d)
            single[i, j] = costs[0][0]
    over = ("channels", "lag")
    return xr.Dataset(
        {
            "cheapest": (over, cheapest, {"long_name": "least number of parameters of a copy", "units": "1"}),
            "depth": (over, depth, {"long_name": "layers of the cheapest copy", "units": "1"}),
            "width": (over, width, {"long_name": "width of the cheapest copy", "units": "1"}),
            "single": (over, single, {"long_name": "parameters of a copy in one layer", "units": "1"}),
        },
        {
            "channels": ("channels", list(CHANNELS), {"long_name": "channels d", "units": "1"}),
            "lag": ("lag", list(LAGS), {"long_name": "lag p", "units": "steps"}),
        },
        {"source": "after lizaire26, Theorem 2"},
    )


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the matter, and whether the data bear it out."""
    first = [int(data.lag.values[(data.depth.sel(channels=d) > 1).values][0]) for d in data.channels.values]
    last = [f"{int(data.depth.sel(channels=d)[-1])} layers of width {int(data.width.sel(channels=d)[-1])}" for d in data.channels.values]
    saved = [float(data.single.sel(channels=d)[-1] / data.cheapest.sel(channels=d)[-1]) for d in data.channels.values]
    pays = all(x > 1 for x in saved)
    return (
        f"'depth is more parameter-efficient for memory': {'yes' if pays else 'no'}, from lags {first} on for d = {list(map(int, data.channels.values))}; "
        f"at lag {int(data.lag[-1])} the cheapest have {', '.join(last)}, {', '.join(f'{s:.1f}' for s in saved)} times cheaper than one layer"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Parameters on the left, the best shape on the right."""
    figure = style.new_figure(FINDING, 11, 4.2)
    left, right = figure.subplots(1, 2)
    for d, colour in zip(data.channels.values, (style.BLUE, style.GREEN, style.VERMILION), strict=True):
        at = data.sel(channels=d)
        left.loglog(at.lag, at.cheapest, color=colour, label=f"d = {d}, best depth")
        left.loglog(at.lag, at.single, "--", color=colour, label=f"d = {d}, one layer")
        right.loglog(at.lag, at.depth, color=colour)
        right.loglog(at.lag, at.width, ":", color=colour)
    left.set(xlabel="lag p (steps)", ylabel="least number of parameters", title="cost of a copy")
    right.set(xlabel="lag p (steps)", ylabel="layers, width", title="shape of the cheapest copy")
    left.legend(fontsize=9)
    right.plot([], [], color="0.4", label="layers L")
    right.plot([], [], ":", color="0.4", label="width n (2d in the end)")
    right.legend(fontsize=9)
    return figure
