"""Running claims: records, the pinned ledger of expected verdicts, sabotages, several processes."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import as_completed
from dataclasses import asdict, dataclass, field, fields
from html import escape
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from ..formal import seal
from ..numerics.processes import require_jobs, workers
from .claim import Claim, claims, decide, evidence_for
from .evidence import EFFORTS, Certificate, Lost, Proof
from .files import require_writable, write_whole
from .ledger import (
    FOLDER,
    HOLDS,
    STATED,
    TOPICS,
    Entry,
    Evidence,
    Outcome,
    Pin,
    digest,
    digest_of_words,
    fault,
    forget,
    ledger,
    read_pins,
    written_pins,
)
from .stored import keep

#: how the reason of a check begins that ended in an error
RAISED = "the check raised"


@dataclass(frozen=True, repr=False, kw_only=True)
class Record(Evidence, Outcome):
    """What became of one claim. ``sabotages`` maps each sabotage to True (caught), False (missed) or None (not run).

    ``compared`` holds the steps that need an optional package, ``not_compared`` the packages that are missing ("needs torch").

    ``expected``, ``expected_how``, ``expected_theorems`` and, at standard effort, ``expected_scope`` are what is pinned; ``same_words`` says
    that the words are. ``formal`` holds the theorems of the kernel that the check asked for.
    """

    id: str
    paper: str
    topic: str
    kind: str
    title: str
    expected: str
    expected_how: str
    expected_scope: str | None
    seconds: float
    sabotages: dict[str, bool | None]
    flaw: str | None = None
    decided: dict[str, int] = field(default_factory=dict)
    formal: list[dict[str, Any]] = field(default_factory=list)
    expected_theorems: dict[str, str] = field(default_factory=dict)
    same_words: bool = True
    certificates: list[Certificate] = field(default_factory=list)
    compared: list[dict[str, Any]] = field(default_factory=list)
    not_compared: list[str] = field(default_factory=list)

    @property
    def fault(self) -> str | None:
        """The class under which it is refuted ("false", "gap", "overstatement", "misprint", "remark"); None if it is not."""
        return fault(self.verdict, self.flaw)

    @property
    def as_expected(self) -> bool:
        """Words, verdict, kind of evidence, scope and the kernel's theorems are the pinned ones, and no sabotage that was run went unnoticed."""
        pinned = (self.verdict, self.how) == (self.expected, self.expected_how) and self.expected_scope in (None, self.scope)
        asked = theorems_of(self) == self.expected_theorems
        return pinned and asked and self.same_words and not any(caught is False for caught in self.sabotages.values())

    def __repr__(self) -> str:
        return f"<{self.id}: {self.verdict}, {self.how}; scope: {self.scope}>"

    def to_json(self) -> dict[str, Any]:
        """A plain dictionary; certificates are only counted (``write_certificates`` stores them)."""
        # not asdict, which would copy the certificates
        out = {f.name: readable(getattr(self, f.name)) for f in fields(self) if f.name != "certificates"}
        return out | {"fault": self.fault, "as_expected": self.as_expected, "certificates": len(self.certificates)}

    def _repr_html_(self) -> str:
        mark = "" if self.as_expected else f" (expected {self.expected} {self.expected_how})"
        what = f"{self.verdict} ({self.fault})" if self.fault else self.verdict
        return f"<b>{self.id}</b>: {what}, {self.how}{mark}<br>{escape(self.title)}<br><i>scope: {escape(self.scope)}</i>"


class Ledger(list[Record]):
    """A list of records that a notebook shows as a table."""

    def _repr_html_(self) -> str:
        head = "".join(f"<th style='text-align:left'>{name}</th>" for name in ("claim", "says", "verdict", "how", "scope"))
        cells = ((r.id, r.title, f"{r.verdict} ({r.fault})" if r.fault else r.verdict, r.how, r.scope) for r in self)
        rows = ("".join(f"<td style='text-align:left'>{escape(text)}</td>" for text in row) for row in cells)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(f'<tr>{row}</tr>' for row in rows)}</tbody></table>"


