"""Vectors of rules with inputs of their own: Mamba-2 (dt, A, B, C), RWKV-7 (a and b beside the key), complex diagonal recurrences.

Mamba-2: the gate is exp(dt A) and the write is dt B x^T, so at gate 1 nothing is written unless A is 0. RWKV-7: gates are 1 here, for gates of 0 and 1/2
leave the range that its kernels take. Complex diagonal: transitions are 0, 1, -1, i and -i, handed over as complex numbers. A kernel that takes an angle
has no exact inputs but 0, since the cosine of a rounded right angle is not 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from .base import BOUND, LENGTHS, Vector, generator
from .recurrence import in_integers, with_two_keys

OTHER_RULES = ("mamba2", "rwkv7", "complex-diagonal")

EVERY = ("float32", "float16", "bfloat16")

#: the logarithm of 1/2 as kernels have it
HALVING = float(np.float32(np.log(0.5)))


@dataclass(frozen=True)
class Other:
    """How the inputs of a vector are drawn. ``draws`` takes (rule, feature, this); ``A``: of Mamba-2's heads in turn; the rest as in ``vectors.Plan``."""

    draws: Callable[[str, str, Other], Vector] = field(repr=False)
    T: int = 130
    batch: int = 1
    heads: int = 2
    groups: int = 1
    K: int = 16
    V: int = 16
    start: bool = False
    scale: float = 1.0
    cuts: tuple[int, ...] = ()
    padding: int = 0
    every: bool = False
    A: tuple[float, ...] = (0.0, -1024.0)
    steps: tuple[str, ...] = ("swap", "antiswap", "write", "flip", "hold")
    constant: bool = False
    formats: tuple[str, ...] = EVERY
    stress: str = ""

    def draw(self, rule: str, feature: str) -> Vector:
        """The vector of a rule and a feature; the same numbers every time."""
        return self.draws(rule, feature, self)

    def spans(self) -> list[tuple[int, int, int]]:
        """(row, first step, end) of each sequence."""
        return [(0, a, b) for a, b in pairwise(self.cuts)] if self.cuts else [(b, 0, self.T) for b in range(self.batch)]

    def lengths(self) -> list[int]:
        """The lengths whose final states are known."""
        if self.cuts:
            return [self.cuts[-1]]
        return list(range(1, self.T + 1)) if self.every else sorted({*(n for n in LENGTHS if n <= self.T), self.T})

    def row(self, length: int, first: int, last: int) -> int:
        """The number of a sequence's last step at a length."""
        return (last - first if self.cuts else length) - 1


def other_plans() -> dict[tuple[str, str], Other]:
    """(rule, feature) -> how it is drawn."""
    packed = (0, 1, 16, 80, 145, 162)

    def common(draws: Callable[[str, str, Other], Vector], **changes: Any) -> dict[str, Other]:
        plan = Other(draws, **changes)
        return {
            "chunk border": replace(plan, T=1000),
            "long": replace(plan, T=4096),
            "initial state": replace(plan, start=True),
            "batch": replace(plan, batch=3, start=True),
            "packed sequences": replace(plan, cuts=packed, T=packed[-1], start=True),
            "left padding": replace(plan, padding=37),
            "several tiles": replace(plan, K=256, V=32, T=70, heads=2, start=True),
            "wide values": replace(plan, V=192, T=70, start=True),
            "every split": replace(plan, T=66, start=True, every=True),
        }

    late = "gate 1/2 through exp2 may be off by a unit in float32"
    mamba = common(mamba2) | {
        "sum": Other(mamba2, A=(0.0,)),
        "reset": Other(mamba2, A=(-1024.0,), start=True),
        "halving": Other(mamba2, A=(HALVING,), start=True, T=1000, formats=EVERY[1:], stress=late),
        "grouped heads": Other(mamba2, heads=2, groups=2, start=True),
    }
    rwkv = common(rwkv7) | {
        "scale": Other(rwkv7, scale=0.5),
        "swap": Other(rwkv7, steps=("swap", "antiswap"), start=True),
        "negative eigenvalue": Other(rwkv7, steps=("flip",), start=True),
        "hold": Other(rwkv7, steps=("write", "hold"), start=True),
    }
    turning = common(complex_diagonal, formats=("float32",)) | {
        "constant transition": Other(complex_diagonal, constant=True, start=True, formats=("float32",)),
    }
    del turning["wide values"]
    chosen = {"mamba2": mamba, "rwkv7": rwkv, "complex-diagonal": turning}
    return {(rule, feature): plan for rule, features in chosen.items() for feature, plan in features.items()}


def _key(kind: str, rng: np.random.Generator, K: int) -> np.ndarray:
    """e_i, e_i + e_j or e_i - e_j, with a sign."""
    key = np.zeros(K)
    i, j = rng.choice(K, 2, replace=False)
    key[i] = rng.choice([-1.0, 1.0])
    key[j] = {"minus": -key[i], "plus": key[i]}.get(kind, 0.0)
    return key


