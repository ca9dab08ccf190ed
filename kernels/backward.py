"""Why gradients are exact: the chunked backward pass in exact arithmetic, with the bits of all that kernels store and sum.

Gradients of log gates are kept in float32, whatever the format of the other tensors. So their sums are noted and their entries are not.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .audit import Audit, Head, _grid, decays, heads, triangular_inverse
from .base import Vector
from .gradients import RETURNED, late, spans

Gradients = dict[str, np.ndarray]


def audit_gradients(made: Vector, chunk: int) -> Audit:
    """The chunked backward pass of a vector in chunks of so many updates. Raises ``ArithmeticError`` if it gives other gradients."""
    found, m = Audit(), made.micro
    x = {name: a.astype(float) for name, a in made.arrays.items() if a.dtype.kind == "f"}
    forward = replace(made, rule=made.rule.removesuffix("-gradient"))
    places = [(n, b, first, last, h) for n, (b, first, last) in enumerate(spans(made.arrays)) for h in range(x["v"].shape[2])]
    for (n, b, first, last, h), head in zip(places, heads(forward), strict=True):
        do, end = late(x["do"][b, first:last, h], m), x["dht"][n, h]
        got = (_wy_backward if head.delta else _sums_backward)(found, head, made.scale, chunk, do, end)
        for name in RETURNED[made.rule]:
            steps = slice(first, last) if name in ("q", "g") else slice(first * m, last * m)
            wanted = x["dh0"][n, h] if name == "h0" else x[f"d{name}"][b, steps, h]
            mine = got[name] if name == "g" else found.store(f"d{name}", got[name])
            if not np.array_equal(mine[m - 1 :: m] if name == "q" else mine[::m] if name == "g" else mine, wanted):
                raise ArithmeticError(f"expected the recurrence's gradient of {name} from {made.name} in chunks of {chunk}, got another")
    if "g" not in RETURNED[made.rule]:
        # nobody computes it
        del found.summed["dg"]
    return found


def _note(found: Audit, name: str, *terms: np.ndarray) -> None:
    """All these numbers as one sum: their magnitudes over the finest grid."""
    most = sum(np.abs(x).sum() for x in terms) / min(_grid(x) for x in terms)
    found.summed[name] = max(found.summed.get(name, 0), int(np.ceil(np.log2(max(most, 1.0)))))


def _from_the_end(x: np.ndarray) -> np.ndarray:
    """The sums from each row on."""
    return x[::-1].cumsum(axis=0)[::-1]


def _zeros(x: Head) -> Gradients:
    return {name: np.zeros_like(a) for name, a in (("q", x.q), ("k", x.k), ("v", x.v), ("beta", x.beta), ("g", x.gate))}


def _sums_backward(found: Audit, x: Head, scale: float, chunk: int, do: np.ndarray, end: np.ndarray) -> Gradients:
    """Linear attention with a gate for the state or for each row of it, chunk after chunk from the last."""
    starts, channel = [x.start], x.gate.ndim == 2
    for s in range(0, len(x.k), chunk):
        K, V, (D, G) = x.k[s : s + chunk], x.v[s : s + chunk], decays(x.gate[s : s + chunk])
        left = D[-1] if channel else D[-1][:, None]
        starts.append(found.store("state", G[-1][..., None] * starts[-1] + found.product("state", found.store("decayed K", left * K).T, V)))
    dS, out = end, _zeros(x)
    for s, S in reversed(list(zip(range(0, len(x.k), chunk), starts[:-1], strict=True))):
        rows = slice(s, s + chunk)
        Q, K, V, g, (D, G) = scale * x.q[rows], x.k[rows], x.v[rows], do[rows], decays(x.gate[rows])
        left, total = (D[-1], G) if channel else (D[-1][:, None], G[:, None])
        pairs = D if channel else np.broadcast_to(D[:, :, None], (*D.shape, K.shape[1]))
        P = found.store("attention", np.einsum("ic,jc,ijc->ij", Q, K, pairs))
        # the decay of one gate stays with the pairs of rows; that of many gates belongs to the channels
        dP = found.store("dattention", np.tril(found.product("dattention", g, V.T)))
        for name, a, b in (("dq", dP, K), ("dk", dP.T, Q)):
            # with decays the same sums have no more and no larger terms, on the same grid: gates are 0 and 1
            found.product(name, a, b)
        out["v"][rows] = found.product("dv", P.T, g) + found.product("dv", left * K, dS)
        out["q"][rows] = scale * (np.einsum("ij,jc,ijc->ic", dP, K, pairs) + total * found.product("dq", g, S.T))
        inner = np.einsum("ij,ic,ijc->jc", dP, Q, pairs)
        out["k"][rows] = inner + left * found.product("dk", V, dS.T)
        dS = found.store("dstate", G[-1][..., None] * dS + found.product("dstate", (total * Q).T, g))
    # <dS_t, S_t> = dg_t + <k, dk>, and <dS_t, S_t> = dg_(t+1) + <q, dq>
    terms, held = x.q * out["q"] - x.k * out["k"], end * starts[-1]
    _note(found, "dg", x.q * out["q"], x.k * out["k"], held)
    out["g"] = _from_the_end(terms) + held.sum(axis=1) if channel else _from_the_end(terms.sum(axis=1)) + held.sum()
    return out | {"h0": dS}


def _wy_backward(found: Audit, x: Head, scale: float, chunk: int, do: np.ndarray, end: np.ndarray) -> Gradients:
    """The backward pass of the WY form with one gate to a row, chunk after chunk from the last; the states that chunks begin with are computed first."""
    starts, forward = [x.start], []
    for s in range(0, len(x.k), chunk):
        rows, S = slice(s, s + chunk), starts[-1]
        K, b, (D, G) = x.k[rows], x.beta[rows, None], decays(x.gate[rows])
        A = np.tril(found.product("A", b * K, K.T) * D, -1)
        T = triangular_inverse(found, A)
        w = found.store("w", found.product("w", T, b * G[:, None] * K))
        u = found.store("u", found.product("u", T, b * x.v[rows]))
        new = found.store("new v", u - found.store("w S", found.product("w S", w, S)))
        forward.append((rows, S, T, w, new, D, G[:, None]))
        starts.append(found.store("state", G[-1] * S + found.product("state", K.T, D[-1][:, None] * new)))
    dS, out = end, _zeros(x)
    for rows, S, T, w, new, D, G in reversed(forward):
        Q, K, V, b, g = scale * x.q[rows], x.k[rows], x.v[rows], x.beta[rows, None], do[rows]
        left = D[-1][:, None]
        P = found.store("attention", np.tril(found.product("attention", Q, K.T)) * D)
        dnew = found.store("dnew", found.product("dnew", P.T, g) + left * found.product("dnew", K, dS))
        dP = found.store("dattention", np.tril(found.product("dattention", g, new.T)) * D)
        dw = found.store("dw", -found.product("dw", dnew, S.T))
        dT = found.store("dT", found.product("dT", dnew, (b * V).T) + found.product("dT", dw, (b * G * K).T))
        inner = found.store("T dT", found.product("dA", T.T, dT))
        dA = found.store("dA", -np.tril(found.product("dA", inner, T.T), -1) * D)
        dbV, dbK = (found.store(name, found.product(name, T.T, d)) for name, d in (("d beta V", dnew), ("d beta K", dw)))
        read = found.product("dq", g, S.T)
        out["q"][rows] = scale * (G * read + found.product("dq", dP, K))
        out["v"][rows] = b * dbV
        gram = found.product("A", K, K.T)
        out["beta"][rows] = (dbV * V).sum(axis=1) + (dbK * G * K).sum(axis=1) + (dA * gram).sum(axis=1)
        pairs = found.product("dk", dA, K) * b + found.product("dk", dA.T, b * K)
        out["k"][rows] = found.product("dk", dP.T, Q) + left * found.product("dk", new, dS.T) + b * G * dbK + pairs
        out["g"][rows] = _gates(
            found, dP * (Q @ K.T), dA * (b * gram), G * Q * read + dbK * b * G * K, left * new * (K @ dS), dS * G[-1] * S
        )
        dS = found.store("dstate", G[-1] * dS + found.product("dstate", (G * Q).T, g) - found.product("dstate", w.T, dnew))
    return out | {"h0": dS}


def _gates(found: Audit, attention: np.ndarray, inverse: np.ndarray, rows: np.ndarray, written: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """The gradient of log gates, from those of their sums: a decay from row j to row i adds to i and takes from j; what is left to the end adds there."""
    _note(found, "dg", attention, attention, inverse, inverse, rows, written, written, kept)
    both = attention + inverse
    sums = both.sum(axis=1) - both.sum(axis=0) + rows.sum(axis=1) - written.sum(axis=1)
    sums[-1] += written.sum() + kept.sum()
    return _from_the_end(sums)
