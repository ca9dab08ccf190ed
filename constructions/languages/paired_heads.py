"""One layer of m heads, one factor in [0, 1] for each letter and head, that keeps the order of last occurrences of m letters.

In head c the letters a and b share a coordinate if a + b = c modulo m: each overwrites what the other wrote. Every pair shares one coordinate in one head.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

from flint import fmpq

from ...numerics import exact
from ...numerics.exact import Array, freeze
from ..recurrence import Recurrence

#: for each letter the class that it writes in a head, or -1 if the head does not change
Head = tuple[int, ...]


def paired_heads(m: int) -> list[Head]:
    """The heads 0, ..., m - 1: letter a writes the class of {a, c - a} in head c.

    Example:
        >>> paired_heads(3)
        [(0, 1, 1), (0, 0, 1), (0, 1, 0)]
    """
    heads = []
    for c in range(m):
        classes = sorted({min(a, (c - a) % m) for a in range(m)})
        heads.append(tuple(classes.index(min(a, (c - a) % m)) for a in range(m)))
    return heads


def order_after(order: tuple[int, ...], letter: int) -> tuple[int, ...]:
    """The letters in the order of their last occurrences, after one more."""
    return (*(x for x in order if x != letter), letter)


def memory(head: Head, order: Sequence[int]) -> tuple[int, ...]:
    """The last letter in each class of a head, -1 for none: all that the head keeps of a word."""
    found = [-1] * (max(head, default=-1) + 1)
    for x in order:
        if head[x] >= 0:
            found[head[x]] = x
    return tuple(found)


def separate(m: int, heads: Sequence[Head]) -> bool:
    """Whether the memories and the last letter tell all orders of last occurrences of nonempty words apart."""
    orders = [p for k in range(1, m + 1) for p in permutations(range(m), k)]
    return len({(p[-1], *(memory(head, p) for head in heads)) for p in orders}) == len(orders)


def all_heads(m: int) -> Iterator[Head]:
    """Every way in which a head may write: each letter a class of its own or of others, or none; classes are numbered as they occur."""

    def extended(head: Head) -> Iterator[Head]:
        if len(head) == m:
            yield head
            return
        for c in range(-1, max(head, default=-1) + 2):
            yield from extended((*head, c))

    yield from extended(())


def fewest_heads(m: int, most: int) -> int | None:
    """The least number of heads, up to ``most``, that tell all orders of last occurrences of m letters apart, by trying all; None if more are needed."""
    heads = list(all_heads(m))
    return next((k for k in range(most + 1) if any(separate(m, chosen) for chosen in combinations(heads, k))), None)


def layer_of_heads(m: int, heads: Sequence[Head]) -> Recurrence:
    """The heads as one layer, block by block: letter x sets coordinate head[x] of each block to x + 1; outputs are orders of last occurrences.

    Letters are 0, ..., m - 1; the state is None where two orders share one.
    """
    widths = [max(head) + 1 for head in heads]
    maps: dict[int, tuple[Array, Array]] = {}
    for x in range(m):
        A, B, at = exact.identity(sum(widths)), exact.zeros(sum(widths), 1), 0
        for head, width in zip(heads, widths, strict=True):
            if head[x] >= 0:
                A[at + head[x], at + head[x]] = fmpq(0)
                B[at + head[x], 0] = fmpq(x + 1)
            at += width
        maps[x] = (A, B)
    start = exact.zeros(sum(widths), 1)
    orders: dict[tuple, tuple[int, ...] | None] = {}
    for p in [p for k in range(1, m + 1) for p in permutations(range(m), k)]:
        h = start
        for x in p:
            h = maps[x][0] @ h + maps[x][1]
        key = (p[-1], freeze(h))
        orders[key] = None if key in orders else p
    return Recurrence.from_table(maps, start, lambda H, x: orders.get((x, freeze(H))))


#: the classes of letters of a head of several factors: each class keeps the letter of it that came last
Classes = tuple[tuple[int, ...], ...]


def heads_of_two_factors(m: int) -> list[Classes]:
    """Half as many heads, rounded up, each with the classes of two of :func:`paired_heads`: a letter is in two classes, and so sets two coordinates.

    Example:
        >>> heads_of_two_factors(3)
        [((0,), (1, 2), (0, 1), (2,)), ((0, 2), (1,))]
    """
    classes = [tuple(tuple(x for x in range(m) if head[x] == c) for c in range(max(head) + 1)) for head in paired_heads(m)]
    return [sum(classes[i : i + 2], ()) for i in range(0, m, 2)]


def all_classes(m: int, factors: int) -> Iterator[Classes]:
    """Every head of classes of m letters in which each letter is in at most ``factors`` classes."""
    sets = [s for k in range(1, m + 1) for s in combinations(range(m), k)]

    def extended(chosen: Classes, later: Sequence[tuple[int, ...]]) -> Iterator[Classes]:
        yield chosen
        for i, s in enumerate(later):
            if all(sum(x in c for c in chosen) < factors for x in s):
                yield from extended((*chosen, s), later[i + 1 :])

    return extended((), sets)


def classes_separate(m: int, heads: Sequence[Classes]) -> bool:
    """Whether the last letters of all classes of all heads, and the last letter, tell all orders of last occurrences of nonempty words apart."""
    classes = [c for head in heads for c in head]
    orders = [p for k in range(1, m + 1) for p in permutations(range(m), k)]
    told = {(p[-1], *(next((x for x in reversed(p) if x in c), -1) for c in classes)) for p in orders}
    return len(told) == len(orders)
