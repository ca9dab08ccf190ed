"""Networks and tasks with one answer to a sequence, as a stack trains them: an answer at a single step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from torch import nn

from .tasks import Generator, Task


class AnsweredOnce(nn.Module):
    """A model (batch, T, ...) to (batch, answers), its answer as that of one step, (batch, 1, answers)."""

    def __init__(self, model: nn.Module):
        super().__init__()
        self.model = model

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x)[:, None]


def asked_once(task: Task) -> Task:
    """The task with the targets of the last step alone, (batch, 1)."""

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        inputs, targets = task.sample(batch, length, rng)
        return inputs, targets[:, -1:]

    return replace(task, sample=sample)
