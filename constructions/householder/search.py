"""Few GH factors in floats: the pencil of ``fewest`` by the QZ algorithm, and a search for extra factors that serve several nonreal pairs."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .factors import EPS, Array, GeneralizedHouseholder, mirror_between, noise

#: eigenvalues with a smaller argument count as real
REAL = 1e-10


class _Form(NamedTuple):
    """L, Delta and V as in ``fewest.PencilForm``."""

    L: Array
    Delta: Array
    V: Array


def float_factors(M: Array, trials: int, gap: float) -> list[GeneralizedHouseholder]:
    """Reflections for what M keeps the length of, then the pencil of the rest; see ``fewest.fewest_contraction_factors``."""
    _, sigma, right = np.linalg.svd(M)
    isometric, N = _isometric_part(M, right[sigma > 1 - gap])
    frame = right[sigma <= 1 - gap].T
    # I - N first, and Delta from it: near the identity 1 - N N^T would lose the digits of I - N
    L = frame.T @ (np.eye(len(M)) - N) @ frame
    return isometric + _strict_factors(_Form(L, L + L.T - L @ L.T, frame @ L.T), trials)


def _isometric_part(M: Array, kept: Array) -> tuple[list[GeneralizedHouseholder], Array]:
    """Reflections H_1, ..., H_r such that H_r ... H_1 M fixes the rows of ``kept``, and that matrix."""
    factors, rest = [], M
    for i, x in enumerate(kept):
        mirror = mirror_between(rest @ x, x, kept[:i].T, noise(len(M)))
        if mirror:
            factors.append(mirror)
            rest = mirror.apply(rest)
    return factors, rest


def _strict_factors(form: _Form, trials: int) -> list[GeneralizedHouseholder]:
    found: list[GeneralizedHouseholder] = []
    owed = 0
    while len(form.L):
        t, vectors = _eigenpairs(form)
        real = np.flatnonzero(_arguments(t) <= REAL)
        pairs = (len(t) - len(real)) // 2
        if pairs > 1 and trials and not owed:
            v = _best_extension(form, trials)
            if not _nonreal(_extended_spectra(_normalised(form), v[None])[0]):
                form, owed = _extended(form, v), len(t) + 1
                continue
        if owed or len(real):
            candidates = real if len(real) else np.array([int(np.argmin(_arguments(t)))])
            x = max(
                (_real_part(vectors[:, i]) for i in candidates), key=lambda x: float(x @ form.L @ x) / float(np.linalg.norm(form.L @ x))
            )
            factor, form = _split(form, x)
            found.append(factor)
            owed = max(owed - 1, 0)
        else:
            # a reflection makes three eigenvalues real, on paper; rounding may turn them a little, so three are taken as they are
            v = _best_extension(form, trials)
            form, owed = _extended(form, v), max(3, len(t) + 1 - _nonreal(_extended_spectra(_normalised(form), v[None])[0]))
    return found[::-1]


def _eigenpairs(form: _Form) -> tuple[Array, Array]:
    # loaded here: half of what it takes to compile a small automaton
    import scipy.linalg

    found: Any = scipy.linalg.eig(form.Delta, form.L)
    return found


def _arguments(t: Array) -> Array:
    """How far the eigenvalues are from being real, as angles; 0 for 0."""
    size = np.abs(t)
    return np.divide(np.abs(np.imag(t)), size, out=np.zeros_like(size), where=size > 0)


def _nonreal(t: Array) -> int:
    return int(np.sum(_arguments(t) > REAL))


def _real_part(x: Array) -> Array:
    """A unit vector: the real part of x after the turn that makes it longest."""
    x = np.real(x * np.exp(-0.5j * np.angle(x @ x)))
    return x / np.linalg.norm(x)


def _split(form: _Form, x: Array) -> tuple[GeneralizedHouseholder, _Form]:
    v = form.V @ x
    length = float(v @ v)
    _, _, right = np.linalg.svd((form.L @ x)[None, :])
    B = right[1:].T
    factor = GeneralizedHouseholder(v, 2 * length / (length + max(float(x @ form.Delta @ x), 0.0)))
    return factor, _Form(B.T @ form.L @ B, B.T @ form.Delta @ B, form.V @ B)


def _extended(form: _Form, v: Array) -> _Form:
    """One dimension more, by a vector |v| <= 1 in coordinates where Delta is I."""
    w = _root(form.Delta) @ v
    k = len(w)
    L, Delta = np.zeros((k + 1, k + 1)), np.eye(k + 1)
    L[:k, :k], L[:k, k], L[k, k] = form.L, w, 0.5
    Delta[:k, :k], Delta[:k, k], Delta[k, :k] = form.Delta, w, w
    return _Form(L, Delta, np.hstack([form.V, np.zeros((len(form.V), 1))]))


def _normalised(form: _Form) -> Array:
    """L in coordinates where Delta is I."""
    root = np.linalg.inv(_root(form.Delta))
    return root @ form.L @ root.T


def _root(Delta: Array) -> Array:
    """R with R R^T = Delta; an eigenvalue that rounding makes 0 is kept a hair above it."""
    values, vectors = np.linalg.eigh(Delta)
    return vectors * np.sqrt(np.maximum(values, max(EPS * values[-1], 1e-40)))


def _extended_spectra(A: Array, directions: Array) -> Array:
    """The eigenvalues t of the form extended by each v in ``directions``, shape (count, k); result (count, k + 1)."""
    count, k = directions.shape
    L, Delta = np.zeros((count, k + 1, k + 1)), np.zeros((count, k + 1, k + 1))
    L[:, :k, :k], L[:, :k, k], L[:, k, k] = A, directions, 0.5
    Delta[:] = np.eye(k + 1)
    Delta[:, :k, k] = Delta[:, k, :k] = directions
    return np.linalg.eigvals(np.linalg.solve(L, Delta))


def _best_extension(form: _Form, trials: int) -> Array:
    """A vector v that leaves few nonreal eigenvalues: the best of ``trials`` random ones, then a local search from it; a reflection for none."""
    from scipy.optimize import minimize

    A, k = _normalised(form), len(form.L)
    first = np.eye(k)[0]
    if not trials:
        return first
    rng = np.random.default_rng(0)
    directions = rng.standard_normal((trials, k))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    directions[trials // 2 :] *= rng.uniform(0, 1, (trials - trials // 2, 1))

    def turned(z: Array) -> float:
        return float(_arguments(_extended_spectra(A, (z / max(1.0, float(np.linalg.norm(z))))[None])).sum())

    def rank(v: Array) -> tuple[int, float]:
        t = _extended_spectra(A, v[None])
        return _nonreal(t), float(_arguments(t).sum())

    start = min([first, *directions], key=rank)
    found: Any = minimize(turned, start, method="Nelder-Mead", options={"maxfev": 4 * trials})
    return min([start, found.x / max(1.0, float(np.linalg.norm(found.x)))], key=rank)
