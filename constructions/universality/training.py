"""Fitting a linear recurrence and a head to data, in NumPy and SciPy: least squares for the readout, quasi-Newton for the rest (orvieto24, Sec. 4.3, App. E.3).

Small and deterministic, for figures; the readout is always solved for (variable projection), so only eigenvalues, or the inner weights of a head, are searched for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares, minimize

from ...numerics.exact import Array


@dataclass(frozen=True)
class Memory:
    """x_k = diag(eigenvalues) x_(k-1) + v_k + bias from x_0 = 0: ``eigenvalues`` (N,) complex, ``bias`` (N,) the encoder's."""

    eigenvalues: Array
    bias: Array

    def features(self, inputs: Array) -> Array:
        """(Re x, Im x) scaled by (1 - |lambda|), as the LRU does, and 1, after every step of ``inputs`` (batch, L); shape (batch, L, 2N + 1)."""
        batch, length = inputs.shape
        scale = 1 - np.abs(self.eigenvalues)
        state = np.zeros((batch, len(self.eigenvalues)), dtype=complex)
        out = np.ones((batch, length, 2 * len(self.eigenvalues) + 1))
        for k in range(length):
            state = state * self.eigenvalues + inputs[:, k : k + 1] + self.bias
            out[:, k, :-1] = np.concatenate([(state * scale).real, (state * scale).imag], axis=1)
        return out


def ring(rng: np.random.Generator, count: int, r_min: float = 0.9, r_max: float = 0.999, widest: float = 0.6) -> Memory:
    """Random eigenvalues with r_min <= |lambda| <= r_max and angles up to ``widest``, in the upper half plane: conjugates come free for real inputs."""
    radius = np.sqrt(rng.uniform(r_min**2, r_max**2, count))
    return Memory(radius * np.exp(1j * rng.uniform(0, widest, count)), rng.standard_normal(count))


def readout(features: Array, targets: Array, weight: float = 1e-8) -> Array:
    """Least squares with a small ridge: weights for the last axis of ``features``."""
    flat, y = features.reshape(-1, features.shape[-1]), targets.ravel()
    gram = flat.T @ flat
    return np.linalg.solve(gram + weight * np.trace(gram) / len(gram) * np.eye(len(gram)), flat.T @ y)


def learn_eigenvalues(memory: Memory, inputs: Array, targets: Array, rounds: int = 8) -> Memory:
    """Eigenvalues exp(-exp(a) + i b) that let a linear readout do best; ``rounds`` steps of least squares over a and b, starting from ``memory``."""
    n = len(memory.eigenvalues)

    def at(parameters: Array) -> Memory:
        return Memory(np.exp(-np.exp(parameters[:n]) + 1j * parameters[n:]), memory.bias)

    def residuals(parameters: Array) -> Array:
        features = at(parameters).features(inputs)
        return (features @ readout(features, targets) - targets).ravel()

    start = np.concatenate([np.log(-np.log(np.abs(memory.eigenvalues))), np.angle(memory.eigenvalues)])
    found = least_squares(residuals, start, max_nfev=rounds, bounds=(start - 3, start + 3))
    return at(found.x)


@dataclass(frozen=True)
class Perceptron:
    """One hidden layer of tanh on scaled features: outer . tanh(inner z) + offset, z = features / scale."""

    inner: Array
    outer: Array
    offset: float
    scale: Array

    def __call__(self, features: Array) -> Array:
        return np.tanh((features / self.scale) @ self.inner.T) @ self.outer + self.offset


def learn_head(rng: np.random.Generator, features: Array, targets: Array, width: int, rounds: int = 150) -> Perceptron:
    """A head of ``width`` neurons for ``targets``, from random inner weights, by L-BFGS on the mean square error with exact gradients."""
    z, y = features.reshape(-1, features.shape[-1]), targets.ravel()
    # the last feature is the constant 1: its standard deviation is 0
    scale = np.where(z.std(axis=0) > 1e-12, z.std(axis=0), 1.0)
    z = z / scale
    d = z.shape[1]
    inner = rng.standard_normal((width, d)) / np.sqrt(d)
    hidden = np.column_stack([np.tanh(z @ inner.T), np.ones(len(z))])
    c = readout(hidden, y, 1e-6)

    def loss(parameters: Array) -> tuple[float, Array]:
        W, outer, offset = parameters[: width * d].reshape(width, d), parameters[width * d : -1], parameters[-1]
        h = np.tanh(z @ W.T)
        error = (h @ outer + offset - y) / len(y)
        back = np.outer(error, outer) * (1 - h * h)
        return float(error @ error) * len(y) / 2, np.concatenate([(back.T @ z).ravel(), h.T @ error, [error.sum()]])

    found = minimize(loss, np.concatenate([inner.ravel(), c]), jac=True, method="L-BFGS-B", options={"maxiter": rounds}).x
    return Perceptron(found[: width * d].reshape(width, d), found[width * d : -1], float(found[-1]), scale)


def slow_inputs(rng: np.random.Generator, count: int, length: int, amplitude: float, waves: int = 6) -> Array:
    """Random sums of ``waves`` slow cosines over the interval, normal coefficients; shape (count, length)."""
    basis = np.cos(np.pi * np.outer(np.arange(waves), (np.arange(length) + 0.5) / length))
    return amplitude * rng.standard_normal((count, waves)) @ basis / np.sqrt(waves)


def relative_error(found: Array, targets: Array) -> float:
    """Root mean square error, relative to the standard deviation of ``targets`` about their mean over the batch at each step."""
    return float(np.sqrt(((found - targets) ** 2).mean() / ((targets - targets.mean(axis=0)) ** 2).mean()))
