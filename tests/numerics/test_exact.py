"""Exact matrices against SymPy, and what is refused."""

from fractions import Fraction

import numpy as np
import pytest
import sympy
from flint import fmpq, fmpq_poly
from hypothesis import given
from hypothesis import strategies as st
from lemmata.constructions import strategies as matrices
from lemmata.numerics import exact


def to_sympy(m):
    return sympy.Matrix(*m.shape, [sympy.Rational(int(x.p), int(x.q)) for x in m.flat])


@given(matrices.matrices(3, 4))
def test_rank_and_nullspace_agree_with_sympy(m):
    assert exact.rank(m) == to_sympy(m).rank()
    kernel = exact.nullspace(m)
    assert kernel.shape == (4, 4 - exact.rank(m))
    assert all(x == 0 for x in (m @ kernel).flat)


@given(matrices.matrices(3, 3))
def test_positive_semidefinite_agrees_with_the_characteristic_polynomial(m):
    symmetric = m + m.T
    # all roots of a real-rooted polynomial are >= 0 iff its coefficients alternate in sign
    coefficients = exact.characteristic_polynomial(symmetric).coeffs()
    expected = all(c * (-1) ** (3 - k) >= 0 for k, c in enumerate(coefficients))
    assert exact.is_positive_semidefinite(symmetric) == expected


@given(matrices.matrices(3, 3))
def test_contraction_is_decided_by_the_largest_singular_value(m):
    scaled = m / 5
    norm = np.linalg.norm(exact.as_float(scaled), 2)
    if abs(norm - 1) > 1e-9:
        assert exact.is_contraction(scaled) == (norm < 1)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=6), st.lists(st.integers(1, 3), max_size=2))
def test_real_roots_are_counted_with_multiplicity(roots, squares):
    p = fmpq_poly([1])
    for x in roots:
        p = p * fmpq_poly([-x, 1])
    for s in squares:
        p = p * fmpq_poly([s, 0, 1])
    assert exact.count_real_roots(p) == len(roots)


def test_eigenvalues_come_with_multiplicity_and_zero_is_one_of_them():
    m = exact.block_diagonal([exact.rationals([[0]]), exact.rationals([["1/2", 1], [0, "1/2"]])])
    assert exact.rational_eigenvalues(m) == {fmpq(1, 2): 2, fmpq(0): 1}


@pytest.mark.parametrize("bad", [0.5, float("nan"), None, "x", "1/0", 1j])
def test_only_exact_numbers_are_rationals(bad):
    with pytest.raises(ValueError, match="expected"):
        exact.rational(bad)


@pytest.mark.parametrize(
    ("given", "value"),
    [(True, "1"), (3, "3"), (np.int64(3), "3"), (Fraction(2, 6), "1/3"), ("-3/4", "-3/4"), ("0.25", "1/4"), (fmpq(2, 5), "2/5")],
)
def test_exact_numbers_keep_their_value(given, value):
    assert str(exact.rational(given)) == value


@pytest.mark.parametrize(
    "bad", [np.zeros((2, 3)), np.zeros(3), np.zeros((0, 0)), np.array([[np.inf]]), np.array([[np.nan]], dtype=object), np.array([["a"]])]
)
def test_require_square_names_what_came(bad):
    with pytest.raises(ValueError, match="expected"):
        exact.require_square(bad)


def test_a_singular_matrix_has_no_inverse():
    with pytest.raises(ValueError, match="invertible"):
        exact.inverse(exact.zeros(2, 2))


def test_masked_arrays_are_refused():
    masked = np.ma.masked_array([[1, 0], [0, 1]], [[False, True], [False, False]])
    for function in (exact.rationals, exact.require_square):
        with pytest.raises(ValueError, match="without a mask"):
            function(masked)
