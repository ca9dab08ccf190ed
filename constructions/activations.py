"""Deep RNNs with activations between the layers only, never in time (lizaire26, Eq. 2), and what they compute nevertheless.

    h_t^(l) = V_l h_(t-1)^(l) + U_l y_t^(l-1) + b_l,    y_t^(l) = phi_l(h_t^(l)) entry by entry,    y_t^(0) = x_t

Entries may be floats, rationals or SymPy expressions: whatever the activations take.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
from flint import fmpq

from ..numerics import exact
from ..numerics.exact import Array

Activation = Callable[[Any], Any]

#: how often ``collision`` shortens its step before it gives up
MOST_HALVINGS = 60


@dataclass(frozen=True)
class DepthOnlyLayer:
    """``V`` (n, n), ``U`` (n, m), ``b`` and ``initial`` (n,), and the activation of its outputs."""

    V: Array
    U: Array
    b: Array
    initial: Array
    activation: Activation

    def step(self, before: Array, below: Array) -> tuple[Array, Array]:
        """(h_t, y_t)."""
        h = self.V @ before + self.U @ below + self.b
        return h, np.array([self.activation(u) for u in h], dtype=object)


@dataclass(frozen=True)
class DepthOnly:
    """Layers and a linear readout ``w`` y + ``c`` of the last one's outputs, with ``w`` of shape (outputs, n)."""

    layers: tuple[DepthOnlyLayer, ...]
    readout: Array
    offset: Array

    def states(self, inputs: Sequence[Any]) -> list[Array]:
        """The last states of all layers."""
        return self._go(inputs)[0]

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The first output after every input; an input is a number or an array of them."""
        return self._go(inputs)[1]

    def _go(self, inputs: Sequence[Any]) -> tuple[list[Array], list[Any]]:
        states, out = [layer.initial for layer in self.layers], []
        for x in inputs:
            y = np.atleast_1d(np.asarray(x, dtype=object))
            for i, layer in enumerate(self.layers):
                states[i], y = layer.step(states[i], y)
            out.append((self.readout @ y + self.offset)[0])
        return states, out


@dataclass(frozen=True)
class PiecewiseLinear:
    """A continuous piecewise linear function: slopes[0] left of the first knot, slopes[i] right of knots[i-1]; 0 at 0.

    A homeomorphism of the line if all slopes are positive.
    """

    knots: tuple[fmpq, ...]
    slopes: tuple[fmpq, ...]

    def __post_init__(self) -> None:
        if len(self.slopes) != len(self.knots) + 1 or any(a >= b for a, b in pairwise(self.knots)):
            raise ValueError(
                f"expected increasing knots and a slope more than knots, got {len(self.knots)} knots, {len(self.slopes)} slopes"
            )

    def piece(self, u: fmpq) -> int:
        """Which slope holds at u; at a knot, the right one."""
        return sum(u >= k for k in self.knots)

    def __call__(self, u: fmpq) -> fmpq:
        return self._integral(exact.rational(u)) - self._integral(fmpq(0))

    def _integral(self, u: fmpq) -> fmpq:
        # from the first knot on
        if not self.knots:
            return self.slopes[0] * u
        total = self.slopes[0] * (min(u, self.knots[0]) - self.knots[0])
        for slope, start, end in zip(self.slopes[1:], self.knots, [*self.knots[1:], None], strict=True):
            if u <= start:
                break
            total += slope * ((u if end is None else min(u, end)) - start)
        return total


def joint_state_pieces(network: DepthOnly, inputs: Sequence[fmpq]) -> tuple[Array, Array, tuple[int, ...]]:
    """(state, derivative, pieces) of a network with piecewise linear activations and one input channel.

    The states of all layers after the inputs, shape (nL,); their derivative by the inputs, (nL, T); and the piece that each activation was
    on at each step. Within the inputs that give the same pieces, a convex set, the state is affine.
    """
    T = len(inputs)
    values = [layer.initial for layer in network.layers]
    slopes = [exact.zeros(len(layer.V), T) for layer in network.layers]
    pieces: list[int] = []
    for t, x in enumerate(inputs):
        y, dy = np.array([x], dtype=object), exact.unit_vector(T, t)[None, :]
        for i, layer in enumerate(network.layers):
            values[i], after = layer.step(values[i], y)
            slopes[i] = layer.V @ slopes[i] + layer.U @ dy
            found = [layer.activation.piece(u) for u in values[i]]  # type: ignore[attr-defined]
            pieces += found
            factors = np.array([layer.activation.slopes[k] for k in found], dtype=object)  # type: ignore[attr-defined]
            y, dy = after, factors[:, None] * slopes[i]
    return np.concatenate(values), np.vstack(slopes), tuple(pieces)


def collision(network: DepthOnly, inputs: Sequence[fmpq]) -> list[fmpq] | None:
    """Other inputs after which all states of the network are the same, although the products of the inputs differ; None if the states tell them apart.

    For piecewise linear activations and nonzero inputs. A kernel vector of the derivative exists whenever there are more inputs than states;
    along it the state is constant as long as no activation changes its piece, and the product is not. Raises ``ArithmeticError`` if the inputs lie on a knot.
    """
    state, derivative, pieces = joint_state_pieces(network, inputs)
    kernel = exact.nullspace(derivative)
    if kernel.shape[1] == 0:
        return None
    step = fmpq(1)
    for _ in range(MOST_HALVINGS):
        moved = [x + step * w for x, w in zip(inputs, kernel[:, 0], strict=True)]
        other, _, same = joint_state_pieces(network, moved)
        if same == pieces and np.array_equal(other, state) and prod(moved, start=fmpq(1)) != prod(inputs, start=fmpq(1)):
            return moved
        step /= 2
    raise ArithmeticError("expected inputs away from the knots of all activations")


def counting_layer(scales: Sequence[Any], initial: Sequence[Any], activation: Activation, growth: Any = 1) -> DepthOnlyLayer:
    """h_t = growth h_(t-1) + scales x_t: with growth 1, multiples of the sum of the inputs."""
    n = len(scales)
    V = np.array([[growth if i == j else 0 for j in range(n)] for i in range(n)], dtype=object)
    as_array = [np.array(list(v), dtype=object) for v in (scales, initial)]
    return DepthOnlyLayer(V, as_array[0][:, None], np.array([0] * n, dtype=object), as_array[1], activation)


def parity_by_cosine() -> DepthOnly:
    """(-1)^(sum of the inputs) by one layer of one unit: cos(pi s), exact in SymPy."""
    import sympy

    layer = counting_layer([sympy.pi], [0], sympy.cos)
    return DepthOnly((layer,), np.array([[1]], dtype=object), np.array([0], dtype=object))


def parity_by_homeomorphism() -> DepthOnly:
    """(-1)^(sum of the inputs) by one layer of two units and the strictly increasing activation u + sin(u)/10, exact in SymPy."""
    import sympy

    layer = counting_layer([sympy.pi, 2 * sympy.pi], [sympy.pi / 2, 0], lambda u: u + sympy.sin(u) / 10)
    return DepthOnly((layer,), np.array([[10, -5]], dtype=object), np.array([-5 * sympy.pi], dtype=object))


def causal_function(function: Callable[[tuple[int, ...]], Any], alphabet: int) -> DepthOnly:
    """Any function of words over 0 .. alphabet - 1, with values in [-1, 1], by one layer of two units and a bi-Lipschitz activation.

    The word w_1 ... w_t is kept as the number with the digits w + 1 in base alphabet + 1, which no other word has. The activation is
    u + y(word of s)/4 at u = 2s and u at odd integers, linear between: slopes lie in [3/4, 5/4]. The units hold 2s and 2s + 1. States
    grow by a factor a step, which finite precision forbids. Evaluating it decodes the word: a construction, not a shortcut. Raises
    ``ValueError`` for an empty alphabet and, when it is run, for a value outside [-1, 1].
    """
    if alphabet < 1:
        raise ValueError(f"expected at least one letter, got an alphabet of {alphabet}")
    base = alphabet + 1

    def value(s: int) -> fmpq:
        digits = []
        while s > 0:
            s, digit = divmod(s, base)
            digits.append(digit - 1)
        if not digits or min(digits) < 0:
            # numbers that code no word may have any value
            return fmpq(0)
        found = exact.rational(function(tuple(reversed(digits))))
        if abs(found) > 1:
            raise ValueError(f"expected values in [-1, 1], got {found} for the word {tuple(reversed(digits))}")
        return found

    def activation(u: fmpq) -> fmpq:
        u = exact.rational(u)
        nearest = int((u / 2 + fmpq(1, 2)).floor())
        distance = abs(u - 2 * nearest)
        return u + value(nearest) * (1 - distance) / 4

    V = exact.rationals([[base, 0], [0, base]])
    # 2s and 2s + 1 for s -> base s + w + 1: the second row's constant is 1 - base
    layer = DepthOnlyLayer(V, exact.rationals([[2], [2]]), exact.rationals([2, 3 - base]), exact.rationals([0, 1]), activation)
    return DepthOnly((layer,), exact.rationals([[4, -4]]), exact.rationals([4]))


def product_of_positive_numbers() -> DepthOnly:
    """x_1 ... x_t for positive inputs by two layers of one unit: exp(sum of log x), exact in SymPy."""
    import sympy

    first = counting_layer([1], [0], sympy.log, growth=0)
    second = counting_layer([1], [0], sympy.exp)
    return DepthOnly((first, second), np.array([[1]], dtype=object), np.array([0], dtype=object))


def tent(u: Any) -> Any:
    """u + g(u)/4 with the zigzag g, 1 at multiples of 4, -1 halfway, 0 at odd numbers: slopes 3/4 and 5/4. On arrays too; exact in float64 at integers up to 2^50."""
    return u + (1 - abs((u + 2) % 4 - 2)) / 4


def parity_by_tent() -> DepthOnly:
    """(-1)^(sum of the inputs) for integers by one layer of two units, 2s and 2s + 1, and a piecewise linear homeomorphism."""
    layer = counting_layer([2, 2], [0, 1], tent)
    return DepthOnly((layer,), np.array([[4, -4]], dtype=object), np.array([4], dtype=object))
