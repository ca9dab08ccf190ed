"""Stacks of reflections: mirrors, addition, dihedral and solvable groups, against permutations and sums."""

from __future__ import annotations

from itertools import product
from math import cos, pi, prod, sin
from random import Random
from typing import Any

import numpy as np

from ....constructions.automata.automaton import Automaton
from ....constructions.automata.layers.places import Read, with_places
from ....constructions.automata.layers.reflections import (
    addition_by_reflections,
    composition_factors,
    dihedral_by_reflections,
    dihedral_step,
    mirror,
    solvable_by_reflections,
)
from ....constructions.automata.prove.closure import close_by_layers
from ....numerics.cyclotomic import rotation_order
from ....numerics.exact import freeze
from ...claim import tie
from ...evidence import Proof
from ..shared import refuses, spread
from .common import words

Images = tuple[int, ...]


def after(g: Images, h: Images) -> Images:
    """g h: first h, then g."""
    return tuple(g[i] for i in h)


def generated(generators: list[Images]) -> set[Images]:
    """The group that permutations generate."""
    return set(spread([tuple(range(len(generators[0])))], lambda g: [after(x, g) for x in generators]))


#: generators of solvable groups of 1 to 24 elements, on up to 8 points
SOLVABLE: dict[str, list[Images]] = {
    "1": [(0,)],
    "Z2": [(1, 0)],
    "Z3": [(1, 2, 0)],
    "Z2 x Z2": [(1, 0, 3, 2), (2, 3, 0, 1)],
    "Z6": [(1, 0, 3, 4, 2)],
    "S3": [(1, 0, 2), (1, 2, 0)],
    "D5": [(1, 2, 3, 4, 0), (0, 4, 3, 2, 1)],
    "Q8": [(1, 2, 3, 0, 5, 6, 7, 4), (4, 7, 6, 5, 2, 1, 0, 3)],
    "A4": [(1, 2, 0, 3), (1, 0, 3, 2)],
    "Z7 : Z3": [(1, 2, 3, 4, 5, 6, 0), (0, 2, 4, 6, 1, 3, 5)],
    "S4": [(1, 0, 2, 3), (1, 2, 3, 0)],
}


@tie("grazzi25.thm6")
def mirrors(proof: Proof) -> None:
    """Reflections of the plane, in their own field and in larger ones."""
    for m, wider in proof.tied(
        "m <= 12, k from -3 to 2 m + 1, own field and one of three times the order", product((1, 2, 3, 4, 5, 7, 9, 12), (1, 3))
    ):
        order = rotation_order(2 * m) * wider
        for k in (-3, -1, 0, 1, m, 2 * m + 1):
            M = mirror(m, k, order if wider > 1 else None)
            c, s = cos(pi * k / m), sin(pi * k / m)
            found = np.array([[complex(x) for x in row] for row in M])
            proof.closely("the entries", float(np.abs(found - np.array([[c, s], [s, -c]])).max()), 1e-14)
            proof.exactly("its own inverse, and symmetric", (M @ M).tolist() == [[1, 0], [0, 1]] and M[0, 1] == M[1, 0], True)
            # a reflection has trace 0: exactly, not to the last bit
            proof.exactly("of trace 0", M[0, 0] + M[1, 1] == 0, True)


@tie("grazzi25.thm6")
def sums_by_reflections(proof: Proof) -> None:
    """Sums of letters modulo m; all transitions are reflections."""
    rng = Random(83)
    for m in proof.tied("m <= 12, words of up to 16 letters", (1, 2, 3, 4, 5, 7, 9, 12)):
        stack = addition_by_reflections(m)
        for word in words(rng, range(m), (1, 2, 3, 16)):
            sums = [int(s % m) for s in np.cumsum(word)]
            proof.exactly("sums modulo m", stack.run(word), sums)
            positions = [(x, (t + 1) % 2) for t, x in enumerate(word)]
            proof.exactly("what the first layer hands on", stack.layers[0].run(word), positions)
        for x, odd in product(range(m), (0, 1)):
            M = stack.layers[1].transition((x, odd))
            angle = pi * ((1 - 2 * x) if odd else (1 + 2 * x)) / m
            found = np.array([[complex(v) for v in row] for row in M])
            wanted = np.array([[cos(angle), sin(angle)], [sin(angle), -cos(angle)]])
            proof.closely("the angles of the theorem", float(np.abs(found - wanted).max()), 1e-13)
        proof.exactly("no inputs in the second layer", [complex(x) for x in stack.layers[1].inputs((0, 1))[:, 0]], [0, 0])
    for m in proof.tied("m < 1", (0, -1, -7)):
        proof.holds("no modulus", refuses(addition_by_reflections, m) and refuses(dihedral_by_reflections, m))


def on_points(m: int, kind: str, a: int) -> tuple[Images, int]:
    """r^a or r^a s on the corners 0 .. m - 1, and whether it turns the polygon over (for m <= 2 the corners do not tell)."""
    return tuple((a + i) % m if kind == "r" else (a - i) % m for i in range(m)), int(kind == "s")


