"""Which sets of a family lie inside a set: a family as bits, so that thousands of sets are compared at once."""

from __future__ import annotations

from collections.abc import Iterable

States = frozenset[int]


class Family:
    """Sets of states. Bit i of a number stands for ``sets[i]``; larger sets come first."""

    def __init__(self, sets: Iterable[States]):
        self.sets = sorted(sets, key=lambda X: (len(X), sorted(X)), reverse=True)
        #: for each state the sets without it
        self.lacking: dict[int, int] = dict.fromkeys(frozenset().union(*self.sets), (1 << len(self.sets)) - 1)
        for i, X in enumerate(self.sets):
            for q in X:
                self.lacking[q] ^= 1 << i
        self._inside: dict[States, int] = {}

    def inside(self, X: States) -> int:
        """The sets strictly inside X."""
        if X not in self._inside:
            sets = (1 << len(self.sets)) - 1
            for q in self.lacking.keys() - X:
                sets &= self.lacking[q]
            # what is inside X and holds as many states is X
            while sets and len(self.sets[_lowest(sets)]) == len(X):
                sets &= sets - 1
            self._inside[X] = sets
        return self._inside[X]

    def maximal_subsets(self, X: States) -> tuple[States, ...]:
        """The maximal sets strictly inside X, smallest first; they cover X if it has two states or more and single states belong to the family."""
        rest, found = self.inside(X), []
        while rest:
            i = _lowest(rest)
            found.append(self.sets[i])
            rest &= ~(self.inside(self.sets[i]) | 1 << i)
        return tuple(reversed(found))


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1
