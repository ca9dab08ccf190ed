"""Faults that kernels had, or could have, each as one wrong step of :class:`.chunked.Chunked`; :mod:`.finding` says which tests find them.

``theirs`` names the thread where a library's fault is told; what the thread leaves open is said in ``ours``. Faults without a thread are ours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .chunked import Chunked, Rows, stored


@dataclass(frozen=True)
class Thread:
    """An issue or a pull request, and what it tells in one sentence of our own."""

    repository: str
    number: int
    says: str

    @property
    def url(self) -> str:
        """Where it stands; GitHub leads from an issue's address to a pull request of the same number."""
        return f"https://github.com/{self.repository}/issues/{self.number}"


@dataclass(frozen=True)
class Fault:
    """A wrong step.

    ``kernel`` is :class:`.chunked.Chunked` with it; ``what`` it does; ``rule`` in which it shows; ``names``: features that exact vectors must name;
    ``alone``: they name nothing else; ``logic``: wrong in exact arithmetic too; ``exact``: exact vectors find it.
    """

    name: str
    what: str
    kernel: type[Chunked]
    rule: str
    names: tuple[str, ...]
    alone: bool
    logic: bool
    exact: bool
    theirs: tuple[Thread, ...]
    ours: str
    stress: bool


#: name -> fault
FAULTS: dict[str, Fault] = {}


def fault(
    name: str,
    *names: str,
    rule: str = "gated-delta",
    alone: bool = False,
    logic: bool = True,
    exact: bool = True,
    theirs: tuple[Thread, ...] = (),
    ours: str = "",
    stress: bool = False,
) -> Callable[[type[Chunked]], type[Chunked]]:
    """Register a subclass of :class:`.chunked.Chunked`, whose docstring says what it does, as a fault."""

    def register(kernel: type[Chunked]) -> type[Chunked]:
        what = (kernel.__doc__ or "").strip()
        FAULTS[name] = Fault(name, what, kernel, rule, names, alone, logic, exact, theirs, ours, stress)
        return kernel

    return register


FLA = "fla-org/flash-linear-attention"


