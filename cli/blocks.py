"""The parts that documents are made of. Text is our own words: formulas between dollar signs, code between backticks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Heading:
    """``level`` 1 is the title of the document."""

    level: int
    text: str


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Facts:
    """Names and what they are: (statement, ...), (letter, ...)."""

    rows: list[tuple[str, str]]


@dataclass(frozen=True)
class Items:
    """A list; ``rows`` are texts."""

    rows: list[str]


@dataclass(frozen=True)
class Numbers:
    """A counterexample: what is given, the hypotheses that it satisfies, what it violates."""

    title: str
    given: dict[str, Any]
    hypotheses: list[str]
    violates: list[str]


@dataclass(frozen=True)
class Counts:
    """A table: ``head`` and rows; the first column holds names, the others numbers."""

    head: list[str]
    rows: list[list[str]] = field(default_factory=list)


@dataclass(frozen=True)
class Appendix:
    """What follows begins on a page of its own."""


@dataclass(frozen=True)
class Quote:
    """Words of a paper."""

    text: str


@dataclass(frozen=True)
class Code:
    """Lines of a program, of at most 100 columns."""

    text: str
    language: str


@dataclass(frozen=True)
class Generated:
    """The mark of a page that a command writes, for whoever edits it."""

    command: str


Block = Generated | Heading | Paragraph | Appendix | Quote | Code | Facts | Items | Numbers | Counts
