"""Signed decays, mirrors near the axes, and coordinates in which ungated fixed-point layers converge."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from lemmata.constructions.fixed_point import mixer_for
from lemmata.constructions.fixed_point.bases import (
    blocking_matrix,
    cartan,
    characteristic,
    contraction_form,
    helmert,
    mirror_letters,
    mixer_of_singular,
    near_orthonormal,
    path,
    reflection,
    reflection_decay,
    separated_decay,
    separates,
    sign_of,
    signed_fifth_turn,
    signed_permutation_normals,
    simple_reflections,
    slightly_turned,
    transposition_decay,
)
from lemmata.numerics import exact
from lemmata.numerics.cyclotomic import root_of_unity

NORMALS = st.lists(st.integers(-6, 6), min_size=1, max_size=6).filter(any).map(exact.rationals)


def _norm(M):
    return np.linalg.norm(exact.as_float(M), 2)


def test_the_form_decides_contraction():
    A = exact.rationals([[2, 1, 0], [-1, -3, 1], [0, 2, 1]])
    for signs in ([1, -1, 1], [1, 1, 1], [-1, -1, -1]):
        for t in ("1/9", "1/2", 1, 3):
            lam = exact.rationals(signs) * exact.rational(t)
            norm = _norm(exact.identity(3) - mixer_for(A, lam))
            assert exact.is_positive_definite(contraction_form(A, lam)) == (norm < 1)


@settings(max_examples=40, deadline=None)
@given(NORMALS)
def test_a_mirror_contracts_or_is_forbidden(u):
    A, share = reflection(u), max(x * x for x in u) / (u @ u)
    if share > fmpq(1, 2):
        F = exact.identity(len(u)) - mixer_for(A, reflection_decay(u))
        assert _norm(F) == pytest.approx(2 * float(share * (1 - share)) ** 0.5, abs=1e-12)
        with pytest.raises(ValueError, match="no coordinate with more than half"):
            blocking_matrix(u)
    else:
        X = blocking_matrix(u)
        assert exact.is_positive_semidefinite(X)
        assert exact.rank(X) > 0
        assert not np.diag(A @ X).any()


def test_singular_transitions():
    A = exact.rationals([[0, 5], [0, -3]])
    lam = exact.rationals([0, -2])
    Q = mixer_of_singular(A, lam)
    np.testing.assert_array_equal(Q @ A, exact.rationals([[0, 0], [0, -2]]))
    assert exact.rank(Q) == 2
    assert _norm(exact.identity(2) - Q) < 1


def test_simple_reflections_are_a_coxeter_group():
    S = simple_reflections(cartan(path(3), 3))
    one = exact.identity(3)
    for i in range(3):
        np.testing.assert_array_equal(S[i] @ S[i], one)
    np.testing.assert_array_equal(np.linalg.matrix_power(S[0] @ S[1], 3), one)
    np.testing.assert_array_equal(S[0] @ S[2], S[2] @ S[0])


def test_mirror_letters_are_conjugate_to_the_simple_reflections():
    C = cartan(path(3), 3)
    T = near_orthonormal(C)
    for S, (A, lam) in zip(simple_reflections(C), mirror_letters(C, T, fmpq(1, 2)), strict=True):
        np.testing.assert_array_equal(A @ T, T @ S)
        assert sorted(lam) == [fmpq(-1, 2), fmpq(1, 2), fmpq(1, 2)]


def test_a_turn_that_signs_do_not_help_is_refused():
    cycle = exact.rationals([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    with pytest.raises(ValueError, match="into one by 72 degrees"):
        signed_fifth_turn(cycle)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.integers(-5, 5), min_size=n * n, max_size=n * n)))
def test_eigenvalues_are_separated(entries):
    n = round(len(entries) ** 0.5)
    M = exact.rationals(np.array(entries, dtype=object).reshape(n, n))
    if any(exact.determinant(M[:k, :k]) == 0 for k in range(1, n + 1)):
        with pytest.raises(ValueError, match="nonzero leading principal minors"):
            separated_decay(M)
        return
    lam, points = separated_decay(M)
    assert separates(M, lam, points)
    assert points[0] + points[-1] == 2
    found = np.sort(np.linalg.eigvals(exact.as_float(lam[:, None] * M)).real)
    edges = [float(s) for s in points]
    assert all(low - 1e-6 < x < high + 1e-6 for low, x, high in zip(edges, found, edges[1:], strict=False))


def test_points_that_do_not_separate_are_noticed():
    M, lam = exact.rationals([[2, 0], [0, 1]]), exact.rationals([1, 1])
    assert separates(M, lam, exact.rationals(["1/2", "3/2", 3]))
    assert not separates(M, lam, exact.rationals(["1/2", 1, 3]))
    assert not separates(M, lam, exact.rationals(["1/2", "5/2", 3]))
    assert not separates(M, lam, exact.rationals([-1, "3/2", 3]))
    assert not separates(M, lam, exact.rationals(["1/2", "3/2"]))


def test_a_field_with_a_root_of_five():
    golden = 1 + root_of_unity(5) + root_of_unity(5, 4)
    M = np.array([[golden, exact.rational(1)], [exact.rational(1), golden * 0]], dtype=object)
    assert characteristic(M) == [golden * 0 - 1, -golden, 1]
    assert [sign_of(x) for x in (golden, 1 - golden, golden * golden - golden - 1)] == [1, -1, 0]
    lam, points = separated_decay(M)
    assert separates(M, lam, points)


def test_every_transposition_contracts_in_helmert_s_basis():
    n = 4
    H = helmert(n)
    unit = exact.as_float(H) / np.linalg.norm(exact.as_float(H), axis=1)[:, None]
    for k in range(1, n):
        lam = unit @ exact.as_float(transposition_decay(H, k)) @ unit.T
        np.testing.assert_allclose(lam, np.diag(np.diag(lam)), atol=1e-12)
        for j in range(k + 1, n + 1):
            swap = np.eye(n)
            swap[[k - 1, j - 1]] = swap[[j - 1, k - 1]]
            A = unit @ swap @ unit.T
            assert np.linalg.norm(np.eye(n - 1) - lam @ np.linalg.inv(A), 2) == pytest.approx((1 - 1 / (n - k) ** 2) ** 0.5)


def test_signed_permutations_contract_in_a_slightly_turned_basis():
    O = slightly_turned(4, fmpq(1, 13))
    assert exact.is_orthogonal(O)
    normals = signed_permutation_normals(4)
    assert len({exact.freeze(u) for u in normals}) == 16
    for u in normals:
        v = O @ u
        F = exact.identity(4) - mixer_for(reflection(v), reflection_decay(v))
        assert _norm(F) < 1
    assert any(max(x * x for x in u) * 2 == u @ u for u in normals)
