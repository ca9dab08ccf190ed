"""``lemmata.claims``: the ledger at a glance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

from rich.console import RenderableType

from ..cli.list import card, listing
from ..theorems.ledger import FLAWS, VERDICTS, Entry, entries, require_known
from .result import Result, listed


@dataclass(frozen=True, repr=False)
class Claims(Result, Sequence[Entry]):
    """Claims, in the order of the ledger; a sequence of entries.

    Attributes:
        entries: The claims: id, words, verdict, how it was reached, scope.
    """

    entries: tuple[Entry, ...]

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> Claims: ...
    def __getitem__(self, index: int | slice) -> Entry | Claims:
        return Claims(self.entries[index]) if isinstance(index, slice) else self.entries[index]

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def ids(self) -> list[str]:
        """The ids, as ``lemmata.show`` and ``lemmata.verify`` take them."""
        return [e.id for e in self.entries]

    @property
    def data(self) -> list[dict[str, Any]]:
        """A dictionary for each claim, without the numbers, which ``lemmata.witness`` has."""
        return [card(e) for e in self.entries]

    def parts(self) -> Iterator[RenderableType]:
        return listing(list(self.entries))


def claims(
    *,
    paper: str | Iterable[str] | None = None,
    topic: str | Iterable[str] | None = None,
    flaw: str | Iterable[str] | None = None,
    verdict: str | Iterable[str] | None = None,
) -> Claims:
    """List the claims and what became of them.

    Args:
        paper: Only claims of this paper, such as "grazzi25", or of these.
        topic: Only claims of this topic, such as "parity", or of these.
        flaw: Only what is wrong in this way: "false", "gap", "overstatement", "misprint" or "remark".
        verdict: Only claims with this verdict, such as "PROVED".

    Returns:
        The claims that fit, as a sequence; printed, the statements with the most serious flaws come first.

    Raises:
        ValueError: A name is not known, or no claim fits.

    Example:
        >>> import lemmata as lm
        >>> found = lm.claims(paper="lizaire26", flaw="false")
        >>> {e.verdict for e in found}
        {'REFUTED'}
        >>> "grazzi25.thm2" in lm.claims(topic="parity").ids
        True
    """
    flaws, verdicts = [x.lower() for x in listed(flaw) or []], [x.upper() for x in listed(verdict) or []]
    require_known("flaw", flaws, FLAWS)
    require_known("verdict", verdicts, VERDICTS)
    chosen = entries(None, listed(paper), listed(topic))
    chosen = [e for e in chosen if (not flaws or e.fault in flaws) and (not verdicts or e.verdict in verdicts)]
    if not chosen:
        raise ValueError("expected at least one claim, got none for this choice of papers, topics, flaws and verdicts")
    return Claims(tuple(chosen))
