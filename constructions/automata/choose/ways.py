"""The table of all constructions, and the choice.

Only stacks of contractions are compared, products of generalized Householder factors. A cascade that reads too much to be proved soon
gives way to the next candidate; ``one-hot`` is taken only if asked for, since its transitions have norms above 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

from ..automaton import Automaton
from .candidate import FEW_READS, MANY_READS, Candidate, Prefer, ranked
from .cascades import CASCADES
from .given import Given
from .groups import GROUPS
from .one_hot import ONE_HOT
from .preimages import PREIMAGES
from .windows import WINDOWS

Construction = Literal[
    "best",
    "holonomy",
    "wide-holonomy",
    "disjoint",
    "excluded",
    "delays",
    "unrounded",
    "register",
    "preimages",
    "copies",
    "rotation",
    "signed",
    "permutation",
    "two-reflections",
    "addition",
    "dihedral",
    "solvable",
    "one-hot",
]

#: every way, by its name; where two cost the same, the first is taken
WAYS = CASCADES | WINDOWS | PREIMAGES | GROUPS | ONE_HOT


def choose(automaton: Automaton, construction: Construction = "best", prefer: Prefer = "exact") -> Candidate:
    """The best candidate for the reachable part of an automaton, among those of one construction if it is named.

    Raises ``ValueError`` for what is no automaton or if the construction does not fit it, and ``ArithmeticError`` if nothing that fits is within bounds.
    """
    for got, known in ((construction, get_args(Construction)), (prefer, get_args(Prefer))):
        if got not in known:
            raise ValueError(f"expected one of {', '.join(known)}, got {got!r}")
    if not isinstance(automaton, Automaton):
        raise ValueError(f"expected an Automaton, got {type(automaton).__name__}: sources.from_dfa, from_regex and their like make one")
    given = Given(automaton.reachable(), construction)
    found = list(candidates_of(given))
    if not found:
        raise ValueError(f"expected {WAYS[construction].takes} for the construction {construction}, got {given.described()}")
    for bound in (FEW_READS, MANY_READS):
        for candidate in ranked(found, prefer):
            if candidate.reads_at_most(bound):
                return candidate
    raise ArithmeticError(f"expected a cascade small enough to be proved, got {given.described()}")


def candidates(automaton: Automaton, construction: Construction = "best") -> Iterator[Candidate]:
    """Every construction by contractions that fits a reachable automaton, or those of the one named, which may take long."""
    return candidates_of(Given(automaton, construction))


def candidates_of(given: Given) -> Iterator[Candidate]:
    """:func:`candidates` of what is given."""
    for way in [WAYS[given.construction]] if given.named else WAYS.values():
        yield from way.candidates(given)
