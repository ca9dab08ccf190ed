"""Two layers by loops (new.automata.depth.two-layers) for automata of at most four states, with sets of maps as truth values.

The lower machine multiplies letters in a cyclic group and keeps the order in which pairs (point, letter) were last used. All its places begin alike but for a turn,
so that one search from point 0 has the words of all places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from math import gcd

import numpy as np

from ...constructions.languages.machine import Array
from .small_semigroups import maps_of, packed, starts

#: cyclic groups of at most so many elements are tried, by the number of letters: orders of eight pairs, and of six
MOST_TURNS = {1: 4, 2: 4, 3: 2}


class Orders:
    """All orders of some of the pairs point * letters + letter, numbered: the empty one, and then longer ones.

    ``used[o, pair]`` is the order after one more use, ``rest[o]`` the order without its oldest pair, ``turned[s, o]`` what o is when point s is called 0.
    """

    def __init__(self, points: int, letters: int):
        pairs = range(points * letters)
        number: dict[tuple[int, ...], int] = {(): 0}
        waiting: list[tuple[int, ...]] = [()]
        for order in waiting:
            for pair in pairs:
                if pair not in order:
                    number[*order, pair] = len(waiting)
                    waiting.append((*order, pair))
        self.last = np.array([order[-1] if order else -1 for order in waiting])
        self.length = np.array([len(order) for order in waiting])
        self.rest = np.array([number[order[1:]] for order in waiting])
        self.used = np.array([[number[*(p for p in order if p != pair), pair] for pair in pairs] for order in waiting])
        turns = [[(pair - s * letters) % (points * letters) for pair in pairs] for s in range(points)]
        self.turned = np.array([[number[*(turn[pair] for pair in order)] for order in waiting] for turn in turns])


@cache
def orders_of(points: int, letters: int) -> Orders:
    """The orders of one shape, computed once."""
    return Orders(points, letters)


@cache
def idempotents_and_pairs(n: int) -> tuple[Array, Array]:
    """For each set of points as bits: which maps are idempotent on it, and for which pairs e, f not e f e = f e on it."""
    known = maps_of(n)
    square = known.after[np.arange(len(known)), np.arange(len(known))]
    efe = known.after[known.after, np.arange(len(known))[:, None]]
    idempotent, broken = [], []
    for bits in range(2**n):
        on = [q for q in range(n) if bits >> q & 1]
        idempotent.append((known.images[square][:, on] == known.images[:, on]).all(axis=1))
        broken.append((known.images[efe][..., on] != known.images[known.after.T][..., on]).any(axis=2))
    return np.array(idempotent), np.array(broken)


def words_by_order(n: int, letters: Sequence[int], turns: Sequence[int], points: int) -> tuple[Array, Array]:
    """For each order, the maps of the nonempty words from point 0 that use pairs in it, as truth values; and the point where they end."""
    after, orders, k = maps_of(n).after, orders_of(points, len(letters)), len(letters)
    ends = np.where(orders.last < 0, 0, (orders.last // k + np.asarray(turns)[orders.last % k]) % points)
    found = np.zeros((len(orders.last), len(after)), dtype=bool)
    order, word = np.array([0]), maps_of(n).number(np.arange(n)[None])
    while order.size:
        reached = [orders.used[order, ends[order] * k + x] * len(after) + after[word, f] for x, f in enumerate(letters)]
        pairs = np.unique(np.concatenate(reached))
        pairs = pairs[~found.ravel()[pairs]]
        found.ravel()[pairs] = True
        order, word = np.divmod(pairs, len(after))
    return found, ends


def start_with_two_layers(n: int, letters: Sequence[int], turns: Sequence[int], points: int, tried: Sequence[int]) -> int | None:
    """The first of some states for which loops over these turns satisfy e f e = f e at every place, if the automaton starts there; None if there is none."""
    images, orders = maps_of(n).images, orders_of(points, len(letters))
    idempotent, broken = idempotents_and_pairs(n)
    words, ends = words_by_order(n, letters, turns, points)
    # the loops at a place whose order o ends with those of its last pairs, for each number of them
    loops = words.copy()
    for length in range(1, orders.length.max() + 1):
        at = np.flatnonzero(orders.length == length)
        loops[at] |= loops[orders.rest[at]]
    places = np.flatnonzero(words.any(axis=1))
    around = packed(loops[orders.turned[ends[places], places]])
    for start in tried:
        fibres = sum(
            (words[places][:, images[:, start] == q].any(axis=1).astype(np.uint64) << np.uint64(q) for q in range(n)), np.uint64(0)
        )
        several = np.bitwise_count(fibres) > 1
        cases = np.unique(np.column_stack([fibres, around])[several], axis=0)
        if not any(_broken(idempotent, broken, int(bits), loop) for bits, *loop in cases[::-1]):
            return start
    return None


def _broken(idempotent: Array, broken: Array, bits: int, loops: Sequence[np.uint64]) -> bool:
    known = np.unpackbits(np.array(loops).view(np.uint8))[: len(idempotent[0])].astype(bool)
    chosen = np.flatnonzero(known & idempotent[bits])
    return bool(broken[bits][np.ix_(chosen, chosen)].any())


def shapes(letters: int, most: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Cyclic groups with a turn for each letter that generate them: the order of the group, and the turns."""
    for points in range(1, most + 1):
        for turns in product(range(points), repeat=letters):
            if gcd(points, *turns) == 1:
                yield points, turns


def turns_for_two_layers(n: int, letters: Sequence[int]) -> tuple[int, tuple[int, ...]] | None:
    """Turns over which two layers track an automaton of distinct letters, of those that are tried; None if none is found, which decides nothing."""
    tried = np.flatnonzero(starts(n, np.array([letters]))[0]).tolist()
    for points, turns in shapes(len(letters), MOST_TURNS[len(letters)]):
        # what two layers track, they track on fewer letters
        left = [q for q in tried if len(letters) < 3 or _pairs_allow(n, tuple(letters), turns, points, q)]
        if left and start_with_two_layers(n, letters, turns, points, left) is not None:
            return points, turns
    return None


def _pairs_allow(n: int, letters: tuple[int, ...], turns: tuple[int, ...], points: int, start: int) -> bool:
    chosen = [(0, 1), (0, 2), (1, 2)]
    return all(_pair_allows(n, letters[i], letters[j], turns[i], turns[j], points, start) for i, j in chosen)


@cache
def _pair_allows(n: int, a: int, b: int, turn: int, other: int, points: int, start: int) -> bool:
    return start_with_two_layers(n, (a, b), (turn, other), points, [start]) is not None
