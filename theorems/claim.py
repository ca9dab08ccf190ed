"""How a claim is declared, and the registry of all claims."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from importlib import import_module
from typing import Any

from .argument import steps_of
from .evidence import Proof
from .ledger import ANSWERS, FLAWS, HOLDS, PAPERS, TOPICS, WEIGHTS, Words, current, ledger, require_known, topic_of
from .stored import sources_of_evidence


@dataclass(frozen=True, kw_only=True)
class Declaration(Words):
    """What stands above a check. ``sabotages`` maps a line that says what is broken to the ingredients of the check that it replaces."""

    sabotages: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Claim(Declaration):
    """A declaration with the check that decides it, and the topic in whose folder it stands.

    ``check(proof, **ingredients)`` records evidence; the ingredients default to the real constructions, and each sabotage
    replaces some of them by broken ones, after which the verdict must be lost.
    """

    topic: str
    check: Callable[..., None]

    @property
    def argument(self) -> str:
        """The proof in prose, Markdown with formulas: the check's docstring."""
        return inspect.cleandoc(self.check.__doc__ or "")

    @property
    def words(self) -> dict[str, Any]:
        """All words of the claim, its argument, the name of its check and those of its sabotages, as plain data."""
        said = {f.name: getattr(self, f.name) for f in fields(Words)}
        said |= {"argument": self.argument, "check": f"{self.check.__module__}.{self.check.__name__}", "sabotages": list(self.sabotages)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in said.items()}

    def _repr_markdown_(self) -> str:
        return rf"**{self.id}** ({self.place}). {self.says}"


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


@dataclass(frozen=True, kw_only=True)
class claim(Declaration):
    """Register the decorated check as the claim ``id`` ("paper.place", or "new.topic.name"), with the :class:`Words` given.

    What follows from the rest is not said: the topic is the folder of the check, the kind follows from the id, ``flaw`` and ``amends``, and
    what the argument marks with ``[uses: id]`` is used.

    Raises ``ValueError`` for a duplicate id, an unknown flaw, weight, topic or paper, a finding without statement, a root that is no other
    finding's id, more than 40 words quoted, an answer of another form, or no sabotage.
    """

    def __call__(self, check: Callable[..., None]) -> Callable[..., None]:
        self._require_sense()
        topic = _topic(check)
        if topic not in TOPICS:
            raise ValueError(
                f"expected a check in a module of theorems/<topic>/, the topic among {TOPICS}, got {check.__module__} for {self.id}"
            )
        words = {f.name: getattr(self, f.name) for f in fields(Declaration)}
        c = Claim(**words, topic=topic, check=check)
        marked = [id for step in steps_of(c.argument) for id in step.uses]
        _REGISTRY[self.id] = replace(c, uses=tuple(dict.fromkeys((*marked, *self.uses))))
        return check

    def _require_sense(self) -> None:
        if self.id.split(".")[0] not in PAPERS:
            raise ValueError(f"expected the id to start with one of {sorted(PAPERS)}, got {self.id!r}")
        if self.id in _REGISTRY:
            raise ValueError(f"expected a new id, got {self.id!r}, which is registered already")
        if self.of is not None and self.flaw is None:
            raise ValueError(f"expected `of` for a finding, which has a `flaw`, got {self.of!r} without one for {self.id}")
        if self.flaw is not None and "." not in (self.of or ""):
            raise ValueError(f"expected `of`, the statement on which the finding hangs, which the id {self.id} does not show")
        if self.flaw is not None and self.flaw not in FLAWS:
            raise ValueError(f"expected a flaw among {FLAWS}, got {self.flaw!r} for {self.id}")
        if self.flaw is not None and self.amends is not None:
            raise ValueError(f"expected a finding or the repair of one, got both for {self.id}")
        if self.weight is not None and self.weight not in WEIGHTS:
            raise ValueError(f"expected a weight among {WEIGHTS}, got {self.weight!r} for {self.id}")
        if self.root is not None and (self.flaw is None or self.root == self.id or self.root.split(".")[0] != self.id.split(".")[0]):
            raise ValueError(f"expected as root of a finding another finding of the same paper, got {self.root!r} for {self.id}")
        if (quoted := len(" ".join(self.quotes).split())) > 40:
            raise ValueError(f"expected quotes of at most 40 words together, got {quoted} for {self.id}")
        if any(not answer.startswith(ANSWERS) for answer in self.answers):
            raise ValueError(f"expected answers that begin with one of {ANSWERS}, got {list(self.answers)} for {self.id}")
        if not self.sabotages:
            raise ValueError(f"expected at least one sabotage for {self.id}, got none: a check must be able to fail")


def _topic(check: Callable[..., None]) -> str:
    """The folder of theorems/ in which a check stands: "parity" of lemmata.theorems.parity.lemma1; empty elsewhere."""
    _, _, below = check.__module__.partition(".theorems.")
    return below.split(".")[0]


def claims(ids: list[str] | None = None, papers: list[str] | None = None, topics: list[str] | None = None) -> list[Claim]:
    """The claims, topic by topic in order of registration, restricted to the ids, papers and topics given; only the topics needed are imported.

    Raises ``ValueError`` for an unknown id, paper or topic, naming near ones, and for a choice that leaves no claim.
    """
    require_known("topic", topics, TOPICS)
    ids = [current(id) for id in ids] if ids else ids
    needed = {topic_of(id) for id in ids or []}
    for topic in TOPICS:
        if (not needed or None in needed or topic in needed) and (not topics or topic in topics):
            # before they are loaded: what is stored afterwards comes from these sources
            sources_of_evidence(topic)
            import_module(f".{topic}", __package__)
            import_module(f".ties.{topic}", __package__)
            import_module(f".ties.held.{topic}", __package__)
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
    proof = evidence_for(c, effort)
    c.check(proof, **ingredients)
    for held in () if ingredients else _TIES.get(c.id, ()):
        steps, told = len(proof.steps), _compared(proof)
        held(proof)
        if len(proof.steps) != steps or _compared(proof) == told:
            raise ValueError(f"expected the tie {held.__name__} to compare something and to record no step of the claim")
    return proof


def _compared(proof: Proof) -> int:
    """How many comparisons with implementations were made, or could not be made."""
    return sum(step.count for step in proof.compared) + len(proof.not_compared)


def evidence_for(c: Claim, effort: str = "standard", stops: bool = False, kind: type[Proof] = Proof) -> Proof:
    """An empty :class:`Proof` for the check of a claim: it knows what carries each step of the argument, and how well the claims used are known."""
    steps = steps_of(c.argument)
    used = dict.fromkeys(id for step in steps for id in step.uses)
    known = [ledger()[id].verdict for id in used if id in ledger()]
    return kind(effort, stops, argument=[s.marks for s in steps], rests_on=[v for v in known if v in HOLDS], claim=c.id)
