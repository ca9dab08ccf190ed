"""Recurrences with parameters: H_t = A(x_t) H_(t-1) + B(x_t), run by the project's scan or step by step, and a model around one of them.

A layer maps (batch, T, inputs) to (batch, T, outputs), what its state looks like after every step; ``outputs`` is that width. The bistable unit and the
LRU are those of ``constructions.bistable.torch``. Source: grazzi25, Eqs. 1 to 3 and Sec. 4.4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import mul

import torch
from torch import nn
from torch.nn import functional

from ..constructions.bistable.torch import BMRU, LRU
from ..constructions.torch_recurrence import entrywise_recurrence
from .affine_layers import Affine, FullMatrix
from .bilinear_layers import SecondOrder
from .delta_layers import Delta, GatedDelta
from .flash_layers import Flash
from .mamba_layer import Mamba
from .queried_delta import QueriedDelta


class Diagonal(nn.Module):
    """h_t = a(x_t) h_(t-1) + B x_t, entry by entry, |a| <= 1; ``values`` of a are "positive", "signed" or "complex".

    A sigmoid, a tanh, or a sigmoid times exp(i theta(x)). The initial state is learned. Complex states are read as (Re h, Im h).
    """

    def __init__(self, inputs: int, units: int, values: str):
        super().__init__()
        if values not in ("positive", "signed", "complex"):
            raise ValueError(f"expected the values positive, signed or complex, got {values!r}")
        self.values, parts = values, 2 if values == "complex" else 1
        self.outputs = parts * units
        self.gate = nn.Linear(inputs, self.outputs)
        self.drive = nn.Linear(inputs, self.outputs)
        self.initial = nn.Parameter(torch.randn(self.outputs))

    def coefficients(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """(a, b, h_0): (batch, T, units), the same, (units,)."""
        gate, drive = self.gate(x), self.drive(x)
        if self.values == "positive":
            return gate.sigmoid(), drive, self.initial
        if self.values == "signed":
            return gate.tanh(), drive, self.initial
        size, angle = gate.chunk(2, dim=-1)
        return torch.polar(size.sigmoid(), angle), torch.complex(*drive.chunk(2, dim=-1)), torch.complex(*self.initial.chunk(2))

    def spectrum(self, x: torch.Tensor) -> torch.Tensor:
        """The eigenvalues of the transitions, (batch, T, units)."""
        return self.coefficients(x)[0]

    def forward(self, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
        a, b, h = self.coefficients(x)
        if scan:
            states = entrywise_recurrence(a, b, h)
        else:
            steps = []
            for t in range(x.shape[1]):
                h = a[:, t] * h + b[:, t]
                steps.append(h)
            states = torch.stack(steps, dim=1)
        return torch.cat([states.real, states.imag], dim=-1) if states.is_complex() else states


#: columns of a delta layer's state, and how many times the width Mamba's channels are, if nothing else is said
COLUMNS = 2


@dataclass(frozen=True)
class Kind:
    """An architecture: ``make(inputs, width, columns)`` a layer, and ``size(width, columns)``, how many numbers it hands on."""

    make: Callable[[int, int, int], nn.Module]
    size: Callable[[int, int], int]

    def build(self, inputs: int, width: int, columns: int = COLUMNS) -> nn.Module:
        return self.make(inputs, width, columns)

    def outputs(self, width: int, columns: int = COLUMNS) -> int:
        return self.size(width, columns)


def plain(make: Callable[[int, int], nn.Module], times: int = 1) -> Kind:
    """A kind without columns, ``make(inputs, width)``, that hands on ``times`` the width."""
    return Kind(lambda inputs, width, columns: make(inputs, width), lambda width, columns: times * width)


def delta(layer: type[Delta], factors: int, least: int) -> Kind:
    """A delta layer, all of whose state is handed on."""
    return Kind(lambda inputs, width, columns: layer(inputs, width, columns, factors, least), mul)


def flash(name: str, least: int, **more: int) -> Kind:
    """A layer of flash-linear-attention."""
    return Kind(lambda inputs, width, columns: Flash(name, inputs, width * columns, least, **more), mul)


KINDS: dict[str, Kind] = {
    "diagonal [0, 1]": plain(lambda inputs, width: Diagonal(inputs, width, "positive")),
    "diagonal [-1, 1]": plain(lambda inputs, width: Diagonal(inputs, width, "signed")),
    "diagonal complex": plain(lambda inputs, width: Diagonal(inputs, width, "complex"), times=2),
    "Mamba [0, 1]": Kind(lambda inputs, width, columns: Mamba(inputs, width * columns), mul),
    "Mamba [-1, 1]": Kind(lambda inputs, width, columns: Mamba(inputs, width * columns, least=-1), mul),
    "DeltaNet [0, 1]": delta(Delta, 1, 0),
    "DeltaNet [-1, 1]": delta(Delta, 1, -1),
    "DeltaProduct_2 [0, 1]": delta(Delta, 2, 0),
    "DeltaProduct_2 [-1, 1]": delta(Delta, 2, -1),
    "DeltaProduct_4 [-1, 1]": delta(Delta, 4, -1),
    "Gated DeltaNet [0, 1]": delta(GatedDelta, 1, 0),
    "Gated DeltaNet [-1, 1]": delta(GatedDelta, 1, -1),
    "Gated DeltaProduct_2 [-1, 1]": delta(GatedDelta, 2, -1),
    "Gated DeltaNet, queried": plain(lambda inputs, width: QueriedDelta(inputs, width, width)),
    "full matrix": Kind(lambda inputs, width, columns: FullMatrix(inputs, width), lambda width, columns: width**2),
    "BMRU": plain(BMRU),
    "LRU": plain(LRU, times=2),
    "linear RNN": plain(lambda inputs, width: SecondOrder(inputs, width, "none")),
    "2RNN": plain(SecondOrder),
    "BIRNN": plain(lambda inputs, width: SecondOrder(inputs, width, linear=False)),
    "CPRNN": plain(lambda inputs, width: SecondOrder(inputs, width, "cp")),
}

#: flash-linear-attention's own layers, for CUDA
FLASH: dict[str, Kind] = {
    f"fla {title} [{least}, 1]": flash(name, least, **more)
    for title, name, more in (
        ("DeltaNet", "DeltaNet", {}),
        ("GatedDeltaNet", "GatedDeltaNet", {}),
        ("GatedDeltaProduct_2", "GatedDeltaProduct", {"num_householder": 2}),
        ("GatedDeltaProduct_4", "GatedDeltaProduct", {"num_householder": 4}),
    )
    for least in (0, -1)
}


class Model(nn.Module):
    """Layers between one-hot letters (or real inputs) and a decoder with one hidden layer: every layer's output is dec(H_t, x_t) of grazzi25, Eq. 1.

    A layer after the first reads ``hidden`` features that the one before gives (dec, added to what it read itself, normalised).
    Maps letters (batch, T), or inputs (batch, T, features) if ``letters`` is 0, to scores (batch, T, answers), or one number where ``answers`` is 0.
    ``hidden`` is also the width of the decoder. Raises ``ValueError`` for an unknown kind and for no layers.
    """

    def __init__(
        self,
        kind: str,
        letters: int,
        answers: int,
        width: int,
        features: int = 0,
        hidden: int = 32,
        depth: int = 1,
        columns: int = COLUMNS,
    ):
        super().__init__()
        kinds = KINDS | FLASH
        if kind not in kinds:
            raise ValueError(f"expected a layer among {', '.join(kinds)}, got {kind!r}")
        if depth < 1:
            raise ValueError(f"expected at least one layer, got {depth}")
        self.letters = letters
        inputs, outputs = letters or features, kinds[kind].outputs(width, columns)
        reads = [inputs] + [hidden] * (depth - 1)
        self.layers = nn.ModuleList(kinds[kind].build(n, width, columns) for n in reads)
        self.between = nn.ModuleList(Between(outputs, n, hidden) for n in reads[:-1])
        self.decoder = nn.Sequential(nn.Linear(outputs + reads[-1], hidden), nn.ReLU(), nn.Linear(hidden, answers or 1))

    def forward(self, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
        first, *others = self.layers
        words = x
        if self.letters:
            x = functional.one_hot(words, self.letters).to(next(self.parameters()).dtype)
        if self.letters and scan and isinstance(first, Affine):
            states = first.of_letters(words, torch.eye(self.letters, dtype=x.dtype, device=x.device))
        else:
            states = first(x, scan)
        for layer, between in zip(others, self.between, strict=True):
            x = between(states, x)
            states = layer(x, scan)
        return self.decoded(states, x)

    def decoded(self, states: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        """The scores, from the last layer's states and what it read."""
        return self.decoder(torch.cat([states, x], dim=-1))


class Between(nn.Module):
    """From the state H_t (``outputs`` numbers) and the input x_t (``inputs``) of one layer to the ``hidden`` features that the next one reads."""

    def __init__(self, outputs: int, inputs: int, hidden: int):
        super().__init__()
        self.mix = nn.Sequential(nn.Linear(outputs + inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden))
        self.skip = nn.Linear(inputs, hidden)
        self.norm = nn.LayerNorm(hidden)

    def forward(self, states: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return self.norm(self.mix(torch.cat([states, x], dim=-1)) + self.skip(x))
