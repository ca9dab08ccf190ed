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
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ..constructions.tanh_units import counted_parity_error, recurrent_parity_error
from ..figures import style
from ..numerics.progress import Progress
from .depth import COLOURS, MARKERS
from .experiment import Axis, Experiment, Found, Observation
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


def widths(data: xr.Dataset, task: str, kind: str) -> str:
    """From which width each depth learnt a task."""
    least = data.width.where(solved(data).sel(task=task, kind=kind)).min("width")
    trained = data.error.sel(task=task, kind=kind).notnull().any(("width", "seed"))
    said = ((int(k), float(w)) for k, w, there in zip(data.depth.values, least, trained, strict=True) if there)
    return ", ".join(f"L = {k}: {'-' if np.isnan(w) else int(w)}" for k, w in said)


def of_parity(data: xr.Dataset, kind: str) -> xr.DataArray:
    """Which sizes learnt the parity, (depth, width)."""
    return solved(data).sel(task="parity", kind=kind)


def needs_depth(data: xr.Dataset) -> bool:
    """Whether tanh in depth learns the parity with more than two layers only."""
    done = of_parity(data, FIRST_ORDER[0])
    return not bool(done.sel(depth=data.depth <= 2).any()) and bool(done.sel(depth=data.depth > 2).any())


def from_width(data: xr.Dataset) -> str:
    """From which width tanh in depth learns the parity, and the best error."""
    best = float(data.error.median("seed").sel(task="parity", kind=FIRST_ORDER[0]).min())
    return f"learnt from width {widths(data, 'parity', FIRST_ORDER[0])}; best error {best:.2g}"


def shallow(data: xr.Dataset) -> xr.DataArray:
    """The widths that were trained at which one layer of tanh in depth has weights for the parity of this length, (width)."""
    trained = data.error.notnull().any("seed").sel(task="parity", kind=FIRST_ORDER[0], depth=1)
    return (data.possible <= SOLVED).sel(task="parity", kind=FIRST_ORDER[0]) & trained


def missed(data: xr.Dataset) -> str:
    """Those widths, and at which of them training found none."""
    there, done = shallow(data), of_parity(data, FIRST_ORDER[0]).sel(depth=1)
    exist, none = ([int(n) for n in data.width.values[at.values]] or "none" for at in (there, there & ~done))
    return f"one layer has weights at widths {exist} for this length, not found by training at {none}"


def cheapest(data: xr.Dataset) -> bool:
    """Whether one layer of tanh in the recurrence learns the parity with the fewest parameters."""
    cost = data.parameters.sel(task="parity", kind=FIRST_ORDER[1]).where(of_parity(data, FIRST_ORDER[1])).min("width")
    return bool(cost.notnull().any()) and int(cost.idxmin()) == 1


def at_least_width(data: xr.Dataset) -> str:
    """The errors of second-order layers of width d on the parity."""
    at = data.error.median("seed").sel(task="parity", depth=1, width=data.attrs["d"])
    return ", ".join(f"{kind} {float(at.sel(kind=kind)):.2g}" for kind in SECOND_ORDER)


def few(data: xr.Dataset) -> xr.DataArray:
    """The trained sizes of tanh in depth with fewer than T d units, (depth, width)."""
    trained = data.error.notnull().any("seed").sel(task="products", kind=FIRST_ORDER[0])
    return trained & (data.depth * data.width < data.attrs["length"] * data.attrs["d"])


def came_below(data: xr.Dataset) -> str:
    """How many of these learnt to multiply."""
    return (
        f"{int((solved(data).sel(task='products', kind=FIRST_ORDER[0]) & few(data)).sum())} of {int(few(data).sum())} came below {SOLVED}"
    )


def rest(data: xr.Dataset) -> str:
    """From where products are learnt, the error at twice the length, and what learnt means."""
    further = data.longer.median("seed").where(solved(data))
    longer = {kind: further.sel(kind=kind).median() for kind in KINDS}
    said = ", ".join(f"{kind} {'-' if x.isnull() else f'{float(x):.2g}'}" for kind, x in longer.items())
    from_widths = (f"{kind} {widths(data, 'products', kind)}" for kind in KINDS)
    return (
        f"products of real numbers, learnt from width ({'; '.join(from_widths)}); of the sizes of tanh in depth with fewer than T d units, "
        f"where no piecewise linear activation multiplies exactly (lizaire26.thm5.remark.amended), {came_below(data)}; "
        f"median error at twice the length, where the trained length was learnt: {said}; "
        f"learnt: an error ({of_seeds('median', data.sizes['seed'])}) of at most {SOLVED}, {data.attrs['steps']} steps (second-order: half)"
    )


