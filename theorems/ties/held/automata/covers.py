"""Covers and metacyclic groups, row by row: against inversions, symmetries of the cube, matrices of quaternions, and relations letter by letter."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product
from math import gcd, lcm
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from .....constructions.automata.layers import covers, groups, metacyclic
from .....constructions.automata.layers.metacyclic import Metacyclic
from .....constructions.householder import pairs
from .....numerics import exact
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, hold, hold_refusals
from .common import after, inversions, power


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
        width = len(zero) // 2
        proof.exactly("the start, (p + 2, 1) for polygon p", [*tracked.start[:, 0]], [x for p in range(width) for x in (p + 2, 1)])
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
