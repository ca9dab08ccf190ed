"""The elimination of ``cauchy.py`` compiled by Numba: one matrix in one pass. Its portable twin is the array-API code there.

Not imported unless a matrix is large enough to repay it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, frexp, ldexp, log
from typing import Any

import numpy as np
from numba import njit

#: the natural logarithm of 2 as a multiple of 2^-24 and the rest
LOG2_HIGH, LOG2_LOW = 0.6931471824645996, -1.904654299957768e-09

#: adding and subtracting it rounds to multiples of 2^-24
GRID = 1.5 * 2.0**28


def kept_on_disk(**options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator that compiles a function, and keeps it on disk for the next process where a folder can be written."""

    def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
        try:
            return njit(cache=True, **options)(function)
        except RuntimeError:
            return njit(**options)(function)

    return compiled


# comparisons may be reordered, so that maxima are vectorised; sums may not
compiled = kept_on_disk(fastmath={"nnan", "nsz"}, error_model="numpy")


@compiled
def largest(sizes, row_steps, column_steps, tops, rows, columns):
    """Add the steps to the first ``rows`` rows and ``columns`` columns, and find the largest entry there: (entry, row, column)."""
    for j in range(columns):
        tops[j] = -np.inf
    # a maximum for each column: this is vectorised, one for all is not
    for i in range(rows):
        row, step = sizes[i], row_steps[i]
        for j in range(columns):
            row[j] += step + column_steps[j]
            tops[j] = max(tops[j], row[j])
    a, b = 0, 0
    for j in range(columns):
        if tops[j] > tops[b]:
            b = j
    while sizes[a, b] != tops[b]:
        a += 1
    return tops[b], a, b


@compiled
def times_power(z, bits):
    """z 2^bits."""
    if bits == 0:
        return z
    bits = min(max(bits, -4000), 4000)
    return complex(ldexp(z.real, bits), ldexp(z.imag, bits))


@compiled
def scaled(z, bits):
    """The same number z 2^bits with parts between 2^-20 and 2^20, unless it is 0."""
    size = max(abs(z.real), abs(z.imag))
    if 2.0**-20 < size < 2.0**20 or size == 0:
        return z, bits
    shift = frexp(size)[1]
    return times_power(z, -shift), bits + shift


@compiled
def eliminate(nodes, roots, gaps, log_gaps, high, low, chords, turns):
    """``left``, ``pivots``, ``log_pivots``, ``right``, ``rows`` and ``columns`` of ``cauchy.Factors`` for one matrix with entries exp(high_i + low_i) / gaps_ij.

    ``nodes`` (n,), ``roots`` (L,), ``gaps`` and their logarithms (n, L); ``chords``: logarithms of the distances of two roots by their steps
    apart from -(L-1) on; ``turns`` (2L,): 1 - exp(2 pi i m / L). A product is a complex number times a power of two of its own.
    """
    n, length = gaps.shape
    r = min(n, length)
    left, right = np.zeros((n, r), np.complex128), np.zeros((r, length), np.complex128)
    pivots, log_pivots = np.ones(r, np.complex128), np.full(r, -np.inf)
    row_products, row_bits = np.empty(n, np.complex128), np.empty(n, np.int64)
    column_products, column_bits = np.ones(length, np.complex128), np.zeros(length, np.int64)
    for i in range(n):
        row_bits[i] = round(high[i] / LOG2_HIGH)
        row_products[i] = exp((high[i] - row_bits[i] * LOG2_HIGH) + (low[i] - row_bits[i] * LOG2_LOW))
    rows, columns, row_steps, column_steps = np.arange(n), np.arange(length), high + low, np.zeros(length)
    sizes, tops = -log_gaps, np.empty(length)
    pivot_rows, pivot_columns = np.zeros(r, np.int64), np.zeros(r, np.int64)
    for k in range(r):
        best, a, b = largest(sizes, row_steps, column_steps, tops, n - k, length - k)
        if best == -np.inf:
            break
        i, j = pivot_rows[k], pivot_columns[k] = rows[a], columns[b]
        # what is spent changes places with the last
        rows[a], columns[b] = rows[n - k - 1], columns[length - k - 1]
        for q in range(length - k):
            sizes[a, q] = sizes[n - k - 1, q]
        for q in range(n - k):
            sizes[q, b] = sizes[q, length - k - 1]
        inverse = 1 / gaps[i, j]
        over_row, over_column = 1 / (row_products[i] * inverse), 1 / (column_products[j] * inverse)
        pivot, bits = row_products[i] * inverse * column_products[j], row_bits[i] + column_bits[j]
        size = abs(pivot)
        log_size = (log(size) + GRID) - GRID
        log_pivots[k] = bits * LOG2_HIGH + log_size
        pivots[k] = pivot / size * exp((log(size) - log_size) + bits * LOG2_LOW)
        left[i, k] = right[k, j] = 1
        for q in range(n - k - 1):
            m = rows[q]
            quotient, (apart, bits) = row_products[m] / gaps[m, j], scaled(nodes[m] - nodes[i], 0)
            left[m, k] = times_power(quotient * over_row, row_bits[m] - row_bits[i])
            row_products[m], row_bits[m] = scaled(quotient * apart, row_bits[m] + bits)
            row_steps[q] = log(abs(apart)) + bits * LOG2_HIGH - log_gaps[m, j]
        for q in range(length - k - 1):
            m = columns[q]
            quotient = column_products[m] / gaps[i, m]
            right[k, m] = times_power(quotient * over_column, column_bits[m] - column_bits[j])
            column_products[m], column_bits[m] = scaled(quotient * (turns[(m - j) % (2 * length)] * roots[j]), column_bits[m])
            column_steps[q] = chords[m - j + length - 1] - log_gaps[i, m]
    return left, pivots, log_pivots, right, pivot_rows, pivot_columns
