"""What depth adds to bistable units: a stack that counts blocks of equal letters, and one that settles as late as any."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from ..recurrence import Recurrence, Stack
from .cell import flip_flops


def block_counter(layers: int) -> Stack:
    """A stack over {a, b} that outputs min(number of blocks of equal letters, layers + 1) after every nonempty word.

    Two units a layer, one for each letter, which are only ever set: layer k sets the letter's unit if there are k blocks or more, and counts one
    more if the other letter's unit is set. Raises ``ValueError`` for less than one layer.
    """
    if layers < 1:
        raise ValueError(f"expected at least one layer, got {layers}")
    return Stack(tuple(_counting_layer(k, k == layers) for k in range(1, layers + 1)))


def _counting_layer(k: int, top: bool) -> Recurrence:
    """Layer k reads (letter, min(blocks, k)), the first one the letter alone."""
    actions = {}
    for x, count in product("ab", range(1, k + 1)):
        actions[(x, count) if k > 1 else x] = [int(x == "a" and count == k), int(x == "b" and count == k)]

    def decode(H: np.ndarray, read: Any) -> Any:
        x, count = read if k > 1 else (read, 1)
        other = H[1 if x == "a" else 0, 0]
        count += int(count == k and other > 0)
        return count if top else (x, count)

    return flip_flops(actions, [-1, -1], decode)


def relay(layers: int, period: int) -> Stack:
    """One unit a layer over the letters 0 .. period - 1; on 0, 1, .., period - 1, 0, 1, .. it outputs at time t whether t > layers (period - 1).

    Layer k sets its unit at the letter k (period - 1) mod period if the unit below is set: period - 1 letters after that one.
    Raises ``ValueError`` for less than one layer or a period below 1.
    """
    if layers < 1 or period < 1:
        raise ValueError(f"expected at least one layer and a period of at least 1, got {layers} and {period}")
    stack = []
    for k in range(1, layers + 1):
        due = k * (period - 1) % period
        reads = product(range(period), (False, True)) if k > 1 else ((x, True) for x in range(period))
        actions = {(x, below) if k > 1 else x: [int(below and x == due)] for x, below in reads}
        stack.append(flip_flops(actions, [-1], _handing_on(k > 1, k == layers)))
    return Stack(tuple(stack))


def _handing_on(above: bool, top: bool) -> Any:
    """The letter and whether the unit is set; at the top that alone."""

    def decode(H: np.ndarray, read: Any) -> Any:
        return bool(H[0, 0] > 0) if top else (read[0] if above else read, bool(H[0, 0] > 0))

    return decode
