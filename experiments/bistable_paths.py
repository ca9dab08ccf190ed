"""Are two dots joined, read pixel by pixel: bistable units by the number of blocks and their width, linear ones beside (degeeter26, Fig. 11), by several seeds.

The images are drawn here (``pathfinder``); they are not the long-range arena's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..constructions.bistable.torch import BMRU
from ..figures import style
from ..numerics.progress import Progress
from .blocks import PLACES, Blocks, Cells, loss_at_the_end, positions
from .experiment import Axis, Experiment, Found, Observation
from .pathfinder import CURVE, DOT, Pathfinder, simple_numbers
from .tasks import UNASKED, Generator, Task
from .training import Run, train
from .words import of_seeds, yes

#: as in the paper bistable units read positions
CELLS = {"BMRU": lambda units: Cells(bistable=units, positions=True), "LRU": lambda units: Cells(linear=units)}


@dataclass(frozen=True)
class Size:
    """Seeds, steps of training, images, numbers of blocks, bistable and linear units of a block each way, numbers between blocks, images
    for training and for the test.
    """

    seeds: int
    steps: int
    images: Pathfinder
    depths: tuple[int, ...]
    bistable: tuple[int, ...]
    linear: tuple[int, ...]
    dim: int
    seen: int
    unseen: int = 2000
    batch: int = 64
    rate: float = 3e-3


PAPER = (128, 256, 512, 1024)
SIZES = {
    "smoke": Size(1, 2, Pathfinder(8, 2, 0), (1, 2), (2, 3), (2,), 4, 40, 40, 8),
    "quick": Size(1, 150, Pathfinder(8, 2, 1), (1, 2, 3), (8, 32), (8,), 16, 5000),
    "desk": Size(3, 1000, Pathfinder(8, 2, 1), (1, 2, 3), (6, 16, 48), (16,), 32, 40_000),
    "paper": Size(5, 281_000, Pathfinder(32, 8, 6, 3), (1, 2, 3), PAPER, (256,), 256, 180_000, 20_000, rate=1e-3),
}

DEPTH = "with positions one wide layer is enough; without them no width replaces depth (new.bistable.depth)"
#: of what depth and width give
UNSAID = "cannot be said, as nothing is learnt"
#: of the accuracy: what counts as learnt, beyond guessing, and as a difference
CLEAR, MARGIN = 0.05, 0.02


def run(size: Size, seed: int, kind: str, depth: int, width: int) -> Run | None:
    """The run of a point, if its kind is trained at that width."""
    if width not in {"BMRU": size.bistable, "LRU": size.linear}[kind]:
        return None
    pixels, name = size.images.side**2, size.images.task().name
    return Run(name, kind, seed, width, size.steps, pixels, pixels, size.batch, size.rate, depth=depth, variant=f"{width} units")


@cache
def drawn(images: Pathfinder, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """So many images and labels, always the same."""
    return images.images(count, np.random.default_rng(seed))


def paths(size: Size) -> Task:
    """The task of ``Pathfinder.task`` on the images for training."""

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        images, labels = drawn(size.images, size.seen, 0)
        some = rng.integers(len(labels), size=batch)
        targets = np.full((batch, length), UNASKED)
        targets[:, -1] = labels[some]
        return images[some].reshape(batch, length, 1) - 0.5, targets

    task = size.images.task()
    return Task(task.name, (), task.answers, sample, features=1)


def build(run: Run, task: Task, dim: int) -> Blocks:
    """The paper's model of a run: it reads both ways and answers from the mean of all steps."""
    return Blocks(CELLS[run.kind](run.width), task.features, len(task.answers), dim, run.depth, mean=True, both_ways=True)


