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
from .experiment import Axis, Experiment, Found
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


#: a lead that counts
CLEAR = 0.1

#: what stands in the picture -> how it is trained; the paper takes the gradient of the last pass alone
BOUNDS = {
    "2 passes": Bound(2),
    "4 passes": Bound(4),
    "8 passes": Bound(8),
    "16 passes": Bound(16),
    "32 passes": Bound(32),
    "32 passes, gradient of the last": Bound(32, implicit=False),
    "Gamma(4, 1) passes": Bound(-1),
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


def outcome(data: xr.Dataset) -> str:
    """Whether fewer passes than letters learn less, whether drawn ones suffice, and which gradient learns more. Best seeds, at the trained length."""
    trained = data.attrs["longest"]
    at, settled = (v.max("seed").sel(length=trained) for v in (data.accuracy, data.settled))
    few = [name for name, b in BOUNDS.items() if 0 < b.passes < trained]
    enough = [name for name, b in BOUNDS.items() if b.passes >= trained and b.implicit]
    holds = max(float(at.sel(bound=name)) for name in few) + CLEAR < max(float(at.sel(bound=name)) for name in enough)
    drawn = float(at.sel(bound="Gamma(4, 1) passes"))
    both = float(at.sel(bound="32 passes")), float(at.sel(bound="32 passes, gradient of the last"))
    passes = data.passes.sel(bound="fixed point").fillna(np.inf).median("seed").values
    counted = ", ".join(str(round(float(x))) if np.isfinite(x) else f"more than {data.attrs['most']}" for x in passes)
    return (
        f"A_5, 3-cycle and 5-cycle, {data.attrs['steps']} steps, {of_seeds('best', data.sizes['seed'])}; right at the trained length {trained}: "
        f"{', '.join(f'{name} {float(at.sel(bound=name)):.2f}' for name in BOUNDS)}; 'performance decreases once the passes are fewer than the training length': "
        f"{'yes' if holds else 'no'}, the best bound on either side; 'drawn passes, 4 on average, generalise at the fixed point': "
        f"{'yes' if drawn >= 0.9 else 'not at this scale'} ({drawn:.2f} at {trained}); bounded to 4, the same network at its fixed point: {float(settled.sel(bound='4 passes')):.2f}; "
        f"implicit gradient {both[0]:.2f}, last pass alone {both[1]:.2f}; passes to the fixed point on words of {', '.join(map(str, data.whole.values))} letters, "
        f"trained there: {counted} (new.fixed-point.passes.linear: in proportion to the length at least)"
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
    rest=outcome,
    picture=draw,
)
