"""One layer that holds divisions of the states, row by row: their preimages by the sides on which points lie, layers and stacks on random words."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from .....constructions.automata.automaton import Automaton
from .....constructions.automata.cascade.cascade import krohn_rhodes
from .....constructions.automata.choose.given import Given
from .....constructions.automata.choose.preimages import preimages
from .....constructions.automata.layers import preimages as divisions
from .....constructions.automata.layers.preimages import Arrow, Held, Places, Preimage
from .....constructions.automata.levels.merged import held_layer, left_after, merged_stack
from .....constructions.automata.read import families
from ....claim import tie
from ....evidence import Proof
from ...shared import spread
from .. import hold


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
            proof.exactly("left_after: sets of states", [s for p, s in places.states.items() if list(s) != _members(p)], [])
            for arrow in places.arrows:
                row = automaton.table[arrow.letter]
                wanted = [_members(arrow.after).index(row[q]) for q in _members(arrow.before)]
                proof.exactly("left_after: images", list(arrow.images), wanted)
            p, i = places.start
            proof.exactly("left_after: start", places.states[p][i], automaton.start)
    for count in proof.tied("stacks whose last levels are one layer", [merged]):
        proof.holds("are some", count > 3)


def _members(X: Any) -> list[int]:
    """A set of states, the least first."""
    return sorted(X)
