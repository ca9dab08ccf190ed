"""Networks with one hidden layer, and how one of them serves every time step (orvieto24, Theorems 1 and 2).

Exact when the weights are: with steps or ramps as activation, everything runs on rationals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, permutations
from typing import Any

import numpy as np
from flint import fmpq

from ...numerics.exact import Array

Activation = Callable[[Array], Array]

#: how many places near 2^-j ``generic_points`` tries before it gives up
MOST_SHIFTS = 1000


def step(u: Array) -> Array:
    """1 for u >= 0, else 0: the sigmoidal function of Barron's proof."""
    return (u >= 0) * 1


def ramp(u: Array) -> Array:
    """0 below 0, u between, 1 above 1: ReLU(u) - ReLU(u - 1)."""
    return u * (u > 0) * (u < 1) + (u >= 1) * 1


def logistic(u: Array) -> Array:
    """1 / (1 + exp(-u))."""
    return 0.5 * (1 + np.tanh(0.5 * np.asarray(u, dtype=float)))


@dataclass(frozen=True)
class Network:
    """x -> outer . sigma(inner x + bias) + offset with D neurons: ``inner`` (D, n), ``bias`` and ``outer`` (D,); one output."""

    inner: Array
    bias: Array
    outer: Array
    offset: Any
    activation: Activation = step

    @property
    def width(self) -> int:
        return len(self.bias)

    def __call__(self, x: Array) -> Any:
        """The output for real x of shape (n,) or for the columns of an (n, batch) array. Raises ``ValueError`` for complex x, which units cannot order."""
        if np.iscomplexobj(x):
            raise ValueError(f"expected real coordinates, got {np.asarray(x).dtype} ones: give their real and imaginary parts")
        bias, outer = (self.bias, self.outer) if np.ndim(x) == 1 else (self.bias[:, None], self.outer)
        if self.width == 0:
            return self.offset + np.zeros(np.shape(x)[1:], dtype=int)
        return outer @ self.activation(self.inner @ x + bias) + self.offset

    def after(self, A: Array) -> Network:
        """x -> self(A x), with the same neurons: the matrix goes into their weights, so the width does not grow."""
        return replace(self, inner=self.inner @ A)

    def bounded_by(self, reach: Any) -> Any:
        """The largest |<a, x> + b| of a neuron when all |x_i| <= ``reach``."""
        return max((sum(abs(a) for a in row) * reach + abs(b) for row, b in zip(self.inner, self.bias, strict=True)), default=0)


def settled(network: Network, reach: Any) -> tuple[Any, dict[tuple, Any]]:
    """(constant, {(row, bias): weight}) of a network on the cube |x_i| <= ``reach``: neurons that are constant there are added to the offset. Steps and ramps, exact.

    Equal results mean equal functions on the cube.
    """
    high = 1 if network.activation is ramp else 0
    constant, left = network.offset, {}
    for row, bias, weight in zip(network.inner, network.bias, network.outer, strict=True):
        spread = sum((abs(a) for a in row), bias * 0) * reach
        if bias - spread >= high:
            constant = constant + weight
        elif bias + spread > 0 or (bias + spread == 0 and network.activation is step):
            left[tuple(row), bias] = left.get((tuple(row), bias), bias * 0) + weight
    return constant, {key: weight for key, weight in left.items() if weight != 0}


def ridge(direction: Array, profile: Network) -> Network:
    """x -> profile(<direction, x>)."""
    return profile.after(np.asarray(direction)[None, :])


def together(networks: Sequence[Network]) -> Network:
    """The sum of networks with the same inputs and activation; widths add."""
    return Network(
        np.concatenate([g.inner for g in networks]),
        np.concatenate([g.bias for g in networks]),
        np.concatenate([g.outer for g in networks]),
        sum(g.offset for g in networks),
        networks[0].activation,
    )


