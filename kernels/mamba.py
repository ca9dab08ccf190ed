"""mamba-ssm's reference function as linear attention, on a CPU.

Its package compiles a CUDA extension and imports it; an empty module of that name stands in for it, since the reference function does not use it.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from types import ModuleType

import torch

from .own import folded, unfolded

EXTENSION = "selective_scan_cuda"


def selective_scan_reference(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float, output_final_state: bool = True
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """``selective_scan_ref`` with A = 0 and dt = 1, so that every gate is 1: B is the key, C the query, u the value, and a head a sequence.

    Other gates are left out: there dt is in the gate and in the write. Raises ``ModuleNotFoundError`` without mamba-ssm.
    """
    if EXTENSION not in sys.modules and find_spec(EXTENSION) is None:
        sys.modules[EXTENSION] = ModuleType(EXTENSION)
    from mamba_ssm.ops.selective_scan_interface import selective_scan_ref  # type: ignore[import-not-found]

    u, B, C = (folded(x).mT for x in (v, k, scale * q))
    y, state = selective_scan_ref(u, torch.ones_like(u), torch.zeros(u.shape[1], B.shape[1]), B, C, return_last_state=True)
    B_, H = q.shape[0], q.shape[2]
    return unfolded(y.mT, H), state.mT.unflatten(0, (B_, H)) if output_final_state else None
