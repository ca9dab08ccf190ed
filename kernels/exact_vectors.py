"""Hold a kernel to exact test vectors: every number equal, no tolerance. Copy this file and the .npz files into your tests; it needs NumPy alone.

A kernel is called with arrays q, k (B, T, H, K), v (B, T, HV, V), beta, g (log gates), h0, scale, cu_seqlens, micro, normalise and returns
(outputs, final state): the state S_t = exp(g_t) S_(t-1), then micro times S += beta k (v - k^T S)^T (or S += k v^T), then o_t = scale S^T q_t.
Other rules have other inputs: x["arguments"] of a file names them. For a file with gradients a kernel gets do and dht too and returns x["gradients"].
"""

import pathlib

import numpy as np


def check(kernel, folder, rule=None, dtype="float32", stress=False, splits=True):
    """What is wrong, a line for each fault; an empty list if all vectors of the rule that are exact in this format hold."""
    faults = []
    for path in sorted(pathlib.Path(folder).glob(f"{rule or '*'}.*.npz")):
        x = dict(np.load(path))
        if (dtype in x["formats"].tolist() or stress) and "gradients" in x:
            got = zip(x["gradients"].tolist(), kernel(**part(x, 0, x["o"].shape[1], x["h0"])), strict=True)
            faults += [f"{x['feature']}: gradient of {name} wrong" for name, d in got if not np.array_equal(d, x["d" + name])]
        elif dtype in x["formats"].tolist() or stress:
            for where, first, inputs, wanted, final in runs(x, splits):
                got = kernel(**inputs)
                wrong = difference(got[0], got[1], wanted, final, first)
                faults += [f"{x['feature']}: {wrong[0]} ({where})"] if wrong else []
    return faults


def runs(x, splits=True):
    """(what is run, its first step, inputs, outputs, final state) of every call: all lengths; with splits, the state after n steps handed on."""
    packed, T = len(x["cu_seqlens"]) > 0, int(x["o"].shape[1])
    for row, n in enumerate([T] if packed else x["lengths"].tolist()):
        yield f"{n} steps", 0, part(x, 0, n, x["h0"]), x["o"][:, :n], x["states"][-1 if packed else row]
        if splits and n < T:
            yield f"state handed on at {n}", n, part(x, n, T, x["states"][row]), x["o"][:, n:], x["states"][-1]


def part(x, a, b, h0):
    """The inputs of steps a to b, as the file's list of arguments names them."""
    m, out = int(x["micro"]), {"h0": h0, "cu_seqlens": x["cu_seqlens"] if len(x["cu_seqlens"]) else None}
    for name, *axis in map(str.split, x["arguments"].tolist()):
        rows = slice(a, b) if axis == ["step"] else slice(a * m, b * m)
        out[name] = x[name][:, rows] if axis else x[name] if x[name].ndim else x[name].item()
    return out


def difference(o, state, wanted, final, first=0):
    """(what is wrong, the first wrong step or None, the largest error); None if all is equal. Minus zero is zero; NaN is wrong."""
    precise = np.result_type(wanted, np.float64)
    o = np.asarray(o, dtype=precise)
    if o.shape != wanted.shape:
        return f"expected outputs of shape {wanted.shape}, got {o.shape}", None, np.inf
    wrong = np.argwhere(~(o == wanted))
    if len(wrong):
        b, t, head, _ = min(wrong.tolist(), key=lambda at: at[1])
        size = float(np.nanmax(np.abs(o - wanted), initial=0.0))
        return f"first wrong at {t + first} in head {head}, sequence {b}, off by up to {size:.3g}", t + first, size
    if state is not None and not np.array_equal(np.asarray(state, dtype=precise), final):
        return "outputs right, final state wrong", None, np.inf
    return None
