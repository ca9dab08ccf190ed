"""Cascades of permutation-reset automata that emulate an automaton: a state is a descending chain of sets that hold its state.

A level k looks at a set X, which the levels before it have narrowed down, and remembers a tile: one of a few smaller sets that
cover X. A letter a takes X into a set Y, chosen by the levels before, with X a inside Y. If X a = Y, the letter permutes the tiles;
if not, X a lies in a tile of Y, and the level is reset to that tile. After the last level a single state is left.

:func:`krohn_rhodes` takes the tiles from the holonomy decomposition, :func:`excluded_states` all subsets that lack one state.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple

from automata.fa.dfa import DFA

from ..algebra.permutation_group import permutation_group
from ..automaton import Automaton
from ..read.sources import from_dfa
from .skeleton import Skeleton, States, skeleton

if TYPE_CHECKING:
    from sympy.combinatorics import PermutationGroup

CascadeState = tuple[int, ...]
Parallel = Literal["shared", "disjoint", "levels"]


class Move(NamedTuple):
    """What a letter does to a level of m states: ``permutation[i]`` for a bijection of 0 .. m-1, else ``reset``."""

    permutation: tuple[int, ...] | None
    reset: int | None

    def __call__(self, i: int) -> int:
        return self.permutation[i] if self.permutation is not None else self.reset  # type: ignore[return-value]

    def __str__(self) -> str:
        return f"permutation {list(self.permutation)}" if self.permutation is not None else f"reset to {self.reset}"


@cache
def _identity(m: int) -> Move:
    return Move(tuple(range(m)), None)


@dataclass
class _Counted:
    """How many of the reads are counted, and the others."""

    rest: Iterator[tuple[int, Hashable, States, States]]
    found: int = 0


@dataclass(frozen=True, eq=False)
class Cascade:
    """Levels 0 .. s-1 with ``sizes[k]`` states each; a state of the cascade is a tuple of positions, one for each level.

    ``tiles(X)`` are the tiles of a set X and ``level(X)`` the level that chooses among them (s for single states; the levels before
    it leave X as it is). Position i of level k stands for tile i; positions beyond the tiles of X never occur.
    ``skeleton`` is the holonomy decomposition that the tiles come from, if they do.
    """

    automaton: Automaton
    sizes: tuple[int, ...]
    tiles: Callable[[States], tuple[States, ...]]
    level: Callable[[States], int]
    skeleton: Skeleton | None = None
    first: Callable[[States], int] = lambda X: 0
    _images: dict[tuple[Hashable, States], States] = field(default_factory=dict, repr=False)
    _permutations: dict[tuple[Hashable, States], Move] = field(default_factory=dict, repr=False)
    _resets: dict[tuple[States, States], Move] = field(default_factory=dict, repr=False)

    @property
    def top(self) -> States:
        """All states: what level 0 looks at."""
        return frozenset(range(self.automaton.n))

    def chosen(self, k: int, X: States, i: int) -> States:
        """The set that position i of level k narrows X down to; X itself if another level chooses."""
        return self.tiles(X)[i - self.first(X)] if self.level(X) == k else X

    def stands(self, k: int, X: States, i: int) -> bool:
        """Whether position i of level k stands for a tile of X; true if another level chooses."""
        return self.level(X) != k or 0 <= i - self.first(X) < len(self.tiles(X))

    def act(self, k: int, letter: Hashable, X: States, Y: States) -> Move:
        """The action of a letter on level k, X being the set before and Y, which holds X a, the set after the letter."""
        if self.level(Y) != k:
            return _identity(self.sizes[k])
        after = self.image(letter, X)
        if after == Y and self.level(X) == k:
            return self._permutation(letter, X)
        return self._reset(after, Y)

    def image(self, letter: Hashable, X: States) -> States:
        """The set X a of successors of the states in X."""
        if (letter, X) not in self._images:
            successors = self.automaton.table[letter]
            self._images[letter, X] = frozenset([successors[q] for q in X])
        return self._images[letter, X]

    def _permutation(self, letter: Hashable, X: States) -> Move:
        """How a letter that takes X to a set of the same level numbers the tiles."""
        if (letter, X) not in self._permutations:
            Y = self.image(letter, X)
            first, tiles = self.first(Y), self.tiles(Y)
            number = {T: i for i, T in enumerate(tiles, start=first)}
            moved = (number[self.image(letter, T)] for T in self.tiles(X))
            size = self.sizes[self.level(Y)]
            self._permutations[letter, X] = Move((*range(first), *moved, *range(first + len(tiles), size)), None)
        return self._permutations[letter, X]

    def _reset(self, after: States, Y: States) -> Move:
        """To the first tile of Y that holds the image; the first of all if none does, which cannot happen as long as Y holds it."""
        if (after, Y) not in self._resets:
            first = self.first(Y)
            self._resets[after, Y] = Move(None, next((i for i, T in enumerate(self.tiles(Y), start=first) if after <= T), first))
        return self._resets[after, Y]

    def chain(self, state: CascadeState) -> list[States]:
        """The sets that the levels narrow down to, from all states on."""
        sets = [self.top]
        for k, i in enumerate(state):
            sets.append(self.chosen(k, sets[-1], i))
        return sets

    def emulated(self, state: CascadeState) -> int:
        """The automaton's state that a state of the whole cascade stands for."""
        (q,) = self.chain(state)[-1]
        return q

    def moves(self, letter: Hashable, state: CascadeState) -> list[Move]:
        """The action of a letter on each level, given the states of the levels before it, before the letter."""
        X = Y = self.top
        found = []
        for k, i in enumerate(state):
            move = self.act(k, letter, X, Y)
            X, Y = self.chosen(k, X, i), self.chosen(k, Y, move(i))
            found.append(move)
        return found

    def step(self, state: CascadeState, letter: Hashable) -> CascadeState:
        """One letter read by all levels."""
        return tuple(move(i) for move, i in zip(self.moves(letter, state), state, strict=True))

    @property
    def start(self) -> CascadeState:
        """The chain of the first tiles that hold the automaton's start."""
        X, state = self.top, []
        for k in range(len(self.sizes)):
            tiles = enumerate(self.tiles(X), start=self.first(X))
            i = next(i for i, T in tiles if self.automaton.start in T) if self.level(X) == k else 0
            state.append(i)
            X = self.chosen(k, X, i)
        return tuple(state)

    def reads(self) -> Iterator[tuple[int, Hashable, States, States]]:
        """(k, letter, X, Y), the set before and the set after it, for everything that level k may read; lazily, level by level."""
        pairs = {(a, self.top, self.top): None for a in self.automaton.letters}
        yield from ((0, *pair) for pair in pairs if self.sizes)
        for k in range(len(self.sizes) - 1):
            below: dict[tuple[Hashable, States, States], None] = {}
            for a, X, Y in pairs:
                for narrowed in self._narrowed(k, a, X, Y):
                    pair = (a, *narrowed)
                    if pair not in below:
                        below[pair] = None
                        yield (k + 1, *pair)
            pairs = below

    def _narrowed(self, k: int, letter: Hashable, X: States, Y: States) -> Iterable[tuple[States, States]]:
        """What level k leaves of the set before and the set after a letter, for each of its positions; a set that it passes over stays."""
        if self.level(X) != k:
            return ((X, self.chosen(k, Y, self.act(k, letter, X, Y)(0)) if self.level(Y) == k else Y),)
        if self.level(Y) != k:
            return ((T, Y) for T in self.tiles(X))
        move, after, first = self.act(k, letter, X, Y), self.tiles(Y), self.first(Y)
        positions = ((T, move(i) - first) for i, T in enumerate(self.tiles(X), start=self.first(X)))
        return ((T, after[j]) for T, j in positions if 0 <= j < len(after))

    def reads_at_most(self, bound: int) -> bool:
        """Whether the levels read no more than that; what was counted before is not counted again."""
        counted = self._counted
        counted.found += sum(1 for _ in islice(counted.rest, bound + 1 - counted.found)) if counted.found <= bound else 0
        return counted.found <= bound

    @cached_property
    def _counted(self) -> _Counted:
        return _Counted(self.reads())

    def level_permutations(self) -> list[set[tuple[int, ...]]]:
        """For each level the permutations that occur on it, the identity among them."""
        moves: list[set[tuple[int, ...]]] = [{tuple(range(size))} for size in self.sizes]
        for k, a, X, Y in self.reads():
            permutation = self.act(k, a, X, Y).permutation
            if permutation is not None:
                moves[k].add(permutation)
        return moves

    def level_groups(self) -> list[PermutationGroup]:
        """For each level the group that all its permutations generate, on its positions."""
        return [permutation_group(sorted(found)) for found in self.level_permutations()]

    def reachable(self) -> dict[CascadeState, int]:
        """The cascade states that words reach, each with the automaton's state that it emulates, in order of discovery."""
        found = {self.start: self.emulated(self.start)}
        waiting = [self.start]
        for state in waiting:
            for letter in self.automaton.letters:
                after = self.step(state, letter)
                if after not in found:
                    found[after] = self.emulated(after)
                    waiting.append(after)
        return found


