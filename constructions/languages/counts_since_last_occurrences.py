"""The order of last occurrences and counts modulo m decide: how often each letter came since the last occurrence of each, and since the start."""

from __future__ import annotations

from math import lcm

import numpy as np

from .constant_powers import _cycle
from .language import Language
from .machine import Machine
from .pairs import Pairs, Search, search, spell
from .property import Property
from .witness import Witness

ORDER = "{u}{x}{y}{w}{v} and {u}{y}{x}{w}{v} are answered differently, and {w} has both letters"
COUNT = "{u}{x}^{m} {w}{v} and {u}{w}{v} are answered differently, and {w} has the letter"
NO_PERIOD = "{u}{x}{v} is answered differently from {u}{x}^({p} j + 1) {v} for every j > 0: no count modulo m"


def decide_modulo(language: Language, m: int, property: str) -> Witness | None:
    """x y and y x act alike before every word with both letters, and x^m and nothing alike before every word with x."""
    machine = language.machine
    for x in range(machine.k):
        power = np.arange(machine.n)
        for _ in range(m):
            power = machine.delta[x][power]
        if (found := _confused(language.pairs, power, np.arange(machine.n), (x,))) is not None:
            q, w, tail = found
            words = {"u": machine.reaching[q], "x": (x,), "w": w, "v": tail}
            return Witness(property, COUNT, spell(machine, words), {"m": m})
    for x in range(machine.k):
        for y in range(x):
            one, two = machine.delta[y][machine.delta[x]], machine.delta[x][machine.delta[y]]
            if (found := _confused(language.pairs, one, two, (x, y))) is not None:
                q, w, tail = found
                words = {"u": machine.reaching[q], "x": (x,), "y": (y,), "w": w, "v": tail}
                return Witness(property, ORDER, spell(machine, words))
    return None


def _confused(
    pairs: Pairs, one: np.ndarray, two: np.ndarray, letters: tuple[int, ...]
) -> tuple[int, tuple[int, ...], tuple[int, ...]] | None:
    """(q, w, v): one[q] and two[q] still differ after w, which has all the letters and ends with the last of them to come, and v tells them apart.

    Nodes are pairs with the set of letters that have come: pair + n^2 set.
    """
    m, size, full = pairs.machine, pairs.machine.n**2, (1 << len(letters)) - 1
    seeds = pairs.number(one, two)
    if pairs.equal[seeds].all():
        return None
    steps = []
    for a in range(m.k):
        mark = 1 << letters.index(a) if a in letters else 0
        steps.append(np.concatenate([pairs.after[a] + size * (seen | mark) for seen in range(full)]))
    after = np.stack(steps)
    # a pair for which all letters have come is a goal, and leads nowhere
    after = np.concatenate([after, np.broadcast_to(np.arange(size) + size * full, (m.k, size))], axis=1)
    found: Search = search(after, seeds, np.tile(pairs.equal, full + 1))
    goals = found.met[found.met >= size * full]
    if not len(goals):
        return None
    seed, w = found.word(int(goals[0]))
    tail = m.telling(*pairs.states(int(goals[0]) - size * full))
    return int(np.flatnonzero(seeds == seed)[0]), w, tail


def decide_two(language: Language) -> Witness | None:
    """With m = 2."""
    return decide_modulo(language, 2, "counts-mod-2")


def decide_some(language: Language) -> Witness | None:
    """With m the least common multiple of the periods of the letters, which serves if any m does."""
    m = language.machine
    for x in range(m.k):
        if (wrong := _not_periodic(m, x)) is not None:
            return wrong
    modulus = lcm(*(_cycle(m.delta[x], q) for x in range(m.k) for q in np.unique(m.delta[x]).tolist()))
    return decide_modulo(language, modulus, "counts-mod-m")


def _not_periodic(m: Machine, x: int) -> Witness | None:
    """A state after x that x never comes back to: then x^(m + 1) acts as x for no m."""
    for q in range(m.n):
        first = int(m.delta[x, q])
        path = [first]
        while (at := int(m.delta[x, path[-1]])) not in path:
            path.append(at)
        if at != first:
            period = len(path) - path.index(at)
            # as many steps as lead to the cycle, in whole periods
            period *= -(-path.index(at) // period)
            tail = m.telling(first, m.end(first, (x,) * period))
            words = {"u": m.reaching[q], "x": (x,), "v": tail}
            return Witness("counts-mod-m", NO_PERIOD, spell(m, words), {"p": period})
    return None


SOURCE = "one layer of diagonal units with finitely many exact states: units that turn share their centre"

TWO = Property(
    "counts-mod-2",
    "order and parities since last occurrences",
    "the order of last occurrences, and the counts modulo 2 of each letter since the last occurrence of each and since the start, decide the answer",
    SOURCE,
    "k^3 n^2",
    decide_two,
)
SOME = Property(
    "counts-mod-m",
    "order and counts since last occurrences",
    "for some m the order of last occurrences, and the counts modulo m of each letter since the last occurrence of each and since the start, decide the answer",
    SOURCE,
    "k^3 n^2",
    decide_some,
)
