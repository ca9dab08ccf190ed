"""Reconstruction in batches, on any array library: held to ``numpy.linalg.pinv``, cell by cell.

What rounding may do: a least-squares solution with the condition number kappa is right to about kappa eps, whatever the library; so two libraries'
errors differ by at most ``ALLOWED`` kappa eps, kappa of the singular values above the cut-off.
"""

import numpy as np
import pytest
from lemmata.gpu.devices import CPU
from lemmata.gpu.least_squares import CUTOFF, least_squares
from lemmata.gpu.measures import MEASURES, decoding_errors, ring_nodes
from lemmata.numerics.haar import haar
from lemmata.numerics.vandermonde import powers, vandermonde

from .libraries import LIBRARIES

EPS = np.finfo(float).eps
ALLOWED = 10

libraries = pytest.mark.parametrize("library", LIBRARIES)


def kappa(matrix):
    sizes = np.linalg.svd(matrix, compute_uv=False)
    kept = sizes[sizes > CUTOFF * sizes[0]]
    return kept[0] / kept[-1]


@libraries
@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("shape", [(9, 4), (4, 4), (4, 9), (1, 1)])
def test_least_squares_are_those_of_the_pseudoinverse(library, dtype, shape):
    put, get = LIBRARIES[library].put, LIBRARIES[library].get
    rng = np.random.default_rng(0)
    matrices = rng.standard_normal((5, *shape)).astype(dtype)
    right = rng.standard_normal((5, shape[0])).astype(dtype)
    if dtype is complex:
        matrices, right = matrices + 1j * rng.standard_normal(matrices.shape), right + 1j * rng.standard_normal(right.shape)
    # of rank one, and of rank nought
    matrices[0] = matrices[0, :, :1] * matrices[0, :1, :]
    matrices[1] = 0
    found = get(least_squares(put(matrices), put(right)))
    assert found.dtype == dtype
    for A, b, x in zip(matrices, right, found, strict=True):
        if not A.any():
            assert not x.any()
            continue
        wanted = np.linalg.pinv(A, rcond=CUTOFF) @ b
        assert np.linalg.norm(x - wanted) <= ALLOWED * kappa(A) * EPS * np.linalg.norm(wanted)


@libraries
def test_powers(library):
    put, get = LIBRARIES[library].put, LIBRARIES[library].get
    nodes = np.array([[0, 1, -1], [0.5j, 0.9 + 0.3j, 2]], dtype=complex)
    for length in (1, 2, 7, 8, 33):
        assert np.allclose(get(powers(put(nodes), length)), vandermonde(nodes, length), rtol=20 * EPS, atol=0)


def by_pinv(nodes, psi, inputs):
    """The two errors of one cell as they were computed before there were batches, and the larger condition number."""
    V = vandermonde(nodes, len(inputs))
    state, gamma = V @ inputs, V @ psi
    both = np.vstack([gamma.real, gamma.imag])
    found = [psi @ (np.linalg.pinv(both) @ np.concatenate([state.real, state.imag])), (psi @ (np.linalg.pinv(gamma) @ state)).real]
    return [np.linalg.norm(x - inputs) / np.linalg.norm(inputs) for x in found], max(kappa(both), kappa(gamma))


@libraries
@pytest.mark.parametrize(("N", "L", "P"), [(24, 8, None), (8, 8, None), (6, 8, None), (8, 16, 4), (3, 8, 8), (1, 1, None)])
def test_decoding_errors_are_those_of_the_cells(library, N, L, P):
    put, get = LIBRARIES[library].put, LIBRARIES[library].get
    cells = [{"r_min": r, "r_max": 1.0, "N": N, "L": L, "draw": draw} for r in (0.0, 0.9, 1.0) for draw in range(4)]
    nodes = np.stack([ring_nodes(cell, 0) for cell in cells])
    basis = None if P is None else haar(L, P)
    psi = np.eye(L) if basis is None else basis
    inputs = np.random.default_rng(1).standard_normal((len(cells), psi.shape[1])) @ psi.T
    found = get(decoding_errors(put(nodes), None if basis is None else put(basis), put(inputs)))
    for x, u, errors in zip(nodes, inputs, found, strict=True):
        wanted, condition = by_pinv(x, psi, u)
        assert np.abs(errors - wanted).max() <= ALLOWED * condition * EPS
    # what is lost is seen, and what is not comes back
    assert (found[:, 1] > 0.01).all() == ((L > N and basis is None) or P == 8)
    if (N, L, P) == (24, 8, None):
        assert found[-4:].max() < 1e-13


@pytest.mark.parametrize("library", [name for name in LIBRARIES if name != "NumPy"])
@pytest.mark.parametrize("kind", MEASURES)
def test_every_library_gives_the_same(kind, library):
    nodes = [{"r_min": 0.9, "r_max": 1.0, "N": 12, "L": 8, "basis": basis, "draw": i} for basis in ("all", "haar4") for i in range(5)]
    batches = [nodes[:5], nodes[5:]] if kind != "overlaps" else [[{"N": 6, "rank": 2, "words": "1:121", "draw": i} for i in range(5)]]
    device = LIBRARIES[library]
    assert type(device.put(np.zeros(1))) is not np.ndarray
    for cells in batches:
        here, there = (MEASURES[kind].compute(cells, 0, on) for on in (CPU, device))
        assert there.dtype == np.float64
        assert np.allclose(there, here, rtol=1e-11, atol=1e-11)
