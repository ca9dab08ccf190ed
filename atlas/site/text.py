"""Our words as HTML: Markdown by markdown-it, formulas as MathML by latex2mathml, ids of claims as links; code by Pygments."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from inspect import cleandoc
from itertools import groupby
from typing import Any

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markupsafe import Markup
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String

from ...cli.formulas import readable
from ...theorems.ledger import ledger

#: code between fences: language and source
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$\n?", re.DOTALL | re.MULTILINE)

FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL)

#: what stands for formula number k while Markdown is read: a character of a private area, which no text of ours has
HELD = re.compile("\ue000(\\d+)\ue001")

#: an id of a claim, in words or code
ID = re.compile(r"(?<![\w./-])(?:grazzi25|orvieto24|movahedi25|degeeter26|lizaire26|new)(?:\.[A-Za-z0-9_-]+)+")

#: an alphabet and its one letter, which latex2mathml reads in braces only
ALPHABET = re.compile(r"\\(mathbb|mathcal|mathbf|mathfrak|mathsf|mathrm|boldsymbol)\s+([A-Za-z])")

#: where a publication is, as our words name it
ARXIV = re.compile(r"arXiv[: ](\d{4}\.\d{4,5})")

#: what a docstring writes as code: ``x``, or a role such as :func:`x`
LITERAL = re.compile(r":[a-z]+:`([^`]+)`|``(.+?)``", re.DOTALL)

#: what Markdown would read as a mark in a docstring: a product, an index, a tag
MARK = re.compile(r"(?<=\w)\*(?=\w)|(?<![^\W_])_(?=\S)|<(?=[A-Za-z/!?])")

#: kind of token -> class of its span; the rest stays in ink
COLOURS = {
    Comment: "c",
    String: "s",
    Number: "m",
    Keyword: "k",
    Operator.Word: "k",
    Name.Decorator: "d",
    Name.Function: "d",
    Name.Class: "d",
    Generic.Prompt: "k",
    Generic.Output: "c",
}

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


@cache
def formula(latex: str, block: bool = False) -> str:
    """MathML of a formula. Raises ``ValueError`` with the formula if it cannot be read."""
    try:
        return convert(ALPHABET.sub(r"\\\1{\2}", latex), display="block" if block else "inline")
    except Exception as error:
        raise ValueError(f"expected a formula that latex2mathml reads, got {latex!r}: {error!r}") from error


def inline(text: str, root: str = "") -> Markup:
    """One paragraph of our words. ``root`` leads from the page to the site's folder."""
    return _held(text, lambda words: _MARKDOWN.renderInline(words), root)


def block(text: str, root: str = "") -> Markup:
    """Paragraphs and lists."""
    return _held(text, lambda words: _MARKDOWN.render(words), root)


def sentence(text: str) -> str:
    """Words of the table as a sentence of their own: a question if they ask."""
    return f"{text[:1].upper()}{text[1:]}{'?' if text.split()[0] in ('is', 'have') else '.'}"


def plain(text: str) -> str:
    """The text without marks, its formulas in one line of Unicode: for titles of pages and for the search."""
    return " ".join(readable(text).split())


def linked(html: str, root: str) -> str:
    """HTML with every id of a claim and every arXiv number outside of tags and links made a link."""
    parts = re.split(r"(<a\b.*?</a>|<[^>]*>)", html, flags=re.DOTALL)
    return "".join(
        part if i % 2 else ARXIV.sub(_published, ID.sub(lambda m: _link(m.group(0), root), part)) for i, part in enumerate(parts)
    )


def _published(found: re.Match[str]) -> str:
    return f'<a href="https://arxiv.org/abs/{found.group(1)}" rel="external">{found.group()}</a>'


def heading(title: str) -> str:
    """A title as a heading: its first letter large if it begins a word, and not a symbol or a function."""
    word = re.match(r"(?:[a-z]{2,}|a)(?=[ ,'’-][a-zA-Z(]?)", title)
    return title[:1].upper() + title[1:] if word and word.group() not in ("cast", "det", "tanh", "diag", "vec", "log") else title


