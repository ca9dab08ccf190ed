"""What each page of the atlas shows, as data for its template."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

from ...cli.documents import standing
from ...cli.order import arranged
from ...cli.show import carried
from ...cli.tables import number_lines
from ...theorems.argument import START, steps_of
from ...theorems.ledger import FLAWS, PAPERS, VERDICTS, Entry, entries, findings_of, ledger, repairs_of, tally
from ..built import FORMATS, PATHS, Built, built_for, networks, written
from ..cells import LAYERS, answer, chain, places, promises, recipe, short
from ..inference import DEPTHS, Place
from ..knowledge import PRECISIONS, Task, knowledge
from . import api, notebooks
from .citing import claim_entry, paper_entry
from .figures import of_claim, of_topic
from .graph import drawing
from .schema import HOWS
from .text import numbered_code

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

#: what else needs saying: on the page of words alone
WORDS = {
    "claim": "a statement with an id that stays, its source, a check, and the verdict that follows from what the check recorded",
    "finding": "something wrong beside a statement: a step of its proof, a display, a sentence; it has a class",
    "amended": "what should stand instead of something refuted, as a claim of its own",
    "reading": "how a statement is understood, where its words leave that open or a misprint is mended",
    "argument": "the proof in prose; every numbered step says in brackets what carries it",
    "witness": "the counterexample in numbers, to be checked by hand: lemmata witness ID",
    "certificate": "the exact evidence as a file that a checker of its own verifies with the standard library alone",
    "sabotage": "a construction or an input broken on purpose; the check must notice it",
    "kernel": "the part of Rocq that accepts a proof or does not; everything else is outside of what must be trusted",
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
    built = built_for(model, task.id, "one" if word == "1 layer" else "many") if answers[word] == "yes" else ()
    number = hovers().index(_hover(built[0], model)) if built else None
    return {"word": word, "grade": grade or "OPEN", "answer": answers[word], "page": f"can/{model}.html#{task.id}", "built": number}


@cache
def hovers() -> list[str]:
    """What cells say under the mouse, each text once: the home page holds numbers of these."""
    known = knowledge()
    return list(dict.fromkeys(_hover(b, m) for m in known.models for b in networks()))


def _hover(b: Built, model: str) -> str:
    instance = f" ({b.instance})" if b.instance else ""
    return f"{b.command}{instance}: {b.shape()}, {b.lengths(model)}"


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
        rows.append({"task": t, "reasons": _grouped(cells), **_construction(id, t.id)})
    return {"model": known.models[id], "rows": rows, "formats": FORMATS}


def _construction(model: str, task: str) -> dict[str, Any]:
    """The networks that commands build, the command for any of them, and what is promised where there is none."""
    built = list(dict.fromkeys(b for depth in DEPTHS for b in built_for(model, task, depth)))
    yes = [p for p in places(model, task) if answer(p)[0] == "yes"]
    return {
        "built": [
            {
                "b": b,
                "lengths": b.lengths(model),
                "paths": [(PATHS[path], [written(row[d]) if d in row else "-" for d in FORMATS]) for path, row in b.right_up_to.items()],
            }
            for b in built
        ],
        "recipes": list(dict.fromkeys(filter(None, map(recipe, yes)))),
        "promises": promises(model, task),
    }


def _grouped(cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Cells that rest on the same chain, together."""
    out: dict[tuple[str, ...], dict[str, Any]] = {}
    for c in cells:
        group = out.setdefault((c["said"], *c["chain"]), {**c, "where": {}})
        group["where"].setdefault(c["precision"], []).append(c["depth"])
    for group in out.values():
        group["where"] = [f"{_layers(group['said'], depths)}; {precision}" for precision, depths in group["where"].items()]
    return list(out.values())


def _layers(said: str, depths: list[str]) -> str:
    """How many layers a chain speaks of."""
    both = len(depths) == len(DEPTHS)
    if said == "yes" and depths != ["one"]:
        return "one layer or more" if both else "several layers"
    return LAYERS["many" if both else depths[0]]


