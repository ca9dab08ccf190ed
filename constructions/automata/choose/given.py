"""What constructions are tried on: a reachable automaton, with what several of them ask of it found once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..algebra.group_names import structure
from ..algebra.permuting import Permuting, permuting
from ..automaton import Automaton
from ..cascade.cascade import Cascade, by_holonomy, excluded_states
from ..cascade.skeleton import TooManySets, skeleton
from ..layers.preimages import Held, held, one_place, with_last_letter
from .candidate import Candidate

#: groups with more elements are looked into only if the construction is named
LARGEST_TRIED = 120

#: states, and states with last letters, of automata that are looked at as one layer of divisions
MOST_STATES, MOST_POINTS = 64, 40

HOLONOMY = ("holonomy", "wide-holonomy", "disjoint")


@dataclass(frozen=True)
class Given:
    """A reachable automaton, and the construction asked for, or "best": what takes long is tried only if it is named."""

    automaton: Automaton
    construction: str = "best"

    @property
    def named(self) -> bool:
        return self.construction != "best"

    @cached_property
    def permuting(self) -> Permuting | None:
        """The automaton as one whose letters permute the states, if they do."""
        return permuting(self.automaton)

    @property
    def resets(self) -> bool:
        """Whether a letter merges states."""
        return any(len(set(images)) < self.automaton.n for images in self.automaton.table.values())

    @cached_property
    def cascades(self) -> dict[str, Cascade]:
        """The cascades by name; those by holonomy are left out if there are too many sets: ``TooManySets`` if one is named."""
        try:
            every = skeleton(self.automaton, all_tiles=True)
            wide = by_holonomy(every)
            shared = wide if max(map(len, every.tiles.values())) <= self.automaton.n else by_holonomy(skeleton(self.automaton))
            found = {"holonomy": shared, "wide-holonomy": wide, "disjoint": by_holonomy(every, "disjoint")}
        except TooManySets:
            if self.construction in HOLONOMY:
                raise
            found = {}
        return found | {"excluded": excluded_states(self.automaton)}

    @cached_property
    def held(self) -> Held | None:
        """The divisions of the states that one layer can hold, if they tell all states apart; or with the last letter beside the states."""
        if not 1 < self.automaton.n <= MOST_STATES:
            return None
        if found := held(one_place(self.automaton)):
            return found
        covered = with_last_letter(self.automaton)
        return held(covered) if len(covered.states[None]) <= MOST_POINTS else None

    def described(self) -> str:
        """What the automaton is, as far as it matters to the constructions."""
        states = f"{self.automaton.n} state{'s' * (self.automaton.n > 1)}"
        if self.permuting is None:
            merging = next(x for x, images in self.automaton.table.items() if len(set(images)) < self.automaton.n)
            return f"{states}, some of which the letter {merging!r} merges"
        return f"letters that generate the group {structure(self.permuting.group)} on {states}"


class Way(NamedTuple):
    """A way to build networks: what it takes, in words, and its candidates for an automaton, none if it does not fit."""

    takes: str
    candidates: Callable[[Given], Iterator[Candidate]]
