"""Polynomials in several variables over the rationals, {exponents: coefficient}, and networks with products run on them (lizaire26, Definition 2)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from .exact import matrix, natural, require, vector
from .limits import charge
from .rationals import SMALL, as_number, made
from .typed import Data


class Polynomial:
    """A polynomial in a fixed number of variables; numbers stand for constants."""

    def __init__(self, terms: dict[tuple[tuple[tuple[str, int, int], int], ...], Fraction]) -> None:
        self.terms = {m: c for m, c in terms.items() if c}

    def __add__(self, other: Fraction | Polynomial) -> Polynomial:
        out = dict(self.terms)
        for m, c in constant(other).terms.items():
            out[m] = out.get(m, 0) + c
        return Polynomial(out)

    __radd__ = __add__

    def __mul__(self, other: Fraction | Polynomial) -> Polynomial:
        out, others = {}, constant(other).terms.items()
        # a product of monomials, and a sum and a product of coefficients, for each pair
        charge(3 * SMALL * len(self.terms) * len(others))
        for m, c in self.terms.items():
            for k, d in others:
                key = joined(m, k)
                out[key] = out.get(key, 0) + c * d
        return Polynomial(out)

    __rmul__ = __mul__

    def __eq__(self, other: Any) -> bool:
        return self.terms == constant(other).terms


def constant(x: Fraction | Polynomial) -> Polynomial:
    return x if isinstance(x, Polynomial) else Polynomial({(): as_number(x)})


def joined(
    m: tuple[tuple[tuple[Any, ...], int], ...], k: tuple[tuple[tuple[Any, ...], int], ...]
) -> tuple[tuple[tuple[Any, ...], int], ...]:
    """The product of two monomials, sorted tuples of (variable, exponent)."""
    out = dict(m)
    for variable, exponent in k:
        out[variable] = out.get(variable, 0) + exponent
    return tuple(sorted(out.items()))


def variable(name: tuple[Any, ...]) -> Polynomial:
    return Polynomial({((name, 1),): made(1, 1)})


def layer_of(data: Data) -> tuple[Any, ...]:
    """(A, V, U, b, initial) of shapes (n, m, n), (n, n), (n, m), (n,), (n,), checked."""
    A = [matrix(block) for block in data["A"]]
    V, U, b, initial = matrix(data["V"]), matrix(data["U"]), vector(data["b"]), vector(data["initial"])
    n, m = len(U), len(U[0])
    require(len(A) == n and all(len(block) == m and len(block[0]) == n for block in A), "a tensor of shape (n, m, n)")
    require(len(V) == len(V[0]) == len(b) == len(initial) == n, "V, b and the initial state of the layer's size")
    return A, V, U, b, initial


def layers_of(listed: Sequence[dict[str, Any]]) -> list[Any]:
    """Layers that fit on each other."""
    layers = [layer_of(x) for x in listed]
    require(layers, "at least one layer")
    for below, above in itertools.pairwise(layers):
        require(len(above[2][0]) == len(below[3]), "each layer reads the one below")
    return layers


def is_bilinear(layer: tuple[Any, ...]) -> bool:
    """Nothing but the product."""
    _, V, U, b, _ = layer
    return not any(any(row) for row in [*V, *U, b])


def tensor_of(A: Sequence[Sequence[Any]], B: Sequence[Sequence[Any]], C: Sequence[Sequence[Any]]) -> list[list[list[Fraction]]]:
    """sum_r a_r o b_r o c_r from factors of R columns each."""
    A, B, C = matrix(A), matrix(B), matrix(C)
    require(len(A[0]) == len(B[0]) == len(C[0]), "factors of one rank")
    R = range(len(A[0]))
    return [[[sum((a[r] * b[r] * c[r] for r in R), Fraction(0)) for c in C] for b in B] for a in A]


def bilinear(A: Sequence[Sequence[Sequence[Fraction | Polynomial]]], initial: Sequence[Fraction | Polynomial]) -> tuple[Any, ...]:
    """A layer with the product alone."""
    n, m = len(A), len(A[0])
    zero = Fraction(0)
    return A, [[zero] * n for _ in range(n)], [[zero] * m for _ in range(n)], [zero] * n, initial


def step(
    layer: tuple[Any, ...], before: Sequence[Fraction | Polynomial], below: Sequence[Fraction | Polynomial]
) -> list[Fraction | Polynomial]:
    """The state h_t of a layer from h_(t-1) and what it reads."""
    A, V, U, b, _ = layer
    n, m = len(A), len(A[0])
    require(len(before) == n and len(below) == m, "states of fitting sizes")
    out = []
    for k in range(n):
        total = b[k]
        for i in range(n):
            total = total + V[k][i] * before[i]
        for j in range(m):
            total = total + U[k][j] * below[j]
        for i in range(n):
            for j in range(m):
                if not isinstance(A[i][j][k], Fraction) or A[i][j][k]:
                    total = total + A[i][j][k] * before[i] * below[j]
        out.append(total)
    return out


def run(layers: Sequence[Any], inputs: Sequence[Sequence[Fraction | Polynomial]]) -> list[list[list[Fraction | Polynomial]]]:
    """The states of all layers after each input: a list of lists, one for each step."""
    states, out = [layer[4] for layer in layers], []
    for x in inputs:
        below = x
        for i, layer in enumerate(layers):
            states[i] = below = step(layer, states[i], below)
        out.append(list(states))
    return out


def inputs_of(layers: Sequence[Any], steps: int) -> list[list[Polynomial]]:
    """Variables ("x", t, j) for the inputs at t = 1, 2, ..."""
    require(natural(steps) >= 1, "at least one step")
    d = len(layers[0][2][0])
    return [[variable(("x", t, j)) for j in range(d)] for t in range(1, steps + 1)]


def degrees_at(polynomials: Sequence[Any], t: int) -> list[set[int]]:
    """The degrees of polynomials in all inputs of step t together, one set for each."""
    return [{sum(k for v, k in m if v[:2] == ("x", t)) for m in constant(p).terms} for p in polynomials]


def total_degrees(polynomials: Sequence[Any]) -> list[set[int]]:
    """The degrees in the inputs, one set for each polynomial."""
    return [{sum(k for v, k in m if v[0] == "x") for m in constant(p).terms} for p in polynomials]


def generic_layers(n: int, depth: int, d: int) -> list[Any]:
    """A BIRNN all of whose entries are variables."""
    layers = []
    for level in range(depth):
        m = d if level == 0 else n
        A = [[[variable((f"a{level}", i, j, k)) for k in range(n)] for j in range(m)] for i in range(n)]
        layers.append(bilinear(A, [variable((f"h{level}", i)) for i in range(n)]))
    return layers
