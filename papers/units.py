"""A paper's text cut into units: a sentence with the displays that belong to it, a heading, a table, the bibliography.

The papers' texts are not kept here. A unit is a range of characters of a text, and twelve digits of a hash of its words, by which it is found again in another rendering of the paper.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass

#: after these a full stop ends no sentence
ABBREVIATIONS = "al|e\\.g|i\\.e|cf|vs|w\\.r\\.t|s\\.t|resp|etc|viz|Fig|Figs|Eq|Eqs|Sec|Secs|Thm|Thms|Prop|Props|Lem|Cor|Def|Defs|App|Apps|Alg|Tab|Ref|Refs|Rmk|No|Dr|St|i\\.i\\.d|a\\.k\\.a|ca"
_ENDS = re.compile(r"""(?<=[.!?])["”’)\]}*_$]*(?=\s)""")
_ABBREVIATED = re.compile(rf"(?:^|[\s(\[“~*])(?:{ABBREVIATIONS}|[A-Z]|\d{{1,2}})\.$")
_DOLLARS = re.compile(r"(?<!\\)\$\$")
_BLANK = re.compile(r"\n[ \t]*\n\s*")
_HEADING = re.compile(
    r"#{1,6} .*|(?:\d+|[A-Z])(?:\.\d+)*\.? +[A-Z][^.]{0,90}|[A-Z][A-Z \-:,&]{3,80}|Abstract|(?:\*\*)?(?:References|Acknowledge?ments?|Contents)(?:\*\*)?"
)
#: the first words of what begins a unit after a blank line, whatever stands before it
_OPENS = re.compile(
    r"(?:[*_]{0,3})(?:Figure|Table|Algorithm|Theorem|Lemma|Proposition|Corollary|Definition|Remark|Assumption|Example|Proof|Claim)\b|[-•*] |\d+\. |\(\w+\) [A-Z]|#|\|"
)
_BIBLIOGRAPHY = re.compile(r"(?:#+ *)?(?:\*\*)?references(?:\*\*)?", re.IGNORECASE)
#: what opens a sentence after a full stop
_CAPITAL = re.compile(r"""["“(\[*_$\\#|<-]*\s*(?:[A-ZÀ-Þ0-9$(\[]|\\)""")


@dataclass(frozen=True)
class Unit:
    """``text[start:end]``, without blanks at its ends, and the hash of its words."""

    start: int
    end: int
    hash: str


def plain(text: str) -> str:
    """The letters and digits of a text: Unicode NFKC, hyphens at line ends joined, the marks of an extraction dropped, small.

    >>> plain("non-\\nlinear $x^2$<sup>1</sup>")
    'nonlinearx21'
    """
    text = re.sub(r"<\|[^|>]*\|>|</?[a-z]+>", "", unicodedata.normalize("NFKC", text))
    return "".join(c for c in text.casefold() if c.isalnum())


def digest(text: str) -> str:
    """Twelve digits of the SHA-256 hash of :func:`plain`."""
    return hashlib.sha256(plain(text).encode()).hexdigest()[:12]


def units(text: str) -> list[Unit]:
    """The units of a text, in its order. Together they hold each letter and digit of it.

    >>> [cut.end for cut in units("One holds. Two follows:\\n\\n$$x = 1.$$\\n\\nThree.")]
    [10, 35, 43]
    """
    books = _bibliography(text)
    cuts = {len(text), *books, *_sentences(text), *_paragraphs(text)}
    if books:
        cuts -= {cut for cut in cuts if books[0] < cut < books[1]}
    found: list[Unit] = []
    start = 0
    for end in sorted(cuts):
        # a unit without a word is carried by the next
        if plain(text[start:end]):
            found.append(_unit(text, start, end))
            start = end
    return found


def _unit(text: str, start: int, end: int) -> Unit:
    piece = text[start:end]
    left, right = len(piece) - len(piece.lstrip()), len(piece.rstrip())
    return Unit(start + left, start + right, digest(piece))


def _displays(text: str) -> list[int]:
    """The places of the double dollars: a display stands between the first and the second, the third and the fourth, and so on."""
    return [match.start() for match in _DOLLARS.finditer(text)]


def _sentences(text: str) -> list[int]:
    """The places after a full stop, a question mark or an exclamation mark behind which a sentence begins."""
    found, dollars = [], _displays(text)
    for match in _ENDS.finditer(text):
        end = match.end()
        before, after = text[max(0, match.start() - 12) : match.start()], text[end : end + 8].lstrip()
        inside = bisect_left(dollars, end) % 2
        if not (inside or _ABBREVIATED.search(before) or after.startswith("$$")) and _CAPITAL.match(after):
            found.append(end)
    return found


def _paragraphs(text: str) -> list[int]:
    """The blank lines at which a unit ends: beside a heading, before a list, a caption or a statement, after a sentence that is complete."""
    found, dollars, last = [], _displays(text), 0
    for match in _BLANK.finditer(text):
        above, last = text[last : match.start()].strip(), match.end()
        below = text[match.end() : match.end() + 200].split("\n", 1)[0].strip()
        if bisect_left(dollars, match.start()) % 2:
            continue
        complete = above.rstrip('*_)”"$ ').endswith((".", "!", "?")) or _HEADING.fullmatch(above)
        opens = _OPENS.match(below) or _HEADING.fullmatch(below)
        if opens or (complete and not below.startswith("$$") and not below[:1].islower()):
            found.append(match.end())
    return found


def _bibliography(text: str) -> list[int]:
    """Where the bibliography begins and ends, if it has a heading."""
    lines = [(m.start(), m.group().strip()) for m in re.finditer(r"[^\n]+", text)]
    starts = [at for at, line in lines if _BIBLIOGRAPHY.fullmatch(line)]
    if not starts:
        return []
    begin = starts[-1]
    ends = [at for at, line in lines if at > begin and _HEADING.fullmatch(line)]
    return [begin, ends[0] if ends else len(text)]
