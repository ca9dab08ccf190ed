"""Running products x_1 ... x_t: tanh in depth or in the recurrence against second-order layers (lizaire26, Fig. 8, and the same for real numbers).

Of signs the product is the parity. Trained on words of one length, tested on them and on words twice as long. Beside it what weights are known to
reach (``constructions.tanh_units``; a second-order layer of width d multiplies exactly), and the least number of units without which no network with
activations in depth only multiplies real numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ..constructions.tanh_units import counted_parity_error, recurrent_parity_error
from ..figures import style
from ..numerics.progress import Progress
from .depth import COLOURS, MARKERS
from .experiment import Axis, Experiment, Found
from .signals import measure
from .training import Run
from .words import of_seeds

TASKS = ("parity", "products")
FIRST_ORDER, SECOND_ORDER = ("tanh in depth", "tanh in the recurrence"), ("2RNN", "CPRNN")
KINDS = (*FIRST_ORDER, *SECOND_ORDER)
ERROR = "mean squared error (a silent network has 1)"


@dataclass(frozen=True)
class Size:
    """Seeds, steps of training, channels, length of words, widths, depths, test words; second-order stacks, which learn sooner, are smaller and
    trained for half the steps, and products of real numbers learnt by first-order ones at fewer widths."""

    seeds: int
    steps: int
    d: int
    length: int
    widths: tuple[int, ...]
    depths: tuple[int, ...]
    real_widths: tuple[int, ...]
    widest: int
    deepest: int
    words: int = 2000


SIZES = {
    "smoke": Size(1, 2, 1, 3, (1, 2), (1, 2), (2,), 1, 1, 8),
    "quick": Size(2, 300, 1, 4, (1, 2, 4, 8), (1, 2), (2, 8), 2, 1),
    "desk": Size(3, 800, 1, 8, (1, 2, 4, 8, 16), (1, 2, 4), (16,), 2, 1),
    "paper": Size(5, 30000, 5, 20, (5, 10, 20, 30, 50, 75, 100, 150), (1, 2, 4, 8), (5, 20, 50, 100, 150), 20, 4),
}

#: a task is learnt if the median error is at most this; a silent network has 1
SOLVED = 0.05


def run(size: Size, seed: int, task: str, kind: str, depth: int, width: int) -> Run | None:
    """The run of a point, if it is trained: a second-order stack at small sizes only."""
    if kind in SECOND_ORDER:
        there, steps = width <= size.widest and depth <= size.deepest, max(size.steps // 2, 1)
    else:
        there, steps = (width > 1 if task == "parity" else width in size.real_widths), size.steps
    return Run(task, kind, seed, width, steps, size.length, size.length, depth=depth, variant=f"width {width}") if there else None


def measured(run: Run, folder: Path | None, progress: Progress | None, device: torch.device | None, size: Size) -> dict[str, Any]:
    """Of one trained run: its errors at the trained length and at twice that, and the number of parameters."""
    found = measure(run, folder, progress, device, size.d, 0, [size.length, 2 * size.length], size.words)
    return {"error": found["errors"][0], "longer": found["errors"][1], "parameters": found["parameters"]}


def known(size: Size, at: dict[str, list[Any]]) -> dict[str, Any]:
    """By width what weights are known to reach, (task, kind, width)."""
    errors = [[[possible(task, kind, n, size) for n in at["width"]] for kind in KINDS] for task in TASKS]
    return {"possible": (("task", "kind", "width"), errors, {"long_name": "error of weights of one layer that are known", "units": ERROR})}


def possible(task: str, kind: str, n: int, size: Size) -> float:
    """The error of one layer whose weights are written down, at the trained length; nan where none are."""
    if kind in SECOND_ORDER:
        return 0.0 if n >= size.d else np.nan
    if task == "products":
        return np.nan
    if kind == "tanh in depth":
        # fewer steps than T can be worse than the output 0
        return min(1.0, *(counted_parity_error(units, size.length) for units in range(n // size.d + 1)))
    return recurrent_parity_error(size.length) if n >= 2 * size.d else 1.0


def solved(data: xr.Dataset) -> xr.DataArray:
    """Which sizes have learnt the task at the trained length, (task, kind, depth, width)."""
    return data.error.median("seed") <= SOLVED


def outcome(data: xr.Dataset) -> str:
    """Whether the paper's observations hold here, and which claim predicts them."""
    done, d, T = solved(data), data.attrs["d"], data.attrs["length"]
    depth_only, recurrent = (done.sel(kind=kind) for kind in FIRST_ORDER)
    units = data.depth * data.width

    def widths(task: str, kind: str) -> str:
        least = data.width.where(done.sel(task=task, kind=kind)).min("width")
        trained = data.error.sel(task=task, kind=kind).notnull().any(("width", "seed"))
        said = ((int(k), float(w)) for k, w, there in zip(data.depth.values, least, trained, strict=True) if there)
        return ", ".join(f"L = {k}: {'-' if np.isnan(w) else int(w)}" for k, w in said)

    def best(task: str, kind: str, **at: int) -> float:
        return float(data.error.median("seed").sel(task=task, kind=kind, **at).min())

    def cheapest(kind: str) -> int | None:
        cost = data.parameters.sel(task="parity", kind=kind).where(done.sel(task="parity", kind=kind)).min("width")
        return int(cost.idxmin()) if cost.notnull().any() else None

    shallow = depth_only.sel(task="parity", depth=[k for k in data.depth.values if k <= 2])
    deep = depth_only.sel(task="parity", depth=[k for k in data.depth.values if k > 2])
    one = recurrent.sel(task="parity", depth=1)
    trained = data.error.notnull().any("seed").sel(task="parity", kind=FIRST_ORDER[0], depth=1)
    possible_ = (data.possible <= SOLVED).sel(task="parity", kind=FIRST_ORDER[0]) & trained
    missed = [int(n) for n in data.width.values[(possible_ & ~depth_only.sel(task="parity", depth=1)).values]]
    exists = "no" if possible_.any() else "open"
    second = [bool(done.sel(task="parity", kind=kind, depth=1, width=d)) for kind in SECOND_ORDER]
    multiplied = depth_only.sel(task="products")
    few = data.error.notnull().any("seed").sel(task="products", kind=FIRST_ORDER[0]) & (units < T * d)
    further = data.longer.median("seed")

    def holds(kind: str) -> str:
        chosen = further.sel(kind=kind).where(done.sel(kind=kind))
        return "-" if chosen.isnull().all() else f"{float(chosen.median()):.2g}"

    return (
        f"parity at length {T}: 'tanh in depth fails with one and two layers and succeeds with four or more': "
        f"{'yes' if not shallow.any() and deep.any() else 'no'} (learnt from width {widths('parity', FIRST_ORDER[0])}; best error {best('parity', FIRST_ORDER[0]):.2g}); "
        f"'it cannot be done in depth only': {exists}, one layer has weights at widths {[int(n) for n in data.width.values[possible_.values]] or 'none'} for this length "
        f"(lizaire26.thm5.remark), and training did not find them at widths {missed or 'none'}; "
        f"'tanh in the recurrence learns it with one layer': {'yes' if one.any() else 'no'} (from width {widths('parity', FIRST_ORDER[1])}; weights exist from {2 * d} on), "
        f"'with the fewest parameters in the shallowest': {'yes' if cheapest(FIRST_ORDER[1]) == 1 else 'no'}; 'linear second-order layers learn it at width d = {d}': "
        f"{'yes' if all(second) else 'no'} (2RNN {best('parity', '2RNN', depth=1, width=d):.2g}, CPRNN {best('parity', 'CPRNN', depth=1, width=d):.2g}); "
        f"products of real numbers: second-order from width {widths('products', '2RNN')} (2RNN), {widths('products', 'CPRNN')} (CPRNN), tanh in the recurrence {widths('products', FIRST_ORDER[1])}, "
        f"tanh in depth {widths('products', FIRST_ORDER[0])}; of its sizes with fewer than T d units, which multiply exactly with no piecewise linear activation (lizaire26.thm5.remark.amended), {int((multiplied & few).sum())} of {int(few.sum())} came below {SOLVED}; "
        f"median error at twice the length, where the trained length was learnt: {', '.join(f'{kind} {holds(kind)}' for kind in KINDS)}; "
        f"learnt: an error ({of_seeds('median', data.sizes['seed'])}) of at most {SOLVED}, {data.attrs['steps']} steps (second-order: half)"
    )


