"""Property tests of the GH factorisations, in exact and in floating-point arithmetic, and what is refused."""

import numpy as np
import pytest
from flint import fmpq
from hypothesis import assume, given
from hypothesis import strategies as st
from lemmata.constructions import householder
from lemmata.constructions import strategies as matrices
from lemmata.constructions.householder import GeneralizedHouseholder
from lemmata.numerics import exact

sizes = st.integers(1, 6)


@given(sizes.flatmap(matrices.orthogonal))
def test_orthogonal_matrices_are_rank_many_reflections(Q):
    factors = householder.reflections(Q)
    assert np.array_equal(householder.product(factors, len(Q)), Q)
    assert len(factors) == exact.rank(Q - exact.identity(len(Q)))


@given(sizes.flatmap(lambda n: st.permutations(range(n))))
def test_permutations_are_swaps(p):
    factors = householder.swaps(p)
    assert len(factors) == len(p) - len(householder.cycles(p))
    assert np.array_equal(householder.product(factors, len(p)), householder.permutation_matrix(p))


@given(st.integers(1, 5).flatmap(matrices.contractions))
def test_contractions_are_two_n_minus_one_factors(M):
    factors = householder.contraction_factors(M)
    assert np.array_equal(householder.product(factors, len(M)), M)
    assert len(factors) <= 2 * len(M) - 1
    assert all(0 <= f.beta <= 2 for f in factors)


def rounding(n, count):
    """How far the product of ``count`` factors of an n x n matrix may be from it, in exact multiples of eps = 2^-52.

    16 sqrt(n) for each of n axes whose displacement counts as noise, 4 for each of n singular values that count as 1, 2 n for the SVD, and n + 5 roundings
    to an entry for each factor that is applied.
    """
    return (16 * n**1.5 + 4 * n + 2 * n + count * (n + 5)) * 2.0**-52


@st.composite
def float_contractions(draw):
    """Random contractions with singular values that include 0, 1, ties and values very near to 1."""
    n = draw(st.integers(1, 8))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    u, _, v = np.linalg.svd(rng.standard_normal((n, n)))
    sigma = draw(st.lists(st.sampled_from([0.0, 1.0, 0.5, 1 - 1e-9, 0.25, 1e-9]) | st.floats(0, 1), min_size=n, max_size=n))
    return u * np.array(sigma) @ v


@given(float_contractions())
def test_float_contractions(M):
    n, factors = len(M), householder.contraction_factors(M)
    assert np.abs(householder.product(factors, n).astype(float) - M).max() <= rounding(n, len(factors))
    assert len(factors) <= 2 * n - 1
    assert all(-1e-12 <= f.beta <= 2 + 1e-12 for f in factors)


@given(float_contractions())
def test_float_contractions_by_the_fewest_factors(M):
    n = len(M)
    # values very near to 1 are ill-conditioned for this construction, which says so instead of losing accuracy
    sigma = np.linalg.svd(M, compute_uv=False)
    assume(not np.any((sigma > 1 - 1e-6) & (sigma < 1 - 1e-12)))
    factors = householder.fewest_contraction_factors(M)
    assert np.abs(householder.product(factors, n).astype(float) - M).max() < 1e-8
    assert len(factors) <= 3 * n // 2
    assert all(-1e-9 <= f.beta <= 2 + 1e-9 for f in factors)


@given(st.integers(1, 4).flatmap(lambda n: matrices.matrices(n, n)), st.integers(0, 2))
def test_the_number_of_factors_lies_between_the_bounds(A, trials):
    M = A / max(1, *(sum(abs(x) for x in line) for line in (*A, *A.T)))
    low, high = householder.contraction_factor_bounds(M)
    rank = exact.rank(exact.identity(len(M)) - M)
    assert rank <= low <= high <= rank + rank // 2
    if rank and _well_separated(M):
        assert low <= len(householder.fewest_contraction_factors(exact.as_float(M), trials=8 * trials)) <= high


