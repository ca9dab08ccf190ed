"""Groups of permutations inside other groups: an injective homomorphism found from the generators, or none."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import lcm

from ..householder import compose, cycles

Images = tuple[int, ...]


def generated(generators: Iterable[Images], limit: int) -> list[Images] | None:
    """The group that permutations generate, the identity first; None if it has more than ``limit`` elements."""
    chosen = [tuple(g) for g in generators]
    elements = [tuple(range(len(chosen[0])))]
    known = set(elements)
    for g in elements:
        for x in chosen:
            after = compose(x, g)
            if after not in known:
                if len(elements) == limit:
                    return None
                known.add(after)
                elements.append(after)
    return elements


def order_of(g: Sequence[int]) -> int:
    """The order of a permutation."""
    return lcm(*(len(cycle) for cycle in cycles(g)))


def embedding(letters: Mapping[Hashable, Images], target: Sequence[Images]) -> dict[Images, Images] | None:
    """An injective homomorphism from the group that ``letters`` generate into the group of permutations listed in ``target``, if there is one.

    Letter by letter: one that the letters before generate has its image already, for another every element of the same order is tried.
    """
    by_order: dict[int, list[Images]] = {}
    for t in target:
        by_order.setdefault(order_of(t), []).append(t)
    one = tuple(range(len(next(iter(letters.values())))))
    identity = tuple(range(len(target[0])))
    return _extended({one: identity}, {}, list(dict.fromkeys(map(tuple, letters.values()))), by_order)


def _extended(
    known: dict[Images, Images], chosen: dict[Images, Images], waiting: list[Images], by_order: Mapping[int, list[Images]]
) -> dict[Images, Images] | None:
    waiting = [x for x in waiting if x not in known]
    if not waiting:
        return known
    x = waiting[0]
    for t in by_order.get(order_of(x), ()):
        images = chosen | {x: t}
        larger = _homomorphism(images)
        if larger is not None and (found := _extended(larger, images, waiting[1:], by_order)) is not None:
            return found
    return None


def _homomorphism(images: Mapping[Images, Images]) -> dict[Images, Images] | None:
    """The extension of a map of generators to the group that they generate, if it is an injective homomorphism."""
    first, image = next(iter(images.items()))
    found = {tuple(range(len(first))): tuple(range(len(image)))}
    waiting = list(found)
    for g in waiting:
        for x, t in images.items():
            after, expected = compose(x, g), compose(t, found[g])
            if after not in found:
                found[after] = expected
                waiting.append(after)
            elif found[after] != expected:
                return None
    return found if len(set(found.values())) == len(found) else None
