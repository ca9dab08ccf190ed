"""Which words, laws and paths the certificates of topic signature are about: finite domains, families drawn again from their seeds, fixed witnesses."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

from ... import matrix_families as families
from ...exact import scaled, times, transpose
from ...registry import instances
from ...typed import Data
from ..householder.instances import fixed


def word_pairs(total: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Pairs of words of ``total`` letters together, the first not longer, every new letter the next number, in the order of the joint word."""
    for joint in itertools.product(range(1, total + 1), repeat=total):
        if all(x <= max((0, *joint[:i])) + 1 for i, x in enumerate(joint)):
            for n in range(total // 2 + 1):
                yield joint[:n], joint[n:]


def moments(claim: Any, most: Any, twice: Any, first: Any = 0) -> None:
    """The certificates are about all pairs of at most ``most`` letters; E X^2 stands beside E X for at most ``twice`` letters."""

    @instances(claim, "overlap-moment")
    def all_pairs() -> Iterable[Data]:
        """All pairs of short words."""
        for total in range(first, most + 1):
            for I, J in word_pairs(total):
                for copies in (1, 2) if total <= twice else (1,):
                    yield {"I": list(I), "J": list(J), "copies": copies}


moments("movahedi25.propG.2.pairings", 3, 2)
moments("movahedi25.eq15", 2, 2)
moments("movahedi25.fig8", 3, -1)


@instances("movahedi25.propG.2.count.amended", "overlap-moment")
def one_or_two_letters() -> Iterable[Data]:
    """All pairs of one or two letters together, two copies."""
    for total in (1, 2):
        for I, J in word_pairs(total):
            yield {"I": list(I), "J": list(J), "copies": 2}


fixed("movahedi25.propG.2.count", "witness", {"I": [], "J": [1]})
fixed(
    "new.signature.distinct", "overlap-moment", *({"I": list(range(1, n + 1)), "J": list(range(1, n + 1)), "copies": 2} for n in range(3))
)
fixed("movahedi25.rmkG.4", "overlap-moment", {"I": [1], "J": [1, 1, 1]}, {"I": [1, 2], "J": [1, 1, 1, 2]})
fixed(
    "new.signature.fixed-rank",
    "overlap-moment",
    *({"I": list(I), "J": list(J), "copies": 1} for I, J in (((1,), (1, 1, 1)), ((1, 1), (1, 1)), ((1, 2), (1, 2)))),
)

# -- laws of the entries ---------------------------------------------------------------------------------------------------

fixed("movahedi25.rmkG.3.bound", "witness", *({"size": s, "kappa": k, "constant": 10**6} for s in (1, 10, 1000) for k in (1, 2, 4, 20)))
SIGNS, SKEW = [[1, "1/2"], [-1, "1/2"]], [[2, "1/5"], ["-1/2", "4/5"]]
fixed(
    "movahedi25.rmkG.3.amended",
    "witness",
    *({"N": n, "r": r, "law": SIGNS} for n, r in ((1, 1), (1, 2), (2, 1), (2, 2))),
    *({"N": n, "r": r, "law": SKEW} for n, r in ((1, 1), (1, 2), (2, 1))),
)
fixed("new.signature.below-gaussian", "witness", *({"N": n, "r": r} for n, r in ((1, 2), (2, 1), (2, 2))))

# -- sizes -----------------------------------------------------------------------------------------------------------------

fixed("movahedi25.propG.2.series", "witness", *({"kappa": 4, "x": Fraction(1, 10**k), "growing_from": 10**k // 16 + 1} for k in (0, 1, 3)))


def sizes(claim: Any, *cases: Any) -> None:
    """The certificates are about these (letters of the word, d, length of the paths, tolerance), with failures as likely as the tolerance is large."""
    fixed(claim, "witness", *({"length": n, "d": d, "L": L, "tolerance": small, "failure": small} for n, d, L, small in cases))


sizes("movahedi25.propG.2", *((n, d, L, "1/100") for n, d, L in ((1, 1, 1), (2, 2, 1), (2, 1, 3))))
sizes("movahedi25.thmD.1", *((1, 1, 1, Fraction(1, 10**k)) for k in (1, 2, 4)))
sizes("new.signature.any-rate", *((1, 2, 1, Fraction(1, 10**k)) for k in (1, 3)))
fixed("movahedi25.appD.parameters", "witness", {"r": 4, "constants": [1, 10, 1000], "channels": [1, 10, 1000]})


@instances("new.signature.bounded-rank", "witness")
def low_rank_equations() -> Iterable[Data]:
    """Seed 31: for (d, r) = (1, 1), (1, 2), (2, 1), (2, 2) integer matrices W M^T and Y of size 2 + r d, then of size 20, which are not written down."""
    rng = Random(31)
    for d, r in ((1, 1), (1, 2), (2, 1), (2, 2)):
        for n in (2 + r * d, 20):
            A = [times(families.integers(rng, n, r), transpose(families.integers(rng, n, r))) for _ in range(d)]
            Y = families.integers(rng, n, 1)
            if n < 20:
                yield {"r": r, "A": A, "Y": Y}


# -- paths -----------------------------------------------------------------------------------------------------------------


@instances("movahedi25.eq13", "witness")
def nilpotent_equations() -> Iterable[Data]:
    """Seed 17: twenty equations of size 2 + k mod 4 and 1 + k mod 3 letters; integer matrices above the diagonal, Y, three increments in halves; those of size 2 and 3."""
    rng = Random(17)
    for k in range(20):
        n, d = 2 + k % 4, 1 + k % 3
        drawn = [families.integers(rng, n, n) for _ in range(d)]
        Y = [x for (x,) in families.integers(rng, n, 1)]
        increments = scaled(Fraction(1, 2), families.integers(rng, 3, d))
        if n <= 3:
            strict = [[[x if j > i else 0 for j, x in enumerate(row)] for i, row in enumerate(a)] for a in drawn]
            yield {"matrices": strict, "Y": Y, "increments": increments}


fixed("movahedi25.thmD.1.every-path", "witness", {"increments": [1, -1], "values": [1, 0]})


@instances("movahedi25.thmD.1.amended", "witness")
def plane_paths() -> Iterable[Data]:
    """Seed 23: eight paths of three increments in halves in the plane."""
    rng = Random(23)
    return [{"increments": scaled(Fraction(1, 2), families.integers(rng, 3, 2))} for _ in range(8)]


@instances("movahedi25.thmD.1.diagonal", "witness")
def paths() -> Iterable[Data]:
    """Seed 29: eight paths of three increments in thirds, of 1 + k mod 3 coordinates."""
    rng = Random(29)
    return [{"increments": scaled(Fraction(1, 3), families.integers(rng, 3, 1 + k % 3))} for k in range(8)]
