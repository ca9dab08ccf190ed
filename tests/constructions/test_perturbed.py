"""Second moments of perturbed layers: by hand for parity, by all words for a mirror; recurrences; limits."""

from itertools import product

import pytest
from flint import fmpq
from lemmata.constructions.automata.layers import perturbed
from lemmata.numerics import exact

MAPS = [perturbed.mirror(exact.rationals([[1], [0]])), perturbed.mirror(exact.rationals([[1], [1]]))]
START = exact.rationals([[1], [2]])


def test_second_moments_are_means_over_all_words():
    directions = [
        perturbed.step_size(exact.rationals([[1], [0]])),
        perturbed.turned(exact.rationals([[1], [1]]), exact.rationals([[1], [-1]])),
    ]
    for T in range(4):
        total = fmpq(0)
        for word in product(range(2), repeat=T):
            h, D = START, START * 0
            for x in word:
                h, D = MAPS[x] @ h, MAPS[x] @ D + directions[x] @ h
            total += (D.T @ D)[0, 0]
        assert perturbed.second_moments(MAPS, directions, START, T)[T] == total / 2**T


def test_the_least_recurrence_of_powers():
    powers = [fmpq(3) ** k + fmpq(1, 2) ** k for k in range(8)]
    assert sorted((int(-f[0] / f[1] * 2), m) for f, m in perturbed.least_recurrence(powers).factor()[1]) == [(1, 1), (6, 1)]
    assert perturbed.least_recurrence([fmpq(0)] * 6).degree() == 0
    with pytest.raises(ValueError, match="more than"):
        perturbed.least_recurrence([fmpq(1), fmpq(2)])


def test_conjugated_letters_leave_no_drift_and_no_variance():
    skew = exact.rationals([[0, 1], [-1, 0]])
    found = perturbed.limits(MAPS, [perturbed.conjugated(A, skew) for A in MAPS], START)
    assert found.variance == 0
    assert not (found.drift != 0).any()


def test_a_direction_along_the_key_is_refused():
    with pytest.raises(ValueError, match="orthogonal"):
        perturbed.turned(START, START)
