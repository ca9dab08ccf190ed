"""A chunked kernel of all six rules as libraries write them, with faults that can be switched on; tensors are stored in a format, sums are in float32."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

#: fault -> what it does; all are faults of logic, of the kinds that libraries had
FAULTS = {
    "inverse sign": "off-diagonal blocks of the triangular inverse have the wrong sign",
    "inverse paths": "the inverse lacks its longest paths between blocks",
    "inverse diagonal": "the first block of the inverse takes the diagonal of A too",
    "inverse last row": "rows within a block are substituted up to the last but one",
    "own step": "the attention in a chunk leaves out its own step",
    "next step": "the attention in a chunk reads the next step",
    "gate late": "cumulated gates are shifted by one step",
    "gate after": "the gate acts after the update",
    "gate clamped": "log gates are clamped at -5",
    "gate exp2": "2^g in place of e^g",
    "gate not in w": "w lacks the cumulated gate",
    "no start": "the initial state is ignored",
    "start transposed": "the initial state is read as V x K",
    "start of the first": "every packed sequence starts from the first one's state",
    "beta not on v": "values are not multiplied by beta",
    "beta not in A": "the matrix A lacks beta",
    "beta clamped": "betas above 1 become 1",
    "no scale": "the scale is left out",
    "scale of the width": "the scale is always K^(-1/2)",
    "padding decays": "the last, partial chunk decays the state up to its full length",
    "padding writes": "padded rows repeat the last key and value",
    "chunk late": "a full chunk reads the state before the last chunk's writes",
    "lost key": "the last key of a full chunk is not written",
    "packed as one": "packed sequences run into each other",
    "packed off by one": "packed sequences end one step late",
    "heads tiled": "key heads are tiled over value heads, not repeated",
    "batch of the first": "all rows of a batch read the first one's keys",
    "second tile": "key channels from 64 on are left out of the output",
    "no norm": "keys and queries are not normalised",
    "one update": "only the first update of a step is made",
    "state of one head": "the final state of every head is the first one's",
}


def stored(x, fmt):
    """Rounded to a format, to nearest even, as float32."""
    x = np.asarray(x, dtype=np.float32)
    if fmt == "float16":
        return x.astype(np.float16).astype(np.float32)
    if fmt == "bfloat16":
        bits = x.view(np.uint32)
        return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)
    return x


def kernel(rule, fmt="float32", fault=None, chunk=64):
    """The kernel as :func:`lemmata.kernels.exact_vectors.check` calls it."""

    def run(q, k, v, beta, g, h0, scale, cu_seqlens, micro, normalise):
        if fault == "no scale":
            scale = 1.0
        if fault == "scale of the width":
            scale = q.shape[-1] ** -0.5
        if normalise and fault != "no norm":
            q, k = (x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-6) for x in (q, k))
        if fault == "batch of the first":
            k = np.broadcast_to(k[:1], k.shape)
        B, T, H = q.shape[:3]
        HV = v.shape[2]
        o, states = np.zeros((B, T, HV, v.shape[3]), dtype=np.float32), np.zeros_like(h0)
        cuts = None if cu_seqlens is None else list(cu_seqlens)
        if cuts and fault == "packed as one":
            cuts = [0, T]
        if cuts and fault == "packed off by one":
            cuts = [c + (0 < c < T) for c in cuts]
        spans = [(b, 0, T) for b in range(B)] if cuts is None else [(0, a, e) for a, e in pairwise(cuts)]
        for n, (b, first, last) in enumerate(spans):
            for c in range(HV):
                h = c % H if fault == "heads tiled" else c // (HV // H)
                start = h0[0 if fault == "start of the first" else n, c]
                micros = slice(first * micro, last * micro)
                # a wrong kernel may overflow; it is found wrong all the same
                with np.errstate(all="ignore"):
                    o[b, first:last, c], states[n, c] = head(
                        rule,
                        fmt,
                        fault,
                        chunk,
                        q[b, first:last, h],
                        k[b, micros, h],
                        v[b, micros, c],
                        beta[b, micros, c],
                        g[b, first:last, c],
                        start,
                        scale,
                        micro,
                    )
        if fault == "state of one head":
            states[:] = states[:, :1]
        return o, states

    return run


def head(rule, fmt, fault, chunk, q, k, v, beta, g, start, scale, micro):
    """One head: micro-steps one after the other, the query at the last one of a step."""
    delta, n = rule in ("delta", "gated-delta", "products"), len(k)
    S = (
        np.zeros_like(start)
        if fault == "no start"
        else start.T
        if fault == "start transposed" and start.shape[0] == start.shape[1]
        else start
    )
    queries, gates = np.zeros((n, q.shape[1]), dtype=np.float32), np.zeros((n, *g.shape[1:]), dtype=np.float32)
    queries[micro - 1 :: micro], gates[::micro] = q, g
    if fault == "one update":
        live = np.arange(n) % micro == 0
        beta, v, k = beta * live, v * live[:, None], k * (live[:, None] if not delta else 1)
    if fault == "beta clamped":
        beta = np.minimum(beta, 1)
    if fault == "gate clamped":
        gates = np.maximum(gates, -5)
    if fault == "gate after":
        gates = np.concatenate([np.zeros_like(gates[:1]), gates[:-1]])
    exp = np.exp2 if fault == "gate exp2" else np.exp
    outputs, before = [], S
    for s in range(0, n, chunk):
        Q, K, V, b, G = (x[s : s + chunk] for x in (queries, k, v, beta, gates))
        full = len(K) == chunk
        if not full and fault == "padding writes":
            rest = chunk - len(K)
            K, V, b = (np.concatenate([x, np.repeat(x[-1:], rest, axis=0)]) for x in (K, V, b))
            Q, G = (np.concatenate([x, np.zeros((rest, *x.shape[1:]), dtype=x.dtype)]) for x in (Q, G))
        G = np.cumsum(G, axis=0)
        if fault == "gate late":
            G = np.concatenate([np.zeros_like(G[:1]), G[:-1]])
        rows = np.arange(len(K))
        lower = rows[:, None] >= rows
        if fault == "own step":
            lower = rows[:, None] > rows
        if fault == "next step":
            lower = rows[:, None] + 1 >= rows
        between = exp(np.minimum(G[:, None] - G[None], 0))
        total = exp(G)
        if g.ndim == 2:
            P = np.einsum("ic,jc,ijc->ij", Q, K, between) * lower
            new, E = V, total
        else:
            E = total[:, None]
            P = (Q @ K.T) * between * lower
            new = _written(K, V, b, between, E, S if fault != "chunk late" or s == 0 or not full else before, fmt, fault) if delta else V
        R = stored(before if fault == "chunk late" and s and full else S, fmt)
        read = slice(0, 64) if fault == "second tile" else slice(None)
        out = scale * ((Q * E)[:, read] @ R[read] + stored(P, fmt) @ stored(new, fmt))
        outputs.append(out[: min(chunk, n - s)])
        left = exp(G[-1] - G)
        write = new * left[:, None] if g.ndim == 1 else new
        keys = K if g.ndim == 1 else K * left
        if fault == "lost key" and full:
            write = write * (rows < chunk - 1)[:, None]
        before = S
        last = total[-1] if g.ndim == 1 else total[-1][:, None]
        if fault == "padding decays" and not full:
            last = last * np.exp(gates[s + len(K) - 1] * np.float32(1))[..., None] if g.ndim == 2 else last * np.exp(gates[-1])
        S = S * last + keys.T @ stored(write, fmt)
    return stored(np.concatenate(outputs), fmt)[micro - 1 :: micro], S


def _written(K, V, b, between, E, S, fmt, fault):
    """What the chunk's steps write: T (beta V) - T (beta G K) S with T = (I + A)^-1."""
    b = b[:, None]
    A = np.tril(((K if fault == "beta not in A" else b * K) @ K.T) * between, 0 if fault == "inverse diagonal" else -1)
    T = stored(inverse(stored(A, fmt), fault), fmt)
    w = stored(T @ stored(b * (1 if fault == "gate not in w" else E) * K, fmt), fmt)
    u = stored(T @ stored(V if fault == "beta not on v" else b * V, fmt), fmt)
    return u - w @ stored(S, fmt)


def inverse(A, fault, block=16):
    """(I + A)^-1 of a lower triangular A with 0 on its diagonal: rows within blocks, then blocks."""
    n, T = len(A), np.eye(len(A), dtype=np.float32)
    for s in range(0, n, block):
        e = min(s + block, n)
        for i in range(s + 1, e - (fault == "inverse last row" and e - s == block)):
            T[i, s:i] = -(A[i : i + 1, s:i] @ T[s:i, s:i])[0]
        if fault == "inverse last row" and e - s == block:
            T[e - 1, s : e - 1] = -A[e - 1, s : e - 1]
        if fault == "inverse diagonal" and s == 0:
            T[:e, :e] -= np.diag(np.diag(A)[:e])
        for r in range(0, s, block):
            middle = slice(r, s) if not (fault == "inverse paths" and s - r >= 32) else slice(r, r + block)
            step = T[s:e, s:e] @ (A[s:e, middle] @ T[middle, r : r + block])
            T[s:e, r : r + block] = step if fault == "inverse sign" else -step
    return T
