"""Copy-first-input: a number in noise, kept by two blocks of bistable or linear units (degeeter26, Figs. 8 and 9), by several seeds.

Beside the trained models a layer by hand; and how often noise writes the trained bistable units. N(0, 0.1) is read as variance 0.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import nan, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..figures import style
from ..numerics.progress import Progress
from .blocks import Block, Blocks, Cells, Reader, by_hand, loss_at_the_end
from .experiment import Axis, Experiment, Found, Observation
from .tasks import Task, copy_first_input
from .training import TEST, Run, train
from .words import of_seeds

#: thresholds as torch draws them, or at twice the candidates; linear units; and weights without training
TRAINED = ("BMRU", "BMRU, doubled", "LRU")
HAND = "BMRU by hand"
MODELS = (*TRAINED, HAND)
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

NOISE = "noise of any variance writes in the end, unless the threshold is exactly k times the candidate, |k| > 1 (new.bistable.noise)"


def run(size: Size, seed: int, model: str, trained: int) -> Run | None:
    """The run of a point; weights by hand are not trained."""
    if model not in TRAINED:
        return None
    how = size.width, size.steps, trained, trained, size.batch, size.rate
    return Run("copy-first-input", model, seed, *how, depth=2, variant=f"length {trained}")


def build(run: Run, task: Task) -> Blocks:
    """The paper's model with as many units in a block as numbers between the blocks."""
    cells = Cells(linear=run.width) if run.kind == "LRU" else Cells(bistable=run.width, doubled=run.kind == "BMRU, doubled")
    return Blocks(cells, task.features, 1, run.width, run.depth)


def finish(size: Size, data: xr.Dataset) -> xr.Dataset:
    """With the layer by hand; on longer sequences and in noise only what was trained at the shorter length."""
    for i, length in enumerate(size.trained):
        hand = measure_one(by_hand(size.width), size, length, None)
        data.error.loc[{"model": HAND, "trained": length}] = hand["error"]
        if i == 0:
            data.longer.loc[{"model": HAND, "trained": length}] = hand["longer"]
    short = data[["longer", "written"]].sel(trained=size.trained[0], drop=True)
    bistable = short.written.sel(model=list(TRAINED[:2])).rename(model="kind")
    bistable["kind"].attrs["long_name"] = "bistable units"
    return data.drop_vars(["longer", "written"]).assign(longer=short.longer, written=bistable)


def measure(run: Run, folder: Path | None, progress: Progress | None, device: torch.device | None, size: Size) -> dict[str, Any]:
    """Of one trained model: ``measure_one``, and by variance how often noise writes each bistable unit."""
    model = train(run, folder, progress, device, task=copy_first_input(), build=build, loss=loss_at_the_end).eval()
    written = (
        [writing(model, sqrt(v), size, device) for v in VARIANCES] if run.kind != "LRU" else [[[nan] * run.width] * 2] * len(VARIANCES)
    )
    return {**measure_one(model, size, run.longest, device), "written": written}


def measure_one(model: Reader, size: Size, length: int, device: torch.device | None) -> dict[str, Any]:
    """The error at a trained length and, for the shorter one, by variance and length on longer sequences."""
    longer = (
        [errors_at(model, size.tested, sqrt(v), size.sequences, device) for v in VARIANCES]
        if length == size.trained[0]
        else [[nan] * len(size.tested)] * len(VARIANCES)
    )
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


TORCH = list(TRAINED[:2])


def best(data: xr.Dataset) -> str:
    """The bistable model with the least errors on the shortest of the longer sequences."""
    return str(data.longer.sel(model=TORCH).median("seed").isel(length=0).sum("variance").idxmin().item())


def only(data: xr.Dataset) -> bool:
    """Whether at the longer of the trained lengths bistable units learn and linear ones do not."""
    learnt = data.error.median("seed").isel(trained=-1) < ENOUGH
    return bool(learnt.sel(model=TORCH).any()) and not bool(learnt.sel(model="LRU"))


def errors(data: xr.Dataset) -> str:
    """Median errors at the trained lengths."""
    at = data.error.median("seed")
    lengths = [(int(t), ", ".join(f"{m} {float(at.sel(model=m, trained=t)):.3f}" for m in MODELS)) for t in data.trained]
    return f"error below {ENOUGH}; {'; '.join(f'T = {t}: {found}' for t, found in lengths)}"


def in_noise(data: xr.Dataset, variance: float) -> list[float]:
    """Median errors of the best bistable model at the shortest and at the longest of the longer sequences."""
    at = data.longer.median("seed").sel(model=best(data), variance=variance)
    return [float(at[0]), float(at[-1])]


def unaffected(data: xr.Dataset) -> bool:
    """Whether in quiet noise the error does not grow with the length."""
    first, last = in_noise(data, 0.1)
    return last <= 1.1 * first and first < ENOUGH


def growth(data: xr.Dataset) -> str:
    """How the errors grow with the length."""
    found = (f"variance {v:g}: {first:.3f} and {last:.3f}" for v in VARIANCES[::-1] for first, last in [in_noise(data, v)])
    return f"{best(data)} at T = {int(data.length[0])} and {int(data.length[-1])}, {', '.join(found)}"


def rest(data: xr.Dataset) -> str:
    """Which seeds, and how many units no noise wrote."""
    units = untouched(data).mean("seed")
    said = lambda kind, v: " and ".join(f"{float(u):.0%}" for u in units.sel(kind=kind, variance=v))  # noqa: E731
    parts = (f"variance {v:g}: {', '.join(f'{k} {said(k, v)}' for k in data.kind.values)}" for v in VARIANCES)
    return f"{of_seeds('medians', data.sizes['seed'])}; units that {data.attrs['counted']} steps did not write, first and second block ({'; '.join(parts)})"


