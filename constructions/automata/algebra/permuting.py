"""Automata whose letters all permute the states: their groups, and the blocks of states on which these act."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from ..automaton import Automaton
from .embedding import Images, generated
from .permutation_group import permutation_group

if TYPE_CHECKING:
    from sympy.combinatorics import PermutationGroup

#: groups whose elements have more entries than this, as permutations of the states, are not listed
LARGEST_LISTED = 2_000_000

#: systems of blocks that are tried
TRIALS = 12


@dataclass(frozen=True)
class Permuting:
    """An automaton whose letters permute the states, all of which are reached."""

    automaton: Automaton

    @cached_property
    def letters(self) -> dict[Hashable, Images]:
        return {x: tuple(images) for x, images in self.automaton.table.items()}

    @cached_property
    def elements(self) -> list[Images] | None:
        """All products of letters, as permutations of the states; None if they are too many to list."""
        return generated(self.letters.values(), LARGEST_LISTED // self.automaton.n)

    @cached_property
    def generators(self) -> list[Images]:
        """Letters that generate the group, each of which those before it do not generate; all letters if the elements are not listed."""
        if self.elements is None:
            return list(self.letters.values())
        chosen, known = [], {tuple(range(self.automaton.n))}
        for g in self.letters.values():
            if g not in known:
                chosen.append(g)
                known = set(generated(chosen, len(self.elements) + 1) or ())
        return chosen

    @cached_property
    def group(self) -> PermutationGroup:
        return permutation_group(self.letters.values())

    @property
    def order(self) -> int:
        return len(self.elements) if self.elements is not None else int(self.group.order())

    def listed(self, most: float) -> bool:
        """Whether the elements are listed, and no more than that many."""
        return self.elements is not None and len(self.elements) <= most

    @property
    def fixing_start(self) -> list[Images]:
        start = self.automaton.start
        return [g for g in self.elements or [] if g[start] == start]


def permuting(automaton: Automaton) -> Permuting | None:
    """The automaton as one whose letters permute the states; None for others. The automaton has to be reachable."""
    permutes = all(len(set(images)) == automaton.n for images in automaton.table.values())
    return Permuting(automaton) if permutes else None


def smallest_blocks(found: Permuting) -> list[int]:
    """The number of each state's block, in a system of few blocks on which only the identity acts as the identity.

    States are merged with the start one after the other, in several orders, as long as that holds; the fewest blocks win.
    """
    n, start, letters = found.automaton.n, found.automaton.start, found.generators
    others = np.array([g for g in found.elements or [] if any(g[q] != q for q in range(n))])
    best, discrete, rng = list(range(n)), list(range(n)), Random(0)
    mergeable = [q for q in range(n) if q != start and _faithful(_merged(discrete, start, q, letters), others)]
    for _ in range(TRIALS):
        block = discrete
        for q in rng.sample(mergeable, len(mergeable)):
            if block[q] != block[start]:
                merged = _merged(block, start, q, letters)
                block = merged if _faithful(merged, others) else block
        best = min(best, block, key=max)
    return best


def _faithful(block: Sequence[int], others: np.ndarray) -> bool:
    """Whether each of the ``others``, rows of images of the states, moves a block."""
    number = np.array(block)
    for b in range(max(block) + 1):
        others = others[number[others[:, block.index(b)]] == b]
        if not len(others):
            return True
    return False


def _merged(block: Sequence[int], p: int, q: int, letters: Sequence[Images]) -> list[int]:
    """The finest system of blocks above ``block`` in which p and q share one; blocks are numbered in the order of their first states."""
    parent = [block.index(b) for b in block]

    def root(x: int) -> int:
        while parent[x] != x:
            x = parent[x]
        return x

    waiting = [(p, q)]
    for a, b in waiting:
        if root(a) != root(b):
            parent[max(root(a), root(b))] = min(root(a), root(b))
            waiting += [(g[a], g[b]) for g in letters]
    roots = [root(x) for x in range(len(block))]
    number = {r: i for i, r in enumerate(dict.fromkeys(roots))}
    return [number[r] for r in roots]
