"""Depth against width, units and parameters: linear networks copy, tanh networks take sines of past inputs (lizaire26, Figs. 6 and 7).

Beside the errors after training stand what weights are known to reach, the width from which exact copies exist, and the bound below which no linear
network goes (``constructions.depth_errors``, ``constructions.tanh_units``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import torch
import xarray as xr

from ..constructions.depth import least_width
from ..constructions.depth_errors import copied_error, lower_bound, near_error
from ..constructions.tanh_units import sine_error
from .many import Tick, measure_all
from .scales import chosen, of_seeds
from .signals import OMEGA, grid, measure, planned
from .training import Run

#: task -> the stack that is trained on it
KINDS = {"copy": "linear RNN", "sinus": "tanh in depth", "copy-sinus": "tanh in depth"}


@dataclass(frozen=True)
class Size:
    """Seeds, steps of training (see ``PATIENCE``), channels, lag, length of words, the widths of each task, depths, test words."""

    seeds: int
    steps: int
    d: int
    lag: int
    length: int
    widths: dict[str, tuple[int, ...]]
    depths: tuple[int, ...]
    words: int = 2000


WIDE = (5, 10, 15, 20, 25, 30, 40, 50, 60, 80)
SIZES = {
    "smoke": Size(1, 2, 1, 2, 4, {"copy": (2, 4), "sinus": (2,), "copy-sinus": (2,)}, (1, 2), 8),
    "quick": Size(2, 300, 1, 2, 4, {"copy": (2, 3, 4, 8), "sinus": (2, 8), "copy-sinus": (2, 8)}, (1, 2)),
    "desk": Size(3, 500, 1, 4, 8, {"copy": (2, 3, 4, 6, 8, 12, 16), "sinus": (4, 8, 16), "copy-sinus": (16,)}, (1, 2, 4)),
    "paper": Size(5, 30000, 5, 8, 16, dict.fromkeys(("copy", "sinus", "copy-sinus"), WIDE), (1, 2, 4, 8)),
}

#: how many times the steps of ``Size`` each task is trained: sines are harder to find
PATIENCE = {"copy": 1, "sinus": 2, "copy-sinus": 4}

#: a task is learnt if the median error is at most this share of a silent network's
SOLVED = 0.05


def runs(scale: str = "quick", seeds: int | None = None) -> list[Run]:
    """All runs of a scale, in order. Raises ``ValueError`` for an unknown scale and for fewer than one seed."""
    size, from_seeds = chosen(SIZES, scale, seeds)
    return [
        run
        for task, kind in KINDS.items()
        for run in planned([task], [kind], size.widths[task], size.depths, len(from_seeds), PATIENCE[task] * size.steps, size.length)
    ]


def compute(
    scale: str = "quick",
    seeds: int | None = None,
    folder: Path | None = None,
    device: torch.device | None = None,
    tick: Tick | None = None,
    jobs: int = 1,
) -> xr.Dataset:
    """Errors (task, depth, width, seed) after training, and by depth and width what is known: of weights that exist, of linear networks, of a silent one.

    ``folder`` keeps checkpoints and finished runs; ``tick`` hears how far it is; ``jobs`` processes share the runs.
    """
    todo, size = runs(scale, seeds), SIZES[scale]
    found = measure_all(todo, partial(measure, d=size.d, lag=size.lag, tested=[size.length], words=size.words), folder, device, tick, jobs)
    at = {"task": list(KINDS), "depth": list(size.depths), "width": list(size.widths["copy"]), "seed": sorted({run.seed for run in todo})}
    over = ("task", "depth", "width")
    unit = {"units": "mean squared error"}
    shape = [len(at[name]) for name in over]
    known = np.reshape([possible(task, n, k, size) for task in KINDS for k in size.depths for n in size.widths["copy"]], shape)
    floor = [[lower_bound(n * k, size.d, size.lag, size.length) for n in size.widths["copy"]] for k in size.depths]
    return xr.Dataset(
        {
            "error": (
                (*over, "seed"),
                grid(todo, [f["errors"][0] for f in found], (*over, "seed"), at),
                {"long_name": "error on test words", **unit},
            ),
            "parameters": (
                over,
                grid(todo, [f["parameters"] for f in found], over, at),
                {"long_name": "parameters with readout, without initial states", "units": "1"},
            ),
            "possible": (over, known, {"long_name": "error of weights that are known", **unit}),
            "floor": (("depth", "width"), floor, {"long_name": "bound below which no linear network copies", **unit}),
            "needed": (
                "depth",
                [least_width(size.lag, k, size.d) for k in size.depths],
                {"long_name": "least width of an exact copy", "units": "1"},
            ),
            "silent": ("task", [silent(task, size) for task in KINDS], {"long_name": "error of the output 0", **unit}),
        },
        {
            "task": ("task", at["task"], {"long_name": "task"}),
            "depth": ("depth", at["depth"], {"long_name": "layers", "units": "1"}),
            "width": ("width", at["width"], {"long_name": "width", "units": "1"}),
            "seed": ("seed", at["seed"], {"long_name": "random seed", "units": "1"}),
        },
        {"source": "lizaire26, Figures 6 and 7", "scale": scale, "steps": size.steps, "d": size.d, "lag": size.lag, "length": size.length},
    )


def silent(task: str, size: Size) -> float:
    """The expected error of the output 0: E x^2 = 1, E sin(omega x)^2 = (1 - exp(-2 omega^2)) / 2, and nothing is asked before the lag."""
    power = 1.0 if task == "copy" else (1 - np.exp(-2 * OMEGA**2)) / 2
    return power * (1 if task == "sinus" else (size.length - size.lag) / size.length)


def possible(task: str, n: int, depth: int, size: Size) -> float:
    """The least error of weights that are written down: copies, exact or but for one response; one layer of tanh steps, behind registers where there is a lag.

    nan where nothing is written down: sines with more than one layer.
    """
    if task == "copy":
        if n >= least_width(size.lag, depth, size.d):
            return 0.0
        return min(f(n, depth, size.d, size.lag, size.length) for f in (copied_error, near_error))
    if depth > 1:
        return np.nan
    units = n // size.d - (0 if task == "sinus" else size.lag)
    if task == "copy-sinus":
        # with an odd number of steps the output before the lag is sin(0) = 0
        units -= 1 - units % 2
    return silent(task, size) if units < 1 else sine_error(units, OMEGA) * silent(task, size) / silent("sinus", size)


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
                if not (done.sel(wide) and done.sel(deep)):
                    total += 1
                    better += bool(error.sel(wide) <= error.sel(deep))
    return better, total


def outcome(data: xr.Dataset) -> str:
    """Whether the paper's observations hold here, and which claim predicts them."""

    def said(costs: list[float]) -> str:
        return ", ".join(f"L = {k}: {'-' if np.isinf(c) else int(c)}" for k, c in zip(data.depth.values, costs, strict=True))

    def falls(costs: list[float]) -> str:
        # a depth that never learnt the task needs more than the grid has
        return "yes" if costs[-1] < costs[0] and all(b <= a for a, b in pairwise(costs)) else "no"

    widths = {task: least(data, data.width, task) for task in KINDS}
    prices = {task: least(data, data.parameters.sel(task=task), task) for task in KINDS}
    first, deepest = int(data.depth.values[0]), int(data.depth.values[-1])
    shallow, pairs = units_decide(data, "copy")
    done, exact = solved(data), data.needed <= data.width
    copied = done.sel(task="copy")
    below = int((copied & (data.floor > SOLVED * data.silent.sel(task="copy"))).sum())
    # what exists, where something was trained
    exists = ((data.possible <= SOLVED * data.silent) & data.error.notnull().any("seed")).sel(depth=first)
    missed = {
        t: [int(n) for n in data.width.values[(exists.sel(task=t) & ~done.sel(task=t, depth=first)).values]]
        for t in ("sinus", "copy-sinus")
    }
    widest = data.error.median("seed").sel(task="copy-sinus").dropna("width", how="all").isel(width=-1)
    cheapest = {t: int(data.depth.values[int(np.argmin(prices[t]))]) if np.isfinite(min(prices[t])) else None for t in KINDS}
    return (
        f"copying: 'deeper models need a smaller width': {falls(widths['copy'])} ({said(widths['copy'])}; exact copies exist from "
        f"{said(data.needed.values.tolist())} on, lizaire26.memory, new.depth.channels); 'at the same units shallower ones are better': "
        f"{'yes' if 2 * shallow > pairs else 'no'}, at {shallow} of {pairs} pairs of which not both copy (lizaire26.prop1); 'better with depth at the same parameters': "
        f"{falls(prices['copy'])} ({said(prices['copy'])} parameters); learnt at {int((copied & exact).sum())} of {int(exact.sum())} sizes with exact copies, at "
        f"{int((copied & ~exact).sum())} of {int((~exact).sum())} without (near copies, new.depth.approximate-copies), and at {below} below the bound of new.depth.finite-length; "
        f"sinus without lag: 'depth reduces the width': {falls(widths['sinus'])} ({said(widths['sinus'])}), 'two layers are the first in parameters': "
        f"{'yes' if cheapest['sinus'] == 2 else 'no'} ({said(prices['sinus'])}); one layer has weights but did not learn at widths {missed['sinus'] or 'none'}; "
        f"sinus with lag {data.attrs['lag']}: 'deeper ones do better at the same width': {'yes' if bool((widest.diff('depth') < 0).all()) else 'no'} (at width {int(widest.width)} "
        f"{', '.join(f'L = {int(k)}: {float(e):.2g}' for k, e in zip(widest.depth, widest, strict=True))}), 'the deepest are the cheapest in parameters': "
        f"{'no depth learnt it' if cheapest['copy-sinus'] is None else 'yes' if cheapest['copy-sinus'] == deepest else 'no'} ({said(prices['copy-sinus'])}); one layer has weights but did not learn at widths {missed['copy-sinus'] or 'none'}; "
        f"learnt: an error ({of_seeds('median', data.sizes['seed'])}) of at most {SOLVED:.0%} of a silent network's; d = {data.attrs['d']}, length {data.attrs['length']}, {data.attrs['steps']} steps (sinus twice, with lag four times that)"
    )
