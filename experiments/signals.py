"""Tasks on real sequences of d channels: copies, sines and products of past inputs (lizaire26, Sec. 4.1 and 4.2, App. B.1 and B.2).

Inputs and targets have the shape (batch, length, d); what a run finds is the mean squared error on test words.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from ..numerics.progress import Progress
from .bilinear_layers import DeepRNN, parameters_counted
from .tasks import Generator, Sample, Task
from .training import TEST, Run, train

#: the frequency of sin(omega x)
OMEGA = 3.0

#: sizes of a product's factors are uniform in this interval, then divided by their root mean square: products stay of size 1
SIZES = (0.7, 1.3)


def copied(d: int, lag: int) -> Task:
    """x_(t - lag), 0 before there is one; inputs are white, N(0, 1)."""
    return _delayed("copy", d, lag, lambda x: x)


def sinus(d: int, lag: int) -> Task:
    """sin(omega x_(t - lag)), 0 before there is one; inputs are white, N(0, 1). With lag 0 no memory is needed."""
    return _delayed("sinus" if lag == 0 else "copy-sinus", d, lag, lambda x: np.sin(OMEGA * x))


def _delayed(name: str, d: int, lag: int, of: Any) -> Task:
    if lag < 0 or d < 1:
        raise ValueError(f"expected a lag of at least 0 and at least one channel, got {lag} and {d}")

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        x = rng.standard_normal((batch, length, d))
        y = np.zeros_like(x)
        y[:, lag:] = of(x[:, : max(length - lag, 0)])
        return x, y

    return _task(name, d, sample)


def parity(d: int) -> Task:
    """x_1 ... x_t in each channel, for independent random signs."""
    return _task("parity", d, lambda batch, length, rng: _with_products(_signs(batch, length, d, rng)))


def products(d: int) -> Task:
    """x_1 ... x_t in each channel, for independent real numbers of mean square 1: random signs times sizes as in ``SIZES``."""
    low, high = SIZES
    root = ((low * low + low * high + high * high) / 3) ** 0.5

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        signs = _signs(batch, length, d, rng)
        return _with_products(signs * rng.uniform(low, high, signs.shape) / root)

    return _task("products", d, sample)


def _signs(batch: int, length: int, d: int, rng: Generator) -> np.ndarray:
    return rng.choice([-1.0, 1.0], (batch, length, d))


def _with_products(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return x, x.cumprod(axis=1)


def _task(name: str, d: int, sample: Sample) -> Task:
    return Task(name, (), (), sample, features=d)


def signal_task(name: str, d: int, lag: int) -> Task:
    """copy, sinus, copy-sinus, parity or products, on d channels. Raises ``ValueError`` for another name."""
    made = {
        "copy": lambda: copied(d, lag),
        "sinus": lambda: sinus(d, 0),
        "copy-sinus": lambda: sinus(d, lag),
        "parity": lambda: parity(d),
        "products": lambda: products(d),
    }
    if name not in made:
        raise ValueError(f"expected a task among {', '.join(made)}, got {name!r}")
    return made[name]()


def built(run: Run, task: Task) -> nn.Module:
    """The stack that a run names, with as many outputs as inputs."""
    return DeepRNN(run.kind, task.features, task.features, run.width, run.depth)


def squared_error(model: nn.Module, task: Task, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """The mean squared error over words, steps and channels."""
    return functional.mse_loss(model(inputs.float()), targets.float())


def measure(
    run: Run,
    folder: Path | None,
    progress: Progress | None,
    device: torch.device | None,
    d: int,
    lag: int,
    tested: Sequence[int],
    words: int,
    learns: str = "",
) -> dict[str, Any]:
    """Of one trained run: mean squared errors on ``words`` test words of each length in ``tested``, which training has not seen, and the number of parameters.

    The task is ``learns`` (see ``signal_task``), or that of the run's name.
    """
    task = signal_task(learns or run.task, d, lag)
    model = train(run, folder, progress, device, task=task, build=built, loss=squared_error)
    return {"errors": [_test_error(model, task, n, words, run.seed, device) for n in tested], "parameters": parameters_counted(model)}


@torch.no_grad()
def _test_error(model: nn.Module, task: Task, length: int, words: int, seed: int, device: torch.device | None) -> float:
    drawn = task.sample(words, length, np.random.default_rng([seed, TEST]))
    return float(squared_error(model, task, *(torch.from_numpy(x).to(device or "cpu") for x in drawn)))
