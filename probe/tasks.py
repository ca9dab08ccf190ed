"""Whether stacks of a layer do a task, or recognise a language: by its row of the table, and by what follows from its own ranges; in each scope and arithmetic."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from ..atlas.knowledge import REGULAR
from ..theorems.ledger import HOLDS, ledger
from .grades import Grade
from .own_range import theorems
from .report import SCOPES, Findings
from .rows import at_the_closure, reflects

if TYPE_CHECKING:
    from ..api.can import Answer
    from ..api.languages import LanguageAnswer

#: arithmetics of the answers, as in ``lemmata can``
ARITHMETICS = ("exact", "margin", "rounded")

#: grades, the best first; ARGUED is that of an argument in the table which no claim carries
GRADES = (*HOLDS, "ARGUED", "OPEN")

UNIT, SIGNED = (0, 1), (-1, 1)

#: eigenvalues that networks of a row use: its yes is a layer's if the layer reaches them; rows with open ends use what comes near them
ENDS: dict[str, tuple[int, ...]] = {
    "linear-attention": (1,),
    "open-diagonal": (0,),
    "rwkv-7": (0,),
    "diagonal-nonnegative": UNIT,
    "delta-nonnegative": UNIT,
    "gated-delta-nonnegative": UNIT,
    "channel-gated-delta": UNIT,
    "factors-nonnegative": UNIT,
    "permutation-diagonal": UNIT,
}

#: rows of open ranges: their networks stay strictly inside, and come near the ends
OPEN_ENDED = ("open-diagonal", "rwkv-7")

#: cells of PyTorch, whose networks the row of nonlinear layers is about
CELLS = ("LSTMCell", "GRUCell", "RNNCell")


@dataclass(frozen=True)
class TaskAnswer:
    """An answer in one scope and one arithmetic.

    Attributes:
        scope: One of :data:`~.report.SCOPES`.
        arithmetic: One of :data:`ARITHMETICS`.
        says: "yes", "no", "not decided", or "not excluded" where a range forbids it in exact arithmetic alone.
        reason: Why, in a line.
        grade: That of the weakest thing that the answer rests on.
    """

    scope: str
    arithmetic: str
    says: str
    reason: str
    grade: Grade

    def __str__(self) -> str:
        return f"{self.says}, {self.grade}"


@dataclass(frozen=True)
class Question:
    """A task of the table, or a regular language.

    Attributes:
        task: The id of the task, or None.
        regex: The regular expression, or None.

    Raises ``ValueError`` unless one of them is given, or for a task that is not known.
    """

    task: str | None = None
    regex: str | None = None

    def __post_init__(self) -> None:
        if (self.task is None) == (self.regex is None):
            raise ValueError("expected a task or a regular expression, got both or neither")
        if self.regex is None:
            self.of_row(None)

    def __str__(self) -> str:
        return self.task or f"the language {self.regex}"

    @property
    def command(self) -> str:
        """What follows ``lemmata can``."""
        return self.task or f"--regex '{self.regex}'"

    def of_row(self, row: str | None) -> Answer | LanguageAnswer:
        """What the table says of a row, or of all."""
        from ..api.can import Answer, can

        if self.regex is not None:
            return can(regex=self.regex, model=row)
        found = can(self.task, model=row)
        if not isinstance(found, Answer):
            raise ValueError(f"expected a task of the table, such as parity, got {self.task!r}; a language is asked by --regex")
        return found

    @cached_property
    def id(self) -> str:
        """The id of the task."""
        return str(getattr(self.of_row(None), "task"))  # noqa: B009

    def lacks(self, property: str) -> bool | None:
        """Whether the language, or one that the task asks for, does not have a property; None if that was not decided."""
        if self.regex is not None:
            has = _language(self.regex).asked.has(property)
            return None if has is None else not has
        known = _regular().get(self.id)
        has = [] if known is None else [member["has"][property] for member in known["members"]]
        return True if False in has else None

    def grade_in(self, row: str, arithmetic: str) -> str:
        """The grade of the table's answer."""
        if self.regex is not None:
            verdict = _language(self.regex).asked.verdict(row, arithmetic)
            return "OPEN" if verdict.row is None else verdict.row.grade
        from ..atlas.cells import answer
        from ..atlas.inference import Place

        reason = answer(Place(row, self.id, "many", arithmetic))[1]
        return "OPEN" if reason is None else reason.grade


@cache
def _regular() -> dict[str, Any]:
    return json.loads(REGULAR.read_text(encoding="utf-8"))


@cache
def _language(regex: str) -> LanguageAnswer:
    from ..api.can import can
    from ..api.languages import LanguageAnswer

    found = can(regex=regex)
    assert isinstance(found, LanguageAnswer)
    return found


