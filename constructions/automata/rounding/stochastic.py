"""Unbiased stochastic rounding on a fixed grid: all outcomes with their probabilities, exactly, and random runs in float64."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from flint import fmpq

from ....numerics import exact
from ....numerics.exact import Array


def outcomes(x: fmpq, unit: fmpq) -> list[tuple[fmpq, fmpq]]:
    """(probability, value): the multiples of ``unit`` beside x, nearer ones more often, so that the mean is x.

    Example:
        >>> [(str(p), str(y)) for p, y in outcomes(fmpq(5, 4), fmpq(1))]
        [('3/4', '1'), ('1/4', '2')]
    """
    below = (x / unit).floor() * unit
    share = (x - below) / unit
    return [(1 - share, below), (share, below + unit)] if share else [(fmpq(1), x)]


def rounded_vectors(h: Array, unit: fmpq) -> Iterator[tuple[fmpq, Array]]:
    """(probability, vector) for a column (n, 1) whose entries are rounded independently."""
    for chosen in product(*(outcomes(x, unit) for x in h[:, 0])):
        share = fmpq(1)
        for p, _ in chosen:
            share *= p
        yield share, exact.rationals([[y] for _, y in chosen])


def error_moments(maps: Sequence[Array], word: Sequence[int], start: Array, unit: fmpq, form: Array) -> tuple[fmpq, fmpq]:
    """(E e^T Q e, sum of E xi^T Q xi) after a word: the error of the state and the errors of all roundings, by all outcomes.

    ``maps`` of shape (n, n), ``start`` of shape (n, 1) on the grid, and ``form`` Q, which the maps keep: A^T Q A = Q.
    """
    runs: dict[tuple, tuple[fmpq, Array]] = {exact.freeze(start): (fmpq(1), start)}
    state, local = start, fmpq(0)
    for x in word:
        after: dict[tuple, tuple[fmpq, Array]] = {}
        for share, h in runs.values():
            wanted = maps[x] @ h
            for p, g in rounded_vectors(wanted, unit):
                xi = g - wanted
                local += share * p * (xi.T @ form @ xi)[0, 0]
                known = after.get(exact.freeze(g), (fmpq(0), g))[0]
                after[exact.freeze(g)] = (known + share * p, g)
        runs, state = after, maps[x] @ state
    total = sum((share * ((h - state).T @ form @ (h - state))[0, 0] for share, h in runs.values()), fmpq(0))
    return total, local


def wrong_share(maps: np.ndarray, states: np.ndarray, unit: float, length: int, runs: int, seed: int) -> float:
    """The share of random runs that end nearest to a wrong state: ``maps`` (m, n, n) and the ``states`` (q, n) that words reach from the first, in float64."""
    rng = np.random.default_rng(seed)
    exact_state = np.repeat(states[:1], runs, axis=0)
    rounded = exact_state.copy()
    for x in rng.integers(0, len(maps), size=length):
        exact_state = exact_state @ maps[x].T
        moved = rounded @ maps[x].T
        rounded = np.floor(moved / unit + rng.random(moved.shape)) * unit
    return float((nearest(rounded, states) != nearest(exact_state, states)).mean())


def nearest(found: np.ndarray, states: np.ndarray) -> np.ndarray:
    """The numbers of the states (q, n) nearest to vectors (k, n)."""
    return np.argmin(((found[:, None, :] - states[None, :, :]) ** 2).sum(axis=2), axis=1)
