"""What each page of the atlas shows, as data for its template."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from typing import Any
from unicodedata import normalize

from ...cli.citing import claim_entry, paper_entry, place_of
from ...cli.documents import standing
from ...cli.expressivity import kinds
from ...cli.order import arranged
from ...cli.show import carried
from ...cli.tables import number_lines
from ...cli.titles import set_text
from ...papers import maps
from ...papers.maps import MARKS, NAMING
from ...theorems.argument import START, steps_of
from ...theorems.ledger import FLAWS, PAPERS, VERDICTS, Entry, entries, findings_of, ledger, repairs_of, tally
from ..built import FORMATS, PATHS, Built, built_for, networks, written
from ..cells import LAYERS, answer, chain, places, promises, recipe, short, shown_in
from ..inference import DEPTHS, Place
from ..knowledge import PRECISIONS, Model, Task, knowledge
from . import api, notebooks
from .blueprint import blueprint
from .figures import of_claim, of_topic
from .graph import drawing
from .rocq import kernel_part
from .schema import HOWS
from .text import numbered_code

KINDS = {"statement": "statement of the paper", "finding": "finding", "amended": "amended statement", "new": "new"}

#: what words of the house mean, shown where they stand
TERMS = {
    "PROVED": "the machine decided all of the claim: symbols, a complete case analysis, closure, or a proof for all n that the kernel of Rocq checked",
    "DERIVED": "the machine decided every identity and inequality, for all parameters; numbered prose joins them",
    "CHECKED": "every step held on the instances named in the scope; the general argument is prose, and its steps say so",
    "REFUTED": "an explicit counterexample, in exact numbers or rigorous balls",
    "CITED": "rests on an outside theorem that is named and not checked here",
    "OPEN": "neither proved nor refuted; what is missing is said",
    "false": "the statement itself, read charitably, fails",
    "gap": "a proof does not show what it says; the statement may hold",
    "overstatement": "a sentence says more than what is shown",
    "misprint": "an index, a sign, a symbol",
    "remark": "only an uncharitable reading breaks it; not counted among what is wrong",
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
    "TC⁰": "problems that threshold circuits of constant depth and polynomial size solve; transformers and diagonal linear recurrences with numbers of O(log T) bits lie in it",
    "NC¹": "problems that Boolean circuits of logarithmic depth, with two inputs to a gate, solve; the word problem of S₅ is complete for it (Barrington 1989)",
}

#: how numbers are held, in two or three words: the choice above the table
SHORT = {
    "exact": "exact states",
    "margin": "states with a margin",
    "rounded": "every operation rounded",
    "log": "O(log T) bits",
    "reals": "real numbers",
}


#: arithmetics whose tables stand on the home page; each of the others has a page of its own
HOME = ("exact", "margin")


def standings() -> list[dict[str, Any]]:
    """Each paper, what became of its statements, what is wrong beside them, and its blueprint."""
    rows = tally(entries())
    return [
        {
            "id": paper,
            "title": PAPERS[paper],
            "link": place_of(paper),
            "verdicts": [row[v] for v in VERDICTS],
            "flaws": [row[f] for f in FLAWS],
            "amended": row["amended"],
            "plan": blueprint(paper),
        }
        for paper, row in rows.items()
    ]


def table_of(precision: str) -> dict[str, Any]:
    """The expressivity table of an arithmetic: for each kind of task a row for every model."""
    return {
        "precision": precision,
        "short": SHORT[precision],
        "meaning": PRECISIONS[precision],
        "kinds": [
            {"kind": kind, "tasks": tasks, "rows": [(m, [table_cell(m.id, t, precision) for t in tasks]) for m in shown_in(precision)]}
            for kind, tasks in kinds(precision).items()
        ],
    }


#: the word of a cell -> its colour
ANSWERS = {"1 layer": "yes", "layers": "yes", "layers?": "yes", "no": "no", "no*": "no", "not 1": "some", "?": "open"}


def table_cell(model: str, task: Task, precision: str) -> dict[str, Any]:
    word, grade = short(model, task.id, precision)
    built = built_for(model, task.id, "one" if word == "1 layer" else "many") if ANSWERS[word] == "yes" else ()
    number = hovers().index(_hover(built[0], model)) if built else None
    return {
        "precision": precision,
        "word": word,
        "grade": grade or "OPEN",
        "answer": ANSWERS[word],
        "page": f"can/{model}.html#{task.id}",
        "built": number,
    }


@cache
def hovers() -> list[str]:
    """What cells say under the mouse, each text once: the home page holds numbers of these."""
    known = knowledge()
    return list(dict.fromkeys(_hover(b, m) for m in known.models for b in networks()))


def _hover(b: Built, model: str) -> str:
    instance = f" ({b.instance})" if b.instance else ""
    return f"{b.command}{instance}: {b.shape()}, {b.lengths(model)}"


def model_page(id: str) -> dict[str, Any]:
    """One model against every task: its cells, the chain behind each, and what would make it able."""
    known = knowledge()
    rows = []
    for t in known.tasks.values():
        cells = []
        for precision in PRECISIONS:
            for depth in DEPTHS:
                place = Place(id, t.id, depth, precision)
                said, reason = answer(place)
                if reason is not None:
                    cells.append({"precision": precision, "depth": depth, "said": said, "reason": reason, "chain": list(chain(place))})
        rows.append(
            {
                "task": t,
                "cells": [table_cell(id, t, precision) for precision in PRECISIONS],
                "reasons": _grouped(cells),
                "abler": abler(id, t),
                **_construction(id, t.id),
            }
        )
    models = known.models
    return {
        "model": models[id],
        "rows": rows,
        "formats": FORMATS,
        "choices": SHORT,
        "inside": _models(x.small for x in known.inclusions if x.large == id),
        "around": _models(x.large for x in known.inclusions if x.small == id),
    }


def _models(ids: Iterable[str]) -> list[Model]:
    return [knowledge().models[id] for id in dict.fromkeys(ids)]


def abler(model: str, task: Task) -> list[dict[str, Any]]:
    """What would make a model able, for each arithmetic in which no number of its layers does the task.

    ``models`` are the nearest classes that contain it and do the task, each with its cell; ``precisions`` the arithmetic in which the model itself does it.
    """
    said = {precision: answer(Place(model, task.id, "many", precision))[0] for precision in PRECISIONS}
    able = [p for p in PRECISIONS if said[p] == "yes"]
    found = []
    for precision, word in said.items():
        if word == "no":
            models = [(m, table_cell(m.id, task, precision)) for m in _nearest_able(model, task.id, precision)]
            found.append({"precision": precision, "models": models, "precisions": able})
    return [x for x in found if x["models"] or x["precisions"]]


def _nearest_able(model: str, task: str, precision: str) -> list[Model]:
    """The classes that contain a model and do a task, but none that contains another of them."""
    able = [m for m in _containing(model) if answer(Place(m, task, "many", precision))[0] == "yes"]
    return _models(m for m in able if not any(m in _containing(x) for x in able if x != m))


@cache
def _containing(model: str) -> tuple[str, ...]:
    """The classes that contain a model, the nearest first."""
    found = [model]
    for here in found:
        found += dict.fromkeys(x.large for x in knowledge().inclusions if x.small == here and x.large not in found)
    return tuple(found[1:])


def task_page(id: str) -> dict[str, Any]:
    """One task against every model, the tasks that are harder or easier, and what decides it."""
    known = knowledge()
    task = known.tasks[id]
    facts = [f for f in known.facts if f.task == id]
    return {
        "task": task,
        "rows": [(m, [table_cell(m.id, task, precision) for precision in PRECISIONS]) for m in known.models.values()],
        "choices": SHORT,
        "harder": [(known.tasks[x.harder], x.because) for x in known.reductions if x.easier == id],
        "easier": [(known.tasks[x.easier], x.because) for x in known.reductions if x.harder == id],
        "commands": list(dict.fromkeys([b.command for b in networks() if b.task == id] + [f.command for f in facts if f.command])),
        "claims": [ledger()[c] for c in dict.fromkeys(c for f in facts for c in f.claims)],
        "cites": [known.publications[c] for c in dict.fromkeys(c for f in facts for c in f.cites)],
    }


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
        group["in"] = list(group["where"])
        group["where"] = [f"{_layers(group['said'], depths)}; {PRECISIONS[precision]}" for precision, depths in group["where"].items()]
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
        "kernel": kernel_part(e),
        "code": [c for c in (_code("construction", e.construction), _code("check", e.check)) if c],
        "bibtex": claim_entry(e),
        "of_paper": paper_entry(e.paper) if e.paper != "new" else None,
        "public": place_of(e.paper),
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
        (
            set_text(f"{known.models[f.model].name} {'can' if f.can else 'cannot'} do {known.tasks[f.task].name}"),
            f"can/{f.model}.html#{f.task}",
        )
        for f in known.facts
        if id in f.claims
    ]
    return list(dict.fromkeys(said))


def paper_page(paper: str) -> dict[str, Any]:
    """A paper's claims, statements first, below each what is wrong with it and what repairs it."""
    return {"id": paper, "title": PAPERS[paper], "rows": arranged(entries(papers=[paper])).get(paper, [])}


