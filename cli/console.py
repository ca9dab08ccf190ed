"""Where things are printed: tables on standard output, progress and complaints on standard error, in characters that the stream can write."""

from __future__ import annotations

import codecs
import json
import sys
import unicodedata
from collections.abc import Iterable
from io import TextIOWrapper
from itertools import groupby
from math import isfinite
from typing import Any

from rich.console import Console
from rich.text import Text

from ..theorems.ledger import current, folded
from . import formulas

# plain text: square brackets, as in lemmata[torch], are no markup
out = Console(markup=False, highlight=False, emoji=False)
err = Console(markup=False, highlight=False, emoji=False, stderr=True)

STYLE = {"PROVED": "bold green", "CHECKED": "green", "REFUTED": "magenta", "CITED": "blue", "OPEN": "yellow"}


def verdict(name: str, fault: str | None = None) -> Text:
    """A verdict in its colour, with the class of what is wrong."""
    return Text(f"{name} ({fault})" if fault else name, STYLE.get(name, ""))


def note_folded(ids: Iterable[str]) -> None:
    """Say on standard error of each id that was folded where it is now, and why."""
    for id in ids:
        if id in folded():
            err.print(Text(f"{id} is now part of {current(id)}: {folded()[id]['why']}", "dim"))


def print_json(value: Any) -> None:
    """Strict JSON: infinities and nan as words; letters beyond ASCII escaped where the stream has none."""
    print(json.dumps(finite(value), indent=2, ensure_ascii=not has_unicode(sys.stdout), allow_nan=False))


def finite(value: Any) -> Any:
    """``value`` with "inf", "-inf" and "nan" for floats that JSON does not know."""
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [finite(x) for x in value]
    return str(value) if isinstance(value, float) and not isfinite(value) else value


#: how a stream without Unicode writes the signs that ledger and formulas use
SPELLED = dict(zip("≤≥≠∈∉→↦⇒⇔∞∑∏∫√·×…⋯⊤∘⟨⟩‖′–—−⁄∅∂∇¬∧∨⊕⊗⊙≈∼∝⊂⊆✓✗“”‘’", ["<=", ">=", "!=", "in", "not_in", "->", "|->", "=>", "<=>", "inf", "sum", "prod", "int", "sqrt", "*", "x", "...", "...", "T", "o", "<", ">", "||", "'", "-", "-", "-", "/", "{}", "d", "nabla", "not", "and", "or", "(+)", "(x)", "(.)", "~", "~", "~", "<", "<=", "+", "x", '"', '"', "'", "'"], strict=True))  # fmt: skip


def speak_ascii() -> None:
    """Where a standard stream cannot write every character, spell the others: "<=" for "≤", "lambda" for "λ", "^2" for "²"."""
    codecs.register_error("lemmata-spelled", lambda error: (spelled(error.object[error.start : error.end]), error.end))  # type: ignore[attr-defined]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and not has_unicode(stream):
            stream.reconfigure(errors="lemmata-spelled")


def readable(text: str) -> str:
    """Our words with their formulas in Unicode, spelled before they are laid out where standard output has none."""
    shown = formulas.readable(text)
    return shown if has_unicode(sys.stdout) else spelled(shown)


def has_unicode(stream: Any) -> bool:
    """True if the stream can write every character."""
    return (stream.encoding or "utf-8").lower().startswith("utf")


def spelled(text: str) -> str:
    """``text`` in ASCII: raised and lowered runs as ^(...) and _(...), Greek letters by name, "?" for what has no spelling."""
    words = []
    for mark, run in groupby(text, _height):
        plain = "".join(_spelled(x) for x in run)
        words.append(plain if not mark else f"{mark}{plain}" if len(plain) == 1 else f"{mark}({plain})")
    return "".join(words)


def _height(character: str) -> str:
    return {"<super>": "^", "<sub>": "_"}.get(unicodedata.decomposition(character).split(" ")[0], "")


def _spelled(character: str) -> str:
    if character in SPELLED or character.isascii():
        return SPELLED.get(character, character)
    plain = unicodedata.normalize("NFKD", character)
    if plain != character:
        return "".join(_spelled(x) for x in plain)
    name = unicodedata.name(character, "")
    if name.startswith("GREEK ") and " LETTER " in name:
        letter = name.split(" LETTER ")[1].split()[0].lower().replace("lamda", "lambda")
        return letter.capitalize() if "CAPITAL" in name else letter
    return "" if unicodedata.combining(character) else "?"
