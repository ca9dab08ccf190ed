"""Limits on what is tried and proved, from both sides: what is just allowed is looked at, and one more is refused or left alone.

The numbers are written out here: a limit that is moved must be noticed. What would take long at a limit is stood in for by something that only has the size.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np

from .....constructions.automata import automaton as automata
from .....constructions.automata.algebra.permuting import Permuting, permuting, smallest_blocks
from .....constructions.automata.automaton import Automaton
from .....constructions.automata.cascade import skeleton
from .....constructions.automata.choose import groups as ways
from .....constructions.automata.choose.given import Given
from .....constructions.automata.choose.ways import choose
from .....constructions.automata.compiler import narrower
from .....constructions.automata.layers import level_vectors, registers, transitive
from .....constructions.automata.layers.covers import Tracked
from .....constructions.automata.levels.numbered import numbered
from .....constructions.automata.levels.stack import narrowest, unrounded_levels
from .....constructions.automata.prove.closure import Arrow, LayerClosure, NotClosed
from .....constructions.automata.read import sources, tasks
from .....constructions.automata.read.derivatives import Terms
from .....constructions.automata.rounding import layer as numbers_of
from .....constructions.automata.rounding import orbits
from .....constructions.languages import c_rasp, clocked, layers_of_norm_one
from .....constructions.languages.images import images_of
from .....constructions.languages.language import Language, language_of
from .....constructions.languages.machine import Machine
from .....constructions.languages.monoid import monoid_of, settled
from .....constructions.languages.pairs import Pairs
from .....constructions.languages.undecided import Undecided
from .....constructions.recurrence import Recurrence
from .....numerics import exact
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE
from .elements import turn

Rows = dict[str, tuple[int, ...]]


def together(lengths: tuple[int, ...]) -> tuple[int, ...]:
    """A permutation with cycles of these lengths."""
    begin = [sum(lengths[:i]) for i in range(len(lengths))]
    return tuple(b + (q + 1) % m for b, m in zip(begin, lengths, strict=True) for q in range(m))


def two_turns(one: tuple[int, ...], two: tuple[int, ...]) -> Rows:
    """Two letters, each of which turns its cycles and keeps the others'."""
    return {"one": together((*one, *(1,) * sum(two))), "two": together((*(1,) * sum(one), *two))}


def dihedral(m: int) -> Automaton:
    """The 2m symmetries of a polygon, each a state."""
    elements = [(r, s) for s in (1, -1) for r in range(m)]
    number = {g: i for i, g in enumerate(elements)}
    by = lambda a, t: tuple(number[(r + s * a) % m, s * t] for r, s in elements)  # noqa: E731
    return Automaton({"turn": by(1, 1), "flip": by(0, -1)})


def stopped(error: type[Exception], function: Callable[..., Any], *given: Any) -> bool:
    """Whether a call raises exactly that error."""
    try:
        function(*given)
    except error as raised:
        return type(raised) is error
    return False


