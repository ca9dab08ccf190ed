"""The models of degeeter26, Sec. 5.1: recurrent blocks of bistable units, linear units or both, and a single layer with a readout.

A block is batch normalisation, cells, a GLU of their states, and a skip connection; the linear map after a cell and the one inside the GLU are one here.
``advance`` reads a piece of a sequence, so that any length fits into memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import log
from typing import Any, Protocol

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from ..constructions.bistable import thermometer
from ..constructions.bistable.torch import BMRU, LRU
from .tasks import Task


class Reader(Protocol):
    """What reads sequences piece by piece: ``advance`` maps a piece (batch, T, features) and what came before (None at first) to what is known after it."""

    def advance(self, x: torch.Tensor, before: Any) -> Any: ...

    def said(self, after: Any) -> torch.Tensor:
        """The prediction (batch, answers) from what is known."""
        ...


@dataclass(frozen=True)
class Cells:
    """The cells of a block: how many bistable and linear units; whether the bistable ones read positions, and start with thresholds of twice the candidates."""

    bistable: int = 0
    linear: int = 0
    positions: bool = False
    doubled: bool = False


#: entries of a positional encoding, as in degeeter26, Tables 2 and 3
PLACES = 16


def positions(first: int, count: int, like: torch.Tensor) -> torch.Tensor:
    """Encodings of the steps ``first`` to ``first + count - 1``, (count, 16): sines and cosines of periods 2 pi to 20000 pi (Vaswani et al. 2017)."""
    step = torch.arange(first, first + count, dtype=like.dtype, device=like.device)
    angle = step[:, None] * torch.exp(-log(10_000) * torch.arange(PLACES // 2, dtype=like.dtype, device=like.device) / (PLACES // 2))
    return torch.cat([angle.sin(), angle.cos()], dim=-1)


def doubled_thresholds(layer: BMRU) -> BMRU:
    """The layer with thresholds |2 candidate|: it writes nothing but exact zeros, and the noise of claim ``new.bistable.noise`` nothing either."""
    with torch.no_grad():
        layer.threshold.weight.copy_(2 * layer.candidate.weight)
        layer.threshold.bias.copy_(2 * layer.candidate.bias)
    return layer


class Pair(nn.Module):
    """Bistable and linear units side by side; maps (batch, T, dim) to their states (batch, T, bistable + 2 linear)."""

    def __init__(self, dim: int, cells: Cells):
        super().__init__()
        self.cells = cells
        self.bistable = BMRU(dim + PLACES * cells.positions, cells.bistable) if cells.bistable else None
        if self.bistable is not None and cells.doubled:
            doubled_thresholds(self.bistable)
        self.linear = LRU(dim, cells.linear) if cells.linear else None

    def forward(self, x: torch.Tensor, scan: bool = True, before: torch.Tensor | None = None, first: int = 0) -> torch.Tensor:
        states, n = [], self.cells.bistable
        if self.bistable is not None:
            place = positions(first, x.shape[1], x).expand(len(x), -1, -1)
            read = torch.cat([x, place], dim=-1) if self.cells.positions else x
            states.append(self.bistable(read, scan, None if before is None else before[:, :n]))
        if self.linear is not None:
            states.append(self.linear(x, scan, None if before is None else before[:, n:]))
        return torch.cat(states, dim=-1)


class Block(nn.Module):
    """x + GLU(states of the cells on normalised x); ``both_ways`` adds cells that read from the end. Maps (batch, T, dim) to it and to the last states."""

    def __init__(self, dim: int, cells: Cells, both_ways: bool = False):
        super().__init__()
        self.norm = nn.BatchNorm1d(dim)
        self.onward = Pair(dim, cells)
        self.backward = Pair(dim, cells) if both_ways else None
        self.out = nn.Linear((1 + both_ways) * (cells.bistable + 2 * cells.linear), 2 * dim)

    def forward(
        self, x: torch.Tensor, scan: bool = True, before: torch.Tensor | None = None, first: int = 0
    ) -> tuple[torch.Tensor, torch.Tensor]:
        y = self.norm(x.mT).mT
        states = read = self.onward(y, scan, before, first)
        if self.backward is not None:
            read = torch.cat([states, self.backward(y.flip(1), scan).flip(1)], dim=-1)
        return x + functional.glu(self.out(read), dim=-1), states[:, -1]


class Blocks(nn.Module):
    """An encoder, ``depth`` blocks, and two layers on the last step, or with ``mean`` on the mean of all: (batch, T, features) to (batch, answers).

    Raises ``ValueError`` for no block and for cells without units.
    """

    def __init__(self, cells: Cells, features: int, answers: int, dim: int, depth: int, mean: bool = False, both_ways: bool = False):
        super().__init__()
        if depth < 1 or cells.bistable + cells.linear < 1:
            raise ValueError(f"expected at least one block and one unit, got {depth} blocks of {cells}")
        self.mean = mean
        self.encoder = nn.Linear(features, dim)
        self.blocks = nn.ModuleList(Block(dim, cells, both_ways) for _ in range(depth))
        self.decoder = nn.Sequential(nn.Linear(dim, dim), nn.GELU(), nn.Linear(dim, answers))

    def forward(self, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
        y, _ = self._read(x, scan, [None] * len(self.blocks), 0)
        return self.decoder(y.mean(1) if self.mean else y[:, -1])

    @torch.no_grad()
    def advance(self, x: torch.Tensor, before: Any) -> Any:
        """(last output, states, steps read) after a piece; for models that read one way and predict at the last step."""
        _, states, first = before or (None, [None] * len(self.blocks), 0)
        y, states = self._read(x, True, states, first)
        return y[:, -1], states, first + x.shape[1]

    @torch.no_grad()
    def said(self, after: Any) -> torch.Tensor:
        return self.decoder(after[0])

    def _read(self, x: torch.Tensor, scan: bool, before: list[Any], first: int) -> tuple[torch.Tensor, list[torch.Tensor]]:
        y, after = self.encoder(x), []
        for block, state in zip(self.blocks, before, strict=True):
            y, last = block(y, scan, state, first)
            after.append(last)
        return y, after


class LastOutput(nn.Module):
    """One recurrent layer and a linear readout of its last state: (batch, T, inputs) to (batch, 1)."""

    def __init__(self, layer: BMRU | LRU, width: int):
        super().__init__()
        self.layer = layer
        self.readout = nn.Linear(width, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.readout(self.layer(x)[:, -1])

    def advance(self, x: torch.Tensor, before: torch.Tensor | None) -> torch.Tensor:
        return self.layer.last_state(x, before)

    @torch.no_grad()
    def said(self, after: torch.Tensor) -> torch.Tensor:
        return self.readout(after)


def by_hand(units: int, reach: float = 3.5) -> LastOutput:
    """The layer of claim ``new.bistable.copy-first`` with a linear readout: no training; r within ``reach`` is found within reach / (units + 1)."""
    step = 2 * reach / (units + 1)
    exact = thermometer([f"{round(1000 * (-reach + step * (i + 1)))}/1000" for i in range(units)], 16)
    model = LastOutput(BMRU(2, units), units).double()
    assert isinstance(model.layer, BMRU)
    with torch.no_grad():
        for linear, W, b in ((model.layer.candidate, exact.W_x, exact.b_x), (model.layer.threshold, exact.W_beta, exact.b_beta)):
            linear.weight.copy_(torch.tensor(np.array([[float(v.p) / float(v.q) for v in row] for row in W])))
            linear.bias.copy_(torch.tensor(np.array([float(v.p) / float(v.q) for v in b])))
        model.readout.weight.fill_(step / 2)
        model.readout.bias.fill_(0.0)
    return model


def loss_at_the_end(model: nn.Module, task: Task, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Cross-entropy, or the mean squared error, of the one prediction that a sequence has, against the target of its last step."""
    said = model(inputs.to(next(model.parameters()).dtype))
    goal = targets[:, -1]
    return functional.cross_entropy(said, goal) if task.answers else functional.mse_loss(said[:, 0], goal.to(said.dtype))


def predictions(model: Reader, pieces: Iterable[torch.Tensor]) -> torch.Tensor:
    """What a model says after a sequence that comes in pieces."""
    state = None
    for x in pieces:
        state = model.advance(x, state)
    return model.said(state)