def _well_separated(M):
    """No multiple eigenvalue, which rounding would split."""
    spectrum = exact.characteristic_polynomial(householder.pencil_form(M).pencil())
    return spectrum.gcd(spectrum.derivative()).degree() == 0


def test_one_extra_factor_may_serve_two_pairs():
    # 9/10 J + 1/5 J takes five factors, two equal turns six, as many as n = 4 ever takes
    J = np.array([[0.0, -1.0], [1.0, 0.0]])
    different = np.kron(np.diag([0.9, 0.2]), J)
    for trials, count in ((0, 6), (64, 5), (256, 5)):
        factors = householder.fewest_contraction_factors(different, trials=trials)
        assert len(factors) == count
        assert np.abs(householder.product(factors, 4).astype(float) - different).max() < 1e-12
        assert all(-1e-12 <= f.beta <= 2 + 1e-12 for f in factors)
    assert len(householder.fewest_contraction_factors(np.kron(np.eye(2) * 0.9, J))) == 6


def test_two_turns_are_excluded_from_five_factors_by_pieces_that_cover_all_weights():
    # J/2 + J/3; near to each other; far apart. For 9/10 J + 1/5 J there is none, as five factors do
    for first, second in (((fmpq(5, 3), fmpq(4, 3)), (fmpq(5, 4), fmpq(3, 4))), ((2, 2), (2, fmpq(5, 2))), ((2, 2), (fmpq(1, 2), 1))):
        nu = tuple(fmpq(x) for x in first), tuple(fmpq(x) for x in second)
        pieces = householder.pairs.triangulation(*nu)
        assert pieces is not None
        assert sum(fmpq(1, 2 ** len(piece.path)) for piece in pieces) == 1
        assert all(householder.pairs.excludes(*nu, piece) for piece in pieces)
        assert not householder.pairs.excludes(*nu, pieces[0]._replace(low=pieces[0].z))
        M = exact.as_float(householder.pairs.pair_of_turns(*nu))
        assert len(householder.fewest_contraction_factors(M)) == 6
    assert householder.pairs.triangulation((fmpq(181, 19), fmpq(180, 19)), (fmpq(13, 12), fmpq(5, 12)), deepest=8) is None


def test_bounds_of_known_matrices():
    J = exact.rationals([[0, -1], [1, 0]])
    blocks = exact.block_diagonal
    assert householder.contraction_factor_bounds(exact.identity(3)) == (0, 0)
    assert householder.contraction_factor_bounds(blocks([J, J])) == (4, 4)
    assert householder.contraction_factor_bounds(blocks([J / 2, J / 2])) == (6, 6)
    assert householder.contraction_factor_bounds(blocks([J / 2, J / 3])) == (5, 6)
    assert householder.contraction_factor_bounds(blocks([J / 2, exact.identity(2)])) == (3, 3)
    coupled = np.block([[J / 2, exact.identity(2) / 4], [exact.zeros(2, 2), J / 2]])
    assert householder.contraction_factor_bounds(coupled)[1] == 6
    with pytest.raises(ValueError, match="exact entries"):
        householder.contraction_factor_bounds(np.eye(2) / 2)
    with pytest.raises(ValueError, match="norm"):
        householder.contraction_factor_bounds(2 * J)


def test_a_pencil_with_nonreal_eigenvalues_has_no_factors():
    with pytest.raises(ValueError, match="rational eigenvalues only"):
        householder.pencil_form(exact.rationals([[0, "-1/2"], ["1/2", 0]])).factors()


@given(st.integers(1, 8), st.integers(0, 2**32))
def test_float_orthogonal_matrices(n, seed):
    q, _ = np.linalg.qr(np.random.default_rng(seed).standard_normal((n, n)))
    factors = householder.reflections(q)
    assert len(factors) == np.linalg.matrix_rank(q - np.eye(n), tol=1e-9)
    assert np.abs(householder.product(factors, n).astype(float) - q).max() <= rounding(n, len(factors))


