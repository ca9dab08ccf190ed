"""Rounding, settling of signs, and the eventual states of the cast model against term-by-term simulation."""

from itertools import chain, cycle, islice
from random import Random

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from lemmata.constructions import samples
from lemmata.constructions import strategies as matrices
from lemmata.numerics import exact
from lemmata.numerics.cyclotomic import gaussian
from lemmata.numerics.eventual import eventual_states
from lemmata.numerics.exponential_sums import ExponentialSum
from lemmata.numerics.finite_precision import FiniteSet, cast_model_states, stepwise_states


@given(matrices.finite_sets(), matrices.fractions(-5, 5, 6))
def test_cast_is_the_nearest_element_and_the_smaller_at_a_tie(D, x):
    assert D.cast_scalar(x) == min(D.values, key=lambda z: (abs(z - x), z))


@given(matrices.finite_sets(), matrices.fractions(), matrices.fractions())
def test_complex_numbers_are_cast_part_by_part(D, x, y):
    assert D.cast_scalar(gaussian(x, y)) == gaussian(D.cast_scalar(x), D.cast_scalar(y))


def test_an_empty_set_is_refused():
    with pytest.raises(ValueError, match="at least one element"):
        FiniteSet([])


sums = st.dictionaries(st.tuples(st.sampled_from(samples.REAL), st.integers(0, 2)), matrices.fractions(), max_size=4).map(ExponentialSum)


@given(sums, matrices.finite_sets())
def test_casts_of_sums_are_periodic_from_the_threshold(a, D):
    threshold, values = D.settles(a)
    assert [D.cast_scalar(a(k)) for k in range(threshold, threshold + 10)] == [values[k % 2] for k in range(threshold, threshold + 10)]


@given(sums, st.sampled_from([0, 1]))
def test_signs_settle(a, parity):
    settled = a.settles(parity)
    assert settled.threshold % 2 == parity
    values = [a(k) for k in range(settled.threshold, settled.threshold + 12, 2)]
    assert {(x > 0) - (x < 0) for x in values} == {settled.sign}


@given(st.integers(0, 2**32))
def test_eventual_states_agree_with_a_simulation(seed):
    rng = Random(seed)
    n, d = rng.randint(1, 3), rng.randint(1, 2)
    p = samples.basis(rng, n)
    back = exact.inverse(p)

    def step():
        return exact.multiply(p, samples.triangular(rng, n, samples.DYADIC), back), samples.integers(rng, n, d)

    before, period = [step() for _ in range(rng.randint(0, 2))], [step() for _ in range(rng.randint(1, 3))]
    initial, D = samples.integers(rng, n, d), samples.finite_set(rng)
    states = eventual_states(before, period, initial, D)
    horizon = min(states.threshold + 5 * len(period), 150)
    simulated = islice(cast_model_states(chain(before, cycle(period)), initial, D), horizon)
    assert all(np.array_equal(H, states.state(t)) for t, H in enumerate(simulated))
    assert (2 * len(period)) % states.period == 0


def test_an_empty_period_is_refused():
    with pytest.raises(ValueError, match="at least one step"):
        eventual_states([], [], exact.zeros(1, 1), FiniteSet([0]))


def test_the_two_models_differ():
    """a = 1/2, b = 1/4, h_0 = 1, D = {0, 1}: the cast terms vanish; rounded at every step, 3/4 goes back to 1."""
    half, one = exact.rationals([["1/2"]]), exact.rationals([[1]])
    b, D = exact.rationals([["1/4"]]), FiniteSet([0, 1])
    cast = [H[0, 0] for H in islice(cast_model_states(cycle([(half, b)]), one, D), 5)]
    rounded = [H[0, 0] for H in islice(stepwise_states(cycle([(half, b)]), one, D), 5)]
    assert cast == [1, 0, 0, 0, 0]
    assert rounded == [1, 1, 1, 1, 1]


def test_eigenvalue_zero_ends_after_its_block():
    a = ExponentialSum({(fmpq(0), 2): fmpq(1)})
    assert [a(k) for k in range(5)] == [0, 0, 1, 0, 0]
    threshold, values = FiniteSet([0, 1]).settles(a)
    assert threshold >= 3
    assert values == (0, 0)
