"""Copy-first-input: a number in noise, kept by two blocks of bistable or linear units (degeeter26, Figs. 8 and 9), by several seeds.

Beside the trained models a layer by hand; and how often noise writes the trained bistable units. N(0, 0.1) is read as variance 0.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr

from ..numerics.progress import Progress
from .blocks import Block, Blocks, Cells, Reader, by_hand, loss_at_the_end
from .experiment import ByHand
from .many import measure_all
from .scales import chosen
from .tasks import Task, copy_first_input
from .training import TEST, Run, train
from .words import of_seeds, yes

#: thresholds as torch draws them, or at twice the candidates; linear units; and weights without training
TRAINED = ("BMRU", "BMRU, doubled", "LRU")
MODELS = (*TRAINED, "BMRU by hand")
VARIANCES = (1.0, 0.1)


@dataclass(frozen=True)
class Size:
    """Seeds, steps of training, the two trained lengths, the lengths of the test, test sequences, numbers between blocks
    and units in each, sequences on which writes are counted.
    """

    seeds: int
    steps: int
    trained: tuple[int, int]
    tested: tuple[int, ...]
    sequences: int
    width: int
    counted: int
    batch: int = 32
    rate: float = 1e-2


SIZES = {
    "smoke": Size(1, 2, (3, 4), (4, 6), 4, 3, 2),
    "quick": Size(2, 200, (10, 30), (100, 1000), 256, 12, 16),
    "desk": Size(5, 400, (50, 150), (100, 1000, 10_000), 32, 16, 64),
    "paper": Size(5, 84_400, (100, 300), (100, 1000, 10_000, 100_000), 6000, 256, 64, 64, 1e-3),
}

#: learnt: the mean squared error that counts, where saying 0 always has the error 1
ENOUGH = 0.5
#: how long a piece of a long test sequence is, and how many numbers are tested at the trained length for each sequence of the long test
PIECE, MORE = 2500, 16


def runs(scale: str = "quick", seeds: int | None = None) -> list[Run]:
    """All runs of a scale, in order. Raises ``ValueError`` for an unknown scale and for fewer than one seed."""
    size, numbers = chosen(SIZES, scale, seeds)
    return [
        Run(
            "copy-first-input",
            kind,
            seed,
            size.width,
            size.steps,
            length,
            length,
            size.batch,
            size.rate,
            depth=2,
            variant=f"length {length}",
        )
        for kind in TRAINED
        for length in size.trained
        for seed in numbers
    ]


def build(run: Run, task: Task) -> Blocks:
    """The paper's model with as many units in a block as numbers between the blocks."""
    cells = Cells(linear=run.width) if run.kind == "LRU" else Cells(bistable=run.width, doubled=run.kind == "BMRU, doubled")
    return Blocks(cells, task.features, 1, run.width, run.depth)


