"""Binary floating-point formats in exact arithmetic: every number is a rational, and every rounding is computed, not run.

A format has a precision p, a least spacing 2^lowest and a largest number. Between 2^e and 2^(e+1) its numbers are the multiples of
2^(e-p+1), or of the least spacing where that is larger (gradual underflow). Rounding is to nearest, ties to even (IEEE 754-2019, Sec. 4.3.1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import fmpq

from .exact import rational

#: rules for ties: is x, halfway between two neighbours, rounded to the upper one? ``odd``: the lower one is an odd multiple of the spacing
TIES: dict[str, Callable[[fmpq, bool], bool]] = {
    "even": lambda x, odd: odd,
    "up": lambda x, odd: True,
    "down": lambda x, odd: False,
    "away": lambda x, odd: x > 0,
    "zero": lambda x, odd: x < 0,
}


@dataclass(frozen=True)
class Format:
    """A binary floating-point format: ``precision`` bits, ``lowest`` the exponent of the least positive number, ``largest`` the greatest."""

    name: str
    precision: int
    lowest: int
    largest: fmpq

    @property
    def least_normal(self) -> fmpq:
        """The least positive number with all ``precision`` bits."""
        return fmpq(2) ** (self.lowest + self.precision - 1)

    def spacing(self, x: fmpq) -> fmpq:
        """The distance of neighbouring numbers of the format at ``x``."""
        x = abs(x)
        if x < self.least_normal:
            return fmpq(2) ** self.lowest
        # 2^(e-1) < x < 2^(e+1)
        e = int(x.p).bit_length() - int(x.q).bit_length()
        return fmpq(2) ** ((e if x >= fmpq(2) ** e else e - 1) - self.precision + 1)

    def round(self, x: fmpq, ties: str = "even") -> fmpq:
        """The number of the format nearest to ``x``; of two the one that ``ties`` names, one of ``TIES``. Raises ``OverflowError`` beyond the largest number."""
        spacing = self.spacing(x)
        below = (x / spacing).floor()
        rest = x / spacing - below
        up = rest > fmpq(1, 2) or (rest == fmpq(1, 2) and TIES[ties](x, int(below) % 2 == 1))
        rounded = (below + int(up)) * spacing
        if abs(rounded) > self.largest:
            raise OverflowError(f"expected a number that rounds to at most {self.largest} in {self.name}, got {x}")
        return rounded

    def is_tie(self, x: fmpq) -> bool:
        """Does ``x`` lie halfway between two neighbours?"""
        return (2 * x / self.spacing(x)).q == 1 and (x / self.spacing(x)).q != 1

    def __contains__(self, x: object) -> bool:
        y = rational(x)
        return abs(y) <= self.largest and self.round(y) == y


def _format(name: str, precision: int, exponent_bits: int) -> Format:
    """An interchange format of IEEE 754: the largest exponent is reserved for infinity and NaN."""
    bias = 2 ** (exponent_bits - 1) - 1
    return Format(name, precision, 2 - bias - precision, (2 - fmpq(2) ** (1 - precision)) * fmpq(2) ** bias)


BINARY64 = _format("float64", 53, 11)
BINARY32 = _format("float32", 24, 8)
BINARY16 = _format("float16", 11, 5)
BFLOAT16 = _format("bfloat16", 8, 8)
#: eight bits: E5M2 is built like IEEE 754, E4M3 gives up infinity and reaches 448 (OCP 8-bit floating point, 2023)
E5M2 = _format("float8_e5m2", 3, 5)
E4M3 = Format("float8_e4m3fn", 4, -9, fmpq(448))

FORMATS = (BINARY64, BINARY32, BINARY16, BFLOAT16, E4M3, E5M2)
