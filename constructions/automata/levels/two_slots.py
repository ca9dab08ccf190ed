"""The old state's vector in a second slot, as in ``delays.two_slot_stack``."""

from __future__ import annotations

from functools import cache

import numpy as np

from ....numerics import exact
from ....numerics.exact import Array
from ..cascade.cascade import Move
from ..layers.level_vectors import LevelVectors
from .level import Level


def two_slots(vectors: LevelVectors, start: int, last: bool) -> Level:
    """Slots (new, old): a permutation moves the new state's vector and clears the old one, a reset to r gives (vector(r), new)."""
    d = vectors.width

    @cache
    def maps(move: Move) -> tuple[Array, Array]:
        A, B = exact.zeros(2 * d, 2 * d), exact.zeros(2 * d, 1)
        if move.permutation is not None:
            A[:d, :d] = vectors.matrix(move.permutation)
        else:
            assert move.reset is not None
            A[d:, :d] = exact.identity(d)
            B[:d] = vectors.column(move.reset)
        return A, B

    def positions(H: Array, move: Move) -> tuple[int, int] | None:
        new, before = vectors.read(H[:d]), vectors.read(H[d:])
        old = before if move.permutation is None or new is None else move.permutation.index(new)
        return None if old is None or new is None else (old, new)

    return Level(2 * d, maps, np.vstack([vectors.column(start), exact.zeros(d, 1)]), positions, 0.5)
