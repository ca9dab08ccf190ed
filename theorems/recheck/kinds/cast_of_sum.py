"""Certificates of kind ``cast-of-sum``."""

from ..exact import natural, number, points, require
from ..registry import rule
from ..sums import settled_values


@rule("cast-of-sum")
def check_cast_of_sum(data):
    """cast(a_k) equals ``even`` or ``odd`` by parity for all k >= ``threshold``, a_k = sum c C(k,m) lambda^(k-m)."""
    terms = {}
    for x, m, c in data["terms"]:
        require(isinstance(m, int) and m >= 0, "m is a natural number")
        terms[number(x), m] = terms.get((number(x), m), 0) + number(c)
    d, middles = points(data["D"])
    values = settled_values(terms, d, middles, natural(data["threshold"]))
    require(values == [number(data["even"]), number(data["odd"])], "the settled values differ from those claimed")
