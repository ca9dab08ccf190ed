"""Blocks of bistable and linear units as a stack trains them (degeeter26).

A stack normalises each batch by itself; a trained network normalises by the moments of further batches of the training. Thresholds begin spread:
some units write often, others only at inputs far from the mean. The paper is silent on how thresholds begin.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy

import torch
from torch import nn

from ..constructions.bistable.torch import BMRU
from .blocks import Block, Blocks
from .once import AnsweredOnce

#: the least and the greatest bias of a threshold at first, and what its weights are multiplied by
LEAST, MOST, SHRUNK = 0.2, 2.5, 0.3

#: the batches from whose moments a trained network normalises
BATCHES = 50


@torch.no_grad()
def spread_thresholds(model: nn.Module) -> nn.Module:
    """The model with biases of thresholds spread evenly over the units of each layer, and small weights."""
    for layer in model.modules():
        if isinstance(layer, BMRU):
            layer.threshold.weight.mul_(SHRUNK)
            layer.threshold.bias.copy_(torch.linspace(LEAST, MOST, len(layer.threshold.bias)))
    return model


def stackable(model: Blocks) -> AnsweredOnce:
    """Blocks with spread thresholds, which normalise each batch by itself."""
    spread_thresholds(model)
    for block in model.blocks:
        assert isinstance(block, Block)
        block.norm = nn.BatchNorm1d(block.norm.num_features, track_running_stats=False)
    return AnsweredOnce(model)


@torch.no_grad()
def normalised(network: nn.Module, batches: Iterable[torch.Tensor]) -> Blocks:
    """The trained blocks with the moments of further batches (batch, T, features)."""
    assert isinstance(network, AnsweredOnce)
    model = deepcopy(network.model)
    assert isinstance(model, Blocks)
    for block in model.blocks:
        assert isinstance(block, Block)
        norm = nn.BatchNorm1d(block.norm.num_features, momentum=None)
        norm.load_state_dict(block.norm.state_dict(), strict=False)
        block.norm = norm
    model.train()
    for x in batches:
        model(x.float())
    return model.eval()