def _query(rng: np.random.Generator, K: int) -> np.ndarray:
    """Three entries: +-1, +-1, +-2."""
    out = np.zeros(K)
    out[rng.choice(K, 3, replace=False)] = rng.choice([-1.0, 1.0], 3) * rng.permutation([1.0, 1.0, 2.0])
    return out


def fitting(rng: np.random.Generator, base: np.ndarray, c: np.ndarray, bound: float = BOUND, most: float = 9.0) -> np.ndarray:
    """Integers v, as random as |base + c v| <= bound allows in every row; 0 where nothing fits. Even ones where c is 1/2."""
    grain = 2.0 if abs(c[0]) == 0.5 else 1.0
    ends = np.sort(np.array([-bound - base, bound - base]) / c[:, None], axis=0)
    low, high = np.maximum(ends[0].max(axis=0), -most), np.minimum(ends[1].min(axis=0), most)
    low, high = np.ceil(low / grain), np.floor(high / grain)
    drawn = np.floor(low + rng.random(base.shape[1]) * (high - low + 1))
    return np.where(high < low, 0.0, np.clip(drawn, low, np.maximum(low, high)) * grain)


def _starts(rng: np.random.Generator, plan: Other, *shape: int) -> np.ndarray:
    return rng.integers(-BOUND, BOUND + 1, shape).astype(float) if plan.start else np.zeros(shape)


# -- Mamba-2 -----------------------------------------------------------------------------------------------------------------


def mamba2(rule: str, feature: str, plan: Other) -> Vector:
    """h_t = exp(dt_t A) h_(t-1) + dt_t x_t B_t^T and y_t = h_t C_t (Dao and Gu 2024). Groups of heads share B and C.

    Arrays: x (B, T, H, P), dt (B, T, H), A (H,), B and C (B, T, G, N), h0 (sequences, H, P, N), o (B, T, H, P), states (lengths, sequences, H, P, N).
    """
    rng = generator(rule, feature)
    G, H, N, P, T, spans = plan.heads, plan.heads * plan.groups, plan.K, plan.V, plan.T, plan.spans()
    A = np.array([plan.A[h % len(plan.A)] for h in range(H)])
    x: dict[str, np.ndarray] = {
        "x": np.zeros((plan.batch, T, H, P)),
        "dt": np.zeros((plan.batch, T, H)),
        "A": A,
        "B": np.zeros((plan.batch, T, G, N)),
        "C": np.zeros((plan.batch, T, G, N)),
        "h0": _starts(rng, plan, len(spans), H, P, N),
        "o": np.zeros((plan.batch, T, H, P)),
        "states": np.zeros((len(plan.lengths()), len(spans), H, P, N)),
    }
    for n, (b, first, last) in enumerate(spans):
        steps = slice(first, last)
        for g in range(G):
            for t in range(first, last):
                x["B"][b, t, g] = _key(("add", "plus", "minus")[rng.integers(3)], rng, N)
                x["C"][b, t, g] = _query(rng, N)
            for h in range(g * plan.groups, (g + 1) * plan.groups):
                B, C, start = x["B"][b, steps, g], x["C"][b, steps, g], x["h0"][n, h].T
                x["dt"][b, steps, h], x["x"][b, steps, h] = _mamba2_head(rng, plan, float(A[h]), B, start)
                gate = gates_of(x["dt"][b, steps, h], float(A[h]))
                write = x["dt"][b, steps, h, None] * x["x"][b, steps, h]
                o, states = in_integers(C, B, write, np.ones(len(B)), gate, start, 1.0, False)
                x["o"][b, steps, h] = o
                for row, length in enumerate(plan.lengths()):
                    x["states"][row, n, h] = states[plan.row(length, first, last)].T
    return _vector(rule, feature, plan, x, ("x step", "dt step", "A", "B step", "C step"))


def gates_of(dt: np.ndarray, A: float) -> np.ndarray:
    """exp(dt A) as it is meant: 1, 1/2 or 0."""
    return np.where(dt * A == 0, 1.0, np.where(dt * A == HALVING, 0.5, 0.0))


