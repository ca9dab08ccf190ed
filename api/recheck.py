"""``lemmata.recheck``: certificates, verified by the independent checker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from ..cli.tables import counted
from .result import Result

if TYPE_CHECKING:
    from ..numerics.progress import Progress

#: (claim, number of certificates, why the file is rejected)
Checked = tuple[str | None, int, str | None]


@dataclass(frozen=True, repr=False)
class Rechecked(Result):
    """What the independent checker says of files.

    Attributes:
        files: For each file its name, the claim, the number of certificates, whether it holds, and why not.
        missing: With ``everything``: the claims that have certificates, but not here.
        everything: Whether all claims had to be there.
    """

    files: list[dict[str, Any]]
    missing: list[str]
    everything: bool = False

    @property
    def holds(self) -> bool:
        """Whether every file holds, and none is missing."""
        return not self.rejected and not self.missing

    @property
    def rejected(self) -> list[dict[str, Any]]:
        """The files that do not hold."""
        return [f for f in self.files if not f["holds"]]

    @property
    def data(self) -> Any:
        # a list of files, or with everything also what is not there
        return {"files": self.files, "missing": self.missing} if self.everything else self.files

    def complaints(self) -> Iterator[Text]:
        """A line for each file that is rejected and each claim that is missing."""
        for f in self.rejected:
            yield Text(f"REJECTED {f['file']} {f['why']}", "red", no_wrap=True)
        for claim in self.missing:
            yield Text(f"MISSING {claim}: no certificates here, but the ledger has some", "red", no_wrap=True)

    def holding(self) -> Iterator[Text]:
        """A line for each file that holds, and the counts."""
        for f in self.files:
            if f["holds"]:
                yield Text.assemble(("holds ", "green"), f" {f['claim']} ({f['certificates']})")
        left_out = f", {counted(len(self.missing), 'claim')} missing" if self.everything else ""
        certificates = sum(f["certificates"] for f in self.files)
        yield Text(
            f"\n{counted(certificates, 'certificate')} in {counted(len(self.files), 'file')}: "
            f"{counted(len(self.rejected), 'file')} rejected{left_out}"
        )

    def parts(self) -> Iterator[RenderableType]:
        yield from self.complaints()
        yield from self.holding()


def recheck(
    path: str | Path,
    *,
    everything: bool = False,
    verified: bool = False,
    dtype: str | None = None,
    way: str = "loop",
    chunk: int | str | None = None,
    limits: int | str = 1,
    progress: Progress | None = None,
) -> Rechecked:
    """Verify certificates or exported networks with the independent checker, which needs the standard library alone.

    Args:
        path: What ``lemmata verify --certificates`` or ``lemmata.compile(...).save`` wrote: a folder or a file.
        everything: Every claim that has certificates must be there.
        verified: Exported networks only: by the checker that is proved sound in Rocq, where ``make verified`` has built it.
        dtype: With ``verified``: files of stored numbers (``lemmata.compile(...).save(path, stored=dtype)``), right at every length in this data type.
        way: With ``dtype``: how the network runs, "loop", "delta", "fused", "scan" or "chunk".
        chunk: With ``way="chunk"``: the most micro-steps of a chunk, 128 by default. Shorter chunks are covered too.
        limits: Allow this many times the work, memory and sizes.
        progress: Called with the name of a file, and how many are done out of how many.

    Returns:
        For each file whether it holds; ``holds`` says whether all do.

    Raises:
        ValueError: There are no such files, the verified checker is not built, or it knows no such data type, way or chunk.

    Example:
        >>> import lemmata as lm
        >>> files = lm.compile("parity").save("parity.json")
        >>> lm.recheck("parity.json").holds
        True
    """
    from ..theorems.recheck import Rejected, files_of, missing
    from ..theorems.recheck.limits import factor_of, raised

    if verified and everything:
        raise ValueError("expected no --all with --verified: the verified checker is for exported networks")
    if dtype is not None and not verified:
        raise ValueError("expected --format with --verified only: it is the verified checker that runs floating point")
    if chunk is not None and dtype is None:
        raise ValueError("expected --chunk with --format and --path chunk only")
    try:
        factor, paths = factor_of(str(limits)), files_of(str(path))
    except Rejected as error:
        raise ValueError(str(error)) from None
    check = _stored_check(factor, dtype, way, chunk) if dtype is not None else _verified_check(factor) if verified else _check
    files: list[dict[str, Any]] = []
    with raised(factor):
        for file in paths:
            claim, count, why = check(file)
            files.append({"file": file.name, "claim": claim, "certificates": count, "holds": why is None, "why": why})
            if progress is not None:
                progress(file.name, len(files), len(paths))
    return Rechecked(files, missing({f["claim"] for f in files}) if everything else [], everything)


def _check(path: Path) -> Checked:
    from ..theorems.recheck import Rejected, check_file

    try:
        claim, count = check_file(path)
        return claim, count, None
    except Rejected as why:
        return None, 0, str(why)


def _verified_check(limits: int) -> Callable[[Path], Checked]:
    """The same by the verified checker; ``ValueError`` if it was not built."""
    from ..cli.verified import require_program, verdict

    program = require_program()

    def check(path: Path) -> Checked:
        states, why = verdict(program, path, limits)
        return (f"a network for {states} states", 1, None) if why is None else (None, 0, why)

    return check


def _stored_check(limits: int, dtype: str, way: str, chunk: int | str | None) -> Callable[[Path], Checked]:
    """Files of stored numbers by the verified checker; ``ValueError`` if it was not built, or knows no such data type or way."""
    from ..cli.verified import chunk_length, require_program, require_stored, stored_verdict

    require_stored(dtype, way)
    steps = chunk_length(chunk, way)
    program = require_program()

    def check(path: Path) -> Checked:
        holds, words = stored_verdict(program, path, dtype, way, limits, steps)
        return (f"right at every length in {dtype} on the path {way}: {words}", 1, None) if holds else (None, 0, words)

    return check
