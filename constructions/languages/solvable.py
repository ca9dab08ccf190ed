"""Solvable: all groups in the transition monoid are solvable."""

from __future__ import annotations

from itertools import combinations, count
from math import factorial, gcd, lcm
from random import Random

from sympy import factorint

from .images import Permuting
from .language import Language
from .pairs import spell
from .periods_powers_of_two import Permutation, cycles
from .property import Property
from .witness import Witness

SAYS = "{x}, {y} and {x}{y} permute the {n} states after {s} with the orders {i}, {j} and {k}, coprime in pairs: these permutations generate a perfect group"


def decide(language: Language) -> Witness | None:
    """The group of every image is solvable; else, by Thompson, two words and their product have coprime orders.

    If x, y and x y have orders that are coprime in pairs, the images of x and y in every abelian quotient are trivial: the group is perfect.
    """
    for found in language.permuting:
        if not is_solvable(found):
            (x, u), (y, v) = coprime(found)
            orders = {"i": order(x), "j": order(y), "k": order(times(x, y))}
            words = {"x": u, "y": v, "s": found.image}
            return Witness("solvable", SAYS, spell(language.machine, words), {"n": len(found.points), **orders})
    language.permuting.exhausted()
    return None


def is_solvable(found: Permuting) -> bool:
    """Whether the group is solvable: by its order alone where Feit and Thompson, or Burnside, decide, or where it is alternating or symmetric."""
    size, points = int(found.group.order()), len(found.points)
    if size % 4 or size < 60 or len(factorint(size)) <= 2:
        return True
    if points >= 5 and 2 * size >= factorial(points):
        return False
    return bool(found.group.is_solvable)


def coprime(found: Permuting) -> tuple[tuple[Permutation, tuple[int, ...]], tuple[Permutation, tuple[int, ...]]]:
    """Two permutations with words whose orders, and that of their product, are coprime in pairs and above 1: short words first.

    Every group that is not solvable has such elements (Thompson 1968).
    """
    choose = Random(0)
    for most in count(8):
        elements = shortest(found, 2**most)
        for _ in range(32 * len(elements)):
            one, two = choose.choice(elements), choose.choice(elements)
            orders = order(one[0]), order(two[0]), order(times(one[0], two[0]))
            if min(orders) > 1 and all(gcd(a, b) == 1 for a, b in combinations(orders, 2)):
                return one, two
    raise AssertionError("unreachable: the search has no end")


def shortest(found: Permuting, most: int) -> list[tuple[Permutation, tuple[int, ...]]]:
    """The first elements of the group, at most ``most``, by the number of generators in them."""
    known = dict(found.generators)
    queue = list(known.items())
    for f, u in queue:
        for g, v in found.generators.items():
            if len(queue) < most and times(f, g) not in known:
                known[times(f, g)] = u + v
                queue.append((times(f, g), u + v))
    return queue


def times(f: Permutation, g: Permutation) -> Permutation:
    """f, then g."""
    return tuple(g[i] for i in f)


def order(f: Permutation) -> int:
    return lcm(*cycles(f))


PROPERTY = Property(
    "solvable",
    "solvable groups only",
    "all groups in the transition monoid are solvable",
    "Barrington and Thérien 1988; Thompson 1968 for the witness",
    "k n for each image of a word, and the groups' orders and derived series",
    decide,
)
