"""Vectors of a level's states, row by row: orbits, block systems, signs and the narrowest choice, against all partitions and all choices of systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from math import gcd
from random import Random
from typing import Any

import numpy as np

from .....constructions.automata.layers import level_vectors as vectors
from .....constructions.automata.layers.level_vectors import LevelVectors
from .....numerics import exact
from ....claim import tie
from ....evidence import Proof
from ...shared import spread
from .. import POSITIVE, hold
from .common import Images, after, generated

Blocks = tuple[int, ...]

#: letters of transitive actions of at most six points, by what they are
SMALL: dict[str, list[Images]] = {
    "two points": [(1, 0)],
    "C3": [(1, 2, 0)],
    "C4": [(1, 2, 3, 0)],
    "V4": [(1, 0, 3, 2), (2, 3, 0, 1)],
    "D4": [(1, 2, 3, 0), (0, 3, 2, 1)],
    "A4": [(1, 2, 0, 3), (1, 0, 3, 2)],
    "S4": [(1, 2, 3, 0), (1, 0, 2, 3)],
    "C6": [(1, 2, 3, 4, 5, 0)],
    "S3 on itself": [(1, 2, 0, 4, 5, 3), (3, 5, 4, 0, 2, 1)],
    "D6": [(1, 2, 3, 4, 5, 0), (0, 5, 4, 3, 2, 1)],
    "signed permutations of three axes": [(1, 0, 2, 3, 4, 5), (2, 3, 4, 5, 0, 1), (2, 3, 0, 1, 4, 5)],
}


def turn(n: int, k: int = 1) -> Images:
    return tuple((i + k) % n for i in range(n))


def mirror(n: int) -> Images:
    return tuple(-i % n for i in range(n))


def numbered(labels: Sequence[Any]) -> Blocks:
    """Blocks in the order of their first points."""
    first = sorted(set(labels), key=labels.index)
    return tuple(first.index(x) for x in labels)


def partitions(n: int) -> Iterator[Blocks]:
    """All partitions of n points, blocks in the order of their first points."""
    for labels in product(*(range(k + 1) for k in range(n))):
        if numbered(labels) == labels:
            yield labels


def is_kept(blocks: Blocks, moves: Sequence[Images]) -> bool:
    return all(len({(blocks[i], blocks[g[i]]) for i in range(len(blocks))}) == 1 + max(blocks) for g in moves)


def is_finer(one: Blocks, other: Blocks) -> bool:
    """Whether each block of one lies in a block of the other."""
    return len(set(zip(one, other, strict=True))) == 1 + max(one)


def systems_of(n: int, moves: Sequence[Images]) -> list[Blocks]:
    """All block systems but the whole."""
    return [p for p in partitions(n) if max(p) > 0 and is_kept(p, moves)]


def signed(blocks: Blocks, systems: Sequence[Blocks]) -> list[tuple[int, int]]:
    """By the first system whose blocks hold two of ``blocks`` each: the number of that block, and 1 for the first of the two."""
    for coarse in [*systems, (0,) * len(blocks)]:
        inside = {c: sorted({b for b, other in zip(blocks, coarse, strict=True) if other == c}) for c in coarse}
        if is_finer(blocks, coarse) and all(len(two) == 2 for two in inside.values()):
            return [(c, 1 - 2 * inside[c].index(b)) for b, c in zip(blocks, coarse, strict=True)]
    return [(b, 1) for b in blocks]


def coordinates(blocks: Blocks, systems: Sequence[Blocks]) -> int:
    return len({c for c, _ in signed(blocks, systems)})


def cheapest(systems: Sequence[Blocks], tells: dict[Blocks, Blocks]) -> tuple[int, int]:
    """The fewest coordinates, then blocks less one each, of all choices of systems that together tell the points apart."""
    found = []
    for size in range(len(systems) + 1):
        for taken in combinations(systems, size):
            if len(set(zip(*(tells[s] for s in taken), strict=True))) == len(systems[0]):
                found.append((sum(coordinates(s, systems) for s in taken), sum(map(max, taken))))
    return min(found)


def all_systems() -> dict[str, tuple[int, list[Images], list[Blocks]]]:
    """name -> (points, letters, all block systems), those of circles by divisors."""
    found = {name: (len(moves[0]), moves, systems_of(len(moves[0]), moves)) for name, moves in SMALL.items()}
    for n in (7, 9, 12, 13, 30, 60):
        found[f"a circle of {n}"] = n, [turn(n)], [numbered([q % d for q in range(n)]) for d in range(n, 1, -1) if n % d == 0]
    return found


@tie("new.automata.unrounded")
def block_systems(proof: Proof) -> None:
    """Block systems are all partitions that letters keep; two points are merged in the finest of them."""
    everything = all_systems()
    for name in proof.tied("transitive actions of 2 to 6 points, circles of 7 to 60", everything):
        n, moves, systems = everything[name]
        found = vectors.block_systems(n, moves)
        proof.exactly("block_systems", sorted(found), sorted(systems))
        proof.exactly(
            "of a circle by two letters", n < 30 or sorted(vectors.block_systems(n, [turn(n, 3), turn(n, 5)])), n < 30 or sorted(systems)
        )
        for blocks in [*systems, (0,) * n] if n < 7 else []:
            for q in range(1, n):
                above = [p for p in [*systems, (0,) * n] if is_finer(blocks, p) and p[0] == p[q]]
                proof.exactly("_merged", vectors._merged(blocks, q, moves), max(above, key=max))
    for n in proof.tied("points on both sides of the largest orbit", (48, 49)):
        divisors = [d for d in range(2, n + 1) if n % d == 0] if n == 48 else [n]
        found = vectors.block_systems(n, [turn(n), mirror(n)])
        proof.exactly("block_systems: turns and mirrors", sorted(found), sorted(tuple(q % d for q in range(n)) for d in divisors))
    circles = [(tuple(range(n)), q, [turn(n)]) for n in POSITIVE for q in range(1, n)]
    hold(proof, "circles of 2 to 13", vectors._merged, lambda b, q, moves: tuple(i % gcd(q, len(b)) for i in b), circles)
    rng = Random(611)
    labels = [[rng.randrange(-3, 4) for _ in range(n)] for n in POSITIVE for _ in range(3)]
    hold(proof, "labels of 1 to 13 points", vectors._numbered, numbered, [(x,) for x in labels])


@tie("new.automata.unrounded")
def choices_of_systems(proof: Proof) -> None:
    """Signs by pairs of blocks, the cheapest choice among all, coordinates one system after the other; elements that keep blocks."""
    everything = all_systems()
    for name in proof.tied("transitive actions of 2 to 6 points, circles of 7 to 60", everything):
        n, moves, systems = everything[name]
        for k, blocks in enumerate(systems):
            proof.exactly("_signed", vectors._signed(blocks, systems), signed(blocks, systems))
            proof.exactly("_signed: by no other system", vectors._signed(blocks, systems[:k]), signed(blocks, systems[:k]))
        itself = {s: s for s in systems}
        if len(systems) < 10:
            taken = vectors._cheapest(systems, itself)
            proof.exactly("_cheapest: tells apart", len(set(zip(*taken, strict=True))), n)
            proof.exactly("_cheapest", (sum(coordinates(s, systems) for s in taken), sum(map(max, taken))), cheapest(systems, itself))
        found, width = vectors._coordinates(systems, systems)
        wanted: list[dict[int, int]] = [{} for _ in range(n)]
        first = 0
        for blocks in systems:
            for i, (c, sign) in enumerate(signed(blocks, systems)):
                wanted[i][first + c] = sign
            first += coordinates(blocks, systems)
        proof.exactly("_coordinates", (found, width), (wanted, first))
        elements = sorted(generated(moves))
        for blocks in systems[:8]:
            kernel = [g for g in elements if all(blocks[g[i]] == blocks[i] for i in range(n))]
            proof.exactly(
                "_kernel_orbits",
                vectors._kernel_orbits(blocks, elements),
                numbered([tuple(sorted({g[q] for g in kernel})) for q in range(n)]),
            )
        orbit = [3 * i + 2 for i in range(n)]
        wide = [tuple(orbit[g[orbit.index(i)]] if i in orbit else i for i in range(3 * n)) for g in moves]
        found, width = vectors._orbit_vectors(orbit, wide)
        proof.exactly("_orbit_vectors: all different", len({tuple(sorted(x.items())) for x in found}), n)
        if len(systems) < 10:
            proof.exactly("_orbit_vectors: the fewest coordinates", width, cheapest(systems, itself)[0])
    bits = {k: [tuple(i >> j & 1 for i in range(2**k)) for j in range(k)] for k in (4, 7)}
    for k in proof.tied("4 and 7 bits", bits):
        proof.exactly("_cheapest: all of them", sorted(vectors._cheapest(bits[k], {s: s for s in bits[k]})), sorted(bits[k]))


def is_alike(orbit: Sequence[int], other: Sequence[int], moves: Sequence[Images]) -> bool:
    """Whether some one-to-one map of two orbits commutes with all permutations."""
    if len(orbit) != len(other):
        return False
    maps = (dict(zip(orbit, images, strict=True)) for images in permutations(other))
    return any(all(f[g[i]] == g[f[i]] for i in orbit for g in moves) for f in maps)


def joined(*letters: Sequence[Images]) -> list[Images]:
    """Letters that act on several sets of points side by side."""
    found = []
    for together in zip(*letters, strict=True):
        images: list[int] = []
        for g in together:
            images += [len(images) + i for i in g]
        found.append(tuple(images))
    return found


@tie("new.automata.unrounded")
def orbits_that_share(proof: Proof) -> None:
    """Orbits by what letters reach; orbits on which letters act alike, by all one-to-one maps; multiples and digits."""
    rng = Random(612)
    drawn = [[tuple(rng.sample(range(n), n)) for _ in range(k)] for n in POSITIVE for k in (0, 1, 2)]
    swapped = [[(1, 0, *range(2, 13))], [(*range(11), 12, 11)], [turn(13)]]
    for moves in proof.tied("letters on 1 to 13 points", [*drawn, *swapped]):
        n = len(moves[0]) if moves else 5
        reached = {tuple(sorted(spread([i], lambda j, moves=moves: [p[j] for p in moves]))) for i in range(n)}
        proof.exactly("_orbits", vectors._orbits(n, moves), sorted(map(list, reached)))
    pairs = [
        joined([turn(n), *more], [turn(n, k), *more])
        for n in (2, 3, 4, 5)
        for k in range(1, n)
        for more in ([], [mirror(n)], [turn(n, 2)])
        if gcd(k, n) == 1
    ]
    pairs += [joined([a, b], [c, d]) for a, b, c, d in product([(1, 2, 0), (0, 2, 1), (0, 1, 2)], repeat=4)]
    for moves in proof.tied("two sets of 2 to 5 points side by side", pairs):
        orbits = vectors._orbits(len(moves[0]), moves)
        for one, other in product(orbits, repeat=2):
            found = vectors._alike(one, other, moves)
            proof.exactly("_alike: whether", found is not None, is_alike(one, other, moves))
            if found is not None:
                kept = all(found[g[i]] == g[found[i]] for i in one for g in moves)
                proof.exactly(
                    "_alike: every letter keeps it", (kept, sorted(found), sorted(found.values())), (True, list(one), list(other))
                )
    swaps = {k: [tuple(i ^ 1 for i in range(2 * k))] for k in (1, 2, 128, 129)}
    for k in proof.tied("1 to 129 pairs that a letter swaps", swaps):
        found = vectors.level_vectors(2 * k, swaps[k])
        points = [found.vector(i) for i in range(2 * k)]
        proof.exactly("as many copies as have 8 bits", found.width, 1 if k <= 128 else 2)
        proof.exactly(
            "_: distinct, and swapped by the sign", (len(set(points)), points[1::2]), (2 * k, [tuple(-x for x in p) for p in points[::2]])
        )
    numbers = [(k,) for k in (0, 1, 5, 7, 9, 12, 255, 256, 257, 65_535, 65_536, 256**3 + 7, 256**6 + 1, 256**10 + 2)]
    hold(
        proof,
        "numbers up to 256^10",
        vectors._digits,
        lambda k: [int(c) for c in k.to_bytes(max(1, (k.bit_length() + 7) // 8), "little")],
        numbers,
    )
    widths = [
        (1, [], 1), (5, [], 1), (256, [], 1), (257, [], 2), (13, [(1, 0, *range(2, 13))], 2), (2, [(1, 0)], 1),
        (4, [(1, 0, 2, 3), (0, 1, 3, 2)], 2), (4, SMALL["S4"], 4), (4, SMALL["D4"], 2), (6, [(1, 2, 0, 4, 5, 3)], 3), (6, [(1, 2, 0, 5, 3, 4)], 3),
        (12, [turn(12)], 5), (13, [turn(13)], 13), (60, [turn(60)], 10), (6, joined(SMALL["V4"], [(1, 0), (0, 1)]), 3),
    ]  # fmt: skip
    for n, moves, width in proof.tied("levels of 1 to 257 states, by hand", widths):
        proof.exactly("level_vectors: width", vectors.level_vectors(n, moves).width, width)


@tie("new.automata.unrounded")
def signed_groups(proof: Proof) -> None:
    """Groups by signed permutation matrices: as many matrices as elements, which multiply alike; vectors are read in each type of numbers."""
    groups = {**SMALL, "a circle of 12": [turn(12)], "S3 and two fixed points": [(1, 2, 0, 3, 4), (1, 0, 2, 3, 4)], "nothing": [(0, 1, 2)]}
    groups |= {"turns and mirrors of 9 corners": [turn(9), mirror(9)], "13 corners": [turn(13), mirror(13)]}
    for name in proof.tied("groups on 2 to 13 points", groups):
        letters = {-k: g for k, g in enumerate(groups[name])}
        matrices, start = vectors.signed_matrices(letters)
        whole = {x: np.array([[int(a.p) for a in row] for row in M]) for x, M in matrices.items()}
        first = tuple(range(len(groups[name][0]))), np.eye(len(start), dtype=int).tobytes()
        size = len(start)
        pairs = spread(
            [first],
            lambda at, whole=whole, letters=letters, size=size: [
                (after(letters[x], at[0]), (whole[x] @ np.frombuffer(at[1], dtype=int).reshape(size, size)).tobytes()) for x in letters
            ],
        )
        order = len(generated(groups[name]))
        proof.exactly(
            "signed_matrices: one for each element", (len(pairs), len({g for g, _ in pairs}), len({m for _, m in pairs})), (order,) * 3
        )
        at = [int(x.p) for x in start[:, 0]]
        moved = {tuple((np.frombuffer(m, dtype=int).reshape(size, size) @ at).tolist()) for _, m in pairs}
        proof.exactly("signed_matrices: only the identity keeps the start", len(moved), order)
        n, moves = len(groups[name][0]), groups[name]
        if name in ("nothing", "S3 and two fixed points"):
            continue
        elements = sorted(generated(moves))
        found = vectors.signed_representation(n, moves, elements)
        images = {tuple(int(x.p) for x in found.matrix(g).flat) for g in elements}
        proof.exactly("signed_representation: one matrix for each element", len(images), order)
        if n < 7:
            systems = systems_of(n, moves)
            kernels = {s: [g for g in elements if all(s[g[i]] == s[i] for i in range(n))] for s in systems}
            tells = {s: numbered([tuple(sorted({g[q] for g in kernels[s]})) for q in range(n)]) for s in systems}
            proof.exactly("signed_representation: the fewest coordinates", found.width, cheapest(systems, tells)[0])
    levels = {n: vectors.level_vectors(n, [turn(n)]) for n in POSITIVE}
    for n in proof.tied("circles of 1 to 13 states", levels):
        found = levels[n]
        for i in range(n):
            column = found.column(i)
            kinds = [column, exact.as_float(column), exact.as_float(column).astype(complex)]
            proof.exactly("LevelVectors.read: exact, float, complex", [found.read(H) for H in kinds], [i] * 3)
        proof.exactly("LevelVectors.read: no state", found.read(found.column(0) * 0 + 200), None)
    for n in proof.tied("one-hot vectors of 1 to 13 states beside a coordinate that no state has", POSITIVE):
        found = LevelVectors(tuple({i: 1} for i in range(n)), n + 1)
        M = found.matrix(turn(n))
        wanted = exact.identity(n + 1)
        wanted[:n, :n] = exact.rationals([[int(j == (i - 1) % n) for i in range(n)] for j in range(n)]).T
        proof.exactly("LevelVectors.matrix", M, wanted)
