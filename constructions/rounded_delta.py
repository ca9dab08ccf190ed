"""DeltaNet [0, 1] in floating point: one step in every way of evaluating it, and layers whose rounding errors count modulo 2.

The step is s = k . h, u = beta (v - s), h' = h + u k, as flash-linear-attention's recurrent kernel writes it. What a machine leaves open is
the order of the sum, where a multiplication and an addition are fused, and whether the sum is rounded only once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Protocol

from flint import fmpq

from ..numerics.aliases import Exact
from ..numerics.exact import Array, rationals
from ..numerics.floating_point import BFLOAT16, BINARY16, BINARY32, BINARY64, E4M3, E5M2, Format

Rounding = Callable[[fmpq], fmpq]

SUMS = ("separate", "fused", "once")


@dataclass(frozen=True)
class Evaluation:
    """How a step is evaluated. ``sum``: each product and sum of k . h rounded ("separate"), fused multiply-adds, or rounded "once" at the end, also with
    its "products" rounded before; ``order`` of the sum; ``update``: h + u k by a fused multiply-add; ``residual``: v - k . h by one, exact until it is rounded.
    """

    sum: str
    order: tuple[int, ...]
    update: bool
    residual: bool = False

    def __str__(self) -> str:
        order = "" if self.sum in ("once", "products") else f", order {''.join(str(i + 1) for i in self.order)}"
        return f"sum {self.sum}{order}; h + u k {'fused' if self.update else 'separate'}{'; v - k.h fused' if self.residual else ''}"


def evaluations(n: int) -> Iterator[Evaluation]:
    """Every way to evaluate a step of width ``n`` in which k . h is rounded before it is used (sums from left to right in any order)."""
    for update in (False, True):
        for kind in ("separate", "fused"):
            for order in permutations(range(n)):
                yield Evaluation(kind, order, update)
        yield Evaluation("once", tuple(range(n)), update)


class Weights(Protocol):
    """Key (n,), strength and value that a DeltaNet layer has at the letter 1."""

    @property
    def k(self) -> Array: ...
    @property
    def beta(self) -> fmpq: ...
    @property
    def v(self) -> fmpq: ...


@dataclass(frozen=True)
class RoundedLayer:
    """A DeltaNet layer of width n: key ``k`` (n,), ``beta`` and ``v`` at the letter 1, beta = 0 at the letter 0; states (n,) of the two parities."""

    k: Array
    beta: fmpq
    v: fmpq
    even: Array
    odd: Array

    @property
    def eigenvalue(self) -> fmpq:
        """1 - beta |k|^2 of the numbers as they are stored; all other eigenvalues of the transition are 1."""
        return 1 - self.beta * (self.k @ self.k)

    def numbers(self) -> list[fmpq]:
        """Every number that is stored."""
        return [*self.k, self.beta, self.v, *self.even, *self.odd]


def dot(k: Array, h: Array, how: Evaluation, rounded: Rounding) -> fmpq:
    """k . h, as ``how`` says."""
    if how.sum == "once":
        product: Exact = k @ h
        return rounded(product)
    if how.sum == "products":
        return rounded(sum((rounded(x * y) for x, y in zip(k, h, strict=True)), fmpq(0)))
    total = fmpq(0)
    for i in how.order:
        total = rounded(total + (k[i] * h[i] if how.sum == "fused" else rounded(k[i] * h[i])))
    return total


def step(layer: Weights, letter: int, h: Array, how: Evaluation, rounded: Rounding) -> Array:
    """The state after one letter, every operation rounded by ``rounded``."""
    beta, v = (layer.beta, layer.v) if letter else (fmpq(0), fmpq(0))
    difference = rounded(v - layer.k @ h) if how.residual else rounded(v - dot(layer.k, h, how, rounded))
    u = rounded(beta * difference)
    return rationals([rounded(x + (u * y if how.update else rounded(u * y))) for x, y in zip(h, layer.k, strict=True)])


def keeps_parity(layer: RoundedLayer, how: Evaluation, rounded: Rounding) -> bool:
    """Does the letter 1 exchange the two states, and the letter 0 keep them?"""
    pairs = ((layer.even, layer.odd), (layer.odd, layer.even))
    return all((step(layer, 1, h, how, rounded) == g).all() and (step(layer, 0, h, how, rounded) == h).all() for h, g in pairs)


def smallest_numbers(lowest: int) -> RoundedLayer:
    """One key for all formats with gradual underflow: the states are the least positive number 2^lowest and its negative."""
    eta = fmpq(2) ** lowest
    return RoundedLayer(rationals(["7/4"]), fmpq(5, 16), fmpq(0), rationals([eta]), rationals([-eta]))


def below_two(precision: int) -> RoundedLayer:
    """The same weights k = 9/8, beta = 3/4 for every precision p >= 8: two neighbours but one below 2, in the spacing 2^(1-p)."""
    if precision < 8:
        raise ValueError(f"expected a precision of at least 8 bits, got {precision}")
    N = 2 ** (precision - 1)
    states = [rationals([fmpq(2 * N - j, N)]) for j in (17, 15)]
    return RoundedLayer(rationals(["9/8"]), fmpq(3, 4), fmpq(9 * N - 72, 4 * N), *states)


#: (k_1, k_2, beta, v), even and odd state: keys of length 1 up to rounding, found by seeded search; hexadecimal, so exactly the stored numbers
UNIT_KEYS: dict[Format, tuple[str, str, str]] = {
    BINARY64: (
        "0x1.581d75b347dd6p-1 0x1.7b1da720c3bfap-1 0x1.f70e996a6cd76p-1 -0x1.042112d42ea65p-2",
        "-0x1.a3a4cf8582ab5p-2 0x1.d9819d7596ee4p-6",
        "-0x1.a3a4cf8582ab4p-2 0x1.d9819d7596ef0p-6",
    ),
    BINARY32: (
        "0x1.5aaeaap-1 0x1.78c50ap-1 0x1.ddbdb2p-1 -0x1.fd2868p-1",
        "-0x1.9a3a2ap-1 -0x1.3a6fdap-1",
        "-0x1.9a3a2cp-1 -0x1.3a6fdcp-1",
    ),
    BINARY16: ("-0x1.3p-1 0x1.9cp-1 0x1.f24p-1 -0x1.bdcp+0", "0x1.6b4p-1 -0x1.a3cp+0", "0x1.6b8p-1 -0x1.a4p+0"),
    BFLOAT16: ("0x1.64p-1 0x1.7p-1 0x1.68p-1 0x1.2ep+1", "0x1.44p+0 0x1.06p+1", "0x1.46p+0 0x1.08p+1"),
    E4M3: ("0x1.6p-1 0x1.8p-1 0x1.ap-1 -0x1.ep+0", "-0x1.2p+0 -0x1.6p+0", "-0x1.4p+0 -0x1.8p+0"),
    E5M2: ("-0x1.8p-1 -0x1.8p-1 0x1.cp-1 0x1.4p+0", "0x1.8p-4 -0x1p+1", "0x1p-2 -0x1.cp+0"),
}


def unit_key(format: Format) -> RoundedLayer:
    """A layer of width 2 with |k| = 1 up to rounding that keeps the parity in ``format`` in every one of the :func:`evaluations`."""
    (*k, beta, v), even, odd = ([fmpq(*float.fromhex(x).as_integer_ratio()) for x in part.split()] for part in UNIT_KEYS[format])
    return RoundedLayer(rationals(k), beta, v, rationals(even), rationals(odd))


def padded(layer: RoundedLayer, n: int) -> RoundedLayer:
    """The same layer in width ``n``: zeros beside the key and the states."""
    more = [fmpq(0)] * (n - len(layer.k))
    k, even, odd = (rationals([*x, *more]) for x in (layer.k, layer.even, layer.odd))
    return RoundedLayer(k, layer.beta, layer.v, even, odd)
