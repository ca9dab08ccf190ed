"""Certificates of kind ``stepwise-orbit``."""

from __future__ import annotations

import itertools
from fractions import Fraction

from ..exact import cast, characteristic_polynomial, matrix, number, points, require, square
from ..registry import rule
from ..typed import Data


@rule("stepwise-orbit")
def check_stepwise_orbit(data: Data) -> None:
    """h -> cast(A h + b) moves through ``orbit`` and returns to its start; ``eigenvalues`` are those of A."""
    a, b = square(matrix(data["A"])), [number(x) for x in data["b"]]
    d, _ = points(data["D"])
    orbit = [[number(x) for x in h] for h in data["orbit"]]
    require(all(len(h) == len(a) and set(h) <= set(d) for h in orbit) and len(b) == len(a), "states in D^n, b of size n")
    require(len(orbit) >= 2 and orbit[0] == orbit[-1], "the orbit is closed")
    require(len({tuple(h) for h in orbit}) == len(orbit) - 1, "its states are distinct")
    for h, after in itertools.pairwise(orbit):
        image = [cast(sum(x * y for x, y in zip(row, h, strict=True)) + c, d) for row, c in zip(a, b, strict=True)]
        require(image == after, f"the state after {h} is {image}, not {after}")
    expected = [Fraction(1)]
    for x in (number(x) for x in data["eigenvalues"]):
        expected = [u - x * v for u, v in zip([*expected, Fraction(0)], [Fraction(0), *expected], strict=True)]
    require(characteristic_polynomial(a) == expected, "the eigenvalues are not those of A")
