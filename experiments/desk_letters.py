"""Letters of a play, one after the other, by stacks of recurrent layers, at desk scale (lizaire26, Fig. 9).

A letter of the test is predicted from at least half as many before it as a piece of the training has. CPRNN and S4D are not trained here.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from torch import nn

from .characters import Characters, bits
from .desk import Cell, Plan
from .judged import Found
from .stacked import Member, Recipe
from .tasks import Task
from .text import text_of
from .training import TEST

ROW = "lizaire26.fig9"
RATES = (1e-2, 3e-3, 1e-3)

#: letters of a piece, units of a layer
LENGTH, WIDTH = 32, 64


def measured(network: nn.Module, member: Member, use: int) -> dict[str, float]:
    """Bits per character of the part for choosing or of that for the test."""
    read = text_of()
    part = read.test if use == TEST else read.choosing
    return {"bits": bits(network, read.task(), part, np.arange(0, len(part) - LENGTH, LENGTH // 2), LENGTH)}


def built(member: Member, task: Task, kind: str, depth: int, width: int) -> nn.Module:
    """A stack."""
    return Characters(kind, len(task.letters), width, depth)


def title(kind: str, depth: int, width: int) -> str:
    """The name of a cell."""
    return f"{kind}, {depth} layer{'s' if depth > 1 else ''}, width {width}"


def cell(kind: str, depth: int, width: int) -> Cell:
    """So many layers of so many units."""
    task = text_of().task()
    return Cell(
        name=title(kind, depth, width),
        rows=(ROW,),
        task=task,
        build=partial(built, kind=kind, depth=depth, width=width),
        recipe=Recipe(steps=4000, shortest=LENGTH, longest=LENGTH, batch=32),
        rates=RATES,
        measure=measured,
        by="bits",
        guess={"bits": float(np.log2(len(task.letters)))},
        facts={"text": task.name},
    )


ONE, FOUR = ("RNN", 1, WIDTH), ("RNN", 4, WIDTH)


def of_shape(shape: tuple[str, int, int], of: Found) -> list[float]:
    """The bits of a cell."""
    return of(title(*shape), "bits")


PLAN = Plan(
    cells=lambda: [cell(*shape) for shape in (ONE, FOUR)],
    sides={
        "RNN, one layer of width 64": partial(of_shape, ONE),
        "RNN, four layers of width 64": partial(of_shape, FOUR),
    },
    findings={
        ROW: (
            "Four layers of an RNN predict letters better than one of the same width, each at its own rate",
            "Four layers of an RNN predict letters no better than one of the same width",
        )
    },
)
