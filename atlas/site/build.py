"""All files of the site, and writing them into a new folder."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ... import __version__
from ...cli.citing import paper_entry, place_of, repository
from ...cli.list import card
from ...cli.titles import set_text
from ...formal import seal
from ...numerics.progress import Progress, silent
from ...theorems.ledger import FLAWS, KINDS, PAPERS, TOPICS, VERDICTS, Entry, current, entries, folded, papers_with_claims
from ..cells import cell
from ..inference import DEPTHS, Place
from ..knowledge import PRECISIONS, knowledge
from . import api, language, notebooks, pages, recheck, rocq, search, widgets
from .blueprint import blueprint
from .card import card_png
from .commands import commands
from .documents import documents, pictures
from .errata import errata_page
from .figures import drawn
from .graph import words_of
from .questions import questions
from .schema import HOWS, SCHEMA
from .text import block, code, docstring, heading, inline, plain, sentence, with_contents

HERE = Path(__file__).parent


def files(
    figures: Path | None = None, *, pyodide: bool = False, certificates: Mapping[str, Path] = MappingProxyType({})
) -> Iterator[tuple[str, str | bytes]]:
    """(path, text or bytes) of every file but those of ``static/`` and those that are copied, in a fixed order.

    ``figures`` is a folder that ``lemmata figures`` has written, ``pyodide`` says whether Python for browsers is copied beside them,
    ``certificates`` the file of each claim. Raises ``ValueError`` before the first file if there is no figure in ``figures``.
    """
    shown = drawn(figures)
    page = renderer(shown)
    everything = entries()
    topics = [(t, sum(e.topic == t for e in everything)) for t in TOPICS]
    yield (
        "index.html",
        page(
            "index.html",
            "",
            count=len(everything),
            tables=[pages.table_of(p) for p in pages.HOME],
            hovers=pages.hovers(),
            choices={p: pages.SHORT[p] for p in pages.HOME},
            others={p: short for p, short in pages.SHORT.items() if p not in pages.HOME},
            papers=pages.standings(),
            topics=topics,
            questions=questions(),
            verdicts=VERDICTS,
            flaws=FLAWS,
        ),
    )
    for p in (p for p in pages.SHORT if p not in pages.HOME):
        yield (
            f"tables/{p}.html",
            page("arithmetic.html", "../", t=pages.table_of(p), hovers=pages.hovers(), choices=pages.SHORT, home=pages.HOME),
        )
    yield "claims/index.html", page("claims.html", "../", rows=everything, filters=_filters(everything))
    for e in everything:
        offered = {"pyodide": pyodide, "certified": e.id in certificates, "tried": widgets.TRIED.get(e.id)}
        yield f"claims/{e.id}.html", page("claim.html", "../", **pages.claim_page(e), **offered)
    for id, fold in folded().items():
        yield f"claims/{id}.html", page("folded.html", "../", id=id, into=current(id), why=fold["why"])
    for paper in (*papers_with_claims(), "new"):
        lead = (
            "What nobody has, as far as we know."
            if paper == "new"
            else "Statements with the most serious flaws first; below each what is wrong with it and what repairs it."
        )
        yield (
            f"papers/{paper}.html",
            page(
                "list.html",
                "../",
                id=paper,
                heading=PAPERS[paper],
                lead=lead,
                groups=[(None, pages.paper_page(paper)["rows"])],
                plan=blueprint(paper),
                sentences=pages.sentences(paper),
                bibtex=paper_entry(paper) if paper != "new" else None,
                public=place_of(paper),
            ),
        )
        if paper != "new":
            yield f"papers/{paper}-errata.html", page("errata.html", "../", **errata_page(paper))
    yield "rocq/index.html", page("rocq.html", "../", **rocq.index_page())
    for name in seal.files():
        yield f"rocq/{name.removesuffix('.v')}.html", page("rocq_file.html", "../", **rocq.file_page(name))
    for topic in TOPICS:
        yield f"topics/{topic}.html", page("topic.html", "../", **pages.topic_page(topic))
    for name, d in shown.items():
        for suffix, file in d.files.items():
            yield f"figures/{name}.{suffix}", file.read_bytes()
    for name in notebooks.names():
        n = notebooks.notebook(name)
        yield f"notebooks/{name}.html", page("notebook.html", "../", n=n)
        yield from ((f"notebooks/{picture}", png) for picture, png in n.pictures.items())
    rooms = [(room, [m for m in api.modules().values() if m.room == room]) for room in api.ROOMS]
    yield "api/index.html", page("api.html", "../", rooms=rooms)
    for m in api.modules().values():
        yield f"api/{m.name}.html", page("module.html", "../", **pages.api_page(m))
    yield "glossary.html", page("glossary.html", "", groups=pages.glossary())
    for model in knowledge().models:
        yield f"can/{model}.html", page("can.html", "../", **pages.model_page(model))
    for task in knowledge().tasks:
        yield f"tasks/{task}.html", page("task.html", "../", **pages.task_page(task))
    yield "docs/index.html", page("docs.html", "../", documents=documents())
    for d in documents():
        yield d.page, page("document.html", d.root, d=d)
    yield from pictures()
    yield "commands.html", page("commands.html", "", commands=commands())
    yield "search.html", page("search.html", "", kinds=search.KINDS)
    yield "static/documents.js", search.script()
    yield "static/card.png", card_png()
    yield "questions/index.html", page("questions.html", "../", questions=questions())
    for q in questions():
        yield f"questions/{q.id}.html", page("question.html", "../", q=q)
    yield "run/index.html", page("run.html", "../", presets=widgets.presets())
    yield "run/networks.js", widgets.networks()
    yield from language.files(page)
    yield (
        "recheck/index.html",
        page("recheck.html", "../", pyodide=pyodide, certificates=list(certificates), complete=recheck.complete(certificates)),
    )
    yield "recheck/checker.json", recheck.checker()
    yield "schema.html", page("schema.html", "", schema=SCHEMA)
    yield "ledger.schema.json", json.dumps(SCHEMA, ensure_ascii=False, indent=1) + "\n"
    yield (
        "ledger.json",
        json.dumps({"version": __version__, "claims": [_claim(e) for e in everything], "cells": _cells()}, ensure_ascii=False, indent=1)
        + "\n",
    )


def renderer(shown: Mapping[str, Any]) -> Callable[..., str]:
    """``render(template, root, **data)``: a page as text, ``root`` the way from it to the top; ``shown`` are the figures that are drawn."""
    env = Environment(
        loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    env.filters["set"] = set_text
    env.globals.update(
        heading=heading,
        repository=repository(),
        inline=inline,
        block=block,
        plain=plain,
        coloured=code,
        sentence=sentence,
        docstring=docstring,
        terms=pages.TERMS,
        version=__version__,
        drawn=shown,
        words_of=words_of,
    )

    def page(template: str, root: str, **data: Any) -> str:
        return with_contents(env.get_template(template).render(root=root, **data))

    return page


def number_of_files(figures: Path | None = None) -> int:
    """How many files :func:`files` gives."""
    notes = sum(1 + len(notebooks.notebook(name).pictures) for name in notebooks.names())
    claims_and_lists = (
        len(entries()) + len(folded()) + 2 * len(papers_with_claims()) + 1 + len(TOPICS) + len(knowledge().models) + len(questions())
    )
    claims_and_lists += (
        len(knowledge().tasks) + len(documents()) + len(list(pictures())) + len(pages.SHORT) - len(pages.HOME) + len(seal.files()) + 1
    )
    return claims_and_lists + len(api.modules()) + notes + sum(len(d.files) for d in drawn(figures).values()) + 19


def build(
    folder: Path,
    progress: Progress = silent,
    figures: Path | None = None,
    *,
    pyodide: Path | None = None,
    certificates: Path | None = None,
) -> int:
    """Write the site into ``folder``, which must be new or empty; how many files it has. All or nothing is written.

    ``figures`` is a folder that ``lemmata figures`` has written, ``pyodide`` the unpacked npm package, ``certificates`` a folder of them
    (``recheck``). ``progress`` counts the files. Raises ``ValueError`` if there is something in ``folder``, no
    figure in ``figures``, or a file to copy is missing or does not fit.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(
            f"expected a new or empty folder for the atlas, got {str(folder)!r}, in which there is something; name another one"
        )
    evidence = recheck.certificate_files(certificates) if certificates else {}
    copies = {f"pyodide/{path.name}": path for path in recheck.pyodide_files(pyodide)} if pyodide else {}
    copies |= {f"certificates/{claim}.json": path for claim, path in evidence.items()}
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".atlas-") as temporary:
        made = Path(temporary) / "site"
        shutil.copytree(HERE / "static", made / "static")
        count, total = 0, number_of_files(figures)
        for count, (path, content) in enumerate(files(figures, pyodide=pyodide is not None, certificates=evidence), 1):
            target = made / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode() if isinstance(content, str) else content)
            progress("pages", count, total)
        for path, source in copies.items():
            (made / path).parent.mkdir(exist_ok=True)
            shutil.copyfile(source, made / path)
        if folder.exists():
            folder.rmdir()
        made.rename(folder)
    return count + len(copies) + len(list((HERE / "static").iterdir()))


def _filters(chosen: list[Entry]) -> list[tuple[str, list[str]]]:
    hows = list(dict.fromkeys(e.how for e in chosen if e.how))
    return [
        ("paper", [*papers_with_claims(), "new"]),
        ("topic", list(TOPICS)),
        ("kind", list(KINDS)),
        ("verdict", list(VERDICTS)),
        ("class", list(FLAWS)),
        ("how", [h for h in HOWS if h in hows]),
    ]


def _claim(e: Entry) -> dict[str, Any]:
    """A claim without its numbers, which stand on its page."""
    return card(e) | {name: getattr(e, name) for name in ("domain", "citations", "reasons")}


def _cells() -> list[dict[str, Any]]:
    known = knowledge()
    return [cell(Place(m, t, depth, precision)) for m in known.models for t in known.tasks for precision in PRECISIONS for depth in DEPTHS]
