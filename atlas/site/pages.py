"""What each page of the atlas shows, as data for its template."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ...cli.documents import standing
from ...cli.order import arranged
from ...cli.show import carried
from ...cli.tables import number_lines
from ...theorems.argument import START, steps_of
from ...theorems.ledger import FLAWS, PAPERS, TOPICS, VERDICTS, Entry, entries, findings_of, ledger, repairs_of, tally
from ..cells import LAYERS, answer, chain, short
from ..inference import DEPTHS, Place
from ..knowledge import PRECISIONS, Task, knowledge

KINDS = {"statement": "statement of the paper", "finding": "finding", "amended": "amended statement", "new": "new"}

#: what words of the house mean, shown where they stand
TERMS = {
    "PROVED": "the machine decided all of the claim: symbols, a complete case analysis, closure, or a proof for all n that the kernel of Rocq checked",
    "CHECKED": "every step held on the instances named in the scope; the general argument is prose, and its steps say so",
    "REFUTED": "an explicit counterexample, in exact numbers or rigorous balls",
    "CITED": "rests on an outside theorem that is named and not checked here",
    "OPEN": "neither proved nor refuted; what is missing is said",
    "false": "the statement itself, read charitably, fails",
    "gap": "a proof does not show what it says; the statement may hold",
    "overstatement": "a sentence says more than what is shown",
    "misprint": "an index, a sign, a symbol",
    "formal": "a kernel checked the general statement",
    "symbolic": "identities with free parameters",
    "exhaustive": "every case of a finite set",
    "exact": "exact numbers: integers, fractions, algebraic numbers",
    "certified": "rigorous balls",
    "float": "floating point, with the worst margin kept",
    "statistical": "a sample, with the interval",
    "scope": "what was gone through; a claim is never said to hold beyond it unless it is PROVED",
}


def standings() -> list[dict[str, Any]]:
    """Each paper, what became of its statements and what is wrong beside them."""
    rows = tally(entries())
    return [
        {
            "id": paper,
            "title": PAPERS[paper],
            "verdicts": [row[v] for v in VERDICTS],
            "flaws": [row[f] for f in FLAWS],
            "amended": row["amended"],
        }
        for paper, row in rows.items()
    ]


def tables() -> list[dict[str, Any]]:
    """The expressivity tables: for each arithmetic the kinds of tasks, for each of these a row for every model."""
    known = knowledge()
    kinds: dict[str, list[Task]] = {}
    for t in known.tasks.values():
        kinds.setdefault(t.kind, []).append(t)
    return [
        {
            "precision": precision,
            "meaning": PRECISIONS[precision],
            "kinds": [
                {"kind": kind, "tasks": tasks, "rows": [(m, [_cell(m.id, t, precision) for t in tasks]) for m in known.models.values()]}
                for kind, tasks in kinds.items()
            ],
        }
        for precision in ("states", "cast", "rounded")
    ]


def _cell(model: str, task: Task, precision: str) -> dict[str, Any]:
    word, grade = short(model, task.id, precision)
    answers = {"1 layer": "yes", "layers": "yes", "layers?": "yes", "no": "no", "no*": "no", "not 1": "some", "?": "open"}
    return {"word": word, "grade": grade or "OPEN", "answer": answers[word], "page": f"can/{model}.html#{task.id}"}


def model_page(id: str) -> dict[str, Any]:
    """One model against every task, with the chain behind each cell."""
    known = knowledge()
    rows = []
    for t in known.tasks.values():
        cells = []
        for precision in ("states", "cast", "rounded", "reals"):
            for depth in DEPTHS:
                place = Place(id, t.id, depth, precision)
                said, reason = answer(place)
                if reason is not None:
                    cells.append(
                        {"precision": PRECISIONS[precision], "depth": depth, "said": said, "reason": reason, "chain": list(chain(place))}
                    )
        rows.append({"task": t, "reasons": _grouped(cells)})
    return {"model": known.models[id], "rows": rows}


def _grouped(cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Cells that rest on the same chain, together."""
    out: dict[tuple[str, ...], dict[str, Any]] = {}
    for c in cells:
        group = out.setdefault((c["said"], *c["chain"]), {**c, "where": {}})
        group["where"].setdefault(c["precision"], []).append(c["depth"])
    for group in out.values():
        group["where"] = [
            f"{LAYERS['one'] if depths == ['one'] else LAYERS['many']}; {precision}" for precision, depths in group["where"].items()
        ]
    return list(out.values())


def claim_page(e: Entry) -> dict[str, Any]:
    """Everything that the ledger holds of a claim."""
    first = START.search(e.argument)
    by = [x for x in ledger().values() if e.id in x.uses]
    return {
        "e": e,
        "kind": KINDS[e.kind],
        "standing": standing(e) if e.verdict != "REFUTED" else "",
        "before": e.argument[: first.start()] if first else e.argument,
        "argument": [(s, list(carried(s, e.steps))) for s in steps_of(e.argument)],
        "numbers": [{**x, "given": _numbers(x["given"])} for x in e.counterexamples],
        "exhibits": [(x["what"], _numbers(x["given"])) for x in e.exhibits],
        "findings": findings_of(e.id),
        "repairs": repairs_of(e.id),
        "about": ledger()[e.of] if e.of else None,
        "amends": ledger()[e.amends] if e.amends else None,
        "uses": [ledger()[id] for id in e.uses],
        "used": by,
        "certificates": Counter(e.certificates),
        "cells": _cells_of(e.id),
    }


def _numbers(given: dict[str, Any]) -> str:
    return "\n".join(number_lines(given, 100))


def _cells_of(id: str) -> list[str]:
    """The facts of the expressivity table that rest on a claim."""
    known = knowledge()
    return [
        f"{known.models[f.model].name} {'can' if f.can else 'cannot'} do {known.tasks[f.task].name}" for f in known.facts if id in f.claims
    ]


def paper_page(paper: str) -> dict[str, Any]:
    """A paper's claims, statements first, below each what is wrong with it and what repairs it."""
    return {"id": paper, "title": PAPERS[paper], "rows": arranged(entries(papers=[paper])).get(paper, [])}


def topic_page(topic: str) -> dict[str, Any]:
    """A topic's claims by paper."""
    return {"id": topic, "groups": [(PAPERS[p], p, rows) for p, rows in arranged(entries(topics=[topic])).items()]}


def all_topics() -> tuple[str, ...]:
    """The topics in order."""
    return TOPICS