#: how far two reflections may be from the rotation: v has relative errors of 2 roundings, so v_i v_j / v.v of 12, twice that is 24, 1 for I - ., none for the second one,
#: whose entries are 0 and +-1, and 2 for the cosine that it is compared with
OF_A_ROTATION = 27 * 2.0**-53


@given(st.floats(-100, 100))
def test_rotations(theta):
    factors = householder.rotation_as_two_reflections(theta)
    assert len(factors) == 2
    assert all(abs(f.v @ f.v - 1) < 1e-12 for f in factors)
    assert np.abs(factors[0].matrix() @ factors[1].matrix() - householder.rotation(theta)).max() <= OF_A_ROTATION


@pytest.mark.parametrize("theta", [0.0, np.pi, -np.pi, 2 * np.pi, 1e-9])
def test_rotations_at_the_boundary(theta):
    a, b = householder.rotation_as_two_reflections(theta)
    assert np.abs(a.matrix() @ b.matrix() - householder.rotation(theta)).max() <= OF_A_ROTATION


@pytest.mark.parametrize("theta", [float("nan"), float("inf"), -float("inf")])
def test_angles_that_are_not_finite(theta):
    with pytest.raises(ValueError, match="finite angle"):
        householder.rotation_as_two_reflections(theta)


@pytest.mark.parametrize("function", [householder.reflections, householder.contraction_factors, householder.fewest_contraction_factors])
@pytest.mark.parametrize(
    "bad",
    [np.zeros((2, 3)), np.zeros((0, 0)), np.array([[np.nan]]), np.array([[np.inf, 0], [0, 1]]), np.array([[2.0]]), exact.rationals([[2]])],
)
def test_matrices_that_do_not_fit(function, bad):
    with pytest.raises(ValueError, match="expected"):
        function(bad)


def test_not_orthogonal():
    with pytest.raises(ValueError, match="orthogonal"):
        householder.reflections(np.array([[0.5]]))
    with pytest.raises(ValueError, match="orthogonal"):
        householder.reflections(exact.rationals([["1/2"]]))


def test_irrational_singular_values_are_refused_exactly_and_done_in_floats():
    M = exact.rationals([["1/2", "1/2"], [0, "1/2"]])
    with pytest.raises(ValueError, match="irrational"):
        householder.contraction_factors(M)
    with pytest.raises(ValueError, match="irrational"):
        householder.fewest_contraction_factors(exact.rationals([["1/3", "1/2"], ["1/5", "1/7"]]))
    factors = householder.contraction_factors(exact.as_float(M))
    assert np.abs(householder.product(factors, 2).astype(float) - exact.as_float(M)).max() <= rounding(2, len(factors))


@pytest.mark.parametrize("gap", [1e-15, 1e-13, 1e-12, 1e-10])
@pytest.mark.parametrize("n", [2, 3, 4, 6])
def test_singular_values_a_hair_below_one(n, gap):
    for seed in range(60):
        rng = np.random.default_rng([n, seed])
        u, _, v = np.linalg.svd(rng.standard_normal((n, n)))
        sigma = np.array([1 - gap, 1 - 2 * gap, *rng.uniform(0, 0.9, n)])[:n]
        M = u * sigma @ v
        stable = householder.contraction_factors(M)
        assert np.abs(householder.product(stable, n).astype(float) - M).max() <= rounding(n, len(stable))
        factors = householder.fewest_contraction_factors(M, trials=0)
        assert np.abs(householder.product(factors, n).astype(float) - M).max() < 1e-8
        assert len(factors) <= 3 * n // 2
        assert all(-1e-9 <= f.beta <= 2 + 1e-9 for f in factors)


