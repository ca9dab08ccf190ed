"""Several inputs and outputs on complex units: blocks of half a circle, read by real parts, without a clock (after orvieto24, Theorem 2, App. C)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq

from ...numerics.exact import Array
from ..recurrence import Recurrence
from ..vandermonde import blockwise, half_circle, recall_matrix
from .networks import Network


def real_reader(length: int) -> Array:
    """W, shape (L, L/2), with Re(W V_L) = I for the nodes ``half_circle(length)``: 2/L times the conjugate transpose. Exact; even L only."""
    if length % 2:
        raise ValueError(f"expected an even length, for which V* V has the real part (L/2) I, got {length}")
    V = recall_matrix(half_circle(length), length)
    return np.array([[x.conjugate() * fmpq(2, length) for x in row] for row in V], dtype=object).T


def real_part(x: Any) -> fmpq:
    """The real part of a cyclotomic number, if that is rational. Raises ``ValueError`` if not."""
    twice = x + x.conjugate()
    coefficients = twice.polynomial.coeffs()
    if len(coefficients) > 1:
        raise ValueError(f"expected a rational real part, got half of {twice}")
    return coefficients[0] / 2 if coefficients else fmpq(0)


@dataclass(frozen=True)
class VectorModel:
    """M inputs, S outputs: a block of L/2 complex units for each input, and one network for each output on the M L padded tokens (input by input, oldest first)."""

    memory: Recurrence
    reader: Array
    heads: tuple[Network, ...]

    def run(self, tokens: Sequence[Sequence[fmpq]]) -> list[list[fmpq]]:
        """The S outputs after every token, each a row of M numbers."""
        units = self.reader.shape[1]
        outputs = []
        for state in self.memory.run(tokens):
            blocks = np.asarray(state).reshape(-1, units)
            seen = np.array([real_part(x) for block in blocks for x in self.reader @ block], dtype=object)
            outputs.append([head(seen) for head in self.heads])
        return outputs


def vector_model(inputs: int, length: int, heads: Sequence[Network]) -> VectorModel:
    """The model for ``inputs`` tokens at a time and even ``length``; no unit is a clock, and all heads serve all steps."""
    return VectorModel(blockwise([half_circle(length)] * inputs), real_reader(length), tuple(heads))
