"""Certificates of kind ``shared-head``."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ..exact import number, require
from ..registry import rule
from ..typed import Data


@rule("shared-head")
def check_shared_head(data: Data) -> None:
    """One head of steps, reading the states (k, V_k v) of a diagonal recurrence, equals ``heads[k - 1]`` of v_1, ..., v_k for all |v_i| <= ``largest``.

    At step k a neuron is an affine function of the tokens. One that keeps its sign on the cube is a constant; the others must be the same on both sides.
    """
    nodes, largest = [number(x) for x in data["nodes"]], number(data["largest"])
    require(data["heads"] and largest >= 0, "at least one step, and tokens of modulus at most 0 or more")
    shared, offset = neurons(data["head"], 1 + len(nodes))
    for k, own in enumerate(data["heads"], start=1):
        powers = [[x ** (k - 1 - j) for x in nodes] for j in range(k)]
        seen = [
            ([sum(a * p for a, p in zip(row[1:], column, strict=True)) for column in powers], bias + k * row[0], c)
            for row, bias, c in shared
        ]
        require(left_on_cube(seen, offset, largest) == left_on_cube(*neurons(own, k), largest), f"the head is another function at step {k}")


def neurons(head: dict[str, Any], size: int) -> tuple[list[tuple[list[Fraction], Fraction, Fraction]], Fraction]:
    """([(row, bias, weight), ...], offset)."""
    rows = [[number(x) for x in row] for row in head["inner"]]
    bias, outer = [number(x) for x in head["bias"]], [number(x) for x in head["outer"]]
    require(
        len(rows) == len(bias) == len(outer) and all(len(row) == size for row in rows),
        f"as many rows of {size} entries as biases and weights",
    )
    return list(zip(rows, bias, outer, strict=True)), number(head["offset"])


def left_on_cube(
    steps: Sequence[tuple[Any, ...]], offset: Fraction, largest: Fraction | int
) -> tuple[Fraction, dict[tuple[tuple[Fraction, ...], Fraction], Fraction]]:
    """(constant, weights of the steps that are not constant on the cube)."""
    left = {}
    for row, bias, weight in steps:
        spread = largest * sum(abs(a) for a in row)
        if bias - spread >= 0:
            offset += weight
        elif bias + spread >= 0:
            left[tuple(row), bias] = left.get((tuple(row), bias), 0) + weight
    return offset, {key: weight for key, weight in left.items() if weight}
