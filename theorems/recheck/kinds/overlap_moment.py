"""Certificates of kind ``overlap-moment``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..exact import natural, require
from ..registry import rule
from ..typed import Data


@rule("overlap-moment")
def check_overlap_moment(data: Data) -> None:
    """E[X^copies] for X = <A_I Y, A_J Y> / N, A_I = A^{i_n} ... A^{i_1}, A^i = W^i M^i' / sqrt(N r), is the sum of count N^-a r^-b over ``terms`` [a, b, count].

    Y, W^i (N x r) and M^i are independent with independent standard Gaussian entries. The mean is the sum over all pairings of equal matrices;
    a pairing merges the places where their indices stand, and counts N for each merged place of size N, r for each of size r.
    """
    copies, words = natural(data["copies"]), [data["I"], data["J"]]
    require(copies >= 1 and all(natural(x) > 0 for w in words for x in w), "expected words of letters 1, 2, ..., and a copy at least")
    terms = {(natural(a), natural(b)): natural(count) for a, b, count in data["terms"]}
    require(len(terms) == len(data["terms"]), "expected every pair of exponents once")
    total = copies * sum(map(len, words))
    require(total <= 10, "more pairings than this checker goes through")
    kinds, places = {}, {"N": set(), "r": set()}
    for c in range(copies):
        for side, word in enumerate(words):
            # the place above the last letter is shared by both sides
            at = [(c, side, k) if k < len(word) else (c, "top") for k in range(len(word) + 1)]
            places["N"].update(at)
            places["r"].update((c, side, k) for k in range(len(word)))
            kinds.setdefault("Y", []).append((at[0], None))
            for k, letter in enumerate(word):
                kinds.setdefault(("M", letter), []).append((at[k], (c, side, k)))
                kinds.setdefault(("W", letter), []).append((at[k + 1], (c, side, k)))
    found = {}
    for pairing in joint_pairings(list(kinds.values())):
        loops = [merged(places["N"], [(x[0], y[0]) for x, y in pairing]), merged(places["r"], [(x[1], y[1]) for x, y in pairing if x[1]])]
        key = (copies + total // 2 - loops[0], total // 2 - loops[1])
        found[key] = found.get(key, 0) + 1
    require(found == terms, "the pairings give other terms")


def joint_pairings(groups: Sequence[Any]) -> Iterator[Any]:
    """All ways to pair up the members within each group."""
    if not groups:
        yield []
        return
    first, *others = groups
    if not first:
        yield from joint_pairings(others)
        return
    for i in range(1, len(first)):
        for rest in joint_pairings([first[1:i] + first[i + 1 :], *others]):
            yield [(first[0], first[i]), *rest]


def merged(places: set[str | tuple[Any, ...]], pairs: Sequence[tuple[str | tuple[Any, ...], tuple[Any, ...] | str]]) -> int:
    """How many classes are left of the places when each pair is merged."""
    classes = {p: {p} for p in places}
    for p, q in pairs:
        if classes[p] is not classes[q]:
            classes[p] |= classes[q]
            for member in classes[q]:
                classes[member] = classes[p]
    return len({id(c) for c in classes.values()})
