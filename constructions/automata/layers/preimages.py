"""A layer whose coordinates hold answers: a letter copies the answer to another question about the state, or writes one.

A *division* splits the states at a place into two parts; its coordinate is 1 in the part of the first state and -1 in the other. What a division
says after a letter, its preimage said before: so the letter copies the preimage's coordinate, with a sign, or writes 1 or -1 where the preimage
has one part. If the divisions that are held have different preimages under each letter, transitions are signed partial permutation matrices,
and inputs fill empty rows only: contractions, whose numbers no float rounds (new.automata.preimages).

A place is what the layers below say: nothing for the first layer, a set of states for a layer above levels of a cascade. Divisions that letters
copy and write alike share a coordinate, as the digits of a number.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any, NamedTuple

from ....numerics import exact
from ....numerics.exact import Array
from ..automaton import Automaton

#: a place, and the points of one part of a division, as bits; the part has the place's first point
Division = tuple[Hashable, int]

#: all divisions of places with so many points are looked at; of larger ones those that split off one state, or one point
ALL_DIVIDED = 8
#: divisions that are looked at, members of a closed family, preimages that are taken, pairs of points that are told apart
MOST_SEEDS, MOST_MEMBERS, MOST_PREIMAGES, MOST_PAIRS = 2_000, 64, 60_000, 2_000
#: digits of a number: differences of numbers have at most 8 bits
MOST_DIGITS = 7


class Arrow(NamedTuple):
    """A letter between two places: point i of the one goes to point ``images[i]`` of the other."""

    letter: Hashable
    before: Hashable
    after: Hashable
    images: tuple[int, ...]


@dataclass(frozen=True)
class Places:
    """``states[p]`` is the automaton's state of each point at place p; ``start`` is a place and a point there."""

    states: Mapping[Hashable, tuple[int, ...]]
    arrows: Sequence[Arrow]
    start: tuple[Hashable, int]

    @cached_property
    def into(self) -> dict[Hashable, list[Arrow]]:
        """The arrows into each place; of those that do the same, one."""
        found: dict[Hashable, dict[Any, Arrow]] = {p: {} for p in self.states}
        for arrow in self.arrows:
            found[arrow.after].setdefault((arrow.before, arrow.images), arrow)
        return {p: list(arrows.values()) for p, arrows in found.items()}


def one_place(automaton: Automaton) -> Places:
    """The automaton's states at one place, None."""
    return Places(
        {None: tuple(range(automaton.n))}, [Arrow(x, None, None, tuple(f)) for x, f in automaton.table.items()], (None, automaton.start)
    )


def with_last_letter(automaton: Automaton) -> Places:
    """The same, a point for each state and what the last letter did: more divisions, since the last letter is one."""
    kind = {x: tuple(f) for x, f in automaton.table.items()}
    points: dict[tuple[int, Any], int] = {(automaton.start, None): 0}
    images: dict[Hashable, list[int]] = {x: [] for x in kind}
    for q, _ in (waiting := list(points)):
        for x, f in kind.items():
            if (f[q], f) not in points:
                points[f[q], f] = len(points)
                waiting.append((f[q], f))
            images[x].append(points[f[q], f])
    return Places({None: tuple(q for q, _ in points)}, [Arrow(x, None, None, tuple(f)) for x, f in images.items()], (None, 0))


class Preimage(NamedTuple):
    """What a division becomes under an arrow, read backwards: a division before it and a sign, or no division and what is written."""

    division: Division | None
    sign: int


def divided(parts: int, points: int) -> tuple[int, int]:
    """(the part with the first point, 1), or -1 if that is the other one; 0 or all points are no division."""
    return (parts, 1) if parts & 1 else ((1 << points) - 1 ^ parts, -1)


class _Preimages:
    """The preimages of divisions, each computed once. Raises ``_TooMany`` for more than there is time for."""

    def __init__(self, places: Places):
        self.places, self.known = places, {}

    def __call__(self, division: Division) -> list[Preimage]:
        """One for each arrow into the division's place."""
        if division not in self.known:
            if len(self.known) >= MOST_PREIMAGES:
                raise _TooMany
            self.known[division] = [preimage(arrow, division[1]) for arrow in self.places.into[division[0]]]
        return self.known[division]


class _TooMany(Exception):
    """Too many divisions to look at."""


def preimage(arrow: Arrow, part: int) -> Preimage:
    """The preimage of the division with that part."""
    points = len(arrow.images)
    before, sign = divided(sum(1 << i for i, j in enumerate(arrow.images) if part >> j & 1), points)
    return Preimage(None if before == (1 << points) - 1 else (arrow.before, before), sign)


Family = tuple[Division, ...]


