"""The layers of grazzi25, Theorem 4: a permutation-reset level as an affine recurrence, as printed and repaired.

As printed (App. C.5) a level hands up its state *after* the letter, while a cascade needs the state *before* it. The repair
keeps one layer per level and its width: the old state stays readable.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from flint import fmpq

from ...numerics import exact
from ...numerics.exact import Array
from ..householder import permutation_matrix
from ..recurrence import Recurrence, Stack
from .cascade import Cascade, Excluded, Move


def vertex(m: int, q: int) -> Array:
    """v_q = e_q - (1/m) sum e_i, a vertex of the regular simplex in the complement of 1 = (1, ..., 1); shape (m, 1)."""
    return (exact.unit_vector(m, q) - fmpq(1, m))[:, None]


def spare_code(m: int) -> Array:
    """w orthogonal to 1 with distinct entries and ||1 w^T|| < 1: what a reset writes of the old state; shape (m,)."""
    centred = exact.rationals([2 * q - (m - 1) for q in range(m)])
    # ||1 w^T||^2 = m |w|^2, and |centred|^2 = m (m^2 - 1) / 3
    return centred / (m * m)


def level_maps(move: Move, m: int) -> tuple[Array, Array]:
    """(A, B) of a letter on a level of m states, shapes (m, m) and (m, 1), all entries rational, ||A|| <= 1.

    The state is v_q + s 1. A permutation acts as P (I - 11^T/m): it moves the vertex and clears the spare coordinate s. A reset
    to r acts as 1 w^T, which moves w . v_q, different for every old state q, into the spare coordinate; B writes v_r.
    """
    if move.permutation is not None:
        centre = exact.identity(m) - np.full((m, m), fmpq(1, m), dtype=object)
        return permutation_matrix(move.permutation) @ centre, exact.zeros(m, 1)
    assert move.reset is not None
    return np.outer(np.full(m, fmpq(1), dtype=object), spare_code(m)), vertex(m, move.reset)


def old_and_new_state(H: Array, move: Move) -> tuple[int, int] | None:
    """(state before, state after) the letter that did ``move``, read off the layer's state; None if H encodes none.

    After a permutation the old state is the inverse image of the new one; after a reset it is in the spare coordinate.
    """
    m = len(H)
    spare = sum(H[:, 0], fmpq(0)) / m
    new = next((q for q in range(m) if np.array_equal(H - spare, vertex(m, q))), None)
    if new is None:
        return None
    if move.permutation is not None:
        return move.permutation.index(new), new
    code = spare_code(m)
    old = next((q for q in range(m) if code[q] == spare), None)
    return None if old is None else (old, new)


def repaired_layer(cascade: Cascade, k: int) -> Recurrence:
    """Level k as a layer: a letter is (input letter, states of the levels before k, before the letter).

    The output adds this level's old state to the letter; that of the last level is the automaton's new state.
    """
    m, last = cascade.sizes[k], k == len(cascade.sizes) - 1

    def decode(H: Array, letter: tuple[Hashable, Excluded]) -> Any:
        x, before = letter
        states = old_and_new_state(H, cascade.move(x, before))
        if states is None:
            return None
        so_far = (*before, states[0])
        return cascade.automaton.step(cascade.emulated(so_far), x) if last else (x, so_far)

    def maps(letter: tuple[Hashable, Excluded]) -> tuple[Array, Array]:
        return level_maps(cascade.move(*letter), m)

    return Recurrence(lambda y: maps(y)[0], lambda y: maps(y)[1], vertex(m, cascade.start[k]), decode)


def repaired_stack(cascade: Cascade) -> Stack:
    """n - 1 layers of widths n, n-1, ..., 2 whose output is the automaton's state, after every letter.

    An automaton with one state needs no memory: one layer of width 1 that outputs it.
    """
    if not cascade.sizes:
        silent = exact.zeros(1, 1)
        return Stack((Recurrence(lambda x: silent, lambda x: silent, silent, lambda H, x: cascade.automaton.step(0, x)),))
    layers = [repaired_layer(cascade, k) for k in range(len(cascade.sizes))]
    first = layers[0]
    layers[0] = Recurrence(
        lambda x: first.transition((x, ())),
        lambda x: first.inputs((x, ())),
        first.initial,
        lambda H, x: first.decode(H, (x, ())),
    )
    return Stack(tuple(layers))


def printed_layer(actions: dict[Any, Move], m: int, start: int = 0) -> Recurrence:
    """A level as App. C.5 has it: one-hot states, permutation matrices, or A = 0 and B = e_r for a reset to r.

    ``actions`` maps a letter to its move. The output is (new state, letter), as printed: the state after the letter.
    """
    table = {}
    for letter, move in actions.items():
        if move.permutation is not None:
            table[letter] = (permutation_matrix(move.permutation), exact.zeros(m, 1))
        else:
            assert move.reset is not None
            table[letter] = (exact.zeros(m, m), exact.unit_vector(m, move.reset)[:, None])
    return Recurrence.from_table(table, exact.unit_vector(m, start)[:, None], lambda H, x: (int(np.argmax(H[:, 0] == 1)), x))
