"""The vectors: for each rule and each feature of a kernel one file of inputs, with the exact outputs and states.

Keys are e_i, e_i - e_j or e_i + e_j with beta 1, e_i with beta 2, 2 e_i with beta 1/4, or doubled ones of norm 1 with beta 2. So each step clears, negates
or exchanges coordinates of the state, and :mod:`.audit` shows that the chunked form stays in few bits. Values are drawn so that the state stays small.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from .base import BOUND, LENGTHS, LOG_GATES, Vector, generator
from .other_rules import OTHER_RULES, other_plans
from .recurrence import in_integers

RULES = ("linear", "scalar-gate", "channel-gate", "delta", "gated-delta", "products", "kda", *OTHER_RULES)

#: rules that correct what the state gives for a key
DELTA = ("delta", "gated-delta", "products", "kda")

#: rules with a gate for each key channel
CHANNEL = ("channel-gate", "kda")

#: the steps that are exact at every length
STEPS = ("swap", "antiswap", "write", "flip", "large", "hold")


def step(kind: str, rng: np.random.Generator, K: int) -> tuple[np.ndarray, float]:
    """A key and its beta: what I - beta k k^T does to the coordinates is the name of the step."""
    half = kind == "unit"
    i, j = rng.choice(K // 2 if half else K, 2, replace=False)
    sign, key = rng.choice([-1.0, 1.0]), np.zeros(K)
    if kind in ("write", "reset", "flip", "add"):
        key[i] = sign
    elif kind == "large":
        key[i] = 2 * sign
    elif kind in ("swap", "hold", "minus"):
        key[i], key[j] = sign, -sign
    elif kind in ("antiswap", "plus"):
        key[i], key[j] = sign, sign
    elif half:
        # both halves of the state are the same; the key has norm 1
        key[[i, K // 2 + i]], key[[j, K // 2 + j]] = sign / 2, -sign / 2
    else:
        raise ValueError(f"expected a step among {', '.join(STEPS)}, reset, unit, add, plus, minus, got {kind!r}")
    return key, {"flip": 2.0, "unit": 2.0, "hold": 0.0, "large": 0.25}.get(kind, 1.0)


@dataclass(frozen=True)
class Plan:
    """How the inputs of a vector are drawn.

    ``steps`` to choose from; ``gates`` beside 1; ``start``: a state that is not 0; ``cuts``: borders of packed sequences; ``padding``: steps on the left
    that do nothing; ``stretch``: keys and queries are so much longer and the kernel normalises them; ``bound``: of the state's entries, where beyond
    ``BOUND`` the first half of the key channels is written and the second half is read; ``every``: the state is known after every step.
    """

    steps: tuple[str, ...] = STEPS
    gates: tuple[float, ...] = ()
    T: int = 130
    batch: int = 1
    heads: int = 2
    groups: int = 1
    K: int = 16
    V: int = 16
    start: bool = False
    scale: float | None = None
    cuts: tuple[int, ...] = ()
    padding: int = 0
    micro: int = 1
    stretch: int = 1
    bound: int = BOUND
    every: bool = False
    formats: tuple[str, ...] = ("float32", "float16", "bfloat16")
    stress: str = ""

    def draw(self, rule: str, feature: str) -> Vector:
        """The vector of a rule and a feature; the same numbers every time."""
        return _drawn(rule, feature, self)


def plans() -> dict[tuple[str, str], Plan]:
    """(rule, feature) -> how it is drawn."""
    sums, every = ("add", "plus", "minus"), ("float32", "float16", "bfloat16")
    packed = (0, 1, 16, 80, 145, 162)
    late = "gate 1/2 through exp2 may be off by a unit in float32"
    common: dict[str, Plan] = {
        "chunk border": Plan(T=1000),
        "long": Plan(T=4096),
        "initial state": Plan(start=True),
        "scale": Plan(scale=0.5),
        "batch": Plan(batch=3, start=True),
        "packed sequences": Plan(cuts=packed, start=True),
        "grouped heads": Plan(groups=2, start=True),
        "several tiles": Plan(K=256, V=32, T=70, heads=1, start=True),
        "left padding": Plan(padding=37),
        "wide values": Plan(V=192, T=70, heads=1, start=True),
        "every split": Plan(T=66, start=True, every=True),
        "state of ten bits": Plan(start=True, bound=1000, formats=every[:2], stress="bfloat16 holds where the state is kept in float32"),
    }
    delta: dict[str, Plan] = {
        "write": Plan(steps=("write",)),
        "hold": Plan(steps=("write", "hold")),
        "reset": Plan(steps=("write", "reset"), start=True),
        "swap": Plan(steps=("swap", "antiswap"), start=True),
        "negative eigenvalue": Plan(steps=("flip", "write")),
        "long keys": Plan(steps=("large", "swap"), start=True),
        "unit keys": Plan(steps=("unit",), start=True, T=1000),
        "norm in the kernel": Plan(steps=("unit",), start=True, stretch=64),
    }
    gates: dict[str, Plan] = {
        "gate 1": Plan(gates=(1.0,), start=True),
        "gate 0": Plan(gates=(0.0,), start=True, T=1000),
        "gate one half": Plan(gates=(0.5,), start=True, T=1000, formats=every[1:], stress=late),
        "gates 0 and one half": Plan(
            gates=(0.0, 0.5), start=True, T=1000, formats=(), stress="exact, but not where the kernel adds logarithms"
        ),
    }
    out: dict[tuple[str, str], Plan] = {}

    def add(rule: str, chosen: dict[str, Plan], **changes: Any) -> None:
        for feature, plan in chosen.items():
            out[rule, feature] = replace(plan, **changes)

    add("linear", common, steps=sums)
    add("scalar-gate", common | gates, steps=sums)
    add("channel-gate", {name: plan for name, plan in (common | gates).items() if name != "long"}, steps=sums)
    add("delta", common | delta)
    add("gated-delta", common | gates)
    for key, plan in list(out.items()):
        # where sequences, rows and chunks meet a gate matters; the other features are tested alone
        if key[0] in ("scalar-gate", "channel-gate", "gated-delta") and key[1] in ("chunk border", "long", "batch", "packed sequences"):
            out[key] = replace(plan, gates=(0.0,))
    # three updates a step: a length is three times as long for the state
    several = {
        name: plan for name, plan in (common | delta).items() if name not in ("long", "chunk border", "unit keys", "state of ten bits")
    }
    add("products", several, micro=3, T=66)
    add("products", {name: (common | delta)[name] for name in ("chunk border", "unit keys")}, micro=3, T=512)
    chosen = {name: plan for name, plan in (common | gates).items() if name not in ("long", "several tiles")}
    add("kda", chosen | {name: delta[name] for name in ("swap", "negative eigenvalue", "hold")})
    # chunks of 16 rows may divide decays by each other
    for feature in ("gate 0", "gates 0 and one half"):
        out["kda", feature] = replace(out["kda", feature], formats=(), stress="exact, but not where the kernel divides decays")
    for key, plan in list(out.items()):
        if plan.bound > BOUND and key[0] in DELTA:
            out[key] = replace(plan, steps=("flip", "hold"))
    return out


#: (rule, feature) of all vectors
VECTORS = plans() | other_plans()


def vector(rule: str, feature: str) -> Vector:
    """One vector; the same numbers every time.

    Args:
        rule: one of ``RULES``.
        feature: what of a kernel it tests; the pairs are the keys of ``VECTORS``.

    Raises:
        ValueError: for a pair that is not there.

    Example:
        >>> vector("delta", "swap").arrays["k"].shape
        (1, 130, 2, 16)
    """
    if (rule, feature) not in VECTORS:
        raise ValueError(f"expected a rule and a feature of VECTORS, got {rule!r}, {feature!r}: rules are {', '.join(RULES)}")
    return VECTORS[rule, feature].draw(rule, feature)


def _drawn(rule: str, feature: str, plan: Plan) -> Vector:
    """All sequences and heads of a vector, one after the other."""
    rng = generator(rule, feature)
    K, V, m, H, HV = plan.K, plan.V, plan.micro, plan.heads, plan.heads * plan.groups
    scale = K**-0.5 if plan.scale is None else plan.scale
    delta, channel = rule in DELTA, rule in CHANNEL
    T = plan.cuts[-1] if plan.cuts else plan.T
    spans = [(0, a, b) for a, b in pairwise(plan.cuts)] if plan.cuts else [(b, 0, T) for b in range(plan.batch)]
    lengths = [T] if plan.cuts else list(range(1, T + 1)) if plan.every else sorted({*(n for n in LENGTHS if n <= T), T})
    arrays: dict[str, np.ndarray] = {
        "q": np.zeros((plan.batch, T, H, K)),
        "k": np.zeros((plan.batch, T * m, H, K)),
        "v": np.zeros((plan.batch, T * m, HV, V)),
        "beta": np.zeros((plan.batch, T * m, HV)),
        "gate": np.ones((plan.batch, T, HV, *((K,) if channel else ()))),
        "o": np.zeros((plan.batch, T, HV, V)),
        "h0": np.zeros((len(spans), HV, K, V)),
        "states": np.zeros((len(lengths), len(spans), HV, K, V)),
    }
    for n, (b, first, last) in enumerate(spans):
        steps, micros = slice(first, last), slice(first * m, last * m)
        for h in range(H):
            q, shared = _queries(rng, last - first, K, plan), None
            for c in range(h * plan.groups, (h + 1) * plan.groups):
                if plan.start:
                    arrays["h0"][n, c] = _start(rng, plan)
                k, v, beta, gate = _head(rng, (last - first) * m, plan, delta, channel, arrays["h0"][n, c], shared)
                shared = (k, beta)
                # the query is read after the last update of a step
                late = np.zeros((len(k), K))
                late[m - 1 :: m] = q
                outputs, states = in_integers(late, k, v, beta, gate, arrays["h0"][n, c], scale, delta)
                arrays["k"][b, micros, h], arrays["v"][b, micros, c], arrays["beta"][b, micros, c] = k * plan.stretch, v, beta
                arrays["gate"][b, steps, c], arrays["o"][b, steps, c] = gate[::m], outputs[m - 1 :: m]
                for row, length in enumerate(lengths):
                    arrays["states"][row, n, c] = states[((last - first) if plan.cuts else length) * m - 1]
            arrays["q"][b, steps, h] = q * plan.stretch
    arrays["g"] = np.vectorize(LOG_GATES.__getitem__, otypes=[np.float64])(arrays["gate"])
    arrays = {name: x.astype(np.float32) for name, x in arrays.items()}
    arrays |= {"lengths": np.array(lengths), "cu_seqlens": np.array(plan.cuts, dtype=np.int64)}
    return Vector(rule, feature, arrays, scale, m, plan.stretch > 1, plan.formats, plan.stress)


def _queries(rng: np.random.Generator, T: int, K: int, plan: Plan) -> np.ndarray:
    """Three entries +-1, +-1, +-2; four entries +-1/2 where the kernel normalises."""
    out = np.zeros((T, K))
    sizes = [0.5] * 4 if plan.stretch > 1 else [1.0, 1.0, 2.0]
    first = K // 2 if plan.bound > BOUND else 0
    for t in range(plan.padding, T):
        out[t, first + rng.choice(K - first, len(sizes), replace=False)] = rng.choice([-1.0, 1.0], len(sizes)) * rng.permutation(sizes)
    return out


def _start(rng: np.random.Generator, plan: Plan) -> np.ndarray:
    """A state of small integers; its halves are the same where the steps are doubled."""
    S = rng.integers(-BOUND, BOUND + 1, (plan.K, plan.V)).astype(float)
    if "unit" in plan.steps:
        S[plan.K // 2 :] = S[: plan.K // 2]
    if plan.bound > BOUND:
        # odd ones stay odd and need every bit
        S[: plan.K // 2] = 2 * (S[: plan.K // 2] // 2) + 1
    return S


def _head(
    rng: np.random.Generator,
    T: int,
    plan: Plan,
    delta: bool,
    channel: bool,
    start: np.ndarray,
    shared: tuple[np.ndarray, np.ndarray] | None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """k, v, beta and gate of one head; with ``shared``, another head's keys, and a third of its betas 0."""
    S, K, V = start.copy(), plan.K, plan.V
    written = K // 2 if plan.bound > BOUND else K
    k, v, beta, gate = np.zeros((T, K)), np.zeros((T, V)), np.zeros(T), np.ones((T, K) if channel else T)
    since = 40
    for t in range(T):
        if t < plan.padding * plan.micro:
            # nothing is written; without the delta rule a value must not count, for there is no beta to hide it
            v[t] = rng.integers(-BOUND, BOUND + 1, V) if delta else 0
            if shared is not None:
                k[t] = shared[0][t]
            elif delta:
                k[t, :written] = step(plan.steps[0], rng, written)[0]
            continue
        since += 1
        if t % plan.micro == 0:
            gate[t] = _gate(rng, plan, channel, S, since, t // plan.micro + 1)
            since = 0 if (gate[t] == 0.5).any() else since
            S = np.atleast_1d(gate[t])[:, None] * S
        kind = plan.steps[rng.integers(len(plan.steps))]
        if shared is None:
            k[t, :written], beta[t] = step(kind, rng, written)
        else:
            k[t], beta[t] = shared[0][t], shared[1][t] * (rng.random() > 1 / 3)
        if delta and beta[t] == 0:
            v[t] = rng.integers(-BOUND, BOUND + 1, V)
            continue
        strength = beta[t] if delta else 1.0
        base = S - strength * np.outer(k[t], k[t] @ S) if delta else S
        rows = np.flatnonzero(k[t])
        v[t] = 0 if kind == "reset" else _value(rng, base[rows], strength * k[t][rows], plan.bound)
        S = base + strength * np.outer(k[t], v[t])
    return k, v, beta, gate


def _gate(rng: np.random.Generator, plan: Plan, channel: bool, S: np.ndarray, since: int, length: int) -> float | np.ndarray:
    """0 now and then; 1/2 at most once in 64 steps, where the state keeps at most two fractional bits, and rather as the last gate of a length."""
    halve = 0.5 in plan.gates and since >= 64 and not (S * 4 % 2).any() and (length in LENGTHS or rng.random() < 0.02)
    if channel:
        open_ = rng.random(plan.K) > 0.1 if 0.0 in plan.gates else np.ones(plan.K, dtype=bool)
        return np.where(open_, 0.5 if halve else 1.0, 0.0)
    if 0.0 in plan.gates and rng.random() < (0.3 if length in LENGTHS else 0.06):
        return 0.0
    return 0.5 if halve else 1.0


def _value(rng: np.random.Generator, base: np.ndarray, c: np.ndarray, bound: int) -> np.ndarray:
    """Integers v, as random as |base + c v| <= bound allows in every row that is written; 0 where nothing fits. Even ones where c is 1/2."""
    most = 9.0 if bound == BOUND else 127.0
    grain = 2.0 if abs(c[0]) == 0.5 else 1.0
    ends = np.sort(np.array([-bound - base, bound - base]) / c[:, None], axis=0)
    low, high = np.maximum(ends[0].max(axis=0), -most), np.minimum(ends[1].min(axis=0), most)
    low, high = np.ceil(low / grain), np.floor(high / grain)
    drawn = np.floor(low + rng.random(base.shape[1]) * (high - low + 1))
    return np.where(high < low, 0.0, np.clip(drawn, low, np.maximum(low, high)) * grain)
