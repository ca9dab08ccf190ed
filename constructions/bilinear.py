"""Recurrences that multiply (lizaire26, Definition 2): second-order RNNs, and BIRNNs, which have nothing but the product.

    h_t^(l) = A ×1 h_(t-1)^(l) ×2 h_t^(l-1) + V h_(t-1)^(l) + U h_t^(l-1) + b

Inputs and parameters may be numbers or polynomials (FLINT's ``fmpq_mpoly``): run on variables, a network gives the polynomials that it computes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from flint import Ordering, fmpq, fmpq_mpoly_ctx

from ..numerics import exact
from ..numerics.exact import Array


@dataclass(frozen=True)
class SecondOrderLayer:
    """``A`` of shape (n, m, n), m the size of what lies below, ``V`` (n, n), ``U`` (n, m), ``b`` (n,), ``initial`` (n,)."""

    A: Array
    V: Array
    U: Array
    b: Array
    initial: Array

    def step(self, before: Array, below: Array) -> Array:
        """h_t from h_(t-1) and h_t of the layer below; exact for any ring of entries."""
        n, m, _ = self.A.shape
        out = []
        for k in range(n):
            total = self.b[k]
            for i in range(n):
                total = total + self.V[k, i] * before[i]
            for j in range(m):
                total = total + self.U[k, j] * below[j]
            for i, j in product(range(n), range(m)):
                total = total + self.A[i, j, k] * before[i] * below[j]
            out.append(total)
        return entries(out)


def bilinear_layer(A: Array, initial: Array) -> SecondOrderLayer:
    """A layer of a BIRNN: the product alone."""
    n, m, _ = A.shape
    return SecondOrderLayer(A, exact.zeros(n, n), exact.zeros(n, m), exact.zeros(n), initial)


def identity_layer(n: int) -> SecondOrderLayer:
    """A layer of a second-order RNN that hands on what it reads: U = I. A BIRNN has no such layer."""
    return SecondOrderLayer(exact.zeros(n, n, n), exact.zeros(n, n), exact.identity(n), exact.zeros(n), exact.zeros(n))


def run(layers: Sequence[SecondOrderLayer], inputs: Sequence[Any]) -> list[Array]:
    """The last layer's states h_1, h_2, ... for inputs of shape (d,), or numbers if d = 1."""
    states, out = [layer.initial for layer in layers], []
    for x in inputs:
        below = x if isinstance(x, np.ndarray) else entries([x])
        for i, layer in enumerate(layers):
            states[i] = below = layer.step(states[i], below)
        out.append(below)
    return out


def variables(names: Sequence[str]) -> list[Any]:
    """The generators of a polynomial ring over the rationals."""
    return list(fmpq_mpoly_ctx.get(tuple(names), Ordering.lex).gens())


def degrees_in(polynomial: Any, variable: int) -> set[int]:
    """The exponents of one variable in the monomials of a polynomial: one number if it is homogeneous in that variable, none for 0."""
    return {int(m[variable]) for m in polynomial.monoms()}


def entries(values: Sequence[Any], *shape: int) -> Array:
    """An object array of numbers or polynomials, which NumPy would take apart; of shape (len(values),) unless another is given."""
    out = np.empty(len(values), dtype=object)
    for i, x in enumerate(values):
        out[i] = fmpq(x) if isinstance(x, int) else x
    return out.reshape(shape or out.shape)
