"""Pairs of words on a sphere, cores, the product of all real numbers, and bounded networks."""

from itertools import chain, pairwise, product
from random import Random

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from lemmata.constructions.depth import only as depth_only
from lemmata.constructions.depth.only import (
    core,
    forgetful_network,
    interpolated,
    keep_the_beginning,
    magnitude_or_sign,
    memory_length,
    product_of_real_numbers,
    right_inverse,
    settling_time,
    sign_of_digits,
    small_letters,
    step,
    step_back,
    sums_of_differences,
    way_back,
    words_on_sphere,
)
from lemmata.constructions.late_forgetting import late_memory, late_states, prefix_and_suffix_network
from lemmata.numerics import exact
from lemmata.theorems.bilinear.products import random_network

POWERS = st.sampled_from([fmpq(0), *(fmpq(s) * fmpq(2) ** k for s in (1, -1) for k in (-3, -1, 0, 1, 2))])


@settings(max_examples=40, deadline=None)
@given(st.lists(POWERS, min_size=1, max_size=12))
def test_the_product_at_every_length(word):
    expected, outputs = fmpq(1), []
    for x in word:
        expected = expected * x
        outputs.append(expected)
    assert product_of_real_numbers().run(word) == outputs


def test_the_product_needs_its_base():
    assert product_of_real_numbers(2).run([fmpq(0), fmpq(1)]) != [0, 0]


def test_other_numbers_are_refused():
    with pytest.raises(ValueError, match="power of 2 with either sign"):
        product_of_real_numbers().run([fmpq(3)])


def test_the_third_activation_is_continuous_and_lipschitz_below_0():
    values = [magnitude_or_sign(fmpq(-k, 8)) for k in range(8 * 30)]
    assert max(abs(a - b) for a, b in pairwise(values)) <= fmpq(2, 8)
    assert [magnitude_or_sign(fmpq(-2 - m)) for m in range(9)] == [sign_of_digits(m) for m in range(9)] == [1, -1, 0, -1, 1, 0, 0, 0, 0]


def test_a_path_on_the_circle_never_meets_its_antipode():
    small = small_letters([fmpq(-1)])
    circle = [[fmpq(a, 20), fmpq((20 - abs(a)) * s, 20)] for s in (1, -1) for a in range(-20, 21)]
    for p in circle:
        one, other = words_on_sphere(p, small)
        assert one != other
        assert words_on_sphere([-c for c in p], small) == (other, one)


def test_neighbours_on_the_sphere_have_near_words():
    small = small_letters([fmpq(-1), fmpq(-2)])

    def logarithms(parts):
        points = [[fmpq(a, parts), fmpq(1, 3), fmpq(2, 3) - fmpq(a, parts)] for a in range(2 * parts // 3)]
        return [[*chain(*words_on_sphere(p, small))] for p in points]

    def jump(parts):
        found = logarithms(parts)
        return max(abs(a - b) for u, v in pairwise(found) for a, b in zip(u, v, strict=True))

    assert jump(96) < jump(24) / 3


def test_points_off_the_sphere_are_refused():
    with pytest.raises(ValueError, match="1 pairs of small letters"):
        words_on_sphere([fmpq(1), fmpq(1)], small_letters([fmpq(-1)]))


@pytest.mark.parametrize("index", range(4))
def test_the_core_of_a_matrix(index):
    V = random_network(Random(index), 3, [index]).layers[0].V
    C, W, found = core(V)
    assert (found, len(C)) == (index, 3 - index)
    assert np.array_equal(C @ V, W @ C)
    assert exact.rank(W) == len(W)
    assert np.array_equal(C @ right_inverse(C), exact.identity(len(C)))


def test_a_step_back():
    network = random_network(Random(5), 2, [0, 0])
    states = [exact.rationals([1, 2]), exact.rationals([-3, 4])]
    back = step_back(network, step(network, states, fmpq(7)), fmpq(7))
    assert [list(h) for h in back] == [list(h) for h in states]
    assert settling_time(network) == 0
    assert settling_time(random_network(Random(5), 3, [3, 0, 2])) == 4


def test_bounded_words_are_told():
    network, seen = keep_the_beginning(), set()
    for word in product((0, 1), repeat=7):
        (_, clock), (total, _) = network.states([fmpq(x) for x in word])
        assert clock == fmpq(1, 3**7)
        assert total < fmpq(1, 2)
        seen.add(total)
    assert len(seen) == 2**7


@pytest.mark.parametrize("decay", [fmpq(-1, 3), fmpq(-1, 10**9), fmpq(4, 3)])
def test_decays_whose_powers_are_no_weights_are_refused(decay):
    with pytest.raises(ValueError, match=r"expected a decay in \[0, 1\]"):
        keep_the_beginning(decay)


def test_sums_of_differences_are_what_they_sum():
    network = sums_of_differences([-1, 1], depth_only.relu)
    low, middle, high = network.states([fmpq(x) for x in (1, 0, 0, 1, 1, 0)])
    assert low[0] == middle[0] == high[0] == fmpq(1, 2) + fmpq(1, 4) + fmpq(1, 32)


# the last two letters, as a number; a clock of three steps; and both the last letter and the clock of two
LAST_TWO = [[(2 * q + a) % 4 for a in (0, 1)] for q in range(4)]
CLOCK = [[1, 1], [2, 2], [0, 0]]
LETTER_AND_CLOCK = [[2 * (1 - q // 2) + a for a in (0, 1)] for q in range(4)]


@pytest.mark.parametrize(("delta", "memory"), [(LAST_TWO, 2), (CLOCK, 0), (LETTER_AND_CLOCK, 1)])
@pytest.mark.parametrize("start", [0, 1, 2])
def test_automata_that_forget(delta, memory, start):
    assert memory_length(delta) == memory
    network = forgetful_network(delta, start)
    for word in product((0, 1), repeat=6):
        states = [start]
        for a in word:
            states.append(delta[states[-1]][a])
        assert network.run(list(word)) == states[1:]


def test_parity_a_latch_and_an_end_are_refused():
    for delta in ([[0, 1], [1, 0]], [[0, 1, 0], [0, 1, 1]]):
        assert memory_length(delta) is None
        with pytest.raises(ValueError, match="forgets"):
            forgetful_network(delta, 0)
    with pytest.raises(ValueError, match="way back to state 0"):
        way_back([[1], [1]], 0)


def test_interpolation():
    assert [interpolated([3, 5, 1], fmpq(u, 2)) for u in range(-1, 7)] == [3, 3, 4, 5, 3, 1, 1, 1]


# the first letter, kept in 1 or 2
FIRST = [[1, 2], [1, 1], [2, 2]]


@pytest.mark.parametrize(("delta", "memory"), [(FIRST, 0), (LAST_TWO, 2), (CLOCK, 0)])
def test_automata_that_keep_the_beginning_and_the_end(delta, memory):
    assert late_memory(delta, 0) == memory
    network = prefix_and_suffix_network(delta, 0)
    for word in product((0, 1), repeat=7):
        states = [0]
        for a in word:
            states.append(delta[states[-1]][a])
        assert network.run(list(word)) == states[1:]


def test_a_latch_set_once_is_refused():
    assert late_states([[0, 1], [1, 1]], 0) == {0, 1}
    assert late_states(FIRST, 0) == {1, 2}
    with pytest.raises(ValueError, match="forgets all but"):
        prefix_and_suffix_network([[0, 1], [1, 1]], 0)
