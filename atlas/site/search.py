"""What the search of the site finds: every claim, task, model, paper, word, question, command, topic, page of docs, notebook and module.

``static/search.js`` makes the index of it in the browser, with MiniSearch; nothing needs a server.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from ...cli.citing import citation, place_of
from ...cli.titles import GREEK, set_text
from ...theorems.ledger import PAPERS, TOPICS, Entry, entries
from ..cells import bare_name
from ..knowledge import knowledge
from . import api, notebooks, pages, rocq
from .commands import commands
from .documents import documents
from .figures import figures
from .questions import questions
from .text import heading, plain, sentence

#: kind -> its name for readers; of what fits a query equally well, the earlier kind comes first
KINDS = {
    "task": "Task",
    "model": "Model",
    "paper": "Paper",
    "word": "Glossary",
    "question": "Question",
    "command": "Command",
    "topic": "Topic",
    "claim": "Claim",
    "errata": "Errata",
    "page": "Page",
    "document": "Documentation",
    "notebook": "Notebook",
    "module": "Package",
    "rocq": "Proofs in Rocq",
}

#: page -> what else people call it
SYNONYMS = {
    "tasks/S5.html": ("symmetric group on five points", "permutation composition"),
    "tasks/dyck.html": ("Dyck", "Dyck language", "Dyck language of bounded depth", "parentheses"),
    "tasks/recall.html": ("MQAR", "key-value recall"),
    "tasks/copying.html": ("copying", "copy", "delay"),
    "tasks/recall-all.html": ("copying everything",),
    "tasks/parity.html": ("XOR", "odd number of ones"),
    "tasks/arithmetic.html": ("arithmetic modulo 5",),
    "can/householder.html": ("products of reflections", "Householder products"),
    "can/nonlinear.html": ("Elman", "recurrent neural network"),
    "can/transformer.html": ("attention", "softmax attention"),
    "claims/grazzi25.thm5.html": ("Krohn-Rhodes", "Krohn-Rhodes theorem", "cascade"),
    "claims/orvieto24.thm1.html": ("Barron constant", "Barron's theorem", "Barron"),
    "topics/vandermonde.html": ("condition number", "conditioning"),
    "language/index.html": ("regex", "regular expression", "regular language", "DFA", "ladder of classes"),
    "commands.html#recheck": ("verify certificates", "checker"),
    "commands.html#witness": ("counterexample",),
}


@dataclass(frozen=True)
class Record:
    """A page or a part of one: ``names`` are what it is called, each of which finds it first; ``note`` stands below its title."""

    page: str
    kind: str
    title: str
    names: tuple[str, ...]
    text: str
    note: str = ""


def records() -> Iterator[Record]:
    """All of them; of one kind, what is more general first."""
    known = knowledge()
    for t in known.tasks.values():
        yield Record(f"tasks/{t.id}.html", "task", heading(set_text(t.name)), (t.id, t.name), t.says, set_text(sentence(t.says)))
    taken = {n for m in known.models.values() for n in m.names}
    for m in known.models.values():
        title = set_text(f"{m.names[0]}: what it can do")
        names = dict.fromkeys([m.id, m.name, *m.names, *(bare_name(n) for n in m.names if bare_name(n) not in taken)])
        yield Record(f"can/{m.id}.html", "model", title, tuple(names), m.says, set_text(f"{m.name}: {m.says}"))
    for paper, title in PAPERS.items():
        yield _paper(paper, title)
    for group, words in pages.glossary():
        if not group.startswith(("Tasks", "Models")):
            yield from (
                Record(f"glossary.html#{anchor}", "word", word, (word, anchor), meaning, meaning) for anchor, word, meaning in words
            )
    for q in questions():
        yield Record(f"questions/{q.id}.html", "question", q.title, (q.id,), " ".join(text for kind, text in q.parts if kind == "text"))
    for c in commands():
        options = " ".join(" ".join(pair) for pair in (*c.arguments, *c.options))
        yield Record(
            f"commands.html#{c.name}",
            "command",
            f"lemmata {c.name}",
            (c.name, f"lemmata {c.name}"),
            f"{c.summary} {c.more} {options}",
            c.summary,
        )
    for topic in TOPICS:
        shown = pages.topic_page(topic)
        seen = " ".join(f"{f.name} {f.finding}" for f in figures() if f.topic == topic)
        yield Record(f"topics/{topic}.html", "topic", shown["heading"], (topic,), f"{shown['lead']} {seen}", plain(shown["lead"]))
    yield from map(_claim, sorted(entries(), key=lambda e: e.id.count(".")))
    for path, title, text in PAGES:
        yield Record(path, "page", title, (), text, text)
    for d in documents():
        yield Record(d.page, "document", d.title, (d.name,), d.text)
    for topic in notebooks.topics():
        yield Record(f"notebooks/{topic}.html", "notebook", plain(notebooks.notebook(topic).title), (), topic)
    for m in api.modules().values():
        names = " ".join(f"{n.name} {n.doc}" for n in m.names)
        yield Record(f"api/{m.name}.html", "module", m.name, (m.name,), f"{m.doc} {names}", plain(m.summary))
    for module, title in rocq.files():
        yield Record(f"rocq/{module}.html", "rocq", title, (f"{module}.v",), " ".join(rocq.theorems(module)), f"formal/{module}.v")


#: pages of their own
PAGES = (
    (
        "language/index.html",
        "Type a language",
        "A regular expression or an automaton: which models recognise it, the ladder of classes, the words that forbid",
    ),
    ("run/index.html", "Try it", "Parity by scalar units, a bistable unit, and compiled networks, letter by letter"),
    ("recheck/index.html", "Re-check in your browser", "The stand-alone checker on certificates, in the page"),
    (
        "rocq/index.html",
        "Proofs in Rocq",
        "Claims that the kernel has proved, with theorems and axioms; the sources with the goals after each sentence",
    ),
    ("schema.html", "ledger.json", "What the data file of all claims and cells holds, as JSON Schema"),
)


def script() -> str:
    """The records as a file that a page loads from a folder as well."""
    rows: list[dict[str, Any]] = []
    for r in records():
        names = [*r.names, *SYNONYMS.get(r.page, ())]
        rows.append({**asdict(r), "names": names, "title": plain(r.title), "note": plain(r.note), "text": plain(r.text)})
    data = {"kinds": KINDS, "greek": {sign: name for name, sign in GREEK.items()}, "records": rows}
    return f"const DOCUMENTS = {json.dumps(data, ensure_ascii=False, separators=(',', ':'))};\n"


def _paper(paper: str, title: str) -> Record:
    place = place_of(paper)
    found = next((r for r in citation()["references"] if r["notes"].split()[0] == paper), {"title": title, "authors": []})
    people = [" ".join([a.get("given-names", ""), a.get("family-names", "")]).strip() for a in found["authors"]]
    families = [a.get("family-names", "") for a in found["authors"]]
    number = place.name.removeprefix("arXiv:") if place else ""
    names = [
        paper,
        title,
        found["title"],
        found["title"].split(":")[0],
        *families,
        *people,
        f"arXiv {number}",
        number,
        number.partition("v")[0],
    ]
    return Record(f"papers/{paper}.html", "paper", title, tuple(filter(None, names)), "", ", ".join(people))


def _claim(e: Entry) -> Record:
    names = [e.id]
    if e.kind == "statement":
        # "Theorem 3" finds it, and "Grazzi Theorem 3"
        place = e.place.partition(",")[0].partition(";")[0].partition(" (")[0]
        family = PAPERS[e.paper].partition(" et al.")[0]
        names += [place, f"{e.paper} {place}", f"{family} {place}"]
    text = " ".join([e.says, e.place, e.known or "", *e.remarks, e.argument])
    note = " · ".join(filter(None, [e.verdict, e.fault, e.id, e.place]))
    return Record(f"claims/{e.id}.html", "claim", heading(e.title), tuple(names), text, note)
