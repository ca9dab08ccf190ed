"""orvieto24, Fig. 9 and 12: conditioning of the map from the coefficients of a sparse input to the state, against P, N, r_min and the basis."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pywt
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..numerics.progress import Progress, silent
from ..numerics.vandermonde import log_condition_number, vandermonde
from . import style
from .points import measure_points

FINDING = "Fewer basis functions condition the map from coefficients to the state better"

R_MIN = (0.9, 0.999)
BASES = ("haar", "db2", "sym4")
FRACTIONS = (1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1)
QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)


def wavelets(name: str, length: int) -> np.ndarray:
    """The orthonormal wavelet basis of ``length`` = 2^m points, coarsest functions first, shape (length, length); periodic at the ends."""
    level = pywt.dwt_max_level(length, pywt.Wavelet(name).dec_len)  # pyright: ignore[reportAttributeAccessIssue]  (it is there at run time, from Cython)
    empty = pywt.wavedec(np.zeros(length), name, mode="periodization", level=level)
    columns = []
    for band in range(len(empty)):
        for position in range(len(empty[band])):
            coefficients = [np.zeros_like(c) for c in empty]
            coefficients[band][position] = 1
            columns.append(pywt.waverec(coefficients, name, mode="periodization"))
    return np.stack(columns, axis=1)


#: length, draws, and draws for the picture of the bases (N = L/2, eigenvalues near the circle)
SIZES = {"quick": (64, 4, 20), "paper": (512, 20, 1000)}


def compute(scale: str = "quick", keep: Path | None = None, progress: Progress = silent) -> xr.Dataset:
    """log10 of the condition number of Omega^T Omega, Omega = V Psi (r_min, basis, N, P, draw): twice that of Omega, and by LAPACK on the product.

    For N = L/2 and the larger r_min quantiles of the first of them over many draws (basis, P, quantile).
    """
    length, draws, many = SIZES[scale]
    counts = [int(f * length) for f in FRACTIONS]
    widths = [length // 2, length, 2 * length]
    bases = {name: wavelets(name, length) for name in BASES}
    # blocks of draws, so that little is lost
    block = min(draws, 20)
    few = [(r, name, n, 0, draws) for r in R_MIN for name in BASES for n in widths]
    more = [(R_MIN[-1], name, widths[0], first, block) for name in BASES for first in range(0, many, block)]
    rows = measure_points(
        few + more, lambda r, name, n, first, number: _conditions(bases[name], counts, r, n, first, number), keep, progress
    )
    shape = (len(R_MIN), len(BASES), len(widths), draws, len(counts))
    from_factor, from_product = (np.reshape([row[which] for row in rows[: len(few)]], shape).swapaxes(-1, -2) for which in (0, 1))
    in_blocks = np.reshape([row[0] for row in rows[len(few) :]], (len(BASES), many, len(counts)))
    spread = np.moveaxis(np.quantile(in_blocks, QUANTILES, axis=1), 0, -1)
    dims = ("r_min", "basis", "N", "P", "draw")
    return xr.Dataset(
        {
            "log10_kappa": (
                dims,
                from_factor,
                {
                    "long_name": "log10 of the condition number of Omega* Omega, from that of Omega in double precision, up to 31; for P = L right at any size",
                    "units": "1",
                },
            ),
            "log10_kappa_many": (
                ("basis", "P", "quantile"),
                spread,
                {"long_name": "quantiles of log10_kappa over many draws, for N = L/2 and the larger r_min", "units": "1"},
            ),
            "log10_kappa_product": (dims, from_product, {"long_name": "the same from the product, which saturates at 16", "units": "1"}),
        },
        {
            "r_min": ("r_min", np.array(R_MIN), {"long_name": "least modulus of the eigenvalues", "units": "1"}),
            "basis": ("basis", list(BASES), {"long_name": "wavelet"}),
            "N": ("N", np.array(widths), {"long_name": "width", "units": "1"}),
            "P": ("P", np.array(counts), {"long_name": "number of basis functions", "units": "1"}),
            "draw": ("draw", np.arange(draws), {"long_name": "random draw", "units": "1"}),
            "quantile": ("quantile", np.array(QUANTILES), {"long_name": "quantile over the draws", "units": "1"}),
        },
        {"source": "orvieto24, Figures 9 and 12", "L": length, "many": many},
    )


def _conditions(
    basis: np.ndarray, counts: list[int], r: float, n: int, first: int, number: int
) -> tuple[list[list[float]], list[list[float]]]:
    """For ``number`` draws (rows) and the first P functions of the basis, P in ``counts`` (columns): twice log10 of kappa(Omega), log10 of kappa(Omega* Omega)."""
    found = np.full((2, number, len(counts)), np.nan)
    for row in range(number):
        rng = np.random.default_rng([9, n, first + row])
        nodes = np.sqrt(rng.uniform(r**2, 1, n)) * np.exp(2j * np.pi * rng.uniform(0, 1, n))
        omega = vandermonde(nodes, len(basis)) @ basis
        # all of an orthonormal basis: kappa(V Psi) = kappa(V), which is known to high relative accuracy
        whole = float(log_condition_number(nodes, len(basis))) / np.log(10) if len(basis) in counts and len(basis) <= n else np.nan
        for column, count in enumerate(counts):
            if count <= n:
                part = omega[:, :count]
                factor = whole if count == len(basis) else np.log10(np.linalg.cond(part))
                found[:, row, column] = 2 * factor, np.log10(np.linalg.cond(part.conj().T @ part))
    return found[0].tolist(), found[1].tolist()


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


#: a colour and a marker for each basis, in all panels
LOOKS = {"haar": (style.VERMILION, "o"), "db2": (style.BLUE, "^"), "sym4": (style.GREEN, "s")}

#: twice the digits of double precision: above it only the whole basis, P = L, is right
TOP = float(-2 * np.log10(np.finfo(float).eps))

#: the scale of the small panels, a digit of each factor below that
SHOWN = 30


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """A row for each radius, a column for each width, a colour for each basis, dotted what the product gives for Haar wavelets; on the right many draws."""
    figure = style.new_figure(FINDING, 13, 6.4)
    grid = figure.add_gridspec(len(R_MIN), len(data.N) + 1, width_ratios=[1] * len(data.N) + [1.5])
    first = None
    for row, r in enumerate(R_MIN):
        for column, n in enumerate(data.N.values):
            ax = figure.add_subplot(grid[row, column], sharex=first, sharey=first)
            first = first or ax
            _bases(ax, data.sel(r_min=r, N=n))
            if row == 0:
                ax.set_title(f"N = {_of_length(n, data.attrs['L'])}")
            if column == 0:
                ax.set_ylabel(f"${r} \\leq |\\lambda| \\leq 1$\n$\\log_{{10}}\\kappa(\\Omega^*\\Omega)$")
            ax.tick_params(labelbottom=row == len(R_MIN) - 1, labelleft=column == 0)
    for ax in figure.axes[-len(data.N) :]:
        ax.set_xlabel("number P of functions")
    _spread(figure.add_subplot(grid[:, -1]), data)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(handles))
    return figure


def _of_length(n: int, length: int) -> str:
    """A size as a multiple or a part of L."""
    return "L" if n == length else f"L/{length // n}" if n < length else f"{n // length} L"


def _bases(ax: Axes, data: xr.Dataset) -> None:
    """One radius and width: medians for the three bases; what is off the scale stands at the upper edge, with its size if that is known."""
    length = data.attrs["L"]
    for name, (colour, marker) in LOOKS.items():
        values = data.log10_kappa.sel(basis=name).median("draw")
        ax.plot(data.P, values.where(values <= SHOWN), marker + "-", color=colour, label=name, ms=5)
    ax.plot(
        data.P, data.log10_kappa_product.sel(basis="haar").median("draw"), ":", color=style.BLACK, lw=1.5, label="haar, from the product"
    )
    beyond = data.log10_kappa.median("draw").max("basis")
    for p in data.P.values[(beyond > SHOWN).values]:
        size = f"{float(beyond.sel(P=p)):.0f}" if p == length else f"> {SHOWN}"
        ax.annotate(f"↑ {size}", (p, 0.98), xycoords=("data", "axes fraction"), ha="center", va="top", fontsize=10)
    ax.set_xscale("log", base=2)
    ax.set_ylim(0, SHOWN + 3)
    ax.set_xticks(data.P.values[::2], [_of_length(p, length) for p in data.P.values[::2]])


def _spread(ax: Axes, data: xr.Dataset) -> None:
    """Medians, quartiles and ranges over many draws, a colour for each basis."""
    known = data.log10_kappa_many.dropna("P")
    for name, (colour, marker) in LOOKS.items():
        found = known.sel(basis=name)
        low, first, middle, third, high = (found.sel(quantile=q) for q in QUANTILES)
        ax.fill_between(found.P, first, third, color=colour, alpha=0.25, lw=0)
        ax.plot(found.P, middle, marker + "-", color=colour, ms=4, label=name)
        for end in (low, high):
            ax.plot(found.P, end, ":", color=colour, lw=1)
    ax.set_xscale("log", base=2)
    _double_precision_ends(ax)
    length = data.attrs["L"]
    ax.set_xticks(known.P.values, [f"L/{length // p}" for p in known.P.values])
    ax.set(xlabel="number P of basis functions", title=f"N = L/2 = {length // 2}, $r_{{min}} = {R_MIN[-1]}$, {data.attrs['many']} draws")
    ax.legend(title="median, quartiles, range", fontsize=9, title_fontsize=9)


def _double_precision_ends(ax: Axes) -> None:
    """Above this line only the whole basis, P = L, is right; the other numbers are too small there."""
    ax.axhline(TOP, color="#888888", ls=":", lw=1)
    note = {"xytext": (0, 3), "textcoords": "offset points", "fontsize": 9, "color": "#555555"}
    ax.annotate("double precision ends", (0.02, TOP), xycoords=("axes fraction", "data"), **note)
