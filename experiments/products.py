"""Running products x_1 ... x_t: tanh in depth or in the recurrence against second-order layers (lizaire26, Fig. 8, and the same for real numbers).

Of signs the product is the parity. Trained on words of one length, tested on them and on words twice as long. Beside it what weights are known to
reach (``constructions.tanh_units``; a second-order layer of width d multiplies exactly), and the least number of units without which no network with
activations in depth only multiplies real numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
import xarray as xr

from ..constructions.tanh_units import counted_parity_error, recurrent_parity_error
from ..numerics.progress import Progress
from .experiment import ByHand
from .many import measure_all
from .scales import chosen
from .signals import grid, measure, planned
from .training import Run
from .words import of_seeds

TASKS = ("parity", "products")
FIRST_ORDER, SECOND_ORDER = ("tanh in depth", "tanh in the recurrence"), ("2RNN", "CPRNN")
KINDS = (*FIRST_ORDER, *SECOND_ORDER)


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


def runs(scale: str = "quick", seeds: int | None = None) -> list[Run]:
    """All runs of a scale, in order; a second-order stack is trained at small sizes only. Raises ``ValueError`` for an unknown scale and for fewer than one seed."""
    size, from_seeds = chosen(SIZES, scale, seeds)
    small = [n for n in size.widths if n <= size.widest], [k for k in size.depths if k <= size.deepest]
    found = []
    for task in TASKS:
        widths = [n for n in size.widths if n > 1] if task == "parity" else size.real_widths
        found += planned([task], SECOND_ORDER, *small, len(from_seeds), max(size.steps // 2, 1), size.length)
        found += planned([task], FIRST_ORDER, widths, size.depths, len(from_seeds), size.steps, size.length)
    return found


def compute(
    scale: str = "quick",
    seeds: int | None = None,
    folder: Path | None = None,
    device: torch.device | None = None,
    progress: Progress | None = None,
    jobs: int = 1,
) -> xr.Dataset:
    """Errors (task, kind, depth, width, seed) after training, at the trained length and at twice that, and by width what weights are known to reach.

    ``folder`` keeps checkpoints and finished runs; ``progress`` counts the steps; ``jobs`` processes share the runs.
    """
    todo, size = runs(scale, seeds), SIZES[scale]
    tested = [size.length, 2 * size.length]
    found = measure_all(todo, partial(measure, d=size.d, lag=0, tested=tested, words=size.words), folder, device, progress, jobs)
    at = {"task": list(TASKS), "kind": list(KINDS), "depth": list(size.depths), "width": list(size.widths)}
    over, each = tuple(at), {**at, "seed": sorted({run.seed for run in todo})}
    unit = {"units": "mean squared error (a silent network has 1)"}
    errors = [grid(todo, [f["errors"][i] for f in found], tuple(each), each) for i in (0, 1)]
    counted = grid(todo, [f["parameters"] for f in found], over, at)
    known = [[[possible(task, kind, n, size) for n in size.widths] for kind in KINDS] for task in TASKS]
    return xr.Dataset(
        {
            "error": (tuple(each), errors[0], {"long_name": "error on test words", **unit}),
            "longer": (tuple(each), errors[1], {"long_name": "error on test words twice as long", **unit}),
            "parameters": (over, counted, {"long_name": "parameters with readout, without initial states", "units": "1"}),
            "possible": (("task", "kind", "width"), known, {"long_name": "error of weights of one layer that are known", **unit}),
        },
        {
            "task": ("task", at["task"], {"long_name": "task"}),
            "kind": ("kind", at["kind"], {"long_name": "stack"}),
            "depth": ("depth", at["depth"], {"long_name": "layers", "units": "1"}),
            "width": ("width", at["width"], {"long_name": "width", "units": "1"}),
            "seed": ("seed", each["seed"], {"long_name": "random seed", "units": "1"}),
        },
        {"source": EXPERIMENT.source, "scale": scale, "steps": size.steps, "d": size.d, "length": size.length},
    )


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


EXPERIMENT = ByHand(
    "lizaire26.fig8",
    topic="bilinear",
    place="Figure 8",
    finding="Running products, after training",
    planned=runs,
    computed=compute,
    said=outcome,
)
