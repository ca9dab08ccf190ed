"""A Rocq source as sentences, and what they define. Nothing here needs Rocq, and nothing a package."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from . import seal

#: what a sentence may end in or may not: comments nest, a string holds anything, two dots are part of a notation
TOKEN = re.compile(r'\(\*|\*\)|"[^"]*"|\.{3}(?=\s|$)|\.{2}|\.(?=\s|$)')

#: a bullet or a brace, which is a sentence of its own
BULLET = re.compile(r"[-+*]+(?=\s)|(?:\d+:\s*)?\{|\}")

#: what gives a name to something, at the beginning of a sentence
NAMES = re.compile(
    r"(?:(?:#\[[^\]]*\]|Local|Global|Program)\s+)*(Definition|Fixpoint|CoFixpoint|Inductive|CoInductive|Variant|Record|Structure|Class|Instance"
    r"|Canonical|Coercion|Let(?:\s+Fixpoint)?|Lemma|Theorem|Fact|Corollary|Remark|Proposition|Example)\s+([A-Za-z_][\w']*)"
)

#: what a section assumes or abbreviates for all that follows in it
ASSUMES = re.compile(r"(?:Local\s+)?(?:Variables?|Hypothes[ie]s|Context|Notation)\b")

#: the kinds whose sentence is followed by a proof
PROVED = ("Lemma", "Theorem", "Fact", "Corollary", "Remark", "Proposition", "Example")

ENDS = re.compile(r"(?:Qed|Defined|Admitted|Abort)\b")


@dataclass(frozen=True)
class Sentence:
    """A sentence of a source: where it begins and ends, its text, and its line, counted from 1."""

    start: int
    stop: int
    text: str
    line: int


@dataclass(frozen=True)
class Item:
    """What one sentence gives a name to.

    ``kind`` is its first word, ``assumed`` the sentences of the open sections that it stands under, and ``proof`` the numbers of the sentences
    from ``Proof`` to the end of the proof, if there is one.
    """

    name: str
    kind: str
    number: int
    assumed: tuple[int, ...]
    proof: range


@cache
def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a source in order, without the blanks and comments between them.

    >>> [s.text for s in sentences("Lemma a : b. (* why. *) Proof. - by []. Qed.")]
    ['Lemma a : b.', 'Proof.', '-', 'by [].', 'Qed.']
    """
    out: list[Sentence] = []
    at = _skipped(text, 0)
    while at < len(text):
        bullet = BULLET.match(text, at)
        stop = bullet.end() if bullet else _end(text, at)
        line = out[-1].line + text.count("\n", out[-1].start, at) if out else 1 + text.count("\n", 0, at)
        out.append(Sentence(at, stop, text[at:stop], line))
        at = _skipped(text, stop)
    return tuple(out)


def is_bullet(sentence: str) -> bool:
    """True for a bullet or a brace."""
    found = BULLET.match(f"{sentence} ")
    return found is not None and found.end() == len(sentence)


def _end(text: str, at: int) -> int:
    """Where the sentence that begins at a place ends."""
    depth = 0
    for token in TOKEN.finditer(text, at):
        if token.group() == "(*":
            depth += 1
        elif token.group() == "*)":
            depth = max(depth - 1, 0)  # a conjugate in parentheses ends so too
        elif not depth and token.group() in (".", "..."):
            return token.end()
    return len(text)


def _skipped(text: str, at: int) -> int:
    """The next place that is neither blank nor in a comment."""
    depth = 0
    while at < len(text):
        if text.startswith("(*", at):
            depth, at = depth + 1, at + 2
        elif depth and text.startswith("*)", at):
            depth, at = depth - 1, at + 2
        elif depth and text[at] == '"':
            at = text.index('"', at + 1) + 1
        elif depth or text[at].isspace():
            at += 1
        else:
            break
    return at


@cache
def source(module: str) -> str:
    """The text of ``formal/MODULE.v``."""
    return (seal.FOLDER / f"{module}.v").read_text(encoding="utf-8")


@cache
def items(module: str) -> dict[str, Item]:
    """Name -> what a file defines or proves, in its order; of two with one name, in different sections, the later."""
    found = sentences(source(module))
    out: dict[str, Item] = {}
    opened: list[list[int]] = [[]]
    for k, s in enumerate(found):
        named = NAMES.match(s.text)
        if re.match(r"(Section|Module)\b(?!.*:=)", s.text):
            opened.append([])
        elif re.match(r"End\b", s.text):
            opened.pop()
        elif ASSUMES.match(s.text):
            opened[-1].append(k)
        elif named:
            assumed = tuple(n for level in opened[1:] for n in level)
            out[named[2]] = Item(named[2], named[1].split()[0], k, assumed, _proof(found, k))
    return out


def _proof(found: tuple[Sentence, ...], k: int) -> range:
    """The numbers of the sentences that prove sentence ``k``; none if it is a definition by a term."""
    if k + 1 == len(found) or not re.match(r"Proof\b", found[k + 1].text):
        return range(0)
    last = next(n for n in range(k + 1, len(found)) if ENDS.match(found[n].text))
    return range(k + 1, last + 1)


@cache
def item(name: str) -> Item | None:
    """What ``module.name`` is in its file: a constructor or a field stands in the sentence of its type; None for what Rocq makes by itself."""
    module, _, short = name.partition(".")
    known = items(module)
    if short in known:
        return known[short]
    word = re.compile(rf"(?<![\w'.]){re.escape(short)}(?![\w'])")
    types = ("Inductive", "CoInductive", "Variant", "Record", "Structure", "Class")
    holding = [i for i in known.values() if i.kind in types and word.search(sentences(source(module))[i.number].text)]
    return holding[0] if holding else None


def shown(module: str, number: int) -> str:
    """A sentence as it stands in its file, its further lines indented as much less as the first."""
    text = source(module)
    s = sentences(text)[number]
    indent = s.start - text.rfind("\n", 0, s.start) - 1
    return re.sub(rf"\n {{1,{indent}}}", "\n", s.text) if indent else s.text


def gap(module: str, number: int) -> str:
    """What stands between a sentence and the next: blanks and comments."""
    text, found = source(module), sentences(source(module))
    ends = [0, *(s.stop for s in found)]
    starts = [*(s.start for s in found), len(text)]
    return text[ends[number + 1] : starts[number + 1]]


def forget() -> None:
    """Forget what was read, since the files have changed."""
    for reader in (source, items, item):
        reader.cache_clear()
