"""Products of random low-rank matrices W M' / sqrt(N r) applied to vectors, in batches; no N x N matrix is formed.

A word is a tuple of letters 1, 2, ...; its first letter's matrix acts first. NumPy, torch and CuPy arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import array_api_compat
import numpy as np

Word = tuple[int, ...]


def sample(seed: int | Sequence[int], draws: int, letters: int, N: int, r: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(W, M, Y_0): standard Gaussian entries, shapes (draws, letters, N, r) twice and (draws, N)."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((draws, letters, N, r)), rng.standard_normal((draws, letters, N, r)), rng.standard_normal((draws, N))


def states(W: Any, M: Any, Y: Any, wanted: Sequence[Word]) -> dict[Word, Any]:
    """A_I Y_0 for every word I wanted, shape (draws, N) each; W and M have shape (draws, letters, N, r), Y (draws, N).

    NumPy, torch and CuPy arrays. No N x N matrix is formed, and words share the states of common beginnings.
    """
    xp = array_api_compat.array_namespace(W, M, Y)
    N, r = W.shape[-2:]
    known: dict[Word, Any] = {(): Y}
    for word in wanted:
        for k, letter in enumerate(word):
            before, after = word[:k], word[: k + 1]
            if after not in known:
                inner = xp.matmul(xp.matrix_transpose(M[:, letter - 1, :, :]), known[before][:, :, None])
                known[after] = xp.matmul(W[:, letter - 1, :, :], inner)[:, :, 0] / float(N * r) ** 0.5
    return {word: known[word] for word in wanted}


def overlaps(W: Any, M: Any, Y: Any, pairs: Sequence[tuple[Word, Word]]) -> Any:
    """X_IJ of every draw and pair, shape (draws, pairs); arguments as for ``states``."""
    xp = array_api_compat.array_namespace(W, M, Y)
    found = states(W, M, Y, [word for pair in pairs for word in pair])
    return xp.stack([xp.sum(found[I] * found[J], axis=-1) / Y.shape[-1] for I, J in pairs], axis=1)


def solve(increments: Any, W: Any, M: Any, Y: Any, terms: int = 30) -> Any:
    """Y at the end of the path, shape (draws, N), by the exponential series of every piece; arguments as for ``states``."""
    xp = array_api_compat.array_namespace(W, M, Y)
    N, r = W.shape[-2:]
    for piece in increments:
        term = Y
        for k in range(1, terms):
            applied = [
                float(x) * xp.matmul(W[:, i, :, :], xp.matmul(xp.matrix_transpose(M[:, i, :, :]), term[:, :, None]))[:, :, 0]
                for i, x in enumerate(piece)
                if x != 0
            ]
            term = sum(applied, start=0 * term) / (float(N * r) ** 0.5 * k)
            Y = Y + term
    return Y