NAMES = {"parity": "parity", "products": "real products"}


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Rows: tasks; columns: stacks. Medians over the seeds, bars from the least to the largest; open: words twice as long. One width alone is drawn by the depth."""
    figure = style.new_figure(_counted(data), 13, 7)
    axes = figure.subplots(data.sizes["task"], len(KINDS), sharey=True, squeeze=False)
    for row, task in zip(axes, data.task.values, strict=True):
        for ax, kind in zip(row, KINDS, strict=True):
            at = data.sel(task=task, kind=kind)
            widths = data.width.values[at.error.notnull().all("seed").any("depth").values]
            along = "width" if len(widths) > 1 else "depth"
            for depth, colour, marker in zip(data.depth.values, COLOURS, MARKERS, strict=False):
                _errors(ax, at.sel(depth=depth, width=widths), along, colour, marker)
            if along == "width":
                ax.plot(data.width, at.possible, ":", color=style.PURPLE)
            ticks = data[along].values
            ax.set(title=f"{NAMES[str(task)]}: {kind}", xscale="log", ylim=(-0.05, 1.15))
            ax.set(xlabel="width n" if along == "width" else f"layers L, at width {int(widths[0])}", xlim=(ticks[0] / 1.3, ticks[-1] * 1.3))
            ax.set_xticks(ticks, [str(n) for n in ticks])
            ax.minorticks_off()
            ax.axhline(1, color="0.6", lw=1)
            ax.axhline(SOLVED, color="0.6", lw=1, ls="--")
        row[0].set_ylabel("mean squared test error")
    figure.legend(handles=_legend(data), loc="outside lower center", ncols=4)
    return figure


def _counted(data: xr.Dataset) -> str:
    """At how many of the sizes trained each stack of first order learnt each task."""
    said = []
    for task in data.task.values:
        done, trained = (x.sel(task=task) for x in (solved(data), data.error.notnull().any("seed")))
        counts = (f"{int(done.sel(kind=kind).sum())} of {int(trained.sel(kind=kind).sum())} sizes of {kind}" for kind in FIRST_ORDER)
        said.append(f"{NAMES[str(task)]} at {' and '.join(counts)}")
    return "Learnt: " + ";\n".join(said)


def _errors(ax: Axes, at: xr.Dataset, along: str, colour: str, marker: str) -> None:
    """The errors of one depth: a line over the widths, or one point over the depth."""
    at = at.isel(width=at.error.notnull().all("seed").values)
    x = at.width if along == "width" else at.depth.expand_dims(width=at.width)
    middle, low, high = at.error.median("seed"), at.error.min("seed"), at.error.max("seed")
    ax.errorbar(x, middle, yerr=[middle - low, high - middle], fmt=marker + "-", color=colour, ms=5, elinewidth=1, capsize=2)
    ax.plot(x, at.longer.median("seed").clip(max=1.1), marker, color=colour, ms=6, mfc="none")


def _legend(data: xr.Dataset) -> list[Line2D]:
    T = data.attrs["length"]
    trained = [
        Line2D([], [], color=colour, marker=marker, ms=5, label=f"L = {k}, length {T}")
        for k, colour, marker in zip(data.depth.values, COLOURS, MARKERS, strict=False)
    ]
    return [
        *trained,
        Line2D([], [], color="0.3", marker="o", mfc="none", ls="", ms=6, label=f"length {2 * T} (cut at 1.1)"),
        Line2D([], [], color=style.PURPLE, ls=":", label=f"weights that exist, one layer (length {T})"),
        Line2D([], [], color="0.6", lw=1, label="silent network"),
        Line2D([], [], color="0.6", lw=1, ls="--", label=f"learnt: at most {SOLVED}"),
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
    observations=(
        Observation("tanh in depth fails with one and two layers and succeeds with four or more", "Figure 8", needs_depth, from_width),
        Observation(
            "the parity cannot be done in depth only",
            "Figure 8",
            lambda data: "no" if shallow(data).any() else "open",
            missed,
            "one layer with activations in depth only does parity (lizaire26.thm5.remark)",
        ),
        Observation(
            "tanh in the recurrence learns it with one layer",
            "Figure 8",
            lambda data: of_parity(data, FIRST_ORDER[1]).sel(depth=1).any(),
            lambda data: f"from width {widths(data, 'parity', FIRST_ORDER[1])}; weights exist from {2 * data.attrs['d']} on",
        ),
        Observation("tanh in the recurrence takes the fewest parameters in the shallowest", "Figure 8", cheapest),
        Observation(
            "linear second-order layers learn it at width d",
            "Figure 8",
            lambda data: all(bool(of_parity(data, kind).sel(depth=1, width=data.attrs["d"])) for kind in SECOND_ORDER),
            at_least_width,
        ),
    ),
    rest=rest,
    remarks=(
        "The paper has signs only, five channels and words of 20.",
        "The grid was cut while it ran, for time. Width 2 of second-order stacks was added after width 1 had failed in the median.",
        "The meaning of learnt was fixed before the runs.",
        "Not run: real products at more widths, second-order stacks of width 4, more steps for one and two layers.",
    ),
    picture=draw,
)
