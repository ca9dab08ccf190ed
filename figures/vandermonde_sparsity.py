"""orvieto24, Fig. 9 and 12: conditioning of the map from the coefficients of a sparse input to the state, against P, N, r_min and the basis."""

from __future__ import annotations

import numpy as np
import pywt
import xarray as xr
from matplotlib.figure import Figure

from ..numerics.vandermonde import vandermonde
from . import style

FINDING = "Fewer basis functions condition the map from coefficients to the state better"

R_MIN = (0.9, 0.999)
BASES = ("haar", "db2", "sym4")
FRACTIONS = (1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1)


def wavelets(name: str, length: int) -> np.ndarray:
    """The orthonormal wavelet basis of ``length`` = 2^m points, coarsest functions first, shape (length, length); periodic at the ends."""
    level = pywt.dwt_max_level(length, pywt.Wavelet(name).dec_len)
    empty = pywt.wavedec(np.zeros(length), name, mode="periodization", level=level)
    columns = []
    for band in range(len(empty)):
        for position in range(len(empty[band])):
            coefficients = [np.zeros_like(c) for c in empty]
            coefficients[band][position] = 1
            columns.append(pywt.waverec(coefficients, name, mode="periodization"))
    return np.stack(columns, axis=1)


def compute(scale: str = "quick") -> xr.Dataset:
    """log10 of the condition number of Omega^T Omega, Omega = V Psi (r_min, basis, N, P, draw): twice that of Omega, and by LAPACK on the product."""
    length, draws = {"quick": (64, 4), "paper": (512, 20)}[scale]
    counts = [int(f * length) for f in FRACTIONS]
    widths = [length // 2, length, 2 * length]
    shape = (len(R_MIN), len(BASES), len(widths), len(counts), draws)
    from_factor, from_product = np.full(shape, np.nan), np.full(shape, np.nan)
    for b, name in enumerate(BASES):
        basis = wavelets(name, length)
        for i, r in enumerate(R_MIN):
            for j, n in enumerate(widths):
                for k in range(draws):
                    rng = np.random.default_rng([9, n, k])
                    nodes = np.sqrt(rng.uniform(r**2, 1, n)) * np.exp(2j * np.pi * rng.uniform(0, 1, n))
                    V = vandermonde(nodes, length)
                    for p, count in enumerate(counts):
                        if count <= n:
                            omega = V @ basis[:, :count]
                            from_factor[i, b, j, p, k] = 2 * np.log10(np.linalg.cond(omega))
                            from_product[i, b, j, p, k] = np.log10(np.linalg.cond(omega.conj().T @ omega))
    dims = ("r_min", "basis", "N", "P", "draw")
    return xr.Dataset(
        {
            "log10_kappa": (
                dims,
                from_factor,
                {"long_name": "log10 of the condition number of Omega* Omega, from that of Omega", "units": "1"},
            ),
            "log10_kappa_product": (dims, from_product, {"long_name": "the same from the product, which saturates at 16", "units": "1"}),
        },
        {
            "r_min": ("r_min", np.array(R_MIN), {"long_name": "least modulus of the eigenvalues", "units": "1"}),
            "basis": ("basis", list(BASES), {"long_name": "wavelet"}),
            "N": ("N", np.array(widths), {"long_name": "width", "units": "1"}),
            "P": ("P", np.array(counts), {"long_name": "number of basis functions", "units": "1"}),
            "draw": ("draw", np.arange(draws), {"long_name": "random draw", "units": "1"}),
        },
        {"source": "orvieto24, Figures 9 and 12", "L": length},
    )


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figures, and whether the data bear it out."""
    medians = data.log10_kappa.median("draw")
    falling = bool((medians.diff("P").fillna(0) >= -1e-6).all())
    gain = (medians.sel(r_min=0.9) - medians.sel(r_min=0.999)).values
    gain = gain[np.isfinite(gain)]
    lost = float((data.log10_kappa - data.log10_kappa_product).max())
    return (
        f"'the condition number decreases as P decreases': {'yes' if falling else 'no'}, for the wavelets {', '.join(BASES)}; 'closer to the circle is better': in {(gain > 0).sum()} of {len(gain)} cases; "
        f"computed from the product as in the paper it is too small by up to 10^{lost:.0f}"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """One panel for each radius; colours for widths, markers for wavelets; dotted what the product gives for Haar wavelets."""
    figure = style.new_figure(FINDING, 10, 4.8)
    panels = figure.subplots(1, len(R_MIN), sharey=True)
    length = data.attrs["L"]
    for ax, r in zip(panels, R_MIN, strict=True):
        for n, colour in zip(data.N.values, (style.BLACK, style.VERMILION, style.BLUE), strict=True):
            for name, marker in zip(BASES, "o^s", strict=True):
                label = f"N = {n / length:g} L, {name}"
                ax.plot(
                    data.P,
                    data.log10_kappa.sel(r_min=r, N=n, basis=name).median("draw"),
                    marker + "-",
                    color=colour,
                    label=label,
                    ms=4,
                    lw=1,
                )
            ax.plot(data.P, data.log10_kappa_product.sel(r_min=r, N=n, basis="haar").median("draw"), ":", color=colour, lw=2)
        ax.set_xscale("log", base=2)
        ax.set(xlabel="number P of basis functions", title=f"eigenvalues with ${r} \\leq |\\lambda| \\leq 1$")
        ax.set_xticks(data.P.values, [f"L/{length // p}" if p < length else "L" for p in data.P.values])
    panels[0].set_ylabel(r"$\log_{10}\kappa(\Omega^*\Omega)$; dotted: from the product")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=9)
    return figure
