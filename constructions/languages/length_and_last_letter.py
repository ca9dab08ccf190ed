"""The length modulo N and the last letter decide, for some N."""

from __future__ import annotations

import numpy as np

from .language import Language
from .machine import Machine
from .pairs import spell
from .property import Property
from .witness import Witness

SAYS = "{u}{a}{x}{v} and {u}{b}{x}{v}, of one length and with one last letter, are answered differently"
TRANSIENT = "{u}{x}{v} is answered differently from {u} {z}^j {x}{v} for every j > 0: no clock runs from the first letter on"


def decide(language: Language) -> Witness | None:
    """No letter but the last counts, and the answers to each length are periodic from length 1 on."""
    m = language.machine
    for x in range(m.k):
        after = m.delta[x][m.delta]
        wrong = np.argwhere(after != after[:1])
        if len(wrong):
            b, q = map(int, wrong[0])
            tail = m.telling(int(after[0, q]), int(after[b, q]))
            words = {"u": m.reaching[q], "a": (0,), "b": (b,), "x": (x,), "v": tail}
            return Witness("length-and-last-letter", SAYS, spell(m, words))
    return _transient(m)


def _transient(m: Machine) -> Witness | None:
    """What is said to the words of each length: a sequence of rows, the states by last letter, that must come back to the first."""
    rows, times = [m.delta[:, 0]], {m.delta[:, 0].tobytes(): 0}
    while True:
        row = m.delta[:, rows[-1][0]]
        if row.tobytes() in times:
            break
        times[row.tobytes()] = len(rows)
        rows.append(row)
    again = times[row.tobytes()]
    if again == 0:
        return None
    early, late = rows[again - 1], rows[-1]
    x = int(np.flatnonzero(early != late)[0])
    words = {"u": (0,) * (again - 1), "z": (0,) * (len(rows) - again), "x": (x,), "v": m.telling(int(early[x]), int(late[x]))}
    return Witness("length-and-last-letter", TRANSIENT, spell(m, words))


PROPERTY = Property(
    "length-and-last-letter",
    "length and last letter",
    "for some N the length modulo N and the last letter decide the answer",
    "time-invariant diagonal layers with finitely many exact states",
    "k^2 n",
    decide,
)
