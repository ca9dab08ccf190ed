"""S4 in its diagonal form, and a stack of such layers.

Source: Gu et al. (2022), *On the parameterization and initialization of diagonal state space models*: S4D-Lin, held input, and S4's own blocks.
"""

from __future__ import annotations

from math import log, pi
from typing import Any

import torch
from torch import nn
from torch.nn import functional


class S4D(nn.Module):
    """Every feature u has a state h' = A h + u of its own, A diagonal and complex, discretised by steps Delta in which u is held, and y = 2 Re (C h) + D u.

    h_t = exp(Delta A) h_(t-1) + (exp(Delta A) - 1) / A u_t. Re A < 0 whatever the training does. Of ``states``, an even number, one of each conjugate pair is held.
    Maps (batch, T, features) to the same, from h = 0, by a convolution (FFT) or step by step. Raises ``ValueError`` for an odd number of states, or none.
    """

    def __init__(self, features: int, states: int):
        super().__init__()
        if states < 2 or states % 2:
            raise ValueError(f"expected an even number of states, got {states}")
        pairs = states // 2
        self.log_step = nn.Parameter(torch.empty(features, 1).uniform_(log(1e-3), log(1e-1)))
        self.log_decay = nn.Parameter(torch.full((features, pairs), log(0.5)))
        self.frequency = nn.Parameter(pi * torch.arange(pairs).expand(features, pairs).clone())
        self.C = nn.Parameter(torch.randn(2, features, pairs) / 2**0.5)
        self.D = nn.Parameter(torch.randn(features))

    def discrete(self) -> tuple[torch.Tensor, torch.Tensor]:
        """(Delta A, 2 C (exp(Delta A) - 1) / A), both complex, (features, pairs)."""
        A = torch.complex(-self.log_decay.exp(), self.frequency)
        moved = self.log_step.exp() * A
        return moved, 2 * torch.complex(self.C[0], self.C[1]) * torch.expm1(moved) / A

    def kernel(self, T: int) -> torch.Tensor:
        """What T steps make of an impulse, with D: (features, T)."""
        moved, weight = self.discrete()
        # real and imaginary parts apart: PyTorch's complex exponential is not vectorised
        angle = moved.imag[..., None] * torch.arange(T, device=moved.device)
        size = torch.exp(moved.real[..., None] * torch.arange(T, device=moved.device))
        response = (size * (weight.real[..., None] * angle.cos() - weight.imag[..., None] * angle.sin())).sum(1)
        return response + self.D[:, None] * functional.pad(torch.ones_like(response[:, :1]), (0, T - 1))

    def forward(self, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
        if scan:
            return Convolution.apply(self.kernel(x.shape[1]), x)  # type: ignore[return-value]
        moved, weight = self.discrete()
        h, steps, kept = torch.zeros_like(moved), [], moved.exp()
        for u in x.unbind(1):
            h = kept * h + u[..., None]
            steps.append((weight * h).sum(-1).real + self.D * u)
        return torch.stack(steps, dim=1)


class Convolution(torch.autograd.Function):
    """y_t = sum_s K_s x_(t-s), feature by feature: K (features, T) and x (batch, T, features) to (batch, T, features).

    Its gradient is a correlation, from the spectra that are there already; autograd's own takes complex transforms of twice the size.
    """

    @staticmethod
    def forward(ctx: Any, kernel: torch.Tensor, x: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        T = x.shape[1]
        spectra = torch.fft.rfft(kernel, 2 * T), torch.fft.rfft(x.mT.contiguous(), 2 * T)
        ctx.save_for_backward(*spectra)
        return torch.fft.irfft(spectra[0] * spectra[1], 2 * T)[..., :T].mT.contiguous()

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        kernel, x = ctx.saved_tensors
        T = grads[0].shape[1]
        error = torch.fft.rfft(grads[0].mT.contiguous(), 2 * T)
        by_kernel = torch.fft.irfft((x.conj() * error).sum(0), 2 * T)[..., :T]
        return by_kernel, torch.fft.irfft(kernel.conj() * error, 2 * T)[..., :T].mT.contiguous()


class Block(nn.Module):
    """x + GLU of a linear map of GELU(S4D(normalised x))."""

    def __init__(self, width: int, states: int):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.layer = S4D(width, states)
        self.out = nn.Linear(width, 2 * width)

    def forward(self, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
        return x + functional.glu(self.out(functional.gelu(self.layer(self.norm(x), scan))), dim=-1)


class DeepS4D(nn.Module):
    """A linear encoder, ``depth`` blocks, a norm, and a linear readout of every step, or with ``mean`` of their mean, (batch, T, inputs) to (batch, T, outputs) or (batch, outputs).

    Raises ``ValueError`` for no layers.
    """

    def __init__(self, inputs: int, outputs: int, width: int, depth: int, states: int, mean: bool = False):
        super().__init__()
        if depth < 1:
            raise ValueError(f"expected at least one layer, got {depth}")
        self.mean = mean
        self.encoder = nn.Linear(inputs, width)
        self.blocks = nn.ModuleList(Block(width, states) for _ in range(depth))
        self.norm = nn.LayerNorm(width)
        self.readout = nn.Linear(width, outputs)

    def forward(self, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
        y = self.encoder(x)
        for block in self.blocks:
            y = block(y, scan)
        y = self.norm(y)
        return self.readout(y.mean(1) if self.mean else y)
