"""Recurrences that multiply, on numbers and on variables."""

from math import comb

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from lemmata.constructions.bilinear import SecondOrderLayer, bilinear_layer, degrees_in, entries, identity_layer, run, variables
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
