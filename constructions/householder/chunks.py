"""The triangular inverse of a chunk, by which kernels compute many steps of the delta rule at once (Yang et al. 2024, the WY form).

With keys k_1, ..., k_C and strengths beta_i let A = tril(beta K K^T, -1) and T = (I + A)^-1. Then the chunk's map is S -> S + K^T (T beta V - T beta K S).
"""

from __future__ import annotations

import numpy as np

from ...numerics.exact import Array


def chunk_matrix(keys: Array, strengths: Array) -> Array:
    """A_ij = beta_i <k_i, k_j> for j < i, else 0. Shapes: keys (C, d), strengths (C,); any numbers. Raises ``ValueError`` for other shapes."""
    if keys.ndim != 2 or strengths.shape != keys.shape[:1]:
        raise ValueError(f"expected keys (C, d) and as many strengths, got shapes {keys.shape} and {strengths.shape}")
    return np.tril(strengths[:, None] * (keys @ keys.T), -1)


def chunk_inverse(keys: Array, strengths: Array) -> Array:
    """T = (I + A)^-1 row by row, T_i = e_i - sum_(l < i) A_il T_l; exact for exact numbers."""
    A = chunk_matrix(keys, strengths)
    T = np.zeros_like(A) + np.eye(len(A), dtype=int)
    for i in range(1, len(A)):
        T[i] = T[i] - A[i, :i] @ T[:i]
    return T


def chunk_criterion(keys: Array, strengths: Array) -> bool:
    """Whether every beta_i <k_i, k_j>, i = j too, is an integer and 0 <= beta_i |k_i|^2 <= 2; for exact numbers. Raises ``ValueError`` for complex ones."""
    if np.iscomplexobj(keys) or np.iscomplexobj(strengths):
        raise ValueError("expected real keys and strengths, got complex ones: the bound on the inverse is about real inner products")
    products = strengths[:, None] * (keys @ keys.T)
    return all(x == int(x) for x in products.flat) and all(0 <= x <= 2 for x in np.diag(products))
