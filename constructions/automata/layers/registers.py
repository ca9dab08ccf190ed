"""One layer for definite automata, whose state depends on the last k letters alone: a register that shifts.

Every letter acts by one matrix, the shift e_(i+1) e_i^T, and writes its number into the first coordinate. So nothing is rounded where
numbers of letters are none (``precision_terms``), and the width is k: 1 for the last letter, 8 for a register of 8 bits.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from ....numerics import exact
from ....numerics.exact import Array
from ...recurrence import Recurrence
from ..automaton import Automaton

#: windows of letters that are gone through, numbers of letters that bfloat16 has
MOST_WINDOWS, MOST_NUMBERS = 4096, 256


class Register(NamedTuple):
    """How many letters back the state reaches, and the number of each letter; 0 is what stands in the register at first."""

    length: int
    numbers: dict[Any, int]


def register(automaton: Automaton) -> Register | None:
    """The register of a reachable automaton; None if it is not definite, or has too many windows.

    Letters that act alike have one number. A letter that keeps the start may be 0: having read nothing is like having read it forever.
    """
    length = memory(automaton)
    if length is None:
        return None
    actions = list(dict.fromkeys(map(tuple, automaton.table.values())))
    silent = next((images for images in actions if images[automaton.start] == automaton.start), None)
    ordered = [silent, *(images for images in actions if images != silent)]
    numbers = {x: ordered.index(tuple(images)) for x, images in automaton.table.items()}
    if len(ordered) > MOST_NUMBERS or len(ordered) ** length > MOST_WINDOWS:
        return None
    return Register(length, numbers)


def memory(automaton: Automaton) -> int | None:
    """The least k >= 1 such that every word of k letters takes all states to one; None if there is none, or too many words are met."""
    actions = list(dict.fromkeys(map(tuple, automaton.table.values())))
    # a letter that permutes two states or more is seen at once; most automata have one
    if any(_settled(images) > 1 for images in actions):
        return None
    sets, length = {frozenset(range(automaton.n))}, 0
    # a longest chain of pairs of states has fewer members than there are pairs
    while any(len(X) > 1 for X in sets):
        sets = {frozenset(images[q] for q in X) for X in sets if len(X) > 1 for images in actions}
        length += 1
        if len(actions) ** length > MOST_WINDOWS or length > automaton.n * automaton.n // 2:
            return None
    return max(length, 1)


def _settled(images: tuple[int, ...]) -> int:
    """How many states are left when the letter is repeated."""
    left = set(images)
    while len(after := {images[q] for q in left}) < len(left):
        left = after
    return len(left)


def register_layer(automaton: Automaton, found: Register) -> Recurrence:
    """The layer: state (number of the last letter, of the one before it, ...), decoded by running the automaton over the window."""
    k = found.length
    A, start = exact.zeros(k, k), exact.zeros(k, 1)
    for i in range(k - 1):
        A[i + 1, i] = exact.rational(1)
    written = {}
    for x, number in found.numbers.items():
        written[x] = exact.zeros(k, 1)
        written[x][0, 0] = exact.rational(number)
    letter = {number: x for x, number in found.numbers.items()}

    @cache
    def state(window: tuple[Any, ...]) -> int | None:
        q = automaton.start
        for number in reversed(window):
            if number in letter:
                q = automaton.table[letter[number]][q]
            elif number != 0:
                return None
        return q

    def decode(H: Array, x: Any) -> int | None:
        return state(tuple(H[:, 0].tolist()))

    return Recurrence.from_table({x: (A, written[x]) for x in found.numbers}, start, decode)
