"""Periods are powers of 2: all groups in the transition monoid are 2-groups."""

from __future__ import annotations

from math import lcm
from random import Random

from .aperiodic import counting
from .images import Permuting
from .language import Language
from .property import Property
from .witness import Witness

Permutation = tuple[int, ...]


def decide(language: Language) -> Witness | None:
    """The order of every group of an image is a power of 2; else, by Cauchy, some word has an odd period."""
    for found in language.permuting:
        order = int(found.group.order())
        if order & (order - 1):
            permutation, word = odd(found)
            place = next(i for i, j in enumerate(permutation) if i != j)
            return counting(language.machine, "periods-powers-of-2", found.points[place], word)
    language.permuting.exhausted()
    return None


def odd(found: Permuting) -> tuple[Permutation, tuple[int, ...]]:
    """A permutation of odd order above 1, and a word for it: generators first, then their products at random, from a fixed seed."""
    known = list(found.generators.items())
    choose = Random(0)
    at = 0
    while True:
        permutation, word = known[at]
        order = lcm(*cycles(permutation))
        two = order & -order
        if order != two:
            return power(permutation, two), word * two
        at += 1
        if at == len(known):
            (f, u), (g, v) = choose.choice(known), choose.choice(list(found.generators.items()))
            known.append((tuple(g[i] for i in f), u + v))


def power(f: Permutation, exponent: int) -> Permutation:
    result = tuple(range(len(f)))
    for _ in range(exponent):
        result = tuple(f[i] for i in result)
    return result


def cycles(f: Permutation) -> list[int]:
    """The lengths of the cycles."""
    lengths, seen = [], set()
    for i in range(len(f)):
        length = 0
        while i not in seen:
            seen.add(i)
            i, length = f[i], length + 1
        if length:
            lengths.append(length)
    return lengths


PROPERTY = Property(
    "periods-powers-of-2",
    "periods powers of 2",
    "every word permutes states with a power of 2 as period: all groups in the transition monoid are 2-groups",
    "Cauchy's theorem; grazzi25.thm2 has one layer",
    "k n for each image of a word, and the orders of the groups",
    decide,
)
