"""ListOps: nested MIN, MAX, MED and SM of digits, and what the whole comes to (Nangia and Bowman 2018; a task of the long-range arena, Tay et al. 2021).

As there: the least, the largest, the median rounded down, the sum modulo 10, of at least two arguments. Expressions are ours: drawn to have exactly a given
length, tens of letters where the arena has 500 to 2000, with at most five arguments, where it has ten.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random

import numpy as np

from .tasks import UNASKED, Generator, Task

#: most arguments of an operator
ARGUMENTS = 5


def median(values: Sequence[int]) -> int:
    """The median, rounded down."""
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) // 2


OPERATORS: dict[str, Callable[[Sequence[int]], int]] = {
    "[MIN": min,
    "[MAX": max,
    "[MED": median,
    "[SM": lambda values: sum(values) % 10,
}
LETTERS = (*map(str, range(10)), *OPERATORS, "]")


def expression(length: int, rng: Random) -> tuple[list[str], int]:
    """A random expression of exactly so many letters, and its value. Raises ``ValueError`` for lengths that none has: below 1, 2 and 3."""
    if length < 1 or length in (2, 3):
        raise ValueError(f"expected a length of 1 or at least 4 for an operator with two arguments, got {length}")
    if length == 1:
        digit = rng.randrange(10)
        return [str(digit)], digit
    operator = rng.choice(list(OPERATORS))
    parts = [expression(n, rng) for n in _lengths(length - 2, rng)]
    return [operator, *(x for text, _ in parts for x in text), "]"], OPERATORS[operator]([value for _, value in parts])


def _lengths(total: int, rng: Random) -> list[int]:
    """Lengths of two to five arguments, each 1 or at least 4, that sum to ``total``."""
    # beyond one letter each, what is left goes to some of them, at least three to each
    k = rng.choice([k for k in range(2, ARGUMENTS + 1) if total == k or total - k >= 3])
    lengths, left = [1] * k, total - k
    if left:
        longer = rng.randint(1, min(k, left // 3))
        free = left - 3 * longer
        cuts = sorted(rng.randint(0, free) for _ in range(longer - 1))
        for i, (low, high) in zip(rng.sample(range(k), longer), pairwise([0, *cuts, free]), strict=True):
            lengths[i] += 3 + high - low
    return lengths


def listops() -> Task:
    """A whole expression; its value is the label of its last letter."""
    index = {x: i for i, x in enumerate(LETTERS)}

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        # the standard library draws single numbers several times faster than NumPy
        draw = Random(int(rng.integers(2**63)))
        drawn = [expression(length, draw) for _ in range(batch)]
        targets = np.full((batch, length), UNASKED)
        targets[:, -1] = [value for _, value in drawn]
        return np.array([[index[x] for x in text] for text, _ in drawn]), targets

    return Task("listops", LETTERS, tuple(map(str, range(10))), sample)
