"""Automata, groups and cascades, row by row: up to 13 states, points and letters, against definitions and counts from tables; and what is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, islice, pairwise, permutations, product
from math import factorial, gcd, lcm
from random import Random
from typing import Any

import numpy as np
from flint import fmpq
from sympy.combinatorics import Permutation, PermutationGroup

from ....constructions.automata import covers, families, group_names, groups, layers, metacyclic, permuting, small_groups, sources, tasks
from ....constructions.automata.automaton import Automaton
from ....constructions.automata.cascade import excluded_states, krohn_rhodes
from ....constructions.automata.metacyclic import Metacyclic
from ....constructions.householder import pairs
from ....numerics import exact
from ....numerics.characters import Characters, fewest_by_own
from ...claim import tie
from ...evidence import Proof
from . import POSITIVE, hold, hold_refusals, plain

Images = tuple[int, ...]


def after(g: Sequence[int], h: Sequence[int]) -> Images:
    """h first, then g."""
    return tuple(g[x] for x in h)


def inversions(g: Sequence[int]) -> int:
    return sum(a > b for a, b in combinations(g, 2))


def generated(letters: Sequence[Images]) -> set[Images]:
    """All products of permutations."""
    found = {tuple(range(len(letters[0])))}
    waiting = list(found)
    for g in waiting:
        for x in letters:
            if (new := after(x, g)) not in found:
                found.add(new)
                waiting.append(new)
    return found


# -- cascades -------------------------------------------------------------------------------------------------------------


def machines(rng: Random) -> list[Automaton]:
    """Up to 13 states: drawn ones where they are few, and turns, resets and merging maps where they are many."""
    small = [families.random_automaton(rng, n, k) for n, k in ((1, 1), (2, 2), (3, 2), (4, 2), (5, 2), (6, 1))]
    large = []
    for n in (7, 9, 12, 13):
        turn, reset = tuple((i + 1) % n for i in range(n)), (rng.randrange(n),) * n
        large.append(Automaton({"turn": turn, "reset": reset}, rng.randrange(n)))
        large.append(Automaton({"down": tuple(max(i - 1, 0) for i in range(n)), "up": tuple(min(i + 2, n - 1) for i in range(n))}, n - 1))
    return [*small, *large]


@tie("new.automata.holonomy")
def cascades_along_words(proof: Proof) -> None:
    """Each way to build a cascade: what it emulates is where the automaton is, and its sets shrink to that state."""
    rng = Random(301)
    for automaton in proof.tied("1 to 13 states; shared, disjoint and separate levels, all tiles, excluded states", machines(rng)):
        letters = list(automaton.letters)
        built = [
            krohn_rhodes(automaton, "shared"),
            krohn_rhodes(automaton, "disjoint"),
            krohn_rhodes(automaton, "levels"),
            krohn_rhodes(automaton, all_tiles=True),
        ]
        for cascade in [*built, excluded_states(automaton)]:
            state, q = cascade.start, automaton.start
            proof.exactly("the start", cascade.emulated(state), q)
            for x in [rng.choice(letters) for _ in range(16)]:
                moves = cascade.moves(x, state)
                wanted = tuple(
                    move.permutation[i] if move.permutation is not None else move.reset for move, i in zip(moves, state, strict=True)
                )
                state, q = cascade.step(state, x), automaton.table[x][q]
                sets = cascade.chain(state)
                nested = all(Y <= X for X, Y in pairwise(sets)) and sets[0] == set(range(automaton.n))
                proof.exactly("a step: the moves of all levels", (state, len(moves)), (wanted, len(cascade.sizes)))
                proof.exactly(
                    "a step: the state emulated, and sets from all states to it",
                    (cascade.emulated(state), nested, sets[-1]),
                    (q, True, {q}),
                )
                proof.exactly("positions stand for tiles", all(0 <= i < size for i, size in zip(state, cascade.sizes, strict=True)), True)


# -- families and tasks ---------------------------------------------------------------------------------------------------


@tie("grazzi25.sec1.regular")
def families_by_definition(proof: Proof) -> None:
    """All automata in order, drawn ones, all maps of n points; up to 13 states and letters."""
    alphabet = "abcdefghijklm"
    for n, k in proof.tied(
        "up to 5 states, the first thirty automata; up to 13 letters", [(1, 1), (1, 13), (2, 1), (2, 2), (3, 1), (4, 1), (5, 1)]
    ):
        found = [a.table for a in islice(families.all_automata(n, k), 30)]
        maps = list(islice(product(range(n), repeat=n), 30)) if n**n > 30 else list(product(range(n), repeat=n))
        tables = [
            dict(zip(alphabet[:k], (*[maps[0]] * (k - len(last)), *last), strict=True))
            for last in islice(product(maps, repeat=min(k, 2)), 30)
        ]
        proof.exactly("all_automata", plain(found[: len(tables)]), plain(tables[: len(found)]))
        counted = sum(1 for _ in families.all_automata(n, k)) if n ** (n * k) <= 300 else n ** (n * k)
        proof.exactly("all_automata: how many", counted, n ** (n * k))
    for n, k in proof.tied("drawn ones with up to 13 states and letters", [(1, 1), (2, 3), (5, 2), (9, 13), (12, 7), (13, 1)]):
        drawn, again = families.random_automaton(Random(9), n, k), Random(9)
        table = {x: tuple(again.randrange(n) for _ in range(n)) for x in alphabet[:k]}
        proof.exactly("random_automaton", plain((drawn.table, drawn.start)), plain((table, again.randrange(n))))
    for n, k in proof.tied("full transformations of up to 13 points", [(2, 3), (3, 3), (3, 4), (4, 5), (7, 7), (12, 12), (13, 13)]):
        table = families.full_transformations(n, k).table
        swaps = [tuple(j + 1 if j == i else j - 1 if j == i + 1 else j for j in range(n)) for i in range(max(1, k - 2))]
        wanted = [tuple((j + 1) % n for j in range(n)), swaps[0], tuple(max(j, 1) if j != 0 else 1 for j in range(n))]
        collapse = tuple(0 if j < 2 else j for j in range(n))
        proof.exactly("full_transformations", [tuple(f) for f in table.values()], [wanted[0], wanted[1], collapse, *swaps[1:]])
    calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [(families._alphabet, (k,)) for k in (-1, 0, 27)]
    calls += [
        (f, (n, k))
        for f in (families.all_automata, lambda n, k: families.random_automaton(Random(0), n, k))
        for n, k in ((2, 0), (2, -2), (-3, -2))
    ]
    calls += [(families.full_transformations, (-2,)), (tasks.tomita, (-2,)), (tasks.tomita, (0,)), (tasks.tomita, (8,))]
    calls += [(layers.vertex, (-2, 0)), (permuting.dihedral_matrices, (-2,)), (permuting._between, (-2,))]
    calls += [
        (sources.from_regex, (text,)) for text in ("\\", "\\a", "ε", "a\\", "(", ")", "a{2", "a{3,1}", "[b-a]", "[", "*a", "a|*", "a&", "")
    ]
    calls += [(sources._sorted_letters, (x,)) for x in ([1, "a"], [1.0, 1], [1j, -1j], [(1,), 1])]
    hold_refusals(proof, "sizes and letters out of range, expressions that are none", calls)
    kinds: list[list[Any]] = [
        [3, -1, 2, 12],
        [0.5, -2.0, 13.0],
        [fmpq(1, 2), fmpq(-3)],
        ["b", "a", "abcdefghijklm"],
        [(1, 2), (0, 9)],
        list(range(13, -1, -1)),
    ]
    hold(
        proof,
        "letters of one type",
        lambda i: sources._sorted_letters(kinds[i]),
        lambda i: sorted(kinds[i]),
        ((i,) for i in range(len(kinds))),
        "_sorted_letters",
    )


# -- permutation groups ---------------------------------------------------------------------------------------------------


#: name -> the order of the group, from tables
ORDERS = {
    "S2": 2, "S3": 6, "S5": 120, "S9": factorial(9), "S13": factorial(13), "A3": 3, "A5": 60, "A12": factorial(12) // 2, "Z1": 1, "Z7": 7, "C13": 13, "D3": 6,
    "D4": 8, "D9": 18, "D13": 26, "Q8": 8, "M11": 7920, "PSL(2,7)": 168, "16.7": 16, "12.5": 12, "31.1": 31, "S3xC4": 24, "C2xC2xC2": 8, "A4xS3xD5": 720,
}  # fmt: skip

#: groups of each order up to 20, as counted by Hoelder and others (OEIS A000001)
COUNTS = (1, 1, 1, 2, 1, 2, 1, 5, 2, 2, 1, 5, 1, 2, 1, 14, 1, 5, 1, 5)

#: name -> the name of its structure
NAMES = {
    "Z1": "trivial", "Z6": "Z6", "Z12": "Z12", "C3xC4": "Z12", "C2xC4": "Z2 x Z4", "C2xC2xC3": "Z2 x Z6", "S3": "S3", "D3": "S3", "S4": "S4", "A4": "A4", "A5": "A5",
    "S6": "S6", "A7": "A7", "D4": "D4", "D6": "D6", "D12": "D12", "D13": "D13", "Q8": "Q8", "S3xC4": "Z4 x S3", "PSL(2,7)": "order 168 (not solvable)",
}  # fmt: skip


@tie("grazzi25.thm3")
def groups_by_name(proof: Proof) -> None:
    """Orders of named groups, names of their structure, how many groups there are of each order."""
    for name, order in proof.tied("groups on up to 13 points, and products", ORDERS.items()):
        letters = sources.named_group(name)
        found = PermutationGroup([Permutation(list(g)) for g in letters.values()])
        proof.exactly(
            "named_group: permutations of the order",
            (int(found.order()), all(sorted(g) == list(range(len(g))) for g in letters.values())),
            (order, True),
        )
    for name, wanted in proof.tied("names of structures", NAMES.items()):
        found = PermutationGroup([Permutation(list(g)) for g in sources.named_group(name).values()])
        proof.exactly("structure", group_names.structure(found), wanted)
    for order, count in proof.tied("orders up to 20", enumerate(COUNTS, start=1)):
        proof.exactly("small_groups: how many", len(small_groups.small_groups(order)), count)
        for k in range(1, count + 1):
            letters = small_groups.small_group(order, k)
            proof.exactly("small_group: its order", len(generated([tuple(g) for g in letters.values()])), order)
    for n in proof.tied("permutations of up to 8 points", range(9)):
        for even in (False, True):
            by_hand: Counter[int] = Counter()
            for g in permutations(range(n)) if n < 7 else ():
                if not even or inversions(g) % 2 == 0:
                    by_hand[next(k for k in range(1, 61) if all(power(g, k)[i] == i for i in range(n)))] += 1
            found = group_names.element_orders(n, even)
            proof.exactly(
                "element_orders", found if n < 7 else sum(found.values()), by_hand if n < 7 else factorial(n) // (2 if even else 1)
            )
    for powers, wanted in proof.tied(
        "prime powers", [([], []), ([2], [2]), ([2, 3], [6]), ([2, 4, 3], [2, 12]), ([2, 2, 2, 9, 3, 5], [2, 6, 90]), ([13, 7], [91])]
    ):
        proof.exactly("invariant_factors", group_names.invariant_factors(powers), wanted)
    calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (small_groups.small_group, pair) for pair in ((-2, 1), (0, 1), (32, 1), (8, 0), (8, 6), (8, -1))
    ]
    calls += [(sources.named_group, (name,)) for name in ("", "S1", "A2", "D2", "Z0", "S1000", "X5", "S3x", "-S3", "16.15", 5)]
    calls += [(group_names.element_orders, (-2,)), (group_names._symmetric, (2, -2)), (small_groups.small_groups, (-2,))]
    calls += [(sources.from_permutations, (x,)) for x in ([], [(0, -1)], [(0, 1), (0, 1, 2)], [(1, 1)], {"a": (2, 0)})]
    hold_refusals(proof, "no group", calls)


def power(g: Sequence[int], k: int) -> Images:
    found = tuple(range(len(g)))
    for _ in range(k):
        found = after(g, found)
    return found


@tie("grazzi25.thm3")
def representations_along_words(proof: Proof) -> None:
    """Layers by permutation matrices, blocks and turns follow the product of the letters; cyclic letters are powers of one cycle."""
    rng = Random(302)
    for n in proof.tied("up to 13 points", POSITIVE):
        cycle = tuple((i + 1) % n for i in range(n))
        letters = {k: power(cycle, k) for k in sorted({0, 1, n // 2, n - 1})}
        automaton = sources.from_permutations(letters)
        exponents = groups.cyclic_exponents(automaton)
        proof.exactly("cyclic_exponents", set(exponents) if exponents else None, set(letters))
        maps = {x: tuple(automaton.table[x]) for x in letters}
        c = next(
            (
                g
                for g in generated(list(maps.values()))
                if exponents and all(power(g, exponents[x] % automaton.n) == g2 for x, g2 in maps.items())
            ),
            None,
        )
        proof.exactly("cyclic_exponents: powers of one element", c is not None, True)
        word = [rng.choice(list(letters)) for _ in range(20)]
        for found in (groups.rotations(automaton), groups.permutation_matrices(maps), groups.block_matrices(maps)):
            matrices, start = found or ({}, np.zeros(0))
            layer = groups.representation_layer(automaton, matrices, start)
            proof.exactly("the state after each letter", layer.run(word), list(automaton.run(word)))
        two = {x: (*g, *(n + i for i in g), 2 * n) for x, g in letters.items()}
        two["swap"] = (*range(2 * n + 1),)
        matrices, start = groups.block_matrices(two)
        images = {x: exact.freeze(A @ start) for x, A in matrices.items()}
        proof.exactly("block_matrices: different letters move the start apart", len(set(images.values())), len(set(two.values())))
        proof.exactly(
            "block_matrices: of the order of the letter",
            [
                bool((np.linalg.matrix_power(A, lcm(*map(len, cycles(two[x])))) == exact.identity(len(A))).all())
                for x, A in matrices.items()
            ],
            [True] * len(two),
        )
        matrices, start = groups.permutation_matrices(two)
        proof.exactly(
            "permutation_matrices",
            [exact.freeze(A @ start) for A in matrices.values()],
            [tuple(fmpq(g.index(i) + 1) for i in range(2 * n + 1)) for g in two.values()],
        )
    for table in proof.tied(
        "letters that are no powers of one cycle",
        [{"a": (0, 0)}, {"a": (1, 0, 2), "b": (0, 2, 1)}, {"a": (1, 0, 3, 2), "b": (2, 3, 0, 1)}, {"a": (1, 0, 2, 3)}],
    ):
        proof.exactly("cyclic_exponents", (groups.cyclic_exponents(Automaton(table)), groups.rotations(Automaton(table))), (None, None))
    for matrices, order in proof.tied(
        "groups of matrices", [({"t": exact.rationals([[0, -1], [1, 0]])}, 4), (groups.icosahedral_rotations(), 60)]
    ):
        proof.exactly("matrix_group", groups.matrix_group(matrices).n, order)
    hold_refusals(proof, "no orthogonal matrix", [(groups.matrix_group, ({"a": exact.identity(2) * x},)) for x in (2, fmpq(-1, 2))])


def cycles(g: Sequence[int]) -> list[Images]:
    found: list[Images] = []
    for i in range(len(g)):
        orbit = [i]
        while g[orbit[-1]] != i:
            orbit.append(g[orbit[-1]])
        if min(orbit) == i:
            found.append(tuple(orbit))
    return found


# -- covers ---------------------------------------------------------------------------------------------------------------


@tie("new.automata.fewest-reflections")
def covers_by_definition(proof: Proof) -> None:
    """Cerny's automata reset in (n - 1)^2 letters and no fewer; signed permutations by inversions; turns; quaternions by complex matrices."""
    for n in proof.tied("Cerny's automata, up to 7 states; permutations and constants, up to 13", [1, 2, 3, 4, 5, 6, 7]):
        moves = {"turn": tuple((i + 1) % n for i in range(n)), "merge": (1 % n, *range(1, n))}
        proof.exactly("smallest_image: as short as can be", len(covers.smallest_image(moves)), (n - 1) ** 2)
    hold(
        proof,
        "permutations of up to 13 points",
        lambda n: covers.smallest_image({0: tuple((i + 1) % n for i in range(n))}),
        lambda n: [],
        ((n,) for n in POSITIVE),
        "smallest_image",
    )
    hold(
        proof,
        "constants on up to 13 points",
        lambda n: covers.smallest_image({5: (n - 1,) * n}),
        lambda n: [5] if n > 1 else [],
        ((n,) for n in POSITIVE),
        "smallest_image",
    )
    rng = Random(303)
    drawn = [tuple(rng.sample(range(n), n)) for n in POSITIVE for _ in range(3)]
    for g in proof.tied("permutations of up to 13 points", drawn):
        n, sign = len(g), -1 if inversions(g) % 2 else 1
        M = covers.signed_permutation_matrix(g)
        entries = [[(int(g[j] == i) - fmpq(1, n)) * sign + fmpq(1, n) for j in range(n)] for i in range(n)]
        proof.exactly("is_odd, signed_permutation_matrix", (covers.is_odd(g), groups._is_odd(g), M.tolist()), (sign < 0, sign < 0, entries))
    for m in proof.tied("orders of rational turns", (2, 3, 4, 6)):
        A = covers.turn(m)
        powers = [np.linalg.matrix_power(A, k) for k in range(m + 1)]
        one = exact.identity(len(A))
        proof.exactly("turn: its order", [bool((one == P).all()) for P in powers], [True, *[False] * (m - 1), True])
        proof.exactly(
            "turn: orthogonal, of the fewest reflections", (exact.is_orthogonal(A), exact.rank(one - A)), (True, 1 if m == 2 else 2)
        )
    bad: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [(covers.turn, (m,)) for m in (-2, 0, 1, 5, 7, 12)]
    bad += [(covers.signed_permutation_matrix, (g,)) for g in ((0, -1), (), (1, 1))]
    bad += [(covers.abelian_by_cover, (orders,)) for orders in ((5,), (7, 2), (12,), (2, -1), (-2,))]
    hold_refusals(proof, "orders without a rational turn, no permutations", bad)
    for signs, g in proof.tied("the 48 symmetries of the cube", product(product((1, -1), repeat=3), permutations(range(3)))):
        A = exact.rationals([[signs[i] * int(g[j] == i) for j in range(3)] for i in range(3)])
        ends = [tuple(int(x) for x in A @ np.array(d)) for d in covers.DIAGONALS]
        wanted = tuple(next(j for j, d in enumerate(covers.DIAGONALS) if e == d or e == tuple(-c for c in d)) for e in ends)
        proof.exactly("of_diagonals", covers.of_diagonals(A), wanted)
    i, j = np.array([[1j, 0], [0, -1j]]), np.array([[0, 1], [-1, 0]])
    units = [np.linalg.matrix_power(i, p) @ np.linalg.matrix_power(j, q) for q in range(2) for p in range(4)]
    names = [f"{q} {p}" for q in range(2) for p in range(4)]
    by_left = {
        name: tuple(next(k for k, w in enumerate(units) if (u @ v == w).all()) for v in units) for name, u in zip(names, units, strict=True)
    }
    hold(
        proof,
        "the eight quaternions",
        lambda: covers.quaternion_group(dict.fromkeys(names, np.eye(2))),
        lambda: by_left,
        [()],
        "quaternion_group",
    )
    for orders in proof.tied("products of cyclic groups", [(2,), (3,), (4,), (6,), (2, 2), (2, 3), (3, 3), (2, 4), (2, 2, 2), (2, 6)]):
        tracked = covers.abelian_by_cover(orders)
        layer = covers.cover_layer(tracked)
        elements = {tuple(e): covers._as_cycles(e, orders) for e in product(*map(range, orders))}
        by_hand = {e: tuple(sum(orders[:f]) + (p + e[f]) % m for f, m in enumerate(orders) for p in range(m)) for e in elements}
        proof.exactly("elements as cycles", elements, by_hand)
        proof.exactly("a letter for each element but 1", sorted(tracked.maps), sorted(g for e, g in by_hand.items() if any(e)))
        multiples_of_others = {power(x, k) for x in tracked.maps for k in range(2, 6) if power(x, 2) != tuple(range(len(x)))}
        ranks = {x: exact.rank(A - exact.identity(len(A))) for x, (A, _) in tracked.maps.items()}
        alone = {x: 1 if after(x, x) == tuple(range(len(x))) and x not in multiples_of_others else 2 for x in tracked.maps}
        proof.exactly("two reflections to a letter, one where it and 1 are a largest cyclic subgroup", ranks, alone)
        word = [rng.choice(list(tracked.maps)) for _ in range(20)]
        proof_of = list(range(sum(orders)))
        wanted = []
        for x in word:
            proof_of = after(x, proof_of)
            wanted.append(proof_of)
        proof.exactly("the product of the letters", layer.run(word), wanted)
        for e in elements:
            multiples = [tuple(k * a % m for a, m in zip(e, orders, strict=True)) for k in range(1, lcm(*orders) + 1)]
            proof.exactly("_multiples", covers._multiples(e, orders), multiples[: next(k for k, f in enumerate(multiples) if not any(f))])