NAMES = {"parity": "parity", "products": "real products"}


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Rows: tasks; columns: stacks. Medians over the seeds, bars from the least to the largest; pale: words twice as long."""
    counts = [(kind, int(solved(data).sel(kind=kind).sum())) for kind in KINDS]
    figure = style.new_figure(f"{EXPERIMENT.finding}; sizes that learnt: {', '.join(f'{kind} {n}' for kind, n in counts)}", 13, 7)
    axes = figure.subplots(data.sizes["task"], len(KINDS), sharey=True, sharex=True)
    for row, task in zip(axes, data.task.values, strict=True):
        for ax, kind in zip(row, KINDS, strict=True):
            for depth, colour, marker in zip(data.depth.values, COLOURS, MARKERS, strict=False):
                at = data.sel(task=task, kind=kind, depth=depth)
                at = at.isel(width=at.error.notnull().all("seed").values)
                middle, low, high = at.error.median("seed"), at.error.min("seed"), at.error.max("seed")
                ax.errorbar(
                    at.width, middle, yerr=[middle - low, high - middle], fmt=marker + "-", color=colour, ms=4.5, elinewidth=1, capsize=2
                )
                ax.plot(at.width, at.longer.median("seed").clip(max=1.9), marker, color=colour, ms=4.5, mfc="none", alpha=0.6)
            ax.plot(data.width, data.possible.sel(task=task, kind=kind), ":", color=style.PURPLE)
            ax.axhline(1, color="0.6", lw=1)
            ax.set(title=f"{NAMES[str(task)]}: {kind}", xscale="log", ylim=(-0.08, 2))
            ax.set_xticks(data.width.values, [str(n) for n in data.width.values])
            ax.minorticks_off()
        row[0].set_ylabel("mean squared test error")
    for ax in axes[-1]:
        ax.set_xlabel("width n")
    figure.legend(handles=_legend(data), loc="outside lower center", ncols=6, fontsize=10)
    return figure


def _legend(data: xr.Dataset) -> list[Line2D]:
    T = data.attrs["length"]
    trained = [
        Line2D([], [], color=colour, marker=marker, ms=4.5, label=f"L = {k}, length {T}")
        for k, colour, marker in zip(data.depth.values, COLOURS, MARKERS, strict=False)
    ]
    return [
        *trained,
        Line2D([], [], color="0.4", marker="o", mfc="none", ls="", ms=4.5, label=f"length {2 * T} (cut at 1.9)"),
        Line2D([], [], color=style.PURPLE, ls=":", label=f"one layer, weights exist (length {T})"),
        Line2D([], [], color="0.6", lw=1, label="silent network"),
    ]


EXPERIMENT = Experiment(
    "lizaire26.fig8",
    topic="bilinear",
    place="Figure 8",
    finding="Running products, after training",
    sizes=SIZES,
    axes={
        "task": Axis(TASKS, "task"),
        "kind": Axis(KINDS, "stack"),
        "depth": Axis(lambda size: size.depths, "layers", "1"),
        "width": Axis(lambda size: size.widths, "width", "1"),
    },
    run=run,
    measure=measured,
    found={
        "error": Found("error on test words", ERROR),
        "longer": Found("error on test words twice as long", ERROR),
        "parameters": Found("parameters with readout, without initial states", "1", seeds=False),
    },
    beside=known,
    attributes=lambda size: {"steps": size.steps, "d": size.d, "length": size.length},
    rest=outcome,
    picture=draw,
)
