"""Sets of gated transitions in common coordinates."""

from random import Random

import numpy as np
import pytest
from flint import fmpq
from lemmata.constructions import samples
from lemmata.constructions.fixed_point.sets import common_layer, ldl, lyapunov, own_channels
from lemmata.numerics import exact


def test_lyapunov_solves_and_tells_stability():
    M = exact.rationals([[1, 5], [0, 2]])
    P = lyapunov(M)
    assert P is not None
    assert np.array_equal(P @ M + M.T @ P, exact.identity(2))
    assert exact.is_positive_definite(P)
    Q = lyapunov(exact.rationals([[1, 0], [0, -2]]))
    assert Q is not None
    assert not exact.is_positive_definite(Q)
    assert lyapunov(exact.rationals([[1, 0], [0, -1]])) is None


def test_ldl_multiplies_back():
    P = samples.positive_semidefinite(Random(3), 4) + exact.identity(4)
    L, d = ldl(P)
    assert np.array_equal((L * d) @ L.T, P)
    assert all(L[i, i] == 1 for i in range(4))
    assert all(x > 0 for x in d)


def test_own_channels_factor_the_matrix():
    B = exact.rationals([["1/2", 3], [0, 0]])
    R, E, d = own_channels(B)
    assert R.shape == (1, 2)
    assert np.array_equal(E @ R, B)
    assert d[0] > 0


@pytest.mark.parametrize(
    ("matrix", "why"),
    [
        ([["-1/2"]], "open disc"),
        ([[1]], "open disc"),
        ([["1/2", "1/2"], ["-1/2", "1/2"]], "open disc"),
        ([[0, 1], [0, 0]], "semisimple"),
    ],
    ids=["negative", "one", "on the circle", "nilpotent"],
)
def test_what_is_not_gated_for_itself_is_refused(matrix, why):
    with pytest.raises(ValueError, match=why):
        common_layer([exact.rationals(matrix)])


def test_a_product_that_grows():
    matrices = [exact.rationals([["1/2", 1], [0, "1/2"]]), exact.rationals([["1/2", 0], [5, "1/2"]])]
    S, tokens = common_layer(matrices)
    state = S @ exact.rationals([1, 1])
    for _ in range(3):
        for token in tokens:
            state = token.dense()[0] @ state
    expected = exact.rationals([1, 1])
    for _ in range(3):
        expected = matrices[1] @ (matrices[0] @ expected)
    assert np.array_equal(state, S @ expected)
    assert max(expected) > fmpq(100)


def test_the_zero_matrix_and_coordinates_that_have_to_be_added():
    S, tokens = common_layer([exact.zeros(2, 2), exact.rationals([["1/2", 0], [0, 0]])])
    assert exact.rank(S) == 2
    assert not np.any(tokens[0].dense()[0] @ S)
