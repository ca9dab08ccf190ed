"""Automata, their cascades, and the networks compiled from them."""

import json
import re
from fractions import Fraction
from pathlib import Path
from random import Random

import jsonschema
import pytest
from automata.fa.dfa import DFA
from hypothesis import given
from hypothesis import strategies as st
from lemmata.constructions.automata import (
    Automaton,
    compile_automaton,
    compile_cascade,
    compile_cyclic,
    compile_dfa,
    compile_group,
    compile_one_hot,
    compile_regex,
    compile_representation,
    excluded_states,
    krohn_rhodes,
    solvable_by_reflections,
)
from lemmata.constructions.automata.cascade.skeleton import skeleton
from lemmata.constructions.automata.compiler import proved
from lemmata.constructions.automata.layers.groups import icosahedral_rotations
from lemmata.constructions.automata.levels.delays import delay_stack
from lemmata.constructions.automata.levels.repaired import level_maps, old_and_new_state, printed_layer, vertex
from lemmata.constructions.automata.read.families import full_transformations, random_automaton
from lemmata.constructions.automata.read.machine_files import from_json
from lemmata.constructions.automata.read.sources import from_permutations, from_regex, named_group
from lemmata.constructions.automata.read.tasks import TASKS, cycle_navigation, modular_arithmetic
from lemmata.constructions.recurrence import reachable_with
from lemmata.numerics import exact


@st.composite
def automata(draw, largest=4):
    n = draw(st.integers(1, largest))
    images = st.lists(st.integers(0, n - 1), min_size=n, max_size=n).map(tuple)
    table = draw(st.dictionaries(st.sampled_from("abc"), images, min_size=1))
    return Automaton(table, draw(st.integers(0, n - 1)), frozenset(draw(st.sets(st.integers(0, n - 1)))))


CASCADES = [
    krohn_rhodes,
    lambda a: krohn_rhodes(a, parallel="disjoint"),
    lambda a: krohn_rhodes(a, parallel="disjoint", all_tiles=True),
    lambda a: krohn_rhodes(a, parallel="levels"),
    excluded_states,
]


@given(automata(), st.sampled_from(CASCADES), st.data())
def test_the_network_runs_like_the_automaton(automaton, decompose, data):
    cascade = decompose(automaton.reachable())
    network = compile_cascade(cascade)
    word = data.draw(st.lists(st.sampled_from(automaton.letters), max_size=25))
    # states keep their names although only the reachable ones are compiled
    assert network.run(word) == [(q, q in automaton.accepting) for q in automaton.run(word)]
    assert network.widths == (list(cascade.sizes) or [1])


@given(automata(3), st.sampled_from(CASCADES))
def test_closing_by_layers_agrees_with_closing_the_product(automaton, decompose):
    reachable = automaton.reachable()
    network = compile_cascade(decompose(reachable))
    product = reachable_with(network.stack, reachable.step, reachable.start, reachable.letters, lambda q: q)
    assert product.closed
    assert product.mismatch is None
    # every layer was seen in every state that it can really be in
    for k, closure in enumerate(network.proof):
        seen = {exact.freeze(H) for H in closure.states}
        assert {exact.freeze(states[k]) for states, _ in product.pairs} <= seen


@given(automata(5), st.sampled_from(CASCADES), st.data())
def test_the_cascade_emulates(automaton, decompose, data):
    cascade = decompose(automaton)
    state, word = cascade.start, data.draw(st.lists(st.sampled_from(automaton.letters), max_size=25))
    assert cascade.emulated(state) == automaton.start
    assert max(cascade.sizes, default=0) <= automaton.n
    for letter, q in zip(word, automaton.run(word), strict=True):
        state = cascade.step(state, letter)
        assert cascade.emulated(state) == q


@given(automata(5))
def test_the_skeleton(automaton):
    found = skeleton(automaton)
    for X, tiles in found.tiles.items():
        assert len(tiles) <= automaton.n
        if len(X) > 1:
            assert frozenset().union(*tiles) == X
            assert all(T < X and found.height[T] < found.height[X] for T in tiles)
        for after in found.image[X].values():
            assert found.height[after] <= found.height[X]


def test_the_holonomy_groups_of_all_maps_are_symmetric():
    found = krohn_rhodes(full_transformations(5))
    assert list(found.sizes) == [5, 4, 3, 2]
    assert sorted(int(g.order()) for g in found.skeleton.groups().values()) == [2, 6, 24, 120]


