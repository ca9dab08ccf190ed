"""Layers that count ones: parity with one scalar, counting modulo 2^p with p scalars, and the unbounded counter.

Source: grazzi25, Sec. 4.1. All entries are exact; a scalar state has shape (1, 1).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpq

from ..numerics.exact import Array, freeze, rationals
from .recurrence import Recurrence, Stack


def scalar(x: Any) -> Array:
    """The exact number ``x`` as a 1 x 1 matrix."""
    return rationals([[x]])


def sign_flip() -> Recurrence:
    """Parity with one scalar: a(1) = -1, b(1) = 1, a(0) = 1, b(0) = 0, h_0 = 0; the state is the parity itself."""
    table = {0: (scalar(1), scalar(0)), 1: (scalar(-1), scalar(1))}
    return Recurrence.from_table(table, scalar(0), lambda H, x: int(H[0, 0]))


def counter() -> Recurrence:
    """Parity by counting: a = 1, b(x) = x, decoded modulo 2. The state after t letters is any of 0 .. t."""
    table = {x: (scalar(1), scalar(x)) for x in (0, 1)}
    return Recurrence.from_table(table, scalar(0), lambda H, x: int(H[0, 0]) % 2)


def counting_stack(p: int) -> Stack:
    """``p`` >= 1 scalar layers with transitions 1 and -1 only, no inputs B, that count ones modulo 2^p.

    A binary counter: layer i holds bit i as +1 (zero) or -1 (one) and flips when all lower bits have just become zero,
    which is what the layers below hand up. Outputs are the count modulo 2^p. Raises ``ValueError`` for p < 1.
    """
    if p < 1:
        raise ValueError(f"expected at least one layer, got {p}")

    def layer(i: int) -> Recurrence:
        # a letter is (carry into this bit, count held by the lower bits)
        def decode(H: Array, letter: tuple[int, int]) -> Any:
            carry, low = letter
            bit = int(H[0, 0] == -1)
            count = low + (bit << i)
            return count if i == p - 1 else (int(carry and bit == 0), count)

        def flip(letter: tuple[int, int]) -> Array:
            return scalar(-1 if letter[0] else 1)

        return Recurrence(flip, lambda _: scalar(0), scalar(1), decode)

    return Stack((_reads_bits(layer(0)), *(layer(i) for i in range(1, p))))


def _reads_bits(layer: Recurrence) -> Recurrence:
    """The same layer reading a bit x where it expects the pair (x, 0)."""
    return Recurrence(
        lambda x: layer.transition((x, 0)),
        lambda x: layer.inputs((x, 0)),
        layer.initial,
        lambda H, x: layer.decode(H, (x, 0)),
    )


def power_recurrence(transition: Array, initial: Array, inputs: Array | None = None) -> Recurrence:
    """The layer that applies one affine map H -> A H + B at every letter 1, and whose output is its state.

    What the negative results study: on the word 1^k the state is A^k H_0 + sum_{i<k} A^i B.
    """
    inputs = inputs if inputs is not None else np.full(np.shape(initial), fmpq(0), dtype=object)
    return Recurrence.from_table({1: (transition, inputs)}, initial, lambda H, x: freeze(H))
