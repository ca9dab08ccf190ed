"""The papers in CITATION.cff: its references are written from ``papers/``, everything above them by hand."""

from __future__ import annotations

import json
import os
from pathlib import Path

from ..papers import Paper, papers
from ..theorems.files import write_whole
from .where import ROOT

CITATION = ROOT / "CITATION.cff"

#: the line below which all is written from papers/
REFERENCES = "references:\n"


def with_references(text: str) -> str:
    """The text of a Citation File Format with the references that ``papers/`` give, in its order.

    Raises ``ValueError`` for a text without references.
    """
    head, mark, _ = text.partition(REFERENCES)
    if not mark:
        raise ValueError(f"expected a line {REFERENCES.strip()!r} in CITATION.cff, got none")
    return head + mark + "".join(map(_reference, papers().values()))


def write_citation(target: Path = CITATION) -> list[Path]:
    """Write the references anew; the file, if it changed."""
    before = target.read_text(encoding="utf-8")
    if with_references(before) == before:
        return []
    write_whole(target, with_references(before))
    return [Path(os.path.relpath(target))]


def _reference(paper: Paper) -> str:
    people = "".join(f"      - {{given-names: {_quoted(given)}, family-names: {_quoted(family)}}}\n" for given, family in paper.authors)
    return (
        f"  - type: article\n    title: {_quoted(paper.title)}\n    authors:\n{people}"
        f"    year: {paper.year}\n    url: {_quoted(paper.link)}\n    notes: {_quoted(f'{paper.key} in the ledger')}\n"
    )


def _quoted(text: str) -> str:
    """A string of JSON is one of YAML."""
    return json.dumps(text, ensure_ascii=False)
