"""Levels of a cascade as layers none of whose numbers is ever rounded, in any format of floating point that has their entries.

A level hands up its state before the letter, so a reset has to keep it. Three ways, of which the narrowest is taken:

* the last level hands up nothing: a reset forgets (A = 0, B = the new state's vector)
* *a number*: a coordinate of its own for the old state, a dyadic number. A permutation is P + 0, a reset to r is A = e u^T, B = e_r, where e is
  the new axis and u has distinct dyadic entries with u_r = 0 and |u| <= 1
* *two slots*: the old state's vector in a second slot, as in ``delays.py``

States of the last level and of slots are vectors of small integers (``level_vectors``). Products of these maps are P + 0, e (u P)^T or 0 with
inputs of one entry in the first coordinates; no sum in them has two terms other than 0 (new.automata.unrounded).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from flint import fmpq

from ...numerics import exact
from ...numerics.exact import Array
from ..householder import permutation_matrix
from ..recurrence import Stack
from .cascade import Cascade, Move
from .layers import level_layer, repaired_stack
from .level_vectors import LevelVectors, level_vectors

#: numbers for the old state are exact in bfloat16 by the delta rule up to so many states: differences of two have at most 8 bits
MOST_NUMBERS = 257
#: reads times states of a cascade whose permutations are looked for: a tenth of a second
LARGEST_LOOK = 200_000


class Level(NamedTuple):
    """A way to realise a level: its maps, its start, the positions read off a state (the old one may be None on the last level), half the least distance of two states."""

    width: int
    maps: Callable[[Move], tuple[Array, Array]]
    start: Array
    positions: Callable[[Array, Move], tuple[int | None, int] | None]
    margin: float


def unrounded_stack(cascade: Cascade) -> Stack:
    """One layer for each level of the cascade; the output is the automaton's state after every letter. One silent layer for one state."""
    if not cascade.sizes:
        return repaired_stack(cascade)
    levels = unrounded_levels(cascade)
    return Stack(
        tuple(level_layer(cascade, k, lambda move, m, at=at: at.maps(move), at.start, at.positions) for k, at in enumerate(levels))
    )


def unrounded_levels(cascade: Cascade) -> list[Level]:
    """The narrowest way for each level; where the cascade reads too much to look for its permutations, they count as all that there are."""
    if not cascade.reads_at_most(LARGEST_LOOK // cascade.automaton.n):
        return [_any_level(cascade, k) for k in range(len(cascade.sizes))]
    return [
        _narrowest_level(cascade, k, level_vectors(m, p))
        for k, (m, p) in enumerate(zip(cascade.sizes, cascade.level_permutations(), strict=True))
    ]


def _any_level(cascade: Cascade, k: int) -> Level:
    """Level k with one-hot states, whatever permutes them."""
    m = cascade.sizes[k]
    return _narrowest_level(cascade, k, LevelVectors(tuple({i: 1} for i in range(m)), m))


def _narrowest_level(cascade: Cascade, k: int, vectors: LevelVectors) -> Level:
    size, start = cascade.sizes[k], cascade.start[k]
    if k == len(cascade.sizes) - 1:
        return forgetful_level(vectors, start)
    if 2 * vectors.width <= size + 1 or size > MOST_NUMBERS:
        return two_slot_level(vectors, start)
    return numbered_level(size, start)


# -- the last level ----------------------------------------------------------------------------------------------------------------


def forgetful_level(vectors: LevelVectors, start: int) -> Level:
    """A permutation moves the vectors, a reset to r is A = 0, B = vector(r)."""
    d = vectors.width

    @cache
    def maps(move: Move) -> tuple[Array, Array]:
        if move.permutation is not None:
            return vectors.matrix(move.permutation), exact.zeros(d, 1)
        assert move.reset is not None
        return exact.zeros(d, d), vectors.column(move.reset)

    def positions(H: Array, move: Move) -> tuple[None, int] | None:
        new = vectors.read(H)
        return None if new is None else (None, new)

    return Level(d, maps, vectors.column(start), positions, 0.5)


# -- the old state in slots ----------------------------------------------------------------------------------------------------------


def two_slot_level(vectors: LevelVectors, start: int) -> Level:
    """Slots (new, old): a permutation moves the new state's vector and clears the old one, a reset to r gives (vector(r), new)."""
    d = vectors.width

    @cache
    def maps(move: Move) -> tuple[Array, Array]:
        A, B = exact.zeros(2 * d, 2 * d), exact.zeros(2 * d, 1)
        if move.permutation is not None:
            A[:d, :d] = vectors.matrix(move.permutation)
        else:
            assert move.reset is not None
            A[d:, :d] = exact.identity(d)
            B[:d] = vectors.column(move.reset)
        return A, B

    def positions(H: Array, move: Move) -> tuple[int, int] | None:
        new, before = vectors.read(H[:d]), vectors.read(H[d:])
        old = before if move.permutation is None or new is None else move.permutation.index(new)
        return None if old is None or new is None else (old, new)

    return Level(2 * d, maps, np.vstack([vectors.column(start), exact.zeros(d, 1)]), positions, 0.5)


# -- the old state as a number ---------------------------------------------------------------------------------------------------------


def old_numbers(m: int, r: int) -> tuple[Array, fmpq]:
    """(u, unit): what a reset to r makes of each old state, shape (m,): distinct multiples of a power of two, u_r = 0 and |u| <= 1."""
    around = [(i - r + (m - 1) // 2) % m - (m - 1) // 2 for i in range(m)]
    squares, unit = sum(x * x for x in around), fmpq(1)
    while squares * unit * unit > 1:
        unit /= 2
    return exact.rationals(around) * unit, unit


@cache
def numbered_maps(move: Move, m: int) -> tuple[Array, Array]:
    """(A, B) on one-hot states of a level of m states and a number: P + 0, or e u^T and e_r; shapes (m + 1, m + 1) and (m + 1, 1)."""
    A, B = exact.zeros(m + 1, m + 1), exact.zeros(m + 1, 1)
    if move.permutation is not None:
        A[:m, :m] = permutation_matrix(move.permutation)
    else:
        assert move.reset is not None
        A[m, :m] = old_numbers(m, move.reset)[0]
        B[move.reset, 0] = fmpq(1)
    return A, B


def numbered_positions(H: Array, move: Move) -> tuple[int, int] | None:
    """(state before, state after) the letter that did ``move``, read off a state; None if it encodes none."""
    column = H[:, 0].tolist()
    m, number = len(column) - 1, column[-1]
    if column[:m].count(1) != 1 or column[:m].count(0) != m - 1:
        return None
    new = column.index(1)
    if move.permutation is not None:
        return move.permutation.index(new), new
    numbers = old_numbers(m, new)[0].tolist()
    return (numbers.index(number), new) if number in numbers else None


def numbered_level(m: int, start: int) -> Level:
    """One-hot states and a number for the old state."""
    margin = min(0.5, float(old_numbers(m, 0)[1].q) ** -1 / 2)
    initial = exact.unit_vector(m + 1, start)[:, None]
    return Level(m + 1, lambda move: numbered_maps(move, m), initial, numbered_positions, margin)
