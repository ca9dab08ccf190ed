"""Perturbed layers of isometries in float64, for groups whose matrices are not rational: second moments over all words, and gradient descent on the loss."""

from __future__ import annotations

from itertools import product

import numpy as np


def icosahedral_keys() -> np.ndarray:
    """The 15 unit vectors, up to sign, of the mirrors of the icosahedron, shape (15, 3)."""
    golden = (1 + np.sqrt(5)) / 2
    keys = [np.eye(3)[i] for i in range(3)]
    for shift, (s, t) in product(range(3), product((1, -1), repeat=2)):
        keys.append(np.roll(np.array([1.0, s * golden, t / golden]) / 2, shift))
    return np.array(keys)


def moments_in_floats(maps: np.ndarray, directions: np.ndarray, start: np.ndarray, length: int) -> np.ndarray:
    """E |D_t|^2 for t = 0, ..., ``length`` (shape (length + 1,)) over uniform words: D_t is the derivative of the state along ``directions`` (m, n, n)."""
    n = maps.shape[1]
    steps = np.zeros((len(maps), 2 * n, 2 * n))
    steps[:, :n, :n], steps[:, n:, n:], steps[:, n:, :n] = maps, maps, directions
    first = np.concatenate([start, np.zeros(n)])
    M, found = np.outer(first, first), [0.0]
    for _ in range(length):
        M = np.einsum("xij,jk,xlk->il", steps, M, steps) / len(maps)
        found.append(float(np.trace(M[n:, n:])))
    return np.array(found)


def mean_loss(maps: np.ndarray, others: np.ndarray, start: np.ndarray, length: int) -> float:
    """The mean over all words of the squared distance of the last states of two layers with these maps, both (m, n, n), from one start."""
    n = maps.shape[1]
    steps = np.zeros((len(maps), 2 * n, 2 * n))
    # the second half is the difference of the states, so that small ones are not lost
    steps[:, :n, :n], steps[:, n:, n:], steps[:, n:, :n] = maps, others, others - maps
    first = np.concatenate([start, np.zeros(n)])
    M = np.outer(first, first)
    for _ in range(length):
        M = np.einsum("xij,jk,xlk->il", steps, M, steps) / len(maps)
    return float(np.trace(M[n:, n:]))


def distance_left(
    maps: np.ndarray, directions: np.ndarray, start: np.ndarray, length: int, step: float, first: float = 1e-6, steps: int = 12
) -> float:
    """How far gradient descent on the loss along ``directions`` is from 0 after some steps, as a share of ``first``; gradients are central differences."""
    e = first
    for _ in range(steps):
        h = abs(e) / 8
        ahead, back = (mean_loss(maps, maps + x * directions, start, length) for x in (e + h, e - h))
        e -= step * (ahead - back) / (2 * h)
    return abs(e) / first