@given(automata(4), st.data())
def test_old_states_stay_readable(automaton, data):
    cascade = excluded_states(automaton)
    letter = data.draw(st.sampled_from(automaton.letters))
    state = tuple(data.draw(st.integers(0, size - 1)) for size in cascade.sizes)
    for move, m in zip(cascade.moves(letter, state), cascade.sizes, strict=True):
        A, B = level_maps(move, m)
        assert exact.is_contraction(A)
        for old in range(m):
            assert old_and_new_state(A @ vertex(m, old) + B, move) == (old, move(old))


@given(automata(4), st.data())
def test_delay_layers_run_like_the_automaton(automaton, data):
    reachable = automaton.reachable()
    if reachable.n == 1:
        with pytest.raises(ValueError, match="at least two states"):
            delay_stack(krohn_rhodes(reachable))
        return
    word = data.draw(st.lists(st.sampled_from(automaton.letters), max_size=20))
    assert delay_stack(krohn_rhodes(reachable)).run(word) == reachable.run(word)


@pytest.mark.parametrize("seed", range(4))
def test_ten_states_and_three_letters(seed):
    automaton = random_automaton(Random(seed), 10, 3)
    network = compile_automaton(automaton)
    word = [Random(seed + 100).choice("abc") for _ in range(200)]
    assert [q for q, _ in network.run(word)] == automaton.run(word)


def test_regular_expressions_of_fifty_symbols():
    text = "(a|b)*abb(a|b)*(aa|b)*c?(ab|ca)*b?(a|c)(b|c)(aa)*b"
    assert len(text) == 50
    network = compile_regex(text)
    assert network.automaton.n > 30
    word = "abbcacab" * 5 + "aab"
    assert [y for _, y in network.run(word)] == [re.fullmatch(text, word[:t]) is not None for t in range(1, len(word) + 1)]


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_full_transformation_monoids(n):
    for letters in (3, max(n, 3)):
        automaton = full_transformations(n, letters)
        assert compile_automaton(automaton, "holonomy").widths == list(range(n, 1, -1))
        # a coordinate more for the old state, which the last level need not keep; two states are a sign
        assert compile_automaton(automaton).widths == [*range(n + 1, 3, -1), 1]


def test_too_many_sets_of_states_are_refused():
    # a cycle of 16 states that may drop any one of them has all 2^16 subsets as images
    n = 16
    drop = (0, 0, *range(2, n))
    with pytest.raises(ArithmeticError, match="expected at most 20000 sets"):
        krohn_rhodes(Automaton({"turn": tuple((i + 1) % n for i in range(n)), "swap": (1, 0, *range(2, n)), "drop": drop}))


def test_one_state_and_unreachable_states():
    assert compile_automaton(Automaton({"a": (0,)})).run("aa") == [(0, False)] * 2
    network = compile_automaton(Automaton({"a": (1, 1, 0)}, 1, frozenset({1})))
    assert network.automaton.n == 1
    assert network.run("aaa") == [(1, True)] * 3


def test_a_level_as_printed_hands_up_the_new_state():
    parity = krohn_rhodes(Automaton({"a": (1, 0)}))
    (move,) = parity.moves("a", parity.start)
    assert printed_layer({"a": move}, 2).run("aa") == [(1, "a"), (0, "a")]


@pytest.mark.parametrize(
    ("table", "start", "accepting", "message"),
    [
        ({}, 0, (), "at least one letter"),
        ({"a": ()}, 0, (), "at least one state"),
        ({"a": (0, 1), "b": (0,)}, 0, (), "for the letter 'b' in state 1, got nothing"),
        ({"a": (0, 2)}, 0, (), "for the letter 'a' in state 1, got 2"),
        ({"a": (0, None)}, 0, (), "in state 1, got None"),
        ({"a": (0, 1)}, 2, (), "start and accepting states"),
        ({"a": (0, 1)}, 0, (5,), "start and accepting states"),
    ],
)
def test_partial_tables_and_bad_states(table, start, accepting, message):
    with pytest.raises(ValueError, match=message):
        Automaton(table, start, frozenset(accepting))


def test_letters_outside_the_alphabet():
    network = compile_automaton(Automaton({"a": (1, 0)}))
    with pytest.raises(ValueError, match="letter"):
        network.run("ab")
    with pytest.raises(ValueError, match="expected a letter among"):
        network.automaton.run("b")


@pytest.mark.parametrize("expression", ["(ab|c)*d?", "(a|b)*abb(a|b)*", "(aa)*", "a*", "ab|ba", "(a|b)(a|b)"])
@given(st.data())
def test_regular_expressions_agree_with_the_standard_library(expression, data):
    network = compile_regex(expression)
    word = data.draw(st.text("".join(network.automaton.letters), min_size=1, max_size=12))
    accepted = [y for _, y in network.run(word)]
    assert accepted == [re.fullmatch(expression, word[:t]) is not None for t in range(1, len(word) + 1)]