def sentences(paper: str) -> dict[str, Any] | None:
    """The map of a paper without its text: how many units have each mark, and below each heading the places that an entry judges, or should.

    Units in a row with the same mark, entries and note are one place. None for what has no map.
    """
    kept = maps.read(paper)
    if kept is None:
        return None
    sections = []
    for name, numbers in kept.sections():
        rows = kept.rows[numbers.start : numbers.stop]
        runs = groupby(zip(numbers, rows, strict=True), key=lambda pair: (pair[1].mark, pair[1].ids, pair[1].note))
        places = []
        for (mark, ids, note), run in runs:
            if mark in (*NAMING, "unjudged"):
                within = [number for number, _ in run]
                places.append({"first": within[0], "last": within[-1], "mark": mark, "entries": [ledger()[id] for id in ids], "note": note})
        counts = Counter(row.mark for row in rows)
        sections.append(
            {
                "name": name or "Before the first heading",
                "id": re.sub("[^a-z0-9]+", "-", f"at {name}".lower()).strip("-"),
                "counts": [(mark, counts[mark]) for mark in MARKS if counts[mark]],
                "places": places,
            }
        )
    return {"counts": kept.counts(), "meanings": MARKS, "sections": sections, "second": maps.second().get(paper)}


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
        ("Other words", [(normalize("NFKD", w), w, meaning) for w, meaning in words.items() if w not in (*VERDICTS, *FLAWS, *HOWS)]),
        ("Arithmetic of the table", [(f"precision-{w}", w, meaning) for w, meaning in PRECISIONS.items()]),
        ("Tasks of the table", [(f"task-{t.id}", set_text(t.name), set_text(t.says)) for t in known.tasks.values()]),
        ("Models of the table", [(f"model-{m.id}", set_text(f"{m.name} ({', '.join(m.names)})"), m.says) for m in known.models.values()]),
    ]
