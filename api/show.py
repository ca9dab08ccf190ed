"""``lemmata.show``: one claim."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ..cli.list import card
from ..cli.places import at, require_claim
from ..cli.show import page, short_page
from ..theorems.ledger import Entry, entries
from .result import Result


@dataclass(frozen=True, repr=False)
class Shown(Result):
    """One claim.

    Attributes:
        entry: The claim as the ledger holds it, with its verdict.
        full: Whether everything is printed, or the short form.
        as_pinned: False if fresh evidence differs from what the ledger pins.
        there: Other claims that stand at the place that was asked for.
    """

    entry: Entry
    full: bool = False
    as_pinned: bool = True
    there: tuple[Entry, ...] = ()

    @property
    def verdict(self) -> str:
        """The verdict, such as "PROVED"."""
        return self.entry.verdict

    @property
    def data(self) -> dict[str, Any]:
        """All of the claim, whether or not ``full``."""
        return card(self.entry) | asdict(self.entry.evidence)

    def parts(self) -> Iterator[RenderableType]:
        yield from page(self.entry) if self.full else short_page(self.entry, self.there)
        if not self.as_pinned:
            yield Text(f"this is NOT what the ledger pins: see lemmata verify {self.entry.id}", "bold red")


def show(id: str, place: str | None = None, *, full: bool = False, fresh: bool = False, effort: str = "standard") -> Shown:
    """Show one claim: its statement, its verdict and scope, and why.

    Args:
        id: The claim, such as "grazzi25.thm2"; with a place, the paper.
        place: A place in the paper, such as "Theorem 2": of several claims there the nearest is shown, and the others are named.
        full: Print the whole argument with what carries each step, the evidence, kernel proofs and numbers.
        fresh: Run the check now, instead of reading what it came to when it was pinned.
        effort: With ``fresh``: "quick", "standard" or "thorough", the number and size of the instances.

    Returns:
        The claim. ``entry`` has its parts, ``data`` all of it as plain data.

    Raises:
        ValueError: The id is not known, or nothing stands at the place; near ones are named.

    Example:
        >>> import lemmata as lm
        >>> shown = lm.show("grazzi25.thm2")
        >>> shown.verdict, shown.entry.scope
        ('PROVED', 'every width, depth, decoder and finite D')
        >>> print(shown)  # doctest: +ELLIPSIS
        grazzi25.thm2
        PROVED, formal; every width, depth, decoder and finite D
        ...
        >>> lm.show("grazzi25", "Theorem 2").entry.id
        'grazzi25.thm2'
    """
    if place is None:
        require_claim(id)
    e, *others = at(id, place) if place is not None else entries([id])
    shown = _gathered(e.id, effort, full) if fresh else Shown(e, full)
    return replace(shown, there=tuple(others))


def _gathered(id: str, effort: str, full: bool) -> Shown:
    """The claim as its check gives it now."""
    from ..theorems import claims
    from ..theorems.records import entry_of, record

    (c,) = claims([id])
    r = record(c, effort)  # type: ignore[arg-type]
    e = entry_of(c, r)
    # with what failed
    return Shown(replace(e, given=replace(e.evidence, steps=r.steps)), full, r.as_expected)
