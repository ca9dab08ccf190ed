"""Word problems of S_5 by delta layers with two ranges of eigenvalues, at desk scale (grazzi25, Fig. 4).

Letters are swaps, or permutations that move at most three points. Mamba, full matrices, several tokens for an element and Z_60 are not trained here.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import torch
from torch import nn

from .certifying import UNKNOWN, certified
from .desk import Cell, Found, Plan
from .layers import Model
from .stacked import Member, Recipe
from .symmetric import HIDDEN
from .tasks import Task, task_named
from .training import TEST, accuracy

ROW = "grazzi25.fig4"
RATES = (5e-3,)

#: the longest trained word, the longest of the test, words of the test, keys and columns of a state
TRAINED, TESTED, WORDS, WIDTH = 12, 48, 256, 5

LETTERS = {"swaps": "S5.swaps", "permutations of three": "S5.threes"}
DEPTHS = {"one layer": 1, "five layers": 5}


def build(member: Member, task: Task, kind: str, depth: int) -> nn.Module:
    """Delta layers with square states."""
    return Model(kind, len(task.letters), len(task.answers), WIDTH, hidden=HIDDEN, depth=depth, columns=WIDTH)


def measured(network: nn.Module, member: Member, use: int, name: str) -> dict[str, float]:
    """The share of words that are right to their end: past the trained length, at it and at twice it."""
    task, seed = task_named(name), member.seed if use == TEST else 1000 + member.seed
    with torch.no_grad():
        found = accuracy(lambda words: network(words).argmax(-1), task, TESTED, WORDS, seed, whole=True)
    said = {"beyond": float(np.mean(found[TRAINED:])), "trained length": float(found[TRAINED - 1]), "twice": float(found[2 * TRAINED - 1])}
    return said | (certified(network, task) if use == TEST and isinstance(network, Model) and len(network.layers) == 1 else {})


def cell(kind: str, depth: str, letters: str) -> Cell:
    """So many layers on words of some letters."""
    return Cell(
        name=f"{kind}, {depth}, {letters}",
        rows=(ROW,),
        task=task_named(LETTERS[letters]),
        build=partial(build, kind=kind, depth=DEPTHS[depth]),
        recipe=Recipe(steps=2000, shortest=2, first=3, longest=TRAINED, grown=0.5, batch=64),
        rates=RATES,
        measure=partial(measured, name=LETTERS[letters]),
        by="beyond",
        most=True,
        guess={"beyond": 0.0, "trained length": 0.0, "twice": 0.0} | UNKNOWN,
    )


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
    cells=lambda: [cell(*shape) for shape in SHAPES.values()],
    sides={
        **{name: partial(number, name, "beyond") for name in SHAPES},
        f"{FIVE}, at the trained length": partial(number, FIVE, "trained length"),
        f"{FIVE}, at twice the trained length": partial(number, FIVE, "twice"),
    },
    findings={
        ROW: (
            "One DeltaNet layer with eigenvalues in [-1, 1] tracks swaps further than five layers with [0, 1]",
            "One DeltaNet layer with eigenvalues in [-1, 1] does not track swaps further than five layers with [0, 1]",
        )
    },
)
