"""The pages that answer what users of the layers ask: ``atlas/questions/*.md``, TOML between lines of +++, then Markdown with code between fences."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ...theorems.ledger import Entry, ledger, require_known
from .text import FENCE

FOLDER = Path(__file__).parents[1] / "questions"


@dataclass(frozen=True)
class Question:
    """``parts`` are (kind, text) in order: "text" is Markdown, "console" and "python" are code. ``claims`` are what the answer rests on."""

    id: str
    title: str
    order: int
    claims: tuple[Entry, ...]
    parts: tuple[tuple[str, str], ...]

    def code(self, kind: str) -> list[str]:
        """The blocks of one kind."""
        return [text for found, text in self.parts if found == kind]


@cache
def questions() -> tuple[Question, ...]:
    """All questions in order. Raises ``ValueError`` for a page without front matter, or a claim that the ledger does not have."""
    return tuple(sorted((_read(path) for path in FOLDER.glob("*.md")), key=lambda q: (q.order, q.id)))


def _read(path: Path) -> Question:
    _, front, body = path.read_text(encoding="utf-8").split("+++\n", 2)
    facts = tomllib.loads(front)
    require_known("claim", facts["claims"], ledger())
    # text, kind, code, text, kind, code, ..., text
    pieces = FENCE.split(body)
    kinds = ["text", *(piece for i, piece in enumerate(pieces) if i % 3 == 1 for piece in (piece, "text"))]
    parts = [(kind, text) for kind, text in zip(kinds, [x for i, x in enumerate(pieces) if i % 3 != 1], strict=True) if text.strip()]
    return Question(path.stem, facts["title"], facts["order"], tuple(ledger()[id] for id in facts["claims"]), tuple(parts))
