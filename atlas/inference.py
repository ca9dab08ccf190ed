"""From facts to cells: a yes goes to larger models, easier tasks, more layers and kinder arithmetic, a no the other way.

A cell's reason is the chain that leads to it by the strongest links (ours before cited ones, proved before checked ones), and of
these the shortest: Dijkstra's algorithm with (weakest grade, number of links) as the length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from ..theorems.ledger import HOLDS, Entry, ledger
from .knowledge import KINDER, PRECISIONS, Fact, Inclusion, Knowledge, Reduction, knowledge

#: how well a link stands, best first; a chain is as good as its worst link
GRADES = HOLDS

#: facts that rows of languages.toml give stand behind those that are written down, as if so many links away: those say more
BEHIND = 100

#: how many layers a cell is about
DEPTHS = ("one", "many")


class _Place(NamedTuple):
    model: str
    task: str
    depth: str
    precision: str


class Place(_Place):
    """A question: can networks of this model, of one layer or of many, do this task in this arithmetic? Raises ``ValueError`` for an arithmetic that is none."""

    __slots__ = ()

    def __new__(cls, model: str, task: str, depth: str, precision: str) -> Place:
        # an unknown arithmetic would be open everywhere
        if precision not in PRECISIONS or depth not in DEPTHS:
            raise ValueError(f"expected one of {list(PRECISIONS)} and of {list(DEPTHS)}, got {precision!r} and {depth!r}")
        return super().__new__(cls, model, task, depth, precision)


#: a place whose parts are those of places: they are not looked up again
_place: Callable[[tuple[str, str, str, str]], Place] = partial(tuple.__new__, Place)


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
    """What follows. A place that is in neither is open. ``cast``: each no in exact that stands even if states are cast when they are read, with its own reason."""

    yes: dict[Place, Reason]
    no: dict[Place, Reason]
    cast: dict[Place, Reason]

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
        yes=_reached([f for f in known.facts if f.can], _Moves(known, True)),
        no=_reached([f for f in known.facts if not f.can], _Moves(known, False)),
        cast=_reached([f for f in known.facts if f.cast], _Moves(known, False)),
    )


def place_of(fact: Fact) -> Place:
    """The cell that a fact decides by itself."""
    return Place(fact.model, fact.task, "one" if fact.layers == "1" else "many", fact.precision)


class _Moves:
    """Where a yes leads from a cell, or, against all these ways, a no."""

    def __init__(self, known: Knowledge, can: bool):
        def way(*ends: str) -> tuple[str, str]:
            return (ends[0], ends[1]) if can else (ends[1], ends[0])

        self.models: dict[str, list[tuple[str, Inclusion, tuple[str, ...]]]] = {}
        self.tasks: dict[str, list[tuple[str, Reduction, tuple[str, ...]]]] = {}
        for x in known.inclusions:
            here, there = way(x.small, x.large)
            self.models.setdefault(here, []).append((there, x, tuple(x.claims)))
        for x in known.reductions:
            here, there = way(x.harder, x.easier)
            self.tasks.setdefault(here, []).append((there, x, tuple(x.claims)))
        self.depth = way(*DEPTHS)
        self.precisions = [way(*ends) for ends in KINDER.items()]

    def __call__(self, p: Place) -> Iterator[tuple[Place, str, tuple[str, ...]]]:
        for there, x, claims in self.models.get(p.model, []):
            if x.layers in ("one", p.depth):
                yield _place((there, p.task, p.depth, p.precision)), x.because, claims
        for there, x, claims in self.tasks.get(p.task, []):
            yield _place((p.model, there, p.depth, p.precision)), x.because, claims
        here, there = self.depth
        if here == p.depth:
            yield _place((p.model, p.task, there, p.precision)), "one layer is a number of layers", ()
        for here, there in self.precisions:
            if here == p.precision:
                says = "what finitely many exact states, or states with a margin, do, they do there too"
                yield _place((p.model, p.task, p.depth, there)), says, ()


def _reached(facts: list[Fact], moves: _Moves) -> dict[Place, Reason]:
    ties, entries = count(), ledger()
    grade_of = cache(lambda claims: _grade(entries, claims))
    # the last two: what leads to a place, as the reason so far and the link from there, if any
    queue: list[tuple[int, int, int, Place, Reason, tuple[str, tuple[str, ...]] | None]] = []
    for fact in facts:
        grade = _grade(entries, fact.claims, bool(fact.cites))
        heappush(queue, (grade, BEHIND * fact.derived, next(ties), place_of(fact), Reason(fact, (), GRADES[grade]), None))
    done: dict[Place, Reason] = {}
    while queue:
        grade, length, _, place, so_far, link = heappop(queue)
        if place in done:
            continue
        reason = Reason(so_far.fact, (*so_far.steps, Step(place, *link)), GRADES[grade]) if link else so_far
        done[place] = reason
        for there, because, claims in moves(place):
            if there not in done:
                heappush(queue, (max(grade, grade_of(claims)), length + 1, next(ties), there, reason, (because, claims)))
    return done


def _grade(entries: dict[str, Entry], claims: tuple[str, ...] | list[str], cited: bool = False) -> int:
    """The grade of a link as a place in ``GRADES``: of the weakest of its claims. A definition has the best grade."""
    return max([GRADES.index(entries[id].verdict) for id in claims] + [GRADES.index("CITED") if cited else 0])
