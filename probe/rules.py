"""What operations of a traced graph do to intervals, and to the degree of a value in the state. An operation without a rule may give anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, prod
from typing import Any

import torch
from flint import arb

from .intervals import EVERYTHING, Interval, enclosed, increasing, point

ZERO, ONE = Fraction(0), Fraction(1)

#: the least value of x sigmoid(x), at x = -1.2784..., rounded down, and a place left of which the function decreases
SILU_LEAST, SILU_TURN = Fraction(-2784645428, 10**10), Fraction(-12784645, 10**7)


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

#: operations that only move, copy or repeat entries, and keep the last axis or split it into parts that are looked at entry by entry
MOVING = (
    *(
        "view",
        "reshape",
        "_unsafe_view",
        "unsqueeze",
        "squeeze",
        "squeeze_",
        "unsqueeze_",
        "t",
        "transpose",
        "expand",
        "permute",
        "select",
        "slice",
    ),
    *(
        "clone",
        "alias",
        "detach",
        "lift_fresh_copy",
        "_to_copy",
        "contiguous",
        "split",
        "split_with_sizes",
        "unbind",
        "repeat",
        "flip",
        "index_select",
        "index",
    ),
    *("getitem", "expand_copy", "view_copy", "diagonal", "unsafe_split", "chunk", "movedim"),
)

#: of these, those after which a vector along the last axis is still one, or several equal ones
VECTORS = ("clone", "alias", "detach", "lift_fresh_copy", "_to_copy", "contiguous")

#: operations after which all entries are there once, in the same order
ORDERED = (*VECTORS, "view", "reshape", "_unsafe_view", "unsqueeze", "squeeze", "view_copy")

#: operations that are linear in each argument that is a tensor
BILINEAR = ("mul", "mm", "bmm", "matmul", "mv", "dot", "outer")

#: operations that are linear in all arguments together
LINEAR = (*MOVING, "neg", "sum", "mean", "add", "sub", "rsub", "cat", "stack", "select_scatter", "slice_scatter", "copy", "cumsum", "roll")

#: operations that take nothing of their argument but its shape and format
SHAPED = ("zeros_like", "ones_like", "new_zeros", "new_ones", "full_like", "new_full")

#: operations that draw random numbers
RANDOM = (
    *("rand", "randn", "rand_like", "randn_like", "randint", "bernoulli", "native_dropout", "dropout", "normal", "uniform", "multinomial"),
    "exponential",
)


def name_of(node: torch.fx.Node) -> str:
    """The name of an operation, without its overload: "mul" for aten.mul.Tensor."""
    target = node.target
    if isinstance(target, torch._ops.OpOverload):
        return target._schema.name.split("::")[1]
    return getattr(target, "__name__", str(target))


def is_in_place(name: str) -> bool:
    """Whether an operation changes what it is given: its name ends with one underscore. Squeezing and the like only give a view."""
    return name.endswith("_") and not name.endswith("__") and name not in MOVING


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


def shape_of(node: Any) -> tuple[int, ...]:
    """The shape that a node of a traced graph has."""
    value = node.meta.get("val")
    return tuple(value.shape) if isinstance(value, torch.Tensor) else ()


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
    if name == "sub" and alpha == 1 and _is_one_of(*node.args[:2]):
        return Value(total.entries.clamp(None, ZERO))
    # the square of a norm and something positive: strictly above the square
    if name == "add" and alpha == 1:
        for square, more in ((a, b), (b, a)):
            if square.squared and square.norm_of and more.entries.low > 0:
                return replace(total, norm_of=(square.norm_of[0], True), squared=True)
    return total


def _is_one_of(x: Any, larger: Any) -> bool:
    """Whether the second node is the maximum of the first and another."""
    return isinstance(larger, torch.fx.Node) and name_of(larger) == "maximum" and any(_alike(x, a) for a in larger.args)


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
    return Value(a.entries * b.entries.inverse())


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
