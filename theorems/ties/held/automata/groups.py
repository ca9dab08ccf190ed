"""Groups, row by row: orders and names from tables, representations along words, characters, groups that permute; up to 13 points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import permutations
from math import factorial, lcm
from random import Random
from typing import Any

import numpy as np
from flint import fmpq
from sympy.combinatorics import Permutation, PermutationGroup

from .....constructions.automata.algebra import group_names, permuting
from .....constructions.automata.automaton import Automaton
from .....constructions.automata.layers import groups
from .....constructions.automata.read import small_groups, sources
from .....numerics import exact
from .....numerics.characters import Characters, fewest_by_own
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, hold_refusals
from .common import after, cycles, generated, inversions, power

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
