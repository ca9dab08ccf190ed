"""Many networks trained at once, on a leading axis: seeds, learning rates and rows of one experiment, with compiled recurrences.

Each network is trained as if it were alone: its own first weights, words of its seed, gradient, clipping and Adam. Only the lengths of the words are
shared, since a step has one. The batch of step t depends on the seeds and on t alone, and the learning rate on t; so a checkpoint holds the number of
the step, the weights and Adam's moments, and a training that was stopped goes on with the same numbers. One thread to a process is fastest.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import cos, pi
from pathlib import Path
from time import monotonic, process_time
from typing import Any

import numpy as np
import torch
from torch import nn

from ..numerics.progress import Progress
from .allocation import keep_memory
from .compiled_layers import skeleton
from .compiled_readers import Surprise, adam_step
from .tasks import UNASKED, Task
from .training import PAUSE, TRAIN, read_checkpoint

#: what the random numbers of a step's length are for
LENGTH = 2

#: tokens of several networks that go through at once: more do not fit into the cache, fewer take long to call
AT_ONCE = 16_000


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How networks are trained.

    Words have lengths from ``shortest`` on, ``apart`` from one another, up to a longest that grows from ``first`` to ``longest`` in the share ``grown`` of the steps.
    The rate rises in the share ``warmup`` of the steps and falls as a cosine to 0. Adam has the averages ``averages`` and the decoupled weight decay
    ``decay``; a gradient longer than ``clip`` is shortened. Raises ``ValueError`` for what makes no sense.
    """

    steps: int
    shortest: int
    longest: int
    batch: int = 128
    first: int | None = None
    grown: float = 0.0
    apart: int = 1
    warmup: float = 0.03
    averages: tuple[float, float] = (0.9, 0.999)
    decay: float = 0.0
    clip: float = 1.0

    def __post_init__(self) -> None:
        if min(self.steps, self.shortest, self.batch, self.apart) < 1:
            raise ValueError(f"expected at least one step, letter and word, got {self}")
        if not self.shortest <= self.start <= self.longest:
            raise ValueError(f"expected lengths that grow, got {self.shortest}, {self.start} and {self.longest}")
        if not (
            0 <= self.grown <= 1 and 0 <= self.warmup <= 1 and self.decay >= 0 and self.clip > 0 and all(0 <= b < 1 for b in self.averages)
        ):
            raise ValueError(f"expected shares in [0, 1], averages below 1, no negative decay and a positive norm, got {self}")

    @property
    def start(self) -> int:
        """The longest word of the first step."""
        return self.longest if self.first is None else self.first

    def longest_at(self, step: int) -> int:
        """The longest word of a step."""
        share = 1.0 if self.grown == 0 else min(1.0, step / (self.grown * self.steps))
        return int(self.start + share * (self.longest - self.start))

    def length(self, step: int) -> int:
        """The length of the words of a step."""
        choices = (self.longest_at(step) - self.shortest) // self.apart
        return self.shortest + self.apart * int(np.random.default_rng([LENGTH, step]).integers(choices, endpoint=True))

    def factor(self, step: int) -> float:
        """What the rates are multiplied by in a step."""
        rising = self.warmup * self.steps
        up = 1.0 if rising == 0 else min(1.0, (step + 1) / rising)
        return up * (1 + cos(pi * step / self.steps)) / 2


@dataclass(frozen=True)
class Member:
    """A network of a stack: what it is called, its seed, and its learning rate."""

    kind: str
    seed: int
    rate: float