@tie("grazzi25.sec1.regular")
def sizes_that_are_refused(proof: Proof) -> None:
    """States of automata that are explored, sets of states, windows, letters and levels with numbers, work on an expression, transitions of a proof."""
    count = lambda n: automata.explored(0, "a", lambda q, x: min(q + 1, n - 1), bool)  # noqa: E731
    sets = lambda n: skeleton.images(Automaton({"turn": turn(n), "reset": (0,) * n}), [frozenset(range(n))])  # noqa: E731
    spent = lambda n: Terms()._spend(n)  # noqa: E731
    rows = [(ValueError, count, 20_000), (skeleton.TooManySets, sets, 20_000 - 1), (ValueError, spent, 3_000_000)]
    for error, function, n in proof.tied("as much as may be, and one more", rows):
        proof.exactly("refused", [stopped(error, function, n), stopped(error, function, n + 1)], [False, True])
    for n, lengths in proof.tied("groups of 9900 and of 10,010 elements", ((9900, (4, 9, 25, 11)), (10_010, (2, 5, 7, 11, 13)))):
        cycles = two_turns(lengths[:2], lengths[2:])
        proof.exactly("from_permutations: refused", stopped(ValueError, sources.from_permutations, cycles), n > 10_000)
    for n in proof.tied("levels of as many states as have numbers, and of one more", (257, 258)):
        vectors = level_vectors.LevelVectors(tuple({i: 1} for i in range(n)), n)
        proof.exactly("numbered", numbered(vectors, 0, last=False) is None, n > 257)
    for n in proof.tied("resets to 256 states, one of which keeps the start, and to 257", (256, 257)):
        resets = Automaton({i: (i,) * n for i in range(n)})
        proof.exactly(
            "register: its numbers", getattr(registers.register(resets), "numbers", None), {i: i for i in range(n)} if n <= 256 else None
        )
    layer = Recurrence.from_table({"a": (exact.identity(1), exact.zeros(1, 1))}, exact.zeros(1, 1), lambda H, x: x)
    for done in proof.tied("transitions of a proof before the last one", (1_999_999, 2_000_000)):
        closure = LayerClosure(layer, [Arrow("a", "a", None, None)], None, transitions=done)
        refused = stopped(NotClosed, closure.close, lambda arrow, place, handed: (None, None))
        proof.exactly("close: refused", (refused, closure.transitions), (done >= 2_000_000, done + 1))
    prime_turns = {4940: (4, 5, 13, 19), 5005: (5, 7, 11, 13)}
    for n, lengths in proof.tied("layers of as many states as may be, and of a few more", prime_turns.items()):
        g = together(lengths)
        M = np.zeros((len(g), len(g)), dtype=object)
        M[list(g), range(len(g))] = 1
        first = np.array([[int(q in np.cumsum((0, *lengths)))] for q in range(len(g))], dtype=object)
        layer_of = Tracked({"turn": (M, first * 0)}, first, {"turn": g})
        proof.exactly("Tracked.states: refused", stopped(ValueError, layer_of.states), n > 5000)


