"""S4D by depth at one number of parameters, on tasks like those of the long-range arena, at desk scale (lizaire26, Table 1).

Pathfinder's images are those of ``desk_paths``, expressions are drawn here, and digits are scikit-learn's, in training also shifted by a pixel.
An answer is read from the mean of all steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
from torch import nn

from . import desk_paths
from .arena import READ, STATES, Classifier, accuracy, counted, pixelwise, read
from .bistable_paths import drawn
from .desk import Cell, Plan
from .desk_images import shifted
from .digits import labelled
from .judged import Found
from .listops import listops
from .once import AnsweredOnce, asked_once
from .scales import nearest_width
from .stacked import Member, Recipe
from .tasks import Task
from .training import TEST

ROW = "lizaire26.table1"

#: features of two layers, words in a step
BASE, BATCH = 64, 32

#: lengths of expressions; of so many lengths so many each choose, and as many test
SHORTEST, LONGEST, LENGTHS, EXPRESSIONS = 10, 40, 4, 500

#: one of so many digits that are not for the test is for choosing
CHOOSING = 8

LAYERS = {2: "two", 3: "three", 6: "six"}

#: inputs (count, T, ...) or images (count, side, side), and answers (count,)
Asked = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Question:
    """A task: its name in ``arena``, steps of training, trained lengths, and by depth the learning rate."""

    name: str
    steps: int
    lengths: tuple[int, int]
    rates: Mapping[int, float]


QUESTIONS = {
    "Pathfinder": Question("pathfinder", 3000, (desk_paths.PIXELS, desk_paths.PIXELS), {2: 3e-3, 6: 3e-3}),
    "Images": Question("images", 400, (64, 64), {2: 1e-2, 6: 1e-2}),
    "ListOps": Question("listops", 2000, (SHORTEST, LONGEST), {2: 1e-2, 3: 1e-2, 6: 1e-2}),
}


@cache
def digits() -> tuple[Asked, Asked, Asked]:
    """Digits for training, for choosing and for the test."""
    (pixels, labels), test = labelled()
    first = len(labels) - len(labels) // CHOOSING
    train = shifted(pixels[:first].reshape(first, -1)), np.tile(labels[:first], 9)
    return train, (pixels[first:], labels[first:]), test


def curves(use: int) -> Asked:
    """Images of curves that training has not seen."""
    images, labels = drawn(desk_paths.SIZE.images, 2 * desk_paths.WORDS, 1)
    part = slice(desk_paths.WORDS, None) if use == TEST else slice(desk_paths.WORDS)
    return images[part], labels[part]


@cache
def expressions(use: int) -> list[Asked]:
    """Expressions of several lengths."""
    lengths = np.linspace(SHORTEST, LONGEST, LENGTHS).astype(int)
    found = [listops().sample(EXPRESSIONS, int(n), np.random.default_rng([int(n), use])) for n in lengths]
    return [(words, targets[:, -1]) for words, targets in found]


def unseen(name: str, use: int) -> list[Asked]:
    """What a task asks for choosing or for the test, one part for each length."""
    if name == "listops":
        return expressions(use)
    return [read(*(digits()[2 if use == TEST else 1] if name == "images" else curves(use)))]


def task(name: str) -> Task:
    """What is trained on, asked once."""
    if name == "images":
        return asked_once(pixelwise(name, *digits()[0], tuple("0123456789")))
    return asked_once(listops()) if name == "listops" else desk_paths.task()


def width(name: str, depth: int) -> int:
    """The number of features at which ``depth`` layers have as many parameters as two of ``BASE``, or as near as can be."""
    return nearest_width(lambda n: counted(name, n, depth), counted(name, BASE, 2), BASE)


def built(member: Member, task: Task, name: str, depth: int) -> nn.Module:
    """So many layers."""
    return AnsweredOnce(Classifier(*READ[name], width(name, depth), depth, STATES[name]))


def right(network: nn.Module, member: Member, use: int, name: str) -> dict[str, float]:
    """The share of right answers on what training has not seen."""
    assert isinstance(network, AnsweredOnce)
    return {"right": float(np.mean([accuracy(network.model, *part) for part in unseen(name, use)]))}


def title(of: str, depth: int) -> str:
    """The name of a cell, and of the side that it is."""
    return f"{of}, {LAYERS[depth]} layers"


def cell(of: str, depth: int) -> Cell:
    """So many layers on a task."""
    asked = QUESTIONS[of]
    shortest, longest = asked.lengths
    return Cell(
        name=title(of, depth),
        rows=(ROW,),
        task=task(asked.name),
        build=partial(built, name=asked.name, depth=depth),
        recipe=Recipe(steps=asked.steps, shortest=shortest, longest=longest, batch=BATCH),
        rates=(asked.rates[depth],),
        measure=partial(right, name=asked.name),
        by="right",
        guess={"right": 1 / READ[asked.name][2]},
        most=True,
        facts={"width": width(asked.name, depth)},
    )


def share(of: Found, name: str, depth: int) -> list[float]:
    """The shares of right answers of a cell."""
    return of(title(name, depth), "right")


def gain(of: Found, name: str) -> list[float]:
    """By how much six layers are better than two, seed by seed."""
    return np.subtract(share(of, name, 6), share(of, name, 2)).tolist()


SHAPES = [(of, depth) for of, asked in QUESTIONS.items() for depth in asked.rates]

PLAN = Plan(
    cells=lambda: [cell(*shape) for shape in SHAPES],
    sides={
        **{title(*shape): partial(share, name=shape[0], depth=shape[1]) for shape in SHAPES},
        **{f"gain on {of} from two to six layers": partial(gain, name=of) for of in ("Pathfinder", "ListOps")},
    },
    findings={
        ROW: (
            "With as many parameters six layers of S4D follow curves better than two",
            "With as many parameters six layers of S4D are not shown to follow curves better than two",
        )
    },
)
