"""S_5 by one layer: swaps, letters that move three points, four tokens for an element, all letters; and the cyclic group of order 60 (grazzi25, Figs. 4, 7, 8)."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import torch
import xarray as xr

from .grid import Asked, Size, Table, agreement, reach, said
from .many import Tick
from .scales import chosen
from .tasks import task_named
from .training import Heard, Run, accuracy, train

#: layer -> the class of transitions in the table of models and tasks
MODELS = {
    "diagonal [-1, 1]": "diagonal-signed",
    "DeltaNet [0, 1]": "delta-nonnegative",
    "DeltaNet [-1, 1]": "delta-signed",
    "DeltaProduct_2 [-1, 1]": "householder-2",
    "DeltaProduct_4 [-1, 1]": "householder-4",
}

#: words of () and one swap are those of parity; the letters that move 0, 1 and 2 only are those of S_3; every fourth token alone is a letter of S_5
ASKED = {
    "S5.swaps": Asked("S5", "parity", {layer: "grazzi25.thm3" for layer in MODELS if layer.endswith("[-1, 1]") and layer[:5] == "Delta"}),
    "S5.threes": Asked("S5", "S3", {layer: "grazzi25.thm3" for layer in MODELS if layer.startswith("DeltaProduct")}),
    "S5.tokens4": Asked("regular", "parity"),
    "S5": Asked("S5", "S5"),
    "C60": Asked("abelian", "mod3"),
}

TABLE = Table(tuple(ASKED), tuple(MODELS), "grazzi25, Figures 4, 7 and 8", whole=True)

SIZES = {
    "smoke": Size(1, 1, 4, 4, 4, 2, 4),
    "quick": Size(1, 270, 5, 20, 128, 6, 96),
    "desk": Size(2, 300, 10, 128, 256, 6),
    "paper": Size(3, 30000, 32, 500, 8192, 16, 512),
}

#: learnt: so many of the test words are right past the trained length, in the best of the seeds
ENOUGH = 0.9


def runs(scale: str = "quick", seeds: int | None = None) -> list[Run]:
    """All runs of a scale, in order. Raises ``ValueError`` for an unknown scale and for fewer than one seed."""
    size, from_seeds = chosen(SIZES, scale, seeds)

    def run(task: str, kind: str, seed: int) -> Run:
        return Run(task, kind, seed, size.width, size.steps, 2, size.longest, size.batch)

    return TABLE.runs(size, len(from_seeds), run)


def compute(
    scale: str = "quick",
    seeds: int | None = None,
    folder: Path | None = None,
    device: torch.device | None = None,
    tick: Tick | None = None,
    jobs: int = 1,
) -> xr.Dataset:
    """Sequence accuracies (task, layer, seed, length) of all runs, and of the compiled networks (task, length).

    ``folder`` keeps checkpoints and finished runs; ``tick`` hears how far it is; ``jobs`` processes share the runs.
    """
    planned, size = runs(scale, seeds), SIZES[scale]
    return TABLE.measured(planned, size, partial(measure, size=size), {"scale": scale}, folder, device, tick, jobs)


def measure(run: Run, folder: Path | None, heard: Heard | None, device: torch.device | None, size: Size) -> dict[str, Any]:
    """Of one trained run: the sequence accuracy at every length."""
    model = train(run, folder, heard, device)
    found = accuracy(lambda words: model(words.to(device)).argmax(-1), task_named(run.task), size.tested, size.words, run.seed, TABLE.whole)
    return {"accuracy": found.tolist()}


def outcome(data: xr.Dataset) -> str:
    """Whether the paper's observations hold here, and how many cells go as the table predicts. ``data`` has ``predicted`` (task, layer) as well."""
    trained, found = data.attrs["longest"], reach(data.accuracy, ENOUGH)
    learnt = found > trained

    def yes(holds: Any) -> str:
        return "yes" if bool(holds) else "no"

    delta, paper = "DeltaNet [-1, 1]", [layer for layer in MODELS if not layer.startswith("DeltaProduct")]
    swaps = learnt.sel(task="S5.swaps")
    alone = swaps.sel(layer=delta) & ~swaps.sel(layer=[layer for layer in paper if layer != delta]).any()
    harder = found.sel(layer=delta, task=["S5.threes", "S5.tokens4", "S5"]).max() < found.sel(layer=delta, task="S5.swaps")
    return (
        f"'of single layers DeltaNet [-1, 1] learns the swaps of S_5, DeltaNet [0, 1] and the diagonal one do not': {yes(alone)} "
        f"(right up to length: {said(found, 'S5.swaps', paper)}); 'with letters that move more points it goes less far': {yes(harder)} "
        f"({'; '.join(f'{task} {float(found.sel(task=task, layer=delta)):.3g}' for task in ('S5.threes', 'S5.tokens4', 'S5'))}); "
        f"more factors, which the paper does not train: on S5.threes {said(found, 'S5.threes', list(MODELS)[3:])}, on S5 {said(found, 'S5', list(MODELS)[3:])}; "
        f"C60: {said(found, 'C60', list(MODELS))}; trained up to length {trained}, tested up to {int(data.length[-1])}, sequence accuracy {ENOUGH} or more, "
        f"best of {data.sizes['seed']} seeds, width {data.attrs['width']}, {data.attrs['steps']} steps; {agreement(data, learnt)}"
    )