def _mamba2_head(rng: np.random.Generator, plan: Other, A: float, B: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """dt and x of one head; where dt is 0 a value must not count."""
    S, since = start.copy(), 40
    dt, x = np.zeros(len(B)), rng.integers(-BOUND, BOUND + 1, (len(B), plan.V)).astype(float)
    for t in range(len(B)):
        since += 1
        if t < plan.padding:
            continue
        if A == 0:
            dt[t] = rng.choice([0.0, 0.5, 1.0, 2.0], p=[0.1, 0.2, 0.5, 0.2])
        elif A == HALVING:
            # 1/2 at most once in 64 steps, where the state keeps at most two fractional bits
            dt[t] = float(since >= 64 and not (S * 4 % 2).any() and (t + 1 in LENGTHS or rng.random() < 0.02))
            since = 0 if dt[t] else since
        else:
            dt[t] = rng.choice([0.0, 1.0, 2.0], p=[0.7, 0.2, 0.1])
        if dt[t]:
            S = S * gates_of(dt[t : t + 1], A)[0]
            rows = np.flatnonzero(B[t])
            x[t] = fitting(rng, S[rows], dt[t] * B[t][rows])
            S = S + dt[t] * np.outer(B[t], x[t])
    return dt, x


# -- RWKV-7 ------------------------------------------------------------------------------------------------------------------


def rwkv7(rule: str, feature: str, plan: Other) -> Vector:
    """S_t = diag(e^w_t) S_(t-1) + b_t (a_t^T S_(t-1)) + k_t v_t^T and o_t = scale S_t^T r_t (Peng et al. 2025), with w = 0, a = -c and b = beta c.

    Arrays: r, w, k, a, b (B, T, H, K), v (B, T, H, V), h0 (sequences, H, K, V), o (B, T, H, V), states (lengths, sequences, H, K, V).
    """
    from .vectors import step

    rng = generator(rule, feature)
    H, K, V, T, spans = plan.heads, plan.K, plan.V, plan.T, plan.spans()
    x: dict[str, np.ndarray] = {name: np.zeros((plan.batch, T, H, K)) for name in ("r", "w", "k", "a", "b")}
    x |= {
        "v": np.zeros((plan.batch, T, H, V)),
        "h0": _starts(rng, plan, len(spans), H, K, V),
        "o": np.zeros((plan.batch, T, H, V)),
        "states": np.zeros((len(plan.lengths()), len(spans), H, K, V)),
    }
    for n, (b, first, last) in enumerate(spans):
        steps = slice(first, last)
        for h in range(H):
            S = x["h0"][n, h].copy()
            for t in range(first, last):
                at = (b, t, h)
                key, beta = step(plan.steps[rng.integers(len(plan.steps))], rng, K)
                x["r"][at], x["a"][at] = _query(rng, K), -key
                if t - first < plan.padding:
                    continue
                x["k"][at], x["b"][at] = _key(("add", "plus", "minus")[rng.integers(3)], rng, K), beta * key
                base = S + np.outer(x["b"][at], x["a"][at] @ S)
                rows = np.flatnonzero(x["k"][at])
                x["v"][at] = fitting(rng, base[rows], x["k"][at][rows])
                S = base + np.outer(x["k"][at], x["v"][at])
            r, k, v, left, right = (x[name][b, steps, h] for name in ("r", "k", "v", "a", "b"))
            x["o"][b, steps, h], states = with_two_keys(r, k, v, left, right, x["h0"][n, h], plan.scale)
            for row, length in enumerate(plan.lengths()):
                x["states"][row, n, h] = states[plan.row(length, first, last)]
    return _vector(rule, feature, plan, x, ("r step", "w step", "k step", "v step", "a step", "b step", "scale"))


# -- complex diagonal recurrences --------------------------------------------------------------------------------------------


def complex_diagonal(rule: str, feature: str, plan: Other) -> Vector:
    """h_t = a_t h_(t-1) + u_t, entry by entry, with a among 0, 1, -1, i, -i and Gaussian integers u. The outputs are the states.

    Arrays: a, u, o (B, T, H, K), h0 (sequences, H, K), states (lengths, sequences, H, K), all complex. Every part of the sequence maps h to
    a h + u' with u' = h_t - a h_s, so a scan meets parts of at most twice the bound in any order.
    """
    rng = generator(rule, feature)
    H, K, T, spans = plan.heads, plan.K, plan.T, plan.spans()
    turns = np.array([1, 1j, -1, -1j, 0])
    a = turns[rng.choice(5, (plan.batch, T, H, K), p=[0.24, 0.24, 0.24, 0.24, 0.04])]
    if plan.constant:
        a = np.broadcast_to(turns[rng.choice(4, (1, 1, H, K))], a.shape).copy()
    u, o = np.zeros_like(a), np.zeros_like(a)
    h0 = _starts(rng, plan, len(spans), H, K) + 1j * _starts(rng, plan, len(spans), H, K)
    states = np.zeros((len(plan.lengths()), len(spans), H, K), dtype=complex)
    for n, (b, first, last) in enumerate(spans):
        h = h0[n]
        for t in range(first, last):
            turned = a[b, t] * h
            if t - first >= plan.padding:
                drawn = rng.integers(-BOUND, BOUND + 1, (2, H, K))
                u[b, t] = drawn[0] - turned.real + 1j * (drawn[1] - turned.imag)
            else:
                a[b, t], turned = 1, h
            h = turned + u[b, t]
            o[b, t] = h
        for row, length in enumerate(plan.lengths()):
            states[row, n] = o[b, first + plan.row(length, first, last)]
    return _vector(rule, feature, plan, {"a": a, "u": u, "h0": h0, "o": o, "states": states}, ("a step", "u step"))


def _vector(rule: str, feature: str, plan: Other, x: dict[str, np.ndarray], arguments: tuple[str, ...]) -> Vector:
    """The arrays in single precision, with lengths and borders."""
    arrays = {name: a.astype(np.complex64 if np.iscomplexobj(a) else np.float32) for name, a in x.items()}
    arrays |= {"lengths": np.array(plan.lengths()), "cu_seqlens": np.array(plan.cuts, dtype=np.int64)}
    return Vector(rule, feature, arrays, plan.scale, formats=plan.formats, stress=plan.stress, arguments=arguments)