def compute(
    scale: str = "quick",
    seeds: int | None = None,
    folder: Path | None = None,
    device: torch.device | None = None,
    progress: Progress | None = None,
    jobs: int = 1,
) -> xr.Dataset:
    """Errors at the trained lengths (model, trained, seed), of those of the shorter one on longer sequences (model, seed, variance, length), how often noise writes a unit."""
    planned, size = runs(scale, seeds), SIZES[scale]
    found = measure_all(planned, partial(measure, size=size), folder, device, progress, jobs)
    count = len(planned) // (len(TRAINED) * len(size.trained))
    table = np.array(found, dtype=object).reshape(len(TRAINED), len(size.trained), count)
    hand = [measure_one(by_hand(size.width), size, length, None) for length in size.trained]
    at, longer = np.zeros((len(MODELS), len(size.trained), count)), np.zeros((len(MODELS), count, len(VARIANCES), len(size.tested)))
    for i, _ in enumerate(MODELS):
        for s in range(count):
            both = table[i, :, s] if i < len(TRAINED) else hand
            at[i, :, s], longer[i, s] = [f["error"] for f in both], both[0]["longer"]
    written = [[f["written"] for f in table[i, 0]] for i in range(2)]
    error = {"long_name": "mean squared error", "units": "1"}
    return xr.Dataset(
        {
            "error": (("model", "trained", "seed"), at, error),
            "longer": (("model", "seed", "variance", "length"), longer, error),
            "written": (
                ("kind", "seed", "variance", "block", "unit"),
                written,
                {"long_name": "share of the steps of noise that write a unit", "units": "1"},
            ),
        },
        {
            "model": ("model", list(MODELS), {"long_name": "units"}),
            "kind": ("kind", list(TRAINED[:2]), {"long_name": "bistable units"}),
            "trained": ("trained", list(size.trained), {"long_name": "trained length", "units": "steps"}),
            "seed": ("seed", np.arange(count), {"long_name": "random seed", "units": "1"}),
            "variance": ("variance", list(VARIANCES), {"long_name": "variance of the noise", "units": "1"}),
            "length": ("length", list(size.tested), {"long_name": "length of the test sequences", "units": "steps"}),
            "unit": ("unit", np.arange(size.width), {"long_name": "unit of a block", "units": "1"}),
            "block": ("block", [1, 2], {"long_name": "block", "units": "1"}),
        },
        {
            "source": EXPERIMENT.source,
            "scale": scale,
            "steps": size.steps,
            "width": size.width,
            "counted": size.counted * (PIECE - 1),
        },
    )


def measure(run: Run, folder: Path | None, progress: Progress | None, device: torch.device | None, size: Size) -> dict[str, Any]:
    """Of one trained model: ``measure_one``, and by variance how often noise writes each bistable unit."""
    model = train(run, folder, progress, device, task=copy_first_input(), build=build, loss=loss_at_the_end).eval()
    written = [writing(model, sqrt(v), size, device) for v in VARIANCES] if run.kind != "LRU" else None
    return {**measure_one(model, size, run.longest, device), "written": written}


def measure_one(model: Reader, size: Size, length: int, device: torch.device | None) -> dict[str, Any]:
    """The error at a trained length and, for the shorter one, by variance and length on longer sequences."""
    longer = [errors_at(model, size.tested, sqrt(v), size.sequences, device) for v in VARIANCES] if length == size.trained[0] else None
    return {"error": errors_at(model, [length], 1.0, MORE * size.sequences, device)[0], "longer": longer}


def errors_at(
    model: Reader, lengths: Sequence[int], sd: float, count: int, device: torch.device | None = None, seed: int = 0
) -> list[float]:
    """Mean squared errors after each of the increasing ``lengths``, on the same ``count`` sequences, read in pieces, with noise of standard deviation ``sd``."""
    rng = np.random.default_rng([seed, TEST])
    state, goal, errors = None, torch.zeros(0), []
    for first, x in _pieces(lengths, sd, count, rng):
        if first == 0:
            goal = torch.from_numpy(x[:, 0, 0])
        dtype = next(model.parameters()).dtype  # type: ignore[attr-defined]
        state = model.advance(torch.from_numpy(x).to(device, dtype), state)
        if first + x.shape[1] in lengths:
            errors.append(float(((model.said(state)[:, 0].double().cpu() - goal) ** 2).mean()))
    return errors


def _pieces(lengths: Sequence[int], sd: float, count: int, rng: np.random.Generator) -> Iterator[tuple[int, np.ndarray]]:
    """(steps before, inputs) of the pieces of sequences that are as long as the last of ``lengths``, cut at each of them."""
    ends = sorted({*lengths, *range(PIECE, lengths[-1], PIECE)})
    for first, end in zip([0, *ends], ends, strict=False):
        if first == 0:
            yield 0, copy_first_input(sd).sample(count, end, rng)[0]
        else:
            r = sd * rng.standard_normal((count, end - first))
            yield first, np.stack([r, np.zeros_like(r)], axis=-1)


