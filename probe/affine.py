"""Is a step affine in its state, and what is its transition A(x)? By numbers, from differences; a graph may prove the first (graph.py)."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from .steps import Step, Weights

#: sizes of the states on which a step is compared with its affine map
SIZES = (1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3, 1e4)

#: roundings of the largest term that a deviation may come to
ROUNDINGS = 100


@dataclass(frozen=True)
class Affine:
    """f(state) = A state + b at one input, as far as states of the sizes above tell.

    Attributes:
        A: The transition, shape (size, size).
        b: What is written, shape (size,).
        deviation: The largest |f(s) - (A s + b)| beside |A||s| + |b|, entry by entry, over the states tried.
        bound: What rounding alone may give.
        derivative: The largest difference between A and the derivative that PyTorch gives, beside the largest entry of A; None where it gives none.
    """

    A: np.ndarray
    b: np.ndarray
    deviation: float
    bound: float
    derivative: float | None

    @property
    def holds(self) -> bool:
        """Whether nothing but rounding was seen."""
        return self.deviation <= self.bound


def transition(step: Step, weights: Weights, x: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """A and b at one input, in float64, by differences of states that are far larger than b, so that nothing cancels."""
    with torch.no_grad():
        b = step(weights, torch.zeros(step.size, dtype=step.dtype), x).to(torch.float64)
        # a power of two: dividing by it rounds nothing
        far = 2.0 ** np.ceil(np.log2(1e3 * max(1.0, float(b.abs().max()))))
        after = states(step, weights, far * torch.eye(step.size, dtype=step.dtype), x)
        return (after.to(torch.float64).T - b[:, None]) / far, b


def affine_map(step: Step, weights: Weights, x: Any, seed: int = 0) -> Affine:
    """A and b at one input, and how far the step is from them on states of all sizes."""
    A, b = transition(step, weights, x)
    with torch.no_grad():
        f = lambda state: step(weights, state, x).to(torch.float64)  # noqa: E731
        generator, deviation = torch.Generator().manual_seed(seed), 0.0
        for size in SIZES:
            state = (size * torch.randn(step.size, generator=generator, dtype=torch.float64)).to(step.dtype)
            wide = state.to(torch.float64)
            scale = (A.abs() @ wide.abs() + b.abs()).max()
            gap = (f(state) - (A @ wide + b)).abs().max()
            deviation = max(deviation, float(gap / scale) if scale > 0 else float(gap))
    bound = ROUNDINGS * torch.finfo(step.dtype).eps / 2
    return Affine(A.numpy(), b.numpy(), deviation if np.isfinite(deviation) else np.inf, bound, _difference(step, weights, x, A))


def states(step: Step, weights: Weights, many: torch.Tensor, x: Any) -> torch.Tensor:
    """The states after one input, (count, size), from many; in one call where the step has one, or PyTorch can vectorise it."""
    if step.many is not None:
        return step.many(weights, many.clone(), x.clone())
    try:
        with warnings.catch_warnings():
            # what PyTorch has no vectorised form of it runs in a loop, and says so
            warnings.simplefilter("ignore")
            return torch.func.vmap(lambda state: step(weights, state, x))(many)
    except (RuntimeError, NotImplementedError, ValueError):
        return torch.stack([step(weights, state, x) for state in many])


def _difference(step: Step, weights: Weights, x: Any, A: torch.Tensor) -> float | None:
    """How far the derivative that PyTorch gives is from A; None where it gives none, and infinite where it is no number."""
    state = torch.zeros(step.size, dtype=step.dtype, requires_grad=True)
    after = step(weights, state, x)
    if not after.requires_grad:
        return None
    rows = [torch.autograd.grad(after, state, e, retain_graph=True, allow_unused=True)[0] for e in torch.eye(step.size, dtype=step.dtype)]
    given = torch.stack([torch.zeros_like(state) if r is None else r for r in rows]).to(torch.float64).detach()
    gap = float((given - A).abs().max() / max(1.0, float(A.abs().max())))
    return gap if np.isfinite(gap) else np.inf
