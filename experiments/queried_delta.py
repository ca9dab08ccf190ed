"""Gated DeltaNet as it is built for recall (Yang et al. 2025): short convolutions before keys, values and queries, and a state that is read by a query."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from .delta_layers import GatedDelta
from .mamba_layer import Mamba
from .recurrences import matrix_recurrence


class Short(nn.Module):
    """silu of a causal convolution, one for each output, of the last values of a linear map: (batch, T, inputs) to (batch, T, outputs)."""

    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        self.linear = nn.Linear(inputs, outputs, bias=False)
        self.convolution = nn.Conv1d(outputs, outputs, Mamba.KERNEL, groups=outputs)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.silu(self.convolution(functional.pad(self.linear(x).mT, (Mamba.KERNEL - 1, 0))).mT)


class QueriedDelta(GatedDelta):
    """The gated delta rule on a state H of shape (n, columns); out: H_t^T q_t, |q_t| = 1, (batch, T, columns)."""

    def __init__(self, inputs: int, n: int, columns: int, least: int = 0):
        super().__init__(inputs, n, columns, least=least)
        self.outputs = columns
        self.key, self.value, self.query = Short(inputs, n), Short(inputs, columns), Short(inputs, n)

    def forward(self, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
        states = matrix_recurrence(*self.maps(x), self.initial) if scan else self.looped(x)
        return (functional.normalize(self.query(x), dim=-1)[..., None, :] @ states)[..., 0, :]

    def of_letters(self, words: torch.Tensor, letters: torch.Tensor) -> torch.Tensor:
        # a letter's maps depend on those before it
        return self(letters[words])
