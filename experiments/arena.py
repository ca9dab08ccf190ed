"""S4D by depth at one number of parameters, on tasks like those of the long-range arena (lizaire26, Table 1), drawn here and short.

ListOps, Pathfinder and images pixel by pixel: our own generators and the digits, not the arena's data. Retrieval is not there. The states of a feature are as in
the paper fewer for ListOps; here all read from the first step on only, where the arena's S4 reads both ways.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr
from matplotlib.figure import Figure
from torch import nn
from torch.nn import functional

from ..figures import style
from ..numerics.progress import Progress
from .bilinear_layers import parameters_counted
from .bistable_images import side_of
from .blocks import loss_at_the_end
from .digits import labelled
from .experiment import Axis, Experiment, Found, Observation
from .listops import LETTERS, listops
from .pathfinder import Pathfinder
from .scales import nearest_width
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

SAYS = {"saturates": "more layers help, up to a point", "goes on": "every layer more helps"}

#: of the accuracy: what counts as a gain
MARGIN = 0.02

#: an accuracy is that of somebody who has learnt something from so much above the most frequent answer on
LEARNT = 0.05


@dataclass(frozen=True)
class Size:
    """Seeds, steps of training of each task, features of one layer, depths, lengths of expressions (shortest, longest), Pathfinder's images, how many there are, expressions tested."""

    seeds: int
    steps: tuple[int, ...]
    base: int
    depths: tuple[int, ...]
    expressions: tuple[int, int]
    pathfinder: Pathfinder
    drawings: int
    tested: int
    batch: int = 32
    rate: float = 1e-2
    mnist: Path | None = None


