"""Registers of the last letters."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from ...recurrence import Stack
from ..layers.registers import register, register_layer
from .candidate import Candidate
from .given import Given, Way


def registers(given: Given) -> Iterator[Candidate]:
    """One layer for an automaton whose state depends on a few last letters alone."""
    if window := register(given.automaton):
        margin = 0.5 if given.automaton.n > 1 else inf
        yield Candidate(
            "register", given.automaton, (window.length,), margin, inf, lambda: Stack((register_layer(given.automaton, window),))
        )


WINDOWS = {"register": Way("an automaton whose state depends on a few last letters alone", registers)}
