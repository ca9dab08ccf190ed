"""The layers of grazzi25, Theorem 4: a permutation-reset level as an affine recurrence, as printed and repaired.

As printed (App. C.5) a level hands up its state *after* the letter, while a cascade needs the state *before* it. The repair
keeps one layer per level, its width, the start e_q and the writes e_r; only A changes, so that the old state stays readable.
(``delays.py`` repairs it with more layers and 0/1 entries.)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from flint import fmpq

from ....numerics import exact
from ....numerics.exact import Array
from ...householder import permutation_matrix
from ...recurrence import Recurrence, Stack, TwoSteps
from ..cascade.cascade import Cascade, Move
from ..layers.places import Read


def vertex(m: int, q: int) -> Array:
    """v_q = e_q - (1/m) sum e_i, a vertex of the regular simplex in the complement of 1 = (1, ..., 1); shape (m, 1)."""
    return (exact.unit_vector(m, q) - fmpq(1, m))[:, None]


def spare_code(m: int) -> Array:
    """w orthogonal to 1 with distinct entries and ||1 w^T|| < 1: what a reset writes of the old state; shape (m,)."""
    centred = exact.rationals([2 * q - (m - 1) for q in range(m)])
    # ||1 w^T||^2 = m |w|^2, and |centred|^2 = m (m^2 - 1) / 3, so the norm is sqrt(3/4) at most
    return centred * fmpq(3, 2 * m * m)


@cache
def level_maps(move: Move, m: int) -> tuple[Array, Array]:
    """(A, B) of a letter on a level of m states, shapes (m, m) and (m, 1): A rational with ||A|| <= 1, B = 0 or a unit vector.

    The state is v_q + s 1. A permutation acts as P (I - 11^T/m): it moves the vertex and clears the spare coordinate s. A reset
    to r acts as 1 w^T, which moves w . v_q, different for every old state q, into the spare coordinate; B writes e_r = v_r + 1/m.
    """
    if move.permutation is not None:
        A = np.empty((m, m), dtype=object)
        A[list(move.permutation)] = exact.identity(m) - np.full((m, m), fmpq(1, m), dtype=object)
        return A, exact.zeros(m, 1)
    assert move.reset is not None
    return np.outer(np.full(m, fmpq(1), dtype=object), spare_code(m)), exact.unit_vector(m, move.reset)[:, None]


def old_and_new_state(H: Array, move: Move) -> tuple[int, int] | None:
    """(state before, state after) the letter that did ``move``, read off the layer's state; None if H encodes none.

    After a permutation the old state is the inverse image of the new one; after a reset it is in the spare coordinate.
    """
    column, m = H[:, 0].tolist(), len(H)
    spare = sum(column, fmpq(0)) / m
    corner, others = spare + 1 - fmpq(1, m), spare - fmpq(1, m)
    if corner not in column or column.count(others) != m - 1:
        return None
    new = column.index(corner)
    if move.permutation is not None:
        return move.permutation.index(new), new
    old = old_state(m).get(spare)
    return None if old is None else (old, new)


@cache
def old_state(m: int) -> dict[Any, int]:
    """The old state by the spare coordinate after a reset, to which e_r itself brings 1/m along."""
    return {code + fmpq(1, m): q for q, code in enumerate(spare_code(m))}


def repaired_layer(cascade: Cascade, k: int) -> Recurrence:
    """Level k as a layer: it reads a :class:`Read` (level 0 the letter itself) and hands on the next one.

    It narrows the set before the letter by its old state and the set after it by its new one. The last level hands on the
    automaton's state. A state that encodes no pair of positions is decoded to None.
    """
    return level_layer(cascade, k, level_maps, exact.unit_vector(cascade.sizes[k], cascade.start[k])[:, None], old_and_new_state)


def level_layer(
    cascade: Cascade,
    k: int,
    maps: Callable[[Move, int], tuple[Array, Array]],
    initial: Array,
    positions: Callable[[Array, Move], tuple[int | None, int] | None],
) -> Recurrence:
    """Level k as a layer with the maps ``maps(move, m)``, whose ``positions`` before and after a move can be read off its state.

    On the last level the position before it may be None: nobody reads it.
    """
    m, last = cascade.sizes[k], k == len(cascade.sizes) - 1

    def read(letter: Any) -> Read:
        return letter if k else Read(letter, cascade.top, cascade.top)

    def move(letter: Any) -> Move:
        return cascade.act(k, *read(letter))

    def narrowed(found: tuple[int | None, int] | None, letter: Any) -> Any:
        x, X, Y = read(letter)
        if found is None or not cascade.stands(k, Y, found[1]):
            return None
        old, after = found[0], cascade.chosen(k, Y, found[1])
        if last:
            return min(after)
        return None if old is None or not cascade.stands(k, X, old) else Read(x, cascade.chosen(k, X, old), after)

    return Recurrence(lambda y: maps(move(y), m)[0], lambda y: maps(move(y), m)[1], initial, TwoSteps(move, positions, narrowed))


def repaired_stack(cascade: Cascade) -> Stack:
    """One layer for each level of the cascade, as wide as the level has states; the output is the automaton's state after every letter.

    An automaton with one state needs no memory: one layer of width 1 that outputs it.
    """
    if not cascade.sizes:
        silent = exact.zeros(1, 1)
        return Stack((Recurrence(lambda x: silent, lambda x: silent, silent, lambda H, x: cascade.automaton.step(0, x)),))
    return Stack(tuple(repaired_layer(cascade, k) for k in range(len(cascade.sizes))))


def one_hot_maps(move: Move, m: int) -> tuple[Array, Array]:
    """(A, B) of App. C.5 on one-hot states: a permutation matrix and 0, or 0 and e_r for a reset to r."""
    if move.permutation is not None:
        return permutation_matrix(move.permutation), exact.zeros(m, 1)
    return exact.zeros(m, m), exact.unit_vector(m, move.reset)[:, None]  # type: ignore[arg-type]


def printed_layer(actions: dict[Any, Move], m: int, start: int = 0) -> Recurrence:
    """A level as App. C.5 has it; ``actions`` maps a letter to its move. The output is (new state, letter), as printed: the state after."""
    table = {letter: one_hot_maps(move, m) for letter, move in actions.items()}
    return Recurrence.from_table(table, exact.unit_vector(m, start)[:, None], lambda H, x: (int(np.argmax(H[:, 0] == 1)), x))
