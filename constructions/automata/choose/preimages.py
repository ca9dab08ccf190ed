"""Layers that hold divisions of the states, for the whole automaton or above the first levels of a cascade; and copies for a group's elements."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import inf

from ...recurrence import Stack
from ..cascade.cascade import Cascade
from ..layers.copies import copies_layer
from ..layers.preimages import held
from ..levels.merged import held_layer, left_after, merged_stack
from ..levels.stack import unrounded_levels
from .candidate import Candidate
from .given import Given, Way

#: what the levels of a cascade may read for its last ones to be merged
MOST_READS = 3_000
#: half the least distance of two states: of different odd numbers, and of different integers
OF_DIVISIONS, OF_COPIES = 1.0, 0.5


def preimages(given: Given) -> Iterator[Candidate]:
    """One layer; if there is none, for each cascade the fewest levels that leave one layer. Where letters permute the states, only if named."""
    if not (given.named or given.resets):
        return
    if found := given.held:
        yield Candidate(
            "preimages", given.automaton, (found.width,), OF_DIVISIONS, inf, lambda: Stack((held_layer(given.automaton, found),))
        )
        return
    for cascade in given.cascades.values():
        if cascade.reads_at_most(MOST_READS):
            yield from _merged(given, cascade)


def _merged(given: Given, cascade: Cascade) -> Iterator[Candidate]:
    levels = unrounded_levels(cascade)
    for k in range(1, len(levels)):
        found = held(left_after(cascade, k))
        if found and (k < len(levels) - 1 or found.width < levels[k].width):
            widths = (*(level.width for level in levels[:k]), found.width)
            margin = min(OF_DIVISIONS, *(level.margin for level in levels[:k]))
            yield Candidate("preimages", given.automaton, widths, margin, inf, partial(merged_stack, cascade, k, found), cascade)
            return


def copies(given: Given) -> Iterator[Candidate]:
    """One layer, if divisions of the states give none, or if it is named."""
    if (given.named or (given.resets and given.held is None)) and (found := copies_layer(given.automaton)):
        width, layer = found
        yield Candidate("copies", given.automaton, (width,), OF_COPIES, inf, lambda: Stack((layer,)))


PREIMAGES = {
    "preimages": Way("an automaton of 2 to 64 states", preimages),
    "copies": Way("letters whose idempotents satisfy efe = fe, with a small group over which the order of last uses decides", copies),
}
