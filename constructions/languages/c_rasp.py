"""C-RASP: the published procedure, component by component.

In a strongly connected component, a balanced morphism gives each label a vector such that every cycle sums to 0; so every state has a potential. Labels are
letters at first, and are then split by the potentials of the states that they leave, until nothing changes. The language is in C-RASP if in the end
the potentials tell all states of each component apart.
"""

from __future__ import annotations

import numpy as np
from flint import fmpz_mat

from .language import Language
from .machine import Machine
from .pairs import spell
from .property import Property
from .r_trivial import components, way
from .undecided import Undecided
from .witness import Witness

SAYS = "{u} leads to a state that {x} leaves and {y} comes back to, and no balanced count of letters, however refined, tells it from the state after {u}{x}"

#: components with more states are not tried
MOST_STATES = 400


def decide(language: Language) -> Witness | None:
    """Every component's states are told apart by potentials."""
    m = language.machine
    part = components(m)
    for label in np.flatnonzero(np.bincount(part) > 1).tolist():
        states = np.flatnonzero(part == label).tolist()
        if len(states) > MOST_STATES:
            raise Undecided(f"a strongly connected component has more than {MOST_STATES} states")
        classes = separated(m, states)
        first: dict[int, int] = {}
        for q, c in zip(states, classes, strict=True):
            p = first.setdefault(c, q)
            if p != q:
                words = {"u": m.reaching[p], "x": way(m, p, q), "y": way(m, q, p)}
                return Witness("c-rasp", SAYS, spell(m, words))
    return None


def separated(m: Machine, states: list[int]) -> list[int]:
    """The class of each state of a component, when refining by potentials changes nothing more."""
    place = {q: i for i, q in enumerate(states)}
    edges = [(a, i, place[int(m.delta[a, q])]) for a in range(m.k) for i, q in enumerate(states) if int(m.delta[a, q]) in place]
    classes = [0] * len(states)
    while True:
        finer = _refined(edges, classes)
        if len(set(finer)) == len(set(classes)):
            return classes
        classes = finer


def _refined(edges: list[tuple[int, int, int]], classes: list[int]) -> list[int]:
    """The classes split by potentials: numbers of states such that edges of one label (a letter, and the class that it leaves) all climb alike."""
    n = len(classes)
    first: dict[tuple[int, int], tuple[int, int]] = {}
    rows = []
    for a, tail, head in edges:
        known = first.setdefault((a, classes[tail]), (tail, head))
        if known != (tail, head):
            row = [0] * n
            for sign, (t, h) in ((1, (tail, head)), (-1, known)):
                row[h] += sign
                row[t] -= sign
            rows.append(row)
    if not rows:
        return list(range(n))
    free, rank = fmpz_mat(rows).nullspace()
    potentials = [tuple(int(free[i, j]) for j in range(rank)) for i in range(n)]
    number: dict[object, int] = {}
    return [number.setdefault((c, potential), len(number)) for c, potential in zip(classes, potentials, strict=True)]


PROPERTY = Property(
    "c-rasp",
    "C-RASP",
    "in each strongly connected component of the machine, counts of letters that every cycle balances, refined until nothing changes, tell all states apart",
    "the decider published with arXiv 2608.13433",
    "linear algebra over the rationals on k n edges, at most n times",
    decide,
)
