"""Fixed-point RNNs: the iteration, its fixed point, and the layers that track groups."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from flint import fmpq
from hypothesis import assume, given
from hypothesis import strategies as st
from lemmata.constructions import quaternions, spin
from lemmata.constructions.bedouin import BedouinToken, bedouin_fixed_point, bedouin_pass, loop_matrix
from lemmata.constructions.fixed_point import (
    Selective,
    dense_recurrence,
    dense_states,
    diagonal_layer,
    gated,
    gated_by_modulus,
    has_mixer,
    iterate,
    lag_one_layer,
    mixer_for,
    passes_needed,
    rotated_decay,
    ungated,
)
from lemmata.constructions.householder import compose
from lemmata.numerics import exact

LAYERS = (ungated, gated, gated_by_modulus)
small = st.integers(-6, 6).map(lambda k: fmpq(k, 4))


def arrays(*shape):
    count = int(np.prod(shape))
    return st.lists(small, min_size=count, max_size=count).map(lambda xs: np.array(xs, dtype=object).reshape(shape))


@st.composite
def sequences(draw):
    """Tokens of one kind whose fixed-point equations are solvable, and an initial state."""
    layer, d, length = draw(st.sampled_from(LAYERS)), draw(st.integers(1, 3)), draw(st.integers(1, 4))
    tokens = [layer(draw(arrays(d)), draw(arrays(d, d)), draw(arrays(d))) for _ in range(length)]
    assume(all(exact.rank(exact.identity(d) - t.feedback) == d for t in tokens))
    return tokens, draw(arrays(d))


@given(sequences())
def test_dense_states_are_fixed(case):
    tokens, initial = case
    h = dense_states(tokens, initial)
    assert np.array_equal(diagonal_layer(tokens, h, initial), h)


@given(sequences())
def test_the_recurrence_type_runs_the_same_states(case):
    tokens, initial = case
    layer = dense_recurrence(dict(enumerate(tokens)), initial[:, None], lambda H, x: H[:, 0])
    assert np.array_equal(np.array(layer.run(range(len(tokens)))), dense_states(tokens, initial))


@given(sequences())
def test_exact_and_float_agree(case):
    tokens, initial = case
    floats = [type(t)(*(exact.as_float(part) for part in (t.decay, t.gate, t.mixer, t.drive))) for t in tokens]
    wanted = exact.as_float(iterate(tokens, 3, initial))
    assert np.allclose(iterate(floats, 3, exact.as_float(initial)), wanted, rtol=1e-9, atol=1e-9)


def test_the_two_gates_have_different_transitions():
    half = exact.rationals([["1/2"]])
    assert ungated(["1/2"], half, [0]).dense()[0][0, 0] == 1
    assert gated(["1/2"], half, [0]).dense()[0][0, 0] == fmpq(2, 3)
    assert gated_by_modulus(["-1/2"], half, [0]).dense()[0][0, 0] == fmpq(-2, 3)


def test_singular_mixers_have_no_dense_form():
    with pytest.raises(ValueError, match="expected an invertible matrix"):
        ungated([1], exact.rationals([[0]]), [1]).dense()


@given(arrays(3, 3), arrays(3))
def test_mixers_for_a_transition(A, decay):
    assume(exact.rank(A) == 3)
    Q = mixer_for(A, decay)
    assert has_mixer(A)
    assert np.array_equal(Q @ A, np.where(np.eye(3) == 1, decay[:, None], 0))


@pytest.mark.parametrize(
    ("rows", "possible"), [([[0]], True), ([[0, 1], [0, 0]], True), ([[1, 1], [1, 1]], False), ([[0, 0], [1, 1]], False)]
)
def test_singular_transitions(rows, possible):
    assert has_mixer(exact.rationals(rows)) is possible


def test_half_the_passes_leave_half_of_the_bit():
    half = np.array([0.5])
    for length in (1, 4, 9):
        tokens = [ungated(half, half[:, None], np.array([float(t == 0)])) for t in range(length)]
        assert iterate(tokens, length)[-1, 0] == pytest.approx(0.5)
        assert passes_needed(tokens, 0.45, 100) > length


def test_passes_of_a_contraction_do_not_depend_on_the_length():
    rng = np.random.default_rng(0)
    mixer = np.eye(3) * 0.5
    counts = {passes_needed([gated(np.full(3, 0.9), mixer, rng.standard_normal(3)) for _ in range(T)], 1e-6, 50) for T in (4, 16, 64)}
    assert max(counts) <= 21
    assert passes_needed([gated(np.full(3, 0.9), mixer, np.ones(3))] * 4, 1e-6, 3) is None


@given(arrays(3, 3))
def test_rotated_decays_make_the_iteration_converge(M):
    assume(all(exact.determinant(M[:k, :k]) != 0 for k in (1, 2, 3)))
    Q = rotated_decay(M)[:, None] * M
    eigenvalues = np.linalg.eigvals(exact.as_float(Q))
    assert sum(Q[i, i] for i in range(3)) == 1
    assert abs(eigenvalues.imag).max() < 1e-6
    assert eigenvalues.real.min() > -1e-9


def test_rotated_decays_need_leading_minors():
    with pytest.raises(ValueError, match="nonzero leading principal minors"):
        rotated_decay(exact.rationals([[0, 1], [1, 0]]))


# -- dependence on the previous state ------------------------------------------------------------------------------------


@given(st.lists(arrays(2), min_size=1, max_size=3))
def test_both_methods_find_the_solution(inputs):
    layer = lag_one_layer(fmpq(1, 2))
    floats = Selective(lag_one_layer(0.5).token, np.zeros(2))
    xs = [exact.as_float(x) for x in inputs]
    solution = exact.as_float(layer.solve(inputs))
    for method in (floats.run_parallel, floats.run_sequential):
        found, _ = method(xs, 1e-12, 200)
        assert np.allclose(found, solution, atol=1e-9)


def test_iterations_that_do_not_settle_are_reported():
    layer = Selective(lambda x, p: ungated([0.5], np.array([[-1.0]]), [x]), np.zeros(1))
    for method in (layer.run_parallel, layer.run_sequential):
        with pytest.raises(ArithmeticError, match="expected the iteration to settle within 50 passes"):
            method([1.0, 1.0], 1e-3, 50)


# -- groups -----------------------------------------------------------------------------------------------------------------


def test_the_octahedral_letters_stand_for_their_permutations():
    for g, q in quaternions.OCTAHEDRAL.items():
        assert quaternions.axes(q) == g
        for h, p in quaternions.OCTAHEDRAL.items():
            assert quaternions.axes(quaternions.multiply(p, q)) == compose(h, g)


def test_orders_of_the_quaternion_groups():
    assert len(quaternions.generated(list(quaternions.OCTAHEDRAL.values()))) == 48
    assert len(quaternions.generated(list(quaternions.icosahedral().values()))) == 120
    with pytest.raises(ValueError, match="at most 200 elements"):
        quaternions.generated([exact.rationals(["3/5", "4/5", 0, 0])])


def test_the_signed_letters_are_a_representation():
    letters = quaternions.signed_s3()
    for (g, (A, token)), (h, (B, _)) in ((x, y) for x in letters.items() for y in letters.items()):
        assert np.array_equal(A @ B, letters[compose(g, h)][0])
        assert np.array_equal(token.dense()[0], A)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_generators_anticommute(n):
    g = spin.clifford_generators(n)
    assert len(g) == n
    one = np.eye(2 ** (n - 1), dtype=int)
    assert all(np.array_equal(x @ x, one) and np.array_equal(x, x.T) for x in g)
    assert all(not (x @ y + y @ x).any() for x, y in combinations(g, 2))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda p: p[0] != p[1]), max_size=12))
def test_words_of_exchanges_are_products_of_transpositions(word):
    g = spin.clifford_generators(5)
    H, wanted = np.eye(16, dtype=int), tuple(range(5))
    for j, k in word:
        H = spin.exchange(g, j, k) @ H
        wanted = compose(tuple(k if i == j else j if i == k else i for i in range(5)), wanted)
    assert spin.conjugated(g, H, 2 ** len(word)) == wanted


def test_bad_spin_input():
    with pytest.raises(ValueError, match="at least one"):
        spin.clifford_generators(0)
    with pytest.raises(ValueError, match="two different"):
        spin.exchange(spin.clifford_generators(3), 1, 1)
    assert spin.conjugated(spin.clifford_generators(2), np.array([[1, 1], [0, 1]]), 1) is None


# -- Bedouin ----------------------------------------------------------------------------------------------------------------


@given(st.data())
def test_bedouin_fixed_points(data):
    n, d, length = (data.draw(st.integers(1, 3)) for _ in range(3))
    shapes = ((n, d), (d,), (n,), (n,), (d, d), (d,))
    tokens = [BedouinToken(*(data.draw(arrays(*s)) for s in shapes)) for _ in range(length)]
    loops = [exact.identity(d) - (t.C @ t.B) * (t.delta[:, None] * (exact.identity(d) - t.mixer)) for t in tokens]
    assume(all(exact.rank(m) == d for m in loops))
    y = bedouin_fixed_point(tokens)
    assert np.array_equal(bedouin_pass(tokens, y)[1], y)
    # the pass is affine, with the loop matrix as its linear part
    other = data.draw(arrays(length, d))
    moved = bedouin_pass(tokens, other)[1] - y
    assert np.array_equal(moved.reshape(-1), loop_matrix(tokens) @ (other - y).reshape(-1))


# -- gradients --------------------------------------------------------------------------------------------------------------


def test_implicit_gradients_are_what_autograd_finds_through_all_passes():
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    d, length = 3, 5
    decay = (torch.rand(d, dtype=torch.float64) * 0.9).requires_grad_()
    F = torch.randn(d, d, dtype=torch.float64)
    mixer = (torch.eye(d, dtype=torch.float64) - 0.5 * F / torch.linalg.matrix_norm(F, 2)).detach().requires_grad_()
    b = torch.randn(length, d, dtype=torch.float64)
    weights = torch.randn(length, d, dtype=torch.float64)

    def one_pass(h):
        state, out = torch.zeros(d, dtype=torch.float64), []
        for t in range(length):
            state = decay * state + (1 - decay) * (mixer @ b[t] + h[t] - mixer @ h[t])
            out.append(state)
        return torch.stack(out)

    h = torch.zeros(length, d, dtype=torch.float64)
    for _ in range(80):
        h = one_pass(h)
    unrolled = torch.autograd.grad((weights * h).sum(), (decay, mixer))

    fixed = h.detach()
    J = torch.autograd.functional.jacobian(one_pass, fixed).reshape(length * d, length * d)
    adjoint = torch.linalg.solve((torch.eye(length * d, dtype=torch.float64) - J).T, weights.reshape(-1)).reshape(length, d)
    implicit = torch.autograd.grad((adjoint.detach() * one_pass(fixed)).sum(), (decay, mixer))
    for a, c in zip(unrolled, implicit, strict=True):
        assert torch.allclose(a, c, rtol=1e-9, atol=1e-11)
    # and the fixed point is the project's dense recurrence
    numpy = [gated(decay.detach().numpy(), mixer.detach().numpy(), x.numpy()) for x in b]
    assert np.allclose(fixed.numpy(), dense_states(numpy))


def test_errors_of_a_contraction_shrink():
    token = gated(np.array([0.5, 0.9]), np.array([[0.7, 0.2], [0.0, 0.8]]), np.array([1.0, -1.0]))
    target = dense_states([token] * 6)
    errors = [np.linalg.norm(iterate([token] * 6, k) - target) for k in range(8)]
    assert all(b <= 0.5 * a for a, b in pairwise(errors))


words = st.dictionaries(st.lists(st.integers(0, 3), max_size=3).map(lambda w: tuple(sorted(set(w)))), st.integers(-3, 3), max_size=4)


@given(words, words)
def test_the_abstract_algebra_agrees_with_matrices(left, right):
    g = spin.clifford_generators(4)

    def matrix(element):
        total = np.zeros_like(g[0])
        for word, c in element.terms:
            term = np.eye(len(g[0]), dtype=int)
            for i in word:
                term = term @ g[i]
            total = total + c * term
        return total

    p, q = spin.CliffordElement.of(left), spin.CliffordElement.of(right)
    assert np.array_equal(matrix(p * q), matrix(p) @ matrix(q))
    assert np.array_equal(matrix(p + q), matrix(p) + matrix(q))
    assert np.array_equal(matrix(p - 2 * q), matrix(p) - 2 * matrix(q))
    assert np.array_equal(matrix(p.reversed()), matrix(p).T)
