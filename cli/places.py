"""Places of papers: "Theorem 3", "Thm. 3" and "theorem 3" are one."""

from __future__ import annotations

import re
from difflib import get_close_matches

from ..theorems.ledger import PAPERS, Entry, current, ledger, require_known

#: the word that places use -> the others that mean it
WORDS = {"theorem": "thm theorems", "proposition": "prop", "corollary": "cor", "definition": "def", "remark": "rmk", "sec": "section §", "app": "appendix", "eq": "equation", "fig": "figure", "lemma": "lem"}  # fmt: skip
_MEANT: dict[str, str] = {other: word for word, others in WORDS.items() for other in others.split()}


def at(paper: str, place: str) -> list[Entry]:
    """The entries of a paper that stand at a place, the nearest first: statements before findings, and where the place is named first.

    Raises ``ValueError`` for an unknown paper, and for a place at which nothing stands, naming near ones.

    >>> [e.id for e in at("grazzi25", "Prop. 1.1")]
    ['grazzi25.prop1.1']
    """
    require_known("paper", [paper], [key for key in PAPERS if key != "new"])
    wanted = _tokens(place)
    found = {e.id: (at, e) for e in ledger().values() if e.paper == paper and (at := _where(wanted, _tokens(e.place))) is not None}
    if not found:
        places = list(dict.fromkeys(e.place for e in ledger().values() if e.paper == paper))
        near = get_close_matches(place, places, n=3, cutoff=0.3) or places[:3]
        raise ValueError(f"expected a place of {paper} at which an entry stands, got {place!r}; did you mean {'; '.join(near)}?")
    order = ("statement", "finding", "amended", "new")
    return [e for first, e in sorted(found.values(), key=lambda pair: (pair[0], order.index(pair[1].kind), len(pair[1].place)))]


def require_claim(id: str) -> None:
    """Raise ``ValueError`` where a paper stands without a place, or a place without its paper, and say what to write."""
    if id in PAPERS and id != "new":
        raise ValueError(f"expected a claim, or a place after the paper, got {id} alone; lemmata list --paper {id} names its claims")
    having = list(
        dict.fromkeys(e.paper for e in ledger().values() if e.paper != "new" and _where(_tokens(id), _tokens(e.place)) is not None)
    )
    if having and current(id) not in ledger():
        raise ValueError(f"expected a paper before the place, as in {having[0]} {id!r}; it stands in {', '.join(having)}")


def _tokens(place: str) -> list[str]:
    """Words and numbers, small: "App. C.3, display" -> app, c.3, display."""
    return [_MEANT.get(word, word) for word in map(str, re.findall(r"§|\w+(?:\.\d+)*", place.casefold()))]


def _where(wanted: list[str], place: list[str]) -> int | None:
    """Where a place names another, or a part of it; None if it does not."""
    for first in range(len(place) - len(wanted) + 1):
        *before, last = place[first : first + len(wanted)] or [""]
        if wanted and before == wanted[:-1] and (last == wanted[-1] or last.startswith(f"{wanted[-1]}.")):
            return first
    return None
