"""The bound on layers of norm at most 1 against its definition in the manuscript on languages, followed word for word."""

from functools import cache
from random import Random

import pytest
from lemmata.constructions.automata import Automaton
from lemmata.constructions.languages import language_of
from lemmata.constructions.languages.layers_of_norm_one import bound

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
