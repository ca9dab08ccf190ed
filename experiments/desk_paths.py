"""Are two dots joined: bistable units by the number of blocks and their width, at desk scale (degeeter26, Fig. 11).

Blocks read both ways and answer from the mean of all steps. Images are drawn here (``pathfinder``), and thresholds begin spread, as in ``desk_blocks``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import torch
from torch import nn

from .bistable_paths import SIZES, drawn, paths
from .blocks import Blocks, Cells
from .desk import Cell, Plan
from .desk_blocks import BATCHES, normalised, stackable
from .judged import Found
from .once import asked_once
from .stacked import Member, Recipe
from .tasks import Generator, Task
from .training import TEST

ROW = "degeeter26.fig11"
RATES = (3e-3, 1e-3)

#: the images, numbers between blocks, words in a step, images for the choice of the rate and as many for the test
SIZE, DIM, BATCH, WORDS = SIZES["desk"], 32, 32, 2000
PIXELS = SIZE.images.side**2


def task() -> Task:
    """The images for training, which are drawn when they are first asked for."""

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        return paths(SIZE).sample(batch, PIXELS, rng)

    made = SIZE.images.task()
    return asked_once(Task(made.name, (), made.answers, sample, features=1))


def built(member: Member, task: Task, units: int, depth: int) -> nn.Module:
    """So many blocks."""
    cells = Cells(bistable=units, positions=True)
    return stackable(Blocks(cells, task.features, len(task.answers), DIM, depth, mean=True, both_ways=True))


def batches(seed: int) -> Iterator[torch.Tensor]:
    """Further batches of the training, for their moments."""
    rng = np.random.default_rng([seed, BATCHES])
    for _ in range(BATCHES):
        yield torch.from_numpy(paths(SIZE).sample(BATCH, PIXELS, rng)[0])


@torch.no_grad()
def accuracy(network: nn.Module, member: Member, use: int) -> dict[str, float]:
    """The share of right answers on images that training has not seen."""
    images, labels = drawn(SIZE.images, 2 * WORDS, 1)
    part = slice(WORDS, None) if use == TEST else slice(WORDS)
    model = normalised(network, batches(member.seed))
    inputs = torch.from_numpy(images[part].reshape(WORDS, PIXELS, 1) - 0.5).float()
    said = torch.cat([model(x).argmax(-1) for x in inputs.split(500)])
    return {"right": float((said.numpy() == labels[part]).mean())}


def title(units: int, depth: int) -> str:
    """The name of a cell."""
    return f"BMRU, {depth} block{'s' if depth > 1 else ''}, {units} units"


def cell(units: int, depth: int) -> Cell:
    """So many blocks of so many units each way."""
    return Cell(
        name=title(units, depth),
        rows=(ROW,),
        task=task(),
        build=partial(built, units=units, depth=depth),
        recipe=Recipe(steps=3000, shortest=PIXELS, longest=PIXELS, batch=BATCH, warmup=0.1, decay=1e-4),
        rates=RATES,
        measure=accuracy,
        by="right",
        guess={"right": 0.5},
        most=True,
        facts={"units": units, "depth": depth},
    )


def right(of: Found, units: int, depth: int) -> list[float]:
    """The shares of right answers of a cell."""
    return of(title(units, depth), "right")


def gain(of: Found, to: tuple[int, int], over: tuple[int, int]) -> list[float]:
    """By how much one cell is better than another, seed by seed."""
    return (np.array(right(of, *to)) - right(of, *over)).tolist()


PLAN = Plan(
    cells=lambda: [cell(6, 1), cell(48, 1), cell(48, 3)],
    sides={
        "gain from 6 to 48 units at one block": partial(gain, to=(48, 1), over=(6, 1)),
        "gain from one to three blocks at 48 units": partial(gain, to=(48, 3), over=(48, 1)),
        "BMRU, one block of 48 units": partial(right, units=48, depth=1),
        "BMRU, three blocks of 48 units": partial(right, units=48, depth=3),
        "who guesses": lambda of: [0.5] * 5,
    },
    findings={
        ROW: (
            "Of bistable units, more in a block help more than more blocks do",
            "More bistable units in a block are not shown to help more than more blocks",
        )
    },
)
