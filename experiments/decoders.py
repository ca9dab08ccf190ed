"""What is left of an image in the last state of a trained linear recurrence: linear against non-linear decoders (orvieto24, Sec. 4.2 and Fig. 4).

An image is read pixel by pixel; recurrence and decoder are trained together. Beside it the principal components of the test images: no linear decoder of
as many real numbers does better on them (Eckart and Young), whatever the recurrence.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr
from torch import nn
from torch.nn import functional

from ..constructions.bistable_torch import LRU
from .digits import images
from .many import Tick, measure_all
from .scales import chosen, of_seeds
from .signals import grid, planned
from .tasks import Generator, Task
from .training import Heard, Run, train

DECODERS = ("linear", "hidden layer")


@dataclass(frozen=True)
class Size:
    """Seeds, steps of training, images, units of the recurrence, neurons of the decoder's hidden layer."""

    seeds: int
    steps: int
    images: int
    widths: tuple[int, ...]
    hidden: int


SIZES = {
    "smoke": Size(1, 2, 40, (2, 4), 8),
    "quick": Size(2, 300, 1797, (2, 8, 32), 64),
    "desk": Size(3, 1500, 1797, (2, 4, 8, 16, 32, 64), 256),
    "paper": Size(3, 50000, 60000, (16, 32, 64, 128, 256, 512, 1024), 2048),
}

#: the share of the images that training sees, the first ones
SEEN = 0.8


def runs(scale: str = "quick", seeds: int | None = None) -> list[Run]:
    """All runs of a scale, in order. Raises ``ValueError`` for an unknown scale and for fewer than one seed."""
    size, from_seeds = chosen(SIZES, scale, seeds)
    # how long an image is, is known when it has been read
    return planned(["images"], DECODERS, size.widths, [1], len(from_seeds), size.steps, 1)


