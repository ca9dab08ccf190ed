"""Two layers for automata whose state is told by the last few letters and by one number that is held or overwritten: a convolution and gates 0 and 1.

The first layer keeps the last letters, as a short convolution does. The second one has width 1: at each letter it keeps its number (A = 1) or forgets
it and takes another (A = 0), which is a diagonal gate and a step of the delta rule as well. So (a|b)*aba(a|b)* is a number that is set where the last
three letters are aba. With signs (A = -1) the number is 1 or -1 and may turn: whether ab occurred an even number of times.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from ....numerics import exact
from ....numerics.exact import Array
from ...recurrence import Recurrence, Stack
from ..automaton import Automaton
from .places import Read
from .registers import MOST_WINDOWS

#: the last letters before the one that is read, the latest first; fewer at the beginning of a word
Window = tuple[Hashable, ...]


def window_stack(automaton: Automaton, length: int, signed: bool = False) -> Stack | None:
    """The two layers for windows of ``length`` letters before the one that is read; None if the automaton needs more than one such number.

    ``signed``: the number is 1 or -1, and a letter may turn its sign.

    Raises ``ValueError`` for a length below 1.
    """
    if length < 1:
        raise ValueError(f"expected a window of at least one letter, got {length}")
    if len(automaton.letters) ** length > MOST_WINDOWS:
        return None
    possible = _possible(automaton, length)
    memory = _signs(possible) if signed else _memory(automaton, possible, length)
    if memory is None:
        return None
    return Stack((_window_layer(automaton, length), _memory_layer(automaton, possible, memory)))


def _possible(automaton: Automaton, length: int) -> dict[Window, frozenset[int]]:
    """For each window the states in which a word that ends so can be."""
    found: dict[Window, set[int]] = {(): {automaton.start}}
    waiting: list[tuple[Window, int]] = [((), automaton.start)]
    for window, q in waiting:
        for x in automaton.letters:
            after, r = (x, *window)[:length], automaton.table[x][q]
            if r not in found.setdefault(after, set()):
                found[after].add(r)
                waiting.append((after, r))
    return {window: frozenset(states) for window, states in found.items()}


def _memory(automaton: Automaton, possible: dict[Window, frozenset[int]], length: int) -> dict[tuple[Window, int], int] | None:
    """A number for each window and state, different for states of one window, that a letter keeps unless it leaves one state alone; None if there is none."""
    parent = {(window, q): (window, q) for window, states in possible.items() for q in states}

    def root(x: tuple[Window, int]) -> tuple[Window, int]:
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for window, states in possible.items():
        for x in automaton.letters:
            after, images = (x, *window)[:length], {q: automaton.table[x][q] for q in states}
            if len(set(images.values())) > 1:
                for q, r in images.items():
                    parent[root((window, q))] = root((after, r))
    together = [[root((window, q)) for q in states] for window, states in possible.items()]
    if any(len(set(kept)) < len(kept) for kept in together):
        return None
    # what no window has to tell apart may have one number
    number: dict[tuple[Window, int], int] = {}
    for r in dict.fromkeys(map(root, parent)):
        taken = {number[s] for kept in together if r in kept for s in kept if s in number}
        number[r] = next(i for i in range(len(taken) + 1) if i not in taken)
    return {x: number[root(x)] for x in parent}


def _signs(possible: dict[Window, frozenset[int]]) -> dict[tuple[Window, int], int] | None:
    """1 and -1 for the states of each window; None if some window has three."""
    if max(map(len, possible.values())) > 2:
        return None
    return {(window, q): sign for window, states in possible.items() for q, sign in zip(sorted(states), (1, -1), strict=False)}


def _window_layer(automaton: Automaton, length: int) -> Recurrence:
    """The last letters by number, 0 where there is none yet, the letter that is read first."""
    n = length + 1
    shift = exact.zeros(n, n)
    for i in range(length):
        shift[i + 1, i] = exact.rational(1)
    letter = dict(enumerate(automaton.letters, start=1))
    written = {x: exact.unit_vector(n, 0)[:, None] * exact.rational(i) for i, x in letter.items()}

    def decode(H: Array, x: Hashable) -> Read | None:
        seen = tuple(letter.get(int(i)) for i in H[:, 0] if i != 0)
        return Read(x, seen[1:], seen[:length])

    return Recurrence.from_table({x: (shift, written[x]) for x in automaton.letters}, exact.zeros(n, 1), decode)


def _memory_layer(automaton: Automaton, possible: dict[Window, frozenset[int]], memory: dict[tuple[Window, int], int]) -> Recurrence:
    """One number: kept, turned, or overwritten where all states that the window allows lead to one."""
    state = {(window, i): q for (window, q), i in memory.items()}

    def step(read: Any) -> tuple[int, int]:
        """(A, B)."""
        moved = {memory[read.before, q]: memory[read.after, automaton.table[read.letter][q]] for q in possible[read.before]}
        if len({automaton.table[read.letter][q] for q in possible[read.before]}) == 1:
            return 0, next(iter(moved.values()))
        return (1 if all(i == j for i, j in moved.items()) else -1), 0

    def transition(read: Any) -> Array:
        return exact.identity(1) * exact.rational(step(read)[0])

    def inputs(read: Any) -> Array:
        return exact.identity(1) * exact.rational(step(read)[1])

    def decode(H: Array, read: Any) -> int | None:
        return state.get((read.after, int(H[0, 0])))

    return Recurrence(transition, inputs, exact.identity(1) * exact.rational(memory[(), automaton.start]), decode)
