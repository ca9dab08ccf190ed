"""Weights and inputs at which a transition has an eigenvalue near a number: seen in floats, never a proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import torch

from .affine import transition
from .ranges import ZERO
from .steps import Step, Weights
from .structure import blocks

#: what weights, or inputs, are multiplied by
SCALES = (1.0, 3.0, 10.0, 30.0, 100.0)

#: draws of each scale
COUNT = 12

#: steps between two draws on both sides of a number
HALVINGS = 50

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
    """The eigenvalues at one draw of weights and input."""

    weights: Weights = field(repr=False)
    input: torch.Tensor = field(repr=False)
    eigenvalues: np.ndarray

    @property
    def least(self) -> float:
        """The least real part."""
        return float(np.real(self.eigenvalues).min())


def samples(step: Step, these: bool, seed: int = 2) -> list[Sample]:
    """Draws of inputs at these weights, or of both, of all scales; those with a finite transition."""
    found = ((weights, x, _eigenvalues(step, weights, x)) for weights, x in _draws(step, these, seed))
    return [Sample(weights, x, values) for weights, x, values in found if values is not None]


def nearest(step: Step, target: complex, drawn: list[Sample]) -> Witness | None:
    """The eigenvalue nearest to a number; None if there are no samples. Where samples lie on both sides of it, weights and input are halved between them."""
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
    if best is None or best.approaches or below is None or above is None:
        return best
    return _halved(step, target, best, (below.weights, below.input), (above.weights, above.input))


def _halved(step: Step, target: complex, best: Witness, low: tuple[Weights, torch.Tensor], high: tuple[Weights, torch.Tensor]) -> Witness:
    """The least eigenvalue is continuous in weights and input: halve the way between two that lie on both sides of the number."""
    for _ in range(HALVINGS):
        weights = {n: (w + high[0][n]) / 2 if w.is_floating_point() else w for n, w in low[0].items()}
        x = (low[1] + high[1]) / 2 if low[1].is_floating_point() else low[1]
        values = _eigenvalues(step, weights, x)
        if values is None:
            break
        best = _nearer(best, values, target, weights, x)
        if best.gap == 0:
            break
        if np.real(values).min() < target.real:
            low = (weights, x)
        else:
            high = (weights, x)
    return best


def _eigenvalues(step: Step, weights: Weights, x: torch.Tensor) -> np.ndarray | None:
    """All eigenvalues of a transition; None if it is not finite."""
    A = transition(step, weights, x)[0].numpy()
    if not np.isfinite(A).all():
        return None
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
        for _ in range(COUNT):
            if these:
                x = step.draw(generator)
                yield step.weights, x * scale if x.is_floating_point() else x
            else:
                yield step.drawn_weights(generator, scale), step.draw(generator)
