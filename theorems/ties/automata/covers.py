"""Covers of groups: layers from matrices, and the group that a layer carries, against permutations and quaternions."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from ....constructions.automata.layers import covers
from ....constructions.automata.layers.covers import Images, Tracked
from ....constructions.householder import permutation_matrix
from ....numerics import exact
from ...claim import tie
from ...evidence import Proof
from ..shared import refuses, spread
from .common import words


def fractions(M: Any) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(Fraction(int(x.p), int(x.q)) for x in row) for row in exact.rationals(M))


def by_hand(A: Any, H: Any, B: Any) -> tuple[tuple[Fraction, ...], ...]:
    """A H + B for columns of fractions."""
    return tuple((sum((a * h for a, (h,) in zip(row, H, strict=True)), Fraction(0)) + b,) for row, (b,) in zip(A, B, strict=True))


def permuting(n: int, letters: list[Images], shift: int = 0) -> Tracked:
    """Permutation matrices on (1, 2, 4, ...), which the group moves freely; with inputs, the same about another centre."""
    start = exact.rationals([[2**i + shift] for i in range(n)])
    centre = exact.rationals([[shift * (i + 1)] for i in range(n)])
    maps = {g: (P, centre - P @ centre) for g in letters for P in [permutation_matrix(g)]}
    return Tracked(maps, start + centre, {g: g for g in letters})


def tracked_layers() -> list[Tracked]:
    """Symmetric and cyclic groups on up to 7 points, with and without inputs, two letters with one map, and one that forgets."""
    swap = lambda n: (1, 0, *range(2, n))  # noqa: E731
    cycle = lambda n: (*range(1, n), 0)  # noqa: E731
    found = [permuting(n, [cycle(n)], shift) for n in (1, 2, 5, 7) for shift in (0, -3)]
    found += [permuting(n, [swap(n), cycle(n)], shift) for n in (3, 4) for shift in (0, 1)]
    # -1 in front of a swap: a larger group than the one that is tracked
    found.append(Tracked({"x": (-permutation_matrix((1, 0)), exact.zeros(2, 1))}, exact.rationals([[1], [2]]), {"x": (1, 0)}))
    return found


@tie("new.automata.fewest-reflections")
def tracked_groups(proof: Proof) -> None:
    """States, moves and products of tracked layers, one entry after the other."""
    rng = Random(88)
    for tracked in proof.tied("groups on 1 to 7 points, up to 24 elements, with and without inputs", tracked_layers()):
        maps = {x: (fractions(A), fractions(B)) for x, (A, B) in tracked.maps.items()}
        states, moves = tracked.states()
        wanted = spread([fractions(tracked.start)], lambda H: [by_hand(A, H, B) for A, B in maps.values()])  # noqa: B023
        number = {H: i for i, H in enumerate(wanted)}
        proof.exactly("states, breadth first", [fractions(H) for H in states], wanted)
        proof.exactly("moves", moves, {x: [number[by_hand(A, H, B)] for H in wanted] for x, (A, B) in maps.items()})
        n = len(next(iter(tracked.elements.values())))
        one = tuple(range(n))
        proof.exactly("the identity", tracked.identity, one)
        step = lambda at: [(moves[x][at[0]], tuple(w[i] for i in at[1])) for x, w in tracked.elements.items()]  # noqa: B023, E731
        both = spread([(0, one)], step)
        proof.exactly("products that lead to a state", tracked.products(moves), {q: {g for p, g in both if p == q} for q, _ in both})
        layer = covers.cover_layer(tracked)
        for word in words(rng, tracked.maps, (1, 2, 12)):
            g, products = one, []
            for x in word:
                g = tuple(tracked.elements[x][i] for i in g)
                products.append(g)
            proof.exactly("the layer gives the product", layer.run(word), products)
    for tracked in proof.tied(
        "two products in one state", [Tracked({"x": (exact.identity(1), exact.zeros(1, 1))}, exact.zeros(1, 1), {"x": (1, 0)})]
    ):
        proof.exactly("no product where the state does not say", covers.cover_layer(tracked).run("xx"), [None, None])


def forgetting(n: int) -> dict[str, list[int]]:
    """A cycle of n states, and a letter that merges two pairs or more."""
    return {"turn": [(q + 1) % n for q in range(n)], "merge": [q - q % 2 if q < n - n % 2 or n == 1 else 0 for q in range(n)]}


@tie("new.automata.fewest-reflections")
def smallest_images(proof: Proof) -> None:
    """The word takes all states to as few as any word does, and no shorter one does."""
    cases = [{"turn": [0]}, {"turn": [1, 0]}, *(forgetting(n) for n in (2, 3, 5, 8)), {"a": [0, 0, 1, 2], "b": [1, 2, 3, 0]}]
    for moves in proof.tied("1 to 8 states", cases):
        n = len(next(iter(moves.values())))
        sets = spread([frozenset(range(n))], lambda X: [frozenset(row[q] for q in X) for row in moves.values()])  # noqa: B023
        least = min(map(len, sets))
        word = covers.smallest_image(moves)
        image, steps = frozenset(range(n)), []
        for x in word:
            steps.append(len(image))
            image = frozenset(moves[x][q] for q in image)
        proof.exactly("as few as can be", len(image), least)
        proof.holds("and not before its end", all(k > least for k in steps))


@tie("new.automata.fewest-reflections")
def carried_groups(proof: Proof) -> None:
    """The group on the image of an idempotent: as permutations, and as linear maps of differences; the same with a memory of two letters."""
    for tracked, memory in proof.tied(
        "groups on 2 to 5 points, with and without a memory", product(tracked_layers()[2:6] + tracked_layers()[8:10], (False, True))
    ):
        larger = covers.with_memory(tracked) if memory else tracked
        found = covers.carried(larger)
        states, moves = larger.states()
        e = found.idempotent
        proof.exactly("idempotent", [e[q] for q in e], e)
        proof.exactly("its image", found.points, sorted(set(e)))
        least = covers.smallest_image(moves)
        image = set(range(len(states)))
        for x in least:
            image = {moves[x][q] for q in image}
        proof.exactly("as few states as a word can leave", len(found.points), len(image))
        base = states[found.points[0]]
        proof.exactly("differences", found.differences.T.tolist(), [(states[q] - base)[:, 0].tolist() for q in found.points])
        for x, lift in found.lifts.items():
            proof.exactly("lifts of letters", [found.points[i] for i in lift], [e[moves[x][q]] for q in found.points])
            moved = [(states[found.points[i]] - states[found.points[lift[0]]])[:, 0].tolist() for i in lift]
            # the linear map takes differences of points to those of their images
            proof.exactly("and linear maps of differences", (found.linear[x] @ found.differences).T.tolist(), moved)
            values = found.differences
            change = exact.rank(found.linear[x] @ values - values) if values.shape[1] else 0
            proof.exactly("the rank of what moves", found.rank(found.linear[x]), change)
        if memory:
            n = len(tracked.start)
            proof.exactly("two coordinates more", larger.start.shape, (n + 2, 1))
            last_two = {}
            for word in product(tracked.maps, repeat=4):
                H = larger.start
                for x in word:
                    A, B = larger.maps[x]
                    H = A @ H + B
                last_two.setdefault(exact.freeze(H), set()).add(word[-2:])
            proof.exactly("a state knows the last two letters", {len(s) for s in last_two.values()}, {1})
            proof.exactly("in another basis", any((A[:n, n:] != 0).any() or (A[n:, :n] != 0).any() for A, _ in larger.maps.values()), True)
            proof.exactly("about another centre", any((B != 0).any() for _, B in larger.maps.values()), True)


Quaternion = tuple[int, int, int, int]


def hamilton(a: Quaternion, b: Quaternion) -> Quaternion:
    """a b by i^2 = j^2 = k^2 = i j k = -1."""
    (p, q, r, s), (t, u, v, w) = a, b
    return (p * t - q * u - r * v - s * w, p * u + q * t + r * w - s * v, p * v - q * w + r * t + s * u, p * w + q * v - r * u + s * t)


@tie("new.automata.fewest-reflections")
def quaternions_and_cubes(proof: Proof) -> None:
    """The eight quaternion units, and the cube's 48 symmetries on its four diagonals."""
    rng = Random(89)
    i, j, one = (0, 1, 0, 0), (0, 0, 1, 0), (1, 0, 0, 0)
    units = []
    for q in range(2):
        for p in range(4):
            g = one
            for factor in [i] * p + [j] * q:
                g = hamilton(g, factor)
            units.append(g)
    names = dict.fromkeys([f"g{k}" for k in range(8)], exact.identity(1))
    table = {f"g{k}": tuple(units.index(hamilton(g, h)) for h in units) for k, g in enumerate(units)}
    for found in proof.tied("all 64 products", [covers.quaternion_group(names)]):
        proof.exactly("the quaternion group", found, table)
    tracked = covers.quaternions_by_cover()
    for word in proof.tied("words of up to 20 letters", words(rng, tracked.maps, (1, 2, 20))):
        g, wanted = tuple(range(8)), []
        for x in word:
            g = tuple(x[k] for k in g)
            wanted.append(g)
        proof.exactly("quaternions by a cover", covers.cover_layer(tracked).run(word), wanted)
    for letters in proof.tied("its letters", [sorted(tracked.maps)]):
        proof.exactly("all eight", letters, sorted(table.values()))
        ranks = sorted(exact.rank(A - exact.identity(4)) for A, _ in tracked.maps.values())
        proof.exactly("three reflections at most", ranks, [0, 2, 2, 2, 3, 3, 3, 3])
    diagonals = [(1, 1, 1), (1, 1, -1), (1, -1, 1), (-1, 1, 1)]
    for g, signs in proof.tied("48 signed permutations", product(permutations(range(3)), product((1, -1), repeat=3))):
        A = exact.rationals([[signs[r] * (g[r] == c) for c in range(3)] for r in range(3)])
        images = []
        for d in diagonals:
            moved = tuple(signs[r] * d[g[r]] for r in range(3))
            images.append(next(k for k, e in enumerate(diagonals) if moved in (e, tuple(-x for x in e))))
        proof.exactly("what it does to the diagonals", covers.of_diagonals(A), tuple(images))
    cube = covers.cube_by_mirrors()
    for word in proof.tied("words of up to 20 mirrors", words(rng, cube.maps, (1, 2, 20))):
        g, wanted = (0, 1, 2, 3), []
        for x in word:
            g = tuple(x[k] for k in g)
            wanted.append(g)
        proof.exactly("permutations of diagonals", covers.cover_layer(cube).run(word), wanted)
    mirrors = [[[0, 1, 0], [1, 0, 0], [0, 0, 1]], [[1, 0, 0], [0, 0, 1], [0, 1, 0]], [[1, 0, 0], [0, 1, 0], [0, 0, -1]]]
    for x, wanted in proof.tied("the mirrors of the cube", zip(cube.maps, mirrors, strict=True)):
        moved = [tuple(sum(a * y for a, y in zip(row, d, strict=True)) for row in wanted) for d in diagonals]
        images = [next(k for k, e in enumerate(diagonals) if d in (e, tuple(-y for y in e))) for d in moved]
        proof.exactly("cube_by_mirrors", (cube.maps[x][0].tolist(), cube.elements[x]), (wanted, tuple(images)))
    for A, _ in proof.tied("three mirrors", cube.maps.values()):
        proof.exactly("one reflection each", exact.rank(A - exact.identity(3)), 1)
    for states, letters in proof.tied("the whole group", [(len(cube.states()[0]), set(cube.maps))]):
        proof.exactly("48 states for 24 elements", (states, len(set().union(*cube.products(cube.states()[1]).values()))), (48, 24))
        kinds = sorted(sum(q != x for q, x in enumerate(g)) for g in letters)
        proof.exactly("swaps of two diagonals, and one of two pairs", kinds, [2, 2, 4])


