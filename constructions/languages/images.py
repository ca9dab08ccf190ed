"""The sets of states that words produce from all states, and the groups by which words permute them.

A word that permutes states lies in a subgroup of the transition monoid, which acts faithfully on the image of its unit; and the words that carry
such a set X to itself permute it by a group that subgroups of the monoid map onto. So all groups in the monoid are trivial, or 2-groups, or
solvable, exactly if the groups of these sets are. The sets are often far fewer than the elements of the monoid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from sympy.combinatorics import Permutation, PermutationGroup

from .machine import Array, Machine
from .undecided import Undecided

#: more sets than that are not listed
MOST_SETS = 50_000


@dataclass(frozen=True, eq=False)
class Images:
    """``sets[i]`` marks the states of set i, shape (sets, states); ``after[i, a]`` is the set after letter a. Set 0 is all states."""

    machine: Machine
    sets: Array
    before: Array
    letter: Array
    after: Array
    complete: bool

    def word(self, i: int) -> tuple[int, ...]:
        """A word that takes all states to set i, as numbers of letters."""
        letters: list[int] = []
        while i:
            letters.append(int(self.letter[i]))
            i = int(self.before[i])
        return tuple(reversed(letters))


@dataclass(frozen=True, eq=False)
class Permuting:
    """Words that permute the states ``points`` among themselves: generators of all such permutations, each with its word.

    ``points`` are where the word ``image`` takes all states. A permutation is a tuple of places: the state points[i] goes to points[permutation[i]].
    """

    image: tuple[int, ...]
    points: tuple[int, ...]
    generators: dict[tuple[int, ...], tuple[int, ...]]

    @cached_property
    def group(self) -> PermutationGroup:
        """The group, from as few of the generators as are not yet in what those before generate."""
        found = PermutationGroup([Permutation(len(self.points) - 1)])
        for permutation in self.generators:
            new = Permutation(list(permutation))
            if not found.contains(new):
                found = PermutationGroup([*found.generators, new])
        return found


def images_of(machine: Machine, most: int = MOST_SETS) -> Images:
    """The orbit of the set of all states; not complete if there are more than ``most`` sets."""
    n, k = machine.n, machine.k
    moves = np.zeros((k, n, n), dtype=np.float32)
    for a in range(k):
        moves[a, np.arange(n), machine.delta[a]] = 1
    start = np.ones((1, n), dtype=bool)
    number = {np.packbits(start, axis=1).tobytes(): 0}
    width, sets, after, frontier, complete = (n + 7) // 8, [start], [], start, True
    before, letter, done = [-1], [-1], 0
    while len(frontier) and complete:
        moved = np.stack([frontier.astype(np.float32) @ moves[a] > 0 for a in range(k)], axis=1).reshape(-1, n)
        data = np.packbits(moved, axis=1).tobytes()
        fresh = []
        for i in range(len(moved)):
            found = number.setdefault(data[i * width : (i + 1) * width], len(number))
            after.append(found)
            if found == len(before):
                before.append(done + i // k)
                letter.append(i % k)
                fresh.append(i)
        done += len(frontier)
        frontier = moved[fresh]
        sets.append(frontier)
        complete = len(number) <= most
    table = np.array(after).reshape(-1, k)
    return Images(machine, np.concatenate(sets), np.array(before), np.array(letter), table, complete)


class Groups:
    """The group of one set in each strongly connected part that permutes anything, in order of discovery; what was found once is kept."""

    def __init__(self, images: Images):
        self.images = images
        self._found: list[Permuting] = []
        self._rest = _groups(images)

    def __iter__(self) -> Iterator[Permuting]:
        yield from self._found
        while (new := next(self._rest, None)) is not None:
            self._found.append(new)
            yield new

    def exhausted(self) -> None:
        """To be called when no group was the one looked for. Raises :class:`Undecided` if not all sets were listed."""
        if not self.images.complete:
            raise Undecided(f"words have more than {MOST_SETS:,} different images")


def _groups(images: Images) -> Iterator[Permuting]:
    count = len(images.after)
    heads = images.after.ravel()
    tails = np.repeat(np.arange(count), images.machine.k)
    listed = heads < count
    edges = coo_array((np.ones(listed.sum(), dtype=np.int8), (tails[listed], heads[listed])), shape=(count, count))
    _, part = connected_components(edges, connection="strong")
    inside = listed & (part[tails] == part[np.where(listed, heads, 0)])
    moving = np.unique(tails[inside][images.sets[tails[inside]].sum(axis=1) > 1])
    order = np.argsort(part, kind="stable")
    begins = np.searchsorted(part[order], np.arange(part.max() + 2))
    for label in dict.fromkeys(part[moving].tolist()):
        found = _loops(images, order[begins[label] : begins[label + 1]].tolist(), part, label)
        if found.generators:
            yield found


def _loops(images: Images, members: Sequence[int], part: Array, label: int) -> Permuting:
    """Generators of the permutations of the part's first set: there, one letter, and back, and there and back."""
    delta, home = images.machine.delta, members[0]
    points = np.flatnonzero(images.sets[home])
    inside = {(i, a): int(j) for i in members for a, j in enumerate(images.after[i].tolist()) if j < len(images.after) and part[j] == label}
    into: dict[int, list[tuple[int, int]]] = {}
    for (i, a), j in inside.items():
        into.setdefault(j, []).append((i, a))
    there: dict[int, tuple[Array, tuple[int, ...]]] = {home: (points, ())}
    for i in (queue := [home]):
        for a in range(images.machine.k):
            j = inside.get((i, a))
            if j is not None and j not in there:
                there[j] = (delta[a, there[i][0]], (*there[i][1], a))
                queue.append(j)
    back: dict[int, tuple[Array, tuple[int, ...]]] = {home: (np.arange(images.machine.n), ())}
    for j in (queue := [home]):
        for i, a in into.get(j, ()):
            if i not in back:
                back[i] = (back[j][0][delta[a]], (a, *back[j][1]))
                queue.append(i)
    place = {q: i for i, q in enumerate(points.tolist())}
    still = tuple(range(len(points)))
    loops: dict[tuple[int, ...], tuple[int, ...]] = {}

    def add(at: Array, word: tuple[int, ...]) -> None:
        permutation = tuple(place[q] for q in at.tolist())
        if permutation != still and len(word) < len(loops.get(permutation, (0,) * (len(word) + 1))):
            loops[permutation] = word

    for (i, a), j in inside.items():
        add(back[j][0][delta[a, there[i][0]]], (*there[i][1], a, *back[j][1]))
    for i, (at, word) in there.items():
        add(back[i][0][at], word + back[i][1])
    return Permuting(images.word(home), tuple(points.tolist()), dict(sorted(loops.items(), key=lambda item: len(item[1]))))
