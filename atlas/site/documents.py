"""The documentation of a checkout, ``docs/**/*.md``, as pages; an installed package has none."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from posixpath import basename, dirname, join, normpath

from markupsafe import Markup

from ...cli.where import ROOT
from .text import FENCE, block, code, plain

FOLDER = ROOT / "docs"

#: files that say what other pages of the site say, wherever they stand: where a link to one leads
ELSEWHERE = {"expressivity.md": "index.html#table", "findings.md": "index.html#papers", "CLAIMS.md": "rocq/index.html"}

COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
HEADING = re.compile(r"<(h[1-6])>(.*?)</\1>", re.DOTALL)
PICTURE = re.compile(r'<img src="([^"]*)" alt="([^"]*)" />')
SIZE = re.compile(r'<svg [^>]*width="([\d.]+)" height="([\d.]+)"')


@dataclass(frozen=True)
class Document:
    """A page: ``name`` is its path below docs/ without the suffix."""

    name: str
    title: str
    text: str

    @property
    def folder(self) -> str:
        """Its folder in words: "how-to"; empty for what stands at the top."""
        return dirname(self.name).replace("/", ", ")

    @property
    def page(self) -> str:
        """Its path on the site."""
        return f"docs/{self.name}.html"

    @property
    def root(self) -> str:
        """What leads from the page to the site's folder."""
        return "../" * self.page.count("/")

    @property
    def html(self) -> Markup:
        """The page below its title; code in colours, an anchor at every heading, links between pages of docs/ kept."""
        pieces = FENCE.split(self.text)
        parts = [block(LINK.sub(self._link, pieces[0]), self.root)]
        for language, source, words in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
            name = language if language in ("python", "console", "json", "bibtex", "toml", "bash") else "text"
            parts.append(Markup('<pre tabindex="0" class="code"><code>{}</code></pre>').format(code(source, name)))
            parts.append(block(LINK.sub(self._link, words), self.root))
        seen: set[str] = set()
        anchored = HEADING.sub(lambda found: _anchored(found, seen), "\n".join(parts))
        count = itertools.count(1)
        return Markup(PICTURE.sub(self._sized, TABLE.sub(lambda found: _scrolled(found[0], next(count)), anchored)))

    def _sized(self, found: re.Match[str]) -> str:
        """A picture with its width and height, so that the page does not move when it comes."""
        size = SIZE.match((FOLDER / normpath(join(dirname(self.name), found[1]))).read_text(encoding="utf-8"))
        assert size is not None, found[1]
        width, height = (round(float(x)) for x in size.groups())
        return f'<img src="{found[1]}" alt="{found[2]}" width="{width}" height="{height}" loading="lazy">'

    def _link(self, found: re.Match[str]) -> str:
        picture, words, target = found.groups()
        if target.startswith(("https://", "http://", "#")) and not picture:
            return found.group()
        path, _, fragment = target.partition("#")
        there = normpath(join(dirname(self.name), path))
        if not picture and basename(there) in ELSEWHERE:
            return f"[{words}]({self.root}{ELSEWHERE[basename(there)]})"
        if picture and (FOLDER / there).is_file():
            return f"![{words}]({target})"
        if not picture and there in {f"{d.name}.md" for d in documents()}:
            return f"[{words}]({self.root}docs/{there.removesuffix('.md')}.html{'#' if fragment else ''}{fragment})"
        # a file of the repository, which the site does not have
        return words


def pictures() -> Iterator[tuple[str, str]]:
    """(path on the site, SVG) of every picture that a page shows, by page."""
    for d in documents():
        for found in LINK.finditer(d.text):
            there = normpath(join(dirname(d.name), found[3]))
            if found[1] and (FOLDER / there).is_file():
                yield f"docs/{there}", (FOLDER / there).read_text(encoding="utf-8")


@cache
def documents() -> tuple[Document, ...]:
    """All of them, by path."""
    return tuple(_read(path) for path in sorted(FOLDER.rglob("*.md")) if path.name not in ELSEWHERE)


def _read(path: Path) -> Document:
    name = path.relative_to(FOLDER).as_posix().removesuffix(".md")
    text = COMMENT.sub("", path.read_text(encoding="utf-8")).lstrip()
    first, _, rest = text.partition("\n")
    return Document(name, plain(first.lstrip("# ").strip()) if first.startswith("# ") else name, rest if first.startswith("# ") else text)


def _scrolled(table: str, number: int) -> str:
    """A table that is moved sideways where the page is narrower."""
    return f'<div class="scroll" role="region" tabindex="0" aria-label="Table {number} of this page">{table}</div>'


def _anchored(found: re.Match[str], seen: set[str]) -> str:
    """A heading with the anchor that repository viewers give it."""
    tag, words = found.groups()
    slug = re.sub(r"[^\w\- ]", "", re.sub(r"<[^>]*>", "", words).lower()).strip().replace(" ", "-")
    if not slug or slug in seen:
        return found.group()
    seen.add(slug)
    return f'<{tag} id="{slug}">{words}</{tag}>'
