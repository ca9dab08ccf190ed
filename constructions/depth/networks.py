"""Deep linear recurrent networks (lizaire26, Sec. 3.1): transfer functions, copying, and what their memory is worth in units and layers.

A network is a list of layers h_t^(l) = V h_(t-1)^(l) + U h_t^(l-1) without biases, from zero states, and a linear readout w of the last layer.
Its transfer function is w (I - z V_L)^-1 U_L ... (I - z V_1)^-1 U_1, where z stands for one step of delay.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpq_poly

from ...numerics import exact
from ...numerics.aliases import Exact
from ...numerics.cyclotomic import cosine_and_sine
from ...numerics.exact import Array
from ..recurrence import Recurrence, Stack


@dataclass(frozen=True)
class DeepLinear:
    """``layers`` are pairs (U, V), V of shape (n, n), U (n, d) for the first layer and (n, n) above; ``readout`` has shape (outputs, n)."""

    layers: tuple[tuple[Array, Array], ...]
    readout: Array

    @property
    def width(self) -> int:
        return len(self.layers[0][1])

    def run(self, inputs: list[Any]) -> list[Array]:
        """The outputs after every input; an input is a number, or d of them."""
        vectors = [np.atleast_1d(np.asarray(x, dtype=object))[:, None] * fmpq(1) for x in inputs]
        return [(self.readout @ h)[:, 0] for h in self.stack().run(vectors)]

    def stack(self) -> Stack:
        """The layers as recurrences whose letters are vectors, without the readout."""
        start = exact.zeros(self.width, 1)
        return Stack(tuple(Recurrence(lambda x, V=V: V, lambda x, U=U: U @ x, start, lambda H, x: H) for U, V in self.layers))

    def transfer(self) -> tuple[Array, fmpq_poly]:
        """(N, D): the transfer function is N(z) / D(z), N an array (outputs, d) of polynomials and D(0) = 1; not reduced."""
        numerator, denominator = None, fmpq_poly([1])
        for U, V in self.layers:
            adjugate, determinant = resolvent(V)
            step = adjugate @ _constant(U)
            numerator = step if numerator is None else step @ numerator
            denominator = denominator * determinant
        return _constant(self.readout) @ numerator, denominator


def resolvent(V: Array) -> tuple[Array, fmpq_poly]:
    """(adj(I - zV), det(I - zV)) with polynomial entries: the inverse of I - zV is the first over the second (Faddeev and LeVerrier)."""
    n = len(V)
    matrix, one = exact.to_flint(V), exact.to_flint(exact.identity(n))
    coefficients, terms, M = [fmpq(1)], [], one
    for k in range(1, n + 1):
        terms.append(M)
        c = -_trace(matrix * M) / k
        coefficients.append(c)
        M = matrix * M + one * c
    entries: list[Exact] = [exact.from_flint(t) for t in terms]
    adjugate = np.empty((n, n), dtype=object)
    for index in np.ndindex(n, n):
        adjugate[index] = fmpq_poly([e[index] for e in entries])
    return adjugate, fmpq_poly(coefficients)


def _trace(m: fmpq_mat) -> fmpq:
    return sum((m[i, i] for i in range(m.nrows())), fmpq(0))


def _constant(matrix: Array) -> Array:
    return exact.map_entries(lambda x: fmpq_poly([exact.rational(x)]), np.asarray(matrix, dtype=object))


def copy_network(n: int, depth: int, p: int, d: int = 1) -> DeepLinear:
    """Copies d input channels p >= 0 steps forward: ``depth`` layers of width n, for p d <= depth (n - d).

    In each layer a channel passes through a shift register; a register of length a + 1 delays it by a steps. A layer has d units for the
    current values and n - d for delays, and the p d delays are dealt out layer by layer. Raises ``ValueError`` if they do not fit.
    """
    if not (n >= 1 and depth >= 1 and p >= 0 and 1 <= d <= n):
        raise ValueError(f"expected n >= d >= 1, depth >= 1 and p >= 0, got n = {n}, d = {d}, depth {depth}, p = {p}")
    if p * d > depth * (n - d):
        raise ValueError(f"expected p d <= L (n - d), got {p} * {d} > {depth} * {n - d}: no such network exists")
    left = [p] * d
    layers, ends = [], list(range(d))
    for level in range(depth):
        delays, room = [], n - d
        for c in range(d):
            taken = min(left[c], room)
            delays.append(taken)
            left[c] -= taken
            room -= taken
        U, V = exact.zeros(n, d if level == 0 else n), exact.zeros(n, n)
        begin, new_ends = 0, []
        for c, a in enumerate(delays):
            # the register begin .. begin + a: values enter at the front and move back
            U[begin, ends[c]] = fmpq(1)
            for i in range(begin, begin + a):
                V[i + 1, i] = fmpq(1)
            new_ends.append(begin + a)
            begin += a + 1
        layers.append((U, V))
        ends = new_ends
    readout = np.array([exact.unit_vector(n, e) for e in ends], dtype=object)
    return DeepLinear(tuple(layers), readout)


def as_one_layer(network: DeepLinear) -> DeepLinear:
    """One layer of width nL whose state is the states of all layers, with the same outputs (lizaire26, Proposition 1).

    Layer l at time t reads the layer below at the same time, so h^(l)_t = sum_k U_l ... U_(k+1) V_k h^(k)_(t-1) + U_l ... U_1 x_t.
    """
    n, depth = network.width, len(network.layers)
    V, rows = exact.zeros(n * depth, n * depth), []
    for level, (U, own) in enumerate(network.layers):
        here = slice(level * n, (level + 1) * n)
        if level:
            V[here] = U @ V[(level - 1) * n : level * n]
        V[here, here] = V[here, here] + own
        rows.append(U @ rows[-1] if level else U)
    readout = np.hstack([exact.zeros(len(network.readout), n * (depth - 1)), network.readout])
    return DeepLinear(((np.vstack(rows), V),), readout)


def delayed_links(network: DeepLinear) -> DeepLinear:
    """The layers with h_t^(l) = V h_(t-1)^(l) + U h_(t-1)^(l-1) for l > 1, as one layer of width nL whose state is the states of all layers."""
    n, depth = network.width, len(network.layers)
    V = exact.zeros(n * depth, n * depth)
    for level, (U, own) in enumerate(network.layers):
        here = slice(level * n, (level + 1) * n)
        V[here, here] = own
        if level:
            V[here, (level - 1) * n : level * n] = U
    first = network.layers[0][0]
    above = exact.zeros(n * (depth - 1), first.shape[1])
    readout = np.hstack([exact.zeros(len(network.readout), n * (depth - 1)), network.readout])
    return DeepLinear(((np.vstack([first, above]), V),), readout)


def near_copy(p: int, error: fmpq) -> DeepLinear:
    """One layer of width p >= 1 whose response is ``error`` at once and 1 after p steps, and nothing else before step 2p, where it is 1 / error.

    Raises ``ValueError`` for p < 1 or an error of 0, which no network of this width has.
    """
    if p < 1 or error == 0:
        raise ValueError(f"expected p >= 1 and an error other than 0, got p = {p}, error {error}")
    V = exact.zeros(p, p)
    for i in range(p - 1):
        V[i + 1, i] = fmpq(1)
    V[0, p - 1] = 1 / error
    first = exact.unit_vector(p, 0)
    return DeepLinear(((first[:, None], V),), first[None, :] * error)


def deep_near_copy(n: int, depth: int, scale: Any, d: int = 1) -> DeepLinear:
    """``depth`` layers of width n that copy d channels p = nL / d steps in words of length 2p, but for the response scale^-p at once.

    With m = n / d, every layer is d registers of m units, fed back: y_t = x_t + 2 cos(pi l / L) y_(t-m/2) - y_(t-m), l = 0, ..., L - 1 (for l = 0
    y_t = x_t + y_(t-m)), or, if m is odd, y_t = x_t + R y_(t-m) where R turns pairs of channels by 2 pi l / L; each step back is multiplied by ``scale``.
    Entries are rational or cyclotomic. Raises ``ValueError`` unless d divides n and m is even, or d is, or L <= 2, and the scale is not 0.
    """
    if not (n >= 1 and depth >= 1 and d >= 1 and n % d == 0 and (n // d % 2 == 0 or d % 2 == 0 or depth <= 2) and scale != 0):
        raise ValueError(
            f"expected n = m d with m even or d even or at most 2 layers, and a scale other than 0, got n = {n}, d = {d}, depth {depth}, scale {scale}"
        )
    m, one, first = n // d, exact.identity(d), exact.unit_vector(n // d, 0)
    layers = []
    for level in range(depth):
        V = exact.zeros(m, m)
        for i in range(m - 1):
            V[i + 1, i] = fmpq(1)
        V = np.kron(V, one)
        for back, feedback in _feedback(m, depth, level, d):
            V[:d, (back - 1) * d : back * d] += feedback * scale**back
        U = np.kron(first[:, None], one)
        layers.append((U if level == 0 else U @ U.T, V))
    return DeepLinear(tuple(layers), np.kron(first[None, :], one) * (1 / scale ** (m * depth)))


def _feedback(m: int, depth: int, level: int, d: int) -> list[tuple[int, Array]]:
    """The factor of 1 - v^(mL) that a layer has, as [(steps back, feedback)]: the powers of v with the negative coefficients."""
    one = exact.identity(d)
    if level == 0:
        return [(m, one)]
    if depth == 2:
        return [(m, -one)]
    if m % 2 == 0:
        cosine, _ = cosine_and_sine(2 * depth, level)
        return [(m // 2, one * (2 * cosine)), (m, -one)]
    cosine, sine = cosine_and_sine(depth, level)
    return [(m, np.kron(exact.identity(d // 2), np.array([[cosine, -sine], [sine, cosine]], dtype=object)))]


def printed_copy_network(n: int, depth: int) -> DeepLinear:
    """The network of Lemma 2 as printed: every layer a register of n units, and the readout of the first component."""
    shift = exact.zeros(n, n)
    for i in range(n - 1):
        shift[i, i + 1] = fmpq(1)
    first = exact.unit_vector(n, n - 1)[:, None]
    above = exact.zeros(n, n)
    above[n - 1, 0] = fmpq(1)
    layers = tuple((first if level == 0 else above, shift) for level in range(depth))
    return DeepLinear(layers, exact.unit_vector(n, 0)[None, :])


def impulse_response(numerator: fmpq_poly, denominator: fmpq_poly, steps: int) -> list[fmpq]:
    """The first coefficients of N(z) / D(z) as a power series: what the output is after an input of 1 and then zeros."""
    out: list[fmpq] = []
    for t in range(steps):
        value = numerator[t] - sum((denominator[k] * out[t - k] for k in range(1, t + 1)), fmpq(0))
        out.append(value / denominator[0])
    return out


def hankel_rank(response: list[fmpq]) -> int:
    """The rank of the Hankel matrix of the responses 1, 2, ...: the least number of units of a single layer with this response, if it is long enough."""
    if len(response) < 3:
        raise ValueError(f"expected at least 3 responses, got {len(response)}: 0, 1 and 2 fill a Hankel matrix of one entry")
    half = (len(response) - 1) // 2
    return exact.rank(np.array([[response[1 + i + j] for j in range(half)] for i in range(half)], dtype=object))


def parameters(n: int, depth: int, d: int = 1) -> int:
    """(2L - 1) n^2 + (L + d) n: matrices and biases for d input channels, initial states not counted (lizaire26, Theorem 2, for d = 1)."""
    return (2 * depth - 1) * n * n + (depth + d) * n


def least_width(p: int, depth: int, d: int = 1) -> int:
    """The least n for which ``depth`` layers of width n copy d channels p steps: p d <= L (n - d)."""
    return -(-p * d // depth) + d