def answers(found: Findings, question: Question) -> Iterator[TaskAnswer]:
    """The answers in all scopes and arithmetics, of any number of layers."""
    for scope in SCOPES:
        for arithmetic in ARITHMETICS:
            yield answer_in(found, question, scope, arithmetic)


def answer_in(found: Findings, question: Question, scope: str = "closure", arithmetic: str = "exact") -> TaskAnswer:
    """The answer in a scope and an arithmetic: no by the row or by the layer's own range, yes by the row if the layer reaches what its networks use."""
    if arithmetic == "rounded":
        kinder = answer_in(found, question, scope, "exact")
        if kinder.says == "no":
            reason = "a range forbids it in exact arithmetic; rounding may attain an open end"
            return TaskAnswer(scope, arithmetic, "not excluded", reason, Grade("OPEN"))
    row = at_the_closure(found.row) if scope == "closure" else found.row
    said = "open" if row is None else question.of_row(row).says(layers="many", precision=arithmetic)
    if row is not None and said == "no":
        reason = f"{row} does not (lemmata can --model {row} {question.command})"
        return TaskAnswer(scope, arithmetic, "no", reason, _weakest(found.grade, question.grade_in(row, arithmetic)))
    for t in theorems(found, scope):
        if t.arithmetic == arithmetic and question.lacks(t.property):
            grade = _weakest(found.grade, ledger()[t.claim].verdict)
            return TaskAnswer(scope, arithmetic, "no", f"by the layer's own range: {t.claim}, which leaves {t.property} alone", grade)
    if row is None or said == "open":
        why = "no row of the table holds the layer, and its own range forbids nothing" if row is None else f"{row} is open in the table"
        return TaskAnswer(scope, arithmetic, "not decided", why, Grade("OPEN"))
    return _yes(found, question, scope, arithmetic, row)


def attained(answer: TaskAnswer, format: str, states: int) -> TaskAnswer:
    """The answer where all rounded states of the layer are known, and tell what is asked: a yes of these weights in rounded arithmetic."""
    if (answer.scope, answer.arithmetic) != ("these weights", "rounded"):
        return answer
    reason = f"one layer does, with an output of its state: {states} states are all that letters reach in {format}"
    return TaskAnswer(answer.scope, answer.arithmetic, "yes", reason, Grade("CHECKED", (f"in {format} on this machine",), ("rounded",)))


def _yes(found: Findings, question: Question, scope: str, arithmetic: str, row: str) -> TaskAnswer:
    """The yes of a row, if the layer reaches the eigenvalues that its networks use."""
    shown = f"{row} does (lemmata can --model {row} {question.command})"
    grade = question.grade_in(row, arithmetic)
    if row == "nonlinear":
        if found.step.name in CELLS and scope != "these weights":
            return TaskAnswer(scope, arithmetic, "yes", shown, _weakest(Grade("PROVED"), grade))
        return TaskAnswer(scope, arithmetic, "not decided", f"{row} layers do, of which this is one of many", Grade("OPEN"))
    if scope == "these weights":
        return TaskAnswer(scope, arithmetic, "not decided", "some weights do; these are not looked at", Grade("OPEN"))
    if row.startswith("diagonal-minus-rank-one") and not reflects(found.ranges):
        why = f"{row} does, and holds more than the layer, in which -k k^T has no coefficient up to 2"
        return TaskAnswer(scope, arithmetic, "not decided", why, Grade("OPEN"))
    judged = "closure" if row.startswith(OPEN_ENDED) else scope
    missing = [r.target for r in found.reaches if r.target in ends(row) and r.answers[judged] != "yes"]
    if missing:
        why = f"{row} does, and holds more than the layer, which is not known to reach {', '.join(map(str, missing))} ({judged})"
        return TaskAnswer(scope, arithmetic, "not decided", why, Grade("OPEN"))
    seen = [r.grades[judged] for r in found.reaches if r.target in ends(row)]
    weakest = max([found.grade, *seen], key=lambda g: GRADES.index(g.verdict))
    return TaskAnswer(scope, arithmetic, "yes", f"{shown}; the layer reaches {', '.join(map(str, ends(row)))}", _weakest(weakest, grade))


def ends(row: str) -> tuple[int, ...]:
    """The eigenvalues that networks of a row use."""
    return next((e for prefix, e in ENDS.items() if row.startswith(prefix)), SIGNED)


def _weakest(layer: Grade, table: str) -> Grade:
    """The grade of what rests on the layer's ranges and on an answer of the table."""
    verdict = max(layer.verdict, table, key=GRADES.index)
    return replace(layer, verdict=verdict, rests_on=(f"the table {table}", *layer.rests_on))
