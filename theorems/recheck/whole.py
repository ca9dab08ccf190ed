"""Elements of Q(zeta_N), as the file has them, times a common denominator."""

from math import lcm

from .effort import LONGEST_DENOMINATOR, STEP
from .exact import require
from .ring import ones


def ratio(x):
    """(numerator, denominator) of an integer or of text in the grammar of numbers."""
    if isinstance(x, int):
        return x, 1
    above, _, below = x.partition("/")
    return int(above), int(below or 1)


class Whole:
    """The elements in ``matrices`` (lists of rows) times their common denominator; ``enter`` a ring before their elements are asked for."""

    def __init__(self, matrices, what, effort):
        entries = [x for rows in matrices for row in rows for x in row]
        numbers = {c for x in entries for c in (x if isinstance(x, list) else (x,))}
        ratios = {x: ratio(x) for x in numbers}
        self.what, self.effort = what, effort
        self.denominator = common_denominator({d for _, d in ratios.values()}, what)
        #: the largest number of coefficients
        self.length = max([1, *(len(x) for x in entries if isinstance(x, list))])
        bits = self.denominator.bit_length() + max((n.bit_length() for n, _ in ratios.values()), default=0)
        effort.spend(STEP * len(entries), what)
        effort.hold(len(numbers), bits, what)
        self.integer = {x: n * (self.denominator // d) for x, (n, d) in ratios.items()}
        self.magnitude = {x: abs(n) for x, n in self.integer.items()}
        self.largest = max(map(self.size, entries), default=0)

    def size(self, x):
        """The sum of the absolute values of an element's coefficients."""
        return sum([self.magnitude[c] for c in x]) if isinstance(x, list) else self.magnitude[x]

    def enter(self, ring):
        """Prepare the elements of ``ring``; self."""
        self.ring = ring
        if self.length > 1:
            self.effort.hold(len(self.integer), ring.bits, self.what)
            self.slot = {x: (n + ring.half).to_bytes(ring.bits // 8, "little") for x, n in self.integer.items()}
        return self

    def __call__(self, x):
        """The element as a polynomial of the ring, times the common denominator."""
        if not isinstance(x, list):
            return self.integer[x]
        if len(x) < 2:
            return self.integer[x[0]] if x else 0
        return int.from_bytes(b"".join([self.slot[c] for c in x]), "little") - self.ring.half * ones(len(x), self.ring.bits // 8)

    def require_real(self, matrices):
        """Elements must be their own complex conjugates, zeta -> 1/zeta."""
        ring = self.ring
        for x in [x for rows in matrices for row in rows for x in row if isinstance(x, list) and len(x) > 1]:
            self.effort.spend(STEP + 3 * ring.cost, self.what)
            # x^(len - 1) times the conjugate has the coefficients in reverse
            conjugate = self(x[::-1]) << ring.bits * (ring.order - len(x) + 1)
            require(ring.key(self(x)) == ring.key(conjugate), f"{self.what}: expected real numbers, got a complex one")


def common_denominator(denominators, what):
    """The least common multiple; Rejected if it is long."""
    out = 1
    for d in denominators:
        out = lcm(out, d)
        require(out.bit_length() <= LONGEST_DENOMINATOR, f"{what}: expected a common denominator of at most {LONGEST_DENOMINATOR} bits, got a longer one")
    return out
