"""``lemmata.witness``: the numbers behind a claim."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ..cli.console import verdict
from ..cli.witness import exhibited
from ..theorems.ledger import Entry, entries
from .result import Result


@dataclass(frozen=True, repr=False)
class Witness(Result):
    """The numbers of one claim, to check by hand.

    Attributes:
        entry: The claim as the ledger holds it.
    """

    entry: Entry

    @property
    def counterexamples(self) -> list[dict[str, Any]]:
        """Of a refuted claim: the numbers, the hypotheses that they satisfy, and what they violate."""
        return self.entry.counterexamples

    @property
    def data(self) -> dict[str, Any]:
        names = ("id", "title", "verdict", "fault", "how", "scope", "counterexamples", "exhibits", "steps")
        return {name: getattr(self.entry, name) for name in names}

    def parts(self) -> Iterator[RenderableType]:
        e = self.entry
        yield Text.assemble((e.id, "bold"), "  ", verdict(e.verdict, e.fault))
        yield Text(f"{e.title}\n")
        yield from exhibited(e)
        yield Text(f"why: lemmata show {e.id}", "dim")


def witness(id: str) -> Witness:
    """Give the numbers of one claim, to check by hand.

    Args:
        id: The claim, such as "grazzi25.thm2.display".

    Returns:
        The counterexample of a refuted claim; of another claim instances, or what was checked where none are kept.

    Raises:
        ValueError: The id is not known; near ones are named.

    Example:
        >>> import lemmata as lm
        >>> found = lm.witness("grazzi25.thm2.display")
        >>> all(found.counterexamples[0]["violates"].values())
        True
    """
    (e,) = entries([id])
    return Witness(e)
