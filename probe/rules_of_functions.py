"""Rules of functions entry by entry: monotone ones by balls at the ends, and those with a bound that holds everywhere."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import Any

import torch
from flint import arb

from .intervals import Interval, enclosed, increasing, point
from .operations import name_of, shape_of
from .values import ANYTHING, ONE, RULES, ZERO, Value, rule, value_of

#: the least value of x sigmoid(x), at x = -1.2784..., rounded down, and a place left of which the function decreases
SILU_LEAST, SILU_TURN = Fraction(-2784645428, 10**10), Fraction(-12784645, 10**7)


def _unary(names: tuple[str, ...], ball: Callable[[arb], arb], low: Any, high: Any, decreasing: bool = False) -> None:
    def apply(x: Value, *_: Any, node: Any = None) -> Value:
        if decreasing:
            return Value(-increasing(lambda t: -ball(t), x.entries, -high, -low))
        return Value(increasing(ball, x.entries, low, high))

    for name in names:
        RULES[name] = apply


_unary(("sigmoid",), lambda t: 1 / (1 + (-t).exp()), ZERO, ONE)
_unary(("tanh",), lambda t: t.tanh(), -ONE, ONE)
_unary(("exp",), lambda t: t.exp(), ZERO, inf)
_unary(("expm1",), lambda t: t.expm1(), -ONE, inf)
_unary(("softplus",), lambda t: (1 + t.exp()).log(), ZERO, inf)
_unary(("log_sigmoid",), lambda t: -(1 + (-t).exp()).log(), -inf, ZERO)


@rule("log_sigmoid_forward")
def _log_sigmoid(x: Value, node: Any = None) -> Any:
    return RULES["log_sigmoid"](x), ANYTHING


@rule("atan")
def _atan(x: Value, node: Any = None) -> Value:
    half = enclosed(lambda t: arb.pi() / 2 + t, ZERO)[1]
    return Value(increasing(lambda t: t.atan(), x.entries, -half, half))


@rule("log")
def _log(x: Value, node: Any = None) -> Value:
    if x.entries.low < 0 or (x.entries.low == 0 and x.entries.low_closed):
        return ANYTHING
    low = -inf if x.entries.low == 0 else enclosed(lambda t: t.log(), x.entries.low)[0]
    high = inf if x.entries.high == inf else enclosed(lambda t: t.log(), x.entries.high)[1]
    return Value(Interval(low, high, x.entries.low_closed and low > -inf, x.entries.high_closed and high < inf))


@rule("sin", "cos")
def _wave(x: Value, node: Any = None) -> Value:
    return Value(Interval(-ONE, ONE))


@rule("silu")
def _silu(x: Value, node: Any = None) -> Value:
    ball = lambda t: t / (1 + (-t).exp())  # noqa: E731
    if x.entries.low >= SILU_TURN:
        return Value(increasing(ball, x.entries, SILU_LEAST, inf))
    high = inf if x.entries.high == inf else max(ZERO, enclosed(ball, x.entries.high)[1])
    return Value(Interval(SILU_LEAST, high, True, high < inf))


@rule("relu")
def _relu(x: Value, node: Any = None) -> Value:
    return Value(x.entries.clamp(ZERO, None))


@rule("abs")
def _abs(x: Value, node: Any = None) -> Value:
    if x.entries.low >= 0:
        return x
    return Value((-x.entries).hull(x.entries).clamp(ZERO, None))


@rule("clamp", "clip", "hardtanh")
def _clamp(x: Value, low: Any = None, high: Any = None, *, min: Any = None, max: Any = None, node: Any = None) -> Value:
    low, high = (min if low is None else low), (max if high is None else high)
    if not all(end is None or isinstance(end, int | float) for end in (low, high)):
        return ANYTHING
    ends = [None if end is None or abs(end) == inf else Fraction(end) for end in (low, high)]
    # a norm that is made no smaller is still at least the norm
    kept = x.norm_of if ends[1] is None and not x.inverse else None
    return Value(x.entries.clamp(*ends), norm_of=kept, squared=x.squared and kept is not None)


@rule("clamp_min")
def _clamp_min(x: Value, low: Any, node: Any = None) -> Value:
    return _clamp(x, low, node=node)


@rule("clamp_max")
def _clamp_max(x: Value, high: Any, node: Any = None) -> Value:
    return _clamp(x, None, high, node=node)


@rule("maximum", "minimum")
def _extreme(a: Any, b: Any, node: Any = None) -> Value:
    a, b = value_of(a).entries, value_of(b).entries
    if name_of(node) == "minimum":
        a, b = -a, -b
    low = max((a.low, a.low_closed), (b.low, b.low_closed), key=lambda end: (end[0], not end[1]))
    high = max((a.high, a.high_closed), (b.high, b.high_closed))
    result = Interval(low[0], high[0], low[1], high[1])
    return Value(-result if name_of(node) == "minimum" else result)


@rule("where")
def _where(condition: Any, a: Any, b: Any, node: Any = None) -> Value:
    a, b = (_where_it_holds(node.args[0], of, value_of(v).entries) for of, v in ((node.args[1], a), (node.args[2], b)))
    return Value(a.hull(b)) if node.args[1] is not node.args[2] else Value(a)


def _where_it_holds(condition: Any, chosen: Any, entries: Interval) -> Interval:
    """Where the first of two values lies that is chosen where it is larger than a number; others as they are."""
    larger = isinstance(condition, torch.fx.Node) and name_of(condition) in ("gt", "ge") and condition.args[0] is chosen
    bound = condition.args[1] if larger else None
    return entries.clamp(Fraction(bound), None) if isinstance(bound, int | float) and abs(bound) < inf else entries


@rule("_softmax", "softmax")
def _softmax(x: Value, dim: int, *_: Any, node: Any = None, **options: Any) -> Value:
    return Value(Interval(ZERO, ONE, False, False) if shape_of(node)[dim] > 1 else point(1))


@rule("lt", "le", "gt", "ge", "logical_and", "logical_or")
def _truth(*_: Any, node: Any = None) -> Value:
    return Value(Interval(ZERO, ONE))


@rule("eq", "ne")
def _equal(a: Any, b: Any, node: Any = None) -> Value:
    a, b = value_of(a).entries, value_of(b).entries
    if a.low == a.high and b.low == b.high:
        return Value(point((a.low == b.low) == (name_of(node) == "eq")))
    return Value(Interval(ZERO, ONE))


@rule("logical_not", "bitwise_not")
def _not(x: Value, node: Any = None) -> Value:
    given = node.args[0].meta.get("val")
    if isinstance(given, torch.Tensor) and given.dtype == torch.bool:
        return Value(point(1) - x.entries)
    return Value(Interval(ZERO, ONE)) if name_of(node) == "logical_not" else ANYTHING
