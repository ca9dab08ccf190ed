"""Rank-revealing decomposition of Cauchy matrices with high relative accuracy (Demmel 1999; Demmel and Koev 2005).

A Vandermonde matrix with rows (1, x, x^2, ...) times a unitary Fourier matrix is a row-scaled Cauchy matrix d_i / (y_j - x_i), y_j the roots of
unity turned by an angle at which no node lies. Gaussian elimination with complete pivoting stays inside such matrices: a Schur
complement is the old entry times (x_i - x_k)(y_k - y_j) / ((y_k - x_i)(y_j - x_k)), products of differences of the data. So every entry of every
step is right to a few units in the last place, however small it is, and the factors tell singular values that no backward
stable algorithm sees. Array-API code with a batch dimension: NumPy, torch and CuPy arrays alike.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import array_api_compat
import numpy as np
from flint import acb, fmpq

from . import double_double


class Factors(NamedTuple):
    """W = P diag(d) Q up to phases, for a batch: ``left`` (b, N, r), ``pivots`` (b, r) unimodular, ``log_pivots`` (b, r), ``right`` (b, r, L).

    ``left`` and ``right`` have entries of modulus at most 1 and a 1 in each pivot position; the modulus of pivot k is exp(log_pivots[k]),
    -inf from the rank of the matrix on. ``row_phase`` (b, N) and ``column_phase`` (b, L) are what :func:`fourier_cauchy` took out, and
    ``angle`` (b,) the turn of the roots.
    """

    left: Any
    pivots: Any
    log_pivots: Any
    right: Any
    row_phase: Any
    column_phase: Any
    angle: Any


def decompose(nodes: Any, length: int) -> Factors:
    """Factors of V F for the Vandermonde matrices V of ``nodes``, complex of shape (b, N), and the unitary F of :func:`fourier_cauchy`.

    Equivalent to V F = diag(row_phase) left diag(pivots exp(log_pivots)) right diag(column_phase), r = min(N, L).
    """
    xp = array_api_compat.array_namespace(nodes)
    angle = free_angle(nodes, length)
    gaps, y = differences(nodes, length, angle)
    # |c - x^L| is the product of the distances of x from all turned roots; log-sums neither overflow nor underflow
    modulus = xp.abs(gaps)
    log_scale = xp.sum(xp.log(modulus), axis=-1) - 0.5 * np.log(length)
    row_phase = xp.prod(gaps / modulus, axis=-1) * (-1.0 if length % 2 == 0 else 1.0)
    row_phase = row_phase / xp.exp(1j * xp.astype(angle * length, nodes.dtype))[:, None]
    left, pivots, log_pivots, right = _eliminate(xp, nodes, y, gaps, log_scale)
    return Factors(left, pivots, log_pivots, right, row_phase, y, angle)


def free_angle(nodes: Any, length: int) -> Any:
    """For each batch element the middle of the widest gap between the nodes' angles modulo 2 pi / length, shape (b,)."""
    xp = array_api_compat.array_namespace(nodes)
    period = 2 * np.pi / length
    turned = xp.atan2(xp.imag(nodes), xp.real(nodes)) % period
    around = xp.sort(turned, axis=-1)
    around = xp.concat([around, around[:, :1] + period], axis=-1)
    gaps = around[:, 1:] - around[:, :-1]
    widest = xp.argmax(gaps, axis=-1)
    rows = xp.arange(nodes.shape[0])
    return around[rows, widest] + gaps[rows, widest] / 2


def differences(nodes: Any, length: int, angle: Any) -> tuple[Any, Any]:
    """(y_j - x_i, y): shapes (b, N, L) and (b, L), y_j = exp(i (angle + 2 pi j / length)); the differences are right to the last place or two."""
    xp = array_api_compat.array_namespace(nodes)
    device = array_api_compat.device(nodes)
    root_high, root_low = (xp.asarray(part, device=device) for part in double_double.roots_of_unity(length))
    # the angle is a double, taken as exact; its sine and cosine to 30 digits are computed on the host
    on_host = [float(t) for t in array_api_compat.to_device(angle, "cpu")] if device != "cpu" else [float(t) for t in angle]
    turn_high, turn_low = double_double.parts([acb(fmpq(*t.as_integer_ratio())) / acb.pi() for t in on_host])
    turn = [xp.asarray(part, device=device)[:, None] for part in (turn_high[0], turn_low[0], turn_high[1], turn_low[1])]
    roots = [part[None, :] for part in (root_high[0], root_low[0], root_high[1], root_low[1])]
    real, real_low, imag, imag_low = double_double.multiply(turn, roots)
    x_real, x_imag = xp.real(nodes)[:, :, None], xp.imag(nodes)[:, :, None]
    gap_real = (real[:, None, :] - x_real) + real_low[:, None, :]
    gap_imag = (imag[:, None, :] - x_imag) + imag_low[:, None, :]
    return gap_real + 1j * gap_imag, real + 1j * imag