@tie("new.automata.fewest-reflections.symmetric")
def signed_permutations(proof: Proof) -> None:
    """Signs by inversions; sgn(g) P off the mean, entry by entry."""
    rng = Random(90)
    cases = [g for n in (1, 2, 3, 4) for g in permutations(range(n))] + [
        tuple(rng.sample(range(n), n)) for n in (5, 6, 7, 9, 12) for _ in range(4)
    ]
    for g in proof.tied("permutations of 1 to 12 points", cases):
        n, odd = len(g), sum(a > b for a, b in combinations(g, 2)) % 2 == 1
        proof.exactly("odd", (covers.is_odd(g), covers.is_odd(list(g))), (odd, odd))
        sign = -1 if odd else 1
        wanted = [[sign * (Fraction(int(g[c] == r)) - Fraction(1, n)) + Fraction(1, n) for c in range(n)] for r in range(n)]
        proof.exactly("the matrix", fractions(covers.signed_permutation_matrix(g)), tuple(map(tuple, wanted)))


@tie("new.automata.fewest-reflections.abelian")
def abelian_covers(proof: Proof) -> None:
    """Turns of order 2, 3, 4, 6; words in products of cyclic groups, each factor counted by itself."""
    rng = Random(91)
    for m in proof.tied("orders -1 to 13", range(-1, 14)):
        if m not in (2, 3, 4, 6):
            proof.holds("no rational turn of that order", refuses(covers.turn, m))
            continue
        A = covers.turn(m)
        one = exact.identity(len(A))
        powers = [one]
        for _ in range(m):
            powers.append(A @ powers[-1])
        proof.exactly("the order", [k for k in range(1, m + 1) if (powers[k] == one).all()], [m])
        proof.exactly("orthogonal", (A @ A.T).tolist(), one.tolist())
        proof.exactly("two reflections, or one", exact.rank(A - one), 1 if m == 2 else 2)
    groups = ((2,), (3,), (4,), (6,), (2, 2), (3, 3), (2, 4), (2, 2, 2))
    for orders in proof.tied("groups of 2 to 9 elements, words of up to 12 letters", groups):
        tracked = covers.abelian_by_cover(orders)
        firsts = [sum(orders[:k]) for k in range(len(orders))]
        elements = [e for e in product(*map(range, orders)) if any(e)]
        as_cycles = lambda e: tuple(f + (i + a) % m for f, a, m in zip(firsts, e, orders, strict=True) for i in range(m))  # noqa: B023, E731
        proof.exactly("all elements but 1 are letters", sorted(tracked.maps), sorted(map(as_cycles, elements)))
        proof.exactly("which stand for themselves", dict(tracked.elements), {g: g for g in tracked.maps})
        for e in elements:
            A, B = tracked.maps[as_cycles(e)]
            # in a cyclic group of order 4 or 6 its element of order 2 is a half turn of a plane
            larger = any(tuple(k * a % m for a, m in zip(f, orders, strict=True)) == e for f in elements for k in (2, 3) if f != e)
            alone = all(2 * a % m == 0 for a, m in zip(e, orders, strict=True)) and not larger
            proof.exactly("two reflections, or one", exact.rank(A - exact.identity(len(A))), 1 if alone else 2)
            proof.exactly("no inputs", (B != 0).any(), False)
        layer = covers.cover_layer(tracked)
        for word in words(rng, elements, (1, 2, 12)):
            sums = [tuple(int(s % m) for s, m in zip(row, orders, strict=True)) for row in np.cumsum(word, axis=0)]
            proof.exactly("sums in each factor", layer.run(map(as_cycles, word)), list(map(as_cycles, sums)))


@tie("new.automata.fewest-reflections.abelian")
def layers_by_matrices(proof: Proof) -> None:
    """Linear layers: the matrices, no inputs, the elements as they were given."""
    for n in proof.tied("1 to 13 rows, 1 and 2 columns", range(1, 14)):
        for columns in (1, 2):
            start = exact.rationals([[fmpq(i - 3, c + 1) for c in range(columns)] for i in range(n)])
            A = exact.rationals([[-1 if (i + j) % n == 1 % n else 0 for j in range(n)] for i in range(n)])
            found = covers.by_matrices({-1: A, "b": -A}, start, {-1: (0,), "b": (0,)})
            proof.exactly("matrices", [M.tolist() for M, _ in found.maps.values()], [A.tolist(), (-A).tolist()])
            proof.exactly("no inputs", [B.tolist() for _, B in found.maps.values()], [(start * 0).tolist()] * 2)
            proof.exactly("start and elements", (found.start.tolist(), dict(found.elements)), (start.tolist(), {-1: (0,), "b": (0,)}))
