"""How letters act, row by row: on tiles, blocks and polygons, on the elements of a group and of a larger one; up to 13 states and ten factors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

import numpy as np

from .....constructions.automata.algebra import permuting
from .....constructions.automata.automaton import Automaton
from .....constructions.automata.cascade.cascade import krohn_rhodes
from .....constructions.automata.cascade.skeleton import States, skeleton
from .....constructions.automata.cascade.subsets import _lowest
from .....constructions.automata.layers import covers, reflections, transitive
from .....constructions.automata.layers.metacyclic import Metacyclic
from .....constructions.automata.layers.places import with_places
from .....constructions.automata.layers.reflections import solvable_by_reflections
from .....constructions.automata.levels.delays import Timed, delay_stack
from .....constructions.automata.read import families, small_groups, sources
from .....numerics import exact
from ....claim import tie
from ....evidence import Proof
from ...shared import spread
from .. import POSITIVE, hold
from .common import Images, after, generated


def turn(n: int, k: int = 1) -> Images:
    return tuple((i + k) % n for i in range(n))


def image_of(X: States, row: Sequence[int]) -> States:
    return frozenset(row[q] for q in X)


@tie("new.automata.holonomy")
def tiles_and_delays(proof: Proof) -> None:
    """Where letters take the tiles of a set: by the images of sets, for up to 13 states. A delay that encodes nothing says nothing."""
    rng = Random(471)
    machines = [families.random_automaton(rng, n, 3) for n in (1, 2, 3, 4, 5, 6) for _ in range(2)]
    machines += [Automaton({"turn": turn(n), "swap": (1, 0, *range(2, n)), "reset": (n - 1,) * n}) for n in (7, 9, 12, 13)]
    for automaton in proof.tied("13 to 1 states", machines[::-1]):
        found = skeleton(automaton)
        for X in found.image:
            for x in automaton.letters:
                Y = image_of(X, automaton.table[x])
                stays = X in spread([Y], lambda Z, a=automaton: [image_of(Z, row) for row in a.table.values()])
                wanted = tuple(found.tiles[Y].index(image_of(T, automaton.table[x])) for T in found.tiles[X]) if stays else None
                proof.exactly("permutation", found.permutation(X, x), wanted)
    for n in proof.tied("13 to 2 states that letters move in a circle, or to one of them", (13, 12, 9, 7, 3, 2)):
        rows = {"turn": turn(n), "reset": (n // 2,) * n}
        cascade = krohn_rhodes(Automaton(rows))
        for x, row in rows.items():
            wanted = [(frozenset({q}), frozenset({row[q]})) for q in range(n)]
            proof.exactly("_narrowed", set(cascade._narrowed(0, x, cascade.top, cascade.top)), set(wanted))
            proof.exactly("_narrowed: how many", len(list(cascade._narrowed(0, x, cascade.top, cascade.top))), n)
    for n in proof.tied("delays of 3 to 9 states", (3, 5, 9)):
        cascade = krohn_rhodes(Automaton({x: tuple(min(q, x) for q in range(n)) for x in range(n)}, n - 1), "levels")
        first, delay, *_ = delay_stack(cascade).layers
        (read,) = first.run([n - 2])
        proof.exactly("what the first level hands on", isinstance(read[0], Timed), True)
        proof.exactly("_delay: two slots with nothing in them", delay.decode(delay.initial * 0, read), None)


@tie("grazzi25.thm3")
def blocks_and_factors(proof: Proof) -> None:
    """Groups on themselves by their blocks, chains of ten subgroups, isomorphisms of up to 13 elements, groups of 120 elements that are not S5."""
    rng = Random(472)
    for name, points in proof.tied("A4, S4 and A5 on themselves", [("A4", 4), ("S4", 4), ("A5", 5)]):
        automaton = sources.from_permutations(sources.named_group(name))
        group = permuting.permuting(automaton)
        found = transitive.numbers(group) if group else None
        layer = found and transitive.permutation_layer(automaton, found)
        word = [rng.choice(automaton.letters) for _ in range(30)]
        # the fewest points on which the group acts without losing an element
        proof.exactly("numbers: as many coordinates as points", found and {len(v) for v in found.states}, {points})
        proof.exactly("permutation_layer", layer and layer.run(word), automaton.run(word))
    for start in proof.tied("S4 on itself from each third state, and on four points", [*range(0, 24, 3), -1]):
        letters = {"a": (1, 2, 3, 0), "b": (1, 0, 2, 3)}
        elements = sorted(generated(list(letters.values())))
        regular = {x: tuple(elements.index(after(g, h)) for h in elements) for x, g in letters.items()}
        automaton = Automaton(letters, 2) if start < 0 else Automaton(regular, start)
        group = permuting.permuting(automaton)
        assert group is not None
        layer, word = transitive.permutation_layer(automaton, transitive.numbers(group)), list("abbabaabab")
        proof.exactly("permutation_layer: from another start", layer.run(word), automaton.run(word))
    corners = 151
    for n in proof.tied("mirrors and turns of 151 corners on themselves, too many states to look for blocks", [2 * corners]):
        steps, flips = tuple((i // 2 + 1 - 2 * (i % 2)) % corners * 2 + i % 2 for i in range(n)), tuple(i ^ 1 for i in range(n))
        group = permuting.permuting(Automaton({"turn": steps, "mirror": flips}))
        found = group and transitive.numbers(group)
        proof.exactly("numbers: a coordinate for each state", found and {len(v) for v in found.states}, {n})
    for k in proof.tied("two to the power 10", (10,)):
        swaps = [(*range(2 * i), 2 * i + 1, 2 * i, *range(2 * i + 2, 2 * k)) for i in range(k)]
        elements = generated(swaps)
        chain = reflections._between(elements, {tuple(range(2 * k))})
        proof.exactly("_between: each half of the one before", [len(H) for H in chain], [2**i for i in reversed(range(k))])
        closed = [all(after(g, h) in H for g in list(H)[:9] for h in list(H)[:9]) for H in chain]
        proof.exactly(
            "_between: groups inside each other",
            (all(closed), all(a > b for a, b in zip([elements, *chain], chain, strict=False))),
            (True, True),
        )
        factors = reflections.composition_factors(swaps)
        proof.exactly(
            "composition_factors", ([f.p for f in factors], [len(f.exponent) for f in factors]), ([2] * k, [2**i for i in range(k, 0, -1)])
        )
    for n in proof.tied("cyclic groups of 1 to 13 elements, numbered anew", POSITIVE):
        new = [0, *rng.sample(range(1, n), n - 1)]
        table = np.add.outer(np.arange(n), np.arange(n)) % n
        other = np.empty_like(table)
        for g, h in product(range(n), repeat=2):
            other[new[g], new[h]] = new[table[g, h]]
        found = list(small_groups._isomorphisms(table, other))
        units = sum(np.gcd(k, n) == 1 for k in range(1, n + 1))
        follows = [all(f[table[g, h]] == other[f[g], f[h]] for g in range(n) for h in range(n)) for f in found]
        proof.exactly("_isomorphisms: one for each generator", (len({tuple(f) for f in found}), all(follows)), (units, True))
        proof.exactly("isomorphic", small_groups.isomorphic(table, other), True)
        proof.exactly("automorphisms", len(small_groups.automorphisms(table)), units)
    for name in proof.tied("A5 x Z2", ("A5xC2",)):
        group = permuting.permuting(Automaton({**sources.named_group(name)}))
        proof.exactly("sign_stack: none", group and (group.order, transitive.sign_stack(group)), (120, None))
    for word in proof.tied("letters that are complex numbers", [[rng.choice((1j, 2j)) for _ in range(12)] for _ in range(3)]):
        letters = {1j: (1, 2, 0), 2j: (1, 0, 2)}
        elements = sorted(generated(list(letters.values())))
        placed = with_places(solvable_by_reflections(letters), {"t": 1j, "f": 2j}, elements.index)
        g, wanted = turn(3, 0), []
        for x in word:
            g = after(letters[x], g)
            wanted.append(elements.index(g))
        proof.exactly("with_places", placed.run(["t" if x == 1j else "f" for x in word]), wanted)


@tie("new.automata.fewest-reflections")
def lifts_of_elements(proof: Proof) -> None:
    """All elements of a larger group above one, letter by letter; factors of order 1; layers of up to 13 coordinates."""
    for m, s, u, t in proof.tied(
        "1 to 13 lifts", [(13, 2, 1, 1), (12, 1, 1, 1), (9, 3, 1, 3), (6, 2, 5, 3), (5, 4, 2, 0), (1, 5, 0, 0), (2, 7, 1, 1)]
    ):
        group = Metacyclic(m, s, u, t)
        above: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for j, i in product(range(group.period), range(m)):
            # each b^s is a^t, which commutes with b
            above.setdefault(((i + t * (j // s)) % m, j % s), []).append((i, j))
        for g in group.elements:
            found = list(group.lifts(g))
            proof.exactly("lifts", [e for _, e in found], above[g])
            own = [group.polygons(i, j) + (group.own(j) if group.counts_b else 0) for i, j in above[g]]
            proof.exactly("lifts: their reflections", ([f for f, _ in found], group.factors(g)), (own, min(own)))
    for n in proof.tied("one cyclic factor among 4 to 13 of order 1", (4, 7, 9, 12, 13)):
        for m in (2, 3, 4, 6):
            orders = (*[1] * (n - 1), m)
            tracked = covers.abelian_by_cover(orders)
            cycles = {(*range(n - 1), *(n - 1 + i for i in turn(m, k))): k for k in range(1, m)}
            proof.exactly("abelian_by_cover: its letters", sorted(tracked.maps), sorted(cycles))
            powers = [np.linalg.matrix_power(covers.turn(m), k).tolist() for k in range(m)]
            proof.exactly("abelian_by_cover: turns", [tracked.maps[g][0].tolist() for g in cycles], [powers[k] for k in cycles.values()])
    for n in proof.tied("one letter that turns 12 or 13 coordinates", (12, 13)):
        matrix = exact.rationals([[int(i == (j + 1) % n) for j in range(n)] for i in range(n)])
        start = exact.rationals([[i * i] for i in range(n)])
        found = covers.carried(covers.Tracked({"x": (matrix, start * 0)}, start, {"x": turn(n)}))
        proof.exactly("carried: all states, turned", (found.points, found.lifts["x"]), (list(range(n)), turn(n)))
        proof.exactly("carried: the letter itself", found.linear["x"].tolist(), matrix.tolist())
        columns = [[start[(i - k) % n, 0] - start[i, 0] for k in range(n)] for i in range(n)]
        proof.exactly("carried: differences of states", found.differences.tolist(), columns)


@tie("grazzi25.appA1.star-free")
def places_of_bits(proof: Proof) -> None:
    """The lowest of up to 200 places. With a claim that searches no sets of states: a wrong place is noticed here, and not waited for."""
    masks = [(m << i,) for i in range(0, 190, 7) for m in (1, 5, 2**9 - 1)]
    hold(proof, "sets of up to 200 places", _lowest, lambda x: next(i for i in range(200) if x >> i & 1), masks)
