"""Gates: closed forms against simulation and integration; position encodings."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st
from lemmata.constructions import gating
from lemmata.numerics import exact
from scipy.integrate import quad
from scipy.stats import norm


@pytest.mark.parametrize("x", [-5.0, -1.0, 0.0, 0.3, 4.0])
def test_the_normal_distribution(x):
    assert abs(float(gating.normal_cdf(arb(x))) - norm.cdf(x)) < 1e-14


@pytest.mark.parametrize(("b", "w"), [(1.0, [2.0, 1.0]), (6.0, [1.0]), (4.6, [0.5, 0.5, 0.5]), (5.5, [3.0, -4.0])])
def test_runs_are_as_long_as_the_closed_form_says(b, w):
    """Mean of 40 000 runs against the mean of the geometric distribution, within five standard errors of its own."""
    runs = gating.sampled_runs(1, 40_000, w, b)
    mean = float(gating.expected_run(b, float(np.linalg.norm(w))))
    assert abs(runs.mean() - mean) < 5 * (mean * (1 + mean) / len(runs)) ** 0.5


@given(st.fractions(min_value=Fraction(1, 50), max_value=Fraction(49, 50)), st.floats(-3, 9), st.floats(0.5, 9))
def test_runs_at_any_level(level, b, size):
    level = fmpq(level.numerator, level.denominator)
    run = gating.expected_run(b, size, level)
    a = (np.log(float(level) / (1 - float(level))) - b) / size
    assert float(run) == pytest.approx(norm.cdf(-a) / norm.cdf(a), rel=1e-9)


@pytest.mark.parametrize("level", [0, 1, fmpq(3, 2)])
def test_levels_outside_the_gate(level):
    with pytest.raises(ValueError, match="expected a level between 0 and 1"):
        gating.logit(level)


@pytest.mark.parametrize("b", [-2, 0, 3])
@pytest.mark.parametrize("size", [0, 1, 4])
def test_mean_gates(b, size):
    def mean(f):
        return quad(lambda z: f(b + size * z) * norm.pdf(z), -15, 15, epsabs=1e-12, limit=200)[0]

    assert abs(float(gating.mean_gate(b, size)) - mean(lambda u: 1 / (1 + np.exp(-u)))) < 1e-9
    assert abs(float(gating.mean_log_gate(b, size)) - mean(lambda u: -np.logaddexp(0, -u))) < 1e-9
    assert gating.mean_gate(b, size).rad() < 1e-10


# -- position encodings ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", range(1, 7))
def test_one_sequence_has_token_only_encodings(length):
    layer, sequence = gating.one_sequence_layer(length)
    p = layer.run(sequence)
    assert len(p) == 2 * length
    assert all(np.array_equal(p[t], p[t + length]) for t in range(length))
    assert len({exact.freeze(x) for x in p}) == length


@given(st.integers(1, 5), st.data())
def test_copies(length, data):
    tokens = data.draw(st.lists(st.integers(1, 3), min_size=length, max_size=length))
    word = [(t % length, x) for t, x in enumerate(gating.copying_sequence(tokens, 0))]
    outputs = gating.copy_with_positions(length, 4).run(word)
    assert [int(np.argmax(y != 0)) for y in outputs[length:]] == tokens


@given(st.integers(1, 4), st.data())
def test_with_the_state_one_layer_copies(length, data):
    token = st.lists(st.integers(-2, 2), min_size=2, max_size=2).filter(any)
    tokens = data.draw(st.lists(token, min_size=length, max_size=length))
    p = gating.state_dependent_copy(exact.rationals(gating.copying_sequence(tokens, [1, 1])), length)
    assert [list(x) for x in p] == tokens + tokens


def test_what_cannot_be_built():
    with pytest.raises(ValueError, match="expected a length of 1 or more"):
        gating.one_sequence_layer(0)
    with pytest.raises(ValueError, match="expected tokens other than zero"):
        gating.state_dependent_copy(exact.rationals([[1], [0]]), 1)


@pytest.mark.parametrize("size", [0, -1, fmpq(-1, 2)])
def test_a_gate_that_never_moves_has_no_run(size):
    with pytest.raises(ValueError, match=r"expected \|w\| > 0"):
        gating.expected_run(1, size)
