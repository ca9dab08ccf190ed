"""lizaire26, Fig. 4: what depth does to the memory of a linear RNN, at the same width, with the same number of units, and per parameter."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from ..constructions.depth import least_width, parameters
from . import style

FINDING = "Depth adds memory; the same units in one layer remember more, but cost more parameters"

WIDTH, UNITS, DEPTHS, LAGS = 6, 24, (1, 2, 3, 4, 6, 8), tuple(range(1, 61))


def compute() -> xr.Dataset:
    """Largest lags copied (by depth) and least numbers of parameters (by depth and lag), by the sharp bound p <= L (n - 1)."""
    depths = np.array(DEPTHS)
    same_width = depths * (WIDTH - 1)
    same_units = np.array([depth * (UNITS // depth - 1) for depth in DEPTHS])
    cost = np.array([[parameters(least_width(p, depth), depth) for p in LAGS] for depth in DEPTHS])
    return xr.Dataset(
        {
            "lag_same_width": ("depth", same_width, {"long_name": f"largest lag copied with width {WIDTH}", "units": "steps"}),
            "lag_same_units": ("depth", same_units, {"long_name": f"largest lag copied with {UNITS} units altogether", "units": "steps"}),
            "parameters": (("depth", "lag"), cost, {"long_name": "least number of parameters", "units": "1"}),
        },
        {
            "depth": ("depth", depths, {"long_name": "number of layers", "units": "1"}),
            "lag": ("lag", np.array(LAGS), {"long_name": "lag of the copy", "units": "steps"}),
        },
        {"source": "lizaire26, Figure 4"},
    )


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    best = data.depth.values[data.parameters.argmin("depth").values]
    rises = data.lag_same_width.diff("depth") / data.depth.diff("depth")
    wide = bool((data.lag_same_units.diff("depth") < 0).all())
    return (
        f"'adding layers increases memory': {'yes' if (rises > 0).all() else 'no'}, by at least {float(rises.min()):g} steps a layer; 'with the same units a single layer offers more': {'yes' if wide else 'no'}; "
        f"'depth is more parameter-efficient': first at a lag of {int(data.lag.values[best > 1][0])}, and at lag {LAGS[-1]} {int(best[-1])} layers are cheapest"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Three panels, one for each comparison."""
    figure = style.new_figure(FINDING, 11, 4.2)
    left, middle, right = figure.subplots(1, 3)
    left.plot(data.depth, data.lag_same_width, "o-", color=style.BLUE)
    left.set(xlabel="layers L", ylabel="largest lag p copied (steps)", title=f"same width, n = {WIDTH}")
    middle.plot(data.depth, data.lag_same_units, "s-", color=style.VERMILION)
    middle.set(xlabel="layers L", ylabel="largest lag p copied (steps)", title=f"same units, nL = {UNITS}", ylim=(0, UNITS))
    colours = (style.BLACK, style.VERMILION, style.ORANGE, style.GREEN, style.BLUE, style.PURPLE)
    for depth, colour in zip(data.depth.values, colours, strict=True):
        right.loglog(data.lag, data.parameters.sel(depth=depth), color=colour, label=f"L = {depth}")
    right.set(xlabel="lag p (steps)", ylabel="least number of parameters", title="parameters of a copy")
    right.legend(fontsize=9, ncols=2)
    return figure
