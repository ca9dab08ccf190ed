"""The order of last occurrences decides: which letters have come, and in which order each came last."""

from __future__ import annotations

import numpy as np

from .language import Language
from .pairs import spell
from .property import Property
from .witness import Witness

SAYS = "{w}{a}{u}{a}{v} and {w}{u}{a}{v} are answered differently"


def decide(language: Language) -> Witness | None:
    """a u a acts as u a for all letters a and words u."""
    m, pairs = language.machine, language.pairs
    states = np.arange(m.n)
    for a in range(m.k):
        found = pairs.search(pairs.number(m.delta[a], states))
        wrong = found.met[~pairs.equal[pairs.after[a, found.met]]]
        if len(wrong):
            seed, u = found.word(int(wrong[0]))
            q = pairs.states(seed)[1]
            tail = m.telling(*pairs.states(int(pairs.after[a, wrong[0]])))
            words = {"w": m.reaching[q], "a": (a,), "u": u, "v": tail}
            return Witness("order-of-last-occurrences", SAYS, spell(m, words))
    return None


PROPERTY = Property(
    "order-of-last-occurrences",
    "order of last occurrences",
    "the letters that have come, in the order of their last occurrences, decide the answer",
    "monoids with x y x = y x, the right regular bands; new.bistable.depth has the stacks",
    "k^2 n^2",
    decide,
)
