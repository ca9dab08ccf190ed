"""Which sentence of a paper is judged where: a map for each paper, a row for each unit of its text, without the text.

``papers/maps/<key>.tsv`` begins with the digest of the text that was read. Its rows are: start, end, hash, mark, ids, note.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path

from ..units import Unit, units

FOLDER = Path(__file__).parent

#: what a unit can be -> what the mark means
MARKS = {
    "judged": "a statement, a formula or a table that the entries named judge",
    "step": "a step of the proof of the entries named; the note says whether it is checked there or was only read",
    "definition": "a definition, a notation or an assumption, which nothing can refute",
    "setup": "what an experiment or an example is made of, and how its picture is read",
    "measurement": "a reported measurement: training, language models, times",
    "citation": "a result that another paper is said to have shown",
    "related": "what other models and other work are, do or lack, without a result of theirs",
    "motivation": "what the authors want, do next or leave for later, and why",
    "opinion": "a conjecture, a hope, praise or an explanation that nothing in the paper shows",
    "other": "not mathematical: names, headings, thanks, bibliography, code",
    "unjudged": "a statement that no entry judges yet; the note says which",
    "unreadable": "cannot be read in the text at hand",
}

#: the marks that readers confused -> the question that decides; the first with a yes counts, after the marks that are not here.
#: A sentence has the mark of its main clause, one with two main clauses that of the earlier question, and a part of a sentence that of the whole.
#: The hypotheses of a statement are judged with it. In a caption each sentence is asked alone: a title without a verb, a legend and a sentence
#: that only says which picture or table shows what are setup. What others proved is judged where an entry decides it, and else a citation.
QUESTIONS = {
    "other": "Is it a name, a heading or code, or does it only announce or point to a part of this paper, and say nothing of what holds?",
    "step": "Does it stand in a proof or a derivation as an inference, a case or a choice, and not only as a name?",
    "judged": "Do its own words, announced, repeated or in a caption, say of mathematics what a proof or a calculation could show false?",
    "measurement": "Does it tell what came out of a run: a score, a time, a curve, or a comparison of these?",
    "definition": "Does it give a name, or fix by choice what a symbol, a model or an assumption is, and say nothing more?",
    "setup": "Is it needed to run the experiment or the example again, or to read its picture?",
    "citation": "Does it give a result that a named work proved or measured, so definite that a reader could find it false there?",
    "related": "Is it about a model or a work that is not the authors' own, or does it compare theirs with one?",
    "opinion": "Could it turn out wrong, while the paper neither proves nor measures it?",
    "motivation": "Does it tell what the authors want, do next or leave for later, so that only another plan of theirs makes it wrong?",
}

#: marks that name the entries of the ledger that they speak of
NAMING = ("judged", "step")

#: how the note of a heading begins; the place follows: "heading: Sec. 3.1"
HEADING = "heading: "

#: words that make a sentence more than a motivation
CLAIMS = re.compile(
    r"\b(all|any|every|each|no|none|never|always|only|exists?|cannot|must|necessary|sufficient|iff|equivalent|more|less|fewer|larger|smaller|greater|"
    r"better|worse|faster|slower|higher|lower|than|at least|at most|exactly|if and only if|impossible|optimal|unique)\b|[<>≤≥=∀∃]|\\(?:le|ge|leq|geq|forall|exists)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Row:
    """A unit of a paper's text with its mark; ``ids`` are entries of the ledger, ``note`` is a reason or a remark in our words."""

    unit: Unit
    mark: str = ""
    ids: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Map:
    """The units of one text of a paper; ``digest`` is the SHA-256 hash of the file that was read."""

    key: str
    digest: str
    rows: tuple[Row, ...]

    @property
    def unmarked(self) -> list[int]:
        """The numbers of the units that have no mark."""
        return [i for i, row in enumerate(self.rows) if not row.mark]

    def counts(self) -> dict[str, int]:
        """How many units have each mark, in the order of :data:`MARKS`; those that have none stand last, under "unmarked"."""
        found = Counter(row.mark for row in self.rows)
        return {mark: found[mark] for mark in MARKS if found[mark]} | ({"unmarked": found[""]} if found[""] else {})

    def places(self) -> dict[str, list[int]]:
        """Entry -> the numbers of the units that it judges, or that are steps of its proof."""
        found: dict[str, list[int]] = {}
        for i, row in enumerate(self.rows):
            for id in row.ids:
                found.setdefault(id, []).append(i)
        return found

    def sections(self) -> list[tuple[str, range]]:
        """The places of the headings, such as "Sec. 3.1", and the numbers of the units from each to the next; before the first heading the place is empty."""
        starts = [i for i, row in enumerate(self.rows) if row.note.startswith(HEADING)]
        edges = [0, *starts, len(self.rows)]
        names = ["", *(self.rows[i].note.removeprefix(HEADING) for i in starts)]
        return [(name, range(a, b)) for name, (a, b) in zip(names, pairwise(edges), strict=True) if a < b]

    def marked(self, marks: Iterable[tuple[int, str, str, str]]) -> Map:
        """With the marks given: (number, mark, ids with commas between, note).

        Raises ``ValueError`` for a number that is no unit, an unknown mark, ids where none belong, or none where they do.
        """
        rows = list(self.rows)
        for number, mark, ids, note in marks:
            if not 0 <= number < len(rows):
                raise ValueError(f"expected the number of a unit below {len(rows)}, got {number}")
            rows[number] = _sensible(
                replace(rows[number], mark=mark, ids=tuple(id.strip() for id in ids.split(",") if id.strip()), note=note.strip())
            )
        return replace(self, rows=tuple(rows))

    def remarked(self) -> Map:
        """The same units, marked anew by the marks that they have: it fails where one of them makes no sense, as :meth:`marked`."""
        bare = replace(self, rows=tuple(Row(row.unit) for row in self.rows))
        return bare.marked((i, r.mark, ",".join(r.ids), r.note) for i, r in enumerate(self.rows) if r.mark)

    def found_in(self, text: str) -> int:
        """How many units of this map stand in another text of the paper, by the hash of their words."""
        there = Counter(unit.hash for unit in units(text))
        return sum((there & Counter(row.unit.hash for row in self.rows)).values())

    def write(self) -> Path:
        """Write ``papers/maps/<key>.tsv``, and return its path."""
        lines = [f"text\t{self.digest}", "start\tend\thash\tmark\tids\tnote"]
        lines += [f"{r.unit.start}\t{r.unit.end}\t{r.unit.hash}\t{r.mark}\t{','.join(r.ids)}\t{r.note}".rstrip("\t") for r in self.rows]
        path = FOLDER / f"{self.key}.tsv"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        read.cache_clear()
        return path


