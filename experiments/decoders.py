"""What is left of an image in the last state of a trained linear recurrence: linear against non-linear decoders (orvieto24, Sec. 4.2 and Fig. 4).

An image, a digit or one of two dots and dashed curves, is read pixel by pixel; recurrence and decoder are trained together. Beside it the principal
components of the test images: no linear decoder of as many real numbers does better on them (Eckart and Young), whatever the recurrence.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator
from torch import nn
from torch.nn import functional

from ..constructions.bistable.torch import LRU
from ..figures import style
from ..numerics.progress import Progress
from .digits import coarse, images
from .experiment import Axis, Experiment, Found, Observation, each
from .pathfinder import Pathfinder
from .tasks import Generator, Task
from .training import Run, train
from .words import of_seeds

DECODERS = ("linear", "hidden layer")
IMAGES = ("digits", "paths")


@dataclass(frozen=True)
class Size:
    """Seeds, steps of training, images of each kind, units of the recurrence, neurons of the decoder's hidden layer, pixels of the side of a square of MNIST's
    that is averaged.
    """

    seeds: int
    steps: int
    images: int
    widths: tuple[int, ...]
    hidden: int
    square: int = 2
    mnist: Path | None = None


SIZES = {
    "smoke": Size(1, 2, 40, (2, 4), 8),
    "quick": Size(2, 300, 1797, (2, 8, 32), 64),
    "desk": Size(3, 1500, 1797, (2, 4, 8, 16, 32, 64, 128), 256),
    "paper": Size(3, 50000, 60000, (16, 32, 64, 128, 256, 512, 1024), 2048, 1),
}

#: by the side of the digits the paths that are drawn in as many pixels
PATHS = {8: Pathfinder(8, 2, 1), 14: Pathfinder(14, 4, 2), 28: Pathfinder(28, 8, 4)}

ERROR = "root mean square of a pixel in [0, 1]"

EXACT = "exact weights with a linear decoder exist where 2 N ≥ L (orvieto24.prop1, new.vandermonde.half-width)"

#: the share of the images that training sees, the first ones
SEEN = 0.8


def run(size: Size, seed: int, task: str, kind: str, width: int) -> Run:
    """The run of a point; how long an image is, is known when it has been read."""
    return Run(task, kind, seed, width, size.steps, 1, 1, variant=f"width {width}")


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


@cache
def sequences(size: Size) -> dict[str, np.ndarray]:
    """Images of both kinds, row by row, with as many pixels: kind -> (count, pixels). Digits are MNIST's in the size's folder, else scikit-learn's."""
    digits = images(size.mnist, size.images)
    digits = coarse(digits, size.square) if size.mnist else digits
    drawn, _ = PATHS[digits.shape[1]].images(len(digits), np.random.default_rng(0))
    return {kind: pixels.reshape(len(digits), -1) for kind, pixels in zip(IMAGES, (digits, drawn), strict=True)}


def image_task(sequences: np.ndarray) -> Task:
    """Sequences drawn at random, which are to be given back; the length that is asked for is ignored: it is theirs."""

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        drawn = sequences[rng.integers(len(sequences), size=batch)]
        return drawn, drawn

    return Task("images", (), (), sample, features=1)


