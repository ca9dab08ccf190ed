"""The ledger: what each claim says and what became of it, as data. Reading it imports no mathematics, so that it is quick.

``theorems/ledger/<topic>.json`` holds one entry per claim, in the order of the checks: the claim's words and the pinned outcome of its
check at standard effort. ``lemmata pin`` writes it; tests and ``lemmata verify`` compare every check with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from ..papers import papers

FOLDER = Path(__file__).with_name("ledger")

#: the words by which tables and letters name a paper: its key -> "Grazzi et al., Unlocking ...". What is in none of them stands under "new"
PAPERS = {key: paper.name for key, paper in papers().items()} | {"new": "lemmata"}

TOPICS = (
    "parity",
    "householder",
    "automata",
    "vandermonde",
    "universality",
    "depth",
    "bilinear",
    "bistable",
    "fixed_point",
    "gating",
    "signature",
)

KINDS = ("statement", "finding", "amended", "new")

#: classes of what is wrong, most serious first: the statement, its proof, a sentence about it, a symbol
FLAWS = ("false", "gap", "overstatement", "misprint")

VERDICTS = ("PROVED", "DERIVED", "CHECKED", "REFUTED", "CITED", "OPEN")

#: verdicts of what holds, strongest first; no claim says more than those that its argument uses
HOLDS = ("PROVED", "DERIVED", "CHECKED", "CITED")


@dataclass(frozen=True, kw_only=True)
class Words:
    """What an author writes of a claim: each field is declared here and nowhere else.

    ``title`` is one plain line for tables, which says no more than ``says``, the statement in our own words, with LaTeX; ``place`` is where it
    stands in the paper (or "after ..." for what is new). Of a finding, which is what is wrong in a proof, a display, a caption or a
    sentence, ``of`` names the statement and ``flaw`` the class: false, gap, overstatement or misprint. Of a repair ``amends`` names the entry
    that it repairs.

    ``reading`` says which misprint was mended, or which reading was taken, and whether a slip of extraction may explain it; ``letter`` is
    the sentence for the authors, needed wherever something is wrong; ``known`` names prior art beside a new claim; ``remarks`` hold what only
    an uncharitable reading breaks; ``construction`` is the dotted name of what realises it. ``uses`` are claims; an author names those alone that no step of the argument marks.
    """

    id: str = field(kw_only=False)
    place: str
    of: str | None = None
    flaw: str | None = None
    amends: str | None = None
    title: str
    says: str
    hypotheses: Sequence[str] = ()
    reading: str | None = None
    letter: str | None = None
    known: str | None = None
    remarks: Sequence[str] = ()
    uses: Sequence[str] = ()
    construction: str | None = None


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of a claim when its check ran."""

    verdict: str
    how: str
    scope: str
    domain: list[dict[str, Any]] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    citations: list[str] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)
    counterexamples: list[dict[str, Any]] = field(default_factory=list)
    exhibits: list[dict[str, Any]] = field(default_factory=list)
    formal: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Entry(Outcome, Words):
    """One claim as the ledger holds it: its words, what follows from where they stand, and what its check came to when it was pinned.

    ``counterexamples`` and ``exhibits``, telling instances of what was verified, hold what a person looks at.
    """

    topic: str
    paper: str
    kind: str
    argument: str = ""
    check: str = ""
    sabotages: list[str] = field(default_factory=list)
    certificates: list[str] = field(default_factory=list)

    @property
    def source(self) -> str:
        """The paper and the place."""
        return f"{PAPERS[self.paper]}; {self.place}" if self.place else PAPERS[self.paper]

    @property
    def fault(self) -> str | None:
        """The class of what is wrong: of a finding its own, "false" of a refuted statement; None where nothing is."""
        return fault(self.verdict, self.flaw)


