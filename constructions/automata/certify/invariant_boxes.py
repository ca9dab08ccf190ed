"""Boxes that no k letters leave: a proof that tanh cells, GRUs, LSTMs and whatever else forgets its errors is right at every length.

There is a box for each state of the automaton with the last few letters. It begins as what random words reach, and grows as long as some image leaves it.
In the end every image of every box after every k letters lies in the box where it belongs, and all answers on the way are right. By induction so it is
for every word. Images are zonotopes, so k steps may contract where one does not. A network that adds its rounding errors up, such as a rotation, has no
such boxes.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np

from ....numerics.progress import Progress, silent
from ..rounding.layer import Format
from .enclosing import BITS, LIBRARY, Enclosed, magnitude, precision
from .program_orbits import EVERY_ORDER, EXACT, Finding, Target, said
from .programs import CURVES, Program
from .zonotopes import Stepped, answered, box

#: (front, automaton's state, last letters read)
Place = tuple[int, int, tuple[int, ...]]

#: (letters remembered by a box, letters to an image), in the order in which they are tried
SHAPES = ((0, 1), (1, 1), (2, 2), (3, 3), (5, 3), (6, 5))
#: rounds of growing
ROUNDS = 40
#: boxes that are so many times as large as what is reached will not hold
FAR = 4.0
#: images in one round, and images at a time
MOST_IMAGES, PIECE = 20_000, 1024
#: how much a box is enlarged, beyond what is reached: relatively and absolutely
MARGIN, LEAST = 0.05, 2.0**-18


def boxed(program: Program, target: Target, form: Format | None, progress: Progress = silent) -> Finding:
    """Boxes for the states of a program, for exact arithmetic (``form`` None) or every order of sums in a format."""
    library = form is not None and any(op.name in CURVES for op in program.ops)
    way = EXACT if form is None else EVERY_ORDER
    of = said(way, form) + (f", library functions within {LIBRARY:.1g}" if library else "")
    why = "no boxes were found that no letters leave"
    for memory, steps in SHAPES:
        walks = _walks(program, target, memory, steps)
        if walks is None:
            break
        if _invariant(program, target, form, walks, progress):
            found = (
                f"{len(walks.places):,} boxes that no {steps} letters leave"
                if steps > 1
                else f"{len(walks.places):,} boxes that no letter leaves"
            )
            return Finding(way, of, "right", found, states=len(walks.places))
        why = f"no boxes were found that no {steps} letters leave, one for each state and the last {memory} letters"
    return Finding(way, of, "open", why)


class _Walks(NamedTuple):
    """All words of k letters from each place: ``start`` and ``end`` number places, ``reads`` (words, k) the letters that the program reads,
    ``labels`` (words, k) the right answers."""

    places: dict[Place, int]
    start: np.ndarray
    end: np.ndarray
    reads: np.ndarray
    labels: np.ndarray
    memory: int


def _follow(program: Program, target: Target, memory: int, place: Place, x: int) -> tuple[int, Place]:
    """(letter that the program reads, place after) of input letter x."""
    front, q, last = place
    after, z = program.front[front][x]
    return z, (after, target.rows[x][q], (*last, x)[-memory:] if memory else ())


def _walks(program: Program, target: Target, memory: int, steps: int) -> _Walks | None:
    """None if there are too many."""
    first: Place = (0, target.automaton.start, ())
    places: dict[Place, int] = {first: 0}
    waiting: list[Place] = [first]
    rows: list[tuple[int, int, list[int], list[int]]] = []
    words = list(product(range(len(target.rows)), repeat=steps)) if len(target.rows) ** steps <= MOST_IMAGES else []
    for here in waiting:
        if not words or len(places) * len(words) > MOST_IMAGES:
            return None
        for word in words:
            place, reads, labels = here, list[int](), list[int]()
            for x in word:
                z, place = _follow(program, target, memory, place, x)
                reads.append(z)
                labels.append(target.labels[place[1]])
            if place not in places:
                places[place] = len(places)
                waiting.append(place)
            rows.append((places[here], places[place], reads, labels))
    start, end, reads, labels = (np.array(column) for column in zip(*rows, strict=True))
    return _Walks(places, start, end, reads, labels, memory)


def _reached(program: Program, target: Target, walks: _Walks) -> tuple[np.ndarray, np.ndarray]:
    """The least and the largest entries (places, n) that words lead to at each place, in float64: random words, and long runs of one letter."""
    size, letters = len(walks.places), len(target.rows)
    low, high = np.full((size, program.width), np.inf), np.full((size, program.width), -np.inf)
    rng, count, first = np.random.default_rng(0), 64, (0, target.automaton.start, ())
    with np.errstate(all="ignore"):
        for turn in range(4):
            H, at = np.tile(program.first, (count, 1)), [first] * count
            for t in range(40):
                x = rng.integers(letters, size=count) if turn < 3 or t < 3 else np.arange(count) % letters
                moves = [_follow(program, target, walks.memory, p, int(y)) for p, y in zip(at, x, strict=True)]
                H, at = program.step(H, np.array([z for z, _ in moves]))[0], [p for _, p in moves]
                for p, h in zip(at, H, strict=True):
                    if p in walks.places:
                        k = walks.places[p]
                        low[k], high[k] = np.minimum(low[k], h), np.maximum(high[k], h)
    return low, high


def _invariant(program: Program, target: Target, form: Format | None, walks: _Walks, progress: Progress) -> bool:
    """Whether boxes were found that no walk leaves, all answers right."""
    low, high = _reached(program, target, walks)
    with precision(BITS):
        begun = Enclosed(program, form).start()
        if not all(x.is_finite() for x in begun):
            return False
        first = np.array([float(x.mid()) for x in begun])
        spare = np.array([magnitude(x - float(x.mid())) for x in begun])
    low[0], high[0] = np.minimum(low[0], first - spare), np.maximum(high[0], first + spare)
    unmet = np.isinf(low).any(1)
    if not (np.isfinite(low[~unmet]).all() and np.isfinite(high[~unmet]).all()):
        return False
    # a place that no word was seen to reach begins as nothing, and grows by its first image
    center, radius = (low + high) / 2, (high - low) / 2 * (1 + MARGIN) + LEAST
    comes_back = (walks.end == 0).any()
    if not comes_back:
        center[0], radius[0] = first, spare
    center[unmet], radius[unmet] = 0.0, -1.0
    stepped = Stepped(program, form)
    largest = FAR * max(float(np.abs(center).max()), float(radius.max()))
    for turn in range(ROUNDS):
        progress("growing boxes", turn, ROUNDS)
        grown = False
        old, reach = center.copy(), radius.copy()
        for i in range(0, len(walks.start), PIECE):
            piece = slice(i, i + PIECE)
            here = walks.start[piece]
            known = (reach[here] >= 0).all(1)
            here, end = here[known], walks.end[piece][known]
            if not len(here):
                continue
            H = box(old[here], reach[here])
            for z, label in zip(walks.reads[piece][known].T, walks.labels[piece][known].T, strict=True):
                H, scores = stepped.step(H, z)
                if not answered(scores, label).all():
                    return False
                H = H.with_generators()
            bottom, top = H.c - H.radius, H.c + H.radius
            if not (np.isfinite(bottom).all() and np.isfinite(top).all()):
                return False
            # exact comparisons of floats: what lies within on the safe side does
            inside = (bottom >= old[end] - reach[end] * (1 - 1e-12)) & (top <= old[end] + reach[end] * (1 - 1e-12)) & (reach[end] >= 0)
            for k, b, t in zip(end[~inside.all(1)], bottom[~inside.all(1)], top[~inside.all(1)], strict=True):
                grown = True
                if radius[k, 0] < 0:
                    center[k], radius[k] = (b + t) / 2, (t - b) / 2 * (1 + MARGIN) + LEAST
                else:
                    b, t = np.minimum(b, center[k] - radius[k]), np.maximum(t, center[k] + radius[k])
                    center[k], radius[k] = (b + t) / 2, (t - b) / 2 * (1 + MARGIN) + LEAST
        if float(radius.max()) > largest:
            return False
        if not grown:
            return bool((radius >= 0).all())
    return False