#: m, s, u, t of metacyclic groups of order up to 21
METACYCLIC = (
    (3, 2, 2, 0), (4, 2, 3, 2), (5, 4, 2, 0), (7, 3, 2, 0), (6, 2, 5, 3), (13, 1, 1, 0), (1, 5, 0, 0), (9, 2, 8, 0), (4, 3, 1, 2), (2, 7, 1, 1),
)  # fmt: skip


@tie("new.automata.fewest-reflections")
def metacyclic_products(proof: Proof) -> None:
    """Products by the relations, letter by letter, up to order 21."""
    for m, s, u, t in proof.tied("groups of order up to 21", METACYCLIC):
        group = Metacyclic(m, s, u, t)

        def by_letters(g: tuple[int, int], h: tuple[int, int], m: int = m, s: int = s, u: int = u, t: int = t) -> tuple[int, int]:
            """a^i b^j a^k b^l: each b that passes an a raises it to the power u, and s of them make a^t."""
            i, j = g
            k, b = h
            for _ in range(j):
                k = k * u % m
            total, a = j + b, i + k
            while total >= s:
                total, a = total - s, a + t
            return a % m, total

        elements = [(i, j) for j in range(s) for i in range(m)]
        proof.exactly("the elements", group.elements, elements)
        proof.exactly(
            "times", [group.times(g, h) for g in elements for h in elements], [by_letters(g, h) for g in elements for h in elements]
        )
        proof.exactly(
            "permutation",
            [group.permutation(g) for g in elements],
            [tuple(elements.index(by_letters(g, h)) for h in elements) for g in elements],
        )
        order, b = 1, (0, 1 % s) if s > 1 else (t % m, 0)
        g = b
        while g != (0, 0):
            g, order = by_letters(g, b), order + 1
        proof.exactly("the order of b", group.period, order)
    bad = [(5, 2, 2, 0), (4, 2, 3, 1), (7, 3, 3, 0), (9, 2, 1, -1) if gcd(9, 2) > 1 else (8, 2, 3, 1)]
    hold_refusals(proof, "relations at odds", [(Metacyclic, quadruple) for quadruple in bad])
    hold_refusals(proof, "no corners", [(pairs.turn_at, ((0.5,),))])


