"""Pairs of states, and where words lead both: the graph that every polynomial procedure searches. Pair (p, q) has the number p n + q."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from .machine import Array, Machine
from .undecided import Undecided

#: machines with more states have too many pairs
MOST_STATES = 500


@dataclass(frozen=True, eq=False)
class Search:
    """What a search from ``seeds`` met, in order, with the node before and the letter between; -1 at a seed and where it never came."""

    met: Array
    before: Array
    letter: Array

    def word(self, node: int) -> tuple[int, tuple[int, ...]]:
        """(the seed that the search came from, the letters from there)."""
        letters: list[int] = []
        while self.before[node] >= 0:
            letters.append(int(self.letter[node]))
            node = int(self.before[node])
        return node, tuple(reversed(letters))


def search(after: Array, seeds: Array, closed: Array) -> Search:
    """Breadth first along ``after[a, node]``, shape (letters, nodes), from ``seeds``, not into nodes that are ``closed``."""
    seen = closed.copy()
    before, letter = np.full(seen.size, -1), np.full(seen.size, -1)
    frontier = np.unique(seeds[~seen[seeds]])
    seen[frontier] = True
    met = [frontier]
    while frontier.size:
        found = after[:, frontier].ravel()
        new = np.flatnonzero(~seen[found])
        nodes, first = np.unique(found[new], return_index=True)
        at = new[first]
        before[nodes], letter[nodes] = frontier[at % frontier.size], at // frontier.size
        seen[nodes] = True
        frontier = nodes
        met.append(nodes)
    return Search(np.concatenate(met), before, letter)


@dataclass(frozen=True, eq=False)
class Pairs:
    """The graph of pairs of different states. Raises :class:`Undecided` for more than 500 states."""

    machine: Machine

    def __post_init__(self) -> None:
        if self.machine.n > MOST_STATES:
            raise Undecided(f"the machine has more than {MOST_STATES} states")

    @cached_property
    def after(self) -> Array:
        """The pair after each letter, shape (letters, pairs)."""
        delta, n = self.machine.delta, self.machine.n
        return (delta[:, :, None] * n + delta[:, None, :]).reshape(len(delta), n * n)

    @cached_property
    def equal(self) -> Array:
        """Whether the two states are one: from there on nothing differs."""
        return np.eye(self.machine.n, dtype=bool).ravel()

    def number(self, p: Array, q: Array) -> Array:
        return p * self.machine.n + q

    def states(self, pair: int) -> tuple[int, int]:
        p, q = divmod(pair, self.machine.n)
        return p, q

    def search(self, seeds: Array) -> Search:
        """All pairs of different states that words lead to from ``seeds``."""
        return search(self.after, seeds, self.equal)

    def returning(self, found: Search) -> tuple[int, tuple[int, ...]] | None:
        """The first pair met that a word leads back to itself, and that word; None if all pairs met become equal in the end."""
        nodes = found.met
        if not nodes.size:
            return None
        place = np.full(self.equal.size, -1)
        place[nodes] = np.arange(nodes.size)
        heads = place[self.after[:, nodes]]
        tails = np.broadcast_to(np.arange(nodes.size), heads.shape)
        inside = heads >= 0
        edges = coo_array((np.ones(inside.sum(), dtype=np.int8), (tails[inside], heads[inside])), shape=(nodes.size, nodes.size))
        _, component = connected_components(edges, connection="strong")
        cyclic = np.bincount(component)[component] > 1
        cyclic |= (heads == tails).any(axis=0)
        if not cyclic.any():
            return None
        pair = int(nodes[np.flatnonzero(cyclic)[0]])
        return pair, self.way(pair, pair)

    def way(self, pair: int, goal: int) -> tuple[int, ...]:
        """A shortest nonempty word from one pair to another."""
        steps = self.after[:, pair]
        back = search(self.after, steps, self.equal)
        seed, word = back.word(goal)
        return (int(np.flatnonzero(steps == seed)[0]), *word)


def depth(pairs: Pairs, found: Search) -> int:
    """Where no pair returns: how many letters make all pairs met equal."""
    layer, letters = np.unique(found.met), 0
    while layer.size:
        layer = np.unique(pairs.after[:, layer])
        layer = layer[~pairs.equal[layer]]
        letters += 1
    return letters


def spell(machine: Machine, parts: Mapping[str, Sequence[int]]) -> dict[str, tuple]:
    """Named words, from numbers of letters."""
    return {name: machine.spelled(word) for name, word in parts.items()}
