"""mamba-ssm's reference functions on a CPU: the selective scan as linear attention and as Mamba-2, and the duality of Mamba-2's paper.

Its package compiles a CUDA extension and imports it; an empty module of that name stands in for it, since the reference functions do not use it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import torch

from .own import folded, unfolded

EXTENSION = "selective_scan_cuda"


def _imported(module: str) -> Any:
    """A module of mamba-ssm. Raises ``ModuleNotFoundError`` without it."""
    if EXTENSION not in sys.modules and find_spec(EXTENSION) is None:
        sys.modules[EXTENSION] = ModuleType(EXTENSION)
    return import_module(f"mamba_ssm.{module}")


def selective_scan_reference(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float, output_final_state: bool = True
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """``selective_scan_ref`` with A = 0 and dt = 1, so that every gate is 1: B is the key, C the query, u the value, and a head a sequence.

    Other gates are left out: there dt is in the gate and in the write. Raises ``ModuleNotFoundError`` without mamba-ssm.
    """
    u, B, C = (folded(x).mT for x in (v, k, scale * q))
    y, state = _imported("ops.selective_scan_interface").selective_scan_ref(
        u, torch.ones_like(u), torch.zeros(u.shape[1], B.shape[1]), B, C, return_last_state=True
    )
    B_, H = q.shape[0], q.shape[2]
    return unfolded(y.mT, H), state.mT.unflatten(0, (B_, H)) if output_final_state else None


def selective_scan_reference_of_mamba2(
    x: torch.Tensor, dt: torch.Tensor, A: torch.Tensor, B: torch.Tensor, C: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """``selective_scan_ref`` with one A and one dt to a head: every entry of x is a channel of its own. Raises ``ModuleNotFoundError`` without mamba-ssm."""
    H, P, N = x.shape[2], x.shape[3], B.shape[3]
    u, times = x.flatten(2).mT, dt.repeat_interleave(P, dim=2).mT
    keys, queries = (y.permute(0, 2, 3, 1) for y in (B, C))
    rates = A[:, None].expand(H, N).repeat_interleave(P, dim=0)
    y, state = _imported("ops.selective_scan_interface").selective_scan_ref(u, times, rates, keys, queries, return_last_state=True)
    return y.mT.unflatten(2, (H, P)), state.unflatten(1, (H, P))


def state_space_duality(
    x: torch.Tensor,
    dt: torch.Tensor,
    A: torch.Tensor,
    B: torch.Tensor,
    C: torch.Tensor,
    initial_state: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """``ssd_minimal_discrete``, Listing 1 of Mamba-2's paper, with blocks of 64 steps. Raises ``ModuleNotFoundError`` without mamba-ssm."""
    groups = x.shape[2] // B.shape[2]
    keys, queries = (y.repeat_interleave(groups, dim=2) for y in (B, C))
    value, gate = (dt[..., None] * x).to(x.dtype), (dt * A).to(x.dtype)
    start = None if initial_state is None else initial_state[:, None].to(x.dtype)
    return _imported("modules.ssd_minimal").ssd_minimal_discrete(value, gate, keys, queries, 64, start)
