"""Jordan forms of matrices with prescribed blocks."""

from collections import Counter

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from lemmata.constructions import samples
from lemmata.constructions import strategies as matrices
from lemmata.numerics import exact
from lemmata.numerics.jordan import jordan_form


@st.composite
def prescribed(draw):
    n = draw(st.integers(1, 5))
    sizes = draw(st.sampled_from(list(samples.partitions(n))))
    blocks = [(draw(st.sampled_from(samples.REAL)), size) for size in sizes]
    return blocks, samples.with_jordan_form(blocks, draw(matrices.bases(n)))


@given(prescribed())
def test_the_blocks_are_found_again(pair):
    blocks, a = pair
    form = jordan_form(a)
    assert Counter(form.blocks) == Counter(blocks)
    assert np.array_equal(exact.multiply(form.basis, form.matrix(), form.basis_inverse), a)


@given(prescribed(), st.integers(0, 7))
def test_entries_of_powers(pair, k):
    _, a = pair
    one = exact.identity(len(a))
    sums = jordan_form(a).power_entries(one, one)
    power = one
    for _ in range(k):
        power = exact.multiply(a, power)
    assert all(sums[index](k) == power[index] for index in np.ndindex(a.shape))


def test_an_irrational_eigenvalue_is_refused():
    with pytest.raises(ValueError, match="rational eigenvalues"):
        jordan_form(exact.rationals([[0, 2], [1, 0]]))


def test_one_by_one():
    assert jordan_form(exact.rationals([["-2/3"]])).blocks == ((fmpq(-2, 3), 1),)
