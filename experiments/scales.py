"""What an experiment's scale and number of seeds mean, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

S = TypeVar("S")


def size_of(sizes: Mapping[str, S], scale: str) -> S:
    """The sizes of a scale. Raises ``ValueError`` for an unknown one."""
    if scale not in sizes:
        raise ValueError(f"expected a scale among {', '.join(s for s in sizes if s != 'smoke')}, got {scale!r}")
    return sizes[scale]


def seed_count(own: int, wanted: int | None) -> int:
    """How many seeds: what is wanted, or the scale's own number. Raises ``ValueError`` for fewer than one."""
    count = own if wanted is None else wanted
    if count < 1:
        raise ValueError(f"expected at least one seed, got {count}")
    return count
