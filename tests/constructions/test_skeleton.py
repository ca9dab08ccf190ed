"""Skeletons, holonomy groups, and what becomes of them where classes of equal height share positions."""

from math import prod
from random import Random

import pytest
from lemmata.constructions.automata import Automaton, compile_cascade, excluded_states, krohn_rhodes
from lemmata.constructions.automata.algebra.group_names import structure
from lemmata.constructions.automata.cascade.skeleton import skeleton
from lemmata.constructions.automata.read.families import all_automata, random_automaton
from sympy.combinatorics import Permutation, PermutationGroup

SMALL = [a for n, letters in ((1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)) for a in all_automata(n, letters)]
RANDOM = [random_automaton(Random(seed), 4 + seed % 3, 2) for seed in range(40)]

#: four states, two letters: every group in the monoid has order 1 or 2, and shared positions give S3, whose order 3 divides none of them
TWISTED = Automaton({"a": (3, 3, 3, 1), "b": (0, 2, 1, 2)})
#: OVLCOVERS and PERM2HOLNONTRIVIAL of SgpDec's bestiary, from 0 on
OVERLAPPING = Automaton({"a": (3, 2, 3, 1), "b": (0, 1, 1, 0), "c": (2, 1, 0, 0)})
PERMUTATOR = Automaton({"a": (1, 0, 3, 4, 2), "b": (0, 1, 1, 1, 1), "c": (2, 2, 2, 3, 4)})


def monoid(automaton):
    """All maps that words make."""
    found = {tuple(range(automaton.n)): None}
    waiting = list(found)
    for f in waiting:
        for images in automaton.table.values():
            g = tuple(images[q] for q in f)
            if g not in found:
                found[g] = None
                waiting.append(g)
    return list(found)


def maximal_subgroups(maps):
    """The group around each idempotent e of a monoid of maps, as permutations of e's image."""
    for e in maps:
        if all(e[e[q]] == e[q] for q in e):
            image = sorted(set(e))
            inside = (s for s in maps if all(s[q] == s[e[q]] and s[q] == e[s[q]] for q in range(len(e))))
            moves = {tuple(image.index(s[q]) for q in image) for s in inside if {s[q] for q in image} == set(image)}
            yield PermutationGroup([Permutation(list(m)) for m in sorted(moves)])


def returning(maps, tiles, X):
    """What the maps that take X to itself do to its tiles, found from the monoid alone."""
    return {tuple(tiles.index(frozenset(s[q] for q in T)) for T in tiles) for s in maps if frozenset(s[q] for q in X) == X}


def check_groups(automaton):
    """Every holonomy group is what a subgroup of the monoid does to tiles, and disjoint levels have their direct products."""
    maps = monoid(automaton)
    subgroups = list(maximal_subgroups(maps))
    cascade = krohn_rhodes(automaton, "disjoint", all_tiles=True)
    holonomy = cascade.skeleton.groups()
    for X, group in holonomy.items():
        assert {tuple(g.array_form) for g in group.elements} == returning(maps, cascade.skeleton.tiles[X], X)
        assert any(s.order() % group.order() == 0 for s in subgroups)
        assert group.is_abelian or not all(s.is_abelian for s in subgroups)
        assert group.is_solvable or not all(s.is_solvable for s in subgroups)
    for k, level in enumerate(cascade.level_groups()):
        orders = [int(g.order()) for X, g in holonomy.items() if cascade.level(X) == k]
        # a level may meet fewer of the permutations, never others
        assert prod(orders) % int(level.order()) == 0
        assert sum(len(cascade.tiles(X)) for X in holonomy if cascade.level(X) == k) == cascade.sizes[k]


def test_disjoint_levels_have_the_holonomy_groups():
    for automaton in [*SMALL, *RANDOM]:
        check_groups(automaton)


def test_disjoint_cascades_are_never_deeper_and_are_proved():
    for automaton in [*SMALL, *RANDOM]:
        reachable = automaton.reachable()
        disjoint, shared = krohn_rhodes(reachable, "disjoint", all_tiles=True), krohn_rhodes(reachable)
        assert len(disjoint.sizes) <= len(shared.sizes)
        assert len(krohn_rhodes(reachable, "disjoint").sizes) == len(shared.sizes)
        assert compile_cascade(disjoint).widths == (list(disjoint.sizes) or [1])


@pytest.mark.parametrize(
    ("automaton", "shared", "disjoint"),
    [
        (TWISTED, ["trivial", "S3"], ["trivial", "Z2 x Z2"]),
        (OVERLAPPING, ["trivial", "S3", "Z2"], ["trivial", "Z6", "Z2"]),
        (PERMUTATOR, ["trivial", "S3"], ["trivial", "Z6"]),
    ],
)
def test_shared_positions_may_generate_groups_that_the_monoid_has_not(automaton, shared, disjoint):
    assert all(g.is_abelian for g in maximal_subgroups(monoid(automaton)))
    assert [structure(g) for g in krohn_rhodes(automaton).level_groups()] == shared
    assert [structure(g) for g in krohn_rhodes(automaton, "disjoint").level_groups()] == disjoint
    assert len(krohn_rhodes(automaton, "levels").sizes) > len(krohn_rhodes(automaton, "disjoint").sizes)


def test_three_states_show_no_such_group():
    for automaton in SMALL:
        for shared, disjoint in zip(
            krohn_rhodes(automaton).level_groups(), krohn_rhodes(automaton, "disjoint").level_groups(), strict=True
        ):
            assert shared.is_abelian == disjoint.is_abelian


def test_positions_of_parallel_classes_do_not_overlap():
    cascade = krohn_rhodes(TWISTED, "disjoint")
    taken = {}
    for members in cascade.skeleton.classes:
        X = members[0]
        if len(X) > 1:
            span = set(range(cascade.first(X), cascade.first(X) + len(cascade.tiles(X))))
            assert not span & taken.setdefault(cascade.level(X), set())
            taken[cascade.level(X)] |= span
            assert [cascade.chosen(cascade.level(X), X, i) for i in sorted(span)] == list(cascade.tiles(X))
    assert [len(span) for _, span in sorted(taken.items())] == list(cascade.sizes) == [2, 5]


def test_more_tiles_than_states():
    # letters whose images are seven of the ten pairs of five states
    pairs = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (2, 4)]
    automaton = Automaton({f"{p}{q}": (p, q, p, q, p) for p, q in pairs})
    few, every = krohn_rhodes(automaton), krohn_rhodes(automaton, all_tiles=True)
    assert max(few.sizes) <= 5
    assert every.sizes[0] == 7
    assert len(few.sizes) > len(every.sizes)
    for cascade in (few, every):
        assert compile_cascade(cascade).widths == list(cascade.sizes)


def test_all_that_levels_read():
    # three states, all maps: level 0 reads each letter once, level 1 a letter between each two of the three pairs that it leads to
    cascade = excluded_states(Automaton({"turn": (1, 2, 0), "swap": (1, 0, 2), "drop": (0, 0, 2)}))
    reads = list(cascade.reads())
    assert [sum(k == level for k, *_ in reads) for level in (0, 1)] == [3, 9]
    assert len(set(reads)) == len(reads)
    assert skeleton(cascade.automaton).height[frozenset({0, 1, 2})] == 2


def test_a_single_state_that_does_not_come_back_leaves_its_class():
    found = skeleton(Automaton({"a": (1, 1)}))
    away, stays = (found.permutation(frozenset({q}), "a") for q in (0, 1))
    assert away is None
    assert stays == ()
