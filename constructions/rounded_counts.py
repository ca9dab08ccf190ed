"""DeltaNet [0, 1] in floating point that counts modulo 3, 5, 7, 11 and 13 by its rounding errors: layers of width 3, found by random search.

In exact arithmetic the state would come to rest on 1, 1, 1, ..., because 0 < 1 - beta |k|^2 < 1. The partial sums of k . h are rounded, and the middle
entry of h is small beside the others: where it is added before the last term, its rounding errors keep the state moving in a cycle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from flint import fmpq

from ..numerics.exact import Array, rational, rationals
from ..numerics.floating_point import BFLOAT16, BINARY16, BINARY32, E4M3, E5M2, Format
from .rounded_delta import Evaluation, Rounding, evaluations, padded, step, unit_key

#: the 24 evaluations of a step of width 3 whose partial sums are rounded: k . h in six orders, fused or not, and h + u k fused or not
EVALUATIONS: tuple[Evaluation, ...] = tuple(how for how in evaluations(3) if how.sum != "once")

#: those of them in which the middle term of k . h is not the last one: there the layers count
COUNTING: tuple[Evaluation, ...] = tuple(how for how in EVALUATIONS if how.order[-1] != 1)

#: all others, with k . h rounded once at the end: there the layers settle
SETTLING: tuple[Evaluation, ...] = (
    *(how for how in EVALUATIONS if how.order[-1] == 1),
    *(Evaluation(kind, (0, 1, 2), update) for kind in ("once", "products") for update in (False, True)),
)

MODULI = (3, 5, 7, 11, 13)

#: k, beta, v and the state at the start; hexadecimal, so exactly the stored numbers
COUNTERS: dict[Format, dict[int, str]] = {
    BFLOAT16: {
        3: "-0x1.7cp-3 -0x1.d6p-1 0x1.66p-2 0x1.bep-1 -0x1.aep-4 0x1.04p+1 0x1.3ep-4 0x1.f6p-1",
        5: "-0x1.d2p-4 0x1.fap-1 -0x1.dcp-4 0x1.06p-1 0x1.e6p-5 -0x1.76p+1 -0x1.aep-5 0x1.e6p+0",
        7: "-0x1.72p-6 -0x1.eap-1 -0x1.26p-2 0x1.ccp-1 0x1.d4p-9 0x1.bap+0 -0x1.42p-8 -0x1.0ep-3",
        11: "0x1.b4p-2 -0x1.8ep-1 -0x1.dcp-2 0x1.c4p-1 -0x1.a6p-4 0x1.86p+0 -0x1.b0p-5 0x1.b4p+0",
        13: "-0x1.50p-2 -0x1.acp-1 0x1.c4p-2 0x1.f6p-1 -0x1.5ap-7 -0x1.b2p-1 -0x1.d6p-6 -0x1.6ap-1",
    },
    BINARY16: {
        3: "0x1.5dcp-2 -0x1.db0p-1 -0x1.32cp-3 0x1.7ccp-1 0x1.db0p-6 0x1.0b0p+0 0x1.484p-4 0x1.b04p+0",
        5: "-0x1.498p-1 0x1.524p-1 0x1.8c4p-2 0x1.e1cp-1 -0x1.46cp-6 -0x1.d10p-3 0x1.8e4p-6 -0x1.e20p-2",
        7: "-0x1.204p-2 0x1.db4p-1 0x1.f08p-3 0x1.e54p-1 -0x1.b8cp-7 -0x1.b04p-2 0x1.210p-6 -0x1.3a0p-1",
        11: "0x1.2c0p-1 0x1.328p-1 -0x1.178p-1 0x1.1b0p-1 0x1.32cp-4 0x1.0bcp+0 -0x1.130p-6 0x1.ef0p-1",
        13: "-0x1.630p-2 -0x1.d14p-1 0x1.dd8p-3 0x1.c10p-1 -0x1.938p-5 -0x1.5bcp+0 0x1.9b4p-6 -0x1.110p+1",
    },
    BINARY32: {
        3: "-0x1.ef2c76p-2 -0x1.a4d7e8p-1 -0x1.342092p-2 0x1.054dbep-1 -0x1.fde096p-9 -0x1.326772p+0 0x1.64d076p-4 0x1.b2cbe4p+0",
        5: "-0x1.a4414ap-1 -0x1.943c46p-2 0x1.a6be7ap-2 0x1.236060p-1 -0x1.2ea0c6p-5 0x1.bdefd0p-1 -0x1.ffd40ap-7 0x1.a09474p+0",
        7: "0x1.6b8b6ep-2 -0x1.aabaeap-1 -0x1.b19beep-2 0x1.023beep-1 -0x1.01c75ep-5 -0x1.9f275cp-1 -0x1.97f12ap-7 -0x1.297a4cp-1",
        11: "0x1.6dc5d4p-3 -0x1.9c1930p-1 -0x1.21c0e4p-1 0x1.9a29cap-1 0x1.9a87bap-4 -0x1.6a511ep+0 0x1.b1d80ap-6 -0x1.52a55ap-1",
        13: "-0x1.cc6f6ap-2 -0x1.a7ad18p-1 -0x1.5856dcp-2 0x1.f231f4p-1 -0x1.605508p-6 0x1.d3f99ap-1 0x1.5eb130p-6 -0x1.35fd8ep+0",
    },
}


@dataclass(frozen=True)
class Counter:
    """A DeltaNet layer of width n: key ``k`` (n,), ``beta`` and ``v`` at the letter 1, beta = 0 at the letter 0, and the state ``start`` (n,)."""

    k: Array
    beta: fmpq
    v: fmpq
    start: Array

    @property
    def eigenvalue(self) -> fmpq:
        """1 - beta |k|^2 of the numbers as they are stored; all other eigenvalues of the transition are 1."""
        return 1 - self.beta * (self.k @ self.k)

    def numbers(self) -> list[fmpq]:
        """Every number that is stored."""
        return [*self.k, self.beta, self.v, *self.start]


def counter(format: Format, modulus: int) -> Counter:
    """The layer of width 3 that counts modulo ``modulus`` in ``format``, in each of ``COUNTING``; modulo 2, :func:`rounded_delta.unit_key` with a zero beside it.

    Raises ``KeyError`` for what was not sought.
    """
    if modulus == 2:
        pair = padded(unit_key(format), 3)
        return Counter(pair.k, pair.beta, pair.v, pair.even)
    numbers = [fmpq(*float.fromhex(x).as_integer_ratio()) for x in COUNTERS[format][modulus].split()]
    return Counter(rationals(numbers[:3]), numbers[3], numbers[4], rationals(numbers[5:]))


def cycle(layer: Counter, how: Evaluation, rounded: Rounding, longest: int = 100) -> tuple[list[tuple[fmpq, ...]], int]:
    """(states, length): the states on 1, 1, 1, ... from the start until one comes back, and the length of the cycle; 0 if none does in ``longest`` steps."""
    states, seen, h = [], {}, layer.start
    for t in range(longest):
        if tuple(h) in seen:
            return states, t - seen[tuple(h)]
        seen[tuple(h)] = t
        states.append(tuple(h))
        h = step(layer, 1, h, how, rounded)
    return states, 0


#: layers of width 2, keys not of length 1, whose states come back after three letters: k, beta, v and the start
WIDTH_TWO: dict[Format, str] = {
    E5M2: "-1/8 -5/4 5/8 1/2 3/8 -7/16",
    E4M3: "-9/8 -7/64 3/4 1/4 -1/4 3/32",
    BFLOAT16: "-35/32 -163/2048 101/128 1 -255/256 9/8",
}

#: two letters of width 2 in bfloat16: (k, beta, v) of each, and a start; with the number of times a b after which it comes back
LETTERS: tuple[tuple[int, str, str, str], ...] = (
    (2, "-1/2 3/8 17/8 -119", "-1/4 -5/8 35/16 127", "66 -230"),
    (4, "-5/8 -1/8 39/16 44", "-1 5/8 5/8 45", "-64 -245/8"),
    (7, "-3/8 5/8 15/8 25", "-1/8 -1 5/8 -41", "101/64 41"),
    (2, "15/16 13/64 105/128 -174", "59/64 -29/64 53/64 -147", "-177 -145/4"),
)


def narrow_counter(format: Format) -> Counter:
    """The layer of width 2 that counts modulo 3 in ``format``, its key not of length 1; products of k . h rounded, and the write fused or not."""
    numbers = [rational(x) for x in WIDTH_TWO[format].split()]
    return Counter(rationals(numbers[:2]), numbers[2], numbers[3], rationals(numbers[4:]))


def letter_pair(case: tuple[int, str, str, str]) -> tuple[Counter, Counter]:
    """The letters a and b as layers with the same start."""
    start = rationals(case[3].split())
    a, b = ([rational(x) for x in text.split()] for text in case[1:3])
    return Counter(rationals(a[:2]), a[2], a[3], start), Counter(rationals(b[:2]), b[2], b[3], start)


def rounded_once(layer: Counter, h: Array, rounded: Rounding) -> Array:
    """h + beta (v - k . h) k, exact and then rounded once for each entry."""
    after: Array = h + layer.beta * (layer.v - layer.k @ h) * layer.k
    return rationals([rounded(x) for x in after])


def states_near(layer: Counter, format: Format, spacings: int = 2) -> Iterator[Array]:
    """The start with each entry moved by at most so many spacings of the format at that entry, shape (n,); an entry 0 stays."""
    moves = [[x + j * format.spacing(x) for j in range(-spacings, spacings + 1)] if x else [x] for x in layer.start]
    return (rationals(entries) for entries in product(*moves))
