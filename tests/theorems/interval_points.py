"""The checker's elementary functions against Arb on seeded intervals; ``make intervals`` runs 100,000 of them for each function."""

import random
import sys
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from itertools import groupby

from flint import arb, ctx, fmpq
from lemmata.theorems.recheck import intervals


def moderate(rng):
    return Fraction(rng.randrange(1, 10**6), rng.randrange(1, 10**6))


def tiny(rng):
    return Fraction(rng.randrange(1, 10**6), 10 ** rng.randrange(6, 300))


def huge(rng):
    return Fraction(rng.randrange(1, 10**9), rng.randrange(1, 10**9)) * 10 ** rng.randrange(60)


def whole(rng):
    return Fraction(rng.randrange(50))


def long(rng):
    return Fraction(rng.getrandbits(900) + 1, rng.getrandbits(900) + 1)


def near_a_turn(rng):
    """Beside a multiple of pi/2, as near as a fraction of 60 to 400 bits gets, or up to 10^-60 away."""
    bits = rng.choice((60, 120, 200, 400))
    x = Fraction(round(rng.randrange(1, 10 ** rng.randrange(1, 30)) * PI / 2 * 2**bits), 2**bits)
    return abs(x + rng.choice((-1, 0, 1)) * Fraction(1, 10 ** rng.randrange(1, 60)))


POINTS = (moderate, tiny, huge, whole, long, near_a_turn)

#: widths, as a part of 1: none, narrow, wide
WIDTHS = (
    lambda rng: Fraction(0),
    lambda rng: Fraction(rng.randrange(1, 100), 10 ** rng.randrange(3, 60)),
    lambda rng: Fraction(rng.randrange(1, 1000), 10) * 10 ** rng.randrange(3),
)


def pi_fraction(bits=4000):
    """pi to so many bits."""
    before, ctx.prec = ctx.prec, bits
    try:
        mantissa, exponent = arb.pi().mid().man_exp()
    finally:
        ctx.prec = before
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


PI = pi_fraction()

REFERENCE = {
    "sqrt": lambda x: x.sqrt(),
    "exp": lambda x: x.exp(),
    "log": lambda x: x.log(),
    "tanh": lambda x: x.tanh(),
    "cos": lambda x: x.cos(),
    "sin": lambda x: x.sin(),
    "normal_cdf": lambda x: (-x / arb(2).sqrt()).erfc() / 2,
}

#: bounds that no value passes, where Arb's ball around a value may
RANGES = {"tanh": (-1, 1), "cos": (-1, 1), "sin": (-1, 1), "normal_cdf": (0, 1), "sqrt": (0, None), "exp": (0, None), "log": (None, None)}

#: (least, largest) argument, where not all are taken
DOMAINS = {"sqrt": (0, None), "log": (Fraction(1, 10**400), None), "exp": (None, intervals.LARGEST_EXPONENT)}


def interval(name, rng):
    """(low, high) in the domain of a function."""
    least, most = DOMAINS.get(name, (None, None))
    low = rng.choice(POINTS)(rng) * (1 if least is not None else rng.choice((1, -1)))
    high = low + rng.choice(WIDTHS)(rng)
    if most is not None and high > most:
        low, high = low % most, min(most, low % most + high - low)
    return (low, high) if least is None else (max(low, least), max(high, least))


def ball(name, x):
    """f(x) in Arb, to at least 300 bits beyond what x has before its point; leaves the precision as high as that."""
    ctx.prec = 700 + 2 * abs(x).numerator.bit_length()
    return REFERENCE[name](arb(fmpq(x.numerator, x.denominator)))


def inside(rng, low, high):
    """The ends, the middle, two points between, and for waves the nearest multiples of pi/2 within."""
    yield from {low, high, (low + high) / 2}
    if low < high:
        yield low + (high - low) * Fraction(rng.randrange(1000), 1000)
        k = -(-low * 2 // PI)
        for x in (k * PI / 2, (k + 1) * PI / 2, (k + 2) * PI / 2, (k + 3) * PI / 2):
            if low <= x <= high:
                yield x


def misses(name, low, high, rng):
    """Points of [low, high] whose value is not surely within what the checker finds."""
    found = getattr(intervals, name)((intervals.exact(low)[0], intervals.exact(high)[0]))
    out, before = [], ctx.prec
    try:
        for x in inside(rng, low, high):
            value = ball(name, x)
            ends, (least, most) = [arb(fmpq(e.numerator, e.denominator)) for e in found], RANGES[name]
            if not ((found[0] == least or ends[0] <= value) and (found[1] == most or value <= ends[1])):
                out.append((name, x, found))
    finally:
        ctx.prec = before
    return out, found


#: intervals for one seed, and for one task of a process
SHARE = 5_000


def share(name, number, count):
    """(function, intervals, values missed, the widest result at a point) for the ``number``-th seed of a function."""
    rng, missed, widest = random.Random(f"{name} {number}"), [], Fraction(0)
    for _ in range(count):
        low, high = interval(name, rng)
        wrong, found = misses(name, low, high, rng)
        missed += wrong
        if low == high:
            widest = max(widest, (found[1] - found[0]) / max(1, abs(found[0])))
    return name, count, missed, widest


def main(arguments):
    """``interval_points.py [COUNT [JOBS]]``: a line for each function, in so many processes; 1 if a value is missed."""
    count, jobs = map(int, [*arguments, *("100000", "1")[len(arguments) :]])
    tasks = [(name, number, min(SHARE, count - number * SHARE)) for name in REFERENCE for number in range(-(-count // SHARE))]
    bad = 0
    with ProcessPoolExecutor(jobs) as pool:
        # in the order of the tasks, so a function's shares come one after the other
        for name, shares in groupby(pool.map(share, *zip(*tasks, strict=True)), key=lambda found: found[0]):
            _, counts, lists, widths = zip(*shares, strict=True)
            missed = [x for part in lists for x in part]
            bad += len(missed)
            print(
                f"{name:>10}: {sum(counts)} intervals, {len(missed)} values missed; "
                f"at a point at most 2^{log2(max(widths))} wide, relative to max(1, |value|)",
                flush=True,
            )
            for name_, x, found in missed[:3]:
                print(f"           {name_}({x}) in {found}")
    return 1 if bad else 0


def log2(x):
    """The exponent of the least power of two at or above x."""
    return (x.numerator - 1).bit_length() - (x.denominator.bit_length() - 1) if x else "-infinity"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
