"""Faults of gates: their sums, their place in the recurrence, and the decays of what a chunk reads and writes."""

from __future__ import annotations

import numpy as np

from ..chunked import Chunked, Rows, stored
from .declared import FLA, Thread, fault


@fault(
    "gate of the padding",
    "gate 0",
    theirs=(
        Thread("inclusionAI/cuLA", 38, "The last decay was read at row 63 of the chunk, which is padding where the sequence ends before."),
    ),
    ours="The padding repeats the last gate.",
)
class PaddingDecays(Chunked):
    """The last, partial chunk decays the state up to its full length."""

    def padded(self, x, rest):
        zeros = super().padded(x, rest)
        return Rows(zeros.q, zeros.k, zeros.v, zeros.beta, np.concatenate([x.g, np.repeat(x.g[-1:], rest, axis=0)]))


@fault(
    "state decays too little",
    "gate 0",
    theirs=(
        Thread(
            "vllm-project/vllm", 21783, "The decay of the entering state was taken from the start of a block of rows, not of the chunk."
        ),
    ),
)
class DecaysTooLittle(Chunked):
    """Rows read the entering state with the decay since their block of 16 began, not since the chunk began."""

    def reading(self, G):
        first = (np.arange(len(G)) // 16) * 16
        before = np.where(first[:, None] > 0, G.reshape(len(G), -1)[np.maximum(first - 1, 0)], 0).reshape(G.shape)
        return self.total(G - before)


@fault(
    "state decays too much",
    "packed sequences",
    alone=True,
    theirs=(
        Thread("vllm-project/vllm", 23279, "Gates were summed from the start of the chunk, not of the sequence that begins inside it."),
    ),
)
class DecaysTooMuch(Chunked):
    """A packed sequence's initial state decays by the gates of the sequence before it in the same chunk."""

    def start(self, h0, n, c, g, first):
        return h0[n, c] * np.exp(g[first - first % self.chunk : first].sum())


@fault(
    "two bases",
    "gate one half",
    theirs=(Thread("sgl-project/sglang", 30860, "One path of the chunk raised 2, the others e, to differences of natural logarithms."),),
    alone=True,
)
class TwoBases(Chunked):
    """The attention in a chunk takes 2^g for e^g."""

    def between(self, G):
        self.sums = G
        return super().between(G)

    def inside(self, between):
        return np.exp2(np.minimum(self.sums[:, None] - self.sums[None], 0))


@fault(
    "ratio of decays",
    "gate 0",
    theirs=(
        Thread("pytorch/executorch", 21417, "exp(G_i) exp(-G_j) overflowed for tiny gates, and 0 times infinity became NaN."),
        Thread("tenstorrent/tt-metal", 56550, "A decay was written as a product of two exponentials, one of which under- or overflows."),
    ),
)
class Ratio(Chunked):
    """Decays are exp(G_i) exp(-G_j) in place of exp(G_i - G_j)."""

    def between(self, G):
        return np.exp(G)[:, None] * np.exp(-G)[None]


@fault(
    "both factors decay",
    "gate one half",
    theirs=(Thread("NeuraLegion/shainet", 170, "A draft gave the decay between rows to W as well as the decay from the chunk's start."),),
    ours="T is the decayed inverse; the decay from the start multiplies its rows.",
)
class BothDecay(Chunked):
    """w is G T beta K with the decayed T, in place of T beta G K."""

    def read_keys(self, T, k, b, total):
        return total * (T @ stored(b * k, self.fmt))


@fault(
    "gates of other heads",
    "packed sequences",
    alone=True,
    theirs=(
        Thread(FLA, 1136, "In the head-first layout, packed gates were addressed with the length of the sequence in place of the whole."),
    ),
)
class OtherGates(Chunked):
    """Packed gates, stored head by head, are read at sequence start x heads + head x sequence length."""

    def gates(self, g, b, first, last, c):
        if g.shape[0] > 1:
            return super().gates(g, b, first, last, c)
        H, length = g.shape[2], last - first
        flat = np.moveaxis(g[0], 1, 0).reshape(-1, *g.shape[3:])
        return flat[first * H + c * length :][:length]


@fault(
    "guard against rounding",
    logic=False,
    exact=False,
    theirs=(
        Thread(FLA, 104, "With all gates 1 the gated kernel was less accurate; a maintainer suspected the guard of the exponential."),
        Thread(FLA, 389, "The loss came back where steps of gate 1 stand between others."),
        Thread(FLA, 463, "The guard was removed, and gates of 1 entered the tests."),
    ),
    ours="Sums by doubling, as in a parallel scan; a positive difference counts as minus infinity.",
)
class Guard(Chunked):
    """Differences of log gates that rounding makes positive give decay 0, not 1."""

    def cumulated(self, g):
        G, step = g.astype(np.float32), 1
        while step < len(G):
            G = np.concatenate([G[:step], G[step:] + G[:-step]])
            step *= 2
        return G

    def between(self, G):
        difference = G[:, None] - G[None]
        return np.where(difference <= 0, np.exp(np.minimum(difference, 0)), np.float32(0))


@fault("gate late", "gate 0")
class GateLate(Chunked):
    """Cumulated gates are shifted by one step."""

    def cumulated(self, g):
        G = super().cumulated(g)
        return np.concatenate([np.zeros_like(G[:1]), G[:-1]])


@fault("gate after", "gate 0")
class GateAfter(Chunked):
    """The gate acts after the update."""

    def gates(self, g, b, first, last, c):
        own = super().gates(g, b, first, last, c)
        return np.concatenate([np.zeros_like(own[:1]), own[:-1]])


@fault("gate clamped", "gate 0")
class GateClamped(Chunked):
    """Log gates are clamped at -5."""

    def gates(self, g, b, first, last, c):
        return np.maximum(super().gates(g, b, first, last, c), -5)


@fault("base 2", "gate one half", alone=True)
class BaseTwo(Chunked):
    """2^g in place of e^g everywhere."""

    def exp(self, x):
        return np.exp2(x)


@fault("gate not in w", "gate 0")
class GateNotInW(Chunked):
    """w = T beta K lacks the cumulated gate."""

    def read_keys(self, T, k, b, total):
        return T @ stored(b * k, self.fmt)


@fault("last gate twice", "gate one half", alone=True)
class LastGateTwice(Chunked):
    """The state that enters a last, partial chunk decays twice."""

    def kept(self, total, g, rows):
        once = super().kept(total, g, rows)
        return once * once if rows < len(total) else once
