"""How many passes in training (movahedi25, Fig. 1 and Sec. 3.1), and which gradient (Theorem 2.2): the layer without a gate on A_5.

Letters are a 3-cycle and a 5-cycle. A bound of l passes makes a network of its own, tested with l passes; the others are tested at the fixed point.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr
from matplotlib.figure import Figure
from torch import nn

from ..figures import style
from ..numerics.progress import Progress
from .experiment import Axis, Experiment, Found, Observation
from .groups import FREE, Size, Tracker, built, lengths, reached, swept
from .tasks import Task, task_named
from .training import Run, loss_of, train
from .words import of_seeds

TASK = "A5.generators"


@dataclass(frozen=True)
class Bound:
    """Passes in training, 0 for the fixed point itself, -1 for a draw from Gamma(4, 1), rounded up, for each batch; implicit or last-pass gradient."""

    passes: int
    implicit: bool = True


#: a lead that counts, and what generalising means
CLEAR, ENOUGH = 0.1, 0.9

DRAWN = "Gamma(4, 1) passes"

#: what stands in the picture -> how it is trained; the paper takes the gradient of the last pass alone
BOUNDS = {
    "2 passes": Bound(2),
    "4 passes": Bound(4),
    "8 passes": Bound(8),
    "16 passes": Bound(16),
    "32 passes": Bound(32),
    "32 passes, gradient of the last": Bound(32, implicit=False),
    DRAWN: Bound(-1),
    "fixed point": Bound(0),
}


SIZES = {
    "smoke": Size(1, 2, 4, 8, 8, 8, 3),
    "quick": Size(1, 200, 12, 24, 64, 128, 6),
    "desk": Size(5, 400, 16, 64, 128, 512, 6),
    "paper": Size(3, 50000, 16, 50, 8192, 1024, 64),
}


def run(size: Size, seed: int, bound: str) -> Run:
    """The run of a point."""
    return Run(TASK, FREE, seed, size.width, size.steps, min(2, size.longest), size.longest, batch=32, rate=5e-3, variant=bound)


def bounded(run: Run, task: Task) -> nn.Module:
    """The model of a run, iterated as its variant says."""
    model, bound = built(run, task), BOUNDS[run.variant]
    model.scan, model.layer.implicit = bound.passes != 0, bound.implicit
    if bound.passes > 0:
        model.layer.most = bound.passes
    return model


def drawing(model: nn.Module, task: Task, words: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """The loss after a number of passes from Gamma(4, 1), rounded up, whose random numbers come from the batch, so that a killed run goes on as it was."""
    assert isinstance(model, Tracker)
    model.layer.most = int(np.ceil(np.random.default_rng(words.flatten().tolist()).gamma(4, 1)))
    return loss_of(model, task, words, targets)


def measure(run: Run, folder: Path | None, progress: Progress | None, device: torch.device | None, size: Size) -> dict[str, Any]:
    """Of one trained run: accuracy as it was trained, accuracy at the fixed point, and the passes that lead there."""
    task, bound = task_named(run.task), BOUNDS[run.variant]
    model = train(run, folder, progress, device, task=task, build=bounded, loss=drawing if bound.passes < 0 else loss_of)
    model.scan = bound.passes > 0
    as_trained = reached(model, task, size, run.seed, size.tested)
    model.scan = False
    settled = reached(model, task, size, run.seed, size.tested)
    return {"accuracy": as_trained.tolist(), "settled": settled.tolist(), "passes": swept(model, task, size, run.seed)[1]}


def reached_at(data: xr.Dataset, bound: str, settled: bool = False) -> float:
    """The accuracy of the best seed at the trained length, with the passes of training or at the fixed point."""
    found = data.settled if settled else data.accuracy
    return float(found.max("seed").sel(length=data.attrs["longest"], bound=bound))


def needs_passes(data: xr.Dataset) -> bool:
    """Whether the best bound with fewer passes than letters is clearly behind the best with as many."""
    trained = data.attrs["longest"]
    few = [reached_at(data, name) for name, b in BOUNDS.items() if 0 < b.passes < trained]
    enough = [reached_at(data, name) for name, b in BOUNDS.items() if b.passes >= trained and b.implicit]
    return max(few) + CLEAR < max(enough)


def counted(data: xr.Dataset) -> str:
    """The passes to the fixed point, by the length of the word, trained there."""
    passes = data.passes.sel(bound="fixed point").fillna(np.inf).median("seed").values
    found = ", ".join(str(round(float(x))) if np.isfinite(x) else f"more than {data.attrs['most']}" for x in passes)
    return f"{found} on words of {', '.join(map(str, data.whole.values))} letters"


def rest(data: xr.Dataset) -> str:
    """All accuracies, the passes to the fixed point, and how it was trained."""
    return (
        f"right at the trained length {data.attrs['longest']}: {', '.join(f'{name} {reached_at(data, name):.2f}' for name in BOUNDS)}; "
        f"bounded to 4, the same network at its fixed point: {reached_at(data, '4 passes', settled=True):.2f}; "
        f"passes to the fixed point, at least in proportion to the length (new.fixed-point.passes.linear): {counted(data)}; "
        f"A₅, 3-cycle and 5-cycle, {data.attrs['steps']} steps, {of_seeds('best', data.sizes['seed'])}"
    )


COLOURS = ("#999999", style.ORANGE, style.GREEN, style.SKY, style.BLUE, style.VERMILION, style.PURPLE, style.BLACK)


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Accuracy with as many passes as in training, and at the fixed point: best seed, and thin all seeds."""
    figure = style.new_figure(EXPERIMENT.finding, 12.5, 5.6)
    panels = figure.subplots(1, 2, sharey=True)
    for ax, shown, title in zip(
        panels, (data.accuracy, data.settled), ("with as many passes as in training", "at the fixed point"), strict=True
    ):
        for i, (name, colour, marker) in enumerate(zip(BOUNDS, COLOURS, "ov^D<sP*", strict=True)):
            accuracy = shown.sel(bound=name)
            ax.plot(data.length, accuracy.max("seed"), marker + "-", color=colour, ms=5, markevery=slice(i, None, 8), label=name)
            ax.plot(data.length, accuracy.transpose("length", "seed"), color=colour, lw=0.7, alpha=0.5)
        ax.axvline(data.attrs["longest"], color=style.PURPLE, lw=1)
        ax.text(data.attrs["longest"] + 0.5, 0.95, "trained up to here", color=style.PURPLE, fontsize=9)
        ax.set(title=f"tested {title}", xlabel="length of the word (letters)", ylim=(0, 1.04))
    panels[0].set_ylabel("share of right answers")
    figure.legend(
        *panels[0].get_legend_handles_labels(),
        loc="outside lower center",
        ncols=4,
        fontsize=9,
        title="in training (best seed with markers, others thin):",
        title_fontsize=9,
    )
    return figure


