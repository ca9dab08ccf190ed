"""What a claim is, and the registry of all claims."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from .evidence import Proof
from .ledger import FLAWS, KINDS, PAPERS, TOPICS, current, require_known, topic_of


@dataclass(frozen=True)
class Source:
    """A place in a paper."""

    paper: str
    place: str

    def __str__(self) -> str:
        return f"{PAPERS[self.paper]}; {self.place}" if self.place else PAPERS[self.paper]


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A statement, or a finding about one, with its source and the check that decides it.

    ``check(proof, **ingredients)`` records evidence; the ingredients default to the real constructions, and each sabotage
    replaces some of them by broken ones, after which the verdict must be lost. The other fields are those of :func:`claim`.
    """

    id: str
    source: Source
    topic: str
    title: str
    says: str
    check: Callable[..., None]
    kind: str = "statement"
    of: str | None = None
    flaw: str | None = None
    letter: str | None = None
    hypotheses: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    amends: str | None = None
    construction: str | None = None
    reading: str | None = None
    known: str | None = None
    remarks: tuple[str, ...] = ()
    sabotages: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def paper(self) -> str:
        return self.source.paper

    @property
    def argument(self) -> str:
        """The proof in prose, Markdown with formulas: the check's docstring."""
        return inspect.cleandoc(self.check.__doc__ or "")

    def _repr_markdown_(self) -> str:
        return rf"**{self.id}** ({self.source.place}). {self.says}"


_REGISTRY: dict[str, Claim] = {}

#: claim -> the functions that tie implementations to what the claim speaks of
_TIES: dict[str, list[Callable[[Proof], None]]] = {}


def tie(id: str) -> Callable[[Callable[[Proof], None]], Callable[[Proof], None]]:
    """Register the decorated function as a tie of the claim ``id``: it holds implementations to exact references, by ``proof.tied`` and ``proof.extra``.

    A tie runs after the check. Its steps stand apart from the verdict; one that fails takes the verdict away.
    """

    def register(function: Callable[[Proof], None]) -> Callable[[Proof], None]:
        _TIES.setdefault(id, []).append(function)
        return function

    return register


def claim(
    id: str,
    *,
    topic: str,
    place: str,
    title: str,
    says: str,
    sabotages: Mapping[str, Mapping[str, Any]],
    kind: str = "statement",
    of: str | None = None,
    flaw: str | None = None,
    letter: str | None = None,
    hypotheses: tuple[str, ...] = (),
    uses: tuple[str, ...] = (),
    amends: str | None = None,
    construction: str | None = None,
    reading: str | None = None,
    known: str | None = None,
    remarks: tuple[str, ...] = (),
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register the decorated check as the claim ``id`` ("paper.place", or "new.topic.name").

    ``title`` is one plain line for tables, which says no more than ``says``, the statement in our own words, with LaTeX; ``place``
    where it stands in the paper (or "after ..." for what is new); ``sabotages`` maps a line that says what is broken to the
    ingredients of the check that it replaces.

    ``kind`` is "statement" (the paper's, read as its authors mean it), "finding" (what is wrong in its proof, a display, a caption or a
    sentence: ``of`` names the statement and ``flaw`` the class, false, gap, overstatement or misprint), "amended" (the repair of the entry
    ``amends``) or "new". ``reading`` says which misprint was mended, or which reading was taken, and whether a slip of extraction may
    explain it; ``letter`` is the sentence for the authors, needed wherever something is wrong; ``known`` names prior art beside a new
    claim; ``remarks`` hold what only an uncharitable reading breaks.

    Raises ``ValueError`` for a duplicate id, an unknown kind, flaw, topic or paper, a finding without statement, or no sabotage.
    """

    def register(check: Callable[..., None]) -> Callable[..., None]:
        paper = id.split(".")[0]
        if paper not in PAPERS:
            raise ValueError(f"expected the id to start with one of {sorted(PAPERS)}, got {id!r}")
        if id in _REGISTRY:
            raise ValueError(f"expected a new id, got {id!r}, which is registered already")
        if topic not in TOPICS:
            raise ValueError(f"expected a topic among {TOPICS}, got {topic!r} for {id}")
        if kind not in KINDS:
            raise ValueError(f"expected a kind among {KINDS}, got {kind!r} for {id}")
        if (kind == "finding") != (of is not None) or (kind == "finding") != (flaw is not None):
            raise ValueError(f"expected `of` and `flaw` for a finding, and for nothing else, got {of!r} and {flaw!r} for {id}")
        if flaw is not None and flaw not in FLAWS:
            raise ValueError(f"expected a flaw among {FLAWS}, got {flaw!r} for {id}")
        if (kind == "amended") != (amends is not None):
            raise ValueError(f"expected `amends` for an amended claim, and for nothing else, got {amends!r} for {id}")
        if not sabotages:
            raise ValueError(f"expected at least one sabotage for {id}, got none: a check must be able to fail")
        _REGISTRY[id] = Claim(
            id=id,
            source=Source(paper, place),
            topic=topic,
            title=title,
            says=says,
            check=check,
            kind=kind,
            of=of,
            flaw=flaw,
            letter=letter,
            hypotheses=hypotheses,
            uses=uses,
            amends=amends,
            construction=construction,
            reading=reading,
            known=known,
            remarks=remarks,
            sabotages=sabotages,
        )
        return check

    return register


def claims(ids: list[str] | None = None, papers: list[str] | None = None, topics: list[str] | None = None) -> list[Claim]:
    """The claims, topic by topic in order of registration, restricted to the ids, papers and topics given; only the topics needed are imported.

    Raises ``ValueError`` for an unknown id, paper or topic, naming near ones, and for a choice that leaves no claim.
    """
    require_known("topic", topics, TOPICS)
    ids = [current(id) for id in ids] if ids else ids
    needed = {topic_of(id) for id in ids or []}
    for topic in TOPICS:
        if (not needed or None in needed or topic in needed) and (not topics or topic in topics):
            import_module(f".{topic}", __package__)
            import_module(f".ties.{topic}", __package__)
    everything = sorted(_REGISTRY.values(), key=lambda c: TOPICS.index(c.topic))
    if None in needed or not needed:
        require_known("claim id", ids, [c.id for c in everything])
    require_known("paper", papers, list(PAPERS))
    chosen = [c for c in everything if (not ids or c.id in ids) and (not papers or c.paper in papers) and (not topics or c.topic in topics)]
    if not chosen:
        given = "; ".join(f"{name} {', '.join(values)}" for name, values in (("ids", ids), ("paper", papers), ("topic", topics)) if values)
        raise ValueError(f"expected at least one claim, got none for {given}: see lemmata list")
    return chosen


def decide(c: Claim, effort: str = "standard", **ingredients: Any) -> Proof:
    """Run the check of one claim and return its evidence; ``ingredients`` replace the check's own (a sabotage), and then no ties run."""
    proof = Proof(effort)
    c.check(proof, **ingredients)
    for held in () if ingredients else _TIES.get(c.id, ()):
        held(proof)
    return proof