def squared_error(model: nn.Module, task: Task, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """The mean squared error of a pixel."""
    return functional.mse_loss(model(inputs.float()), targets.float())


def measure(run: Run, folder: Path | None, progress: Progress | None, device: torch.device | None, size: Size) -> dict[str, Any]:
    """Of one trained run: the root mean squared error of a pixel on the images that training has not seen."""
    pixels = sequences(size)[run.task]
    first = int(SEEN * len(pixels))
    build = lambda run, _: Recall(run.kind, run.width, pixels.shape[1], size.hidden)  # noqa: E731
    model = train(run, folder, progress, device, task=image_task(pixels[:first]), build=build, loss=squared_error)
    with torch.no_grad():
        unseen = torch.from_numpy(pixels[first:]).float().to(device or "cpu")
        return {"error": float(functional.mse_loss(model(unseen), unseen).sqrt())}


def principal_error(sequences: np.ndarray, numbers: int) -> float:
    """The root mean squared error of a pixel of the best affine code of ``numbers`` real numbers for these very sequences."""
    values = np.linalg.svd(sequences - sequences.mean(0), compute_uv=False)
    return float(np.sqrt((values[numbers:] ** 2).sum() / sequences.size))


def known(size: Size, at: dict[str, list[Any]]) -> dict[str, Any]:
    """The bound for linear decoders (task, width), and the spread of a pixel (task)."""
    unseen = [pixels[int(SEEN * len(pixels)) :] for pixels in sequences(size).values()]
    bound = [[principal_error(x, 2 * n) for n in size.widths] for x in unseen]
    spread = [float(np.sqrt(x.var(0).mean())) for x in unseen]
    return {
        "bound": (("task", "width"), bound, {"long_name": "bound for linear decoders", "units": ERROR}),
        "spread": ("task", spread, {"long_name": "standard deviation of a pixel, root mean square", "units": ERROR}),
    }


def attributes(size: Size) -> dict[str, Any]:
    """How it was trained, on which images."""
    count, length = sequences(size)["digits"].shape
    side = round(length**0.5)
    return {
        "steps": size.steps,
        "length": length,
        "hidden": size.hidden,
        "digits": f"{'MNIST' if size.mnist else 'scikit-learn'}, {side} x {side}",
        "paths": f"drawn here, {side} x {side}",
        "count": count,
    }


def medians(data: xr.Dataset) -> list[xr.DataArray]:
    """Median errors of linear decoders and of those with a hidden layer, (width), on images of one kind."""
    return [data.error.median("seed").sel(kind=kind) for kind in DECODERS]


def vanishes(data: xr.Dataset) -> bool:
    """Whether the error falls at every step, below a tenth of a pixel's spread."""
    middle = data.error.median("seed")
    return bool((middle.diff("width") < 0).all()) and float(middle.isel(width=-1).min()) < 0.1 * float(data.spread)


def ends(data: xr.Dataset) -> str:
    """The errors at the least and at the greatest width."""
    found = ", ".join(f"{kind} {float(x[0]):.3f} to {float(x[-1]):.3f}" for kind, x in zip(DECODERS, medians(data), strict=True))
    return f"N = {int(data.width[0])} to {int(data.width[-1])}: {found}, a pixel's spread {float(data.spread):.3f}"


def better(data: xr.Dataset) -> str:
    """At which widths hidden layers are better than linear decoders, and better than any."""
    linear, other = medians(data)
    at, below = ([int(n) for n in data.width.values[(other < limit).values]] or "none" for limit in (linear, data.bound))
    return f"better at N in {at}; below what any linear decoder of 2 N numbers can do at N in {below}"


def below(data: xr.Dataset) -> int:
    """Linear runs below the bound for linear decoders: none, unless something is wrong."""
    return int((data.error.sel(kind="linear") < data.bound * (1 - 1e-6)).sum())


def rest(data: xr.Dataset) -> str:
    """The images, from where exact weights exist, and how it was trained."""
    enough = [int(n) for n in data.width.values if 2 * n >= data.attrs["length"]]
    return (
        f"{'; '.join(f'{task}: {data.attrs[task]}' for task in data.task.values)}; weights without any error exist with a linear decoder where "
        f"2 N >= L = {data.attrs['length']}: N in {enough or 'none'} (orvieto24.prop1, new.vandermonde.half-width); "
        f"{of_seeds('median', data.sizes['seed'])}, {data.attrs['steps']} steps"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """A panel for each kind of images. Medians over the seeds, bars from the least to the largest; the bound for linear decoders, and the width from which exact weights exist."""
    figure = style.new_figure(EXPERIMENT.finding, 1.5 + 5.5 * data.sizes["task"], 4.8)
    axes = figure.subplots(1, data.sizes["task"], sharey=True, squeeze=False)[0]
    for ax, task in zip(axes, data.task.values, strict=True):
        _panel(ax, data.sel(task=task), data.attrs[task])
    axes[0].set_ylabel("error of a pixel (root mean square)")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=10)
    return figure


def _panel(ax: Axes, data: xr.Dataset, images: str) -> None:
    for kind, colour, marker in zip(DECODERS, (style.BLUE, style.VERMILION), "os", strict=True):
        error = data.error.sel(kind=kind)
        middle = error.median("seed")
        bars = [middle - error.min("seed"), error.max("seed") - middle]
        ax.errorbar(data.width, middle, yerr=bars, fmt=marker + "-", color=colour, capsize=2, label=f"{kind}, trained")
    ax.plot(data.width, data.bound.where(data.bound > 1e-9), "--", color=style.BLACK, label="no linear decoder is below")
    ax.axvline(data.attrs["length"] / 2, color=style.PURPLE, lw=1, label="exact linear decoders from here on")
    ax.axhline(float(data.spread), color="0.6", lw=1, label="spread of a pixel")
    ax.set(xscale="log", yscale="log", xlabel="complex units N of the recurrence", title=f"{data.task.item()}: {images}")
    ax.set_xticks(data.width.values, [str(n) for n in data.width.values])
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.yaxis.set_major_formatter("{x:g}")
    ax.minorticks_off()


EXPERIMENT = Experiment(
    "orvieto24.fig4",
    topic="vandermonde",
    place="Figure 4",
    finding="What a trained recurrence keeps of an image, by decoder",
    reads=("mnist",),
    sizes=SIZES,
    axes={
        "task": Axis(IMAGES, "images"),
        "kind": Axis(DECODERS, "decoder"),
        "width": Axis(lambda size: size.widths, "complex units", "1"),
    },
    run=run,
    measure=measure,
    found={"error": Found("error on unseen images", ERROR)},
    beside=known,
    attributes=attributes,
    observations=(
        Observation("the error vanishes as the state grows", "Figure 4", vanishes, ends, EXACT, each("task")),
        Observation(
            "at small N the decoder has to be non-linear",
            "Figure 4",
            lambda data: medians(data)[1][0] < medians(data)[0][0],
            better,
            over=each("task"),
        ),
        Observation(
            "at the largest N linear is best",
            "Figure 4",
            lambda data: medians(data)[0][-1] < medians(data)[1][-1],
            over=each("task"),
        ),
        Observation("no linear run is below the bound for linear decoders", "", lambda data: below(data) == 0),
    ),
    rest=rest,
    remarks=(
        "Trained decoders with a hidden layer are better at small N, but never below the bound for linear ones. So their lead may be one of training.",
        "'Vanishes' means below a tenth of a pixel's spread and falling at every doubling.",
        "N = 128 was added after a run up to 64, where nothing vanished.",
        "Not run: 28 × 28 pixels, 2048 hidden units, 100 epochs, tuned rates.",
    ),
    picture=draw,
)
