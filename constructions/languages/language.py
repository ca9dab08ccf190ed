"""A language as the procedures see it: its machine, and what is computed from it once."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from ..automata.automaton import Automaton
from .images import Groups, Images, images_of
from .machine import Machine, machine_of
from .monoid import Monoid, monoid_of
from .pairs import Pairs
from .undecided import Undecided
from .witness import Witness


@dataclass(frozen=True, eq=False)
class Language:
    """A machine with its graph of pairs, its transition monoid and the images of its words, each computed when it is first needed; ``answers`` keeps what was decided."""

    machine: Machine
    answers: dict[str, Witness | Undecided | None] = field(default_factory=dict)

    @cached_property
    def pairs(self) -> Pairs:
        return Pairs(self.machine)

    @cached_property
    def monoid(self) -> Monoid:
        return monoid_of(self.machine)

    @cached_property
    def images(self) -> Images:
        return images_of(self.machine)

    @cached_property
    def permuting(self) -> Groups:
        return Groups(self.images)


def language_of(automaton: Automaton, tracked: bool = False) -> Language:
    """The language of an automaton, or, ``tracked``, its states."""
    return Language(machine_of(automaton, tracked))
