"""Faults at the borders of sequences and chunks: packing, padding, states that begin, end and are handed on."""

from __future__ import annotations

import numpy as np

from ..chunked import Chunked, Rows, stored
from .declared import FLA, Thread, fault


@fault(
    "packed as one",
    "packed sequences",
    alone=True,
    theirs=(
        Thread("THUDM/slime", 1686, "The layer gave the borders of packed sequences to the convolution and not to the kernel."),
        Thread(FLA, 838, "With an attention mask, the layer replaced the caller's borders by those of the mask."),
        Thread(FLA, 1184, "The naive mode of a layer ran through packed sequences without a reset."),
        Thread("NovaSky-AI/SkyRL", 2056, "Labels of packed documents were missing, so Mamba's state flowed across their borders."),
    ),
)
class PackedAsOne(Chunked):
    """Packed sequences run into each other."""

    def spans(self, cuts, B, T):
        return super().spans(None if cuts is None else [0, T], B, T)


@fault(
    "padding writes",
    "chunk border",
    theirs=(
        Thread("inclusionAI/cuLA", 38, "Keys in the padding of the last chunk were not zeroed and entered the final state."),
        Thread(
            "huggingface/transformers",
            46190,
            "Prefill and decode differ; pull request 46873, not merged, blames the padding of the last chunk.",
        ),
    ),
    ours="The padding repeats the last row.",
)
class PaddingWrites(Chunked):
    """Padded rows of the last chunk write to the state."""

    def padded(self, x, rest):
        zeros = super().padded(x, rest)
        k, v, beta = (np.concatenate([a, np.repeat(a[-1:], rest, axis=0)]) for a in (x.k, x.v, x.beta))
        return Rows(zeros.q, k, v, beta, zeros.g)


@fault(
    "checkpoint of another grid",
    "packed sequences",
    alone=True,
    theirs=(
        Thread(
            "sgl-project/sglang", 31833, "States of all packed requests but the first were taken at borders of chunks, not at their ends."
        ),
    ),
)
class AnotherGrid(Chunked):
    """The final state of each packed sequence but the first is that of its last full chunk."""

    def __call__(self, q, k, v, beta, g, h0, scale, cu_seqlens, micro, normalise):
        self.packed = cu_seqlens is not None
        return super().__call__(q, k, v, beta, g, h0, scale, cu_seqlens, micro, normalise)

    def final(self, borders, updates, n):
        return borders[updates // self.chunk] if self.packed and n > 0 else borders[-1]


@fault(
    "state read transposed",
    "initial state",
    "chunk border",
    theirs=(Thread("vllm-project/vllm", 40956, "The output kernel loaded the states of chunks as K x V where they were stored as V x K."),),
)
class ReadTransposed(Chunked):
    """Outputs read the entering state transposed."""

    def output(self, scale, q, R, P, new):
        return super().output(scale, q, R.T if R.shape[0] == R.shape[1] else R, P, new)


@fault(
    "one step of many",
    "initial state",
    theirs=(Thread("huggingface/transformers", 46032, "With a cached state, a call with several steps made the first one only."),),
    ours="The other outputs are 0.",
)
class OneStep(Chunked):
    """A call that begins with a state makes its first step only."""

    def head(self, x, start, scale, n):
        if not start.any():
            return super().head(x, start, scale, n)
        m = self.micro
        out, S = super().head(Rows(x.q[:1], x.k[:m], x.v[:m], x.beta[:m], x.g[:1]), start, scale, n)
        return np.concatenate([out, np.zeros((len(x.q) - 1, out.shape[1]), dtype=np.float32)]), S


@fault(
    "no start",
    "initial state",
    theirs=(
        Thread("tile-ai/TileOPs", 1557, "An operator built without initial states dropped the one that it was given; found in review."),
    ),
)
class NoStart(Chunked):
    """The initial state is ignored."""

    def start(self, h0, n, c, g, first):
        return np.zeros_like(h0[n, c])


@fault("start transposed", "initial state")
class StartTransposed(Chunked):
    """The initial state is read as V x K."""

    def start(self, h0, n, c, g, first):
        return h0[n, c].T if h0.shape[2] == h0.shape[3] else h0[n, c]


@fault("start of the first", "packed sequences", "batch")
class StartOfTheFirst(Chunked):
    """Every sequence starts from the first one's state."""

    def start(self, h0, n, c, g, first):
        return h0[0, c]


@fault("chunk late", "chunk border")
class ChunkLate(Chunked):
    """A full chunk after the first reads the state that the last chunk began with."""

    def read(self, borders, rows):
        return stored(borders[-2 if len(borders) > 1 and rows == self.chunk else -1], self.fmt)


@fault("lost key", "chunk border")
class LostKey(Chunked):
    """The last key of a full chunk is not written to the state."""

    def left(self, G, rows):
        left = super().left(G, rows).copy()
        left[-1] = left[-1] * (rows < self.chunk)
        return left


@fault("packed off by one", "packed sequences", alone=True)
class PackedOffByOne(Chunked):
    """Packed sequences end one step late."""

    def spans(self, cuts, B, T):
        return super().spans(None if cuts is None else [c + (0 < c < T) for c in cuts], B, T)


@fault("state of one head", "initial state")
class StateOfOneHead(Chunked):
    """The final state of every head is the first one's."""

    def states(self, states):
        return np.broadcast_to(states[:, :1], states.shape)
