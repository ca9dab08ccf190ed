"""Networks that are right on words a hundred times as long as those they were trained on: which of them are right at every length?

Four tasks and four kinds of network, sixteen seeds each. Every network is tested on random words and on words of one repeated letter, and
then goes through ``lemmata certify``. New here: papers test on random words of some length, which cannot tell a memory that lasts from one that fades.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr
from matplotlib.figure import Figure
from torch import nn

from ..constructions.automata.compiler import compile_automaton
from ..constructions.automata.rounding.layer import LayerNumbers
from ..figures import style
from ..numerics.progress import Progress
from .certified import Read, codes, dense
from .experiment import Axis, Experiment, Found, Observation, each
from .layers import Model
from .stacked import Member, Recipe, Stack, train_stack
from .tasks import Task, task_named
from .training import TEST, Run

#: task -> units of the tanh layer
TASKS = {"latch": 4, "toggle": 6, "parity": 6, "C3": 12}

#: network -> the size of the noise on compiled weights, None for random first weights
DENSE: dict[str, float | None] = {"dense": None, "dense, from near": 0.03}
DELTA, CELL = "DeltaProduct_2 [-1, 1]", "tanh"
NETWORKS = (*DENSE, DELTA, CELL)

#: how many times the trained length the tests are, and by how much the right answer leads in compiled weights, in nats
LONGER, LEAD = 100, 5.0


@dataclass(frozen=True)
class Size:
    """Stacks (one), networks of a stack, steps of training, longest word in training, test words, states that ``certify`` goes through at most."""

    seeds: int
    networks: int
    steps: int
    longest: int
    words: int
    limit: int


SIZES = {
    "smoke": Size(1, 2, 2, 4, 4, 10),
    "quick": Size(1, 4, 300, 8, 16, 200),
    "desk": Size(1, 16, 2000, 20, 64, 1000),
    "paper": Size(1, 64, 20000, 40, 256, 10000),
}


class DenseMaps(nn.Module):
    """h_t = A[x_t] h_(t-1) with a matrix for each letter, and a linear head."""

    def __init__(self, letters: int, answers: int, width: int) -> None:
        super().__init__()
        self.A = nn.Parameter(torch.randn(letters, width, width) / width**0.5)
        self.initial = nn.Parameter(torch.randn(width))
        self.head = nn.Linear(width, answers)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        A, h, states = self.A[words], self.initial.expand(len(words), -1), []
        for t in range(words.shape[1]):
            h = torch.einsum("bij,bj->bi", A[:, t], h)
            states.append(h)
        return self.head(torch.stack(states, dim=1))


class TanhCell(nn.Module):
    """h_t = tanh(W x_t + U h_(t-1) + b) from 0, and a head with one hidden layer: ``nn.RNN``, written so that networks can be stacked."""

    def __init__(self, letters: int, answers: int, width: int) -> None:
        super().__init__()
        self.into = nn.Parameter(torch.randn(letters, width) / 2)
        self.U = nn.Parameter(1.5 * torch.randn(width, width) / width**0.5)
        self.b = nn.Parameter(torch.zeros(width))
        self.head = nn.Sequential(nn.Linear(width, 16), nn.ReLU(), nn.Linear(16, answers))

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        x, states = self.into[words] + self.b, []
        h = torch.zeros_like(x[:, 0])
        for t in range(words.shape[1]):
            h = torch.tanh(x[:, t] + h @ self.U.T)
            states.append(h)
        return self.head(torch.stack(states, dim=1))

    def as_rnn(self) -> Read:
        """The same network around PyTorch's own layer."""
        letters, width = self.into.shape
        core: Any = nn.RNN(letters, width, batch_first=True)
        with torch.no_grad():
            for name, entries in {"weight_ih": self.into.T, "weight_hh": self.U, "bias_ih": self.b, "bias_hh": torch.zeros(width)}.items():
                getattr(core, f"{name}_l0").copy_(entries)
        return Read(torch.eye(letters).tolist(), core, self.head)


