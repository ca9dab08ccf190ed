"""What a probe says of a task: in each scope and arithmetic an answer with its grade."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ..theorems.ledger import require_known
from .result import Result

if TYPE_CHECKING:
    from ..probe.tasks import Question, TaskAnswer

COLOURS = {"yes": "green", "no": "red"}

#: the arithmetics, as ``lemmata can`` has them
ARITHMETICS = {"exact": "finitely many exact states", "margin": "a margin", "rounded": "rounded"}


@dataclass(frozen=True, repr=False, eq=False)
class AnswerOfLayer(Result):
    """Whether any number of a layer does a task, or recognises a language.

    Attributes:
        name: What the layer is called.
        question: The task or the language.
        answers: The answers in all scopes and arithmetics.
    """

    name: str
    question: Question
    answers: tuple[TaskAnswer, ...]

    def at(self, scope: str = "closure", arithmetic: str = "exact") -> TaskAnswer:
        """The answer in a scope and an arithmetic, with its reason and grade.

        Args:
            scope: "these weights", "architecture" or "closure".
            arithmetic: "exact", "margin" or "rounded".

        Raises:
            ValueError: Another scope or arithmetic.
        """
        require_known("scope", [scope], list(dict.fromkeys(a.scope for a in self.answers)))
        require_known("arithmetic", [arithmetic], ARITHMETICS)
        return next(a for a in self.answers if (a.scope, a.arithmetic) == (scope, arithmetic))

    def says(self, scope: str = "closure", arithmetic: str = "exact") -> str:
        """ "yes", "no", "not decided", or "not excluded" where a range forbids it in exact arithmetic alone.

        Args:
            scope: "these weights", "architecture" or "closure".
            arithmetic: "exact", "margin" or "rounded".

        Raises:
            ValueError: Another scope or arithmetic.
        """
        return self.at(scope, arithmetic).says

    @property
    def data(self) -> dict[str, Any]:
        return {
            "layer": self.name,
            "task": self.question.task,
            "regex": self.question.regex,
            "answer": self.says(),
            "answers": [
                {"scope": a.scope, "arithmetic": a.arithmetic, "says": a.says, "grade": str(a.grade), "reason": a.reason}
                for a in self.answers
            ],
        }

    def parts(self) -> Iterator[RenderableType]:
        yield Text.assemble((str(self.question), "bold"), f", any number of layers of {self.name}")
        table = Table("scope", *ARITHMETICS.values(), box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for scope in dict.fromkeys(a.scope for a in self.answers):
            said = [self.at(scope, arithmetic) for arithmetic in ARITHMETICS]
            table.add_row(scope, *(Text(a.grade.of(a.says), COLOURS.get(a.says, "yellow")) for a in said))
        yield table
        for a in (self.at("closure"), self.at("architecture")):
            yield Text(f"{a.scope}, exact: {a.says}: {a.reason} ({a.grade})")
