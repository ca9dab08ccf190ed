"""Stacks by decomposition: cascades of permutation-reset automata, by the repaired layers and by layers that no float rounds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import hypot, inf

from ..cascade.cascade import Cascade
from ..levels.delays import two_slot_stack
from ..levels.repaired import repaired_stack
from ..levels.stack import unrounded_levels, unrounded_stack
from .candidate import Candidate
from .given import HOLONOMY, Given, Way

FEW_SETS = "an automaton whose words produce at most 20000 sets of states"


def repaired(name: str, given: Given) -> Iterator[Candidate]:
    """The cascade of that name by the repaired layers."""
    if (cascade := given.cascades.get(name)) is None:
        return
    if not cascade.sizes:
        yield Candidate(name, given.automaton, (1,), inf, inf, lambda: repaired_stack(cascade), cascade)
        return
    margin, room = (min(column) for column in zip(*(level_margin(m, given.resets) for m in cascade.sizes), strict=True))
    yield Candidate(name, given.automaton, cascade.sizes, margin, room, lambda: repaired_stack(cascade), cascade)


def level_margin(m: int, resets: bool) -> tuple[float, float]:
    """(margin, room) of a level of m >= 2 states by ``repaired.level_maps``: states v_q, v_q + s 1 after a reset, and e_q at first."""
    if not resets:
        return 0.5, 0.5
    # the codes s of two old states differ by 3 / m^2 at least, and are 1/m + 3 (m - 1) / (2 m^2) at most
    spare = 1 / m + 1.5 * (m - 1) / m**2
    return 1.5 / m**2, 1.5 / m**2 / hypot((1 - 1 / m) ** 0.5, spare * m**0.5)


def delays(given: Given) -> Iterator[Candidate]:
    """Each cascade by layers of two slots; only if they are named."""
    for cascade in given.cascades.values() if given.named else ():
        if cascade.sizes:
            widths = tuple(2 * m for m in cascade.sizes)
            yield Candidate("delays", given.automaton, widths, 0.5, inf, partial(two_slot_stack, cascade), cascade)


def unrounded(given: Given) -> Iterator[Candidate]:
    """Each cascade by layers that no float rounds. Where nothing is reset, "signed" is the one level, and the others are no narrower."""
    for cascade in given.cascades.values() if given.named or given.resets else ():
        if cascade.sizes:
            yield _unrounded(given, cascade)


def _unrounded(given: Given, cascade: Cascade) -> Candidate:
    levels = unrounded_levels(cascade)
    widths, margin = tuple(at.width for at in levels), min(at.margin for at in levels)
    return Candidate("unrounded", given.automaton, widths, margin, inf, lambda: unrounded_stack(cascade), cascade)


CASCADES = {name: Way(FEW_SETS, partial(repaired, name)) for name in HOLONOMY} | {
    "excluded": Way("an automaton", partial(repaired, "excluded")),
    "delays": Way("an automaton with at least two states, whose words produce few sets of them", delays),
    "unrounded": Way("an automaton", unrounded),
}
