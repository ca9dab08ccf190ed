"""Eigenvalues in [0, 1] against [-1, 1]: one layer on parity and on S_3 (grazzi25, Fig. 1, Table 3, Fig. 4, with S_3 for S_5 and one layer).

Trained on short words, tested on longer ones. Beside it what the table of models and tasks predicts, and the compiled network.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr

from ..constructions.automata.compiler import compile_automaton
from .layers import Model
from .many import Tick, measure_all
from .tasks import Task, task_named
from .training import Heard, Run, accuracy, train

#: layer -> the class of transitions in the table of models and tasks
MODELS = {
    "diagonal [0, 1]": "diagonal-nonnegative",
    "diagonal [-1, 1]": "diagonal-signed",
    "DeltaNet [0, 1]": "delta-nonnegative",
    "DeltaNet [-1, 1]": "delta-signed",
    "DeltaProduct_2 [-1, 1]": "householder-2",
}


@dataclass(frozen=True)
class Asked:
    """How the table answers for a task: whoever does ``harder`` does it, and whoever does it does ``easier``. ``built``: layer -> claim that it does."""

    harder: str
    easier: str
    built: dict[str, str] = field(default_factory=dict)


#: words of () and one swap are those of parity
ASKED = {
    "parity": Asked("parity", "parity"),
    "S3.swaps": Asked("S3", "parity", {"DeltaNet [-1, 1]": "grazzi25.thm3"}),
    "S3": Asked("S3", "S3"),
}


@dataclass(frozen=True)
class Size:
    """Seeds, steps of training, longest word in training, longest test word, number of test words, width."""

    seeds: int
    steps: int
    longest: int
    tested: int
    words: int
    width: int


SIZES = {
    "smoke": Size(1, 2, 4, 8, 16, 2),
    "quick": Size(3, 150, 16, 64, 512, 4),
    "desk": Size(5, 3000, 40, 256, 2048, 8),
    "paper": Size(3, 30000, 40, 256, 8192, 16),
}

#: right enough: the scaled accuracy that counts, in the best of the seeds
ENOUGH = 0.9


def runs(scale: str = "quick", seeds: int | None = None) -> list[Run]:
    """All runs of a scale, in order. Raises ``ValueError`` for an unknown scale and for fewer than one seed."""
    if scale not in SIZES:
        raise ValueError(f"expected a scale among {', '.join(s for s in SIZES if s != 'smoke')}, got {scale!r}")
    size = SIZES[scale]
    count = size.seeds if seeds is None else seeds
    if count < 1:
        raise ValueError(f"expected at least one seed, got {count}")
    return [
        Run(task, kind, seed, size.width, size.steps, min(3, size.longest), size.longest, rate=3e-2)
        for task in ASKED
        for kind in MODELS
        for seed in range(count)
    ]


def lengths(size: Size) -> list[int]:
    """Where accuracy is reported: 1, 2, 3, 4, 6, 8, 12, ... up to the longest test word."""
    steps = sorted({a * 2**k for a in (2, 3) for k in range(20)} | {1, size.longest, size.tested})
    return [n for n in steps if n <= size.tested]


def compute(
    scale: str = "quick",
    seeds: int | None = None,
    folder: Path | None = None,
    device: torch.device | None = None,
    tick: Tick | None = None,
    jobs: int = 1,
) -> xr.Dataset:
    """Accuracies (task, layer, seed, length) and least eigenvalues (task, layer, seed) of all runs, accuracies of the compiled networks (task, length).

    ``folder`` keeps checkpoints and finished runs; ``tick`` hears how far it is; ``jobs`` processes share the runs.
    """
    planned, size = runs(scale, seeds), SIZES[scale]
    at = lengths(size)
    results = measure_all(planned, partial(measure, size=size), folder, device, tick, jobs)
    found, least = [np.array(r["accuracy"])[np.array(at) - 1] for r in results], [r["least"] for r in results]
    count = len(planned) // (len(ASKED) * len(MODELS))
    right = {"long_name": "share of right answers after that many letters", "units": "1"}
    return xr.Dataset(
        {
            "accuracy": (("task", "layer", "seed", "length"), np.reshape(found, (len(ASKED), len(MODELS), count, len(at))), right),
            "least": (
                ("task", "layer", "seed"),
                np.reshape(least, (len(ASKED), len(MODELS), count)),
                {"long_name": "least real part of the eigenvalues of the letters' transitions", "units": "1"},
            ),
            "compiled": (("task", "length"), [_compiled(task_named(task), size)[np.array(at) - 1] for task in ASKED], right),
        },
        {
            "task": ("task", list(ASKED), {"long_name": "task"}),
            "layer": ("layer", list(MODELS), {"long_name": "layer and range of the eigenvalues"}),
            "seed": ("seed", np.arange(count), {"long_name": "random seed", "units": "1"}),
            "length": ("length", at, {"long_name": "length of the word", "units": "letters"}),
        },
        {"source": "grazzi25, Figures 1 and 4, Table 3", "scale": scale, "steps": size.steps, "longest": size.longest, "width": size.width},
    )


def measure(run: Run, folder: Path | None, heard: Heard | None, device: torch.device | None, size: Size) -> dict[str, Any]:
    """Of one trained run: the accuracy at every length and the least eigenvalue."""
    model = train(run, folder, heard, device)
    found = accuracy(lambda words: model(words.to(device)).argmax(-1), task_named(run.task), size.tested, size.words, run.seed)
    return {"accuracy": found.tolist(), "least": _least_eigenvalue(model)}


@torch.no_grad()
def _least_eigenvalue(model: Model) -> float:
    """The least real part among the eigenvalues of the letters' transitions."""
    letters = torch.eye(model.letters, device=next(model.parameters()).device)
    return float(model.layers[0].spectrum(letters[None]).real.min())


