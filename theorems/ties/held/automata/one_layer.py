"""One layer for an automaton, row by row: divisions of its states and their preimages, copies over a small group; by sets of points, words and permutations."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations, product
from random import Random
from typing import Any

import numpy as np

from .....constructions.automata.automaton import Automaton
from .....constructions.automata.cascade.cascade import krohn_rhodes
from .....constructions.automata.choose.given import Given
from .....constructions.automata.choose.preimages import copies, preimages
from .....constructions.automata.layers import copies as over_groups
from .....constructions.automata.layers import preimages as divisions
from .....constructions.automata.layers.copies import Graph, Question, Reached
from .....constructions.automata.layers.preimages import Arrow, Held, Places, Preimage
from .....constructions.automata.levels.merged import held_layer, left_after, merged_stack
from .....constructions.automata.read import families
from ....claim import tie
from ....evidence import Proof
from ...shared import spread
from .. import hold
from .common import Images, after, generated


def window(letters: int, length: int) -> Automaton:
    """The last letters read, oldest first, as a number to the base ``letters``; at first all 0."""
    n = letters**length
    return Automaton({x: tuple((q * letters + x) % n for q in range(n)) for x in range(letters)})


def store(n: int) -> Automaton:
    """A letter for each state, which goes there, and one that keeps it."""
    return Automaton({**{x: (x,) * n for x in range(n)}, "keep": tuple(range(n))}, n - 1)


def up_and_down(n: int) -> Automaton:
    return Automaton({"up": tuple(min(q + 1, n - 1) for q in range(n)), "down": tuple(max(q - 1, 0) for q in range(n))})


def turn_and_reset(n: int) -> Automaton:
    return Automaton({"turn": tuple((q + 1) % n for q in range(n)), "reset": (n // 2,) * n}, n - 1)


def machines(seed: int) -> list[Automaton]:
    """13 to 1 states: windows, stores, circles, chains, and tables drawn at random."""
    rng = Random(seed)
    found = [window(2, 3), window(3, 2), window(2, 1), *(make(n) for n in (13, 9, 5, 3, 2) for make in (store, turn_and_reset))]
    found += [up_and_down(n) for n in (6, 4, 2)]
    found += [families.random_automaton(rng, n, k) for n in (7, 5, 4, 3, 2, 1) for k in (1, 2)]
    return sorted(found, key=lambda a: -a.n)


# -- divisions ------------------------------------------------------------------------------------------------------------------


def sides(part: int, points: int) -> list[bool]:
    """For each point whether it is in a part that is given by bits."""
    return [text == "1" for text in reversed(f"{part:0{points}b}")]


def bits(chosen: Sequence[bool]) -> int:
    return sum(2**i for i, one in enumerate(chosen) if one)


def oriented(chosen: Sequence[bool]) -> tuple[int, int]:
    """The part that has the first point, and whether that is the one given."""
    return (bits(chosen), 1) if chosen[0] else (bits([not one for one in chosen]), -1)


def read_backwards(arrow: Arrow, part: int) -> Preimage:
    """By the side on which each point's image lies."""
    points = max((part.bit_length(), *(j + 1 for j in arrow.images)))
    here = [sides(part, points)[j] for j in arrow.images]
    found, sign = oriented(here)
    return Preimage(None if len(set(here)) == 1 else (arrow.before, found), sign)


def points_with_letters(automaton: Automaton) -> Places:
    rows = automaton.table.items()
    points = spread([(automaton.start, None)], lambda point: [(row[point[0]], tuple(row)) for _, row in rows])
    arrows = [Arrow(x, None, None, tuple(points.index((row[q], tuple(row))) for q, _ in points)) for x, row in rows]
    return Places({None: tuple(q for q, _ in points)}, arrows, (None, 0))


def closed_families(places: Places) -> set[frozenset[Any]]:
    """What one division becomes, read backwards, for each one that is looked at; where none has two with one preimage."""
    found = set()
    for p, states in places.states.items():
        n = len(states)
        parts = range(1, 2**n - 1, 2) if n <= 8 else _split_off(states)
        for part in parts:

            def before(division: Any) -> list[Any]:
                arrows = [arrow for arrow in places.arrows if arrow.after == division[0]]
                return [one.division for one in (read_backwards(arrow, division[1]) for arrow in arrows) if one.division is not None]

            family = spread([(p, part)], before)
            columns: dict[Any, list[Any]] = {}
            for place, chosen in family:
                for arrow in {(a.before, a.images): a for a in places.arrows if a.after == place}.values():
                    one = read_backwards(arrow, chosen).division
                    if one is not None:
                        columns.setdefault((place, arrow.before, arrow.images), []).append(one)
            if len(family) <= 64 and all(len(set(column)) == len(column) for column in columns.values()):
                found.add(frozenset(family))
    return found


