"""What a way to realise a level of a cascade says of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ....numerics.exact import Array
from ..cascade.cascade import Move


class Level(NamedTuple):
    """A way to realise a level: its maps, its start, the positions read off a state (the old one may be None on the last level), half the least distance of two states."""

    width: int
    maps: Callable[[Move], tuple[Array, Array]]
    start: Array
    positions: Callable[[Array, Move], tuple[int | None, int] | None]
    margin: float