def families(places: Places, preimages: _Preimages) -> list[Family]:
    """Sets of divisions that are closed under preimages, different ones having different preimages; each made from one division."""
    found: dict[frozenset[Division], Family] = {}
    for seed in _seeds(places):
        family = {seed: None}
        waiting = [seed]
        for division in waiting:
            for before, _ in preimages(division):
                if before is not None and before not in family:
                    family[before] = None
                    waiting.append(before)
            if len(family) > MOST_MEMBERS:
                break
        if len(family) <= MOST_MEMBERS and frozenset(family) not in found and _apart(family, preimages):
            found[frozenset(family)] = tuple(family)
    return list(found.values())


def _seeds(places: Places) -> Iterator[Division]:
    seeds = 0
    for p, states in places.states.items():
        n = len(states)
        if n <= ALL_DIVIDED:
            parts = range(1, (1 << n) - 1, 2)
        else:
            of_states = (sum(1 << i for i, q in enumerate(states) if q == state) for state in dict.fromkeys(states))
            parts = dict.fromkeys(divided(part, n)[0] for part in (*of_states, *(1 << i for i in range(n))))
        for part in parts:
            seeds += 1
            if seeds > MOST_SEEDS:
                raise _TooMany
            yield p, part


def _apart(family: Mapping[Division, None], preimages: _Preimages) -> bool:
    """Whether different divisions of each place have different preimages under each arrow."""
    here: dict[Hashable, list[list[Preimage]]] = defaultdict(list)
    for division in family:
        here[division[0]].append(preimages(division))
    for rows in here.values():
        for column in zip(*rows, strict=True):
            befores = [before for before, _ in column if before is not None]
            if len(set(befores)) < len(befores):
                return False
    return True


# -- which families -------------------------------------------------------------------------------------------------------------


class Digit(NamedTuple):
    """A family that shares coordinates with another one: the division there that stands beside each of its own, and the sign."""

    beside: dict[Division, tuple[Division, int]]


@dataclass
class Bundle:
    """Families whose divisions letters copy and write alike: coordinates for the first, digits for all."""

    first: Family
    others: list[Digit]


def _beside(family: Family, other: Family, preimages: _Preimages) -> Digit | None:
    """A one-to-one map of two families that commutes with preimages, up to signs; None if there is none."""
    if len(family) != len(other):
        return None
    for goal in other:
        if (
            goal[0] == family[0][0]
            and (found := _followed(family[0], goal, preimages)) is not None
            and len(set(found.values())) == len(family)
        ):
            return Digit(found)
    return None


def _followed(seed: Division, goal: Division, preimages: _Preimages) -> dict[Division, tuple[Division, int]] | None:
    found = {seed: (goal, 1)}
    for division in (waiting := [seed]):
        image, turned = found[division]
        for (before, sign), (other, other_sign) in zip(preimages(division), preimages(image), strict=True):
            if (before is None) != (other is None):
                return None
            if before is None or other is None:
                continue
            expected = (other, turned * sign * other_sign)
            if before not in found:
                found[before] = expected
                waiting.append(before)
            elif found[before] != expected:
                return None
    return found


def chosen(places: Places, found: Sequence[Family], preimages: _Preimages) -> list[Bundle] | None:
    """Families that tell all states apart at each place, for few coordinates: one after the other, then those left out that are not needed.

    None if all of them together do not.
    """
    pairs = [(p, i, j) for p, states in places.states.items() for i in range(len(states)) for j in range(i) if states[i] != states[j]]
    if len(pairs) > MOST_PAIRS:
        raise _TooMany
    number = {pair: 1 << k for k, pair in enumerate(pairs)}
    told = {}
    for family in found:
        parts: dict[Hashable, list[int]] = defaultdict(list)
        for p, part in family:
            parts[p].append(part)
        told[family] = sum(bit for (p, i, j), bit in number.items() if any((part >> i ^ part >> j) & 1 for part in parts.get(p, ())))
    everything, reach = (1 << len(pairs)) - 1, 0
    for bits in told.values():
        reach |= bits
    if reach != everything:
        return None
    taken: list[Family] = []
    have, coordinates = 0, Counter[Hashable]()
    while have != everything:
        width = max(coordinates.values(), default=0)

        def price(family: Family, have: int = have, coordinates: Counter = coordinates, width: int = width) -> tuple[float, int]:
            new = (told[family] & ~have).bit_count()
            if not new:
                return (float("inf"), 0)
            shared = any(_beside(family, other, preimages) for other in taken)
            wider = 0 if shared else max((coordinates + Counter(p for p, _ in family)).values()) - width
            return (100 * wider + len(family)) / new, len(family)

        best = min(found, key=price)
        taken.append(best)
        have |= told[best]
        coordinates = _coordinates(_bundles(taken, preimages))
    for family in list(taken):
        rest, reach = [other for other in taken if other is not family], 0
        for other in rest:
            reach |= told[other]
        if reach == everything:
            taken = rest
    return _bundles(taken, preimages)


