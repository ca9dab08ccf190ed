"""Certificates of kind ``gh-product``."""

from __future__ import annotations

from fractions import Fraction

from ..exact import matrix, number, one, rank, require, times
from ..registry import rule
from ..typed import Data


@rule("gh-product")
def check_gh_product(data: Data) -> None:
    """``matrix`` is the product of the I - beta v v^T / v^T v with 1 - beta in [low, high]; ``fewest``: rank(M - I) is their number."""
    m = matrix(data["matrix"])
    product, low, high = one(len(m)), number(data["low"]), number(data["high"])
    for factor in data["factors"]:
        v, beta = [number(x) for x in factor["v"]], number(factor["beta"])
        length = sum(x * x for x in v)
        require(len(v) == len(m) and length, "a nonzero vector of the right size")
        require(low <= 1 - beta <= high, f"1 - beta = {1 - beta} lies outside [{low}, {high}]")
        product = times(product, [[Fraction(int(i == j)) - beta * v[i] * v[j] / length for j in range(len(v))] for i in range(len(v))])
    require(product == m, "the product of the factors is not the matrix")
    if data["fewest"]:
        needed = rank([[x - int(i == j) for j, x in enumerate(row)] for i, row in enumerate(m)])
        require(needed == len(data["factors"]), f"rank(M - I) = {needed} is not the number of factors")
