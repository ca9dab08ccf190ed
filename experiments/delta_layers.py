"""DeltaNet and DeltaProduct, with and without a forget gate (grazzi25, Eqs. 1 to 3 and Sec. 4.4; Gated DeltaNet: Yang et al. 2025)."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from .affine_layers import Affine
from .decay import begin_slowly, decay


class Delta(Affine):
    """DeltaNet and DeltaProduct: ``factors`` micro-steps H <- (I - beta k k^T) H + beta k v^T a letter, |k| = 1, H of shape (n, columns).

    With ``least`` = 0 every beta lies in (0, 1) and the eigenvalues 1 - beta in [0, 1]; with -1 beta in (0, 2) and eigenvalues in [-1, 1]. k, v and beta
    are linear in the letter, up to normalisation and sigmoid; the initial state is learned; all of the state is read.
    """

    def __init__(self, inputs: int, n: int, columns: int = 1, factors: int = 1, least: int = 0):
        super().__init__()
        if least not in (0, -1):
            raise ValueError(f"expected eigenvalues from 0 or from -1 on, got {least}")
        self.n, self.columns, self.factors, self.largest = n, columns, factors, 1.0 - least
        self.outputs = n * columns
        self.key = nn.Linear(inputs, factors * n)
        self.value = nn.Linear(inputs, factors * columns)
        self.strength = nn.Linear(inputs, factors)
        self.initial = nn.Parameter(torch.randn(n, columns))

    def raw(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """What becomes (k, v, beta): (batch, T, factors n), (batch, T, factors columns), (batch, T, factors)."""
        return self.key(x), self.value(x), self.strength(x)

    def micro_steps(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """(k, v, beta), first to act first: (batch, T, factors, n), (batch, T, factors, columns), (batch, T, factors)."""
        key, value, strength = self.raw(x)
        k = functional.normalize(key.unflatten(-1, (self.factors, self.n)), dim=-1)
        return k, value.unflatten(-1, (self.factors, self.columns)), self.largest * strength.sigmoid()

    def maps(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(A, B) of each letter: (batch, T, n, n), (batch, T, n, columns)."""
        k, v, beta = self.micro_steps(x)
        # [A | B] moves as one: a micro-step writes [0 | v]
        written = functional.pad(v, (self.n, 0))[..., None, :]
        both = torch.eye(self.n, self.n + self.columns, dtype=x.dtype, device=x.device).expand(*x.shape[:2], -1, -1)
        for j in range(self.factors):
            both = _moved(both, k[:, :, j], written[:, :, j], beta[:, :, j])
        return both[..., : self.n], both[..., self.n :]

    def forgotten(self, x: torch.Tensor) -> torch.Tensor | None:
        """What the state is multiplied by before the micro-steps of each letter, (batch, T); None for no gate."""
        return None

    def looped(self, x: torch.Tensor) -> torch.Tensor:
        k, v, beta = self.micro_steps(x)
        gates = self.forgotten(x)
        H, steps = self.initial.expand(len(x), -1, -1), []
        for t in range(x.shape[1]):
            if gates is not None:
                H = gates[:, t, None, None] * H
            for j in range(self.factors):
                H = _moved(H, k[:, t, j], v[:, t, j, None], beta[:, t, j])
            steps.append(H)
        return torch.stack(steps, dim=1)


class GatedDelta(Delta):
    """Gated DeltaNet and its products: H <- g H before the micro-steps, so H <- g (I - beta k k^T) H + beta k v^T for one; g in (0, 1).

    g = exp(-e^a softplus(w.x + b)), as in Mamba2 and in Gated DeltaNet; at first near 1. Eigenvalues stay in the range that ``least`` names.
    """

    def __init__(self, inputs: int, n: int, columns: int = 1, factors: int = 1, least: int = 0):
        super().__init__(inputs, n, columns, factors, least)
        self.step = begin_slowly(nn.Linear(inputs, 1))
        self.log_rate = nn.Parameter(torch.zeros(1))

    def forgotten(self, x: torch.Tensor) -> torch.Tensor:
        return decay(functional.softplus(self.step(x)), self.log_rate)[..., 0]

    def maps(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        A, B = super().maps(x)
        return self.forgotten(x)[..., None, None] * A, B


def _moved(H: torch.Tensor, k: torch.Tensor, v: torch.Tensor, beta: torch.Tensor) -> torch.Tensor:
    """One micro-step: H + beta k (v - k^T H)."""
    column = k[..., None]
    return H + beta[..., None, None] * column * (v - column.mT @ H)
