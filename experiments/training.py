"""One training loop: it can be killed at any time and resumes reproducibly, having lost half a minute at most.

The batch of step t depends on the run's seed and on t alone, the learning rate on t, and the first weights on the seed; so a checkpoint holds the
number of the step, the weights and the optimiser's state. Networks this small are fastest on one thread.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import cos, pi
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from ..numerics.progress import Progress
from .layers import Model
from .tasks import UNASKED, Task, task_named

#: seconds between checkpoints
PAUSE = 30.0

#: what the random numbers of a seed are for
TRAIN, TEST = 0, 1


@dataclass(frozen=True)
class Run:
    """What is trained, and how: words of random length ``shortest`` to ``longest``, AdamW, a cosine from ``rate`` to 0. ``width`` is that of a layer.

    ``variant`` tells runs apart that differ in what the experiment does with them. ``mixed``: forward and loss under autocast to bfloat16.
    Raises ``ValueError`` for counts below one, a seed below zero and names that no file can have.
    """

    task: str
    kind: str
    seed: int
    width: int
    steps: int
    shortest: int
    longest: int
    batch: int = 64
    rate: float = 1e-2
    depth: int = 1
    mixed: bool = False
    variant: str = ""

    def __post_init__(self) -> None:
        for name in ("width", "steps", "shortest", "batch", "depth"):
            if getattr(self, name) < 1:
                raise ValueError(f"expected at least one for {name}, got {getattr(self, name)}")
        if "/" in self.name:
            raise ValueError(f"expected names that a file can have, got {self.name!r}")
        if self.seed < 0 or self.longest < self.shortest:
            raise ValueError(f"expected a seed >= 0 and longest >= shortest, got {self.seed}, {self.longest} and {self.shortest}")

    @property
    def name(self) -> str:
        """For people, and for the checkpoint's file."""
        layers = "" if self.depth == 1 else f", {self.depth} layers"
        variant = f", {self.variant}" if self.variant else ""
        return f"{self.task}, {self.kind}{layers}{variant}, seed {self.seed}"


#: a fresh model for a run; and (model, task, words, targets) -> the number that training makes small
Build = Callable[[Run, Task], nn.Module]
Loss = Callable[[nn.Module, Task, torch.Tensor, torch.Tensor], torch.Tensor]


def device_named(wanted: str = "auto") -> torch.device:
    """The device for "cpu", "cuda" or "auto", which is CUDA where there is one. Raises ``ValueError`` for others, and for CUDA where there is none."""
    if wanted not in ("auto", "cpu", "cuda"):
        raise ValueError(f"expected a device among auto, cpu and cuda, got {wanted!r}")
    if wanted == "cuda" and not torch.cuda.is_available():
        raise ValueError("expected a CUDA device that PyTorch can use, got none; use --device cpu")
    return torch.device("cuda" if wanted != "cpu" and torch.cuda.is_available() else "cpu")


def stacked(run: Run, task: Task) -> nn.Module:
    """The model of ``layers.py`` that a run names."""
    return Model(run.kind, len(task.letters), len(task.answers), run.width, task.features, depth=run.depth)


