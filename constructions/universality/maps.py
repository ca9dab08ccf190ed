"""Causal sequence maps and the linear recurrence that remembers their inputs (orvieto24, Sec. 3, 4.3, App. E.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq
from scipy.integrate import solve_ivp

from ...numerics import exact
from ...numerics.exact import Array
from ..recurrence import Recurrence
from ..vandermonde import recall_matrix
from .networks import Network, saturating_sum


def remembering(nodes: Sequence[Any]) -> Recurrence:
    """A diagonal recurrence on the encoded tokens (1, v) with the states (k, V_k v): node 1 counts, the others remember.

    A letter holds one token, or a row of them for a batch; nodes are real and exact, or complex floats, whose states are decoded into real and imaginary parts.
    """
    floats = any(isinstance(x, float | complex) for x in nodes)
    eigenvalues = np.array([1, *nodes], dtype=complex) if floats else exact.rationals([1, *nodes])
    transition = np.diag(eigenvalues) + (0 if floats else exact.zeros(len(eigenvalues), len(eigenvalues)))

    def inputs(v: Any) -> Array:
        tokens = np.atleast_1d(np.asarray(v) if floats else exact.rationals(v))
        return np.concatenate([tokens[None, :] * 0 + 1, np.repeat(tokens[None, :], len(eigenvalues) - 1, axis=0)])

    def decode(state: Array, _: Any) -> Array:
        return np.concatenate([np.real(state[:1]), np.real(state[1:]), np.imag(state[1:])]) if floats else state

    start = np.zeros((len(eigenvalues), 1), dtype=complex) if floats else exact.zeros(len(eigenvalues), 1)
    return Recurrence(lambda v: transition, inputs, start, decode)


def recall(nodes: Sequence[Any], k: int) -> Array:
    """Omega_k, shape (k, 1 + N or 1 + 2N): the tokens v_1, ..., v_k from what ``remembering`` decodes after k steps; the clock is not read.

    Raises ``ValueError`` if the nodes do not determine k tokens.
    """
    if any(isinstance(x, float | complex) for x in nodes):
        powers = np.array(nodes)[:, None] ** np.arange(k - 1, -1, -1)
        V = np.concatenate([powers.real, powers.imag])
        if np.linalg.matrix_rank(V) < k:
            raise ValueError(f"expected nodes and conjugates with at least {k} different values, got {len(nodes)} nodes")
        left = np.linalg.pinv(V)
        return np.concatenate([np.zeros((k, 1)), left], axis=1)
    V = recall_matrix(exact.rationals(list(nodes)), k)
    gram = exact.multiply(V.T, V)
    return np.concatenate([exact.zeros(k, 1), exact.multiply(exact.inverse(gram), V.T)], axis=1)


@dataclass(frozen=True)
class SequenceModel:
    """Encoder and linear recurrence, then the same head at every step: the architecture of Theorem 2."""

    memory: Recurrence
    head: Network

    def run(self, tokens: Sequence[Any]) -> list[Any]:
        """The outputs after every token; a token may be a batch."""
        return [self.head(state) for state in self.memory.run(tokens)]


def on_tokens(head: Network, nodes: Sequence[Any], k: int) -> Network:
    """The head at step k as a function of v_1, ..., v_k: the state is (k, V_k v). Exact nodes."""
    state = np.concatenate([exact.zeros(1, k), recall_matrix(exact.rationals(list(nodes)), k)])
    return Network(head.inner @ state, head.bias + head.inner[:, 0] * k, head.outer, head.offset, head.activation)


def sequence_model(nodes: Sequence[Any], heads: Sequence[Network], largest_token: Any, saturation: Any = 1) -> SequenceModel:
    """A model that equals ``heads[k - 1]`` of the tokens v_1, ..., v_k at every step k, for |v_i| <= ``largest_token`` and |nodes| <= 1.

    The recurrence is ``remembering(nodes)``; each head reads the tokens through Omega_k, which costs no neuron, and waits for its step.
    """
    length, memory = len(heads), remembering(nodes)
    floats = any(isinstance(x, float | complex) for x in nodes)
    width = 1 + len(nodes) * (2 if floats else 1)
    clock = np.eye(width)[0] if floats else exact.unit_vector(width, 0)
    on_states = [head.after(recall(nodes, k)) for k, head in enumerate(heads, 1)]
    # the clock goes up to L, the memory to L times the largest token
    reach = length * max(largest_token, 1)
    one = 1.0 if floats else fmpq(1)
    return SequenceModel(memory, saturating_sum(on_states, [(clock, -one * k) for k in range(1, length + 1)], reach, saturation))


def invariant_model(nodes: Sequence[Any], head: Network, length: int) -> SequenceModel:
    """A model that equals ``head`` of (0, ..., 0, v_1, ..., v_k), padded to ``length``, at every step k <= length: one Omega serves all of them, and the clock is not read."""
    return SequenceModel(remembering(nodes), head.after(recall(nodes, length)))


# -- controlled differential equations (App. E.3) --------------------------------------------------------------------------

#: initial states, as printed
PROTEIN_START = (1.0, 0.0, 1.0, 0.0, 0.0)
LOTKA_VOLTERRA_START = (1.0, 0.5)
LORENZ_START = (-0.89229143, 1.08417925, 2.34322702)


def protein_transduction(z: Any, v: Any, k1=0.07, k2=0.6, k3=0.05, k4=0.3, V=0.017, Km=0.3) -> list[Any]:
    """dz/dt of the five concentrations (signal, its degraded form, receptor, complex, activated receptor), driven by v; also on symbols."""
    signal, _, receptor, bound, active = z
    binding, back = k2 * signal * receptor, V * active / (Km + active)
    return [
        -k1 * signal - binding + k3 * bound + v,
        k1 * signal,
        -binding + k3 * bound + back,
        binding - (k3 + k4) * bound,
        k4 * bound - back,
    ]


def lotka_volterra(z: Any, v: Any, a=1.0, b=0.6, c=1.0, d=0.7) -> list[Any]:
    """dz/dt of prey and predator, the latter driven by v."""
    prey, predator = z
    return [prey * (a - b * predator), -predator * (c - d * prey) + v]


def lorenz(z: Any, v: Any, sigma=10.0, r=26.0, b=8 / 3) -> list[Any]:
    """dz/dt of the Lorenz system, driven by v in its second equation."""
    x, y, w = z
    return [sigma * (y - x), (r - w) * x - y + v, y * x - b * w]


def slow_inputs(rng: np.random.Generator, count: int, length: int, amplitude: float, waves: int = 6) -> Array:
    """Random sums of ``waves`` slow cosines over the interval, normal coefficients; shape (count, length)."""
    basis = np.cos(np.pi * np.outer(np.arange(waves), (np.arange(length) + 0.5) / length))
    return amplitude * rng.standard_normal((count, waves)) @ basis / np.sqrt(waves)


def unstable(r: float, sigma: float = 10.0) -> tuple[float, Array]:
    """(rate, left eigenvector) of Lorenz's unstable direction at the origin: the positive eigenvalue of (-sigma, sigma; r, -1)."""
    rates, left = np.linalg.eig(np.array([[-sigma, r], [sigma, -1.0]]))
    i = int(rates.argmax())
    return float(rates[i]), left[:, i] * np.sign(left[1, i])


