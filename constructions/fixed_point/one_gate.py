"""One gated layer (movahedi25, Theorem 2.1) for every automaton each of whose letters, repeated, leads all states to one.

The layer keeps the automaton's state y (one-hot) in one block of channels, which has no decay. For a letter c whose power c^n is the first constant
one there are n - 1 more blocks: any other letter overwrites them by y, and c itself multiplies the i-th of them by e_i. So under c they hold
e_i^m y, where y is the state at the start of the run and m its length; their interpolation tells m = 1, ..., n - 1 exactly apart and
vanishes nearly for larger m, and the mixer reads off the next state c^m y from it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from ...numerics import exact
from ...numerics.aliases import Key
from ...numerics.exact import Array
from .layer import Token, gated

#: where each state 0, 1, ... goes under a letter
Move = tuple[int, ...]


def constant_power(move: Move) -> int | None:
    """The least n for which the n-th power of ``move`` is constant, at least 1; None if no power is."""
    image = set(range(len(move)))
    for n in range(1, len(move) + 1):
        image = {move[q] for q in image}
        if len(image) == 1:
            return n
    return None


def fading_rates(count: int) -> list[fmpq]:
    """1/8, 1/16, ...: distinct, and of sum below 1/4."""
    return [fmpq(1, 2 ** (i + 3)) for i in range(count)]


def interpolation(rates: Sequence[fmpq]) -> Array:
    """V^-1 for V[i, k] = rates[i]^(k+1): from rates[i]^m, over i, it makes the unit vector of m for m = 1, ..., len(rates)."""
    return exact.inverse(np.array([[x ** (k + 1) for k in range(len(rates))] for x in rates], dtype=object))


@dataclass(frozen=True)
class GatedLayer:
    """Gated tokens, the initial layer state, and how many of its first channels hold the automaton's state."""

    tokens: Mapping[Key, Token]
    initial: Array
    states: int

    def run(self, word: Iterable[Hashable]) -> Array:
        """The layer state after the word: the fixed point, token after token."""
        h = self.initial
        for letter in word:
            token = self.tokens[letter]
            A, c = token.dense()
            h = A @ h + c
        return h

    def belief(self, h: Array) -> Array:
        """The channels with the automaton's state: one-hot, up to an error of less than 1 in the sum of moduli."""
        return h[: self.states]

    def decode(self, h: Array) -> int:
        """The automaton's state."""
        y = self.belief(h)
        return max(range(self.states), key=lambda q: y[q])


def gated_layer(moves: Mapping[Key, Move], start: int = 0, rates=fading_rates) -> GatedLayer:
    """The layer for the automaton with these letters; raises ``ValueError`` for a letter none of whose powers is constant.

    Its width is |Q| (1 + sum (n_c - 1)), n_c the first constant power of the letter c. ``rates`` gives the e_i.
    """
    size = len(next(iter(moves.values())))
    powers = {c: constant_power(move) for c, move in moves.items()}
    for c, n in powers.items():
        if n is None:
            raise ValueError(f"expected letters with a constant power, got {c!r}: no gated layer tracks it")
    blocks = [(None, 0)] + [(c, i) for c, n in powers.items() for i in range((n or 1) - 1)]
    tokens = {c: _token(move, [b for b, (owner, _) in enumerate(blocks) if owner == c], len(blocks), rates) for c, move in moves.items()}
    return GatedLayer(tokens, np.tile(exact.unit_vector(size, start), len(blocks)), size)


def _token(move: Move, own: list[int], blocks: int, rates) -> Token:
    """Own channels have the mixer 1 and the decays e_i, the others no decay and the mixer q (h - reading of the own ones), q small enough to contract."""
    size = len(move)
    decays = rates(len(own))
    reading, target = reading_of(move, decays)
    others = [b for b in range(blocks) if b not in own]
    own_channels, other_channels = ([b * size + q for b in group for q in range(size)] for group in (own, others))
    every = np.vstack([reading] * len(others))
    q = 1 / (1 + sum((x * x for x in every.flat), fmpq(0)))
    mixer, drive = exact.identity(blocks * size), exact.zeros(blocks * size)
    decay = exact.zeros(blocks * size)
    decay[own_channels] = np.repeat(np.array(decays, dtype=object), size)
    mixer[np.ix_(other_channels, other_channels)] *= q
    mixer[np.ix_(other_channels, own_channels)] = every * -q
    drive[other_channels] = np.tile(target, len(others))
    return gated(decay, mixer, drive)


def reading_of(move: Move, decays: Sequence[fmpq]) -> tuple[Array, Array]:
    """(R, f) with f + R z = M^m y for z = (e_1^m y, ..., e_K^m y), y of sum 1 and 1 <= m <= K; f is the state to which the letter leads in the end."""
    size, K = len(move), len(decays)
    M = transition(move)
    power, settled = M, M
    for _ in range(size):
        settled = M @ settled
    target = settled[:, 0]
    if K == 0:
        return exact.zeros(size, 0), target
    weights = interpolation(decays)
    reading = exact.zeros(size, K * size)
    for k in range(K):
        towards = power - settled
        for i in range(K):
            reading[:, i * size : (i + 1) * size] += towards * weights[k, i]
        power = M @ power
    return reading, target


def transition(move: Move) -> Array:
    """The 0-1 matrix of a map of states: column q is the unit vector of ``move[q]``."""
    M = exact.zeros(len(move), len(move))
    for q, target in enumerate(move):
        M[target, q] = fmpq(1)
    return M


# -- automata ------------------------------------------------------------------------------------------------------------------


def counter(states: int) -> dict[str, Move]:
    """Up and down by one, as far as 0 and ``states`` - 1."""
    return {
        "up": tuple(min(q + 1, states - 1) for q in range(states)),
        "down": tuple(max(q - 1, 0) for q in range(states)),
    }


def alternation(permutations: Mapping[Key, Move], points: int) -> dict[Hashable, Move]:
    """A permutation in two letters: "g" then "back" moves the points by g, and two of one kind in a row lead to the sink, the last state.

    States: the points before a factor, the points within it, the sink. Every letter's square is constant; the words (g back)* act as the group.
    """
    sink = 2 * points
    moves: dict[Hashable, Move] = {g: (*(points + p for p in move), *[sink] * (points + 1)) for g, move in permutations.items()}
    return moves | {"back": (*[sink] * points, *range(points), sink)}


def cascade(first: Mapping[Key, Move], second: Mapping[Key, Move]) -> dict[Hashable, Move]:
    """Two automata in series: the second reads the pairs (letter, new state of the first). State (p, q) is numbered p + (states of the first) q."""
    n, m = (len(next(iter(moves.values()))) for moves in (first, second))
    out: dict[Hashable, Move] = {}
    for c, move in first.items():
        out[c] = tuple(move[p] + n * second[c, move[p]][q] for q in range(m) for p in range(n))
    return out
