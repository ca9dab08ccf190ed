"""Transition matrices of the layers in use, as functions of what the layer computes from a token (grazzi25, Table 1)."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray


def delta_rule(beta: Any, k: Array) -> Array:
    """DeltaNet: I - beta k k^T, k not normalised (Table 1)."""
    one = np.array([[int(i == j) for j in range(len(k))] for i in range(len(k))], dtype=object)
    return one - beta * np.outer(k, k)


def gla(alpha: Array) -> Array:
    """GLA: Diag(alpha), entries of alpha in (0, 1)."""
    return _diagonal(alpha)


def mamba(delta: Array, w: Array) -> Array:
    """Mamba, one row of the state: Diag(exp(-delta exp(w))) with delta > 0, entrywise."""
    import sympy

    return _diagonal(np.array([sympy.exp(-d * sympy.exp(x)) for d, x in zip(delta, w, strict=True)], dtype=object))


def bmru(gate: Array) -> Array:
    """Bistable memory recurrent unit: Diag(gate), gate entries 0 (overwrite) or 1 (keep) (degeeter26, Eq. 11)."""
    return _diagonal(gate)


def _diagonal(entries: Array) -> Array:
    out = np.zeros((len(entries), len(entries)), dtype=object)
    for i, x in enumerate(entries):
        out[i, i] = x
    return out
