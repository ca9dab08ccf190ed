"""Certificates of kind ``contraction``."""

from __future__ import annotations

from ..exact import matrix, require, times
from ..registry import rule
from ..typed import Data


@rule("contraction")
def check_contraction(data: Data) -> None:
    """||M|| <= 1: I - M^T M is positive semidefinite, by symmetric elimination."""
    m = matrix(data["matrix"])
    gram = times([list(c) for c in zip(*m, strict=True)], m)
    g = [[int(i == j) - x for j, x in enumerate(row)] for i, row in enumerate(gram)]
    for i in range(len(g)):
        require(g[i][i] > 0 or (g[i][i] == 0 and not any(g[i][i:])), "I - M^T M has a negative pivot")
        for r in range(i + 1, len(g)):
            if g[i][i]:
                q = g[r][i] / g[i][i]
                g[r] = [x - q * y for x, y in zip(g[r], g[i], strict=True)]
