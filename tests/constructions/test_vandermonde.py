"""Polynomials that are small at the nodes and large in a gap between them."""

import numpy as np
import pytest
from flint import fmpq
from lemmata.constructions.vandermonde import gap_polynomial, sine_window
from lemmata.numerics.vandermonde import condition_number, squared_modulus


@pytest.mark.parametrize("degree", range(6))
def test_gap_polynomials_are_chebyshev_polynomials_of_the_half_angle(degree):
    c, t = 0.9, np.linspace(-3, 3, 25)
    P = np.array([float(a) for a in gap_polynomial(degree, fmpq(9, 10))])
    values = np.polynomial.polynomial.polyval(np.exp(1j * t), P)
    expected = np.polynomial.chebyshev.chebval(np.cos(t / 2) / c, np.eye(degree + 1)[degree])
    assert np.allclose(values * np.exp(-0.5j * degree * t), expected)
    assert np.allclose(squared_modulus(P, np.cos(t)), expected**2)


@pytest.mark.parametrize("k", range(1, 6))
def test_no_window_is_more_concentrated(k):
    f = np.array([float(x) for x in sine_window(k)])
    path = np.diag(np.full(k, 0.5), 1) + np.diag(np.full(k, 0.5), -1)
    assert np.isclose(f @ path @ f / (f @ f), np.linalg.eigvalsh(path)[-1], atol=1e-9)
    assert np.isclose(f @ path @ f / (f @ f), np.cos(np.pi / (k + 2)), atol=1e-9)


@pytest.mark.parametrize(("length", "width", "gap"), [(2, 5, 3.0), (8, 9, 2.0), (16, 64, 1.5), (24, 400, 0.8)])
def test_condition_numbers_of_nodes_with_a_gap_exceed_the_bound(length, width, gap):
    rng = np.random.default_rng(length)
    nodes = np.exp(1j * rng.uniform(gap / 2, 2 * np.pi - gap / 2, width))
    k = np.arange(length)
    x = np.maximum(np.cos(np.pi / (2 * k + 4)) / np.cos(gap / 4), 1)
    bound = np.sinh((length - 1 - k) * np.arccosh(x)).max()
    assert 1 < bound <= condition_number(nodes, length) or length == 2
