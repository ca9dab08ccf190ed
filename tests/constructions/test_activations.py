"""Networks with activations in depth only."""

from fractions import Fraction

import numpy as np
import pytest
import sympy
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from lemmata.constructions.activations import (
    DepthOnly,
    DepthOnlyLayer,
    PiecewiseLinear,
    causal_function,
    collision,
    joint_state_pieces,
    parity_by_cosine,
    parity_by_homeomorphism,
    parity_by_tent,
    product_of_positive_numbers,
    tent,
)
from lemmata.numerics import exact

fractions = st.fractions(-5, 5, max_denominator=12).map(lambda f: fmpq(f.numerator, f.denominator))
BITS = st.lists(st.integers(0, 1), min_size=1, max_size=8)


@given(BITS)
def test_three_networks_for_parity(word):
    expected = [(-1) ** sum(word[: t + 1]) for t in range(len(word))]
    for network in (parity_by_cosine(), parity_by_homeomorphism()):
        assert [sympy.simplify(y) for y in network.run(word)] == expected
    assert parity_by_tent().run(word) == expected


def test_the_tent_is_exact_on_arrays():
    s = np.arange(-8, 9)
    assert np.array_equal(4 * tent(2.0 * s) - 4 * tent(2.0 * s + 1) + 4, 1 - 2 * (s % 2))
    assert tent(Fraction(1, 2)) == Fraction(5, 8)


@given(st.lists(st.integers(0, 2), min_size=1, max_size=6))
def test_any_causal_function(word):
    def f(w):
        return fmpq(len(set(w)), 3) - (w[0] == w[-1])

    assert causal_function(f, 3).run(word) == [f(tuple(word[: t + 1])) for t in range(len(word))]


def test_products_of_positive_numbers():
    assert [sympy.simplify(y) for y in product_of_positive_numbers().run([2, sympy.Rational(1, 3), 7])] == [
        2,
        sympy.Rational(2, 3),
        sympy.Rational(14, 3),
    ]


@given(fractions, fractions)
def test_piecewise_linear_functions(u, v):
    phi = PiecewiseLinear((fmpq(-1), fmpq(1, 2), fmpq(3)), (fmpq(1), fmpq(0), fmpq(-2), fmpq(5)))
    assert phi(fmpq(0)) == 0
    if phi.piece(u) == phi.piece(v):
        assert phi(u) - phi(v) == phi.slopes[phi.piece(u)] * (u - v)
    assert [phi(fmpq(x)) for x in (-3, -1, 0, 1, 3, 4)] == [-2, 0, 0, -1, -5, 0]
    assert PiecewiseLinear((), (fmpq(2),))(u) == 2 * u


@pytest.mark.parametrize(("knots", "slopes"), [((0, 0), (1, 1, 1)), ((1, 0), (1, 1, 1)), ((0,), (1,))])
def test_pieces_must_fit(knots, slopes):
    with pytest.raises(ValueError, match="increasing knots"):
        PiecewiseLinear(tuple(map(fmpq, knots)), tuple(map(fmpq, slopes)))


def a_network(width):
    relu = PiecewiseLinear((fmpq(0),), (fmpq(0), fmpq(1)))
    lower = DepthOnlyLayer(
        exact.identity(width) * 2, exact.rationals([[1]] * width), exact.zeros(width), exact.rationals(range(width)), relu
    )
    upper = DepthOnlyLayer(exact.identity(width), exact.rationals([[1] * width] * width), exact.zeros(width), exact.zeros(width), relu)
    return DepthOnly((lower, upper), exact.rationals([[1] * width]), exact.zeros(1))


@given(st.lists(fractions.filter(lambda f: f != 0), min_size=5, max_size=5))
def test_collisions(inputs):
    network = a_network(2)
    state, derivative, pieces = joint_state_pieces(network, inputs)
    assert list(state) == [x for h in network.states(inputs) for x in h]
    assert (derivative.shape, len(pieces)) == ((4, 5), 20)
    try:
        other = collision(network, inputs)
    except ArithmeticError:
        return  # on a knot
    assert list(network.states(other)[1]) == list(network.states(inputs)[1])
    assert np.prod(np.array(other, dtype=object)) != np.prod(np.array(inputs, dtype=object))


def test_a_register_tells_all_inputs_apart():
    identity = PiecewiseLinear((), (fmpq(1),))
    layer = DepthOnlyLayer(np.eye(3, k=-1, dtype=int) * fmpq(1), exact.unit_vector(3, 0)[:, None], exact.zeros(3), exact.zeros(3), identity)
    assert collision(DepthOnly((layer,), exact.zeros(1, 3), exact.zeros(1)), [fmpq(1), fmpq(2), fmpq(3)]) is None


def test_one_letter_and_none():
    assert causal_function(lambda w: len(w) % 2, 1).run([0, 0, 0]) == [1, 0, 1]
    with pytest.raises(ValueError, match="at least one letter"):
        causal_function(lambda w: 0, 0)
    with pytest.raises(ValueError, match=r"values in \[-1, 1\], got 2"):
        causal_function(lambda w: 2, 1).run([0])


def test_collisions_at_the_boundary():
    identity = PiecewiseLinear((), (fmpq(1),))
    forgetful = DepthOnlyLayer(exact.zeros(1, 1), exact.rationals([[1]]), exact.zeros(1), exact.zeros(1), identity)
    network = DepthOnly((forgetful,), exact.rationals([[1]]), exact.zeros(1))
    assert collision(network, []) is None
    # a layer without memory: the first input may be anything
    other = collision(network, [fmpq(2), fmpq(3)])
    assert other is not None
    assert other[1] == 3
    assert other[0] != 2
