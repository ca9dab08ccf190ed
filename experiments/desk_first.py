"""A number in noise, kept by two blocks of bistable or linear units, at desk scale (degeeter26, Figs. 8 and 9).

Thresholds begin spread, as in ``desk_blocks``; far from the mean is the flagged step alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import sqrt

import numpy as np
import torch
from torch import nn

from .bistable_copy import errors_at
from .blocks import Blocks, Cells
from .desk import Cell, Plan
from .desk_blocks import BATCHES, normalised, stackable
from .judged import Found
from .once import asked_once
from .stacked import Member, Recipe
from .tasks import Task, copy_first_input
from .training import TEST

FIG8, FIG9 = "degeeter26.fig8", "degeeter26.fig9"
RATES = (2e-3,)

#: trained lengths, the longest of the test, units of a block, test words at the trained length and on long sequences
SHORT, LONG, FAR, WIDTH, WORDS, FEW = 50, 150, 10_000, 16, 512, 128

#: the variance of quiet noise, and words in a step
QUIET, BATCH = 0.1, 16

#: kinds of units -> the weight decay that the paper gives them
BISTABLE, LINEAR = "BMRU", "LRU"
KINDS = {BISTABLE: 1e-4, LINEAR: 0.05}


def build(member: Member, task: Task) -> nn.Module:
    """Two blocks."""
    cells = Cells(bistable=WIDTH) if member.kind.startswith(BISTABLE) else Cells(linear=WIDTH)
    return stackable(Blocks(cells, task.features, 1, WIDTH, 2))


def drawn(seed: int, length: int) -> Iterator[torch.Tensor]:
    """Further batches of the training, for their moments."""
    rng = np.random.default_rng([seed, BATCHES])
    for _ in range(BATCHES):
        yield torch.from_numpy(copy_first_input().sample(BATCH, length, rng)[0])


def errors(network: nn.Module, member: Member, use: int, length: int) -> dict[str, float]:
    """Mean squared errors: at the trained length, and in the test of short trainings on long sequences, in noise of the trained and of a low variance."""
    model = normalised(network, drawn(member.seed, length))
    found = {"trained length": errors_at(model, [length], 1.0, WORDS, seed=1000 * member.seed + use)[0]}
    if length == SHORT and use == TEST:
        for name, variance in (("low noise", QUIET), ("variance 1", 1.0)):
            at = errors_at(model, [SHORT, FAR], sqrt(variance), FEW, seed=member.seed)
            found |= {f"{SHORT} steps, {name}": at[0], f"{FAR} steps, {name}": at[1]}
    return found


def cell(kind: str, length: int) -> Cell:
    """Two blocks of a kind of units, trained at a length."""
    names = [f"{n} steps, {noise}" for n in (SHORT, FAR) for noise in ("low noise", "variance 1")]
    return Cell(
        name=title(kind, length),
        rows=(FIG8, FIG9) if length == SHORT else (FIG8,),
        task=asked_once(copy_first_input()),
        build=build,
        recipe=Recipe(steps=1500, shortest=length, longest=length, batch=BATCH, warmup=0.1, decay=KINDS[kind]),
        rates=RATES,
        measure=partial(errors, length=length),
        by="trained length",
        guess=dict.fromkeys(["trained length", *names], 1.0),
    )


def title(kind: str, length: int) -> str:
    """The name of a cell."""
    return f"{kind}, {length} steps"


def short(kind: str, number: str, of: Found) -> list[float]:
    """A number of networks trained at the shorter length."""
    return of(title(kind, SHORT), number)


PLAN = Plan(
    cells=lambda: [cell(kind, length) for length in (SHORT, LONG) for kind in KINDS],
    sides={
        "BMRU, the longer duration": lambda of: of(title(BISTABLE, LONG), "trained length"),
        "LRU, the longer duration": lambda of: of(title(LINEAR, LONG), "trained length"),
        # both must learn: of each seed the worse counts
        "BMRU and LRU, the small duration": lambda of: np.max([short(kind, "trained length", of) for kind in KINDS], axis=0).tolist(),
        "who says 0": lambda of: [1.0] * 5,
        "LRU at 10,000 steps, low noise": partial(short, LINEAR, f"{FAR} steps, low noise"),
        "BMRU at 10,000 steps, low noise": partial(short, BISTABLE, f"{FAR} steps, low noise"),
        "BMRU at the trained length, low noise": partial(short, BISTABLE, f"{SHORT} steps, low noise"),
        "BMRU at 10,000 steps, noise of variance 1": partial(short, BISTABLE, f"{FAR} steps, variance 1"),
    },
    findings={
        FIG8: (
            "Over the longer duration bistable networks learn, and most linear ones do not",
            "Over the longer duration bistable units alone are not shown to learn",
        ),
        FIG9: (
            "Far past the trained length linear units have forgotten a number that bistable ones keep",
            "Far past the trained length bistable units do not keep a number better than linear ones",
        ),
    },
)