def claim_page(e: Entry) -> dict[str, Any]:
    """Everything that the ledger holds of a claim, and the code that checks and builds it."""
    first = START.search(e.argument)
    by = [x for x in ledger().values() if e.id in x.uses]
    return {
        "e": e,
        "kind": KINDS[e.kind],
        "standing": standing(e) if e.verdict != "REFUTED" else "",
        "pairs": [(ledger()[e.amends], e)] if e.amends else [(e, r) for r in repairs_of(e.id)],
        "before": e.argument[: first.start()] if first else e.argument,
        "argument": [(s, list(carried(s, e.steps))) for s in steps_of(e.argument)],
        "numbers": [{**x, "given": _numbers(x["given"])} for x in e.counterexamples],
        "exhibits": [(x["what"], _numbers(x["given"])) for x in e.exhibits],
        "findings": findings_of(e.id),
        "repairs": repairs_of(e.id),
        "about": ledger()[e.of] if e.of else None,
        "uses": [ledger()[id] for id in e.uses],
        "used": by,
        "certificates": Counter(e.certificates),
        "cells": _cells_of(e.id),
        "figures": of_claim(e),
        "code": [c for c in (_code("construction", e.construction), _code("check", e.check)) if c],
        "bibtex": claim_entry(e),
        "of_paper": paper_entry(e.paper) if e.paper != "new" else None,
    }


def _code(role: str, dotted: str | None) -> dict[str, Any] | None:
    """The lines behind a dotted name; of a check those below its docstring, which is the argument."""
    found = api.source(dotted, with_docstring=role != "check") if dotted else None
    if dotted is None or found is None:
        return None
    lines = numbered_code(found.text, found.first, role)
    return {
        "role": role,
        "name": dotted,
        "page": api.page_of(dotted),
        "file": found.file,
        "first": found.first,
        "last": found.last,
        "lines": lines,
    }


def _numbers(given: dict[str, Any]) -> str:
    return "\n".join(number_lines(given, 100))


def _cells_of(id: str) -> list[tuple[str, str]]:
    """The facts of the expressivity table that rest on a claim, in words and as the address of the cell."""
    known = knowledge()
    said = [
        (f"{known.models[f.model].name} {'can' if f.can else 'cannot'} do {known.tasks[f.task].name}", f"can/{f.model}.html#{f.task}")
        for f in known.facts
        if id in f.claims
    ]
    return list(dict.fromkeys(said))


def paper_page(paper: str) -> dict[str, Any]:
    """A paper's claims, statements first, below each what is wrong with it and what repairs it."""
    return {"id": paper, "title": PAPERS[paper], "rows": arranged(entries(papers=[paper])).get(paper, [])}


def topic_page(topic: str) -> dict[str, Any]:
    """A topic's claims by paper, their graph, figures and notebook."""
    lead = api.modules()[f"lemmata.theorems.{topic}"].summary.removeprefix(f"Topic {topic}: ")
    return {
        "id": topic,
        "heading": topic.replace("_", " ").capitalize(),
        "lead": lead[:1].upper() + lead[1:],
        "groups": [(PAPERS[p], p, rows) for p, rows in arranged(entries(topics=[topic])).items()],
        "graph": drawing(topic),
        "figures": of_topic(topic),
        "notebook": notebooks.notebook(topic).title if topic in notebooks.topics() else None,
        "more": notebooks.more_of(topic),
        "modules": [m for room in api.ROOMS for m in api.modules().values() if m.room == room and m.name.split(".")[-1] == topic],
    }


def api_page(module: api.Module) -> dict[str, Any]:
    """A module's names; of a check the claims that it decides instead of its docstring, which is the argument on their pages."""
    checks: dict[str, list[Entry]] = {}
    for e in ledger().values():
        checks.setdefault(e.check, []).append(e)
    return {
        "m": module,
        "names": [(n, checks.get(f"{module.name}.{n.name}", [])) for n in module.names],
        "exports": [(name, page) for name in module.exports if (page := api.page_of(f"{module.name}.{name}"))],
    }


def glossary() -> list[tuple[str, list[tuple[str, str, str]]]]:
    """Heading and (anchor, word, meaning)."""
    known = knowledge()
    words = {**TERMS, **WORDS}
    return [
        ("Verdicts", [(w, w, TERMS[w]) for w in VERDICTS]),
        ("Classes of what is wrong", [(w, w, TERMS[w]) for w in FLAWS]),
        ("How a verdict was reached, strongest first", [(w, w, TERMS[w]) for w in HOWS]),
        ("Other words", [(w, w, meaning) for w, meaning in words.items() if w not in (*VERDICTS, *FLAWS, *HOWS)]),
        ("Arithmetic of the table", [(f"precision-{w}", w, meaning) for w, meaning in PRECISIONS.items()]),
        ("Tasks of the table", [(f"task-{t.id}", t.name, t.says) for t in known.tasks.values()]),
        ("Models of the table", [(f"model-{m.id}", f"{m.name} ({', '.join(m.names)})", m.says) for m in known.models.values()]),
    ]
