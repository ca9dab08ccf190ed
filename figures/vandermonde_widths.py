"""orvieto24, Fig. 10 and 11: inputs from 32 Haar wavelets, L = 4096; how many units each way of reading the state needs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from ..numerics.haar import haar
from ..numerics.progress import Progress, silent
from ..numerics.vandermonde import vandermonde
from . import style
from .points import measure_points

FINDING = "Reading real and imaginary parts halves the width that double precision needs"

R_MIN = (0.95, 0.99)
DECODERS = ("plain transposes", "pseudoinverse", "real decoder")
MATRICES = ("$V_k$", r"$\Psi_k$", r"$\Omega_k = V_k\Psi_k$")
WIDTHS = (8, 16, 24, 32, 48, 64, 96, 128, 192, 256)


#: length and draws
SIZES = {"quick": (1024, 3), "paper": (4096, 20)}


def compute(scale: str = "quick", keep: Path | None = None, progress: Progress = silent) -> xr.Dataset:
    """Relative errors (r_min, decoder, N, draw) of the inputs read off the last state."""
    length, draws = SIZES[scale]
    basis = haar(length, 32)
    points = [(r, n, k) for r in R_MIN for n in WIDTHS for k in range(draws)]
    rows = measure_points(points, lambda r, n, k: _errors(r, n, k, basis), keep, progress)
    error = np.reshape(rows, (len(R_MIN), len(WIDTHS), draws, len(DECODERS))).transpose(0, 3, 1, 2)
    steps = np.unique(np.geomspace(1, length, 25).astype(int))
    ranks = np.array([[_ranks(r, int(k), basis) for k in steps] for r in R_MIN])
    return xr.Dataset(
        {
            "rank": (("r_min", "k", "matrix"), ranks, {"long_name": "numerical rank in double precision, N = 64", "units": "1"}),
            "error": (("r_min", "decoder", "N", "draw"), error, {"long_name": "relative error of the reconstructed inputs", "units": "1"}),
        },
        {
            "k": ("k", steps, {"long_name": "inputs read", "units": "steps"}),
            "matrix": ("matrix", list(MATRICES), {"long_name": "matrix"}),
            "r_min": ("r_min", np.array(R_MIN), {"long_name": "least modulus of the eigenvalues", "units": "1"}),
            "decoder": ("decoder", list(DECODERS), {"long_name": "how the state is read"}),
            "N": ("N", np.array(WIDTHS), {"long_name": "width", "units": "1"}),
            "draw": ("draw", np.arange(draws), {"long_name": "random draw", "units": "1"}),
        },
        {"source": "orvieto24, Figures 10 and 11", "L": length, "P": 32},
    )


def _errors(r: float, n: int, k: int, basis: np.ndarray) -> list[float]:
    """Relative errors of the inputs of draw k, in the order of DECODERS."""
    rng = np.random.default_rng([10, n, k])
    nodes = np.sqrt(rng.uniform(r**2, 1, n)) * np.exp(2j * np.pi * rng.uniform(0, 1, n))
    inputs = basis @ rng.standard_normal(32)
    V = vandermonde(nodes, len(basis))
    gamma, state = V @ basis, V @ inputs
    both = np.vstack([np.real(gamma), np.imag(gamma)])
    found = (
        # as printed in Eq. 7; least squares where the product is singular
        np.linalg.lstsq(gamma.T @ gamma, gamma.T @ state, rcond=None)[0].real,
        (np.linalg.pinv(gamma) @ state).real,
        np.linalg.pinv(both) @ np.concatenate([state.real, state.imag]),
    )
    return [float(np.linalg.norm(basis @ a - inputs) / np.linalg.norm(inputs)) for a in found]


def _ranks(r: float, k: int, basis: np.ndarray) -> list[int]:
    """Numerical ranks after k inputs for 64 nodes, in the order of MATRICES."""
    rng = np.random.default_rng([11, 64])
    nodes = np.sqrt(rng.uniform(r**2, 1, 64)) * np.exp(2j * np.pi * rng.uniform(0, 1, 64))
    V = vandermonde(nodes, k)
    return [int(np.linalg.matrix_rank(M)) for M in (V, basis[:k], V @ basis[:k])]


def needed(data: xr.Dataset, r: float, decoder: str, tolerance: float = 1e-3) -> int | None:
    """The smallest width from which on the median error stays below ``tolerance``; None if there is none."""
    good = (data.error.sel(r_min=r, decoder=decoder).median("draw") < tolerance).values
    widths = [int(n) for i, n in enumerate(data.N.values) if good[i:].all()]
    return widths[0] if widths else None


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figures, and whether the data bear it out."""
    parts = []
    for r, printed in zip(R_MIN, (256, 64), strict=True):
        found = ", ".join(f"{d} {needed(data, r, d) or 'more than 256'}" for d in DECODERS)
        parts.append(f"'N = {printed} is needed for T({r}, 1)': error below 0.001 from {found}")
    lost = int(64 - data["rank"].sel(r_min=0.95, matrix=MATRICES[0])[-1])
    return "; ".join([*parts, f"the rank of V_L for 64 nodes is 64, in double precision {64 - lost}"])


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Median errors against the width, a panel for each ring, and the numerical ranks against the number of inputs."""
    figure = style.new_figure(FINDING, 12, 4.6)
    *panels, right = figure.subplots(1, len(R_MIN) + 1)
    for ax, r in zip(panels, R_MIN, strict=True):
        for decoder, colour, marker in zip(DECODERS, (style.BLACK, style.VERMILION, style.BLUE), "xso", strict=True):
            values = data.error.sel(r_min=r, decoder=decoder).median("draw")
            ax.loglog(data.N, np.maximum(values, 1e-16), marker + "-", color=colour, label=decoder)
        ax.axvline(16, color="#888888", ls=":", lw=1)
        ax.annotate(
            "P/2", (16, 0.02), xycoords=("data", "axes fraction"), xytext=(3, 0), textcoords="offset points", fontsize=9, color="#555555"
        )
        ax.set(xlabel="width N", ylabel="relative error of the inputs", title=f"${r} \\leq |\\lambda| \\leq 1$")
        ax.set_xticks([8, 16, 32, 64, 128, 256], ["8", "16", "32", "64", "128", "256"])
        ax.minorticks_off()
    for matrix, look in zip(MATRICES, ("-", ":", "--"), strict=True):
        right.semilogx(data.k, data["rank"].sel(r_min=R_MIN[0], matrix=matrix), look, color=style.BLACK, label=matrix)
    right.semilogx(data.k, np.minimum(data.k, 64), color=style.GREEN, lw=3, alpha=0.4, label="$V_k$, exact")
    right.set(xlabel="inputs read k", ylabel="rank", title=f"ranks for N = 64, ${R_MIN[0]} \\leq |\\lambda| \\leq 1$")
    right.legend(fontsize=9)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure
