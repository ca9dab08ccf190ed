"""Faults of layout: heads, rows of a batch, tiles of channels, scale and norm."""

from __future__ import annotations

from ..chunked import Chunked
from .declared import FLA, Thread, fault


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
