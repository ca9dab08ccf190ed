"""Diagonal recurrences as memories: what the state holds of the inputs (orvieto24, Sec. 3.1, App. C).

The letters of these layers are numbers: the inputs themselves. Exact for rational, Gaussian-rational and cyclotomic eigenvalues.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import fmpq

from ..numerics import exact
from ..numerics.cyclotomic import Cyclotomic, parts, root_of_unity
from ..numerics.exact import Array
from .recurrence import Recurrence


def diagonal_recurrence(nodes: Sequence[Any]) -> Recurrence:
    """x_k = diag(nodes) x_(k-1) + (1, ..., 1)^T u_k from x_0 = 0: the state after k inputs is V_k u. The output is the state."""
    eigenvalues = np.array(list(nodes), dtype=object)
    transition = np.diag(eigenvalues) + exact.zeros(len(eigenvalues), len(eigenvalues))
    ones = np.full((len(eigenvalues), 1), fmpq(1), dtype=object)
    return Recurrence(lambda u: transition, lambda u: ones * u, ones * 0, lambda H, u: H)


def recall_matrix(nodes: Sequence[Any] | Array, length: int) -> Array:
    """V_k with the rows (x^(k-1), ..., x, 1), exact, shape (N, length)."""
    rows = []
    for x in nodes:
        row = [x * 0 + 1]
        for _ in range(length - 1):
            row.append(row[-1] * x)
        rows.append(row[::-1])
    return np.array(rows, dtype=object).reshape(len(rows), length)


def clock_and_memory(nodes: Sequence[Any]) -> Recurrence:
    """The recurrence on inputs (1, v) whose first unit counts the steps: lambda_0 = 1 reads the constant, the others read v (Sec. 3.1.1)."""
    eigenvalues = np.array([fmpq(1), *nodes], dtype=object)
    transition = np.diag(eigenvalues) + exact.zeros(len(eigenvalues), len(eigenvalues))

    def inputs(v: Any) -> Array:
        return np.array([[fmpq(1)], *([v * fmpq(1)] for _ in nodes)], dtype=object)

    return Recurrence(lambda v: transition, inputs, inputs(fmpq(0)) * 0, lambda H, v: H)


def blockwise(nodes: Sequence[Sequence[Any]]) -> Recurrence:
    """One diagonal recurrence for each input dimension, block j reading the j-th entry of the input (App. C)."""
    eigenvalues = np.array([x for block in nodes for x in block], dtype=object)
    transition = np.diag(eigenvalues) + exact.zeros(len(eigenvalues), len(eigenvalues))

    def inputs(v: Sequence[Any]) -> Array:
        return np.array([[v[j] * fmpq(1)] for j, block in enumerate(nodes) for _ in block], dtype=object)

    return Recurrence(lambda v: transition, inputs, inputs([fmpq(0)] * len(nodes)) * 0, lambda H, v: H)


def half_circle(length: int) -> list[Cyclotomic]:
    """exp(i pi (2j + 1) / L), j < L/2: the roots of z^L = -1 in the upper half plane, and -1 if L is odd; exact in Q(zeta_2L)."""
    if length < 1:
        raise ValueError(f"expected a length of at least 1, got {length}")
    return [root_of_unity(2 * length, 2 * j + 1) for j in range((length + 1) // 2)]


def real_and_imaginary(matrix: Array) -> Array:
    """A matrix over Q(i) as its real parts above its imaginary parts, shape (2N, L): what a real-linear decoder of real inputs can read."""
    return np.vstack(parts(matrix))


def complex_rank(matrix: Array) -> int:
    """The rank of a matrix over Q(i): half the rank of its real form [[X, -Y], [Y, X]]."""
    real, imaginary = parts(matrix)
    return exact.rank(np.block([[real, -imaginary], [imaginary, real]])) // 2


def gap_polynomial(degree: int, c: fmpq) -> list[fmpq]:
    """P with P(e^(it)) = e^(i degree t / 2) T_degree(cos(t/2) / c), constant first: of modulus at most 1 where |cos(t/2)| <= c, large at t = 0. Exact."""
    before, now = [fmpq(0)], [fmpq(1)]
    for n in range(degree):
        share = 1 / c if n else 1 / (2 * c)
        both = [(a + b) * share for a, b in zip([*now, fmpq(0)], [fmpq(0), *now], strict=True)]
        before, now = now, [a - b for a, b in zip(both, [fmpq(0), *before, *[fmpq(0)] * (len(both) - len(before) - 1)], strict=True)]
    return now


def sine_window(k: int) -> list[fmpq]:
    """sin(pi (j + 1) / (k + 2)), j <= k, rounded to 20 binary places: among all polynomials of degree k the most concentrated at t = 0, by the mean of cos t."""
    return [fmpq(round(2**20 * math.sin(math.pi * (j + 1) / (k + 2))), 2**20) for j in range(k + 1)]
