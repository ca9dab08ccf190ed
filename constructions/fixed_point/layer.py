"""Fixed-point RNNs (movahedi25): a diagonal recurrence whose fixed point in depth is a dense recurrence.

A token brings a diagonal decay Lambda, an input gate G, a mixer Q and an input b = B x. One pass over the sequence is the diagonal recurrence

    f(h)_t = Lambda_t f(h)_{t-1} + G_t (Q_t b_t + (I - Q_t) h_t),

and at its fixed point h_t = (I - G_t (I - Q_t))^-1 (Lambda_t h_{t-1} + G_t Q_t b_t). The paper uses two gates for one thing: ``ungated`` is its Eq. 1
to 4, with the transition Q^-1 Lambda; ``gated`` its Theorem 2.1, with the transition (Lambda + (I - Lambda) Q)^-1 Lambda. They are different matrices.
Vectors have shape (d,), matrices (d, d); entries are floats or exact numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq

from ...numerics import exact
from ...numerics.exact import Array
from ..recurrence import Recurrence


@dataclass(frozen=True)
class Token:
    """What one token does: ``decay`` (d,) and ``gate`` (d,) are diagonals, ``mixer`` is (d, d), ``drive`` = B x is (d,)."""

    decay: Array
    gate: Array
    mixer: Array
    drive: Array

    @property
    def feedback(self) -> Array:
        """G (I - Q), which multiplies the previous iterate."""
        return self.gate[:, None] * (_identity(self.mixer) - self.mixer)

    @property
    def source(self) -> Array:
        """G Q b, which does not depend on the iterate."""
        return self.gate * (self.mixer @ self.drive)

    def dense(self) -> tuple[Array, Array]:
        """(A, c) of the dense recurrence h_t = A h_{t-1} + c; raises ``ValueError`` where I - G (I - Q) is singular."""
        inverse = _inverse(_identity(self.mixer) - self.feedback)
        return inverse * self.decay, inverse @ self.source


def ungated(decay: Any, mixer: Any, drive: Any) -> Token:
    """Eq. 3 and 4: no input gate, transition Q^-1 Lambda."""
    decay = _vector(decay)
    return Token(decay, decay * 0 + 1, np.asarray(mixer), _vector(drive))


def gated(decay: Any, mixer: Any, drive: Any) -> Token:
    """Theorem 2.1: the input gate is I - Lambda, the transition (Lambda + (I - Lambda) Q)^-1 Lambda."""
    decay = _vector(decay)
    return Token(decay, 1 - decay, np.asarray(mixer), _vector(drive))


def gated_by_modulus(decay: Any, mixer: Any, drive: Any) -> Token:
    """The input gate I - |Lambda|, which contracts for decays of either sign."""
    decay = _vector(decay)
    return Token(decay, 1 - abs(decay), np.asarray(mixer), _vector(drive))


# -- the iteration and its fixed point -----------------------------------------------------------------------------------


def diagonal_layer(tokens: Sequence[Token], h: Array, initial: Array | None = None) -> Array:
    """f(h): one pass of the diagonal recurrence over the sequence; ``h`` and the result have shape (T, d), ``initial`` (d,), zero if left out."""
    state = h[0] * 0 if initial is None else initial
    out = []
    for token, previous in zip(tokens, h, strict=True):
        state = token.decay * state + token.source + token.feedback @ previous
        out.append(state)
    return np.array(out)


def iterate(tokens: Sequence[Token], count: int, initial: Array | None = None) -> Array:
    """h^count of Eq. 4, from h^0 = 0: ``count`` passes over the sequence."""
    h = np.array([token.drive * 0 for token in tokens])
    for _ in range(count):
        h = diagonal_layer(tokens, h, initial)
    return h


def dense_states(tokens: Sequence[Token], initial: Array | None = None) -> Array:
    """The states of the dense recurrence, shape (T, d)."""
    state = tokens[0].drive * 0 if initial is None else initial
    out = []
    for token in tokens:
        A, c = token.dense()
        state = A @ state + c
        out.append(state)
    return np.array(out)


def dense_recurrence(table: dict[Any, Token], initial: Array, decode: Callable[[Array, Any], Any]) -> Recurrence:
    """The dense recurrence over a finite alphabet; states are columns, shape (d, 1)."""
    maps = {letter: token.dense() for letter, token in table.items()}
    return Recurrence.from_table({x: (A, c[:, None]) for x, (A, c) in maps.items()}, initial, decode)


def passes_needed(tokens: Sequence[Token], tolerance: float, limit: int, initial: Array | None = None) -> int | None:
    """The first number of passes after which the relative error, in the largest entry over the whole sequence, is at most ``tolerance``; None beyond ``limit``."""
    target = dense_states(tokens, initial)
    scale = abs(target).max()
    h = target * 0
    for count in range(1, limit + 1):
        h = diagonal_layer(tokens, h, initial)
        if abs(h - target).max() <= tolerance * scale:
            return count
    return None


# -- mixers for a wanted transition --------------------------------------------------------------------------------------


def mixer_for(A: Array, decay: Any) -> Array:
    """Q = Lambda A^-1, with which the ungated layer has the transition A (Eq. 2); A is rational and invertible."""
    return _vector(decay)[:, None] * exact.inverse(A)


def has_mixer(A: Array) -> bool:
    """A = Q^-1 Lambda for some invertible Q and diagonal Lambda: iff the nonzero columns of A are independent."""
    nonzero = [j for j in range(A.shape[1]) if any(x != 0 for x in A[:, j])]
    return not nonzero or exact.rank(A[:, nonzero]) == len(nonzero)


def rotated_decay(M: Array) -> Array:
    """Decays with which diag(decay) M has simple positive eigenvalues of sum 1, for a rational M with nonzero leading principal minors (Fisher and Fuller, 1958).

    With Q = diag(decay) M all eigenvalues of I - Q lie in [0, 1), so the ungated iteration with the transition M^-1 converges at every length. Raises
    ``ValueError`` if a leading minor is 0.
    """
    n = len(M)
    minors = [fmpq(1), *(exact.determinant(M[:k, :k]) for k in range(1, n + 1))]
    if any(x == 0 for x in minors):
        raise ValueError(f"expected nonzero leading principal minors, got {[str(x) for x in minors[1:]]}")
    for halvings in range(1, 60):
        decay = np.array([minors[k] / minors[k + 1] * fmpq(1, 2 ** (halvings * k)) for k in range(n)], dtype=object)
        chi = exact.characteristic_polynomial(decay[:, None] * M)
        if exact.count_real_roots(chi) == n and all(c * (-1) ** (n - k) > 0 for k, c in enumerate(chi.coeffs())):
            return decay / sum(decay[i] * M[i, i] for i in range(n))
    raise ArithmeticError("expected simple positive eigenvalues for decays that fall off quickly, found none down to 2^-59")


# -- dependence on the previous state (App. C.1) --------------------------------------------------------------------------


@dataclass(frozen=True)
class Selective:
    """``token(x, previous)`` gives the token of the input x when the state (or output) before it is ``previous``, shape (d,)."""

    token: Callable[[Any, Array], Token]
    initial: Array

    def parallel(self, inputs: Sequence[Any], h: Array) -> Array:
        """One pass of the iteration in parallel form: the token at time t depends on h_{t-1} of the previous iterate."""
        before = [self.initial, *h[:-1]]
        return diagonal_layer([self.token(x, p) for x, p in zip(inputs, before, strict=True)], h, self.initial)

    def solve(self, inputs: Sequence[Any]) -> Array:
        """The fixed point, token after token: given h_{t-1} the equation for h_t is linear."""
        state, out = self.initial, []
        for x in inputs:
            A, c = self.token(x, state).dense()
            state = A @ state + c
            out.append(state)
        return np.array(out)

    def run_parallel(self, inputs: Sequence[Any], tolerance: Any, limit: int = 10_000) -> tuple[Array, int]:
        """(h, passes): all tokens at once from 0, stopped as in App. D.2: ||h^l - h^(l-1)||_inf < tolerance ||h^l||_inf."""
        h = np.array([self.initial * 0 for _ in inputs])
        for count in range(1, limit + 1):
            new = self.parallel(inputs, h)
            stop, h = _settled(new, h, tolerance), new
            if stop:
                return h, count
        raise ArithmeticError(f"expected the iteration to settle within {limit} passes, it did not")

    def run_sequential(self, inputs: Sequence[Any], tolerance: Any, limit: int = 10_000) -> tuple[Array, int]:
        """(h, most passes of a token): each token from 0 until the same rule stops it, before the next one is read."""
        state, out, most = self.initial, [], 0
        for x in inputs:
            token = self.token(x, state)
            h, count = Selective(lambda _, __, token=token: token, state).run_parallel([x], tolerance, limit)
            state, most = h[0], max(most, count)
            out.append(state)
        return np.array(out), most


def lag_one_layer(norm: Any, d: int = 2) -> Selective:
    """A layer whose mixer and decay depend on the state p before: I - Q = norm (I - 2 p p^T/(1 + p.p)), of norm at most ``norm``; decay 1/(2 + p.p)."""

    def token(x: Array, p: Array) -> Token:
        size, square = p @ p, np.outer(p, p)
        one = _identity(square)
        return ungated((p * 0 + 1) / (size + 2), one - (one - square * 2 / (size + 1)) * norm, x)

    return Selective(token, exact.zeros(d))


def _settled(new: Array, old: Array, tolerance: Any) -> bool:
    # "<=" where the paper has "<", so that the zero sequence settles
    return bool(abs(new - old).max() <= tolerance * abs(new).max())


# -- entries -------------------------------------------------------------------------------------------------------------


def _vector(values: Any) -> Array:
    array = np.asarray(values)
    return array if array.dtype == np.float64 or array.dtype == object else exact.rationals(array)


def _identity(matrix: Array) -> Array:
    return np.eye(len(matrix)) if matrix.dtype == np.float64 else exact.identity(len(matrix))


def _inverse(matrix: Array) -> Array:
    """Rational matrices go to FLINT, floats to LAPACK, other fields through elimination."""
    if matrix.dtype == np.float64:
        return np.linalg.inv(matrix)
    if all(isinstance(x, int | fmpq) for x in matrix.flat):
        return exact.inverse(matrix)
    return _eliminate(matrix)


def _eliminate(matrix: Array) -> Array:
    """The inverse by Gauss and Jordan over any field; raises ``ValueError`` if the matrix is singular."""
    n = len(matrix)
    work = np.hstack([matrix, exact.identity(n)])
    for j in range(n):
        pivot = next((i for i in range(j, n) if work[i, j] != 0), None)
        if pivot is None:
            raise ValueError("expected an invertible matrix, got a singular one")
        work[[j, pivot]] = work[[pivot, j]]
        work[j] = work[j] / work[j, j]
        for i in range(n):
            if i != j and work[i, j] != 0:
                work[i] = work[i] - work[i, j] * work[j]
    return work[:, n:]
