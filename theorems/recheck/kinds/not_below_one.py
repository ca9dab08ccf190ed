"""Certificates of kind ``not-below-one``."""

from __future__ import annotations

from ..exact import matrix, number, require
from ..registry import rule
from ..typed import Data


@rule("not-below-one")
def check_not_below_one(data: Data) -> None:
    """||M|| >= 1, and > 1 if ``strict``: the vector is not zero and not shortened (is lengthened)."""
    m, v = matrix(data["matrix"]), [number(x) for x in data["vector"]]
    image = [sum(x * y for x, y in zip(row, v, strict=True)) for row in m]
    before, after = sum(x * x for x in v), sum(x * x for x in image)
    require(len(v) == len(m[0]) and before > 0, "a nonzero vector of the right size")
    require(after > before if data["strict"] else after >= before, "the vector is shortened")
