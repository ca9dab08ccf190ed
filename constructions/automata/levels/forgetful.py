"""The last level: it hands up nothing, so a reset forgets."""

from __future__ import annotations

from functools import cache

from ....numerics import exact
from ....numerics.exact import Array
from ..cascade.cascade import Move
from ..layers.level_vectors import LevelVectors
from .level import Level


def forgetful(vectors: LevelVectors, start: int, last: bool) -> Level | None:
    """A permutation moves the vectors, a reset to r is A = 0, B = vector(r). None for a level below others."""
    if not last:
        return None
    d = vectors.width

    @cache
    def maps(move: Move) -> tuple[Array, Array]:
        if move.permutation is not None:
            return vectors.matrix(move.permutation), exact.zeros(d, 1)
        assert move.reset is not None
        return exact.zeros(d, d), vectors.column(move.reset)

    def positions(H: Array, move: Move) -> tuple[None, int] | None:
        new = vectors.read(H)
        return None if new is None else (None, new)

    return Level(d, maps, vectors.column(start), positions, 0.5)
