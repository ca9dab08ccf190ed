"""Exact Jordan form of rational matrices with rational eigenvalues, and the powers that it gives in closed form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq

from .exact import (
    Array,
    block_diagonal,
    identity,
    inverse,
    map_entries,
    multiply,
    nullspace,
    rank,
    rational_eigenvalues,
    require_square,
    zeros,
)
from .exponential_sums import ExponentialSum


@dataclass(frozen=True)
class JordanForm:
    """``A = basis @ blocks @ basis_inverse``: ``blocks`` are pairs (eigenvalue, size) in the order of the columns."""

    basis: Array
    basis_inverse: Array
    blocks: tuple[tuple[fmpq, int], ...]

    def matrix(self) -> Array:
        """The block diagonal J."""
        return block_diagonal(jordan_block(eigenvalue, size) for eigenvalue, size in self.blocks)

    def power_entries(self, left: Array, right: Array) -> Array:
        """The entries of ``left @ A^k @ right`` as functions of k: an object array of :class:`ExponentialSum`.

        A block of size s contributes C(k, m) lambda^(k-m) for m < s (grazzi25, App. B.1).
        """
        rows, columns = multiply(left, self.basis), multiply(self.basis_inverse, right)
        sums = map_entries(lambda _: ExponentialSum({}), np.empty((left.shape[0], right.shape[1]), dtype=object))
        start = 0
        for eigenvalue, size in self.blocks:
            for m in range(size):
                # J^k carries C(k, m) lambda^(k-m) on its m-th superdiagonal
                weight: Any = multiply(rows[:, start : start + size - m], columns[start + m : start + size, :])
                for index in np.ndindex(sums.shape):
                    sums[index] = sums[index] + ExponentialSum({(eigenvalue, m): weight[index]})
            start += size
        return sums


def jordan_block(eigenvalue: fmpq, size: int) -> Array:
    """``eigenvalue`` on the diagonal, ones above it."""
    block = identity(size) * eigenvalue
    for i in range(size - 1):
        block[i, i + 1] = fmpq(1)
    return block


def jordan_form(matrix: Array) -> JordanForm:
    """The Jordan form of a rational matrix all of whose eigenvalues are rational (Horn & Johnson, Ch. 3.1).

    Raises ``ValueError`` if the matrix is not square or some eigenvalue is irrational.
    """
    matrix = require_square(matrix)
    n = len(matrix)
    eigenvalues = rational_eigenvalues(matrix)
    if sum(eigenvalues.values()) != n:
        raise ValueError(f"expected a matrix with rational eigenvalues only, got {sum(eigenvalues.values())} of {n}")
    columns: list[Array] = []
    blocks: list[tuple[fmpq, int]] = []
    for eigenvalue in eigenvalues:
        for chain in _jordan_chains(matrix - identity(n) * eigenvalue):
            columns += chain
            blocks.append((eigenvalue, len(chain)))
    basis = np.stack(columns, axis=1)
    return JordanForm(basis, inverse(basis), tuple(blocks))


def _jordan_chains(nilpotent_part: Array) -> list[list[Array]]:
    """Chains v, N v, ... of N = A - lambda I, longest first, each listed from its eigenvector up."""
    powers = [identity(len(nilpotent_part))]
    while len(powers) < 2 or rank(powers[-1]) < rank(powers[-2]):
        powers.append(multiply(nilpotent_part, powers[-1]))
    chains: list[list[Array]] = []
    for height in range(len(powers) - 2, 0, -1):
        # heads of chains of this height: ker N^height modulo ker N^(height-1) and the longer chains' members
        taken = [nullspace(powers[height - 1])] + [chain[height - 1][:, None] for chain in chains]
        known = np.concatenate([t for t in taken if t.shape[1]] or [zeros(len(nilpotent_part), 0)], axis=1)
        for head in nullspace(powers[height]).T:
            extended = np.concatenate([known, head[:, None]], axis=1)
            if rank(extended) > rank(known) if known.shape[1] else True:
                chains.append([multiply(powers[j], head[:, None])[:, 0] for j in range(height - 1, -1, -1)])
                known = extended
    return chains