@tie("grazzi25.sec1.regular")
def sizes_that_are_tried(proof: Proof) -> None:
    """Groups, systems of blocks, cascades and formats: up to a size a construction is tried, beyond it another one is taken."""
    for n in proof.tied("groups of two million entries, and of a few more", (1414, 1415)):
        found = permuting(Automaton({"turn": turn(n)}))
        proof.exactly("elements: listed", found is not None and found.elements is not None, n * n <= 2_000_000)
    for n in proof.tied("cyclic groups of 64 and 65 elements, in a row of layers", (64, 65)):
        proof.exactly("solvable", [c.construction for c in ways.solvable(Given(tasks.cycle_navigation(n)))], ["solvable"] * (n <= 64))
    for n in proof.tied("cycles of 1 to 13 states, by a sign and a polygon of twice as many corners", POSITIVE):
        corners = np.exp(1j * np.pi * np.arange(2 * n) / n)
        apart = [max(abs((z - w).real), abs((z - w).imag)) / 2 for z in corners for w in corners if abs(z - w) > 1e-9]
        found = [c.margin for c in ways.addition(Given(Automaton({"turn": turn(n)})))]
        proof.closely("addition: its margin", abs(found[0] - min(0.5, *apart)), 1e-9)
    for m in proof.tied("polygons of 120 and of 122 symmetries", (60, 61)):
        corners = Automaton({"turn": turn(m), "flip": tuple(-q % m for q in range(m))})
        tried = [[c.construction for c in ways.dihedral(Given(corners, name))] for name in ("best", "dihedral")]
        proof.exactly("dihedral", tried, [["dihedral"] * (2 * m <= 120), ["dihedral"]])
    for m in proof.tied("the symmetries of polygons, each a state, 60 and 302 of them", (30, 151)):
        found = permuting(dihedral(m))
        moved = transitive.numbers(found) if found else None
        last = Automaton(dihedral(m).table, 2 * m - 1)
        blocks = smallest_blocks(Permuting(last)) if m == 30 else range(m)
        proof.exactly("smallest_blocks: from the last state", max(blocks) + 1, m)
        proof.exactly("numbers: its coordinates", moved and len(next(iter(moved.states))), m if 2 * m <= 300 else 2 * m)
    for name, order in proof.tied("groups of solids, on their own elements", (("A4", 12), ("S4", 24), ("A5", 60), ("S5", 120))):
        found = list(ways.two_reflections(Given(sources.from_permutations(sources.named_group(name)))))
        widths = (1, 3) if name == "S5" else (3,)
        proof.exactly("two_reflections", [(c.construction, c.widths, c.automaton.n) for c in found], [("two-reflections", widths, order)])
    for lengths in proof.tied("80,080 permutations of 52 points, too many to list", [(5, 7, 11, 13, 16)]):
        found = permuting(Automaton({"all": together(lengths)}))
        listed = Permuting(Automaton(two_turns(lengths[:2], lengths[2:])))
        proof.exactly("order", (found and (found.order, found.elements), listed.elements, listed.order), ((80_080, None), None, 35 * 2288))
    for k in proof.tied("systems of blocks of two cycles of 48 and 49 points", (4, 7)):
        other = 12 if k == 4 else 7
        points = [(i, j) for i in range(k) for j in range(other)]
        moves = [tuple(points.index(((i + a) % k, (j + b) % other)) for i, j in points) for a, b in ((1, 0), (0, 1))]
        found = level_vectors.block_systems(len(points), moves)
        proof.exactly("block_systems: others than single points", len(found) > 1, len(points) <= 48)
    for d, count in proof.tied("systems of blocks of the powers of Z2: 67 and 374 subgroups", ((4, 67), (5, 374))):
        moves = [tuple(q ^ 1 << i for q in range(2**d)) for i in range(d)]
        found = level_vectors.block_systems(2**d, moves)
        proof.exactly("block_systems: all but the whole, or 300", len(set(found)), min(count - 1, 300))
    for n in proof.tied("more letters than are many reads", [100_001]):
        many = Automaton({i: ((0, 1), (1, 0), (0, 0))[i % 3] for i in range(n)})
        proof.exactly("choose: refused", stopped(ArithmeticError, choose, many, "excluded"), True)
    for n in proof.tied("networks of 500 and of 501 states, of which one is compared", (500, 501)):
        cycle = tasks.cycle_navigation(n)
        network: Any = SimpleNamespace(widths=(n,), automaton=cycle)
        found = narrower(network)
        proof.exactly("narrower: its widths", found and found.widths, (2,) if n <= 500 else None)
    for width in proof.tied("networks at most twice as wide as the narrow one, and wider", (3, 4, 5)):
        network = SimpleNamespace(widths=(1, width), automaton=tasks.cycle_navigation(5))
        found = narrower(network)
        proof.exactly("narrower: less than half as wide", found and found.widths, (2,) if width > 4 else None)
    for n, reads in proof.tied("cascades that read as much as is looked at, and one more", product((2, 7), (0, 1))):
        most = 200_000 // n + reads
        swap = [{tuple(range(3)), (1, 0, 2), (1, 2, 0)}]
        cascade: Any = SimpleNamespace(
            automaton=SimpleNamespace(n=n),
            sizes=(3,),
            start=(0,),
            level_permutations=lambda swap=swap: swap,
            reads_at_most=lambda bound, most=most: most <= bound,
        )
        [level] = unrounded_levels(cascade)
        plain = level_vectors.LevelVectors(tuple({i: 1} for i in range(3)), 3)
        looked = level_vectors.level_vectors(3, swap[0])
        proof.exactly("unrounded_levels: its width", level.width, narrowest(looked if not reads else plain, 0, True).width)


@tie("new.automata.float-length")
def searches_in_floating_point(proof: Proof) -> None:
    """States and operations of a search; products of maps, up to two thousand."""
    for states in proof.tied("searches of up to 10,000 states", (1, 2, 7, 999, 5000, 10_000)):
        proof.exactly("Search: states", orbits.Search().states, 5000)
        proof.exactly("Search.work", orbits.Search(states).work, 20_000 * states)
    for k in proof.tied("entries on both sides of the least that is not 0", (-1005, -995, 995, 1005)):
        text = f"{k}/{10**33}"
        proof.exactly("_real_part: refused", stopped(ArithmeticError, numbers_of._real_part, (text,), 1), abs(k) < 1000)
    for n, lengths in proof.tied("maps with 1980 and 2002 powers", ((1980, (4, 9, 5, 11)), (2002, (2, 7, 11, 13)))):
        A = np.eye(sum(lengths))[list(together(lengths))][None]
        found = orbits._products(A, np.zeros((1, sum(lengths))))
        proof.exactly("_products: how many", found and len(found[0]), n if n <= 2000 else None)


