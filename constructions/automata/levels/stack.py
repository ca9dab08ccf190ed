"""The stack of a cascade whose levels no float rounds, and the table of ways to realise a level."""

from __future__ import annotations

from ...recurrence import Recurrence, Stack
from ..cascade.cascade import Cascade
from ..layers.level_vectors import LevelVectors, level_vectors
from .forgetful import forgetful
from .level import Level
from .numbered import numbered
from .repaired import level_layer, repaired_stack
from .two_slots import two_slots

#: every way to realise a level: from its vectors, its start and whether it is the last one; of two as narrow the first is taken
LEVELS = (forgetful, two_slots, numbered)

#: reads times states of a cascade whose permutations are looked for: a tenth of a second
LARGEST_LOOK = 200_000


def unrounded_stack(cascade: Cascade) -> Stack:
    """One layer for each level of the cascade; the output is the automaton's state after every letter. One silent layer for one state."""
    if not cascade.sizes:
        return repaired_stack(cascade)
    return Stack(tuple(unrounded_layer(cascade, k, level) for k, level in enumerate(unrounded_levels(cascade))))


def unrounded_layer(cascade: Cascade, k: int, level: Level) -> Recurrence:
    """Level k of the cascade, realised as ``level`` says."""
    return level_layer(cascade, k, lambda move, m: level.maps(move), level.start, level.positions)


def unrounded_levels(cascade: Cascade) -> list[Level]:
    """The narrowest way for each level; where the cascade reads too much to look for its permutations, states are one-hot, whatever permutes them."""
    if cascade.reads_at_most(LARGEST_LOOK // cascade.automaton.n):
        vectors = [level_vectors(m, p) for m, p in zip(cascade.sizes, cascade.level_permutations(), strict=True)]
    else:
        vectors = [LevelVectors(tuple({i: 1} for i in range(m)), m) for m in cascade.sizes]
    return [narrowest(found, cascade.start[k], k == len(vectors) - 1) for k, found in enumerate(vectors)]


def narrowest(vectors: LevelVectors, start: int, last: bool) -> Level:
    """The narrowest way to realise a level, the first one of equals."""
    found = [level for way in LEVELS if (level := way(vectors, start, last)) is not None]
    return min(found, key=lambda level: level.width)