def staircase(thresholds: Sequence[Any], levels: Sequence[Any]) -> Network:
    """The function of one variable with ``levels[j]`` between thresholds j - 1 and j, by len(thresholds) steps.

    Raises ``ValueError`` unless there is one level more than thresholds and these ascend.
    """
    if len(levels) != len(thresholds) + 1 or any(a >= b for a, b in pairwise(thresholds)):
        raise ValueError(f"expected ascending thresholds and one level more, got {len(thresholds)} and {len(levels)}")
    exactly = any(not isinstance(x, float) for x in levels)
    as_array = (lambda values: np.array(list(values), dtype=object)) if exactly else (lambda values: np.array(list(values), dtype=float))
    jumps = as_array(b - a for a, b in pairwise(levels))
    ones = as_array(levels[0] * 0 + 1 for _ in thresholds)
    return Network(ones[:, None], as_array(-t for t in thresholds), jumps, levels[0])


def monotone_thresholds(values: Array, points: Array, count: int) -> Array:
    """``count`` thresholds between which a sampled function has equal variation: ``values`` at ascending ``points``, floats."""
    travelled = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(values)))])
    keep = np.concatenate([[True], np.diff(travelled) > 0])
    return np.interp(travelled[-1] * np.arange(1, count + 1) / (count + 1), travelled[keep], points[keep])


def saturating_sum(heads: Sequence[Network], times: Sequence[tuple[Array, Any]], reach: Any, saturation: Any = 1) -> Network:
    """One network that equals ``heads[k]`` at step k, with sum(D_k + 1) - 1 neurons: each head's, and one shift per step after the first.

    ``times[k] = (row, constant)`` is a clock: row . x + constant is 0 at step k, at most -1 before and at least 1 after it. The neurons of head k get a multiple of it
    that outweighs everything else: before step k they give 0 and after it 1, so that only constants are left, which the shifts correct. All entries of x are at
    most ``reach`` in modulus; from +-``saturation`` on the activation is taken as 0 and 1 (exact for steps and ramps with 1).
    """
    parts, before = [], None
    for head, (row, constant) in zip(heads, times, strict=True):
        weight = head.bounded_by(reach) + saturation
        if before is not None:
            # what is left of the last head once its neurons are saturated, and what this one starts from
            jump = head.offset - before.offset - sum(before.outer)
            parts.append((row[None, :] * (2 * saturation), np.array([constant * 2 * saturation + saturation]), np.array([jump])))
        clock = np.array([row * weight] * head.width).reshape(head.width, len(row))
        parts.append((head.inner + clock, head.bias + constant * weight, head.outer))
        before = head
    inner, bias, outer = (np.concatenate([p[i] for p in parts]) for i in range(3))
    return Network(inner, bias, outer, heads[0].offset, heads[0].activation)


def greedy(target: Array, dictionary: Array, count: int, mass: Any) -> tuple[list[int], Array]:
    """Maurey's argument made constructive: indices of ``count`` dictionary rows whose average, times ``mass``, approximates ``target``.

    ``target`` (points,) is mass times a convex combination of the rows of ``dictionary`` (atoms, points), in the geometry of the mean square over the points. Each
    choice keeps the sum of the errors as small as possible; since the average choice would do, the squared error is at most (mean of |mass g|^2 - |target|^2) / count.
    Returns the indices and the approximation. Ties go to the first.
    """
    rows = dictionary * mass
    error, chosen = target * 0, []
    for _ in range(count):
        left = error + target - rows
        best = int(np.argmin((left * left).sum(axis=1)))
        chosen.append(best)
        error = left[best]
    return chosen, rows[chosen].sum(axis=0) / count


