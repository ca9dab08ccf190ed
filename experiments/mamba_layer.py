"""Mamba's layer: selective and diagonal, discretised, with a short convolution and a gate (Gu and Dao 2024; grazzi25, Table 1 and App. A.2)."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from ..constructions.torch_recurrence import entrywise_recurrence
from .decay import begin_slowly, decay


class Mamba(nn.Module):
    """H_t = A_t * H_(t-1) + (Delta_t * u_t) k_t^T entry by entry, A_t = exp(-Delta_t e^W), H_0 = 0; out: (H_t q_t + d * u_t) * silu(z_t).

    One half of a linear map of x is convolved over its last ``KERNEL`` values, and u is the silu of that; z is the other half. Delta = softplus of a
    linear map of u; k and q are linear in u. With ``least`` = 0 the entries of the transition A lie in [0, 1]; with -1 it is 2 A - 1, all else the same
    (grazzi25, Table 2, Fig. 11). The block's outer projection and norm are the training house's. Maps (batch, T, inputs) to (batch, T, channels).
    """

    #: inputs that the convolution sees, as in Mamba
    KERNEL = 4

    def __init__(self, inputs: int, channels: int, states: int = 4, least: int = 0):
        super().__init__()
        if least not in (0, -1):
            raise ValueError(f"expected eigenvalues from 0 or from -1 on, got {least}")
        self.least, self.outputs = least, channels
        self.enter = nn.Linear(inputs, 2 * channels, bias=False)
        self.convolution = nn.Conv1d(channels, channels, self.KERNEL, groups=channels)
        self.key, self.query = (nn.Linear(channels, states, bias=False) for _ in range(2))
        self.step = begin_slowly(nn.Linear(channels, channels))
        # W begins as log 1, log 2, ... as in Mamba
        self.log_rate = nn.Parameter(torch.arange(1.0, states + 1).log().repeat(channels, 1))
        self.skip = nn.Parameter(torch.ones(channels))

    def halves(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(u, z): both (batch, T, channels)."""
        u, z = self.enter(x).chunk(2, dim=-1)
        seen = functional.pad(u.mT, (self.KERNEL - 1, 0))
        return functional.silu(self.convolution(seen).mT), z

    def coefficients(self, u: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(A, B) of each letter, entry by entry: both (batch, T, channels, states)."""
        step = functional.softplus(self.step(u))
        A = decay(step[..., None], self.log_rate)
        return A if self.least == 0 else 2 * A - 1, (step * u)[..., None] * self.key(u)[..., None, :]

    def spectrum(self, x: torch.Tensor) -> torch.Tensor:
        """The eigenvalues of the transitions, (batch, T, channels * states)."""
        return self.coefficients(self.halves(x)[0])[0].flatten(-2)

    def forward(self, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
        u, z = self.halves(x)
        A, B = self.coefficients(u)
        H = torch.zeros_like(A[0, 0])
        if scan:
            states = entrywise_recurrence(A, B, H)
        else:
            steps = []
            for t in range(x.shape[1]):
                H = A[:, t] * H + B[:, t]
                steps.append(H)
            states = torch.stack(steps, dim=1)
        return ((states @ self.query(u)[..., None])[..., 0] + self.skip * u) * functional.silu(z)
