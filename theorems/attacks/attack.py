"""What an attack is, and the list of all."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Outcome(NamedTuple):
    """How many cases were tried, and each that breaks the claim, in words."""

    cases: int
    broken: list[str]


class Attack(NamedTuple):
    """The claim that is attacked, what is searched, and the search; ``search(size)`` takes more cases for a larger size."""

    claim: str
    says: str
    search: Callable[[int], Outcome]


#: name of the search -> attack
ATTACKS: dict[str, Attack] = {}


def attack(claim: str, says: str) -> Callable[[Callable[[int], Outcome]], Callable[[int], Outcome]]:
    """Register a search for counterexamples to ``claim`` under its own name."""

    def register(search: Callable[[int], Outcome]) -> Callable[[int], Outcome]:
        ATTACKS[search.__name__] = Attack(claim, says, search)
        return search

    return register
