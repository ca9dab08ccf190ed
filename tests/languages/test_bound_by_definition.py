"""The bounds on layers of norm at most 1: the one by contents against its definition in the manuscript on languages; the one by foldings, and a second layer by loops."""

from functools import cache
from itertools import permutations
from random import Random

import pytest
from lemmata.constructions.automata import Automaton
from lemmata.constructions.languages import Undecided, language_of
from lemmata.constructions.languages.folded_layers import Semigroup, closed_values, contents, folded_bound, over_the_identity
from lemmata.constructions.languages.layers_of_norm_one import bound
from lemmata.constructions.languages.two_layers import two_layers

#: semigroups with more elements take too long by definition
MOST = 40


def then(f, g):
    """First f, then g; None is the empty product."""
    return g if f is None else f if g is None else tuple(g[x] for x in f)


def generated(maps):
    """The semigroup of these maps."""
    found = new = frozenset(maps)
    while new:
        new = frozenset(then(f, g) for f in new for g in maps) - found
        found |= new
    return found


@cache
def need(T, exact):
    """d(T), or d'(T) with a margin."""
    if len(T) == 1:
        return 0
    idempotents = [e for e in T if then(e, e) == e]
    between = [*generated(idempotents), None]
    content = {e: frozenset(f for f in idempotents if any(then(then(a, f), b) == e for a in between for b in between)) for e in idempotents}
    found = new = {(e, content[e]) for e in idempotents}
    while exact and new:
        new = {(then(z, e), above | content[e]) for z, above in new for e in idempotents} - found
        found = found | new
    layers = 0
    for z, above in found:
        U = generated(above)
        if any(then(u, z) != z for u in U):
            image = sorted(set(z))
            acting = frozenset(tuple(image.index(then(u, z)[p]) for p in image) for u in U)
            layers = max(layers, 1, need(acting, exact))
    return 1 + layers


def machines(seed, count):
    """Random maps of 3 or 4 states that lead from the first to all, not all constant, with a small semigroup."""
    draw, found = Random(seed), 0
    while found < count:
        n = draw.choice((3, 3, 4))
        maps = [tuple(draw.randrange(n) for _ in range(n)) for _ in range(draw.choice((2, 3)))]
        T = generated(maps)
        if len(T) <= MOST and {0} | {f[0] for f in T} == set(range(n)) and any(len(set(f)) > 1 for f in maps):
            found += 1
            yield maps, T


@pytest.mark.parametrize("exact", [True, False], ids=["exact states", "margin"])
def test_the_bound_is_what_the_definition_says(exact):
    seen = set()
    for maps, T in machines(37, 60):
        language = language_of(Automaton({"abc"[i]: f for i, f in enumerate(maps)}), tracked=True)
        layers = bound(language.machine, language.monoid, exact).layers
        assert layers == need(T, exact), maps
        seen.add(layers)
    assert seen >= {1, 2}


def test_a_group_has_no_content_but_the_identity():
    group = Semigroup([(1, 0, 2), (1, 2, 0)])
    (z,) = group.idempotents
    assert closed_values(group, z) == over_the_identity(group, frozenset({z})) == {z}
    assert over_the_identity(group, frozenset(range(6))) == {z}
    assert folded_bound(list(permutations(range(3))), exact=True) == 1


def test_contents_without_folding_are_in_those_with_it():
    for maps, T in machines(62, 12):
        semigroup = Semigroup(maps)
        assert set(semigroup.elements) == T
        folded = {semigroup.elements[z]: {semigroup.elements[u] for u in U} for z, U in contents(semigroup)}
        idempotents = [e for e in T if then(e, e) == e]
        between = [*generated(idempotents), None]
        for z in idempotents:
            assert folded[z] >= {f for f in idempotents if any(then(then(a, f), b) == z for a in between for b in between)}


@pytest.mark.parametrize("exact", [True, False], ids=["exact states", "margin"])
def test_the_bound_is_at_least_the_one_without_folding(exact):
    for maps, T in machines(63, 25):
        assert need(T, exact) <= folded_bound(maps, exact) <= len(maps[0]) - 1, maps


def test_four_states_that_take_three_layers_by_folding_alone():
    letters = ((0, 0, 1, 2), (1, 2, 3, 1))
    assert need(generated(letters), True) == 2
    assert folded_bound(letters, True) == folded_bound(letters, False) == 3
    assert two_layers(Automaton(dict(enumerate(letters)), 3), 2) is None


def test_large_semigroups_are_not_decided():
    with pytest.raises(Undecided, match="more than 300 elements"):
        folded_bound([(1, 2, 3, 4, 0), (1, 0, 2, 3, 4), (0, 0, 2, 3, 4)], True)


def test_a_second_layer_over_a_clock():
    moves = two_layers(Automaton({"a": (1, 0, 2), "b": (0, 0, 1)}))
    assert moves == {"a": (0,), "b": (0,)}
