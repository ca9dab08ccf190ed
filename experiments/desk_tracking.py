"""The group A₅ tracked by one Bedouin layer that is trained with a bounded number of passes, at desk scale (movahedi25, Figs. 1 and 7).

A layer has one reflection, so that its fixed point can be found in sequence. The gradient goes through all passes of training.
"""

from __future__ import annotations

from functools import partial
from math import log10

import numpy as np
import torch
from torch import nn

from .bedouin_layer import Bedouin
from .desk import Cell, Found, Plan
from .groups import Tracker
from .stacked import Member, Recipe
from .tasks import Task, task_named
from .training import TEST, accuracy

FIG1, FIG7 = "movahedi25.fig1", "movahedi25.fig7"
TASK = "A5.generators"
RATES = (5e-3,)

#: the longest trained word and words of the test
TRAINED, WORDS = 16, 512

#: keys and values of a state; the passes at most by which a fixed point is found in parallel
KEYS, VALUES, MOST = 4, 16, 100

#: cell -> passes of training and rows
CELLS = {"16 passes": (16, (FIG1, FIG7)), "8 passes": (8, (FIG1,)), "2 passes": (2, (FIG1,))}


def build(member: Member, task: Task) -> Tracker:
    """One layer whose gate does not depend on the letter at first."""
    layer = Bedouin(len(task.letters), KEYS, VALUES)
    layer.bound = CELLS[member.kind][0]
    with torch.no_grad():
        layer.seen.weight[:VALUES] = 0
    return Tracker(layer, len(task.letters), len(task.answers), scan=True)


@torch.no_grad()
def apart(network: Tracker, seed: int) -> float:
    """The logarithm of the largest difference of the outputs found by passes and in sequence, over the largest output in sequence."""
    layer, task = network.layer, task_named(TASK)
    words, _ = task.sample(WORDS, TRAINED, np.random.default_rng([seed, TEST]))
    x = nn.functional.one_hot(torch.from_numpy(words), network.letters).float()
    bound, layer.bound, layer.most = layer.bound, 0, MOST
    by_passes, in_sequence = layer(x), layer.solved(x)
    layer.bound = bound
    return log10(float((by_passes - in_sequence).abs().max() / in_sequence.abs().max()))


def measured(network: nn.Module, member: Member, use: int) -> dict[str, float]:
    """The share of right answers at the last letter; how far fixed points are apart before and after training."""
    assert isinstance(network, Tracker)
    seed, task = member.seed if use == TEST else 1000 + member.seed, task_named(TASK)
    with torch.no_grad():
        found = accuracy(lambda words: network(words).argmax(-1), task, TRAINED, WORDS, seed)
    said = {"last letter": float(found[-1]), "half the letters": float(found[TRAINED // 2 - 1])}
    if use == TEST and network.layer.bound == TRAINED:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(member.seed)
            first = build(member, task)
        said |= {"apart at first": apart(first, seed), "apart": apart(network, seed)}
    return said


def cell(name: str) -> Cell:
    """Networks that are trained with a number of passes."""
    bound, rows = CELLS[name]
    return Cell(
        name=name,
        rows=rows,
        task=task_named(TASK),
        build=build,
        recipe=Recipe(steps=1500, shortest=2, first=3, longest=TRAINED, grown=0.5, batch=32, averages=(0.9, 0.99)),
        rates=RATES,
        measure=measured,
        by="last letter",
        most=True,
        guess={"last letter": 1 / 60, "half the letters": 1 / 60, "apart at first": 0.0, "apart": 0.0},
        facts={"state": [KEYS, VALUES], "bound": bound},
    )


def number(name: str, what: str, of: Found) -> list[float]:
    """A number of a cell."""
    return of(name, what)


PLAN = Plan(
    cells=lambda: [cell(name) for name in CELLS],
    sides={
        **{name: partial(number, name, "last letter") for name in CELLS},
        "at the first weights": partial(number, "16 passes", "apart at first"),
        "after training": partial(number, "16 passes", "apart"),
    },
    findings={
        FIG1: (
            "Sixteen passes track A₅ to the sixteenth letter, eight do not",
            "Sixteen passes are not shown to track A₅ further than eight",
        ),
        FIG7: (
            "Training brings the fixed points found by passes and in sequence together",
            "Training does not bring the fixed points found by passes and in sequence together",
        ),
    },
)