@tie("new.automata.fewest-reflections.metacyclic")
def metacyclic_layers(proof: Proof) -> None:
    """The layer follows the products; each letter takes as many reflections as is said."""
    rng = Random(304)
    for m, s, u, t in proof.tied("groups of order up to 21", METACYCLIC):
        group, elements = Metacyclic(m, s, u, t), [(i, j) for j in range(s) for i in range(m)]
        tracked = metacyclic.metacyclic_by_polygons(group)
        factors = {group.permutation(g): group.factors(g) for g in elements if g != (0, 0)}
        zero = next(iter(tracked.maps.values()))[0] * 0 if tracked.maps else np.zeros((0, 0))
        if tracked.maps and m * s < 14:
            word = [rng.choice(list(tracked.maps)) for _ in range(12)]
            product_of, wanted = tuple(range(m * s)), []
            for x in word:
                product_of = after(x, product_of)
                wanted.append(product_of)
            proof.exactly("the product of the letters", covers.cover_layer(tracked).run(word), wanted)
        ranks = {
            x: round(float(np.linalg.matrix_rank(np.vectorize(float, otypes=[float])(A) - np.eye(len(zero)), tol=1e-8)))
            for x, (A, _) in tracked.maps.items()
        }
        proof.exactly("as many reflections as is said", ranks, factors)
        proof.exactly("at most the bound of polygons", all(0 < f <= 2 * (len(zero) // 2) for f in factors.values()), True)


@tie("new.automata.fewest-reflections.abelian")
def characters_of_groups(proof: Proof) -> None:
    """Classes by conjugation, orthogonal rows, squares that sum to the order, indicators that count involutions, ranks of permutations; real parts of known groups."""
    given = ["Z1", "Z2", "Z5", "Z12", "S3", "S4", "S5", "A4", "A5", "D4", "D5", "D9", "D12", "Q8", "PSL(2,7)", "C2xC2xC3", "16.7"]
    for name in proof.tied("groups of order up to 168", given):
        letters = [tuple(g) for g in sources.named_group(name).values()]
        group, elements = Characters(letters), generated(letters)
        order = len(elements)
        inverse = {g: tuple(g.index(i) for i in range(len(g))) for g in elements}
        classes = (
            {frozenset(after(x, after(g, inverse[x])) for x in elements) for g in elements}
            if order < 61
            else {frozenset(c) for c in group.classes}
        )
        proof.exactly(
            "the classes", ({frozenset(c) for c in group.classes}, sorted(x for c in group.classes for x in c)), (classes, sorted(elements))
        )
        proof.exactly("the number of each element", all(g in group.classes[group.number[g]] for g in elements), True)
        proof.exactly(
            "powers",
            [[group.number[power(c[0], k)] for k in range(1, len(p) + 1)] for c, p in zip(group.classes, group.powers, strict=True)],
            group.powers,
        )
        proof.exactly("powers: up to the identity", [(p[-1], 0 in p[:-1]) for p in group.powers], [(0, False)] * len(classes))
        p, sizes, rows = group.prime, [len(c) for c in group.classes], group.table
        exponent = lcm(*map(len, group.powers))
        proof.exactly("prime", (p % exponent, p > order, p > 10**6, pow(2, p - 1, p)), (1 % exponent, True, True, 1))
        proof.exactly("inverse", group.inverse, [group.number[inverse[c[0]]] for c in group.classes])
        dots = [
            [sum(s * row[i] * other[j] for s, i, j in zip(sizes, range(len(sizes)), group.inverse, strict=True)) % p for other in rows]
            for row in rows
        ]
        proof.exactly("table: orthogonal rows", dots, [[order % p if i == j else 0 for j in range(len(rows))] for i in range(len(rows))])
        proof.exactly("table: the squares of the dimensions", (sum(row[0] ** 2 for row in rows), len(rows)), (order, len(classes)))
        indicators = [group.indicator(row) for row in rows]
        involutions = sum(after(g, g) == power(g, 0) for g in elements)
        proof.exactly(
            "indicator: they count the square roots of 1",
            (sum(e * row[0] for e, row in zip(indicators, rows, strict=True)), set(indicators) <= {1, 0, -1}),
            (involutions, True),
        )
        real = group.real
        wanted = sum(row[0] * (1 if e == 1 else 2) / (1 if e else 2) for e, row in zip(indicators, rows, strict=True))
        proof.exactly("real: dimensions", sum(r.dimension for r in real), int(wanted))
        proof.exactly(
            "real: no element moves more dimensions than there are",
            all(r.ranks[0] == 0 and max(r.ranks) <= r.dimension for r in real),
            True,
        )
        points = tuple(len(letters[0]) - len(cycles(c[0])) for c in group.classes)
        combined = {points}
        proof.exactly(
            "real: the points are among the sums", name not in ("S3", "S4", "S5", "A5") or any(r.ranks in combined for r in real), True
        )
    for name, least in proof.tied(
        "the fewest of own representations",
        [
            ("Z1", 0),
            ("Z2", 1),
            ("Z5", 2),
            ("S3", 2),
            ("S4", 2),
            ("S5", 4),
            ("A4", 2),
            ("A5", 2),
            ("Q8", 4),
            ("D4", 2),
            ("D9", 2),
            ("C2xC2xC2", 3),
        ],
    ):
        group = Characters([tuple(g) for g in sources.named_group(name).values()])
        found, parts = fewest_by_own(group.real)
        total = [sum(r.ranks[i] for r in parts) for i in range(len(group.classes))]
        proof.exactly("fewest_by_own", (found, max(total), all(total[1:])), (least, least, True))


@tie("grazzi25.thm3")
def groups_that_permute(proof: Proof) -> None:
    """All elements, their order, and those that fix the start: symmetric and cyclic groups of up to 13 points, with other starts than 0."""
    for n in proof.tied("up to 13 points", POSITIVE):
        cycle = tuple((i + 1) % n for i in range(n))
        swap = (1, 0, *range(2, n)) if n > 1 else (0,)
        for letters, start in (({"turn": cycle}, n - 1), ({"turn": cycle, "swap": swap}, n // 2)):
            if len(letters) == 2 and n > 5:
                continue
            found = permuting.permuting(Automaton(letters, start))
            everything = generated(list(letters.values()))
            proof.exactly("elements", found is not None and sorted(found.elements or []), sorted(everything))
            proof.exactly(
                "order, fixing_start",
                found is not None and (found.order, sorted(found.fixing_start)),
                (len(everything), sorted(g for g in everything if g[start] == start)),
            )
            proof.exactly("listed", found is not None and [found.listed(k) for k in (len(everything) - 1, len(everything))], [False, True])
        proof.exactly("a letter that merges states", permuting.permuting(Automaton({"a": (0,) * n})) is None, n > 1)