COLOURS, MARKERS = (style.BLUE, style.GREEN, style.VERMILION, style.BLACK), "o^sD"


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Every seed at both trained lengths; errors on longer sequences by variance, with bands over all seeds; how often noise writes the units."""
    figure = style.new_figure(EXPERIMENT.finding, 15, 4.6)
    axes = figure.subplots(1, 4)
    _at_trained_lengths(axes[0], data)
    for ax, v in zip(axes[1:3], data.variance.values, strict=True):
        for model, colour, marker in zip(data.model.values, COLOURS, MARKERS, strict=True):
            error = data.longer.sel(model=model, variance=v)
            ax.loglog(data.length, error.median("seed"), marker + "-", color=colour)
            ax.fill_between(data.length, error.min("seed"), error.max("seed"), color=colour, alpha=0.15, lw=0)
        ax.axhline(1, color="#888888", ls=":", lw=1)
        ax.set(xlabel="length T (steps)", title=f"trained at T = {int(data.trained[0])}, variance {v:g}", ylim=(5e-4, 20))
    axes[1].set_ylabel("mean squared error; bands: all seeds")
    _written(axes[3], data)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=10)
    return figure


def _at_trained_lengths(ax: Axes, data: xr.Dataset) -> None:
    for i, (model, colour, marker) in enumerate(zip(data.model.values, COLOURS, MARKERS, strict=True)):
        for j in range(data.sizes["trained"]):
            error = data.error.sel(model=model).isel(trained=j)
            place = j + 0.2 * (i - 1.5)
            ax.plot(np.full(error.size, place), error, marker, color=colour, ms=4, alpha=0.6, label=model if j == 0 else None)
            ax.plot([place - 0.08, place + 0.08], [float(error.median())] * 2, color=colour, lw=2.5)
    ax.axhline(1, color="#888888", ls=":", lw=1)
    ax.set_xticks(range(data.sizes["trained"]), [f"T = {int(t)}" for t in data.trained])
    ax.set(ylabel="mean squared error; bar: median", title="at the trained length, variance 1", yscale="log", ylim=(5e-4, 20))


def _written(ax: Axes, data: xr.Dataset) -> None:
    """Units in order of how often noise of variance 1 writes them; those that it never did on the floor."""
    floor = 1 / data.attrs["counted"]
    for kind, colour in zip(data.kind.values, COLOURS, strict=False):
        for block, line in zip(data.block.values, (":", "-"), strict=True):
            shares = np.sort(data.written.sel(kind=kind, block=block).isel(variance=0).values.ravel())
            ax.semilogy(
                (np.arange(shares.size) + 0.5) / shares.size, shares.clip(min=floor / 2), line, color=colour, label=f"{kind}, block {block}"
            )
    ax.axhline(floor, color="#888888", lw=1)
    ax.text(0.98, floor * 1.3, f"once in {data.attrs['counted']:,} steps", fontsize=9, ha="right")
    ax.set(
        xlabel="share of the units of all seeds",
        ylabel="share of the steps that write",
        title="noise of variance 1 writes",
        ylim=(floor / 3, 2),
    )
    ax.legend(fontsize=8, loc="lower right", bbox_to_anchor=(1, 0.13))


EXPERIMENT = Experiment(
    "degeeter26.fig8",
    topic="bistable",
    place="Figures 8 and 9",
    finding="A number kept in noise: linear units soon forget it, bistable ones as noise writes them, weights by hand do not",
    sizes=SIZES,
    axes={"model": Axis(MODELS, "units"), "trained": Axis(lambda size: size.trained, "trained length", "steps")},
    run=run,
    measure=measure,
    found={
        "error": Found("mean squared error", "1"),
        "longer": Found("mean squared error", "1", ("variance", "length")),
        "written": Found("share of the steps of noise that write a unit", "1", ("variance", "block", "unit")),
    },
    along={
        "variance": Axis(VARIANCES, "variance of the noise", "1"),
        "length": Axis(lambda size: size.tested, "length of the test sequences", "steps"),
        "unit": Axis(lambda size: range(size.width), "unit of a block", "1"),
        "block": Axis((1, 2), "block", "1"),
    },
    finish=finish,
    attributes=lambda size: {"steps": size.steps, "width": size.width, "counted": size.counted * (PIECE - 1)},
    observations=(
        Observation("for the longer duration only BMRU learns", "Figure 8", only, errors),
        Observation(
            "LRU does not generalise to longer sequences",
            "Figure 9",
            lambda data: (data.longer.median("seed").sel(model="LRU").isel(length=-1) >= ENOUGH).all(),
            theory="a linear state fades (degeeter26.abstract.ssm)",
        ),
        Observation("BMRU is unaffected if the noise is low", "Figure 9", unaffected, growth, NOISE),
        Observation(
            "weights by hand keep the number at every length",
            "",
            lambda data: (data.longer.sel(model=HAND) < ENOUGH).all(),
            lambda data: f"{float(data.longer.sel(model=HAND).max()):.4f} at worst",
            "new.bistable.copy-first",
        ),
    ),
    rest=rest,
    remarks=(
        "The lengths are half of the paper's, blocks are smaller and training is far shorter. Its lengths were begun and not finished.",
        "The paper does not say how thresholds begin. PyTorch's way is 'BMRU'; in 'BMRU, doubled' they begin at twice the candidate.",
        "Training leaves the thresholds that noise cannot pass, and that start is the better one all the same.",
        "The goals of the long sequences have variance 0.62, so an error of that size remembers nothing.",
        "Sequences are drawn anew at every step. There is one rate, no warm-up and no weight decay.",
    ),
    picture=draw,
)
