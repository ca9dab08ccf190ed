"""What several files of this topic share."""

from __future__ import annotations

import numpy as np

from .....constructions.householder.factors import GeneralizedHouseholder

#: sizes at which exact matrices are multiplied out, and floats beside them
ROWS = (1, 2, 3, 4, 7, 9, 12)


def multiplied(found: list[GeneralizedHouseholder], n: int) -> np.ndarray:
    """The product of factors, each written out: I - beta v v^T / v^T v."""
    out = np.eye(n)
    for f in found:
        v = np.asarray(f.v, dtype=float)
        out = out @ (np.eye(n) - float(f.beta) * np.outer(v, v) / (v @ v))
    return out