@dataclass(frozen=True)
class Stack:
    """What is trained at once. Raises ``ValueError`` for no network, and for a name that no file can have."""

    name: str
    members: tuple[Member, ...]
    recipe: Recipe

    def __post_init__(self) -> None:
        if not self.members:
            raise ValueError("expected at least one network, got none")
        if "/" in self.name:
            raise ValueError(f"expected a name that a file can have, got {self.name!r}")

    def words(self, task: Task, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Inputs and targets of a step, (networks, batch, length, ...): those of one seed are the same."""
        length, seeds = self.recipe.length(step), [m.seed for m in self.members]
        drawn = {s: task.sample(self.recipe.batch, length, np.random.default_rng([s, TRAIN, step])) for s in dict.fromkeys(seeds)}
        inputs, targets = (torch.from_numpy(np.stack([drawn[s][i] for s in seeds])) for i in (0, 1))
        return inputs, targets


def freeze(module: nn.Module) -> None:
    """Make the weights of a module constants of its network, which a stack does not train."""
    for part in module.modules():
        for name, weight in list(part.named_parameters(recurse=False)):
            delattr(part, name)
            part.register_buffer(name, weight.detach())


#: a fresh model for a network of a stack
Build = Callable[[Member, Task], nn.Module]


def losses(task: Task, scores: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """The loss of each network, as :func:`training.loss_of`: from scores (networks, batch, T, answers) and targets (networks, batch, T)."""
    if task.answers:
        return Surprise.apply(scores, targets, UNASKED)
    asked = ~targets.isnan()
    missed = torch.where(asked, scores[..., 0] - targets.nan_to_num().to(scores.dtype), 0.0)
    return missed.square().flatten(1).sum(1) / asked.flatten(1).sum(1)


class Networks:
    """The networks of a stack: one model for all, and a matrix ``theta`` of all weights, a row for each network. The process keeps memory that they gave back.

    ``spent`` are the processor seconds of their training.
    """

    def __init__(self, stack: Stack, task: Task, build: Build, dtype: torch.dtype = torch.float32):
        keep_memory()
        self.models = [self._fresh(member, task, build) for member in stack.members]
        self.whole, state = skeleton(self.models)
        state = {name: x.to(dtype) if x.is_floating_point() else x for name, x in state.items()}
        self.names = [name for name, _ in self.whole.named_parameters()]
        self.shapes = [state[name].shape for name in self.names]
        self.rest = {name: x for name, x in state.items() if name not in self.names}
        self.theta = torch.cat([state[name].flatten(1) for name in self.names], dim=1).requires_grad_()
        self.real, self.spent = not task.letters, 0.0

    @staticmethod
    def _fresh(member: Member, task: Task, build: Build) -> nn.Module:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(member.seed)
            return build(member, task)

    def weights(self, theta: torch.Tensor) -> dict[str, torch.Tensor]:
        """The weights by name, with the axis of the networks first; parts of some rows of ``theta``."""
        parts = theta.split([shape[1:].numel() for shape in self.shapes], dim=1)
        return {name: part.view(-1, *shape[1:]) for name, part, shape in zip(self.names, parts, self.shapes, strict=True)}

    def scores(self, inputs: torch.Tensor) -> torch.Tensor:
        """What all networks say: (networks, batch, T, ...) to (networks, batch, T, answers)."""
        return self._scores(inputs, self.theta, slice(None))

    def _scores(self, inputs: torch.Tensor, theta: torch.Tensor, which: slice) -> torch.Tensor:
        """What networks with these weights say."""
        given = inputs.to(theta.dtype) if self.real else inputs

        def one(state: dict[str, torch.Tensor], x: torch.Tensor) -> torch.Tensor:
            return torch.func.functional_call(self.whole, state, (x,))

        return torch.vmap(one)(self.weights(theta) | {name: x[which] for name, x in self.rest.items()}, given)

    def gradient(self, task: Task, inputs: torch.Tensor, targets: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The losses (networks,) and their gradients, like ``theta``; of as many networks at once as the cache has room for."""
        parts = min(len(targets), max(1, round(targets.numel() / AT_ONCE)))
        edges = [len(targets) * i // parts for i in range(parts + 1)]
        found = []
        for which in map(slice, edges[:-1], edges[1:]):
            theta = self.theta.detach()[which].requires_grad_()
            lost = losses(task, self._scores(inputs[which], theta, which), targets[which])
            found.append((lost.detach(), *torch.autograd.grad(lost.sum(), theta)))
        lost, gradients = (torch.cat(rows) for rows in zip(*found, strict=True))
        return lost, gradients

    @torch.no_grad()
    def network(self, i: int) -> nn.Module:
        """The i-th network alone, as ``build`` made it, with its weights."""
        model = self.models[i]
        for name, weight in self.weights(self.theta).items():
            dict(model.named_parameters())[name].copy_(weight[i])
        return model


class Adam:
    """AdamW for each row of a matrix of weights, with its own rate, and its gradient shortened to at most ``clip``."""

    def __init__(self, theta: torch.Tensor, rates: torch.Tensor, recipe: Recipe):
        self.theta, self.rates, self.recipe = theta, rates, recipe
        self.mean, self.square, self.done = torch.zeros_like(theta), torch.zeros_like(theta), 0

    @torch.no_grad()
    def step(self, gradient: torch.Tensor, factor: float) -> None:
        """One step with ``factor`` times the rates."""
        self.done += 1
        rates = (factor * self.rates).to(self.theta.dtype)
        given = (x.detach().numpy() for x in (self.theta, gradient, self.mean, self.square, rates))
        adam_step(*given, self.recipe.clip, *self.recipe.averages, self.done, self.recipe.decay)


def one_step(stack: Stack, task: Task, networks: Networks, adam: Adam) -> np.ndarray:
    """Train on the words of the step that comes next; the loss of each network before it."""
    inputs, targets = stack.words(task, adam.done)
    lost, gradient = networks.gradient(task, inputs, targets)
    adam.step(gradient, stack.recipe.factor(adam.done))
    return lost.numpy()


def train_stack(
    stack: Stack,
    task: Task,
    build: Build,
    folder: Path | None = None,
    progress: Progress | None = None,
    pause: float = PAUSE,
    until: int | None = None,
) -> tuple[Networks, np.ndarray]:
    """The trained networks, and their losses in every step, (steps, networks).

    With a ``folder`` a checkpoint is stored there every ``pause`` seconds, and beside it the losses so far as a table, a row for each hundredth of the steps;
    a training that was stopped goes on from it. ``progress`` counts the steps; its stage ends in the median loss. ``until`` stops after so many steps.
    Raises ``ValueError`` for a checkpoint of another stack, or one that cannot be read.
    """
    networks, steps = Networks(stack, task, build), stack.recipe.steps
    adam = Adam(networks.theta, torch.tensor([m.rate for m in stack.members]), stack.recipe)
    found = np.full((steps, len(stack.members)), np.nan, np.float32)
    path = None if folder is None else folder / f"{stack.name}.pt"
    if path is not None and path.exists():
        _load(path, stack, networks, adam, found)
    saved, before, begun = monotonic(), networks.spent, process_time()
    while adam.done < min(steps, steps if until is None else until):
        lost = one_step(stack, task, networks, adam)
        found[adam.done - 1] = lost
        networks.spent = before + process_time() - begun
        if path is not None and (adam.done == steps or monotonic() - saved >= pause):
            _save(path, stack, networks, adam, found)
            saved = monotonic()
        if progress is not None:
            progress(f"{stack.name}, median loss {np.median(found[adam.done - 1]):.4g}", adam.done, steps)
    return networks, found


def curve(found: np.ndarray, rows: int = 100) -> np.ndarray:
    """The means of the losses over each of so many equal parts of the steps that are done, (rows, networks); nan for what is to come."""
    parts = [part for part in np.array_split(found, min(rows, len(found))) if len(part)]
    return np.stack([np.full(found.shape[1], np.nan) if np.isnan(part).all() else np.nanmean(part, axis=0) for part in parts])


def _save(path: Path, stack: Stack, networks: Networks, adam: Adam, found: np.ndarray) -> None:
    """A checkpoint that appears whole or not at all, and the losses as a table."""
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = {"theta": networks.theta.detach(), "mean": adam.mean, "square": adam.square, "losses": torch.from_numpy(found)}
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        torch.save({"stack": asdict(stack), "done": adam.done, "spent": networks.spent, **kept}, unfinished)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
    head = ",".join(f"{m.kind} seed {m.seed} rate {m.rate:g}".replace(",", "") for m in stack.members)
    np.savetxt(path.with_suffix(".csv"), curve(found), delimiter=",", fmt="%.5g", header=head, comments="")


def _load(path: Path, stack: Stack, networks: Networks, adam: Adam, found: np.ndarray) -> None:
    """Put a checkpoint into the networks, Adam and the losses."""
    kept: Any = read_checkpoint(path, torch.device("cpu"))
    if not isinstance(kept, dict) or kept.get("stack") != asdict(stack):
        raise ValueError(
            f"expected a checkpoint of the stack {stack.name!r} in {str(path)!r}, got another: use another folder, or remove it"
        )
    with torch.no_grad():
        networks.theta.copy_(kept["theta"])
    networks.spent = kept["spent"]
    adam.mean, adam.square, adam.done = kept["mean"], kept["square"], kept["done"]
    found[:] = kept["losses"].numpy()
