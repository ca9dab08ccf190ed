"""The audit of the manuscripts: every claim has the verdict that the text states, and every number is generated or listed as mathematics."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from typing import Any

from ..theorems.ledger import ledger
from .manuscripts import LABEL, MANUSCRIPTS, SOURCES, STATEMENT, WRITERS, cited, measured, source

#: what is no text: comments, and commands whose arguments are names, sizes or code
SILENT = (
    re.compile(r"(?<!\\)%.*"),
    re.compile(r"\\(?:ledger\{[^}]*\}\{[^}]*\}|label|ref|eqref|cite|input|rows|measured|cmd|texttt|begin|end|bibitem)\{[^}]*\}"),
    re.compile(r"p\{\d+mm\}|\\multicolumn\{\d+\}"),
)
#: digits that are part of a name: of a format, a standard, a step of a proof, a part of a statement
NAMES = re.compile(r"\b(?:bfloat|float|binary)\d+|\bE\dM\d|IEEE~754|\b[Ss]teps? \d(?:(?: and| to|,) \d(?!\d))*|\(\d\)")
#: of a picture the words and formulas at its nodes are text, coordinates are not
PICTURE = re.compile(r"\\begin\{tikzpicture\}.*?\\end\{tikzpicture\}", re.DOTALL)
NODE = re.compile(r"node[^{;]*\{([^{}]*)\}")
MATHEMATICS = re.compile(r"\$[^$]+\$|\\\[.*?\\\]", re.DOTALL)
NUMBER = re.compile(r"\d+(?:\.\d+)?")
IDS = re.compile(r"\\(?:cmd|texttt)\{(?:[^}]* )?((?:new|[a-z]+\d\d)\.[\w.-]+)\}")


@cache
def listed() -> dict[str, Any]:
    """``mathematics.toml``: for each manuscript its inner lemmas, phrases of the text with digits, and numbers of its mathematics with the reason."""
    return tomllib.loads((SOURCES / "mathematics.toml").read_text(encoding="utf-8"))


def body(text: str) -> str:
    """A manuscript without preamble, bibliography, comments, and the arguments of commands that name something."""
    text = text.split(r"\begin{document}")[-1].split(r"\begin{thebibliography}")[0]
    text = re.sub(r"\\begin\{equation\}(.*?)\\end\{equation\}", r"\\[\1\\]", text, flags=re.DOTALL)
    text = PICTURE.sub(lambda picture: " ".join(NODE.findall(picture[0])), text)
    for silent in SILENT:
        text = silent.sub(" ", text)
    return text


def numbers(text: str) -> tuple[list[str], list[str]]:
    """(in words, in formulas): the numerals of a body; digits alone in a formula are mathematics and left out."""
    text = re.sub(r"(\\t?frac)(\d)(?=[\d{\\])", r"\1 \2 ", NAMES.sub(" ", body(text)))
    formulas = [n for formula in MATHEMATICS.findall(text) for n in NUMBER.findall(formula) if len(n) > 1]
    return NUMBER.findall(MATHEMATICS.sub(" ", text)), formulas


def wrong_claims(text: str) -> list[str]:
    """Claims that do not exist, or have another verdict or method than the text says."""
    out = [f"no claim {id}" for id in IDS.findall(text) if id not in ledger()]
    for id, verdict, method in cited(text):
        entry = ledger().get(id)
        if entry is None:
            out.append(f"no claim {id}")
        elif (entry.verdict, entry.how) != (verdict, method):
            out.append(f"{id} is {entry.verdict}, {entry.how}; the text says {verdict}, {method}")
    return out


def unsupported(text: str, inner: list[str]) -> list[str]:
    """Statements without a claim that are not listed as inner lemmas."""
    out = []
    for statement in STATEMENT.finditer(text):
        label = LABEL.search(statement[0])
        name = label[1] if label else statement[0][:40]
        if not cited(statement[0]) and name not in inner:
            out.append(f"{name} names no claim")
    return out


def unsourced(text: str, known: dict[str, Any]) -> list[str]:
    """Numbers that no macro prints and no list has, and listed ones that are not there."""
    for phrase in known["phrases"]:
        text = text.replace(phrase, " ")
    words, formulas = numbers(text)
    out = [f"number {n} stands in the words" for n in words]
    out += [f"number {n} is not listed" for n in sorted(set(formulas) - set(known["numbers"]))]
    out += [f"listed number {n} is not there" for n in sorted(set(known["numbers"]) - set(formulas))]
    keys = set(re.findall(r"\\measured\{(\w+)\}", text))
    out += [f"no number {key}" for key in sorted(keys - set(measured()))]
    return out


def unwritten(text: str) -> list[str]:
    """Files that the text reads and nobody writes."""
    ours = {path.stem for path in SOURCES.glob("*.tex")} | {name.removesuffix(".tex") for name in WRITERS}
    return [f"no file {name}" for name in re.findall(r"\\(?:input|rows)\{([^}]+)\}", text) if name not in ours]


def faults(name: str, text: str | None = None) -> list[str]:
    """All that is wrong in a manuscript, or in a text in its place.

    Example: ``faults("rounding")`` is ``[]``.
    """
    text = source(name) if text is None else text
    known = listed()[name]
    return [*wrong_claims(text), *unsupported(text, known["inner"]), *unsourced(text, known), *unwritten(text)]


def main() -> None:
    """Print what is wrong; the exit status says whether something is."""
    found = [f"{name}: {fault}" for name in MANUSCRIPTS for fault in faults(name)]
    print("\n".join(found) or "every claim and every number of the manuscripts has its source")
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
