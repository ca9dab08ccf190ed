"""Hold a kernel to exact test vectors: every number equal, no tolerance. Copy this file and the .npz files into your tests; it needs NumPy alone.

A kernel is called with arrays q, k (B, T, H, K), v (B, T, HV, V), beta, g (log gates), h0, scale, cu_seqlens, micro, normalise and returns
(outputs, final state): the state S_t = exp(g_t) S_(t-1), then micro times S += beta k (v - k^T S)^T (or S += k v^T), then o_t = scale S^T q_t.
"""

import pathlib

import numpy as np


def check(kernel, folder, rule=None, dtype="float32", stress=False, splits=True):
    """What is wrong, a line for each fault; an empty list if all vectors of the rule that are exact in this format hold."""
    faults = []
    for path in sorted(pathlib.Path(folder).glob(f"{rule or '*'}.*.npz")):
        x = dict(np.load(path))
        if dtype not in x["formats"].tolist() and not stress:
            continue
        packed = len(x["cu_seqlens"])
        for n in [int(x["q"].shape[1])] if packed else x["lengths"].tolist():
            o, state = kernel(**part(x, 0, n, x["h0"]))
            row = -1 if packed else x["lengths"].tolist().index(n)
            faults += compare(x, o, x["o"][:, :n], state, x["states"][row], f"{n} steps", packed)
        if splits and not packed:  # the state after n steps is handed on
            T = int(x["q"].shape[1])
            for row, n in enumerate(x["lengths"].tolist()):
                if n < T:
                    o, state = kernel(**part(x, n, T, x["states"][row]))
                    faults += compare(x, o, x["o"][:, n:], state, x["states"][-1], f"state handed on at {n}", packed, n)
    return faults


def part(x, a, b, h0):
    """The inputs of steps a to b."""
    m = int(x["micro"])
    out = {name: x[name][:, a:b] for name in ("q", "g")} | {name: x[name][:, a * m : b * m] for name in ("k", "v", "beta")}
    cuts = x["cu_seqlens"] if len(x["cu_seqlens"]) else None
    return out | {"h0": h0, "scale": float(x["scale"]), "cu_seqlens": cuts, "micro": m, "normalise": bool(x["normalise"])}


def compare(x, o, wanted, state, final, where, packed, offset=0):
    """The first wrong step and head, or the wrong entries of the state. Minus zero is zero; NaN is wrong."""
    feature, o = str(x["feature"]), np.asarray(o, dtype=np.float64)
    if o.shape != wanted.shape:
        return [f"{feature}: expected outputs of shape {wanted.shape}, got {o.shape} ({where})"]
    wrong = np.argwhere(~(o == wanted))
    if len(wrong):
        b, t, head, _ = min(wrong.tolist(), key=lambda at: at[1])
        size = np.nanmax(np.abs(o - wanted), initial=0.0)
        return [f"{feature}: first wrong at {t + offset} in head {head}, sequence {b}, off by up to {size:.3g} ({where})"]
    if state is not None and not np.array_equal(np.asarray(state, dtype=np.float64), final):
        return [f"{feature}: outputs right, final state wrong ({where})"]
    return []
