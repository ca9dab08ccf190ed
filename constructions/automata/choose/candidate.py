"""What is known of a construction before it is built, and which is best.

A :class:`Candidate` knows its widths, its margin, half the least distance, in the largest entry, of two states that the decoder has to tell
apart, and its room for rounding: the margin over the largest norm of a state, inf if no number is ever rounded. ``prefer`` is the criterion:

* ``"exact"``: no rounding; then as ``"shallow"``
* ``"shallow"``: the fewest layers among those whose state, all layers together, is at most twice as large as need be; then the smallest state;
  then the most room
* ``"narrow"``: the least width of the widest layer; then the fewest layers; then the most room
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal

from ...recurrence import Stack
from ..automaton import Automaton
from ..cascade.cascade import Cascade

Prefer = Literal["exact", "shallow", "narrow"]

#: how many times as large as need be a state may be, for the sake of fewer layers
LARGER = 2


#: how much (letter, set before, set after) the levels of a cascade may read: seconds of proof; files of more would not be re-checked
FEW_READS, MANY_READS = 30_000, 100_000


@dataclass(frozen=True, eq=False)
class Candidate:
    """A construction that fits, with the widths of its layers and lower bounds of its margin and its room for rounding."""

    construction: str
    automaton: Automaton
    widths: tuple[int, ...]
    margin: float
    room: float
    stack: Callable[[], Stack]
    cascade: Cascade | None = None

    @property
    def depth(self) -> int:
        return len(self.widths)

    @property
    def width(self) -> int:
        return max(self.widths)

    @property
    def exact(self) -> bool:
        """Whether floats round none of its numbers."""
        return self.room == inf

    @property
    def size(self) -> int:
        """The numbers in the states of all layers."""
        return sum(self.widths)

    def cost(self, prefer: Prefer, enough: float = inf) -> tuple[float, ...]:
        """What the best candidate has least of, the most important first; states larger than ``enough`` come last unless width comes first."""
        # what is equal in exact numbers may differ in its last bits
        cramped = -round(self.room, 12)
        if prefer == "narrow":
            return self.width, self.depth, cramped
        return prefer == "exact" and not self.exact, self.size > enough, self.depth, self.size, cramped

    def reads_at_most(self, bound: int) -> bool:
        """Whether its levels read no more than that; true without a cascade."""
        return self.cascade is None or self.cascade.reads_at_most(bound)


def ranked(found: Sequence[Candidate], prefer: Prefer) -> list[Candidate]:
    """The best first."""
    fit = [c.size for c in found if c.exact or prefer != "exact"]
    enough = LARGER * min(fit, default=inf)
    return sorted(found, key=lambda c: c.cost(prefer, enough))
