"""Certificates of kind ``cast-of-sum``."""

from __future__ import annotations

from ..exact import natural, number, points, require
from ..registry import rule
from ..sums import settled_values
from ..typed import Data


@rule("cast-of-sum")
def check_cast_of_sum(data: Data) -> None:
    """cast(a_k) equals ``even`` or ``odd`` by parity for all k >= ``threshold``, a_k = sum c C(k,m) lambda^(k-m)."""
    terms, threshold = {}, natural(data["threshold"])
    for x, m, c in data["terms"]:
        require(natural(m) <= 1000, "m is a natural number of at most 1000")
        terms[number(x), m] = terms.get((number(x), m), 0) + number(c)
    size = sum(max(x.numerator.bit_length(), x.denominator.bit_length()) for x, _ in terms)
    require(threshold * size <= 10**7, "powers of fewer than 10^7 bits")
    d, middles = points(data["D"])
    values = settled_values(terms, d, middles, threshold)
    require(values == [number(data["even"]), number(data["odd"])], "the settled values differ from those claimed")
