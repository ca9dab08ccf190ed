"""S4D by depth at one number of parameters, on tasks like those of the long-range arena (lizaire26, Table 1), drawn here and short.

ListOps, Pathfinder and images pixel by pixel: our own generators and the digits, not the arena's data. Retrieval is not there. The states of a feature are as in
the paper fewer for ListOps; here all read from the first step on only, where the arena's S4 reads both ways.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr
from torch import nn
from torch.nn import functional

from ..numerics.progress import Progress
from .bilinear_layers import parameters_counted
from .bistable_images import side_of
from .blocks import loss_at_the_end
from .digits import labelled
from .experiment import ByHand
from .listops import LETTERS, listops
from .many import measure_all
from .pathfinder import Pathfinder
from .scales import chosen, nearest_width
from .signals import grid
from .state_space_layers import DeepS4D
from .tasks import UNASKED, Task
from .training import TEST, Run, train

TASKS = ("images", "listops", "pathfinder")

#: (letters, numbers of a step where there are none, answers)
READ = {"images": (0, 1, 10), "listops": (len(LETTERS), 0, 10), "pathfinder": (0, 1, 2)}

#: states of a feature
STATES = {"images": 16, "listops": 4, "pathfinder": 16}

#: what the paper says of each task: gains from depth that end, or that go on
SAID = {"images": "saturates", "listops": "saturates", "pathfinder": "goes on"}

#: of the accuracy: what counts as a gain
MARGIN = 0.02

#: an accuracy is that of somebody who has learnt something from so much above the most frequent answer on
LEARNT = 0.05


@dataclass(frozen=True)
class Size:
    """Seeds, steps of training, features of one layer, depths, lengths of expressions (shortest, longest), Pathfinder's images, how many there are, expressions tested;
    tasks that have fewer seeds unless a number is asked for."""

    seeds: int
    steps: dict[str, int]
    base: int
    depths: tuple[int, ...]
    expressions: tuple[int, int]
    pathfinder: Pathfinder
    drawings: int
    tested: int
    batch: int = 32
    rate: float = 1e-2
    fewer: tuple[tuple[str, int], ...] = ()


SIZES = {
    "smoke": Size(1, dict.fromkeys(TASKS, 2), 8, (1, 2), (8, 10), Pathfinder(8, 2, 0), 40, 20, 4),
    "quick": Size(1, dict.fromkeys(TASKS, 150), 32, (1, 3), (10, 20), Pathfinder(8, 2, 0), 2000, 200),
    "desk": Size(
        3,
        {"images": 300, "listops": 500, "pathfinder": 1200},
        64,
        (1, 2, 3, 6),
        (10, 40),
        Pathfinder(8, 2, 0),
        20_000,
        400,
        fewer=(("pathfinder", 1),),
    ),
    "paper": Size(3, dict.fromkeys(TASKS, 100_000), 446, (2, 3, 6, 8), (500, 2000), Pathfinder(32, 8, 4), 200_000, 2000, 32, 4e-3),
}


class Classifier(nn.Module):
    """S4D on letters or numbers, (batch, T) or (batch, T, features), to scores (batch, answers): the mean over the steps is read."""

    def __init__(self, letters: int, features: int, answers: int, width: int, depth: int, states: int):
        super().__init__()
        self.letters = letters
        self.stack = DeepS4D(letters or features, answers, width, depth, states, mean=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # the loss of sequences hands letters over as numbers
        return self.stack(functional.one_hot(x.long(), self.letters).to(self.stack.readout.weight.dtype) if self.letters else x)


def build(run: Run, task: Task) -> Classifier:
    """The classifier that a run names."""
    return Classifier(*READ[run.task], run.width, run.depth, STATES[run.task])


@cache
def counted(task: str, width: int, depth: int) -> int:
    """The parameters of a classifier."""
    with torch.random.fork_rng(devices=[]):
        return parameters_counted(Classifier(*READ[task], width, depth, STATES[task]))


def width_of(task: str, base: int, depth: int) -> int:
    """The number of features at which ``depth`` layers have as many parameters as one of ``base``, or as near as can be."""
    return nearest_width(lambda n: counted(task, n, depth), counted(task, base, 1), base)


@cache
def sequences(scale: str, mnist: Path | None = None) -> dict[str, tuple[Task, list[tuple[np.ndarray, np.ndarray]]]]:
    """Of each task what is trained on, and (inputs, answers) of the test, one pair for each length."""
    size = SIZES[scale]
    (pixels, labels), test = labelled(mnist)
    drawn = size.pathfinder.images(size.drawings, np.random.default_rng([0, 0]))
    shortest, longest = size.expressions
    expressions, lengths = listops(), np.linspace(shortest, longest, 4).astype(int)
    asked = [expressions.sample(size.tested // 4, int(n), np.random.default_rng([int(n), TEST])) for n in lengths]
    return {
        "images": (_pixels("images", pixels, labels, tuple("0123456789")), [_read(*test)]),
        "listops": (expressions, [(words, targets[:, -1]) for words, targets in asked]),
        "pathfinder": (
            _pixels("pathfinder", *drawn, ("apart", "joined")),
            [_read(*size.pathfinder.images(size.tested, np.random.default_rng([0, TEST])))],
        ),
    }


def _read(pixels: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Images row by row, a pixel less 1/2 at each step, (count, T, 1)."""
    return pixels.reshape(len(pixels), -1, 1) - 0.5, labels


