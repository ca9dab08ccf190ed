"""Attacks on the horizon of stochastic rounding: exact second moments of random isometries, and exact exit times and tails of error walks."""

from __future__ import annotations

from random import Random

from flint import fmpq

from ...constructions.automata.rounding.stochastic import error_moments
from ...numerics import exact
from ...numerics.exact import Array
from .attack import Outcome, attack


def isometry(rng: Random) -> Array:
    """A rotation of the plane by a rational angle of a Pythagorean triple, or a reflection."""
    p, q = rng.randint(0, 3), rng.randint(1, 4)
    c, s = fmpq(q * q - p * p, q * q + p * p), fmpq(2 * p * q, q * q + p * p)
    sign = rng.choice((1, -1))
    return exact.rationals([[c, -s * sign], [s, c * sign]])


@attack(
    "new.automata.horizon", "the identity of second moments, for random isometries in skewed bases, all outcomes along words of length 3"
)
def second_moments_of_errors(size: int) -> Outcome:
    """``size`` / 20 pairs of maps, each conjugated by a random unitriangular matrix."""
    rng, cases, broken = Random(36), 0, []
    for _ in range(max(size // 20, 1)):
        shear = exact.rationals([[1, fmpq(rng.randint(-2, 2), 2)], [0, 1]])
        back = exact.inverse(shear)
        maps = [shear @ isometry(rng) @ back for _ in range(2)]
        form = back.T @ back
        start = exact.rationals([[rng.randint(-3, 3)], [rng.randint(-3, 3)]])
        word = [rng.randint(0, 1) for _ in range(3)]
        found, local = error_moments(maps, word, start, fmpq(1), form)
        cases += 1
        if found != local:
            broken.append(f"{[exact.freeze(A) for A in maps]}, word {word}: {found} is not {local}")
    return Outcome(cases, broken)


def walk(p: int, q: int, m: int) -> tuple[list[int], dict[int, list[tuple[fmpq, int]]]]:
    """The errors e q, |e| <= m, of h -> +-h + p/q rounded to integers, and their steps: -p with probability 1 - p/q, q - p with probability p/q."""
    inside = list(range(-m * q, m * q + 1))
    return inside, {e: [(fmpq(q - p, q), e - p), (fmpq(p, q), e + q - p)] for e in inside}


@attack(
    "new.automata.horizon", "exact mean exit times and tails of the scalar walks with every fraction p/q, q <= 5, against the three bounds"
)
def exits_and_tails(size: int) -> Outcome:
    """Margins 1 to 3, or to 2 for a small size."""
    cases, broken = 0, []
    for q in range(2, 6):
        for p in range(1, q):
            c, b = fmpq(p * (q - p), q * q), max(fmpq(p, q), 1 - fmpq(p, q))
            for m in range(1, 4 if size > 100 else 2):
                cases += 1
                inside, steps = walk(p, q, m)
                place = {e: i for i, e in enumerate(inside)}
                system = exact.identity(len(inside))
                for e in inside:
                    for share, after in steps[e]:
                        if after in place:
                            system[place[e], place[after]] -= share
                mean = (exact.inverse(system) @ exact.rationals([[1]] * len(inside)))[place[0], 0]
                if mean > (m + b) ** 2 / c:
                    broken.append(f"p/q = {p}/{q}, m = {m}: mean exit {mean}")
                length = int((2 * m * m / c).ceil())
                beyond, exceeded = tails(p, q, m, length)
                if beyond < (c / (4 * b * b)) ** 2:
                    broken.append(f"p/q = {p}/{q}, m = {m}: only {beyond} beyond the margin after {length}")
                if any(share > t * b * b / (m * m) for t, share in enumerate(exceeded)):
                    broken.append(f"p/q = {p}/{q}, m = {m}: the margin is passed too early")
    return Outcome(cases, broken)


def tails(p: int, q: int, m: int, length: int) -> tuple[fmpq, list[fmpq]]:
    """P(|e_T| > m) at T = ``length``, and P(the largest |e_t|, t <= T, exceeds m) for T = 0, 1, ..."""
    free, kept = {0: fmpq(1)}, {0: fmpq(1)}
    exceeded = [fmpq(0)]
    for _ in range(length):
        free = _moved(free, p, q)
        kept = {e: x for e, x in _moved(kept, p, q).items() if abs(e) <= m * q}
        exceeded.append(1 - sum(kept.values(), fmpq(0)))
    return sum((x for e, x in free.items() if abs(e) > m * q), fmpq(0)), exceeded


def _moved(distribution: dict[int, fmpq], p: int, q: int) -> dict[int, fmpq]:
    after: dict[int, fmpq] = {}
    for e, x in distribution.items():
        for share, f in ((fmpq(q - p, q), e - p), (fmpq(p, q), e + q - p)):
            after[f] = after.get(f, fmpq(0)) + x * share
    return after
