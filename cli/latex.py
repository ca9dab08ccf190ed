"""Documents as LaTeX that compiles with pdflatex; formulas stay as they are."""

from __future__ import annotations

import re
from functools import cache
from textwrap import wrap
from typing import Any

from .blocks import Block, Counts, Facts, Heading, Items, Numbers, Paragraph
from .console import spelled
from .formulas import LOWERED, RAISED
from .markdown import WHOLE
from .tables import number_lines

HEAD = r"""\documentclass[11pt,a4paper]{article}
\usepackage[T1]{fontenc}
\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\usepackage{amsmath,amssymb,textcomp}
\usepackage[margin=25mm]{geometry}
\setlength{\parindent}{0pt}
\setlength{\parskip}{4pt}
\emergencystretch=3em
\begin{document}
"""

SECTIONS = {1: "section*", 2: "subsection*", 3: "subsubsection*"}


def latex(blocks: list[Block]) -> str:
    """The document as text."""
    return HEAD + "\n\n".join(_block(block) for block in blocks) + "\n\n\\end{document}\n"


def inline(text: str) -> str:
    """Our words in LaTeX: formulas as they are, code in typewriter, everything else escaped."""
    parts = WHOLE.split(" ".join(text.split()))
    return "".join(
        _code(part.strip("`")) if part.startswith("`") else _formula(part) if i % 2 else escaped(part) for i, part in enumerate(parts)
    )


def escaped(text: str) -> str:
    """Plain text in LaTeX; a raised or lowered letter is a script, other characters that LaTeX has no sign for are spelled."""
    parts = SCRIPTS.split(text)
    return "".join(_script(part) if i % 2 else _plain(part) for i, part in enumerate(parts))


def _script(signs: str) -> str:
    kind, table = ("^", RAISED) if signs[0] in RAISED.values() else ("_", LOWERED)
    typed = {sign: x for x, sign in reversed(table.items())}  # of two that look alike, the letter
    return rf"\ensuremath{{{kind}{{{''.join(MATH.get(typed[x], typed[x]) for x in signs)}}}}}"


def _plain(text: str) -> str:
    known = "".join(x if x.isascii() or _encoder().unicode_to_latex(x) != MISSING else spelled(x) for x in text)
    return _encoder().unicode_to_latex(known)


def _code(text: str) -> str:
    """Typewriter that may break after a dot, a hyphen or an underscore."""
    out = escaped(text)
    for sign in (".", "-", r"\_"):
        out = out.replace(sign, sign + r"\allowbreak{}")
    return rf"\texttt{{{out}}}"


def _formula(text: str) -> str:
    return "".join(x if x.isascii() else escaped(x) for x in text)


#: runs of raised or of lowered signs
SCRIPTS = re.compile(
    "([{}]+|[{}]+)".format(*(re.escape("".join(x for x in t.values() if not x.isascii() and x != "′")) for t in (RAISED, LOWERED)))
)

#: signs that a script may hold and that are no ASCII
MATH = {"β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "θ": r"\theta", "φ": r"\varphi", "χ": r"\chi", "ρ": r"\rho", "⊤": r"\top"}

#: characters in a line of numbers, in small typewriter
WIDTH = 84

#: what the encoder returns for a character that it does not know
MISSING = "{\\bfseries ?}"


@cache
def _encoder() -> Any:
    from pylatexenc.latexencode import UnicodeToLatexEncoder

    return UnicodeToLatexEncoder(unknown_char_policy="replace", unknown_char_warning=False, replacement_latex_protection="braces")


def _block(block: Block) -> str:
    match block:
        case Heading(level, text):
            return rf"\{SECTIONS[level]}{{{inline(text)}}}"
        case Paragraph(text):
            return inline(text)
        case Facts(rows):
            return _list("description", [rf"\item[{{{inline(name)}}}] {inline(text)}" for name, text in rows])
        case Items(rows):
            return _list("itemize", [rf"\item {inline(text)}" for text in rows])
        case Numbers(title, given, hypotheses, violates):
            lines = [*number_lines(given, WIDTH), *(f"given: {x}" for x in hypotheses), *(f"but: {x}" for x in violates)]
            broken = [
                piece for line in lines for piece in wrap(spelled(line), WIDTH, subsequent_indent="    ", drop_whitespace=False) or [""]
            ]
            return f"{inline(title)}:\n{{\\small\n" + _list("verbatim", broken) + "\n}"
        case Counts(head, rows):
            body = [" & ".join(map(inline, row)) + r" \\" for row in (head, *rows)]
            return rf"\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}" + "\n" + "\n".join(body) + "\n" + r"\end{tabular}"


def _list(environment: str, lines: list[str]) -> str:
    return rf"\begin{{{environment}}}" + "\n" + "\n".join(lines) + "\n" + rf"\end{{{environment}}}"
