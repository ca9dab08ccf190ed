"""How selective layers forget: exp(-step e^rate), the step a softplus of the input that begins small (Gu and Dao 2024)."""

from __future__ import annotations

from math import log

import torch
from torch import nn

#: the steps that a layer begins with, softplus of its bias: log-uniform between these, as in Mamba
FIRST_STEPS = 1e-3, 1e-1


def decay(step: torch.Tensor, log_rate: torch.Tensor) -> torch.Tensor:
    """exp(-step e^log_rate), in (0, 1) for positive steps."""
    return torch.exp(-step * log_rate.exp())


def begin_slowly(linear: nn.Linear) -> nn.Linear:
    """The layer, with a bias whose softplus lies in ``FIRST_STEPS``."""
    low, high = map(log, FIRST_STEPS)
    with torch.no_grad():
        step = torch.exp(low + (high - low) * torch.rand_like(linear.bias))
        # the inverse of the softplus
        linear.bias.copy_(step + torch.log(-torch.expm1(-step)))
    return linear
