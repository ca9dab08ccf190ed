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


def times(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The entrywise product of scaled integers. Raises ``ArithmeticError`` if it needs more bits."""
    product = x * y
    if (product & ((1 << BITS) - 1)).any():
        raise ArithmeticError(f"expected products of at most {BITS} fractional bits, got finer ones")
    return product >> BITS


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
        S = times(np.atleast_1d(gate[t])[:, None], S)
        if delta:
            error = v[t] - times(k[t][:, None], S).sum(axis=0)
            S = S + times(k[t][:, None], times(beta[t], error)[None, :])
        else:
            S = S + times(k[t][:, None], v[t][None, :])
        outputs.append(times(scale_, times(q[t][:, None], S).sum(axis=0)))
        states.append(S)
    return np.array(outputs) / 2.0**BITS, np.array(states) / 2.0**BITS


def in_fractions(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, beta: np.ndarray, gate: np.ndarray, start: np.ndarray, scale: float, delta: bool
) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """Outputs and the last state of one head, with the transition as a matrix: A = (I - beta k k^T) diag(a), S <- A S + w v^T."""
    rows, columns = range(start.shape[0]), range(start.shape[1])
    S = [[Fraction(float(x)) for x in row] for row in start]
    outputs = []
    for t in range(len(q)):
        key, value = ([Fraction(float(x)) for x in a[t]] for a in (k, v))
        gates = [Fraction(float(x)) for x in np.broadcast_to(gate[t], start.shape[:1])]
        strength = Fraction(float(beta[t])) if delta else Fraction(1)
        erased = strength if delta else Fraction(0)
        A = [[((i == j) - erased * key[i] * key[j]) * gates[j] for j in rows] for i in rows]
        S = [[sum((A[i][j] * S[j][c] for j in rows if A[i][j]), strength * key[i] * value[c]) for c in columns] for i in rows]
        query = [Fraction(float(x)) for x in q[t]]
        outputs.append([Fraction(float(scale)) * sum((query[i] * S[i][c] for i in rows if query[i]), Fraction(0)) for c in columns])
    return outputs, S
