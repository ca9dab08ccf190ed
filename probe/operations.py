"""Operations of a traced graph, by what they do to a value that depends on the state: move it, multiply it, read its shape, draw random numbers."""

from __future__ import annotations

from typing import Any

import torch

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


def shape_of(node: Any) -> tuple[int, ...]:
    """The shape that a node of a traced graph has."""
    value = node.meta.get("val")
    return tuple(value.shape) if isinstance(value, torch.Tensor) else ()
