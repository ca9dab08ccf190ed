"""Why a vector is exact: every stored tensor and every sum of the chunked form, with the bits that it needs.

A number fits a format if its significant bits do and it is neither too large nor too small. A matrix product is exact in float32 in every order of
summation, fused or not, if its terms are multiples of a grid g and the magnitudes add up to at most 2^24 g. So one run of the chunked form in exact
arithmetic decides for all orders. What it cannot see is a kernel that computes something else on the way; ``doubling`` is such a way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from .base import Vector
from .other_rules import gates_of
from .vectors import DELTA

#: significant bits, least and largest exponent (of normal numbers) of the formats in which kernels store tensors
FORMATS = {"float32": (24, -126, 127), "float16": (11, -14, 15), "bfloat16": (8, -126, 127)}

#: chunk lengths that kernels use
CHUNKS = (16, 32, 64, 128)


@dataclass
class Audit:
    """The worst entries met: significant bits of each stored tensor, log2 of each sum over its grid, the largest modulus.

    ``doubling`` is log2 of the largest entry met where the triangular matrix is inverted by repeated squaring.
    """

    stored: dict[str, int] = field(default_factory=dict)
    summed: dict[str, int] = field(default_factory=dict)
    largest: float = 0.0
    smallest: float = np.inf
    doubling: int = 0

    def store(self, name: str, x: np.ndarray) -> np.ndarray:
        """Note a stored tensor; the same tensor."""
        nonzero = np.abs(x[x != 0])
        if len(nonzero):
            mantissa = np.rint(np.frexp(nonzero)[0] * 2.0**53).astype(np.int64)
            bits = 53 - int(np.log2((mantissa & -mantissa).astype(float)).min())
            self.stored[name] = max(self.stored.get(name, 0), bits)
            self.largest, self.smallest = max(self.largest, float(nonzero.max())), min(self.smallest, float(nonzero.min()))
        return x

    def product(self, name: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """The matrix product, and what its sums need. Raises ``ArithmeticError`` where double precision itself might round."""
        most = float((np.abs(a) @ np.abs(b)).max(initial=0.0)) / (_grid(a) * _grid(b))
        if most >= 2.0**53:
            raise ArithmeticError(f"expected {name} in at most 53 bits, got more")
        self.summed[name] = max(self.summed.get(name, 0), int(np.ceil(np.log2(max(most, 1.0)))))
        return a @ b

    def fits(self, name: str) -> bool:
        """Whether every tensor can be stored in a format, and every sum be done in float32 in any order."""
        bits, low, high = FORMATS[name]
        inside = self.largest < 2.0 ** (high + 1) and self.smallest >= 2.0**low
        return max(self.stored.values(), default=0) <= bits and max(self.summed.values(), default=0) <= 24 and inside

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats that hold every tensor."""
        return tuple(name for name in FORMATS if self.fits(name))


def _grid(x: np.ndarray) -> float:
    """The largest power of two that divides every entry; 1 for zeros."""
    mantissa, exponent = np.frexp(x[x != 0])
    if not len(mantissa):
        return 1.0
    whole = np.abs(np.rint(mantissa * 2.0**53)).astype(np.int64)
    return float(2.0 ** (np.log2((whole & -whole).astype(float)) + exponent - 53).min())


def audit(vector: Vector, chunk: int) -> Audit:
    """Run the chunked form of a vector's rule in exact arithmetic.

    Args:
        vector: from :func:`.vectors.vector`.
        chunk: steps in a chunk.

    Returns:
        The bits needed. The outputs and the last state are held to the vector's.

    Raises:
        ArithmeticError: if a sum needs more than 53 bits, or an output is another than the recurrence's.
    """
    found = Audit()
    for head in heads(vector):
        run = _complex if vector.rule == "complex-diagonal" else _two_keys if vector.rule == "rwkv7" else wy if head.delta else sums
        outputs, state = run(found, head, vector.scale, chunk)
        m = vector.micro
        if not np.array_equal(outputs[m - 1 :: m], head.o) or not np.array_equal(state, head.state):
            raise ArithmeticError(f"expected the recurrence's outputs from {vector.name} in chunks of {chunk}, got others")
    return found


@dataclass(frozen=True)
class Head:
    """One head of one sequence, micro-steps one after the other, with what the recurrence gave.

    For RWKV-7 ``k`` and ``v`` are what is written, ``a`` and ``b`` the pair of keys that acts on the state. For complex diagonal rules ``a`` turns the
    state and ``v`` is added.
    """

    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    beta: np.ndarray
    gate: np.ndarray
    start: np.ndarray
    o: np.ndarray
    state: np.ndarray
    delta: bool
    a: np.ndarray | None = None
    b: np.ndarray | None = None


