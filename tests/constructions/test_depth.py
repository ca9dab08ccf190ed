"""Deep linear recurrent networks: transfer functions and copies."""

import numpy as np
import pytest
from flint import fmpq, fmpq_poly
from hypothesis import given
from hypothesis import strategies as st
from lemmata.constructions.depth import (
    DeepLinear,
    as_one_layer,
    copy_network,
    deep_near_copy,
    delayed_links,
    hankel_rank,
    impulse_response,
    near_copy,
    parameters,
    printed_copy_network,
    resolvent,
)
from lemmata.numerics import exact


@st.composite
def copies(draw):
    """(n, L, p, d) with p d <= L (n - d)."""
    n, depth = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    d = draw(st.integers(1, n))
    return n, depth, draw(st.integers(0, depth * (n - d) // d)), d


@given(copies(), st.data())
def test_copies(case, data):
    n, depth, p, d = case
    network = copy_network(n, depth, p, d)
    word = data.draw(st.lists(st.lists(st.integers(-9, 9), min_size=d, max_size=d), max_size=12))
    assert [list(y) for y in network.run(word)] == ([[0] * d] * p + word)[: len(word)]
    assert all(V.shape == (n, n) for _, V in network.layers)
    assert len(network.layers) == depth


@pytest.mark.parametrize(("n", "depth", "p", "d"), [(1, 3, 1, 1), (2, 2, 3, 1), (3, 1, 1, 2), (2, 1, 0, 3), (2, 0, 0, 1), (2, 1, -1, 1)])
def test_copies_that_do_not_exist(n, depth, p, d):
    with pytest.raises(ValueError, match="expected"):
        copy_network(n, depth, p, d)


def test_the_printed_network_reads_its_oldest_input():
    assert [y[0] for y in printed_copy_network(3, 2).run([1, 2, 3, 4, 5, 6])] == [0, 0, 0, 0, 1, 2]


@given(st.integers(1, 5), st.data())
def test_resolvents(n, data):
    V = np.array(data.draw(st.lists(st.lists(st.integers(-3, 3), min_size=n, max_size=n), min_size=n, max_size=n)), dtype=object) * fmpq(1)
    adjugate, determinant = resolvent(V)
    z = fmpq(1, 7)
    at = np.array([[p(z) for p in row] for row in adjugate], dtype=object)
    assert np.array_equal(at @ (exact.identity(n) - V * z), exact.identity(n) * determinant(z))
    assert determinant(z) == exact.determinant(exact.identity(n) - V * z)


def test_impulse_responses_are_runs():
    V = exact.rationals([["1/2", 1], [0, "-1/3"]])
    network = DeepLinear(((exact.rationals([[1], [2]]), V), (exact.rationals([[1, 1], [0, 1]]), V.T)), exact.rationals([[1, -1]]))
    numerator, denominator = network.transfer()
    assert impulse_response(numerator[0, 0], denominator, 7) == [y[0] for y in network.run([1, 0, 0, 0, 0, 0, 0])]
    assert impulse_response(fmpq_poly([1]), fmpq_poly([1, -1]), 4) == [1, 1, 1, 1]


def test_one_wide_layer_does_what_many_do():
    network = copy_network(3, 2, 4)
    wide = as_one_layer(network)
    assert (wide.width, len(wide.layers)) == (6, 1)
    word = [1, 2, 3, 4, 5, 6, 7]
    assert [y[0] for y in wide.run(word)] == [y[0] for y in network.run(word)] == [0, 0, 0, 0, 1, 2, 3]


def test_hankel_ranks_and_parameters():
    # 1, 1, 2, 3, 5, ...: two units
    fibonacci = [1, 1]
    while len(fibonacci) < 12:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    assert hankel_rank([fmpq(x) for x in fibonacci]) == 2
    for few in ([], [fmpq(0)], [fmpq(0), fmpq(1)]):
        with pytest.raises(ValueError, match=f"at least 3 responses, got {len(few)}"):
            hankel_rank(few)
    # one layer: n^2 + n + n; two layers: 2 n^2 + n more
    assert (parameters(3, 1), parameters(3, 2) - parameters(3, 1)) == (15, 21)


@given(st.integers(1, 6), st.integers(2, 50))
def test_near_copies(p, e):
    response = [y[0] for y in near_copy(p, fmpq(1, e)).run([1] + [0] * (2 * p))]
    assert response == [fmpq(1, e), *[0] * (p - 1), 1, *[0] * (p - 1), e]


@pytest.mark.parametrize(("p", "error"), [(0, fmpq(1, 2)), (-1, fmpq(1)), (2, fmpq(0))])
def test_near_copies_that_do_not_exist(p, error):
    with pytest.raises(ValueError, match="expected p >= 1"):
        near_copy(p, error)


@pytest.mark.parametrize(
    ("n", "depth", "d"), [(2, 1, 1), (1, 2, 1), (3, 2, 1), (2, 5, 1), (4, 3, 1), (6, 2, 2), (2, 4, 2), (4, 3, 4), (3, 2, 3), (6, 3, 3)]
)
def test_near_copies_in_layers(n, depth, d):
    p = n * depth // d
    network = deep_near_copy(n, depth, fmpq(3), d)
    assert [V.shape for _, V in network.layers] == [(n, n)] * depth
    for c in range(d):
        unit = exact.unit_vector(d, c)
        seen = network.run([unit, *[unit * 0] * (2 * p)])
        wanted = {0: fmpq(1, 3**p), p: fmpq(1), 2 * p: fmpq(3**p)}
        assert all(list(y) == list(unit * wanted.get(k, fmpq(0))) for k, y in enumerate(seen))


@pytest.mark.parametrize(("n", "depth", "scale", "d"), [(1, 3, 2, 1), (3, 3, 2, 1), (3, 3, 2, 3), (3, 1, 2, 2), (2, 0, 2, 1), (2, 1, 0, 1)])
def test_near_copies_in_layers_that_do_not_exist(n, depth, scale, d):
    with pytest.raises(ValueError, match="expected n = m d"):
        deep_near_copy(n, depth, fmpq(scale), d)


@given(copies(), st.data())
def test_delayed_links_are_a_layer_late_each(case, data):
    n, depth, p, d = case
    word = data.draw(st.lists(st.lists(st.integers(-9, 9), min_size=d, max_size=d), max_size=12))
    p += depth - 1
    assert [list(y) for y in delayed_links(copy_network(n, depth, p - depth + 1, d)).run(word)] == ([[0] * d] * p + word)[: len(word)]