def _pixels(name: str, pixels: np.ndarray, labels: np.ndarray, answers: tuple[str, ...]) -> Task:
    """One of the images, drawn anew for each row of a batch; what it is is asked for at the last step."""
    inputs, labels = _read(pixels, labels)

    def sample(batch: int, length: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        if length != inputs.shape[1]:
            raise ValueError(f"expected the length of an image, {inputs.shape[1]}, got {length}")
        drawn, targets = rng.integers(len(labels), size=batch), np.full((batch, length), UNASKED)
        targets[:, -1] = labels[drawn]
        return inputs[drawn], targets

    return Task(name, (), answers, sample, features=1)


def runs(scale: str = "quick", seeds: int | None = None, mnist: Path | None = None) -> list[Run]:
    """All runs of a scale, in order. Raises ``ValueError`` for an unknown scale and for fewer than one seed."""
    size, numbers = chosen(SIZES, scale, seeds)
    lengths = {"images": (side_of(mnist, 1) ** 2,) * 2, "listops": size.expressions, "pathfinder": (size.pathfinder.side**2,) * 2}
    sizes = [(task, depth, width_of(task, size.base, depth)) for task in TASKS for depth in size.depths]
    mnist_name, most = "MNIST" if mnist else "", dict(size.fewer) if seeds is None else {}
    return [
        Run(
            task,
            "S4D",
            seed,
            n,
            size.steps[task],
            *lengths[task],
            size.batch,
            size.rate,
            depth,
            variant=mnist_name if task == "images" else "",
        )
        for seed in numbers
        for task, depth, n in sizes
        if seed < most.get(task, len(numbers))
    ]


def measure(
    run: Run, folder: Path | None, progress: Progress | None, device: torch.device | None, scale: str, mnist: Path | None
) -> dict[str, Any]:
    """Of one trained run: the share of right answers on the test."""
    task, test = sequences(scale, mnist)[run.task]
    model = train(run, folder, progress, device, task=task, build=build, loss=loss_at_the_end)
    return {"accuracy": float(np.mean([accuracy(model, *part) for part in test]))}


@torch.no_grad()
def accuracy(model: nn.Module, inputs: np.ndarray, answers: np.ndarray) -> float:
    """The share of right answers."""
    like = next(model.parameters())
    said = model(torch.from_numpy(inputs).to(like.device, like.dtype)).argmax(-1).cpu().numpy()
    return float((said == answers).mean())


def compute(
    scale: str = "quick",
    seeds: int | None = None,
    folder: Path | None = None,
    device: torch.device | None = None,
    progress: Progress | None = None,
    jobs: int = 1,
    mnist: Path | None = None,
) -> xr.Dataset:
    """Accuracies (task, depth, seed) at one number of parameters, and of who always gives the most frequent answer of the test."""
    planned, size = runs(scale, seeds, mnist), SIZES[scale]
    found = measure_all(planned, partial(measure, scale=scale, mnist=mnist), folder, device, progress, jobs)
    at = {"task": list(TASKS), "depth": list(size.depths), "seed": sorted({run.seed for run in planned})}
    sizes = ("task", "depth")
    tests = {name: np.concatenate([answers for _, answers in test]) for name, (_, test) in sequences(scale, mnist).items()}
    wide = grid(planned, [run.width for run in planned], sizes, at)
    count = grid(planned, [counted(run.task, run.width, run.depth) for run in planned], sizes, at)
    return xr.Dataset(
        {
            "accuracy": (
                (*sizes, "seed"),
                grid(planned, [f["accuracy"] for f in found], (*sizes, "seed"), at),
                {"long_name": "share of right answers on the test", "units": "1"},
            ),
            "guess": (
                "task",
                [float(np.bincount(tests[name]).max() / len(tests[name])) for name in TASKS],
                {"long_name": "share of the most frequent answer of the test", "units": "1"},
            ),
            "width": (sizes, wide, {"long_name": "features", "units": "1"}),
            "parameters": (sizes, count, {"long_name": "parameters", "units": "1"}),
            "steps": ("task", [size.steps[name] for name in TASKS], {"long_name": "steps of training", "units": "1"}),
        },
        {
            "task": ("task", list(TASKS), {"long_name": "task"}),
            "depth": ("depth", at["depth"], {"long_name": "layers", "units": "1"}),
            "seed": ("seed", at["seed"], {"long_name": "random seed", "units": "1"}),
        },
        {
            "source": EXPERIMENT.source,
            "scale": scale,
            "images": "MNIST" if mnist else "scikit-learn's digits",
            "pixels": side_of(mnist, 1) ** 2,
            "side": size.pathfinder.side,
            "longest": size.expressions[1],
        },
    )


def learnt(data: xr.Dataset) -> xr.DataArray:
    """At which sizes something was learnt, (task, depth)."""
    return data.accuracy.median("seed") >= data.guess + LEARNT


def gains(data: xr.Dataset, task: str) -> str:
    """Whether more layers help: "saturates" where some do and the last ones do not, "goes on" where every step does, "none", or "not learnt" at any depth."""
    if not learnt(data).sel(task=task).any():
        return "not learnt"
    steps = data.accuracy.median("seed").sel(task=task).diff("depth") >= MARGIN
    if steps.all():
        return "goes on"
    best = data.accuracy.median("seed").sel(task=task)
    return "saturates" if float(best.max() - best.isel(depth=0)) >= MARGIN else "none"


def outcome(data: xr.Dataset) -> str:
    """Which gains from depth there are at one number of parameters, beside what the paper has."""
    middle, seeds = data.accuracy.median("seed"), data.accuracy.notnull().sum("seed").min("depth").values

    def said(task: str) -> str:
        found = gains(data, task)
        numbers = ", ".join(f"L = {int(k)}: {float(a):.3f}" for k, a in zip(data.depth, middle.sel(task=task), strict=True))
        held = (
            "not reproduced at this scale" if found == "not learnt" else "as in the paper" if found == SAID[task] else "not as in the paper"
        )
        return f"{task}: gains from depth: {found} (the paper: {SAID[task]}; {held}): {numbers}; guessing {float(data.guess.sel(task=task)):.3f}"

    return (
        f"{'; '.join(said(task) for task in TASKS)}; lizaire26.memory says that depth adds memory to linear layers at the least cost in parameters, and of no such task how much it needs: "
        f"no claim predicts these accuracies; our own tasks, and small: expressions of up to {data.attrs['longest']} letters, paths on {data.attrs['side']} x {data.attrs['side']} pixels, "
        f"{data.attrs['images']} with {data.attrs['pixels']} pixels; a gain counts from {MARGIN} on; medians of seeds ({', '.join(f'{task} {int(n)}' for task, n in zip(TASKS, seeds, strict=True))}), "
        f"{int(data.parameters.min())} to {int(data.parameters.max())} parameters"
    )


EXPERIMENT = ByHand(
    "lizaire26.table1",
    topic="depth",
    place="Table 1",
    finding="S4D with more layers and as many parameters",
    reads=("mnist",),
    planned=runs,
    computed=compute,
    said=outcome,
)
