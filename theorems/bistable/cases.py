"""Proofs by cases about rules with thresholds: numbers with free positive parameters whose comparisons are decided for all values at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy

A, B, D, E, F, G, M = sympy.symbols("a b d e f g m", positive=True)
#: real numbers of any sign, which no comparison may look at
ALPHA, STATE = sympy.symbols("alpha h", real=True)


class Free:
    """A rational function of positive parameters. ``>=`` and ``abs`` are decided by the signs of its coefficients, hence for all parameters.

    Raises ``ArithmeticError`` for a comparison that the coefficients leave open: the case must be split further.
    """

    def __init__(self, value: Any):
        # other exact numbers, fmpq for one, go by their text
        self.value = (
            value.value if isinstance(value, Free) else sympy.cancel(sympy.sympify(value if isinstance(value, sympy.Basic) else str(value)))
        )

    def __add__(self, other: Any) -> Free:
        return Free(self.value + Free(other).value)

    def __sub__(self, other: Any) -> Free:
        return Free(self.value - Free(other).value)

    def __mul__(self, other: Any) -> Free:
        return Free(self.value * Free(other).value)

    def __truediv__(self, other: Any) -> Free:
        return Free(self.value / Free(other).value)

    def __rsub__(self, other: Any) -> Free:
        return Free(other) - self

    def __neg__(self) -> Free:
        return Free(-self.value)

    __radd__, __rmul__ = __add__, __mul__

    def __abs__(self) -> Free:
        return self if self >= 0 else -self

    def sign(self) -> int:
        """1, 0 or -1, the same for all positive values of the parameters."""
        if self.value.has(ALPHA, STATE):
            raise ArithmeticError(f"expected parameters of known sign, got {self.value}")
        above, below = sympy.fraction(self.value)
        signs = [{c > 0 for c in sympy.Poly(p, A, B, D, E, F, G, M).coeffs()} for p in (above, below)]
        if above == 0:
            return 0
        if any(len(s) != 1 for s in signs):
            raise ArithmeticError(f"expected coefficients of one sign, got {self.value}: split the case")
        return 1 if signs[0] == signs[1] else -1

    def __ge__(self, other: Any) -> bool:
        return (self - other).sign() >= 0

    def __eq__(self, other: object) -> bool:
        # text stands for a value that could not be decided
        return not isinstance(other, str) and bool((self - other).value == 0)

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return str(self.value)


def inside() -> Iterator[tuple[str, Free, Free]]:
    """All (x, beta) with |x| < beta, by the sign of x: (name, x, beta)."""
    yield "0 < x < beta", Free(B), Free(B + E)
    yield "0 = x < beta", Free(0), Free(E)
    yield "-beta < x < 0", Free(-B), Free(B + E)


def outside() -> Iterator[tuple[str, Free, Free]]:
    """All (x, beta) with |x| >= beta >= 0: (name, x, beta)."""
    yield "x = beta = 0", Free(0), Free(0)
    for s, name in ((1, ""), (-1, "-")):
        yield f"x = {name}beta, beta > 0", Free(s * E), Free(E)
        yield f"|x| > beta > 0, x = {name}|x|", Free(s * (E + D)), Free(E)
        yield f"x = {name}|x|, beta = 0 < |x|", Free(s * D), Free(0)


#: numbers of (0, 1): a / (a + f)
FRACTION = A / (A + F)
