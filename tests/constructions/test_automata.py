"""Automata, their cascades, and the networks compiled from them."""

import json
import re
from fractions import Fraction
from pathlib import Path

import jsonschema
import pytest
from automata.fa.dfa import DFA
from hypothesis import given
from hypothesis import strategies as st
from lemmata.constructions.automata import Automaton, compile_automaton, compile_dfa, compile_group, compile_regex, krohn_rhodes
from lemmata.constructions.automata.compiler import proved
from lemmata.constructions.automata.layers import level_maps, old_and_new_state, printed_layer, vertex
from lemmata.constructions.automata.sources import from_json, named_group
from lemmata.numerics import exact


@st.composite
def automata(draw, largest=4):
    n = draw(st.integers(1, largest))
    images = st.lists(st.integers(0, n - 1), min_size=n, max_size=n).map(tuple)
    table = draw(st.dictionaries(st.sampled_from("abc"), images, min_size=1))
    return Automaton(table, draw(st.integers(0, n - 1)), frozenset(draw(st.sets(st.integers(0, n - 1)))))


@given(automata(), st.data())
def test_the_network_runs_like_the_automaton(automaton, data):
    network = compile_automaton(automaton)
    word = data.draw(st.lists(st.sampled_from(automaton.letters), max_size=25))
    # states keep their names although only the reachable ones are compiled
    assert network.run(word) == [(q, q in automaton.accepting) for q in automaton.run(word)]
    assert network.proof.mismatch is None
    assert network.widths == (list(range(network.automaton.n, 1, -1)) or [1])


@given(automata(5), st.data())
def test_the_cascade_emulates(automaton, data):
    cascade = krohn_rhodes(automaton)
    state, word = cascade.start, data.draw(st.lists(st.sampled_from(automaton.letters), max_size=25))
    assert cascade.emulated(state) == automaton.start
    for letter, q in zip(word, automaton.run(word), strict=True):
        state = cascade.step(state, letter)
        assert cascade.emulated(state) == q


@given(automata(4), st.data())
def test_old_states_stay_readable(automaton, data):
    cascade = krohn_rhodes(automaton)
    letter = data.draw(st.sampled_from(automaton.letters))
    for k, m in enumerate(cascade.sizes):
        before = tuple(data.draw(st.integers(0, size - 1)) for size in cascade.sizes[:k])
        move = cascade.move(letter, before)
        A, B = level_maps(move, m)
        assert exact.is_contraction(A)
        for old in range(m):
            assert old_and_new_state(A @ vertex(m, old) + B, move) == (old, move(old))


def test_one_state_and_unreachable_states():
    assert compile_automaton(Automaton({"a": (0,)})).run("aa") == [(0, False)] * 2
    network = compile_automaton(Automaton({"a": (1, 1, 0)}, 1, frozenset({1})))
    assert network.automaton.n == 1
    assert network.run("aaa") == [(1, True)] * 3


def test_a_level_as_printed_hands_up_the_new_state():
    parity = krohn_rhodes(Automaton({"a": (1, 0)}))
    layer = printed_layer({"a": parity.move("a", ())}, 2)
    assert layer.run("aa") == [(1, "a"), (0, "a")]


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


@pytest.mark.parametrize("bad", ["S", "S1", "Q8", "A2", "Z0", "5S", "", "Z501"])
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


def simulate(document, word):
    """What docs/formats.md says, with fractions and look-ups alone: the automaton's states after every letter."""
    decoders = [{(json.dumps(d["state"]), d["map"]): d["next"] for d in layer["decoder"]} for layer in document["layers"]]
    states = [[[Fraction(x) for x in row] for row in layer["initial"]] for layer in document["layers"]]
    out = []
    for letter in word:
        index = document["first"][document["letters"].index(letter)]
        for level, layer in enumerate(document["layers"]):
            m = layer["maps"][index]
            product = [
                [sum(Fraction(a) * h for a, h in zip(row, column, strict=True)) for column in zip(*states[level], strict=True)]
                for row in m["A"]
            ]
            states[level] = [[x + Fraction(b) for x, b in zip(r, s, strict=True)] for r, s in zip(product, m["B"], strict=True)]
            index = decoders[level][json.dumps([[str(x) for x in row] for row in states[level]]), index]
        out.append(index)
    return out


@given(automata(), st.data())
def test_a_stranger_can_simulate_the_exported_network(automaton, data):
    network = compile_automaton(automaton)
    document = json.loads(network.to_json())
    word = data.draw(st.lists(st.sampled_from(automaton.letters), max_size=15))
    assert simulate(document, word) == network.automaton.run(word)


def test_the_exported_network_fits_its_schema():
    schema = json.loads((Path(__file__).parents[2] / "docs" / "network.schema.json").read_text(encoding="utf-8"))
    for network in (compile_regex("(ab|c)*d?"), compile_group(named_group("S3"))):
        jsonschema.validate(json.loads(network.to_json()), schema)


def test_a_proof_that_fails_raises():
    parity, other = Automaton({"a": (1, 0)}), Automaton({"a": (1, 1)})
    with pytest.raises(ArithmeticError, match="mistake after the word"):
        proved(parity, compile_automaton(other).stack)
