"""The errata of a paper as parts of a page, each with an anchor that stays: an erratum's is its claim's id."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Any

from ...cli.blocks import Appendix, Code, Counts, Facts, Generated, Heading, Items, Numbers, Paragraph, Quote
from ...cli.letters import errata
from ...cli.tables import number_lines


def errata_page(paper: str) -> dict[str, Any]:
    """The document that ``lemmata errata`` writes, as data for its template."""
    document = errata(paper)
    parts: list[dict[str, Any]] = []
    for k, block in enumerate(document[1:], 1):
        match block:
            case Heading(level, text):
                # an erratum's quote may stand before its facts
                below = takewhile(lambda b: not isinstance(b, Heading), document[k + 1 : k + 3])
                after = next((b for b in below if isinstance(b, Facts)), None)
                id = dict(after.rows).get("id", "").split("`")[1:2] if after else []
                parts.append({"kind": "heading", "level": level, "text": text, "anchor": "".join(id) or _slug(text)})
            case Paragraph(text):
                parts.append({"kind": "paragraph", "text": text})
            case Appendix():
                parts.append({"kind": "break"})
            case Quote(text):
                parts.append({"kind": "quote", "text": text})
            case Code(text, _):
                parts.append({"kind": "code", "text": text})
            case Facts(rows):
                parts.append({"kind": "facts", "rows": rows})
            case Items(rows):
                parts.append({"kind": "items", "rows": rows})
            case Numbers(title, given, hypotheses, violates):
                lines = "\n".join(number_lines(given, 100))
                parts.append({"kind": "numbers", "title": title, "given": lines, "hypotheses": hypotheses, "violates": violates})
            case Counts() | Generated():
                raise ValueError(f"expected no {type(block).__name__} in errata, got one: errata.html has no place for it")
    title = document[0]
    return {"paper": paper, "title": title.text if isinstance(title, Heading) else paper, "parts": parts}


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
