"""How far the state of a layer moves when its weights are moved: second moments over random words, exactly, and what they grow like.

The letters are independent and uniform, the maps A(x) orthogonal and generate a finite group, B = 0. With A(x) + e X(x) the state after T letters is
h_T + e D_T + O(e^2), so the mean squared loss of the last state, 0 at e = 0, has the second derivative 2 E|D_T|^2 there.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import NamedTuple

import numpy as np
from flint import fmpq, fmpq_poly

from ....numerics import exact
from ....numerics.exact import Array


def second_moments(maps: Sequence[Array], directions: Sequence[Array], start: Array, length: int) -> list[fmpq]:
    """E|D_T|^2 for T = 0, ..., ``length``: ``maps`` and ``directions`` of shape (n, n), one of each for a letter, ``start`` of shape (n, 1).

    The means of h h^T, D h^T and D D^T after a letter are linear in those before it.

    Example:
        >>> one = exact.rationals([[1]])
        >>> [str(x) for x in second_moments([one, -one], [one * 0, one], one, 3)]
        ['0', '1/2', '3/2', '3']
    """
    share = fmpq(1, len(maps))
    S = start @ start.T
    C, D = S * 0, S * 0
    found = [fmpq(0)]
    for _ in range(length):
        pairs = list(zip(maps, directions, strict=True))
        mixed = [A @ C.T @ X.T for A, X in pairs]
        D = reduce(add, [A @ D @ A.T + M + M.T + X @ S @ X.T for (A, X), M in zip(pairs, mixed, strict=True)]) * share
        C = reduce(add, [A @ C @ A.T + A @ S @ X.T for A, X in pairs]) * share
        S = reduce(add, [A @ S @ A.T for A in maps]) * share
        found.append(D.trace())
    return found


def least_recurrence(sequence: Sequence[fmpq]) -> fmpq_poly:
    """The monic polynomial of least degree that annihilates a sequence of which the first 2 N values are given, if one of degree N at most does.

    Example:
        >>> least_recurrence([fmpq(k * k) for k in range(8)]).factor()
        (1, [(x + (-1), 3)])
    """
    N = len(sequence) // 2
    hankel = np.array([[sequence[i + j] for j in range(N)] for i in range(N)], dtype=object)
    r = exact.rank(hankel)
    if r == 0:
        return fmpq_poly([1])
    coefficients = exact.inverse(hankel[:r, :r]) @ hankel[:r, [r]] if r < N else None
    if coefficients is None:
        raise ValueError(f"expected more than {2 * N} values of a sequence whose recurrence has degree {N}")
    return fmpq_poly([*(-c for c in coefficients[:, 0]), 1])


def growth(maps: Sequence[Array], directions: Sequence[Array], start: Array) -> tuple[int, bool]:
    """(k, settled): E|D_T|^2 grows as T^k, for all T; ``settled`` if all other roots of its least recurrence are rational and inside the unit circle, or simple and -1.

    The three means have 3 n^2 entries, so their recurrence has degree 3 n^2 at most, and 6 n^2 + 2 values determine it.
    """
    n = len(start)
    least = least_recurrence(second_moments(maps, directions, start, 6 * n * n + 1))
    roots = {-f[0] / f[1]: m for f, m in least.factor()[1] if f.degree() == 1}
    inside = all(abs(r) < 1 or r == 1 or (r == -1 and m == 1) for r, m in roots.items())
    return roots.get(fmpq(1), 0) - 1, inside and sum(roots.values()) == least.degree()


class Limits(NamedTuple):
    """The mean shift of D_T per letter, in the frame that moves with the state, and the variance per letter of what is left."""

    drift: Array
    variance: fmpq


def limits(maps: Sequence[Array], directions: Sequence[Array], start: Array) -> Limits:
    """E|D_T|^2 / T^2 tends to |drift|^2, and E|D_T|^2 / T to the variance if the drift is 0; both from the group that the maps generate.

    The shift by the letter x after g is f(g, x) = g^-1 A(x)^-1 X(x) g h. With K the walk on the group, (1 - K) phi = mean_x f - drift has a solution, and
    f(g, x) - drift + phi(A(x) g) - phi(g) has mean 0 after each g: a martingale.
    """
    one = exact.identity(len(start))
    number = {exact.freeze(one): 0}
    elements = [one]
    steps: list[list[int]] = []
    for g in elements:
        steps.append([])
        for A in maps:
            after = A @ g
            i = number.setdefault(exact.freeze(after), len(elements))
            if i == len(elements):
                elements.append(after)
            steps[-1].append(i)
    shifts = [[g.T @ A.T @ X @ g @ start for A, X in zip(maps, directions, strict=True)] for g in elements]
    share = fmpq(1, len(maps))
    mean = np.concatenate([reduce(add, row).T * share for row in shifts])
    drift = reduce(add, list(mean)) * fmpq(1, len(elements))
    walk = exact.zeros(len(elements), len(elements))
    for i, row in enumerate(steps):
        for j in row:
            walk[i, j] += share
    # the constants are the kernel of 1 - K: adding all ones makes it invertible and picks the solution with sum 0
    phi = exact.inverse(exact.identity(len(elements)) - walk + exact.rationals(np.ones_like(walk, dtype=int))) @ (mean - drift)
    left = [f[:, 0] - drift + phi[j] - phi[i] for i, row in enumerate(steps) for j, f in zip(row, shifts[i], strict=True)]
    return Limits(drift, reduce(add, [x @ x for x in left]) * fmpq(1, len(left)))


# -- directions ----------------------------------------------------------------------------------------------------------------


def mirror(key: Array) -> Array:
    """I - 2 k k^T / k^T k, for k of shape (n, 1)."""
    return exact.identity(len(key)) - key @ key.T * (2 / (key.T @ key)[0, 0])


def step_size(key: Array) -> Array:
    """The direction in which beta grows in I - beta k k^T / k^T k."""
    return key @ key.T * (-1 / (key.T @ key)[0, 0])


def turned(key: Array, towards: Array) -> Array:
    """The direction of the mirror of k + e u at e = 0, for u orthogonal to k. Raises ``ValueError`` if it is not."""
    if (key.T @ towards)[0, 0] != 0:
        raise ValueError("expected a direction that is orthogonal to the key")
    return (key @ towards.T + towards @ key.T) * (-2 / (key.T @ key)[0, 0])


def conjugated(A: Array, Z: Array) -> Array:
    """The direction of exp(e Z) A exp(-e Z) at e = 0."""
    return Z @ A - A @ Z
