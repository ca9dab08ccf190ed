"""How far linear networks of a size stay from a copy of d channels by p steps, in words of length T of white noise: bounds and constructions.

The expected error of a linear network on white inputs is a quadratic function of its impulse response g_0, g_1, ...: from a zero state,
MSE = sum_k (T - k) |g_k - [k = p] I|^2 / (T d). Source: after lizaire26, Sec. 4.1; claims new.depth.finite-length and new.depth.approximate-copies.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from flint import fmpq

from ...numerics.exact import Array, as_float
from .networks import deep_near_copy


def lower_bound(units: int, d: int, p: int, T: int) -> float:
    """No linear network with so many units altogether has a smaller error.

    The map from the inputs up to time s to the outputs from s on has rank at most the number of units; the copy's has m d singular values 1, m the number of times t <= s
    with t + p >= s in the T steps. By Eckart and Young the squared distance is at least m d - units.
    """
    m = max(min(s, T - p) - max(1, s - p) + 1 for s in range(1, T + 1))
    return max(0.0, (m * d - units) / (T * d))


def copied_error(n: int, depth: int, d: int, p: int, T: int) -> float:
    """The error of copying as many channels as fit, p c <= L (n - c), and leaving the others at 0."""
    channels = min(d, depth * n // (p + depth))
    return (1 - channels / d) * (T - p) / T


def near_error(n: int, depth: int, d: int, p: int, T: int) -> float:
    """The error of copying with one wrong response, 10^-p at once, as many channels as fit, and leaving the others at 0 (new.depth.approximate-copies).

    A network of any size contains all that have fewer units in a layer, or fewer layers.
    """
    for channels in range(d, 0, -1):
        for layers in (k for k in range(1, depth + 1) if p % k == 0):
            units = p // layers
            if units * channels <= n and (units % 2 == 0 or channels % 2 == 0 or layers <= 2):
                error = _near_copy_error(units * channels, layers, channels, p, T)
                return error * channels / d + (1 - channels / d) * (T - p) / T
    return (T - p) / T


def _near_copy_error(n: int, depth: int, d: int, p: int, T: int) -> float:
    network = deep_near_copy(n, depth, fmpq(10), d)
    weights = [as_float(M) for M in (*(M for layer in network.layers for M in layer), network.readout)]
    return expected_error(impulse_response(weights, depth, d, T), p)


def impulse_response(weights: Sequence[Array], depth: int, d: int, T: int) -> Array:
    """The responses g_0, ..., g_(T-1), shape (T, d, outputs), of the network U_1, V_1, ..., U_L, V_L, readout."""
    layer = [np.eye(d)] + [np.zeros((d, d))] * (T - 1)
    for U, V in zip(weights[: 2 * depth : 2], weights[1 : 2 * depth : 2], strict=True):
        h, out = np.zeros((d, len(V))), []
        for x in layer:
            h = h @ V.T + x @ U.T
            out.append(h)
        layer = out
    return np.stack(layer) @ weights[-1].T


def expected_error(response: Array, p: int) -> float:
    """sum_k (T - k) |g_k - [k = p] I|^2 / (T d), from the response (T, d, d) to a unit impulse in each channel."""
    T, d, _ = response.shape
    target = np.zeros_like(response)
    target[p] = np.eye(d)
    return float(((response - target) ** 2).sum((1, 2)) @ np.arange(T, 0, -1) / (T * d))
