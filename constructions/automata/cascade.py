"""Cascades of permutation-reset automata: every automaton with n states is one of n - 1 levels with n, n-1, ..., 2 states.

A level remembers one state that the automaton is *not* in. Level 1 excludes a state e_1, level 2 a state e_2 among the others,
and so on; after n - 1 levels one state is left, and it is the automaton's. At a letter a, let R be the states that the levels
before have not excluded and R' what they have not excluded afterwards; a maps R into R'. If a : R -> R' is a bijection, the
excluded state moves along, e -> a(e), a permutation. Otherwise some state of R' is not hit, whatever e was, and excluding
it is a reset. (The usual statement, grazzi25 Theorem 5, allows 2^n levels.)
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from .automaton import Automaton

Excluded = tuple[int, ...]


class Move(NamedTuple):
    """What a letter does to a level of m states: ``permutation[i]`` for a bijection of 0 .. m-1, else ``reset``."""

    permutation: tuple[int, ...] | None
    reset: int | None

    def __call__(self, i: int) -> int:
        return self.permutation[i] if self.permutation is not None else self.reset  # type: ignore[return-value]


@dataclass(frozen=True)
class Cascade:
    """Levels 0 .. n-2 of permutation-reset automata; level k has the states 0 .. n-k-1.

    A state is a tuple (i_0, ..., i_{n-2}): i_k is the position of the excluded state among those that are left, in their order.
    The action of level k depends on the letter and on i_0 .. i_{k-1} *before* the letter.
    """

    automaton: Automaton

    @property
    def sizes(self) -> list[int]:
        """The number of states of each level: n, n-1, ..., 2."""
        return list(range(self.automaton.n, 1, -1))

    def left(self, state: Excluded) -> tuple[int, ...]:
        """The automaton's states that the positions in ``state`` (of the first levels) do not exclude, in order."""
        remaining = list(range(self.automaton.n))
        for i in state:
            del remaining[i]
        return tuple(remaining)

    def move(self, letter: Hashable, before: Excluded) -> Move:
        """The action on level ``len(before)`` of a letter, given the states of the levels before it, before the letter."""
        return _moves(self, letter, before)[1]

    def after(self, letter: Hashable, before: Excluded) -> Excluded:
        """The states of the first ``len(before)`` levels after the letter."""
        return _moves(self, letter, before)[0]

    def step(self, state: Excluded, letter: Hashable) -> Excluded:
        """One letter read by all levels."""
        return tuple(self.move(letter, state[:k])(state[k]) for k in range(len(state)))

    def emulated(self, state: Excluded) -> int:
        """The automaton's state that a state of the whole cascade stands for: the one that no level excludes."""
        (q,) = self.left(state)
        return q

    @property
    def start(self) -> Excluded:
        """Exclude the largest states first, except the start."""
        state, remaining = [], list(range(self.automaton.n))
        while len(remaining) > 1:
            i = len(remaining) - 1 if remaining[-1] != self.automaton.start else len(remaining) - 2
            state.append(i)
            del remaining[i]
        return tuple(state)


def krohn_rhodes(automaton: Automaton) -> Cascade:
    """The cascade of n - 1 permutation-reset automata that emulates an automaton with n states, n >= 1.

    It need not be the decomposition with the fewest or the smallest groups; what it saves is depth.
    """
    return Cascade(automaton)


def _moves(cascade: Cascade, letter: Hashable, before: Excluded) -> tuple[Excluded, Move]:
    """(states of the levels in ``before`` after the letter, action on the next level)."""
    images = cascade.automaton.table.get(letter)
    if images is None:
        raise ValueError(f"expected a letter among {cascade.automaton.letters}, got {letter!r}")
    return _moves_of(cascade.automaton.n, tuple(images), before)


@cache
def _moves_of(n: int, images: tuple[int, ...], before: Excluded) -> tuple[Excluded, Move]:
    after: list[int] = []
    R, R_after = list(range(n)), list(range(n))
    for i in before:
        j = _move(images, R, R_after)(i)
        after.append(j)
        del R[i]
        del R_after[j]
    return tuple(after), _move(images, R, R_after)


def _move(images: tuple[int, ...], R: list[int], R_after: list[int]) -> Move:
    """The action on the position of the excluded state, as ``images`` maps R into R_after."""
    position = {q: i for i, q in enumerate(R_after)}
    hit = [position[images[q]] for q in R]
    if len(set(hit)) == len(R):
        return Move(tuple(hit), None)
    return Move(None, next(i for i in range(len(R_after)) if i not in set(hit)))
