"""Heads with drawn weights, and their values neuron by neuron."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from ....constructions.universality.networks import (
    Network,
    step,
)
from ....numerics import exact


def drawn_head(rng: Random, inputs: int, width: int) -> Network:
    """Steps with small integer weights."""

    def whole(*shape: int) -> exact.Array:
        drawn = [rng.randint(-3, 3) for _ in range(int(np.prod(shape)))]
        return exact.rationals(np.array(drawn, dtype=object).reshape(shape).tolist())

    inner = whole(width, inputs) if width else exact.zeros(0, inputs)
    return Network(
        inner, whole(width) / fmpq(2) if width else exact.zeros(0), whole(width) if width else exact.zeros(0), fmpq(rng.randint(-4, 4), 3)
    )


def head_by_hand(head: Network, x: Sequence[Any]) -> fmpq:
    """offset + sum of outer_i sigma(inner_i . x + bias_i) for steps and ramps."""
    total = head.offset
    for row, b, w in zip(head.inner, head.bias, head.outer, strict=True):
        u = sum((a * v for a, v in zip(row, x, strict=True)), fmpq(0)) + b
        total = total + w * (int(u >= 0) if head.activation is step else min(max(u, fmpq(0)), fmpq(1)))
    return total


def fmpq_value(x: fmpq) -> Fraction:
    return Fraction(int(x.p), int(x.q))


NODES = [fmpq(1, 2), fmpq(-1, 2), fmpq(1, 3), fmpq(-3, 4), fmpq(2, 5), fmpq(-1, 5), fmpq(5, 6), fmpq(1, 7), fmpq(-2, 7)]


def tokens_of(rng: Random, length: int, largest: fmpq) -> list[fmpq]:
    return [fmpq(rng.randint(-12, 12), 12) * largest for _ in range(length)]