def greedy_uniform(target: Array, dictionary: Array, count: int, mass: float) -> tuple[list[int], Array]:
    """Like ``greedy``, for the largest error over the points: at most c sqrt(2 ln(2 points) / count) if all |mass g| <= c (Hoeffding's bound, derandomised).

    The sum of cosh(scale error) over the points grows by at most exp(scale^2 c^2 / 2) with an average choice, so with the best one.
    """
    rows = dictionary * mass
    size = np.abs(rows).max(initial=0.0) or 1.0
    scale = np.sqrt(2 * np.log(2 * len(target)) / count) / size
    error, chosen = target * 0, []
    for _ in range(count):
        left = error + target - rows
        best = int(np.argmin(np.cosh(scale * left).sum(axis=1)))
        chosen.append(best)
        error = left[best]
    return chosen, rows[chosen].sum(axis=0) / count


def centred_steps(frequencies: Array, cosines: Array, sines: Array, points: Array) -> tuple[Array, Array, Array, Array]:
    """A trigonometric sum on finitely many points as a constant plus a positive combination of centred steps +-1/2 sign(<w, x> - t).

    ``frequencies`` (m, n), coefficients (m,), ``points`` (p, n). Returns (directions, thresholds, signed weights, values of the constant): a wave jumps from one point to the next in the order
    of <w, x>, a step halfway between takes the jump. The weights of one wave sum to its variation, at most 2 r |w| |c| on the ball of radius r.
    """
    directions, thresholds, weights, constant = [], [], [], 0.0
    for w, a, b in zip(frequencies, cosines, sines, strict=True):
        along = np.unique(points @ w)
        wave = a * np.cos(along) + b * np.sin(along)
        directions += [w] * (len(along) - 1)
        thresholds += list((along[1:] + along[:-1]) / 2)
        weights += list(np.diff(wave))
        constant += (wave[0] + wave[-1]) / 2
    return np.array(directions), np.array(thresholds), np.array(weights), np.array(constant)


# -- a sigmoidal function that no network can use --------------------------------------------------------------------------


def generic_points(count: int) -> list[fmpq]:
    """``count`` rationals, the j-th just above 2^-j: the beginning of a sequence that falls to 0, of which no affine map but the identity sends three points to points of it.

    That is: the ratios (p_k - p_i) / (p_j - p_i) of all ordered triples differ. Another point can always be added, anywhere: as functions of it the new ratios are
    Moebius functions, none constant and no two the same (their zeros and poles differ), so finitely many values are forbidden.
    """
    points: list[fmpq] = []
    ratios: set[fmpq] = set()
    for j in range(1, count + 1):
        first = 1 << (j + 2)
        for shift in range(first, first + MOST_SHIFTS):
            candidate = fmpq(1, 1 << j) + fmpq(1, shift)
            new = _new_ratios(points, candidate)
            if len(set(new)) == len(new) and ratios.isdisjoint(new):
                points.append(candidate)
                ratios.update(new)
                break
        else:
            raise ArithmeticError(f"expected a point that keeps all ratios apart among {MOST_SHIFTS:,}, got none: few values are forbidden")
    return points


def _new_ratios(points: list[fmpq], p: fmpq) -> list[fmpq]:
    triples = [t for pair in permutations(points, 2) for t in ((p, *pair), (pair[0], p, pair[1]), (*pair, p))]
    return [(c - a) / (b - a) for a, b, c in triples]


def affine_ratios(points: Sequence[fmpq]) -> list[fmpq]:
    """(p_k - p_i) / (p_j - p_i) for all ordered triples of different points: equal ratios are triples that an affine map sends to each other."""
    return [(c - a) / (b - a) for a, b, c in permutations(points, 3)]


def spiked_step(points: Sequence[fmpq], height: int) -> Activation:
    """The step with the value ``height`` at ``points``: 0 and 1 far out, so sigmoidal, bounded, and continuous but at 0 and at the points."""
    spikes = set(points)

    def sigma(u: Array) -> Array:
        flat = [fmpq(height) if x in spikes else fmpq(int(x >= 0)) for x in np.asarray(u, dtype=object).ravel()]
        return np.array(flat, dtype=object).reshape(np.shape(u))

    return sigma
