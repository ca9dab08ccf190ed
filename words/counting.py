"""How many words lead where: exact, in Python's integers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np

from ..constructions.automata.automaton import Automaton


def transitions(automaton: Automaton) -> np.ndarray:
    """The state after each letter in each state, shape (letters, states), in the smallest unsigned type that holds them."""
    return np.array([automaton.table[x] for x in automaton.letters], dtype=np.min_scalar_type(automaton.n - 1))


def reached(automaton: Automaton, length: int) -> list[int]:
    """How many words of a length end in each state.

    Args:
        automaton: a total automaton with n states.
        length: at least 0.

    Returns:
        n integers, whose sum is the number of words.

    Raises:
        ValueError: for a negative length.

    Example:
        >>> from lemmata.constructions.automata.read.tasks import parity
        >>> reached(parity(), 3)
        [4, 4]
    """
    if length < 0:
        raise ValueError(f"expected a length of at least 0, got {length}")
    return next(islice(reached_by_length(automaton), length, None))


def reached_by_length(automaton: Automaton) -> Iterator[list[int]]:
    """:func:`reached` for the lengths 0, 1, 2, ... without end."""
    counts = [0] * automaton.n
    counts[automaton.start] = 1
    while True:
        yield counts
        after = [0] * automaton.n
        for images in automaton.table.values():
            for q, count in enumerate(counts):
                after[images[q]] += count
        counts = after


def words_to(automaton: Automaton, targets: Iterable[int], length: int) -> list[list[int]]:
    """How many words of k letters lead from each state into the targets, for k = 0, ..., ``length``: lists of n integers.

    Example:
        >>> from lemmata.constructions.automata.read.tasks import parity
        >>> words_to(parity(), {1}, 2)
        [[0, 1], [1, 1], [2, 2]]
    """
    wanted = set(targets)
    rows = [[int(q in wanted) for q in range(automaton.n)]]
    for _ in range(length):
        last = rows[-1]
        rows.append([sum(last[images[q]] for images in automaton.table.values()) for q in range(automaton.n)])
    return rows
