"""Bistable layers with linear layers between them: h_t = A h_(t-1) + B(y_t), one matrix A for every input."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from ...numerics import exact
from ..automata.automaton import Automaton
from ..automata.cascade.cascade import Cascade, Move, krohn_rhodes
from ..automata.read.machines import minimise
from ..recurrence import Recurrence, Stack
from .cell import flip_flops

Array = np.ndarray


def linear_layer(A: Array, inputs: Callable[[Any], Array], initial: Array, decode: Callable[[Array, Any], Any]) -> Recurrence:
    """h_t = A h_(t-1) + B(y_t), time-invariant; ``inputs(y)`` and ``initial`` of shape (n,)."""
    return Recurrence(lambda y: A, lambda y: inputs(y)[:, None], initial[:, None], decode)


def delay_matrix(n: int) -> Array:
    """A of a layer that holds (v_t, v_(t-1)), with B(v) = (v, 0): n nilpotent blocks of size 2."""
    A = exact.zeros(2 * n, 2 * n)
    A[n:, :n] = exact.identity(n)
    return A


def clock_matrix(N: int) -> Array:
    """The cyclic shift of N coordinates, with the N-th roots of unity as its eigenvalues."""
    return exact.rationals(np.roll(np.eye(N, dtype=int), 1, axis=0).tolist())


def delay_stack(automaton: Automaton, delay: Callable[[int], Array] = delay_matrix) -> Stack:
    """A bistable layer for each level of the cascade of resets, and a delay behind each but the last; the output is the minimal automaton's state.

    Raises ``ValueError`` if the minimal automaton has one state, and ``ArithmeticError`` if it is not aperiodic.
    """
    cascade = krohn_rhodes(minimise(automaton))
    if not cascade.sizes:
        raise ValueError("expected an automaton with at least two states, got one: it needs no memory")
    layers = []
    for k in range(len(cascade.sizes)):
        layers.append(_level(cascade, k))
        if k < len(cascade.sizes) - 1:
            layers.append(_delay(cascade, k, delay))
    return Stack(tuple(layers))


def _level(cascade: Cascade, k: int) -> Recurrence:
    """Level k, one unit a state: it reads (letter, states of the levels before it, before the letter, and after it); hands on the same and its new state."""
    size, reached = cascade.sizes[k], cascade.reachable()
    prefixes = list(product(*map(range, cascade.sizes[:k])))
    # what cannot be read keeps all units
    actions = {(x, before, after): [0] * size for x in cascade.automaton.letters for before in prefixes for after in prefixes}
    for state in reached:
        for x in cascade.automaton.letters:
            actions[x, state[:k], cascade.step(state, x)[:k]] = _action(cascade.moves(x, state)[k], size)
    start = [1 if i == cascade.start[k] else -1 for i in range(size)]

    def decode(H: Array, y: Any) -> Any:
        letter, before, after = y if k else (y, (), ())
        new = (*after, _first(H[:, 0]))
        return reached.get(new) if k == len(cascade.sizes) - 1 else (letter, before, new)

    return flip_flops({y if k else y[0]: action for y, action in actions.items()}, start, decode)


def _action(move: Move, size: int) -> list[int]:
    if move.permutation is None:
        return [1 if i == move.reset else -1 for i in range(size)]
    if move.permutation != tuple(range(size)):
        raise ArithmeticError(f"expected an aperiodic automaton, got a permutation {list(move.permutation)} of a level")
    return [0] * size


def _first(coordinates: Array) -> int:
    """The first positive coordinate, 0 if there is none."""
    return next((i for i, h in enumerate(coordinates) if h > 0), 0)


def _delay(cascade: Cascade, k: int, delay: Callable[[int], Array]) -> Recurrence:
    """Holds level k's state, one-hot, after this letter and after the last one; hands on the state before the letter too."""
    size = cascade.sizes[k]

    def inputs(y: Any) -> Array:
        return np.concatenate([exact.unit_vector(size, y[2][k]), exact.zeros(size)])

    def decode(H: Array, y: Any) -> Any:
        letter, before, after = y
        return letter, (*before, _first(H[size:, 0])), after

    start = np.concatenate([exact.unit_vector(size, cascade.start[k]), exact.zeros(size)])
    return linear_layer(delay(size), inputs, start, decode)


def sandwich(lower: Mapping[Any, Sequence[int]], linear: Callable[[Any], Array], upper: Callable[[Any], int], clock: int) -> Stack:
    """A bistable unit, a linear layer that reads it, and another bistable unit that reads both and the letter; outputs the states of all.

    The linear state is a clock of ``clock`` coordinates, the lower unit's state now, and that one step before; ``linear(letter)`` is its matrix,
    time-invariant if it is always the same. ``upper((letter, lower unit, linear state))`` is the upper unit's action.
    """
    start = np.concatenate([exact.unit_vector(clock, 0), exact.rationals([-1, -1])])

    def inputs(y: Any) -> Array:
        return np.concatenate([exact.zeros(clock), exact.rationals([y[1], 0])])[:, None]

    first = flip_flops(lower, [-1], lambda H, x: (x, int(H[0, 0])))
    middle = Recurrence(lambda y: linear(y[0]), inputs, start[:, None], lambda H, y: (*y, tuple(int(h) for h in H[:, 0])))
    last = Recurrence(
        lambda y: exact.rationals([[int(upper(y) == 0)]]),
        lambda y: exact.rationals([[upper(y)]]),
        exact.rationals([[-1]]),
        lambda H, y: (*y, int(H[0, 0])),
    )
    return Stack((first, middle, last))
