"""Vectors for the backward pass of linear attention and the delta rule: gradients of sum <do, o> + <dht, S_T>, exact as the forward pass is.

The gradient of the state runs backwards by the same steps: dS_(t-1) = (I - beta_t k_t k_t^T) (dS_t + scale q_t do_t^T). So it stays small where do is
drawn as values are. Gates have no vectors: their gradient is one with respect to a logarithm.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

import numpy as np

from .audit import Audit, Head, heads, sums, triangular_inverse
from .base import ARGUMENTS, BOUND, Vector, generator
from .other_rules import fitting
from .recurrence import in_integers, scaled, times, unscaled
from .vectors import Plan

GRADIENT_RULES = ("linear-gradient", "delta-gradient")

#: what a kernel returns, in this order
RETURNED = {"linear-gradient": ("q", "k", "v", "h0"), "delta-gradient": ("q", "k", "v", "beta", "h0")}


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
    sums_of = ("add", "plus", "minus")
    out = {("linear-gradient", name): replace(p, forward=replace(p.forward, steps=sums_of)) for name, p in common.items()}
    # the gradient of the triangular inverse needs up to 10 bits
    fewer = {"formats": ("float32", "float16"), "stress": "bfloat16 has too few bits for the gradient of the inverse"}
    return out | {("delta-gradient", name): replace(p, **fewer) for name, p in (common | delta).items()}


#: (rule, feature) of all vectors with gradients
GRADIENTS = gradient_plans()


def backward(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    beta: np.ndarray,
    start: np.ndarray,
    scale: float,
    delta: bool,
    do: np.ndarray,
    last: np.ndarray,
) -> dict[str, np.ndarray]:
    """The gradients of one head in scaled integers: dq, dk (T, K), dv (T, V), dbeta (T,), dh0 (K, V). Raises ``ArithmeticError`` for finer numbers."""
    _, states = in_integers(q, k, v, beta, np.ones(len(q)), start, scale, delta)
    before = [start, *states[:-1]]
    q, k, v, beta, do, dS, scale_ = (scaled(x) for x in (q, k, v, beta, do, last, np.array(scale)))
    out = {"q": np.zeros_like(q), "k": np.zeros_like(k), "v": np.zeros_like(v), "beta": np.zeros_like(beta)}
    for t in reversed(range(len(q))):
        S, after = scaled(before[t]), scaled(states[t])
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
    return {name: x / 2.0**12 for name, x in (out | {"h0": dS}).items()}


def loss_in_fractions(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    beta: np.ndarray,
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
        read = [sum((key[i] * S[i][c] for i in rows if key[i]), Fraction(0)) for c in columns]
        strength = Fraction(float(beta[t])) if delta else Fraction(1)
        S = [[S[i][c] + strength * key[i] * (value[c] - (read[c] if delta else 0)) for c in columns] for i in rows]
        total += Fraction(float(scale)) * sum(
            (query[i] * S[i][c] * out[c] for i in rows if query[i] for c in columns if out[c]), Fraction(0)
        )
    return total + sum((Fraction(float(last[i][c])) * S[i][c] for i in rows for c in columns), Fraction(0))


def _with_gradients(rule: str, feature: str, plan: Backward) -> Vector:
    """The forward vector with do, dht and the gradients."""
    made = plan.forward.draw(rule.removesuffix("-gradient"), feature)
    rng, x, delta = generator(rule, feature), dict(made.arrays), rule == "delta-gradient"
    shape = x["h0"].shape
    x["dht"] = rng.integers(-BOUND, BOUND + 1, shape).astype(float) if plan.final else np.zeros(shape)
    x["do"] = np.zeros(x["o"].shape)
    x |= {f"d{name}": np.zeros(x[name].shape) for name in RETURNED[rule]}
    cuts = x["cu_seqlens"].tolist()
    spans = [(0, a, b) for a, b in pairwise(cuts)] if cuts else [(b, 0, x["o"].shape[1]) for b in range(len(x["o"]))]
    for n, (b, first, last) in enumerate(spans):
        for h in range(x["v"].shape[2]):
            q, k, v, beta = (x[name][b, first:last, h].astype(float) for name in ("q", "k", "v", "beta"))
            start, end = x["h0"][n, h].astype(float), x["dht"][n, h]
            do = _outputs_gradient(rng, q, k, beta if delta else 0 * beta, end, made.scale)
            x["do"][b, first:last, h] = do
            for name, gradient in backward(q, k, v, beta, start, made.scale, delta, do, end).items():
                if name == "h0":
                    x["dh0"][n, h] = gradient
                elif name in RETURNED[rule]:
                    x[f"d{name}"][b, first:last, h] = gradient
    x = {name: a if name in ("lengths", "cu_seqlens") else a.astype(np.float32) for name, a in x.items()}
    x |= {"gradients": np.array(RETURNED[rule])}
    arguments = (*ARGUMENTS, "do step", "dht")
    return replace(made, rule=rule, arrays=x, formats=plan.formats, stress=plan.stress, arguments=arguments)


def _outputs_gradient(
    rng: np.random.Generator, q: np.ndarray, k: np.ndarray, beta: np.ndarray, end: np.ndarray, scale: float
) -> np.ndarray:
    """do, drawn backwards so that the state's gradient stays within the bound; half of its entries are 0. Multiples of 1 / scale."""
    dS, do = end.copy(), np.zeros((len(q), end.shape[1]))
    for t in reversed(range(len(q))):
        rows = np.flatnonzero(q[t])
        if len(rows):
            do[t] = fitting(rng, dS[rows], q[t][rows], most=3.0) * (rng.random(end.shape[1]) < 0.5) / scale
        dS = dS + scale * np.outer(q[t], do[t])
        dS = dS - beta[t] * np.outer(k[t], k[t] @ dS)
    return do


