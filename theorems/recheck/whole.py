"""Numbers as integers over a common denominator."""

from math import lcm

from .effort import LONGEST_DENOMINATOR, STEP
from .exact import require


def ratio(x):
    """(numerator, denominator) of an integer or of text in the grammar of numbers."""
    if isinstance(x, int):
        return x, 1
    above, _, below = x.partition("/")
    return int(above), int(below or 1)


def coefficients(x):
    """An element of a cyclotomic field as a list of numbers."""
    return x if isinstance(x, list) else [x]


class Whole:
    """The elements in ``matrices`` (lists of rows) times their common denominator."""

    def __init__(self, matrices, what, effort):
        texts, count = set(), 0
        for rows in matrices:
            for row in rows:
                for x in row:
                    texts.update(coefficients(x))
                    count += 1
        ratios = {x: ratio(x) for x in texts}
        self.denominator = common_denominator({d for _, d in ratios.values()}, what)
        self.bits = self.denominator.bit_length() + max((n.bit_length() for n, _ in ratios.values()), default=0)
        effort.spend(STEP * count, what)
        effort.hold(len(texts), self.bits, what)
        self._integers = {x: n * (self.denominator // d) for x, (n, d) in ratios.items()}

    def integers(self, x):
        """The coefficients of an element, times the denominator."""
        return [self._integers[c] for c in coefficients(x)]

    def size(self, matrices):
        """The largest sum of absolute values of an element's coefficients, times the denominator."""
        magnitude = {c: abs(n) for c, n in self._integers.items()}
        return max((sum([magnitude[c] for c in coefficients(x)]) for rows in matrices for row in rows for x in row), default=0)


def common_denominator(denominators, what):
    """The least common multiple; Rejected if it is long."""
    out = 1
    for d in denominators:
        out = lcm(out, d)
        require(out.bit_length() <= LONGEST_DENOMINATOR, f"{what}: expected a common denominator of at most {LONGEST_DENOMINATOR} bits, got a longer one")
    return out