def heads(vector: Vector) -> Iterator[Head]:
    """Every head of every sequence, for any rule."""
    of_rule = {"mamba2": _heads_of_mamba2, "rwkv7": _heads_of_rwkv7, "complex-diagonal": _heads_of_complex}
    return of_rule.get(vector.rule, _heads_of_matrices)(vector)


def _spans(vector: Vector) -> list[tuple[int, int, int]]:
    """(row, first step, end) of each sequence."""
    cuts, (rows, T) = vector.arrays["cu_seqlens"].tolist(), vector.arrays["o"].shape[:2]
    return [(0, a, b) for a, b in pairwise(cuts)] if cuts else [(b, 0, T) for b in range(rows)]


def _precise(vector: Vector) -> dict[str, np.ndarray]:
    """The arrays in double precision."""
    return {name: a.astype(np.result_type(a, np.float64)) for name, a in vector.arrays.items() if name not in ("lengths", "cu_seqlens")}


def _heads_of_mamba2(vector: Vector) -> Iterator[Head]:
    """Linear attention with a gate: C asks, B is the key and dt x the value."""
    x = _precise(vector)
    groups = x["x"].shape[2] // x["B"].shape[2]
    for n, (b, first, last) in enumerate(_spans(vector)):
        steps = slice(first, last)
        for h in range(x["x"].shape[2]):
            dt, C, B = x["dt"][b, steps, h], x["C"][b, steps, h // groups], x["B"][b, steps, h // groups]
            value, gate = dt[:, None] * x["x"][b, steps, h], gates_of(dt, float(x["A"][h]))
            o, state = x["o"][b, steps, h], x["states"][-1, n, h].T
            yield Head(C, B, value, np.ones(len(B)), gate, x["h0"][n, h].T, o, state, False)


def _heads_of_rwkv7(vector: Vector) -> Iterator[Head]:
    x = _precise(vector)
    for n, (b, first, last) in enumerate(_spans(vector)):
        steps = slice(first, last)
        for h in range(x["v"].shape[2]):
            r, k, v, a, c, o = (x[name][b, steps, h] for name in ("r", "k", "v", "a", "b", "o"))
            ones = np.ones(len(k))
            yield Head(r, k, v, ones, ones, x["h0"][n, h], o, x["states"][-1, n, h], True, a, c)


def _heads_of_complex(vector: Vector) -> Iterator[Head]:
    x = _precise(vector)
    for n, (b, first, last) in enumerate(_spans(vector)):
        for h in range(x["u"].shape[2]):
            a, u, o = (x[name][b, first:last, h] for name in ("a", "u", "o"))
            none = np.ones(len(u))
            yield Head(none, none, u, none, none, x["h0"][n, h], o, x["states"][-1, n, h], False, a)


def _heads_of_matrices(vector: Vector) -> Iterator[Head]:
    """Every head of every sequence, in double precision; keys and queries as the kernel has them once it has normalised them."""
    x, m, size, spans = _precise(vector), vector.micro, 64.0 if vector.normalise else 1.0, _spans(vector)
    groups = x["v"].shape[2] // x["q"].shape[2]
    for n, (b, first, last) in enumerate(spans):
        micros = slice(first * m, last * m)
        for c in range(x["v"].shape[2]):
            q = np.zeros(((last - first) * m, x["q"].shape[-1]))
            q[m - 1 :: m] = x["q"][b, first:last, c // groups] / size
            gate = np.ones((len(q), *x["gate"].shape[3:]))
            gate[::m] = x["gate"][b, first:last, c]
            yield Head(
                q,
                x["k"][b, micros, c // groups] / size,
                x["v"][b, micros, c],
                x["beta"][b, micros, c],
                gate,
                x["h0"][n, c],
                x["o"][b, first:last, c],
                x["states"][-1, n, c],
                vector.rule in DELTA,
            )


def decays(gate: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """D[i, j], the product of the gates j+1, ..., i, for j <= i; and the products of the gates 0, ..., i. Gates are 0, 1/2 and 1."""
    halves, zeros = np.cumsum(gate == 0.5, axis=0), np.cumsum(gate == 0, axis=0)
    between = np.where(zeros[:, None] > zeros[None], 0.0, 2.0 ** -np.maximum(halves[:, None] - halves[None], 0).astype(float))
    lower = np.tril(np.ones((len(gate), len(gate))))
    return between * (lower if gate.ndim == 1 else lower[:, :, None]), np.where(zeros > 0, 0.0, 2.0 ** -halves.astype(float))


def triangular_inverse(found: Audit, A: np.ndarray, block: int = 16) -> np.ndarray:
    """(I + A)^-1 for strictly lower triangular A as kernels do it: forward substitution in blocks of 16, then block by block."""
    n, T = len(A), np.eye(len(A))
    for s in range(0, n, block):
        e = min(s + block, n)
        for i in range(s + 1, e):
            T[i, s:i] = -found.product("rows of T", A[i : i + 1, s:i], T[s:i, s:i])[0]
        for r in range(0, s, block):
            inner = found.store("blocks of T", found.product("blocks of T", A[s:e, r:s], T[r:s, r : r + block]))
            T[s:e, r : r + block] = -found.product("blocks of T", T[s:e, s:e], inner)
    return T


def by_doubling(A: np.ndarray) -> float:
    """The largest entry met in (I + A)^-1 = (I - A)(I + A^2)(I + A^4) ..., which some kernels use."""
    T, power, most, m = np.eye(len(A)) - A, A, 1.0, 1
    while m < len(A):
        power = power @ power
        T, m = T + T @ power, 2 * m
        most = max(most, float(np.abs(power).max(initial=0.0)), float(np.abs(T).max()))
    return most


def _pairs(found: Audit, name: str, a: np.ndarray, k: np.ndarray, D: np.ndarray) -> np.ndarray:
    """The lower triangle of sum_c a_ic k_jc D_ijc; one gate to a row multiplies the whole sum."""
    if D.ndim == 2:
        return np.tril(found.product(name, a, k.T) * D)
    most = (np.abs(a) @ np.abs(k).T).max(initial=0.0) / (_grid(a) * _grid(k) * _grid(D))
    found.summed[name] = max(found.summed.get(name, 0), int(np.ceil(np.log2(max(most, 1.0)))))
    return np.tril(np.einsum("ic,jc,ijc->ij", a, k, D))


def wy(found: Audit, x: Head, scale: float, chunk: int) -> tuple[np.ndarray, np.ndarray]:
    """The WY form of the (gated) delta rule: T = (I + tril(beta K K^T D, -1))^-1, w = T beta G K, u = T beta V (Yang et al. 2024)."""
    S, outputs = x.start, []
    for s in range(0, len(x.k), chunk):
        Q, K, V, B = x.q[s : s + chunk], x.k[s : s + chunk], x.v[s : s + chunk], x.beta[s : s + chunk, None]
        D, G = decays(x.gate[s : s + chunk])
        G = G if G.ndim == 2 else G[:, None]
        found.store("state", S)
        A = found.store("A", np.tril(_pairs(found, "A", found.store("beta K", B * K), K, D), -1))
        T = found.store("T", triangular_inverse(found, A))
        found.doubling = max(found.doubling, int(np.ceil(np.log2(by_doubling(A)))))
        w = found.store("w", found.product("w", T, found.store("beta G K", B * G * K)))
        u = found.store("u", found.product("u", T, found.store("beta V", B * V)))
        new = found.store("new v", u - found.store("w S", found.product("w S", w, S)))
        outputs.append(_read(found, Q, K, new, D, G, S, scale))
        S = _next(found, K, new, D, G, S)
    return np.concatenate(outputs), found.store("state", S)


def _next(found: Audit, K: np.ndarray, new: np.ndarray, D: np.ndarray, G: np.ndarray, S: np.ndarray) -> np.ndarray:
    """The state after a chunk; what is stored is the decayed key, or the decayed value with one gate to a row."""
    if D.ndim == 3:
        return G[-1][:, None] * S + found.product("state", found.store("decayed K", D[-1] * K).T, new)
    return G[-1] * S + found.product("state", K.T, found.store("decayed v", D[-1][:, None] * new))


def sums(found: Audit, x: Head, scale: float, chunk: int) -> tuple[np.ndarray, np.ndarray]:
    """Linear attention with a gate for the whole state, or for each row of it, in chunks."""
    S, outputs = x.start, []
    for s in range(0, len(x.k), chunk):
        Q, K, V = x.q[s : s + chunk], x.k[s : s + chunk], x.v[s : s + chunk]
        D, G = decays(x.gate[s : s + chunk])
        G = G if G.ndim == 2 else G[:, None]
        outputs.append(_read(found, Q, K, V, D, G, found.store("state", S), scale))
        S = _next(found, K, V, D, G, S)
    return np.concatenate(outputs), found.store("state", S)


def _read(
    found: Audit, Q: np.ndarray, K: np.ndarray, new: np.ndarray, D: np.ndarray, G: np.ndarray, S: np.ndarray, scale: float
) -> np.ndarray:
    """scale (G Q S + tril(Q K^T D) new), the scale before or after."""
    P = found.store("attention", _pairs(found, "attention", Q, K, D))
    inner, outer = found.product("output", P, new), found.product("output", found.store("G Q", G * Q), S)
    found.store("scale Q", scale * Q)
    found.summed["output"] = max(found.summed["output"], _together((P, new), (G * Q, S)))
    return found.store("output", scale * (outer + inner))


def _together(*products: tuple[np.ndarray, np.ndarray]) -> int:
    """Several products as one sum: the magnitudes of all over the finest grid."""
    grid = min(_grid(a) * _grid(b) for a, b in products)
    most = float(np.max(sum(np.abs(a) @ np.abs(b) for a, b in products)))
    return int(np.ceil(np.log2(max(most / grid, 1.0))))


def _two_keys(found: Audit, x: Head, scale: float, chunk: int) -> tuple[np.ndarray, np.ndarray]:
    """The chunked form of S + b (a^T S) + k v^T: what a reads is p = T (tril(a k^T, -1) v + a S) with T = (I - tril(a b^T, -1))^-1."""
    S, outputs = x.start, []
    assert x.a is not None
    assert x.b is not None
    for s in range(0, len(x.k), chunk):
        rows = slice(s, s + chunk)
        R, K, V, a, b = x.q[rows], x.k[rows], x.v[rows], x.a[rows], x.b[rows]
        found.store("state", S)
        T = found.store("T", triangular_inverse(found, -found.store("a b", np.tril(found.product("a b", a, b.T), -1))))
        found.doubling = max(found.doubling, int(np.ceil(np.log2(by_doubling(-np.tril(a @ b.T, -1))))))
        known = found.store("a k v", found.product("a k v", found.store("a k", np.tril(found.product("a k", a, K.T), -1)), V))
        u, w = found.store("u", found.product("u", T, known)), found.store("w", found.product("w", T, a))
        p = found.store("p", u + found.store("w S", found.product("w S", w, S)))
        P = found.store("attention", np.tril(found.product("attention", R, K.T)))
        Z = found.store("attention b", np.tril(found.product("attention b", R, b.T)))
        parts = found.product("output", R, S) + found.product("output", P, V) + found.product("output", Z, p)
        outputs.append(found.store("output", scale * parts))
        found.summed["output"] = max(found.summed["output"], _together((R, S), (P, V), (Z, p)))
        S = S + found.product("state", K.T, V) + found.product("state", b.T, p)
    return np.concatenate(outputs), found.store("state", S)


def _complex(found: Audit, x: Head, scale: float, chunk: int) -> tuple[np.ndarray, np.ndarray]:
    """A scan in chunks: the parts of states, of products of a, and of what each part of a chunk adds; four real products make a complex one."""
    h, outputs = x.start, []
    assert x.a is not None
    for s in range(0, len(x.v), chunk):
        turn, added = np.ones_like(h), np.zeros_like(h)
        for a, u in zip(x.a[s : s + chunk], x.v[s : s + chunk], strict=True):
            turn, added = a * turn, a * added + u
            for z in (added, turn * h + added):
                found.store("state", np.concatenate([z.real, z.imag]))
            found.summed["state"] = max(
                found.summed.get("state", 0), int(np.ceil(np.log2(2 * max(np.abs(h).max() + np.abs(added).max(), 1))))
            )
            outputs.append(turn * h + added)
        h = outputs[-1]
    return np.array(outputs), h


def criterion(k: np.ndarray, beta: np.ndarray) -> bool:
    """Whether the triangular inverse has few bits at every length: all beta_i <k_i, k_j> are integers and 0 <= beta |k|^2 <= 2.

    Keys are scaled by powers of two first, so that their largest entry is from 1 to 2; steps with beta 0 are left out. Sufficient, not necessary.
    It says nothing about the state, the values, the scale and halvings: those have bounds of their own.
    """
    live = beta != 0
    k, beta = k[live], beta[live]
    if not len(k):
        return True
    pairs = np.unique(np.column_stack([k, beta]), axis=0)
    k, beta = pairs[:, :-1], pairs[:, -1]
    if (beta < 0).any() or (beta * (k * k).sum(axis=1) > 2).any() or not k.any(axis=1).all():
        return False
    size = 2.0 ** np.floor(np.log2(np.abs(k).max(axis=1)))
    A = (beta * size**2)[:, None] * (k / size[:, None]) @ (k / size[:, None]).T
    return bool(np.array_equal(A, np.rint(A)))
