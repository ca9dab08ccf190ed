"""Arithmetic modulo 5 without brackets, and the parity, with two ranges of eigenvalues, at desk scale (grazzi25, Table 3 and Fig. 1).

Mamba and brackets are not trained here. The parity has one layer, so that ``certify`` reads its networks.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import torch
from torch import nn

from .certifying import UNKNOWN, certified
from .desk import Cell, Plan
from .judged import Found
from .layers import Model
from .stacked import Member, Recipe
from .tasks import Task, task_named
from .training import TEST, accuracy

ROW = "grazzi25.table3"
RATES = (5e-3,)

#: the longest trained word, the longest of the test: lengths past the trained one are odd, N + 2 to 2 N - 1
TRAINED, TESTED, WORDS = 11, 21, 512

#: keys of a state, and hidden units of the decoder as a model has them
WIDTH = 8

#: task -> layers, steps, words of a step
TASKS = {"modular-arithmetic": (3, 6000, 128), "parity": (1, 3000, 32)}


def build(member: Member, task: Task) -> nn.Module:
    """The model of a kind of layers."""
    kind, depth = member.kind.removesuffix(" on parity"), TASKS[task.name][0]
    return Model(kind, len(task.letters), len(task.answers), WIDTH, task.features, depth=depth)


def measured(network: nn.Module, member: Member, use: int, name: str) -> dict[str, float]:
    """Scaled accuracies: the mean over the odd lengths past the trained one, and at the trained one."""
    task, seed = task_named(name), member.seed if use == TEST else 1000 + member.seed
    with torch.no_grad():
        found = task.scaled(accuracy(lambda words: network(words).argmax(-1), task, TESTED, WORDS, seed))
    said = {"beyond": float(np.mean(found[TRAINED + 1 :: 2])), "trained length": float(found[TRAINED - 1])}
    return said | (certified(network, task) if name == "parity" and use == TEST else {})


def cell(kind: str, name: str) -> Cell:
    """A kind of layers on a task."""
    _, steps, batch = TASKS[name]
    return Cell(
        name=kind if name == "modular-arithmetic" else f"{kind} on {name}",
        rows=(ROW,),
        task=task_named(name),
        build=build,
        recipe=Recipe(steps=steps, shortest=3, first=5, longest=TRAINED, grown=0.5, apart=2, batch=batch, averages=(0.9, 0.99)),
        rates=RATES,
        measure=partial(measured, name=name),
        by="beyond",
        most=True,
        guess={"beyond": 0.0, "trained length": 0.0} | UNKNOWN,
    )


CELLS = {
    "DeltaNet [-1, 1]": "modular-arithmetic",
    "DeltaNet [0, 1]": "modular-arithmetic",
    "diagonal [-1, 1] on parity": "parity",
    "diagonal [0, 1] on parity": "parity",
}


def beyond(name: str, of: Found) -> list[float]:
    """The scaled accuracies of a cell past the trained length."""
    return of(name, "beyond")


PLAN = Plan(
    cells=lambda: [cell(name.removesuffix(" on parity"), task) for name, task in CELLS.items()],
    sides={name: partial(beyond, name) for name in CELLS},
    findings={
        ROW: (
            "Past the trained length DeltaNet with eigenvalues in [-1, 1] calculates modulo 5 far better than with [0, 1]",
            "With eigenvalues in [-1, 1] some seeds of DeltaNet calculate modulo 5 past the trained length; with [0, 1] none do",
        )
    },
)
