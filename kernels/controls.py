"""Inputs that look like vectors and are none: dyadic too, but the chunked form needs more and more bits. The audit has to refuse them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .audit import Audit, Head, criterion, wy
from .base import BOUND
from .vectors import step

#: steps of a control, and its width
STEPS, WIDTH = 64, 16

#: name -> what it is
CONTROLS = {
    "average": "beta 1/2 on e_i - e_j: two rows become their mean",
    "shrink": "beta 1/2 on e_i",
    "projection": "beta 1 on four entries 1/2 or -1/2",
    "reflection": "beta 2 on four entries 1/2 or -1/2",
    "halving often": "gate 1/2 at every fourth step",
    "growing": "width 1, key 1, beta 2, values 7 and -7 in turn",
}


@dataclass(frozen=True)
class Refusal:
    """What the audit finds for a control: the formats that hold 64 steps of it, the bits of its worst tensor (54 for more than 53), the criterion."""

    name: str
    formats: tuple[str, ...]
    stored: int
    criterion: bool


def refusal(name: str, chunk: int = 64) -> Refusal:
    """The audit of one control.

    Example:
        >>> refusal("growing").criterion
        True
    """
    head, found = control(name), Audit()
    try:
        wy(found, head, 1.0, chunk)
    except ArithmeticError:
        # more bits than double precision has: no format holds it
        return Refusal(name, (), 54, criterion(head.k, head.beta))
    return Refusal(name, found.formats, max(found.stored.values()), criterion(head.k, head.beta))


def control(name: str) -> Head:
    """The inputs of a control; the same numbers every time. Raises ``KeyError`` for a name that is not in ``CONTROLS``."""
    if name not in CONTROLS:
        raise KeyError(f"expected one of {', '.join(CONTROLS)}, got {name!r}")
    rng = np.random.default_rng(list(CONTROLS).index(name))
    K = 1 if name == "growing" else WIDTH
    keys, betas = zip(*(_step(name, rng, K) for _ in range(STEPS)), strict=True)
    v = rng.integers(-BOUND, BOUND + 1, (STEPS, K)).astype(float)
    if name == "growing":
        v = np.where(np.arange(STEPS)[:, None] % 2 == 0, 7.0, -7.0)
    gate = np.where((np.arange(STEPS) % 4 == 3) & (name == "halving often"), 0.5, 1.0)
    start = np.zeros((K, K)) if name == "growing" else rng.integers(-BOUND, BOUND + 1, (K, K)).astype(float)
    k = np.array(keys)
    return Head(k, k, v, np.array(betas), gate, start, v, start, True)


def _step(name: str, rng: np.random.Generator, K: int) -> tuple[np.ndarray, float]:
    """A key and a beta."""
    if name == "growing":
        return np.ones(1), 2.0
    if name in ("average", "halving often"):
        return step("swap", rng, K)[0], 0.5 if name == "average" else 1.0
    if name == "shrink":
        return step("write", rng, K)[0], 0.5
    key = np.zeros(K)
    key[rng.choice(K, 4, replace=False)] = rng.choice([-0.5, 0.5], 4)
    return key, 1.0 if name == "projection" else 2.0