def _split_off(states: Sequence[int]) -> list[int]:
    n = len(states)
    chosen = [[q == state for q in states] for state in set(states)] + [[i == j for i in range(n)] for j in range(n)]
    return [oriented(one)[0] for one in chosen if any(one) and not all(one)]


@tie("new.automata.preimages")
def divisions_of_states(proof: Proof) -> None:
    """Places, arrows, preimages and closed families of 13 to 1 states, by the sides on which points lie."""
    rng = Random(571)
    given = machines(572)
    hold(proof, "states at one place", divisions.one_place, _one_place, [(a,) for a in given])
    hold(proof, "states with the last letter", divisions.with_last_letter, points_with_letters, [(a,) for a in given])
    rows = [(bits(chosen), n) for n in (13, 12, 9, 7, 5, 3, 2, 1) for chosen in [[rng.random() < 0.5 for _ in range(n)] for _ in range(9)]]
    hold(proof, "parts of 13 to 1 points", divisions.divided, lambda part, n: oriented(sides(part, n)), rows)
    arrows = [(Arrow(x, "p", "q", tuple(rng.randrange(n) for _ in range(n))), n) for n in (13, 9, 7, 4, 3, 2, 1) for x in (-2, "a", 5)]
    inputs = [(arrow, oriented([rng.random() < 0.5 for _ in range(n)])[0]) for arrow, n in arrows for _ in range(4)]
    hold(proof, "preimages under 13 to 1 images", divisions.preimage, read_backwards, inputs)
    for automaton in proof.tied("13 to 1 states, at one place and with the last letter", given):
        for places in (divisions.one_place(automaton), divisions.with_last_letter(automaton)):
            if len(places.states[None]) > 14:
                continue
            into = {(arrow.before, arrow.images) for arrow in places.arrows}

            proof.exactly("into", {(a.before, a.images) for a in places.into[None]}, into)
            proof.exactly("into: how many", len(places.into[None]), len(into))
            found = divisions.families(places, divisions._Preimages(places))
            proof.exactly("families", {frozenset(family) for family in found}, closed_families(places))
            proof.exactly("families: each once", len(found), len({frozenset(family) for family in found}))


def _one_place(automaton: Automaton) -> Places:
    arrows = [Arrow(x, None, None, tuple(row)) for x, row in automaton.table.items()]
    return Places({None: tuple(q for q in range(automaton.n))}, arrows, (None, automaton.start))


def narrowed(automaton: Automaton) -> list[Places]:
    """One place, and what each level of the cascades leaves."""
    found = [divisions.one_place(automaton)]
    if automaton.n > 5:
        return found
    for how in ("shared", "levels"):
        cascade = krohn_rhodes(automaton, how)
        found += [left_after(cascade, k) for k in range(len(cascade.sizes))]
    return found


def value(held: Held, bundle: int, division: Any, point: int) -> int:
    """1 or -1 for each digit, the first one the least."""
    digits = [(division, 1)] + [digit.beside[division] for digit in held.bundles[bundle].others]
    return sum(2**k * sign * (1 if sides(part, 64)[point] else -1) for k, ((_, part), sign) in enumerate(digits))


@tie("new.automata.preimages")
def what_layers_hold(proof: Proof) -> None:
    """Columns, maps and numbers of coordinates on each arrow and point; layers on random words; that no family can be left out."""
    rng, seen = Random(573), 0
    for automaton in proof.tied("13 to 1 states, at one place and above levels", machines(574)):
        for places in narrowed(automaton):
            held = divisions.held(places)
            apart = closed_families(places) if sum(map(len, places.states.values())) <= 12 else None
            if held is None:
                proof.exactly("held: states that no family tells apart", apart is None or not _tell_apart(places, apart), True)
                continue
            seen += 1
            taken = [[(d, 1) for d in bundle.first] for bundle in held.bundles]
            taken += [list(digit.beside.values()) for bundle in held.bundles for digit in bundle.others]
            rest = [frozenset(d for d, _ in family) for family in taken]
            proof.exactly("chosen: they tell all states apart", _tell_apart(places, rest), True)
            if apart is not None:
                proof.exactly("chosen: families", set(rest) <= apart, True)
            proof.exactly("chosen: all are needed", any(_tell_apart(places, rest[:i] + rest[i + 1 :]) for i in range(len(rest))), False)
            proof.exactly("digits of a number", all(len(bundle.others) < 7 for bundle in held.bundles), True)
            numbers = {p: sorted(c.values()) for p, c in held.coordinates.items()}
            proof.exactly("coordinates: places", set(numbers), set(places.states))
            proof.exactly("coordinates: each division", {p: len(c) for p, c in numbers.items()}, _counts(held, places))
            proof.exactly("coordinates: different numbers", [c for c in numbers.values() if len(set(c)) < len(c)], [])
            proof.exactly("width", held.width, max(1, *(max(c, default=0) + 1 for c in numbers.values())))
            for p, states in places.states.items():
                for i in range(len(states)):
                    column = [0] * held.width
                    for (bundle, division), c in held.coordinates[p].items():
                        column[c] = value(held, bundle, division, i)
                        proof.exactly("value", held.value(bundle, division, i), column[c])
                    proof.exactly("column", held.column(p, i)[:, 0].tolist(), column)
                    proof.exactly("state", held.state[p, tuple(held.column(p, i)[:, 0].tolist())], states[i])
            for arrow in places.arrows:
                A, B = held.maps(arrow)
                for i, j in enumerate(arrow.images):
                    proof.exactly("maps", (A @ held.column(arrow.before, i) + B).tolist(), held.column(arrow.after, j).tolist())
                proof.exactly("maps: one entry in a column, 1 or -1", [c for c in A.T if sum(abs(x) for x in c) > 1], [])
                proof.exactly(
                    "maps: inputs fill empty rows", [r for r, row in enumerate(A) if any(x != 0 for x in row) and B[r, 0] != 0], []
                )
            if places.start == (None, automaton.start):
                layer = held_layer(automaton, held)
                word = [rng.choice(automaton.letters) for _ in range(40)]
                proof.exactly("held_layer", layer.run(word), automaton.run(word))
    for count in proof.tied("layers that there are", [seen]):
        proof.holds("many", count > 40)


