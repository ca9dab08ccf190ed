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

from math import log, pi
from typing import Any, NamedTuple

import array_api_compat
import numpy as np
from scipy.linalg.blas import dgemm  # pyright: ignore[reportAttributeAccessIssue] # compiled, without a stub

from . import double_double

#: entries of a matrix up to which one call for a whole batch is as quick on the CPU as BLAS on one matrix after another
SMALL = 1024

#: entries of a matrix from which on loading compiled code repays itself
REPAYS = 4096


class Factors(NamedTuple):
    """W = P diag(d) Q up to phases, for a batch: ``left`` (b, N, r), ``pivots`` (b, r), ``log_pivots`` (b, r), ``right`` (b, r, L).

    ``left`` and ``right`` have entries of modulus at most 1 and a 1 in each pivot position; pivot k is pivots[k] exp(log_pivots[k]), the first
    of modulus near 1, the second a multiple of 2^-24, so that differences are exact, and -inf from the rank of the matrix on. ``row_phase`` (b, N) and ``column_phase`` (b, L) are what :func:`fourier_cauchy` took out, and
    ``angle`` (b,) the turn of the roots. ``rows`` and ``columns`` (b, r) are the places of the pivots; in this order the factors are triangular.
    """

    left: Any
    pivots: Any
    log_pivots: Any
    right: Any
    row_phase: Any
    column_phase: Any
    angle: Any
    rows: Any
    columns: Any


def decompose(nodes: Any, length: int) -> Factors:
    """Factors of V F for the Vandermonde matrices V of ``nodes``, complex of shape (b, N), and the unitary F of :func:`fourier_cauchy`.

    Equivalent to V F = diag(row_phase) left diag(pivots exp(log_pivots)) right diag(column_phase), r = min(N, L).
    """
    xp = array_api_compat.array_namespace(nodes)
    angle = free_angle(nodes, length)
    gaps, y = differences(nodes, length, angle)
    modulus = xp.abs(gaps)
    units, log_gaps = gaps / modulus, xp.log(modulus)
    # |c - x^L| is the product of the distances of x from all turned roots; sums of logarithms neither overflow nor underflow
    high, low = (xp.sum(part, axis=-1) for part in _cut(log_gaps))
    log_rows = high, low - 0.5 * log(length)
    row_phase = xp.prod(units, axis=-1) * (-1.0 if length % 2 == 0 else 1.0)
    row_phase = row_phase / xp.exp(1j * xp.astype(angle * length, nodes.dtype))[:, None]
    y_units = y / xp.abs(y)
    if array_api_compat.is_numpy_namespace(xp) and gaps[0].size >= REPAYS:
        parts = _eliminate_compiled(nodes, y_units, gaps, log_gaps, log_rows)
    else:
        parts = _eliminate(xp, nodes, y_units, units, log_gaps, log_rows)
    left, pivots, log_pivots, right, rows, columns = parts
    return Factors(left, pivots, log_pivots, right, row_phase, y, angle, rows, columns)


def _eliminate_compiled(nodes: np.ndarray, y: np.ndarray, gaps: np.ndarray, log_gaps: np.ndarray, log_rows: Any) -> list[np.ndarray]:
    """``_eliminate`` for NumPy arrays, one matrix after another."""
    from .compiled import eliminate

    fixed = _chords(gaps.shape[-1]), _turns(gaps.shape[-1])
    found = [eliminate(*parts, *fixed) for parts in zip(nodes, y, gaps, log_gaps, *log_rows, strict=True)]
    return [np.stack(parts) for parts in zip(*found, strict=True)]


def _eliminate(xp: Any, nodes: Any, y: Any, units: Any, log_gaps: Any, log_rows: tuple[Any, Any]) -> tuple[Any, ...]:
    """The parts of ``Factors`` but those that ``decompose`` knows, for the matrices exp(log_rows_i) / gaps_ij, gaps = units exp(log_gaps)."""
    i, j = _order(xp, nodes, log_gaps, log_rows[0] + log_rows[1])
    batches = xp.arange(nodes.shape[0], device=array_api_compat.device(nodes))[:, None]
    # x_i - x_k is exact enough as it stands
    nodes_apart = _polar(xp, nodes[:, None, :] - nodes[batches, i][:, :, None])
    down = tuple(_rows(xp, xp.matrix_transpose(part), j) for part in (log_gaps, units))
    left, row_logs, row_phases = _multipliers(xp, log_rows, nodes_apart, down, i)
    across, nothing = tuple(_rows(xp, part, i) for part in (log_gaps, units)), xp.zeros_like(log_gaps[:, 0, :])
    right, column_logs, column_phases = _multipliers(xp, (nothing, nothing), _roots_apart(xp, y, j), across, j)
    high, low = _cut(log_gaps[batches, i, j])
    log_pivots = row_logs[0] + column_logs[0] - high
    alive = log_pivots > SPENT / 2
    pivots = xp.exp(row_logs[1] + column_logs[1] - low) * row_phases * column_phases * xp.conj(units[batches, i, j])
    pivots, log_pivots = xp.where(alive, pivots, xp.ones_like(pivots)), xp.where(alive, log_pivots, xp.full_like(log_pivots, -xp.inf))
    if not bool(xp.all(alive)):
        right = xp.where(alive[:, :, None], right, xp.zeros_like(right))
    return xp.matrix_transpose(left), pivots, log_pivots, right, i, j


