"""h_t = a_t h_(t-1) + b_t, entry by entry, for torch tensors with gradients: by the project's scan, or where that is quicker step by step.

Autograd's own record of a loop has several nodes a step; here a step back is two operations, and the gradients of all coefficients are one more.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.autograd.function import once_differentiable

from ..numerics.scan import linear_recurrence, prefers_loop

#: entries of one step from which the loop is quicker than the scan: fewer than elsewhere, since its gradient takes fewer calls
WIDE = 128


class EntrywiseLoop(torch.autograd.Function):
    """The states for a and b (batch, T, ...) and h_0 (batch, ...), real or complex, step by step, with the bits of autograd's own gradient."""

    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
    def forward(ctx: Any, a: torch.Tensor, b: torch.Tensor, initial: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        states = torch.empty_like(b)
        before = initial
        for factor, term, state in zip(a.unbind(1), b.unbind(1), states.unbind(1), strict=True):
            before = torch.addcmul(term, factor, before, out=state)
        ctx.save_for_backward(a, initial, states)
        return states

    @staticmethod
    @once_differentiable
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:  # type: ignore[override]
        a, initial, states = ctx.saved_tensors
        factors, total = a.conj().resolve_conj(), grads[0].clone()
        steps, gains = total.unbind(1), factors.unbind(1)
        for t in range(len(steps) - 1, 0, -1):
            steps[t - 1].add_(steps[t] * gains[t])
        before = torch.cat([initial[:, None], states[:, :-1]], dim=1)
        return total * before.conj(), total, steps[0] * gains[0]


def entrywise_recurrence(a: torch.Tensor, b: torch.Tensor, initial: torch.Tensor) -> torch.Tensor:
    """The states (batch, T, ...) for a and b (batch, T, ...) and h_0, of the shape of one step of b or one that expands to it."""
    start = initial.expand_as(b[:, 0])
    return EntrywiseLoop.apply(a, b, start) if prefers_loop(b, 1, WIDE) else linear_recurrence(a, b, start, axis=1)  # type: ignore[return-value]
