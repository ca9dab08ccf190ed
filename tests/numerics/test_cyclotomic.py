"""Cyclotomic numbers are a field, and their complex values are enclosed rightly."""

import cmath

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from lemmata.numerics.cyclotomic import Cyclotomic, cosine_and_sine, gaussian, parts, realify, root_of_unity


@st.composite
def numbers(draw, order=12):
    return sum(
        (c * root_of_unity(order, k) for k, c in enumerate(draw(st.lists(st.integers(-3, 3), max_size=5)))), root_of_unity(order) * 0
    )


@given(numbers(), numbers(), numbers())
def test_field_axioms(x, y, z):
    assert x * (y + z) == x * y + x * z
    assert (x * y) * z == x * (y * z)
    if x != 0:
        assert x * x.inverse() == 1
        assert (y / x) * x == y
    assert (x * y).conjugate() == x.conjugate() * y.conjugate()


@given(numbers(), numbers())
def test_complex_values(x, y):
    assert cmath.isclose(complex(x * y), complex(x) * complex(y), abs_tol=1e-9)
    assert complex(x.conjugate()) == pytest.approx(complex(x).conjugate())


@pytest.mark.parametrize("m", range(1, 20))
def test_cosine_and_sine(m):
    c, s = cosine_and_sine(m)
    assert c * c + s * s == 1
    assert float(c) == pytest.approx(np.cos(2 * np.pi / m))
    assert float(s) == pytest.approx(np.sin(2 * np.pi / m), abs=1e-12)


def test_rational_elements_equal_and_hash_like_rationals():
    assert root_of_unity(6) ** 6 == 1
    assert hash(root_of_unity(6) ** 3) == hash(fmpq(-1))


def test_mixing_fields_is_refused():
    with pytest.raises(ValueError, match="one field"):
        _ = root_of_unity(3) + root_of_unity(4)


@pytest.mark.parametrize("bad", [0, -1])
def test_orders_below_one_are_refused(bad):
    with pytest.raises(ValueError, match="expected"):
        root_of_unity(bad)
    with pytest.raises(ValueError, match="expected"):
        cosine_and_sine(bad)


def test_division_by_zero():
    with pytest.raises(ZeroDivisionError):
        _ = 1 / (root_of_unity(5) * 0)


def test_realify_has_the_same_action():
    a = np.array([[gaussian(1, 2)]], dtype=object)
    real, imaginary = parts(a @ np.array([[gaussian(3, -1)]], dtype=object))
    image = realify(a) @ np.array([[fmpq(3)], [fmpq(-1)]], dtype=object)
    assert [real[0, 0], imaginary[0, 0]] == [image[0, 0], image[1, 0]]
    assert isinstance(gaussian(1), Cyclotomic)
    assert str(gaussian("1/2", -1)) == "1/2 - i"
