"""What several files of rows share: permutations as tuples of images, multiplied, powered, listed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

Images = tuple[int, ...]


def after(g: Sequence[int], h: Sequence[int]) -> Images:
    """h first, then g."""
    return tuple(g[x] for x in h)


def inversions(g: Sequence[int]) -> int:
    return sum(a > b for a, b in combinations(g, 2))


def generated(letters: Sequence[Images]) -> set[Images]:
    """All products of permutations."""
    found = {tuple(range(len(letters[0])))}
    waiting = list(found)
    for g in waiting:
        for x in letters:
            if (new := after(x, g)) not in found:
                found.add(new)
                waiting.append(new)
    return found


def power(g: Sequence[int], k: int) -> Images:
    found = tuple(range(len(g)))
    for _ in range(k):
        found = after(g, found)
    return found


def cycles(g: Sequence[int]) -> list[Images]:
    found: list[Images] = []
    for i in range(len(g)):
        orbit = [i]
        while g[orbit[-1]] != i:
            orbit.append(g[orbit[-1]])
        if min(orbit) == i:
            found.append(tuple(orbit))
    return found
