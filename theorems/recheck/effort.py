"""How much work a network asks for: estimated from sizes before it is begun, and refused beyond a bound."""

from __future__ import annotations

from .limits import beyond, bound, charge, within

#: bits of a common denominator
LONGEST_DENOMINATOR = 4096

#: what one step of the interpreter costs, in elementary operations
STEP = 250


class Effort:
    """What is left to spend on one network; the file that it is in pays as well, for all of its networks together."""

    def __init__(self) -> None:
        self.work = bound("work")

    def spend(self, work: int, what: str) -> None:
        """Before ``work`` operations are begun."""
        self.work -= work
        if self.work < 0:
            beyond("work", what)
        charge(work, what)

    def hold(self, count: int, bits: int, what: str) -> None:
        """Before ``count`` integers of so many bits are stored."""
        within("bits", count * bits, what)


def multiplication(a: int, b: int) -> int:
    """Operations for a product of integers of ``a`` and ``b`` bits, and for looking at them (Karatsuba beyond 70 digits)."""
    longer, shorter = max(a, b) // 30 + 1, min(a, b) // 30 + 1
    return 60 + longer * (shorter if shorter <= 70 else 1 + int(70 * (shorter / 70) ** 0.6))
