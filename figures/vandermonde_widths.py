"""orvieto24, Fig. 10 and 11: inputs from 32 Haar wavelets, L = 4096; how many units each way of reading the state needs.

The paper draws the error for every k. Here it is measured for some 25 values of k from 1 to L, and not for the others.
"""

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

FINDING = "Reading real and imaginary parts needs fewer units, at every step that was tried"

R_MIN = (0.95, 0.99)
DECODERS = ("plain transposes", "pseudoinverse", "real decoder")
MATRICES = ("$V_k$", r"$\Psi_k$", r"$\Omega_k = V_k\Psi_k$")
WIDTHS = (8, 16, 24, 32, 48, 64, 96, 128, 192, 256)


#: length and draws
SIZES = {"smoke": (256, 1), "quick": (1024, 3), "paper": (4096, 20)}


def compute(scale: str = "quick", keep: Path | None = None, progress: Progress = silent) -> xr.Dataset:
    """Relative errors (r_min, decoder, N, draw) of the inputs read off the last state, and the largest ones among the states of some 25 steps."""
    length, draws = SIZES[scale]
    basis = haar(length, 32)
    steps = np.unique(np.geomspace(1, length, 25).astype(int))
    points = [(r, n, i) for r in R_MIN for n in WIDTHS for i in range(draws)]
    rows = measure_points(points, lambda r, n, i: _last_and_worst(r, n, i, steps, basis), keep, progress)
    last, worst = np.reshape(rows, (len(R_MIN), len(WIDTHS), draws, 2, len(DECODERS))).transpose(3, 0, 4, 1, 2)
    ranks = np.array([[_ranks(r, int(k), basis) for k in steps] for r in R_MIN])
    return xr.Dataset(
        {
            "rank": (("r_min", "k", "matrix"), ranks, {"long_name": "numerical rank in double precision, N = 64", "units": "1"}),
            "error": (
                ("r_min", "decoder", "N", "draw"),
                last,
                {"long_name": "relative error of all inputs, from the last state", "units": "1"},
            ),
            "worst": (
                ("r_min", "decoder", "N", "draw"),
                worst,
                {"long_name": "largest relative error of the first k inputs", "units": "1"},
            ),
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


def _last_and_worst(r: float, n: int, draw: int, steps: np.ndarray, basis: np.ndarray) -> list[float]:
    """Relative errors of all inputs of a draw, read off the last state, then the largest of the first k inputs, k in ``steps``; in the order of DECODERS."""
    rng = np.random.default_rng([10, n, draw])
    nodes = np.sqrt(rng.uniform(r**2, 1, n)) * np.exp(2j * np.pi * rng.uniform(0, 1, n))
    inputs = basis @ rng.standard_normal(32)
    V = vandermonde(nodes, len(basis))
    errors = np.array([_errors(V[:, len(basis) - k :], basis[:k], inputs[:k]) for k in steps])
    return [*errors[-1], *errors.max(0)]


def _errors(V: np.ndarray, basis: np.ndarray, inputs: np.ndarray) -> list[float]:
    """Relative errors of inputs in a basis, read off the state that they lead to, in the order of DECODERS."""
    gamma, state = V @ basis, V @ inputs
    both = np.vstack([np.real(gamma), np.imag(gamma)])
    found = (
        # as printed in Eq. 7; least squares where the product is singular
        np.real(np.linalg.lstsq(gamma.T @ gamma, gamma.T @ state, rcond=None)[0]),
        np.real(_pinv(gamma) @ state),
        _pinv(both) @ np.concatenate([np.real(state), np.imag(state)]),
    )
    return [float(np.linalg.norm(basis @ a - inputs) / np.linalg.norm(inputs)) for a in found]


def _pinv(matrix: np.ndarray) -> np.ndarray:
    """The pseudoinverse at the numerical rank: the basis of the first inputs is singular, and NumPy's default is below its rounding errors."""
    return np.linalg.pinv(matrix, rcond=max(matrix.shape) * np.finfo(float).eps)


def _ranks(r: float, k: int, basis: np.ndarray) -> list[int]:
    """Numerical ranks after k inputs for 64 nodes, in the order of MATRICES."""
    rng = np.random.default_rng([11, 64])
    nodes = np.sqrt(rng.uniform(r**2, 1, 64)) * np.exp(2j * np.pi * rng.uniform(0, 1, 64))
    V = vandermonde(nodes, k)
    return [int(np.linalg.matrix_rank(M)) for M in (V, basis[:k], V @ basis[:k])]


def needed(data: xr.Dataset, r: float, decoder: str, of: str = "error", tolerance: float = 1e-3) -> int | None:
    """The smallest width from which on the median of the error, or of "worst", stays below ``tolerance``; None if there is none."""
    good = (data[of].sel(r_min=r, decoder=decoder).median("draw") < tolerance).values
    widths = [int(n) for i, n in enumerate(data.N.values) if good[i:].all()]
    return widths[0] if widths else None


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figures, and whether the data bear it out."""
    parts = []
    for r, printed in zip(R_MIN, (256, 64), strict=True):
        last, all_steps = (", ".join(f"{d} {needed(data, r, d, of) or 'more than 256'}" for d in DECODERS) for of in ("error", "worst"))
        parts.append(
            f"'N = {printed} is needed for T({r}, 1)': error below 0.001 at the last step from {last}; at each of {data.sizes['k']} steps from {all_steps}"
        )
    lost = int(64 - data["rank"].sel(r_min=0.95, matrix=MATRICES[0])[-1])
    return "; ".join([*parts, f"the rank of V_L for 64 nodes is 64, in double precision {64 - lost}"])


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """The largest error at the steps that were tried (medians over draws) against the width, a panel for each ring, and the numerical ranks against the number of inputs."""
    figure = style.new_figure(FINDING, 12, 4.6)
    *panels, right = figure.subplots(1, len(R_MIN) + 1)
    for ax, r in zip(panels, R_MIN, strict=True):
        for decoder, colour, marker in zip(DECODERS, (style.BLACK, style.VERMILION, style.BLUE), "xso", strict=True):
            values = data.worst.sel(r_min=r, decoder=decoder).median("draw")
            ax.loglog(data.N, np.maximum(values, 1e-16), marker + "-", color=colour, label=decoder)
        ax.axvline(16, color="#888888", ls=":", lw=1)
        ax.annotate(
            "P/2", (16, 0.02), xycoords=("data", "axes fraction"), xytext=(3, 0), textcoords="offset points", fontsize=9, color="#555555"
        )
        ax.set(xlabel="width N", ylabel="largest relative error of the first k inputs", title=f"${r} \\leq |\\lambda| \\leq 1$")
        ax.set_xticks([8, 16, 32, 64, 128, 256], ["8", "16", "32", "64", "128", "256"])
        ax.minorticks_off()
    for matrix, look in zip(MATRICES, ("-", ":", "--"), strict=True):
        right.semilogx(data.k, data["rank"].sel(r_min=R_MIN[0], matrix=matrix), look, color=style.BLACK, label=matrix)
    right.semilogx(data.k, np.minimum(data.k, 64), color=style.GREEN, lw=3, alpha=0.4, label="$V_k$, exact")
    right.set(xlabel="inputs read k", ylabel="rank", title=f"ranks for N = 64, ${R_MIN[0]} \\leq |\\lambda| \\leq 1$")
    right.legend(fontsize=9)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure
