"""Recurrences that multiply (lizaire26, Definitions 2 and 4): second-order RNNs; BIRNNs, which have nothing but the product; and both with the
tensor given by a CP decomposition. Each layer is also the one recurrence type: affine in its state, A(x) linear in x.

    h_t^(l) = A ×1 h_(t-1)^(l) ×2 h_t^(l-1) + V h_(t-1)^(l) + U h_t^(l-1) + b

Inputs and parameters may be numbers or polynomials (FLINT's ``fmpq_mpoly``): run on variables, a network gives the polynomials that it computes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from flint import Ordering, fmpq, fmpq_mpoly_ctx

from ..numerics import exact
from ..numerics.exact import Array
from .recurrence import Recurrence


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

    def recurrence(self) -> Recurrence:
        """The same layer as H_t = A(x_t) H_(t-1) + B(x_t), A(x) = (A ×2 x)^T + V and B(x) = U x + b; letters are vectors of shape (m,), states (n, 1)."""

        def transition(x: Array) -> Array:
            return np.einsum("ijk,j->ki", self.A, np.asarray(x, dtype=object), optimize=False) + self.V

        return Recurrence(transition, lambda x: (self.U @ x + self.b)[:, None], self.initial[:, None], lambda H, x: H[:, 0])


def bilinear_layer(A: Array, initial: Array) -> SecondOrderLayer:
    """A layer of a BIRNN: the product alone."""
    n, m, _ = A.shape
    return SecondOrderLayer(A, exact.zeros(n, n), exact.zeros(n, m), exact.zeros(n), initial)


def identity_layer(n: int) -> SecondOrderLayer:
    """A layer of a second-order RNN that hands on what it reads: U = I. A BIRNN has no such layer."""
    return SecondOrderLayer(exact.zeros(n, n, n), exact.zeros(n, n), exact.identity(n), exact.zeros(n), exact.zeros(n))


def cp_tensor(A: Array, B: Array, C: Array) -> Array:
    """sum_r a_r ∘ b_r ∘ c_r, shape (n, m, n), from factors of shape (n, R), (m, R), (n, R) (lizaire26, App. A.1.3)."""
    return np.einsum("ir,jr,kr->ijk", A, B, C, optimize=False)


def cp_layer(A: Array, B: Array, C: Array, initial: Array) -> SecondOrderLayer:
    """A layer of a CPBIRNN of rank R: the product alone, with :func:`cp_tensor`. Its states lie in the span of the R columns of C."""
    return bilinear_layer(cp_tensor(A, B, C), initial)


def residual(layer: SecondOrderLayer) -> SecondOrderLayer:
    """The layer with what it reads added to its state: U + I. Raises ``ValueError`` if it reads another number of values than it holds."""
    n, m, _ = layer.A.shape
    if n != m:
        raise ValueError(f"expected a layer that reads as many values as it holds, got {m} and {n}")
    return replace(layer, U=layer.U + exact.identity(n))


def weighted_automaton(initial: Array, transitions: Sequence[Array]) -> SecondOrderLayer:
    """The BIRNN layer that computes A_(w_t) ... A_(w_1) alpha on one-hot letters, for ``transitions`` of shape (n, n), one a letter."""
    return bilinear_layer(np.stack([np.asarray(a, dtype=object).T for a in transitions], axis=1), np.asarray(initial, dtype=object))


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
