"""Exact numbers near the floats of a trained layer: guesses, the best one first, for ``certifying`` to close and so to prove or discard.

Entries of the maps of all letters go to multiples of one fraction 1/d, where d is what fits them best; so permutations, signs, projections,
reflections along vectors of small integers and cascades are found. Blocks of two entries go to rotations by multiples of 2 pi / N and to
the reflections between them, in the field of that N. The inputs and the first state have a fraction each of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm, log, pi

import numpy as np
from flint import ctx, fmpq

from ....numerics.cyclotomic import root_of_unity
from ....numerics.exact import Array
from ...householder import exact_rotation

#: denominators and orders of rotations that are tried
LARGEST_DENOMINATOR, LARGEST_ORDER = 400, 360
#: how far an entry may be from its multiple of 1/d, in units of 1/d; half would fit anything
FIT = 0.25
#: a first state that no small fraction fits: any state near it will do for a group
FINE = 1024
#: in which elements of Q(zeta_N) are enclosed
BITS = 128
#: so many guesses of each kind for a layer
GUESSES = 2


@dataclass(frozen=True)
class Rounding:
    """A layer with exact entries: ``A`` (letters, n, n), ``B`` (letters, n, 1), ``initial`` (n, 1); ``field`` is N of Q(zeta_N), 1 for rationals.

    ``changes`` are the largest changes of an entry of the transitions, the inputs and the first state; ``says`` names the numbers. ``doubt``
    says how likely so good a fit of so fine a grid is by chance: the less, the better. With a ``basis`` (n, r) of floats the entries are
    coordinates in its columns, r in place of n, and ``maps`` are A and B as they are then in the layer's own basis, in float64.
    """

    A: list[Array]
    B: list[Array]
    initial: Array
    field: int
    changes: tuple[float, float, float]
    says: str
    doubt: float
    basis: np.ndarray | None = None
    maps: tuple[np.ndarray, np.ndarray] | None = None

    def states(self, H: Array) -> np.ndarray:
        """A state (n, 1) or (r, 1) in float64 in the layer's basis, (n,), each entry within a relative 2^-52 or 2^-60."""
        if self.basis is None:
            return as_floats(H[:, 0])
        exact_basis = np.array([[fmpq(*float(x).as_integer_ratio()) for x in row] for row in self.basis], dtype=object)
        return as_floats(exact_basis @ H[:, 0])

    def floats(self, i: int) -> tuple[np.ndarray, np.ndarray]:
        """A (n, n) and B (n,) of letter i in float64, in the layer's basis."""
        if self.maps is not None:
            return self.maps[0][i], self.maps[1][i]
        return as_floats(self.A[i]), as_floats(self.B[i])[:, 0]

    @property
    def change(self) -> float:
        return max(self.changes)


def roundings(A: np.ndarray, B: np.ndarray, initial: np.ndarray, tolerance: float) -> list[Rounding]:
    """Guesses for maps ``A`` (letters, n, n), ``B`` (letters, n) and a first state (n,), the best fit first; none that changes an entry by more
    than ``tolerance``.
    """
    inputs, start = _denominators(B, tolerance), _denominators(initial, tolerance)
    if not inputs:
        return []
    e, s = inputs[0][1], start[0][1] if start else FINE
    exact_B, exact_start = [_fractions(b[:, None], e) for b in B], _fractions(initial[:, None], s)
    off = float(np.abs(B - np.rint(B * e) / e).max()), float(np.abs(initial - np.rint(initial * s) / s).max())
    found = []
    grids = _denominators(A, tolerance)
    # integer maps that contract reach finitely many states, so they are tried even where another grid fits better
    for doubt, d in dict.fromkeys([*grids[:GUESSES], *(grid for grid in grids if grid[1] == 1)]):
        change = float(np.abs(A - np.rint(A * d) / d).max())
        says = "integers" if lcm(d, e) == 1 else f"multiples of 1/{lcm(d, e)}"
        found.append(Rounding([_fractions(a, d) for a in A], exact_B, exact_start, 1, (change, *off), says, doubt))
    for doubt, N, blocks in _turning(A, tolerance):
        exact_A = [_turned(blocks, a, N) for a in A]
        one = root_of_unity(lcm(4, N), 0)
        change = max(float(np.abs(a - as_floats(x)).max()) for a, x in zip(A, exact_A, strict=True))
        if change <= tolerance:
            says = f"turns by multiples of 1/{N} of a circle"
            found.append(Rounding(exact_A, [b * one for b in exact_B], exact_start * one, lcm(4, N), (change, *off), says, doubt))
    return [r for r in sorted(found, key=lambda r: r.doubt) if r.change <= tolerance]


