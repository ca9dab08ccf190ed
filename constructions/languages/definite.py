"""Definite: the last i letters decide, for some i."""

from __future__ import annotations

import numpy as np

from .language import Language
from .pairs import spell
from .property import Property
from .witness import Witness

SAYS = "{u} {z}^j {v} and {t} {z}^j {v} are answered differently for every j > 0"


def decide(language: Language) -> Witness | None:
    """No word leads a pair of different states back to itself."""
    m, pairs = language.machine, language.pairs
    p, q = np.divmod(np.arange(m.n * m.n), m.n)
    cycle = pairs.returning(pairs.search(pairs.number(p, q)))
    if cycle is None:
        return None
    p, q = pairs.states(cycle[0])
    words = {"u": m.reaching[p], "t": m.reaching[q], "z": cycle[1], "v": m.telling(p, q)}
    return Witness("definite", SAYS, spell(m, words))


PROPERTY = Property(
    "definite",
    "definite",
    "for some i the last i letters decide the answer to every word of at least i letters",
    "Perles, Rabin and Shamir 1963",
    "k n^2",
    decide,
)
