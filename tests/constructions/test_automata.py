"""Automata, their cascades, and the networks compiled from them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lemmata.constructions.automata import Automaton, compile_automaton, krohn_rhodes
from lemmata.constructions.automata.layers import level_maps, old_and_new_state, printed_layer, vertex
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
    expected = network.automaton.run(word)
    assert [q for q, _ in network.run(word)] == expected
    # renumbering reachable states keeps what is accepted
    assert [accepted for _, accepted in network.run(word)] == [q in automaton.accepting for q in automaton.run(word)]
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
    assert network.run("aaa") == [(0, True)] * 3


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
