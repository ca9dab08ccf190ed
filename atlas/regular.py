"""What regular tasks of the table have: the procedures of ``constructions/languages`` run on their machines.

``python -m lemmata.atlas.regular`` writes ``knowledge/regular.json``, from which :mod:`.knowledge` derives cells; reading it needs no mathematics.
"""

from __future__ import annotations

import json
from typing import Any

from ..api.languages import tracked_of
from ..api.question import Question, machine_of
from ..constructions.languages import PROPERTIES, Language, Undecided, language_of
from ..constructions.languages.properties import decided, implied
from .knowledge import REGULAR, Task, read_table


def language_named(machine: dict[str, Any]) -> Language:
    """The language of a machine of tasks.toml."""
    (kind, given), *options = machine.items()
    asked = Question(kind, given)
    return language_of(*tracked_of(asked, machine_of(asked, **dict(options))))


def has(language: Language, property: str) -> bool | None:
    """Whether a language has a property; None if that was not decided."""
    found = decided(language, property)
    return None if isinstance(found, Undecided) else found is None


def properties_of(task: Task) -> dict[str, Any]:
    """Of a regular task: what its family implies, None for a single machine, and which properties each machine has, None where undecided."""
    machines = [task.machine] if task.machine else task.members
    return {
        "family": None if task.family is None else sorted(implied(task.family)),
        "members": [
            {"name": _name(m), "has": {p: has(language, p) for p in PROPERTIES}} for m in machines for language in [language_named(m)]
        ],
    }


def _name(machine: dict[str, Any]) -> str:
    return str(next(iter(machine.values())))


def found() -> dict[str, Any]:
    """All regular tasks."""
    tasks = [Task(**t) for t in read_table("tasks")["task"]]
    return {t.id: properties_of(t) for t in tasks if t.machine is not None or t.family is not None}


def written() -> str:
    """The file, a task a line."""
    lines = (f"{json.dumps(id)}: {json.dumps(known, ensure_ascii=False)}" for id, known in found().items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    REGULAR.write_text(written(), encoding="utf-8")
