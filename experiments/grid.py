"""Experiments that are a table: every task with every layer, from several seeds; accuracies against the length of the word, and the compiled network's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
import xarray as xr

from ..constructions.automata.compiler import compile_automaton
from .experiment import Axis, Experiment, Found
from .tasks import Task, task_named
from .training import accuracy


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


def word_table(
    name: str,
    *,
    tasks: Sequence[str],
    layers: Sequence[str],
    whole: bool = False,
    odd: bool = False,
    numbers: Mapping[str, Found] | None = None,
    attributes: Callable[[Size], dict[str, Any]] = lambda size: {},
    besides: Callable[[Size, dict[str, list[Any]]], dict[str, Any]] = lambda size, at: {},
    **declared: Any,
) -> Experiment:
    """An experiment that trains every task with every layer: accuracies (task, layer, seed, length), and the compiled networks' (task, length).

    ``measure`` finds ``accuracy`` at the :func:`lengths` of the size, and the ``numbers`` named; ``besides`` gives further variables that need no training.
    ``whole``: a word counts as right as long as all its answers have been, grazzi25's sequence accuracy. ``odd``: reported at odd lengths only,
    where something is asked in every task. What else is ``declared`` is that of :class:`Experiment`.
    """
    said = "share of words all of whose answers so far are right" if whole else "share of right answers after that many letters"
    right = {"long_name": said, "units": "1"}

    def beside(size: Size, at: dict[str, list[Any]]) -> dict[str, Any]:
        places = np.array(at["length"]) - 1
        compiled = [_compiled(task_named(task), size, whole)[places] for task in at["task"]]
        return {"compiled": (("task", "length"), compiled, right), **besides(size, at)}

    return Experiment(
        name,
        axes={"task": Axis(tasks, "task"), "layer": Axis(layers, "layer and range of the eigenvalues")},
        along={"length": Axis(partial(lengths, odd=odd), "length of the word", "letters")},
        found={"accuracy": Found(said, "1", ("length",)), **(numbers or {})},
        beside=beside,
        attributes=lambda size: {"steps": size.steps, "longest": size.longest, "width": size.width, **attributes(size)},
        **declared,
    )


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
        names = f" ({'; '.join(chosen)})" if chosen and result != (predicted == "yes") else ""
        return f"{len(chosen)}{names}"

    return (
        f"where weights exist: learnt {cells('yes', True)}, not learnt {cells('yes', False)}; where no exact ones do: not learnt {cells('no', False)}, "
        f"right past the trained length all the same {cells('no', True)}; where that is open: learnt {cells('open', True)}, not {cells('open', False)}"
    )


def said(found: xr.DataArray, task: str, layers: Sequence[str]) -> str:
    """The numbers of a task, as text: layer by layer."""
    return ", ".join(f"{layer} {float(found.sel(task=task, layer=layer)):.3g}" for layer in layers)
