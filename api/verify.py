"""``lemmata.verify``: run checks and compare them with the ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from rich.console import RenderableType

from ..cli.verify import complaints, table
from .result import Result, listed

if TYPE_CHECKING:
    from ..theorems.records import Record


@dataclass(frozen=True, repr=False)
class Verified(Result, Sequence["Record"]):
    """What checks came to; a sequence of records, in the order of the ledger.

    Attributes:
        records: For each claim its verdict, how it was reached, its scope, and whether that is what is pinned.
        sabotage: Whether each claim was also broken on purpose.
    """

    records: tuple[Record, ...]
    sabotage: bool = False

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> Verified: ...
    def __getitem__(self, index: int | slice) -> Record | Verified:
        return Verified(self.records[index], self.sabotage) if isinstance(index, slice) else self.records[index]

    def __len__(self) -> int:
        return len(self.records)

    @property
    def as_expected(self) -> bool:
        """Whether every verdict, kind of evidence and (at standard effort) scope is the pinned one, and no sabotage was missed."""
        return all(r.as_expected for r in self.records)

    @property
    def data(self) -> list[dict[str, Any]]:
        """A dictionary for each record."""
        return [r.to_json() for r in self.records]

    def parts(self) -> Iterator[RenderableType]:
        yield from complaints(self.records)
        yield from table(self.records, self.sabotage)


def verify(
    ids: str | Iterable[str] | None = None,
    *,
    paper: str | Iterable[str] | None = None,
    topic: str | Iterable[str] | None = None,
    effort: str = "standard",
    jobs: int = 1,
    sabotage: bool = False,
    certificates: str | Path | None = None,
    on_record: Callable[[Record], None] | None = None,
) -> Verified:
    """Check claims and compare them with the ledger.

    Args:
        ids: One claim or several; all if none is given.
        paper: Only claims of this paper, or of these.
        topic: Only claims of this topic, or of these.
        effort: "quick", "standard" or "thorough": the number and size of the instances.
        jobs: The number of processes.
        sabotage: Also break every claim on purpose and see that it is noticed.
        certificates: A folder for the exact evidence as JSON, at standard effort; ``lemmata.recheck`` verifies it.
        on_record: Called with each record as soon as it is there.

    Returns:
        A record for each claim; ``as_expected`` says whether all agree with the ledger.

    Raises:
        ValueError: A name is not known, or the folder cannot be written.

    Example:
        >>> import lemmata as lm
        >>> found = lm.verify("grazzi25.prop1.3")
        >>> found[0].verdict, found.as_expected
        ('PROVED', True)
    """
    from threadpoolctl import threadpool_limits

    from ..theorems import claims, verify
    from ..theorems.certificates import write_certificates
    from ..theorems.files import require_folder

    if certificates is not None and effort != "standard":
        raise ValueError(f"expected --effort standard with --certificates, got {effort}: the ledger pins scopes at standard effort")
    chosen = [c.id for c in claims(listed(ids), listed(paper), listed(topic))]
    if certificates is not None:
        require_folder(Path(certificates), [f"{id}.json" for id in chosen])

    def keep(one: Record) -> None:
        # first, since it may refuse what an interrupt has spoiled
        if on_record is not None:
            on_record(one)
        if certificates is not None:
            write_certificates(one, Path(certificates))

    # the checks' matrices are small: threads of BLAS that wait for each other on busy cores make some of them forty times slower
    with threadpool_limits(1, "blas"):
        return Verified(tuple(verify(chosen, effort, jobs=jobs, sabotage=sabotage, on_record=keep)), sabotage)
