"""Stochastic rounding: outcomes, exact second moments by hand, random runs."""

import numpy as np
from flint import fmpq
from lemmata.constructions.automata.rounding.stochastic import error_moments, nearest, outcomes, rounded_vectors, wrong_share
from lemmata.numerics import exact


def test_the_mean_of_the_outcomes_is_the_number():
    for x in (fmpq(7, 3), fmpq(-7, 3), fmpq(2), fmpq(0)):
        found = outcomes(x, fmpq(1, 2))
        assert sum(p for p, _ in found) == 1
        assert sum(p * y for p, y in found) == x
        assert len(found) == (1 if x.q == 1 else 2)
    assert sum(p for p, _ in rounded_vectors(exact.rationals([[fmpq(1, 3)], [fmpq(1, 4)]]), fmpq(1))) == 1


def test_moments_of_a_sign_and_of_a_turn():
    sign = [exact.rationals([[-1]])]
    assert error_moments(sign, [0, 0], exact.rationals([[3]]), fmpq(1), exact.identity(1)) == (0, 0)
    turn = exact.rationals([[fmpq(3, 5), fmpq(-4, 5)], [fmpq(4, 5), fmpq(3, 5)]])
    # (3/5, 4/5): 3/5 * 2/5 + 4/5 * 1/5
    assert error_moments([turn], [0], exact.rationals([[1], [0]]), fmpq(1), exact.identity(2)) == (fmpq(2, 5), fmpq(2, 5))


def test_signs_are_never_wrong_and_turns_are():
    states = np.array([[1.0, 0.0], [-1.0, 0.0]])
    assert wrong_share(-np.eye(2)[None], states, 0.25, 99, 10, 1) == 0
    angles = np.arange(7) * 2 * np.pi / 7
    polygon = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    turn = np.array([[polygon[1, 0], -polygon[1, 1]], [polygon[1, 1], polygon[1, 0]]])
    assert list(nearest(polygon @ turn.T, polygon)) == [1, 2, 3, 4, 5, 6, 0]
    assert wrong_share(turn[None], polygon, 0.125, 400, 40, 1) > 0.5