@torch.no_grad()
def writing(model: Blocks, sd: float, size: Size, device: torch.device | None = None, seed: int = 0) -> list[list[float]]:
    """The share of steps of noise, after the flag, at which each unit of each block is written, |candidate| >= threshold; (block, unit)."""
    y = model.encoder(
        torch.from_numpy(copy_first_input(sd).sample(size.counted, PIECE, np.random.default_rng([seed, TEST]))[0]).to(device).float()
    )
    shares = []
    for block in model.blocks:
        assert isinstance(block, Block)
        layer, read = block.onward.bistable, block.norm(y.mT).mT
        assert layer is not None
        writes = layer.candidate(read).abs() >= layer.threshold(read).abs()
        shares.append(writes[:, 1:].double().mean((0, 1)).tolist())
        y, _ = block(y)
    return shares


def untouched(data: xr.Dataset) -> xr.DataArray:
    """The share of units that no step of the counted noise wrote, (kind, seed, variance, block)."""
    return (data.written == 0).mean("unit")


def outcome(data: xr.Dataset) -> str:
    """Do the paper's three observations hold here: medians over the seeds; and what ``new.bistable.noise`` predicts of the first block."""
    at, longer = data.error.median("seed"), data.longer.median("seed")
    short, long = (int(t) for t in data.trained)

    def said(values: xr.DataArray) -> str:
        return ", ".join(f"{m} {float(values.sel(model=m)):.3f}" for m in MODELS)

    learnt = at < ENOUGH
    best = data.longer.sel(model=list(TRAINED[:2])).median("seed")
    chosen_ = str(best.isel(length=0).sum("variance").idxmin().item())
    bistable, linear = longer.sel(model=chosen_), longer.sel(model="LRU")
    only = bool(learnt.sel(model=list(TRAINED[:2]), trained=long).any()) and not bool(learnt.sel(model="LRU", trained=long))
    forgets = bool((linear.isel(length=-1) >= ENOUGH).all())
    quiet = bistable.sel(variance=0.1)
    unaffected = float(quiet[-1]) <= 1.1 * float(quiet[0]) and float(quiet[0]) < ENOUGH
    units = untouched(data).mean("seed")
    parts = "; ".join(
        f"variance {v:g}: "
        + ", ".join(f"{k} {' and '.join(f'{float(u):.0%}' for u in units.sel(kind=k, variance=v))}" for k in data.kind.values)
        for v in VARIANCES
    )
    return (
        f"{of_seeds('medians', data.sizes['seed'])}; 'for the longer duration only BMRU learns' (error below {ENOUGH}): {yes(only)}: at T = {short}: "
        f"{said(at.sel(trained=short))}; at T = {long}: {said(at.sel(trained=long))}; 'LRU does not generalise to longer sequences': {yes(forgets)}; 'unaffected if "
        f"the noise is low' (variance 0.1, {chosen_}): {yes(unaffected)}, {float(quiet[0]):.3f} at T = {int(data.length[0])} and {float(quiet[-1]):.3f} at {int(data.length[-1])}; "
        f"with variance 1: {float(bistable.sel(variance=1.0)[0]):.3f} and {float(bistable.sel(variance=1.0)[-1]):.3f}; new.bistable.noise predicts that noise of any "
        f"variance writes in the end: units that {data.attrs['counted']} steps did not write, first and second block, {parts}; by hand, predicted to keep by new.bistable.copy-first: "
        f"{float(longer.sel(model='BMRU by hand').max()):.4f} at worst"
    )


EXPERIMENT = ByHand(
    "degeeter26.fig8",
    topic="bistable",
    place="Figures 8 and 9",
    finding="A number kept in noise: linear units soon forget it, bistable ones as noise writes them, weights by hand do not",
    planned=runs,
    computed=compute,
    said=outcome,
)
