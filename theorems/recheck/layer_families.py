"""The random layers of the claims on fixed points and gates, drawn again with the standard library; vectors and matrices as in ``families``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from .exact import inverse, minus, one, rank, scaled, times, transpose
from .families import fraction, integer_vector, integers, orthogonal


def tenths(rng: Random, high: int = 9) -> Fraction:
    """A number of tenths from 1/10 to ``high``/10."""
    return Fraction(rng.randint(1, high), 10)


def diagonal(entries: Sequence[Fraction]) -> list[list[Fraction]]:
    """diag(entries)."""
    return [[x if i == j else Fraction(0) for j in range(len(entries))] for i, x in enumerate(entries)]


def unit_vector(rng: Random, n: int) -> list[Fraction]:
    """The first column of an orthogonal matrix."""
    return [row[0] for row in orthogonal(rng, n)]


def sharp_contraction(rng: Random, d: int, norm: Fraction) -> tuple[list[list[Fraction]], list[Fraction]]:
    """(F, v): F = U diag(norm, smaller ones) V with orthogonal U and V, and a unit vector v with |F v| = norm, the first row of V."""
    values = [norm, *(norm * fraction(rng) for _ in range(d - 1))]
    left, right = orthogonal(rng, d), orthogonal(rng, d)
    return times(times(left, diagonal(values)), right), right[0]


def contraction(rng: Random, d: int, norm: Fraction) -> list[list[Fraction]]:
    """A matrix whose largest singular value is ``norm``."""
    return sharp_contraction(rng, d, norm)[0]


def contractive_mixer(rng: Random, d: int, norm: Fraction) -> list[list[Fraction]]:
    """Q with ||I - Q|| = norm."""
    return minus(one(d), contraction(rng, d, norm))


def decays(rng: Random, d: int) -> list[Fraction]:
    """Decays in [0, 1), 0 and values near 1 among them."""
    pool = (Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10), Fraction(99, 100))
    return [rng.choice(pool) for _ in range(d)]


def token(
    decay: Sequence[Fraction], gate: Sequence[Fraction | int], q: Sequence[Sequence[Fraction]], b: Sequence[Fraction | int]
) -> dict[str, Any]:
    """A token as the certificates hold it."""
    return {"decay": decay, "gate": gate, "Q": q, "b": b}


def gate_of(decay: Sequence[Fraction]) -> list[Fraction]:
    """1 - decay, channel by channel."""
    return [1 - x for x in decay]


def no_gate(decay: Sequence[Fraction]) -> list[Fraction]:
    """1 in every channel."""
    return [Fraction(1)] * len(decay)


def tokens(rng: Random, gate: Callable[..., Any], d: int, length: int) -> list[dict[str, Any]]:
    """Tokens with decays in [-2, 2], mixers of halves in [-1, 1] and integer inputs, those left out for which I - G (I - Q) is singular."""
    out = []
    while len(out) < length:
        decay = [fraction(rng, -2, 2) for _ in range(d)]
        q, b = scaled(Fraction(1, 2), integers(rng, d, d, 2)), integer_vector(rng, d)
        g = gate(decay)
        residual = [[y - (z * (y - x)) for x, y in zip(row, unit, strict=True)] for row, unit, z in zip(q, one(d), g, strict=True)]
        if rank(residual) == d:
            out.append(token(decay, g, q, b))
    return out


def contractive_tokens(rng: Random, d: int, length: int, inputs: Callable[..., Any]) -> tuple[list[dict[str, Any]], Fraction]:
    """(tokens, norm): one mixer with ||I - Q|| = norm, one decay in [0, 1), the gate 1 - decay, and inputs drawn by ``inputs``."""
    norm = tenths(rng)
    q, decay = contractive_mixer(rng, d, norm), decays(rng, d)
    return [token(decay, gate_of(decay), q, inputs(rng, d)) for _ in range(length)], norm


def fractions(rng: Random, rows: int, columns: int) -> list[list[Fraction]]:
    """A matrix of tenths in (0, 1)."""
    return [[tenths(rng) for _ in range(columns)] for _ in range(rows)]


def matrix_state_tokens(rng: Random, longest: int) -> list[dict[str, Any]]:
    """Tokens with matrix states: decays and Delta in (0, 1), unit B and C, a mixer with ||I - Q|| < 1, and integer inputs."""
    n, d = rng.randint(1, 3), rng.randint(1, 3)
    out = []
    for _ in range(rng.randint(1, longest)):
        q = contractive_mixer(rng, d, tenths(rng))
        decay, delta = fractions(rng, n, d), [tenths(rng) for _ in range(d)]
        out.append(
            {"decay": decay, "delta": delta, "B": unit_vector(rng, n), "C": unit_vector(rng, n), "Q": q, "x": integer_vector(rng, d)}
        )
    return out


def helmert(n: int) -> list[list[int]]:
    """The axes h_k = (n - k) e_k - e_(k+1) - ... - e_n, k = 1, ..., n - 1."""
    return [[0] * k + [n - 1 - k] + [-1] * (n - 1 - k) for k in range(n - 1)]


def slightly_turned(n: int, t: Fraction) -> list[list[Fraction]]:
    """(I - t K)^-1 (I + t K), K_ij = 1 for i < j and -1 for i > j."""
    k = [[Fraction(t * ((j > i) - (j < i))) for j in range(n)] for i in range(n)]
    return transpose(times(inverse([[y + x for x, y in zip(*r, strict=True)] for r in zip(k, one(n), strict=True)]), minus(one(n), k)))


def cartan(n: int, edges: Sequence[tuple[int, int]]) -> list[list[int]]:
    """2 on the diagonal and -1 at the edges."""
    joined = {frozenset(e) for e in edges}
    return [[2 if i == j else -int(frozenset((i, j)) in joined) for j in range(n)] for i in range(n)]


def path(n: int) -> list[tuple[int, int]]:
    """The edges of a path through 0, ..., n - 1."""
    return [(i, i + 1) for i in range(n - 1)]


def anticommuting(n: int) -> list[list[list[int]]]:
    """n symmetric matrices of size 2^(n-1) that anticommute and square to 1: X x 1, and Z x g for those of n - 1; the number 1 for n = 1."""
    if n == 1:
        return [[[1]]]
    smaller = anticommuting(n - 1)
    size = len(smaller[0])
    swap = [[int(j == (i + size) % (2 * size)) for j in range(2 * size)] for i in range(2 * size)]
    return [swap, *([[*row, *([0] * size)] for row in g] + [[*([0] * size), *(-x for x in row)] for row in g] for g in smaller)]