def test_empty_language_everything_and_the_empty_word():
    assert [y for _, y in compile_regex("a&b").run("ab")] == [False, False]
    assert [y for _, y in compile_regex("(a|b)*").run("ab")] == [True, True]
    assert [y for _, y in compile_regex("", alphabet="a").run("aa")] == [False, False]


@pytest.mark.parametrize("bad", ["(ab", "*", ")(", ""])
def test_malformed_regular_expressions(bad):
    with pytest.raises(ValueError, match="expected a regular expression"):
        compile_regex(bad)


def test_a_dfa_keeps_the_names_of_its_states():
    facts = {"states": {"even", "odd"}, "input_symbols": {"0", "1"}, "initial_state": "even", "final_states": {"odd"}}
    full = DFA(transitions={"even": {"0": "even", "1": "odd"}, "odd": {"0": "odd", "1": "even"}}, **facts)
    assert compile_dfa(full).run("110") == [("odd", True), ("even", False), ("even", False)]
    partial = DFA(transitions={"even": {"0": "even", "1": "odd"}, "odd": {"1": "even"}}, allow_partial=True, **facts)
    with pytest.raises(ValueError, match="none for the letter '0' in state 'odd'"):
        compile_dfa(partial)


@pytest.mark.parametrize(("name", "order"), [("S3", 6), ("S5", 120), ("A5", 60), ("D4", 8), ("Z7", 7), ("Z1", 1), ("S2", 2)])
def test_word_problems_of_groups(name, order):
    generators = named_group(name)
    network = compile_group(generators)
    assert network.automaton.n == order
    letters = list(generators)
    word = [letters[i * i % len(letters)] for i in range(30)]
    product = tuple(range(len(generators[letters[0]])))
    for letter, (element, _) in zip(word, network.run(word), strict=True):
        product = tuple(generators[letter][i] for i in product)
        assert element == product


@pytest.mark.parametrize("bad", ["S", "S1", "Q7", "A2", "Z0", "5S", "", "Z501"])
def test_unknown_groups(bad):
    with pytest.raises(ValueError, match="expected a group"):
        named_group(bad)


@pytest.mark.parametrize("bad", [[], [[]], [[0, 0]], [[0, 1], [0, 1, 2]]])
def test_generators_that_are_none(bad):
    with pytest.raises(ValueError, match="expected"):
        compile_group(bad)


@pytest.mark.parametrize(
    "bad", ["", "[]", "{}", '{"table": 3}', '{"table": {"a": [1]}}', '{"table": {"a": [0]}, "start": "x"}', '{"table": {"a": 5}}']
)
def test_json_of_another_form(bad):
    with pytest.raises(ValueError, match="expected"):
        from_json(bad)


@pytest.mark.parametrize(
    ("name", "exact", "polygons"),
    [("Z1", 1, 1), ("Z2", 1, 1), ("Z6", 3, 2), ("Z7", 7, 2), ("Z60", 10, 2), ("S3", 3, 3), ("D4", 2, 4), ("Q8", 4, 8)],
)
def test_cyclic_groups_are_cycles_of_prime_powers_or_turn_a_polygon(name, exact, polygons):
    assert compile_group(named_group(name)).widths == [exact]
    assert compile_group(named_group(name), polygons=True).widths == [polygons]


def test_a_cyclic_group_in_disguise():
    # (0 1)(2 3 4) has order 6; the two orbits are a sign and a cycle
    network = compile_group([(1, 0, 3, 4, 2)])
    assert (network.automaton.n, network.widths) == (6, [4])
    assert compile_group([(1, 0, 3, 4, 2)], polygons=True).widths == [2]


def test_icosahedral_rotations():
    rotations = icosahedral_rotations()
    network = compile_representation(rotations, rotations["fifths"] @ exact.rationals([[1], [2], [4]]))
    assert (network.automaton.n, network.widths) == (60, [3])
    with pytest.raises(ValueError, match="stabiliser"):
        compile_representation(rotations, rotations["fifths"] @ exact.rationals([[1], [1], [1]]) * 0)
    with pytest.raises(ValueError, match="orthogonal"):
        compile_representation({"a": exact.rationals([[2]])}, exact.rationals([[1]]))


def test_only_regular_cyclic_actions_are_polygons():
    assert compile_cyclic(TASKS["parity"]()).widths == [1]
    assert compile_cyclic(cycle_navigation(5)).widths == [2]
    assert compile_cyclic(Automaton({"a": (1, 0), "b": (0, 0)})) is None
    assert compile_cyclic(from_permutations(named_group("S3"))) is None


