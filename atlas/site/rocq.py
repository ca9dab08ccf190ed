"""What Rocq's kernel has proved, as parts of pages: words beside statements, the definitions that they need, proofs with goals, whole files."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import pairwise
from typing import Any

from markupsafe import Markup

from ...formal import goals, script, seal
from ...theorems.ledger import PAPERS, Entry, entries
from .text import block, inline

KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        "Theorem Lemma Fact Corollary Remark Example Definition Fixpoint Inductive Record Structure Variant Section End Module Variable Variables "
        "Hypothesis Hypotheses Context Let Local Notation Canonical Coercion Proof Qed Defined Require Import Export From Set Unset Open Scope "
        "forall exists exists2 fun fix let in if then else match with end return as is where",
    )
)

#: a comment, up to an end with a blank behind it; a string; a name, with its module or without
WORD = re.compile(r'\(\*.*?\*\)(?=\s|$)|"[^"]*"|[A-Za-z_][\w\']*(?:\.[A-Za-z_][\w\']*)*', re.DOTALL)

#: what stands around marked words while they are rendered: characters of a private area, which no text of ours has
OPEN, HEAD, CLOSE = "\ue002", "\ue003", "\ue004"
MARKED = re.compile(f"{OPEN}([\\d ]+)\\|([\\d ]*){HEAD}")

#: how a clause begins whose meaning is among the differences
DIFFERS = "differs: "


@dataclass(frozen=True)
class Step:
    """A sentence of a proof and the goals after it; ``goals`` is None where there are none to show."""

    text: Markup
    goals: goals.Goals | None


@dataclass(frozen=True)
class Proof:
    """The proof of a theorem; ``current`` is False if the goals recorded are those of another source."""

    steps: list[Step]
    current: bool


def kernel_part(e: Entry) -> dict[str, Any] | None:
    """What a claim's page shows of its theorems; None if the kernel has none."""
    if not e.formal:
        return None
    pairs = seal.clauses().get(e.id, [])
    names = _reached(e.theorems)
    address = {name: f"#{_anchor(name)}" for name in names}
    return {
        "whole": e.how == "formal",
        "words": _marked(e.says, [words for words, _ in pairs], block),
        "hypotheses": [_marked(text, [words for words, _ in pairs], inline) for text in e.hypotheses],
        "differs": [(k, part.removeprefix(DIFFERS)) for k, (_, part) in enumerate(pairs, 1) if part.startswith(DIFFERS)],
        "theorems": [_theorem(f, [part for _, part in pairs], address) for f in e.formal],
        "definitions": [_definition(name, address) for name in names],
        "axioms": e.axioms,
    }


def _theorem(proof: Mapping[str, Any], parts: list[str], address: Mapping[str, str]) -> dict[str, Any]:
    module, _, short = proof["theorem"].partition(".")
    text = proof["statement"]
    return {
        "name": proof["theorem"],
        "page": f"rocq/{module}.html#{_anchor(short)}",
        "place": f"{proof['file']}:{proof['line']}",
        "differs": proof["differs"],
        "unsealed": _unsealed(proof["theorem"]),
        "statement": _tied(text, _spans(text, parts), _linked_to(address)),
        "proof": _proof(module, short),
    }


def _unsealed(name: str) -> str | None:
    """Why the statement shown is not, or not any more, what the kernel proved and a person pinned; None if it is."""
    try:
        seal.require_proof(name)
    except LookupError as why:
        return str(why)
    return None


def _reached(theorems: Collection[str]) -> list[str]:
    """The definitions that statements unfold to, the nearest first, each where it is made: a constructor by its type."""
    table, found = seal.closed(), list(theorems)
    for name in found:
        found += [used for used in table[name]["uses"] if used not in found]
    made = [f"{name.partition('.')[0]}.{item.name}" for name in found[len(theorems) :] if (item := script.item(name))]
    return list(dict.fromkeys(made))


def _definition(name: str, address: Mapping[str, str]) -> dict[str, Any]:
    """A definition as it stands in its file, below what its sections assume."""
    module, _, short = name.partition(".")
    item, link = script.items(module)[short], _linked_to(address, module)
    s = script.sentences(script.source(module))[item.number]
    return {
        "id": _anchor(name),
        "name": name,
        "kind": item.kind,
        "page": f"rocq/{module}.html#{_anchor(short)}",
        "place": f"formal/{module}.v:{s.line}",
        "text": coloured(script.shown(module, item.number), link),
        "assumed": coloured("\n".join(script.shown(module, k) for k in item.assumed), link),
    }


def _anchor(name: str) -> str:
    return f"def-{name}"


# -- proofs and files ---------------------------------------------------------------------------------------------------------------


