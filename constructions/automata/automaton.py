"""Total deterministic automata on the states 0 .. n-1."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Automaton:
    """``table[letter][q]`` is the state after reading ``letter`` in state q; every letter acts on all of 0 .. n-1.

    ``names[q]`` is what the state was called where it came from; the numbers themselves by default.
    ``outputs[q]`` is what a Moore machine says in state q, None for an acceptor. Raises ``ValueError`` for no states, no letters, a partial table, or a start or accepting state out of range.
    """

    table: Mapping[Hashable, Sequence[int]]
    start: int = 0
    accepting: frozenset[int] = frozenset()
    names: tuple[Hashable, ...] | None = None
    outputs: tuple[Hashable, ...] | None = None

    def __post_init__(self) -> None:
        if not self.table:
            raise ValueError("expected at least one letter, got an empty table")
        n = self.n
        if n == 0:
            raise ValueError("expected at least one state, got none")
        for letter, images in self.table.items():
            for q in range(n):
                if q >= len(images) or not isinstance(images[q], int) or not 0 <= images[q] < n:
                    got = repr(images[q]) if q < len(images) else "nothing"
                    raise ValueError(f"expected a state in 0 .. {n - 1} for the letter {letter!r} in state {q}, got {got}")
        if self.names is not None and len(set(self.names)) != n:
            raise ValueError(f"expected {n} different names of states, got {self.names}")
        if self.outputs is not None and len(self.outputs) != n:
            raise ValueError(f"expected {n} outputs, one for each state, got {self.outputs}")
        for q in (self.start, *self.accepting):
            if not 0 <= q < n:
                raise ValueError(f"expected a start and accepting states in 0 .. {n - 1}, got {q}")

    @property
    def n(self) -> int:
        """The number of states."""
        return max(len(images) for images in self.table.values())

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

    def reachable(self) -> Automaton:
        """The same language on the states that some word reaches, renumbered in order of discovery; names are kept."""
        order = [self.start]
        for q in order:
            order += [p for p in dict.fromkeys(self.table[x][q] for x in self.table) if p not in order]
        index = {q: i for i, q in enumerate(order)}
        table = {x: tuple(index[images[q]] for q in order) for x, images in self.table.items()}
        accepting = frozenset(index[q] for q in self.accepting if q in index)
        outputs = None if self.outputs is None else tuple(self.outputs[q] for q in order)
        return Automaton(table, 0, accepting, tuple(self.name(q) for q in order), outputs)
