"""The recurrence that the kernels compute, twice: in scaled integers and, with other code, in fractions.

S_t = a_t (I - beta_t k_t k_t^T) S_(t-1) + beta_t k_t v_t^T and o_t = scale S_t^T q_t. S is K x V, the gate a_t acts first, and is a number or a number
for each row of S. Without the delta rule S_t = a_t S_(t-1) + k_t v_t^T. Sources: Yang et al. 2024 (DeltaNet, Gated DeltaNet), Yang et al. 2023 (GLA).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

#: fractional bits that scaled integers keep
BITS = 12


def scaled(x: np.ndarray) -> np.ndarray:
    """The numbers times 2^BITS, as 64-bit integers. Raises ``ArithmeticError`` if one needs more bits."""
    out = np.rint(np.asarray(x, dtype=np.float64) * 2.0**BITS)
    if not np.array_equal(out, np.asarray(x, dtype=np.float64) * 2.0**BITS) or np.abs(out).max(initial=0) >= 2.0**40:
        raise ArithmeticError(f"expected numbers of at most {BITS} fractional bits, got finer or larger ones")
    return out.astype(np.int64)


def unscaled(x: np.ndarray) -> np.ndarray:
    """Sums of products of scaled integers, scaled once. Raises ``ArithmeticError`` if they need more bits."""
    if (x & ((1 << BITS) - 1)).any():
        raise ArithmeticError(f"expected products of at most {BITS} fractional bits, got finer ones")
    return x >> BITS


def times(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The entrywise product of scaled integers. Raises ``ArithmeticError`` if it needs more bits."""
    return unscaled(x * y)


def in_integers(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, beta: np.ndarray, gate: np.ndarray, start: np.ndarray, scale: float, delta: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Outputs (T, V) and states (T, K, V) of one head, exactly.

    Shapes: q, k (T, K); v (T, V); beta (T,); gate (T,) or (T, K); start (K, V). ``beta`` is not read without the delta rule.
    Raises ``ArithmeticError`` if a number needs more than ``BITS`` fractional bits.
    """
    q, k, v, beta, gate, S, scale_ = (scaled(x) for x in (q, k, v, beta, gate, start, np.array(scale)))
    outputs, states = [], []
    for t in range(len(q)):
        if (gate[t] != 1 << BITS).any():
            S = times(np.atleast_1d(gate[t])[:, None], S)
        value = times(beta[t], v[t] - unscaled(k[t] @ S)) if delta else v[t]
        S = S + times(k[t][:, None], value[None, :])
        outputs.append(times(scale_, unscaled(q[t] @ S)))
        states.append(S)
    return np.array(outputs) / 2.0**BITS, np.array(states) / 2.0**BITS


def in_fractions(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, beta: np.ndarray, gate: np.ndarray, start: np.ndarray, scale: float, delta: bool
) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """Outputs and the last state of one head, with the transition as a matrix: A = (I - beta k k^T) diag(a), S <- A S + w v^T."""
    rows, columns = range(start.shape[0]), range(start.shape[1])
    transitions, writes = [], []
    for t in range(len(q)):
        key, value = ([Fraction(float(x)) for x in a[t]] for a in (k, v))
        gates = [Fraction(float(x)) for x in np.broadcast_to(gate[t], start.shape[:1])]
        strength = Fraction(float(beta[t])) if delta else Fraction(1)
        erased = strength if delta else Fraction(0)
        transitions.append([[((i == j) - erased * key[i] * key[j]) * gates[j] for j in rows] for i in rows])
        writes.append([[strength * key[i] * value[c] for c in columns] for i in rows])
    return with_transitions(q, transitions, writes, start, scale)


def with_two_keys(
    r: np.ndarray, k: np.ndarray, v: np.ndarray, a: np.ndarray, b: np.ndarray, start: np.ndarray, scale: float
) -> tuple[np.ndarray, np.ndarray]:
    """Outputs (T, V) and states (T, K, V) of one head of RWKV-7 with gates 1: S + b (a^T S) + k v^T, exactly. Raises as :func:`in_integers`."""
    r, k, v, a, b, S, scale_ = (scaled(x) for x in (r, k, v, a, b, start, np.array(scale)))
    outputs, states = [], []
    for t in range(len(r)):
        S = S + times(b[t][:, None], unscaled(a[t] @ S)[None, :]) + times(k[t][:, None], v[t][None, :])
        outputs.append(times(scale_, unscaled(r[t] @ S)))
        states.append(S)
    return np.array(outputs) / 2.0**BITS, np.array(states) / 2.0**BITS


def with_transitions(
    q: np.ndarray, A: list[list[list[Fraction]]], writes: list[list[list[Fraction]]], start: np.ndarray, scale: float
) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """Outputs and the last state of S <- A_t S + W_t in fractions, for matrices A_t and W_t: every rule's second opinion."""
    S = [[Fraction(float(x)) for x in row] for row in start]
    rows, columns, outputs = range(len(S)), range(len(S[0])), []
    for query, transition, write in zip(q, A, writes, strict=True):
        S = [[sum((transition[i][j] * S[j][c] for j in rows if transition[i][j]), write[i][c]) for c in columns] for i in rows]
        coefficients = [Fraction(float(x)) for x in query]
        outputs.append(
            [Fraction(float(scale)) * sum((coefficients[i] * S[i][c] for i in rows if coefficients[i]), Fraction(0)) for c in columns]
        )
    return outputs, S