class Recall(nn.Module):
    """An LRU of ``units`` complex units on one real input, and a decoder of its last state: sequences (batch, T) to (batch, T)."""

    def __init__(self, decoder: str, units: int, length: int, hidden: int):
        super().__init__()
        self.memory = LRU(1, units, 0.9, 0.999)
        if decoder == "linear":
            self.decoder: nn.Module = nn.Linear(2 * units, length)
        else:
            self.decoder = nn.Sequential(nn.Linear(2 * units, hidden), nn.ReLU(), nn.Linear(hidden, length))

    def last_state(self, x: torch.Tensor) -> torch.Tensor:
        """(Re h_T, Im h_T), (batch, 2 units): a weighted sum of the inputs, with powers of the eigenvalues."""
        memory, log_lambda = self.memory, torch.log(self.memory.eigenvalues())
        back = torch.arange(x.shape[1] - 1, -1, -1, device=x.device)[:, None]
        gain = memory.log_gamma.exp() * torch.complex(memory.B[0, :, 0], memory.B[1, :, 0])
        h = (x.to(log_lambda.dtype) @ torch.exp(log_lambda * back)) * gain
        return torch.cat([h.real, h.imag], dim=-1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.decoder(self.last_state(x))


def image_task(sequences: np.ndarray) -> Task:
    """Sequences drawn at random, which are to be given back; the length that is asked for is ignored: it is theirs."""

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        drawn = sequences[rng.integers(len(sequences), size=batch)]
        return drawn, drawn

    return Task("images", (), (), sample, features=1)


def squared_error(model: nn.Module, task: Task, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """The mean squared error of a pixel."""
    return functional.mse_loss(model(inputs.float()), targets.float())


def measure(
    run: Run, folder: Path | None, heard: Heard | None, device: torch.device | None, size: Size, sequences: np.ndarray
) -> dict[str, Any]:
    """Of one trained run: the root mean squared error of a pixel on the images that training has not seen."""
    first = int(SEEN * len(sequences))
    build = lambda run, _: Recall(run.kind, run.width, sequences.shape[1], size.hidden)  # noqa: E731
    model = train(run, folder, heard, device, task=image_task(sequences[:first]), build=build, loss=squared_error)
    with torch.no_grad():
        unseen = torch.from_numpy(sequences[first:]).float().to(device or "cpu")
        return {"error": float(functional.mse_loss(model(unseen), unseen).sqrt())}


def principal_error(sequences: np.ndarray, numbers: int) -> float:
    """The root mean squared error of a pixel of the best affine code of ``numbers`` real numbers for these very sequences."""
    values = np.linalg.svd(sequences - sequences.mean(0), compute_uv=False)
    return float(np.sqrt((values[numbers:] ** 2).sum() / sequences.size))


def compute(
    scale: str = "quick",
    seeds: int | None = None,
    folder: Path | None = None,
    device: torch.device | None = None,
    tick: Tick | None = None,
    jobs: int = 1,
    mnist: Path | None = None,
) -> xr.Dataset:
    """Errors (kind, width, seed) on unseen images, and the bound for linear decoders (width); MNIST's in the folder ``mnist``, else scikit-learn's."""
    todo, size = runs(scale, seeds), SIZES[scale]
    sequences = images(mnist, size.images).reshape(-1, 64 if mnist is None else 784)
    found = measure_all(todo, partial(measure, size=size, sequences=sequences), folder, device, tick, jobs)
    at = {"kind": list(DECODERS), "width": list(size.widths), "seed": sorted({run.seed for run in todo})}
    unseen = sequences[int(SEEN * len(sequences)) :]
    unit = {"units": "root mean square of a pixel in [0, 1]"}
    return xr.Dataset(
        {
            "error": (tuple(at), grid(todo, [f["error"] for f in found], tuple(at), at), {"long_name": "error on unseen images", **unit}),
            "bound": ("width", [principal_error(unseen, 2 * n) for n in size.widths], {"long_name": "bound for linear decoders", **unit}),
        },
        {
            "kind": ("kind", at["kind"], {"long_name": "decoder"}),
            "width": ("width", at["width"], {"long_name": "complex units", "units": "1"}),
            "seed": ("seed", at["seed"], {"long_name": "random seed", "units": "1"}),
        },
        {
            "source": "orvieto24, Figure 4",
            "scale": scale,
            "steps": size.steps,
            "length": sequences.shape[1],
            "spread": float(unseen.std(0).mean()),
            "hidden": size.hidden,
        },
    )


def outcome(data: xr.Dataset) -> str:
    """Whether the paper's observations hold here, and which claim predicts them."""
    middle = data.error.median("seed")
    linear, other = (middle.sel(kind=kind) for kind in DECODERS)
    small, large = data.width.values[0], data.width.values[-1]
    better = [int(n) for n in data.width.values[(other < linear).values]]
    below = [int(n) for n in data.width.values[(other < data.bound).values]]
    wrong = int((data.error.sel(kind="linear") < data.bound * (1 - 1e-6)).sum())
    enough = [int(n) for n in data.width.values if 2 * n >= data.attrs["length"]]
    vanishes = bool((middle.diff("width") < 0).all()) and float(middle.sel(width=large).min()) < 0.1 * data.attrs["spread"]
    listed = lambda x: ", ".join(f"N = {int(n)}: {float(v):.3f}" for n, v in zip(data.width.values, x, strict=True))  # noqa: E731
    return (
        f"'the error vanishes as the state grows': {'yes' if vanishes else 'no'} (linear {listed(linear)}; hidden layer {listed(other)}; a pixel's spread {data.attrs['spread']:.3f}); "
        f"weights without any error exist with a linear decoder where 2 N >= L = {data.attrs['length']}: N in {enough or 'none'} (orvieto24.prop1, new.vandermonde.half-width); "
        f"'at small N the decoder has to be non-linear': {'yes' if float(other.sel(width=small)) < float(linear.sel(width=small)) else 'no'} (better at N in {better or 'none'}; below what any linear decoder of "
        f"2 N numbers can do at N in {below or 'none'}); 'at the largest N linear is best': {'yes' if float(linear.sel(width=large)) < float(other.sel(width=large)) else 'no'}; "
        f"linear runs below their bound: {wrong}; {of_seeds('median', data.sizes['seed'])}, {data.attrs['steps']} steps"
    )
