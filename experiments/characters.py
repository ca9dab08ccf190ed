"""Language modelling, character by character: does depth help, at the same width and at the same number of parameters (lizaire26, Fig. 9)?

RNN and CPRNN have tanh in the recurrence; S4 is in its diagonal form. Beside them n-gram models, counted on the same part of the text. A character of the test is
predicted from at least half as many before it as a piece of the training has, and never from more.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr
from torch import nn
from torch.nn import functional

from ..numerics.progress import Progress
from .bilinear_layers import DeepRNN, parameters_counted
from .experiment import ByHand
from .many import measure_all
from .scales import chosen, nearest_width
from .state_space_layers import DeepS4D
from .tasks import Task
from .text import best_ngram, following, text_of
from .training import Run, train
from .words import of_seeds, yes

KINDS = ("RNN", "CPRNN", "S4D")

#: of 0.003, 0.01 and 0.03 the best in short trials, by the part of the text that is for choosing; at 0.03 one CPRNN layer of width 64 diverged
RATE, RATE_OF_ONE_RNN = 0.01, 0.03

#: states of a feature of S4D
STATES = 16

#: n-gram models read so many letters
ORDERS = (0, 1, 2, 3)

#: bits per character: what counts as a difference
MARGIN = 0.02

MATCHED = ("width", "parameters")


@dataclass(frozen=True)
class Size:
    """Seeds, steps of training, widths of one layer, depths, letters of a piece, pieces of a step, pieces of the training part that are measured."""

    seeds: int
    steps: int
    bases: tuple[int, ...]
    depths: tuple[int, ...]
    length: int = 32
    batch: int = 32
    pieces: int = 500


SIZES = {
    "smoke": Size(1, 2, (4,), (1, 2), 8, 4, 10),
    "quick": Size(1, 150, (16, 64), (1, 2)),
    "desk": Size(3, 1000, (16, 64), (1, 2, 4)),
    "paper": Size(5, 20_000, (64, 128, 256, 512, 1024), (1, 2, 4), 64, 128),
}


class Characters(nn.Module):
    """A stack of layers on letters: indices (batch, T) to scores of the next letter (batch, T, letters)."""

    def __init__(self, kind: str, letters: int, width: int, depth: int):
        super().__init__()
        self.letters = letters
        if kind == "S4D":
            self.stack = DeepS4D(letters, letters, width, depth, STATES)
        else:
            self.stack = DeepRNN({"RNN": "tanh in the recurrence", "CPRNN": "CPRNN, tanh"}[kind], letters, letters, width, depth)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        return self.stack(functional.one_hot(words, self.letters).to(self.stack.readout.weight.dtype))


@cache
def counted(kind: str, letters: int, width: int, depth: int) -> int:
    """The parameters of a stack."""
    with torch.random.fork_rng(devices=[]):
        return parameters_counted(Characters(kind, letters, width, depth))


def matched_width(kind: str, letters: int, base: int, depth: int) -> int:
    """The width at which a stack has as many parameters as one layer of width ``base``, or as near as can be."""
    return nearest_width(lambda n: counted(kind, letters, n, depth), counted(kind, letters, base, 1), base)


def widths(kind: str, letters: int, size: Size) -> dict[tuple[str, int, int], int]:
    """(matched, depth, base) -> width."""
    equal = {("width", depth, base): base for depth in size.depths for base in size.bases}
    return equal | {("parameters", depth, base): matched_width(kind, letters, base, depth) for depth in size.depths for base in size.bases}


def runs(scale: str = "quick", seeds: int | None = None, text: Path | None = None) -> list[Run]:
    """All runs of a scale, in order. Raises ``ValueError`` for an unknown scale, fewer than one seed, and a text that is none."""
    size, numbers = chosen(SIZES, scale, seeds)
    read = text_of(text)
    sizes = [
        (kind, depth, n)
        for kind in KINDS
        for depth, n in dict.fromkeys((k, n) for (_, k, _), n in widths(kind, len(read.letters), size).items())
    ]
    rates = {("RNN", 1): RATE_OF_ONE_RNN}
    return [
        Run(
            read.name,
            kind,
            seed,
            n,
            size.steps,
            size.length,
            size.length,
            size.batch,
            rates.get((kind, depth), RATE),
            depth,
            variant=f"width {n}",
        )
        for seed in numbers
        for kind, depth, n in sizes
    ]


def build(run: Run, task: Task) -> Characters:
    """The stack that a run names."""
    return Characters(run.kind, len(task.letters), run.width, run.depth)


def measure(
    run: Run, folder: Path | None, progress: Progress | None, device: torch.device | None, size: Size, text: Path | None
) -> dict[str, Any]:
    """Of one trained run: bits per character on the test, and on as much of the training part as was asked for."""
    read = text_of(text)
    task = read.task()
    model = train(run, folder, progress, device, task=task, build=build)
    starts = np.linspace(0, len(read.training) - size.length - 1, size.pieces).astype(int)
    return {
        "bits": bits(model, task, read.test, np.arange(0, len(read.test) - size.length, size.length // 2), size.length),
        "training": bits(model, task, read.training, starts, size.length),
    }


@torch.no_grad()
def bits(model: nn.Module, task: Task, text: np.ndarray, starts: np.ndarray, length: int) -> float:
    """Bits per character over the second halves of the pieces of a text that begin at ``starts``."""
    words, targets = (torch.from_numpy(x).to(next(model.parameters()).device) for x in following(text, starts, length))
    scores = model(words)[:, length // 2 :].flatten(0, 1)
    return float(functional.cross_entropy(scores, targets[:, length // 2 :].flatten())) / log(2)


def compute(
    scale: str = "quick",
    seeds: int | None = None,
    folder: Path | None = None,
    device: torch.device | None = None,
    progress: Progress | None = None,
    jobs: int = 1,
    text: Path | None = None,
) -> xr.Dataset:
    """Bits per character (kind, matched, depth, base, seed), of the same width as one layer of width ``base`` or of as many parameters; and of n-gram models."""
    planned, size, read = runs(scale, seeds, text), SIZES[scale], text_of(text)
    results = measure_all(planned, partial(measure, size=size, text=text), folder, device, progress, jobs)
    found = {(run.kind, run.depth, run.width, run.seed): result for run, result in zip(planned, results, strict=True)}
    at = {"kind": list(KINDS), "matched": list(MATCHED), "depth": list(size.depths), "base": list(size.bases)}
    numbers = sorted({run.seed for run in planned})
    letters = len(read.letters)
    by_kind = {kind: widths(kind, letters, size) for kind in KINDS}
    wide = np.array([[[[by_kind[kind][m, k, n] for n in size.bases] for k in size.depths] for m in MATCHED] for kind in KINDS])

    def over(cell: Any, *more: int) -> np.ndarray:
        values = [cell(at["kind"][i], at["depth"][k], wide[i, m, k, n]) for i, m, k, n in np.ndindex(wide.shape)]
        return np.reshape(values, (*wide.shape, *more))

    def each(name: str) -> np.ndarray:
        return over(lambda kind, depth, n: [found.get((kind, depth, n, seed), {}).get(name, np.nan) for seed in numbers], len(numbers))

    unit = {"units": "bits per character"}
    ngrams = [best_ngram(read, order) for order in ORDERS]
    return xr.Dataset(
        {
            "bits": ((*at, "seed"), each("bits"), {"long_name": "on the test", **unit}),
            "training": ((*at, "seed"), each("training"), {"long_name": "on what was trained on", **unit}),
            "width": (tuple(at), wide, {"long_name": "width, or features of S4D", "units": "1"}),
            "parameters": (
                tuple(at),
                over(lambda kind, depth, n: counted(kind, letters, int(n), depth)),
                {"long_name": "parameters without initial states", "units": "1"},
            ),
            "ngram": ("order", [found for found, _ in ngrams], {"long_name": "n-gram model on the test", **unit}),
            "added": ("order", [k for _, k in ngrams], {"long_name": "what is added to every count", "units": "1"}),
        },
        {
            "kind": ("kind", at["kind"], {"long_name": "stack"}),
            "matched": ("matched", at["matched"], {"long_name": "what deeper stacks share with one layer of width base"}),
            "depth": ("depth", at["depth"], {"long_name": "layers", "units": "1"}),
            "base": ("base", at["base"], {"long_name": "width of one layer", "units": "1"}),
            "seed": ("seed", numbers, {"long_name": "random seed", "units": "1"}),
            "order": ("order", list(ORDERS), {"long_name": "letters that an n-gram model reads", "units": "1"}),
        },
        {
            "source": EXPERIMENT.source,
            "scale": scale,
            "steps": size.steps,
            "length": size.length,
            "text": read.name,
            "letters": letters,
            "trained": len(read.training),
            "tested": len(read.test),
        },
    )


def gains(data: xr.Dataset, matched: str) -> xr.DataArray:
    """By how many bits, in the median, a stack is better than one layer of the same width or of as many parameters; (kind, depth, base)."""
    middle = data.bits.median("seed").sel(matched=matched)
    return middle.isel(depth=0) - middle


def outcome(data: xr.Dataset) -> str:
    """Whether the paper's observations hold here. The claims say which functions weights can compute, and nothing about texts."""
    middle = data.bits.median("seed")
    deepest, second = int(data.depth[-1]), int(data.depth[1])

    def helps(kind: str, matched: str, depth: int = deepest) -> tuple[bool, str]:
        gain = gains(data, matched).sel(kind=kind, depth=depth)
        good = int((gain >= MARGIN).sum())
        return good == gain.size, f"{good} of {gain.size} (gains {', '.join(f'{float(x):.2f}' for x in gain)})"

    def said(kind: str) -> str:
        width, parameters = helps(kind, "width"), helps(kind, "parameters")
        return f"{kind}: depth {deepest} against 1 helps at the same width: {yes(width[0])}, at {width[1]}; at the same parameters: {yes(parameters[0])}, at {parameters[1]}"

    last = (gains(data, "width").sel(depth=deepest) - gains(data, "width").sel(depth=second)).sel(kind="CPRNN")
    best = {kind: float(middle.sel(kind=kind).min()) for kind in KINDS}
    same = middle.sel(matched="parameters")
    under = bool((same.sel(kind="S4D") > same.sel(kind=["RNN", "CPRNN"]).max("kind")).all())
    product = (middle.sel(kind="RNN", matched="width") - middle.sel(kind="CPRNN", matched="width")).sel(depth=[1, second])
    over = int((middle - data.training.median("seed") > MARGIN).sum())
    return (
        f"{'; '.join(said(kind) for kind in KINDS)}; 'depth helps RNNs by width and by parameters': {yes(helps('RNN', 'width')[0] and helps('RNN', 'parameters')[0])}; "
        f"'CPRNNs saturate after {second} layers': {yes(helps('CPRNN', 'width', second)[0] and bool((last < MARGIN).all()))}; 'depth helps S4 by width, with no clear benefit by parameters': "
        f"{yes(helps('S4D', 'width')[0] and not helps('S4D', 'parameters')[0])}; 'small S4 is worse than RNNs and CPRNNs at every depth': {yes(under)}; "
        f"'CPRNNs are better than RNNs with 1 and {second} layers at the same width': {yes(bool((product > 0).all()))}, at {int((product > 0).sum())} of {product.size}; "
        f"no claim predicts any of this; best medians {', '.join(f'{kind} {b:.2f}' for kind, b in best.items())} bits per character, n-gram models of order "
        f"{', '.join(f'{int(o)}: {float(b):.2f}' for o, b in zip(data.order, data.ngram, strict=True))}; better than the best of these: {int((middle < data.ngram.min()).sum())} of {middle.size} sizes; "
        f"worse on the test than on what was trained on by {MARGIN} bits: {over} of {middle.size}; a difference counts from {MARGIN} bits on; "
        f"{of_seeds('medians', data.sizes['seed'])}, {data.attrs['steps']} steps, {data.attrs['text']}"
    )


EXPERIMENT = ByHand(
    "lizaire26.fig9",
    topic="depth",
    place="Figure 9",
    finding="A play, letter by letter: what depth adds",
    reads=("text",),
    planned=runs,
    computed=compute,
    said=outcome,
)