def saddle_coordinate(v: Array, r: float, dt: float) -> Array:
    """l (z_1(0), z_2(0)) + sum_k l_2 v_k times the integral of exp(-rate t) over step k: Lorenz linearised at the origin leaves it on the side of this sign."""
    rate, left = unstable(r)
    edges = np.exp(-rate * dt * np.arange(v.shape[1] + 1))
    return left @ LORENZ_START[:2] + left[1] * (v @ ((edges[:-1] - edges[1:]) / rate))


def goes_up(outputs: Array) -> Array:
    """Whether Lorenz's z_1, along the last axis, goes up: where |z_1| is largest, at the first swing, it is positive."""
    furthest = np.abs(outputs).argmax(axis=-1)
    return np.take_along_axis(outputs, furthest[..., None], axis=-1)[..., 0] > 0


def respond(field: Callable[..., list[Any]], start: Sequence[float], inputs: Array, dt: float, rtol: float = 1e-8) -> Array:
    """z_1(k dt), k = 1, ..., L, for each row of ``inputs`` (batch, L), held constant over each step, by Runge-Kutta 4(5); shape (batch, L).

    Holding the input makes y_k a function of v_1, ..., v_k alone, as Definition 1 demands. Raises ``ArithmeticError`` if the integration fails.
    """
    batch, length = inputs.shape
    state = np.repeat(np.asarray(start, dtype=float)[:, None], batch, axis=1)
    out = np.empty((batch, length))
    for k in range(length):
        v = inputs[:, k]

        def rates(_, flat: Array, v: Array = v) -> Array:
            return np.array(field(flat.reshape(len(start), batch), v)).ravel()

        solved = solve_ivp(rates, (0.0, dt), state.ravel(), method="RK45", rtol=rtol, atol=1e-10)
        if not solved.success:
            raise ArithmeticError(f"expected a solution up to step {k + 1}, got: {solved.message}")
        state = solved.y[:, -1].reshape(len(start), batch)
        out[:, k] = state[0]
    return out