def _proof(module: str, short: str) -> Proof:
    item = script.items(module).get(short)
    return Proof(_steps(module, item.proof) if item else [], item is not None and goals.is_current(f"{module}.v"))


def _steps(module: str, numbers: range) -> list[Step]:
    """The sentences of a proof, each with the comments before it, a bullet with what follows it; lemmas of ours are links."""
    text, known = script.source(module), goals.goals(module)
    found, link = script.sentences(text), lemmas(module).get
    out: list[Step] = []
    held: list[str] = []
    for k in numbers:
        line = text[text.rfind("\n", 0, found[k].start) + 1 : found[k].start]
        indent = " " * (len(line) - len(line.lstrip()))
        comment = script.gap(module, k - 1).strip() if k > numbers.start else ""
        held += [f"{indent}{comment}\n"] if comment else []
        held.append(found[k].text if held and not comment else indent + found[k].text)
        if script.is_bullet(found[k].text):
            held.append(" ")
        else:
            out.append(Step(coloured("".join(held), link), known.get(k)))
            held = []
    return out


@cache
def lemmas(module: str) -> dict[str, str]:
    """Where each lemma of ours that a file can name is shown, by its name alone and with its module; the file's own before imported ones."""
    out: dict[str, str] = {}
    for source in reversed(seal.sources_of(f"{module}.v")):
        there = source.removesuffix(".v")
        for name, item in script.items(there).items():
            if item.kind in script.PROVED:
                out |= dict.fromkeys((name, f"{there}.{name}"), f"../rocq/{there}.html#{_anchor(name)}")
    return out


@cache
def file_page(name: str) -> dict[str, Any]:
    """A source as a page: its first comment, what it imports, what claims ask of it, and its sentences with the proofs folded."""
    module = name.removesuffix(".v")
    text = script.source(module)
    first = script.sentences(text)[0].start
    return {
        "name": name,
        "module": module,
        "title": _title(module),
        "lead": _comment(text[:first], set(script.items(module))),
        "imports": [one.removesuffix(".v") for one in seal.imports(name)],
        "theorems": [(short, [e for e in entries() if f"{module}.{short}" in e.theorems]) for short in theorems(module)],
        "parts": _parts(module),
        "current": goals.is_current(name),
    }


def _parts(module: str) -> list[tuple[Markup, list[Step]]]:
    """Text and the proof that follows it, in turn."""
    found = script.sentences(script.source(module))
    named = {item.number: item for item in script.items(module).values()}
    out: list[tuple[Markup, list[Step]]] = []
    held: list[str] = []
    end = 0
    for k, s in enumerate(found):
        if k < end:
            continue
        words, item = coloured(s.text), named.get(k)
        held.append(Markup('<span id="{}">{}</span>').format(_anchor(item.name), words) if item else words)
        end = k + 1
        if item and item.proof:
            out.append((_joined(held), _steps(module, item.proof)))
            held, end = [], item.proof.stop
        held.append(coloured(script.gap(module, end - 1)))
    return [*out, (_joined(held), [])]


def _joined(pieces: list[str]) -> Markup:
    return Markup("".join(pieces).strip("\n"))


def _comment(text: str, names: set[str]) -> list[list[Markup]]:
    """The paragraphs of the comment at the top of a file, without its title; a list is one of several items, any other paragraph of one.

    ``[name x]`` links to the definition, if the file has one of this name.
    """
    inner = re.sub(r"^\(\*+\s*(\*+ [^\n]*)?|\s*\*+\)\s*$", "", text.strip())
    paragraphs = [paragraph for paragraph in re.split(r"\n\s*\n", inner) if paragraph.strip()]
    return [
        [_linked(" ".join(item.split()), names) for item in re.split(r"^\s*- ", paragraph, flags=re.M) if item.strip()]
        for paragraph in paragraphs
    ]


def _linked(text: str, names: set[str]) -> Markup:
    """``[name x]`` as code that links to the definition of the name."""

    def link(found: re.Match[str]) -> str:
        return f'<a href="#def-{found[2]}"><code>{found[1]}</code></a>' if found[2] in names else found[0]

    return Markup(re.sub(r"\[(([A-Za-z_][\w']*)[^\[\]]*)\]", link, str(escape(text))))


def _title(module: str) -> str:
    found = re.match(r"\(\*+\s*\*+ ([^\n]*?)\s*(?:\*\))?\n", script.source(module))
    return found[1] if found else module


def theorems(module: str) -> list[str]:
    """The theorems of a file, in its order."""
    return [name for name, item in script.items(module).items() if item.kind == "Theorem"]


def files() -> list[tuple[str, str]]:
    """Module and title of every source, in the order in which they compile."""
    return [(module, _title(module)) for module in (name.removesuffix(".v") for name in seal.files())]


