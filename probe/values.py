"""What is known of all entries of a tensor, and the rules by which operations of a traced graph carry it on. An operation without a rule may give anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any

import torch

from .intervals import EVERYTHING, Interval, point

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Value:
    """What is known of all entries of a tensor.

    Attributes:
        entries: Where each entry lies.
        length: Where the Euclidean norm of each vector along the last axis lies, if that is known better than by the entries.
        norm_of: The node whose norm, or a number above it, this is, and whether it is strictly above: what a vector is divided by.
        inverse: Whether it is the inverse of that norm.
        squared: Whether it is the square of that norm.
        parts: An axis, and where entries lie by their place on it, over one period: a gate that the first of several micro-steps alone has.
    """

    entries: Interval
    length: Interval | None = None
    norm_of: tuple[str, bool] | None = None
    inverse: bool = False
    squared: bool = False
    parts: tuple[int, tuple[Interval, ...]] | None = None


ANYTHING = Value(EVERYTHING)

Rule = Callable[..., Value]
RULES: dict[str, Rule] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Register the rule of operations: it takes the values of the arguments, and ``node`` for sizes."""

    def register(function: Rule) -> Rule:
        for name in names:
            RULES[name] = function
        return function

    return register


def value_of(x: Any) -> Value:
    """The value of a constant: a number or a tensor."""
    if isinstance(x, Value):
        return x
    if isinstance(x, torch.Tensor):
        if not x.numel() or x.is_complex() or not bool(torch.isfinite(x.to(torch.float64)).all()):
            return ANYTHING
        x = x.detach()
        return Value(Interval(Fraction(float(x.min())), Fraction(float(x.max()))))
    return Value(point(Fraction(x))) if isinstance(x, int | float) and abs(x) < inf else ANYTHING
