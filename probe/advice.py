"""Advice that is tested: the smallest edit of a layer that changes a cell of the table, applied to a copy and probed again before it is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..atlas.cells import answer
from ..atlas.inference import Place
from ..atlas.knowledge import knowledge
from .edits import Edit, edits
from .report import Findings, findings
from .rows import at_the_closure
from .steps import Refused
from .tasks import Question, answer_in

#: cells that are named; the rest is counted
NAMED = 3

#: tasks that are named first
PLAINEST = ("parity", "S3", "regular", "star-free", "flip-flop")


#: what a copy that cannot be made raises: a refusal of the probe, or whatever a class says of arguments that it does not take
UNMADE = (Refused, ValueError, TypeError, ImportError, RuntimeError, AssertionError, AttributeError)


@dataclass(frozen=True)
class Advice:
    """An edit, and what a probe of the edited copy found.

    Attributes:
        edit: What to change.
        before: What was found of the layer.
        after: What was found of the edited copy.
        cells: The cells of the table that the edit turns into a yes, such as "parity, any number of layers"; the easiest to say first.
    """

    edit: str
    before: Findings
    after: Findings
    cells: tuple[str, ...]

    @property
    def data(self) -> dict[str, Any]:
        """The advice as plain data."""
        spectrum = None if self.after.spectrum is None else str(self.after.spectrum)
        return {"edit": self.edit, "row": self.after.row, "spectrum": spectrum, "becomes a yes": list(self.cells)}

    def __str__(self) -> str:
        more = len(self.cells) - NAMED
        changed = "; ".join(self.cells[:NAMED]) + (f"; and {more} more cells" if more > 0 else "")
        row = f"row {self.after.row or 'none'}"
        return f"{self.edit}. The edited copy, probed again: {self.after.spectrum or 'no proved spectrum'}, {row}. Becomes a yes: {changed}"


def advice(found: Findings, question: Question | None = None) -> Advice | None:
    """The smallest edit that changes a cell, at the closure and with exact states; with a question, one after which its answer is yes.

    None where no edit that is tried does, or the answer is yes already.
    """
    if question is not None:
        if answer_in(found, question).says == "yes":
            return None
        tried = first(found, lambda after: answer_in(after, question).says == "yes")
        return None if tried is None else Advice(tried[0].says, found, tried[1], (f"{question}, any number of layers",))
    tried = first(found, lambda after: bool(_gained(found, after)))
    return None if tried is None else Advice(tried[0].says, found, tried[1], _gained(found, tried[1]))


def first(found: Findings, wanted: Callable[[Findings], bool]) -> tuple[Edit, Findings] | None:
    """The first edit whose copy, probed, is as wanted; with what was found. A copy that cannot be made, or that a probe refuses, is passed over."""
    for edit, after in probed(found):
        if wanted(after):
            return edit, after
    return None


def probed(found: Findings) -> Iterator[tuple[Edit, Findings]]:
    """All edits that are tried, each with what a probe of its copy found."""
    for edit in edits(found):
        try:
            after = findings(edit.step())
        except UNMADE:
            continue
        yield edit, after


def _gained(before: Findings, after: Findings) -> tuple[str, ...]:
    """The cells that are a yes after an edit, and were not before; those of any number of layers first, of these the plainest."""
    rows = [at_the_closure(f.row) for f in (before, after)]
    if rows[1] is None:
        return ()
    tasks = [Question(t.id) for t in knowledge().tasks.values() if t.own in (None, "exact")]
    tasks.sort(key=lambda q: PLAINEST.index(q.task) if q.task in PLAINEST else len(PLAINEST))
    able = [q for q in tasks if answer_in(after, q).says == "yes"]
    many = [q for q in able if answer_in(before, q).says != "yes"]
    one = [] if rows[0] is None else [q for q in able if q not in many and _one(rows[0], q) != "yes" and _one(rows[1], q) == "yes"]
    return tuple(f"{q}, {words}" for words, found in (("any number of layers", many), ("one layer", one)) for q in found)


def _one(row: str, question: Question) -> str:
    return answer(Place(row, question.id, "one", "exact"))[0]
