"""Where things are printed: tables on standard output, progress and complaints on standard error, in characters that the stream can write."""

from __future__ import annotations

import codecs
import json
import re
import sys
import unicodedata
from collections.abc import Iterable
from io import TextIOWrapper
from itertools import groupby
from math import isfinite
from typing import Any

from rich.console import Console, ConsoleDimensions
from rich.segment import Segment
from rich.text import Text

from ..theorems.ledger import current, folded
from . import formulas

#: control characters, surrogates and marks that turn the direction of writing: text of a file could steer the terminal by them, or hide in it
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

#: columns that our tables need; a narrower terminal wraps them
NARROWEST = 40


def printable(text: str) -> str:
    """``text`` with control characters written out, as ``\\x1b`` for ESC; tabs and line ends stay."""
    return UNSAFE.sub(lambda found: ascii(found[0])[1:-1], text)


class SafeConsole(Console):
    """Rich's console, for text that may come from a file: it prints no control character of it. At least ``NARROWEST`` columns wide."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # COLUMNS counts when something is printed, not when this module is loaded
        self._width = None

    def render(self, renderable: Any, options: Any = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=printable(segment.text))

    @property
    def size(self) -> ConsoleDimensions:
        width, height = super().size
        return ConsoleDimensions(max(width, NARROWEST), height)

    @size.setter
    def size(self, new_size: tuple[int, int]) -> None:
        self._width, self._height = new_size


# plain text: square brackets, as in lemmata[torch], are no markup
out = SafeConsole(markup=False, highlight=False, emoji=False)
err = SafeConsole(markup=False, highlight=False, emoji=False, stderr=True)

STYLE = {"PROVED": "bold green", "DERIVED": "green", "CHECKED": "cyan", "REFUTED": "magenta", "CITED": "blue", "OPEN": "yellow"}


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
    print(json_text(finite(value), indent=2))


def json_text(value: Any, indent: int | None = None) -> str:
    """Strict JSON for standard output: control characters escaped, and letters beyond ASCII where it has none."""
    text = json.dumps(value, indent=indent, ensure_ascii=not has_unicode(sys.stdout), allow_nan=False)
    # beyond ASCII there are only strings, and \u stands for the same character in them
    return UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def finite(value: Any) -> Any:
    """``value`` with "inf", "-inf" and "nan" for floats that JSON does not know."""
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [finite(x) for x in value]
    return str(value) if isinstance(value, float) and not isfinite(value) else value


#: how a stream without Unicode writes the signs that ledger and formulas use
SPELLED = dict(zip("≤≥≠∈∉→←↦⇒⇔∞∑∏∫√·×…⋯⊤⊢∘⟨⟩‖′–—−⁄∅∂∇¬∧∨⊕⊗⊙≈∼∝⊂⊆✓✗“”‘’", ["<=", ">=", "!=", "in", "not_in", "->", "<-", "|->", "=>", "<=>", "inf", "sum", "prod", "int", "sqrt", "*", "x", "...", "...", "T", "|-", "o", "<", ">", "||", "'", "-", "-", "-", "/", "{}", "d", "nabla", "not", "and", "or", "(+)", "(x)", "(.)", "~", "~", "~", "<", "<=", "+", "x", '"', '"', "'", "'"], strict=True))  # fmt: skip
SPELLED |= dict(zip("±∓°⌈⌉⌊⌋⊊⊃⊛≅≡∖≀⋊∤⊥∪∩⊔≲≫∋∠", ["+-", "-+", " deg", "ceil(", ")", "floor(", ")", "<", ">", "(*)", "=~", "==", "\\", " wr ", " x| ", " does not divide ", "_|_", " u ", " n ", " u ", "<~", ">>", " contains ", "angle "], strict=True))  # fmt: skip


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
