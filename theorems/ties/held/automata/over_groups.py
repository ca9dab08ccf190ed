"""One layer from the order of last uses, row by row: copies over a small group, heads in which letters overwrite each other, widths; by words and permutations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from random import Random
from typing import Any

import numpy as np

from .....constructions.automata.automaton import Automaton
from .....constructions.automata.choose.given import Given
from .....constructions.automata.choose.preimages import copies
from .....constructions.automata.layers import copies as over_groups
from .....constructions.automata.layers.copies import Graph, Question, Reached
from .....constructions.languages import paired_heads, width
from ....claim import tie
from ....evidence import Proof
from ...shared import spread
from .. import POSITIVE, hold, hold_refusals
from .common import Images, after, generated, power
from .divided import machines, turn_and_reset, window


def alike(first: Sequence[Images], second: Sequence[Images], order: int) -> bool:
    """Whether generators of two groups of one order correspond: pairs generate no more elements than either."""
    d = len(first[0])
    both = [(*g, *(d + j for j in h)) for g, h in zip(first, second, strict=True)]
    return len(generated(both)) == order


def choices(actions: int) -> list[tuple[int, tuple[Images, ...]]]:
    """(order, permutations of at most four points), of those that correspond the first; small groups first."""
    found: list[tuple[int, tuple[Images, ...]]] = []
    for degree in (1, 2, 3, 4):
        some = list(permutations(range(degree)))
        if len(some) ** actions > 600:
            continue
        for letters in product(some, repeat=actions):
            order = len(generated(letters))
            if order <= 8 and not any(order == n and alike(letters, known, n) for n, known in found):
                found.append((order, letters))
    return sorted(found, key=lambda one: one[0])


@tie("new.automata.copies")
def groups_and_their_edges(proof: Proof) -> None:
    """Groups of one to three letters, their edges as seen from each element, translates, and all orders of last uses."""
    for actions in proof.tied("one to three letters", (3, 2, 1)):
        found, wanted = over_groups.graphs(actions), choices(actions)
        proof.exactly("graphs", [graph.generators for graph in found], [letters for _, letters in wanted])
        proof.exactly("graphs: orders", [len(graph.elements) for graph in found], [order for order, _ in wanted])
    rng = Random(577)
    several = [graph for actions in (3, 2, 1) for graph in over_groups.graphs(actions)]
    for graph in proof.tied("groups of eight elements to one", sorted(several, key=lambda g: -len(g.elements))):
        elements, letters = graph.elements, graph.generators
        number = {g: i for i, g in enumerate(elements)}
        proof.exactly("elements", set(elements), generated(letters))
        proof.exactly("elements: the first", elements[0], tuple(range(len(letters[0]))))
        proof.exactly("after", graph.after, tuple(tuple(number[after(x, g)] for x in letters) for g in elements))
        edges = list(product(range(len(elements)), range(len(letters))))
        proof.exactly("edges", graph.edges, edges)
        for _ in range(3):
            T = frozenset(rng.sample([*edges, over_groups.MARK], rng.randint(1, len(edges))))
            seen = [_seen(graph, g, T) for g in range(len(elements))]
            proof.exactly("seen_from", [graph.seen_from(g, T) for g in range(len(elements))], seen)
            proof.exactly("back", [graph.back(T, a) for a in range(len(letters))], [seen[number[x]] for x in letters])
            moved = spread([T], lambda R, graph=graph: [_seen(graph, graph.after[0][a], R) for a in range(len(graph.generators))])
            proof.exactly("translates", graph.translates(T), moved)
            for turns in (False, True):
                question = Question(moved, turns)
                proof.exactly("width", [question.width(k) for k in (0, 5)], [0, 5] if turns else [len(moved)] * 2)
                labels = [{e: e if turns else (_seen(graph, e[0], R), e[1]) for e in R if e[1] >= 0} for R in moved]
                proof.exactly("labels", question.labels(graph), labels)
    for graph in proof.tied("groups with at most four edges", [g for g in several if len(g.elements) * len(g.generators) <= 4]):
        for table in _tables(len(graph.generators)):
            proof.exactly("reached", _as_set(over_groups.reached(table, 0, graph)), _by_words(table, graph))


def _seen(graph: Graph, g: int, T: frozenset[Any]) -> frozenset[Any]:
    """The edges that lie in T once g was multiplied before them."""
    number = {x: i for i, x in enumerate(graph.elements)}
    actions = {a for _, a in T}
    moved = {h: number[after(graph.elements[h], graph.elements[g])] for h in range(len(graph.elements))}
    return frozenset((h, a) for h in moved for a in actions if (moved[h], a) in T)


def _tables(letters: int) -> list[list[Images]]:
    return [[rows[i] for i in chosen] for rows in ([(0, 0), (1, 1), (0, 1), (1, 0)],) for chosen in product(range(4), repeat=letters)]


def _by_words(table: Sequence[Images], graph: Graph) -> set[Reached] | None:
    """What all words of up to 8 letters, of three letters up to 6, lead to; None if two lead to one product and order, and to different states."""
    number = {x: i for i, x in enumerate(graph.elements)}
    found: dict[Any, int] = {}
    for length in range(9 if len(table) < 3 else 7):
        for word in product(range(len(table)), repeat=length):
            q, g, uses = 0, graph.elements[0], []
            for a in word:
                uses.append((number[g], a))
                q, g = table[a][q], after(graph.generators[a], g)
            order = tuple(dict.fromkeys(reversed(uses)))
            if found.setdefault((number[g], order), q) != q:
                return None
    return {Reached(g, order, q) for (g, order), q in found.items()}


def _as_set(found: list[Reached] | None) -> set[Reached] | None:
    return None if found is None else set(found)


def one_sided(table: Sequence[Images]) -> bool:
    """e f e = f e for what words of up to three letters become when they are repeated often."""
    n = len(table[0])
    powers = set()
    for length in (1, 2, 3):
        for word in product(table, repeat=length):
            f = tuple(range(n))
            for row in word:
                f = after(row, f)
            g = f
            while after(g, g) != g:
                g = after(f, g)
            powers.add(g)
    # e first, then f, then e: the same as f and then e
    return all(after(e, after(f, e)) == after(e, f) for e, f in product(powers, repeat=2))


@tie("new.automata.copies")
def layers_of_copies(proof: Proof) -> None:
    """Whether idempotents are one-sided, for 13 to 1 states; layers on random words, their questions, their candidates, named and not."""
    rng, seen = Random(578), 0
    given = [*machines(579), Automaton({x: (x, x) for x in (0, 1)} | {"swap": (1, 0)}), Automaton({0: (0, 0), "swap": (1, 0)}, 1)]
    hold(proof, "13 to 1 states", over_groups.one_sided, one_sided, [(list(a.table.values()),) for a in given])
    few = [a for a in given if len(a.letters) < 3 or a.n == 2]
    for automaton in proof.tied("13 to 1 states and two letters, two states and three", few):
        rows = list(dict.fromkeys(map(tuple, automaton.table.values())))
        found = over_groups.copies_layer(automaton)
        graphs = over_groups.graphs(len(rows)) if len(rows) <= 3 and one_sided(rows) else []
        group = next((graph for graph in graphs if over_groups.reached(rows, automaton.start, graph) is not None), None)
        proof.exactly("copies_layer: a group serves", found is not None, group is not None)
        ways = [list(copies(Given(automaton, how))) for how in ("copies", "best")]
        proof.exactly("copies: named", len(ways[0]), int(found is not None))
        asked = len(set(map(len, map(set, rows)))) > 1 or any(len(set(row)) < automaton.n for row in rows)
        proof.exactly("copies: not named", len(ways[1]), int(found is not None and asked and Given(automaton).held is None))
        if found is None or group is None:
            continue
        seen += 1
        width, layer = found
        word = [rng.choice(automaton.letters) for _ in range(60)]
        proof.exactly("width", width, len(layer.initial))
        proof.exactly("copies_layer", layer.run(word), automaton.run(word))
        proof.exactly(
            "candidate",
            [(c.construction, c.widths, c.margin) for way in ways for c in way],
            [("copies", (width,), 0.5)] * sum(map(len, ways)),
        )
        proof.exactly("candidate: the stack", [c.stack().run(word) for c in ways[0]], [automaton.run(word)])
        for x in automaton.letters:
            A = np.abs(layer.transition(x))
            proof.exactly("rows and columns with one entry", max([0, *A.sum(axis=0), *A.sum(axis=1)]) <= 1, True)
        met = over_groups.reached(rows, automaton.start, group) or []
        turning = len(over_groups._turning(group)[1])
        questions = over_groups.chosen_questions(group, turning, met) or []
        told = lambda some, met=met, graph=group: _told(graph, some, met)  # noqa: E731
        proof.exactly("chosen_questions: they tell the states", told(questions), True)
        proof.exactly(
            "chosen_questions: all are needed", any(told([*questions[:i], *questions[i + 1 :]]) for i in range(len(questions))), False
        )
        proof.exactly("width: of the questions", width, turning + sum(turning if q.turns else len(q.translates) for q in questions))
    for count in proof.tied("layers that there are", [seen]):
        proof.holds("many", count > 5)


def _told(graph: Graph, questions: Sequence[Question], met: Sequence[Reached]) -> bool:
    """Whether the product and the last edge of each translate, as the layer knows it, have one state."""
    found: dict[Any, int] = {}
    for one in met:
        answers: list[Any] = []
        for question in questions:
            for R in question.translates:
                last = next((e for e in one.order if e in R), None)
                answers.append(last if last is None or question.turns else (_seen(graph, last[0], R), last[1]))
        if found.setdefault((one.element, *answers), one.state) != one.state:
            return False
    return True


# -- heads, and widths ------------------------------------------------------------------------------------------------------------


def classes_of(m: int) -> list[tuple[int, ...]]:
    """Letters a and b share a coordinate of head c if a + b = c modulo m; coordinates are numbered by their least letters."""
    found = []
    for c in range(m):
        least = [min(b for b in range(m) if b == a or (a + b) % m == c) for a in range(m)]
        found.append(tuple(sorted(set(least)).index(b) for b in least))
    return found


def ways_to_write(m: int) -> list[tuple[int, ...]]:
    """Each letter writes one of m coordinates or none; coordinates are numbered as they occur."""
    kept = []
    for head in product(range(-1, m), repeat=m):
        met = list(dict.fromkeys(c for c in head if c >= 0))
        if met == list(range(len(met))):
            kept.append(head)
    return kept


def last_of_each(head: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    latest = {head[x]: x for x in order}
    return tuple(latest.get(c, -1) for c in range(max([-1, *head]) + 1))


def orders_of(m: int) -> Iterator[tuple[int, ...]]:
    return (p for k in range(1, m + 1) for p in permutations(range(m), k))


def told_apart(m: int, heads: Sequence[Sequence[int]]) -> bool:
    known: dict[Any, tuple[int, ...]] = {}
    return all(known.setdefault((p[-1], *(last_of_each(h, p) for h in heads)), p) == p for p in orders_of(m))


def _fewest(m: int, most: int) -> int | None:
    heads = ways_to_write(m)
    for k in range(most + 1):
        if any(told_apart(m, some) for some in combinations(heads, k)):
            return k
    return None


@tie("new.automata.one-layer.one-factor-heads")
def heads_of_one_factor(proof: Proof) -> None:
    """Heads of 1 to 13 letters; all ways to write for up to four; the fewest for up to three; layers of up to five letters on random words."""
    rng = Random(580)
    hold(proof, "1 to 13 letters", paired_heads.paired_heads, classes_of, [(m,) for m in POSITIVE])
    hold(proof, "0 to 4 letters", lambda m: list(paired_heads.all_heads(m)), ways_to_write, [(m,) for m in range(5)], "all_heads")
    orders = [tuple(rng.sample(range(13), k)) for k in (13, 12, 9, 7, 5, 3, 2, 1, 0)]
    hold(proof, "up to 13 letters", paired_heads.order_after, _after, [(p, x) for p in orders for x in (0, 12, *p[:2])])
    heads = [tuple(rng.choice((-1, 0, 1, 2, 5)) for _ in range(13)) for _ in range(6)] + [(-1,) * 13, tuple(range(13))]
    hold(proof, "up to 13 letters, a head of each kind", paired_heads.memory, last_of_each, [(h, p) for h in heads for p in orders])
    hold(proof, "no letter", paired_heads.memory, last_of_each, [((), ())])
    some = [(m, classes_of(m)[:k]) for m in (5, 4, 3, 2, 1) for k in range(m + 1)]
    some += [(3, rng.sample(ways_to_write(3), k)) for k in (1, 1, 2, 2, 2, 3, 3)] + [
        (4, rng.sample(ways_to_write(4), k)) for k in (2, 3, 4, 5)
    ]
    hold(proof, "1 to 5 letters", paired_heads.separate, told_apart, some)
    hold(proof, "1 to 3 letters", paired_heads.fewest_heads, _fewest, [(m, most) for m in (1, 2, 3) for most in (0, 1, 2, 3)])
    for m, chosen in proof.tied("layers of 1 to 5 letters", some):
        layer = paired_heads.layer_of_heads(m, chosen)
        proof.exactly("layer_of_heads: width", len(layer.initial), sum(max([-1, *head]) + 1 for head in chosen))
        seen: dict[Any, list[tuple[int, ...]]] = {}
        for p in orders_of(m):
            seen.setdefault((p[-1], *(last_of_each(h, p) for h in chosen)), []).append(p)
        word, order, wanted = [rng.randrange(m) for _ in range(30)], (), []
        for x in word:
            order = _after(order, x)
            alike = seen[order[-1], *(last_of_each(h, order) for h in chosen)]
            wanted.append(alike[0] if len(alike) == 1 else None)
        proof.exactly("layer_of_heads", layer.run(word), wanted)


def _after(order: Sequence[int], letter: int) -> tuple[int, ...]:
    return tuple([x for x in order if x != letter] + [letter])


def least_dimension(period: int) -> int:
    """Over all sets of divisors whose least common multiple is the period, the least sum of the numbers of units."""
    units = {d: sum(np.gcd(k, d) == 1 for k in range(1, d + 1)) for d in range(2, period + 1) if period % d == 0}
    some = [chosen for k in range(4) for chosen in combinations(units, k) if int(np.lcm.reduce([1, *chosen])) == period]
    return min(int(sum(units[d] for d in chosen)) for chosen in some)


def longest(automaton: Automaton) -> int:
    """By following each state under each element of the monoid until a state comes twice."""
    n = automaton.n
    rows = list(automaton.table.values())
    best = 0
    for f in spread([tuple(range(n))], lambda g: [after(row, g) for row in rows]):
        for q in range(n):
            path = [q]
            while (new := f[path[-1]]) not in path:
                path.append(new)
            t = path.index(new)
            best = max(best, t + least_dimension(len(path) - t))
    return best


@tie("new.automata.one-layer.width")
def widths_of_one_layer(proof: Proof) -> None:
    """Periods up to 60, by all sets of divisors; windows, circles with resets, chains and random tables of 13 states to one, by all elements."""
    hold(proof, "periods 1 to 60", width.rational_width, least_dimension, [(p,) for p in range(1, 61)])
    hold_refusals(proof, "no period", [(width.rational_width, (p,)) for p in (0, -1, -6)])
    given = [a for a in machines(581) if a.n > 6 or a.n < 5] + [turn_and_reset(12), window(2, 2)]
    hold(
        proof,
        "13 to 1 states, of which some are not reached",
        width.width_of_one_layer,
        lambda a: longest(_reached(a)),
        [(a,) for a in given if a.n < 5 or len(a.letters) < 3],
    )
    for rows in proof.tied("permutations of 13 points", [(1, 2, 0, 4, 5, 6, 3, 8, 9, 10, 11, 7, 12), power((*range(1, 13), 0), 5)]):
        proof.exactly("width_of_one_layer", width.width_of_one_layer(Automaton({"a": rows})), longest(_reached(Automaton({"a": rows}))))


def _reached(automaton: Automaton) -> Automaton:
    states = spread([automaton.start], lambda q: [row[q] for row in automaton.table.values()])
    return Automaton({x: tuple(states.index(row[q]) for q in states) for x, row in automaton.table.items()})
