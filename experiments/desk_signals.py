"""Copies and sines of past inputs by stacks of recurrent layers, at desk scale (lizaire26, Figs. 6 and 7).

Copies have one channel and sines three: for one sine eight units are many. Errors are those of the steps at which a copy is due, so a silent network has
the error 1, or that of sines. With few units some first weights leave a channel out for good, so training for sines is begun several times for each seed,
and the best on validation words counts, at every depth alike. Sines with a lag are not trained.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import torch
from torch import nn

from .bilinear_layers import DeepRNN, parameters_counted
from .criteria import SEEDS
from .desk import Cell, Plan
from .judged import Found
from .scales import nearest_width
from .signals import OMEGA, signal_task
from .stacked import Member, Recipe
from .tasks import Generator, Task

FIG6, FIG7 = "lizaire26.fig6", "lizaire26.fig7"

#: first weights that are tried for each seed, where sines are learnt
TRIES = 8

#: row -> steps of training, rates, seeds with all tries
TRAINED = {FIG6: (3000, (1e-2, 5e-3, 2e-3), SEEDS), FIG7: (4000, (1e-2,), SEEDS * TRIES)}

#: test words, and units at most
WORDS, WIDEST = 2000, 64

#: what is learnt -> the stack, the length of words, the error of a silent network
SINE = float((1 - np.exp(-2 * OMEGA**2)) / 2)
LEARNT = {"copy": ("linear RNN", 24, 1.0), "sinus": ("tanh in depth", 8, SINE)}
LAGS = {"copy": 12, "sinus": 0}
CHANNELS = {"copy": 1, "sinus": 3}
TITLES = {"copy": "copy", "sinus": "no lag"}


def learnt_from(learns: str) -> Task:
    """The task, its targets without an axis of channels."""
    return without_channels(signal_task(learns, CHANNELS[learns], LAGS[learns]))


def without_channels(task: Task) -> Task:
    """A task whose targets have the channels of a step one after the other, (batch, T channels)."""

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        inputs, targets = task.sample(batch, length, rng)
        return inputs, targets.reshape(len(targets), -1)

    return replace(task, sample=sample)


class InTurn(nn.Module):
    """A stack whose outputs are the channels of a step one after the other: (batch, T, channels) to (batch, T channels, 1)."""

    def __init__(self, kind: str, channels: int, width: int, depth: int):
        super().__init__()
        self.stack = DeepRNN(kind, channels, channels, width, depth)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.stack(x).flatten(1)[..., None]


def of_parameters(learns: str, depth: int, goal: int) -> int:
    """The width of a stack whose number of parameters is nearest to a number."""
    kind, channels = LEARNT[learns][0], CHANNELS[learns]
    return nearest_width(lambda n: parameters_counted(DeepRNN(kind, channels, channels, n, depth)), goal, WIDEST)


def title(learns: str, depth: int, width: int) -> str:
    """The name of a cell."""
    return f"{TITLES[learns]}, {depth} layer{'s' if depth > 1 else ''}, width {width}"


@torch.no_grad()
def error(network: nn.Module, member: Member, use: int, learns: str) -> dict[str, float]:
    """The mean squared error of the steps at which an answer is due."""
    length, first = LEARNT[learns][1], LAGS[learns] * CHANNELS[learns]
    inputs, targets = (
        torch.from_numpy(x).float() for x in learnt_from(learns).sample(WORDS, length, np.random.default_rng([member.seed, use]))
    )
    missed = network(inputs)[..., 0] - targets
    return {"error": float(missed[:, first:].square().mean())}


def cell(learns: str, depth: int, width: int) -> Cell:
    """A stack of so many layers and units on a task."""
    kind, length, silent = LEARNT[learns]
    row = FIG6 if learns == "copy" else FIG7
    steps, rates, seeds = TRAINED[row]
    return Cell(
        name=title(learns, depth, width),
        rows=(row,),
        task=learnt_from(learns),
        build=lambda member, task: InTurn(kind, CHANNELS[learns], width, depth),
        recipe=Recipe(steps=steps, shortest=length, longest=length, batch=64),
        rates=rates,
        measure=partial(error, learns=learns),
        by="error",
        guess={"error": silent},
        seeds=seeds,
        facts={"learns": learns, "channels": CHANNELS[learns], "depth": depth, "width": width},
    )


#: (what is learnt, layers, units) of each cell
BUDGETS = {
    name: ("copy", depth, of_parameters("copy", depth, 120))
    for name, depth in (("one layer of about 120 parameters", 1), ("four layers of about 120 parameters", 4))
}
SIZES = {
    "one layer of width 5": ("copy", 1, 5),
    "two layers of width 5": ("copy", 2, 5),
    "four layers of width 5": ("copy", 4, 5),
    "one layer of width 4": ("copy", 1, 4),
    "four layers of width 4": ("copy", 4, 4),
    "one layer of 12 units": ("copy", 1, 12),
    "four layers of 12 units in all": ("copy", 4, 3),
}
SINES = {"one layer of width 8, no lag": ("sinus", 1, 8), "two layers of width 8, no lag": ("sinus", 2, 8)}


def cells() -> list[Cell]:
    """All cells, each once."""
    return [cell(*size) for size in dict.fromkeys([*SIZES.values(), *BUDGETS.values(), *SINES.values()])]


def best_of_tries(of: Found, size: tuple[str, int, int]) -> list[float]:
    """The errors on test words of the networks that are best of their seed's tries on validation words."""
    at = of.data.sel(cell=title(*size)).isel(rate=of.rate(title(*size)))
    best = at.validation.values.reshape(SEEDS, TRIES).argmin(-1)
    return at.value.sel(number="error").values.reshape(SEEDS, TRIES)[range(SEEDS), best].tolist()


PLAN = Plan(
    cells=cells,
    sides={
        **{name: lambda of, size=size: of(title(*size), "error") for name, size in (SIZES | BUDGETS).items()},
        **{name: partial(best_of_tries, size=size) for name, size in SINES.items()},
    },
    findings={
        FIG6: ("Deeper linear RNNs need a smaller width to copy", "Depth does not reduce the width that a linear RNN needs to copy"),
        FIG7: (
            "Two layers learn a sine at a width at which one layer does not",
            "With depth the error of a sine falls, by less than the effect that was set beforehand",
        ),
    },
)