def _denominators(values: np.ndarray, tolerance: float) -> list[tuple[float, int]]:
    """(doubt, d) for which all values are within FIT/d and ``tolerance`` of multiples of 1/d, the least doubt first."""
    distinct = np.unique(values)
    found = []
    for d in range(1, LARGEST_DENOMINATOR + 1):
        fit = float(np.abs(distinct * d - np.rint(distinct * d)).max())
        if fit <= FIT and fit / d <= tolerance:
            found.append((_doubt(fit, d, len(distinct)), d))
    return sorted(found)


def _doubt(fit: float, grid: int, values: int) -> float:
    """The logarithm of 2 fit grid^(2 / values).

    Numbers at random fit so well with probability (2 fit)^values, and among many grids one will: so grid^2 (2 fit)^values, per value.
    """
    # exact fits differ by rounding in float64 only
    return 2 * log(grid) / values + log(2 * max(fit, 1e-9))


def _turning(A: np.ndarray, tolerance: float) -> list[tuple[float, int, list[list[int]]]]:
    """(doubt, N, blocks) for maps near block diagonal ones with blocks of one entry or of two that turn or reflect the plane."""
    blocks = _blocks(np.abs(A).max(0) > tolerance)
    if max(map(len, blocks)) != 2:
        return []
    parts = np.array([_angle(a[np.ix_(b, b)])[1] for a in A for b in blocks if len(b) == 2]) / (2 * pi)
    found = []
    for N in range(3, LARGEST_ORDER + 1):
        fit = float(np.abs(parts * N - np.rint(parts * N)).max())
        # quarter turns are integers
        if fit <= FIT and N != 4:
            found.append((_doubt(fit, N, len(parts)), N, blocks))
    return sorted(found, key=lambda x: x[:2])[:GUESSES]


def _blocks(linked: np.ndarray) -> list[list[int]]:
    """The connected components of entries, in order."""
    left, found = set(range(len(linked))), []
    while left:
        component, waiting = set(), [min(left)]
        while waiting:
            i = waiting.pop()
            if i not in component:
                component.add(i)
                waiting += [j for j in left if linked[i, j] or linked[j, i]]
        left -= component
        found.append(sorted(component))
    return found


def _angle(M: np.ndarray) -> tuple[bool, float]:
    """(reflects, angle) of the nearest rotation or reflection of the plane: R(angle), or R(angle) diag(1, -1)."""
    (a, b), (c, d) = M
    if np.hypot(a + d, c - b) >= np.hypot(a - d, b + c):
        return False, float(np.arctan2(c - b, a + d))
    return True, float(np.arctan2(b + c, a - d))


def _turned(blocks: list[list[int]], a: np.ndarray, N: int) -> Array:
    one = root_of_unity(lcm(4, N), 0)
    out = np.empty(a.shape, dtype=object)
    out.fill(one * 0)
    for block in blocks:
        if len(block) == 1:
            (i,) = block
            out[i, i] = one * int(np.rint(a[i, i]))
            continue
        reflects, angle = _angle(a[np.ix_(block, block)])
        turn = exact_rotation(N, int(np.rint(angle / (2 * pi) * N)) % N)
        if reflects:
            turn = turn * np.array([[1, -1], [1, -1]], dtype=object)
        out[np.ix_(block, block)] = turn
    return out


def _fractions(values: np.ndarray, d: int) -> Array:
    """Nearest multiples of 1/d, as exact rationals."""
    out = np.empty(values.shape, dtype=object)
    for index, k in np.ndenumerate(np.rint(values * d)):
        out[index] = fmpq(int(k), d)
    return out


def as_floats(exact: Array) -> np.ndarray:
    """Exact rationals, or real elements of Q(zeta_N), in float64, rounded to nearest or, near 0, within 2^-60."""
    saved = ctx.prec
    try:
        ctx.prec = BITS
        found = [int(x.p) / int(x.q) if isinstance(x, fmpq) else float(x) for x in exact.flat]
    finally:
        ctx.prec = saved
    return np.array(found).reshape(exact.shape)
