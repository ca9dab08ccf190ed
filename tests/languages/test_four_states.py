"""What decides automata of four states: sets of maps against definitions, loops against machines that are run, and the lists that are kept."""

from itertools import combinations_with_replacement, permutations, product
from math import gcd
from pathlib import Path
from random import Random

import numpy as np
import pytest
from lemmata.constructions.automata import Automaton
from lemmata.constructions.languages.two_layers import last_uses, two_layers, upper_layer_exists
from lemmata.theorems.automata import layers_of_four_states_found as found
from lemmata.theorems.automata.layers_of_four_states import (
    COUNTS,
    LOOPS,
    METHODS,
    OPEN,
    contents_bound,
    decided,
    foldings_bound,
    machines,
    maps,
    smallest_open,
)
from lemmata.theorems.automata.layers_of_four_states_search import Found, Search, written
from lemmata.theorems.automata.loops_of_maps import shapes, start_with_two_layers, turns_for_two_layers
from lemmata.theorems.automata.small_semigroups import (
    around,
    conjugates,
    least_names,
    maps_of,
    one_sided,
    packed,
    read,
    semigroups,
    spelled,
    starts,
    up_to_names,
    within,
)


def generated(letters):
    """All products of one map or more."""
    found = new = set(letters)
    while new:
        new = {tuple(g[x] for x in f) for f in new for g in letters} - found
        found = found | new
    return found


def renamed(f, p):
    """State q is called p[q]."""
    back = {p[q]: q for q in range(len(p))}
    return tuple(p[f[back[q]]] for q in range(len(p)))


def as_maps(n, row):
    return {tuple(maps_of(n).images[f].tolist()) for f in np.flatnonzero(row)}


@pytest.mark.parametrize("letters", [1, 2])
def test_automata_up_to_names_by_definition(letters):
    wanted = []
    for chosen in combinations_with_replacement(product(range(3), repeat=3), letters):
        least = min(tuple(sorted(renamed(f, p) for f in chosen)) for p in permutations(range(3)))
        reached = [{q} | {f[q] for f in generated(chosen)} for q in range(3)]
        if least == chosen and any(len(states) == 3 for states in reached):
            wanted.append((list(chosen), [len(states) == 3 for states in reached]))
    rows = up_to_names(3, letters)
    assert [maps(3, row) for row in rows.tolist()] == [chosen for chosen, _ in wanted]
    assert starts(3, rows).tolist() == [leads for _, leads in wanted]


def test_semigroups_and_their_classes_by_definition():
    rng = np.random.default_rng(5)
    rows = rng.integers(256, size=(40, 3))
    sets = semigroups(4, rows)
    for row, letters in zip(sets, rows.tolist(), strict=True):
        assert as_maps(4, row) == generated(maps(4, letters))
        elements = [as_maps(4, row), {f for f in as_maps(4, row) if all(f[q] == f[f[q]] for q in range(4))}]
        sided = all(e[f[e[q]]] == e[f[q]] for e in elements[1] for f in elements[1] for q in range(4))
        assert one_sided(4, np.flatnonzero(row)) == sided
    # two sets are of one class exactly if renaming points turns one into the other
    named = np.vstack([sets[:6], sets[:6]])
    named[:6] = 0
    for i in range(6):
        named[i, maps_of(4).renamed[7 * i % 24][np.flatnonzero(sets[i])]] = True
    kept, which = least_names(4, named)
    assert which[:6].tolist() == which[6:].tolist()
    assert len(kept) == len({frozenset(map(bytes, conjugates(4, np.flatnonzero(row).tolist()))) for row in sets[:6]})


def test_inclusion_under_names_by_definition():
    sets = semigroups(3, up_to_names(3, 2))
    rng = Random(8)
    for i in rng.sample(range(len(sets)), 8):
        names = [{renamed(f, p) for f in as_maps(3, sets[i])} for p in permutations(range(3))]
        elements = np.flatnonzero(sets[i]).tolist()
        others = [as_maps(3, row) for row in sets]
        assert within(3, packed(sets), elements).tolist() == [any(other <= larger for larger in names) for other in others]
        assert around(3, packed(sets), elements).tolist() == [any(other >= smaller for smaller in names) for other in others]


def test_loops_are_those_of_machines_that_are_run():
    rng = Random(9)
    answers = set()
    for row in rng.sample(up_to_names(4, 2).tolist(), 40):
        letters = list(dict.fromkeys(row))
        automaton = Automaton(dict(enumerate(maps(4, letters))), int(np.flatnonzero(starts(4, np.array([letters]))[0])[0]))
        for points, turns in shapes(len(letters), 2):
            moves = {x: tuple((i + turn) % points for i in range(points)) for x, turn in enumerate(turns)}
            exists = start_with_two_layers(4, letters, turns, points, [automaton.start]) is not None
            assert exists == upper_layer_exists(automaton, *last_uses(moves)), (letters, turns)
            answers.add((points, exists))
    assert len(answers) == 4


def test_turns_that_generate_the_group():
    assert list(shapes(1, 3)) == [(1, (0,)), (2, (1,)), (3, (1,)), (3, (2,))]
    assert all(gcd(points, *turns) == 1 for points, turns in shapes(3, 4))


def test_a_search_on_three_states_finds_two_layers_for_all():
    search = Search(3, 2)
    two, lines = search.two_layers()
    assert all(two[i] for i in search.order)
    assert 0 < len(lines) < len(search.order)
    for line in lines:
        *words, points, turns = line.split()
        (letters,) = read(3, " ".join(words))
        assert spelled(3, letters) == " ".join(words)
        assert turns_for_two_layers(3, letters) == (int(points), tuple(map(int, turns)))
        assert two_layers(Automaton(dict(enumerate(maps(3, letters)))), int(points)) is not None or not starts(3, np.array([letters]))[0, 0]


def test_the_lists_are_no_longer_than_they_must_be():
    kept = [m.letters for m in machines()]
    rows = np.array([[*letters, letters[-1], letters[-1]][:3] for letters in kept])
    sets = semigroups(4, rows)
    for row in sets[:: len(sets) // 20]:
        assert within(4, packed(sets), np.flatnonzero(row).tolist()).sum() == 1
    for text, least in ((found.CONTENTS, contents_bound), (found.FOLDINGS, foldings_bound)):
        lines = list(read(4, text))
        assert least(4, lines[0]) == 3
        assert len({tuple(letters) for letters in lines}) == len(lines)


def test_the_file_is_as_it_is_written():
    parts = [[" ".join(line.split()) for line in text.split(",")] for text in (found.TWO, found.CONTENTS, found.FOLDINGS)]
    assert written(Found(*parts)) == Path(found.__file__).read_text(encoding="utf-8")


def test_two_letters_are_counted_and_the_smallest_open_one_is_open():
    assert tuple(decided(2).counts().values()) == COUNTS[2]
    letters = smallest_open(2)
    known = decided(2)
    (place,) = [i for i, row in enumerate(known.rows.tolist()) if row == letters]
    assert METHODS[known.method[place]] == OPEN
    assert (contents_bound(4, letters), foldings_bound(4, letters)) == (2, 2)
    two = [i for i in range(0, len(known.rows), 60) if METHODS[known.method[i]] == LOOPS]
    assert all(contents_bound(4, list(dict.fromkeys(known.rows[i].tolist()))) == 2 for i in two)
