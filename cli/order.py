"""The order in which an author reads: what matters most first, findings below their statement, repairs below what they repair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..theorems.ledger import PAPERS, WEIGHTS, WRONG, Entry


def seriousness(e: Entry) -> tuple[int, int]:
    """What sorts by consequence, then by class; last what nobody has weighed, and then what is not wrong."""
    weight = WEIGHTS.index(e.weight) if e.weight else len(WEIGHTS)
    return (weight, WRONG.index(str(e.fault))) if e.wrong else (len(WEIGHTS) + 1, 0)


def arranged(chosen: Iterable[Entry]) -> dict[str, list[tuple[int, Entry]]]:
    """Paper -> (depth, entry): statements at depth 0, what hangs on them deeper; statements beside which most is wrong first.

    What is new stands under "new". Findings and repairs of something that was not chosen stand at depth 0.
    """
    entries = {e.id: e for e in chosen}
    below: dict[str, list[Entry]] = {}
    top: list[Entry] = []
    for e in entries.values():
        parent = e.of or e.amends
        (below.setdefault(parent, []) if parent in entries else top).append(e)

    def worst(e: Entry) -> tuple[int, int]:
        return min([seriousness(e), *(worst(child) for child in below.get(e.id, []))])

    def go_down(e: Entry, depth: int) -> Iterator[tuple[int, Entry]]:
        yield depth, e
        # repairs of the entry itself before what else is wrong with it
        for child in sorted(below.get(e.id, []), key=lambda x: (x.kind == "finding", worst(x))):
            yield from go_down(child, depth + 1)

    out: dict[str, list[tuple[int, Entry]]] = {paper: [] for paper in PAPERS}
    for e in sorted(top, key=worst):
        out["new" if e.kind == "new" else e.paper] += go_down(e, 0)
    return {paper: rows for paper, rows in out.items() if rows}
