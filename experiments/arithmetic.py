"""Arithmetic modulo 5 with three layers, without and with brackets: eigenvalues in [0, 1] against [-1, 1] (grazzi25, Tables 3 and 5, Fig. 6).

Without brackets an automaton decides it, and beside the trained networks stands the compiled one; with brackets none does. Expressions have odd lengths.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr

from .grid import Size, Table, said
from .many import Tick
from .scales import chosen
from .tasks import task_named
from .training import Heard, Run, accuracy, train
from .words import of_seeds

TASKS = ("modular-arithmetic", "bracketed-arithmetic")
ARCHITECTURES = ("DeltaNet", "Mamba", "diagonal")
LAYERS = tuple(f"{architecture} [{least}, 1]" for architecture in ARCHITECTURES for least in (0, -1))

TABLE = Table(TASKS, LAYERS, "grazzi25, Tables 3 and 5, Figure 6", odd=True)

#: the topic whose theorems predict what is seen
TOPIC = "automata"

SIZES = {
    "smoke": Size(1, 1, 4, 6, 8, 2, 4),
    "quick": Size(1, 50, 9, 33, 128, 4, 32),
    "desk": Size(3, 1200, 13, 49, 256, 8, 32),
    "paper": Size(3, 100_000, 40, 256, 8192, 32, 1024),
}

#: layers of a network, as in the paper
DEPTH = 3


def runs(scale: str = "quick", seeds: int | None = None) -> list[Run]:
    """All runs of a scale, in order. Raises ``ValueError`` for an unknown scale and for fewer than one seed."""
    size, from_seeds = chosen(SIZES, scale, seeds)

    def run(task: str, kind: str, seed: int) -> Run:
        return Run(task, kind, seed, size.width, size.steps, min(3, size.longest), size.longest, size.batch, rate=5e-3, depth=DEPTH)

    return TABLE.runs(size, len(from_seeds), run)


def compute(
    scale: str = "quick",
    seeds: int | None = None,
    folder: Path | None = None,
    device: torch.device | None = None,
    tick: Tick | None = None,
    jobs: int = 1,
) -> xr.Dataset:
    """Accuracies (task, layer, seed, length) of all runs, their scaled ``within`` and ``beyond`` the trained length (task, layer, seed), the compiled network's.

    ``folder`` keeps checkpoints and finished runs; ``tick`` hears how far it is; ``jobs`` processes share the runs.
    """
    planned, size = runs(scale, seeds), SIZES[scale]
    numbers = {
        "within": {"long_name": "mean scaled accuracy from half the trained length to all of it", "units": "1"},
        "beyond": {"long_name": "mean scaled accuracy past the trained length", "units": "1"},
    }
    return TABLE.measured(planned, size, partial(measure, size=size), {"scale": scale, "depth": DEPTH}, folder, device, tick, jobs, numbers)


def measure(run: Run, folder: Path | None, heard: Heard | None, device: torch.device | None, size: Size) -> dict[str, Any]:
    """Of one trained run: the accuracy at every length, and means of the scaled one; brackets are asked for at a word's end, so each length has its words."""
    model, task = train(run, folder, heard, device), task_named(run.task)

    def answer(words: torch.Tensor) -> torch.Tensor:
        return model(words.to(device)).argmax(-1)

    if task.automaton is not None:
        found = accuracy(answer, task, size.tested, size.words, run.seed)
    else:
        found = np.array([accuracy(answer, task, n, size.words, run.seed)[-1] for n in range(1, size.tested + 1)])
    scaled = task.scaled(found)
    trained = scaled[size.longest // 2 - 1 : size.longest]
    return {"accuracy": found.tolist(), "within": float(np.nanmean(trained)), "beyond": float(np.nanmean(scaled[size.longest :]))}


#: scaled accuracies that differ by less are called alike
ALIKE = 0.02


def outcome(data: xr.Dataset) -> str:
    """Does the wider range help a kind of layer, past the trained length and up to it, in the best of the seeds and in the median, as in grazzi25's Tables 3 and 5?"""
    names = {"modular-arithmetic": "without brackets", "bracketed-arithmetic": "with brackets"}
    numbers = {"best": data.max("seed"), "median": data.median("seed")}

    def helps(task: str, kind: str, where: str, which: str) -> str:
        there = numbers[which][where].sel(task=task)
        gain = float(there.sel(layer=f"{kind} [-1, 1]") - there.sel(layer=f"{kind} [0, 1]"))
        return "alike" if abs(gain) < ALIKE else "yes" if gain > 0 else "no"

    def line(task: str) -> str:
        verdicts = "; ".join(
            f"{kind}: {helps(task, kind, 'beyond', 'best')} (median: {helps(task, kind, 'beyond', 'median')}), "
            f"up to it {helps(task, kind, 'within', 'best')} (median: {helps(task, kind, 'within', 'median')})"
            for kind in ARCHITECTURES
        )
        found = "; ".join(
            f"{where}, {which}: {said(numbers[which][name], task, LAYERS)}"
            for where, name in (("past it", "beyond"), ("up to it", "within"))
            for which in numbers
        )
        return f"{names[task]}: {verdicts} ({found})"

    compiled = data.compiled.sel(task="modular-arithmetic")
    return (
        f"'eigenvalues in [-1, 1] do better past the trained length than in [0, 1]', {'; '.join(line(task) for task in TASKS)}; scaled accuracy, "
        f"{of_seeds('best and median', data.sizes['seed'])}, {data.attrs['depth']} layers of width {data.attrs['width']}, trained for {data.attrs['steps']} steps up to length "
        f"{data.attrs['longest']}, tested up to {int(data.length[-1])}; the compiled network: {float(compiled.min()):.0%} at worst"
    )
