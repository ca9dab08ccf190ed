"""Running claims: records, the pinned ledger of expected verdicts, sabotages, several processes."""

from __future__ import annotations

import json
import signal
import time
import tomllib
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from functools import cache
from html import escape
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any

import numpy as np

from ..numerics.cyclotomic import Cyclotomic
from ..numerics.exact import as_text
from .claim import Claim, claims, decide
from .evidence import EFFORTS, Certificate, Proof

LEDGER = Path(__file__).with_name("ledger.toml")


@dataclass(repr=False)
class Record:
    """What became of one claim. ``sabotages`` maps each sabotage to True (caught), False (missed) or None (not run)."""

    id: str
    paper: str
    topic: str
    title: str
    verdict: str
    expected: str
    how: str
    expected_how: str
    scope: str
    seconds: float
    sabotages: dict[str, bool | None]
    reasons: list[str] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)
    counterexamples: list[dict[str, Any]] = field(default_factory=list)
    certificates: list[Certificate] = field(default_factory=list)

    @property
    def as_expected(self) -> bool:
        """Verdict and kind of evidence are the pinned ones, and no sabotage that was run went unnoticed."""
        pinned = (self.verdict, self.how) == (self.expected, self.expected_how)
        return pinned and not any(caught is False for caught in self.sabotages.values())

    def __repr__(self) -> str:
        return f"<{self.id}: {self.verdict}, {self.how}; scope: {self.scope}>"

    def to_json(self) -> dict[str, Any]:
        """A plain dictionary; certificates are only counted (``write_certificates`` stores them)."""
        out = {k: v for k, v in asdict(self).items() if k != "certificates"}
        return out | {"as_expected": self.as_expected, "certificates": len(self.certificates)}

    def _repr_html_(self) -> str:
        mark = "" if self.as_expected else f" (expected {self.expected} {self.expected_how})"
        return f"<b>{self.id}</b>: {self.verdict}, {self.how}{mark}<br>{escape(self.title)}<br><i>scope: {escape(self.scope)}</i>"


class Ledger(list[Record]):
    """A list of records that a notebook shows as a table."""

    def _repr_html_(self) -> str:
        names = ("id", "title", "verdict", "how", "scope")
        head = "".join(f"<th style='text-align:left'>{name}</th>" for name in ("claim", "says", *names[2:]))
        rows = ("".join(f"<td style='text-align:left'>{escape(str(getattr(r, name)))}</td>" for name in names) for r in self)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(f'<tr>{row}</tr>' for row in rows)}</tbody></table>"


@cache
def expected_verdicts() -> dict[str, tuple[str, str]]:
    """The pinned ledger: id -> (verdict, how)."""
    table = tomllib.loads(LEDGER.read_text(encoding="utf-8"))
    return {id: tuple(entry.split(", ")) for id, entry in table.items()}  # type: ignore[misc]


def record(c: Claim, effort: str = "standard", sabotage: bool = False) -> Record:
    """Decide one claim, and with ``sabotage`` also each broken version of it."""
    start = time.perf_counter()
    try:
        proof = decide(c, effort)
    except Exception as error:  # a check that crashes has shown nothing: the claim is OPEN and says why
        proof = Proof(effort)
        proof.lacks(f"the check raised {type(error).__name__}: {error}")
    caught = {name: is_caught(c, name, effort) if sabotage else None for name in c.sabotages}
    verdict, how = expected_verdicts().get(c.id, ("not pinned", ""))
    return Record(
        id=c.id,
        paper=c.paper,
        topic=c.topic,
        title=c.title,
        verdict=proof.verdict,
        expected=verdict,
        how=proof.how,
        expected_how=how,
        scope=proof.scope,
        seconds=round(time.perf_counter() - start, 3),
        sabotages=caught,
        reasons=proof.reasons,
        steps=[asdict(s) | {"held": s.held} for s in proof.steps],
        counterexamples=[
            {"given": _readable(k.given), "hypotheses": k.hypotheses, "violates": k.violates, "minimal": k.minimal}
            for k in proof.counterexamples
        ],
        certificates=proof.certificates,
    )


def _readable(value: Any) -> Any:
    """Like ``as_text``, with algebraic numbers written for people."""
    if isinstance(value, dict):
        return {str(k): _readable(v) for k, v in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_readable(x) for x in value]
    return str(value) if isinstance(value, Cyclotomic) else as_text(value)


def by_paper(chosen: list[Claim]) -> dict[str, dict[str, int]]:
    """How many of the claims there are by paper and pinned verdict: the paper's own by verdict, and the ``amended`` ones; "new" are ours."""
    out: dict[str, dict[str, int]] = {}
    for c in chosen:
        column = "amended" if c.kind == "amended" else expected_verdicts().get(c.id, ("OPEN", ""))[0]
        row = out.setdefault(c.paper, dict.fromkeys(("VERIFIED", "REFUTED", "CITED", "OPEN", "amended"), 0))
        row[column] += 1
    return out


def is_caught(c: Claim, sabotage: str, effort: str = "quick") -> bool:
    """True if the claim loses its verdict when ``sabotage`` breaks it.

    The verdict must be lost through a step that fails: an exception from the sabotaged check is not swallowed. An OPEN claim has no
    verdict to lose; it must gain a failure beside what it lacks.
    """
    intact = expected_verdicts().get(c.id, ("not pinned", ""))[0]
    broken = decide(c, effort, **c.sabotages[sabotage])
    if intact == "OPEN":
        return len(broken.reasons) > len(decide(c, effort).reasons)
    return broken.verdict != intact


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
    """Check claims (all of them by default) and return one :class:`Record` each, in order of registration.

    ``effort`` is quick, standard or thorough; ``jobs`` > 1 spreads the claims over processes; ``on_record`` is called with
    each record as soon as it is there. Raises ``ValueError`` for unknown ids, papers, topics or efforts, and jobs < 1.
    """
    if effort not in EFFORTS:
        raise ValueError(f"expected an effort among {EFFORTS}, got {effort!r}")
    if jobs < 1:
        raise ValueError(f"expected at least 1 job, got {jobs}")
    chosen = claims([ids] if isinstance(ids, str) else ids, papers, topics)
    done: dict[str, Record] = {}
    for one in _records(chosen, effort, jobs, sabotage):
        done[one.id] = one
        if on_record:
            on_record(one)
    return Ledger(done[c.id] for c in chosen)


def _records(chosen: list[Claim], effort: str, jobs: int, sabotage: bool) -> Iterator[Record]:
    if jobs == 1 or len(chosen) < 2:
        for c in chosen:
            yield record(c, effort, sabotage)
        return
    # spawn: a fresh interpreter each, which is safe whatever threads or GPU contexts the caller has
    others = set(active_children())
    pool = ProcessPoolExecutor(min(jobs, len(chosen)), mp_context=get_context("spawn"), initializer=_ignore_interrupts)
    try:
        for future in as_completed([pool.submit(_record_by_id, c.id, effort, sabotage) for c in chosen]):
            yield future.result()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in set(active_children()) - others:
            worker.terminate()
        raise
    finally:
        pool.shutdown()


def _ignore_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal; only the parent acts on it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _record_by_id(id: str, effort: str, sabotage: bool) -> Record:
    (c,) = claims([id])
    return record(c, effort, sabotage)


def to_json(records: list[Record]) -> str:
    """The records as JSON text."""
    return json.dumps([r.to_json() for r in records], indent=2, ensure_ascii=False)