def _eliminate(xp: Any, nodes: Any, y: Any, gaps: Any, log_rows: Any) -> tuple[Any, Any, Any, Any]:
    """Complete pivoting on exp(log_rows_i) / gaps_ij, where ``log_rows`` (b, N) may span any range.

    At each step the largest entry of row i of the Schur complement has the modulus exp(log_rows_i), and row i of A is that row up to a factor,
    which is taken out anew each time: so no entry leaves the range of float64, however far the pivots fall.
    """
    batch, n, length = gaps.shape
    r, rows, one = min(n, length), xp.arange(batch), xp.ones_like(log_rows)
    nearest = xp.min(xp.abs(gaps), axis=-1)
    A = nearest[:, :, None] / gaps
    log_nearest = xp.log(nearest)
    log_rows = log_rows - log_nearest
    left = xp.zeros((batch, n, r), dtype=A.dtype, device=array_api_compat.device(A))
    right = xp.zeros((batch, r, length), dtype=A.dtype, device=array_api_compat.device(A))
    pivots = xp.ones((batch, r), dtype=A.dtype, device=array_api_compat.device(A))
    log_pivots = xp.full((batch, r), -xp.inf, dtype=log_rows.dtype, device=array_api_compat.device(A))
    roots = y / xp.abs(y)
    for k in range(r):
        sizes = xp.abs(A)
        places = xp.argmax(sizes, axis=-1)
        tops = xp.take_along_axis(sizes, places[:, :, None], axis=-1)[:, :, 0]
        kept = tops > 0
        tops = xp.where(kept, tops, one)
        log_rows = xp.where(kept, log_rows + xp.log(tops), -xp.inf)
        i = xp.argmax(log_rows, axis=-1)
        j = places[rows, i]
        pivot, log_size = A[rows, i, j], log_rows[rows, i]
        alive = xp.isfinite(log_size)
        pivot = xp.where(alive, pivot, xp.ones_like(pivot))
        phase = pivot / xp.abs(pivot)
        below = xp.exp(log_rows - xp.where(alive, log_size, xp.zeros_like(log_size))[:, None])
        left[:, :, k] = A[rows, :, j] / tops * below / phase[:, None]
        right[:, k, :] = A[rows, i, :] / pivot[:, None]
        pivots[:, k] = phase
        log_pivots[:, k] = log_size
        # x_i - x_k is exact enough as it stands; y_k - y_j = 2i sin((t_k - t_j)/2) exp(i (t_k + t_j)/2), a sine from a table
        x_factor = (nodes - nodes[rows, i][:, None]) / gaps[rows, :, j]
        y_factor = _root_differences(xp, roots, rows, j, length) * (nearest[rows, i][:, None] / gaps[rows, i, :])
        log_rows = log_rows - log_nearest[rows, i][:, None]
        A *= (x_factor / tops)[:, :, None]
        A *= y_factor[:, None, :]
    return left, pivots, log_pivots, right


def _root_differences(xp: Any, y: Any, rows: Any, j: Any, length: int) -> Any:
    """y_j - y_m for all m, from the sine of half their angle: y_j (1 - exp(2 pi i (m - j)/L)) = -2i sin(pi (m-j)/L) exp(i pi (m-j)/L) y_j."""
    high, _ = double_double.roots_of_unity(2 * length)
    half = xp.asarray(high, device=array_api_compat.device(y))
    steps = (xp.arange(length)[None, :] - j[:, None]) % (2 * length)
    phase = half[0][steps] + 1j * half[1][steps]
    return -2j * half[1][steps] * phase * y[rows, j][:, None]
