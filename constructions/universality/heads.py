"""The heads of Theorem 2 for three maps: one network per step, with a bound on its largest error (orvieto24, Theorem 2, App. E.3).

All rest on staircases: a function of one variable with variation V is within V / (2 (D + 1)) of D steps, and a linear map in front costs no neuron.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np
from flint import fmpq

from ...numerics import exact
from ...numerics.exact import Array
from .maps import PROTEIN_START, protein_transduction, respond
from .networks import Network, monotone_thresholds, ridge, staircase, together


def filter_heads(taps: Sequence[fmpq], length: int, steps: int) -> tuple[list[Network], Any]:
    """(heads, bound): y_k = sum_j taps[j] v_(k-j) for |v_i| <= 1 by ``steps`` neurons at each step; the largest error is sum |taps| / (steps + 1). Exact."""
    heads, largest = [], fmpq(0)
    for k in range(1, length + 1):
        # tap j reads v_(k-j), the entry k - 1 - j of (v_1, ..., v_k)
        row = exact.rationals([taps[k - 1 - i] if k - 1 - i < len(taps) else 0 for i in range(k)])
        r = sum(abs(h) for h in row)
        largest = max(largest, r)
        pieces = steps + 1
        thresholds = [-r + 2 * r * fmpq(i, pieces) for i in range(1, pieces)] if r else [fmpq(i) for i in range(steps)]
        levels = [-r + 2 * r * fmpq(2 * i + 1, 2 * pieces) for i in range(pieces)]
        heads.append(ridge(row, staircase(thresholds, levels)))
    return heads, largest / (steps + 1)


def square_staircase(steps: int) -> tuple[Network, fmpq]:
    """(network, error): u^2 / 4 on [-2, 2] by ``steps`` steps, rational thresholds; the error is exact, close to 1 / (steps + 1)."""
    pieces = steps + 1
    thresholds = []
    for i in range(1, pieces):
        # the variation from -2 on is 1 - u^2/4, then 1 + u^2/4; in equal shares 2 / pieces
        share = Fraction(2 * i, pieces) - 1
        root = Fraction(isqrt(abs(share.numerator) * share.denominator * 10**12), share.denominator * 10**6)
        thresholds.append(exact.rational(2 * root * (1 if share > 0 else -1)))
    edges, levels, errors = [fmpq(-2), *thresholds, fmpq(2)], [], []
    for low, high in itertools.pairwise(edges):
        ends = (low * low / 4, high * high / 4)
        least = fmpq(0) if low <= 0 <= high else min(ends)
        levels.append((least + max(ends)) / 2)
        errors.append((max(ends) - least) / 2)
    return staircase(thresholds, levels), max(errors)


def product_heads(lags: tuple[int, int], length: int, steps: int) -> tuple[list[Network], Any]:
    """(heads, bound): y_k = v_(k-i) v_(k-j) for lags i != j and |v| <= 1, 0 while one of them has not come, by 2 ``steps`` neurons at each step. Exact.

    A product is a difference of squares: p q = ((p + q)^2 - (p - q)^2) / 4.
    """
    profile, error = square_staircase(steps)
    minus = Network(profile.inner, profile.bias, -profile.outer, -profile.offset)
    heads = []
    for k in range(1, length + 1):
        if k <= max(lags):
            heads.append(Network(exact.zeros(0, k), exact.zeros(0), exact.zeros(0), fmpq(0)))
            continue
        p, q = (exact.unit_vector(k, k - 1 - lag) for lag in lags)
        heads.append(together([ridge(p + q, profile), ridge(p - q, minus)]))
    return heads, 2 * error


# -- any smooth map of inputs from a small space -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Waves:
    """constant + sum_m cosines[m] cos(<w_m, z>) + sines[m] sin(<w_m, z>): ``frequencies`` (m, n)."""

    frequencies: Array
    cosines: Array
    sines: Array
    constant: float

    def __call__(self, z: Array) -> Array:
        """The values at the columns of z (n, batch)."""
        phase = self.frequencies @ z
        return self.cosines @ np.cos(phase) + self.sines @ np.sin(phase) + self.constant

    @property
    def barron(self) -> float:
        """C = sum of |w| |c|."""
        return float(np.linalg.norm(self.frequencies, axis=1) @ np.hypot(self.cosines, self.sines))


def fit_waves(points: Array, values: Array, most: int = 1, period: float = 12.0, ridge_weight: float = 1e-8) -> Waves:
    """The trigonometric sum of integer multiples of 2 pi / period, at most ``most`` in each variable, nearest to ``values`` at the columns of ``points`` (n, batch).

    The period is longer than the domain, which need not be periodic; ``ridge_weight`` keeps the coefficients, so the Barron constant, small.
    """
    n = len(points)
    grid = np.stack(np.meshgrid(*[np.arange(-most, most + 1)] * n, indexing="ij"), axis=-1).reshape(-1, n)
    half = grid[[tuple(m) > (0,) * n for m in grid]]
    frequencies = half * (2 * np.pi / period)
    phase = frequencies @ points
    features = np.concatenate([np.cos(phase), np.sin(phase), np.ones((1, points.shape[1]))]).T
    gram = features.T @ features + ridge_weight * points.shape[1] * np.eye(features.shape[1])
    c = np.linalg.solve(gram, features.T @ values)
    return Waves(frequencies, c[: len(half)], c[len(half) : -1], float(c[-1]))


def waves_head(waves: Waves, reach: float, neurons: int) -> tuple[Network, float]:
    """(network, bound): the waves on the cube |z_i| <= ``reach`` by at least one and altogether about ``neurons`` steps, shared out by the roots of the variations."""
    profiles = []
    for w, a, b in zip(waves.frequencies, waves.cosines, waves.sines, strict=True):
        r = float(np.abs(w).sum() * reach)
        u = np.linspace(-r, r, 2001)
        profiles.append((w, u, a * np.cos(u) + b * np.sin(u)))
    variations = np.array([np.abs(np.diff(v)).sum() for _, _, v in profiles])
    shares = np.maximum(1, np.floor(neurons * np.sqrt(variations) / max(np.sqrt(variations).sum(), 1e-300))).astype(int)
    parts, bound = [], 0.0
    for (w, u, values), share in zip(profiles, shares, strict=True):
        thresholds = monotone_thresholds(values, u, int(share))
        pieces = np.split(values, np.searchsorted(u, thresholds))
        at = np.interp(thresholds, u, values)
        edges = [np.concatenate([at[max(i - 1, 0) : i], piece, at[i : i + 1]]) for i, piece in enumerate(pieces)]
        levels = [float(e.min() + e.max()) / 2 for e in edges]
        bound += max(float(e.max() - e.min()) / 2 for e in edges)
        parts.append(ridge(w, staircase([float(t) for t in thresholds], levels)))
    total = together(parts)
    return Network(total.inner, total.bias, total.outer, total.offset + waves.constant), bound


@dataclass(frozen=True)
class ProteinProblem:
    """Protein transduction driven by tokens v = basis z, |z_i| <= 1: ``basis`` (L, P); a grid of ``z`` (P, batch) and the outputs (batch, L) there."""

    basis: Array
    z: Array
    outputs: Array
    dt: float


def protein_problem(length: int = 16, side: int = 11, dt: float = 0.5) -> ProteinProblem:
    """Two slow inputs, a constant and a cosine, on a grid of side x side amplitudes."""
    k = np.arange(1, length + 1)
    basis = np.stack([np.full(length, 0.02), 0.02 * np.cos(2 * np.pi * k / length)], axis=1)
    axis = np.linspace(-1, 1, side)
    z = np.stack(np.meshgrid(axis, axis, indexing="ij")).reshape(2, -1)
    return ProteinProblem(basis, z, respond(protein_transduction, PROTEIN_START, (basis @ z).T, dt), dt)


def protein_heads(problem: ProteinProblem, neurons: int) -> tuple[list[Network], list[float], list[float]]:
    """(heads on tokens, bounds of the staircases, largest errors of the waves on the grid) for each step: about ``neurons`` steps each.

    At step k the output depends on the span of the first k rows of the basis; waves in coordinates of that span are fitted, and read off the tokens by a pseudoinverse.
    """
    heads, bounds, residuals = [], [], []
    for k in range(1, len(problem.basis) + 1):
        seen = problem.basis[:k]
        _, s, Vt = np.linalg.svd(seen, full_matrices=False)
        coordinates = Vt[s > 1e-9 * s[0]]
        points = coordinates @ problem.z
        waves = fit_waves(points, problem.outputs[:, k - 1])
        head, bound = waves_head(waves, float(np.abs(points).max()), neurons)
        residuals.append(float(np.abs(waves(points) - problem.outputs[:, k - 1]).max()))
        heads.append(head.after(coordinates @ np.linalg.pinv(seen)))
        bounds.append(bound)
    return heads, bounds, residuals
