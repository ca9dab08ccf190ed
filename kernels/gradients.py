"""Vectors for the backward pass of the rules with matrices as states: gradients of sum <do, o> + <dht, S_T>, exact as the forward pass is.

The gradient of the state runs backwards by the same steps: dS_(t-1) = a_t (I - beta_t k_t k_t^T) (dS_t + scale q_t do_t^T). So it stays small where do
is drawn as values are. The gradient with respect to the logarithm of a gate a_t is a_t <dS, S_(t-1)>, an integer for gates 0 and 1. It is kept in float32
in every format, where exp(ln 1/2) may be off by a unit: so gates of 1/2 have no gradients here. :mod:`.backward` audits the chunked form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

import numpy as np

from .base import ARGUMENTS, BOUND, Vector, generator
from .other_rules import fitting
from .recurrence import BITS, in_integers, scaled, times, unscaled
from .vectors import DELTA, Plan

#: what a kernel returns, in this order
RETURNED = {
    "linear-gradient": ("q", "k", "v", "h0"),
    "delta-gradient": ("q", "k", "v", "beta", "h0"),
    "scalar-gate-gradient": ("q", "k", "v", "g", "h0"),
    "channel-gate-gradient": ("q", "k", "v", "g", "h0"),
    "gated-delta-gradient": ("q", "k", "v", "beta", "g", "h0"),
    "products-gradient": ("q", "k", "v", "beta", "h0"),
}
GRADIENT_RULES = tuple(RETURNED)


@dataclass(frozen=True)
class Backward:
    """A plan of the forward pass; ``final``: the final state has a gradient too."""

    forward: Plan
    final: bool = False
    formats: tuple[str, ...] = ("float32", "float16", "bfloat16")
    stress: str = ""

    def draw(self, rule: str, feature: str) -> Vector:
        """The vector of a rule and a feature; the same numbers every time."""
        return _with_gradients(rule, feature, self)


def gradient_plans() -> dict[tuple[str, str], Backward]:
    """(rule, feature) -> how it is drawn."""
    plan = Plan(V=4, scale=1.0)
    common = {
        "chunk border": Backward(plan),
        "initial state": Backward(replace(plan, start=True)),
        "final state": Backward(plan, final=True),
        "scale": Backward(replace(plan, scale=0.5)),
        "batch": Backward(replace(plan, batch=3, start=True), final=True),
        "packed sequences": Backward(replace(plan, cuts=(0, 1, 16, 80, 145, 162), start=True), final=True),
    }
    delta = {
        "swap": Backward(replace(plan, steps=("swap", "antiswap"), start=True)),
        "negative eigenvalue": Backward(replace(plan, steps=("flip", "write"), start=True)),
        "hold": Backward(replace(plan, steps=("write", "hold"), start=True)),
    }
    sums_of, delta_steps = ("add", "plus", "minus"), plan.steps
    out = {("linear-gradient", name): replace(p, forward=replace(p.forward, steps=sums_of)) for name, p in common.items()}
    # the gradient of the triangular inverse needs up to 10 bits
    fewer = {"formats": ("float32", "float16"), "stress": "bfloat16 has too few bits for the gradient of the inverse"}
    out |= {("delta-gradient", name): replace(p, **fewer) for name, p in (common | delta).items()}
    # where sequences, rows and chunks meet a gate matters
    gates = dict.fromkeys(("chunk border", "batch", "packed sequences", "gate 0"), (0.0,)) | {"gate 1": (1.0,)}
    common |= {"gate 1": Backward(replace(plan, start=True), final=True), "gate 0": Backward(replace(plan, start=True), final=True)}
    for rule in ("scalar-gate-gradient", "channel-gate-gradient", "gated-delta-gradient"):
        steps = delta_steps if rule == "gated-delta-gradient" else sums_of
        for name, p in common.items():
            gated = replace(p, forward=replace(p.forward, steps=steps, gates=gates.get(name, ())))
            out[rule, name] = replace(gated, **fewer) if rule == "gated-delta-gradient" else gated
    several = {name: p for name, p in (common | delta).items() if not name.startswith("gate")}
    return out | {("products-gradient", name): replace(p, forward=replace(p.forward, micro=3), **fewer) for name, p in several.items()}


#: (rule, feature) of all vectors with gradients
GRADIENTS = gradient_plans()


def backward(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    beta: np.ndarray,
    gate: np.ndarray,
    start: np.ndarray,
    scale: float,
    delta: bool,
    do: np.ndarray,
    last: np.ndarray,
) -> dict[str, np.ndarray]:
    """The gradients of one head in scaled integers: q, k (T, K), v (T, V), beta (T,), g like gate (T,) or (T, K), h0 (K, V).

    Raises ``ArithmeticError`` for finer numbers.
    """
    _, states = in_integers(q, k, v, beta, gate, start, scale, delta)
    before = [start, *states[:-1]]
    q, k, v, beta, gate, do, dS, scale_ = (scaled(x) for x in (q, k, v, beta, gate, do, last, np.array(scale)))
    out = {"q": np.zeros_like(q), "k": np.zeros_like(k), "v": np.zeros_like(v), "beta": np.zeros_like(beta), "g": np.zeros_like(gate)}
    for t in reversed(range(len(q))):
        gates = np.atleast_1d(gate[t])[:, None]
        S, after = times(gates, scaled(before[t])), scaled(states[t])
        out["q"][t] = times(scale_, unscaled(after @ do[t]))
        dS = dS + times(times(scale_, q[t])[:, None], do[t][None])
        if delta:
            error, seen = v[t] - unscaled(k[t] @ S), unscaled(k[t] @ dS)
            out["beta"][t] = unscaled(seen @ error)
            out["v"][t] = times(beta[t], seen)
            out["k"][t] = times(beta[t], unscaled(dS @ error)) - unscaled(S @ out["v"][t])
            dS = dS - times(k[t][:, None], out["v"][t][None])
        else:
            out["k"][t], out["v"][t] = unscaled(dS @ v[t]), unscaled(k[t] @ dS)
        # a d/da is d/d(ln a)
        out["g"][t] = unscaled((dS * S).sum(axis=1)) if gate.ndim == 2 else unscaled((dS * S).sum())
        dS = times(gates, dS)
    return {name: x / 2.0**BITS for name, x in (out | {"h0": dS}).items()}


def loss_in_fractions(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    beta: np.ndarray,
    gate: np.ndarray,
    start: np.ndarray,
    scale: float,
    delta: bool,
    do: np.ndarray,
    last: np.ndarray,
) -> Fraction:
    """sum <do, o> + <last, S_T> in fractions. It has degree at most 2 in each number, so half of L(x + 1) - L(x - 1) is its derivative."""
    S = [[Fraction(float(x)) for x in row] for row in start]
    total, rows, columns = Fraction(0), range(len(S)), range(len(S[0]))
    for t in range(len(q)):
        key, value, query, out = ([Fraction(float(x)) for x in a[t]] for a in (k, v, q, do))
        kept = [Fraction(float(x)) for x in np.broadcast_to(gate[t], start.shape[:1])]
        S = [[kept[i] * S[i][c] for c in columns] for i in rows]
        read = [sum((key[i] * S[i][c] for i in rows if key[i]), Fraction(0)) for c in columns]
        strength = Fraction(float(beta[t])) if delta else Fraction(1)
        S = [[S[i][c] + strength * key[i] * (value[c] - (read[c] if delta else 0)) for c in columns] for i in rows]
        total += Fraction(float(scale)) * sum(
            (query[i] * S[i][c] * out[c] for i in rows if query[i] for c in columns if out[c]), Fraction(0)
        )
    return total + sum((Fraction(float(last[i][c])) * S[i][c] for i in rows for c in columns), Fraction(0))


def spans(x: Mapping[str, np.ndarray]) -> list[tuple[int, int, int]]:
    """(row, first step, end) of each sequence."""
    cuts = x["cu_seqlens"].tolist()
    return [(0, a, b) for a, b in pairwise(cuts)] if cuts else [(b, 0, x["o"].shape[1]) for b in range(len(x["o"]))]


def late(x: np.ndarray, m: int) -> np.ndarray:
    """A row for each update from a row for each step: the query is read after the last of m updates. Other rows are 0."""
    out = np.zeros((len(x) * m, *x.shape[1:]))
    out[m - 1 :: m] = x
    return out


def early(gate: np.ndarray, m: int) -> np.ndarray:
    """The same for gates, which act before the first update. Other rows are 1."""
    out = np.ones((len(gate) * m, *gate.shape[1:]))
    out[::m] = gate
    return out


def _with_gradients(rule: str, feature: str, plan: Backward) -> Vector:
    """The forward vector with do, dht and the gradients."""
    forward = rule.removesuffix("-gradient")
    made, delta = plan.forward.draw(forward, feature), forward in DELTA
    rng, x, m = generator(rule, feature), dict(made.arrays), made.micro
    shape = x["h0"].shape
    x["dht"] = rng.integers(-BOUND, BOUND + 1, shape).astype(float) if plan.final else np.zeros(shape)
    x["do"] = np.zeros(x["o"].shape)
    x |= {f"d{name}": np.zeros(x[name].shape) for name in RETURNED[rule]}
    for n, (b, first, last) in enumerate(spans(x)):
        steps, updates = slice(first, last), slice(first * m, last * m)
        for h in range(x["v"].shape[2]):
            k, v, beta = (x[name][b, updates, h].astype(float) for name in ("k", "v", "beta"))
            q, gate = late(x["q"][b, steps, h], m), early(x["gate"][b, steps, h], m)
            start, end = x["h0"][n, h].astype(float), x["dht"][n, h]
            do = _outputs_gradient(rng, q, k, beta if delta else 0 * beta, gate, end, made.scale)
            x["do"][b, steps, h] = do[m - 1 :: m]
            for name, gradient in backward(q, k, v, beta, gate, start, made.scale, delta, do, end).items():
                if name == "h0":
                    x["dh0"][n, h] = gradient
                elif name in RETURNED[rule]:
                    place = steps if name in ("q", "g") else updates
                    x[f"d{name}"][b, place, h] = gradient[m - 1 :: m] if name == "q" else gradient[::m] if name == "g" else gradient
    x = {name: a if name in ("lengths", "cu_seqlens") else a.astype(np.float32) for name, a in x.items()}
    x |= {"gradients": np.array(RETURNED[rule])}
    arguments = (*ARGUMENTS, "do step", "dht")
    return replace(made, rule=rule, arrays=x, formats=plan.formats, stress=plan.stress, arguments=arguments)


def _outputs_gradient(
    rng: np.random.Generator, q: np.ndarray, k: np.ndarray, beta: np.ndarray, gate: np.ndarray, end: np.ndarray, scale: float
) -> np.ndarray:
    """do, drawn backwards so that the state's gradient stays within the bound; half of its entries are 0. Multiples of 1 / scale."""
    dS, do = end.copy(), np.zeros((len(q), end.shape[1]))
    for t in reversed(range(len(q))):
        rows = np.flatnonzero(q[t])
        if len(rows):
            do[t] = fitting(rng, dS[rows], q[t][rows], most=3.0) * (rng.random(end.shape[1]) < 0.5) / scale
        dS = dS + scale * np.outer(q[t], do[t])
        dS = np.atleast_1d(gate[t])[:, None] * (dS - beta[t] * np.outer(k[t], k[t] @ dS))
    return do
