"""movahedi25, Fig. 7: fixed points found token by token and in parallel, with dependence on the previous state; untrained networks and one that is constructed."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from ..constructions.fixed_point import Selective, Token, gated, ungated
from ..constructions.quaternions import OCTAHEDRAL, left_multiplication
from ..numerics.exact import as_float
from . import style

FINDING = "If each token's map contracts, sequential and parallel iterations differ only by the stopping error"

TOLERANCES = (1e-1, 1e-3, 1e-6)
NETWORKS = {"random": "random, mixers and gates depend on $h_{t-1}$", "S3": "constructed, tracks $S_3$"}


def random_layer(seed: int, d: int = 8, reflections: int = 2) -> Selective:
    """Mixers as in Eq. 10 and gates I - Lambda, all functions of x_t and h_{t-1}; sum alpha < 1/2, so that every token's map contracts."""
    rng = np.random.default_rng([7, seed])
    U = rng.standard_normal((reflections, d, 2 * d)) / np.sqrt(2 * d)
    w, v = rng.standard_normal((reflections, 2 * d)) / np.sqrt(2 * d), rng.standard_normal((d, 2 * d)) / np.sqrt(2 * d)

    def token(x: np.ndarray, before: np.ndarray) -> Token:
        both = np.concatenate([x, before])
        mixer = np.eye(d)
        for i in range(reflections):
            u, alpha = U[i] @ both, 0.5 / reflections / (1 + np.exp(-w[i] @ both))
            mixer = mixer @ (np.eye(d) - 2 * alpha * np.outer(u, u) / (u @ u))
        return gated(1 / (1 + np.exp(-v @ both)), mixer, x)

    return Selective(token, np.zeros(d))


def octahedral_layer() -> Selective:
    """The S_3 layer: its letters are the quaternions themselves, and nothing depends on the state."""

    def token(q: np.ndarray, before: np.ndarray) -> Token:
        A = as_float(left_multiplication(q))
        return ungated(np.full(4, q[0]), q[0] * A.T, np.zeros(4))

    return Selective(token, np.array([1.0, 0, 0, 0]))


def gaps(name: str, length: int, seed: int) -> list[float]:
    """The normalised difference of the two methods for every tolerance."""
    rng = np.random.default_rng([8, length, seed])
    if name == "random":
        layer, inputs = random_layer(seed), list(rng.standard_normal((length, 8)))
    else:
        layer, letters = octahedral_layer(), [as_float(q) for q in OCTAHEDRAL.values()]
        inputs = [letters[k] for k in rng.integers(3, size=length)]
    out = []
    for tolerance in TOLERANCES:
        parallel, _ = layer.run_parallel(inputs, tolerance)
        sequential, _ = layer.run_sequential(inputs, tolerance)
        out.append(abs(parallel - sequential).max() / abs(parallel).max())
    return out


def compute(scale: str = "quick") -> xr.Dataset:
    """Normalised differences (network, length, draw, tolerance of the rule)."""
    lengths, draws = {"quick": ([2, 4, 8, 16], 3), "paper": ([2, 4, 6, 8, 10, 12, 14, 16, 18, 20], 40)}[scale]
    values = np.array([[[gaps(name, length, k) for k in range(draws)] for length in lengths] for name in NETWORKS])
    return xr.Dataset(
        {
            "gap": (
                ("network", "length", "draw", "stop"),
                values,
                {"long_name": "largest difference of the two methods, relative to the largest entry", "units": "1"},
            )
        },
        {
            "network": ("network", list(NETWORKS), {"long_name": "network"}),
            "length": ("length", lengths, {"long_name": "length of the sequence", "units": "tokens"}),
            "draw": ("draw", np.arange(draws), {"long_name": "random draw", "units": "1"}),
            "stop": ("stop", np.array(TOLERANCES), {"long_name": "tolerance of the stopping rule", "units": "1"}),
        },
        {"source": "movahedi25, Figure 7"},
    )


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    worst = data.gap.max(["length", "draw"])
    random, tracking = worst.sel(network="random"), worst.sel(network="S3")
    same = bool((worst.diff("stop") < 0).all())
    return (
        f"'different methods are not guaranteed to converge to the same result': in these layers, where every token's map contracts, they {'do' if same else 'do not'}; the gap is "
        f"{float(random[0]):.1g}, {float(random[1]):.1g} and {float(random[2]):.1g} at tolerances 0.1, 1e-3 and 1e-6 at random initialisation; "
        f"for the layer that tracks S3 {float(tracking[0]):.1g}, {float(tracking[1]):.1g} and {float(tracking[2]):.1g}"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """One panel for each network, one line for each tolerance; dotted: the tolerance itself."""
    figure = style.new_figure(FINDING, 10, 4.2)
    panels = figure.subplots(1, len(NETWORKS), sharey=True)
    for ax, name in zip(panels, NETWORKS, strict=True):
        for tolerance, colour, marker in zip(TOLERANCES, (style.VERMILION, style.GREEN, style.BLUE), "os^", strict=True):
            gap = data.gap.sel(network=name, stop=tolerance).clip(1e-17)
            ax.semilogy(data.length, gap.median("draw"), marker + "-", color=colour, label=f"stopped at a change of {tolerance:g}")
            ax.fill_between(data.length, gap.min("draw"), gap.max("draw"), color=colour, alpha=0.2, lw=0)
            ax.axhline(tolerance, color=colour, ls=":", lw=1)
        ax.set(xlabel="length T (tokens)", title=NETWORKS[name], ylim=(1e-9, 10))
    panels[0].set_ylabel("relative difference of the two methods")
    panels[0].legend(fontsize=9, loc="lower right")
    return figure
