"""Experiments that are a table: every task with every layer, from several seeds; accuracies against the length of the word, and the compiled network's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr

from ..constructions.automata.compiler import compile_automaton
from .many import Measure, Tick, measure_all
from .tasks import Task, task_named
from .training import Run, accuracy


@dataclass(frozen=True)
class Asked:
    """How the table answers for a task: whoever does ``harder`` does it, and whoever does it does ``easier``. ``built``: layer -> claim that it does."""

    harder: str
    easier: str
    built: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Size:
    """Seeds, steps of training, longest word in training, longest test word, number of test words, width, and words of a step."""

    seeds: int
    steps: int
    longest: int
    tested: int
    words: int
    width: int
    batch: int = 64


def lengths(size: Size, odd: bool = False) -> list[int]:
    """Where accuracy is reported: 1, 2, 3, 4, 6, 8, 12, ... up to the longest test word; ``odd``: at odd lengths only, the next one below."""
    steps = {a * 2**k for a in (2, 3) for k in range(20)} | {1, size.longest, size.tested}
    return sorted({n - (odd and n % 2 == 0) for n in steps if n <= size.tested})


@dataclass(frozen=True)
class Table:
    """What is trained: ``tasks`` and ``layers`` by name.

    ``whole``: a word counts as right as long as all its answers have been, grazzi25's sequence accuracy. ``odd``: reported at odd lengths only, where something is asked in every task.
    """

    tasks: Sequence[str]
    layers: Sequence[str]
    source: str
    whole: bool = False
    odd: bool = False

    def runs(self, size: Size, count: int, make: Callable[[str, str, int], Run]) -> list[Run]:
        """All runs, in order: ``make(task, layer, seed)``."""
        return [make(task, layer, seed) for task in self.tasks for layer in self.layers for seed in range(count)]

    def measured(
        self,
        planned: Sequence[Run],
        size: Size,
        measure: Measure,
        attributes: Mapping[str, Any],
        folder: Path | None,
        device: torch.device | None,
        tick: Tick | None,
        jobs: int,
        numbers: Mapping[str, Mapping[str, str]] | None = None,
    ) -> xr.Dataset:
        """Accuracies (task, layer, seed, length) and the compiled networks' (task, length), nan where there is none and where a task has fewer seeds.

        ``measure`` finds ``accuracy`` at every place, and the ``numbers`` that are asked for besides, name -> attributes.
        """
        at = np.array(lengths(size, self.odd))
        results = measure_all(planned, measure, folder, device, tick, jobs)
        count = 1 + max(run.seed for run in planned)
        shape = (len(self.tasks), len(self.layers), count)
        cells = [(self.tasks.index(run.task), self.layers.index(run.kind), run.seed) for run in planned]

        def placed(found: Sequence[Any]) -> np.ndarray:
            """By task, layer and seed; nan where a task has fewer seeds."""
            rows = np.array(found, dtype=float)
            whole = np.full((*shape, *rows.shape[1:]), np.nan)
            for cell, row in zip(cells, rows, strict=True):
                whole[cell] = row
            return whole

        said = "share of words all of whose answers so far are right" if self.whole else "share of right answers after that many letters"
        right = {"long_name": said, "units": "1"}
        accuracies = placed([np.array(r["accuracy"])[at - 1] for r in results])
        compiled = [_compiled(task_named(task), size, self.whole)[at - 1] for task in self.tasks]
        data = xr.Dataset(
            {"accuracy": (("task", "layer", "seed", "length"), accuracies, right), "compiled": (("task", "length"), compiled, right)},
            {
                "task": ("task", list(self.tasks), {"long_name": "task"}),
                "layer": ("layer", list(self.layers), {"long_name": "layer and range of the eigenvalues"}),
                "seed": ("seed", np.arange(count), {"long_name": "random seed", "units": "1"}),
                "length": ("length", at, {"long_name": "length of the word", "units": "letters"}),
            },
            {"source": self.source, "steps": size.steps, "longest": size.longest, "width": size.width, **attributes},
        )
        more = numbers or {}
        return data.assign({name: (("task", "layer", "seed"), placed([r[name] for r in results]), more[name]) for name in more})


def _compiled(task: Task, size: Size, whole: bool) -> np.ndarray:
    """What the compiled network gets right, in float64, at every place of the test words of seed 0."""
    if task.automaton is None:
        return np.full(size.tested, np.nan)
    said, network = torch.tensor(task.said), compile_automaton(task.automaton).to_torch()
    return accuracy(lambda words: said[network(words)], task, size.tested, size.words, whole=whole)


def reach(accuracy: xr.DataArray, enough: float) -> xr.DataArray:
    """The length up to which the best seed has ``enough`` at every length that is listed, (task, layer); 0 if at none."""
    # of the seeds the one that goes furthest; before the first length that is not enough, all are
    return (accuracy.length * (accuracy >= enough).astype(int).cumprod("length")).max(("length", "seed"))


def agreement(data: xr.Dataset, learnt: xr.DataArray) -> str:
    """How many cells (task, layer) went as ``predicted``, and which did not."""

    def cells(predicted: str, result: bool) -> str:
        chosen = [
            f"{layer} on {task}"
            for task in data.task.values
            for layer in data.layer.values
            if data.predicted.sel(task=task, layer=layer).item() == predicted and bool(learnt.sel(task=task, layer=layer)) == result
        ]
        names = f" ({'; '.join(chosen)})" if chosen and (predicted == "open" or result != (predicted == "yes")) else ""
        return f"{len(chosen)}{names}"

    return (
        f"where weights exist: learnt {cells('yes', True)}, not learnt {cells('yes', False)}; where no exact ones do: not learnt {cells('no', False)}, "
        f"right past the trained length all the same {cells('no', True)}; where that is open: learnt {cells('open', True)}, not {cells('open', False)}"
    )


def said(found: xr.DataArray, task: str, layers: Sequence[str]) -> str:
    """The numbers of a task, as text: layer by layer."""
    return ", ".join(f"{layer} {float(found.sel(task=task, layer=layer)):.3g}" for layer in layers)
