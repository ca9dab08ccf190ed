"""S_5 by one layer: swaps, letters that move three points, several tokens for an element, all letters; and the cyclic group C_60 (grazzi25, Figs. 4, 7, 8).

Beside the paper's layers stand products of more factors, which have weights for all of S_5, and its baseline with full matrices. The state is square.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import torch
import xarray as xr
from torch import nn

from .grid import Asked, Size, Table, agreement, reach, said
from .layers import Model
from .many import Tick
from .scales import chosen
from .tasks import Task, task_named
from .training import Heard, Run, accuracy, train
from .words import of_seeds

#: a layer whose betas begin near 2: its first transitions are nearly orthogonal, where a sigmoid of 0 begins near projections
REFLECTING = "DeltaProduct_4 [-1, 1], first reflections"

#: layer -> the class of transitions in the table of models and tasks
MODELS = {
    "Mamba [0, 1]": "diagonal-nonnegative",
    "Mamba [-1, 1]": "diagonal-signed",
    "DeltaNet [0, 1]": "delta-nonnegative",
    "DeltaNet [-1, 1]": "delta-signed",
    "DeltaProduct_2 [-1, 1]": "householder-2",
    "DeltaProduct_4 [-1, 1]": "householder-4",
    REFLECTING: "householder-4",
    "full matrix": "dense",
}

#: words of () and one swap are those of parity; the letters that move 0, 1 and 2 only are those of S_3; every n-th token alone is a letter of the group
ASKED = {
    "S5.swaps": Asked("S5", "parity", {layer: "grazzi25.thm3" for layer in MODELS if "[-1, 1]" in layer and layer[:5] == "Delta"}),
    "S5.threes": Asked("S5", "S3", {layer: "grazzi25.thm3" for layer in MODELS if layer.startswith("DeltaProduct")}),
    "S5.tokens4": Asked("regular", "parity"),
    "S5": Asked("S5", "S5"),
    "C60": Asked("abelian", "mod3"),
    "C60.tokens2": Asked("regular", "parity"),
}

#: tokens for an element, where more than one: words have as many elements
TOKENS = {"S5.tokens4": 4, "C60.tokens2": 2}

#: so many times as many steps, and words in a step, as for the others: each of many letters is seen less often
STEPS = {"S5": 2.0, "S5.tokens4": 0.5, "C60": 1.25, "C60.tokens2": 0.5}
WORDS = {"S5": 2, "C60": 2}

TABLE = Table(tuple(ASKED), tuple(MODELS), "grazzi25, Figures 4, 7 and 8", whole=True)

SIZES = {
    "smoke": Size(1, 1, 2, 8, 4, 2, 4),
    "quick": Size(1, 120, 4, 32, 64, 5, 32),
    "desk": Size(3, 800, 6, 96, 128, 5),
    "paper": Size(3, 30000, 32, 500, 8192, 32, 512),
}

#: hidden units of the decoder, which has up to 120 answers; and the bias of beta of a layer that begins with reflections, beta = 2 sigmoid(3) = 1.9
HIDDEN, REFLECTS = 128, 3.0

#: scale -> tasks with one seed, unless a number of seeds is asked for: those that take longest
ONCE = {"desk": ("S5.tokens4", "C60.tokens2")}

#: learnt: so many of the test words are right past the trained length, in the best of the seeds
ENOUGH = 0.9


def runs(scale: str = "quick", seeds: int | None = None) -> list[Run]:
    """All runs of a scale, in order; a task of ``ONCE`` has one seed unless ``seeds`` says otherwise. Raises ``ValueError`` for an unknown scale and for fewer than one seed."""
    size, from_seeds = chosen(SIZES, scale, seeds)

    def run(task: str, kind: str, seed: int) -> Run:
        tokens = TOKENS.get(task, 1)
        steps = max(1, round(STEPS.get(task, 1) * size.steps))
        return Run(task, kind, seed, size.width, steps, 2 * tokens, size.longest * tokens, size.batch * WORDS.get(task, 1))

    planned = TABLE.runs(size, len(from_seeds), run)
    once = ONCE.get(scale, ()) if seeds is None else ()
    return [r for r in planned if r.seed == 0 or r.task not in once]


def build(run: Run, task: Task) -> Model:
    """The model of a run: a state as wide as it is high."""
    kind = "DeltaProduct_4 [-1, 1]" if run.kind == REFLECTING else run.kind
    model = Model(kind, len(task.letters), len(task.answers), run.width, hidden=HIDDEN, columns=run.width)
    if run.kind == REFLECTING:
        nn.init.constant_(model.layers[0].strength.bias, REFLECTS)
    return model


def compute(
    scale: str = "quick",
    seeds: int | None = None,
    folder: Path | None = None,
    device: torch.device | None = None,
    tick: Tick | None = None,
    jobs: int = 1,
) -> xr.Dataset:
    """Sequence accuracies (task, layer, seed, length) of all runs and of the compiled networks (task, length), the longest words in training (task).

    ``folder`` keeps checkpoints and finished runs; ``tick`` hears how far it is; ``jobs`` processes share the runs.
    """
    planned, size = runs(scale, seeds), SIZES[scale]
    data = TABLE.measured(planned, size, partial(measure, size=size), {"scale": scale}, folder, device, tick, jobs)
    longest = {run.task: run.longest for run in planned}
    trained = {"long_name": "longest word in training", "units": "letters"}
    return data.assign(trained=("task", [longest[task] for task in TABLE.tasks], trained))


def measure(run: Run, folder: Path | None, heard: Heard | None, device: torch.device | None, size: Size) -> dict[str, Any]:
    """Of one trained run: the sequence accuracy at every length."""
    model = train(run, folder, heard, device, build=build)
    found = accuracy(lambda words: model(words.to(device)).argmax(-1), task_named(run.task), size.tested, size.words, run.seed, TABLE.whole)
    return {"accuracy": found.tolist()}


def outcome(data: xr.Dataset) -> str:
    """Whether the paper's observations hold here, and how many cells go as the table predicts. ``data`` has ``predicted`` (task, layer) as well."""
    found = reach(data.accuracy, ENOUGH)
    learnt = found > data.trained

    def yes(holds: Any) -> str:
        return "yes" if bool(holds) else "no"

    delta, paper = "DeltaNet [-1, 1]", [layer for layer in MODELS if layer.startswith(("Mamba", "DeltaNet"))]
    products = [layer for layer in MODELS if layer.startswith("DeltaProduct")]
    swaps = learnt.sel(task="S5.swaps")
    alone = swaps.sel(layer=delta) & ~swaps.sel(layer=[layer for layer in paper if layer != delta]).any()
    # in elements of the group, of which a word with several tokens for each has fewer
    elements = (found / data.trained * data.attrs["longest"]).sel(layer=delta)
    others = ["S5.threes", "S5.tokens4", "S5"]
    harder = elements.sel(task=others).max() < elements.sel(task="S5.swaps")
    groups = [task for task in data.task.values if not str(task).startswith("S5.swaps")]
    by_full = found.sel(layer="full matrix")
    counted = data.accuracy.notnull().any(("layer", "length")).sum("seed")
    once = [str(task) for task in data.task.values if counted.sel(task=task) == 1 < data.sizes["seed"]]
    fewer = f" ({', '.join(once)}: one)" if once else ""
    full = learnt.sel(layer="full matrix", task=["S5.swaps", "S5.threes", "S5"]).all()
    return (
        f"'of single layers DeltaNet [-1, 1] learns the swaps of S_5, DeltaNet [0, 1] and Mamba do not': {yes(alone)} "
        f"(right up to length: {said(found, 'S5.swaps', paper)}); 'with letters that move more points it goes less far': {yes(harder)} "
        f"(in elements: {', '.join(f'{task} {float(elements.sel(task=task)):.3g}' for task in others)}); "
        f"'a full matrix should be able to learn S_5 however the letters move': {yes(full)} ({', '.join(f'{task} {float(by_full.sel(task=task)):.3g}' for task in data.task.values)}); "
        f"more factors, which the paper does not train: {'; '.join(f'{task}: {said(found, str(task), products)}' for task in groups)}; "
        f"C60: {said(found, 'C60', paper)}; with two tokens: {said(found, 'C60.tokens2', paper)}; trained up to "
        f"{data.attrs['longest']} elements, tested up to {int(data.length[-1])} letters, sequence accuracy {ENOUGH} or more, {of_seeds('best', data.sizes['seed'])}{fewer}, "
        f"width {data.attrs['width']}, {data.attrs['steps']} steps ({', '.join(f'{task}: {times:g} times' for task, times in STEPS.items())} that; "
        f"{' and '.join(WORDS)} with twice the words); {agreement(data, learnt)}"
    )
