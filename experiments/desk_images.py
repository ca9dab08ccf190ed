"""Images in the last state of a linear recurrence, at desk scale (orvieto24, Fig. 4).

Every number is the mean of that for digits and that for curves. Of each kind of images training sees 70 %, the choice of the rate 10 %, the test 20 %.
Digits are few, so training sees them also shifted by one pixel in each direction; curves are drawn in as large a number.
"""

from __future__ import annotations

from functools import cache, partial

import numpy as np
import torch
from torch import nn

from .decoders import IMAGES, PATHS, SIZES, Recall, image_task, sequences
from .desk import Cell, Plan
from .judged import Found
from .stacked import Member, Recipe, freeze
from .tasks import Task
from .training import TEST

ROW = "orvieto24.fig4"
RATES = (1e-2,)

#: seeds, of which some are better whatever the decoder is
SEEDS = 10

#: pixels of a side and of an image, neurons of a hidden layer, curves, shares of the images before validation and before the test
SIDE, HIDDEN, CURVES = 8, 256, 16_000
PIXELS = SIDE * SIDE
SHARES = 0.7, 0.8


def shifted(pixels: np.ndarray) -> np.ndarray:
    """The images (count, pixels) and what becomes of them shifted by one pixel in each of the eight directions, (9 count, pixels)."""
    framed = np.pad(pixels.reshape(-1, SIDE, SIDE), ((0, 0), (1, 1), (1, 1)))
    return np.concatenate([framed[:, y : y + SIDE, x : x + SIDE] for y in range(3) for x in range(3)]).reshape(-1, PIXELS)


@cache
def parts(kind: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The images of a kind for training, validation and test, (count, pixels)."""
    if kind == "paths":
        pixels = PATHS[SIDE].images(CURVES, np.random.default_rng(0))[0].reshape(-1, PIXELS)
    else:
        pixels = sequences(SIZES["desk"])[kind]
    first, second = (round(share * len(pixels)) for share in SHARES)
    train = pixels[:first] if kind == "paths" else shifted(pixels[:first])
    return train, pixels[first:second], pixels[second:]


class Read(nn.Module):
    """A recurrence and its decoder as a stack trains them: (batch, T) to (batch, T, 1). ``frozen``: the recurrence keeps its first weights."""

    def __init__(self, decoder: str, units: int, frozen: bool = False):
        super().__init__()
        self.recall = Recall(decoder, units, PIXELS, HIDDEN)
        if frozen:
            freeze(self.recall.memory)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.recall(x)[..., None]


@torch.no_grad()
def error(network: nn.Module, member: Member, use: int, kind: str) -> dict[str, float]:
    """The root mean squared error of a pixel on images that training has not seen."""
    unseen = torch.from_numpy(parts(kind)[2 if use == TEST else 1]).float()
    return {"error": float((network(unseen)[..., 0] - unseen).square().mean().sqrt())}


def cell(kind: str, decoder: str, units: int, frozen: bool = False) -> Cell:
    """A recurrence of so many units with a decoder, on images of a kind."""
    train = parts(kind)[0]
    spread = float(np.sqrt(train.var(0).mean()))
    return Cell(
        name=title(kind, decoder, units, frozen),
        rows=(ROW,),
        task=image_task(train),
        build=partial(built, decoder=decoder, units=units, frozen=frozen),
        recipe=Recipe(steps=3000, shortest=PIXELS, longest=PIXELS, batch=64),
        rates=RATES,
        measure=partial(error, kind=kind),
        by="error",
        guess={"error": spread},
        seeds=SEEDS,
        facts={"images": len(train)},
    )


def built(member: Member, task: Task, decoder: str, units: int, frozen: bool) -> nn.Module:
    """The network of a cell."""
    return Read(decoder, units, frozen)


def title(kind: str, decoder: str, units: int, frozen: bool = False) -> str:
    """The name of a cell."""
    return f"{kind}, {decoder}, N = {units}{', first weights' if frozen else ''}"


#: side of a criterion -> decoder, units, whether the recurrence is frozen
SHAPES: dict[str, tuple] = {
    "linear decoder, N = 8": ("linear", 8),
    "hidden layer, N = 8": ("hidden layer", 8),
    "recurrence at its first weights, N = 8": ("hidden layer", 8, True),
}


def both(of: Found, shape: tuple) -> list[float]:
    """The error, the mean of both kinds of images, seed by seed."""
    return np.mean([of(title(kind, *shape), "error") for kind in IMAGES], axis=0).tolist()


PLAN = Plan(
    cells=lambda: [cell(kind, *shape) for shape in SHAPES.values() for kind in IMAGES],
    sides={
        **{name: lambda of, shape=shape: both(of, shape) for name, shape in SHAPES.items()},
        "recurrence trained, N = 8": lambda of: both(of, SHAPES["hidden layer, N = 8"]),
    },
    findings={
        ROW: (
            "From a small last state a hidden layer recovers an image better than a linear decoder",
            "From a small last state no gain of a hidden layer over a linear decoder is shown",
        )
    },
)