# -- faults of libraries -----------------------------------------------------------------------------------------------------


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
    "heads tiled",
    "grouped heads",
    alone=True,
    theirs=(Thread("huggingface/transformers", 37533, "Groups were expanded by tiling, so heads read the keys of other groups."),),
)
class HeadsTiled(Chunked):
    """Key heads are tiled over value heads, not repeated."""

    def key_head(self, c, H, HV):
        return c % H


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
    "key and value swapped",
    "initial state",
    theirs=(Thread(FLA, 623, "With a gate for each value channel, the kernel corrected the key by the value, not the value by the key."),),
)
class Swapped(Chunked):
    """The update is k - S v in place of v - S^T k, step by step, where keys are as wide as values."""

    def head(self, x, start, scale, n):
        if x.k.shape != x.v.shape:
            return super().head(x, start, scale, n)
        S, outputs, m = start.copy(), [], self.micro
        for t, (k, v, b) in enumerate(zip(x.k, x.v, x.beta, strict=True)):
            if t % m == 0:
                S = S * np.exp(x.g[t // m])
            S = S + np.outer(b * (k - S @ v), v)
            if t % m == m - 1:
                outputs.append(scale * (x.q[t // m] @ S))
        return stored(np.array(outputs), self.fmt), S


@fault(
    "factor 2 left out",
    "negative eigenvalue",
    theirs=(Thread(FLA, 832, "A layer accepted the option for negative eigenvalues and ignored it, so beta stayed below 1."),),
    rule="delta",
    ours="Betas are halved wherever one of them is above 1.",
)
class NotDoubled(Chunked):
    """Betas of a layer with negative eigenvalues lack their factor 2."""

    def strengths(self, beta):
        return beta / 2 if (beta > 1).any() else beta


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
    "stride of one step",
    "batch",
    alone=True,
    theirs=(Thread("flashinfer-ai/flashinfer", 3800, "The stride between rows of a batch was that of one step, in softmax attention."),),
)
class StrideOfOneStep(Chunked):
    """Row b of a batch reads the queries that begin b steps after the first row's."""

    def queries(self, q, b, first, last):
        return q.reshape(-1, *q.shape[2:])[b + first : b + last]


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


@fault(
    "scale of one term",
    "scale",
    theirs=(Thread(FLA, 47, "The fused kernel was right with scale 1 alone; the thread does not say where the scale went wrong."),),
    ours="The scale misses what the entering state gives.",
)
class ScaleOfOneTerm(Chunked):
    """The scale multiplies what the chunk wrote, not what the entering state gives."""

    def output(self, scale, q, R, P, new):
        return q @ R + scale * (P @ new)


@fault(
    "tail of channels",
    "several tiles",
    alone=True,
    theirs=(Thread("NVIDIA/cutlass", 3536, "A product of matrix and vector dropped the last channels of some sizes; no recurrence."),),
    ours="Channels from 64 on are dropped.",
)
class TailOfChannels(Chunked):
    """Key channels from 64 on are left out of the output."""

    def output(self, scale, q, R, P, new):
        return super().output(scale, q[:, :64], R[:64], P, new)


@fault(
    "inverse by squaring",
    "unit keys",
    rule="delta",
    logic=False,
    theirs=(Thread("huawei-csl/megagdn-pto", 74, "Repeated squaring of the whole chunk left half precision on a trained model's inputs."),),
)
class Squaring(Chunked):
    """(I - A)(I + A^2)(I + A^4)...: right in exact arithmetic, and its numbers leave the format."""

    def inverse(self, A):
        T, power, m = np.eye(len(A), dtype=np.float32) - A, A, 1
        while m < len(A):
            power = stored(power @ power, self.fmt)
            T, m = stored(T + T @ power, self.fmt), 2 * m
        return T


@fault(
    "state in the format",
    "state of ten bits",
    logic=False,
    theirs=(Thread("ollama/ollama", 15865, "The recurrent state was written back in bfloat16 after every step."),),
    stress=True,
)
class StateInTheFormat(Chunked):
    """A kernel that goes step by step keeps the state in bfloat16, not in float32."""

    def __init__(self, rule, fmt="float32", chunk=64):
        super().__init__(rule, fmt, 1)

    def advance(self, x, borders, scale, rows):
        out, S = super().advance(x, borders, scale, rows)
        return out, stored(S, self.fmt)


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


# -- faults of the same kinds, ours ------------------------------------------------------------------------------------------


@fault("inverse sign", "swap", rule="delta")
class InverseSign(Chunked):
    """Off-diagonal blocks of the triangular inverse have the wrong sign."""

    def merged(self, product):
        return product


@fault("inverse paths", "swap", rule="delta")
class InversePaths(Chunked):
    """The inverse lacks its longest paths between blocks."""

    def path(self, r, s, size):
        return slice(r, s) if s - r < 48 else slice(r, r + size)


@fault("inverse diagonal", "write", rule="delta")
class InverseDiagonal(Chunked):
    """The first block of the inverse subtracts the diagonal of A too."""

    def gram(self, k, b, between):
        self.diagonal = np.diag(super().gram(k, b, between))
        return super().gram(k, b, between)

    def inverse_of_blocks(self, blocks):
        T = super().inverse_of_blocks(blocks)
        T[0] -= np.diag(self.diagonal[: T.shape[-1]])
        return T


@fault("inverse last row", "swap", rule="delta")
class InverseLastRow(Chunked):
    """Rows within a block are substituted up to the last but one."""

    def inverse_of_blocks(self, blocks):
        T = super().inverse_of_blocks(blocks)
        T[:, -1, :-1] = -blocks[:, -1, :-1]
        return T


@fault("own step", "initial state")
class OwnStep(Chunked):
    """The attention in a chunk leaves out its own step."""

    def mask(self, n):
        return np.tril(np.ones((n, n), dtype=np.float32), -1)


@fault("next step", "initial state")
class NextStep(Chunked):
    """The attention in a chunk reads the next step too."""

    def mask(self, n):
        return np.tril(np.ones((n, n), dtype=np.float32), 1)


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


@fault("beta not on v", "initial state")
class BetaNotOnV(Chunked):
    """u = T V lacks beta."""

    def values(self, v, b):
        return v


@fault("beta not in A", "initial state")
class BetaNotInA(Chunked):
    """The matrix A lacks beta."""

    def gram(self, k, b, between):
        return self.pairs(k, k, between)


@fault("beta clamped", "negative eigenvalue", rule="delta")
class BetaClamped(Chunked):
    """Betas above 1 become 1."""

    def strengths(self, beta):
        return np.minimum(beta, 1)


@fault("no scale", "initial state", "scale")
class NoScale(Chunked):
    """The scale is left out."""

    def scale(self, given, width):
        return 1.0


@fault("scale of the width", "scale", alone=True)
class ScaleOfTheWidth(Chunked):
    """The scale is K^(-1/2), whatever the caller says."""

    def scale(self, given, width):
        return width**-0.5


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


@fault("keys of the first row", "batch", alone=True)
class KeysOfTheFirst(Chunked):
    """All rows of a batch read the first one's keys."""

    def keys(self, k, b, micros):
        return k[0, micros]


@fault("no norm", "norm in the kernel", rule="delta", alone=True)
class NoNorm(Chunked):
    """Keys and queries are not normalised where the kernel should."""

    def unit(self, x):
        return x


@fault("one update of many", "initial state", rule="products")
class OneUpdate(Chunked):
    """Only the first update of a step is made."""

    def strengths(self, beta):
        return beta * (np.arange(len(beta)) % self.micro == 0)


@fault("state of one head", "initial state")
class StateOfOneHead(Chunked):
    """The final state of every head is the first one's."""

    def states(self, states):
        return np.broadcast_to(states[:, :1], states.shape)
