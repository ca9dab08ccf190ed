"""Certificates of kind ``eigenvector``."""

from __future__ import annotations

from ..exact import matrix, number, require
from ..registry import rule
from ..typed import Data


@rule("eigenvector")
def check_eigenvector(data: Data) -> None:
    """``matrix`` times ``vector`` is ``eigenvalue`` times ``vector``, which is not 0."""
    m, v, x = matrix(data["matrix"]), [number(y) for y in data["vector"]], number(data["eigenvalue"])
    require(len(v) == len(m) and all(len(row) == len(m) for row in m), "a square matrix and a vector of its size")
    require(any(v) and [sum(a * b for a, b in zip(row, v, strict=True)) for row in m] == [x * y for y in v], "M v differs from lambda v")
