"""Demands of the claims on operators and scans: small magmas, gone through."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from ...exact import natural, require
from ...registry import statement
from ...schema import Fields, Items, Natural
from ...typed import Certificates, Data, Decided


def read_table(rows: list[list[int]]) -> list[list[int]]:
    n = len(rows)
    require(n and all(len(row) == n and all(natural(x) < n for x in row) for row in rows), "a table of an operation on 0 .. n - 1")
    return rows


def associates(t: Sequence[Sequence[int]], only_products: bool = False) -> bool:
    """(u b) c = u (b c) for all u, or for all u that are products."""
    left = {x for row in t for x in row} if only_products else range(len(t))
    return all(t[t[u][b]][c] == t[u][t[b][c]] for u in left for b in range(len(t)) for c in range(len(t)))


def two_sweeps(t: Sequence[Sequence[int]], array: Sequence[int]) -> int:
    """The last prefix by Blelloch's scan: the sums of aligned blocks in order, then the last element."""
    blocks, rest = [], array[:-1]
    while rest:
        size = 1 << (len(rest).bit_length() - 1)
        blocks.append(block(t, rest[:size]))
        rest = rest[size:]
    return folded(t, [*blocks, array[-1]])


def block(t: Sequence[Sequence[int]], array: Sequence[int]) -> int:
    return array[0] if len(array) == 1 else t[block(t, array[: len(array) // 2])][block(t, array[len(array) // 2 :])]


def pairs_first(t: Sequence[Sequence[int]], array: Sequence[int]) -> int:
    """The last prefix by scanning the pairs of neighbours."""
    if len(array) < 2:
        return array[0]
    if len(array) % 2:
        return t[pairs_first(t, array[:-1])][array[-1]]
    return pairs_first(t, [t[a][b] for a, b in zip(array[::2], array[1::2], strict=True)])


def folded(t: Sequence[Sequence[int]], array: Sequence[int]) -> int:
    out = array[0]
    for x in array[1:]:
        out = t[out][x]
    return out


def serves(t: Sequence[Sequence[int]], scan: Callable[..., Any], longest: int = 5) -> bool:
    return all(scan(t, list(a)) == folded(t, a) for n in range(1, longest + 1) for a in itertools.product(range(len(t)), repeat=n))


@statement(
    "degeeter26.appB.thm1", "witness", Fields(optional={"array": Items(Natural(0, 2), 3, 5)}, table=Items(Items(Natural(0, 2), 3, 3), 3, 3))
)
def appB_thm1(data: Data) -> None:
    """An associative operator, which the scans serve; or one with an identity that is not, and an array where two sweeps are wrong."""
    t = read_table(data["table"])
    points = range(len(t))
    require(len(t) > 1 and any(all(t[e][x] == x == t[x][e] for x in points) for e in points), "an operator with an identity")
    if associates(t):
        require(all(serves(t, scan) for scan in (two_sweeps, pairs_first)), "the scans are right")
    else:
        array = [natural(x) for x in data["array"]]
        require(max(array) < len(t) and two_sweeps(t, array) != folded(t, array), "two sweeps are wrong at the array")


@statement("degeeter26.appB.thm1")
def appB_thm1_both(certificates: Certificates) -> None:
    require({associates(d["table"]) for _, d in certificates} == {True, False}, "an associative operator, and one that is not")


@statement(
    "degeeter26.appB.thm1.only-if",
    "witness",
    Fields(table=Items(Items(Natural(0, 2), 2, 3), 2, 3)),
    hypotheses={
        "pairs": "pairs first, and two sweeps, give the loop's prefixes on all arrays of length <= 6",
        "law": "(u + b) + c = u + (b + c) for all products u, so they do at every length (new.bistable.scan-law)",
        "sweeps": "two sweeps give the loop's prefixes on all arrays of length <= 6",
        "prefix": "(prefix) + a = 1 - a, whatever the prefix",
    },
    violates={"associative": "not associative", "values": "(0 + 0) + 0 = 1 and 0 + (0 + 0) = 0"},
)
def appB_thm1_only_if(data: Data) -> Decided:
    """Not associative, and yet two sweeps give the scan of every array: by the law for products, or because u a does not depend on u."""
    t = read_table(data["table"])
    if len(t) == 2:
        return {
            "sweeps": serves(t, two_sweeps, longest=6),
            "prefix": all(t[prefix][a] == 1 - a for prefix in (0, 1) for a in (0, 1)),
            "values": t[t[0][0]][0] == 1 and t[0][t[0][0]] == 0,
        }
    return {
        "pairs": all(serves(t, scan, longest=6) for scan in (pairs_first, two_sweeps)),
        "law": associates(t, only_products=True),
        "associative": not associates(t),
    }


@statement("new.bistable.scan-law", "witness", Fields(tables=Items(Items(Items(Natural(0, 2), 3, 3), 3, 3), 54, 54)))
def scan_law(data: Data) -> None:
    """The magmas with three elements that satisfy the law for products and are not associative: these, 54, and no others; the pairing scan serves them."""
    found = set()
    for entries in itertools.product(range(3), repeat=9):
        t = (entries[:3], entries[3:6], entries[6:])
        if associates(t, only_products=True) and not associates(t):
            found.add(t)
    listed = [tuple(tuple(natural(x) for x in row) for row in read_table(t)) for t in data["tables"]]
    require(len(listed) == len(set(listed)) == 54 and set(listed) == found, "all of them, once")
    require(all(serves(t, pairs_first, 4) for t in listed), "the pairing scan serves them")
