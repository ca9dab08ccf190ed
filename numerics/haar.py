"""The Haar basis: what sparse inputs are made of in the experiments of orvieto24, App. E.2."""

from __future__ import annotations

import numpy as np


def haar(length: int, count: int) -> np.ndarray:
    """The ``count`` coarsest Haar wavelets on ``length`` = 2^m points, orthonormal, shape (length, count).

    Raises ``ValueError`` if the length is no power of two or there are not so many wavelets.
    """
    if length < 1 or length & (length - 1) or not 1 <= count <= length:
        raise ValueError(f"expected a power of two and at most as many wavelets, got length {length} and {count} wavelets")
    columns, width = [np.ones(length)], length
    while len(columns) < count:
        for start in range(0, length, width):
            step = np.zeros(length)
            step[start : start + width // 2], step[start + width // 2 : start + width] = 1, -1
            columns.append(step)
        width //= 2
    basis = np.stack(columns[:count], axis=1)
    return basis / np.linalg.norm(basis, axis=0)
