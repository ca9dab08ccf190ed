"""flash-linear-attention's own layers as trainable layers, on CUDA, where its kernels run. Extra ``fla``."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import torch
from torch import nn


class Flash(nn.Module):
    """``fla.layers.NAME`` after a linear map of the inputs, one head, its own defaults else: (batch, T, inputs) to (batch, T, width).

    ``least`` = -1 sets ``allow_neg_eigval``; ``more`` are further arguments. Raises ``ValueError`` without the package or a CUDA device, and for
    inputs on another device.
    """

    def __init__(self, name: str, inputs: int, width: int, least: int = 0, **more: Any):
        super().__init__()
        require(name, torch.device("cuda"))
        layer = getattr(import_module("fla.layers"), name)
        sizes = {} if name == "DeltaNet" else {"head_dim": width, "expand_v": 1}
        self.name = name
        self.enter = nn.Linear(inputs, width)
        self.layer = layer(hidden_size=width, num_heads=1, allow_neg_eigval=least == -1, **sizes, **more)

    def forward(self, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
        require(self.name, x.device)
        if not scan:
            raise ValueError(f"expected scan=True for {self.name} of flash-linear-attention, which has kernels only, got scan=False")
        return self.layer(self.enter(x))[0]


def require(name: str, device: torch.device) -> None:
    """Raises ``ValueError`` where that layer cannot run: without the package, without CUDA, or on another device."""
    cuda, package = torch.cuda.is_available() and device.type == "cuda", find_spec("fla") is not None
    if not (cuda and package):
        got = f"{'a' if cuda else 'no'} CUDA device and {'the' if package else 'no'} package"
        raise ValueError(f"expected a CUDA device and the package flash-linear-attention (extra fla) for its {name}, got {got}")
