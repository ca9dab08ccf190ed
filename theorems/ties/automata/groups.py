"""Groups: tables, names, networks that track them, products in metacyclic groups."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import factorial, lcm
from random import Random

import numpy as np

from ....constructions.automata.algebra.embedding import generated
from ....constructions.automata.algebra.group_names import element_orders, structure
from ....constructions.automata.compiler import compile_cyclic, compile_group, compile_representation
from ....constructions.automata.layers.metacyclic import Metacyclic
from ....constructions.automata.read import small_groups, sources
from ....constructions.householder import cycles
from ....numerics import exact
from ...claim import tie
from ...evidence import Proof
from .common import followed, words


@tie("grazzi25.thm3")
def groups(proof: Proof) -> None:
    """Groups of small orders, their names, and networks that track them."""
    for order in proof.tied("orders 1 to 12", range(1, 13)):
        tables = small_groups.small_groups(order)
        proof.exactly("there are as many groups as there should be", len(tables), small_groups.NUMBERS[order - 1])
        for number, table in enumerate(tables, 1):
            proof.holds(
                "a table is associative", all((table[table[g, h]] == table[g][table[h]]).all() for g in range(order) for h in range(order))
            )
            powers = [[0] for _ in range(order)]
            for g in range(order):
                while (after := int(table[powers[g][-1], g])) != 0:
                    powers[g].append(after)
            proof.exactly("orders of elements", [small_groups.order_of(table, g) for g in range(order)], [len(p) for p in powers])
            proof.holds(
                "automorphisms keep products", all((s[table] == table[np.ix_(s, s)]).all() for s in small_groups.automorphisms(table))
            )
            proof.exactly(
                "only a group itself is isomorphic to it",
                [small_groups.isomorphic(table, other) for other in tables],
                [k == number for k in range(1, len(tables) + 1)],
            )
            generated = sources.from_permutations(small_groups.small_group(order, number))
            proof.exactly("by name", sources.named_group(f"{order}.{number}"), small_groups.small_group(order, number))
            proof.exactly("the generators generate it", generated.n, order)
            elements = sources.all_elements(small_groups.small_group(order, number))
            proof.exactly("its elements as letters", len(elements), order)
            for letter, images in elements.items():
                moved = sources.from_cycles(letter)[letter] if letter != "()" else ()
                proof.exactly("each spelt by its cycles", (*moved, *range(len(moved), len(images))), tuple(images))
    names = {"S4": "S4", "A5": "A5", "C6": "Z6", "Q8": "Q8", "D5": "D5", "S3xC4": "Z4 x S3", "A4": "A4", "C2xC2": "Z2 x Z2"}
    from sympy.combinatorics import Permutation, PermutationGroup

    for name, wanted in proof.tied("orders up to 60", names.items()):
        group = PermutationGroup([Permutation(list(g)) for g in sources.named_group(name).values()])
        proof.exactly("names by structure", structure(group), wanted)
    rng = Random(64)
    for name in proof.tied("orders up to 24, words of up to 40 letters", ("C1", "C2", "C7", "S3", "D4", "Q8", "A4", "S3xC2", "S4")):
        generators = sources.named_group(name)
        automaton = sources.from_permutations(generators)
        followed(proof, "compile_group", compile_group(generators), automaton, rng)
        followed(proof, "compile_group, polygons", compile_group(generators, polygons=True), automaton, rng)
        powers = {k: tuple((i + k) % 14 for i in range(14)) for k in range(13)}
        if name == "C1":
            followed(proof, "compile_group: 13 letters", compile_group(powers), sources.from_permutations(powers), rng)
            proof.exactly("compile_group: its automaton", compile_group(powers).automaton == sources.from_permutations(powers), True)
        cyclic = compile_cyclic(automaton)
        proof.holds("compile_cyclic builds cyclic groups alone", (cyclic is not None) == (name[0] == "C"))
        if cyclic is not None:
            followed(proof, "compile_cyclic", cyclic, automaton, rng)
    for text in proof.tied("cycles", ["(0 1)(2 3), (0 1 2)", "(0 4 1), ()", "(9 2)"]):
        found = sources.from_cycles(text)
        for letter, images in found.items():
            moved = {
                i: j
                for cycle in letter.strip("()").split(")(")
                for points in [[int(x) for x in cycle.split()]]
                for i, j in zip(points, points[1:] + points[:1], strict=True)
            }
            proof.exactly("from_cycles", images, tuple(moved.get(i, i) for i in range(len(images))))
    for word in proof.tied("signed permutation matrices, words of up to 40 letters", words(rng, "ab")):
        matrices = {"a": exact.rationals([[0, -1], [1, 0]]), "b": exact.rationals([[1, 0], [0, -1]])}
        network = compile_representation(matrices, exact.rationals([[1], [2]]))
        H, seen = exact.identity(2), []
        for x in word:
            H = matrices[x] @ H
            seen.append(H.tolist())
        states = [name for name, _ in network.run(word)]
        proof.exactly(
            "compile_representation tells products apart",
            [[a == b for b in states] for a in states],
            [[a == b for b in seen] for a in seen],
        )


@tie("grazzi25.thm3")
def groups_as_blocks(proof: Proof) -> None:
    """Cyclic groups turn one polygon however they are given; groups of exactly as many elements as a limit allows."""
    for lengths in proof.tied(
        "cyclic groups of up to 30 elements, as one cycle or several", ((1,), (2,), (3,), (9,), (2, 3), (3, 4), (2, 3, 5))
    ):
        images: list[int] = []
        for m in lengths:
            images += [len(images) + (i + 1) % m for i in range(m)]
        network, order = compile_group({"turn": images}, polygons=True), lcm(*lengths)
        proof.exactly("as many states as elements", network.automaton.n, order)
        proof.exactly("one polygon, or a sign", network.widths, [2 if order > 2 else 1])
    for n in proof.tied("symmetric groups on 2 to 6 points", range(2, 7)):
        swap, cycle = (1, 0, *range(2, n)), (*range(1, n), 0)
        order = factorial(n)
        proof.exactly("no group above the limit", generated([swap, cycle], order - 1), None)
        proof.exactly("a group at the limit", sorted(generated([swap, cycle], order) or []), sorted(permutations(range(n))))


@tie("grazzi25.thm3")
def orders_of_permutations(proof: Proof) -> None:
    """How many permutations have each order, by listing them; beyond that they are as many as there should be."""
    for n in proof.tied("1 to 7 points, all permutations", range(1, 8)):
        every, even = Counter(), Counter()
        for g in permutations(range(n)):
            lengths = [len(c) for c in cycles(g)]
            every[lcm(*lengths)] += 1
            even[lcm(*lengths)] += (n - len(lengths)) % 2 == 0
        proof.exactly("all permutations", element_orders(n), every)
        proof.exactly("even ones", element_orders(n, even=True), +even)
    for n in proof.tied("8 to 12 points", range(8, 13)):
        proof.exactly("in all", [sum(element_orders(n, even).values()) for even in (False, True)], [factorial(n), factorial(n) // 2])


@tie("grazzi25.thm3")
def metacyclic_products(proof: Proof) -> None:
    """Products by the relations alone, one letter a or b at a time."""
    groups = [
        (1, 1, 1, 0),
        (1, 5, 1, 0),
        (3, 2, 2, 0),
        (4, 2, 3, 2),
        (5, 4, 2, 0),
        (7, 3, 2, 0),
        (11, 5, 3, 0),
        (12, 2, 5, 6),
        (13, 4, 5, 0),
        (16, 2, 7, 8),
        (11, 10, 2, 0),
        (1, 13, 0, 0),
    ]
    for m, s, u, t in proof.tied("groups of order 1 to 110, m up to 16, s up to 13", groups):
        group = Metacyclic(m, s, u, t)

        def by_relations(g: tuple[int, int], h: tuple[int, int], m: int = m, s: int = s, u: int = u, t: int = t) -> tuple[int, int]:
            i, j = g
            for _ in range(h[0]):
                i = (i + u**j) % m  # b^j a = a^(u^j) b^j
            for _ in range(h[1]):
                i, j = (i, j + 1) if j + 1 < s else ((i + t) % m, 0)
            return i, j

        elements = group.elements
        proof.exactly("elements", elements, [(i, j) for j in range(s) for i in range(m)])
        proof.exactly(
            "products", [group.times(g, h) for g in elements for h in elements], [by_relations(g, h) for g in elements for h in elements]
        )
        power, order = (0, 1 % s) if s > 1 else (t % m, 0), 1
        b = power
        while power != (0, 0):
            power, order = by_relations(power, b), order + 1
        proof.exactly("the order of b", group.period, order)
