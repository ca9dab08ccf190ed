"""Condition numbers on a basis: the right method for each cell, right to the bound that stands beside it, against mpmath at high precision and against balls."""

import mpmath
import numpy as np
import pytest
from lemmata.gpu.conditioning import METHODS, TOLERANCE, conditions
from lemmata.gpu.devices import CPU
from lemmata.gpu.measures import ring_nodes
from lemmata.gpu.sweeps import sweep
from lemmata.numerics.enclosures import certified_condition_number
from lemmata.numerics.haar import haar
from lemmata.numerics.vandermonde import vandermonde

from .libraries import LIBRARIES


def nodes_of(draws, N, L, r_min, r_max=1.0):
    return np.stack([ring_nodes({"r_min": r_min, "r_max": r_max, "N": N, "L": L, "draw": draw}, 0) for draw in range(draws)])


def by_mpmath(nodes, psi):
    """kappa(V Psi) from the singular values at 120 digits."""
    with mpmath.workdps(120):
        length = len(psi)
        V = mpmath.matrix([[mpmath.mpc(complex(x)) ** (length - 1 - j) for j in range(length)] for x in nodes])
        sizes = mpmath.svd_c(V * mpmath.matrix(psi.tolist()), compute_uv=False)
        return sizes[0] / sizes[len(sizes) - 1]


#: N, L, P, r_min, r_max and the method that all draws need
CASES = [
    (12, 8, 8, 0.0, 1.0, "lagrange"),
    (12, 8, 2, 0.9, 1.0, "lapack"),
    (12, 16, 6, 0.0, 0.2, "certified"),
    (6, 32, 5, 0.0, 0.001, "certified"),
    (1, 4, 1, 0.5, 1.0, "lapack"),
]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(("N", "L", "P", "r_min", "r_max", "method"), CASES)
def test_kappa_is_right_to_its_bound(library, N, L, P, r_min, r_max, method):
    nodes, psi = nodes_of(2, N, L, r_min, r_max), haar(L, P)
    found = conditions(nodes, L, psi, LIBRARIES[library])
    assert [METHODS[int(m)] for m in found[:, 2]] == [method] * 2
    for x, (log_kappa, by_lapack, _, bound) in zip(nodes, found, strict=True):
        truth = by_mpmath(x, psi)
        # log10 itself is rounded
        rounding = 4e-16 * max(1, float(mpmath.log10(truth)))
        assert abs(log_kappa - float(mpmath.log10(truth))) <= bound / np.log(10) + rounding
        assert bound <= TOLERANCE
        # a small enough bound is not had for nothing
        assert method != "certified" or abs(by_lapack - float(mpmath.log10(truth))) > 10 * bound


def test_a_basis_of_all_inputs_changes_nothing():
    nodes = nodes_of(3, 24, 16, 0.0)
    assert np.array_equal(conditions(nodes, 16, haar(16, 16), CPU)[:, 0], conditions(nodes, 16, None, CPU)[:, 0])


def test_a_lower_rank_is_infinite_and_what_cannot_be_told_from_one_has_no_bound():
    twice = np.array([[0.5, 0.5, 0.25], [0.5, 0.5, 0.5]], dtype=complex)
    found = conditions(twice, 4, haar(4, 2), CPU)
    assert np.isfinite(found[0]).all()
    assert [found[1, 0], METHODS[int(found[1, 2])], found[1, 3]] == [np.inf, "rank", 0]
    # the alternating row is orthogonal to both of the coarsest wavelets
    (row,) = conditions(np.array([[1.0, -1.0]], dtype=complex), 4, haar(4, 2), CPU)
    assert [METHODS[int(row[2])], row[3]] == ["lapack", np.inf]
    with pytest.raises(ArithmeticError, match="enclose"):
        certified_condition_number([1.0, -1.0], 4, basis=haar(4, 2))


def test_balls_on_a_basis():
    nodes = nodes_of(1, 5, 8, 0.0)[0]
    rng = np.random.default_rng(0)
    psi = rng.standard_normal((8, 3)) + 1j * rng.standard_normal((8, 3))
    kappa = certified_condition_number(nodes, 8, basis=psi)
    assert kappa.rad() < 1e-14 * kappa.mid()
    assert abs(float(kappa) / np.linalg.cond(vandermonde(nodes, 8) @ psi) - 1) < 1e-12
    # more columns than nodes: the rows decide
    wide = certified_condition_number(nodes[:2], 8, basis=psi)
    assert abs(float(wide) / np.linalg.cond(vandermonde(nodes[:2], 8) @ psi) - 1) < 1e-12
    with pytest.raises(ValueError, match=r"a basis of 8 inputs, shape \(8, P\), got shape \(7, 3\)"):
        certified_condition_number(nodes, 8, basis=psi[1:])


def test_the_data_say_which_method(tmp_path):
    axes = {"r_min": [0.0], "r_max": [0.2], "N": [12], "L": [16], "basis": ["all", "haar6"], "draw": range(3)}
    data = sweep("conditioning", axes, tmp_path).squeeze()
    meanings = data.method.attrs["flag_meanings"].split()
    assert data.method.dtype == np.int8
    assert [[meanings[i] for i in row] for row in data.method.values] == [["lagrange"] * 3, ["certified"] * 3]
    assert (data.kappa_error > 0).all()
