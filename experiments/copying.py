"""Copying by one Bedouin layer (movahedi25, Table 2, Figs. 2b and 4): which parameters have to see the output before.

A word, a delimiter, and the word again, read while it is to be said: after the delimiter the next letter is asked for. Tested on words twice as long.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr
from torch import nn

from .bedouin_layer import Bedouin
from .groups import Tracker
from .many import Tick, measure_all
from .scales import chosen, of_seeds
from .tasks import UNASKED, Task
from .training import Heard, Run, accuracy, train

LETTERS, INNER, STATES = 8, 16, 8

#: which part sees the output before -> the paper's accuracy at twice the length (Table 2; four of its eight rows)
ROWS = {
    (): 0.11,
    ("decay", "mixer"): 0.55,
    ("write", "read"): 0.81,
    ("decay", "mixer", "write", "read"): 0.94,
}
#: of two accuracies, that one is clearly ahead: by so much, the worst seed of one of the best of the other
CLEAR = 0.1
NAMES = {"decay": "lambda", "mixer": "Q", "write": "B", "read": "C"}


@dataclass(frozen=True)
class Size:
    """Seeds, steps of training, longest word in training, number of test words."""

    seeds: int
    steps: int
    longest: int
    words: int


SIZES = {"smoke": Size(1, 2, 3, 8), "quick": Size(1, 150, 6, 128), "desk": Size(2, 500, 6, 256), "paper": Size(3, 10000, 50, 4096)}


def label(depends: tuple[str, ...]) -> str:
    """The parts as the paper calls them."""
    return ", ".join(NAMES[part] for part in depends) or "none"


def copying(letters: int = LETTERS) -> Task:
    """x_1 .. x_n, "|", x_1 .. x_(n-1), and with an odd length x_n: at the i-th place from "|" on x_i is asked for, at nothing else."""
    names = tuple(map(str, range(letters)))

    def sample(batch: int, length: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        if length < 2:
            raise ValueError(f"expected a length of at least 2 for a word and its copy, got {length}")
        n = length // 2
        drawn = rng.integers(letters, size=(batch, n))
        words = np.concatenate([drawn, np.full((batch, 1), letters), drawn], axis=1)[:, :length]
        targets = np.full((batch, length), UNASKED)
        targets[:, n : 2 * n] = drawn
        return words, targets

    return Task("copying", (*names, "|"), names, sample)


def runs(scale: str = "quick", seeds: int | None = None) -> list[Run]:
    """All runs of a scale, in order. Raises ``ValueError`` for an unknown scale and for fewer than one seed."""
    size, from_seeds = chosen(SIZES, scale, seeds)
    return [
        Run("copying", "Bedouin", seed, INNER, size.steps, 4, 2 * size.longest, batch=32, rate=5e-3, variant=label(depends))
        for depends, seed in product(ROWS, from_seeds)
    ]


def built(run: Run, task: Task) -> nn.Module:
    """The model that a run names."""
    depends = next(d for d in ROWS if label(d) == run.variant)
    return Tracker(Bedouin(len(task.letters), STATES, run.width, depends=depends), len(task.letters), len(task.answers), scan=True)


def compute(
    scale: str = "quick",
    seeds: int | None = None,
    folder: Path | None = None,
    device: torch.device | None = None,
    tick: Tick | None = None,
    jobs: int = 1,
) -> xr.Dataset:
    """Character accuracies and passes of all runs, (depends, seed, times): at the trained length and at twice that.

    ``folder`` keeps checkpoints and finished runs; ``tick`` hears how far it is; ``jobs`` processes share the runs.
    """
    size, from_seeds = chosen(SIZES, scale, seeds)
    found = measure_all(runs(scale, seeds), partial(measure, size=size), folder, device, tick, jobs)
    cell = ("depends", "seed", "times")

    def gathered(name: str) -> np.ndarray:
        return np.reshape([r[name] for r in found], (len(ROWS), len(from_seeds), 2))

    return xr.Dataset(
        {
            "accuracy": (cell, gathered("accuracy"), {"long_name": "share of letters that are copied right", "units": "1"}),
            "passes": (
                cell,
                gathered("passes"),
                {"long_name": "passes until one changes the outputs by less than a tenth", "units": "passes"},
            ),
            "paper": ("depends", list(ROWS.values()), {"long_name": "the paper's accuracy at twice the length (Table 2)", "units": "1"}),
        },
        {
            "depends": ("depends", [label(d) for d in ROWS], {"long_name": "what depends on the output before"}),
            "seed": ("seed", list(from_seeds), {"long_name": "random seed", "units": "1"}),
            "times": ("times", [1, 2], {"long_name": "length of the word", "units": "trained lengths"}),
        },
        {"source": "movahedi25, Table 2, Figures 2b and 4", "scale": scale, "steps": size.steps, "longest": size.longest},
    )


def measure(run: Run, folder: Path | None, heard: Heard | None, device: torch.device | None, size: Size) -> dict[str, Any]:
    """Of one trained run: the share of right letters, and the passes, on words of the longest trained length and of twice that."""
    task = copying()
    model = train(run, folder, heard, device, task=task, build=built)
    right, passes = [], []
    for times in (1, 2):
        with torch.no_grad():
            found = accuracy(lambda words: model(words.to(device)).argmax(-1), task, 2 * times * size.longest, size.words, run.seed)
        right.append(float(np.nanmean(found)))
        passes.append(float(model.layer.passes))
    return {"accuracy": right, "passes": passes}


def outcome(data: xr.Dataset) -> str:
    """Whether the rows with B and C are ahead of those without, at the trained length and at twice that, and what the passes are."""
    both = np.array([{"write", "read"} <= set(d) for d in ROWS])
    middle = data.accuracy.median("seed")
    # the worst seed with both is ahead of the best one without
    lead = {t: float(at.values[both].min() - at.values[~both].max()) for t in (1, 2) for at in [data.accuracy.sel(times=t)]}
    rows = "; ".join(
        f"{d} {float(middle.sel(depends=d, times=1)):.2f} and {float(middle.sel(depends=d, times=2)):.2f} (paper {float(data.paper.sel(depends=d)):.2f})"
        for d in data.depends.values
    )
    solved = bool((middle.sel(times=2).values >= 0.9).any())
    passes = data.passes.median("seed").values
    return (
        f"'the dependence of B and C is crucial for copying': {'yes' if lead[2] >= CLEAR else 'not reproduced at this scale'} at twice the trained length, "
        f"{'yes' if lead[1] >= CLEAR else 'no'} at the trained one; copied right, depending on the output before, at {data.attrs['longest']} and {2 * data.attrs['longest']} letters "
        f"({of_seeds('median', data.sizes['seed'])}, guessing {1 / LETTERS:.2f}): {rows}; solved at twice the length: {'yes' if solved else 'no'}; passes, tolerance 0.1: "
        f"{passes[:, 0].min():.0f} to {passes[:, 0].max():.0f} at the trained length, {passes[:, 1].min():.0f} to {passes[:, 1].max():.0f} at twice that"
    )