def loss_of(model: nn.Module, task: Task, words: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Cross-entropy of the answers at labelled places, or the mean squared error of real ones."""
    if task.answers:
        return functional.cross_entropy(model(words).flatten(0, 1), targets.flatten(), ignore_index=UNASKED)
    dtype = next(model.parameters()).dtype
    asked = ~targets.isnan()
    return functional.mse_loss(model(words.to(dtype))[..., 0][asked], targets[asked].to(dtype))


def train(
    run: Run,
    folder: Path | None = None,
    progress: Progress | None = None,
    device: torch.device | None = None,
    pause: float = PAUSE,
    task: Task | None = None,
    build: Build = stacked,
    loss: Loss = loss_of,
) -> Any:
    """The trained model, that ``build`` makes. With a ``folder`` a checkpoint is stored there, and a run that was stopped resumes from it. ``progress`` counts the steps; its stage ends in the loss.

    ``task`` is that of the run's name if not given. The last checkpoint stays. Raises ``ValueError`` for a checkpoint of another run, or one
    that cannot be read.
    """
    task = task or task_named(run.task)
    model, device = fresh(run, task, build), device or torch.device("cpu")
    model.to(device)
    optimiser = torch.optim.AdamW(model.parameters(), run.rate, weight_decay=0.0, fused=True)
    path = None if folder is None else folder / f"{run.name}.pt"
    first = 0 if path is None or not path.exists() else _load(path, run, model, optimiser, device)
    saved = monotonic()
    for step in range(first, run.steps):
        size = one_step(run, task, model, optimiser, step, device, loss)
        done = step + 1
        if path is not None and (done == run.steps or monotonic() - saved >= pause):
            _save(path, run, model, optimiser, done)
            saved = monotonic()
        if progress is not None:
            progress(f"{run.name}, loss {size:.4g}", done, run.steps)
    return model


@torch.no_grad()
def accuracy(
    answer: Callable[[torch.Tensor], torch.Tensor], task: Task, length: int, count: int, seed: int = 0, whole: bool = False
) -> np.ndarray:
    """The share of right answers at every place of ``count`` test words, which training has not seen; shape (length,), nan where there is no label.

    ``answer`` maps letters (count, length) to the indices of answers, of the same shape. With ``whole`` an answer counts if all before it were right too.
    """
    words, targets = task.sample(count, length, np.random.default_rng([seed, TEST]))
    answers, asked = answer(torch.from_numpy(words)).cpu().numpy(), targets != UNASKED
    right = (answers == targets) | ~asked
    counted = (np.logical_and.accumulate(right, axis=1) if whole else right) & asked
    return np.where(asked.any(0), counted.sum(0) / np.maximum(asked.sum(0), 1), np.nan)


def fresh(run: Run, task: Task, build: Build) -> nn.Module:
    """The model at its first weights, float32; the caller's random numbers stay as they are."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(run.seed)
        return build(run, task)


def one_step(
    run: Run, task: Task, model: nn.Module, optimiser: torch.optim.Optimizer, step: int, device: torch.device, loss: Loss
) -> float:
    """Train on the words of a step; the loss before it."""
    rng = np.random.default_rng([run.seed, TRAIN, step])
    length = int(rng.integers(run.shortest, run.longest, endpoint=True))
    words, targets = (torch.from_numpy(x).to(device) for x in task.sample(run.batch, length, rng))
    for group in optimiser.param_groups:
        group["lr"] = run.rate * (1 + cos(pi * step / run.steps)) / 2
    with torch.autocast(device.type, torch.bfloat16, enabled=run.mixed):
        size = loss(model, task, words, targets)
    optimiser.zero_grad()
    size.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()
    return float(size.detach())


def _save(path: Path, run: Run, model: nn.Module, optimiser: torch.optim.Optimizer, done: int) -> None:
    """A checkpoint that appears whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        torch.save({"run": asdict(run), "done": done, "model": model.state_dict(), "optimiser": optimiser.state_dict()}, unfinished)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def _load(path: Path, run: Run, model: nn.Module, optimiser: torch.optim.Optimizer, device: torch.device) -> int:
    """Put a checkpoint into model and optimiser; the number of steps done."""
    kept: Any = read_checkpoint(path, device)
    if not isinstance(kept, dict) or kept.get("run") != asdict(run):
        found = kept.get("run") if isinstance(kept, dict) else type(kept).__name__
        raise ValueError(f"expected a checkpoint of {asdict(run)} in {str(path)!r}, got {found}: use another folder, or remove it")
    model.load_state_dict(kept["model"])
    optimiser.load_state_dict(kept["optimiser"])
    return kept["done"]


def read_checkpoint(path: Path, device: torch.device) -> Any:
    """What is stored in a file. Raises ``ValueError`` for a file of another kind."""
    from pickle import UnpicklingError

    try:
        return torch.load(path, map_location=device, weights_only=True)
    except (RuntimeError, EOFError, UnpicklingError) as error:
        raise ValueError(f"expected a checkpoint, got another kind of file in {str(path)!r}: remove it") from error
