"""The bistable unit and the linear recurrent unit as torch modules, trained by gradients; both run by the one scan of ``numerics.scan``.

Needs the ``torch`` extra. Equations are those of degeeter26 (Eqs. 11 and 12); the LRU is Orvieto et al. (2023), which the paper compares with.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import nn

from ..torch_recurrence import entrywise_recurrence


class Step(torch.autograd.Function):
    """low + (high - low) H(x) with H(0) = 1 forward; (high - low) times Eq. 12 backward."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, low: float, high: float, sharpness: float) -> torch.Tensor:  # type: ignore[override]
        ctx.save_for_backward(x)
        ctx.scale = (high - low, sharpness)
        return torch.where(x >= 0, high, low).to(x.dtype)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[torch.Tensor | None, ...]:  # type: ignore[override]
        (x,) = ctx.saved_tensors
        height, sharpness = ctx.scale
        return grads[0] * height / (1 + (sharpness * math.pi * x) ** 2), None, None, None


def heaviside(x: torch.Tensor, sharpness: float = 1.0) -> torch.Tensor:
    """H(x), H(0) = 1, with the derivative of Eq. 12; ``sharpness`` is alpha_surr."""
    return Step.apply(x, 0.0, 1.0, sharpness)  # type: ignore[return-value]


def sign(x: torch.Tensor, sharpness: float = 1.0) -> torch.Tensor:
    """S(x), S(0) = 1, with twice the derivative of Eq. 12."""
    return Step.apply(x, -1.0, 1.0, sharpness)  # type: ignore[return-value]


def bmru_states(
    candidates: torch.Tensor,
    thresholds: torch.Tensor,
    alpha: torch.Tensor,
    initial: torch.Tensor,
    sharpness: float = 1.0,
    scan: bool = True,
) -> torch.Tensor:
    """The states of Eq. 11c and d for candidates and thresholds (batch, T, n), ``alpha`` (n,) and ``initial`` (n,); shape (batch, T, n).

    By the scan in 2 log2(T) passes (where the batch is wide, step by step on the CPU), or always step by step: the same bits either way, and the same gradient.
    """
    z = heaviside(candidates.abs() - thresholds, sharpness)
    a, b = 1 - z, z * sign(candidates, sharpness) * alpha
    if scan:
        return entrywise_recurrence(a, b, initial)
    h, states = initial.expand(a.shape[0], -1), []
    for t in range(a.shape[1]):
        h = a[:, t] * h + b[:, t]
        states.append(h)
    return torch.stack(states, dim=1)


class BMRU(nn.Module):
    """A layer of ``units`` bistable units on ``inputs`` inputs (Eq. 11); maps (batch, T, inputs) to states (batch, T, units).

    All units start at -alpha, as Eq. 9 needs a start at +-alpha.
    """

    def __init__(self, inputs: int, units: int, sharpness: float = 1.0):
        super().__init__()
        self.candidate = nn.Linear(inputs, units)
        self.threshold = nn.Linear(inputs, units)
        self.alpha = nn.Parameter(torch.ones(units))
        self.sharpness = sharpness

    def forward(self, x: torch.Tensor, scan: bool = True, initial: torch.Tensor | None = None) -> torch.Tensor:
        start = -self.alpha if initial is None else initial
        return bmru_states(self.candidate(x), self.threshold(x).abs(), self.alpha, start, self.sharpness, scan)

    @torch.no_grad()
    def last_state(self, x: torch.Tensor, before: torch.Tensor | None) -> torch.Tensor:
        """The state (batch, units) after x (batch, T, inputs) from ``before``, or from the start: what was written last."""
        before = (-self.alpha).expand(x.shape[0], -1) if before is None else before
        candidates = self.candidate(x)
        writes = candidates.abs() >= self.threshold(x).abs()
        time = torch.arange(1, x.shape[1] + 1, dtype=torch.int32)[:, None]
        last = (writes * time).amax(dim=1)
        written = candidates.gather(1, (last.long() - 1).clamp(min=0)[:, None])[:, 0]
        return torch.where(last > 0, torch.where(written >= 0, self.alpha, -self.alpha), before)


class LRU(nn.Module):
    """A linear recurrent unit layer: diagonal complex h_t = lambda h_(t-1) + gamma B x_t; maps (batch, T, inputs) to (Re h, Im h), (batch, T, 2 units).

    |lambda| starts uniformly in the ring [r_min, r_max], angles in [0, theta_max]; |lambda| = exp(-exp(nu)) < 1 whatever the training does.
    """

    def __init__(self, inputs: int, units: int, r_min: float = 0.0, r_max: float = 0.99, theta_max: float = 2 * math.pi):
        super().__init__()
        radius = torch.sqrt(r_min**2 + (r_max**2 - r_min**2) * torch.rand(units)).clamp(min=1e-6)
        self.nu = nn.Parameter(torch.log(-torch.log(radius)))
        self.theta = nn.Parameter(theta_max * torch.rand(units))
        self.log_gamma = nn.Parameter(0.5 * torch.log(1 - radius**2))
        self.B = nn.Parameter(torch.randn(2, units, inputs) / math.sqrt(2 * inputs))

    def eigenvalues(self) -> torch.Tensor:
        """lambda, shape (units,), complex."""
        return torch.polar(torch.exp(-torch.exp(self.nu)), self.theta)

    def drive(self, x: torch.Tensor) -> torch.Tensor:
        """gamma B x, complex."""
        gain = self.log_gamma.exp()
        return torch.complex(x @ self.B[0].T * gain, x @ self.B[1].T * gain)

    def forward(self, x: torch.Tensor, scan: bool = True, initial: torch.Tensor | None = None) -> torch.Tensor:
        b = self.drive(x)
        a = self.eigenvalues().expand(b.shape)
        # (Re h, Im h) as it is handed out
        h = torch.zeros_like(b[:, 0]) if initial is None else torch.complex(*initial.chunk(2, dim=-1))
        if scan:
            states = entrywise_recurrence(a, b, h)
        else:
            steps = []
            for t in range(b.shape[1]):
                h = a[:, t] * h + b[:, t]
                steps.append(h)
            states = torch.stack(steps, dim=1)
        return torch.cat([states.real, states.imag], dim=-1)

    @torch.no_grad()
    def last_state(self, x: torch.Tensor, before: torch.Tensor | None) -> torch.Tensor:
        """The state (batch, 2 units) after x from ``before``: one weighted sum."""
        T, log_lambda = x.shape[1], torch.log(self.eigenvalues())
        powers = torch.exp(log_lambda * torch.arange(T - 1, -1, -1)[:, None])
        weighted = torch.einsum("tn,btm->bnm", powers, x.to(powers.dtype))
        gain = self.log_gamma.exp()[:, None] * torch.complex(self.B[0], self.B[1])
        h = (weighted * gain).sum(-1)
        if before is not None:
            half = before.shape[-1] // 2
            h = h + torch.exp(log_lambda * T) * torch.complex(before[:, :half], before[:, half:])
        return torch.cat([h.real, h.imag], dim=-1)
