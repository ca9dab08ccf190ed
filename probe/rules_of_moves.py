"""Rules of operations that move, join, repeat or write entries, and of tensors of constants."""

from __future__ import annotations

from math import prod
from typing import Any

from .intervals import Interval, point
from .operations import MOVING, VECTORS, name_of, shape_of
from .values import ANYTHING, ONE, ZERO, Value, rule, value_of


@rule("cat", "stack")
def _joined(parts: Any, *_: Any, node: Any = None) -> Value:
    entries = [value_of(p).entries for p in parts]
    result = entries[0]
    for e in entries[1:]:
        result = result.hull(e)
    return Value(result)


@rule("slice_scatter")
def _written(a: Any, b: Any, *_: Any, node: Any = None, **options: Any) -> Value:
    return Value(value_of(a).entries.hull(value_of(b).entries))


@rule("topk")
def _largest(x: Value, *_: Any, node: Any = None, **options: Any) -> Any:
    """The largest entries, and where they are."""
    return Value(x.entries), ANYTHING


@rule("gather")
def _gathered(x: Value, *_: Any, node: Any = None, **options: Any) -> Value:
    return Value(x.entries)


@rule("scatter")
def _scattered(a: Any, dim: int, index: Any, b: Any, node: Any = None, **options: Any) -> Value:
    """Some entries of the first argument are written from the last; not added to it, or multiplied."""
    return ANYTHING if node.kwargs else Value(value_of(a).entries.hull(value_of(b).entries))


@rule("copy")
def _copied(a: Any, b: Any, *_: Any, node: Any = None, **options: Any) -> Value:
    """The second argument, repeated to the shape of the first."""
    return Value(value_of(b).entries)


@rule("select_scatter")
def _placed(a: Any, b: Any, axis: int, index: int, node: Any = None) -> Value:
    """One place of an axis is written; the others stay as they are."""
    a, b, shape = value_of(a), value_of(b), shape_of(node)
    axis = axis % len(shape)
    before = [a.parts[1][i % len(a.parts[1])] if a.parts and a.parts[0] == axis else a.entries for i in range(shape[axis])]
    before[index % shape[axis]] = b.entries
    return Value(a.entries.hull(b.entries), parts=(axis, tuple(before)))


@rule("zeros", "zeros_like", "new_zeros")
def _zeros(*_: Any, node: Any = None, **options: Any) -> Value:
    return Value(point(0))


@rule("ones", "ones_like", "new_ones")
def _ones(*_: Any, node: Any = None, **options: Any) -> Value:
    return Value(point(1))


@rule("full", "full_like", "new_full")
def _full(*given: Any, node: Any = None, **options: Any) -> Value:
    return value_of(node.args[2 if name_of(node) == "new_full" else 1])


@rule("eye")
def _eye(*_: Any, node: Any = None, **options: Any) -> Value:
    return Value(Interval(ZERO, ONE))


@rule(*MOVING)
def _moved(x: Any, *rest: Any, node: Any = None, **options: Any) -> Any:
    if isinstance(x, tuple | list):  # one of several parts
        return x[rest[0]]
    name = name_of(node)
    if x.parts is not None:
        return _moved_parts(x, x.parts, name, node)
    keeps = name in VECTORS or (name in ("expand", "unsqueeze", "view", "reshape", "select", "squeeze", "slice") and _keeps_last(node))
    if name in VECTORS or name in ("expand", "unsqueeze", "squeeze", "view", "reshape", "_unsafe_view"):
        # a norm, repeated or with an axis more, is that of the same vectors
        return Value(x.entries, x.length if keeps else None, x.norm_of, x.inverse, x.squared)
    return Value(x.entries, x.length if keeps else None)


def _moved_parts(x: Value, parts: tuple[int, tuple[Interval, ...]], name: str, node: Any) -> Value:
    """Of a value known place by place: the place that is selected, or the axis where it is now; else all places together."""
    (axis, places), before, after = parts, shape_of(node.args[0]), shape_of(node)
    if name == "select":
        at, index = node.args[1] % len(before), node.args[2]
        if at == axis:
            return Value(places[index % before[axis] % len(places)])
        return Value(x.entries, parts=(axis - (at < axis), places))
    if name in VECTORS:
        return Value(x.entries, parts=parts)
    if name in ("view", "reshape", "_unsafe_view"):
        # entries stay in order: the axis whose later axes hold as many entries, and whose length is a multiple of the period, is this one
        inner = prod(before[axis + 1 :])
        for now, length in enumerate(after):
            if prod(after[now + 1 :]) == inner and length % len(places) == 0:
                return Value(x.entries, parts=(now, places))
    return Value(x.entries)


def _keeps_last(node: Any) -> bool:
    """Whether vectors along the last axis stay whole."""
    before, after = shape_of(node.args[0]), shape_of(node)
    if not before or not after or before[-1] != after[-1]:
        return False
    name = name_of(node)
    axis = node.args[1] if len(node.args) > 1 and isinstance(node.args[1], int) else 0
    return name not in ("select", "slice", "squeeze") or axis % len(before) != len(before) - 1
