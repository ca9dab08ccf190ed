"""Does training keep compiled weights, find them, or leave them? Three word problems, one delta layer, from the compiled network to random weights.

The first weights are the compiled network's, put into the layer that is trained and disturbed by one number eps. Every beta is moved to at
least 2 eps from both ends of its range (0, 2), which the layer's sigmoid never reaches. Every other weight gets Gaussian noise of eps times the size of its
tensor. "At" the compiled network means eps = 1e-6. New here: none of the papers starts at weights that are known to be right.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr
from matplotlib.figure import Figure

from ..constructions.automata.compiler import compile_automaton
from ..constructions.automata.rounding.layer import as_floats
from ..constructions.automata.run.trainable import DeltaMaps
from ..figures import style
from ..numerics.progress import Progress
from .experiment import Axis, Experiment, Found, Observation
from .layers import COLUMNS, Delta, Model
from .tasks import Task, task_named
from .training import TEST, Run, fresh, train
from .words import in_seeds

#: task -> the layer whose compiled weights it starts from
TASKS = {"parity": "DeltaNet [-1, 1]", "S3": "DeltaProduct_2 [-1, 1]", "A5": "DeltaProduct_2 [-1, 1]"}

#: start -> eps; None for the weights that PyTorch begins with
STARTS: dict[str, float | None] = {"at": 1e-6, "1e-3": 1e-3, "1e-2": 1e-2, "0.1": 0.1, "random": None}

#: how fast AdamW begins; its steps are this large however small the gradient is
RATES = (1e-2, 1e-3)

#: by so many nats the right answer leads at the compiled network, at least
LEAD = 10.0


@dataclass(frozen=True)
class Size:
    """Seeds, steps of training, longest word in training, longest test word, number of test words."""

    seeds: int
    steps: int
    longest: int
    tested: int
    words: int


SIZES = {
    "smoke": Size(1, 2, 4, 8, 8),
    "quick": Size(1, 60, 12, 192, 128),
    "desk": Size(3, 400, 20, 640, 128),
    "paper": Size(5, 10000, 40, 2560, 1024),
}


def run(size: Size, seed: int, task: str, start: str, rate: float) -> Run:
    """The run of a point."""
    width, shortest = _compiled(task).width, min(3, size.longest)
    return Run(task, TASKS[task], seed, width, size.steps, shortest, size.longest, 32, rate, variant=f"{start}, rate {rate:g}")


@dataclass(frozen=True)
class Compiled:
    """A compiled layer for a group, letter by letter: ``keys`` (letters, factors, n), ``beta`` (letters, factors); ``states`` (answers, n)."""

    keys: np.ndarray
    beta: np.ndarray
    states: np.ndarray
    first: np.ndarray

    @property
    def width(self) -> int:
        return self.first.size

    @property
    def transitions(self) -> np.ndarray:
        """A of every letter, (letters, n, n)."""
        A = np.broadcast_to(np.eye(self.width), (len(self.keys), self.width, self.width))
        for j in range(self.beta.shape[1]):
            k = self.keys[:, j, :, None]
            A = A - self.beta[:, j, None, None] * k @ (k.swapaxes(-1, -2) @ A)
        return A


@cache
def _compiled(name: str) -> Compiled:
    """The compiled network of a word problem. Raises ``ValueError`` unless it is one layer of GH factors without inputs that answers by its state alone."""
    task = task_named(name)
    assert task.automaton is not None
    document = compile_automaton(task.automaton, prefer="narrow").document()
    (layer, *above), field = document["layers"], document["field"]
    maps = DeltaMaps(layer["maps"], field, torch.float64)
    answers = {(j, q) for j, _, q in layer["decoder"]}
    if above or bool(maps.write.any()) or len(answers) > len({j for j, _ in answers}):
        raise ValueError(f"expected a task that one layer of reflections decides by its state, got {name!r}")
    state_of = {q: j for j, q in answers}
    map_of = [f for *_, f in layer["letters"]]
    states = np.array([as_floats(layer["states"][state_of[q]], field)[:, 0] for q in range(len(task.answers))])
    return Compiled(
        maps.keys.detach().numpy()[map_of],
        maps.beta.detach().numpy()[map_of],
        states,
        as_floats(layer["states"][0], field)[:, 0],
    )


def build(run: Run, task: Task) -> Model:
    """The model of a run before training: where its ``variant``, which begins with a name among ``STARTS``, says."""
    model = Model(run.kind, len(task.letters), len(task.answers), run.width)
    if (eps := STARTS[run.variant.partition(",")[0]]) is not None:
        _set_weights(model, _compiled(task.name), eps)
    return model


@torch.no_grad()
def _set_weights(model: Model, compiled: Compiled, eps: float) -> None:
    """The compiled network, up to ``eps``.

    Its state is the first column of the layer's; the hidden units of the decoder are the positive and negative parts of its entries, and the largest of the
    scores 2 c.h - |c|^2 belongs to the nearest state c. Hidden units that are left over keep their first weights and have no say at first.
    """
    layer, n = model.layers[0], compiled.width
    assert isinstance(layer, Delta)
    strength = np.clip(compiled.beta / 2, eps, 1 - eps)
    decoder: Any = model.decoder
    into, _, out = decoder
    exact: dict[torch.Tensor, np.ndarray] = {layer.key.weight: compiled.keys.reshape(len(compiled.keys), -1).T}
    exact[layer.initial] = np.pad(compiled.first[:, None], ((0, 0), (0, COLUMNS - 1)))
    for linear in (layer.key, layer.value):
        exact[linear.bias] = np.zeros(linear.bias.shape)
    exact[layer.value.weight] = np.zeros(layer.value.weight.shape)
    # the state is flattened row by row
    parts = np.zeros((2 * n, into.in_features))
    parts[range(n), range(0, n * COLUMNS, COLUMNS)], parts[range(n, 2 * n), range(0, n * COLUMNS, COLUMNS)] = 1, -1
    exact[into.weight] = np.concatenate([parts, into.weight[2 * n :].numpy()])
    exact[into.bias] = np.concatenate([np.zeros(2 * n), into.bias[2 * n :].numpy()])
    c = compiled.states
    apart = ((c[:, None] - c[None]) ** 2).sum(-1)
    scale = LEAD / apart[apart > 0].min()
    exact[out.weight] = scale * np.concatenate([2 * c, -2 * c, np.zeros((len(c), out.in_features - 2 * n))], axis=1)
    exact[out.bias] = -scale * (c**2).sum(-1)
    for parameter, values in exact.items():
        weights = torch.from_numpy(np.array(values)).to(parameter)
        size = weights.square().mean().sqrt()
        parameter.copy_(weights + eps * (size if size > 0 else 1.0) * torch.randn_like(weights))
    layer.strength.weight.copy_(torch.from_numpy(np.log(strength / (1 - strength)).T))
    layer.strength.bias.zero_()


def measure(run: Run, folder: Path | None, progress: Progress | None, device: torch.device | None, size: Size) -> dict[str, list[float]]:
    """Of one run, before and after training: ``right``, ``margin``, ``spectrum``, ``maps``, as the declaration names them."""
    task = task_named(run.task)
    before = fresh(run, task, build).to(device)
    found = [_measured(model, task, run, size) for model in (before, train(run, folder, progress, device, build=build))]
    return {name: [when[name] for when in found] for name in found[0]}


@torch.no_grad()
def _measured(model: Any, task: Task, run: Run, size: Size) -> dict[str, float]:
    device = next(model.parameters()).device
    words, targets = (torch.from_numpy(x).to(device) for x in task.sample(size.words, size.tested, np.random.default_rng([run.seed, TEST])))
    scores = model(words)
    right = scores.gather(-1, targets[..., None])
    lead = (right - scores.scatter(-1, targets[..., None], -torch.inf).amax(-1, keepdim=True))[..., 0]
    letters = torch.eye(model.letters, device=device)
    A, exact = model.layers[0].maps(letters[None])[0][0].cpu().double().numpy(), _compiled(task.name).transitions
    return {
        "right": int((lead > 0).all(0).int().cumprod(0).sum()),
        "margin": float(lead[:, : size.longest].min()),
        "spectrum": max(map(spectral_distance, A, exact)),
        "maps": float(abs(A - exact).max()),
    }


def spectral_distance(A: np.ndarray, B: np.ndarray) -> float:
    """The greatest distance of an eigenvalue of A from its partner among those of B, paired so that it is least; any basis will do."""
    a, b = np.linalg.eigvals(A), np.linalg.eigvals(B)
    return float(min(abs(a - b[list(order)]).max() for order in permutations(range(len(b)))))


def kept(data: xr.Dataset) -> xr.DataArray:
    """How many seeds that began at the compiled network are right up to the longest test word after training as well, (task, rate)."""
    return (data.right.sel(start="at", when="after") == data.attrs["tested"]).sum("seed")


def found(data: xr.Dataset) -> xr.DataArray:
    """How many seeds that began at random weights are right past the trained length after training, (task, rate)."""
    return (data.right.sel(start="random", when="after") > data.attrs["longest"]).sum("seed")


def every(count: xr.DataArray, data: xr.Dataset) -> str:
    """In how many cells, task and learning rate, that is so of every seed."""
    return f"every seed in {int((count == data.sizes['seed']).sum())} of {count.size} cells, task and learning rate"


def moves(data: xr.Dataset) -> str:
    """Of one cell: up to which length networks are right before and after training, by the distance of the first weights."""
    before, after = (data.right.sel(when=when).median("seed") for when in ("before", "after"))
    return ", ".join(f"{start}: {float(before.sel(start=start)):g} to {float(after.sel(start=start)):g}" for start in data.start.values)


def by_cell(data: xr.Dataset) -> dict[str, xr.Dataset]:
    """The data of each task and learning rate."""
    cells = [(str(task), float(rate)) for rate in data.rate.values for task in data.task.values]
    return {f"{task}, rate {rate:g}": data.sel(task=task, rate=rate) for task, rate in cells}


def of_seed(count: xr.DataArray, data: xr.Dataset) -> str:
    """No, yes, or by how many seeds."""
    n = int(count)
    return "no" if n == 0 else "yes" if n == data.sizes["seed"] else f"by {n} of {in_seeds(data.sizes['seed'])}"


def rest(data: xr.Dataset) -> str:
    """In how many cells weights are kept and found, and how it was trained."""
    return (
        f"training keeps compiled weights, right up to {data.attrs['tested']} letters as before: {every(kept(data), data)}; "
        f"it finds weights that are right past the {data.attrs['longest']} trained letters from random ones: {every(found(data), data)}; "
        f"{in_seeds(data.sizes['seed'])}, {data.attrs['steps']} steps"
    )


TITLES = {"parity": "parity, one factor", "S3": "$S_3$, two factors", "A5": "$A_5$, two factors"}


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Above: letters up to which all test words are right; below: distance of the eigenvalues from the compiled ones. Medians and ranges of all seeds."""
    figure = style.new_figure(EXPERIMENT.finding, 13.5, 7.5)
    panels = figure.subplots(2, data.sizes["task"], sharex=True, sharey="row", squeeze=False)
    series = [("before training", style.BLACK, "o", data.isel(rate=0).sel(when="before"))]
    for rate, colour, marker in zip(data.rate.values, (style.VERMILION, style.BLUE), "s^", strict=True):
        series.append((f"after, learning rate {rate:g}", colour, marker, data.sel(rate=rate, when="after")))
    at = np.arange(data.sizes["start"])
    for (above, below), task in zip(panels.T, data.task.values, strict=True):
        for i, (label, colour, marker, there) in enumerate(series):
            for ax, name in ((above, "right"), (below, "spectrum")):
                y = there[name].sel(task=task)
                middle = y.median("seed")
                spread = [middle - y.min("seed"), y.max("seed") - middle]
                ax.errorbar(at + (i - 1) * 0.2, middle, spread, fmt=marker, color=colour, capsize=3, label=label)
        above.set_yscale("symlog", linthresh=1)
        above.set_ylim(-0.2, data.attrs["tested"] * 2)
        above.axhline(data.attrs["longest"], color=style.PURPLE, lw=1)
        above.axhline(data.attrs["tested"], color=style.BLACK, lw=1, ls="--")
        above.set_title(TITLES[str(task)])
        below.set_yscale("log")
        below.set_xticks(at, ["compiled\n(1e-6)" if s == "at" else str(s) for s in data.start.values])
        below.set_xlabel("noise on the first weights")
    panels[0, 0].set_ylabel("right up to so many letters")
    panels[1, 0].set_ylabel("greatest distance of an\neigenvalue from the compiled")
    panels[0, -1].text(at[-1] + 0.4, data.attrs["longest"] * 1.1, "longest in training", color=style.PURPLE, fontsize=9, ha="right")
    panels[0, -1].text(at[-1] + 0.4, data.attrs["tested"] * 1.1, "longest test word", fontsize=9, ha="right")
    figure.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


