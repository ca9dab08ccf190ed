"""Rank-revealing decomposition of Cauchy matrices with high relative accuracy (Demmel 1999; Demmel and Koev 2005).

A Vandermonde matrix with rows (1, x, x^2, ...) times a unitary Fourier matrix is a row-scaled Cauchy matrix d_i / (y_j - x_i), y_j the roots of
unity turned by an angle at which no node lies. Gaussian elimination with complete pivoting stays inside such matrices: a Schur
complement is the old entry times (x_i - x_k)(y_k - y_j) / ((y_k - x_i)(y_j - x_k)), products of differences of the data. So every entry of every
step is right to a few units in the last place, however small it is, and the factors tell singular values that no backward
stable algorithm sees. Array-API code with a batch dimension: NumPy, torch and CuPy arrays alike.

The elimination is done in two passes. Which rows and columns are the pivots is found from the logarithms of the moduli alone, where a step adds a
number to each row and to each column; the factors are then products along the chosen pivots, all steps at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import array_api_compat
import numpy as np
from flint import acb, fmpq
from scipy.linalg.blas import dgemm

from . import double_double


class Factors(NamedTuple):
    """W = P diag(d) Q up to phases, for a batch: ``left`` (b, N, r), ``pivots`` (b, r), ``log_pivots`` (b, r), ``right`` (b, r, L).

    ``left`` and ``right`` have entries of modulus at most 1 and a 1 in each pivot position; pivot k is pivots[k] exp(log_pivots[k]), the first
    of modulus near 1, the second a multiple of 2^-24, so that differences are exact, and -inf from the rank of the matrix on. ``row_phase`` (b, N) and ``column_phase`` (b, L) are what :func:`fourier_cauchy` took out, and
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
    log_gaps = xp.log(modulus)
    high, low = (xp.sum(part, axis=-1) for part in _cut(xp, log_gaps))
    log_rows = high, low - 0.5 * np.log(length)
    row_phase = xp.prod(gaps / modulus, axis=-1) * (-1.0 if length % 2 == 0 else 1.0)
    row_phase = row_phase / xp.exp(1j * xp.astype(angle * length, nodes.dtype))[:, None]
    i, j = _order(xp, nodes, log_gaps, log_rows[0] + log_rows[1])
    batches = xp.arange(len(nodes), device=array_api_compat.device(nodes))[:, None]
    # x_i - x_k is exact enough as it stands
    to_nodes, to_roots = nodes[:, None, :] - nodes[batches, i][:, :, None], _root_differences(xp, y / xp.abs(y), j)
    left, row_logs, row_phases = _multipliers(xp, log_rows, to_nodes, xp.matrix_transpose(gaps)[batches, j], i)
    nothing = xp.zeros_like(log_gaps[:, 0, :])
    right, column_logs, column_phases = _multipliers(xp, (nothing, nothing), to_roots, gaps[batches, i], j)
    gap = gaps[batches, i, j]
    high, low = _cut(xp, log_gaps[batches, i, j])
    log_pivots = row_logs[0] + column_logs[0] - high
    alive = xp.isfinite(log_pivots)
    log_pivots = xp.where(alive, log_pivots, xp.full_like(log_pivots, -xp.inf))
    pivots = xp.exp(row_logs[1] + column_logs[1] - low) * row_phases * column_phases * (xp.conj(gap) / xp.abs(gap))
    pivots = xp.where(alive, pivots, xp.ones_like(pivots))
    return Factors(xp.matrix_transpose(left), pivots, log_pivots, right, row_phase, y, angle)


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


def _order(xp: Any, nodes: Any, log_gaps: Any, log_rows: Any) -> tuple[Any, Any]:
    """The rows and the columns of the pivots, each (b, r), by complete pivoting on the moduli exp(log_rows_i - log_gaps_ij), in any range."""
    length = log_gaps.shape[-1]
    # the distances 2 |sin(pi m / L)| of the roots for m = -(L-1) .. L-1
    sines = np.abs(double_double.roots_of_unity(2 * length)[0][1][np.abs(np.arange(1 - length, length))])
    chords = np.log(2 * sines, out=np.full(len(sines), -np.inf), where=sines > 0)
    if array_api_compat.is_numpy_namespace(xp) and log_gaps[0].size > SMALL:
        found = [_order_of_one(*parts, chords) for parts in zip(nodes, log_gaps, log_rows, strict=True)]
        return np.stack([i for i, _ in found]), np.stack([j for _, j in found])
    return _order_of_batch(xp, nodes, log_gaps, log_rows, xp.asarray(chords, device=array_api_compat.device(nodes)))


#: entries of a matrix up to which one call for a whole batch is as quick on the CPU as BLAS on one matrix after another
SMALL = 1024


def _order_of_batch(xp: Any, nodes: Any, log_gaps: Any, log_rows: Any, chords: Any) -> tuple[Any, Any]:
    """``_order`` for all matrices of a batch at once, on any device."""
    batch, n, length = log_gaps.shape
    batches = xp.arange(batch, device=array_api_compat.device(nodes))
    columns = xp.arange(length - 1, 2 * length - 1, device=array_api_compat.device(nodes))
    sizes, found = log_rows[:, :, None] - log_gaps, []
    for _ in range(min(n, length)):
        place = xp.argmax(xp.reshape(sizes, (batch, -1)), axis=-1)
        i, j = place // length, place % length
        found.append((i, j))
        sizes = sizes + (_log(xp, xp.abs(nodes - nodes[batches, i][:, None])) - log_gaps[batches, :, j])[:, :, None]
        sizes = sizes + (chords[columns[None, :] - j[:, None]] - log_gaps[batches, i, :])[:, None, :]
    return xp.stack([i for i, _ in found], axis=-1), xp.stack([j for _, j in found], axis=-1)


