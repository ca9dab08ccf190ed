"""A compiled stack of bistable layers as a PyTorch module of BMRU layers, right as it stands, with the paper's surrogate gradients.

Needs the ``torch`` extra. Weights are integers and states are +-1, so a data type rounds nothing as long as it has all integers up to the
largest sum of a row's weights (256 for bfloat16).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from ..automata.run.words import as_batch
from .torch import BMRU, bmru_states


class BistableModule(nn.Module):
    """The network of a document (docs/reference/formats.md, ``lemmata-bistable``) on batches of words of ``letters``, the document's if None is given.

    Layer k is a :class:`BMRU` that reads the letter, the clock if there is one, and the units of all layers below, concatenated.
    """

    def __init__(self, document: dict[str, Any], letters: Sequence[Hashable] | None = None, dtype: torch.dtype = torch.float32):
        super().__init__()
        self.letters = list(document["letters"] if letters is None else letters)
        self.clock: int = document["clock"]
        self.layers = nn.ModuleList(_bmru(layer) for layer in document["layers"])
        self.readout = _filled(
            nn.Linear(len(document["readout"]["W"][0]), len(document["readout"]["b"])), document["readout"]["W"], document["readout"]["b"]
        )
        for k, layer in enumerate(document["layers"]):
            self.register_buffer(f"initial_{k}", torch.tensor(layer["initial"]))
        self.to(dtype)

    def encode(self, word: Iterable[Hashable]) -> torch.Tensor:
        """A word as indices of letters, shape (length,)."""
        return torch.tensor([self.letters.index(x) for x in word], dtype=torch.long)

    def logits(self, words: torch.Tensor, scan: bool = True) -> torch.Tensor:
        """The readout (batch, length, states of the automaton) after every letter of words (batch, length) or (length,); at -1 nothing moves."""
        indices, there = as_batch(words, len(self.letters))
        dtype = self.readout.weight.dtype
        read = [functional.one_hot(indices, len(self.letters)).to(dtype)]
        if self.clock > 1:
            read.append(functional.one_hot(there.cumsum(1) % self.clock, self.clock).to(dtype))
        for k, layer in enumerate(self.layers):
            assert isinstance(layer, BMRU)
            below = torch.cat(read, dim=-1)
            threshold = layer.threshold(below).abs().masked_fill(~there[..., None], float("inf"))
            start = getattr(self, f"initial_{k}").to(dtype)
            read.append(bmru_states(layer.candidate(below), threshold, layer.alpha, start, layer.sharpness, scan))
        return self.readout(torch.cat(read, dim=-1))

    def forward(self, words: torch.Tensor, scan: bool = True) -> torch.Tensor:
        """The automaton's state after every letter, (batch, length), by a scan or step by step."""
        return self.logits(words, scan).argmax(dim=-1)


def _bmru(layer: dict[str, Any]) -> BMRU:
    unit = BMRU(len(layer["W_x"][0]), len(layer["alpha"]))
    _filled(unit.candidate, layer["W_x"], layer["b_x"])
    _filled(unit.threshold, layer["W_beta"], layer["b_beta"])
    with torch.no_grad():
        unit.alpha.copy_(torch.tensor(layer["alpha"]))
    return unit


@torch.no_grad()
def _filled(linear: nn.Linear, weight: Any, bias: Any) -> nn.Linear:
    linear.weight.copy_(torch.tensor(weight))
    linear.bias.copy_(torch.tensor(bias))
    return linear
