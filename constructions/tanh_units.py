"""What one layer of tanh units can do on the tasks of lizaire26, Figs. 7 and 8, by weights that are written down: errors by width.

Every channel has its own units, so a layer of width n has n // d of them for each of d channels.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import binom

from ..numerics.exact import Array


def sine_error(units: int, omega: float) -> float:
    """The mean squared error of sum_j c_j tanh(s (x - j pi / omega)) + c for sin(omega x) on x from N(0, 1).

    The steps stand at the zeros of the sine, symmetrically around 0 (between two zeros if their number is even); c_j by least squares, s the best of a grid.
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(200)
    root = np.sqrt(weights / weights.sum())
    target = np.sin(omega * nodes) * root
    places = (np.arange(units) - (units - 1) // 2) * np.pi / omega
    errors = [float(target @ target)]
    for steepness in omega * np.linspace(0.25, 1.5, 26):
        features = np.column_stack([np.tanh(steepness * (nodes[:, None] - places)), np.ones_like(nodes)]) * root[:, None]
        residual = target - features @ np.linalg.lstsq(features, target, rcond=None)[0]
        errors.append(float(residual @ residual))
    return min(errors)


def counted_parity_error(units: int, T: int, steepness: float = 20.0) -> float:
    """The mean squared error of one linear counting layer, tanh on its outputs and a linear readout for x_1 ... x_t, t = 1 .. T: T units give every sum its sign.

    Input weight -1/2 and bias 1/2 count the minus signs, k, and (-1)^k = 1 + sum_j (-1)^(j+1) (tanh(c (k - j - 1/2)) + 1), j = 0 .. T - 1. With fewer than T
    units the last steps are left out. The expectation over random words is exact: k is binomial.
    """
    total = 0.0
    for t in range(1, T + 1):
        k = np.arange(t + 1)
        output = 1 + sum((-1.0) ** (j + 1) * (np.tanh(steepness * (k - j - 0.5)) + 1) for j in range(min(units, T)))
        total += float(binom.pmf(k, t, 0.5) @ (output - (-1.0) ** k) ** 2)
    return total / T


def recurrent_parity_layer(steepness: float = 20.0) -> tuple[Array, Array, Array, Array, Array, float]:
    """(V, U, b, h_0, w, c): two units h = tanh(V h + U x + b) whose readout y = w h + c is x_1 ... x_t at every length, up to 4 exp(-2 steepness).

    h_1 = tanh(s (x + y - 1)) is near 1 if x = y = 1, else near -1; h_2 = tanh(s (x + y + 1)) is near -1 if x = y = -1, else near 1; so x y is near
    h_1 - h_2 + 1. The start h = 0 has y = 1.
    """
    w, ones = np.array([1.0, -1.0]), np.ones(2)
    return steepness * np.outer(ones, w), steepness * ones, steepness * np.array([0.0, 2.0]), 0 * ones, w, 1.0


def recurrent_parity_error(T: int, steepness: float = 20.0, words: int = 256) -> float:
    """The mean squared error of :func:`recurrent_parity_layer` on random words of length T."""
    V, U, b, h, w, c = recurrent_parity_layer(steepness)
    x = np.random.default_rng(0).choice([-1.0, 1.0], (words, T))
    total, h = 0.0, np.tile(h, (words, 1))
    for t in range(T):
        h = np.tanh(h @ V.T + x[:, t, None] * U + b)
        total += float(((h @ w + c - x[:, : t + 1].prod(1)) ** 2).mean())
    return total / T
