"""What a property is: a definition, who says that it decides something, a cost, and a procedure that answers with a witness."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .language import Language
from .witness import Witness


@dataclass(frozen=True)
class Property:
    """A property of a language on nonempty words.

    ``decide`` returns None if the language has it, else a witness; it raises :class:`.undecided.Undecided` beyond its bounds. ``cost`` is in n states,
    k letters and M elements of the transition monoid.
    """

    id: str
    name: str
    means: str
    source: str
    cost: str
    decide: Callable[[Language], Witness | None]
