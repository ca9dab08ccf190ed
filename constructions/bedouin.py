"""The Bedouin iteration (movahedi25, Eq. 5, 6, 9 and App. D): matrix states, of which only the contraction y = C^T h goes through the mixer.

With decay lambda_t of shape (n, d), Delta_t (d,), B_t and C_t (n,), Q_t (d, d) and x_t (d,), one pass is

    h_t = lambda_t * h_{t-1} + B_t (Delta_t Q_t x_t)^T + B_t (Delta_t (I - Q_t) y_t)^T,    y_t^T = C_t^T h_t,

where the y on the right is the previous pass's. Eq. 5 is Delta = 1; n is the state size, d the inner size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..numerics import exact
from ..numerics.exact import Array


@dataclass(frozen=True)
class BedouinToken:
    """``decay`` (n, d), ``delta`` (d,), ``B`` (n,), ``C`` (n,), ``mixer`` (d, d), ``x`` (d,)."""

    decay: Array
    delta: Array
    B: Array
    C: Array
    mixer: Array
    x: Array


def bedouin_pass(tokens: Sequence[BedouinToken], y: Array) -> tuple[Array, Array]:
    """One pass of Eq. 6 from the outputs ``y`` (T, d) of the pass before: (states (T, n, d), outputs (T, d))."""
    inputs = [t.mixer @ t.x + previous - t.mixer @ previous for t, previous in zip(tokens, y, strict=True)]
    return mamba_pass(tokens, inputs)


def mamba_pass(tokens: Sequence[BedouinToken], inputs: Sequence[Array]) -> tuple[Array, Array]:
    """Eq. 8 with the given inputs (d,) in place of x; Eq. 9 says that Bedouin is this with Q (x - y) + y."""
    state = tokens[0].decay * 0
    states, outputs = [], []
    for t, x in zip(tokens, inputs, strict=True):
        state = t.decay * state + np.outer(t.B, t.delta * x)
        states.append(state)
        outputs.append(t.C @ state)
    return np.array(states), np.array(outputs)


def bedouin_fixed_point(tokens: Sequence[BedouinToken]) -> Array:
    """The outputs y at the fixed point, exactly: (I - C.B Delta (I - Q)) y_t = C^T (lambda * h_{t-1}) + C.B Delta Q x; raises ``ValueError`` if singular."""
    state, outputs = tokens[0].decay * 0, []
    for t in tokens:
        one, overlap = exact.identity(len(t.x)), t.C @ t.B
        loop = one - overlap * (t.delta[:, None] * (one - t.mixer))
        kept = t.decay * state
        y = exact.inverse(loop) @ (t.C @ kept + overlap * t.delta * (t.mixer @ t.x))
        state = kept + np.outer(t.B, t.delta * (t.mixer @ t.x + y - t.mixer @ y))
        outputs.append(y)
    return np.array(outputs)


def loop_matrix(tokens: Sequence[BedouinToken]) -> Array:
    """The linear part of the pass y -> y as one matrix, shape (T d, T d): the iteration's own transition in depth."""
    length, d = len(tokens), len(tokens[0].x)
    silent = [BedouinToken(t.decay, t.delta, t.B, t.C, t.mixer, t.x * 0) for t in tokens]
    columns = []
    for k in range(length * d):
        y = exact.unit_vector(length * d, k).reshape(length, d)
        columns.append(bedouin_pass(silent, y)[1].reshape(-1))
    return np.array(columns, dtype=object).T
