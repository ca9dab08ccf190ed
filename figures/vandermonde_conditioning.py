"""orvieto24, Fig. 2: the condition number of V_L against the least modulus of the eigenvalues, N = 2L; beside it N = L, and LAPACK's numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from ..numerics.progress import Progress, silent
from ..numerics.vandermonde import log_condition_number, vandermonde
from . import style
from .points import measure_points

FINDING = "Near the circle N = 2L conditions V well; N = L does not"

SIZES = {"quick": (32, 20), "paper": (128, 50)}
R_MIN = (0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0)


def compute(scale: str = "quick", keep: Path | None = None, progress: Progress = silent) -> xr.Dataset:
    """log10 of the condition number (r_min, width, draw), by this project and by the SVD in double precision."""
    length, draws = SIZES[scale]
    widths = np.array([length, 2 * length])
    points = [(i, n, length, draws) for i in range(len(R_MIN)) for n in widths.tolist()]
    ours, lapack = np.moveaxis(np.reshape(measure_points(points, _conditions, keep, progress), (len(R_MIN), 2, 2, draws)), 2, 0)
    dims = ("r_min", "N", "draw")
    return xr.Dataset(
        {
            "log10_kappa": (dims, ours, {"long_name": "log10 of the condition number of V_L", "units": "1"}),
            "log10_kappa_lapack": (dims, lapack, {"long_name": "the same by the SVD in double precision", "units": "1"}),
        },
        {
            "r_min": ("r_min", np.array(R_MIN), {"long_name": "least modulus of the eigenvalues", "units": "1"}),
            "N": ("N", widths, {"long_name": "width", "units": "1"}),
            "draw": ("draw", np.arange(draws), {"long_name": "random draw", "units": "1"}),
        },
        {"source": "orvieto24, Figure 2", "L": length},
    )


def _conditions(i: int, n: int, length: int, draws: int) -> list[list[float]]:
    """log10 of the condition numbers of all draws, by both."""
    rng = np.random.default_rng([2, n, i])
    nodes = np.sqrt(rng.uniform(R_MIN[i] ** 2, 1, (draws, n))) * np.exp(2j * np.pi * rng.uniform(0, 1, (draws, n)))
    ours = [float(log_condition_number(x, length)) / np.log(10) for x in nodes]
    return [ours, np.log10(np.linalg.cond(vandermonde(nodes, length))).tolist()]


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    medians = data.log10_kappa.median("draw")
    length = data.attrs["L"]
    twice, once = medians.sel(N=2 * length), medians.sel(N=length)
    return (
        f"'if r_min -> 1 the Vandermonde becomes well conditioned': at N = 2L {'yes' if twice[-1] < 3 else 'no'}, the median goes from 10^{float(twice[0]):.1f} to 10^{float(twice[-1]):.1f}; "
        f"at N = L {'yes' if once[-1] < 3 else 'no'}, it is 10^{float(once[-1]):.1f} on the circle"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Medians and the range of 80 % of the draws; crosses are LAPACK's medians."""
    figure = style.new_figure(FINDING, 7.5, 4.8)
    ax = figure.subplots()
    for n, colour, marker in zip(data.N.values, (style.VERMILION, style.BLUE), "so", strict=True):
        values = data.log10_kappa.sel(N=n)
        low, middle, high = (values.quantile(q, "draw") for q in (0.1, 0.5, 0.9))
        name = "N = L" if n == data.attrs["L"] else "N = 2L"
        ax.fill_between(data.r_min, low, high, color=colour, alpha=0.2, lw=0)
        ax.plot(data.r_min, middle, marker + "-", color=colour, label=f"{name}, median, 80 % of draws")
        lapack = "LAPACK, medians" if n == data.N.values[-1] else None
        ax.plot(data.r_min, data.log10_kappa_lapack.sel(N=n).median("draw"), "x", color=style.BLACK, ms=7, label=lapack)
    ax.axhline(-np.log10(np.finfo(float).eps), color="#888888", ls=":", lw=1)
    ax.annotate(
        "1/eps: double precision ends",
        (0.02, -np.log10(np.finfo(float).eps)),
        xytext=(0, 3),
        textcoords="offset points",
        fontsize=9,
        color="#555555",
    )
    ax.set(
        xlabel="least modulus $r_{min}$ of the eigenvalues",
        ylabel=r"$\log_{10}\kappa(V_L)$",
        title=f"L = {data.attrs['L']}, eigenvalues uniform in the ring $r_{{min}} \\leq |\\lambda| \\leq 1$",
    )
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=3, fontsize=9)
    return figure
