"""Copies and sines of past inputs by stacks of recurrent layers, at desk scale (lizaire26, Figs. 6 and 7).

Errors are those of the steps at which a copy is due, so a silent network has the error 1, or that of sines.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import torch
from torch import nn

from .bilinear_layers import DeepRNN, parameters_counted
from .desk import Cell, Found, Plan
from .scales import nearest_width
from .signals import OMEGA, signal_task
from .stacked import Member, Recipe
from .tasks import Generator, Task

FIG6, FIG7 = "lizaire26.fig6", "lizaire26.fig7"
RATES = (1e-2, 5e-3, 2e-3)

#: test words, and units at most
WORDS, WIDEST = 2000, 64

#: what is learnt -> the stack, the length of words, the error of a silent network
SINE = float((1 - np.exp(-2 * OMEGA**2)) / 2)
LEARNT = {"copy": ("linear RNN", 24, 1.0), "sinus": ("tanh in depth", 8, SINE), "copy-sinus": ("tanh in depth", 8, SINE)}
LAGS = {"copy": 12, "sinus": 0, "copy-sinus": 4}
TITLES = {"copy": "copy", "sinus": "no lag", "copy-sinus": "lag 4"}


def one_channel(learns: str) -> Task:
    """The task on one channel, its targets without an axis of channels."""
    return without_channels(signal_task(learns, 1, LAGS[learns]))


def without_channels(task: Task) -> Task:
    """A task of one channel, its targets without an axis for it."""

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        inputs, targets = task.sample(batch, length, rng)
        return inputs, targets[..., 0]

    return replace(task, sample=sample)


def of_parameters(kind: str, depth: int, goal: int) -> int:
    """The width of a stack whose number of parameters is nearest to a number."""
    return nearest_width(lambda n: parameters_counted(DeepRNN(kind, 1, 1, n, depth)), goal, WIDEST)


def title(learns: str, depth: int, width: int) -> str:
    """The name of a cell."""
    return f"{TITLES[learns]}, {depth} layer{'s' if depth > 1 else ''}, width {width}"


@torch.no_grad()
def error(network: nn.Module, member: Member, use: int, learns: str) -> dict[str, float]:
    """The mean squared error of the steps at which an answer is due."""
    length, lag = LEARNT[learns][1], LAGS[learns]
    inputs, targets = (
        torch.from_numpy(x).float() for x in one_channel(learns).sample(WORDS, length, np.random.default_rng([member.seed, use]))
    )
    missed = network(inputs)[..., 0] - targets
    return {"error": float(missed[:, lag:].square().mean())}


def cell(learns: str, depth: int, width: int) -> Cell:
    """A stack of so many layers and units on a task."""
    kind, length, silent = LEARNT[learns]
    return Cell(
        name=title(learns, depth, width),
        rows=(FIG6,) if learns == "copy" else (FIG7,),
        task=one_channel(learns),
        build=lambda member, task: DeepRNN(kind, 1, 1, width, depth),
        recipe=Recipe(steps=3000, shortest=length, longest=length, batch=64),
        rates=RATES,
        measure=partial(error, learns=learns),
        by="error",
        guess={"error": silent},
        facts={"learns": learns, "depth": depth, "width": width},
    )


#: (what is learnt, layers, units) of each cell
BUDGETS = {
    name: (learns, depth, of_parameters(LEARNT[learns][0], depth, goal))
    for name, learns, depth, goal in (
        ("one layer of about 120 parameters", "copy", 1, 120),
        ("four layers of about 120 parameters", "copy", 4, 120),
        ("two layers of about 200 parameters, no lag", "sinus", 2, 200),
        ("four layers of about 200 parameters, no lag", "sinus", 4, 200),
        ("two layers of about 600 parameters, lag 4", "copy-sinus", 2, 600),
        ("four layers of about 600 parameters, lag 4", "copy-sinus", 4, 600),
        ("eight layers of about 600 parameters, lag 4", "copy-sinus", 8, 600),
    )
}
SIZES = {
    "one layer of width 5": ("copy", 1, 5),
    "two layers of width 5": ("copy", 2, 5),
    "four layers of width 5": ("copy", 4, 5),
    "one layer of width 4": ("copy", 1, 4),
    "four layers of width 4": ("copy", 4, 4),
    "one layer of 12 units": ("copy", 1, 12),
    "four layers of 12 units in all": ("copy", 4, 3),
    "one layer of width 8, no lag": ("sinus", 1, 8),
    "two layers of width 8, no lag": ("sinus", 2, 8),
    "four layers of width 16, lag 4": ("copy-sinus", 4, 16),
    "four layers of width 4, lag 4": ("copy-sinus", 4, 4),
}
COSTS = {f"what a lag of 4 costs {word} layers of width 8": depth for word, depth in (("two", 2), ("four", 4))}


def cells() -> list[Cell]:
    """All cells, each once."""
    further = [(learns, depth, 8) for depth in COSTS.values() for learns in ("sinus", "copy-sinus")]
    return [cell(*size) for size in dict.fromkeys([*SIZES.values(), *BUDGETS.values(), *further])]


def costs(of: Found, depth: int) -> list[float]:
    """By how much the error with a lag exceeds that without, seed by seed."""
    with_lag, without = (of(title(learns, depth, 8), "error") for learns in ("copy-sinus", "sinus"))
    return [a - b for a, b in zip(with_lag, without, strict=True)]


PLAN = Plan(
    cells=cells,
    sides={
        **{name: lambda of, size=size: of(title(*size), "error") for name, size in (SIZES | BUDGETS).items()},
        **{name: partial(costs, depth=depth) for name, depth in COSTS.items()},
    },
    findings={
        FIG6: ("Deeper linear RNNs need a smaller width to copy", "Depth does not reduce the width that a linear RNN needs to copy"),
        FIG7: (
            "Two layers learn a sine at a width at which one layer does not",
            "With depth the error of a sine falls, by less than the effect that was set beforehand",
        ),
    },
)