def measure(run: Run, folder: Path | None, progress: Progress | None, device: torch.device | None, size: Size) -> dict[str, float]:
    """Of one trained model: the share of right answers on images that training has not seen, and on as many that it has."""
    model = train(run, folder, progress, device, task=paths(size), build=partial(build, dim=size.dim), loss=loss_at_the_end).eval()
    unseen, seen = drawn(size.images, size.unseen, 1), drawn(size.images, size.seen, 0)
    return {
        name: _right(model, images[: size.unseen], labels[: size.unseen], device)
        for name, (images, labels) in (("accuracy", unseen), ("trained", seen))
    }


@torch.no_grad()
def _right(model: Blocks, images: np.ndarray, labels: np.ndarray, device: torch.device | None) -> float:
    inputs = torch.from_numpy(images.reshape(len(images), -1, 1) - 0.5).to(device or "cpu", torch.float32)
    said = torch.cat([model(part).argmax(-1) for part in inputs.split(500)])
    return float((said.cpu().numpy() == labels).mean())


def keeper(side: int) -> BMRU:
    """One layer of 2 side^2 bistable units with positions that holds every pixel of an image at its end: no depth is needed to see all of it.

    Units i and side^2 + i write at step i alone, where their thresholds vanish: whether the pixel is lit, and whether it is a dot. float64.
    """
    n = side**2
    place = positions(0, n, torch.zeros(1, dtype=torch.float64))
    layer = BMRU(1 + PLACES, 2 * n).double()
    with torch.no_grad():
        for linear in (layer.candidate, layer.threshold):
            linear.weight.zero_()
        layer.candidate.weight[:, 0] = 1
        layer.candidate.bias.copy_(torch.tensor([0.5 - CURVE / 2, 0.5 - (CURVE + DOT) / 2]).repeat_interleave(n))
        # |p_i|^2 - p_i p_t is 0 at t = i alone; candidates are below 1
        apart = place @ place.T
        least = (PLACES / 2 - apart[~torch.eye(n, dtype=torch.bool)]).min()
        layer.threshold.weight[:, 1:] = (place / least).repeat(2, 1)
        layer.threshold.bias.fill_(-PLACES / 2 / least)
    return layer


@torch.no_grad()
def kept(images: np.ndarray) -> float:
    """The share of images of which every pixel can be read off the last state of ``keeper``."""
    side = images.shape[1]
    inputs = torch.from_numpy(images.reshape(len(images), -1, 1) - 0.5)
    read = torch.cat([inputs, positions(0, side**2, inputs).expand(len(images), -1, -1)], dim=-1)
    lit, dot = (keeper(side).last_state(read, None).numpy().reshape(len(images), 2, side, side) > 0).swapaxes(0, 1)
    return float((np.where(dot, DOT, np.where(lit, CURVE, 0)) == images).all((1, 2)).mean())


