"""Theorem 4 of grazzi25 repaired with 0/1 entries: the state before a letter is kept in one-hot coordinates of its own.

:func:`delay_stack` leaves the levels as printed (permutation matrices, or A = 0 and B = e_r), so a reset loses the old state. A delay
layer behind each level has two slots, written in turn: while one takes the level's new state, the other still holds the old one.
Which slot is next is known from a clock in the first layer, two more coordinates that every letter swaps. 2s - 1 layers for s levels.

:func:`two_slot_stack` needs s layers, twice as wide as their levels: a reset moves the old state to a second slot, a permutation need
not, since it can be undone. States, entries and inputs are 0 or 1, so every float computes them without rounding.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np

from ....numerics import exact
from ....numerics.exact import Array
from ...householder import permutation_matrix
from ...recurrence import Recurrence, Stack
from ..cascade.cascade import Cascade, Move
from ..cascade.skeleton import States
from .repaired import level_layer, one_hot_maps


class Timed(NamedTuple):
    """What a level reads: the letter, the sets before and after it, and which slot is written at this time."""

    letter: Hashable
    before: States
    after: States
    slot: int


def delay_stack(cascade: Cascade) -> Stack:
    """2s - 1 layers, alternately a level and its delay, whose output is the automaton's state. Raises ``ValueError`` for one state."""
    last = len(cascade.sizes) - 1
    if last < 0:
        raise ValueError("expected an automaton with at least two states, got one: it needs no memory")
    layers = [_first(cascade, last == 0)]
    for k in range(last):
        layers += [_delay(cascade, k), _level(cascade, k + 1, k + 1 == last)]
    return Stack(tuple(layers))


def _hot(H: Array) -> int | None:
    found = np.flatnonzero(H[:, 0] != 0)
    return int(found[0]) if len(found) == 1 else None


def _first(cascade: Cascade, last: bool) -> Recurrence:
    """Level 0 above the clock (1, 0), which every letter swaps: the slot is 1 after the first letter, then 0, and so on."""
    m, swap = cascade.sizes[0], permutation_matrix((1, 0))

    def read(x: Hashable) -> Move:
        return cascade.act(0, x, cascade.top, cascade.top)

    def transition(x: Hashable) -> Array:
        return exact.block_diagonal([one_hot_maps(read(x), m)[0], swap])

    def inputs(x: Hashable) -> Array:
        return np.vstack([one_hot_maps(read(x), m)[1], exact.zeros(2, 1)])

    def decode(H: Array, x: Hashable) -> Any:
        new = _hot(H[:m])
        return _narrowed(cascade, 0, Timed(x, cascade.top, cascade.top, int(H[m + 1, 0])), new, last)

    start = np.vstack([exact.unit_vector(m, cascade.start[0])[:, None], exact.unit_vector(2, 0)[:, None]])
    return Recurrence(transition, inputs, start, decode)


def _level(cascade: Cascade, k: int, last: bool) -> Recurrence:
    m = cascade.sizes[k]

    def maps(y: Timed) -> tuple[Array, Array]:
        return one_hot_maps(cascade.act(k, y.letter, y.before, y.after), m)

    start = exact.unit_vector(m, cascade.start[k])[:, None]
    return Recurrence(lambda y: maps(y)[0], lambda y: maps(y)[1], start, lambda H, y: _narrowed(cascade, k, y, _hot(H), last))


def _narrowed(cascade: Cascade, k: int, y: Timed, new: int | None, last: bool) -> Any:
    """(letter as read, new state) for the delay layer; from the last level the automaton's state."""
    if new is None or not cascade.stands(k, y.after, new):
        return None
    return min(cascade.chosen(k, y.after, new)) if last else (y, new)


def _delay(cascade: Cascade, k: int) -> Recurrence:
    """Two one-hot slots of level k's states, both holding the start at first. A letter clears one slot and writes the new state there."""
    m = cascade.sizes[k]

    def transition(read: tuple[Timed, int]) -> Array:
        kept = [exact.identity(m), exact.identity(m)]
        kept[read[0].slot] = exact.zeros(m, m)
        return exact.block_diagonal(kept)

    def inputs(read: tuple[Timed, int]) -> Array:
        y, new = read
        return exact.unit_vector(2 * m, y.slot * m + new)[:, None]

    def decode(H: Array, read: tuple[Timed, int]) -> Any:
        y, new = read
        other = 1 - y.slot
        old = _hot(H[other * m : (other + 1) * m])
        if old is None or not cascade.stands(k, y.before, old):
            return None
        return Timed(y.letter, cascade.chosen(k, y.before, old), cascade.chosen(k, y.after, new), y.slot)

    start = exact.unit_vector(m, cascade.start[k])[:, None]
    return Recurrence(transition, inputs, np.vstack([start, start]), decode)


# -- the old state in the layer itself -----------------------------------------------------------------------------------------


def two_slot_stack(cascade: Cascade) -> Stack:
    """One layer for each level, of twice its width. Raises ``ValueError`` for one state."""
    if not cascade.sizes:
        raise ValueError("expected an automaton with at least two states, got one: it needs no memory")
    return Stack(tuple(_two_slots(cascade, k) for k in range(len(cascade.sizes))))


def two_slot_maps(move: Move, m: int) -> tuple[Array, Array]:
    """(A, B) on the slots (new, old): a permutation gives (P new, 0), a reset to r gives (e_r, new); norm 1 at most, 2m GH factors."""
    A, nothing = exact.zeros(2 * m, 2 * m), exact.zeros(m, 1)
    P, B = one_hot_maps(move, m)
    if move.permutation is not None:
        A[:m, :m] = P
    else:
        A[m:, :m] = exact.identity(m)
    return A, np.vstack([B, nothing])


def _two_slots(cascade: Cascade, k: int) -> Recurrence:
    """Level k; like ``layers.repaired_layer`` it narrows the set before the letter by its old state and the set after it by its new one."""
    m = cascade.sizes[k]

    def positions(H: Array, move: Move) -> tuple[int, int] | None:
        new, before = _hot(H[:m]), _hot(H[m:])
        old = move.permutation.index(new) if move.permutation is not None and new is not None else before
        return None if old is None or new is None else (old, new)

    start = np.vstack([exact.unit_vector(m, cascade.start[k])[:, None], exact.zeros(m, 1)])
    return level_layer(cascade, k, two_slot_maps, start, positions)
