"""Rules of sums, products, norms and roots: a vector divided by its norm, or by more, has norm at most 1."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import inf, prod
from typing import Any

import torch

from .intervals import Interval, increasing, point
from .operations import name_of, shape_of
from .values import ANYTHING, ONE, RULES, ZERO, Value, rule, value_of


@rule("neg")
def _neg(x: Value, node: Any = None) -> Value:
    return Value(-x.entries, x.length)


@rule("add", "sub", "rsub")
def _add(a: Any, b: Any, *, alpha: float = 1, node: Any = None) -> Value:
    a, b = value_of(a), value_of(b)
    name = name_of(node)
    if name == "rsub":
        a, b = b, a
    scaled = b.entries * point(Fraction(alpha))
    total = Value(a.entries - scaled if name != "add" else a.entries + scaled)
    # a number less the larger of itself and another
    larger = node.args[1]
    if name == "sub" and alpha == 1 and _is_one_of(*node.args[:2]) and total.entries.high >= 0:
        # the logarithm of a sum of exponentials is larger than each
        return Value(Interval(total.entries.low, ZERO, total.entries.low_closed, name_of(larger) == "maximum"))
    # the square of a norm and something positive: strictly above the square
    if name == "add" and alpha == 1:
        for square, more in ((a, b), (b, a)):
            if square.squared and square.norm_of and more.entries.low > 0:
                return replace(total, norm_of=(square.norm_of[0], True), squared=True)
    return total


def _is_one_of(x: Any, larger: Any) -> bool:
    """Whether the second node is the maximum of the first and another, or the logarithm of the sum of their exponentials."""
    return isinstance(larger, torch.fx.Node) and name_of(larger) in ("maximum", "logaddexp") and any(_alike(x, a) for a in larger.args)


def _alike(a: Any, b: Any) -> bool:
    """Whether two nodes compute the same by the same operations. None of these draws random numbers."""
    if a is b or not (isinstance(a, torch.fx.Node) and isinstance(b, torch.fx.Node)):
        return a is b or (type(a) is type(b) and isinstance(a, int | float | list | tuple) and a == b)
    same = a.op == b.op == "call_function" and a.target == b.target and len(a.args) == len(b.args) and not a.kwargs and not b.kwargs
    return same and all(map(_alike, a.args, b.args))


@rule("mul")
def _mul(a: Any, b: Any, node: Any = None) -> Value:
    x, y = node.args[:2]
    a, b = value_of(a), value_of(b)
    if x is y:
        return Value(a.entries.square(), norm_of=None)
    for inverse, of in ((b, x), (a, y)):
        if inverse.inverse and inverse.norm_of and isinstance(of, torch.fx.Node) and inverse.norm_of[0] == of.name:
            return _unit(inverse.norm_of[1])
    return Value(a.entries * b.entries)


@rule("div", "true_divide")
def _div(a: Any, b: Any, node: Any = None, **options: Any) -> Value:
    if options.get("rounding_mode"):
        return ANYTHING
    a, b = value_of(a), value_of(b)
    of = node.args[0]
    if b.norm_of and not (b.inverse or b.squared) and isinstance(of, torch.fx.Node) and b.norm_of[0] == of.name:
        return _unit(b.norm_of[1])
    if _is_one_more_than_size(node.args[1], of):
        return Value(Interval(-ONE, ONE, False, False))
    return Value(a.entries * b.entries.inverse())


def _is_one_more_than_size(x: Any, of: Any) -> bool:
    """Whether a node is 1 + |y| of a node y."""
    is_sum = isinstance(x, torch.fx.Node) and name_of(x) == "add" and 1 in x.args and not x.kwargs
    sizes = [a for a in x.args if isinstance(a, torch.fx.Node)] if is_sum else []
    return len(sizes) == 1 and name_of(sizes[0]) == "abs" and sizes[0].args[0] is of


def _unit(shorter: bool) -> Value:
    """A vector divided by its norm, or by more: of norm 1 at most, or below 1."""
    return Value(Interval(-ONE, ONE, not shorter, not shorter), Interval(ZERO, ONE, True, not shorter))


@rule("linalg_vector_norm", "norm")
def _norm(x: Value, order: Any = 2, dim: Any = None, *rest: Any, node: Any = None, **options: Any) -> Value:
    return Value(Interval(ZERO, inf, True, False), norm_of=(node.args[0].name, False) if order == 2 and _is_last(node, dim) else None)


@rule("sum")
def _sum(x: Value, dim: Any = None, *rest: Any, node: Any = None, **options: Any) -> Value:
    count = prod(shape_of(node.args[0])) // max(1, prod(shape_of(node)))
    total = Value(x.entries * point(count))
    squares = node.args[0]
    is_square = (name_of(squares) == "mul" and squares.args[0] is squares.args[1]) or (name_of(squares) == "pow" and squares.args[1] == 2)
    if not is_square:
        return total
    base = squares.args[0]
    return replace(total, norm_of=(base.name, False), squared=True) if _is_last(node, dim) else total


@rule("mean")
def _mean(x: Value, *_: Any, node: Any = None, **options: Any) -> Value:
    return Value(x.entries)


def _is_last(node: Any, dim: Any) -> bool:
    """Whether an operation runs over the last axis alone."""
    rank = len(shape_of(node.args[0]))
    axes = [dim] if isinstance(dim, int) else list(dim or range(rank))
    return [a % rank for a in axes] == [rank - 1] if rank else False


@rule("pow")
def _pow(x: Value, exponent: Any, node: Any = None) -> Value:
    if exponent == 2:
        return Value(x.entries.square())
    if exponent in (0.5, -0.5):
        return RULES["sqrt" if exponent > 0 else "rsqrt"](x, node=node)
    return RULES["reciprocal"](x, node=node) if exponent == -1 else ANYTHING


@rule("sqrt")
def _sqrt(x: Value, node: Any = None) -> Value:
    if x.entries.low < 0:
        return ANYTHING
    root = increasing(lambda t: t.sqrt(), x.entries, ZERO, inf)
    root = replace(root, low_closed=x.entries.low_closed, high_closed=x.entries.high_closed)
    return Value(root, norm_of=x.norm_of if x.squared else None)


@rule("rsqrt")
def _rsqrt(x: Value, node: Any = None) -> Value:
    root = _sqrt(x, node=node)
    return Value(root.entries.inverse(), norm_of=root.norm_of, inverse=root.norm_of is not None)


@rule("reciprocal")
def _reciprocal(x: Value, node: Any = None) -> Value:
    return Value(x.entries.inverse(), norm_of=x.norm_of, inverse=x.norm_of is not None and not (x.inverse or x.squared))
