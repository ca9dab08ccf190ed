"""How much work a file asks for: estimated from sizes before it is begun, and refused beyond a bound."""

from .exact import Rejected

#: elementary operations, each about a product of two 30-bit digits, a nanosecond
MOST_WORK = 4 * 10**9

#: bits of the integers of one kind that are kept at a time (128 MiB)
MOST_BITS = 2**30

#: bits of a common denominator
LONGEST_DENOMINATOR = 4096

#: what one step of the interpreter costs, in elementary operations
STEP = 250


class Effort:
    """What is left to spend on one file."""

    def __init__(self):
        self.work = MOST_WORK

    def spend(self, work, what):
        """Before ``work`` operations are begun."""
        self.work -= work
        if self.work < 0:
            raise Rejected(f"asks for too much work: {what} take it beyond {MOST_WORK:.0e} operations, more than recheck does")

    def hold(self, count, bits, what):
        """Before ``count`` integers of so many bits are stored."""
        if count * bits > MOST_BITS:
            raise Rejected(f"asks for too much memory: {what} need more than {MOST_BITS // 2**23} MiB of integers, more than recheck holds")


def multiplication(a, b):
    """Operations for a product of integers of ``a`` and ``b`` bits, and for looking at them (Karatsuba beyond 70 digits)."""
    longer, shorter = max(a, b) // 30 + 1, min(a, b) // 30 + 1
    return 60 + longer * (shorter if shorter <= 70 else 1 + int(70 * (shorter / 70) ** 0.6))
