"""Arithmetic modulo 5 with three layers, without and with brackets: eigenvalues in [0, 1] against [-1, 1] (grazzi25, Tables 3 and 5, Fig. 6).

Without brackets an automaton decides it, and beside the trained networks stands the compiled one; with brackets none does. Expressions have odd lengths.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr

from ..numerics.progress import Progress
from .experiment import Found, Picture
from .grid import Size, lengths, said, word_table
from .tasks import task_named
from .training import Run, accuracy, train
from .words import of_seeds

TASKS = ("modular-arithmetic", "bracketed-arithmetic")
ARCHITECTURES = ("DeltaNet", "Mamba", "diagonal")
LAYERS = tuple(f"{architecture} [{least}, 1]" for architecture in ARCHITECTURES for least in (0, -1))

SIZES = {
    "smoke": Size(1, 1, 4, 6, 8, 2, 4),
    "quick": Size(1, 50, 9, 33, 128, 4, 32),
    "desk": Size(3, 1200, 13, 49, 256, 8, 32),
    "paper": Size(3, 100_000, 40, 256, 8192, 32, 1024),
}

#: layers of a network, as in the paper; accuracies are reported at odd lengths, those of expressions
DEPTH, ODD = 3, True


def run(size: Size, seed: int, task: str, layer: str) -> Run:
    """The run of a point."""
    return Run(task, layer, seed, size.width, size.steps, min(3, size.longest), size.longest, size.batch, rate=5e-3, depth=DEPTH)


def measure(run: Run, folder: Path | None, progress: Progress | None, device: torch.device | None, size: Size) -> dict[str, Any]:
    """Of one trained run: the accuracy at every length, and means of the scaled one; brackets are asked for at a word's end, so each length has its words."""
    model, task = train(run, folder, progress, device), task_named(run.task)

    def answer(words: torch.Tensor) -> torch.Tensor:
        return model(words.to(device)).argmax(-1)

    if task.automaton is not None:
        found = accuracy(answer, task, size.tested, size.words, run.seed)
    else:
        found = np.array([accuracy(answer, task, n, size.words, run.seed)[-1] for n in range(1, size.tested + 1)])
    scaled = task.scaled(found)
    trained = scaled[size.longest // 2 - 1 : size.longest]
    return {
        "accuracy": found[np.array(lengths(size, ODD)) - 1].tolist(),
        "within": float(np.nanmean(trained)),
        "beyond": float(np.nanmean(scaled[size.longest :])),
    }


#: scaled accuracies that differ by less are called alike
ALIKE = 0.02


NAMES = {"modular-arithmetic": "without brackets", "bracketed-arithmetic": "with brackets"}


def line(data: xr.Dataset, task: str) -> str:
    """Does the wider range help each kind of layer, past the trained length and up to it, in the best of the seeds and in the median, and by which numbers?"""
    numbers = {"best": data.max("seed"), "median": data.median("seed")}

    def helps(kind: str, where: str, which: str) -> str:
        there = numbers[which][where].sel(task=task)
        gain = float(there.sel(layer=f"{kind} [-1, 1]") - there.sel(layer=f"{kind} [0, 1]"))
        return "alike" if abs(gain) < ALIKE else "yes" if gain > 0 else "no"

    verdicts = "; ".join(
        f"{kind}: {helps(kind, 'beyond', 'best')} (median: {helps(kind, 'beyond', 'median')}), "
        f"up to it {helps(kind, 'within', 'best')} (median: {helps(kind, 'within', 'median')})"
        for kind in ARCHITECTURES
    )
    found = "; ".join(
        f"{where}, {which}: {said(numbers[which][name], task, LAYERS)}"
        for where, name in (("past it", "beyond"), ("up to it", "within"))
        for which in numbers
    )
    return f"{NAMES[task]}: {verdicts} ({found})"


def outcome(data: xr.Dataset) -> str:
    """The paper's observation, answered for each task and kind of layer, since it holds for some, and how that was found."""
    compiled = data.compiled.sel(task="modular-arithmetic")
    return (
        f"'eigenvalues in [-1, 1] do better past the trained length than in [0, 1]', {'; '.join(line(data, task) for task in TASKS)}; scaled accuracy, "
        f"{of_seeds('best and median', data.sizes['seed'])}, {data.attrs['depth']} layers of width {data.attrs['width']}, trained for {data.attrs['steps']} steps up to length "
        f"{data.attrs['longest']}, tested up to {int(data.length[-1])}; the compiled network: {float(compiled.min()):.0%} at worst"
    )


EXPERIMENT = word_table(
    "grazzi25.table3",
    topic="automata",
    place="Tables 3 and 5, Figure 6",
    finding="Arithmetic modulo 5: briefly trained, no layer comes near compiled weights",
    tasks=TASKS,
    layers=LAYERS,
    odd=ODD,
    sizes=SIZES,
    run=run,
    measure=measure,
    numbers={
        "within": Found("mean scaled accuracy from half the trained length to all of it", "1"),
        "beyond": Found("mean scaled accuracy past the trained length", "1"),
    },
    attributes=lambda size: {"depth": DEPTH},
    rest=outcome,
    picture=Picture(
        {"modular-arithmetic": "without brackets", "bracketed-arithmetic": "with brackets (no automaton)"},
        "share of right answers; dotted: guessing",
        columns=2,
        guess=0.2,
    ),
)