def index_page() -> dict[str, Any]:
    """All claims of which the kernel has something, paper by paper, with the theorems and the axioms; and all files."""
    chosen = [e for e in entries() if e.formal]
    return {
        "groups": [(PAPERS[p], p, rows) for p in PAPERS if (rows := [e for e in chosen if e.paper == p])],
        "whole": sum(e.how == "formal" for e in chosen),
        "part": sum(e.how != "formal" for e in chosen),
        "theorems": len({name for e in chosen for name in e.theorems}),
        "free": sum(e.how == "formal" and not e.axioms for e in chosen),
        "files": files(),
        "systems": {system: seal.record()[system] for system in seal.SYSTEMS},
        "anchor": _anchor,
    }


# -- text with marks ----------------------------------------------------------------------------------------------------------------


def coloured(text: str, link: Callable[[str], str | None] = lambda word: None) -> Markup:
    """Rocq text with spans around keywords and comments, and with links; ``link`` gives the address of a name, or None."""
    out, at = [], 0
    for found in WORD.finditer(text):
        word = found.group()
        out.append(escape(text[at : found.start()], quote=False))
        at = found.end()
        said = escape(word, quote=False)
        if word.startswith("(*"):
            out.append("\n".join(f'<span class="c">{line}</span>' if line.strip() else line for line in said.split("\n")))
        elif word in KEYWORDS:
            out.append(f'<span class="k">{said}</span>')
        elif where := link(word):
            out.append(f'<a href="{escape(where)}">{said}</a>')
        else:
            out.append(said)
    return Markup("".join([*out, escape(text[at:], quote=False)]))


def _linked_to(address: Mapping[str, str], module: str = "") -> Callable[[str], str | None]:
    """The address of a name, written with its module or without: then it is that of ``module``, or the only one that is called so."""
    short: dict[str, list[str]] = {}
    for name in address:
        short.setdefault(name.partition(".")[2], []).append(name)
    own = {word: f"{module}.{word}" for word, names in short.items() if f"{module}.{word}" in names}
    meant = {word: names[0] for word, names in short.items() if len(names) == 1} | own
    return ({word: address[name] for word, name in meant.items()} | dict(address)).get


def _spans(text: str, parts: Iterable[str]) -> list[tuple[int, int, int]]:
    """Where each part stands in a text first, blanks counting as one: begin, end and the part's number from 1."""
    words = [(found.group(), found.start()) for found in re.finditer(r"\S+", text)]
    single = " ".join(word for word, _ in words)
    # the place in the text of each character of the single line; a blank stands where its word ends
    places = [start + i for word, start in words for i in range(len(word) + 1)]
    return [
        (places[at], places[at + len(line) - 1] + 1, k)
        for k, line in enumerate((" ".join(part.split()) for part in parts), 1)
        if (at := single.find(line)) >= 0
    ]


def _pieces(text: str, spans: list[tuple[int, int, int]]) -> list[tuple[str, list[int], list[int]]]:
    """A text cut where a span begins or ends: each piece, the numbers of the spans over it, and of those that begin with it."""
    cuts = sorted({0, len(text), *(x for a, b, _ in spans for x in (a, b))})
    return [
        (text[a:b], sorted(k for x, y, k in spans if x <= a and b <= y), sorted(k for x, _, k in spans if x == a))
        for a, b in pairwise(cuts)
    ]


def _tied(text: str, spans: list[tuple[int, int, int]], link: Callable[[str], str | None]) -> Markup:
    """A statement with a span around each part that says a clause."""
    return Markup("").join(
        Markup("{}{}</span>").format(_opening(over, new), coloured(piece, link)) if over else coloured(piece, link)
        for piece, over, new in _pieces(text, spans)
    )


def _marked(text: str, clauses: list[str], render: Callable[[str, str], Markup]) -> Markup:
    """Our words rendered, with a span around each clause."""
    raw = "".join(
        f"{OPEN}{' '.join(map(str, over))}|{' '.join(map(str, new))}{HEAD}{piece}{CLOSE}" if over else piece
        for piece, over, new in _pieces(text, _spans(text, clauses))
    )
    html = MARKED.sub(lambda found: _opening(found[1].split(), found[2].split()), render(raw, "../"))
    return Markup(html.replace(CLOSE, "</span>"))


def _opening(over: Iterable[object], new: Iterable[object]) -> Markup:
    """The numbers of the clauses that begin here, and the tag that opens a piece of all that lie over it."""
    numbers = Markup("").join(Markup('<sup class="clause">{}</sup>').format(k) for k in new)
    return Markup('{}<span class="tie" data-c="{}" tabindex="0">').format(numbers, " ".join(map(str, over)))
