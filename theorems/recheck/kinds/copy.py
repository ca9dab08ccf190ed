"""Certificates of kind ``copy``."""

from __future__ import annotations

from fractions import Fraction

from ..exact import matrix, natural, plus, require, times
from ..registry import rule
from ..typed import Data


@rule("copy")
def check_copy(data: Data) -> None:
    """Layers h^l_t = V h^l_(t-1) + U h^(l-1)_t from 0, read by ``readout``, copy every input ``p`` steps forward, at every length.

    Output minus copy is a linear recurrence with N + p states, N those of all layers; where its first N + p + 1 responses vanish, all do.
    """
    layers, readout, p = [(matrix(a["U"]), matrix(a["V"])) for a in data["layers"]], matrix(data["readout"]), natural(data["p"])
    d, size = len(layers[0][0][0]), sum(len(V) for _, V in layers)
    for channel in range(d):
        states = [[[Fraction(0)] for _ in V] for _, V in layers]
        for t in range(size + p + 1):
            below = [[Fraction(int(t == 0 and i == channel))] for i in range(d)]
            for i, (U, V) in enumerate(layers):
                states[i] = below = plus(times(V, states[i]), times(U, below))
            wanted = [[Fraction(int(t == p and i == channel))] for i in range(d)]
            require(times(readout, below) == wanted, f"the response to channel {channel} is another at step {t}")