def _tell_apart(places: Places, chosen: Any) -> bool:
    """Whether at each place the divisions of these families tell points of different states apart."""
    for p, states in places.states.items():
        parts = [sides(part, len(states)) for family in chosen for q, part in family if q == p]
        rows: dict[Any, set[int]] = {}
        for i, state in enumerate(states):
            rows.setdefault(tuple(part[i] for part in parts), set()).add(state)
        if any(len(row) > 1 for row in rows.values()):
            return False
    return True


def _counts(held: Held, places: Places) -> dict[Any, int]:
    return {p: sum(division[0] == p for bundle in held.bundles for division in bundle.first) for p in places.states}


@tie("new.automata.preimages")
def levels_that_are_merged(proof: Proof) -> None:
    """The levels that a cascade has left, by its narrowed sets; merged stacks on random words; candidates, named and not."""
    rng, merged = Random(575), 0
    for automaton in proof.tied("13 to 2 states", [a for a in machines(576) if a.n > 1]):
        for given in (Given(automaton), Given(automaton, "preimages")):
            held = divisions.held(divisions.one_place(automaton))
            found = list(preimages(given))
            resets = any(len(set(row)) < automaton.n for row in automaton.table.values())
            if not (given.named or resets):
                proof.exactly("preimages: letters that permute, not named", found, [])
            elif held is not None and given.held is not None:
                (one,) = found
                proof.exactly(
                    "preimages: one layer",
                    (one.construction, one.widths, one.margin, one.cascade),
                    ("preimages", (given.held.width,), 1.0, None),
                )
            for one in found:
                stack = one.stack()
                word = [rng.choice(automaton.letters) for _ in range(40)]
                proof.exactly("widths", [len(layer.initial) for layer in stack.layers], list(one.widths))
                proof.exactly("stack", stack.run(word), automaton.run(word))
                if one.cascade is not None:
                    merged += 1
                    k = len(one.widths) - 1
                    earlier = [divisions.held(left_after(one.cascade, j)) for j in range(1, k)]
                    proof.exactly("preimages: the fewest levels", [e for e in earlier if e], [])
                    last = divisions.held(left_after(one.cascade, k))
                    proof.exactly("merged_stack", last and merged_stack(one.cascade, k, last).run(word), automaton.run(word))
        cascade = krohn_rhodes(automaton)
        for k in range(1, len(cascade.sizes)):
            places = left_after(cascade, k)
            proof.exactly("left_after: sets of states", [s for p, s in places.states.items() if list(s) != sorted(p)], [])
            for arrow in places.arrows:
                row = automaton.table[arrow.letter]
                wanted = [sorted(arrow.after).index(row[q]) for q in sorted(arrow.before)]
                proof.exactly("left_after: images", list(arrow.images), wanted)
            p, i = places.start
            proof.exactly("left_after: start", places.states[p][i], automaton.start)
    for count in proof.tied("stacks whose last levels are one layer", [merged]):
        proof.holds("are some", count > 3)


# -- copies over a group ----------------------------------------------------------------------------------------------------------


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
    given = machines(579) + [Automaton({x: (x, x) for x in (0, 1)} | {"swap": (1, 0)}), Automaton({0: (0, 0), "swap": (1, 0)}, 1)]
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
