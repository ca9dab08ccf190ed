"""Every symmetric group by one ungated fixed-point layer: transpositions as elements of order 8 of a spin group.

For anticommuting g_1, ..., g_N with g_i^2 = 1 the element (1 + g_j g_k)/sqrt 2 is a rotation with eigenvalues e^(+-i pi/4); conjugation by it takes g_k to g_j and
g_j to -g_k and fixes the others: the transposition (j k), up to signs (the exchange of Majorana operators; Ivanov, Phys. Rev. Lett. 86 (2001) 268).
"""

from __future__ import annotations

import numpy as np

from ..numerics.exact import Array

_X, _Z, _ONE = np.array([[0, 1], [1, 0]]), np.array([[1, 0], [0, -1]]), np.eye(2, dtype=int)


def clifford_generators(n: int) -> list[Array]:
    """N anticommuting symmetric matrices with square 1 and entries 0, 1, -1, of size 2^(N-1) (Jordan and Wigner); raises ``ValueError`` for N < 1."""
    if n < 1:
        raise ValueError(f"expected at least one generator, got {n}")
    m = n - 1
    strings = [[_Z] * k + [_X] + [_ONE] * (m - k - 1) for k in range(m)] + [[_Z] * m]
    out = []
    for factors in strings:
        matrix = np.eye(1, dtype=int)
        for factor in factors:
            matrix = np.kron(matrix, factor)
        out.append(matrix)
    return out


def exchange(generators: list[Array], j: int, k: int) -> Array:
    """1 + g_j g_k, which is sqrt 2 times an orthogonal matrix; raises ``ValueError`` for j = k."""
    if j == k:
        raise ValueError(f"expected two different generators, got {j} twice")
    return np.eye(len(generators[0]), dtype=int) + generators[j] @ generators[k]


def three_cycle(generators: list[Array], i: int, j: int, k: int) -> Array:
    """(1 + g_i g_j)(1 + g_j g_k), which is twice an orthogonal matrix with eigenvalues e^(+-i pi/3)."""
    return exchange(generators, i, j) @ exchange(generators, j, k)


def conjugated(generators: list[Array], A: Array, scale: int) -> tuple[int, ...] | None:
    """p with A g_i A^T = +- scale g_p(i) for all i: the permutation that A stands for; None if there is none."""
    out = []
    for g in generators:
        turned = A @ g @ A.T
        places = [k for k, h in enumerate(generators) if np.array_equal(turned, scale * h) or np.array_equal(turned, -scale * h)]
        if len(places) != 1:
            return None
        out.append(places[0])
    return tuple(out)
