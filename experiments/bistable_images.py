"""Permuted sequential digits, with or without black pixels at the end: bistable units, linear ones and both (degeeter26, Fig. 10), by several seeds.

Images are read pixel by pixel in one fixed random order, MNIST's if its folder is given, else scikit-learn's of 8 x 8.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr

from ..numerics.progress import Progress
from .blocks import Blocks, Cells, loss_at_the_end, predictions
from .digits import coarse, labelled
from .experiment import ByHand
from .many import measure_all
from .scales import chosen
from .tasks import UNASKED, Task
from .training import Run, train
from .words import of_seeds, yes


def cells(kind: str, units: int) -> Cells:
    """As in the paper positions are for bistable units only, and a mixed block has half as many of each kind."""
    return {
        "BMRU": Cells(bistable=units, positions=True),
        "LRU": Cells(linear=units),
        "BMRU + LRU": Cells(bistable=units // 2, linear=units // 2, positions=True),
        "BMRU, no positions": Cells(bistable=units),
    }[kind]


MODELS = ("BMRU", "LRU", "BMRU + LRU", "BMRU, no positions")


@dataclass(frozen=True)
class Size:
    """Seeds, steps of training, numbers of blocks, numbers between them and units in each, black pixels after the test images (besides as many as in
    training), pixels of the side of a square that is averaged: of scikit-learn's digits, and of MNIST's.
    """

    seeds: int
    steps: int
    depths: tuple[int, ...]
    width: int
    tested: tuple[int, ...]
    square: int = 1
    coarser: int = 1
    batch: int = 32
    rate: float = 1e-2


SIZES = {
    "smoke": Size(1, 2, (1,), 4, (1,), 4, 7),
    "quick": Size(1, 150, (2,), 16, (1, 300), 2, 4),
    "desk": Size(3, 500, (2, 3), 24, (1, 10, 1000), 2, 4),
    "paper": Size(5, 84_400, (2, 3), 256, (1, 10_000), batch=64, rate=1e-3),
}

#: black pixels of the paper for each pixel of an image
LONGER = 1216 / 784
#: of the accuracy: what counts as a difference
MARGIN = 0.05
#: steps of a long test sequence that are read at once, and test images
PIECE, TESTED = 200, 500


def square_of(size: Size, mnist: Path | None) -> int:
    """Pixels of the side of a square that is averaged."""
    return size.coarser if mnist else size.square


def task_name(mnist: Path | None, square: int) -> str:
    """What is read, for the name of a run."""
    side = side_of(mnist, square)
    return f"{'MNIST' if mnist else 'digits'}, {side} x {side}, permuted"


def side_of(mnist: Path | None, square: int) -> int:
    """Pixels of the side of an image that is read."""
    return (28 if mnist else 8) // square


def runs(scale: str = "quick", seeds: int | None = None, mnist: Path | None = None) -> list[Run]:
    """All runs of a scale, in order. Raises ``ValueError`` for an unknown scale and for fewer than one seed."""
    size, numbers = chosen(SIZES, scale, seeds)
    square = square_of(size, mnist)
    pixels = side_of(mnist, square) ** 2
    return [
        Run(
            task_name(mnist, square),
            kind,
            seed,
            size.width,
            size.steps,
            n,
            n,
            size.batch,
            size.rate,
            depth=depth,
            variant=f"{n - pixels} black",
        )
        for kind in MODELS
        # what black pixels do without positions is known at every depth: one is enough to see it
        for depth in (size.depths[:1] if kind == MODELS[-1] else size.depths)
        for n in (pixels, pixels + black_of(pixels))
        for seed in numbers
    ]


def black_of(pixels: int) -> int:
    """Black pixels that are added in training, in the paper's ratio."""
    return round(LONGER * pixels)


def tested(size: Size, pixels: int) -> list[int]:
    """Black pixels after the test images, as many as in training among them."""
    return sorted({0, black_of(pixels), *size.tested})


