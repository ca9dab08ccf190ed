"""The lower bound on layers of norm at most 1: as it is defined, sharp for all maps and all order-preserving ones, and never above what is built."""

import random
import sys
from pathlib import Path

import pytest
from lemmata.constructions.automata import Automaton, compile_automaton
from lemmata.constructions.automata.read.sources import from_regex
from lemmata.constructions.languages import Undecided, language_of
from lemmata.constructions.languages import layers_of_norm_one as module
from lemmata.constructions.languages.layers_of_norm_one import bound

sys.path.insert(0, str(Path(__file__).parents[1] / "languages"))
from by_definition import layers_of_norm_one, tables


def found(automaton, exact, tracked=True):
    language = language_of(automaton, tracked)
    return bound(language.machine, language.monoid, exact)


def order_preserving(n):
    """i -> i + 1 and i -> i - 1, each moving one point, and the identity."""
    one = list(range(n))
    up = {f"+{i}": [*one[:i], i + 1, *one[i + 1 :]] for i in range(n - 1)}
    down = {f"-{i}": [*one[:i], i - 1, *one[i + 1 :]] for i in range(1, n)}
    return Automaton(up | down | {"0": one})


def all_maps(n):
    one = list(range(n))
    return Automaton({"c": [*one[1:], 0], "s": [1, 0, *one[2:]], "m": [0, 0, *one[2:]]})


@pytest.mark.parametrize("exact", [True, False])
def test_all_maps_and_all_order_preserving_maps_of_n_points_need_n_minus_1_layers(exact):
    for n in (3, 4):
        assert found(all_maps(n), exact).layers == n - 1
    for n in (2, 3, 4, 5):
        assert found(order_preserving(n), exact).layers == n - 1


@pytest.mark.parametrize(
    ("expression", "exact", "margin"),
    [
        ("a*b*", 2, 1),
        ("a*b*c*", 2, 1),
        ("0*1*0*1*", 2, 1),
        ("(a|b)*aba(a|b)*", 2, 2),
        ("(1|01|001)*(0|00)?", 2, 2),
        ("a(a|b)*", 2, 2),
        ("(ab)*", 1, 1),
        ("(a(a(ab)*b)*b)*", 1, 1),
        ("0*10*1[01]*", 1, 1),
        ("[hrs]*sh*", 1, 1),
        ("(aa)*", 1, 1),
        ("(a|b)*a", 0, 0),
    ],
)
def test_languages_whose_bound_is_known(expression, exact, margin):
    automaton = from_regex(expression)
    assert [found(automaton, arithmetic, tracked=False).layers for arithmetic in (True, False)] == [exact, margin]


def test_the_bound_is_the_one_that_is_defined():
    rng = random.Random(4)
    chosen = [t for i, t in enumerate(tables(3, 2)) if i % 41 == 0]
    chosen += [{x: [rng.randrange(4) for _ in range(4)] for x in "ab"} for _ in range(2)]
    for table in chosen:
        language = language_of(Automaton(table), tracked=True)
        letters = [tuple(row) for row in language.machine.delta.tolist()]
        for exact in (True, False):
            assert bound(language.machine, language.monoid, exact).layers == layers_of_norm_one(letters, exact), (table, exact)


def test_with_exact_states_products_that_are_not_idempotent_give_more():
    automaton = Automaton({"a": [0, 1, 2, 2], "b": [3, 2, 1, 3], "c": [0, 3, 1, 2]})
    assert [found(automaton, exact).layers for exact in (True, False)] == [3, 2]


def test_no_network_of_such_layers_has_fewer():
    rng = random.Random(8)
    equal = 0
    for _ in range(25):
        n = rng.choice((3, 4))
        automaton = Automaton({x: [rng.randrange(n) for _ in range(n)] for x in "ab"}).reachable()
        built = min(len(compile_automaton(automaton, way).widths) for way in ("holonomy", "excluded"))
        least = found(automaton, True).layers
        assert least <= built
        equal += least == built
    assert equal > 5


def test_the_levels_are_words_that_can_be_followed():
    language = language_of(order_preserving(4), tracked=True)
    m, levels = language.machine, bound(language.machine, language.monoid, False).levels
    points = set(range(m.n))
    for level in levels:
        # z leads all states that are left onto the points, and keeps them: it is idempotent there
        assert {m.end(q, level.z) for q in points} == set(level.points)
        points = set(level.points)
    assert levels[-1].u is not None or len(levels) == 2


def test_what_is_too_large_is_not_computed(monkeypatch):
    with pytest.raises(Undecided, match="more than 2,000 elements"):
        found(all_maps(5), True)
    monkeypatch.setattr(module, "MOST_PRODUCTS", 10)
    monkeypatch.setattr(module._Budget, "__init__", lambda self: setattr(self, "left", 10))
    with pytest.raises(Undecided, match="more than 10 products"):
        found(order_preserving(4), True)
