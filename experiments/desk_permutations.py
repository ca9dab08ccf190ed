"""Word problems of S_5 and of the cyclic group of order 60 by layers with two ranges of eigenvalues, at desk scale (grazzi25, Figs. 4 and 8).

Letters are swaps, or permutations that move at most three points; for the cyclic group all elements. Mamba on S_5, full matrices and several tokens for an
element are not trained here.
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
from .symmetric import HIDDEN
from .tasks import Task, task_named
from .training import TEST, accuracy

ROW, CYCLIC = "grazzi25.fig4", "grazzi25.fig8"
RATES = (5e-3,)

#: the longest trained word, the longest of the test, words of the test, keys and columns of a state
TRAINED, TESTED, WORDS, WIDTH = 12, 48, 256, 5

LETTERS = {"swaps": "S5.swaps", "permutations of three": "S5.threes"}
DEPTHS = {"one layer": 1, "five layers": 5}

#: layers that are trained on the cyclic group, one of each
KINDS = ("Mamba [-1, 1]", "Mamba [0, 1]", "DeltaNet [-1, 1]")


def build(member: Member, task: Task, kind: str, depth: int) -> nn.Module:
    """Layers with square states."""
    return Model(kind, len(task.letters), len(task.answers), WIDTH, hidden=HIDDEN, depth=depth, columns=WIDTH)


def measured(network: nn.Module, member: Member, use: int, name: str) -> dict[str, float]:
    """The share of words that are right to their end: past the trained length, at it and at twice it."""
    task, seed = task_named(name), member.seed if use == TEST else 1000 + member.seed
    with torch.no_grad():
        found = accuracy(lambda words: network(words).argmax(-1), task, TESTED, WORDS, seed, whole=True)
    said = {"beyond": float(np.mean(found[TRAINED:])), "trained length": float(found[TRAINED - 1]), "twice": float(found[2 * TRAINED - 1])}
    readable = name in LETTERS.values() and isinstance(network, Model) and len(network.layers) == 1
    return said | (certified(network, task) if use == TEST and readable else {})


def cell(name: str, row: str, task: str, kind: str, depth: int) -> Cell:
    """So many layers on the words of a task."""
    return Cell(
        name=name,
        rows=(row,),
        task=task_named(task),
        build=partial(build, kind=kind, depth=depth),
        recipe=Recipe(steps=2000, shortest=2, first=3, longest=TRAINED, grown=0.5, batch=64),
        rates=RATES,
        measure=partial(measured, name=task),
        by="beyond",
        most=True,
        guess={"beyond": 0.0, "trained length": 0.0, "twice": 0.0} | UNKNOWN,
    )


def cells() -> list[Cell]:
    """The cells of both rows."""
    permutations = [cell(name, ROW, LETTERS[letters], kind, DEPTHS[depth]) for name, (kind, depth, letters) in SHAPES.items()]
    return [*permutations, *(cell(kind, CYCLIC, "C60", kind, 1) for kind in KINDS)]


SHAPES = {
    ", ".join(shape): shape
    for shape in (
        ("DeltaNet [-1, 1]", "one layer", "swaps"),
        ("DeltaNet [0, 1]", "five layers", "swaps"),
        ("DeltaNet [-1, 1]", "one layer", "permutations of three"),
    )
}
FIVE = "DeltaNet [0, 1], five layers, swaps"


def number(name: str, what: str, of: Found) -> list[float]:
    """A number of a cell."""
    return of(name, what)


PLAN = Plan(
    cells=cells,
    sides={
        **{name: partial(number, name, "beyond") for name in (*SHAPES, *KINDS)},
        f"{FIVE}, at the trained length": partial(number, FIVE, "trained length"),
        f"{FIVE}, at twice the trained length": partial(number, FIVE, "twice"),
    },
    findings={
        ROW: (
            "One DeltaNet layer with eigenvalues in [-1, 1] tracks swaps further than five layers with [0, 1]",
            "One DeltaNet layer with eigenvalues in [-1, 1] does not track swaps further than five layers with [0, 1]",
        ),
        CYCLIC: (
            "Past the trained length Mamba with eigenvalues in [-1, 1] adds modulo 60 better than with [0, 1]",
            "One Mamba layer is not shown to add modulo 60 past the trained length, with either range of eigenvalues",
        ),
    },
)
