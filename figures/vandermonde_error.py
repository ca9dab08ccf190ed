"""orvieto24, Fig. 7: error of the reconstruction and condition number against width and radius, and the error by time step."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from ..experiments.digits import images
from ..numerics.progress import Progress, silent
from ..numerics.vandermonde import log_condition_number, vandermonde
from . import style
from .points import measure_points

FINDING = "For N ≥ L the condition number falls with the width, as the error does; for N < L the matrix V*V is singular"

R_MIN = (0.0, 0.9, 0.99, 1.0)


#: images and draws
SIZES = {"quick": (100, 5), "paper": (10_000, 10)}


def compute(scale: str = "quick", mnist: Path | None = None, keep: Path | None = None, progress: Progress = silent) -> xr.Dataset:
    """Relative errors (r_min, N, draw) and (r_min, draw, step) at N = L, by the pseudoinverse in double precision as in the paper, and condition numbers."""
    pictures, draws = SIZES[scale]
    inputs = images(mnist, pictures)
    inputs = inputs.reshape(len(inputs), -1)
    length = inputs.shape[1]
    widths = np.array([length // 4, length // 2, length, 3 * length // 2, 2 * length])
    points = [(r, n, k) for r in R_MIN for n in widths.tolist() for k in range(draws)]
    rows = measure_points(points, lambda r, n, k: _decoded(r, n, k, inputs), keep, progress)
    error, kappa, lapack, steps = (np.array(column).reshape(len(R_MIN), len(widths), draws, -1) for column in zip(*rows, strict=True))
    error, kappa, lapack, by_step = error[..., 0], kappa[..., 0], lapack[..., 0], steps[:, 2]
    dims = ("r_min", "N", "draw")
    return xr.Dataset(
        {
            "error": (dims, error, {"long_name": "relative error of the reconstruction", "units": "1"}),
            "log10_kappa": (dims, kappa, {"long_name": "log10 of the condition number of V* V, on its range for N < L", "units": "1"}),
            "log10_kappa_lapack": (dims, lapack, {"long_name": "the same by LAPACK in double precision", "units": "1"}),
            "error_by_step": (
                ("r_min", "draw", "step"),
                by_step,
                {"long_name": "root mean square error of an input at N = L", "units": "1"},
            ),
        },
        {
            "r_min": ("r_min", np.array(R_MIN), {"long_name": "least modulus of the eigenvalues", "units": "1"}),
            "N": ("N", widths, {"long_name": "width", "units": "1"}),
            "draw": ("draw", np.arange(draws), {"long_name": "random draw", "units": "1"}),
            "step": ("step", np.arange(1, length + 1), {"long_name": "time step of the input", "units": "steps"}),
        },
        {"source": "orvieto24, Figure 7", "L": length, "images": f"{len(inputs)} of {'MNIST' if mnist else 'scikit-learn digits'}"},
    )


def _decoded(r: float, n: int, k: int, inputs: np.ndarray) -> tuple[float, float, float, list[float]]:
    """Of draw k: the relative error, log10 of the condition number of V* V by this project and by LAPACK (for n >= L), and the error by time step."""
    length = inputs.shape[1]
    rng = np.random.default_rng([7, n, k])
    nodes = np.sqrt(rng.uniform(r**2, 1, n)) * np.exp(2j * np.pi * rng.uniform(0, 1, n))
    V = vandermonde(nodes, length)
    wrong = (np.linalg.pinv(V) @ (V @ inputs.T)).real.T - inputs
    # the condition number of V^T V is the square of that of V
    kappa = 2 * float(log_condition_number(nodes, length)) / np.log(10)
    lapack = float(np.log10(np.linalg.cond(V.conj().T @ V))) if n >= length else np.nan
    return float(np.linalg.norm(wrong) / np.linalg.norm(inputs)), kappa, lapack, np.sqrt((wrong**2).mean(0)).tolist()


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    error = data.error.median("draw")
    widths = bool((error.diff("N").max("N") <= 0.05).all())
    wide = data.log10_kappa.median("draw").where(data.attrs["L"] <= data.N, drop=True)
    falls = bool((wide.diff("N") < 0).all())
    steps = data.error_by_step.median("draw").sel(r_min=0.0)
    half = len(steps) // 2
    recent = bool(steps[half:].mean() < 0.5 * steps[:half].mean())
    top = float((data.log10_kappa - data.log10_kappa_lapack).max())
    return (
        f"'the error decreases with the width': {'yes' if widths else 'no'}; 'the same for the condition number': {'yes' if falls else 'no'} for N >= L, and V* V is singular for N < L; "
        f"'only the last tokens for small r_min': {'yes' if recent else 'no'}; "
        f"the condition number of V* V in double precision is too small by up to 10^{top:.0f}"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Error and condition number against N / L, and the error by time step at N = L; dotted what LAPACK says, hollow where V* V is singular."""
    figure = style.new_figure(FINDING, 11, 4.4)
    left, middle, right = figure.subplots(1, 3)
    ratio = data.N / data.attrs["L"]
    wide = ratio >= 1
    for r, colour, marker in zip(data.r_min.values, (style.BLACK, style.ORANGE, style.GREEN, style.BLUE), "osD^", strict=True):
        label = f"$r_{{min}} = {r:g}$"
        left.semilogy(ratio, np.maximum(data.error.sel(r_min=r).median("draw"), 1e-16), marker + "-", color=colour, label=label)
        kappa = data.log10_kappa.sel(r_min=r).median("draw")
        middle.plot(ratio[wide], kappa[wide], marker + "-", color=colour, label=label)
        middle.plot(ratio[~wide], kappa[~wide], marker + "--", color=colour, mfc="white", lw=1)
        middle.plot(ratio, data.log10_kappa_lapack.sel(r_min=r).median("draw"), ":", color=colour, lw=2)
        right.semilogy(data.step, np.maximum(data.error_by_step.sel(r_min=r).median("draw"), 1e-16), color=colour, label=label)
    middle.axvspan(float(ratio.min()) - 0.1, 0.97, color=style.PALE, alpha=0.5, lw=0)
    middle.annotate("V*V singular:\n$\\kappa$ on its range", (0.04, 0.97), xycoords="axes fraction", va="top", fontsize=9, color="#555555")
    left.set(xlabel="width N / L", ylabel="relative error of the image", title="error")
    middle.set(
        xlabel="width N / L",
        ylabel=r"$\log_{10}$ of largest / least eigenvalue $> 0$ of $V^*V$",
        title=r"conditioning $\kappa(V^*V)$ (dotted: LAPACK)",
    )
    middle.yaxis.label.set_size(9.5)
    right.set(xlabel="time step", ylabel="error of the input", title="N = L: error by time step")
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure
