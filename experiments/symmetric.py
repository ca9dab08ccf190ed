"""S_5 by one layer: swaps, letters that move three points, several tokens for an element, all letters; and the cyclic group C_60 (grazzi25, Figs. 4, 7, 8).

Beside the paper's layers stand products of more factors, which have weights for all of S_5, and its baseline with full matrices. The state is square.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr
from torch import nn

from ..numerics.progress import Progress
from .experiment import Asked, Observation, Picture
from .grid import Size, agreement, lengths, reach, said, word_table
from .layers import Delta, Model
from .tasks import Task, task_named
from .training import Run, accuracy, train
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


def run(size: Size, seed: int, task: str, layer: str) -> Run:
    """The run of a point: so many times as long and as often as its task asks for."""
    tokens = TOKENS.get(task, 1)
    steps = max(1, round(STEPS.get(task, 1) * size.steps))
    return Run(task, layer, seed, size.width, steps, 2 * tokens, size.longest * tokens, size.batch * WORDS.get(task, 1))


def build(run: Run, task: Task) -> Model:
    """The model of a run: a state as wide as it is high."""
    kind = "DeltaProduct_4 [-1, 1]" if run.kind == REFLECTING else run.kind
    model = Model(kind, len(task.letters), len(task.answers), run.width, hidden=HIDDEN, columns=run.width)
    if run.kind == REFLECTING:
        layer = model.layers[0]
        assert isinstance(layer, Delta)
        nn.init.constant_(layer.strength.bias, REFLECTS)
    return model


def measure(run: Run, folder: Path | None, progress: Progress | None, device: torch.device | None, size: Size) -> dict[str, Any]:
    """Of one trained run: the sequence accuracy at every length that is reported."""
    model = train(run, folder, progress, device, build=build)
    found = accuracy(lambda words: model(words.to(device)).argmax(-1), task_named(run.task), size.tested, size.words, run.seed, whole=True)
    return {"accuracy": found[np.array(lengths(size)) - 1].tolist()}


def learnt(data: xr.Dataset) -> xr.DataArray:
    """Which layers have learnt which task, (task, layer): right enough past the lengths that they were trained on."""
    return reach(data.accuracy, ENOUGH) > data.trained


def trained(size: Size, at: dict[str, list[Any]]) -> dict[str, Any]:
    """The longest word in training, (task)."""
    longest = [size.longest * TOKENS.get(task, 1) for task in at["task"]]
    return {"trained": ("task", longest, {"long_name": "longest word in training", "units": "letters"})}


def _elements(data: xr.Dataset) -> xr.DataArray:
    """How far DeltaNet [-1, 1] goes, (task), in elements of the group, of which a word with several tokens for each has fewer."""
    return (reach(data.accuracy, ENOUGH) / data.trained * data.attrs["longest"]).sel(layer=DELTA)


DELTA, FULL = "DeltaNet [-1, 1]", "full matrix"
PAPER = [layer for layer in MODELS if layer.startswith(("Mamba", "DeltaNet"))]
PRODUCTS = [layer for layer in MODELS if layer.startswith("DeltaProduct")]
OTHERS = ["S5.threes", "S5.tokens4", "S5"]


def delta_alone(data: xr.Dataset) -> xr.DataArray:
    """Whether of the paper's single layers DeltaNet [-1, 1] and no other learns the swaps."""
    swaps = learnt(data).sel(task="S5.swaps")
    return swaps.sel(layer=DELTA) & ~swaps.sel(layer=[layer for layer in PAPER if layer != DELTA]).any()


def rest(data: xr.Dataset) -> str:
    """Layers that the paper does not train, how it was trained, and how many cells go as the table predicts."""
    found = reach(data.accuracy, ENOUGH)
    groups = [task for task in data.task.values if not str(task).startswith("S5.swaps")]
    counted = data.accuracy.notnull().any(("layer", "length")).sum("seed")
    once = [str(task) for task in data.task.values if counted.sel(task=task) == 1 < data.sizes["seed"]]
    fewer = f" ({', '.join(once)}: one)" if once else ""
    return (
        f"more factors, which the paper does not train: {'; '.join(f'{task}: {said(found, str(task), PRODUCTS)}' for task in groups)}; "
        f"C60: {said(found, 'C60', PAPER)}; with two tokens: {said(found, 'C60.tokens2', PAPER)}; trained up to "
        f"{data.attrs['longest']} elements, tested up to {int(data.length[-1])} letters, sequence accuracy {ENOUGH} or more, {of_seeds('best', data.sizes['seed'])}{fewer}; "
        f"width {data.attrs['width']}, {data.attrs['steps']} steps ({', '.join(f'{task}: {times:g} times' for task, times in STEPS.items())} that; "
        f"{' and '.join(WORDS)} with twice the words); {agreement(data, learnt(data))}"
    )


EXPERIMENT = word_table(
    "grazzi25.fig4",
    topic="automata",
    place="Figures 4, 7 and 8",
    finding="One layer on $S_5$ and $C_{60}$: none learns what it has no exact weights for; what has them is found by some seeds",
    tasks=tuple(ASKED),
    layers=tuple(MODELS),
    models=MODELS,
    asked=ASKED,
    whole=True,
    sizes=SIZES,
    run=run,
    measure=measure,
    besides=trained,
    once=lambda scale, task, layer: task in ONCE.get(scale, ()),
    observations=(
        Observation(
            "of single layers DeltaNet [-1, 1] learns the swaps of S₅, DeltaNet [0, 1] and Mamba do not",
            "Figure 4",
            delta_alone,
            lambda data: f"right up to length: {said(reach(data.accuracy, ENOUGH), 'S5.swaps', PAPER)}",
            "DeltaNet [-1, 1] has exact weights (grazzi25.thm3), with [0, 1] there are none (grazzi25.thm1)",
        ),
        Observation(
            "with letters that move more points it goes less far",
            "Figure 4",
            lambda data: _elements(data).sel(task=OTHERS).max() < _elements(data).sel(task="S5.swaps"),
            lambda data: f"in elements: {', '.join(f'{task} {float(_elements(data).sel(task=task)):.3g}' for task in OTHERS)}",
        ),
        Observation(
            "a full matrix should be able to learn S₅ however the letters move",
            "Figure 4",
            lambda data: learnt(data).sel(layer=FULL, task=["S5.swaps", "S5.threes", "S5"]).all(),
            lambda data: ", ".join(
                f"{task} {float(reach(data.accuracy, ENOUGH).sel(layer=FULL, task=task)):.3g}" for task in data.task.values
            ),
        ),
    ),
    rest=rest,
    remarks=(
        "The paper's layers have width 128 and five layers, and its words have 32 elements.",
        "The sizes were chosen on some twenty trials, most of them of DeltaProduct_4. They were enlarged after a run in which nothing was learnt from all letters.",
        "The first reflections are ours: betas begin near 1.9 instead of 1. With three seeds this start helps at most.",
        "Our Mamba has a convolution, so a transition depends on four letters; the table's classes depend on one.",
        "Where several tokens make an element there is one seed, and 400 steps are too few.",
        "Not run: five layers, and the paper's lengths.",
    ),
    picture=Picture(
        {
            "S5.swaps": "$S_5$, swaps and ()",
            "S5.threes": "$S_5$, up to three points moved",
            "S5.tokens4": "$S_5$, four tokens an element",
            "S5": "$S_5$, all 120 letters",
            "C60": "cyclic group of order 60",
            "C60.tokens2": "cyclic group, two tokens an element",
        },
        "share of words with all answers right",
        heading="in exact arithmetic, one layer:",
    ),
)