def _bundles(taken: Sequence[Family], preimages: _Preimages) -> list[Bundle]:
    bundles: list[Bundle] = []
    for family in taken:
        for bundle in bundles:
            if len(bundle.others) + 1 < MOST_DIGITS and (digit := _beside(bundle.first, family, preimages)) is not None:
                bundle.others.append(digit)
                break
        else:
            bundles.append(Bundle(family, []))
    return bundles


def _coordinates(bundles: Sequence[Bundle]) -> Counter[Hashable]:
    """How many coordinates there are at each place."""
    return Counter(p for bundle in bundles for p, _ in bundle.first)


# -- the layer ------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Held:
    """The divisions that a layer holds; ``coordinates[p]`` numbers those of place p, each with a bundle."""

    places: Places
    coordinates: Mapping[Hashable, dict[tuple[int, Division], int]]
    bundles: Sequence[Bundle]
    width: int

    def value(self, bundle: int, division: Division, point: int) -> int:
        """What the coordinate of a division is at a point: digits 1 and -1 to the base 2."""
        digits = [(division, 1), *(digit.beside[division] for digit in self.bundles[bundle].others)]
        return sum((sign if part >> point & 1 else -sign) << k for k, ((_, part), sign) in enumerate(digits))

    def column(self, place: Hashable, point: int) -> Array:
        """The layer's state at a point, shape (width, 1)."""
        H = exact.zeros(self.width, 1)
        for (bundle, division), c in self.coordinates[place].items():
            H[c, 0] = exact.rational(self.value(bundle, division, point))
        return H

    @cached_property
    def state(self) -> dict[tuple[Hashable, tuple[Any, ...]], int]:
        """The automaton's state by the place and the layer's state."""
        return {(p, tuple(self.column(p, i)[:, 0].tolist())): q for p, states in self.places.states.items() for i, q in enumerate(states)}

    def maps(self, arrow: Arrow) -> tuple[Array, Array]:
        """(A, B) of an arrow, shapes (width, width) and (width, 1)."""
        A, B = exact.zeros(self.width, self.width), exact.zeros(self.width, 1)
        for (bundle, division), c in self.coordinates[arrow.after].items():
            before, sign = preimage(arrow, division[1])
            if before is None:
                B[c, 0] = exact.rational(self.value(bundle, division, arrow.images[0]))
            else:
                A[c, self.coordinates[arrow.before][bundle, before]] = exact.rational(sign)
        return A, B


def held(places: Places) -> Held | None:
    """The divisions that tell all states apart, if there are such families and not too many divisions; else None."""
    preimages = _Preimages(places)
    try:
        bundles = chosen(places, families(places, preimages), preimages)
    except _TooMany:
        return None
    if bundles is None:
        return None
    coordinates = _numbered(places, bundles)
    return Held(places, coordinates, bundles, max(1, *(len(c) for c in coordinates.values())))


def _numbered(places: Places, bundles: Sequence[Bundle]) -> dict[Hashable, dict[tuple[int, Division], int]]:
    """Numbers for the divisions at each place: where that is possible, that of the preimage under the first arrow, so that little is moved."""
    wanted: dict[Hashable, list[tuple[int, Division]]] = {p: [] for p in places.states}
    for k, bundle in enumerate(bundles):
        for division in bundle.first:
            wanted[division[0]].append((k, division))
    leaving: dict[Hashable, list[Arrow]] = defaultdict(list)
    for arrow in places.arrows:
        leaving[arrow.before].append(arrow)
    numbered: dict[Hashable, dict[tuple[int, Division], int]] = {}
    # places that words do not lead to come last
    for first in (places.start[0], *places.states):
        if first in numbered:
            continue
        numbered[first] = {key: c for c, key in enumerate(wanted[first])}
        for p in (waiting := [first]):
            for arrow in leaving[p]:
                if arrow.after not in numbered:
                    numbered[arrow.after] = _numbered_after(arrow, wanted[arrow.after], numbered[p])
                    waiting.append(arrow.after)
    return numbered


def _numbered_after(arrow: Arrow, wanted: Sequence[tuple[int, Division]], before: Mapping[tuple[int, Division], int]):
    here = {(k, d): before[k, came] for k, d in wanted if (came := preimage(arrow, d[1]).division) is not None}
    free = (c for c in count() if c not in here.values())
    return {key: here[key] if key in here else next(free) for key in wanted}
