"""degeeter26, Fig. 5: the functions of Eqs. 12 and 13, and Eq. 13 without the factor 1 / alpha_surr."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from . import style

FINDING = "Eq. 13 shrinks to 1/2 as α_surr grows; without its factor 1/α_surr it tends to the step"

SHARPNESS = (0.0, 0.5, 1.0, 2.0, 5.0)
X = np.linspace(-2, 2, 201)


def compute() -> xr.Dataset:
    """Eq. 13, Eq. 12 and the unscaled function, (alpha_surr, x); at 0 their limits x + 1/2, 1 and 1/2."""
    a, x = np.array(SHARPNESS)[:, None], X[None]
    safe = np.where(a == 0, 1.0, a)
    printed = np.where(a == 0, x + 0.5, np.arctan(a * np.pi * x) / (np.pi * safe) + 0.5)
    dims = ("alpha_surr", "x")
    return xr.Dataset(
        {
            "function": (dims, printed, {"long_name": "Eq. 13", "units": "1"}),
            "unscaled": (dims, np.arctan(a * np.pi * x) / np.pi + 0.5, {"long_name": "Eq. 13 without 1 / alpha_surr", "units": "1"}),
            "slope": (dims, 1 / (1 + (a * np.pi * x) ** 2), {"long_name": "Eq. 12", "units": "1"}),
        },
        {
            "alpha_surr": ("alpha_surr", np.array(SHARPNESS), {"long_name": "parameter of the surrogate", "units": "1"}),
            "x": ("x", X, {"long_name": "argument", "units": "1"}),
        },
        {"source": "degeeter26, Figure 5"},
    )


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    ends = data.function.isel(x=-1)
    half = [float(data.x[(data.slope.sel(alpha_surr=a) >= 0.5) & (data.x >= 0)].max()) for a in (1.0, 2.0, 5.0)]
    narrower = all(a > b for a, b in pairwise(half))
    near = [a for a in (1.0, 2.0, 5.0) if abs(float(ends.sel(alpha_surr=a)) - 1) < 0.1]
    return (
        f"'as alpha_surr increases the peak gets narrower': {'yes' if narrower else 'no'}, half its height at x = {', '.join(f'{h:.2f}' for h in half)} for 1, 2, 5; 'similar to the Heaviside function': "
        f"within 0.1 of 1 at x = 2 for alpha_surr = {', '.join(f'{a:g}' for a in near)} only, the value at x = 2 is {', '.join(f'{float(ends.sel(alpha_surr=a)):.2f}' for a in (1.0, 2.0, 5.0))} for 1, 2, 5"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """The function as printed, the one that tends to the step, and their common slope's shape."""
    figure = style.new_figure(FINDING, 11.5, 4)
    axes = figure.subplots(1, 3)
    colours = (style.BLACK, style.ORANGE, style.BLUE, style.GREEN, style.VERMILION)
    panels = (("function", "Eq. 13"), ("unscaled", "Eq. 13 without 1/α_surr"), ("slope", "Eq. 12, the surrogate slope"))
    for ax, (name, title) in zip(axes, panels, strict=True):
        for a, colour in zip(data.alpha_surr.values, colours, strict=True):
            ax.plot(data.x, data[name].sel(alpha_surr=a), color=colour, label=f"α_surr = {a:g}")
        if name != "slope":
            ax.step([-2, 0, 2], [0, 1, 1], where="post", color="#777777", lw=1, ls="--", label="H(x)")
        ax.set(xlabel="x", title=title, ylim=(-0.15, 1.15))
    axes[0].set_ylabel("value")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=6, fontsize=10)
    return figure
