"""Aperiodic: no word permutes states; the language is star-free."""

from __future__ import annotations

from .language import Language
from .machine import Machine
from .pairs import spell
from .property import Property
from .witness import Witness

SAYS = "the answers to {u} {w}^i {v} for i = 1, 2, ... have the period {p} for ever"


def decide(language: Language) -> Witness | None:
    """All groups of images are trivial."""
    for found in language.permuting:
        permutation, word = next(iter(found.generators.items()))
        place = next(i for i, j in enumerate(permutation) if i != j)
        return counting(language.machine, "aperiodic", found.points[place], word)
    language.permuting.exhausted()
    return None


def counting(m: Machine, property: str, q: int, word: tuple[int, ...]) -> Witness:
    """The witness of a word that moves state q along a cycle of two states or more."""
    cycle = [q]
    while (after := m.end(cycle[-1], word)) != q:
        cycle.append(after)
    tail = m.telling(q, cycle[1])
    said = [int(m.answers[m.end(p, tail)]) for p in cycle]
    period = next(p for p in range(1, len(said) + 1) if len(said) % p == 0 and said[p:] + said[:p] == said)
    return Witness(property, SAYS, spell(m, {"u": m.reaching[q], "w": word, "v": tail}), {"p": period})


PROPERTY = Property(
    "aperiodic",
    "star-free",
    "no word permutes two or more states: all groups in the transition monoid are trivial",
    "Schützenberger 1965; McNaughton and Papert 1971",
    "k n for each image of a word",
    decide,
)
