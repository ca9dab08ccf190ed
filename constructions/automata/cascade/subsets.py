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
            self._inside[X] = self._strictly_inside(X)
        return self._inside[X]

    def _strictly_inside(self, X: States) -> int:
        every, outside, found = (1 << len(self.sets)) - 1, self.lacking.keys() - X, 0
        if len(X) < len(outside):
            # few sets meet a small one: each is looked at
            lacking = every
            for q in X & self.lacking.keys():
                lacking &= self.lacking[q]
            meeting = every ^ lacking
            if meeting.bit_count() < len(outside):
                while meeting:
                    lowest = meeting & -meeting
                    found |= lowest if self.sets[lowest.bit_length() - 1] < X else 0
                    meeting ^= lowest
                return found
        found = every
        for q in outside:
            found &= self.lacking[q]
        # what is inside X and holds as many states is X
        while found and len(self.sets[_lowest(found)]) == len(X):
            found &= found - 1
        return found

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
