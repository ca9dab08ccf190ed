"""Condition numbers, singular values and least squares with Vandermonde matrices."""

from functools import cache

import array_api_strict
import numpy as np
import pytest
from flint import acb, acb_mat, arb, ctx
from hypothesis import assume, given
from hypothesis import strategies as st
from lemmata.numerics import cauchy, lagrange, lanczos
from lemmata.numerics.cauchy import decompose
from lemmata.numerics.double_double import multiply, roots_of_unity, turns, two_product, two_sum
from lemmata.numerics.enclosures import certified_condition_number, largest_eigenvalue
from lemmata.numerics.vandermonde import (
    condition_number,
    log_condition_number,
    log_condition_number_and_bound,
    reconstruct,
    singular_values,
    vandermonde,
)


def disc(seed, n, low=0.0, high=1.0):
    """Nodes drawn uniformly by area from a ring."""
    rng = np.random.default_rng(seed)
    return np.sqrt(rng.uniform(low**2, high**2, n)) * np.exp(2j * np.pi * rng.uniform(0, 1, n))


def roots(n):
    return np.exp(2j * np.pi * np.arange(n) / n)


CASES = {
    "two real nodes": (np.array([0.5, -0.25]), 2),
    "roots of unity": (roots(12), 12),
    "roots of unity, fewer inputs": (roots(12), 5),
    "next to roots of unity": (roots(9) * (1 + 1e-9), 9),
    "real nodes": (np.random.default_rng(1).uniform(-1, 1, 48), 48),
    "real nodes on one side": (np.random.default_rng(2).uniform(0, 1, 30), 30),
    "a ring": (disc(3, 40), 20),
    "fewer nodes than inputs": (disc(4, 20), 50),
    "outside the disc": (disc(5, 24, 1.0, 1.3), 24),
    "zero among the nodes": (np.array([0, 0.5, -0.5, 1]), 4),
    "nearly equal nodes": (np.array([0.5, 0.5 + 1e-14, 0.3, 1, np.exp(2j * np.pi / 5)]), 5),
    "one node, one input": (np.array([0.3]), 1),
    "one node, five inputs": (np.array([-2.0]), 5),
    "far apart": (np.array([1e-8, 1, 1e8, -3j]), 4),
    "pivots that fall by 10^175": (np.array([1.5, 0.5]), 1000),
    "pivots that fall by 10^189": (np.array([3, 1]), 400),
    "a huge node": (np.array([1e200, -1]), 2),
    "a tiny node": (np.array([0, 1e-170, 1]), 3),
    "tiny nodes whose squares underflow": (np.array([0, 1e-200, 1e-100, 1, 2]), 5),
    "only tiny nodes": (np.array([1e-200, 2e-200, 3e-200]), 2),
    "tiny and huge nodes": (np.array([1e-290, 1e100, 1, 1e-150j]), 3),
    "one input": (np.array([1e-170j, 1, -2]), 1),
    "one input less than nodes": (np.linspace(-1, 1, 7), 6),
    "one input more than nodes": (np.linspace(-1, 1, 7), 8),
    "a node at 0, many inputs": (np.array([0.0]), 7),
}

#: the smallest double and its neighbours: logarithms beyond the range of kappa
TINIEST = [([0, 5e-324], 2), ([0, 1e-320, 1e-310], 3), ([1e-310, 1e-300, 1], 3)]


@pytest.fixture(params=["compiled", "one matrix", "batch"])
def way(request, monkeypatch):
    """The three ways of the elimination, each for matrices of every size."""
    monkeypatch.setattr(cauchy, "REPAYS", 1 if request.param == "compiled" else np.inf)
    monkeypatch.setattr(cauchy, "SMALL", np.inf if request.param == "batch" else 0)
    return request.param


@pytest.fixture(params=["compiled", "portable"])
def path(request, monkeypatch):
    """The two ways to the matrices of Lagrange's formula and to their norms, each for matrices of every size."""
    monkeypatch.setattr(lagrange, "REPAYS", 1 if request.param == "compiled" else np.inf)
    return request.param


@cache
def certified(name):
    return certified_condition_number(*CASES[name])


