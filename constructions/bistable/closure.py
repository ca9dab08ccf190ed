"""The proof that a stack of bistable layers computes an automaton's state: all that its layers together can be in, and every letter there.

Units are +-1 and weights are integers, so NumPy's integers are exact. All states found in one round are stepped at once, by every letter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...numerics.progress import Progress, silent
from ..automata.automaton import Automaton
from .units import Layer

Array = np.ndarray

#: proofs that visit more states of all layers together are refused
MOST_STATES = 100_000


@dataclass(frozen=True)
class Closure:
    """How many states of all layers together words reach, beside the automaton's, and how many transitions were compared."""

    states: int
    transitions: int


def step(layers: Sequence[Layer], inputs: Array, states: Array) -> Array:
    """The next states (rows, units) of all layers by Eq. 11, from what the first layer reads (rows, inputs) and the states (rows, units)."""
    below, done = inputs, 0
    for layer in layers:
        unit, old = layer.unit, states[:, done : done + len(layer.start)]
        candidate, threshold = below @ unit.W_x.T + unit.b_x, np.abs(below @ unit.W_beta.T + unit.b_beta)
        written = np.where(candidate >= 0, 1, -1) * unit.alpha
        new = np.where(np.abs(candidate) >= threshold, written, old)
        below, done = np.concatenate([below, new], axis=1), done + len(layer.start)
    return below


def close(
    automaton: Automaton, layers: Sequence[Layer], readout: tuple[Array, Array], clock: int = 1, progress: Progress = silent
) -> Closure:
    """Visit all that words reach; raises ``ArithmeticError`` at the first word after which not exactly the automaton's state has a positive readout.

    The first layer reads letters one-hot and, if ``clock`` > 1, the number of letters modulo ``clock`` one-hot.
    """
    W, b = readout
    letters, n = automaton.letters, len(automaton.letters)
    start = np.concatenate([layer.start for layer in layers]) if layers else np.zeros(0, dtype=int)
    table = np.array([automaton.table[x] for x in letters])
    seen = {(start.tobytes(), automaton.start, 0)}
    states, at, time, transitions = start[None], np.array([automaton.start]), 0, 0
    rounds = [(states, at, np.zeros(1, dtype=int))]
    for states, at, time in rounds:
        progress("closing", len(seen), 0)
        fresh: list[tuple[Array, int, int]] = []
        for a in range(n):
            later = (time + 1) % clock
            inputs = np.zeros((len(states), n + (clock if clock > 1 else 0)), dtype=int)
            inputs[:, a] = 1
            if clock > 1:
                inputs[np.arange(len(states)), n + later] = 1
            read = step(layers, inputs, states)
            after, positive = table[a][at], read @ W.T + b > 0
            expected = np.zeros_like(positive)
            expected[np.arange(len(states)), after] = True
            wrong = np.flatnonzero((positive != expected).any(axis=1))
            if len(wrong):
                raise ArithmeticError(
                    f"expected the state {after[wrong[0]]} after the letter {letters[a]!r} in state {at[wrong[0]]}, got another"
                )
            transitions += len(states)
            for row, q, t in zip(read[:, inputs.shape[1] :], after.tolist(), later.tolist(), strict=True):
                key = (row.tobytes(), q, t)
                if key not in seen:
                    seen.add(key)
                    fresh.append((row, q, t))
        if len(seen) > MOST_STATES:
            raise ArithmeticError(f"expected a proof of at most {MOST_STATES:,} states of all layers together, got more")
        if fresh:
            rows, q, t = zip(*fresh, strict=True)
            rounds.append((np.array(rows), np.array(q), np.array(t)))
    return Closure(len(seen), transitions)