EXPERIMENT = Experiment(
    "new.learnability",
    topic="automata",
    place="does training keep compiled weights?",
    finding="Training keeps compiled weights for parity, drifts away from them for $A_5$, and repairs near ones about as far as it trains",
    sizes=SIZES,
    axes={
        "task": Axis(lambda size: tuple(TASKS), "task"),
        "start": Axis(lambda size: tuple(STARTS), "distance of the first weights from the compiled ones"),
        "rate": Axis(RATES, "learning rate at the beginning", "1"),
    },
    run=run,
    measure=measure,
    found={
        "right": Found("letters up to which every test word is answered rightly", "letters", ("when",)),
        "margin": Found("least lead of the right answer over the next, up to the trained length", "nats", ("when",)),
        "spectrum": Found("greatest distance of a transition's eigenvalue from the compiled one", "1", ("when",)),
        "maps": Found("greatest distance of an entry of a transition from the compiled one", "1", ("when",)),
    },
    along={"when": Axis(("before", "after"), "before or after training")},
    attributes=lambda size: {"steps": size.steps, "longest": size.longest, "tested": size.tested, "words": size.words},
    observations=(
        Observation("training keeps compiled weights", "", lambda data: of_seed(kept(data), data), over=by_cell),
        Observation(
            "training finds such weights from random ones",
            "",
            lambda data: of_seed(found(data), data),
            lambda data: f"letters before and after: {moves(data)}",
            over=by_cell,
        ),
    ),
    rest=rest,
    remarks=(
        "The first weights are not exactly the compiled ones, since a sigmoid never reaches the ends of its range (`grazzi25.prop1.3`).",
        "For parity there is nothing to move: a key is 1 or -1, and the sigmoid is flat.",
        "On A₅ the angles between keys drift, which words of 20 letters do not see. AdamW's steps stay as large as the rate, which may be why.",
        "From near weights training comes back to one to six times the trained length, and never to the compiled eigenvalues.",
        "There was one optimiser, the least widths and 400 steps. Noise is not matched between tasks.",
    ),
    picture=draw,
)
