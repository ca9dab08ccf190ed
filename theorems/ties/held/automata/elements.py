"""Elements of groups, row by row: permutations of up to 13 points, letters and names by the dozen, chains of subgroups, and what is no permutation."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations, product
from math import lcm
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
from flint import fmpq
from sympy.combinatorics import Permutation, PermutationGroup

from .....constructions.automata import compiler
from .....constructions.automata.algebra import group_names, permuting
from .....constructions.automata.automaton import Automaton
from .....constructions.automata.layers import covers, groups, reflections, swap_per_token, transitive
from .....constructions.automata.layers.metacyclic import Metacyclic
from .....constructions.automata.layers.swap_per_token import Read
from .....constructions.automata.read import machines, small_groups, sources, tasks
from .....numerics import exact
from ....claim import tie
from ....evidence import Proof
from ...shared import spread
from .. import POSITIVE, hold, hold_refusals
from .common import Images, after, generated, power


def turn(n: int, k: int = 1) -> Images:
    return tuple((i + k) % n for i in range(n))


def as_matrix(g: Images) -> list[list[int]]:
    """Column i has its one at g[i]."""
    return [[int(g[j] == i) for j in range(len(g))] for i in range(len(g))]


@tie("grazzi25.thm3")
def many_letters(proof: Proof) -> None:
    """Groups with a letter for each of up to 13 elements: matrices, blocks, layers and networks follow the products."""
    rng = Random(421)
    for n in proof.tied("cyclic groups, all elements as letters; 1 to 13 of them", (1, 2, 5, 8, 13)):
        letters = {k: turn(n, k) for k in range(n)}
        word = [rng.randrange(n) for _ in range(20)]
        sums = [sum(word[: t + 1]) % n for t in range(20)]
        matrices, start = groups.permutation_matrices(letters)
        proof.exactly(
            "permutation_matrices",
            ([A.tolist() for A in matrices.values()], start.tolist()),
            ([as_matrix(g) for g in letters.values()], [[i + 1] for i in range(n)]),
        )
        names = {g: k for k, g in letters.items()}
        for network in (compiler.compile_group(letters), compiler.compile_representation(matrices, start)):
            proof.exactly("compile_group, compile_representation: as many states", network.automaton.n, n)
            states = [q for q, _ in network.run(word)]
            if network.automaton.names and isinstance(network.automaton.names[0], tuple):
                proof.exactly("compile_group: the product of the letters", [names[g] for g in states], sums)  # type: ignore[index]
            else:
                first: dict[int, Any] = {}
                proof.exactly(
                    "compile_representation: one state to each product",
                    [first.setdefault(s, q) for s, q in zip(sums, states, strict=True)],
                    states,
                )
                proof.exactly("and different ones", len(set(first.values())), len(first))
        automaton = sources.from_permutations(letters)
        for one in (1.0, 1 + 0j, fmpq(1)):
            typed = {x: np.array(as_matrix(g), dtype=object) * one for x, g in letters.items()}
            layer = groups.representation_layer(automaton, typed, np.array([[one * (i + 1)] for i in range(n)], dtype=object))
            proof.exactly("representation_layer: in each type of numbers", layer.run(word), automaton.run(word))
        two = {x: (*g, *(n + i for i in g)) for x, g in letters.items()}
        blocks, begin = groups.block_matrices(two)
        moved = [exact.freeze(A @ begin) for A in blocks.values()]
        proof.exactly("block_matrices: different letters move the start apart", len(set(moved)), n)
        named = sources.all_elements(letters)
        proof.exactly("all_elements", (sorted(named.values()), len(named)), (sorted(letters.values()), n))
        power_of = [groups._power(turn(n), k) for k in (-5, -1, 0, 3, n)]
        proof.exactly("_power: of either sign", power_of, [turn(n, k % n) for k in (-5, -1, 0, 3, n)])
    for name, order, points in proof.tied("products of 2 to 13 groups", [("C2", 2, 2), ("S3", 6, 3)]):
        for count in (2, 5, 7, 13):
            found = sources.named_group("x".join([name] * count))
            moved = [[i for i in range(points * count) if g[i] != i] for g in found.values()]
            blocks = sorted({min(i) // points for i in moved})
            sizes = [len({g for x, g in found.items() if x.startswith(f"{name}.{k + 1} ")}) for k in range(count)]
            proof.exactly(
                "named_group: each factor on points of its own",
                (blocks, all(len({i // points for i in m}) == 1 for m in moved), set(map(len, found.values())), set(sizes)),
                (list(range(count)), True, {points * count}, {1 if name == "C2" else 2}),
            )
            if count == 2:
                proof.exactly("named_group: its order", len(generated(list(found.values()))), order**2)
    # three orbits of 7, 8 and 9 points, whose turns would need the 504-gon
    several = {x: tuple(range(24)) for x in "abc"}
    for x, (begins, n) in zip("abc", ((0, 7), (7, 8), (15, 9)), strict=True):
        several[x] = (*range(begins), *(begins + i for i in turn(n)), *range(begins + n, 24))
    for corners, letters in proof.tied(
        "orbits whose polygons share a field, or would need too large a one", [(504, several), (12, {"a": (1, 2, 0, 4, 5, 6, 3)})]
    ):
        blocks, begin = groups.block_matrices(letters)
        small = corners <= 500
        width = {True: 4, False: 24}[small]
        proof.exactly("block_matrices: width", (len(begin), {A.shape for A in blocks.values()}), (width, {(width, width)}))
        if not small:
            proof.exactly("block_matrices: permutations", [A.tolist() for A in blocks.values()], [as_matrix(g) for g in letters.values()])
            proof.exactly("block_matrices: the start", begin[:, 0].tolist(), [*range(1, 8), *range(1, 9), *range(1, 10)])
    images = groups.even_permutations_as_rotations()
    for count in proof.tied("homomorphisms given by 2 to 13 elements of A_5", (2, 5, 9, 13)):
        chosen = {g: images[g] for g in rng.sample(sorted(images), count - 2)} | {g: images[g] for g in ((1, 2, 3, 4, 0), (1, 2, 0, 3, 4))}
        found = groups._homomorphism(chosen)
        reached = generated(list(chosen))
        proof.exactly(
            "_homomorphism",
            found is not None and {g: exact.freeze(A) for g, A in found.items()},
            {g: exact.freeze(images[g]) for g in reached},
        )
        wrong = chosen | {(1, 2, 3, 4, 0): images[0, 1, 2, 3, 4]}
        proof.exactly("_homomorphism: none", groups._homomorphism(wrong), None)
    below = (0, -1)
    bad: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (f, ({-1: below},)) for f in (groups.permutation_matrices, groups.block_matrices, compiler.compile_group, sources.all_elements)
    ]
    bad += [
        (swap_per_token.symmetric_by_swaps, ({0: below},)),
        (swap_per_token._one_swap_each, ({0: below}, 2)),
        (swap_per_token._swaps, (below, 1)),
    ]
    bad += [
        (reflections.composition_factors, ([below],)),
        (reflections.solvable_by_reflections, ({0: below},)),
        (swap_per_token._position, (-2,)),
    ]
    hold_refusals(proof, "points below 0", bad)


@tie("new.automata.fewest-reflections")
def coordinates_of_elements(proof: Proof) -> None:
    """Elements of products of up to 13 cyclic groups, coordinates of either sign; covers with a dozen letters, in each type of numbers."""
    rng = Random(422)
    for n in proof.tied("1 to 13 coordinates", POSITIVE):
        orders = [rng.choice((2, 3, 4, 6)) for _ in range(n)]
        for signs in (1, -1):
            e = tuple(signs * rng.randrange(1, m) for m in orders)
            found = covers._multiples(e, orders)
            count = next(k for k in range(1, 13) if not any(k * a % m for a, m in zip(e, orders, strict=True)))
            wanted = [tuple(k * a % m if k > 1 else a for a, m in zip(e, orders, strict=True)) for k in range(1, count)]
            proof.exactly("_multiples", found, wanted)
            firsts = [sum(orders[:f]) for f in range(n)]
            by_hand = [first + (p + a) % m for first, a, m in zip(firsts, e, orders, strict=True) for p in range(m)]
            proof.exactly("_as_cycles", covers._as_cycles(e, orders), tuple(by_hand))
        letters = {x: turn(n, x) for x in range(n)} | {n: (n - 1,) * n}
        proof.exactly("smallest_image: many letters", covers.smallest_image(letters), [n] if n > 1 else [])
        matrices = {k: np.array(as_matrix(turn(n, k)), dtype=object) for k in range(n)}
        for one in (fmpq(1), 1.0, 1j):
            start = np.array([[one * (i + 1)] for i in range(n)], dtype=object)
            tracked = covers.by_matrices({x: A * one for x, A in matrices.items()}, start, letters)
            proof.exactly(
                "by_matrices",
                ([(A.tolist(), B.tolist()) for A, B in tracked.maps.values()], tracked.start.tolist(), dict(tracked.elements)),
                ([((A * one).tolist(), [[0]] * n) for A in matrices.values()], start.tolist(), letters),
            )
        if n < 10:
            maps = {x: (A * fmpq(1), exact.zeros(n, 1)) for x, A in matrices.items()}
            group = covers.Tracked(maps, exact.rationals([[i + 1] for i in range(n)]), {k: turn(n, k) for k in range(n)})
            found = covers.carried(group)
            lifts = {x: tuple(found.lifts[x][q] for q in range(len(found.points))) for x in found.lifts}
            proof.exactly("carried: all states, moved as the letters move them", (len(found.points), len(set(lifts.values()))), (n, n))
    for orders in proof.tied("five cyclic groups", [(2, 2, 2, 2, 2)]):
        tracked = covers.abelian_by_cover(orders)
        matrices = [A for A, _ in tracked.maps.values()]
        proof.exactly(
            "a letter for each element but 1, one reflection each", [exact.rank(A - exact.identity(31)) for A in matrices], [1] * 31
        )
        diagonals = [[int(A[i, i]) for i in range(31)] for A in matrices]
        proof.exactly("each on a coordinate of its own", sorted(diagonals), sorted([1] * k + [-1] + [1] * (30 - k) for k in range(31)))
    units = [f"{q} {p}" for q in range(2) for p in range(4)]
    hold(
        proof,
        "names by matrices of each type",
        lambda one: covers.quaternion_group({name: np.eye(2) * one for name in units}),
        lambda one: covers.quaternion_group({name: np.eye(2) for name in units}),
        [(1j,), (-1.5,)],
        "quaternion_group",
    )
    for m, s, u, t in proof.tied("metacyclic groups of order 39 and 52", [(13, 3, 3, 0), (13, 4, 5, 0), (13, 2, 12, 0)]):
        group = Metacyclic(m, s, u, t)
        pairs = [(rng.randrange(m), rng.randrange(s)) for _ in range(12)]
        for g, h in combinations(pairs, 2):
            proof.exactly("times: with t = 0", group.times(g, h), ((g[0] + h[0] * u ** g[1]) % m, (g[1] + h[1]) % s))
        for i, j in product((-12, -4, 0, 1, 12), (-2 * s, -s, -1, 0, 1, s - 1)):
            proof.exactly(
                "polygons, own: modulo the orders",
                (group.polygons(i, j), group.own(j)),
                (group.polygons(i % m, j % group.period), group.own(j % group.period)),
            )
        # one polygon for each image of a up to inversion; it moves them faithfully
        k = next(k for k in range(1, s + 1) if u**k % m in (1, m - 1))
        flips = u**k % m != 1
        proof.exactly("turns, counts_b", (group.turns, group.counts_b), ((k, flips), s != k * (2 if flips else 1)))


@tie("grazzi25.thm3")
def chains_of_subgroups(proof: Proof) -> None:
    """Elementary abelian groups with up to ten generators, names by the orders of elements, solids by the order, blocks and their merging."""
    for k in proof.tied("two to the power 1, 4, 7 and 10", (1, 4, 7, 10)):
        table = np.arange(2**k)[:, None] ^ np.arange(2**k)[None, :]
        chosen = small_groups.generators(table)
        spans = {0}
        for g in chosen:
            spans |= {g ^ x for x in spans}
        proof.exactly("generators: as many as needed, which generate", (len(chosen), len(spans)), (k, 2**k))
        proof.exactly("invariant_factors", group_names.invariant_factors([2] * k + [3] * (k - 1)), [2, *[6] * (k - 1)])
        if k < 10:
            swaps = [(*range(2 * i), 2 * i + 1, 2 * i, *range(2 * i + 2, 2 * k)) for i in range(k)]
            factors = reflections.composition_factors(swaps)
            proof.exactly("composition_factors", [f.p for f in factors], [2] * k)
            upper = generated(swaps)
            one = {tuple(range(2 * k))}
            chain = reflections._between(upper, one)
            proof.exactly("_between: each half of the one before", [len(H) for H in chain], [2**i for i in reversed(range(k))])
    tables = [np.add.outer(np.arange(n), np.arange(n)) % n for n in (1, 2, 4, 8)] + [np.arange(4)[:, None] ^ np.arange(4)[None, :]]
    for i, j in proof.tied("cyclic groups of 1 to 8 elements and the four-group, two by two", product(range(5), repeat=2)):
        proof.exactly("isomorphic", small_groups.isomorphic(tables[i], tables[j]), i == j)
    regular = {"S4": "S4", "A4": "A4", "S3": "S3", "D5": "D5"}
    for name, wanted in proof.tied("groups on themselves", regular.items()):
        elements = sorted(generated([tuple(g) for g in sources.named_group(name).values()]))
        letters = [[elements.index(after(tuple(g), x)) for x in elements] for g in sources.named_group(name).values()]
        proof.exactly(
            "structure: by the orders of elements", group_names.structure(PermutationGroup([Permutation(g) for g in letters])), wanted
        )
    # a of order 6, b^2 = a^3, b a = a^-1 b: half of it is cyclic, and no element outside has order 2
    dicyclic = Metacyclic(6, 2, 5, 3)
    found = PermutationGroup([Permutation(list(dicyclic.permutation(g))) for g in ((1, 0), (0, 1))])
    for _ in proof.tied("the dicyclic group of order 12", [()]):
        proof.exactly("structure: dicyclic", group_names.structure(found), "order 12 (solvable)")
    solids = {None: [], 1: [], 2: [], 3: [], 4: [4], 12: [12, 24], 24: [24, 24], 36: [36], 60: [60, 60], 15: []}
    for order, wanted in proof.tied("orders of groups in the plane and in space", solids.items()):
        given: Any = SimpleNamespace(elements=None if order is None else [()] * order)
        proof.exactly("_solids", [m for m, _ in transitive._solids(given)], wanted)
    unlisted: Any = SimpleNamespace(elements=None, group=None)
    icosahedral = permuting.permuting(Automaton({"a": (1, 2, 0, 3, 4), "b": (1, 2, 3, 4, 0)}))
    for _ in proof.tied("groups that are not listed, and one that is not solvable", [()]):
        proof.exactly(
            "solvable_stack, sign_stack, space_layer: none",
            [
                transitive.solvable_stack(unlisted),
                transitive.sign_stack(unlisted),
                transitive.space_layer(unlisted),
                icosahedral and transitive.solvable_stack(icosahedral),
            ],
            [None] * 4,
        )
    for n in proof.tied("cycles of 300 and 301 states", (300, 301)):
        cycle = permuting.permuting(Automaton({"turn": turn(n)}, 2))
        found = transitive.numbers(cycle) if cycle else None
        proof.exactly(
            "numbers: one for each state", found and (found.moves, sorted(found.states.values())), ({"turn": turn(n)}, list(range(n)))
        )
        vectors = {tuple(int(p == q) for p in range(n)): q for q in range(n)}
        proof.exactly("numbers: a one at the state", found and found.states == vectors, True)
    moves = {"a": (1, 0)}
    for _ in proof.tied("vectors of two entries, systems of blocks on three states", [()]):
        proof.exactly("_moved: one vector would be two states", transitive._moved(Automaton({"a": (1, 0)}), moves, (7, 7)), None)
        proof.exactly("_moved", transitive._moved(Automaton({"a": (1, 0)}), moves, (7, 8)), {(7, 8): 0, (8, 7): 1})
        proof.exactly(
            "_merged: states from the end", permuting._merged([0, 1, 2], 0, -1, [turn(3)]), permuting._merged([0, 1, 2], 0, 2, [turn(3)])
        )


@tie("new.automata.four-layers")
def swaps_one_by_one(proof: Proof) -> None:
    """Permutations of up to 13 points as swaps; positions in blocks of up to 24 tokens; windows of letters of every type."""
    rng = Random(423)
    for n in proof.tied("permutations of 1 to 13 points", POSITIVE):
        for g in [tuple(rng.sample(range(n), n)) for _ in range(4)] + [turn(n)]:
            for m in (n - 1, n + 2):
                found = swap_per_token._swaps(g, m)
                product_of = tuple(range(n))
                for swap in found:
                    product_of = after(swap, product_of)
                moved = {sum(i != j for i, j in enumerate(swap)) for swap in found}
                proof.exactly("_swaps", (len(found), product_of, moved <= {0, 2}), (m, g, True))
    for period in proof.tied("periods 2 to 24", (2, 4, 6, 12, 14, 24)):
        layer = swap_per_token._position(period)
        reads = [Read(-t, t % 2, (t + 1) % 2) for t in range(2 * period + 1)]
        wanted = [Read(-t, t % period, (t + 1) % period) for t in range(2 * period + 1)]
        proof.exactly("_position", layer.run(reads), wanted)
        proof.exactly("_position: no position", layer.decode(layer.initial * 3, reads[0]), None)
    letters = [-1, 0.5, 2j, "a", fmpq(-1, 2), 3, (-4,), -5, 6.5, "b", 7j, "c", -8]
    for size in proof.tied("windows of 1 to 13 tokens, letters of every type", POSITIVE):
        layer, word = swap_per_token._window(letters, size), [rng.choice(letters) for _ in range(2 * size + 3)]
        places = [(t % size, (t + 1) % size) for t in range(len(word))]
        padded = [None] * size + word
        found = layer.run([Read(x, *place) for x, place in zip(word, places, strict=True)])
        wanted = []
        for t, (x, (i, j)) in enumerate(zip(word, places, strict=True)):
            latest = padded[: size + t + 1][::-1]
            wanted.append(Read(x, (i, tuple(latest[1:size])), (j, tuple(latest[: size - 1]))))
        proof.exactly("_window", found, wanted)
    layer = swap_per_token._one_swap_each({"a": (1, 0, 2)}, 3)
    nothing = layer.decode(layer.initial * 0, Read("a", (0, (None,) * 3), (1, ("a", None, None))))
    for _ in proof.tied("a state that holds no permutation", [()]):
        proof.exactly("_one_swap_each: no permutation", nothing, None)
        proof.exactly("_one_swap_each: its start", layer.initial.tolist(), [[1], [2], [3]])


@tie("grazzi25.sec1.regular")
def letters_and_terms(proof: Proof) -> None:
    """Tables with a sink up to 13 states and letters; sets of up to 13 terms; letters that are no characters."""
    from .....constructions.automata.cascade.skeleton import maximal_subsets
    from .....constructions.automata.cascade.subsets import _lowest
    from .....constructions.automata.read import regular_expressions as expressions
    from .....constructions.automata.read.derivatives import Terms
    from .....constructions.automata.read.machines import completed

    alphabet = "abcdefghijklm"
    for n in proof.tied("1 to 13 states, letters, terms", POSITIVE):
        table: dict[Any, list[Any]] = {x: [(i + j) % n for j in range(n)] for i, x in enumerate(alphabet[:n])}
        names, outputs = tuple(f"q{i}" for i in range(n)), ("sink",) * n
        proof.exactly(
            "completed: nothing is missing",
            completed(table, names, outputs, False),
            ({x: tuple(r) for x, r in table.items()}, names, outputs),
        )
        table["a"][n - 1] = None
        full = {x: (*(n if q is None else q for q in row), n) for x, row in table.items()}
        proof.exactly("completed: a sink", completed(table, names, outputs, True), (full, (*names, "sink"), (*outputs, "sink'")))
        proof.exactly("completed: without outputs", completed(table, ("sink",) * n, None, True), (full, (*("sink",) * n, "sink'"), None))
        taken = [f"sink{chr(39) * i}" for i in range(n)]
        proof.exactly("_new: a name that is free", machines._new("sink", taken), "sink" + chr(39) * n)
        hold_refusals(proof, "a transition that is missing", [(completed, (table, names, None, False))])
        terms = Terms()
        found = [terms.letter(alphabet[: i + 1]) for i in range(n)]
        mask = sum(terms.mask(x) for x in found)
        proof.exactly("either: of one term is that term", terms.either([found[0]]) is found[0], True)
        proof.exactly("members: all terms of a set", terms.members(mask), found)
        proof.exactly("letter", [bin(terms.after(mask, x)).count("1") for x in (alphabet[n - 1], "z")], [1, 0])
        wanted = {letter for letter in alphabet if terms.derive(found[-1], letter)}
        proof.exactly("letter: those that it holds", wanted, set(alphabet[:n]))
        proof.exactly("checked_alphabet", set(expressions.checked_alphabet(alphabet[:n])), set(alphabet[:n]))
        sets = [frozenset(range(i)) for i in range(1, n + 1)]
        proof.exactly("maximal_subsets: of a chain", maximal_subsets(sets[-1], sets), tuple(sets[-2:-1]))
        proof.exactly("_lowest", [_lowest(s * 2**n) for s in (1, -1, 3, -5)], [n] * 4)
    half, whole = "\ud800", "\U0001f600"
    hold(
        proof,
        "characters and halves of them",
        expressions._is_half,
        lambda x: x in (half, "\udfff"),
        [(x,) for x in (half, "\udfff", whole, "a", "\ue000", "\ud7ff")],
    )
    refused: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [(sources.from_regex, (x,)) for x in (half, f"a{half}", f"[a{half}]")]
    refused += [(sources.from_regex, (x, alphabet)) for x in ("z", "[az]", "[a-z]", "a|z")]
    hold_refusals(proof, "halves of characters, letters outside the alphabet", refused)
    hold_refusals(proof, "numbers of languages", [(tasks.tomita, (k,)) for k in (-1, 0, 8, 13)])


@tie("grazzi25.thm3")
def least_multiples(proof: Proof) -> None:
    """An element of largest order among commuting permutations, of cycles of up to 13 points."""
    given = [(2,), (3, 4), (5,), (6, 4), (13,), (2, 9, 5)]
    for lengths in proof.tied("products of cycles on points of their own", given):
        n = sum(lengths)
        maps = []
        for k, length in enumerate(lengths):
            first = sum(lengths[:k])
            maps.append((*range(first), *(first + i for i in turn(length)), *range(first + length, n)))
        found = groups._of_largest_order(maps)
        order = next(k for k in range(1, 200) if power(found, k) == tuple(range(n)))
        proof.exactly("_of_largest_order", (order, all(after(found, g) == after(g, found) for g in maps)), (lcm(*lengths), True))
        proof.exactly("and it is a product of the letters", found in generated(maps), True)
    for n in proof.tied("permutations of up to 5 points", range(1, 6)):
        for g in permutations(range(n)):
            inverse = tuple(g.index(i) for i in range(n))
            proof.exactly("_inverse", (transitive._inverse(g), reflections._inverse(g)), (inverse, inverse))


@tie("grazzi25.thm3")
def systems_of_blocks(proof: Proof) -> None:
    """The finest system in which two points share a block, by joining sets until none meet, for letters on up to 13 points."""
    rng = Random(429)
    for n in proof.tied("2 to 13 points, one to three letters", [n for n in POSITIVE if n > 1]):
        for count in (1, 2, 3):
            lengths = rng.choice([(n,), (n // 2, n - n // 2), (1,) * n])
            letters = [permuted(rng, n, lengths) for _ in range(count)]
            block = list(range(n))
            for p, q in [(rng.randrange(n), rng.randrange(n)) for _ in range(3)]:
                block = finest(block, p, q, letters)
                before = block
                wanted = finest(before, p, (q + 1) % n, letters)
                proof.exactly("_merged", permuting._merged(before, p, (q + 1) % n, letters), wanted)


def permuted(rng: Random, n: int, lengths: tuple[int, ...]) -> Images:
    """A permutation of n points with cycles of these lengths."""
    points, images = rng.sample(range(n), n), list(range(n))
    for length in lengths:
        cycle, points = points[:length], points[length:]
        for i, p in enumerate(cycle):
            images[p] = cycle[(i + 1) % length]
    return tuple(images)


def finest(block: list[int], p: int, q: int, letters: list[Images]) -> list[int]:
    """Blocks, and the images of a pair under all words: sets that meet are joined; numbered by their first points."""
    pairs = spread([(p, q)], lambda at: [(g[at[0]], g[at[1]]) for g in letters])
    sets = [{x for x in range(len(block)) if block[x] == b} for b in set(block)] + [set(pair) for pair in pairs]
    while two := next(((s, t) for s, t in combinations(sets, 2) if s & t), None):
        sets = [s for s in sets if s is not two[0] and s is not two[1]] + [two[0] | two[1]]
    ordered = sorted(sets, key=min)
    return [next(i for i, s in enumerate(ordered) if x in s) for x in range(len(block))]
