"""The skeleton of an automaton: the sets of states that words can produce, and how letters carry them into one another.

One function per step of the holonomy decomposition (Zeiger 1967; Eilenberg 1976, ch. II), so that a reader can stop and look:
``images`` the family of sets · ``classes`` the sets that words carry into each other and back · ``carried_tiles`` the largest smaller
sets inside each · ``heights`` how far above the single states · ``Skeleton.groups`` the permutations of tiles that words induce.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import networkx as nx

from ....numerics.aliases import Key
from ..algebra.permutation_group import permutation_group
from ..automaton import Automaton
from .subsets import Family

if TYPE_CHECKING:
    from sympy.combinatorics import PermutationGroup

States = frozenset[int]
Images = Mapping[States, Mapping[Key, States]]

#: families with more sets are refused: 2^n subsets can occur
LARGEST_FAMILY = 20_000


class TooManySets(ArithmeticError):
    """Words produce more sets of states than are looked at."""


@dataclass(frozen=True, eq=False)
class Skeleton:
    """``image[X][a]`` is the set X after the letter a; ``classes`` lists the classes of equivalent sets, each from its representative on.

    ``tiles[X]`` are the maximal members of the family strictly inside X, numbered so that words inside a class carry tile i to tile
    i where they can; ``height[X]`` is 0 for single states and the length of the longest descending chain of classes otherwise.
    """

    automaton: Automaton
    image: Images
    classes: tuple[tuple[States, ...], ...]
    tiles: Mapping[States, tuple[States, ...]]
    height: Mapping[States, int]

    def permutation(self, X: States, letter: Hashable) -> tuple[int, ...] | None:
        """How a letter that keeps X in its class numbers the tiles of the image, () for a single state; None if it leaves the class."""
        Y = self.image[X][letter]
        if self._representative[Y] != self._representative[X]:
            return None
        number = {T: i for i, T in enumerate(self.tiles[Y])}
        return tuple(number[self.image[T][letter]] for T in self.tiles[X])

    @cached_property
    def _representative(self) -> Mapping[States, States]:
        """The first member of each set's class. Heights do not tell classes apart: all single states have height 0."""
        return {X: members[0] for members in self.classes for X in members}

    def groups(self) -> dict[States, PermutationGroup]:
        """The holonomy group of each class, by its representative: what words do to the representative's tiles when they return to it."""
        found = {}
        for members in self.classes:
            tiles = len(self.tiles[members[0]])
            if tiles > 1:
                moves = {move for X in members for a in self.automaton.letters if (move := self.permutation(X, a)) is not None}
                found[members[0]] = permutation_group(sorted(moves) or [range(tiles)])
        return found


def skeleton(automaton: Automaton, all_tiles: bool = False) -> Skeleton:
    """The skeleton, with at most n tiles in every set. Raises :class:`TooManySets` if more than 20 000 sets occur.

    Where a set has more maximal subsets than the automaton has states, the family is enlarged by its one-point-smaller subsets,
    of which there are few enough; they are then its tiles. Chains of sets can become longer by that, never shorter; ``all_tiles``
    leaves the family as it is.
    """
    everything = frozenset(range(automaton.n))
    family = {everything, *(frozenset({q}) for q in everything)}
    while True:
        image = images(automaton, family)
        grouped, known = classes(image), Family(image)
        tiles = {X: T for members in grouped for X, T in carried_tiles(image, members, known).items()}
        wide = [] if all_tiles else [X for X in tiles if len(tiles[X]) > automaton.n]
        if not wide:
            return Skeleton(automaton, image, grouped, tiles, heights(image, tiles, grouped))
        family = {*image, *(X - {q} for X in wide for q in X)}
        if len(family) == len(image):
            raise ArithmeticError(
                "expected sets with too many tiles to have smaller subsets outside the family, got none: it would not grow"
            )


def images(automaton: Automaton, family: Iterable[States]) -> Images:
    """The family closed under letters: X -> letter -> the set of successors of X's members."""
    image: dict[States, dict[Hashable, States]] = {}
    waiting = sorted(family, key=_by_size)
    while waiting:
        X = waiting.pop()
        if X in image:
            continue
        if len(image) >= LARGEST_FAMILY:
            raise TooManySets(f"expected at most {LARGEST_FAMILY} sets of states that words can produce, got more")
        image[X] = {a: frozenset([successors[q] for q in X]) for a, successors in automaton.table.items()}
        waiting += image[X].values()
    return image


def classes(image: Images) -> tuple[tuple[States, ...], ...]:
    """The classes of sets that words carry into each other and back, largest sets first; each class begins with its representative."""
    arrows = nx.DiGraph((X, Y) for X, after in image.items() for Y in after.values())
    found = [tuple(sorted(members, key=_by_size)) for members in nx.strongly_connected_components(arrows)]
    return tuple(sorted(found, key=lambda members: (-len(members[0]), sorted(members[0]))))


def carried_tiles(image: Images, members: tuple[States, ...], family: Family) -> dict[States, tuple[States, ...]]:
    """The tiles of every set of a class, those of the representative carried along a breadth-first tree of letters.

    Along the tree letters act as the identity on the numbers of the tiles, so all others act by elements of the holonomy group.
    """
    representative, in_class = members[0], set(members)
    tiles, waiting = {representative: family.maximal_subsets(representative)}, [representative]
    for X in waiting:
        for a, Y in image[X].items():
            if Y in in_class and Y not in tiles:
                tiles[Y] = tuple(image[T][a] for T in tiles[X])
                waiting.append(Y)
    return tiles


def maximal_subsets(X: States, family: Iterable[States]) -> tuple[States, ...]:
    """The maximal members of the family strictly inside X; they cover X if it has two states or more and single states belong to it."""
    return Family(family).maximal_subsets(X)


def heights(image: Images, tiles: Mapping[States, tuple[States, ...]], grouped: Iterable[tuple[States, ...]]) -> dict[States, int]:
    """0 for single states, else 1 + the greatest height among the classes that letters or tiles lead down to."""
    number = {X: c for c, members in enumerate(grouped) for X in members}
    below = nx.DiGraph()
    below.add_nodes_from(number.values())
    steps = ((X, Y) for X in image for Y in (*image[X].values(), *tiles[X]))
    below.add_edges_from((number[X], number[Y]) for X, Y in steps if number[X] != number[Y])
    single = {number[X] for X in image if len(X) == 1}
    height: dict[int, int] = {}
    for c in reversed(list(nx.topological_sort(below))):
        height[c] = 0 if c in single else 1 + max(height[d] for d in below[c])
    return {X: height[c] for X, c in number.items()}


def _by_size(X: States) -> tuple:
    return len(X), sorted(X)