def record(c: Claim, effort: str = "standard", sabotage: bool = False) -> Record:
    """Decide one claim, and with ``sabotage`` also each broken version of it."""
    start = time.perf_counter()
    try:
        proof = decide(c, effort)
    except Exception as error:  # a check that crashes has shown nothing: the claim is OPEN and says why
        proof = Proof(effort)
        proof.lacks(f"{RAISED} {type(error).__name__}: {error}")
    caught = {name: is_caught(c, name, effort) if sabotage else None for name in c.sabotages}
    pinned = ledger().get(c.id)
    return Record(
        id=c.id,
        paper=c.paper,
        topic=c.topic,
        kind=c.kind,
        flaw=c.flaw,
        title=c.title,
        verdict=proof.verdict,
        how=proof.how,
        scope=proof.scope,
        expected=pinned.verdict if pinned else "not pinned",
        expected_how=pinned.how if pinned else "",
        expected_scope=pinned.scope if pinned and effort == "standard" else None,
        expected_theorems=pinned.theorems if pinned else {},
        same_words=pinned is None or pinned.words_digest in ("", digest_of_words(c.words)),
        seconds=round(time.perf_counter() - start, 3),
        sabotages=caught,
        domain=[asdict(d) for d in proof.domain],
        decided=proof.decided,
        reasons=proof.reasons,
        citations=proof.citations,
        steps=[asdict(s) | {"held": s.held} for s in proof.steps],
        counterexamples=[
            {"given": readable(k.given), "hypotheses": readable(k.hypotheses), "violates": readable(k.violates), "minimal": k.minimal}
            for k in proof.counterexamples
        ],
        exhibits=readable(proof.exhibits),
        formal=proof.formal,
        certificates=proof.certificates,
        compared=[asdict(s) | {"held": s.held} for s in proof.compared],
        not_compared=list(dict.fromkeys(proof.not_compared)),
    )


def readable(value: Any) -> Any:
    """``value`` as plain JSON for people: exact and algebraic numbers as text, arrays as nested lists, infinities and nan as words."""
    if isinstance(value, dict):
        return {str(k): readable(v) for k, v in value.items()}
    if isinstance(value, list | tuple | np.ndarray | set | frozenset):
        return [readable(x) for x in value]
    if isinstance(value, np.generic):
        return readable(value.item())
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    return value if value is None or type(value) in (bool, int, float, str) else str(value)


def theorems_of(r: Record) -> dict[str, str]:
    """The kernel's theorems that a check asked for, each with how its wording differs from the claim's."""
    return {proof["theorem"]: proof["differs"] for proof in r.formal}


def evidence_of(r: Record) -> Evidence:
    """The evidence of a record as plain data, without what depends on when and where it ran."""
    facts = {f.name: getattr(r, f.name) for f in fields(Evidence)}
    steps = [{k: s[k] for k in ("what", "how", "scope", "limited", "count")} | ({"beside": True} if s["beside"] else {}) for s in r.steps]
    return Evidence(**readable(facts | {"steps": steps}))


def pin_of(c: Claim, r: Record) -> Pin:
    """What is pinned of a claim whose check came out as ``r``; ``ValueError`` if the check ended in an error, which decides nothing."""
    if raised := next((why for why in r.reasons if why.startswith(RAISED)), None):
        raise ValueError(f"expected a check of {c.id} that comes to its end, got one that cannot be pinned: {raised}")
    return Pin(
        verdict=r.verdict,
        how=r.how,
        scope=r.scope,
        theorems=theorems_of(r),
        certificates=[k.kind for k in r.certificates],
        words_digest=digest_of_words(c.words),
        statement_digest=digest({name: getattr(c, name) for name in STATED}),
    )


def entry_of(c: Claim, r: Record) -> Entry:
    """The entry of a claim whose check came out as ``r``, with its evidence."""
    return Entry(topic=c.topic, given=evidence_of(r), **vars(pin_of(c, r)), **c.words)


def pin_statements() -> dict[str, str]:
    """Pin the statement of each theorem in the kernel's record, with all that it unfolds to, and the program around the verified checker.

    Returns what is new or changed, and how.

    A false variant, named ``not_...`` by the theorem that refutes it, needs no pin: nothing rests on it.
    """
    before, now = (
        seal.pins(),
        seal.pinned_now([name for name in seal.record()["theorems"] if not name.partition(".")[2].startswith("not_")]),
    )
    changed = {name: _difference(name, before, now) for name in now["theorems"] if now["theorems"][name] != before["theorems"].get(name)}
    changed |= {name: "no longer in the record" for name in before["theorems"] if name not in now["theorems"]}
    programs = dict.fromkeys((*now["program"], *before["program"]))
    changed |= {
        f"formal/{name}": "another file than before" for name in programs if now["program"].get(name) != before["program"].get(name)
    }
    changed |= {
        system: f"{now[system]}, before: {before.get(system, 'none')}" for system in seal.SYSTEMS if now[system] != before.get(system)
    }
    if now != before:
        write_whole(seal.FOLDER / "pins.json", json.dumps(now, indent=1, ensure_ascii=False) + "\n")
        seal.forget()
    return changed


def _difference(name: str, before: dict[str, Any], now: dict[str, Any]) -> str:
    """A statement as it is pinned now, and what of it is new."""
    statement, pinned = now["theorems"][name]["statement"], before["theorems"].get(name)
    if pinned is None:
        return f"{statement}\nnew"
    if pinned["statement"] != statement:
        return f"{statement}\nbefore:\n{pinned['statement']}"
    definitions = [one for one in seal.unfolded(name) if now["definitions"][one] != before["definitions"].get(one)]
    return f"{statement}\nthe statement is the same; changed: {', '.join(definitions) or 'its text without notations'}"