@tie("new.automata.dihedral")
def dihedral_products(proof: Proof) -> None:
    """Products in D_m as permutations of the corners of a polygon."""
    rng = Random(84)
    for m in proof.tied("m <= 13, all elements and letters, exponents from -m on", (1, 2, 3, 4, 5, 7, 9, 12, 13)):
        for theta, epsilon, kind, a in product(range(m), (0, 1), "rs", range(-min(m, 3), min(m, 5))):
            corners, over = on_points(m, "rs"[epsilon], theta)
            letter, turns = on_points(m, kind, a)
            moved = after(letter, corners)
            proof.exactly("letter times element", dihedral_step(m, (theta, epsilon), (kind, a)), (moved[0], (over + turns) % 2))
    for m in proof.tied("m <= 12, words of up to 16 letters", (1, 2, 3, 4, 5, 7, 9, 12)):
        stack = dihedral_by_reflections(m)
        letters = [(kind, a) for kind in "rs" for a in range(m)]
        for word in words(rng, letters, (1, 2, 3, 16)):
            corners, over, wanted = tuple(range(m)), 0, []
            for kind, a in word:
                letter, turns = on_points(m, kind, a)
                corners, over = after(letter, corners), (over + turns) % 2
                wanted.append((corners[0], over))
            proof.exactly("the product so far", stack.run(word), wanted)


@tie("new.automata.solvable")
def chains_of_subgroups(proof: Proof) -> None:
    """Each subgroup is normal in the one before, of prime index: the exponents add up modulo p, and what has exponent 0 comes next."""
    for name, generators in proof.tied("solvable groups of 1 to 24 elements", SOLVABLE.items()):
        factors, group = composition_factors(generators), generated(generators)
        proof.exactly(f"the indices multiply to the order of {name}", prod(f.p for f in factors), len(group))
        for f in factors:
            identity, p = tuple(range(len(generators[0]))), f.p
            proof.exactly("exponents are of the subgroup reached so far", set(f.exponent), group)
            proof.holds("a prime", p > 1 and all(p % d for d in range(2, p)))
            proof.exactly("powers of one element", f.powers, tuple(power_of(f.powers[1], k) for k in range(p)))
            proof.exactly("whose exponents count them", [f.exponent[g] for g in f.powers], list(range(p)))
            adds = all(f.exponent[after(g, h)] == (f.exponent[g] + f.exponent[h]) % p for g in group for h in list(group)[:6])
            proof.exactly("exponents add up", (adds, f.exponent[identity]), (True, 0))
            group = {g for g in group if f.exponent[g] == 0}
        proof.exactly("down to 1", len(group), 1)
    for unsolvable in proof.tied("A5 and S5", [[(1, 2, 0, 3, 4), (0, 1, 3, 4, 2)], [(1, 0, 2, 3, 4), (1, 2, 3, 4, 0)]]):
        proof.holds("no chain where there is none", refuses(composition_factors, unsolvable))


def power_of(g: Images, k: int) -> Images:
    found = tuple(range(len(g)))
    for _ in range(k):
        found = after(g, found)
    return found


@tie("new.automata.solvable")
def solvable_products(proof: Proof) -> None:
    """Products of permutations by stacks, with and without places."""
    rng = Random(85)
    for name, generators in proof.tied("solvable groups of 1 to 24 elements, words of up to 12 letters", SOLVABLE.items()):
        letters = {-k: g for k, g in enumerate(generators)}
        stack = solvable_by_reflections(letters)
        elements = sorted(generated(generators))
        placed = with_places(stack, {f"{x}'": x for x in letters}, elements.index)
        for word in words(rng, letters, (1, 2, 12)):
            g, wanted = tuple(range(len(generators[0]))), []
            for x in word:
                g = after(letters[x], g)
                wanted.append(g)
            proof.exactly(f"products in {name}", stack.run(word), wanted)
            primed = [f"{x}'" for x in word]
            proof.exactly("with places", placed.run(primed), [elements.index(g) for g in wanted])
            read: list[Any] = list(word)
            handed: list[Any] = list(primed)
            for k, (layer, plain) in enumerate(zip(placed.layers[:-1], stack.layers, strict=False)):
                states = [freeze(H) for H in plain.states(read)]
                read, below = plain.run(read), handed
                handed = layer.run(handed)
                own = [(Read(primed[t], (states[t],), (states[t + 1],))) for t in range(len(word))]
                if k:
                    own = [Read(b.letter, (*b.before, states[t]), (*b.after, states[t + 1])) for t, b in enumerate(below)]
                proof.exactly("the states before and after, of this layer and those below", handed, own)
        if len(elements) <= 8:
            identity = elements.index(tuple(range(len(generators[0]))))
            table = {f"{x}'": [elements.index(after(g, h)) for h in elements] for x, g in letters.items()}
            closures = close_by_layers(placed, Automaton(table, identity))
            proof.exactly("and the proof closes", len(closures), len(stack.layers))