@given(automata(5), st.data())
def test_one_hot_networks(automaton, data):
    word = data.draw(st.lists(st.sampled_from(automaton.letters), max_size=20))
    assert [q for q, _ in compile_one_hot(automaton).run(word)] == automaton.run(word)


@given(st.integers(2, 6), st.data())
def test_modular_arithmetic_agrees_with_python(m, data):
    digits = data.draw(st.lists(st.sampled_from("0123456789"[:m]), min_size=1, max_size=8))
    operators = data.draw(st.lists(st.sampled_from("+-*"), min_size=len(digits) - 1, max_size=len(digits) - 1))
    text = digits[0] + "".join(o + d for o, d in zip(operators, digits[1:], strict=True))
    automaton = modular_arithmetic(m)
    for t in range(1, len(text) + 1, 2):
        assert automaton.output(automaton.run(text[:t])[-1]) == eval(text[:t]) % m
    assert [automaton.output(automaton.run(wrong)[-1]) for wrong in ("+", "1+*", "11")] == ["error"] * 3


@given(st.text("ab", min_size=1, max_size=12))
def test_even_pairs(word):
    automaton = TASKS["even-pairs"]()
    pairs = sum(word[i : i + 2] in ("ab", "ba") for i in range(len(word)))
    assert (automaton.run(word)[-1] in automaton.accepting) == (pairs % 2 == 0)


@pytest.mark.parametrize("task", TASKS)
def test_tasks_compile(task):
    automaton = TASKS[task]()
    word = [automaton.letters[i * i % len(automaton.letters)] for i in range(30)]
    assert [q for q, _ in compile_automaton(automaton).run(word)] == [automaton.name(q) for q in automaton.run(word)]


@pytest.mark.parametrize("bad", [lambda: cycle_navigation(0), lambda: modular_arithmetic(1), lambda: modular_arithmetic(11)])
def test_tasks_of_impossible_size(bad):
    with pytest.raises(ValueError, match="expected a"):
        bad()


@pytest.mark.parametrize("name", ["Z1", "Z2", "Z12", "S3", "S4", "A4", "D6"])
def test_solvable_groups_by_reflections(name):
    generators = named_group(name)
    word = [Random(t).choice(list(generators)) for t in range(60)]
    element = tuple(range(len(next(iter(generators.values())))))
    products = []
    for letter in word:
        element = tuple(generators[letter][i] for i in element)
        products.append(element)
    assert solvable_by_reflections(generators).run(word) == products


def test_groups_that_are_not_solvable():
    with pytest.raises(ValueError, match="expected a solvable group, got one of order 60"):
        solvable_by_reflections(named_group("A5"))


def simulate(document, word):
    """What docs/reference/formats.md says, with fractions and look-ups alone: the automaton's states after every letter."""
    decoders = [{(i, y): z for i, y, z in layer["decoder"]} for layer in document["layers"]]
    states = [[[[Fraction(x) for x in row] for row in H] for H in layer["states"]] for layer in document["layers"]]
    current = [listed[0] for listed in states]
    out = []
    for letter in word:
        y = document["letters"].index(letter)
        for level, layer in enumerate(document["layers"]):
            m = layer["maps"][layer["letters"][y][3]]
            H = [
                [sum(Fraction(a) * h for a, (h,) in zip(row, current[level], strict=True)) + Fraction(b)]
                for row, (b,) in zip(m["A"], m["B"], strict=True)
            ]
            current[level] = H
            y = decoders[level][states[level].index(H), y]
        out.append(y)
    return out


@given(automata(), st.data())
def test_a_stranger_can_simulate_the_exported_network(automaton, data):
    network = compile_automaton(automaton)
    document = json.loads(network.to_json())
    word = data.draw(st.lists(st.sampled_from(automaton.letters), max_size=15))
    assert simulate(document, word) == network.automaton.run(word)


def test_the_exported_network_fits_its_schema():
    schema = json.loads((Path(__file__).parents[2] / "docs" / "reference" / "network.schema.json").read_text(encoding="utf-8"))
    networks = (
        compile_regex("(ab|c)*d?"),
        compile_group(named_group("S3")),
        compile_group(named_group("Z5")),
        compile_one_hot(from_regex("ab*")),
    )
    for network in networks:
        jsonschema.validate(json.loads(network.to_json()), schema)


def test_a_proof_that_fails_raises():
    parity, other = Automaton({"a": (1, 0)}), Automaton({"a": (1, 1)})
    with pytest.raises(ArithmeticError, match="expected the state 0 after the letter 'a' in state 1, got 1"):
        proved(parity, compile_one_hot(other).stack)


def test_letters_that_look_alike_are_not_exported():
    with pytest.raises(ValueError, match="differ as text"):
        compile_automaton(Automaton({1: (1, 0), "1": (0, 1)})).to_json()
