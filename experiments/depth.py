"""Depth against width, units and parameters: linear networks copy, tanh networks take sines of past inputs (lizaire26, Figs. 6 and 7).

Beside the errors after training stand what weights are known to reach, the width from which exact copies exist and what they cost, and the bound below
which no linear network goes (``constructions.depth.errors``, ``constructions.tanh_units``).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ..constructions.depth import least_width, parameters
from ..constructions.depth.errors import copied_error, lower_bound, near_error
from ..constructions.tanh_units import sine_error
from ..figures import style
from ..numerics.progress import Progress
from .experiment import Axis, Experiment, Found, Observation
from .signals import OMEGA, measure
from .training import Run
from .words import of_seeds

#: what is learnt -> the stack that is trained on it
KINDS = {"copy": "linear RNN", "sinus": "tanh in depth", "copy-sinus": "tanh in depth"}


@dataclass(frozen=True)
class Part:
    """One task: what is learnt (of ``KINDS``), the widths, steps of training, channels, lag, length of words."""

    learns: str
    widths: tuple[int, ...]
    steps: int
    d: int
    lag: int
    length: int


@dataclass(frozen=True)
class Size:
    """Seeds, depths, the tasks by name, test words."""

    seeds: int
    depths: tuple[int, ...]
    parts: dict[str, Part]
    words: int = 2000


WIDE = (5, 10, 15, 20, 25, 30, 40, 50, 60, 80)
SIZES = {
    "smoke": Size(
        1,
        (1, 2),
        {
            "copy": Part("copy", (2, 4), 2, 1, 2, 4),
            "sinus": Part("sinus", (2,), 2, 1, 0, 4),
            "copy-sinus": Part("copy-sinus", (2,), 2, 1, 2, 4),
        },
        8,
    ),
    "quick": Size(
        2,
        (1, 2),
        {
            "copy": Part("copy", (2, 3, 4, 8), 300, 1, 2, 4),
            "sinus": Part("sinus", (2, 8), 600, 1, 0, 4),
            "copy-sinus": Part("copy-sinus", (2, 8), 1200, 1, 2, 4),
        },
    ),
    "desk": Size(
        3,
        (1, 2, 4),
        {
            "copy": Part("copy", (2, 3, 4, 5, 6, 8, 12, 16), 500, 1, 4, 8),
            "copy far": Part("copy", (3, 4, 5, 6, 7, 8, 10, 13, 16, 24), 1000, 1, 12, 24),
            "copy two": Part("copy", (4, 5, 6, 8, 10, 14, 20), 1000, 2, 6, 12),
            "copy two far": Part("copy", (8, 14, 26), 1000, 2, 12, 24),
            "sinus": Part("sinus", (2, 4, 8, 16), 1000, 1, 0, 8),
            "copy-sinus": Part("copy-sinus", (4, 8, 16), 2000, 1, 4, 8),
        },
    ),
    "paper": Size(
        5,
        (1, 2, 4, 8),
        {
            "copy": Part("copy", WIDE, 30_000, 5, 8, 16),
            "sinus": Part("sinus", WIDE, 60_000, 5, 0, 16),
            "copy-sinus": Part("copy-sinus", WIDE, 120_000, 5, 4, 16),
        },
    ),
}

ERROR = "mean squared error"

#: a task is learnt if the median error is at most this share of a silent network's
SOLVED = 0.05


def run(size: Size, seed: int, task: str, depth: int, width: int) -> Run | None:
    """The run of a point, if its task is trained at that width."""
    part = size.parts[task]
    if width not in part.widths:
        return None
    return Run(task, KINDS[part.learns], seed, width, part.steps, part.length, part.length, depth=depth, variant=f"width {width}")


def measured(run: Run, folder: Path | None, progress: Progress | None, device: torch.device | None, size: Size) -> dict[str, Any]:
    """Of one trained run: its error on test words, and the number of parameters."""
    part = size.parts[run.task]
    found = measure(run, folder, progress, device, part.d, part.lag, [part.length], size.words, part.learns)
    return {"error": found["errors"][0], "parameters": found["parameters"]}


def known(size: Size, at: dict[str, list[Any]]) -> dict[str, Any]:
    """By depth and width what is known: of weights that exist, of linear networks, of a silent one; and what the tasks are."""
    over, widths, parts = ("task", "depth", "width"), at["width"], list(size.parts.values())
    linear = [part if part.learns == "copy" else None for part in parts]
    least = [[least_width(part.lag, k, part.d) if part else np.nan for k in size.depths] for part in linear]
    cost = [
        [_with_readout(int(n), k, part.d) if part else np.nan for k, n in zip(size.depths, row, strict=True)]
        for part, row in zip(linear, least, strict=True)
    ]
    floor = [
        [[lower_bound(n * k, part.d, part.lag, part.length) if part else np.nan for n in widths] for k in size.depths] for part in linear
    ]
    reached = [[[possible(part, n, k) for n in widths] for k in size.depths] for part in parts]
    return {
        "possible": (over, reached, {"long_name": "error of weights that are known", "units": ERROR}),
        "floor": (over, floor, {"long_name": "bound below which no linear network copies", "units": ERROR}),
        "needed": (over[:2], least, {"long_name": "least width of an exact copy", "units": "1"}),
        "cost": (over[:2], cost, {"long_name": "parameters of an exact copy of the least width", "units": "1"}),
        "silent": ("task", [silent(part) for part in parts], {"long_name": "error of the output 0", "units": ERROR}),
        "learns": ("task", [part.learns for part in parts], {"long_name": "what is learnt"}),
        "d": ("task", [part.d for part in parts], {"long_name": "channels", "units": "1"}),
        "lag": ("task", [part.lag for part in parts], {"long_name": "lag", "units": "steps"}),
        "length": ("task", [part.length for part in parts], {"long_name": "length of a word", "units": "steps"}),
        "steps": ("task", [part.steps for part in parts], {"long_name": "steps of training", "units": "1"}),
    }


def _with_readout(n: int, depth: int, d: int) -> int:
    """The parameters of a stack with its readout, as ``parameters_counted`` has them."""
    return parameters(n, depth, d) + d * n + d


def silent(part: Part) -> float:
    """The expected error of the output 0: E x^2 = 1, E sin(omega x)^2 = (1 - exp(-2 omega^2)) / 2, and nothing is asked before the lag."""
    power = 1.0 if part.learns == "copy" else (1 - np.exp(-2 * OMEGA**2)) / 2
    return power * (part.length - part.lag) / part.length


def possible(part: Part, n: int, depth: int) -> float:
    """The least error of weights that are written down: copies, exact or but for one response; one layer of tanh steps, behind registers where there is a lag.

    nan where nothing is written down: sines with more than one layer.
    """
    if part.learns == "copy":
        if n >= least_width(part.lag, depth, part.d):
            return 0.0
        return min(f(n, depth, part.d, part.lag, part.length) for f in (copied_error, near_error))
    if depth > 1:
        return np.nan
    units = n // part.d - part.lag
    if part.lag:
        # with an odd number of steps the output before the lag is sin(0) = 0
        units -= 1 - units % 2
    return silent(part) if units < 1 else sine_error(units, OMEGA) * (part.length - part.lag) / part.length


def solved(data: xr.Dataset) -> xr.DataArray:
    """Which sizes have learnt the task, (task, depth, width)."""
    return data.error.median("seed") <= SOLVED * data.silent


def least(data: xr.Dataset, cost: xr.DataArray, task: str) -> list[float]:
    """For each depth the least cost at which the task was learnt, infinite if it never was."""
    return [float(x) for x in cost.where(solved(data).sel(task=task)).min("width").fillna(np.inf)]


def units_decide(data: xr.Dataset, task: str) -> tuple[int, int]:
    """(how often the shallower network has the smaller median error, pairs of sizes with the same number of units), where not both have learnt."""
    error, done = data.error.median("seed").sel(task=task), solved(data).sel(task=task)
    better = total = 0
    for a, b in combinations(data.depth.values, 2):
        for n in data.width.values:
            if n * b % a == 0 and n * b // a in data.width.values:
                wide, deep = {"depth": a, "width": n * b // a}, {"depth": b, "width": n}
                trained = not (error.sel(wide).isnull() or error.sel(deep).isnull())
                if trained and not (done.sel(wide) and done.sel(deep)):
                    total += 1
                    better += bool(error.sel(wide) <= error.sel(deep))
    return better, total


def falls(costs: list[float]) -> bool:
    """Whether depth lowers a cost; a depth that never learnt the task needs more than the grid has."""
    return costs[-1] < costs[0] and all(b <= a for a, b in pairwise(costs))


def rest(data: xr.Dataset) -> str:
    """What learnt means."""
    return f"learnt: an error ({of_seeds('median', data.sizes['seed'])}) of at most {SOLVED:.0%} of a silent network's"


def _by_depth(data: xr.Dataset, costs: list[float]) -> str:
    return ", ".join(f"L = {k}: {'-' if np.isinf(c) else int(c)}" for k, c in zip(data.depth.values, costs, strict=True))


def copies(data: xr.Dataset) -> list[str]:
    """The tasks that linear networks copy in."""
    return [str(task) for task in data.task.values if data.learns.sel(task=task) == "copy"]


def copied(data: xr.Dataset, task: str) -> tuple[int, int, int, int]:
    """Of the sizes trained on copying: (learnt, all) where exact copies exist, and (learnt, all) where none do."""
    at, done = data.sel(task=task), solved(data).sel(task=task)
    trained, exact = at.error.notnull().any("seed"), at.needed <= data.width
    found = (trained & exact & done, trained & exact, trained & ~exact & done, trained & ~exact)
    a, b, c, d = (int(which.sum()) for which in found)
    return a, b, c, d


def copying(data: xr.Dataset) -> dict[str, xr.Dataset]:
    """The copying tasks alone, each by what it is."""
    return {described(data, task): data.sel(task=[task]) for task in copies(data)}


def sines(data: xr.Dataset) -> dict[str, xr.Dataset]:
    """The other tasks alone, each by what it is."""
    return {described(data, task): data.sel(task=[task]) for task in map(str, data.task.values) if task not in copies(data)}


def described(data: xr.Dataset, task: str) -> str:
    """The name of a task, and its sizes."""
    at = data.sel(task=task)
    return f"{task} (d = {int(at.d)}, lag {int(at.lag)}, length {int(at.length)}, {int(at.steps)} steps)"


def costs(data: xr.Dataset, name: str) -> tuple[list[float], list[float]]:
    """Of data of one task the least widths, or the least parameters, at which each depth learnt it; and those of exact copies."""
    task = str(data.task.values[0])
    exact = data["needed" if name == "width" else "cost"].sel(task=task).values.tolist()
    return least(data, data.width if name == "width" else data.parameters.sel(task=task), task), exact


def learnt_from(data: xr.Dataset, name: str) -> str:
    """From where each depth learnt the task, and where exact copies begin."""
    found, exact = costs(data, name)
    return f"{_by_depth(data, found)}; exact copies {_by_depth(data, exact)}" if copies(data) else _by_depth(data, found)


def shallower(data: xr.Dataset) -> bool | str:
    """Whether with the same number of units the shallower network is better more often."""
    better, pairs = units_decide(data, str(data.task.values[0]))
    return 2 * better > pairs if pairs else "not tested"


def pairs(data: xr.Dataset) -> str:
    """Of how many pairs of sizes."""
    better, all_of = units_decide(data, str(data.task.values[0]))
    return f"at {better} of {all_of} pairs of which not both copy"


def below(data: xr.Dataset) -> int:
    """Sizes of one task that have learnt it though their bound is above what counts as learnt: none, unless something is wrong."""
    at, done = data.isel(task=0), solved(data).isel(task=0)
    return int((done & (at.floor > SOLVED * at.silent)).sum())


def sizes_learnt(data: xr.Dataset) -> str:
    """At how many sizes with exact copies, and at how many without."""
    exactly, exact, nearly, near = copied(data, str(data.task.values[0]))
    return f"learnt at {exactly} of {exact} sizes with exact copies, at {nearly} of {near} without"


def widest(data: xr.Dataset) -> xr.DataArray:
    """The median errors of one task at the greatest width that was trained, (depth)."""
    return data.error.isel(task=0).median("seed").dropna("width", how="all").isel(width=-1)


def at_widest(data: xr.Dataset) -> str:
    """Those errors, in words."""
    found = widest(data)
    return f"at width {int(found.width)} {', '.join(f'L = {int(k)}: {float(e):.2g}' for k, e in zip(found.depth, found, strict=True))}"


def cheapest(data: xr.Dataset) -> bool | str:
    """Whether the depth that the paper says is the cheapest: two layers without a lag, the deepest with one."""
    prices = costs(data, "parameters")[0]
    if not np.isfinite(min(prices)):
        return "no depth learnt it"
    return int(data.depth[int(np.argmin(prices))]) == (2 if int(data.lag[0]) == 0 else int(data.depth[-1]))


def missed(data: xr.Dataset) -> str:
    """The widths at which one layer has weights for one task, and none were learnt."""
    at, first = data.isel(task=0), data.depth[0]
    exists = ((at.possible <= SOLVED * at.silent) & at.error.notnull().any("seed")).sel(depth=first)
    found = [int(n) for n in data.width.values[(exists & ~solved(data).isel(task=0).sel(depth=first)).values]]
    return f"{learnt_from(data, 'parameters')}; one layer has weights but did not learn at widths {found or 'none'}"


TITLES = {"copy": "$x_{{t-{lag}}}$, linear", "sinus": "$\\sin 3x_t$, tanh in depth", "copy-sinus": "$\\sin 3x_{{t-{lag}}}$, tanh in depth"}
COLOURS, MARKERS = (style.BLACK, style.VERMILION, style.BLUE, style.GREEN), "osDv"


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """For each task and depth the least width, number of units and number of parameters that learnt it; beside them, open, the least of an exact copy."""
    exactly, exact, nearly, near = (sum(n) for n in zip(*(copied(data, task) for task in copies(data)), strict=True))
    found = f"Copies are learnt at {exactly} of {exact} sizes where exact copies exist, and at {nearly} of {near} where none do"
    figure = style.new_figure(found, 13, 1 + 0.9 * data.sizes["task"])
    axes = figure.subplots(1, 3, sharey=True)
    tasks = [str(task) for task in data.task.values]
    for ax, (label, title, cost, known) in zip(axes, _costs(data), strict=True):
        trained = cost.where(data.error.notnull().any("seed"))
        right = 3 * float(trained.max())
        for y, task in enumerate(tasks):
            reached = least(data, cost.sel(task=task), task)
            for k, (colour, marker) in enumerate(zip(COLOURS[: data.sizes["depth"]], MARKERS, strict=False)):
                at = y + 0.24 * (k - (data.sizes["depth"] - 1) / 2)
                ax.plot(float(known.sel(task=task)[k]), at, marker, color=colour, mfc="none", ms=10)
                if np.isfinite(reached[k]):
                    ax.plot(reached[k], at, marker, color=colour, ms=5.5)
                else:
                    ax.annotate("not learnt", (right, at), color=colour, fontsize=9, ha="right", va="center")
        for y in range(1, len(tasks)):
            ax.axhline(y - 0.5, color="0.6", lw=0.8)
        ax.set(xscale="log", xlabel=label, title=title, xlim=(0.8 * float(trained.min()), 1.15 * right))
        ax.grid(visible=False, axis="y")
        low, high = (int(k) for k in (np.ceil(np.log2(ax.get_xlim()[0])), np.floor(np.log2(ax.get_xlim()[1]))))
        ticks = [2**k for k in range(low, high + 1, 1 if high - low < 7 else 2)]
        ax.set_xticks(ticks, [str(n) for n in ticks])
        ax.minorticks_off()
    axes[0].set_yticks(range(len(tasks)), [_title(data, task) for task in tasks])
    axes[0].set_ylim(len(tasks) - 0.5, -0.5)
    figure.legend(handles=_legend(data), loc="outside lower center", ncols=5)
    return figure


def _costs(data: xr.Dataset) -> list[tuple[str, str, xr.DataArray, xr.DataArray]]:
    """(label, title, cost of each size, cost of the least exact copy) of the three panels."""
    widths, units = data.width + 0 * data.parameters, data.width * data.depth + 0 * data.parameters
    made = [
        ("width n", "least width", widths, data.needed),
        ("units n L", "least number of units", units, data.needed * data.depth),
        ("parameters", "least number of parameters", data.parameters, data.cost),
    ]
    return [(label, title, *(x.transpose("task", "depth", ...) for x in (cost, known))) for label, title, cost, known in made]


def _title(data: xr.Dataset, task: str) -> str:
    at = data.sel(task=task)
    learns, _, stack = TITLES[at.learns.item()].format(lag=int(at.lag)).partition(", ")
    return f"{learns}\n{stack}" + ("" if at.d == 1 else f", {int(at.d)} channels")


def _legend(data: xr.Dataset) -> list[Line2D]:
    depths = [
        Line2D([], [], color=colour, marker=marker, ls="", ms=5.5, label=f"learnt with L = {k}")
        for k, colour, marker in zip(data.depth.values, COLOURS, MARKERS, strict=False)
    ]
    return [*depths, Line2D([], [], color="0.3", marker="o", mfc="none", ls="", ms=10, label="an exact copy exists from here on")]


EXPERIMENT = Experiment(
    "lizaire26.fig7",
    topic="depth",
    place="Figures 6 and 7",
    finding="Depth against width, after training",
    sizes=SIZES,
    axes={
        "task": Axis(lambda size: tuple(size.parts), "task"),
        "depth": Axis(lambda size: size.depths, "layers", "1"),
        "width": Axis(lambda size: sorted({n for part in size.parts.values() for n in part.widths}), "width", "1"),
    },
    run=run,
    measure=measured,
    found={
        "error": Found("error on test words", ERROR),
        "parameters": Found("parameters with readout, without initial states", "1", seeds=False),
    },
    beside=known,
    attributes=lambda size: {},
    observations=(
        Observation(
            "deeper models need a smaller width",
            "Figures 6 and 7",
            lambda data: falls(costs(data, "width")[0]),
            lambda data: learnt_from(data, "width"),
            "width n and depth L remember L (n - 1) steps (lizaire26.memory, new.depth.channels)",
            copying,
        ),
        Observation(
            "deeper models are better at the same parameters",
            "Figures 6 and 7",
            lambda data: falls(costs(data, "parameters")[0]),
            lambda data: learnt_from(data, "parameters"),
            "exact copies get cheaper with depth where the lag is at least 3 d + 6 (new.depth.channels)",
            copying,
        ),
        Observation(
            "at the same units shallower models are better",
            "Figures 6 and 7",
            shallower,
            pairs,
            "one layer of width n L has all states of L layers of width n (lizaire26.prop1)",
            copying,
        ),
        Observation(
            "no linear network is below its bound", "", lambda data: below(data) == 0, sizes_learnt, "new.depth.finite-length", copying
        ),
        Observation(
            "depth reduces the width",
            "Figures 6 and 7",
            lambda data: falls(costs(data, "width")[0]),
            lambda data: learnt_from(data, "width"),
            over=sines,
        ),
        Observation(
            "deeper models do better at the same width",
            "Figures 6 and 7",
            lambda data: (widest(data).diff("depth") < 0).all(),
            at_widest,
            over=sines,
        ),
        Observation(
            "without a lag two layers are the cheapest in parameters, with one the deepest", "Figures 6 and 7", cheapest, missed, over=sines
        ),
    ),
    rest=rest,
    remarks=(
        "The paper trains for up to 1.5 hours of a GPU for a point, with five channels.",
        "One layer of width 16 has weights for both sines (`constructions/tanh_units.py`). What fails with one layer is training.",
        "Where two channels are not copied, one combination of the two mostly is.",
        "A first version had one copy and one width of sines with a lag, where the deepest were not the cheapest. The criterion is the same.",
        "There is an exact frontier for linear copies only.",
    ),
    picture=draw,
)
