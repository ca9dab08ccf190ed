"""The parity of signs by stacks of recurrent layers, with tanh in depth or in the recurrence, at desk scale (lizaire26, Fig. 8).

As in the paper there are five channels. Errors are means over all steps and channels, so a silent network has the error 1.
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
from .signals import signal_task
from .stacked import Member, Recipe
from .tasks import Generator, Task

ROW = "lizaire26.fig8"

RATES = (1e-2, 5e-3)

#: letters of a word, channels, test words, units at most where parameters are counted
LENGTH, CHANNELS, WORDS, WIDEST = 12, 5, 2000, 64

DEPTH, RECURRENCE, LINEAR, SECOND = "tanh in depth", "tanh in the recurrence", "linear RNN", "2RNN"


class InARow(nn.Module):
    """A stack, its answers of all channels one after the other: (batch, T, channels) to (batch, T channels, 1)."""

    def __init__(self, kind: str, width: int, depth: int):
        super().__init__()
        self.stack = DeepRNN(kind, CHANNELS, CHANNELS, width, depth)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.stack(x).flatten(1)[..., None]


def parity() -> Task:
    """The running products of signs, those of all channels in a row, (batch, T channels)."""
    task = signal_task("parity", CHANNELS, 0)

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        inputs, targets = task.sample(batch, length, rng)
        return inputs, targets.reshape(batch, -1)

    return replace(task, sample=sample)


def built(member: Member, task: Task, kind: str, depth: int, width: int) -> nn.Module:
    """A stack."""
    return InARow(kind, width, depth)


def of_parameters(kind: str, depth: int, goal: int) -> int:
    """The width of a stack whose number of parameters is nearest to a number."""
    return nearest_width(lambda n: parameters_counted(DeepRNN(kind, CHANNELS, CHANNELS, n, depth)), goal, WIDEST)


@torch.no_grad()
def error(network: nn.Module, member: Member, use: int) -> dict[str, float]:
    """The mean squared error over all steps of test words."""
    inputs, targets = (torch.from_numpy(x).float() for x in parity().sample(WORDS, LENGTH, np.random.default_rng([member.seed, use])))
    return {"error": float((network(inputs)[..., 0] - targets).square().mean())}


def title(kind: str, depth: int, width: int) -> str:
    """The name of a cell."""
    return f"{kind}, {depth} layer{'s' if depth > 1 else ''}, width {width}"


def cell(kind: str, depth: int, width: int) -> Cell:
    """A stack of so many layers and units."""
    return Cell(
        name=title(kind, depth, width),
        rows=(ROW,),
        task=parity(),
        build=partial(built, kind=kind, depth=depth, width=width),
        recipe=Recipe(steps=3000, shortest=LENGTH, longest=LENGTH, batch=32),
        rates=RATES,
        measure=error,
        by="error",
        guess={"error": 1.0},
        facts={"kind": kind, "depth": depth, "width": width},
    )


#: side of a criterion -> kind, layers, units
SHAPES = {
    "tanh in depth, four layers of width 64": (DEPTH, 4, 64),
    "tanh in depth, two layers of width 64": (DEPTH, 2, 64),
    "tanh in the recurrence, one layer of width 16": (RECURRENCE, 1, 16),
    "tanh in depth, one layer of width 16": (DEPTH, 1, 16),
    "linear 2RNN of the width of the input": (SECOND, 1, CHANNELS),
    "linear RNN of the same width": (LINEAR, 1, CHANNELS),
    **{
        f"{kind}, {word} layer{'s' if depth > 1 else ''} of about 300 parameters": (kind, depth, of_parameters(kind, depth, 300))
        for kind, word, depth in ((RECURRENCE, "four", 4), (RECURRENCE, "one", 1), (DEPTH, "four", 4), (DEPTH, "two", 2))
    },
}


def of_shape(shape: tuple[str, int, int], of: Found) -> list[float]:
    """The errors of a cell."""
    return of(title(*shape), "error")


PLAN = Plan(
    cells=lambda: [cell(*shape) for shape in dict.fromkeys(SHAPES.values())],
    sides={name: partial(of_shape, shape) for name, shape in SHAPES.items()},
    findings={
        ROW: (
            "With activations in depth only, four layers learn the parity of twelve signs and two layers do not",
            "With activations in depth only, no number of layers is found below which the parity is not learnt",
        )
    },
)
