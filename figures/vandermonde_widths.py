"""orvieto24, Fig. 10 and 11: inputs from 32 Haar wavelets, L = 4096; how many units each way of reading the state needs."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from ..numerics.haar import haar
from ..numerics.vandermonde import vandermonde
from . import style

FINDING = "Reading real and imaginary parts halves the width that double precision needs"

R_MIN = (0.95, 0.99)
DECODERS = ("plain transposes", "pseudoinverse", "real decoder")
WIDTHS = (8, 16, 24, 32, 48, 64, 96, 128, 192, 256)


def compute(scale: str = "quick") -> xr.Dataset:
    """Relative errors (r_min, decoder, N, draw) of the inputs read off the last state."""
    length, draws = {"quick": (1024, 3), "paper": (4096, 20)}[scale]
    basis = haar(length, 32)
    error = np.empty((len(R_MIN), len(DECODERS), len(WIDTHS), draws))
    for i, r in enumerate(R_MIN):
        for j, n in enumerate(WIDTHS):
            for k in range(draws):
                rng = np.random.default_rng([10, n, k])
                nodes = np.sqrt(rng.uniform(r**2, 1, n)) * np.exp(2j * np.pi * rng.uniform(0, 1, n))
                inputs = basis @ rng.standard_normal(32)
                V = vandermonde(nodes, length)
                gamma, state = V @ basis, V @ inputs
                both = np.vstack([gamma.real, gamma.imag])
                found = (
                    # as printed in Eq. 7; least squares where the product is singular
                    np.linalg.lstsq(gamma.T @ gamma, gamma.T @ state, rcond=None)[0].real,
                    (np.linalg.pinv(gamma) @ state).real,
                    np.linalg.pinv(both) @ np.concatenate([state.real, state.imag]),
                )
                error[i, :, j, k] = [np.linalg.norm(basis @ a - inputs) / np.linalg.norm(inputs) for a in found]
    return xr.Dataset(
        {"error": (("r_min", "decoder", "N", "draw"), error, {"long_name": "relative error of the reconstructed inputs", "units": "1"})},
        {
            "r_min": ("r_min", np.array(R_MIN), {"long_name": "least modulus of the eigenvalues", "units": "1"}),
            "decoder": ("decoder", list(DECODERS), {"long_name": "how the state is read"}),
            "N": ("N", np.array(WIDTHS), {"long_name": "width", "units": "1"}),
            "draw": ("draw", np.arange(draws), {"long_name": "random draw", "units": "1"}),
        },
        {"source": "orvieto24, Figures 10 and 11", "L": length, "P": 32},
    )


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
    return "; ".join(parts)


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Median errors against the width, a panel for each ring."""
    figure = style.new_figure(FINDING, 9.5, 4.4)
    panels = figure.subplots(1, len(R_MIN), sharey=True)
    for ax, r in zip(panels, R_MIN, strict=True):
        for decoder, colour, marker in zip(DECODERS, (style.BLACK, style.VERMILION, style.BLUE), "xso", strict=True):
            values = data.error.sel(r_min=r, decoder=decoder).median("draw")
            ax.loglog(data.N, np.maximum(values, 1e-16), marker + "-", color=colour, label=decoder)
        ax.axvline(16, color="#888888", ls=":", lw=1)
        ax.set(xlabel="width N", title=f"eigenvalues with ${r} \\leq |\\lambda| \\leq 1$")
        ax.set_xticks([8, 16, 32, 64, 128, 256], ["8", "16", "32", "64", "128", "256"])
        ax.minorticks_off()
    panels[0].set_ylabel("relative error of the inputs")
    panels[0].annotate("N = P/2", (16, 1e-14), xytext=(3, 0), textcoords="offset points", fontsize=9, color="#555555")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure
