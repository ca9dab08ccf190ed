"""Networks that several files of this topic share."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from .....constructions.universality.networks import Network
from .. import integers, matrix, rational


def typed(A: np.ndarray) -> list[np.ndarray]:
    """The same integers as an object array of rationals, as floats and as complex numbers."""
    return [A * fmpq(1), A.astype(float), A.astype(complex)]


def fires(head: Network, x: list[Any]) -> Any:
    """A network of steps at x, neuron by neuron."""
    rows = zip(head.inner, head.bias, head.outer, strict=True)
    return sum((w for row, b, w in rows if sum((a * t for a, t in zip(row, x, strict=True)), b) >= 0), head.offset)


def heads_of(rng: Random, length: int, neurons: int = 2) -> list[Network]:
    """A head for each step k, on k tokens, with weights and thresholds of either sign."""
    return [
        Network(integers(rng, neurons, k) * fmpq(1), matrix(rng, neurons, 1)[:, 0], matrix(rng, neurons, 1)[:, 0], rational(rng))
        for k in range(1, length + 1)
    ]
