"""Automata that forget all but the beginning, the end and the time, as bounded networks of two layers with activations in depth only."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import Any

import numpy as np

from .activations import DepthOnly, DepthOnlyLayer
from .depth.only import interpolated, relu

Table = Sequence[Sequence[int]]


def late_states(delta: Table, start: int) -> set[int]:
    """The states that arbitrarily long words lead to, from the start: those after as many letters as there are states, or more."""
    late = {start}
    for _ in delta:
        late = {delta[q][a] for q in late for a in range(len(delta[0]))}
    while (more := late | {p for q in late for p in delta[q]}) != late:
        late = more
    return late


def late_memory(delta: Table, start: int) -> int | None:
    """The least i so that q.az = q.bz for all late states q, letters a, b and words z with |z| >= i; None if there is none."""
    letters = range(len(delta[0]))
    apart = {frozenset((delta[q][a], delta[q][b])) for q in late_states(delta, start) for a in letters for b in range(a)}
    for i in range(len(delta) * (len(delta) - 1) // 2 + 1):
        apart = {pair for pair in apart if len(pair) == 2}
        if not apart:
            return i
        apart = {frozenset(delta[q][a] for q in pair) for pair in apart for a in letters}
    return None


def prefix_and_suffix_network(delta: Table, start: int) -> DepthOnly:
    """Two layers, ReLU below, whose output after each letter is the number of the automaton's state; their states are bounded.

    Below: a register of the last i letters, a clock that counts to a number and then goes round, and for each s up to the number n of states a unit that ReLU turns into x_s at
    time s and into 0 at other times. Above: sums of these, which keep the first n letters, and a unit that writes first letters, last letters and clock as one integer; a
    piecewise linear activation looks the state up. Raises ``ValueError`` for automata that do not forget so.
    """
    i, n, k = late_memory(delta, start), len(delta), len(delta[0])
    if i is None:
        raise ValueError("expected an automaton that forgets all but the beginning, the end and the time")
    begins, period = 2 * n + i, lcm(*_cycles(delta))
    times = begins + period
    clock, gates = i, i + times
    V, U, b, begin = (np.zeros(shape, dtype=object) for shape in ((gates + n,) * 2, (gates + n, 1), gates + n, gates + n))
    if i:
        U[0] = 1
    for j in range(i - 1):
        V[j + 1, j] = 1
    for t in range(times):
        V[clock + (t + 1 if t + 1 < times else begins), clock + t] = 1
    for s in range(n):
        # x_(s+1) at time s + 1, when the clock was at s before; else at most 0
        V[gates + s, clock + s], U[gates + s], b[gates + s] = k, 1, -k
    begin[clock] = 1
    weights = [k**s for s in range(n)]
    sums, above = np.eye(n + 1, dtype=object), np.zeros((n + 1, gates + n), dtype=object)
    sums[n], sums[n, :n] = 0, weights
    above[:n, gates:] = np.eye(n, dtype=object)
    above[n] = [*(k ** (n + j) for j in range(i)), *(k ** (n + i) * t for t in range(times)), *weights]
    values = [_state_at(delta, start, code, i) for code in range(k ** (n + i) * times)]
    readout, zero = np.zeros((1, n + 1), dtype=object), np.zeros(n + 1, dtype=object)
    readout[0, n] = 1
    first = DepthOnlyLayer(V, U, b, begin, relu)
    second = DepthOnlyLayer(sums, above, zero, zero, lambda u: interpolated(values, u))
    return DepthOnly((first, second), readout, np.zeros(1, dtype=object))


def _cycles(delta: Table) -> list[int]:
    """The lengths of the cycles of the letter 0."""
    lengths = []
    for q in range(len(delta)):
        path = [q]
        while (after := delta[path[-1]][0]) not in path:
            path.append(after)
        lengths.append(len(path) - path.index(after))
    return lengths


def _state_at(delta: Table, start: int, code: int, i: int) -> int:
    """The state for the code of first letters x_1 .., last letters x_t, x_(t-1), .. and time t, in base k from the lowest digit on."""
    n, k = len(delta), len(delta[0])
    first, last, t = code % k**n, code // k**n % k**i, code // k ** (n + i)
    word: list[Any] = [first // k**s % k for s in range(min(t, n))]
    rest = max(t - n, 0)
    word += [0] * (rest - i) + [last // k**j % k for j in reversed(range(min(rest, i)))]
    q = start
    for a in word:
        q = delta[q][a]
    return q