@cache
def compiled(name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(A, initial, states) of the compiled layer with a coordinate that is always 1: (letters, n, n), (n,), (states of the automaton, n).

    Raises ``ValueError`` unless it is one layer that answers by its state alone.
    """
    automaton = task_named(name).automaton
    assert automaton is not None
    document = compile_automaton(automaton, prefer="narrow").document()
    layer, *above = document["layers"]
    state_of = {q: j for j, _, q in layer["decoder"]}
    if above or len({(j, q) for j, _, q in layer["decoder"]}) > len(state_of):
        raise ValueError(f"expected a task that one layer decides by its state, got {name!r}")
    numbers = LayerNumbers(layer, document["field"])
    maps, n = [f for *_, f in layer["letters"]], numbers.A.shape[-1]
    A = np.zeros((len(maps), n + 1, n + 1))
    A[:, :n, :n], A[:, :n, n], A[:, n, n] = numbers.A[maps], numbers.B[maps], 1
    states = np.pad(numbers.states, ((0, 0), (0, 1)), constant_values=1)
    return A, states[0], states[[state_of[q] for q in range(automaton.n)]]


def build(name: str, member: Member, task: Task) -> nn.Module:
    """A network before training, with its first weights."""
    letters, answers = len(task.letters), len(task.answers)
    if name == CELL:
        return TanhCell(letters, answers, TASKS[task.name])
    A, initial, states = compiled(task.name)
    n = len(initial)
    if name == DELTA:
        return Model(DELTA, letters, answers, n)
    network, noise = DenseMaps(letters, answers, n), DENSE[name]
    if noise is not None:
        # the largest of the scores 2 c.h - |c|^2 belongs to the nearest state c
        apart = ((states[:, None] - states) ** 2).sum(-1)
        scale = LEAD / apart[apart > 0].min()
        exact = {"A": A, "initial": initial, "head.weight": 2 * scale * states, "head.bias": -scale * (states**2).sum(-1)}
        with torch.no_grad():
            for parameter, weights in ((network.get_parameter(key), torch.from_numpy(x)) for key, x in exact.items()):
                parameter.copy_(weights + noise * weights.square().mean().sqrt() * torch.randn(weights.shape))
    return network


def for_certify(network: nn.Module) -> Any:
    """A trained network as ``certify`` reads it."""
    if isinstance(network, DenseMaps):
        return dense(*(x.detach().numpy() for x in (network.A, network.initial, network.head.weight, network.head.bias)))
    return network.as_rnn() if isinstance(network, TanhCell) else network


def run(size: Size, seed: int, task: str, network: str) -> Run:
    """The run of a point: a whole stack, whose networks have the seeds from 0 on."""
    return Run(task, network, seed, TASKS[task], size.steps, 2, size.longest, rate=1e-2)


def measure(run: Run, folder: Path | None, progress: Progress | None, device: torch.device | None, size: Size) -> dict[str, Any]:
    """Of every network of a stack: the numbers that the declaration names."""
    task = task_named(run.task)
    recipe = Recipe(steps=run.steps, shortest=run.shortest, longest=run.longest, batch=run.batch, first=min(4, run.longest), grown=0.5)
    stack = Stack(run.name, tuple(Member(run.kind, i, run.rate) for i in range(size.networks)), recipe)
    networks, _ = train_stack(stack, task, partial(build, run.kind), folder, progress)
    found = [judged(networks.network(i), task, size) for i in range(size.networks)]
    return {name: [one[name] for one in found] for name in found[0]}


def judged(network: nn.Module, task: Task, size: Size) -> dict[str, float]:
    """Tests on random words and on words of one letter, and what ``certify`` says of the weights as they are and of exact ones near them."""
    from ..api.certify import certify

    length, letters = LONGER * size.longest, len(task.letters)
    words, targets = task.sample(size.words, length, np.random.default_rng([0, TEST]))
    alone = np.repeat(np.arange(letters), length).reshape(letters, length)
    of_letter = first_wrong(network, alone, task.targets(alone))
    found = certify(for_certify(network), automaton=task.automaton, answers="states", limit=size.limit)
    near, wrong = found.report["nearby"], found.report["wrong"]
    weights, exact = codes(found)
    return {
        "random": float(first_wrong(network, words, targets).min()),
        "alone": float(of_letter.min()),
        "letter": float(of_letter.argmin()) if of_letter.min() <= length else np.nan,
        "weights": float(weights),
        "word": float(len(wrong["word"])) if wrong else np.nan,
        "exact": np.nan if exact is None else float(exact),
        "off": off_the_circle(network, task),
        "away": max(max(x for x in layer.values()) for layer in near["changed"]) if exact == 0 else np.nan,
    }


@torch.no_grad()
def off_the_circle(network: nn.Module, task: Task) -> float:
    """The largest |log r(A[x])| of dense maps over the letters x that permute the states, r the spectral radius: 0 if states last. nan for others."""
    if not isinstance(network, DenseMaps) or task.automaton is None:
        return np.nan
    permute = [len(set(images)) == task.automaton.n for images in task.automaton.table.values()]
    return float(max(abs(np.log(np.abs(np.linalg.eigvals(A)).max())) for A in network.A.double().numpy()[permute]))


@torch.no_grad()
def first_wrong(network: nn.Module, words: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """The place of the first wrong answer of each word, from 1 on; one more than the length if all are right."""
    said = network(torch.from_numpy(words)).argmax(-1).numpy()
    return np.logical_and.accumulate(said == targets, axis=1).sum(1) + 1


# -- what the data say ---------------------------------------------------------------------------------------------------------


def tested(data: xr.Dataset) -> int:
    """The length of the test words."""
    return LONGER * data.attrs["longest"]


def generalise(data: xr.Dataset) -> xr.DataArray:
    """The networks that are right on every random test word."""
    return data.random > tested(data)


def shortest(data: xr.Dataset) -> xr.DataArray:
    """The letters of the shortest wrong word that is known besides random ones; nan where none is."""
    return np.fmin(data.alone.where(data.alone <= tested(data)), data.word)


def outcomes(data: xr.Dataset) -> dict[str, xr.DataArray]:
    """The networks by what became of them."""
    random, right, wrong = generalise(data), data.weights == 0, shortest(data).notnull()
    return {
        "right at every length, proved": right,
        "right on random words, not decided": random & ~wrong & ~right,
        "right on random words, wrong on another word": random & wrong,
        "wrong on a random word": ~random & ~right,
    }


def lasting(data: xr.Dataset) -> bool:
    """Whether no network is right on random words and wrong on another."""
    return not bool(outcomes(data)["right on random words, wrong on another word"].any())


def counted(data: xr.Dataset) -> str:
    """How many networks are right on all random words, and what is known of them."""
    kinds, all_random = outcomes(data), generalise(data)
    proved, _, caught, _ = (int((kind & all_random).sum()) for kind in kinds.values())
    words = shortest(data).where(all_random)
    least = f", the shortest with {int(words.min())} letters" if caught else ""
    return f"{int(all_random.sum())} of {all_random.size} networks right on random words, {caught} of them wrong on another word{least}, {proved} proved right"


def learnt_wrong(data: xr.Dataset) -> str:
    """For each task the letters whose repetitions are wrong first, with the number of networks, among those that are right on random words."""
    found = []
    for task in data.task.values:
        letters = data.letter.sel(task=task).where(generalise(data.sel(task=task)))
        names = task_named(str(task)).letters
        counts = {name: int((letters == i).sum()) for i, name in enumerate(names)}
        if any(counts.values()):
            found.append(f"{task}: " + ", ".join(f"{name} in {count}" for name, count in counts.items() if count))
    return "; ".join(found) or "none"


def clocks(data: xr.Dataset) -> xr.DataArray:
    """The networks that go wrong on repetitions of one letter at a length at which they are right on random words: the length alone moves their state."""
    return data.alone < data.random


def near_exact(data: xr.Dataset) -> str:
    """How many networks have exact weights near by, and how far away those are."""
    away = data.away.values[np.isfinite(data.away.values)]
    if not away.size:
        return "none"
    return f"{away.size}, entries off by {np.median(away):.1g} in the median and {away.max():.1g} at most"


def rest(data: xr.Dataset) -> str:
    """Clocks, exact weights near by, letters, and how it was trained."""
    by_network = ", ".join(f"{name} {int(clocks(data.sel(network=name)).sum())}" for name in data.network.values)
    return (
        f"clocks in disguise, wrong on repetitions of a letter before any random word: {by_network} of {data.sizes['task'] * data.sizes['member']} each; "
        f"networks with exact weights near by: {near_exact(data)}; "
        f"repetitions of a letter wrong first, of networks right on random words: {learnt_wrong(data).replace(';', ',')}; "
        f"|log| of a letter's spectral radius in dense maps: {float(data.off.min()):.1g} at least, {float(data.off.median()):.1g} in the median; "
        f"trained on at most {data.attrs['longest']} letters in {data.attrs['steps']} steps, tested on {data.attrs['words']} random words of {tested(data)}"
    )


COLOURS = ((style.GREEN, ""), (style.SKY, "//"), (style.VERMILION, ""), (style.PALE, ".."))
LABELS = {"dense": "dense", "dense, from near": "dense, from\ncompiled ± 3 %", DELTA: "delta rule,\ntwo factors", CELL: "tanh"}


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Above: networks by outcome; below: of those right on random words, the shortest wrong word."""
    figure = style.new_figure(EXPERIMENT.finding, 13, 7.5)
    panels = figure.subplots(2, data.sizes["task"], sharex="row", sharey="row", squeeze=False, height_ratios=(3, 2))
    at = np.arange(data.sizes["network"])
    for (above, below), task in zip(panels.T, data.task.values, strict=True):
        there, left = data.sel(task=task).isel(seed=0), np.zeros(len(at))
        for (label, kind), (colour, hatch) in zip(outcomes(there).items(), COLOURS, strict=True):
            count = kind.sum("member").values
            above.barh(at, count, left=left, color=colour, hatch=hatch, edgecolor="white", label=label)
            left = left + count
        above.set(title=str(task), xlabel="networks", yticks=at, yticklabels=[LABELS[str(name)] for name in data.network.values])
        above.set_ylim(len(at) - 0.5, -0.5)
        words = shortest(there).where(generalise(there)).transpose("network", "member").values
        for i, row in enumerate(words):
            below.plot(row, i + np.linspace(-0.25, 0.25, len(row)), "o", color=style.VERMILION, ms=5, alpha=0.7)
        below.axvline(data.attrs["longest"], color=style.PURPLE, lw=1.2)
        below.axvline(tested(data), color=style.BLACK, lw=1.2, ls="--")
        below.set(xscale="log", xlabel="shortest wrong word (letters)", yticks=at, ylim=(len(at) - 0.5, -0.5))
        below.set_yticklabels([LABELS[str(name)] for name in data.network.values])
    panels[1, 0].text(data.attrs["longest"] * 1.1, -0.3, "longest in\ntraining", color=style.PURPLE, fontsize=9, va="top")
    panels[1, 0].text(tested(data) / 1.1, -0.3, "length of\nthe tests", fontsize=9, va="top", ha="right")
    figure.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


EXPERIMENT = Experiment(
    "new.generalising",
    topic="automata",
    place="right a hundred times as long, and at every length?",
    finding="Of 68 networks that are right on random words a hundred times as long, 41 are wrong on another word; one is proved right",
    sizes=SIZES,
    axes={"task": Axis(tuple(TASKS), "task"), "network": Axis(NETWORKS, "network")},
    run=run,
    measure=measure,
    found={
        "random": Found(
            "letters at the first wrong answer on random words, one more than the tested length without one", "letters", ("member",)
        ),
        "alone": Found("the same on words of one repeated letter", "letters", ("member",)),
        "letter": Found("index of the letter whose repetitions are wrong first", "1", ("member",)),
        "weights": Found("exit code of certify of the weights as they are: 0 right, 1 wrong, 3 not decided", "1", ("member",)),
        "word": Found("letters of a word on which certify shows the weights to be wrong", "letters", ("member",)),
        "exact": Found("exit code of certify of exact weights near by", "1", ("member",)),
        "off": Found("largest |log| of the spectral radius of dense maps of letters that permute the states", "1", ("member",)),
        "away": Found("largest change of an entry to those exact weights", "1", ("member",)),
    },
    along={"member": Axis(lambda size: range(size.networks), "seed of the network", "1")},
    attributes=lambda size: {"steps": size.steps, "longest": size.longest, "words": size.words},
    observations=(
        Observation(
            "a network that is right on random words a hundred times as long is right at every length",
            "",
            lambda data: lasting(data) if generalise(data).any() else "no such network",
            counted,
            over=each("network"),
        ),
    ),
    rest=rest,
    remarks=(
        "Where letters reset the state, random words need a memory back to the last reset alone. Repetitions of the letter that keeps a bit show that.",
        "A delta rule's strength is a sigmoid, which never reaches the ends of its range (`grazzi25.prop1.3`). So its states fade, and a head with biases errs at last.",
        "States of dense maps grow or fade, since no spectral radius is 1. Rounding errors that are read add up besides (`new.automata.horizon`).",
        "A tanh layer can correct its state. One parity is proved right at every length; for the others not decided the boxes of `certify` do not close.",
        "There was one rate, one recipe and the least widths. Wrong is meant of the numbers in float32, as `certify` says.",
    ),
    picture=draw,
)