def _sensible(row: Row) -> Row:
    if row.mark not in MARKS:
        raise ValueError(f"expected a mark among {', '.join(MARKS)}, got {row.mark!r}")
    if bool(row.ids) != (row.mark in NAMING):
        raise ValueError(
            f"expected entries with {' and '.join(NAMING)} and with no other mark, got {row.mark!r} with {', '.join(row.ids) or 'none'}"
        )
    if row.mark == "step" and row.note.split(":")[0] not in ("checked", "read"):
        raise ValueError(f"expected a step with the note 'checked' or 'read', got {row.note!r}")
    if "\t" in row.note or "\n" in row.note:
        raise ValueError(f"expected a note on one line without tabs, got {row.note!r}")
    return row


@dataclass(frozen=True, kw_only=True)
class Second:
    """How far a second reading of some units of a map, drawn at random, agreed with the first; ``papers/maps/second.toml`` says what is counted."""

    drawn: int
    disagreements: int
    corrected: int
    changed: int

    def __post_init__(self) -> None:
        if not 0 <= self.corrected <= self.disagreements <= self.drawn or self.changed < self.corrected:
            raise ValueError(f"expected corrected <= disagreements <= drawn and corrected <= changed, none of them negative, got {self}")

    def __str__(self) -> str:
        return (
            f"a second reading of {self.drawn} units disagreed in {self.disagreements}, and the map was wrong in {self.corrected} of these; "
            f"{self.changed} units were changed when the whole was read again"
        )


@cache
def second() -> dict[str, Second]:
    """The second readings, by paper.

    Raises ``ValueError`` for numbers that cannot be, ``TypeError`` for a field that none has or that is missing.
    """
    found = tomllib.loads((FOLDER / "second.toml").read_text(encoding="utf-8"))
    return {key: Second(**numbers) for key, numbers in found.items()}


def sha256(text: str) -> str:
    """The digest of a text, as UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


def blank(key: str, text: str) -> Map:
    """The units of a text, none of them marked."""
    return Map(key, sha256(text), tuple(Row(unit) for unit in units(text)))


@cache
def read(key: str) -> Map | None:
    """The map of a paper; None where nobody has read it.

    >>> read("nobody99") is None
    True
    """
    path = FOLDER / f"{key}.tsv"
    if not path.exists():
        return None
    (_, digest), _, *rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return Map(key, digest, tuple(_row(*row) for row in rows))


def _row(start: str, end: str, hash: str, mark: str = "", ids: str = "", note: str = "") -> Row:
    return Row(Unit(int(start), int(end), hash), mark, tuple(filter(None, ids.split(","))), note)
