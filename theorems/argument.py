"""The proof in prose that stands in a check's docstring: numbered steps, each with a mark that says what carries it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import zip_longest

#: [checked: "step"; "step"] evidence that the check records, [prose] nothing but these words, [uses: id, id] other claims, [cited: theorem]
MARK = re.compile(r'\[(checked|prose|uses|cited)(?::\s*((?:"[^"]*"|[^\]"])*))?\]')  # quoted words may hold brackets
START = re.compile(r"^(\d+)\.\s", re.MULTILINE)


@dataclass(frozen=True)
class Step:
    """One numbered step: its text without marks, the evidence that checks it (beginnings of what was recorded), claims used, theorems cited, and marks."""

    number: int
    text: str
    checked: tuple[str, ...]
    uses: tuple[str, ...]
    cited: tuple[str, ...]
    marks: tuple[str, ...]

    @property
    def is_prose(self) -> bool:
        return "prose" in self.marks


def steps_of(argument: str) -> list[Step]:
    """The numbered steps of an argument; a step ends where the next begins, or at a blank line.

    A line that begins with a number and a full stop begins a step.
    """
    found = list(START.finditer(argument))
    steps = []
    for here, after in zip_longest(found, found[1:]):
        text = argument[here.end() : after.start() if after else len(argument)].split("\n\n")[0]
        marks = [(m.group(1), " ".join((m.group(2) or "").split())) for m in MARK.finditer(text)]
        steps.append(
            Step(
                number=int(here.group(1)),
                text=" ".join(MARK.sub("", text).split()),
                checked=tuple(q for kind, body in marks if kind == "checked" for q in re.findall(r'"([^"]+)"', body)),
                uses=tuple(x.strip() for kind, body in marks if kind == "uses" for x in body.split(",")),
                cited=tuple(body for kind, body in marks if kind == "cited"),
                marks=tuple(kind for kind, _ in marks),
            )
        )
    return steps