# -- audit -------------------------------------------------------------------------------------------------------------------


def audit_gradients(made: Vector, chunk: int) -> Audit:
    """The chunked backward pass in exact arithmetic: bits of all that kernels store. Raises ``ArithmeticError`` if it gives other gradients."""
    found, x = Audit(), {name: a.astype(float) for name, a in made.arrays.items() if a.dtype.kind == "f"}
    cuts = made.arrays["cu_seqlens"].tolist()
    spans = [(0, a, b) for a, b in pairwise(cuts)] if cuts else [(b, 0, x["o"].shape[1]) for b in range(len(x["o"]))]
    forward = replace(made, rule=made.rule.removesuffix("-gradient"))
    places = [(n, b, first, last, h) for n, (b, first, last) in enumerate(spans) for h in range(x["v"].shape[2])]
    for (n, b, first, last, h), head in zip(places, heads(forward), strict=True):
        do, end = x["do"][b, first:last, h], x["dht"][n, h]
        got = (_wy_backward if made.rule == "delta-gradient" else _sums_backward)(found, head, made.scale, chunk, do, end)
        for name in RETURNED[made.rule]:
            wanted = x["dh0"][n, h] if name == "h0" else x[f"d{name}"][b, first:last, h]
            if not np.array_equal(found.store(f"d{name}", got[name]), wanted):
                raise ArithmeticError(f"expected the recurrence's gradient of {name} from {made.name} in chunks of {chunk}, got another")
    return found


def _sums_backward(found: Audit, x: Head, scale: float, chunk: int, do: np.ndarray, end: np.ndarray) -> dict[str, np.ndarray]:
    """Each gradient of linear attention is linear attention again: of other inputs, and backwards for keys and values."""
    asks = scale * x.q

    def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, start: np.ndarray, scale: float) -> tuple[np.ndarray, np.ndarray]:
        return sums(found, replace(x, q=q, k=k, v=v, start=start, gate=np.ones(len(q))), scale, chunk)

    dv, first = attention(x.k[::-1], asks[::-1], do[::-1], end, 1.0)
    dk, _ = attention(x.v[::-1], do[::-1], asks[::-1], end.T, 1.0)
    dq, _ = attention(do, x.v, x.k, x.start.T, scale)
    return {"q": dq, "k": dk[::-1], "v": dv[::-1], "h0": first}


def _wy_backward(found: Audit, x: Head, scale: float, chunk: int, do: np.ndarray, end: np.ndarray) -> dict[str, np.ndarray]:
    """The backward pass of the WY form, chunk after chunk from the last; the states that chunks begin with are computed first."""
    starts, forward = [x.start], []
    for s in range(0, len(x.k), chunk):
        rows, S = slice(s, s + chunk), starts[-1]
        K, b = x.k[rows], x.beta[rows, None]
        T = triangular_inverse(found, np.tril(found.product("A", b * K, K.T), -1))
        w, u = found.store("w", found.product("w", T, b * K)), found.store("u", found.product("u", T, b * x.v[rows]))
        new = found.store("new v", u - found.store("w S", found.product("w S", w, S)))
        forward.append((rows, S, T, w, new))
        starts.append(found.store("state", S + found.product("state", K.T, new)))
    dS, out = end, {name: np.zeros_like(a) for name, a in (("q", x.q), ("k", x.k), ("v", x.v), ("beta", x.beta))}
    for rows, S, T, w, new in reversed(forward):
        Q, K, V, b, g = scale * x.q[rows], x.k[rows], x.v[rows], x.beta[rows, None], do[rows]
        P = found.store("attention", np.tril(found.product("attention", Q, K.T)))
        dnew = found.store("dnew", found.product("dnew", P.T, g) + found.product("dnew", K, dS))
        dP = found.store("dattention", np.tril(found.product("dattention", g, new.T)))
        dw = found.store("dw", -found.product("dw", dnew, S.T))
        dT = found.store("dT", found.product("dT", dnew, (b * V).T) + found.product("dT", dw, (b * K).T))
        dA = found.store("dA", -np.tril(found.product("dA", found.store("T dT", found.product("dA", T.T, dT)), T.T), -1))
        dbV, dbK = (found.store(name, found.product(name, T.T, d)) for name, d in (("d beta V", dnew), ("d beta K", dw)))
        out["q"][rows] = scale * (found.product("dq", g, S.T) + found.product("dq", dP, K))
        out["v"][rows] = b * dbV
        gram = found.product("A", K, K.T)
        out["beta"][rows] = (dbV * V).sum(axis=1) + (dbK * K).sum(axis=1) + (dA * gram).sum(axis=1)
        pairs = found.product("dk", dA, K) * b + found.product("dk", dA.T, b * K)
        out["k"][rows] = found.product("dk", dP.T, Q) + found.product("dk", new, dS.T) + b * dbK + pairs
        dS = found.store("dstate", dS + found.product("dstate", Q.T, g) - found.product("dstate", w.T, dnew))
    return out | {"h0": dS}