@cache
def sequences(mnist: Path | None = None, square: int = 1) -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """(pixels, labels) for training and for the test: (count, height * width), less 1/2 as in the paper, in one random order.

    ``square`` averages squares of pixels first.
    """
    parts = labelled(mnist)
    order = np.random.default_rng(0).permutation(side_of(mnist, square) ** 2)
    train_, test = ((coarse(pixels, square).reshape(len(pixels), -1)[:, order] - 0.5, labels) for pixels, labels in parts)
    return train_, test


def permuted(mnist: Path | None = None, square: int = 1) -> Task:
    """A digit, pixel by pixel, then black pixels as far as the length goes; which digit is asked for at the last step."""
    pixels, labels = sequences(mnist, square)[0]

    def sample(batch: int, length: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        if length < pixels.shape[1]:
            raise ValueError(f"expected at least {pixels.shape[1]} steps, an image, got {length}")
        drawn = rng.integers(len(labels), size=batch)
        inputs, targets = np.full((batch, length, 1), -0.5), np.full((batch, length), UNASKED)
        inputs[:, : pixels.shape[1], 0], targets[:, -1] = pixels[drawn], labels[drawn]
        return inputs, targets

    return Task(task_name(mnist, square), (), tuple("0123456789"), sample, features=1)


def build(run: Run, task: Task) -> Blocks:
    """The paper's model of a run."""
    return Blocks(cells(run.kind, run.width), task.features, len(task.answers), run.width, run.depth)


def compute(
    scale: str = "quick",
    seeds: int | None = None,
    folder: Path | None = None,
    device: torch.device | None = None,
    progress: Progress | None = None,
    jobs: int = 1,
    mnist: Path | None = None,
) -> xr.Dataset:
    """Accuracies, and shares of answers that are those after one black pixel, both (model, depth, trained, seed, padding), nan where nothing was trained."""
    planned, size = runs(scale, seeds, mnist), SIZES[scale]
    found = measure_all(planned, partial(measure, size=size, mnist=mnist), folder, device, progress, jobs)
    pixels, square = planned[0].longest, square_of(size, mnist)
    dims = ("model", "depth", "trained", "seed", "padding")
    accuracy, same = (
        np.full((len(MODELS), len(size.depths), 2, len({r.seed for r in planned}), len(tested(size, pixels))), np.nan) for _ in "ab"
    )
    for run, f in zip(planned, found, strict=True):
        place = MODELS.index(run.kind), size.depths.index(run.depth), int(run.longest > pixels), run.seed
        accuracy[place], same[place] = f["accuracy"], f["same"]
    return xr.Dataset(
        {
            "accuracy": (dims, accuracy, {"long_name": "share of right answers on test images", "units": "1"}),
            "same": (
                dims,
                same,
                {"long_name": "share of answers as after one black pixel", "units": "1"},
            ),
        },
        {
            "model": ("model", list(MODELS), {"long_name": "units of a block"}),
            "depth": ("depth", list(size.depths), {"long_name": "blocks", "units": "1"}),
            "trained": ("trained", [0, black_of(pixels)], {"long_name": "black pixels in training", "units": "1"}),
            "seed": ("seed", np.arange(accuracy.shape[3]), {"long_name": "random seed", "units": "1"}),
            "padding": ("padding", tested(size, pixels), {"long_name": "black pixels after the test images", "units": "1"}),
        },
        {
            "source": EXPERIMENT.source,
            "scale": scale,
            "steps": size.steps,
            "width": size.width,
            "images": task_name(mnist, square),
            "pixels": pixels,
            "seen": len(sequences(mnist, square)[0][1]),
            "unseen": min(TESTED, len(sequences(mnist, square)[1][1])),
        },
    )


def measure(
    run: Run, folder: Path | None, progress: Progress | None, device: torch.device | None, size: Size, mnist: Path | None
) -> dict[str, Any]:
    """Of one trained model: by black pixels the share of right answers on test images, and of those that are as after one black pixel."""
    square = square_of(size, mnist)
    model = train(run, folder, progress, device, task=permuted(mnist, square), build=build, loss=loss_at_the_end).eval()
    pixels, labels = (part[:TESTED] for part in sequences(mnist, square)[1])
    numbers = tested(size, pixels.shape[1])
    said = {n: predictions(model, _pieces(pixels, n, device)).argmax(-1).cpu().numpy() for n in {1, *numbers}}
    return {
        "accuracy": [float((said[n] == labels).mean()) for n in numbers],
        "same": [float((said[n] == said[1]).mean()) for n in numbers],
    }


def _pieces(pixels: np.ndarray, black: int, device: torch.device | None) -> Iterator[torch.Tensor]:
    """The images, then so many black pixels."""
    yield torch.from_numpy(pixels[..., None]).to(device, torch.float32)
    for first in range(0, black, PIECE):
        yield torch.full((len(pixels), min(PIECE, black - first), 1), -0.5, device=device)


def at_trained(data: xr.Dataset) -> xr.DataArray:
    """The accuracies after as many black pixels as in training, (model, depth, trained, seed)."""
    return xr.concat(
        [data.accuracy.sel(trained=n, padding=n) for n in data.trained.values], data.trained, coords="minimal", compat="override"
    )


def outcome(data: xr.Dataset) -> str:
    """Do the paper's observations hold here, medians over the seeds, for each number of blocks; and is what does not change with black pixels what is predicted."""
    by_depth = "; ".join(f"{int(d)} blocks: {_observed(data, int(d))}" for d in data.depth.values)
    unmoved = data.same.sel(model="BMRU, no positions").where(data.padding >= 1)
    exact = bool((unmoved.min(("depth", "trained", "seed", "padding")) == 1).item())
    longest = data.accuracy.isel(padding=-1, trained=-1).median("seed").max("depth")
    return (
        f"{of_seeds('medians', data.sizes['seed'])}, {data.attrs['images']}; {by_depth}; predicted by new.bistable.settling, bistable units without positions give the same "
        f"answer after any number of black pixels from one on: {yes(exact)}; trained with {int(data.trained[-1])} and tested with {int(data.padding[-1])}, the better depth: {_said(longest)}; "
        "that linear units fade is degeeter26.abstract.ssm"
    )


def _observed(data: xr.Dataset, depth: int) -> str:
    """The paper's three observations at one depth."""
    accuracy = at_trained(data).median("seed").sel(depth=depth)
    plain, padded = (accuracy.sel(trained=n) for n in data.trained.values)
    better = float(plain.sel(model="LRU")) > float(plain.sel(model="BMRU")) + MARGIN
    lost = plain - padded
    maintains = float(lost.sel(model="BMRU")) < float(lost.sel(model="LRU")) - MARGIN
    both = (
        float(padded.sel(model="BMRU + LRU")) > max(float(padded.sel(model=m)) for m in ("BMRU", "LRU"))
        and float(lost.sel(model="BMRU + LRU")) <= MARGIN
    )
    return (
        f"without black pixels {_said(plain)}, with {int(data.trained[-1])} {_said(padded)}, 'LRU is better without black pixels': {yes(better)}, "
        f"'BMRU keeps its performance better with them': {yes(maintains)}, 'BMRU + LRU does not lose, and is best': {yes(both)}"
    )


def _said(values: xr.DataArray) -> str:
    known = values.dropna("model")
    return ", ".join(f"{m} {float(known.sel(model=m)):.0%}" for m in known.model.values)


EXPERIMENT = ByHand(
    "degeeter26.fig10",
    topic="bistable",
    place="Figure 10",
    finding="Digits pixel by pixel: what bistable units, linear ones and both learn, and what is left after other numbers of black pixels",
    reads=("mnist",),
    planned=runs,
    computed=compute,
    said=outcome,
)
