"""The notebooks of a checkout, with the outputs that are stored in them; an installed package has none."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from dataclasses import dataclass
from functools import cache
from html import unescape
from typing import Any

from markupsafe import Markup, escape

from ...cli.where import ROOT
from ...theorems.ledger import TOPICS
from .text import FORMULA, block, code, formula, linked, plain

FOLDER = ROOT / "notebooks"

#: an HTML output that is shown as it is stored: a table or a paragraph without style or script of its own
SIMPLE = re.compile(r"\s*<(?:table|b|p)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Notebook:
    """Its cells as HTML, and the pictures that they show by file name."""

    name: str
    topic: str
    title: str
    cells: tuple[Markup, ...]
    pictures: dict[str, bytes]


def names() -> list[str]:
    """The notebooks here, by topic: each topic's own first, then those whose names begin with it."""
    found = sorted(path.stem for path in FOLDER.glob("*.ipynb")) if FOLDER.is_dir() else []
    return [name for topic in TOPICS for name in found if topic_of(name) == topic]


def topic_of(name: str) -> str | None:
    """The topic of a notebook: the longest with which its name begins, as a word; None where it begins with none."""
    return max((t for t in TOPICS if name == t or name.startswith(f"{t}_")), key=len, default=None)


def topics() -> list[str]:
    """The topics that have a notebook of their own name here."""
    return [t for t in TOPICS if t in names()]


def more_of(topic: str) -> list[Notebook]:
    """The notebooks of a topic beside its own."""
    return [notebook(name) for name in names() if topic_of(name) == topic != name]


@cache
def notebook(name: str) -> Notebook:
    """A notebook. Raises ``ValueError`` with a formula of it that cannot be read."""
    return _Reader(name).read(json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"])


class _Reader:
    def __init__(self, name: str) -> None:
        self.name, self.title, self.heading = name, name.replace("_", " ").capitalize(), ""
        self.pictures: dict[str, bytes] = {}

    def read(self, cells: list[dict[str, Any]]) -> Notebook:
        html = tuple(part for c in cells for part in (self._words(c) if c["cell_type"] == "markdown" else self._code(c)))
        return Notebook(self.name, topic_of(self.name) or self.name, self.title, html, self.pictures)

    def _words(self, cell: dict[str, Any]) -> list[Markup]:
        text = "".join(cell["source"])
        for match in re.finditer(r"^(#+) +(.+)$", text, re.MULTILINE):
            self.heading = plain(match.group(2))
            if match.group(1) == "#":
                self.title = match.group(2)
        # the title is the page's own
        return [block(re.sub(r"^# .+\n?", "", text, count=1, flags=re.MULTILINE), "../")]

    def _code(self, cell: dict[str, Any]) -> list[Markup]:
        source = "".join(cell["source"])
        shown = [Markup('<pre tabindex="0" class="code"><code>{}</code></pre>').format(code(source))] if source.strip() else []
        return shown + [html for output in cell["outputs"] if (html := self._output(output))]

    def _output(self, output: dict[str, Any]) -> Markup | None:
        """The richest form that needs no style of its own: picture, Markdown, simple HTML, formula, text."""
        if output["output_type"] == "stream":
            return _text("".join(output["text"]))
        if output["output_type"] == "error":
            return _text(f"{output['ename']}: {output['evalue']}")
        data = {kind: "".join(x) for kind, x in output["data"].items()}
        if "image/png" in data:
            return self._picture(b64decode(data["image/png"]))
        if "text/markdown" in data:
            return Markup('<div class="output">{}</div>').format(block(data["text/markdown"], "../"))
        if SIMPLE.match(data.get("text/html", "")):
            return _html(data["text/html"])
        if data.get("text/latex", "").startswith("$"):
            return Markup('<div class="output">{}</div>').format(block(data["text/latex"], "../"))
        return _text(data["text/plain"])

    def _picture(self, png: bytes) -> Markup:
        name = f"{self.name}-{len(self.pictures) + 1}.png"
        self.pictures[name] = png
        width, height = size_of(png)
        return Markup('<p class="output"><img src="{}" alt="{}" width="{}" height="{}" loading="lazy"></p>').format(
            name, f"Drawn by the cell above: {self.heading}", width, height
        )


def size_of(png: bytes) -> tuple[int, int]:
    """Width and height of a PNG. Raises ``ValueError`` if it is none."""
    if png[:8] != b"\x89PNG\r\n\x1a\n" or png[12:16] != b"IHDR":
        raise ValueError("expected a PNG, got other bytes")
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


def _text(text: str) -> Markup:
    return Markup('<pre tabindex="0" class="output">{}</pre>').format(escape(text.rstrip("\n")))


def _html(html: str) -> Markup:
    """Stored HTML in a box of its own, its formulas typeset and its claims linked."""
    typeset = FORMULA.sub(lambda m: formula(unescape((m.group(1) or m.group(2)).strip())), html)
    return Markup('<div class="output scroll" role="region" tabindex="0" aria-label="Output">{}</div>').format(
        Markup(linked(typeset, "../"))
    )