def pin(topics: list[str] | None = None, on_record: Callable[[Record], None] | None = None) -> list[Path]:
    """Write the pins anew from the checks at standard effort; the files, one for each topic, that changed.

    A claim says no more than those that it uses. So what uses a claim whose verdict changed is decided again, in all these topics, until nothing changes.
    ``on_record`` is called with each record as soon as it is there. Look hard at the difference before you commit it: it is what the ledger will say.
    """
    topics = list(topics or TOPICS)
    paths = {topic: FOLDER / f"{topic}.json" for topic in topics}
    require_writable(*paths.values())
    before = {topic: path.read_text(encoding="utf-8") if path.exists() else "" for topic, path in paths.items()}
    everything = claims(topics=topics)
    records: dict[str, Record] = {}
    to_decide = everything
    while to_decide:
        known = {id: e.verdict for id, e in ledger().items()}
        for c in to_decide:
            records[c.id] = record(c)
            if on_record:
                on_record(records[c.id])
        for topic in dict.fromkeys(c.topic for c in to_decide):
            write_whole(paths[topic], written_pins({c.id: pin_of(c, records[c.id]) for c in everything if c.topic == topic}))
        forget()
        moved = {id for id, e in ledger().items() if e.verdict != known.get(id)}
        to_decide = [c for c in everything if moved & set(c.uses)]
    for one in records.values():
        keep(one, "standard")
    return [path for topic, path in paths.items() if path.read_text(encoding="utf-8") != before[topic]]


def pin_claim(id: str) -> list[Path]:
    """Pin one claim, at standard effort, and leave the others of its topic as they are; the file, if it changed."""
    (c,) = claims([id])
    path = FOLDER / f"{c.topic}.json"
    require_writable(path)
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    pins = read_pins(c.topic) | {c.id: pin_of(c, record(c))}
    text = written_pins({one.id: pins[one.id] for one in claims(topics=[c.topic]) if one.id in pins})
    if text == before:
        return []
    write_whole(path, text)
    forget()
    return [path]


def is_caught(c: Claim, sabotage: str, effort: str = "quick") -> bool:
    """True if the claim loses its verdict when ``sabotage`` breaks it.

    The verdict must be lost through a step that fails, not by being a grade weaker; an exception from the sabotaged check is not
    swallowed. The check ends at the first step that fails, since a verdict other than OPEN needs all of them. An OPEN claim has no verdict to lose;
    it must gain a failure beside what it lacks.
    """
    intact = ledger()[c.id].verdict if c.id in ledger() else decide(c, effort).verdict
    if intact == "OPEN":
        return len(decide(c, effort, **c.sabotages[sabotage]).reasons) > len(decide(c, effort).reasons)
    broken = evidence_for(c, effort, stops=True)
    try:
        c.check(broken, **c.sabotages[sabotage])
    except Lost:
        return True
    return broken.verdict != intact and not {broken.verdict, intact} <= set(HOLDS)


def verify(
    ids: list[str] | str | None = None,
    effort: str = "standard",
    *,
    papers: list[str] | None = None,
    topics: list[str] | None = None,
    jobs: int = 1,
    sabotage: bool = False,
    on_record: Callable[[Record], None] | None = None,
) -> Ledger:
    """Check claims (all of them by default) and return one :class:`Record` each, in order of registration; their evidence is stored.

    ``effort`` is quick, standard or thorough; ``jobs`` > 1 spreads the claims over processes; ``on_record`` is called with
    each record as soon as it is there. Raises ``ValueError`` for unknown ids, papers, topics or efforts, and as ``require_jobs``.
    """
    if effort not in EFFORTS:
        raise ValueError(f"expected an effort among {EFFORTS}, got {effort!r}")
    require_jobs(jobs)
    chosen = claims([ids] if isinstance(ids, str) else ids, papers, topics)
    done: dict[str, Record] = {}
    for one in _records(chosen, effort, jobs, sabotage):
        done[one.id] = one
        if effort != "thorough":
            keep(one, effort)
        if on_record:
            on_record(one)
    return Ledger(done[c.id] for c in chosen)


def _records(chosen: list[Claim], effort: str, jobs: int, sabotage: bool) -> Iterator[Record]:
    if jobs == 1 or len(chosen) < 2:
        for c in chosen:
            yield record(c, effort, sabotage)
        return
    # the matrices are small: threads of BLAS that wait for each other on busy cores would cost forty times
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with workers(min(jobs, len(chosen))) as pool:
        for future in as_completed([pool.submit(_record_by_id, c.id, effort, sabotage) for c in chosen]):
            yield future.result()


def _record_by_id(id: str, effort: str, sabotage: bool) -> Record:
    (c,) = claims([id])
    return record(c, effort, sabotage)


def to_json(records: list[Record]) -> str:
    """The records as strict JSON text: infinities and nan are words."""
    return json.dumps([r.to_json() for r in records], indent=2, ensure_ascii=False, allow_nan=False)
