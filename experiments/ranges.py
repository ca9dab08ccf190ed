"""Eigenvalues in [0, 1] against [-1, 1]: one layer on parity and on S_3 (grazzi25, Fig. 1, Table 3, Fig. 4, with S_3 for S_5 and one layer).

Trained on short words, tested on longer ones. Beside it what the table of models and tasks predicts, and the compiled network.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import torch
import xarray as xr

from . import grid
from .grid import Asked, Size, Table, agreement, said
from .layers import Model
from .many import Tick
from .scales import chosen
from .tasks import task_named
from .training import Heard, Run, accuracy, train
from .words import of_seeds

#: layer -> the class of transitions in the table of models and tasks
MODELS = {
    "diagonal [0, 1]": "diagonal-nonnegative",
    "diagonal [-1, 1]": "diagonal-signed",
    "DeltaNet [0, 1]": "delta-nonnegative",
    "DeltaNet [-1, 1]": "delta-signed",
    "DeltaProduct_2 [-1, 1]": "householder-2",
}


#: words of () and one swap are those of parity
ASKED = {
    "parity": Asked("parity", "parity"),
    "S3.swaps": Asked("S3", "parity", {"DeltaNet [-1, 1]": "grazzi25.thm3"}),
    "S3": Asked("S3", "S3"),
}


TABLE = Table(tuple(ASKED), tuple(MODELS), "grazzi25, Figures 1 and 4, Table 3")

#: the topic whose theorems predict what is seen
TOPIC = "parity"

SIZES = {
    "smoke": Size(1, 2, 4, 8, 16, 2),
    "quick": Size(3, 150, 16, 64, 512, 4),
    "desk": Size(3, 700, 40, 256, 512, 4),
    "paper": Size(3, 30000, 40, 256, 8192, 16),
}

#: right enough: the scaled accuracy that counts, in the best of the seeds
ENOUGH = 0.9


def runs(scale: str = "quick", seeds: int | None = None) -> list[Run]:
    """All runs of a scale, in order. Raises ``ValueError`` for an unknown scale and for fewer than one seed."""
    size, from_seeds = chosen(SIZES, scale, seeds)

    def run(task: str, kind: str, seed: int) -> Run:
        return Run(task, kind, seed, size.width, size.steps, min(3, size.longest), size.longest, rate=3e-2)

    return TABLE.runs(size, len(from_seeds), run)


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
    least = {"long_name": "least real part of the eigenvalues of the letters' transitions", "units": "1"}
    return TABLE.measured(planned, size, partial(measure, size=size), {"scale": scale}, folder, device, tick, jobs, {"least": least})


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


def reach(data: xr.Dataset) -> xr.DataArray:
    """The length up to which the best seed is right enough at every length that is listed, (task, layer); 0 if at none."""
    guess = xr.DataArray([1 / len(task_named(str(t)).answers) for t in data.task.values], dims="task")
    return grid.reach((data.accuracy - guess) / (1 - guess), ENOUGH)


def outcome(data: xr.Dataset) -> str:
    """Whether the paper's observation holds here, and how many cells go as the table predicts. ``data`` has ``predicted`` (task, layer) as well.

    A layer has learnt a task if it is right enough past the lengths that it was trained on.
    """
    trained, found = data.attrs["longest"], reach(data)
    learnt = found > trained

    def holds(task: str, kinds: list[str], which: list[str]) -> str:
        return "yes" if all(bool(learnt.sel(task=task, layer=kind)) == (kind in which) for kind in kinds) else "no"

    nearest = data.least.sel(task="parity").min("seed")
    four = [kind for kind in MODELS if not kind.startswith("DeltaProduct")]
    return (
        f"'parity is learnt with eigenvalues in [-1, 1] and not in [0, 1]': {holds('parity', four, ['diagonal [-1, 1]', 'DeltaNet [-1, 1]'])} "
        f"(right up to length: {said(found, 'parity', four)}); 'of single layers only DeltaNet [-1, 1] learns the swaps of S_n': "
        f"{holds('S3.swaps', four, ['DeltaNet [-1, 1]'])} ({said(found, 'S3.swaps', four)}); trained up to length {trained}, tested up to "
        f"{int(data.length[-1])}, scaled accuracy {ENOUGH} or more, {of_seeds('best', data.sizes['seed'])}, width {data.attrs['width']}, "
        f"{data.attrs['steps']} steps; {agreement(data, learnt)}; the compiled networks: {float(data.compiled.min()):.0%} at worst; "
        f"eigenvalue nearest to -1 on parity, which exact weights have: {', '.join(f'{k} {float(nearest.sel(layer=k)):.3f}' for k in four)}"
    )
