"""What a scale and a number of seeds mean, for every experiment alike."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar


class Seeded(Protocol):
    @property
    def seeds(self) -> int: ...


S = TypeVar("S", bound=Seeded)


def chosen(sizes: Mapping[str, S], scale: str, seeds: int | None) -> tuple[S, range]:
    """The sizes of a scale, and the seeds: as many as wanted, or the scale's own number. Raises ``ValueError`` for an unknown scale and no seed."""
    if scale not in sizes:
        raise ValueError(f"expected a scale among {', '.join(s for s in sizes if s != 'smoke')}, got {scale!r}")
    count = sizes[scale].seeds if seeds is None else seeds
    if count < 1:
        raise ValueError(f"expected at least one seed, got {count}")
    return sizes[scale], range(count)


def nearest_width(count: Callable[[int], int], goal: int, widest: int) -> int:
    """The width from 1 to ``widest`` at which ``count``, the number of parameters, which grows with it, is nearest to ``goal``."""
    enough = 1 + bisect_left(range(1, widest), goal, key=count)
    return min({max(enough - 1, 1), enough}, key=lambda n: abs(count(n) - goal))
