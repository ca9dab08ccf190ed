"""Weights and inputs at which a transition has an eigenvalue near a number: seen in floats, never a proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from scipy.linalg import eig

from .affine import transition
from .ranges import ZERO
from .steps import Step, Weights
from .structure import blocks

#: what weights, or inputs, are multiplied by
SCALES = (1.0, 3.0, 10.0, 30.0, 100.0)

#: draws of each scale
COUNT = 12

#: draws of each scale, where a fused kernel has to be run; then nothing is halved either
FEW = 1

#: steps between two draws on both sides of a number
HALVINGS = 50

#: steps down a gradient, and the least step
CLIMBS, LEAST = 60, 1e-9

#: how near a family has to come
GAPS = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)


@dataclass(frozen=True)
class Witness:
    """The nearest that was seen.

    Attributes:
        target: The number.
        gap: How near an eigenvalue came, in the step's format.
        eigenvalue: That eigenvalue.
        weights: The weights.
        input: The input.
        gaps: The gaps of :data:`GAPS` that were met on the way.
    """

    target: complex
    gap: float
    eigenvalue: complex
    weights: Weights = field(repr=False)
    input: torch.Tensor = field(repr=False)
    gaps: tuple[float, ...] = ()

    @property
    def approaches(self) -> bool:
        """Whether weights and inputs came as near as every gap."""
        return len(self.gaps) == len(GAPS)


@dataclass(frozen=True)
class Sample:
    """The eigenvalues at one draw of weights and input, and the largest singular value."""

    weights: Weights = field(repr=False)
    input: torch.Tensor = field(repr=False)
    eigenvalues: np.ndarray
    norm: float

    @property
    def least(self) -> float:
        """The least real part."""
        return float(np.real(self.eigenvalues).min())


def samples(step: Step, these: bool, seed: int = 2) -> list[Sample]:
    """Draws of inputs at these weights, or of both, of all scales; those with a finite transition."""
    found = ((weights, x, transition(step, weights, x)[0].numpy()) for weights, x in _draws(step, these, seed))
    return [Sample(weights, x, _eigenvalues(A), float(np.linalg.norm(A, 2))) for weights, x, A in found if np.isfinite(A).all()]


def nearest(step: Step, target: complex, drawn: list[Sample]) -> Witness | None:
    """The eigenvalue nearest to a number; None if there are no samples.

    Where samples lie on both sides of it, weights and input are halved between them.
    """
    best: Witness | None = None
    below: Sample | None = None
    above: Sample | None = None
    for s in drawn:
        best = _nearer(best, s.eigenvalues, target, s.weights, s.input)
        least = s.least
        if least < target.real and (below is None or least > below.least):
            below = s
        elif least > target.real and (above is None or least < above.least):
            above = s
    if best is None or best.approaches or below is None or above is None or step.is_black_box:
        return best
    return _halved(step, target, best, (below.weights, below.input), (above.weights, above.input))


def climbed(step: Step, best: Witness) -> Witness:
    """Weights and input on the way down the gradient of the distance of the nearest eigenvalue; what was given where PyTorch has no gradient."""
    length = 0.3
    for _ in range(CLIMBS):
        slopes = None if best.gap <= GAPS[-1] else _slopes(step, best)
        if slopes is None or length < LEAST:
            break
        # no farther than where the distance would be 0
        by = min(length, slopes.reach)
        weights = {n: w - by * slopes.of[n] if n in slopes.of else w for n, w in best.weights.items()}
        x, before = best.input - by * slopes.of[""] if "" in slopes.of else best.input, best.gap
        A = transition(step, weights, x)[0].numpy()
        if np.isfinite(A).all():
            best = _nearer(best, _eigenvalues(A), best.target, weights, x)
        length = 1.5 * length if best.gap < before else 0.4 * by
    return best


@dataclass(frozen=True)
class Slopes:
    """The gradient of the distance of an eigenvalue from a number, as long as all weights together.

    Attributes:
        of: By the name of a weight; by "" the input.
        reach: The multiple of it after which the distance is 0, if the way is straight.
    """

    of: dict[str, torch.Tensor]
    reach: float


def _slopes(step: Step, at: Witness) -> Slopes | None:
    """The gradient by weights and input; None if there is none.

    By u and v, left and right eigenvectors of A: the eigenvalue changes by u* dA v / u* v.
    """
    A = transition(step, at.weights, at.input)[0].numpy()
    solved: Any = eig(A, left=True, right=True)
    values, left, right = solved
    i = int(np.abs(values - at.target).argmin())
    u, v = left[:, i], right[:, i]
    angle = np.vdot(u, v)
    if abs(angle) < LEAST:
        return None
    c = torch.from_numpy(np.conj(values[i] - at.target) * np.conj(u) / angle)
    leaves = {n: w.detach().clone().requires_grad_() for n, w in at.weights.items() if w.is_floating_point()}
    if at.input.is_floating_point():
        leaves[""] = at.input.detach().clone().requires_grad_()
    weights, x = at.weights | {n: w for n, w in leaves.items() if n}, leaves.get("", at.input)
    zero = step(weights, torch.zeros(step.size, dtype=step.dtype), x)
    parts = [torch.tensor(part.tolist(), dtype=step.dtype) for part in (v.real, v.imag)]
    moved = [step(weights, part, x) - zero for part in parts]
    distance = (c.real.to(step.dtype) * moved[0] - c.imag.to(step.dtype) * moved[1]).sum()
    if not distance.requires_grad:
        return None
    slopes = dict(zip(leaves, torch.autograd.grad(distance, list(leaves.values()), allow_unused=True), strict=True))
    found = {n: g for n, g in slopes.items() if g is not None}
    whole = float(sum((g.to(torch.float64) ** 2).sum() for g in found.values())) ** 0.5
    size = float(sum((leaves[n].detach().to(torch.float64) ** 2).sum() for n in found)) ** 0.5
    if not np.isfinite(whole) or whole == 0 or size == 0:
        return None
    # the gradient is that of half the square of the distance
    return Slopes({n: g * (size / whole) for n, g in found.items()}, at.gap**2 / (whole * size))


def _halved(step: Step, target: complex, best: Witness, low: tuple[Weights, torch.Tensor], high: tuple[Weights, torch.Tensor]) -> Witness:
    """The least eigenvalue is continuous in weights and input: halve the way between two that lie on both sides of the number."""
    for _ in range(HALVINGS):
        weights = {n: (w + high[0][n]) / 2 if w.is_floating_point() else w for n, w in low[0].items()}
        x = (low[1] + high[1]) / 2 if low[1].is_floating_point() else low[1]
        A = transition(step, weights, x)[0].numpy()
        if not np.isfinite(A).all():
            break
        values = _eigenvalues(A)
        best = _nearer(best, values, target, weights, x)
        if best.gap == 0:
            break
        if np.real(values).min() < target.real:
            low = (weights, x)
        else:
            high = (weights, x)
    return best


def _eigenvalues(A: np.ndarray) -> np.ndarray:
    """All eigenvalues of a transition, block by block."""
    return np.concatenate([b.eigenvalues for b in blocks(A, ZERO * max(1.0, float(np.abs(A).max())))])


def _nearer(best: Witness | None, values: np.ndarray, target: complex, weights: Weights, x: torch.Tensor) -> Witness:
    gaps = np.abs(values - target)
    i = int(gaps.argmin())
    if best is not None and best.gap <= gaps[i]:
        return best
    return Witness(target, float(gaps[i]), complex(values[i]), weights, x, tuple(g for g in GAPS if gaps[i] <= g))


def _draws(step: Step, these: bool, seed: int) -> Iterator[tuple[Weights, torch.Tensor]]:
    generator = torch.Generator().manual_seed(seed)
    for scale in SCALES:
        for _ in range(FEW if step.is_black_box else COUNT):
            if these:
                x = step.draw(generator)
                yield step.weights, x * scale if x.is_floating_point() else x
            else:
                yield step.drawn_weights(generator, scale), step.draw(generator)