def examples(images: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """The first image of each answer."""
    return np.stack([images[int(np.flatnonzero(labels == answer)[0])] for answer in (0, 1)])


def best_sum(images: np.ndarray, labels: np.ndarray, unseen: np.ndarray, asked: np.ndarray) -> float:
    """The share of right answers, on unseen images, of the weighted sum of simple numbers that fits the labels best."""
    seen, new = (np.column_stack([simple_numbers(x), np.ones(len(x))]) for x in (images, unseen))
    weights = np.linalg.lstsq(seen, 2.0 * labels - 1)[0]
    return float(((new @ weights > 0) == asked).mean())


def attributes(size: Size) -> dict[str, Any]:
    """How it was trained, and what needs no training: what simple numbers give, and what weights by hand keep."""
    seen, unseen = drawn(size.images, size.seen, 0), drawn(size.images, size.unseen, 1)
    return {
        "steps": size.steps,
        "batch": size.batch,
        "dim": size.dim,
        "images": f"{size.images.side} x {size.images.side}, drawn here",
        "side": size.images.side,
        "seen": size.seen,
        "unseen": size.unseen,
        "simple": best_sum(*seen, *unseen),
        "kept": kept(unseen[0][:200]),
    }


def shown(size: Size, at: dict[str, list[Any]]) -> dict[str, Any]:
    """An image of each answer."""
    images = examples(*drawn(size.images, size.unseen, 1))
    return {"example": (("answer", "row", "column"), images, {"long_name": "brightness of a pixel of an image", "units": "1"})}


def medians(data: xr.Dataset, kind: str) -> xr.DataArray:
    """Median accuracies of one kind, (depth, width)."""
    return data.accuracy.median("seed").transpose("kind", "depth", "width").sel(kind=kind)


def learnt(data: xr.Dataset) -> bool:
    """Whether bistable units learn something at any size."""
    return bool((medians(data, "BMRU") >= 0.5 + CLEAR).any())


def wider(data: xr.Dataset) -> bool | str:
    """Whether width gives more than depth."""
    found = medians(data, "BMRU")
    return gain(found, "width") > abs(gain(found, "depth")) + MARGIN if learnt(data) else UNSAID


def hurts(data: xr.Dataset) -> bool | str:
    """Whether more blocks lose."""
    return gain(medians(data, "BMRU"), "depth") < -MARGIN if learnt(data) else UNSAID


def gains(data: xr.Dataset) -> str:
    """What width and depth give."""
    by_width, by_depth = (gain(medians(data, "BMRU"), name) for name in ("width", "depth"))
    return f"from least to most units {by_width:+.1%} in the mean over depths, from least to most blocks {by_depth:+.1%} over widths"


def linear(data: xr.Dataset) -> bool | str:
    """Whether linear units gain with depth."""
    deeper = gain(medians(data, "LRU"), "depth")
    return "was not trained with one block" if np.isnan(deeper) else f"{yes(deeper > MARGIN)} ({deeper:+.1%})"


def rest(data: xr.Dataset) -> str:
    """The images, all accuracies, and what guessing and simple numbers give."""
    return (
        f"images {data.attrs['images']}, not the long-range arena's, {of_seeds('medians', data.sizes['seed'])}; "
        f"by units of a block, each way: BMRU [{_said(medians(data, 'BMRU'))}]; LRU [{_said(medians(data, 'LRU'))}]; "
        f"guessing 50%, the best weighted sum of simple numbers {data.attrs['simple']:.0%}"
    )


def gain(middle: xr.DataArray, along: str) -> float:
    """From the least to the largest trained size along ``along``, the mean over what was trained at two of them at least; nan if nothing was."""
    other = "depth" if along == "width" else "width"
    rows = [row.values[~np.isnan(row.values)] for row in middle.transpose(other, along)]
    found = [row[-1] - row[0] for row in rows if len(row) > 1]
    return float(np.mean(found)) if found else float("nan")


def _said(middle: xr.DataArray) -> str:
    rows = [(int(d), row.dropna("width")) for d, row in zip(middle.depth.values, middle, strict=True)]
    return "; ".join(
        f"{d} block{'s' * (d > 1)} " + ", ".join(f"{float(x):.0%} ({int(n)})" for n, x in zip(row.width.values, row.values, strict=True))
        for d, row in rows
        if row.size
    )


LOOKS = {"BMRU": (style.BLUE, "o"), "LRU": (style.VERMILION, "s")}


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """An image of each kind; then, for each number of blocks, every seed and the medians by width, with guessing and what simple numbers give."""
    depths = data.depth.values
    figure = style.new_figure(EXPERIMENT.finding, 3 + 3.4 * len(depths), 4.6)
    places = figure.add_gridspec(2, 1 + len(depths), width_ratios=[0.6] + [1] * len(depths))
    for row, answer in enumerate(data.answer.values[::-1]):
        _image(figure.add_subplot(places[row, 0]), data.example.sel(answer=answer))
    axes: list[Axes] = []
    for i in range(len(depths)):
        axes.append(figure.add_subplot(places[:, 1 + i], sharey=axes[0] if axes else None))
    for ax, depth in zip(axes, depths, strict=True):
        for kind, (colour, marker) in LOOKS.items():
            one = data.accuracy.sel(kind=kind, depth=depth).dropna("width", how="all")
            ax.plot(
                np.repeat(one.width.values, one.sizes["seed"]),
                one.transpose("width", "seed").values.ravel(),
                marker,
                color=colour,
                ms=4,
                alpha=0.5,
            )
            ax.plot(one.width, one.median("seed"), marker + "-", color=colour, mfc="white", ms=8, label=f"{kind}, median")
        ax.axhline(0.5, color="#888888", ls=":", lw=1)
        ax.axhline(data.attrs["simple"], color=style.GREEN, ls="--", lw=1.2, label="weighted sum of simple numbers")
        ax.set(xscale="log", xlabel="units of a block, each way", title=f"{int(depth)} block{'s' if depth > 1 else ''}")
        ax.set_xticks(data.width.values, [str(n) for n in data.width.values])
        ax.minorticks_off()
        ax.set_xlim(float(data.width[0]) / 1.3, float(data.width[-1]) * 1.3)
        ax.tick_params(labelleft=ax is axes[0])
    axes[0].set(ylabel="share of right answers, unseen images", ylim=(0.45, 1.0))
    axes[0].text(float(data.width[-1]) * 1.25, 0.505, "guessing", fontsize=9, ha="right")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=10)
    return figure