EXPERIMENT = Experiment(
    "movahedi25.iterations",
    topic="fixed_point",
    place="Figure 1",
    finding="The layer without a gate on $A_5$: trained with a bounded number of passes, and at the fixed point",
    sizes=SIZES,
    axes={"bound": Axis(tuple(BOUNDS), "passes in training")},
    run=run,
    measure=measure,
    found={
        "accuracy": Found("share of right answers, passes as in training", "1", ("length",)),
        "settled": Found("share of right answers, at the fixed point", "1", ("length",)),
        "passes": Found("passes until one changes the states by less than a thousandth", "passes", ("whole",)),
    },
    along={
        "length": Axis(lambda size: range(1, size.tested + 1), "length of the word", "letters"),
        "whole": Axis(lengths, "length of the word", "letters"),
    },
    attributes=lambda size: {"steps": size.steps, "longest": size.longest, "most": size.most},
    observations=(
        Observation("performance decreases once the passes are fewer than the training length", "Figure 1", needs_passes),
        Observation(
            "drawn passes, 4 on average, generalise at the fixed point",
            "Figure 1",
            lambda data: reached_at(data, DRAWN) >= ENOUGH or "not at this scale",
            lambda data: f"{reached_at(data, DRAWN):.2f} at {data.attrs['longest']}",
        ),
    ),
    rest=rest,
    remarks=(
        "At the fixed point three of five seeds learn the task. With a bound on the passes none does, so no threshold at 16 is seen.",
        "The layer reaches its fixed point only after hundreds of passes (`new.fixed-point.passes.linear`).",
        "The sentence first counted the fixed point among the bounds of 16 or more. It was tightened after a look.",
        "The gradient of the last pass was better at 8 letters than the implicit gradient of an iteration that is cut off.",
    ),
    picture=draw,
)
