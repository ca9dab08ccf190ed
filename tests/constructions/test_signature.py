"""Signatures, states and overlaps of random low-rank equations."""

from itertools import permutations
from math import factorial

import numpy as np
import pytest
import sympy
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from lemmata.constructions.signature import (
    Expansion,
    dense,
    low_rank,
    overlap_moment,
    signature,
    squared_error,
    word_pairs,
    words,
)
from lemmata.numerics import exact

increments = st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=2), min_size=1, max_size=4).map(exact.rationals)


def test_words():
    assert words(2, 2) == [(), (1,), (2,), (1, 1), (1, 2), (2, 1), (2, 2)]
    assert list(word_pairs(2)) == [((), (1, 1)), ((1,), (1,)), ((), (1, 2)), ((1,), (2,))]
    # patterns of repetition of 5 letters: the Bell number 52, times the ways to split
    assert len(list(word_pairs(5))) == 52 * 3


# -- signatures ------------------------------------------------------------------------------------------------------------


@given(increments, increments)
def test_chens_identity(a, b):
    S, T, joint = signature(a, 3), signature(b, 3), signature(np.concatenate([a, b]), 3)
    assert all(joint[w] == sum(S[w[:k]] * T[w[k:]] for k in range(len(w) + 1)) for w in joint)


@given(increments)
def test_a_path_and_its_way_back(a):
    assert signature(np.concatenate([a, -a[::-1]]), 3) == {w: int(not w) for w in words(2, 3)}


@given(increments)
def test_the_sum_over_all_orders_is_the_product_of_increments(a):
    S, end = signature(a, 3), a.sum(axis=0)
    for w in ((1, 1, 2), (1, 2), (2, 2, 2)):
        assert sum(S[p] for p in permutations(w)) == end[w[0] - 1] * end[w[1] - 1] * (end[w[2] - 1] if len(w) > 2 else 1)


def test_a_straight_line():
    S = signature(exact.rationals([["1/2", 3]]), 4)
    assert S[1, 2, 2, 1] == fmpq(1, 2) ** 2 * 9 / factorial(4)
    assert signature(exact.rationals([[0, 0]]), 2)[1, 2] == 0


# -- moments ---------------------------------------------------------------------------------------------------------------


def test_expansions():
    e = Expansion({(0, 0): 1, (1, 2): 3})
    assert e.at(2, 5) == 1 + fmpq(3, 50)
    assert (e.constant, e.total) == (1, 4)
    assert (e + (-1) * e).terms == {}
    N, r = sympy.symbols("N r")
    assert e.in_symbols(N, r) == 1 + 3 / (N * r**2)


@pytest.mark.parametrize(("I", "J"), [((), ()), ((), (1,)), ((1,), (1,)), ((1, 2), (2, 1)), ((1,), (1, 1, 1)), ((), (1, 1))])
def test_the_definition_at_one_unit_of_rank_one(I, J):
    """N = r = 1: X = y^2 prod (w_i m_i) over the letters, numbers whose moments are known."""
    uses = [sum(x == i for x in I + J) for i in (1, 2)]
    double = {0: 1, 1: 0, 2: 1, 3: 0, 4: 3, 6: 15, 8: 105}
    for copies, y in ((1, 1), (2, 3)):
        assert overlap_moment(I, J, copies).at(1, 1) == y * np.prod([double[copies * n] ** 2 for n in uses])


def test_rank_to_infinity_is_dense():
    """At fixed N the terms without 1/r are those of dense Gaussian matrices."""
    for total in range(5):
        for I, J in word_pairs(total):
            low = {a: c for (a, b), c in overlap_moment(I, J).terms.items() if b == 0}
            assert low == {a: c for (a, _), c in overlap_moment(I, J, 1, dense).terms.items()}


def test_squared_errors_are_not_negative():
    for total in range(4):
        for I, J in word_pairs(total):
            assert all(squared_error(I, J).at(N, r) >= 0 for N in (1, 2, 9) for r in (1, 3, 50))


def test_letters_are_pairs_of_matrices():
    W, M = low_rank(2)
    assert (W.shape, M.shape, W.T.shape) == (("N", "r"), ("r", "N"), ("r", "N"))
