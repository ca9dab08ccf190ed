"""Compiled networks in fla's Mamba-2, whose gates lie in (0, 1]: letters that reset the state, and letters that leave it as it is.

A reset to state i writes one number into row i of the first head with a step dt so large that the old state is multiplied by exp(-128) = 0; other
letters have dt = softplus(-128) = 0, so that the gate is 1 and nothing is added. What is written is the same number each time and is never changed.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from .fla_plan import LayerPlan

#: exp(-128) and softplus(-128) are 0 in float32, and softplus(128) is 128
STEP = 128.0
#: entries of a state's row
STATE_SIZE = 16


def require_resets(plan: LayerPlan) -> None:
    """Raise ``ValueError`` unless every letter resets the state or leaves it as it is."""
    for y, steps in enumerate(plan.tokens):
        if y not in plan.resets and steps:
            raise ValueError(
                f"expected letters that reset the state or leave it as it is, got {plan.letters[y]!r}, which permutes states: "
                "Mamba-2 has no eigenvalue below 0; take GatedDeltaProduct"
            )


def mamba_sizes(plan: LayerPlan) -> dict[str, Any]:
    """The arguments of ``Mamba2`` that the network decides."""
    head = 1 << (len(plan.vectors) - 1).bit_length()
    hidden = -(-max(len(plan.tokens) + 1, len(plan.read)) // head) * head
    return {"hidden_size": hidden, "expand": 1, "head_dim": head, "num_heads": hidden // head, "state_size": STATE_SIZE}


def set_mamba_weights(module: nn.Module, plan: LayerPlan) -> None:
    """Write the plan into a ``Mamba2``: one token writes the first state."""
    m: Any = module
    inner, letters = m.intermediate_size, len(plan.tokens)
    B, C = 2 * inner, 2 * inner + m.n_groups * m.ssm_state_size
    dt = C + m.n_groups * m.ssm_state_size
    target = {y: int(plan.move[0, y]) for y in plan.resets} | {letters: 0}
    with torch.no_grad():
        for name, p in m.named_parameters():
            p.zero_()
            if name == "conv1d.weight":
                p[..., -1] = 1
            elif name == "norm.weight":
                p.fill_(1)
            elif name == "dt_bias":
                p.fill_(-STEP)
        weight = m.in_proj.weight
        # the gate of the output, C and B are the same for all tokens
        weight[:inner], weight[B], weight[C] = 4, 1, 1
        for y, i in target.items():
            weight[inner + i, y], weight[dt, y] = 32, 2 * STEP
        for row, i in enumerate(plan.read):
            m.out_proj.weight[row, i] = 1
