"""Recurrences with parameters: H_t = A(x_t) H_(t-1) + B(x_t), run by the project's scan or step by step, and a model around one of them.

A layer maps (batch, T, inputs) to (batch, T, outputs), what its state looks like after every step; ``outputs`` is that width. The bistable unit and the
LRU are those of ``constructions.bistable_torch``. Source: grazzi25, Eqs. 1 to 3 and Sec. 4.4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from ..constructions.bistable_torch import BMRU, LRU
from ..numerics.scan import associative_scan, compose_affine, compose_matrices
from .bilinear_layers import SecondOrder


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
            products, sums = associative_scan(compose_affine, (a, b), axis=1)
            states = products * h + sums
        else:
            steps = []
            for t in range(x.shape[1]):
                h = a[:, t] * h + b[:, t]
                steps.append(h)
            states = torch.stack(steps, dim=1)
        return torch.cat([states.real, states.imag], dim=-1) if states.is_complex() else states


class Delta(nn.Module):
    """DeltaNet and DeltaProduct: ``factors`` micro-steps H <- (I - beta k k^T) H + beta k v^T a letter, |k| = 1, H of shape (n, columns).

    With ``least`` = 0 every beta lies in (0, 1) and the eigenvalues 1 - beta in [0, 1]; with -1 beta in (0, 2) and eigenvalues in [-1, 1]. k, v and beta
    are linear in the letter, up to normalisation and sigmoid; the initial state is learned; all of the state is read.
    """

    def __init__(self, inputs: int, n: int, columns: int = 1, factors: int = 1, least: int = 0):
        super().__init__()
        if least not in (0, -1):
            raise ValueError(f"expected eigenvalues from 0 or from -1 on, got {least}")
        self.n, self.columns, self.factors, self.largest = n, columns, factors, 1.0 - least
        self.outputs = n * columns
        self.key = nn.Linear(inputs, factors * n)
        self.value = nn.Linear(inputs, factors * columns)
        self.strength = nn.Linear(inputs, factors)
        self.initial = nn.Parameter(torch.randn(n, columns))

    def micro_steps(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """(k, v, beta), first to act first: (batch, T, factors, n), (batch, T, factors, columns), (batch, T, factors)."""
        k = functional.normalize(self.key(x).unflatten(-1, (self.factors, self.n)), dim=-1)
        return k, self.value(x).unflatten(-1, (self.factors, self.columns)), self.largest * self.strength(x).sigmoid()

    def maps(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(A, B) of each letter: (batch, T, n, n), (batch, T, n, columns)."""
        k, v, beta = self.micro_steps(x)
        A = torch.eye(self.n, dtype=x.dtype, device=x.device).expand(*x.shape[:2], self.n, self.n)
        B = torch.zeros_like(v[:, :, 0, None, :]).expand(-1, -1, self.n, -1)
        for j in range(self.factors):
            A, B = _moved(A, k[:, :, j], 0.0, beta[:, :, j]), _moved(B, k[:, :, j], v[:, :, j, None], beta[:, :, j])
        return A, B

    def spectrum(self, x: torch.Tensor) -> torch.Tensor:
        """The eigenvalues of the transitions, (batch, T, n), complex."""
        return torch.linalg.eigvals(self.maps(x)[0])

    def forward(self, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
        if scan:
            A, B = associative_scan(compose_matrices, self.maps(x), axis=1)
            return (A @ self.initial + B).flatten(-2)
        k, v, beta = self.micro_steps(x)
        H, steps = self.initial.expand(len(x), -1, -1), []
        for t in range(x.shape[1]):
            for j in range(self.factors):
                H = _moved(H, k[:, t, j], v[:, t, j, None], beta[:, t, j])
            steps.append(H)
        return torch.stack(steps, dim=1).flatten(-2)


def _moved(H: torch.Tensor, k: torch.Tensor, v: Any, beta: torch.Tensor) -> torch.Tensor:
    """One micro-step: H + beta k (v - k^T H)."""
    column = k[..., None]
    return H + beta[..., None, None] * column * (v - column.mT @ H)


@dataclass(frozen=True)
class Kind:
    """An architecture: ``build(inputs, width)``, and ``outputs(width)`` numbers that it hands on."""

    build: Callable[[int, int], nn.Module]
    outputs: Callable[[int], int] = lambda width: width


#: columns of a delta layer's state
COLUMNS = 2

KINDS: dict[str, Kind] = {
    "diagonal [0, 1]": Kind(lambda inputs, width: Diagonal(inputs, width, "positive")),
    "diagonal [-1, 1]": Kind(lambda inputs, width: Diagonal(inputs, width, "signed")),
    "diagonal complex": Kind(lambda inputs, width: Diagonal(inputs, width, "complex"), lambda width: 2 * width),
    "DeltaNet [0, 1]": Kind(lambda inputs, width: Delta(inputs, width, COLUMNS), lambda width: COLUMNS * width),
    "DeltaNet [-1, 1]": Kind(lambda inputs, width: Delta(inputs, width, COLUMNS, least=-1), lambda width: COLUMNS * width),
    "DeltaProduct_2 [0, 1]": Kind(lambda inputs, width: Delta(inputs, width, COLUMNS, 2), lambda width: COLUMNS * width),
    "DeltaProduct_2 [-1, 1]": Kind(lambda inputs, width: Delta(inputs, width, COLUMNS, 2, -1), lambda width: COLUMNS * width),
    "DeltaProduct_4 [-1, 1]": Kind(lambda inputs, width: Delta(inputs, width, COLUMNS, 4, -1), lambda width: COLUMNS * width),
    "BMRU": Kind(BMRU),
    "LRU": Kind(LRU, lambda width: 2 * width),
    "linear RNN": Kind(lambda inputs, width: SecondOrder(inputs, width, "none")),
    "2RNN": Kind(SecondOrder),
    "BIRNN": Kind(lambda inputs, width: SecondOrder(inputs, width, linear=False)),
    "CPRNN": Kind(lambda inputs, width: SecondOrder(inputs, width, "cp")),
}


class Model(nn.Module):
    """Layers between one-hot letters (or real inputs) and a decoder with one hidden layer: every layer's output is dec(H_t, x_t) of grazzi25, Eq. 1.

    A layer after the first reads ``hidden`` features that the one before gives (dec, added to what it read itself, normalised).
    Maps letters (batch, T), or inputs (batch, T, features) if ``letters`` is 0, to scores (batch, T, answers), or one number where ``answers`` is 0.
    Raises ``ValueError`` for an unknown kind and for no layers.
    """

    def __init__(self, kind: str, letters: int, answers: int, width: int, features: int = 0, hidden: int = 32, depth: int = 1):
        super().__init__()
        if kind not in KINDS:
            raise ValueError(f"expected a layer among {', '.join(KINDS)}, got {kind!r}")
        if depth < 1:
            raise ValueError(f"expected at least one layer, got {depth}")
        self.letters = letters
        inputs, outputs = letters or features, KINDS[kind].outputs(width)
        reads = [inputs] + [hidden] * (depth - 1)
        self.layers = nn.ModuleList(KINDS[kind].build(n, width) for n in reads)
        self.between = nn.ModuleList(Between(outputs, n, hidden) for n in reads[:-1])
        self.decoder = nn.Sequential(nn.Linear(outputs + reads[-1], hidden), nn.ReLU(), nn.Linear(hidden, answers or 1))

    def forward(self, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
        if self.letters:
            x = functional.one_hot(x, self.letters).to(next(self.parameters()).dtype)
        for layer, between in zip(self.layers[:-1], self.between, strict=True):
            x = between(layer(x, scan), x)
        return self.decoder(torch.cat([self.layers[-1](x, scan), x], dim=-1))


class Between(nn.Module):
    """From the state H_t (``outputs`` numbers) and the input x_t (``inputs``) of one layer to the ``hidden`` features that the next one reads."""

    def __init__(self, outputs: int, inputs: int, hidden: int):
        super().__init__()
        self.mix = nn.Sequential(nn.Linear(outputs + inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden))
        self.skip = nn.Linear(inputs, hidden)
        self.norm = nn.LayerNorm(hidden)

    def forward(self, states: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return self.norm(self.mix(torch.cat([states, x], dim=-1)) + self.skip(x))
