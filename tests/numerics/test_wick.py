"""Moments of Gaussian matrices: the loop equations against the definition, and against what is known in closed form."""

from collections import Counter
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lemmata.numerics.wick import Gaussian, moment, moment_by_pairings, pairings

A, B = Gaussian("A", "N", "N"), Gaussian("B", "N", "N")
X = Gaussian("X", "N", "r")
Y = Gaussian("Y", "N", "1")


def square_words(size):
    return st.lists(st.sampled_from([A, A.T, B, B.T]), min_size=1, max_size=size).map(tuple)


@given(st.lists(square_words(4), min_size=1, max_size=2))
def test_the_loop_equations_are_the_sum_over_pairings(traces):
    assert moment(*traces) == moment_by_pairings(*traces)


@given(st.lists(st.sampled_from([(X.T, X), (X.T, A, X), (Y.T, X, X.T, Y), (Y.T, A, Y), (X, X.T, A.T)]), min_size=1, max_size=3))
def test_rectangular_matrices_and_vectors(traces):
    assert moment(*traces) == moment_by_pairings(*traces)


@given(st.lists(square_words(3), min_size=1, max_size=3), st.integers(0, 3), st.randoms())
def test_rotations_transposes_and_orders_do_not_matter(traces, shift, random):
    changed = [tuple(x.T for x in reversed(t)) if random.random() < 0.5 else t[shift % len(t) :] + t[: shift % len(t)] for t in traces]
    random.shuffle(changed)
    assert moment(*changed) == moment(*traces)


@pytest.mark.parametrize("k", range(6))
def test_numbers_of_pairings(k):
    found = list(pairings(range(2 * k)))
    assert len(found) == len(set(found)) == prod(range(2 * k - 1, 0, -2))
    assert all(sorted(x for pair in p for x in pair) == list(range(2 * k)) for p in found)
    assert list(pairings(range(2 * k + 1))) == []


@pytest.mark.parametrize("k", range(1, 7))
def test_known_moments(k):
    # Marchenko and Pastur at ratio 1: the leading coefficients of E tr (A A')^k are the Catalan numbers
    leading = moment((A, A.T) * k)[("N",) * (k + 1)]
    assert leading == comb(2 * k, k) // (k + 1)
    # E |Y|^2k = N (N + 2) ... (N + 2k - 2)
    norms = moment(*[(Y.T, Y)] * k)
    for n in (1, 2, 7):
        assert sum(c * n ** len(m) for m, c in norms.items()) == prod(n + 2 * i for i in range(k))
    # numbers: E g^2k = (2k - 1)!!
    g = Gaussian("g", "1", "1")
    assert moment((g,) * (2 * k)) == Counter({(): prod(range(2 * k - 1, 0, -2))})
    assert moment((g,) * (2 * k - 1)) == Counter()


def test_against_samples():
    """E tr(A B A' B') for independent 3 x 3 matrices and E tr(A A A' A'), by half a million draws; five standard errors."""
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((2, 500_000, 3, 3))
    for word, matrices in (((A, B, A.T, B.T), (a, b)), ((A, A, A.T, A.T), (a, a))):
        m, n = matrices
        draws = np.einsum("dij,djk,dlk,dil->d", m, n, m, n) if word[1] is B else np.einsum("dij,djk,dlk,dil->d", m, m, m, m)
        exact = sum(c * 3 ** len(monomial) for monomial, c in moment(word).items())
        assert abs(draws.mean() - exact) < 5 * draws.std() / len(draws) ** 0.5


@pytest.mark.parametrize(
    ("traces", "message"), [([(X, X)], "shapes that fit, got X with r columns before X"), ([()], "at least one matrix in every trace")]
)
def test_words_that_are_no_traces(traces, message):
    with pytest.raises(ValueError, match=message):
        moment(*traces)