def krohn_rhodes(dfa: Automaton | DFA, parallel: Parallel = "shared", all_tiles: bool = False) -> Cascade:
    """The cascade by holonomy decomposition: one level for each height of the skeleton, with at most n states each.

    On the tiles of one class a level's permutations are the holonomy group, which divides the monoid of the automaton. ``parallel``
    says what becomes of classes of equal height. ``"shared"``: they use the same positions, and the group that all permutations of
    the level generate may divide no group in the monoid. ``"disjoint"``: positions of their own, as in SgpDec (Egri-Nagy, Mitchell and
    Nehaniv); the level's group is the direct product of the holonomy groups, and the width is the sum of theirs. ``"levels"``: levels
    of their own. ``all_tiles`` takes sets with more tiles than there are states as they are: fewer levels, but wider ones.

    Raises ``ArithmeticError`` if words produce more than 20 000 sets of states.
    """
    automaton = dfa if isinstance(dfa, Automaton) else from_dfa(dfa)
    return by_holonomy(skeleton(automaton, all_tiles), parallel)


def by_holonomy(found: Skeleton, parallel: Parallel = "shared") -> Cascade:
    """:func:`krohn_rhodes` from the skeleton on."""
    split = sorted((members for members in found.classes if len(members[0]) > 1), key=lambda members: -found.height[members[0]])
    ranks = [c if parallel == "levels" else -found.height[members[0]] for c, members in enumerate(split)]
    used = sorted(set(ranks))
    level, first, sizes = {}, {}, [0] * len(used)
    for members, rank in zip(split, ranks, strict=True):
        k, tiles = used.index(rank), len(found.tiles[members[0]])
        start = sizes[k] if parallel == "disjoint" else 0
        level.update(dict.fromkeys(members, k))
        first.update(dict.fromkeys(members, start))
        sizes[k] = max(sizes[k], start + tiles)
    tiles_of, top = found.tiles.__getitem__, len(used)
    return Cascade(found.automaton, tuple(sizes), tiles_of, lambda X: level.get(X, top), found, lambda X: first.get(X, 0))


def excluded_states(dfa: Automaton | DFA) -> Cascade:
    """The cascade of n - 1 levels with n, n-1, ..., 2 states: each level remembers one more state that the automaton is *not* in.

    Fewer levels than :func:`krohn_rhodes` where chains of images are long, but up to 2^n sets and the largest possible groups.
    """
    automaton = dfa if isinstance(dfa, Automaton) else from_dfa(dfa)
    n = automaton.n
    return Cascade(automaton, tuple(range(n, 1, -1)), cache(lambda X: tuple(X - {q} for q in sorted(X))), lambda X: n - len(X))
