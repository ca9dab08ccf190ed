"""A chunked kernel of all rules as libraries write it, in steps that can be replaced one by one: :mod:`.faults` replaces them by wrong ones.

Tensors that a library stores are rounded to the format; sums are in float32. Sources: Yang et al. 2024 (WY form), Yang et al. 2023 (GLA).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .vectors import DELTA

#: rows of the triangular inverse that are substituted one by one, before blocks are merged
BLOCK = 16


def stored(x: np.ndarray, fmt: str) -> np.ndarray:
    """Rounded to float32, float16 or bfloat16, to nearest even, as float32."""
    x = np.asarray(x, dtype=np.float32)
    if fmt == "float16":
        return x.astype(np.float16).astype(np.float32)
    if fmt == "bfloat16":
        bits = x.view(np.uint32)
        return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)
    return x


@dataclass(frozen=True)
class Rows:
    """Inputs of one head of one sequence, or of a chunk of it: q, k (T, K), v (T, V), beta (T,), g (T,) or (T, K), one row to an update."""

    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    beta: np.ndarray
    g: np.ndarray


class Chunked:
    """The kernel, called as ``exact_vectors.check`` calls it. Every method is a step that a fault can replace.

    Args:
        rule: one of ``vectors.RULES``.
        fmt: "float32", "float16" or "bfloat16".
        chunk: updates in a chunk.

    Example:
        >>> check(Chunked("delta"), "vectors", "delta")  # doctest: +SKIP
        []
    """

    def __init__(self, rule: str, fmt: str = "float32", chunk: int = 64) -> None:
        self.rule, self.fmt, self.chunk, self.micro = rule, fmt, chunk, 1

    def __call__(self, q, k, v, beta, g, h0, scale, cu_seqlens, micro, normalise):
        self.micro = micro
        if normalise:
            q, k = self.unit(q), self.unit(k)
        (B, T, H), HV = q.shape[:3], v.shape[2]
        o, states = np.zeros((B, T, HV, v.shape[3]), dtype=np.float32), np.zeros_like(h0)
        # a wrong kernel may overflow; it is found wrong all the same
        with np.errstate(all="ignore"):
            for n, (b, first, last) in enumerate(self.spans(cu_seqlens, B, T)):
                micros = slice(first * micro, last * micro)
                for c in range(HV):
                    h = self.key_head(c, H, HV)
                    inputs = Rows(
                        self.queries(q, b, first, last)[:, h],
                        self.keys(k, b, micros)[:, h],
                        v[b, micros, c],
                        self.strengths(beta[b, micros, c]),
                        self.gates(g, b, first, last, c),
                    )
                    start = self.start(h0, n, c, g[b, :, c], first)
                    o[b, first:last, c], states[n, c] = self.head(inputs, start, self.scale(scale, q.shape[-1]), n)
        return o, self.states(states)

    # -- what belongs to a head --------------------------------------------------------------------------------------------

    def unit(self, x):
        """Keys or queries of norm 1."""
        return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-6)

    def spans(self, cuts, B, T):
        """(row, first step, end) of each sequence."""
        return [(b, 0, T) for b in range(B)] if cuts is None else [(0, int(a), int(e)) for a, e in pairwise(cuts)]

    def key_head(self, c, H, HV):
        """The key head that value head c reads."""
        return c // (HV // H)

    def queries(self, q, b, first, last):
        return q[b, first:last]

    def keys(self, k, b, micros):
        return k[b, micros]

    def strengths(self, beta):
        return beta

    def gates(self, g, b, first, last, c):
        return g[b, first:last, c]

    def start(self, h0, n, c, g, first):
        """The initial state of sequence n; ``g`` holds the gates of all steps of the row, ``first`` is the sequence's first step."""
        return h0[n, c]

    def scale(self, given, width):
        return given

    def states(self, states):
        """The final states as they are returned."""
        return states

    # -- chunks ------------------------------------------------------------------------------------------------------------

    def head(self, x, start, scale, n):
        """Outputs (T, V) and the final state of one head of sequence n."""
        updates, m = len(x.k), self.micro
        q, g = np.zeros((updates, *x.q.shape[1:]), dtype=np.float32), np.zeros((updates, *x.g.shape[1:]), dtype=np.float32)
        # the gate acts before a step's first update, the query reads after its last
        q[m - 1 :: m], g[::m] = x.q, x.g
        borders, outputs = [start], []
        for s in range(0, updates, self.chunk):
            e = min(s + self.chunk, updates)
            rows = Rows(q[s:e], x.k[s:e], x.v[s:e], x.beta[s:e], g[s:e])
            out, S = self.advance(self.padded(rows, self.chunk - (e - s)), borders, scale, e - s)
            outputs.append(out[: e - s])
            borders.append(S)
        return stored(np.concatenate(outputs), self.fmt)[m - 1 :: m], self.final(borders, updates, n)

    def padded(self, x, rest):
        """A chunk with rows of zeros up to its full length: key 0 writes nothing, log gate 0 keeps all."""
        return Rows(*(np.pad(a, [(0, rest)] + [(0, 0)] * (a.ndim - 1)) for a in (x.q, x.k, x.v, x.beta, x.g)))

    def final(self, borders, updates, n):
        """The state that is handed on; ``borders`` holds the states at all borders of chunks."""
        return borders[-1]

    def advance(self, x, borders, scale, rows):
        """Outputs of a chunk and the state after it; ``rows`` of its rows are no padding."""
        G = self.cumulated(x.g)
        between, total = self.between(G), self.total(G)
        R = self.read(borders, rows)
        new = self.written(x.k, x.v, x.beta[:, None], between, total, R) if self.rule in DELTA else x.v
        P = stored(self.pairs(x.q, x.k, self.inside(between)) * self.mask(len(x.k)), self.fmt)
        out = self.output(scale, x.q * self.reading(G), R, P, stored(new, self.fmt))
        return out, borders[-1] * self.kept(total, x.g, rows) + self.added(x.k, new, G, rows)

    def cumulated(self, g):
        """The sums of log gates up to each row."""
        return np.cumsum(g, axis=0)

    def exp(self, x):
        return np.exp(x)

    def between(self, G):
        """exp(G_i - G_j) for i >= j, the decay from row j to row i."""
        return self.exp(np.minimum(G[:, None] - G[None], 0))

    def inside(self, between):
        """The decay for the attention in a chunk."""
        return between

    def total(self, G):
        """exp(G_i), the decay from the chunk's start, as a column or for each channel."""
        return self.exp(G) if G.ndim == 2 else self.exp(G)[:, None]

    def reading(self, G):
        """The decay of the state that enters the chunk when row i reads it."""
        return self.total(G)

    def read(self, borders, rows):
        """The state that the chunk reads, stored."""
        return stored(borders[-1], self.fmt)

    def pairs(self, a, k, between):
        """sum_c a_ic k_jc D_ijc, or (a k^T) D for one gate to a row."""
        return np.einsum("ic,jc,ijc->ij", a, k, between) if between.ndim == 3 else (a @ k.T) * between

    def mask(self, n):
        """1 where row i reads what row j wrote."""
        return np.tril(np.ones((n, n), dtype=np.float32))

    def output(self, scale, q, R, P, new):
        return scale * (q @ R + P @ new)

    def kept(self, total, g, rows):
        """The share of the state that the chunk keeps."""
        return total[-1][:, None]

    def left(self, G, rows):
        """exp(G_last - G_j), the decay of what row j wrote, to the chunk's end."""
        return self.exp(G[-1] - G)

    def added(self, k, new, G, rows):
        """What the chunk adds to the state."""
        left = self.left(G, rows)
        return (k * left).T @ stored(new, self.fmt) if G.ndim == 2 else k.T @ stored(new * left[:, None], self.fmt)

    # -- the WY form -------------------------------------------------------------------------------------------------------

    def written(self, k, v, b, between, total, R):
        """What each row writes: u - w S with u = T beta V and w = T beta G K."""
        A = stored(np.tril(self.gram(k, b, between), -1), self.fmt)
        T = stored(self.inverse(A), self.fmt)
        u = stored(T @ stored(self.values(v, b), self.fmt), self.fmt)
        return u - stored(self.read_keys(T, k, b, total), self.fmt) @ R

    def gram(self, k, b, between):
        """beta K K^T with decays."""
        return self.pairs(b * k, k, between)

    def values(self, v, b):
        return b * v

    def read_keys(self, T, k, b, total):
        """w = T beta G K."""
        return T @ stored(b * total * k, self.fmt)

    def inverse(self, A):
        """(I + A)^-1: forward substitution within blocks of 16 rows, all blocks side by side, then block by block."""
        n, size = len(A), min(BLOCK, len(A))
        T = np.zeros_like(A)
        blocks = np.stack([A[s : s + size, s : s + size] for s in range(0, n, size)])
        for s, block in zip(range(0, n, size), self.inverse_of_blocks(blocks), strict=True):
            T[s : s + size, s : s + size] = block
        for s in range(size, n, size):
            for r in range(s - size, -1, -size):
                inner = A[s : s + size, self.path(r, s, size)] @ T[self.path(r, s, size), r : r + size]
                T[s : s + size, r : r + size] = self.merged(T[s : s + size, s : s + size] @ inner)
        return T

    def inverse_of_blocks(self, blocks):
        """(I + A)^-1 for a stack of blocks."""
        T = np.broadcast_to(np.eye(blocks.shape[-1], dtype=np.float32), blocks.shape).copy()
        for i in range(1, blocks.shape[-1]):
            T[:, i, :i] = -np.einsum("bj,bjk->bk", blocks[:, i, :i], T[:, :i, :i])
        return T

    def path(self, r, s, size):
        """The rows between block r and block s."""
        return slice(r, s)

    def merged(self, product):
        return -product
