"""Exact gains of linear recurrences."""

import numpy as np
import pytest
from flint import fmpq, fmpq_poly
from hypothesis import given
from hypothesis import strategies as st
from lemmata.numerics import exact
from lemmata.numerics.peak_gain import gain_is_below, is_stable, norm_bracket, norm_is_below, peak_gain, toeplitz


def matrices(n, m, denominator=10):
    entry = st.integers(-9, 9).map(lambda k: fmpq(k, denominator))
    return st.lists(st.lists(entry, min_size=m, max_size=m), min_size=n, max_size=n).map(lambda rows: np.array(rows, dtype=object))


@st.composite
def systems(draw):
    """(A, K) with a stable A, n <= 3, m <= 3."""
    n, m = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    return draw(matrices(n, n, 10 * n)), draw(matrices(n, m))


@given(systems())
def test_brackets_hold_the_peak_over_a_fine_grid(system):
    A, K = system
    low, high = peak_gain(A, K, 3)
    assert high - low <= fmpq(1, 1000)
    a, k = exact.as_float(A), exact.as_float(K)
    grid = max(np.linalg.norm(np.linalg.solve(np.eye(len(a)) - np.exp(1j * w) * a, k), 2) for w in np.linspace(0, np.pi, 400))
    assert grid <= float(high) + 1e-12
    assert float(low) <= grid + 0.02 * (1 + grid)


@given(systems(), st.integers(1, 4))
def test_no_length_exceeds_the_gain(system, length):
    A, K = system
    _, high = peak_gain(A, K, 3)
    assert norm_is_below(toeplitz(A, K, length), high * high)


@given(systems(), st.integers(1, 4), st.data())
def test_the_block_matrix_runs_the_recurrence(system, length, data):
    A, K = system
    n, m = K.shape
    u = data.draw(matrices(length, m))
    state, out = exact.zeros(n), []
    for x in u:
        state = A @ state + K @ x
        out.append(state)
    assert np.array_equal(toeplitz(A, K, length) @ u.reshape(-1), np.array(out).reshape(-1))


def test_scalar_gains_are_known():
    half = exact.rationals([["1/2"]])
    # 1/(1 - 1/2) at z = 1, not below 2 but below every larger number
    assert not gain_is_below(half, exact.identity(1), fmpq(4))
    assert gain_is_below(half, exact.identity(1), fmpq(4) + fmpq(1, 10**12))
    low, high = peak_gain(-half, exact.identity(1))
    assert low <= 2 < high
    # a nilpotent A: G(z) = [[1, z], [0, 1]] has the golden ratio as norm
    low, high = peak_gain(exact.rationals([[0, 1], [0, 0]]), exact.identity(2), 9)
    assert float(low) <= (1 + 5**0.5) / 2 <= float(high)


def test_a_zero_map_has_gain_below_everything():
    assert gain_is_below(exact.rationals([["9/10"]]), exact.zeros(1, 1), fmpq(1, 10**9))


@pytest.mark.parametrize(
    ("rows", "stable"),
    [
        ([[0]], True),
        ([[1]], False),
        ([[-1]], False),
        ([["99/100"]], True),
        ([[2]], False),
        ([[0, 5], [0, 0]], True),
        ([[0, 2], ["1/2", 0]], False),
    ],
)
def test_stability(rows, stable):
    assert is_stable(exact.rationals(rows)) is stable


@given(matrices(3, 3, 6))
def test_stability_is_the_spectral_radius(A):
    radius = max(abs(np.linalg.eigvals(exact.as_float(A))))
    if abs(radius - 1) > 1e-6:
        assert is_stable(A) == (radius < 1)


def test_unstable_systems_are_refused():
    with pytest.raises(ValueError, match="expected a stable A"):
        gain_is_below(exact.identity(1), exact.identity(1), fmpq(4))


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=4), st.integers(-4, 3), st.integers(1, 4))
def test_roots_in_an_interval(roots, low, width):
    p = fmpq_poly([3])
    for r in roots:
        p = p * fmpq_poly([-fmpq(r, 2), 1])
    assert exact.has_root_in(p, fmpq(low), fmpq(low + width)) == any(2 * low <= r <= 2 * (low + width) for r in roots)


def test_norm_brackets():
    low, high = norm_bracket(exact.rationals([[3, 0], [0, -4]]))
    assert low <= 4 < high
    assert high - low == fmpq(1, 10**6)
    # no norm is below 0, so the bracket of a small one is cut there
    assert norm_bracket(exact.zeros(2, 2)) == (0, fmpq(1, 2 * 10**6))
    low, high = norm_bracket(exact.rationals([["-1/3000000"]]))
    assert low == 0
    assert fmpq(1, 3 * 10**6) < high <= fmpq(1, 10**6)