@tie("new.automata.one-layer.norm.converse")
def machines_that_are_decided(proof: Proof) -> None:
    """States, pairs, elements, sets and lengths: as many as are looked at, and a few more."""
    cycle = lambda n: language_of(Automaton({"a": turn(n)}, 0, frozenset({0})))  # noqa: E731
    for n in proof.tied("components of 400 and 401 states", (400, 401)):
        proof.exactly("c_rasp.decide: undecided", stopped(Undecided, c_rasp.decide, cycle(n)), n > 400)
    for n in proof.tied("machines of 500 and 501 states", (500, 501)):
        proof.exactly("Pairs: undecided", stopped(Undecided, Pairs, cycle(n).machine), n > 500)
    for n, lengths in proof.tied(
        "monoids of 99,484 and 100,100 elements", ((99_484, ((7, 4, 11), (17, 19))), (100_100, ((4, 7, 13), (11, 25))))
    ):
        proof.exactly("monoid_of: complete", monoid_of(machine(two_turns(*lengths))).complete, n <= 100_000)
    for n, lengths in proof.tied("50,160 images, and the whole", [(50_160, ((3, 5, 16), (11, 19)))]):
        first = np.repeat(np.cumsum((0, *lengths[0], *lengths[1]))[:-1], [*lengths[0], *lengths[1]])
        found = images_of(machine({**two_turns(*lengths), "first": tuple(first.tolist())}))
        proof.exactly("images_of: complete", (found.complete, len(found.sets) > n // 2), (False, True))
    for n, lengths in proof.tied(
        "words that act in 4446 and in 4488 ways, by their length", ((4446, (2, 9, 13, 19)), (4488, (8, 3, 11, 17)))
    ):
        found = Language(machine({"a": together(lengths)}))
        proof.exactly("lengths_of: undecided", stopped(Undecided, clocked.lengths_of, found), n * n > 20_000_000)
    for n, lengths in proof.tied("groups of 1980 and of 2002 elements", ((1980, (4, 9, 5, 11)), (2002, (2, 7, 11, 13)))):
        given = machine({"a": together(lengths)})
        refused = stopped(Undecided, layers_of_norm_one.bound, given, monoid_of(given), True)
        proof.exactly("layers_of_norm_one.bound: undecided", refused, n > 2000)
    budget = layers_of_norm_one._Budget()
    for products in proof.tied("products that leave a third of the budget, and do not", (7_999_999, 8_000_000)):
        proof.exactly("affords", (budget.left, budget.affords(products)), (12_000_000, products < 8_000_000))


@tie("new.automata.depth.exact")
def words_of_bounds(proof: Proof) -> None:
    """The words of elements, idempotents that are one-sided, powers that settle, by multiplying maps."""
    rng = Random(430)
    for n in proof.tied("monoids of two maps of 1 to 5 states, and of permutations beside them", (1, 2, 3, 4, 4, 5, 5)):
        rows = {"a": tuple(rng.randrange(n) for _ in range(n)), "b": tuple(rng.sample(range(n), n)), "c": (*range(1, n), 0)}
        monoid = monoid_of(machine(rows))
        maps = monoid.maps.astype(np.intp)
        letters = [monoid.word(i) for i in range(len(monoid))]
        word_of = layers_of_norm_one._words(maps, letters)
        for i in range(0, len(monoid), 1 + len(monoid) // 40):
            q = list(range(n))
            for a in word_of(maps[i]):
                q = [list(rows.values())[a][x] for x in q]
            proof.exactly("_words: a word that acts so", q, maps[i].tolist())
        few = maps[monoid.idempotents][: rng.choice((1, 3, 40))]
        pairs = list(product(few.tolist(), repeat=2))
        one_sided = all(e[f[e[x]]] == e[f[x]] for e, f in pairs for x in range(n))
        proof.exactly("_one_sided", layers_of_norm_one._one_sided(few, layers_of_norm_one._Budget()), one_sided)
    for n in proof.tied("maps of 1 to 16 states", (*POSITIVE, 15, 16)):
        drawn = [[rng.randrange(n) for _ in range(n)], [*rng.sample(range(min(n, 3)), min(n, 3)), *range(min(n, 3), n)], list(turn(n))]
        exponent = 1 << (n - 1).bit_length()
        wanted = []
        for f in drawn:
            power = list(range(n))
            for _ in range(exponent):
                power = [f[x] for x in power]
            wanted.append(power)
        proof.exactly("settled", settled(np.array(drawn), n).tolist(), wanted)


def machine(rows: Rows) -> Machine:
    """The machine of all states, whatever a smaller one may do."""
    delta = np.array(list(rows.values()))
    return Machine(tuple(rows), delta, (np.arange(delta.shape[1]) == 0).astype(int))
