"""Singular values, condition numbers and least squares with Vandermonde matrices, to high relative accuracy in double precision.

The matrix of nodes x_1 .. x_N and a length L has the rows (x^(L-1), ..., x, 1): what a diagonal recurrence with eigenvalues x and input vector
(1, ..., 1) does to L inputs (orvieto24, Eq. 4). Its condition number runs from 1 to 10^200 and beyond; a backward stable algorithm
sees no singular value below 10^-16 times the largest. Here the matrix is never formed: condition numbers come from products of differences (``lagrange.py``),
singular values and least squares from an elimination (``cauchy.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, log, prod
from typing import Any

import array_api_compat
import numpy as np
from scipy.linalg import qr
from scipy.linalg.lapack import dgejsv  # pyright: ignore[reportAttributeAccessIssue] # compiled, without a stub

from . import lagrange
from .cauchy import Factors, decompose


def vandermonde(nodes: Any, length: int) -> np.ndarray:
    """The matrix itself, shape (..., N, length), powers descending. Raises ``ValueError`` for bad nodes or length < 1."""
    nodes = _require_nodes(nodes, length)
    return nodes[..., None] ** np.arange(length - 1, -1, -1)


def powers(nodes: Any, length: int) -> Any:
    """Vandermonde matrices of ``nodes``, shape (..., N), powers descending, shape (..., N, length): each power a product of about log2(length) others."""
    xp = array_api_compat.array_namespace(nodes)
    found, step = xp.ones_like(nodes)[..., None], nodes[..., None]
    while found.shape[-1] < length:
        found, step = xp.concat([found, found * step], axis=-1), step * step
    return xp.flip(found[..., :length], axis=-1)


def condition_number(nodes: Any, length: int) -> Any:
    """The condition number of Vandermonde matrices: the largest over the smallest of the min(N, L) singular values.

    Args:
        nodes: The nodes, shape (..., N), real or complex: an array of NumPy, torch or CuPy.
        length: The number L of powers, at least 1.

    Returns:
        Condition numbers of shape (...), float64, as an array of the same kind. ``inf`` if fewer than min(N, L) nodes are distinct,
        or beyond the range of float64.

    Raises:
        ValueError: There are no nodes, masked or infinite nodes, nodes beyond 1e300, or a length below 1.

    Example:
        >>> import numpy as np
        >>> import lemmata as lm
        >>> nodes = np.random.default_rng(0).uniform(-1, 1, 48)
        >>> print(f"{lm.condition_number(nodes, 48):.1e}")
        3.0e+26
    """
    kappa, _ = _kappa(nodes, length)
    xp = lagrange.namespace(kappa.mantissa)
    # a unitary matrix may come out a rounding below 1
    found = lagrange.to_float(kappa)
    found = xp.maximum(found, xp.ones_like(found))
    return found[()] if array_api_compat.is_numpy_namespace(xp) else found


def log_condition_number(nodes: Any, length: int) -> Any:
    """The natural logarithm of :func:`condition_number`, which does not overflow."""
    return log_condition_number_and_bound(nodes, length)[0]


def log_condition_number_and_bound(nodes: Any, length: int) -> tuple[Any, Any]:
    """The same, and a bound of the condition number's relative error: see ``lagrange.error_bound``. Both of shape (...)."""
    kappa, bound = _kappa(nodes, length)
    xp = lagrange.namespace(kappa.mantissa)
    log_kappa = xp.log(kappa.mantissa) + xp.astype(kappa.exponent, xp.float64) * log(2)
    log_kappa = xp.maximum(log_kappa, xp.zeros_like(log_kappa))
    return (log_kappa[()], bound[()]) if array_api_compat.is_numpy_namespace(xp) else (log_kappa, bound)


def _kappa(nodes: Any, length: int) -> tuple[lagrange.Scaled, Any]:
    """Mantissas, infinite below full rank, and exponents of the condition numbers, and bounds of their relative errors, each of shape (...)."""
    nodes = _require_nodes(nodes, length)
    xp = lagrange.namespace(nodes)
    shape = nodes.shape[:-1]
    if prod(shape) == 0:
        nothing = xp.real(xp.sum(nodes, axis=-1))
        return lagrange.Scaled(nothing, xp.astype(nothing, xp.int64)), nothing
    kappa, bound = lagrange.condition(xp.reshape(nodes, (-1, nodes.shape[-1])), length)
    return lagrange.Scaled(xp.reshape(kappa.mantissa, shape), xp.reshape(kappa.exponent, shape)), xp.reshape(bound, shape)


def squared_modulus(coefficients: Sequence[Any], cosine: Any) -> Any:
    """|sum_j a_j e^(ijt)|^2 for real a_j, constant first, from cos t; exact if they are."""
    n = len(coefficients)
    lags = [sum(a * b for a, b in zip(coefficients, coefficients[d:], strict=False)) for d in range(n)]
    # cos(d t) by Chebyshev's recurrence
    out, before, now = lags[0], cosine, cosine * 0 + 1
    for lag in lags[1:]:
        before, now = now, 2 * cosine * now - before
        out = out + 2 * lag * now
    return out


