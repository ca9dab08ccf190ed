"""Condition numbers of V Psi for a batch of cells: each by the cheapest method that is right to ``TOLERANCE``, which is named beside it.

For all inputs, and for a basis of them all, Lagrange's formula (``numerics.lagrange``) sees every singular value. It does not help with V Psi for fewer inputs:
Psi mixes the columns, and small singular values arise by cancellation in it. There LAPACK serves while its error bound does,
and then balls of rising precision, cell by cell on the CPU.
"""

from __future__ import annotations

from typing import Any

import array_api_compat
import numpy as np

from ..numerics.enclosures import certified_condition_number
from ..numerics.vandermonde import log_condition_number_and_bound, powers
from .devices import Device

#: what a condition number was computed by, in the order of its number in the data
METHODS = ("lagrange", "lapack", "certified", "rank")

#: LAPACK's condition numbers are kept up to this bound of their relative error
TOLERANCE = 1e-8

#: digits of a ball
DIGITS = 12


def conditions(nodes: np.ndarray, length: int, basis: np.ndarray | None, device: Device) -> np.ndarray:
    """log10 of kappa(V Psi), log10 of LAPACK's, the place of the method in ``METHODS``, and a bound of the relative error of kappa; shape (b, 4).

    ``nodes`` (b, N) complex; ``basis`` Psi is (L, P), orthonormal, P <= N, None for all inputs.
    """
    on_device = device.put(nodes)
    bound, by_lapack = _by_lapack(on_device, length, basis, device)
    whole = basis is None or basis.shape[1] == length
    if whole:
        log_kappa, bound = (device.get(part) for part in log_condition_number_and_bound(on_device, length))
        kappa, method = log_kappa / np.log(10), np.full(len(nodes), METHODS.index("lagrange"))
    else:
        kappa, method = by_lapack.copy(), np.full(len(nodes), METHODS.index("lapack"))
    found = np.stack([kappa, by_lapack, method, bound], axis=1)
    for row, x in zip(found, nodes, strict=True):
        if len(np.unique(x)) < min(len(x), length if basis is None else basis.shape[1]):
            row[[0, 2, 3]] = np.inf, METHODS.index("rank"), 0
        elif not row[3] <= TOLERANCE:
            _certify(row, x, length, basis)
    return found


def _by_lapack(nodes: Any, length: int, basis: np.ndarray | None, device: Device) -> tuple[np.ndarray, np.ndarray]:
    """A bound of the relative error of the ratio of LAPACK's singular values, and the logarithm of the ratio itself."""
    xp = array_api_compat.array_namespace(nodes)
    with np.errstate(over="ignore", invalid="ignore"):
        V = powers(nodes, length)
    matrices = V if basis is None else V @ device.put(basis.astype(complex))
    finite = xp.all(xp.isfinite(xp.real(matrices)) & xp.isfinite(xp.imag(matrices)), axis=(-2, -1))
    values = device.get(xp.linalg.svdvals(xp.where(finite[:, None, None], matrices, xp.zeros_like(matrices))))
    size = device.get(xp.linalg.vector_norm(xp.where(finite[:, None, None], V, xp.zeros_like(V)), axis=(-2, -1)))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = values[:, 0] / values[:, -1]
        # x^j is off by at most 4 j units, a sum of L terms by L, and the SVD by a small multiple of N + L, of the norm of V and so of V Psi
        error = 4 * (nodes.shape[-1] + length) * np.finfo(float).eps * size
        bound = error / (values[:, -1] - error) + error / values[:, 0]
    bound = np.where(values[:, -1] > error, bound, np.inf)
    return bound, np.log10(np.where(np.isnan(ratio), np.inf, ratio))


def _certify(row: np.ndarray, nodes: np.ndarray, length: int, basis: np.ndarray | None) -> None:
    """The rows that balls decide in place of LAPACK; where balls cannot separate V Psi from a matrix of lower rank, rows and bounds stay."""
    try:
        kappa = certified_condition_number(nodes, length, DIGITS, basis)
    except ArithmeticError:
        return
    row[[0, 2, 3]] = float(kappa.log() / np.log(10)), METHODS.index("certified"), 10.0**-DIGITS
