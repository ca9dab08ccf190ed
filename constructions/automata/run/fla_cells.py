"""Which kernels the layers of flash-linear-attention call, and which of them run: what ``to_fla`` refuses, and what the table measures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import torch

Kind = str
Path = Literal["chunk", "fused_recurrent", "scan"]

#: up to so many tokens the layers call the fused kernel without gradients
SHORT = 64


class Layer(NamedTuple):
    """A class: whether a letter may have several factors, whether a gate empties the state, and whether gradients ask for its chunk kernel.

    ``wide_chunks`` is whether the chunk kernel has float32, ``delta`` whether the layer has the delta rule.
    """

    products: bool
    gated: bool
    gradients_in_chunks: bool
    wide_chunks: bool = False
    delta: bool = True

    def paths(self, dtype: torch.dtype) -> list[Path]:
        """The kernels that are called in a data type, in some mode or other; with autocast it is the one that is cast to."""
        if not self.delta:
            return ["scan"]
        return ["fused_recurrent"] if dtype == torch.float32 and not self.wide_chunks else ["chunk", "fused_recurrent"]

    def path(self, dtype: torch.dtype, gradients: bool, train: bool, tokens: int) -> Path:
        """The kernel that is called; where chunks have no float32, layers in float32 are made with ``mode="fused_recurrent"``."""
        if not self.delta:
            return "scan"
        if self.gradients_in_chunks and (gradients or train):
            return "chunk"
        if tokens <= SHORT and not (self.gradients_in_chunks and train):
            return "fused_recurrent"
        return "fused_recurrent" if dtype == torch.float32 and not self.wide_chunks else "chunk"


KINDS: Mapping[Kind, Layer] = {
    "GatedDeltaProduct": Layer(products=True, gated=True, gradients_in_chunks=True),
    "GatedDeltaNet": Layer(products=False, gated=True, gradients_in_chunks=True, wide_chunks=True),
    "DeltaNet": Layer(products=False, gated=False, gradients_in_chunks=False),
    "Mamba2": Layer(products=False, gated=True, gradients_in_chunks=False, delta=False),
}


def refusal(layer: Kind, dtype: torch.dtype, train: bool, autocast: bool = False) -> str | None:
    """Why a layer does not run with weights in a data type, in train mode with gradients or without either; None if it does.

    ``autocast`` is ``torch.autocast`` to bfloat16 or float16, which is for weights in float32.

    Example:
        >>> refusal("GatedDeltaProduct", torch.bfloat16, train=True) is None
        True
        >>> refusal("GatedDeltaProduct", torch.float32, train=True)
        'expected bfloat16, float16 or autocast=True for GatedDeltaProduct with train=True: gradients ask for its chunk kernel, which has no float32'
    """
    if autocast and dtype != torch.float32:
        return f"expected weights in float32 with autocast=True, got {str(dtype).removeprefix('torch.')}"
    kind = KINDS[layer]
    if dtype == torch.float32 and train and not autocast and kind.gradients_in_chunks and not kind.wide_chunks:
        return f"expected bfloat16, float16 or autocast=True for {layer} with train=True: gradients ask for its chunk kernel, which has no float32"
    return None
