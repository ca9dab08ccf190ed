"""Small digits pixel by pixel, with or without black pixels after them, by bistable units, linear ones and both, at desk scale (degeeter26, Fig. 10).

Black pixels are so many that linear units have forgotten. Thresholds begin spread, as in ``desk_blocks``: some units write often, as linear units with
eigenvalues near 0 would, others seldom.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

import numpy as np
import torch
from torch import nn

from .bistable_images import MIXED, cells, sequences, task_name
from .blocks import Blocks, predictions
from .desk import Cell, Plan
from .desk_blocks import BATCHES, normalised, stackable
from .judged import Found
from .once import asked_once
from .stacked import Member, Recipe
from .tasks import UNASKED, Generator, Task
from .training import TEST

ROW = "degeeter26.fig10"
RATES = (3e-3,)

#: pixels of the side of a square that is averaged, pixels that are read, black ones, numbers between blocks and units in each, words in a step
SQUARE, PIXELS, BLACK, WIDTH, BATCH = 2, 16, 500, 24, 32

#: images that choose the rate, the last ones of the training part; steps that a test reads at once
HELD, PIECE = 200, 100

#: kinds of units -> the weight decay that the paper gives them; where both are, that of linear ones
KINDS = {"LRU": 0.05, "BMRU": 1e-4, MIXED: 0.05}


@cache
def parts() -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """(pixels, labels) for training, for the choice of the rate and for the test."""
    (pixels, labels), test = sequences(None, SQUARE)
    return (pixels[:-HELD], labels[:-HELD]), (pixels[-HELD:], labels[-HELD:]), test


def padded(pixels: np.ndarray, black: int) -> np.ndarray:
    """The images, then so many black pixels, (count, T, 1)."""
    return np.concatenate([pixels, np.full((len(pixels), black), -0.5)], axis=1)[..., None]


def task(black: int) -> Task:
    """A digit, pixel by pixel, then black pixels."""

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        (pixels, labels), *_ = parts()
        drawn = rng.integers(len(labels), size=batch)
        targets = np.full((batch, PIXELS + black), UNASKED)
        targets[:, -1] = labels[drawn]
        return padded(pixels[drawn], black), targets

    return asked_once(Task(task_name(None, SQUARE), (), tuple("0123456789"), sample, features=1))


def built(member: Member, task: Task, kind: str) -> nn.Module:
    """Two blocks; as in the paper positions are for bistable units only."""
    return stackable(Blocks(cells(kind, WIDTH), task.features, len(task.answers), WIDTH, 2))


def batches(seed: int, black: int) -> Iterator[torch.Tensor]:
    """Further batches of the training, for their moments."""
    rng, read = np.random.default_rng([seed, BATCHES]), task(black)
    for _ in range(BATCHES):
        yield torch.from_numpy(read.sample(BATCH, PIXELS + black, rng)[0])


def accuracy(network: nn.Module, member: Member, use: int, black: int) -> dict[str, float]:
    """The share of right answers on images that training has not seen."""
    pixels, labels = parts()[2 if use == TEST else 1]
    model = normalised(network, batches(member.seed, black))
    inputs = torch.from_numpy(padded(pixels, black)).float()
    return {"right": float((predictions(model, inputs.split(PIECE, dim=1)).argmax(-1).numpy() == labels).mean())}


def title(kind: str, black: int) -> str:
    """The name of a cell."""
    return f"{kind}, {black or 'no'} black pixels"


def cell(kind: str, black: int) -> Cell:
    """Two blocks of a kind of units, trained with so many black pixels."""
    return Cell(
        name=title(kind, black),
        rows=(ROW,),
        task=task(black),
        build=partial(built, kind=kind),
        recipe=Recipe(steps=2000, shortest=PIXELS + black, longest=PIXELS + black, batch=BATCH, warmup=0.1, decay=KINDS[kind]),
        rates=RATES,
        measure=partial(accuracy, black=black),
        by="right",
        guess={"right": 0.1},
        most=True,
        facts={"width": WIDTH},
    )


def right(of: Found, kind: str, black: int) -> list[float]:
    """The shares of right answers of a cell."""
    return of(title(kind, black), "right")


def lost(of: Found, kind: str) -> list[float]:
    """What black pixels take off, seed by seed."""
    return (np.array(right(of, kind, 0)) - right(of, kind, BLACK)).tolist()


PLAN = Plan(
    cells=lambda: [cell(kind, black) for black in (0, BLACK) for kind in KINDS],
    sides={
        "what LRU loses by 500 black pixels": partial(lost, kind="LRU"),
        "what BMRU loses by 500 black pixels": partial(lost, kind="BMRU"),
        "both units, no black pixels": partial(right, kind=MIXED, black=0),
        "both units, 500 black pixels": partial(right, kind=MIXED, black=BLACK),
        "LRU, no black pixels": partial(right, kind="LRU", black=0),
        "BMRU, no black pixels": partial(right, kind="BMRU", black=0),
        "BMRU, 500 black pixels": partial(right, kind="BMRU", black=BLACK),
    },
    findings={
        ROW: (
            "Through 500 black pixels bistable units keep a digit, linear ones lose it, and blocks of both lose nothing",
            "Through 500 black pixels blocks of both units are not shown to keep what they know of a digit",
        )
    },
)
