"""movahedi25, Eq. 15 and Remark G.4: how far the overlaps of states of random low-rank equations are from orthogonal, exactly and by simulation."""

from __future__ import annotations

from math import isqrt

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from ..constructions.signature import overlap_moment, squared_error
from ..numerics.low_rank import overlaps, sample
from . import style

FINDING = "The overlaps settle only if the rank grows: at bounded rank the error stays, whatever N"

RANKS = ("1", "2", "4", "sqrt N", "N")
N_EXACT = tuple(4**k for k in range(1, 11))
PAIRS = {"X_1,1": ((1,), (1,)), "X_1,111": ((1,), (1, 1, 1)), "X_12,12": ((1, 2), (1, 2))}


def rank_at(name: str, n: int) -> int:
    """The rank that a name of RANKS means at N = n."""
    return {"sqrt N": isqrt(n), "N": n}.get(name) or int(name)


def compute(scale: str = "quick") -> xr.Dataset:
    """Root mean square error and mean of three overlaps (pair, rank, N), exact; and simulated ones with their standard errors, for N up to a bound."""
    largest, budget = {"quick": (64, 2**20), "paper": (1024, 2**27)}[scale]
    shape = (len(PAIRS), len(RANKS), len(N_EXACT))
    rms, mean, rms_low, rms_high, mean_simulated, mean_error = (np.full(shape, np.nan) for _ in range(6))
    exact = {name: (squared_error(*pair), overlap_moment(*pair)) for name, pair in PAIRS.items()}
    for j, rank in enumerate(RANKS):
        for k, n in enumerate(N_EXACT):
            r = rank_at(rank, n)
            for i, name in enumerate(PAIRS):
                rms[i, j, k], mean[i, j, k] = float(exact[name][0].at(n, r)) ** 0.5, float(exact[name][1].at(n, r))
            if n <= largest:
                draws = max(100, min(4000, budget // (n * r)))
                X = overlaps(*sample([15, n, r], draws, 2, n, r), list(PAIRS.values()))
                for i, pair in enumerate(PAIRS.values()):
                    squares = (X[:, i] - (pair[0] == pair[1])) ** 2
                    middle, spread = squares.mean(), 2 * squares.std() / draws**0.5
                    rms_low[i, j, k], rms_high[i, j, k] = max(middle - spread, 0) ** 0.5, (middle + spread) ** 0.5
                    mean_simulated[i, j, k], mean_error[i, j, k] = X[:, i].mean(), X[:, i].std() / draws**0.5
    dims = ("pair", "rank", "N")
    return xr.Dataset(
        {
            "rms": (dims, rms, {"long_name": "L2 error of the overlap, exact", "units": "1"}),
            "rms_low": (dims, rms_low, {"long_name": "simulated L2 error less two standard errors", "units": "1"}),
            "rms_high": (dims, rms_high, {"long_name": "simulated L2 error and two standard errors", "units": "1"}),
            "mean": (dims, mean, {"long_name": "mean overlap, exact", "units": "1"}),
            "mean_simulated": (dims, mean_simulated, {"long_name": "mean overlap, simulated", "units": "1"}),
            "mean_error": (dims, mean_error, {"long_name": "standard error of the simulated mean", "units": "1"}),
        },
        {
            "pair": ("pair", list(PAIRS), {"long_name": "words I, J of the overlap <A_I Y, A_J Y> / N"}),
            "rank": ("rank", list(RANKS), {"long_name": "rank r of the matrices"}),
            "N": ("N", np.array(N_EXACT), {"long_name": "number of units", "units": "1"}),
        },
        {"source": "movahedi25, Eq. 15 and Remark G.4"},
    )


def outcome(data: xr.Dataset) -> str:
    """What the paper says, and whether the data bear it out."""
    last = data.rms.isel(N=-1).sel(pair="X_1,1")
    means = data["mean"].isel(N=-1).sel(pair="X_1,111")
    z = float((abs(data.mean_simulated - data["mean"]) / data.mean_error).max())
    covered = ((data.rms >= data.rms_low) & (data.rms <= data.rms_high)).sum() / data.rms_low.notnull().sum()
    return (
        f"'r_N -> infinity achieves orthogonal overlaps': {'yes' if float(last.sel(rank='sqrt N')) < 0.1 else 'no'}, the error of X_1,1 is {float(last.sel(rank='sqrt N')):.3f} at N = 2^20, r = sqrt N; "
        f"'not at bounded rank': it is {float(last.sel(rank='1')):.3f} at r = 1 and {float(last.sel(rank='4')):.3f} at r = 4; "
        f"the mean of X_1,111 at N = 2^20 is {float(means.sel(rank='2')):.3f} at r = 2 and {float(means.sel(rank='4')):.3f} at r = 4; simulated means within {z:.1f} standard errors, {100 * float(covered):.0f} % of the 2-s.e. intervals of the error hold the exact value"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Errors of two overlaps and the mean of a third; lines are exact, bars simulated."""
    figure = style.new_figure(FINDING, 12, 4.6)
    panels = figure.subplots(1, 3)
    colours = dict(zip(RANKS, (style.VERMILION, style.ORANGE, style.PURPLE, style.BLUE, style.BLACK), strict=True))
    for ax, pair, title in zip(
        panels,
        ("X_1,1", "X_12,12", "X_1,111"),
        ("L2 error of $X_{1,1}$", "L2 error of $X_{12,12}$", "mean of $X_{1,111}$ (0 for dense matrices)"),
        strict=True,
    ):
        for rank, colour in colours.items():
            one = data.sel(pair=pair, rank=rank)
            if pair == "X_1,111":
                ax.plot(one.N, one["mean"], color=colour, label=f"r = {rank}")
                ax.errorbar(one.N, one.mean_simulated, 2 * one.mean_error, fmt="none", ecolor=colour, capsize=3, lw=2.5)
            else:
                ax.plot(one.N, one.rms, color=colour, label=f"r = {rank}")
                ax.vlines(one.N, one.rms_low, one.rms_high, color=colour, lw=5, alpha=0.6)
        ax.set(xscale="log", yscale="log", xlabel="number N of units", title=title)
        ax.set_xscale("log", base=2)
    panels[0].set_ylabel(r"$\|X_{IJ}-\delta_{IJ}\|_{L^2}$")
    panels[2].set(ylim=(1e-3, 4), ylabel=r"$\mathbb{E}\,\langle A_1Y,A_1^3Y\rangle/N$")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=5, fontsize=10)
    return figure
