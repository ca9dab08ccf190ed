"""The papers whose theorems are claims here, a file for each: ``grazzi25.toml`` is the paper with the key ``grazzi25``.

Everything else that names a paper is made from these files: CITATION.cff, tables, letters to the authors, pages of the site, tests.
``lemmata new paper KEY`` writes such a file.

The texts of the papers are not here. A phrase that a claim judges may be quoted, word for word, with at most 40 words; nothing else is copied.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Which text of a paper was read: its SHA-256 digest, what it says of its own version, and whether later versions were looked at."""

    text: str
    version: str
    later: str

    def __post_init__(self) -> None:
        if not re.fullmatch("[0-9a-f]{64}", self.text):
            raise ValueError(f"expected the 64 digits of a SHA-256 digest, got {self.text!r}")

    @property
    def line(self) -> str:
        """The line that a letter to the authors opens with."""
        return f"The text that was read has a SHA-256 digest that begins with {self.text[:12]}. {self.version} {self.later}"


@dataclass(frozen=True, kw_only=True)
class Paper:
    """A paper.

    ``authors`` are pairs of given and family names; ``about`` says in one or two sentences what the paper proves; ``short`` is its title for
    tables and letters where the whole is too long. ``statements`` are the ids, without the key, of what the paper numbers:
    each has a claim. A paper may leave them empty. ``read`` says which text was read; a new paper may leave it out. ``first_page`` are the ids
    of the three findings with which the letter to the authors begins, each with a script in ``papers/checks``.
    """

    key: str
    title: str
    authors: tuple[tuple[str, str], ...]
    year: int
    link: str
    about: str
    short: str | None = None
    statements: tuple[str, ...] = ()
    read: Reading | None = None
    first_page: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.first_page) not in (0, 3) or any(id.split(".")[0] != self.key for id in self.first_page):
            raise ValueError(f"expected no ids or three of findings of {self.key} in its first_page, got {list(self.first_page)}")

    @property
    def checks(self) -> dict[str, Path]:
        """The script that shows each finding of the first page: id -> file."""
        return {id: FOLDER / "checks" / f"{id.replace('.', '_')}.py" for id in self.first_page}

    @property
    def name(self) -> str:
        """The first author and the short title: "Grazzi et al., Unlocking ..."."""
        family = self.authors[0][1]
        return f"{family}{' et al.' if len(self.authors) > 1 else ''}, {self.short or self.title}"

    @property
    def people(self) -> str:
        """The family names: "Orvieto, De and Smith"."""
        *others, last = (family for _, family in self.authors)
        return f"{', '.join(others)} and {last}" if others else last


@cache
def papers() -> dict[str, Paper]:
    """All papers by key, the oldest first; of one year in the order of their keys.

    Raises ``ValueError`` for a file with a field that no paper has, or without one that each has.

    >>> papers()["grazzi25"].year
    2025
    """
    found = [_read(path) for path in FOLDER.glob("*.toml")]
    return {paper.key: paper for paper in sorted(found, key=lambda paper: (paper.year, paper.key))}


def _read(path: Path) -> Paper:
    facts = tomllib.loads(path.read_text(encoding="utf-8"))
    if not facts.get("authors"):
        raise ValueError(f"expected at least one author in papers/{path.name}, got none")
    try:
        return Paper(
            key=path.stem,
            **facts
            | {
                "authors": tuple((given, family) for given, family in facts["authors"]),
                "statements": tuple(facts.get("statements", [])),
                "first_page": tuple(facts.get("first_page", [])),
                "read": Reading(**facts["read"]) if "read" in facts else None,
            },
        )
    except TypeError as why:
        raise ValueError(f"expected the fields of a paper in papers/{path.name}: {why}") from why
