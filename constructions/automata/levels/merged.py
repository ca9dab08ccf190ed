"""The last levels of a cascade as one layer that hands up nothing (``layers.preimages``)."""

from __future__ import annotations

from functools import cache
from typing import Any

from ....numerics.exact import Array
from ...recurrence import Recurrence, Stack
from ..automaton import Automaton
from ..cascade.cascade import Cascade
from ..layers.places import Read
from ..layers.preimages import Arrow, Held, Places, one_place
from .stack import unrounded_layer, unrounded_levels


def left_after(cascade: Cascade, k: int) -> Places:
    """What the levels from k on have to tell: the places are the sets of states that the levels before k narrow down to."""
    if not k:
        return one_place(cascade.automaton)
    table = cascade.automaton.table
    states: dict[Any, tuple[int, ...]] = {}
    arrows = []
    for level, letter, X, Y in cascade.reads():
        if level > k:
            break
        if level == k:
            before, after = (states.setdefault(Z, tuple(sorted(Z))) for Z in (X, Y))
            arrows.append(Arrow(letter, X, Y, tuple(after.index(table[letter][q]) for q in before)))
    X = cascade.chain(cascade.start)[k]
    return Places(states, arrows, (X, states[X].index(cascade.automaton.start)))


def held_layer(automaton: Automaton, held: Held) -> Recurrence:
    """The layer that holds these divisions, its output the automaton's state. It reads letters where there is one place, else a ``Read``."""
    arrow_of = {(arrow.letter, arrow.before, arrow.after): arrow for arrow in held.places.arrows}

    def arrow(y: Any) -> Arrow:
        return arrow_of[(y.letter, y.before, y.after) if isinstance(y, Read) else (y, None, None)]

    @cache
    def maps(y: Any) -> tuple[Array, Array]:
        return held.maps(arrow(y))

    def decode(H: Array, y: Any) -> int | None:
        return held.state.get((arrow(y).after, tuple(H[:, 0].tolist())))

    return Recurrence(lambda y: maps(y)[0], lambda y: maps(y)[1], held.column(*held.places.start), decode)


def merged_stack(cascade: Cascade, k: int, held: Held) -> Stack:
    """The first k levels as ``stack.unrounded_stack`` has them, and one layer for all others."""
    below = unrounded_levels(cascade)[:k]
    return Stack((*(unrounded_layer(cascade, j, level) for j, level in enumerate(below)), held_layer(cascade.automaton, held)))
