"""All DeltaNet [0, 1] layers of a format of few bits: the longest cycles of their states on 1, 1, 1, ..., by tables.

A number is its place in the list of all numbers of the format. A state of width n is a place in the list of all states, so a layer is a map of a finite set.
Results beyond the largest number are rounded to it. Signs and the order of the coordinates do not matter: k_1 >= ... >= k_n >= 0 and v >= 0 are all cases.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

import numpy as np
from flint import fmpq

from ..numerics.floating_point import Format

#: (bits of exponent, of fraction, width): layers up to signs and order, those with period 2 where h + u k is rounded twice, and where it is fused
SMALL = {(1, 3, 2): (1904, 104, 69), (2, 2, 2): (1824, 101, 116), (3, 1, 2): (4096, 153, 187), (2, 1, 3): (136, 9, 8)}


def small_format(exponent_bits: int, fraction_bits: int) -> Format:
    """Numbers with a sign, so many bits of exponent, the least for subnormal numbers, and of fraction; nothing is reserved for infinities."""
    bias = 2 ** (exponent_bits - 1) - 1
    lowest = 1 - bias - fraction_bits
    largest = (2 ** (fraction_bits + 1) - 1) * fmpq(2) ** (2**exponent_bits - 1 - bias - fraction_bits)
    return Format(f"e{exponent_bits}m{fraction_bits}", fraction_bits + 1, lowest, largest)


class Tables:
    """The numbers of a small format in units of its least one (N,), and rounding as places in that list."""

    def __init__(self, format: Format) -> None:
        least = fmpq(2) ** format.lowest
        positive = [x for x in range(1, int(format.largest / least) + 1) if format.round(x * least) == x * least]
        self.numbers = np.array([-x for x in reversed(positive)] + [0, *positive])
        self.one = int(1 / least)
        middles = [(int(a + b), fmpq(int(a + b), 2) * least) for a, b in zip(self.numbers, self.numbers[1:], strict=False)]
        # in quarters of the square of the least number; a tie is rounded up over the border just below it, or not over the border just above it
        self.borders = np.array([2 * a * self.one - 1 + 2 * int(format.round(x) < x) for a, x in middles])
        self.format = format

    def rounded(self, x: np.ndarray) -> np.ndarray:
        """The places of the numbers nearest to ``x``, integers in units of the square of the least number."""
        return np.searchsorted(self.borders, 4 * x, side="left")

    def writes(self, fused: bool) -> np.ndarray:
        """h + u k for every k, u, h, shape (N, N, N)."""
        a = self.numbers
        products = np.multiply.outer(a, a)
        if not fused:
            products = a[self.rounded(products)] * self.one
        return self.rounded(products[:, :, None] + a * self.one)

    def reads(self, key: tuple[int, ...], sum: str) -> np.ndarray:
        """k . h for every state (N^n,), by its place: rounded "once", also with its "products" rounded before."""
        total = np.zeros(1, dtype=np.int64)
        for k in key:
            terms = k * self.numbers
            if sum == "products":
                terms = self.numbers[self.rounded(terms)] * self.one
            total = (total[:, None] + terms).ravel()
        return self.rounded(total)


def layers(tables: Tables, n: int, sum: str, fused: bool) -> Iterator[tuple[tuple[int, ...], np.ndarray]]:
    """(key, maps): for each key the maps of all layers, shape (layers, N^n), as places of states; keys in units of the least number."""
    a, N = tables.numbers, len(tables.numbers)
    positive, place = a[a > 0], {int(x): i for i, x in enumerate(a)}
    differences = tables.rounded((a[:, None] - a) * tables.one)
    strengths = tables.rounded(np.multiply.outer(positive, a))
    writes = tables.writes(fused)
    for key in combinations_with_replacement([int(x) for x in a[a >= 0]][::-1], n):
        square = int(np.dot(key, key))
        allowed = [i for i, b in enumerate(positive) if square and int(b) * square <= tables.one**3]
        if not allowed:
            continue
        update = strengths[allowed][:, differences[a >= 0]].reshape(-1, N)[:, tables.reads(key, sum)]
        after = np.zeros_like(update)
        coordinates = np.indices((N,) * n).reshape(n, -1)
        for k, h in zip(key, coordinates, strict=True):
            after = after * N + writes[place[k]].ravel().take(update * N + h)
        yield key, after


def census(format: Format, n: int, sum: str, fused: bool) -> tuple[int, int, int]:
    """(layers, with a cycle of more than one state, with one of more than two): all layers of width ``n`` with 0 <= 1 - beta |k|^2 < 1, up to signs and order."""
    found = np.zeros(3, dtype=np.int64)
    for _, maps in layers(Tables(format), n, sum, fused):
        count, states = maps.shape
        flat = (maps + np.arange(count)[:, None] * states).ravel()
        late = flat
        # after 2^k >= states steps only states in cycles are left
        for _ in range(states.bit_length()):
            late = late.take(late)
            if (late == flat.take(flat.take(late))).all():
                break
        once = flat.take(late)
        twice = flat.take(once)
        found += [count, *(int((x != late).reshape(count, states).any(axis=1).sum()) for x in (once, twice))]
    return int(found[0]), int(found[1]), int(found[2])
