"""R-trivial: the machine has no cycles but loops."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from .language import Language
from .machine import Array, Machine
from .pairs import search, spell
from .property import Property
from .witness import Witness

SAYS = "{u} ({x}{y})^j {v} and {u} ({x}{y})^j {x}{v} are answered differently for every j > 0"


def components(m: Machine) -> Array:
    """The number of each state's strongly connected component."""
    tails = np.broadcast_to(np.arange(m.n), m.delta.shape).ravel()
    edges = coo_array((np.ones(tails.size, dtype=np.int8), (tails, m.delta.ravel())), shape=(m.n, m.n))
    return connected_components(edges, connection="strong")[1]


def decide(language: Language) -> Witness | None:
    """No two states lead to each other."""
    m = language.machine
    part = components(m)
    shared = np.flatnonzero(np.bincount(part)[part] > 1)
    if not len(shared):
        return None
    p = int(shared[0])
    q = int(next(r for r in shared if part[r] == part[p] and r != p))
    words = {"u": m.reaching[p], "x": way(m, p, q), "y": way(m, q, p), "v": m.telling(p, q)}
    return Witness("r-trivial", SAYS, spell(m, words))


def way(m: Machine, p: int, q: int) -> tuple[int, ...]:
    """A shortest word from p to another state q."""
    return search(m.delta, np.array([p]), np.zeros(m.n, dtype=bool)).word(q)[1]


PROPERTY = Property(
    "r-trivial",
    "R-trivial",
    "two different states never lead to each other",
    "Brzozowski and Fich 1980",
    "k n",
    decide,
)
