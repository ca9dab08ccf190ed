"""A paper's numbered statements, how much of each Rocq's kernel has proved, and which rest on which."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from ...papers import papers
from ...theorems.ledger import Entry, ledger, repairs_of
from .graph import BETWEEN, GAP, HEIGHT, layout

#: what a paper calls its numbered statements
NUMBERED = re.compile(r"(?:Theorem|Proposition|Lemma|Corollary|Remark) [\w.]*\w[^,;(]*")

#: how much the kernel has -> its sign, which says it without colour, and its words
EXTENTS = {
    "whole": ("●", "whole"),
    "amended": ("●", "whole, amended"),
    "part": ("◐", "in part"),
    "none": ("○", "not in Rocq"),
}

#: pixels: of a letter of the larger line, of the widest row of statements that nothing connects
LETTER, ROW = 7.4, 760


@dataclass(frozen=True)
class Node:
    """A numbered statement.

    ``extent`` is one of ``EXTENTS``: "amended" if what the kernel has whole is the statement's amended form. ``proved`` are the claims that it
    has of it, ``uses`` the ids of the numbered statements that it rests on.
    """

    entry: Entry
    label: str
    extent: str
    proved: tuple[Entry, ...]
    uses: tuple[str, ...]

    @property
    def words(self) -> str:
        """The sign and the words of the extent: "● whole"."""
        return " ".join(EXTENTS[self.extent])


@dataclass(frozen=True)
class Blueprint:
    """The nodes, those of the drawing with their corners and widths, and the paths of its edges."""

    nodes: list[Node]
    boxes: list[tuple[Node, float, float, float]]
    paths: list[str]
    width: float
    height: float

    @property
    def labels(self) -> dict[str, str]:
        """What each statement is called: id -> "Theorem 1"."""
        return {node.entry.id: node.label for node in self.nodes}

    @property
    def counts(self) -> dict[str, int]:
        """How many statements have each extent, in the order of ``EXTENTS``."""
        found = Counter(node.extent for node in self.nodes)
        return {extent: found[extent] for extent in EXTENTS}


def blueprint(paper: str) -> Blueprint | None:
    """The picture of a paper; None for what numbers no statements."""
    nodes = nodes_of(paper)
    if not nodes:
        return None
    wide = {node.entry.id: float(round(max(len(node.label) * LETTER, len(node.words) * 6.6) + 20)) for node in nodes}
    plan = layout([(used, node.entry.id) for node in nodes for used in node.uses], wide.__getitem__)
    places, x, y = dict(plan.places), 1.0, plan.height + 1
    for id in (node.entry.id for node in nodes if node.entry.id not in plan.places):
        if x > 1 and x + wide[id] > max(ROW, plan.width):
            x, y = 1.0, y + HEIGHT + GAP
        places[id] = (x, y)
        x += wide[id] + BETWEEN / 2
    boxes = [(node, *places[node.entry.id], wide[node.entry.id]) for node in nodes]
    width = max(left + wide[node.entry.id] for node, left, _, _ in boxes) + 2
    return Blueprint(nodes, boxes, list(plan.paths.values()), width, max(top for _, _, top, _ in boxes) + HEIGHT + 2)


def nodes_of(paper: str) -> list[Node]:
    """The numbered statements of a paper in its order. One that the ledger splits is one node for each part."""
    ids = [id for place in papers()[paper].statements for id in _parts(f"{paper}.{place}")] if paper in papers() else []
    labels = {id: _label(ledger()[id]) for id in ids}
    several = Counter(labels.values())
    known = ledger()
    return [
        Node(
            entry=known[id],
            label=labels[id] if several[labels[id]] == 1 else f"{labels[id]}, {id.rpartition('.')[2]}",
            extent=_extent(id),
            proved=tuple(e for e in known.values() if e.formal and _stands_under(e.id, id)),
            uses=tuple(x for x in ids if x in _rests_on(id, ids)),
        )
        for id in ids
    ]


def _parts(id: str) -> list[str]:
    """The statement itself, or what it is split into: the entries below it that stand below no other."""
    if id in ledger():
        return [id]
    below = [e.id for e in ledger().values() if e.id.startswith(f"{id}.") and e.kind == "statement"]
    return [one for one in below if not any(_stands_under(one, other) for other in below if other != one)]


def _stands_under(id: str, statement: str) -> bool:
    return id == statement or id.startswith(f"{statement}.")


def _label(e: Entry) -> str:
    found = NUMBERED.search(e.place)
    return found.group().strip() if found else e.id.removeprefix(f"{e.paper}.")


def _extent(id: str) -> str:
    if ledger()[id].how == "formal":
        return "whole"
    if any(e.how == "formal" for e in repairs_of(id)):
        return "amended"
    return "part" if any(e.formal and e.kind != "finding" and _stands_under(e.id, id) for e in ledger().values()) else "none"


def _rests_on(id: str, ids: list[str]) -> set[str]:
    """The numbered statements that a statement, or what stands under it, uses: directly or by way of claims that have no number."""
    known = ledger()
    to_visit = [e.id for e in known.values() if _stands_under(e.id, id) and e.kind != "finding"]
    seen, found = set(to_visit), set()
    while to_visit:
        for used in known[to_visit.pop()].uses:
            owner = next((x for x in ids if _stands_under(used, x)), None)
            if owner is not None and owner != id:
                found.add(owner)
            elif used not in seen:
                seen.add(used)
                to_visit.append(used)
    return found
