"""The one recurrence type: step by step, unrolled, and closed with an automaton."""

from random import Random

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from lemmata.constructions import automata, parity, samples
from lemmata.constructions.automata.layers.reflections import dihedral_step
from lemmata.constructions.recurrence import Recurrence, Stack, reachable_with
from lemmata.numerics.finite_precision import FiniteSet


@given(st.integers(0, 2**32), st.text("ab", max_size=6))
def test_closed_form_and_steps_agree(seed, word):
    rng = Random(seed)
    n, d = rng.randint(1, 3), rng.randint(1, 2)
    layer = Recurrence.from_table(
        {x: (samples.integers(rng, n, n), samples.integers(rng, n, d)) for x in "ab"}, samples.integers(rng, n, d), lambda H, x: None
    )
    assert np.array_equal(layer.closed_form(word), list(layer.states(word))[-1])


@given(st.lists(st.sampled_from([0, 1]), max_size=60))
def test_parity_and_counters(word):
    ones = [sum(word[:t]) for t in range(1, len(word) + 1)]
    assert parity.sign_flip().run(word) == [k % 2 for k in ones]
    assert parity.counter().run(word) == [k % 2 for k in ones]
    assert parity.counting_stack(3).run(word) == [k % 8 for k in ones]


@given(st.integers(1, 9), st.data())
def test_addition_by_reflections(m, data):
    word = data.draw(st.lists(st.integers(0, m - 1), max_size=30))
    assert automata.addition_by_reflections(m).run(word) == [sum(word[:t]) % m for t in range(1, len(word) + 1)]


@given(st.integers(1, 6), st.data())
def test_dihedral_groups_by_reflections(m, data):
    word = data.draw(st.lists(st.tuples(st.sampled_from("rs"), st.integers(0, m - 1)), max_size=20))
    element, expected = (0, 0), []
    for letter in word:
        element = dihedral_step(m, element, letter)
        expected.append(element)
    assert automata.dihedral_by_reflections(m).run(word) == expected


def test_d3_is_s3():
    """r -> (0 1 2), s -> (1 2) is a homomorphism onto S_3: the step is the product of permutations."""

    def permutation(element):
        theta, epsilon = element
        return tuple(((-i if epsilon else i) + theta) % 3 for i in range(3))

    for g in [(theta, epsilon) for theta in range(3) for epsilon in (0, 1)]:
        for kind, a in [(kind, a) for kind in "rs" for a in range(3)]:
            letter = permutation((a, int(kind == "s")))
            assert permutation(dihedral_step(3, g, (kind, a))) == tuple(letter[i] for i in permutation(g))
    assert len({permutation((theta, epsilon)) for theta in range(3) for epsilon in (0, 1)}) == 6


def test_closure_finds_the_shortest_mistake():
    found = reachable_with(parity.counting_stack(2), lambda q, x: (q + x) % 3, 0, (0, 1), lambda q: q)
    assert found.mismatch == (1, 1, 1)


def test_closure_gives_up_on_infinitely_many_states():
    found = reachable_with(parity.counter(), lambda q, x: (q + x) % 2, 0, (0, 1), lambda q: q, limit=50)
    assert not found.closed


def test_floats_run_too():
    layer = parity.power_recurrence(np.array([[0.5]]), np.array([[1.0]]), np.array([[0.0]]))
    assert [H[0, 0] for H in layer.states([1] * 3)] == [1.0, 0.5, 0.25, 0.125]


def test_stack_outputs_settle_like_a_simulation():
    traces = parity.counting_stack(2).eventual_outputs([1], FiniteSet([-1, 0, 1]))
    assert [traces[-1].letter(t) for t in range(1, 9)] == [1, 2, 3, 0, 1, 2, 3, 0]
    assert traces[-1].least_period == 4


def test_errors_say_what_was_expected():
    with pytest.raises(ValueError, match="expected a letter among"):
        parity.sign_flip().run([2])
    with pytest.raises(ValueError, match="expected A of shape"):
        Recurrence.from_table({0: (np.eye(2), np.zeros((1, 1)))}, np.zeros((1, 1)), lambda H, x: None)
    with pytest.raises(ValueError, match="at least one layer"):
        parity.counting_stack(0)
    with pytest.raises(ValueError, match="modulus"):
        automata.addition_by_reflections(0)
    with pytest.raises(ValueError, match="modulus"):
        automata.dihedral_by_reflections(0)


def test_empty_words():
    assert parity.sign_flip().run([]) == []
    assert Stack((parity.sign_flip(),)).run([]) == []
    assert parity.sign_flip().closed_form([]).tolist() == [[fmpq(0)]]
