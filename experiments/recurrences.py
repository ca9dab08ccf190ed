"""Recurrences that are affine in the state, with parameters: by the project's scan, or where that is quicker step by step with a gradient that is.

Autograd's own record of a loop has several nodes a step; here a step back is one product, and the gradients of all coefficients are one more.
"""

from __future__ import annotations

from typing import Any

import torch

from ..numerics.scan import associative_scan, compose_matrices, prefers_loop


class MatrixLoop(torch.autograd.Function):
    """H_t = A_t H_(t-1) + B_t, step by step: the states (batch, T, n, c) for A (batch, T, n, n), B (batch, T, n, c) and H_0 (n, c)."""

    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
    def forward(ctx: Any, A: torch.Tensor, B: torch.Tensor, initial: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        H, h = torch.empty_like(B), initial.expand_as(B[:, 0])
        for t in range(B.shape[1]):
            H[:, t] = h = torch.baddbmm(B[:, t], A[:, t], h)
        ctx.save_for_backward(A, H, initial)
        return H

    @staticmethod
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        A, H, initial = ctx.saved_tensors
        (of_states,) = gradients
        last = H.shape[1] - 1
        dB = torch.empty_like(H)
        dB[:, last] = g = of_states[:, last]
        for t in range(last - 1, -1, -1):
            dB[:, t] = g = torch.baddbmm(of_states[:, t], A[:, t + 1].mT, g)
        before = torch.cat([initial.expand_as(H[:, :1]), H[:, :-1]], dim=1)
        return dB @ before.mT, dB, (A[:, 0].mT @ dB[:, 0]).sum(0)


def matrix_recurrence(A: torch.Tensor, B: torch.Tensor, initial: torch.Tensor) -> torch.Tensor:
    """H_t = A_t H_(t-1) + B_t: the states (batch, T, n, c) for A (batch, T, n, n), B (batch, T, n, c) and H_0 (n, c)."""
    if prefers_loop(B, axis=1):
        return MatrixLoop.apply(A, B, initial)  # type: ignore[no-any-return]
    products, sums = associative_scan(compose_matrices, (A, B), axis=1)
    return products @ initial + sums
