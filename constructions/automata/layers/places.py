"""Stacks whose layers can be undone, made ready for the proof layer by layer: each says which states it went between.

``closure.close_by_layers`` wants letters with the places before and after them. A stack of reflections hands on whatever its next layer
needs, such as a sign after the letter. Here the place is the tuple of the states of the layers below: an orthogonal transition can be
undone, so a layer knows its state before the letter too, and what the next layer reads follows from the states after it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple

from ....numerics.aliases import Key
from ....numerics.exact import Array, freeze
from ...recurrence import Recurrence, Stack


class Read(NamedTuple):
    """What a layer reads: the input letter and the sets that the levels before have narrowed down to, before and after it."""

    letter: Hashable
    #: States; or the places of the layers below
    before: Any
    after: Any


def with_places(stack: Stack, letters: Mapping[Key, Any], state: Callable[[Any], int | None]) -> Stack:
    """The stack over the keys of ``letters``, each read as its value there; outputs are passed through ``state``.

    Every transition has to be orthogonal. A layer but the last hands on a ``Read``, the next one reads it.
    """
    met: list[dict[tuple, Array]] = [{} for _ in stack.layers]
    return Stack(tuple(_layer(stack, k, letters, state, met) for k in range(len(stack.layers))))


def _layer(
    stack: Stack, k: int, letters: Mapping[Key, Any], state: Callable[[Any], int | None], met: list[dict[tuple, Array]]
) -> Recurrence:
    layer, last = stack.layers[k], k == len(stack.layers) - 1
    known: dict[Any, tuple[Any, Array, Array]] = {}

    def read(y: Any) -> tuple[Any, Array, Array]:
        """What the layer really reads, and its map."""
        if y not in known:
            letter = letters[y.letter if k else y]
            for below, seen, key in zip(stack.layers[:k], met, y.after if k else (), strict=False):
                letter = below.decode(seen[key], letter)
            known[y] = letter, layer.transition(letter), layer.inputs(letter)
        return known[y]

    def decode(H: Array, y: Any) -> Any:
        letter, A, B = read(y)
        if last:
            return state(layer.decode(H, letter))
        before, after = freeze(A.T @ (H - B)), freeze(H)
        met[k][after] = H
        return Read(y.letter, (*y.before, before), (*y.after, after)) if k else Read(y, (before,), (after,))

    return Recurrence(lambda y: read(y)[1], lambda y: read(y)[2], layer.initial, decode)
