"""Gated tokens (movahedi25, Theorem 2.1) that act as given matrices, all in the same coordinates of a wider layer.

Each matrix gets channels of its own, in which it contracts in the metric of its own gate; the mixer computes all other channels from these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from flint import fmpq

from ...numerics import exact
from ...numerics.exact import Array
from .layer import Token, gated


def lyapunov(M: Array) -> Array | None:
    """The symmetric P with P M + M' P = I; None where that is singular. P is positive definite iff all eigenvalues of M have positive real parts."""
    n = len(M)
    one = exact.identity(n)
    # row-major: vec(P M) = (I x M') vec P, vec(M' P) = (M' x I) vec P
    system = np.kron(one, M.T) + np.kron(M.T, one)
    if exact.rank(system) < n * n:
        return None
    return (exact.inverse(system) @ one.reshape(-1)).reshape(n, n)


def ldl(P: Array) -> tuple[Array, Array]:
    """(L, d) with P = L diag(d) L', L unit lower triangular, for a positive definite rational P."""
    n = len(P)
    L, d, rest = exact.identity(n), exact.zeros(n), P.copy()
    for j in range(n):
        d[j] = rest[j, j]
        L[j:, j] = rest[j:, j] / d[j]
        rest = rest - np.outer(L[:, j], L[:, j]) * d[j]
        rest[:, j] = rest[j, :] = fmpq(0)
    return L, d


def own_channels(B: Array) -> tuple[Array, Array, Array]:
    """(R, E, d): B = E R with as many rows R as the rank of B, and R E contracts strictly in the metric d: it is gated for itself.

    Raises ``ValueError`` where an eigenvalue other than 0 is outside the open disc |z - 1/2| < 1/2, or 0 is not semisimple.
    """
    C = _independent_rows(B)
    E = B @ C.T @ exact.inverse(C @ C.T) if len(C) else exact.zeros(len(B), 0)
    X = C @ E
    if exact.rank(X) < len(X):
        raise ValueError("expected 0 to be no eigenvalue or a semisimple one, got a matrix that is nilpotent on some plane")
    P = lyapunov(exact.inverse(X) - exact.identity(len(X))) if len(X) else X
    if P is None or not exact.is_positive_definite(P):
        raise ValueError("expected eigenvalues that are 0 or in the open disc |z - 1/2| < 1/2, got another one")
    L, d = ldl(P)
    return L.T @ C, E @ (exact.inverse(L.T) if len(L) else L), d


def common_layer(matrices: Sequence[Array]) -> tuple[Array, list[Token]]:
    """(S, tokens): S is injective and A S = S B for the transition A of each token and its matrix B.

    Raises ``ValueError`` where a matrix is not that of a gated token for itself: see ``own_channels``.
    """
    n = len(matrices[0])
    found = [own_channels(B) for B in matrices]
    S = np.vstack([R for R, _, _ in found])
    if exact.rank(S) < n:
        S = np.vstack([S, exact.identity(n)])
    tokens, first = [], 0
    for R, E, d in found:
        tokens.append(_token(S, list(range(first, first + len(R))), E, d))
        first += len(R)
    return S, tokens


def _token(S: Array, own: list[int], E: Array, d: Array) -> Token:
    """Decays on the own channels g, and the others computed from them: h' = S E g, for mixers scaled down until they contract."""
    m, after = len(S), S @ E
    others = [i for i in range(m) if i not in own]
    decay, mixer = exact.zeros(m), exact.identity(m)
    if not own:
        return gated(decay, mixer, exact.zeros(m))
    inverse = exact.inverse(after[own])
    H = d[:, None] * (inverse - exact.identity(len(own)))
    t = _first_scale(lambda t: _is_strict(exact.identity(len(own)) - H * t))
    decay[own] = np.array([t * x / (1 + t * x) for x in d], dtype=object)
    mixer[np.ix_(own, own)] = H * t
    mixer[np.ix_(others, own)] = -(after[others] @ inverse)

    def scaled(q: fmpq) -> Array:
        out = mixer.copy()
        out[others] = mixer[others] * q
        return out

    q = _first_scale(lambda q: _is_strict(exact.identity(m) - scaled(q)))
    return gated(decay, scaled(q), exact.zeros(m))


def _first_scale(works: Callable[[fmpq], bool]) -> fmpq:
    """The first of 1, 1/2, 1/4, ... that works; small ones do. Raises ``ArithmeticError`` below 2^-199."""
    for halvings in range(200):
        if works(fmpq(1, 2**halvings)):
            return fmpq(1, 2**halvings)
    raise ArithmeticError("expected a scale that works, found none down to 2^-199")


def _is_strict(F: Array) -> bool:
    return exact.is_positive_definite(exact.identity(len(F)) - exact.multiply(F.T, F))


def _independent_rows(B: Array) -> Array:
    """Rows of B that are a basis of its row space, the identity for an invertible B."""
    n = len(B)
    if exact.rank(B) == n:
        return exact.identity(n)
    chosen: list[Array] = []
    for row in B:
        if exact.rank(np.array([*chosen, row], dtype=object)) > len(chosen):
            chosen.append(row)
    return np.array(chosen, dtype=object).reshape(len(chosen), n)
