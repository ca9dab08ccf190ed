"""Recurrences that multiply, on numbers and on variables."""

from math import comb

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from lemmata.constructions.bilinear import (
    SecondOrderLayer,
    bilinear_layer,
    cp_layer,
    cp_tensor,
    degrees_in,
    entries,
    identity_layer,
    residual,
    run,
    variables,
    weighted_automaton,
)
from lemmata.numerics import exact


def ones(*shape):
    return np.full(shape, fmpq(1), dtype=object)


def test_a_product_of_the_inputs():
    # n = d = 1: h_t = x_t h_(t-1)
    layer = bilinear_layer(ones(1, 1, 1), ones(1))
    assert [h[0] for h in run([layer], [2, 3, -1])] == [2, 6, -6]
    x, y = variables(["x", "y"])
    assert run([layer], [x, y])[-1][0] == x * y


@given(st.integers(1, 2), st.integers(1, 3), st.integers(1, 4))
def test_degrees(n, depth, steps):
    layers = [bilinear_layer(ones(n, 1 if level == 0 else n, n), ones(n)) for level in range(depth)]
    for entry in run(layers, variables([f"x{t}" for t in range(steps)]))[-1]:
        assert [degrees_in(entry, s) for s in range(steps)] == [{comb(steps - 1 - s + depth - 1, depth - 1)} for s in range(steps)]


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=6))
def test_variables_and_numbers_agree(values):
    rng = np.random.default_rng(len(values))
    layers = []
    for m in (1, 2):
        A, V, U, b, h = (exact.rationals(rng.integers(-2, 3, shape).astype(object)) for shape in ((2, m, 2), (2, 2), (2, m), (2,), (2,)))
        layers.append(SecondOrderLayer(A, V, U, b, h))
    layers.append(identity_layer(2))
    numbers = run(layers, values)[-1]
    polynomials = run(layers, variables([f"x{t}" for t in range(len(values))]))[-1]
    assert [p(*[fmpq(v) for v in values]) for p in polynomials] == list(numbers)


def test_entries_keep_polynomials_whole():
    x, y = variables(["x", "y"])
    assert entries([x, y, 1, 2], 2, 2).shape == (2, 2)
    with pytest.raises(ValueError, match="reshape"):
        entries([x, y], 3)


integers = st.integers(-3, 3)


def arrays(rng, *shapes):
    return [exact.rationals(rng.integers(-2, 3, shape).astype(object)) for shape in shapes]


@given(st.integers(0, 99), st.lists(st.tuples(integers, integers), min_size=1, max_size=5))
def test_a_layer_is_the_one_recurrence(seed, word):
    layer = SecondOrderLayer(*arrays(np.random.default_rng(seed), (3, 2, 3), (3, 3), (3, 2), (3,), (3,)))
    word = [exact.rationals(list(x)) for x in word]
    assert [list(h) for h in layer.recurrence().run(word)] == [list(h) for h in run([layer], word)]


@given(st.integers(0, 99), st.integers(1, 4))
def test_cp_decompositions(seed, rank):
    A, B, C, h = arrays(np.random.default_rng(seed), (3, rank), (2, rank), (3, rank), (3,))
    x = exact.rationals([2, -1])
    assert cp_tensor(A, B, C).shape == (3, 2, 3)
    # C diag(A^T h) B^T x
    assert list(run([cp_layer(A, B, C, h)], [x])[-1]) == list(C @ ((A.T @ h) * (B.T @ x)))


def test_residual_connections():
    zero = bilinear_layer(exact.zeros(2, 2, 2), exact.zeros(2))
    assert list(run([residual(zero)], [exact.rationals([3, 4])])[-1]) == [3, 4]
    with pytest.raises(ValueError, match="as many values"):
        residual(bilinear_layer(exact.zeros(2, 1, 2), exact.zeros(2)))


@given(st.lists(st.integers(0, 1), max_size=6))
def test_weighted_automata(word):
    matrices = exact.rationals([[1, 2], [0, 1]]), exact.rationals([[0, 1], [1, 1]])
    alpha = exact.rationals([1, 3])
    states = run([weighted_automaton(alpha, matrices)], [exact.unit_vector(2, w) for w in word])
    for w, h in zip(word, states, strict=True):
        alpha = matrices[w] @ alpha
        assert list(h) == list(alpha)
