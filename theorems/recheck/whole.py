"""Elements of Q(zeta_N), as the file has them, times a common denominator."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import Any

from .effort import LONGEST_DENOMINATOR, STEP, Effort
from .exact import require
from .ring import Ring, ones


def ratio(x: Any) -> tuple[int, int]:
    """(numerator, denominator) of an integer or of text in the grammar of numbers."""
    if isinstance(x, int):
        return x, 1
    above, _, below = x.partition("/")
    return int(above), int(below or 1)


class Whole:
    """The elements in ``matrices`` (lists of rows) times their common denominator; ``enter`` a ring before asking for them."""

    def __init__(self, matrices: Sequence[Sequence[Sequence[Any]]], what: str, effort: Effort) -> None:
        entries = [x for rows in matrices for row in rows for x in row]
        effort.spend(STEP * len(entries), what)
        lists = [x for x in entries if type(x) is list]
        numbers = {x for x in entries if type(x) is not list}.union(*lists)
        # few numbers occur in many places: what is done once for each number may be slow
        effort.spend(16 * STEP * len(numbers) + STEP * sum(map(len, lists)) // 2, what)
        ratios = {x: ratio(x) for x in numbers}
        self.what, self.effort, self.denominator = what, effort, common_denominator({d for _, d in ratios.values()}, what)
        bits = self.denominator.bit_length() + max((n.bit_length() for n, _ in ratios.values()), default=0)
        effort.hold(len(numbers), bits, what)
        self.integer = {x: n * (self.denominator // d) for x, (n, d) in ratios.items()}
        #: the largest number of coefficients, and the largest size of an element, the sum of their absolute values
        self.length = max(map(len, lists), default=1)
        self.largest = max(max(map(abs, self.integer.values()), default=0), max(map(self.size, lists), default=0))

    def size(self, x: Sequence[str]) -> int:
        """The sum of the absolute values of an element's coefficients."""
        return sum([abs(self.integer[c]) for c in x]) if type(x) is list else abs(self.integer[x])

    def enter(self, ring: Ring) -> Whole:
        """Prepare the elements of ``ring``; self."""
        self.ring = ring
        if self.length > 1:
            self.effort.hold(len(self.integer), ring.bits, self.what)
            self.slot = {x: (n + ring.half).to_bytes(ring.bits // 8, "little") for x, n in self.integer.items()}
        return self

    def element(self, x: Sequence[str]) -> int:
        """An element as a polynomial of the ring, times the common denominator."""
        if type(x) is not list:
            return self.integer[x]
        if len(x) < 2:
            return self.integer[x[0]] if x else 0
        return int.from_bytes(b"".join([self.slot[c] for c in x]), "little") - self.ring.half * ones(len(x), self.ring.bits // 8)

    def row(self, row: Sequence[Any]) -> list[int]:
        """:meth:`element` of each entry."""
        integer = self.integer
        return [self.element(x) if type(x) is list else integer[x] for x in row]

    def require_real(self, row: Sequence[Any]) -> None:
        """The elements are their own complex conjugates, zeta -> 1/zeta."""
        ring = self.ring
        for x in row:
            if type(x) is list and len(x) > 1:
                self.effort.spend(STEP + 3 * ring.cost, self.what)
                # x^(len - 1) times the conjugate has the coefficients in reverse
                conjugate = self.element(x[::-1]) << ring.bits * (ring.order - len(x) + 1)
                require(ring.key(self.element(x)) == ring.key(conjugate), f"{self.what}: expected real numbers, got a complex one")


def common_denominator(denominators: Sequence[int] | set[int], what: str) -> int:
    """The least common multiple; Rejected if it is long."""
    out = 1
    for d in denominators:
        out = lcm(out, d)
        require(
            out.bit_length() <= LONGEST_DENOMINATOR,
            f"{what}: expected a common denominator of at most {LONGEST_DENOMINATOR} bits, got a longer one",
        )
    return out