def free_angle(nodes: Any, length: int) -> Any:
    """For each batch element the middle of the widest gap between the nodes' angles modulo 2 pi / length, shape (b,)."""
    xp = array_api_compat.array_namespace(nodes)
    period = 2 * pi / length
    turned = xp.atan2(xp.imag(nodes), xp.real(nodes)) % period
    around = xp.sort(turned, axis=-1)
    around = xp.concat([around, around[:, :1] + period], axis=-1)
    gaps = around[:, 1:] - around[:, :-1]
    widest = xp.argmax(gaps, axis=-1)
    rows = xp.arange(nodes.shape[0], device=array_api_compat.device(nodes))
    return around[rows, widest] + gaps[rows, widest] / 2


def differences(nodes: Any, length: int, angle: Any) -> tuple[Any, Any]:
    """(y_j - x_i, y): shapes (b, N, L) and (b, L), y_j = exp(i (angle + 2 pi j / length)); the differences are right to the last place or two."""
    xp = array_api_compat.array_namespace(nodes)
    device = array_api_compat.device(nodes)
    root_high, root_low = double_double.roots_of_unity(length)
    # the angle is a double, taken as exact; its sine and cosine to 30 digits are computed on the host
    on_host = angle.tolist() if hasattr(angle, "tolist") else [float(t) for t in angle]
    turn_high, turn_low = double_double.turns(on_host)
    turn = [xp.asarray(part, device=device)[:, None] for part in (turn_high[0], turn_low[0], turn_high[1], turn_low[1])]
    roots = [xp.asarray(part, device=device)[None, :] for part in (root_high[0], root_low[0], root_high[1], root_low[1])]
    real, real_low, imag, imag_low = double_double.multiply(turn, roots)
    x_real, x_imag = xp.real(nodes)[:, :, None], xp.imag(nodes)[:, :, None]
    gap_real = (real[:, None, :] - x_real) + real_low[:, None, :]
    gap_imag = (imag[:, None, :] - x_imag) + imag_low[:, None, :]
    return gap_real + 1j * gap_imag, real + 1j * imag


def _order(xp: Any, nodes: Any, log_gaps: Any, log_rows: Any) -> tuple[Any, Any]:
    """The rows and the columns of the pivots, each (b, r), by complete pivoting on the moduli exp(log_rows_i - log_gaps_ij), in any range."""
    length = log_gaps.shape[-1]
    chords = _chords(length)
    if array_api_compat.is_numpy_namespace(xp) and log_gaps[0].size > SMALL:
        found = [_order_of_one(*parts, chords) for parts in zip(nodes, log_gaps, log_rows, strict=True)]
        return np.stack([i for i, _ in found]), np.stack([j for _, j in found])
    return _order_of_batch(xp, nodes, log_gaps, log_rows, xp.asarray(chords, device=array_api_compat.device(nodes)))


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
        column = xp.take_along_axis(log_gaps, j[:, None, None], axis=2)
        sizes = sizes + (_log(xp, xp.abs(nodes - nodes[batches, i][:, None]))[:, :, None] - column)
        sizes = sizes + (chords[columns[None, :] - j[:, None]][:, None, :] - _rows(xp, log_gaps, i[:, None]))
    return xp.stack([i for i, _ in found], axis=-1), xp.stack([j for _, j in found], axis=-1)


