"""Mixers of Eq. 10 with r factors and one alpha."""

import numpy as np
import pytest
from flint import fmpq
from lemmata.constructions.reflections import circle_point, closeness, complex_power, contracts, equal_angles, mixer, threshold
from lemmata.numerics import exact


def norm(alpha, vectors):
    Q = np.eye(vectors.shape[1])
    for u in vectors:
        u = u / np.linalg.norm(u)
        Q = Q - 2 * alpha * np.outer(u, u @ Q)
    return np.linalg.norm(np.eye(len(Q)) - Q, 2)


def test_known_thresholds():
    assert [round(threshold(r), 6) for r in (1, 2, 3)] == [0.5, 0.4, round((3 - 3**0.5) / 4, 6)]
    assert abs(2000 * threshold(2000) - 1.4394) < 2e-3


@pytest.mark.parametrize("r", [2, 3, 4, 7])
def test_the_exact_decision_agrees_with_the_formula(r):
    near = fmpq(round(threshold(r) * 10**7), 10**7)
    assert contracts(r, near - fmpq(1, 10**5))
    assert not contracts(r, near + fmpq(1, 10**5))


@pytest.mark.parametrize(("r", "d"), [(1, 2), (2, 2), (3, 2), (3, 4), (5, 3)])
def test_random_vectors_do_not_beat_the_circle(r, d):
    rng, alpha = np.random.default_rng(r + d), 0.3
    z = 1 - alpha + alpha * np.exp(1j * np.linspace(0, np.pi, 2001))
    largest = abs(1 - z**r).max()
    found = [norm(alpha, rng.normal(size=(r, d))) for _ in range(300)]
    assert max(found) <= largest + 1e-9
    assert max(found) > 0.6 * largest


def test_equal_angles_attain_it():
    alpha, r = fmpq(3, 10), 3
    z = circle_point(alpha, fmpq(2, 3))
    Q = mixer(alpha, equal_angles(z, r))
    assert tuple(Q @ exact.unit_vector(2, 0)) == complex_power(z, r)
    x, y = complex_power(z, r)
    assert closeness(r, alpha)(z[0] ** 2 + z[1] ** 2) == 1 - (1 - x) ** 2 - y**2


def test_one_vector_r_times_is_not_the_worst():
    assert norm(0.33, np.ones((3, 2))) < 1
    assert not contracts(3, fmpq(33, 100))
