"""orvieto24, Theorem 2, built end to end: the largest error against the width, for a filter, a product of two past tokens and protein transduction, with the bounds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import xarray as xr
from flint import fmpq
from matplotlib.figure import Figure

from ..constructions.universality import heads as built
from ..constructions.universality.maps import sequence_model
from ..constructions.universality.networks import Network
from ..numerics.exact import as_float
from . import style

FINDING = "One head for all steps: the largest error falls faster than the theorem's rate, within its bound"

MAPS = ("linear filter", "product of two tokens", "protein transduction")
LENGTH = 16
SIZES = {"quick": (1, 3, 7, 15, 31), "paper": (1, 3, 7, 15, 31, 63, 127, 255)}
TAPS = (fmpq(1), fmpq(-1, 2), fmpq(1, 4))


def _floats(g: Network) -> Network:
    return Network(
        as_float(g.inner).reshape(g.inner.shape), as_float(g.bias), as_float(g.outer), int(g.offset.p) / int(g.offset.q), g.activation
    )


def _measure(heads: list[Network], tokens: np.ndarray, targets: np.ndarray) -> tuple[int, float]:
    """(D, largest error) over the steps and the columns of ``tokens`` (L, batch); ``targets`` (batch, L). Nodes exp(i pi (2j + 1)/L): perfectly conditioned."""
    nodes = list(np.exp(1j * np.pi * (2 * np.arange(LENGTH // 2) + 1) / LENGTH))
    model = sequence_model(nodes, heads, float(np.abs(tokens).max()))
    return model.head.width, float(np.abs(np.array(model.run(list(tokens))).T - targets).max())


def _cases() -> list[Callable[[int], tuple[int, float, float]]]:
    """For each map: neurons per step -> (D, largest error, bound)."""
    rng = np.random.default_rng(15)
    tokens = np.concatenate([rng.uniform(-1, 1, (LENGTH, 50)), rng.choice([-1.0, 1.0], (LENGTH, 50))], axis=1)
    taps = [float(int(h.p) / int(h.q)) for h in TAPS]
    filtered = np.array([np.convolve(v, taps)[:LENGTH] for v in tokens.T])
    product = np.zeros_like(filtered)
    product[:, 2:] = (tokens[2:] * tokens[:-2]).T
    protein = built.protein_problem(LENGTH)

    def linear(steps: int) -> tuple[int, float, float]:
        heads, bound = built.filter_heads(TAPS, LENGTH, steps)
        return *_measure([_floats(g) for g in heads], tokens, filtered), float(int(bound.p) / int(bound.q))

    def bilinear(steps: int) -> tuple[int, float, float]:
        heads, bound = built.product_heads((0, 2), LENGTH, steps)
        return *_measure([_floats(g) for g in heads], tokens, product), float(int(bound.p) / int(bound.q))

    def nonlinear(steps: int) -> tuple[int, float, float]:
        heads, bounds, residuals = built.protein_heads(protein, 4 * steps)
        return *_measure(heads, protein.basis @ protein.z, protein.outputs), max(b + r for b, r in zip(bounds, residuals, strict=True))

    return [linear, bilinear, nonlinear]


def compute(scale: str = "quick") -> xr.Dataset:
    """Widths, largest errors and bounds (map, budget); the budget is the number of steps of one staircase."""
    budgets = SIZES[scale]
    values = np.array([[case(steps) for steps in budgets] for case in _cases()])
    dims = ("map", "budget")
    return xr.Dataset(
        {
            "width": (dims, values[:, :, 0], {"long_name": "neurons of the head", "units": "1"}),
            "error": (dims, values[:, :, 1], {"long_name": "largest error over steps and inputs", "units": "1"}),
            "bound": (dims, values[:, :, 2], {"long_name": "bound by variations", "units": "1"}),
        },
        {
            "map": ("map", list(MAPS), {"long_name": "sequence map"}),
            "budget": ("budget", np.array(budgets), {"long_name": "steps of one staircase", "units": "1"}),
        },
        {"source": "orvieto24, Theorem 2", "L": LENGTH},
    )


def slope(data: xr.Dataset, name: str) -> float:
    """The exponent of D in the largest error, between the first and the last width."""
    one = data.sel(map=name)
    return float(np.log(one.error[-1] / one.error[0]) / np.log(one.width[-1] / one.width[0]))


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the width, and whether the data bear it out."""
    held = bool((data.error <= data.bound * (1 + 1e-9)).all())
    exponents = [slope(data, name) for name in MAPS]
    slopes = ", ".join(f"{name} D^{x:.2f}" for name, x in zip(MAPS, exponents, strict=True))
    faster = sum(x < -0.5 for x in exponents)
    return (
        f"'the error is eps with D = O(L / eps^2)', an exponent of -1/2: better for {faster} of these {len(MAPS)} maps: {slopes}; "
        f"every error is {'within' if held else 'NOT within'} its bound"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """A panel for each map: measured errors, the bound, and the rate of the theorem."""
    figure = style.new_figure(FINDING, 11, 4.2)
    panels = figure.subplots(1, len(MAPS), sharey=True)
    for ax, name, colour in zip(panels, MAPS, (style.BLUE, style.GREEN, style.VERMILION), strict=True):
        one = data.sel(map=name)
        ax.loglog(one.width, one.error, "o", ms=8, mfc="none", mew=1.8, color=colour, label="largest error")
        ax.loglog(one.width, one.bound, "--", color=style.BLACK, label="bound")
        width = one.width.values
        ax.loglog(width, float(one.error[0]) * np.sqrt(width[0] / width), ":", color="#888888", label=r"rate $D^{-1/2}$ of the theorem")
        ax.set(xlabel="neurons D of the head", title=name, xlim=(20, 4000))
    panels[0].set_ylabel("largest error")
    panels[0].legend(fontsize=9)
    return figure
