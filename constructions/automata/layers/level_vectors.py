"""The states of a level as vectors of small integers, which signed permutation matrices move as the level's permutations move the states.

The permutations of a level split its states into orbits. On an orbit they act on the blocks of every block system; a block system whose own
blocks come in pairs needs one coordinate for each pair, with a sign. A few systems that tell all states apart make the vector: modulo 60
they have 4, 3 and 5 blocks, so 2 + 3 + 5 coordinates. Orbits on which the permutations act alike share coordinates by integer multiples.
A state that nothing moves is the vector 0; more of them are numbered by a coordinate of their own, which nothing moves either.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import count

from ....numerics import exact
from ....numerics.aliases import Key
from ....numerics.exact import Array
from ..automaton import Automaton
from .groups import cyclic_exponents

Images = tuple[int, ...]
#: for each point of an orbit the number of its block
Blocks = tuple[int, ...]

#: block systems of orbits with more points are looked for only where the permutations are cyclic; and no more systems than that
LARGEST_ORBIT, MOST_SYSTEMS = 48, 300
#: multiples that share a coordinate, so that differences of entries have at most 8 bits; and what a coordinate that nothing moves counts to
MOST_COPIES, DIGITS = 128, 256


@dataclass(frozen=True)
class LevelVectors:
    """``entries[i]`` is the vector of state i: {coordinate: entry other than 0}; there are ``width`` coordinates."""

    entries: tuple[dict[int, int], ...]
    width: int

    @cached_property
    def state(self) -> dict[tuple[int, ...], int]:
        """The state of each vector."""
        return {self.vector(i): i for i in range(len(self.entries))}

    def vector(self, i: int) -> tuple[int, ...]:
        """The vector of state i."""
        return tuple(self.entries[i].get(c, 0) for c in range(self.width))

    def column(self, i: int) -> Array:
        """The vector of state i, shape (width, 1)."""
        return exact.rationals([[x] for x in self.vector(i)])

    def read(self, H: Array) -> int | None:
        """The state that a vector of shape (width, 1) stands for; None if there is none."""
        return self.state.get(tuple(H[:, 0].tolist()))

    def matrix(self, permutation: Sequence[int]) -> Array:
        """M, shape (width, width), with M vector(i) = vector(permutation[i]): a signed permutation matrix."""
        M = exact.zeros(self.width, self.width)
        for i, entries in enumerate(self.entries):
            # blocks of i in their order: each block of coordinates holds one entry of a state, and of its image
            for (c, x), (d, y) in zip(sorted(entries.items()), sorted(self.entries[permutation[i]].items()), strict=True):
                M[d, c] = exact.rational(y // x)
        for c in range(self.width):
            if not any(c in entries for entries in self.entries):
                M[c, c] = exact.rational(1)
        return M


def level_vectors(size: int, permutations: Iterable[Images]) -> LevelVectors:
    """The narrowest vectors that are found for a level of that size and its permutations.

    Equivalent to one-hot vectors where the permutations act as a large group; never wider than ``size``.
    """
    moves = [p for p in dict.fromkeys(permutations) if p != tuple(range(size))]
    entries: list[dict[int, int]] = [{} for _ in range(size)]
    width, fixed = 0, []
    #: (orbit, its coordinates, how many orbits share them)
    shared: list[tuple[list[int], list[dict[int, int]], int]] = []
    for orbit in _orbits(size, moves):
        if len(orbit) == 1:
            fixed += orbit
            continue
        for k, (other, coordinates, copies) in enumerate(shared):
            if copies < MOST_COPIES and (alike := _alike(other, orbit, moves)) is not None:
                shared[k] = other, coordinates, copies + 1
                for i, j in alike.items():
                    entries[j] = {c: x * (copies + 1) for c, x in coordinates[other.index(i)].items()}
                break
        else:
            found, used = _orbit_vectors(orbit, moves)
            coordinates = [{c + width: x for c, x in one.items()} for one in found]
            width += used
            shared.append((orbit, coordinates, 1))
            for i, one in zip(orbit, coordinates, strict=True):
                entries[i] = one
    if len(fixed) > (1 if shared else 0):
        for number, i in enumerate(fixed):
            entries[i] = {width + c: digit for c, digit in enumerate(_digits(number)) if digit}
        width += len(_digits(len(fixed) - 1))
    return LevelVectors(tuple(entries), max(width, 1))


def signed_matrices(generators: Mapping[Key, Sequence[int]]) -> tuple[Mapping[Key, Array], Array]:
    """(matrices, start) of a faithful representation of a permutation group by signed permutation matrices; start is moved by all but the identity.

    Points that no letter moves get no coordinate. If every element but the identity moves every point, the start is the first point's
    vector; else (1, ..., width), which no other signed permutation fixes.
    """
    moved = [i for i in range(len(next(iter(generators.values())))) if any(g[i] != i for g in generators.values())] or [0]
    number = {i: k for k, i in enumerate(moved)}
    acting = {x: tuple(number[g[i]] for i in moved) for x, g in generators.items()}
    vectors = level_vectors(len(moved), acting.values())
    matrices = {x: vectors.matrix(g) for x, g in acting.items()}
    regular = cyclic_exponents(Automaton(acting)) is not None
    return matrices, vectors.column(0) if regular else exact.rationals([[i + 1] for i in range(vectors.width)])


def _digits(number: int) -> list[int]:
    """To the base DIGITS, the last digit first; at least one."""
    return [number % DIGITS, *(_digits(number // DIGITS) if number >= DIGITS else ())]


def _orbits(size: int, moves: Sequence[Images]) -> list[list[int]]:
    seen: set[int] = set()
    orbits = []
    for i in range(size):
        if i not in seen:
            orbit = [i]
            seen.add(i)
            for j in orbit:
                for p in moves:
                    if p[j] not in seen:
                        seen.add(p[j])
                        orbit.append(p[j])
            orbits.append(sorted(orbit))
    return orbits


def _alike(orbit: Sequence[int], other: Sequence[int], moves: Sequence[Images]) -> dict[int, int] | None:
    """A one-to-one map of two orbits that every permutation keeps; None if there is none."""
    for j in other if len(orbit) == len(other) else ():
        image, waiting = {orbit[0]: j}, [orbit[0]]
        for i in waiting:
            for p in moves:
                if p[i] not in image:
                    image[p[i]] = p[image[i]]
                    waiting.append(p[i])
        if len(set(image.values())) == len(orbit) and all(image[p[i]] == p[image[i]] for i in orbit for p in moves):
            return image
    return None


# -- one orbit -------------------------------------------------------------------------------------------------------------------


def _orbit_vectors(orbit: Sequence[int], moves: Sequence[Images]) -> tuple[list[dict[int, int]], int]:
    """(vectors of the orbit's points, number of coordinates): the cheapest block systems that tell all points apart."""
    number = {i: k for k, i in enumerate(orbit)}
    acting = list(dict.fromkeys(tuple(number[p[i]] for i in orbit) for p in moves))
    systems = block_systems(len(orbit), acting)
    return _coordinates(_cheapest(systems, {blocks: blocks for blocks in systems}), systems)


def signed_representation(points: int, moves: Sequence[Images], elements: Sequence[Images]) -> LevelVectors:
    """Vectors whose matrices are different for different elements of a group, though points may share one: for regular actions.

    The cheapest block systems on which no element but the identity keeps all blocks. The start (1, ..., width) is moved by all others then.
    """
    systems = block_systems(points, moves)
    tells = {blocks: _kernel_orbits(blocks, elements) for blocks in systems}
    entries, width = _coordinates(_cheapest(systems, tells), systems)
    return LevelVectors(tuple(entries), width)


def _kernel_orbits(blocks: Blocks, elements: Sequence[Images]) -> Blocks:
    """The points, two alike if some element that keeps every block takes one to the other."""
    kernel = [g for g in elements if all(blocks[i] == b for i, b in zip(g, blocks, strict=True))]
    return _numbered([min(g[q] for g in kernel) for q in range(len(blocks))])


def _coordinates(taken: Sequence[Blocks], systems: Sequence[Blocks]) -> tuple[list[dict[int, int]], int]:
    """(vectors of the points, number of coordinates) by the blocks of the systems taken, of pairs of blocks where there are."""
    entries: list[dict[int, int]] = [{} for _ in systems[0]]
    width = 0
    for blocks in taken:
        signed = _signed(blocks, systems)
        for point, (coordinate, sign) in enumerate(signed):
            entries[point][width + coordinate] = sign
        width += 1 + max(c for c, _ in signed)
    return entries, width


def block_systems(points: int, moves: Sequence[Images]) -> list[Blocks]:
    """Block systems of a transitive action, the single points among them and the whole left out; all of them unless they are many."""
    exponents = cyclic_exponents(Automaton(dict(enumerate(moves))))
    if exponents is not None:
        return _cyclic_systems(points, moves, exponents)
    discrete = tuple(range(points))
    if points > LARGEST_ORBIT:
        return [discrete]
    # every system is made from the single points by merging the first one with others, one after the other
    merging = {_merged(discrete, q, moves): q for q in range(1, points)}
    found = dict.fromkeys([discrete, *merging])
    waiting = list(found)
    for blocks in waiting:
        for q in merging.values():
            joined = _merged(blocks, q, moves)
            if joined not in found and len(found) < MOST_SYSTEMS:
                found[joined] = None
                waiting.append(joined)
    return [blocks for blocks in found if max(blocks) > 0]


def _cyclic_systems(points: int, moves: Sequence[Images], exponents: dict) -> list[Blocks]:
    """Those of a cyclic group: the exponents of the points modulo each divisor of their number."""
    exponent, waiting = {0: 0}, [0]
    for q in waiting:
        for k, p in enumerate(moves):
            if p[q] not in exponent:
                exponent[p[q]] = (exponent[q] + exponents[k]) % points
                waiting.append(p[q])
    return [_numbered([exponent[q] % d for q in range(points)]) for d in range(points, 1, -1) if points % d == 0]


def _merged(blocks: Blocks, q: int, moves: Sequence[Images]) -> Blocks:
    """The finest block system above ``blocks`` in which the points 0 and q share a block."""
    first: dict[int, int] = {}
    parent = [first.setdefault(b, i) for i, b in enumerate(blocks)]

    def root(x: int) -> int:
        while parent[x] != x:
            x = parent[x]
        return x

    waiting = [(0, q)]
    for a, b in waiting:
        a, b = root(a), root(b)
        if a != b:
            parent[max(a, b)] = min(a, b)
            waiting += [(p[a], p[b]) for p in moves]
    return _numbered([root(x) for x in range(len(blocks))])


def _numbered(labels: Sequence[int]) -> Blocks:
    """Blocks by the order of their first points."""
    number = {label: k for k, label in enumerate(dict.fromkeys(labels))}
    return tuple(number[label] for label in labels)


def _signed(blocks: Blocks, systems: Sequence[Blocks]) -> list[tuple[int, int]]:
    """(coordinate, sign) of each point: of two blocks that a coarser system pairs the second has the sign -1; without one all have 1."""
    for pairs in [*systems, (0,) * len(blocks)]:
        members = [sorted({b for b, c in zip(blocks, pairs, strict=True) if c == pair}) for pair in range(max(pairs) + 1)]
        if all(len(found) == 2 for found in members) and sum(map(len, members)) == max(blocks) + 1:
            return [(pair, 1 if b == members[pair][0] else -1) for b, pair in zip(blocks, pairs, strict=True)]
    return [(b, 1) for b in blocks]


def _cheapest(systems: Sequence[Blocks], tells: Mapping[Blocks, Blocks]) -> list[Blocks]:
    """The systems with the fewest coordinates in all, of these with the fewest blocks, that tell the points apart: Dijkstra's algorithm.

    ``tells`` is what each system tells apart.
    """
    points = len(systems[0])
    cost = {blocks: (1 + max(c for c, _ in _signed(blocks, systems)), max(blocks)) for blocks in systems}
    order = count()
    heap: list[tuple[int, int, int, Blocks, list[Blocks]]] = [(0, 0, next(order), (0,) * points, [])]
    done: set[Blocks] = set()
    while True:
        coordinates, spent, _, apart, taken = heappop(heap)
        if max(apart) == points - 1:
            return taken
        if apart in done:
            continue
        done.add(apart)
        for blocks in systems:
            finer = _numbered([a * points + b for a, b in zip(apart, tells[blocks], strict=True)])
            if finer != apart and finer not in done:
                heappush(heap, (coordinates + cost[blocks][0], spent + cost[blocks][1], next(order), finer, [*taken, blocks]))
