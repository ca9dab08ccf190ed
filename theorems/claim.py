"""What a claim is, and the registry of all claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .evidence import Proof

KINDS = ("paper", "amended", "new")


@dataclass(frozen=True)
class Source:
    """A place in a paper."""

    paper: str
    place: str

    def __str__(self) -> str:
        return f"{PAPERS.get(self.paper, self.paper)}; {self.place}" if self.place else PAPERS[self.paper]


PAPERS = {
    "grazzi25": "Grazzi et al., Unlocking state-tracking in linear RNNs through negative eigenvalues",
    "movahedi25": "Movahedi et al., Fixed-point RNNs: from diagonal to dense in a few iterations",
    "orvieto24": "Orvieto et al., Universality of linear recurrences followed by non-linear projections",
    "degeeter26": "De Geeter et al., Parallelizable memory recurrent units",
    "lizaire26": "On the role of depth in the expressivity of RNNs",
    "new": "lemmata",
}


@dataclass(frozen=True)
class Claim:
    """A statement with its source and the check that decides it.

    ``check(proof, **ingredients)`` records evidence; the ingredients default to the real constructions, and each sabotage
    replaces some of them by broken ones, after which the verdict must be lost.
    """

    id: str
    source: Source
    topic: str
    title: str
    says: str
    kind: str
    hypotheses: tuple[str, ...]
    uses: tuple[str, ...]
    amends: str | None
    construction: str | None
    reading: str | None
    check: Callable[..., None]
    sabotages: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def paper(self) -> str:
        return self.source.paper

    @property
    def argument(self) -> str:
        """The idea of the proof: the check's docstring."""
        return (self.check.__doc__ or "").strip()

    def _repr_markdown_(self) -> str:
        return rf"**{self.id}** ({self.source.place}). {self.says}"


_REGISTRY: dict[str, Claim] = {}


def claim(
    id: str,
    *,
    topic: str,
    place: str,
    title: str,
    says: str,
    sabotages: Mapping[str, Mapping[str, Any]],
    kind: str = "paper",
    hypotheses: tuple[str, ...] = (),
    uses: tuple[str, ...] = (),
    amends: str | None = None,
    construction: str | None = None,
    reading: str | None = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register the decorated check as the claim ``id`` ("paper.place", or "new.topic.name").

    ``title`` is one plain line for tables; ``says`` the statement in our own words, with LaTeX; ``place`` where it stands in
    the paper (or "after ..." for what is new); ``sabotages`` maps a line that says what is broken to the ingredients of the
    check that it replaces. Raises ``ValueError`` for a duplicate id, an unknown kind or paper, or no sabotage.
    """

    def register(check: Callable[..., None]) -> Callable[..., None]:
        paper = id.split(".")[0]
        if paper not in PAPERS:
            raise ValueError(f"expected the id to start with one of {sorted(PAPERS)}, got {id!r}")
        if id in _REGISTRY:
            raise ValueError(f"expected a new id, got {id!r}, which is registered already")
        if kind not in KINDS:
            raise ValueError(f"expected a kind among {KINDS}, got {kind!r} for {id}")
        if not sabotages:
            raise ValueError(f"expected at least one sabotage for {id}, got none: a check must be able to fail")
        _REGISTRY[id] = Claim(
            id, Source(paper, place), topic, title, says, kind, hypotheses, uses, amends, construction, reading, check, sabotages
        )
        return check

    return register


def claims(ids: list[str] | None = None, papers: list[str] | None = None, topics: list[str] | None = None) -> list[Claim]:
    """The registered claims, in order of registration, restricted to the ids, papers and topics given.

    Raises ``ValueError`` for an unknown id, paper or topic, naming near ones.
    """
    everything = list(_REGISTRY.values())
    _require_known("claim id", ids, [c.id for c in everything])
    _require_known("paper", papers, [c.paper for c in everything])
    _require_known("topic", topics, [c.topic for c in everything])
    return [c for c in everything if (not ids or c.id in ids) and (not papers or c.paper in papers) and (not topics or c.topic in topics)]


def _require_known(what: str, wanted: list[str] | None, known: list[str]) -> None:
    from difflib import get_close_matches

    for name in wanted or []:
        if name not in known:
            known = list(dict.fromkeys(known))
            near = [k for k in known if name and name in k][:3] or get_close_matches(name, known, n=3, cutoff=0.4)
            hint = f"; did you mean {', '.join(near)}?" if near else f"; known: {', '.join(sorted(known)[:12])}"
            raise ValueError(f"expected a known {what}, got {name!r}{hint}")


def decide(c: Claim, effort: str = "standard", **ingredients: Any) -> Proof:
    """Run the check of one claim and return its evidence; ``ingredients`` replace the check's own (a sabotage)."""
    proof = Proof(effort)
    c.check(proof, **ingredients)
    return proof