def _order_of_one(nodes: np.ndarray, log_gaps: np.ndarray, log_rows: np.ndarray, chords: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """``_order`` for one matrix by BLAS: a step is an update of rank 2, a column times a row of ones and a column of ones times a row."""
    r, period = min(log_gaps.shape), max(min(log_gaps.shape) // 6, 8)
    i, j = np.arange(log_gaps.shape[0]), np.arange(log_gaps.shape[1])
    sizes, middle, rows, columns = log_rows[:, None] - log_gaps, log_gaps.shape[1] - 1, [], []
    while len(rows) < r:
        # rows and columns that are spent are left out now and then
        kept = np.isin(i, rows, invert=True), np.isin(j, columns, invert=True)
        i, j, nodes, log_gaps = i[kept[0]], j[kept[1]], nodes[kept[0]], log_gaps[np.ix_(*kept)]
        sizes = np.asfortranarray(sizes[np.ix_(*kept)])
        flat, across, shifted = sizes.reshape(-1, order="F"), np.ascontiguousarray(log_gaps.T), j + middle
        down, right = np.ones((len(i), 2), order="F"), np.ones((len(j), 2), order="F")
        with np.errstate(divide="ignore"):
            for _ in range(min(period, r - len(rows))):
                b, a = divmod(int(flat.argmax()), len(i))
                rows.append(i[a])
                columns.append(j[b])
                np.subtract(np.log(np.abs(nodes - nodes[a])), across[b], out=down[:, 0])
                np.subtract(chords[shifted - j[b]], log_gaps[a], out=right[:, 1])
                dgemm(1.0, down, right, beta=1.0, c=sizes, trans_b=1, overwrite_c=1)
    return np.array(rows), np.array(columns)


def _rows(xp: Any, matrices: Any, places: Any) -> Any:
    """Row ``places`` (b, r) of each of ``matrices`` (b, n, m): shape (b, r, m)."""
    batch, n, m = matrices.shape
    of_all = places + n * xp.arange(batch, device=array_api_compat.device(matrices))[:, None]
    return xp.reshape(xp.take(xp.reshape(matrices, (batch * n, m)), xp.reshape(of_all, (-1,)), axis=0), (*places.shape, m))


def _chords(length: int) -> np.ndarray:
    """Logarithms of the distances 2 |sin(pi m / L)| of the roots for m = -(L-1) .. L-1."""
    return _polar(np, 2 * double_double.roots_of_unity(2 * length)[0][1][np.abs(np.arange(1 - length, length))])[0]


def _multipliers(
    xp: Any, log_start: tuple[Any, Any], apart: tuple[Any, Any], gaps: tuple[Any, Any], at: Any
) -> tuple[Any, tuple[Any, Any], Any]:
    """The entries of one factor, (b, r, m): row k is what step k of the elimination finds in its pivot's row or column, over the pivot.

    Entry i there is exp(log_start_i) times the product of apart_li / gaps_li over the steps l < k, over gaps_ki; the pivot is entry ``at``_k. Numbers
    are given as the logarithm of the modulus and a unit. Also the products at the pivots: their logarithms, cut as by ``_cut``, and units.
    """
    turns = apart[1][:, :-1, :] * xp.conj(gaps[1][:, :-1, :])
    units = xp.cumulative_prod(xp.concat([xp.ones_like(gaps[1][:, :1, :]), turns], axis=1), axis=1)
    # sums of multiples of 2^-24 are exact, and the rest is small: no rounding adds up, however far the pivots fall
    high, low = (
        xp.cumulative_sum(xp.concat([start[:, None, :], part], axis=1), axis=1)
        for start, part in zip(log_start, _cut(apart[0][:, :-1, :] - gaps[0][:, :-1, :]), strict=True)
    )
    high_at, low_at, unit_at, log_gap_at, gap_at = (xp.take_along_axis(part, at[:, :, None], axis=2) for part in (high, low, units, *gaps))
    # beyond the rank all is zero
    offset = xp.where(high_at > SPENT / 2, -high_at, xp.full_like(high_at, 2 * SPENT))
    sizes = xp.exp((high + offset) + ((low - gaps[0]) + (log_gap_at - low_at)))
    return sizes * (units * xp.conj(gaps[1]) * (xp.conj(unit_at) * gap_at)), (high_at[:, :, 0], low_at[:, :, 0]), unit_at[:, :, 0]


#: stands for the logarithm of 0: sums with it are exact, and exp gives 0
SPENT = -(2.0**26)


def _log(xp: Any, modulus: Any) -> Any:
    """The logarithm, SPENT at 0."""
    zero = modulus == 0
    return xp.where(zero, SPENT, xp.log(modulus + xp.astype(zero, modulus.dtype)))


def _polar(xp: Any, z: Any) -> tuple[Any, Any]:
    """The logarithm of the modulus and a unit."""
    # doubled 500 times where one over the modulus may be out of range
    tiny = xp.abs(z) < 2.0**-900
    safe = z * (1 + xp.astype(tiny, xp.float64) * (2.0**500 - 1)) if bool(xp.any(tiny)) else z
    modulus = xp.abs(safe)
    zero = xp.astype(modulus == 0, modulus.dtype)
    return _log(xp, modulus) - xp.astype(tiny, modulus.dtype) * (500 * log(2)), (safe + zero) / (modulus + zero)


def _cut(x: Any) -> tuple[Any, Any]:
    """x as the nearest multiple of 2^-24 and the rest, for x up to 2^27 in modulus."""
    high = (x + 1.5 * 2.0**28) - 1.5 * 2.0**28
    return high, x - high


def _turns(length: int) -> np.ndarray:
    """1 - exp(2 pi i m / L) = -2i sin(pi m / L) exp(i pi m / L) for m = 0 .. 2L - 1, a sine from a table."""
    high, _ = double_double.roots_of_unity(2 * length)
    return -2j * high[1] * (high[0] + 1j * high[1])


def _roots_apart(xp: Any, y: Any, j: Any) -> tuple[Any, Any]:
    """y_j - y_m for all m, (b, r, L)."""
    length, device = y.shape[-1], array_api_compat.device(y)
    logs, units = (xp.asarray(part, device=device) for part in _polar(np, _turns(length)))
    steps = (xp.arange(length, device=device)[None, None, :] - j[:, :, None]) % (2 * length)
    return logs[steps], units[steps] * xp.take_along_axis(y, j, axis=-1)[:, :, None]
