"""One-hot states: one layer for every automaton, and no contraction."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from ....numerics import exact
from ...householder import boolean_transition
from ...recurrence import Recurrence, Stack
from ..affine import key, require_room
from ..automaton import Automaton
from .candidate import Candidate
from .given import Given, Way


def one_hot(automaton: Automaton) -> Candidate:
    """One layer of width n, one-hot states and 0/1 transitions of norm up to sqrt(n) (grazzi25, App. A.3): no GH product in general.

    Raises ``ArithmeticError`` if its n^2 numbers for each letter are more than there is room for.
    """
    require_room(automaton.n, len(automaton.table), automaton.n)
    start = exact.unit_vector(automaton.n, automaton.start)[:, None]
    table = {x: (boolean_transition(images), start * 0) for x, images in automaton.table.items()}
    state = {key(exact.unit_vector(automaton.n, q)[:, None]): q for q in range(automaton.n)}
    layer = Recurrence.from_table(table, start, lambda H, x: state.get(key(H)))
    return Candidate("one-hot", automaton, (automaton.n,), 0.5 if automaton.n > 1 else inf, inf, lambda: Stack((layer,)))


def _if_named(given: Given) -> Iterator[Candidate]:
    if given.named:
        yield one_hot(given.automaton)


ONE_HOT = {"one-hot": Way("an automaton", _if_named)}
