"""Least squares of least norm for batches of matrices, by the singular value decomposition: array-API code for NumPy, torch and CuPy."""

from __future__ import annotations

from typing import Any

import array_api_compat

#: singular values below this part of the largest count as zero, as in ``numpy.linalg.pinv``
CUTOFF = 1e-15


def least_squares(matrices: Any, right: Any, cutoff: float = CUTOFF) -> Any:
    """The x of least norm with ``matrices`` x nearest to ``right``: shapes (..., M, P), (..., M) and (..., P); real or complex.

    Equivalent to ``numpy.linalg.pinv(matrix, rcond=cutoff) @ right`` for each of them; the pseudoinverse is not formed.
    """
    xp = array_api_compat.array_namespace(matrices, right)
    U, sizes, Vh = xp.linalg.svd(matrices, full_matrices=False)
    kept = sizes > cutoff * sizes[..., :1]
    inverse = xp.where(kept, 1 / xp.where(kept, sizes, xp.ones_like(sizes)), xp.zeros_like(sizes))
    coordinates = _adjoint(xp, U) @ right[..., None] * xp.astype(inverse, U.dtype)[..., None]
    return (_adjoint(xp, Vh) @ coordinates)[..., 0]


def _adjoint(xp: Any, matrices: Any) -> Any:
    turned = xp.matrix_transpose(matrices)
    return xp.conj(turned) if xp.isdtype(matrices.dtype, "complex floating") else turned
