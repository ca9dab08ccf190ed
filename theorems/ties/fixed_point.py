"""Tokens of fixed-point layers: gate, mixer and decay where the formulas have them, for decays of either sign."""

from __future__ import annotations

from random import Random

import numpy as np
from flint import fmpq

from ...constructions import samples
from ...constructions.fixed_point import Token, dense_states, gated, gated_by_modulus, iterate, ungated
from ...numerics import exact
from ..claim import tie
from ..evidence import Proof


def diagonal(v: np.ndarray) -> np.ndarray:
    """A matrix with this diagonal, entry by entry."""
    n = len(v)
    return np.array([[v[i] if i == j else v[i] * 0 for j in range(n)] for i in range(n)], dtype=v.dtype)


@tie("movahedi25.eq2")
@tie("movahedi25.thm2.1")
def tokens(proof: Proof) -> None:
    """Source, feedback and the dense form are the matrices of the text."""
    rng = Random(21)
    for d in proof.tied("d = 1 to 8, decays and gates of either sign", range(1, 9)):
        draw = lambda: np.array([fmpq(rng.randint(-3, 3), rng.randint(4, 9)) for _ in range(d)], dtype=object)  # noqa: B023, E731
        mixer = exact.identity(d) * 2 + samples.integers(rng, d, d, bound=1) / fmpq(9)
        token = Token(draw(), draw(), mixer, draw())
        G, one = diagonal(token.gate), exact.identity(d)
        proof.exactly("the source is G Q b", list(token.source), list(G @ (mixer @ token.drive)))
        proof.exactly("the feedback is G (I - Q)", token.feedback, G @ (one - mixer))
        A, c = token.dense()
        left = one - G @ (one - mixer)
        proof.exactly("(I - G (I - Q)) A = Lambda", left @ A, diagonal(token.decay))
        proof.exactly("(I - G (I - Q)) c = G Q b", list(left @ c), list(G @ (mixer @ token.drive)))
        decay = draw()
        gates = {
            "ungated": (ungated, [fmpq(1)] * d),
            "gated": (gated, [1 - x for x in decay]),
            "by modulus": (gated_by_modulus, [1 - abs(x) for x in decay]),
        }
        for name, (make, gate) in gates.items():
            made = make(decay, mixer, token.drive)
            proof.exactly(
                f"{name}: decay, gate, mixer, drive",
                [list(made.decay), list(made.gate), made.mixer.tolist(), list(made.drive)],
                [list(decay), gate, mixer.tolist(), list(token.drive)],
            )
    generator = np.random.default_rng(21)
    for d in proof.tied("d = 1 to 8, floats, 7 tokens", range(1, 9)):
        vector = lambda: generator.uniform(-0.5, 0.5, d)  # noqa: B023, E731
        word = [gated_by_modulus(vector(), np.eye(d) + 0.1 * vector()[:, None] * vector()[None, :], vector()) for _ in range(7)]
        start = vector()
        h, wanted = start, []
        for t in word:
            h = np.linalg.solve(np.eye(d) - np.diag(t.gate) @ (np.eye(d) - t.mixer), t.decay * h + t.gate * (t.mixer @ t.drive))
            wanted.append(h)
        proof.closely("dense_states: one solve a token", float(np.max(np.abs(dense_states(word, start) - np.array(wanted)))), 1e-12)
        proof.closely("60 passes of iterate come there", float(np.max(np.abs(iterate(word, 60, start) - np.array(wanted)))), 1e-12)
