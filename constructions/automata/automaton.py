"""Total deterministic automata on the states 0 .. n-1, acceptors and Moore machines."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from reprlib import repr as shortened
from typing import Any

import numpy as np

from ...numerics.aliases import Key

#: automata that are explored state by state are refused beyond this size
LARGEST_AUTOMATON = 20_000


@dataclass(frozen=True)
class Automaton:
    """``table[letter][q]`` is the state after reading ``letter`` in state q; every letter acts on all of 0 .. n-1.

    ``names[q]`` is what the state was called where it came from; the numbers themselves by default. ``outputs[q]`` is what a Moore
    machine says in state q, None for an acceptor. States may be NumPy's integers; they are kept as Python's. Raises ``ValueError`` for
    no states, no letters, a partial table, a state out of range or not an integer (Booleans are none), and names that are not all different.
    """

    table: Mapping[Key, Sequence[int]]
    start: int = 0
    accepting: frozenset[int] = frozenset()
    names: tuple[Hashable, ...] | None = None
    outputs: tuple[Hashable, ...] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.table, Mapping):
            raise ValueError(f"expected a table {{letter: [next states]}}, got {brief(self.table)}")
        if not self.table:
            raise ValueError("expected at least one letter, got an empty table")
        for letter, images in self.table.items():
            if not isinstance(images, Sequence | np.ndarray):
                raise ValueError(f"expected a list of next states for the letter {brief(letter)}, got {brief(images)}")
        n = max(len(images) for images in self.table.values())
        if n == 0:
            raise ValueError("expected at least one state, got none")
        self._keep("table", {letter: _row(letter, images, n) for letter, images in self.table.items()})
        if not isinstance(self.accepting, Iterable):
            raise ValueError(f"expected a set of accepting states, got {brief(self.accepting)}")
        start, *accepting = (_state_in(n, q) for q in (self.start, *self.accepting))
        self._keep("start", start)
        self._keep("accepting", frozenset(accepting))
        for kind in ("names", "outputs"):
            if getattr(self, kind) is not None:
                self._keep(kind, _one_each(n, kind, getattr(self, kind)))
        if self.names is not None and len(set(self.names)) != n:
            raise ValueError(f"expected {n} different names of states, got {brief(self.names)}")

    def _keep(self, field: str, value: Any) -> None:
        object.__setattr__(self, field, value)

    @property
    def n(self) -> int:
        """The number of states."""
        return len(next(iter(self.table.values())))

    def name(self, q: int) -> Hashable:
        """What state q is called."""
        return q if self.names is None else self.names[q]

    @property
    def letters(self) -> list[Hashable]:
        return list(self.table)

    def step(self, q: int, letter: Hashable) -> int:
        """The state after one letter; ``ValueError`` for a letter outside the alphabet."""
        if letter not in self.table:
            raise ValueError(f"expected a letter among {self.letters}, got {letter!r}")
        return self.table[letter][q]

    def run(self, word: Iterable[Hashable]) -> list[int]:
        """The states after every letter."""
        q, states = self.start, []
        for letter in word:
            q = self.step(q, letter)
            states.append(q)
        return states

    def output(self, q: int) -> Hashable:
        """What a Moore machine says in state q; ``ValueError`` if the automaton has no outputs."""
        if self.outputs is None:
            raise ValueError("expected a machine with outputs, got an acceptor: it has accepting states only")
        return self.outputs[q]

    def reachable(self) -> Automaton:
        """The same language and outputs on the states that some word reaches, renumbered in order of discovery; names are kept."""
        index = {self.start: 0}
        order = [self.start]
        for q in order:
            for images in self.table.values():
                if images[q] not in index:
                    index[images[q]] = len(order)
                    order.append(images[q])
        table = {x: tuple(index[images[q]] for q in order) for x, images in self.table.items()}
        accepting = frozenset(index[q] for q in self.accepting if q in index)
        outputs = None if self.outputs is None else tuple(self.outputs[q] for q in order)
        return Automaton(table, 0, accepting, tuple(self.name(q) for q in order), outputs)


def _row(letter: Hashable, images: Sequence[Any], n: int) -> tuple[int, ...]:
    """The images as Python's integers."""
    if len(images) < n or not all(is_integer(q) and 0 <= q < n for q in images):
        raise ValueError(_refusal(letter, images, n))
    return tuple(map(int, images))


def _refusal(letter: Hashable, images: Sequence[Any], n: int) -> str:
    """What is wrong with the first bad entry of a row."""
    q = next((q for q, after in enumerate(images) if not is_integer(after) or not 0 <= after < n), len(images))
    got = brief(images[q]) if q < len(images) else "nothing"
    return f"expected a state in 0 .. {n - 1} for the letter {brief(letter)} in state {q}, got {got}"


def brief(x: object) -> str:
    """What x is, short and in one line: for what is refused."""
    return " ".join(shortened(x).split())


def is_integer(x: object) -> bool:
    """Whether x is an integer, Python's or NumPy's; Booleans are none."""
    return type(x) is int or (isinstance(x, Integral) and not isinstance(x, bool))


def _state_in(n: int, q: Any) -> int:
    if not is_integer(q) or not 0 <= q < n:
        raise ValueError(f"expected a start and accepting states in 0 .. {n - 1}, got {brief(q)}")
    return int(q)


def _one_each(n: int, kind: str, values: Any) -> tuple[Hashable, ...]:
    if not isinstance(values, Sequence | np.ndarray) or isinstance(values, str) or len(values) != n:
        raise ValueError(f"expected {n} {kind}, one for each state, got {brief(values)}")
    if not all(isinstance(y, Hashable) for y in values):
        raise ValueError(f"expected {kind} that can be told apart (hashable), got {brief(values)}")
    return tuple(values)


def explored(
    start: Any,
    letters: Iterable[Hashable],
    step: Callable[[Any, Any], Any],
    accepts: Callable[[Any], bool],
    output: Callable[[Any], Hashable] | None = None,
) -> Automaton:
    """The automaton of the states that ``step`` reaches from ``start``; a state's name is the state.

    Raises ``ValueError`` for more than :data:`LARGEST_AUTOMATON` states.
    """
    states: list[Any] = [start]
    number = {start: 0}
    table: dict[Hashable, list[int]] = {x: [] for x in letters}
    for q in states:
        for x, successors in table.items():
            after = step(q, x)
            if after not in number:
                if len(states) == LARGEST_AUTOMATON:
                    raise ValueError(f"expected a deterministic automaton of at most {LARGEST_AUTOMATON} states, got more")
                number[after] = len(states)
                states.append(after)
            successors.append(number[after])
    accepting = frozenset(i for i, q in enumerate(states) if accepts(q))
    outputs = None if output is None else tuple(map(output, states))
    return Automaton(table, 0, accepting, tuple(states), outputs)