def _order_of_one(nodes: np.ndarray, log_gaps: np.ndarray, log_rows: np.ndarray, chords: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """``_order`` for one matrix by BLAS: a step is an update of rank 2, a column of ones times a row and a column times a row of ones."""
    r, period = min(log_gaps.shape), max(min(log_gaps.shape) // 6, 8)
    i, j, found = np.arange(log_gaps.shape[0]), np.arange(log_gaps.shape[1]), []
    sizes, middle = log_rows[:, None] - log_gaps, log_gaps.shape[1] - 1
    while len(found) < r:
        # rows and columns that are spent are left out now and then
        kept = np.isin(i, [a for a, _ in found], invert=True), np.isin(j, [b for _, b in found], invert=True)
        i, j, nodes, sizes, log_gaps = i[kept[0]], j[kept[1]], nodes[kept[0]], np.asfortranarray(sizes[np.ix_(*kept)]), log_gaps[np.ix_(*kept)]
        across, flat = np.ascontiguousarray(log_gaps.T), sizes.reshape(-1, order="F")
        down, right = np.ones((len(i), 2), order="F"), np.ones((2, len(j)), order="F")
        for _ in range(min(period, r - len(found))):
            b, a = divmod(int(flat.argmax()), len(i))
            found.append((i[a], j[b]))
            np.subtract(_log(np, np.abs(nodes - nodes[a])), across[b], out=down[:, 0])
            np.subtract(chords[j + (middle - j[b])], log_gaps[a], out=right[1])
            dgemm(1.0, down, right, beta=1.0, c=sizes, overwrite_c=1)
    return np.array([a for a, _ in found]), np.array([b for _, b in found])


def _multipliers(xp: Any, log_start: tuple[Any, Any], differences: Any, gaps: Any, at: Any) -> tuple[Any, tuple[Any, Any], Any]:
    """The entries of one factor, (b, r, m): row k is what step k of the elimination finds in its pivot's row or column, over the pivot.

    Entry i there is exp(log_start_i) times the product of differences_li / gaps_li over the steps l < k, over gaps_ki; the pivot is entry ``at``_k.
    Also the logarithms of the moduli of these products at the pivots, cut as by ``_cut``, and their phases.
    """
    ratios = differences[:, :-1] / gaps[:, :-1]
    modulus = xp.abs(ratios)
    spent = modulus == 0
    turns = xp.where(spent, xp.ones_like(ratios), ratios / xp.where(spent, xp.ones_like(modulus), modulus))
    phases = xp.cumulative_prod(xp.concat([xp.ones_like(gaps[:, :1]), turns], axis=1), axis=1)
    # sums of multiples of 2^-24 are exact, and the rest is small: no rounding adds up, however far the pivots fall
    high, low = (
        xp.cumulative_sum(xp.concat([start[:, None, :], part], axis=1), axis=1)
        for start, part in zip(log_start, _cut(xp, _log(xp, modulus)), strict=True)
    )
    high_at, low_at, phase_at, gap_at = (xp.take_along_axis(part, at[:, :, None], axis=2) for part in (high, low, phases, gaps))
    alive = xp.isfinite(high_at)
    sizes = xp.where(alive, (high - xp.where(alive, high_at, xp.zeros_like(high_at))) + (low - low_at), xp.full_like(high, -xp.inf))
    entries = xp.exp(sizes) * (phases * (xp.conj(phase_at) * gap_at)) / gaps
    return entries, (high_at[:, :, 0], low_at[:, :, 0]), phase_at[:, :, 0]


def _cut(xp: Any, x: Any) -> tuple[Any, Any]:
    """x as the nearest multiple of 2^-24 and the rest, for x up to 2^27 in modulus, or -inf and 0."""
    high, nothing = (x + 1.5 * 2.0**28) - 1.5 * 2.0**28, xp.zeros_like(x)
    finite = xp.isfinite(x)
    return high, xp.where(finite, x, nothing) - xp.where(finite, high, nothing)


def _log(xp: Any, x: Any) -> Any:
    """The logarithm of x >= 0, -inf at 0, without a warning."""
    positive = x > 0
    return xp.where(positive, xp.log(xp.where(positive, x, xp.ones_like(x))), xp.full_like(x, -xp.inf))


def _root_differences(xp: Any, y: Any, j: Any) -> Any:
    """y_j - y_m for all m, shape (b, r, L), from the sine of half their angle: y_j (1 - exp(2 pi i (m - j)/L)) = -2i sin(pi (m-j)/L) exp(i pi (m-j)/L) y_j."""
    length, device = y.shape[-1], array_api_compat.device(y)
    high, _ = double_double.roots_of_unity(2 * length)
    half = xp.asarray(high, device=device)
    steps = (xp.arange(length, device=device)[None, None, :] - j[:, :, None]) % (2 * length)
    table = -2j * half[1] * (half[0] + 1j * half[1])
    return table[steps] * xp.take_along_axis(y, j, axis=-1)[:, :, None]