def _image(ax: Axes, image: xr.DataArray) -> None:
    ax.imshow(image.values, cmap="gray", vmin=0, vmax=DOT)
    # dots are as bright as can be, curves half as bright: told apart by a ring as well
    for row, column in np.argwhere(image.values > CURVE):
        ax.plot(column, row, "o", mfc="none", mec=style.ORANGE, ms=9)
    ax.set(xticks=[], yticks=[], title=str(image.answer.item()))
    ax.grid(visible=False)


EXPERIMENT = Experiment(
    "degeeter26.fig11",
    topic="bistable",
    place="Figure 11",
    finding="Are two dots joined? What blocks of bistable units learn of it, by their number and width",
    sizes=SIZES,
    axes={
        "kind": Axis(tuple(CELLS), "units of a block"),
        "depth": Axis(lambda size: size.depths, "blocks", "1"),
        "width": Axis(lambda size: sorted({*size.bistable, *size.linear}), "units of a block, each way", "1"),
    },
    run=run,
    measure=measure,
    found={
        "accuracy": Found("share of right answers on unseen images", "1"),
        "trained": Found("share of right answers on images of training", "1"),
    },
    along={"answer": Axis(lambda size: size.images.task().answers, "the dots of the image")},
    beside=shown,
    attributes=attributes,
    observations=(
        Observation("BMRU learns it", "Figure 11", learnt),
        Observation(
            "BMRU learns it with one block",
            "Figure 11",
            lambda data: medians(data, "BMRU").sel(depth=1).max() >= 0.5 + CLEAR,
            lambda data: f"{float(medians(data, 'BMRU').sel(depth=1).max()):.0%}",
        ),
        Observation("width matters more than depth", "Figure 11", wider, gains, DEPTH),
        Observation("more layers hurt", "Figure 11", hurts),
        Observation("LRU gains with depth", "Figure 11", linear),
        Observation(
            "one layer by hand, with positions, keeps every pixel of an image",
            "",
            lambda data: data.attrs["kept"] == 1,
            lambda data: f"{2 * data.attrs['side'] ** 2} units, {data.attrs['kept']:.0%} of the images",
        ),
    ),
    rest=rest,
    remarks=(
        "One block gives one answer to every image in all nine runs.",
        "The widest bistable models are where simple numbers are, so nothing says that the path is learnt. Linear units are beyond them.",
        "Pixel counts and the distance of the dots say nothing of the answer, which a test holds.",
        "The bounds were set before the runs, the rate and the size after six trials. With the rate 0.01 nothing was learnt.",
        "A first version lacked five of twelve sizes. 'More layers hurt' was then in part so; all else was the same.",
    ),
    picture=draw,
)
