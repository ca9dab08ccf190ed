"""Faults of the delta rule in a chunk: the triangular inverse, betas, and which steps a step reads."""

from __future__ import annotations

import numpy as np

from ..chunked import Chunked, stored
from .declared import FLA, Thread, fault


@fault(
    "key and value swapped",
    "initial state",
    theirs=(Thread(FLA, 623, "With a gate for each value channel, the kernel corrected the key by the value, not the value by the key."),),
)
class Swapped(Chunked):
    """The update is k - S v in place of v - S^T k, step by step, where keys are as wide as values."""

    def head(self, x, start, scale, n):
        if x.k.shape != x.v.shape:
            return super().head(x, start, scale, n)
        S, outputs, m = start.copy(), [], self.micro
        for t, (k, v, b) in enumerate(zip(x.k, x.v, x.beta, strict=True)):
            if t % m == 0:
                S = S * np.exp(x.g[t // m])
            S = S + np.outer(b * (k - S @ v), v)
            if t % m == m - 1:
                outputs.append(scale * (x.q[t // m] @ S))
        return stored(np.array(outputs), self.fmt), S


@fault(
    "factor 2 left out",
    "negative eigenvalue",
    theirs=(Thread(FLA, 832, "A layer accepted the option for negative eigenvalues and ignored it, so beta stayed below 1."),),
    rule="delta",
    ours="Betas are halved wherever one of them is above 1.",
)
class NotDoubled(Chunked):
    """Betas of a layer with negative eigenvalues lack their factor 2."""

    def strengths(self, beta):
        return beta / 2 if (beta > 1).any() else beta


@fault(
    "inverse by squaring",
    "unit keys",
    rule="delta",
    logic=False,
    theirs=(Thread("huawei-csl/megagdn-pto", 74, "Repeated squaring of the whole chunk left half precision on a trained model's inputs."),),
)
class Squaring(Chunked):
    """(I - A)(I + A^2)(I + A^4)...: right in exact arithmetic, and its numbers leave the format."""

    def inverse(self, A):
        T, power, m = np.eye(len(A), dtype=np.float32) - A, A, 1
        while m < len(A):
            power = stored(power @ power, self.fmt)
            T, m = stored(T + T @ power, self.fmt), 2 * m
        return T


@fault(
    "state in the format",
    "state of ten bits",
    logic=False,
    theirs=(Thread("ollama/ollama", 15865, "The recurrent state was written back in bfloat16 after every step."),),
    stress=True,
)
class StateInTheFormat(Chunked):
    """A kernel that goes step by step keeps the state in bfloat16, not in float32."""

    def __init__(self, rule, fmt="float32", chunk=64):
        super().__init__(rule, fmt, 1)

    def advance(self, x, borders, scale, rows):
        out, S = super().advance(x, borders, scale, rows)
        return out, stored(S, self.fmt)


@fault("inverse sign", "swap", rule="delta")
class InverseSign(Chunked):
    """Off-diagonal blocks of the triangular inverse have the wrong sign."""

    def merged(self, product):
        return product


@fault("inverse paths", "swap", rule="delta")
class InversePaths(Chunked):
    """The inverse lacks its longest paths between blocks."""

    def path(self, r, s, size):
        return slice(r, s) if s - r < 48 else slice(r, r + size)


@fault("inverse diagonal", "write", rule="delta")
class InverseDiagonal(Chunked):
    """The first block of the inverse subtracts the diagonal of A too."""

    def gram(self, k, b, between):
        self.diagonal = np.diag(super().gram(k, b, between))
        return super().gram(k, b, between)

    def inverse_of_blocks(self, blocks):
        T = super().inverse_of_blocks(blocks)
        T[0] -= np.diag(self.diagonal[: T.shape[-1]])
        return T


@fault("inverse last row", "swap", rule="delta")
class InverseLastRow(Chunked):
    """Rows within a block are substituted up to the last but one."""

    def inverse_of_blocks(self, blocks):
        T = super().inverse_of_blocks(blocks)
        T[:, -1, :-1] = -blocks[:, -1, :-1]
        return T


@fault("own step", "initial state")
class OwnStep(Chunked):
    """The attention in a chunk leaves out its own step."""

    def mask(self, n):
        return np.tril(np.ones((n, n), dtype=np.float32), -1)


@fault("next step", "initial state")
class NextStep(Chunked):
    """The attention in a chunk reads the next step too."""

    def mask(self, n):
        return np.tril(np.ones((n, n), dtype=np.float32), 1)


@fault("beta not on v", "initial state")
class BetaNotOnV(Chunked):
    """u = T V lacks beta."""

    def values(self, v, b):
        return v


@fault("beta not in A", "initial state")
class BetaNotInA(Chunked):
    """The matrix A lacks beta."""

    def gram(self, k, b, between):
        return self.pairs(k, k, between)


@fault("beta clamped", "negative eigenvalue", rule="delta")
class BetaClamped(Chunked):
    """Betas above 1 become 1."""

    def strengths(self, beta):
        return np.minimum(beta, 1)


@fault("one update of many", "initial state", rule="products")
class OneUpdate(Chunked):
    """Only the first update of a step is made."""

    def strengths(self, beta):
        return beta * (np.arange(len(beta)) % self.micro == 0)