@pytest.mark.parametrize("name", CASES)
def test_condition_numbers_are_right_to_their_bound(name, path):
    nodes, length = CASES[name]
    exact = certified(name)
    error = float(abs(exact - float(condition_number(nodes, length))) / exact)
    assert error < log_condition_number_and_bound(nodes, length)[1]
    assert error < 1e-13


@pytest.mark.parametrize(("nodes", "length"), TINIEST)
def test_nodes_below_the_range_of_normal_numbers(nodes, length, path):
    truth = float(certified_condition_number(np.array(nodes), length).log())
    assert abs(log_condition_number(nodes, length) - truth) < 1e-12 * truth


@pytest.mark.parametrize(("n", "length"), [(1, 1), (1, 6), (6, 1), (19, 18), (19, 19), (18, 19), (24, 40), (40, 24)])
def test_every_way_of_the_elimination_gives_triangular_factors_of_the_same_matrix(n, length, way):
    nodes = disc(n + length, n)
    nodes[n // 2 :: 7] = nodes[0]
    f = decompose(nodes[None], length)
    rank = min(length, len(set(nodes)))
    assert np.isfinite(f.log_pivots).sum() == rank
    fourier = f.column_phase[0][None, :] ** -np.arange(length)[:, None] / np.sqrt(length)
    product = (f.row_phase[0][:, None] * f.left[0] * f.pivots[0] * np.exp(f.log_pivots[0])) @ (f.right[0] * f.column_phase[0])
    assert np.allclose(product, nodes[:, None] ** np.arange(length) @ fourier, rtol=0, atol=1e-13)
    # complete pivoting: the pivots fall, and no entry exceeds its own
    assert (np.diff(f.log_pivots[0, :rank] + np.log(np.abs(f.pivots[0, :rank]))) < np.log(2)).all()
    for factor, order in ((f.left[0], f.rows[0]), (f.right[0].T, f.columns[0])):
        triangle = factor[order[:rank], :rank]
        assert np.array_equal(triangle, np.tril(triangle))
        assert np.allclose(np.diag(triangle), 1, rtol=0, atol=1e-14)
        assert (np.abs(factor) < 1 + 1e-12).all()


@pytest.mark.parametrize(("n", "length"), [(40, 40), (70, 31), (31, 70), (33, 1), (1, 40)])
def test_the_compiled_matrices_are_those_of_their_twin(n, length):
    nodes = np.stack([disc(seed, n) for seed in range(3)])
    nodes[1, n // 2] = nodes[1, 0]
    portable, compiled = lagrange.matrices(nodes, length), lagrange.compiled_matrices(nodes, length)
    assert portable.full.tolist() == compiled.full.tolist() == [True, n > length or n == 1, True]
    # products of n + L factors are right to some units for each
    close = {"rtol": 10 * (n + length) * np.finfo(float).eps, "atol": 0}
    for b in np.flatnonzero(portable.full):
        one, other = (
            found.large[b][:, None, :, None] * found.small[b][None, :, None, :] * 2.0 ** int(found.exponent[b])
            for found in (portable, compiled)
        )
        assert np.allclose(np.abs(one), np.abs(other), **close)
    assert (portable.S is None) == (compiled.S is None) == (n == length)
    if n != length:
        assert np.allclose(portable.S[portable.full], compiled.S[portable.full], **close)


def test_s_has_the_values_of_lagrange_polynomials():
    nodes = disc(1, 24)
    nodes[20] = nodes[3]
    S = lagrange.matrices(nodes[None], 13).S[0]
    places = [int(np.flatnonzero((row == S).all(axis=1))[0]) for row in np.eye(13)]
    for c, k in enumerate(places):
        others = [nodes[j] for j in places if j != k]
        assert np.allclose(np.abs(S[:, c]), [abs(np.prod([(x - z) / (nodes[k] - z) for z in others])) for x in nodes], rtol=1e-13, atol=0)


@pytest.mark.parametrize("proposed", [4.0, 9 * (1 - 1e-12), 0.0, np.nan])
def test_what_lanczos_may_not_propose(monkeypatch, proposed):
    A = np.diag([1.0, 2.0, 3.0]).astype(complex)
    assert lanczos.largest_eigenvalue(A) == pytest.approx(9, rel=1e-15)
    monkeypatch.setattr(lanczos, "propose", lambda lower, first: proposed)
    assert lanczos.largest_eigenvalue(A) == pytest.approx(9, rel=1e-15)


@pytest.mark.parametrize(
    "eigenvalues", [[1.0] * 50, [0.0] * 49 + [1.0], [1.0] * 25 + [1 - 1e-13] * 25, np.linspace(0, 1, 50) ** 8, [1e-300] * 50]
)
def test_largest_eigenvalues_simple_and_multiple(eigenvalues):
    Q, _ = np.linalg.qr(np.random.default_rng(0).standard_normal((50, 50)) + 1j * np.random.default_rng(1).standard_normal((50, 50)))
    found = lanczos.largest_eigenvalue(Q * np.sqrt(eigenvalues))
    assert found == pytest.approx(max(eigenvalues), rel=50 * np.finfo(float).eps)


def test_compiled_singular_values_are_those_of_their_twin(monkeypatch):
    nodes = disc(3, 70)
    compiled = singular_values(nodes, 60)
    monkeypatch.setattr(cauchy, "REPAYS", np.inf)
    assert np.allclose(compiled, singular_values(nodes, 60), rtol=1e-12, atol=0)


def test_the_smallest_singular_value_of_tiny_nodes():
    assert np.allclose(singular_values([0, 1e-170, 1], 3), [2, 1, 5e-171], rtol=1e-13)


@pytest.mark.parametrize("name", CASES)
def test_singular_values_have_the_right_sum_and_product(name):
    nodes, length = CASES[name]
    values = singular_values(nodes, length)
    assert (np.diff(values) <= 0).all()
    assert np.isclose(values[0] / values[-1], condition_number(nodes, length), rtol=1e-12)
    # entries scaled by the largest: their squares may exceed the range of float64
    entries = np.abs(vandermonde(nodes, length))
    assert np.isclose(((values / entries.max()) ** 2).sum(), ((entries / entries.max()) ** 2).sum(), rtol=1e-12)
    if len(nodes) == length:
        # the determinant: every singular value counts alike, however small
        differences = [abs(nodes[i] - nodes[j]) for i in range(length) for j in range(i)]
        assert np.isclose(np.log(values).sum(), np.log(differences).sum(), rtol=0, atol=1e-11)


@given(st.lists(st.complex_numbers(max_magnitude=1.5, allow_nan=False, width=64), min_size=1, max_size=9), st.integers(1, 9))
def test_well_conditioned_cases_agree_with_lapack(nodes, length):
    V = vandermonde(nodes, length)
    expected = np.linalg.svd(V, compute_uv=False)
    assert np.allclose(singular_values(nodes, length), expected, rtol=1e-10, atol=1e-13 * expected[0])
    kappa = condition_number(nodes, length)
    assume(expected[-1] > 1e-6 * expected[0])
    assert np.isclose(kappa, expected[0] / expected[-1], rtol=1e-8)


def test_far_beyond_double_precision():
    nodes = np.random.default_rng(0).uniform(-1, 1, 80)
    exact = certified_condition_number(nodes, 80)
    assert exact > 1e35
    assert float(abs(exact - float(condition_number(nodes, 80))) / exact) < 1e-12
    assert np.linalg.cond(vandermonde(nodes, 80)) < 1e21


def test_beyond_the_range_of_float64():
    nodes = np.random.default_rng(0).uniform(0, 1, 400)
    assert condition_number(nodes, 400) == np.inf
    assert 800 < log_condition_number(nodes, 400) < 2000
    assert condition_number([2, 0.5], 2000) == np.inf
    truth = certified_condition_number(np.array([2, 0.5]), 2000).log()
    assert abs(float(truth) - log_condition_number([2, 0.5], 2000)) < 1e-12 * float(truth)
    assert singular_values([2, 0.5], 2000).tolist() == [np.inf, 0]


def test_roots_of_unity_are_perfectly_conditioned():
    for n in (1, 2, 7, 64):
        for length in (1, n // 2 + 1, n):
            assert condition_number(roots(n), length) - 1 < 1e-13


def test_repeated_nodes():
    assert condition_number([0.5, 0.5, 0.2], 3) == np.inf
    assert singular_values([0.5, 0.5, 0.2], 3)[2] == 0
    # enough distinct nodes are left for two inputs
    assert np.isclose(condition_number([0.5, 0.5, 0.2], 2), np.linalg.cond(vandermonde([0.5, 0.5, 0.2], 2)))
    assert condition_number([0.0, 0.0], 5) == np.inf
    with pytest.raises(ValueError, match="distinct"):
        certified_condition_number(np.array([0.5, 0.5]), 2)


def test_batches_are_what_their_parts_are():
    nodes = np.stack([disc(seed, 12) for seed in range(6)]).reshape(2, 3, 12)
    together = condition_number(nodes, 8)
    assert together.shape == (2, 3)
    apart = [condition_number(row, 8) for row in nodes.reshape(6, 12)]
    assert np.array_equal(together.ravel(), apart)
    assert singular_values(nodes, 8).shape == (2, 3, 8)


@pytest.mark.parametrize("length", [2, 3, 40])
def test_an_empty_batch_has_no_condition_numbers(length):
    assert condition_number(np.zeros((0, 3)), length).shape == (0,)
    assert log_condition_number(np.zeros((2, 0, 3)), length).shape == (2, 0)
    assert singular_values(np.zeros((0, 3)), length).shape == (0, min(3, length))


@pytest.mark.parametrize("length", [8, 12, 20])
def test_the_strict_array_api_gives_the_same(length):
    nodes = np.stack([disc(seed, 12) for seed in range(6)]).reshape(2, 3, 12)
    nodes[1, 2, 5] = nodes[1, 2, 0]
    there = condition_number(array_api_strict.asarray(nodes), length)
    assert there.shape == (2, 3)
    assert np.allclose(np.asarray(there), condition_number(nodes, length), rtol=1e-13)
    assert condition_number(array_api_strict.asarray(nodes[0, 0]), length).shape == ()
    assert condition_number(array_api_strict.asarray(np.zeros((0, 3))), length).shape == (0,)


def test_torch_gives_the_same():
    torch = pytest.importorskip("torch", reason="needs the extra 'torch'")
    nodes = np.stack([disc(seed, 16) for seed in range(4)])
    there = condition_number(torch.from_numpy(nodes), 16)
    assert isinstance(there, torch.Tensor)
    assert np.allclose(there.numpy(), condition_number(nodes, 16), rtol=1e-13)


def test_the_factors_multiply_to_the_matrix():
    nodes, length = disc(7, 9), 6
    f = decompose(nodes[None], length)
    product = (f.left[0] * f.pivots[0] * np.exp(f.log_pivots[0])) @ f.right[0]
    product = f.row_phase[0][:, None] * product * f.column_phase[0]
    powers = np.arange(length)
    fourier = f.column_phase[0][None, :] ** -powers[:, None] / np.sqrt(length)
    assert np.allclose(fourier @ fourier.conj().T, np.eye(length))
    assert np.allclose(product, nodes[:, None] ** powers @ fourier, rtol=1e-12, atol=1e-14)
    assert (np.abs(f.left) <= 1 + 1e-12).all()
    assert (np.abs(f.right) <= 1 + 1e-12).all()


@pytest.mark.parametrize(
    ("rows", "value"), [([[2, 1], [1, 2]], 3), ([[4]], 4), (np.eye(4, dtype=int).tolist(), 1), ([[2, 2, 0], [2, 2, 0], [0, 0, 3]], 4)]
)
def test_balls_of_largest_eigenvalues(rows, value):
    """A simple one, one of every multiplicity, and one where the longest column is an eigenvector of another one."""
    saved, ctx.prec = ctx.prec, 200
    try:
        ball = largest_eigenvalue(acb_mat(rows))
    finally:
        ctx.prec = saved
    assert ball.contains(value)
    assert ball.rad() < 1e-15 * value


def test_differences_to_the_roots_are_right_where_all_but_the_last_digit_cancels():
    nodes, length = disc(8, 8), 16
    angle = decompose(nodes[None], length).angle
    saved, ctx.prec = ctx.prec, 200
    try:
        ball = lambda z: acb(float(z.real), float(z.imag))  # noqa: E731
        there = [(acb(0, 2 * j) * arb.pi() / length + acb(0, float(angle[0]))).exp() for j in range(length)]
        # the doubles nearest to the roots themselves: all of a difference is what rounding left
        given = np.concatenate([nodes, [complex(float(y.real), float(y.imag)) for y in there]])
        gaps = cauchy.differences(given[None], length, angle)[0][0]
        wrong = [abs(ball(gaps[i, j]) - (y - ball(x))) / abs(y - ball(x)) for i, x in enumerate(given) for j, y in enumerate(there)]
        assert all(bool(e < 1e-15) for e in wrong)
    finally:
        ctx.prec = saved


@pytest.mark.parametrize("shape", [(), (3,), (2, 2)])
def test_reconstruction(shape):
    nodes, length = disc(8, 40, 0.9), 24
    inputs = np.random.default_rng(0).standard_normal((*shape, length))
    states = inputs @ vandermonde(nodes, length).T
    assert np.allclose(reconstruct(states, nodes, length), inputs, atol=1e-9)


def test_reconstruction_as_well_as_the_states_allow():
    """States that are right to the last place give inputs that are wrong by kappa times as much, and not more."""
    nodes = np.random.default_rng(3).uniform(-1, 1, 16)
    inputs = np.random.default_rng(4).standard_normal(16)
    states = vandermonde(nodes, 16) @ inputs
    error = np.linalg.norm(reconstruct(states, nodes, 16) - inputs) / np.linalg.norm(inputs)
    assert error < 20 * np.finfo(float).eps * condition_number(nodes, 16)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: condition_number([], 3), "at least one node"),
        (lambda: condition_number(0.5, 3), "at least one node"),
        (lambda: condition_number([0.5], 0), "length of at least 1"),
        (lambda: condition_number(np.ma.array([0.5, 1.0], mask=[False, True]), 2), "without a mask"),
        (lambda: singular_values(np.ma.array([0.5, 1.0], mask=[False, True]), 2), "without a mask"),
        (lambda: condition_number([np.nan, 1.0], 2), "finite nodes"),
        (lambda: condition_number([1.7e308, -1.7e308], 2), "nodes up to 1e"),
        (lambda: reconstruct([1.0], [0.5], 2), "at least 2 distinct nodes"),
        (lambda: reconstruct([1.0, 2.0], [0.5, 0.5], 2), "at least 2 distinct nodes"),
        (lambda: reconstruct([1.0, 2.0, 3.0], [0.5, 0.1], 2), "one entry for each of 2 nodes"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@given(st.floats(-1e100, 1e100), st.floats(-1e100, 1e100))
def test_sums_and_products_without_error(a, b):
    from fractions import Fraction

    s, e = two_sum(a, b)
    assert Fraction(s) + Fraction(e) == Fraction(a) + Fraction(b)
    assume(abs(a * b) > 1e-250)
    p, e = two_product(a, b)
    assert Fraction(p) + Fraction(e) == Fraction(a) * Fraction(b)


def test_complex_products_to_thirty_digits():
    from fractions import Fraction

    a, b = (0.1, 1e-18, -0.7, 3e-18), (0.3, -2e-18, 0.9, 1e-17)
    real, real_low, imag, imag_low = multiply(a, b)
    ar, ai, br, bi = (Fraction(x) + Fraction(y) for x, y in (a[:2], a[2:], b[:2], b[2:]))
    assert abs(Fraction(real) + Fraction(real_low) - (ar * br - ai * bi)) < Fraction(1, 10**31)
    assert abs(Fraction(imag) + Fraction(imag_low) - (ar * bi + ai * br)) < Fraction(1, 10**31)


@pytest.mark.parametrize("bits", [24, 53, 300])
def test_roots_and_turns_to_thirty_digits_whatever_precision_is_set(bits):
    import mpmath
    from flint import ctx

    angles = [0.1, 3.0, -1e-9, 6.28]
    with ctx.workprec(bits):
        found = roots_of_unity.__wrapped__(1567), turns(angles)
    with mpmath.workdps(50):
        expected = [mpmath.expjpi(mpmath.mpf(2 * m) / 1567) for m in range(1567)], [mpmath.expj(t) for t in angles]
        for (high, low), values in zip(found, expected, strict=True):
            for k, z in enumerate(values):
                for part, i in ((z.real, 0), (z.imag, 1)):
                    assert abs(mpmath.mpf(high[i, k]) + mpmath.mpf(low[i, k]) - part) <= 1e-31 * abs(part)