def singular_values(nodes: Any, length: int) -> np.ndarray:
    """The min(N, L) singular values, largest first, shape (..., min(N, L)), float64: each to high relative accuracy, 0 beyond the rank.

    One-sided Jacobi (LAPACK's dgejsv) on the well-scaled product of the factors; what is below 10^-308 of the largest comes out as 0, what is
    beyond the range of float64 as inf. On the CPU; raises ``ValueError`` as above.
    """
    nodes = np.asarray(_require_nodes(nodes, length))
    values = [_jacobi(decompose(row[None], length)) for row in nodes.reshape(prod(nodes.shape[:-1]), nodes.shape[-1])]
    return np.array(values).reshape(*nodes.shape[:-1], min(nodes.shape[-1], length))


def reconstruct(states: Any, nodes: Any, length: int) -> np.ndarray:
    """The inputs u of shape (..., length) with V u nearest to ``states``, shape (..., N), for one set of ``nodes``, shape (N,), N >= length.

    ``np.linalg.pinv(vandermonde(nodes, length)) @ states`` without a cut-off for small singular values. It amplifies errors of the states by up to the
    norm of the pseudoinverse, as every linear reconstruction does. Complex; take the real part for real inputs. Raises ``ValueError`` if there are
    fewer distinct nodes than inputs.
    """
    nodes = np.asarray(_require_nodes(nodes, length))
    states = np.asarray(states, dtype=np.complex128)
    if nodes.ndim != 1 or states.shape[-1:] != nodes.shape:
        raise ValueError(f"expected states with one entry for each of {nodes.shape[-1]} nodes, got shapes {states.shape} and {nodes.shape}")
    factors = decompose(nodes[None], length)
    if len(nodes) < length or not np.isfinite(factors.log_pivots[0, -1]):
        raise ValueError(f"expected at least {length} distinct nodes to tell {length} inputs, got {len(np.unique(nodes))}")
    left, right = factors.left[0], factors.right[0]
    pivots = factors.pivots[0] * np.exp(factors.log_pivots[0])
    columns = states.reshape(-1, len(nodes)).T / factors.row_phase[0][:, None]
    z = np.linalg.solve(right, np.linalg.lstsq(left, columns, rcond=None)[0] / pivots[:, None])
    return _to_inputs(z / factors.column_phase[0][:, None], float(factors.angle[0]), length).T.reshape(*states.shape[:-1], length)


def _to_inputs(z: np.ndarray, angle: float, length: int) -> np.ndarray:
    """The Fourier matrix of ``cauchy.decompose`` applied to z, shape (L, columns), in the order of the inputs (last power first)."""
    powers = np.arange(length)
    return (np.exp(-1j * angle * powers)[:, None] * np.fft.fft(z, axis=0) / np.sqrt(length))[::-1]


def _jacobi(factors: Factors) -> np.ndarray:
    """All singular values of left diag(pivots) right: QR with pivoting of the graded left part, then one-sided Jacobi."""
    log_pivots = factors.log_pivots[0]
    rank = int(np.isfinite(log_pivots).sum())
    if rank == 0:
        return np.zeros(len(log_pivots))
    graded = factors.left[0, :, :rank] * (factors.pivots[0, :rank] * np.exp(log_pivots[:rank] - log_pivots[0]))
    triangular: Any = qr(graded, mode="r", pivoting=True)
    R, order = triangular
    W = (R[:rank] @ factors.right[0, :rank][order]).conj().T
    # the real form [[Re, -Im], [Im, Re]] has every singular value twice, and the same grading
    real = np.block([[W.real, -W.imag], [W.imag, W.real]])
    scaled, *_, work, _, info = dgejsv(np.asfortranarray(real), joba=0, jobu=3, jobv=3, jobr=0, jobp=0)
    if info != 0:
        raise ArithmeticError(f"expected Jacobi's method to converge, got info = {info}")
    values = np.sort(scaled * (work[0] / work[1]))[::-1][::2]
    with np.errstate(divide="ignore", over="ignore"):
        values = np.exp(np.log(values) + log_pivots[0])
    return np.concatenate([values, np.zeros(len(log_pivots) - rank)])


def _as_array(nodes: Any) -> Any:
    """Arrays of any namespace as they are, lists as arrays of NumPy."""
    return nodes if type(nodes) is np.ndarray or array_api_compat.is_array_api_obj(nodes) else np.asarray(nodes)


def _require_nodes(nodes: Any, length: int) -> Any:
    if isinstance(nodes, np.ma.MaskedArray):
        raise ValueError("expected nodes without a mask, got a masked array; pass nodes.compressed() for those that are not masked")
    nodes = _as_array(nodes)
    xp = lagrange.namespace(nodes)
    if length < 1 or nodes.ndim < 1 or nodes.shape[-1] < 1:
        raise ValueError(
            f"expected at least one node and a length of at least 1, got nodes of shape {tuple(nodes.shape)} and length {length}"
        )
    if nodes.dtype != xp.complex128:
        nodes = xp.astype(nodes, xp.complex128)
    if prod(nodes.shape) == 0:
        return nodes
    # nan and inf pass through a maximum
    largest = [float(xp.max(xp.abs(part))) for part in (xp.real(nodes), xp.imag(nodes))]
    if not all(map(isfinite, largest)):
        raise ValueError("expected finite nodes, got nan or inf")
    if max(largest) > LARGEST_NODE:
        raise ValueError(f"expected nodes up to {LARGEST_NODE:.0e}, whose differences are in the range of float64, got a larger one")
    return nodes


LARGEST_NODE = 1e300
