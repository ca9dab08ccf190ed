"""The parity of signs by stacks of recurrent layers, with tanh in depth or in the recurrence, at desk scale (lizaire26, Fig. 8).

Errors are means over all steps of a word and all channels, so a silent network has the error 1.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import torch
from torch import nn

from .desk import Cell, Plan
from .desk_signals import InTurn, without_channels
from .judged import Found
from .signals import signal_task
from .stacked import Member, Recipe
from .tasks import Task

ROW = "lizaire26.fig8"

RATES = (2e-3, 1e-3)

#: channels, each with a parity of its own, letters of a word, test words
CHANNELS, LENGTH, WORDS = 3, 20, 2000

DEPTH, RECURRENCE, LINEAR, SECOND = "tanh in depth", "tanh in the recurrence", "linear RNN", "2RNN"


def parity() -> Task:
    """The running products of signs."""
    return without_channels(signal_task("parity", CHANNELS, 0))


def built(member: Member, task: Task, kind: str, depth: int, width: int) -> nn.Module:
    """A stack."""
    return InTurn(kind, CHANNELS, width, depth)


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
        recipe=Recipe(steps=6000, shortest=LENGTH, longest=LENGTH, batch=32),
        rates=RATES,
        measure=error,
        by="error",
        guess={"error": 1.0},
        facts={"channels": CHANNELS, "kind": kind, "depth": depth, "width": width},
    )


#: side of a criterion -> kind, layers, units
SHAPES = {
    "tanh in depth, four layers of width 64": (DEPTH, 4, 64),
    "tanh in depth, two layers of width 64": (DEPTH, 2, 64),
    "tanh in the recurrence, one layer of width 16": (RECURRENCE, 1, 16),
    "tanh in depth, one layer of width 16": (DEPTH, 1, 16),
    "linear 2RNN of the width of the input": (SECOND, 1, CHANNELS),
    "linear RNN of the same width": (LINEAR, 1, CHANNELS),
}


def of_shape(shape: tuple[str, int, int], of: Found) -> list[float]:
    """The errors of a cell."""
    return of(title(*shape), "error")


PLAN = Plan(
    cells=lambda: [cell(*shape) for shape in dict.fromkeys(SHAPES.values())],
    sides={name: partial(of_shape, shape) for name, shape in SHAPES.items()},
    findings={
        ROW: (
            "With activations in depth only, four layers learn three parities of twenty signs, two layers only half",
            "With activations in depth only, four layers are not shown to learn parities that two layers do not learn",
        )
    },
)