@cache
def _link(id: str, root: str) -> str:
    known = id.rstrip(".")
    if known not in ledger():
        return id
    return f'<a href="{root}claims/{known}.html">{known}</a>{id[len(known) :]}'


def _held(text: str, render, root: str) -> Markup:
    formulas: list[str] = []

    def hold(match: re.Match) -> str:
        formulas.append(formula((match.group(1) or match.group(2)).strip(), match.group(1) is not None))
        return f"\ue000{len(formulas) - 1}\ue001"

    html = linked(render(FORMULA.sub(hold, text)), root)
    return Markup(HELD.sub(lambda m: formulas[int(m.group(1))], html))


def attribute(text: str) -> str:
    """Text for the inside of an attribute."""
    return escape(text, quote=True)


def docstring(text: str, root: str = "") -> Markup:
    """A docstring: Markdown, but for literals between double backticks and for roles."""
    parts = re.split(r"(`[^`]+`|\$[^$]+\$)", LITERAL.sub(lambda m: f"`{m.group(1) or m.group(2)}`", cleandoc(text)))
    return block("".join(part if i % 2 else MARK.sub(r"\\\g<0>", part) for i, part in enumerate(parts)), root)


def code(source: str, language: str = "python") -> Markup:
    """Source text with spans around keywords, strings, numbers, comments and names that are defined."""
    return Markup(_coloured(source, language).removesuffix("\n"))


def numbered_code(source: str, first: int, anchor: str, language: str = "python") -> Markup:
    """The same in lines, each with the id ``anchor``-NUMBER; the style sheet counts them from ``first``."""
    lines = _coloured(source, language).removesuffix("\n").split("\n")
    numbered = "\n".join(f'<span id="{anchor}-{n}">{line}</span>' for n, line in enumerate(lines, first))
    return Markup(f'<code class="lines" style="counter-reset: line {first - 1}">{numbered}</code>')


@cache
def _lexer(language: str):
    return get_lexer_by_name(language, stripnl=False)


@cache
def _coloured(source: str, language: str) -> str:
    out = []
    for colour, tokens in groupby(_lexer(language).get_tokens(source), lambda token: _colour(token[0])):
        text = escape("".join(part for _, part in tokens))
        # what goes over several lines is cut, so that every line is closed
        out.append(
            "\n".join(f'<span class="{colour}">{line}</span>' if line.strip() else line for line in text.split("\n")) if colour else text
        )
    return "".join(out)


@cache
def _colour(kind: Any) -> str | None:
    return next((colour for k, colour in COLOURS.items() if kind in k), None)


#: a section's heading, with the anchor of itself or of its section
SECTION = re.compile(
    r"""<section\b[^>]*\bid="(?P<outer>[^"]+)"[^>]*>\s*<h2(?! id=)[^>]*>(?P<title>.*?)</h2>|<h2 id="(?P<own>[^"]+)"[^>]*>(?P<words>.*?)</h2>""",
    re.DOTALL,
)

#: a page with so many sections or more begins with a list of them
MANY = 5


def with_contents(html: str) -> str:
    """A page with a list of its sections below its lead, if there are many and it has no list of its own."""
    found = list(SECTION.finditer(html))
    if len(found) < MANY or 'aria-label="On this page"' in html or 'aria-label="Contents' in html or 'id="table"' in html:
        return html
    first = re.search(r"<(?:section|h2)\b", html[html.index("</h1>") :])
    if first is None:
        return html
    items = "".join(f'<li><a href="#{m["outer"] or m["own"]}">{_bare(m["title"] or m["words"])}</a></li>' for m in found)
    at = html.index("</h1>") + first.start()
    return f'{html[:at]}<nav class="contents" aria-label="On this page"><details><summary>On this page</summary><ul>{items}</ul></details></nav>\n{html[at:]}'


def _bare(words: str) -> str:
    """A heading without its own links."""
    return re.sub(r"</?a\b[^>]*>|\bid=\"[^\"]*\"", "", re.sub(r'<a class="here".*?</a>', "", words)).strip()