def _compiled(task: Task, size: Size) -> np.ndarray:
    """The share of right answers of the compiled network, in float64, at every place of the test words of seed 0."""
    assert task.automaton is not None
    # the answers of a word problem are the automaton's states, and so are those of parity
    return accuracy(compile_automaton(task.automaton).to_torch(), task, size.tested, size.words)


def reach(data: xr.Dataset) -> xr.DataArray:
    """The length up to which the best seed is right enough at every length that is listed, (task, layer); 0 if at none."""
    guess = xr.DataArray([1 / len(task_named(str(t)).answers) for t in data.task.values], dims="task")
    enough = (data.accuracy - guess) / (1 - guess) >= ENOUGH
    # of the seeds the one that goes furthest; before the first length that is not right, all are
    return (data.length * enough.astype(int).cumprod("length")).max(("length", "seed"))


def outcome(data: xr.Dataset) -> str:
    """Whether the paper's observation holds here, and how many cells go as the table predicts. ``data`` has ``predicted`` (task, layer) as well.

    A layer has learnt a task if it is right enough past the lengths that it was trained on.
    """
    trained, found = data.attrs["longest"], reach(data)
    learnt = found > trained

    def said(task: str, kinds: list[str]) -> str:
        return ", ".join(f"{kind} {int(found.sel(task=task, layer=kind))}" for kind in kinds)

    def holds(task: str, kinds: list[str], which: list[str]) -> str:
        return "yes" if all(bool(learnt.sel(task=task, layer=kind)) == (kind in which) for kind in kinds) else "no"

    nearest = data.least.sel(task="parity").min("seed")
    four = [kind for kind in MODELS if not kind.startswith("DeltaProduct")]
    return (
        f"'parity is learnt with eigenvalues in [-1, 1] and not in [0, 1]': {holds('parity', four, ['diagonal [-1, 1]', 'DeltaNet [-1, 1]'])} "
        f"(right up to length: {said('parity', four)}); 'of single layers only DeltaNet [-1, 1] learns the swaps of S_n': "
        f"{holds('S3.swaps', four, ['DeltaNet [-1, 1]'])} ({said('S3.swaps', four)}); trained up to length {trained}, tested up to "
        f"{int(data.length[-1])}, scaled accuracy {ENOUGH} or more, best of {data.sizes['seed']} seeds, width {data.attrs['width']}, "
        f"{data.attrs['steps']} steps; {_agreement(data, learnt)}; the compiled networks: {float(data.compiled.min()):.0%} at worst; "
        f"eigenvalue nearest to -1 on parity, which exact weights have: {', '.join(f'{k} {float(nearest.sel(layer=k)):.3f}' for k in four)}"
    )


def _agreement(data: xr.Dataset, learnt: xr.DataArray) -> str:
    """How many cells went as predicted, and which did not."""

    def cells(predicted: str, result: bool) -> str:
        chosen = [
            f"{kind} on {task}"
            for task in ASKED
            for kind in MODELS
            if data.predicted.sel(task=task, layer=kind).item() == predicted and bool(learnt.sel(task=task, layer=kind)) == result
        ]
        names = f" ({'; '.join(chosen)})" if chosen and (predicted == "open" or result != (predicted == "yes")) else ""
        return f"{len(chosen)}{names}"

    return (
        f"where weights exist: learnt {cells('yes', True)}, not learnt {cells('yes', False)}; where no exact ones do: not learnt {cells('no', False)}, "
        f"right past the trained length all the same {cells('no', True)}; where that is open: learnt {cells('open', True)}, not {cells('open', False)}"
    )
