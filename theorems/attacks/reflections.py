"""Attacks on the claims of one reflection per letter: lifts that the criterion says do not exist, looked for in larger Coxeter groups."""

from __future__ import annotations

from itertools import combinations, permutations
from random import Random

import numpy as np

from ...constructions.automata.algebra import reflection_lifts as lifts
from ...constructions.automata.read.small_groups import automorphisms, small_groups
from .attack import Outcome, attack

#: a prime that divides no order of the groups below and modulo which 2 and 5 are squares: reduction keeps finite groups faithful
P = 31
COSINES = {3: 1, 4: 8, 5: 19}  # 2 cos(pi / m) modulo 31: 1, sqrt 2, the golden ratio

#: rank, and m where the product of two simple reflections has order m > 2: the types of rank 4 to 6 with many reflections
LARGER = {
    "F_4": (4, {(0, 1): 3, (1, 2): 4, (2, 3): 3}),
    "H_4": (4, {(0, 1): 3, (1, 2): 3, (2, 3): 5}),
    "B_5": (5, {(0, 1): 3, (1, 2): 3, (2, 3): 3, (3, 4): 4}),
    "E_6": (6, {(0, 1): 3, (1, 2): 3, (2, 3): 3, (3, 4): 3, (2, 5): 3}),
    "B_3 x H_3": (6, {(0, 1): 3, (1, 2): 4, (3, 4): 3, (4, 5): 5}),
}


def reflections(rank: int, edges: dict[tuple[int, int], int]) -> list[np.ndarray]:
    """All reflections of a Coxeter group, as matrices modulo 31 in the geometric representation."""
    simple = []
    for i in range(rank):
        A = np.eye(rank, dtype=int)
        A[i, i] = -1
        for j in range(rank):
            m = edges.get((min(i, j), max(i, j)))
            if m:
                A[i, j] = COSINES[m]
        simple.append(A % P)
    found = {A.tobytes(): A for A in simple}
    waiting = list(found.values())
    for A in waiting:
        for S in simple:
            B = S @ A @ S % P
            if B.tobytes() not in found:
                found[B.tobytes()] = B
                waiting.append(B)
    return waiting


def maps_onto(matrices: list[np.ndarray], table: lifts.Table, letters: tuple[int, ...]) -> bool:
    """Whether the matrices, of a finite group, go to the letters under a homomorphism: no product of matrices has two products of letters."""
    one = np.eye(len(matrices[0]), dtype=int)
    value = {one.tobytes(): 0}
    waiting = [one]
    for A in waiting:
        for M, x in zip(matrices, letters, strict=True):
            B, g = M @ A % P, int(table[x, value[A.tobytes()]])
            known = value.setdefault(B.tobytes(), g)
            if known != g:
                return False
            if len(value) > len(waiting):
                waiting.append(B)
    return True


def sets_said_not_to_lift(most: int = 24) -> list[tuple[int, lifts.Table, tuple[int, ...]]]:
    """(order, table, letters): generating sets of three involutions that the criterion says do not lift."""
    found = []
    for order in range(6, most + 1):
        for table in small_groups(order):
            if (table != table.T).any() and len(lifts.generated(table, lifts.involutions(table))) == order:
                known = lifts.largest_liftable(table)
                sets = [s for s in lifts.generating_sets(table, automorphisms(table)) if len(s) == 3]
                found += [(order, table, s) for s in sets if lifts.obstruction(table, s, known) is not None]
    return found


def order_mod(A: np.ndarray) -> int:
    """The order of an invertible matrix modulo 31."""
    k, power, one = 1, A, np.eye(len(A), dtype=int)
    while (power != one).any():
        k, power = k + 1, power @ A % P
    return k


@attack("new.automata.one-factor.census", "three reflections of a larger Coxeter group over letters that do not lift")
def lifts_in_larger_groups(size: int) -> Outcome:
    """``size`` random triples of reflections in each group of :data:`LARGER`, for every order of the letters."""
    refused = sets_said_not_to_lift()
    rng, cases, broken = Random(34), 0, []
    for name, (rank, edges) in LARGER.items():
        mirrors = reflections(rank, edges)
        for _ in range(size):
            triple = rng.sample(mirrors, 3)
            orders = [order_mod(A @ B % P) for A, B in combinations(triple, 2)]
            for order, table, letters in refused:
                for chosen in permutations(letters):
                    cases += 1
                    needed = [lifts.order_of_product(table, x, y) for x, y in combinations(chosen, 2)]
                    if all(a % b == 0 for a, b in zip(orders, needed, strict=True)) and maps_onto(triple, table, chosen):
                        broken.append(f"{name}: reflections over {chosen} in a group of order {order}")
    return Outcome(cases, broken)


@attack("new.automata.one-factor", "letters that lift by the criterion and have no homomorphism from a group of mirrors")
def letters_without_a_lift(size: int) -> Outcome:
    """All sets of at most three letters of S_4, of which all lift: each is found among mirrors of the cube, or of regular polygons, in the quotient by -1."""
    table = next(
        t
        for t in small_groups(24)
        if len(lifts.involutions(t)) == 9 and not lifts.obstruction(t, lifts.involutions(t), lifts.largest_liftable(t))
    )
    mirrors = reflections(3, {(0, 1): 3, (1, 2): 4})
    cases, broken = 0, []
    for letters in combinations(lifts.involutions(table), 3):
        if cases >= size:
            break
        if len(lifts.generated(table, letters)) == 24:
            cases += 1
            if not any(maps_onto(list(triple), table, letters) for triple in permutations(mirrors, 3)):
                broken.append(f"no three mirrors of the cube over {letters}")
    return Outcome(cases, broken)
