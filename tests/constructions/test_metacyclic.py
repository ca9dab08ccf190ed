"""Metacyclic groups and the polygons that track them."""

import pytest
from lemmata.constructions import householder
from lemmata.constructions.automata.layers.covers import cover_layer
from lemmata.constructions.automata.layers.metacyclic import Metacyclic, metacyclic_by_polygons
from lemmata.constructions.householder import compose

GROUPS = [Metacyclic(4, 2, 3, 2), Metacyclic(5, 4, 2, 0), Metacyclic(7, 3, 2, 0), Metacyclic(9, 6, 2, 0), Metacyclic(8, 4, 3, 4)]


@pytest.mark.parametrize("group", GROUPS)
def test_the_relations_hold(group):
    a, b = group.permutation((1, 0)), group.permutation((0, 1))

    def power(g, k):
        found = tuple(range(len(g)))
        for _ in range(k):
            found = compose(g, found)
        return found

    assert power(b, group.s) == power(a, group.t)
    assert compose(b, a) == compose(power(a, group.u), b)
    assert power(a, group.m) == power(b, group.period) == tuple(range(group.m * group.s))
    assert group.permutation(group.times((1, 1), (2, 1))) == compose(group.permutation((1, 1)), group.permutation((2, 1)))


@pytest.mark.parametrize("group", GROUPS)
def test_letters_take_as_many_reflections_as_the_formula_says(group):
    tracked = metacyclic_by_polygons(group)
    for g in group.elements[1:]:
        A, _ = tracked.maps[group.permutation(g)]
        assert len(householder.reflections(A)) == group.factors(g), g


def test_a_layer_follows_a_word():
    group = Metacyclic(5, 4, 2, 0)
    tracked = metacyclic_by_polygons(group)
    letters = sorted(tracked.elements)
    word = [letters[(5 * t * t + t // 3) % len(letters)] for t in range(30)]
    expected, g = [], tracked.identity
    for x in word:
        g = compose(x, g)
        expected.append(g)
    assert cover_layer(tracked).run(word) == expected


def test_relations_at_odds_are_refused():
    with pytest.raises(ValueError, match="modulo m"):
        Metacyclic(5, 2, 2, 0)
