"""Layers of flash-linear-attention as parts of a program for ``lemmata certify``: by the contract of the kernel, as a probe takes it.

The layer's own code runs up to the kernel, in float64, for every window of tokens that its short convolutions see. There the contract gives each
letter's map. What follows the kernel is read from the layer's parts: a query of each head, a norm with or without a gate, a linear map.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import torch
from torch.nn import functional as F

from ..constructions.automata.certify.reading_parts import Builder, NotRead, Value, numbers
from .contracts import EPSILON, Arguments, Contract, arguments_at
from .flash import Contracted, NoContract

#: layers whose way from the kernel to the output is known
LAYERS = ("DeltaNet", "GatedDeltaNet", "GatedDeltaProduct")
#: more windows of tokens are refused
MOST_WINDOWS = 4096


def read_layer(builder: Builder, module: torch.nn.Module, value: Value) -> Value | None:
    """The output of a layer of flash-linear-attention; None for another module.

    Raises :class:`NotRead` for a layer that is not among ``LAYERS``, with too many windows, or that reads another layer's output.
    """
    if not type(module).__module__.startswith("fla."):
        return None
    name = type(module).__name__
    if name not in LAYERS:
        raise NotRead(f"expected a layer among {', '.join(LAYERS)}, got {name}")
    layer: Any = copy.deepcopy(module).double().eval()
    rows = builder.letters_of(value)
    try:
        step = Contracted(layer, rows.shape[1])
    except NoContract as why:
        raise NotRead(str(why)) from None
    before = max([0, *(m.kernel_size[0] - 1 for m in layer.modules() if isinstance(m, torch.nn.Conv1d))])
    windows = _windows(builder, len(rows), before)
    with torch.no_grad():
        found = [_at(step, torch.from_numpy(rows[list(w)])) for w in windows]
    A, B, Q = (np.stack(x) for x in zip(*found, strict=True))
    h, slot = builder.state(np.zeros(A.shape[-1]))
    after = Value(builder.program.add("maps", h.number, numbers=[A, B]), A.shape[-1])
    builder.becomes(slot, after)
    read = Value(builder.program.add("maps", after.number, numbers=[Q, np.zeros(Q.shape[:2])]), Q.shape[1])
    program = builder.program
    program.kernels, program.taken = True, f"the maps of letters by the contract {step.contract.says}, as float64 computes them"
    return builder.linear(_normed(builder, layer, read, rows), layer.o_proj.weight)


def _windows(builder: Builder, tokens: int, before: int) -> list[tuple[int, ...]]:
    """All windows of a token with at most ``before`` earlier ones, by the letter that the program then reads."""
    if sum(tokens**k for k in range(1, before + 2)) > MOST_WINDOWS:
        raise NotRead(f"expected at most {MOST_WINDOWS:,} windows of {before + 1} tokens, got more of {tokens} tokens")
    earlier = [w for k in range(before + 1) for w in product(range(tokens), repeat=k)]
    number = {w: i for i, w in enumerate(earlier)}
    windows = [(*w, t) for w in earlier for t in range(tokens)]
    front = [[(number[(*w, t)[-before:] if before else ()], i * tokens + t) for t in range(tokens)] for i, w in enumerate(earlier)]
    builder.windows([w[-1] for w in windows], front)
    return windows


def _at(step: Contracted, x: torch.Tensor) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(A, B, Q) of the last of some tokens x (tokens, hidden): the state (heads, key, value), row by row, becomes A S + B, and is read as Q S."""
    contract, _, arguments, _ = step.called(x[None])
    steps = len(x) * step.factors
    micro = [arguments_at(arguments, t, steps) for t in range(steps - step.factors, steps)]
    heads, size = step.shape
    columns = micro[0]["v"].shape[-1]
    A = np.zeros((heads, size, columns, heads, size, columns))
    B = np.zeros((heads, size, columns))
    for c in range(columns):
        given = [a | {name: a[name][..., c : c + 1] for name in contract.columns if name in a} for a in micro]
        B[:, :, c] = _moved(contract, torch.zeros(heads, size, dtype=torch.float64), given).numpy()
        for i, j in product(range(heads), range(size)):
            S = torch.zeros(heads, size, dtype=torch.float64)
            S[i, j] = 1
            A[:, :, c, i, j, c] = _moved(contract, S, given).numpy() - B[:, :, c]
    n = heads * size * columns
    return A.reshape(n, n), B.reshape(n), _query(micro[-1], heads, size, columns)


def _moved(contract: Contract, S: torch.Tensor, micro: Sequence[Arguments]) -> torch.Tensor:
    for a in micro:
        S = contract.rule(S, a)
    return S


def _query(a: Arguments, heads: int, size: int, columns: int) -> np.ndarray:
    """Q with Q S = scale q^T S for each head, (heads columns, heads size columns)."""
    q, scale = a["q"], a.get("scale")
    if a.get("use_qk_l2norm_in_kernel"):
        q = q * torch.rsqrt(q.square().sum(-1, keepdim=True) + EPSILON)
    q = q * (size**-0.5 if scale is None else float(scale))
    Q = np.zeros((heads, columns, heads, size, columns))
    for h, c in product(range(heads), range(columns)):
        Q[h, c, h, :, c] = q[h].numpy()
    return Q.reshape(heads * columns, -1)


def _normed(builder: Builder, layer: Any, read: Value, rows: np.ndarray) -> Value:
    """The norm of each head, and its gate where there is one."""
    norm = layer.o_norm
    weight = torch.ones(layer.head_v_dim) if norm.weight is None else norm.weight
    if getattr(norm, "bias", None) is not None:
        raise NotRead(f"expected a norm without a bias, got {type(norm).__name__} with one")
    normed = Value(builder.program.add("rms norm", read.number, numbers=[numbers(weight), np.array([norm.eps])]), read.size)
    if not hasattr(layer, "g_proj"):
        return normed
    if getattr(norm, "activation", "swish") not in ("swish", "silu"):
        raise NotRead(f"expected a gate by SiLU, got {norm.activation}")
    with torch.no_grad():
        gate = F.silu(layer.g_proj(torch.from_numpy(rows)))
    return builder.entrywise("mul", normed, builder.table(gate.numpy()[builder.last]))
