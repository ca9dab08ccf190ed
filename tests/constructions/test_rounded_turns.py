"""Turns that come back: in exact arithmetic at other precisions, and run in the machine's own floats."""

import numpy as np
import pytest
from lemmata.constructions.rounded_turns import bits, orbit, turn
from lemmata.numerics.floating_point import BINARY16, BINARY32, BINARY64


@pytest.mark.parametrize("precision", [3, 11, 12, 100, 237])
def test_the_states_differ_and_come_back(precision):
    found = turn(precision)
    assert found is not None
    for m in (3, 6):
        states = orbit(found.unit(m), (found.size, found.size * 0), bits(precision).round, m)
        assert states[-1] == states[0]
        assert len(set(states)) == m


def test_two_bits_are_too_few():
    assert turn(2) is None


@pytest.mark.parametrize(("format", "dtype"), [(BINARY16, np.float16), (BINARY32, np.float32), (BINARY64, np.float64)])
@pytest.mark.parametrize("m", [3, 6])
def test_the_machine_counts(format, dtype, m):
    found = turn(format.precision)
    assert found is not None
    x, y = (dtype(float(z)) for z in found.unit(m))
    h = start = (dtype(float(found.size)), dtype(0))
    seen = []
    for _ in range(6000):
        h = (x * h[0] - y * h[1], x * h[1] + y * h[0])
        seen.append(h)
    assert all((h == start) == (t % m == 0) for t, h in enumerate(seen, start=1))


def test_from_one_the_nearest_root_of_unity_does_not_always_come_back():
    """What choosing c is for: from h = 1 some format leaves the cycle."""
    left = []
    for precision in range(3, 40):
        format, t = bits(precision), turn(precision).height
        one = format.round(t / t)
        states = orbit((-one / 2, t), (one, one * 0), format.round, 3)
        left.append(states[-1] != states[0])
    assert any(left)
    assert not all(left)
