"""From facts to cells: a yes goes to larger models, easier tasks, more layers and kinder arithmetic, a no the other way.

A cell's reason is the chain that leads to it by the strongest links (ours before cited ones, proved before checked ones), and of
these the shortest: Dijkstra's algorithm with (weakest grade, number of links) as the length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from heapq import heappop, heappush
from itertools import count

from ..theorems.ledger import ledger
from .knowledge import Fact, Knowledge, knowledge

#: how well a link stands, best first; a chain is as good as its worst link
GRADES = ("PROVED", "CHECKED", "CITED")

#: a network that serves with finitely many exact states serves where they are cast, and over the reals
KINDER = {"states": "cast", "cast": "reals"}

#: how many layers a cell is about
DEPTHS = ("one", "many")


@dataclass(frozen=True, order=True)
class Place:
    """A question: can networks of this model, of one layer or of many, do this task in this arithmetic?"""

    model: str
    task: str
    depth: str
    precision: str


@dataclass(frozen=True)
class Step:
    """A link of a chain: where it leads, why, and the claims that carry it."""

    place: Place
    because: str
    claims: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reason:
    """Why a cell is what it is: the fact that it starts from, the links from there, and the grade of the weakest of all."""

    fact: Fact
    steps: tuple[Step, ...]
    grade: str

    @property
    def claims(self) -> list[str]:
        """All claims that the chain rests on, in order."""
        return list(dict.fromkeys([*self.fact.claims, *(id for step in self.steps for id in step.claims)]))


@dataclass(frozen=True)
class Answers:
    """What follows. A place that is in neither is open."""

    yes: dict[Place, Reason]
    no: dict[Place, Reason]

    def contradictions(self) -> list[Place]:
        """The places with both answers; there must be none."""
        return sorted(self.yes.keys() & self.no.keys())


@cache
def answers() -> Answers:
    """All that follows from what ``knowledge/*.toml`` say."""
    return close(knowledge())


def close(known: Knowledge) -> Answers:
    """All that follows from what is known."""
    return Answers(
        yes=_reached([f for f in known.facts if f.can], lambda p: _up(known, p)),
        no=_reached([f for f in known.facts if not f.can], lambda p: _down(known, p)),
    )


def place_of(fact: Fact) -> Place:
    """The cell that a fact decides by itself."""
    return Place(fact.model, fact.task, "one" if fact.layers == "1" else "many", fact.precision)


def _up(known: Knowledge, p: Place) -> Iterator[Step]:
    """Where a yes leads."""
    for x in known.inclusions:
        if x.small == p.model and x.layers in ("one", p.depth):
            yield Step(Place(x.large, p.task, p.depth, p.precision), x.because, tuple(x.claims))
    for x in known.reductions:
        if x.harder == p.task:
            yield Step(Place(p.model, x.easier, p.depth, p.precision), x.because, tuple(x.claims))
    if p.depth == "one":
        yield Step(Place(p.model, p.task, "many", p.precision), "one layer is a number of layers")
    if p.precision in KINDER:
        yield Step(Place(p.model, p.task, p.depth, KINDER[p.precision]), "what finitely many exact states do, they do there too")


def _down(known: Knowledge, p: Place) -> Iterator[Step]:
    """Where a no leads: against the ways of a yes."""
    for x in known.inclusions:
        if x.large == p.model and x.layers in ("one", p.depth):
            yield Step(Place(x.small, p.task, p.depth, p.precision), x.because, tuple(x.claims))
    for x in known.reductions:
        if x.easier == p.task:
            yield Step(Place(p.model, x.harder, p.depth, p.precision), x.because, tuple(x.claims))
    if p.depth == "many":
        yield Step(Place(p.model, p.task, "one", p.precision), "one layer is a number of layers")
    for harsh, kind in KINDER.items():
        if kind == p.precision:
            yield Step(Place(p.model, p.task, p.depth, harsh), "what finitely many exact states do, they do there too")


def _reached(facts: list[Fact], moves: Callable[[Place], Iterator[Step]]) -> dict[Place, Reason]:
    ties = count()
    queue: list[tuple[int, int, int, Place, Fact, tuple[Step, ...]]] = []
    for fact in facts:
        heappush(queue, (_grade(fact.claims, bool(fact.cites)), 0, next(ties), place_of(fact), fact, ()))
    done: dict[Place, Reason] = {}
    while queue:
        grade, length, _, place, fact, steps = heappop(queue)
        if place in done:
            continue
        done[place] = Reason(fact, steps, GRADES[grade])
        for step in moves(place):
            if step.place not in done:
                heappush(queue, (max(grade, _grade(step.claims)), length + 1, next(ties), step.place, fact, (*steps, step)))
    return done


def _grade(claims: tuple[str, ...] | list[str], cited: bool = False) -> int:
    """The grade of a link as a place in ``GRADES``: of the weakest of its claims. A definition has the best grade."""
    entries = ledger()
    return max([GRADES.index(entries[id].verdict) for id in claims] + [GRADES.index("CITED") if cited else 0])