def test_singular_values_between_are_done_or_refused_in_words():
    for seed in range(200):
        rng = np.random.default_rng(seed)
        u, _, v = np.linalg.svd(rng.standard_normal((4, 4)))
        M = u * np.array([1 - 10 ** rng.uniform(-9, -6), 1 - 10 ** rng.uniform(-9, -6), 0.3, 0.2]) @ v
        try:
            factors = householder.fewest_contraction_factors(M, trials=0)
        except ValueError as error:
            assert "away from 1" in str(error)  # noqa: PT017  (either outcome is right, a wrong product is not)
        else:
            assert np.abs(householder.product(factors, 4).astype(float) - M).max() <= 1e-8


@pytest.mark.parametrize("n", [1, 5, 60])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("size", [0.0, 1e-15, 1e-14, 1e-13, 1e-12, 1e-6])
def test_no_digits_are_lost_near_the_identity(n, sign, size):
    a = np.random.default_rng(n).standard_normal((n, n))
    q, _ = np.linalg.qr(np.eye(n) + size * (a - a.T))
    M = sign * q * np.sign(np.diag(q))
    shrunk = M * (1 - size)
    for whole, factors in ((M, householder.reflections(M)), (shrunk, householder.contraction_factors(shrunk))):
        assert np.abs(householder.product(factors, n).astype(float) - whole).max() <= rounding(n, len(factors))


@pytest.mark.parametrize("function", [householder.reflections, householder.contraction_factors, householder.fewest_contraction_factors])
@pytest.mark.parametrize("M", [1j * np.eye(2), np.eye(2, dtype=complex), np.array([[1j, 0], [0, 1]], dtype=object)])
def test_complex_matrices_are_refused(function, M):
    with pytest.raises(ValueError, match="real matrix"):
        function(M)


def test_integer_arrays_are_exact():
    factors = householder.reflections(np.array([[0, 1], [1, 0]]))
    assert [f.v.tolist() for f in factors] == [[-1, 1]]


def test_boundary_sizes():
    assert householder.reflections(np.array([[1.0]])) == []
    assert [f.beta for f in householder.reflections(np.array([[-1.0]]))] == [2]
    assert householder.contraction_factors(np.array([[1.0]])) == []
    assert [f.beta for f in householder.contraction_factors(exact.rationals([["-1/2"]]))] == [fmpq(3, 2)]
    assert householder.product([], 3).tolist() == exact.identity(3).tolist()
    for bad in (householder.zero_factors, householder.exact_rotation, householder.decoder_tolerance, householder.rotation_counter):
        with pytest.raises(ValueError, match="expected"):
            bad(0)
    for bad in ([], [1], [0, 0], [0, 2]):
        with pytest.raises(ValueError, match="permutation"):
            householder.permutation_matrix(bad)
    with pytest.raises(ValueError, match="states"):
        householder.boolean_transition([0, 2])


def test_a_factor_shows_itself():
    factor = GeneralizedHouseholder(exact.rationals([1, -1]), fmpq(2))
    assert factor.matrix().tolist() == [[0, 1], [1, 0]]
    assert factor._repr_latex_().startswith("$I - 2")


def test_factors_of_floats_have_floats():
    """One kind of number in a list: reflections, with beta = 2, beside factors of the polar form."""
    found = householder.contraction_factors(np.array([[0.0, -0.6], [0.6, 0.0]]))
    assert {type(f.beta) for f in found} == {float}


def test_the_criterion_of_a_chunk_at_its_borders():
    none, one = exact.zeros(0, 3), exact.rationals([[1, 0]])
    assert householder.chunk_criterion(none, exact.zeros(0))
    assert householder.chunk_criterion(one, exact.rationals([2]))
    assert householder.chunk_criterion(np.vstack([one, -one]), exact.rationals([2, 2]))
    assert not householder.chunk_criterion(one, exact.rationals([3]))
    assert not householder.chunk_criterion(one, exact.rationals(["1/2"]))
    assert not householder.chunk_criterion(one, exact.rationals([-1]))
    with pytest.raises(ValueError, match="expected real keys and strengths, got complex ones"):
        householder.chunk_criterion(np.array([[1j, 0]]), np.array([1.0]))