SIZES = {
    "smoke": Size(1, (2, 2, 2), 8, (1, 2), (8, 10), Pathfinder(8, 2, 0), 40, 20, 4),
    "quick": Size(1, (150, 150, 150), 32, (1, 3), (10, 20), Pathfinder(8, 2, 0), 2000, 200),
    "desk": Size(3, (300, 500, 1200), 64, (1, 2, 3, 6), (10, 40), Pathfinder(8, 2, 0), 20_000, 400),
    "paper": Size(3, (100_000,) * 3, 446, (2, 3, 6, 8), (500, 2000), Pathfinder(32, 8, 4), 200_000, 2000, 32, 4e-3),
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
def sequences(size: Size) -> dict[str, tuple[Task, list[tuple[np.ndarray, np.ndarray]]]]:
    """Of each task what is trained on, and (inputs, answers) of the test, one pair for each length."""
    (pixels, labels), test = labelled(size.mnist)
    drawn = size.pathfinder.images(size.drawings, np.random.default_rng([0, 0]))
    shortest, longest = size.expressions
    expressions, lengths = listops(), np.linspace(shortest, longest, 4).astype(int)
    asked = [expressions.sample(size.tested // 4, int(n), np.random.default_rng([int(n), TEST])) for n in lengths]
    return {
        "images": (pixelwise("images", pixels, labels, tuple("0123456789")), [read(*test)]),
        "listops": (expressions, [(words, targets[:, -1]) for words, targets in asked]),
        "pathfinder": (
            pixelwise("pathfinder", *drawn, ("apart", "joined")),
            [read(*size.pathfinder.images(size.tested, np.random.default_rng([0, TEST])))],
        ),
    }


def read(pixels: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Images row by row, a pixel less 1/2 at each step, (count, T, 1)."""
    return pixels.reshape(len(pixels), -1, 1) - 0.5, labels


def pixelwise(name: str, pixels: np.ndarray, labels: np.ndarray, answers: tuple[str, ...]) -> Task:
    """One of the images, drawn anew for each row of a batch; what it is is asked for at the last step."""
    inputs, labels = read(pixels, labels)

    def sample(batch: int, length: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        if length != inputs.shape[1]:
            raise ValueError(f"expected the length of an image, {inputs.shape[1]}, got {length}")
        drawn, targets = rng.integers(len(labels), size=batch), np.full((batch, length), UNASKED)
        targets[:, -1] = labels[drawn]
        return inputs[drawn], targets

    return Task(name, (), answers, sample, features=1)


def run(size: Size, seed: int, task: str, depth: int) -> Run:
    """The run of a point."""
    pixels = {"images": side_of(size.mnist, 1) ** 2, "pathfinder": size.pathfinder.side**2}
    shortest, longest = size.expressions if task == "listops" else (pixels[task],) * 2
    n, steps = width_of(task, size.base, depth), size.steps[TASKS.index(task)]
    variant = "MNIST" if size.mnist and task == "images" else ""
    return Run(task, "S4D", seed, n, steps, shortest, longest, size.batch, size.rate, depth, variant=variant)


def measure(run: Run, folder: Path | None, progress: Progress | None, device: torch.device | None, size: Size) -> dict[str, Any]:
    """Of one trained run: the share of right answers on the test, features and parameters."""
    task, test = sequences(size)[run.task]
    model = train(run, folder, progress, device, task=task, build=build, loss=loss_at_the_end)
    right = float(np.mean([accuracy(model, *part) for part in test]))
    return {"accuracy": right, "width": run.width, "parameters": counted(run.task, run.width, run.depth)}


@torch.no_grad()
def accuracy(model: nn.Module, inputs: np.ndarray, answers: np.ndarray) -> float:
    """The share of right answers."""
    like = next(model.parameters())
    said = model(torch.from_numpy(inputs).to(like.device, like.dtype)).argmax(-1).cpu().numpy()
    return float((said == answers).mean())


def known(size: Size, at: dict[str, list[Any]]) -> dict[str, Any]:
    """The accuracy of who always gives the most frequent answer of the test, and the steps of training, (task)."""
    tests = [np.concatenate([answers for _, answers in sequences(size)[name][1]]) for name in TASKS]
    guess = [float(np.bincount(answers).max() / len(answers)) for answers in tests]
    return {
        "guess": ("task", guess, {"long_name": "share of the most frequent answer of the test", "units": "1"}),
        "steps": ("task", list(size.steps), {"long_name": "steps of training", "units": "1"}),
    }


def attributes(size: Size) -> dict[str, Any]:
    """What is read."""
    images = {"images": "MNIST" if size.mnist else "scikit-learn's digits", "pixels": side_of(size.mnist, 1) ** 2}
    return {**images, "side": size.pathfinder.side, "longest": size.expressions[1]}


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


def verdict(data: xr.Dataset, task: str) -> str:
    """Whether the gains are those of the paper."""
    found = gains(data, task)
    return "not reproduced at this scale" if found == "not learnt" else "yes" if found == SAID[task] else f"no, {found}"


def numbers(data: xr.Dataset, task: str) -> str:
    """The accuracies by depth."""
    middle = data.accuracy.median("seed").sel(task=task)
    found = ", ".join(f"L = {int(k)}: {float(a):.3f}" for k, a in zip(data.depth, middle, strict=True))
    return f"{found}; guessing {float(data.guess.sel(task=task)):.3f}"


def rest(data: xr.Dataset) -> str:
    """What theory says, the sizes of the tasks, and how many seeds."""
    seeds = data.accuracy.notnull().sum("seed").min("depth").values
    return (
        f"lizaire26.memory says that depth adds memory to linear layers, and not how much a task needs: no claim predicts these accuracies; "
        f"expressions of up to {data.attrs['longest']} letters, paths on {data.attrs['side']} x {data.attrs['side']} pixels, "
        f"{data.attrs['images']} with {data.attrs['pixels']} pixels; a gain counts from {MARGIN} on; "
        f"medians of seeds ({', '.join(f'{task} {int(n)}' for task, n in zip(TASKS, seeds, strict=True))}), "
        f"{int(data.parameters.min())} to {int(data.parameters.max())} parameters"
    )


def observed(task: str) -> Observation:
    """What the paper says of a task."""
    return Observation(f"{task}: {SAYS[SAID[task]]}", "Table 1", lambda data: verdict(data, task), lambda data: numbers(data, task))


NAMES = {"images": "digits, pixel by pixel", "listops": "ListOps", "pathfinder": "Pathfinder"}


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """A panel for each task: medians over the seeds, bars from the least to the largest, and the share of the most frequent answer."""
    figure = style.new_figure(f"{EXPERIMENT.finding}: gains from depth, by task", 12, 4.2)
    axes = figure.subplots(1, data.sizes["task"], sharey=True)
    for task, ax in zip(data.task.values, axes, strict=True):
        at = data.sel(task=task)
        middle, low, high = at.accuracy.median("seed"), at.accuracy.min("seed"), at.accuracy.max("seed")
        ax.errorbar(
            at.depth, middle, yerr=[middle - low, high - middle], fmt="o-", color=style.BLUE, capsize=2, elinewidth=1, label="trained"
        )
        ax.axhline(float(at.guess), color="0.5", lw=1, ls="--", label="always the most frequent answer")
        ax.set(title=f"{NAMES[str(task)]}: {gains(data, str(task))}", xlabel="layers", ylim=(0, 1.02))
        ax.set_xticks(at.depth.values)
    axes[0].set_ylabel("share of right answers, test")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


EXPERIMENT = Experiment(
    "lizaire26.table1",
    topic="depth",
    place="Table 1",
    finding="S4D with more layers and as many parameters",
    reads=("mnist",),
    sizes=SIZES,
    axes={"task": Axis(TASKS, "task"), "depth": Axis(lambda size: size.depths, "layers", "1")},
    run=run,
    measure=measure,
    found={
        "accuracy": Found("share of right answers on the test", "1"),
        "width": Found("features", "1", seeds=False),
        "parameters": Found("parameters", "1", seeds=False),
    },
    beside=known,
    attributes=attributes,
    once=lambda scale, task, depth: (scale, task) == ("desk", "pathfinder"),
    observations=tuple(map(observed, TASKS)),
    rest=rest,
    remarks=(
        "The tasks are our own and small, not the arena's. Layers read forwards only, and Retrieval is not there.",
        "Pathfinder has one seed. It was learnt in one longer trial with three layers, which is not kept.",
        "Steps were lowered twice while trials ran. Pathfinder's distractor was dropped after a trial had stayed at guessing.",
        "What Table 1 says of depth needs longer training.",
    ),
    picture=draw,
)