def fault(verdict: str, flaw: str | None) -> str | None:
    """The class under which a refuted entry counts: a finding's own, "false" for anything else; None if it is not refuted."""
    return (flaw or "false") if verdict == "REFUTED" else None


@cache
def _read(topic: str) -> dict[str, Entry]:
    path = FOLDER / f"{topic}.json"
    table = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {id: Entry(id=id, topic=topic, **facts) for id, facts in table.items()}


def ledger() -> dict[str, Entry]:
    """All entries by id, topic by topic."""
    return {id: entry for topic in TOPICS for id, entry in _read(topic).items()}


@cache
def folded() -> dict[str, dict[str, str]]:
    """Ids that a wider entry has taken in: id -> {"into": the entry, "why": a sentence}. They still find their way there."""
    return json.loads((FOLDER.parent / "folded.json").read_text(encoding="utf-8"))


def current(id: str) -> str:
    """The id of the entry that now holds a claim: its own, or that of the entry into which it was folded."""
    while id in folded():
        id = folded()[id]["into"]
    return id


def forget() -> None:
    """Forget what was read, since the files have changed."""
    _read.cache_clear()


def entries(ids: list[str] | None = None, papers: list[str] | None = None, topics: list[str] | None = None) -> list[Entry]:
    """The entries restricted to the ids, papers and topics given; an id that was folded stands for the entry that took it in.

    Raises ``ValueError`` for unknown ones, and for a choice that leaves none.
    """
    everything = ledger()
    ids = [current(id) for id in ids] if ids else ids
    require_known("claim id", ids, list(everything))
    require_known("paper", papers, list(PAPERS))
    require_known("topic", topics, TOPICS)
    chosen = [
        e
        for e in everything.values()
        if (not ids or e.id in ids) and (not papers or e.paper in papers) and (not topics or e.topic in topics)
    ]
    if not chosen:
        raise ValueError("expected at least one claim, got none for this choice of ids, papers and topics: see lemmata list")
    return chosen


def findings_of(id: str) -> list[Entry]:
    """The findings that hang on a statement, most serious first."""
    return sorted((e for e in ledger().values() if e.of == id), key=lambda e: FLAWS.index(e.flaw or "misprint"))


def repairs_of(id: str) -> list[Entry]:
    """The amended entries that repair a claim."""
    return [e for e in ledger().values() if e.amends == id]


def tally(chosen: Iterable[Entry]) -> dict[str, dict[str, int]]:
    """Per paper, in the order of ``PAPERS``: its statements (headlines included) by verdict, its findings by class, the amended entries.

    What is new counts under "new", by verdict. Each entry counts once.
    """
    out: dict[str, dict[str, int]] = {}
    for e in chosen:
        row = out.setdefault("new" if e.kind == "new" else e.paper, dict.fromkeys((*VERDICTS, *FLAWS, "amended"), 0))
        row[e.flaw if e.flaw else "amended" if e.kind == "amended" else e.verdict] += 1
    return {paper: out[paper] for paper in PAPERS if paper in out}


def papers_with_claims() -> list[str]:
    """The keys of the papers that some claim is about, in the order of ``PAPERS``; not "new"."""
    found = {e.paper for e in ledger().values()}
    return [key for key in papers() if key in found]


def topic_of(id: str) -> str | None:
    """The topic that the ledger lists a claim under; None for a claim that was never pinned."""
    entry = ledger().get(id)
    return entry.topic if entry else None


def require_known(what: str, wanted: list[str] | None, known: Any) -> None:
    """Raise ``ValueError`` naming near ones if something wanted is not known."""
    for name in wanted or []:
        if name not in known:
            names = list(dict.fromkeys(known))
            near = [k for k in names if name and name in k][:3] or get_close_matches(name, names, n=3, cutoff=0.4)
            hint = f"; did you mean {', '.join(near)}?" if near else f"; known: {', '.join(sorted(names)[:12])}"
            raise ValueError(f"expected a known {what}, got {name!r}{hint}")
