"""A lower bound on the width of one layer with rational entries and finitely many states (new.automata.one-layer.width)."""

from __future__ import annotations

import numpy as np
from flint import fmpz

from ..automata.automaton import Automaton

#: elements of the monoid that are looked at; each gives a bound
MOST_ELEMENTS = 2_000


def rational_width(period: int) -> int:
    """The least size of a rational matrix with a cycle of so many vectors about 0: the sum of phi(q) over the prime powers q that divide the period exactly.

    But 2 costs nothing beside an odd one. It is 0 for a period of 1. Raises ``ValueError`` for a period below 1.
    """
    if period < 1:
        raise ValueError(f"expected a period of at least 1, got {period}")
    powers = [int(p**a) for p, a in fmpz(period).factor()]
    return sum(int(fmpz(q).euler_phi()) for q in powers if q != 2 or len(powers) == 1)


def width_of_one_layer(automaton: Automaton) -> int:
    """The largest t + rational_width(p) over states and words, repeated: t states and then a cycle of p. 0 for one state.

    Words of at most 2,000 actions are looked at, the shortest first.
    """
    automaton = automaton.reachable()
    delta = np.array([list(f) for f in automaton.table.values()])
    found = {np.arange(automaton.n).tobytes(): np.arange(automaton.n)}
    waiting, best = list(found.values()), 0
    for f in waiting:
        if len(waiting) < MOST_ELEMENTS:
            for row in delta:
                g = row[f]
                if g.tobytes() not in found:
                    found[g.tobytes()] = g
                    waiting.append(g)
        best = max(best, _of_a_map(f.tolist()))
    return best


def _of_a_map(f: list[int]) -> int:
    """The largest t + rational_width(p) over the states, for one map."""
    tail, period = _paths(f)
    return max(t + rational_width(p) for t, p in zip(tail, period, strict=True))


def _paths(f: list[int]) -> tuple[list[int], list[int]]:
    """For each state the number of steps to a cycle, and the length of the cycle."""
    tails, periods = [], []
    for q in range(len(f)):
        step: dict[int, int] = {}
        while q not in step:
            step[q] = len(step)
            q = f[q]
        tails.append(step[q])
        periods.append(len(step) - step[q])
    return tails, periods
