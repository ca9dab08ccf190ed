"""Whether a second layer of norm at most 1 can finish an automaton above a first one: loops of the lower machine whose maps satisfy e f e = f e.

The lower machine reads the same letters. Over the places where it can be, the automaton's states form fibres; a word that leads the lower machine from a place to
itself acts on the fibre there. If such maps, where they are idempotent, satisfy e f e = f e at every place, the upper layer exists (new.automata.depth.two-layers).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import product
from math import gcd
from typing import Any

from ..automata.automaton import Automaton
from .undecided import Undecided

Map = tuple[int, ...]
#: a place of the lower machine, and a step of it
Place = Any
Step = Callable[[Place, Hashable], Place]

#: configurations of both machines, and maps between fibres, beyond which nothing is decided
MOST_REACHED, MOST_MAPS = 3_000, 200_000


def last_uses(moves: Mapping[Hashable, Map]) -> tuple[Place, Step]:
    """The start and the step of a machine of one layer over permutations of points, point 0 moved: the point, and the pairs (point, letter) in the order of last use."""

    def step(place: tuple[int, tuple], letter: Hashable) -> Place:
        point, order = place
        used = (point, letter)
        return moves[letter][point], (*(pair for pair in order if pair != used), used)

    return (0, ()), step


def fibres(automaton: Automaton, start: Place, step: Step) -> dict[Place, tuple[int, ...]]:
    """For each place of the lower machine the automaton's states that occur with it. Raises :class:`Undecided` for more than 3,000 pairs."""
    reached = {(automaton.start, start): None}
    for q, p in (waiting := list(reached)):
        for x in automaton.table:
            if (after := (automaton.table[x][q], step(p, x))) not in reached:
                reached[after] = None
                waiting.append(after)
        if len(waiting) > MOST_REACHED:
            raise Undecided(f"the lower machine has more than {MOST_REACHED:,} places with states")
    found: dict[Place, list[int]] = defaultdict(list)
    for q, p in reached:
        found[p].append(q)
    return {p: tuple(sorted(states)) for p, states in found.items()}


def words_from(automaton: Automaton, step: Step, place: Place, fibre: Sequence[int]) -> Iterator[tuple[tuple[int, ...], Place]]:
    """What words do to the fibre of ``place``, the images of its states, with the place that they lead to."""
    first = (tuple(fibre), place)
    seen = {first: None}
    for images, p in (waiting := [first]):
        for x, row in automaton.table.items():
            after = (tuple(row[q] for q in images), step(p, x))
            if after not in seen:
                seen[after] = None
                waiting.append(after)
                yield after


def upper_layer_exists(automaton: Automaton, start: Place, step: Step) -> bool:
    """Whether at every place the idempotent loops satisfy e f e = f e, so that one more layer tracks the automaton. Raises :class:`Undecided` for large machines."""
    left = MOST_MAPS
    for place, fibre in fibres(automaton, start, step).items():
        if len(fibre) == 1:
            continue
        number = {q: i for i, q in enumerate(fibre)}
        idempotents: list[Map] = []
        for images, end in words_from(automaton, step, place, fibre):
            left -= 1
            if left < 0:
                raise Undecided(f"more than {MOST_MAPS:,} maps between fibres")
            if end != place:
                continue
            e = tuple(number[q] for q in images)
            if all(e[i] == i for i in e):
                if any(not _one_sided(e, f) or not _one_sided(f, e) for f in idempotents):
                    return False
                idempotents.append(e)
    return True


def _one_sided(e: Map, f: Map) -> bool:
    """Whether e f e = f e."""
    return all(e[f[e[i]]] == e[f[i]] for i in range(len(e)))


#: cyclic groups of so many elements are tried for the lower layer
MOST_ORDER = 3


def two_layers(automaton: Automaton, most: int = MOST_ORDER) -> dict[Hashable, Map] | None:
    """Turns of at most ``most`` points, one for each letter, over whose last uses a second layer exists; None if none is found, which decides nothing.

    Example: a machine of three states with a swap and a reset needs no group below:

    >>> two_layers(Automaton({"a": (1, 0, 2), "b": (0, 0, 1)}))
    {'a': (0,), 'b': (0,)}
    """
    for points in range(1, most + 1):
        for turns in product(range(points), repeat=len(automaton.table)):
            if gcd(points, *turns) > 1:
                continue
            moves = {x: tuple((i + turn) % points for i in range(points)) for x, turn in zip(automaton.table, turns, strict=True)}
            try:
                if upper_layer_exists(automaton, *last_uses(moves)):
                    return moves
            except Undecided:
                continue
    return None
