"""A step of the delta rule s = k.h, u = beta (v - s), h + u k of width 3 in the 24 evaluations that round partial sums, and in four that do not."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from .exact import require
from .floating import FORMATS, nearest

RULES = ("even", "up", "down", "away", "zero")


class Way(NamedTuple):
    """How k.h is summed ("separate", "fused", "once", "products": these rounded, and their sum once), in which order, and whether h + u k is fused."""

    sum: str
    order: tuple[int, ...]
    fused: bool


def ways() -> Iterator[Way]:
    """The 24 of width 3, and the four of one rounding at the end."""
    for fused in (False, True):
        yield from (Way(kind, order, fused) for kind in ("separate", "fused") for order in itertools.permutations(range(3)))
        yield from (Way(kind, (0, 1, 2), fused) for kind in ("once", "products"))


class Machine:
    """A layer in a format; ``tied`` is set where a number halfway between two was rounded."""

    def __init__(self, name: str, k: Sequence[Fraction], beta: Fraction, v: Fraction) -> None:
        self.name, self.k, self.beta, self.v, self.tied = name, k, beta, v, False

    def fl(self, x: Any, rule: str) -> Fraction:
        found = nearest(x, *FORMATS[self.name], rule)
        # a tie is as far from a neighbour on the other side
        if found != x and nearest(2 * x - found, *FORMATS[self.name], rule) == 2 * x - found:
            self.tied = True
        return found

    def step(self, h: Sequence[Fraction], way: Way, rule: str) -> tuple[Fraction, ...]:
        """The state after the letter 1."""

        def fl(x: Any) -> Fraction:
            return self.fl(x, rule)

        terms = [x * y for x, y in zip(self.k, h, strict=True)]
        if way.sum in ("once", "products"):
            s = fl(sum(terms if way.sum == "once" else map(fl, terms)))
        else:
            s = Fraction(0)
            for i in way.order:
                s = fl(s + (terms[i] if way.sum == "fused" else fl(terms[i])))
        u = fl(self.beta * fl(self.v - s))
        return tuple(fl(x + (u * y if way.fused else fl(u * y))) for x, y in zip(h, self.k, strict=True))

    def orbit(self, start: Sequence[Fraction], way: Way, rule: str, longest: int) -> tuple[list[tuple[Fraction, ...]], int]:
        """The states until one comes back, and the length of the cycle."""
        states, h = [], tuple(start)
        while h not in states:
            require(len(states) <= longest, f"a state comes back within {longest} steps")
            states.append(h)
            h = self.step(h, way, rule)
        return states, len(states) - states.index(h)

    def orbits(self, start: Sequence[Fraction], way: Way, longest: int) -> list[tuple[list[tuple[Fraction, ...]], int]]:
        """The same by every rule for ties; by one alone where nothing is a tie."""
        self.tied = False
        first = self.orbit(start, way, "even", longest)
        return [first] + [self.orbit(start, way, rule, longest) for rule in RULES[1:] if self.tied]
