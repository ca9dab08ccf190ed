"""Exact maps near floats in any basis: some of the states that the floats reach become the basis, and all others exact combinations of them.

In a rotated basis no entry is a small fraction. But states of a network that tracks a group, or any automaton, satisfy affine relations with small
coefficients whatever the basis is: the fourth corner of a square is the sum of two less the third. So r reached states v_i, affinely independent, are
taken as they are; the coefficients of every other reached state are fitted by small fractions, or by small elements of a real cyclotomic field; and a
letter takes v_i to the combination of the state that it leads to. That determines maps near the floats on all that is reached, with columns that sum
to 1, so that inputs B need no care of their own. ``certifying`` closes them and so proves or discards them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from flint import fmpq, fmpz_mat
from scipy.linalg import qr

from ....numerics import exact
from ....numerics.cyclotomic import root_of_unity
from ....numerics.exact import Array
from .rounding_weights import LARGEST_DENOMINATOR, Rounding, as_floats

#: states nearer than this, relative to the largest, count as one
NEAR = (1e-6, 1e-3, 0.03, 0.15)
#: more reached states are not looked at
MOST_STATES = 400
#: bases of a larger condition number are discarded
WORST_CONDITION = 1e4
#: a basis is not changed for a coordinate smaller than this, or than ten times the noise: it may be 0 but for that
LEAST_EXCHANGE = 0.01
#: orders N whose real cyclotomic fields are tried, beside the rationals
ORDERS = (5, 8, 12, 7, 9, 16, 15, 24)
#: entries whose fit is worse than this many times 1/d are no multiples of 1/d
FIT = 0.2


@dataclass(frozen=True)
class Reached:
    """States (K, n) that the floats reach, the first one the start; ``after[x, k]`` is the state after letter x in state k."""

    states: np.ndarray
    after: np.ndarray


def reached_roundings(
    A: np.ndarray, B: np.ndarray, initial: np.ndarray, tolerance: float, guides: Sequence[Reached] = ()
) -> Iterator[Rounding]:
    """Guesses in the basis of reached states, for maps ``A`` (letters, n, n), ``B`` (letters, n) and a first state (n,).

    ``guides`` are states that were found otherwise, such as the mean state of each state of an automaton.
    """
    met = set()
    for found in (*_clustered(A, B, initial), *guides):
        key = found.after.tobytes(), found.states.shape
        if key not in met:
            met.add(key)
            yield from _fitted(A, B, initial, found, tolerance)


def _clustered(A: np.ndarray, B: np.ndarray, initial: np.ndarray) -> Iterator[Reached]:
    """The reached states, nearest ones taken together, for each distance that counts as near."""
    for near in NEAR:
        states, after = [initial], []
        with np.errstate(all="ignore"):
            for H in states:
                moved, row = A @ H + B, []
                for h in moved:
                    known = np.array(states)
                    off = np.abs(known - h).max(1)
                    k = int(off.argmin())
                    if not off[k] <= near * max(1e-9, np.abs(known).max()):
                        k = len(states)
                        states.append(h)
                    row.append(k)
                after.append(row)
                if len(states) > MOST_STATES or not np.isfinite(moved).all():
                    break
        if len(after) == len(states):
            yield Reached(np.array(states), np.array(after).T)


def mean_states(
    A: np.ndarray, B: np.ndarray, initial: np.ndarray, table: np.ndarray, memory: int, length: int = 16, count: int = 128
) -> Reached:
    """The mean of the states that random words lead to, for each state of an automaton with the last few letters.

    ``table`` (letters, states) is the automaton's, 0 its start; ``memory`` is how many letters count. A network whose states drift has many near each
    mean.
    """
    numbers: dict[tuple[int, tuple[int, ...]], int] = {(0, ()): 0}
    after: list[list[int]] = []
    waiting: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    for q, last in waiting:
        row = []
        for x in range(len(table)):
            there = int(table[x, q]), (*last, x)[-memory:] if memory else ()
            if there not in numbers:
                numbers[there] = len(numbers)
                waiting.append(there)
            row.append(numbers[there])
        after.append(row)
    moves = np.array(after).T
    words = np.random.default_rng(0).integers(len(table), size=(count, length))
    total, seen = np.zeros((len(numbers), len(initial))), np.zeros(len(numbers))
    H, at = np.tile(initial, (count, 1)), np.zeros(count, dtype=np.int64)
    total[0], seen[0] = initial, 1
    for x in words.T:
        H, at = (A[x] @ H[..., None])[..., 0] + B[x], moves[x, at]
        np.add.at(total, at, H)
        np.add.at(seen, at, 1)
    return Reached(total / np.maximum(seen, 1)[:, None], moves)


def _fitted(A: np.ndarray, B: np.ndarray, initial: np.ndarray, found: Reached, tolerance: float) -> Iterator[Rounding]:
    """The guesses for one set of reached states: by integers, fractions, and elements of fields."""
    states, scale = found.states, max(float(np.abs(found.states).max()), 1e-9)
    lifted = np.concatenate([states / scale, np.ones((len(states), 1))], axis=1).T
    if not np.isfinite(lifted).all():
        return
    found_qr: Any = qr(lifted, mode="economic", pivoting=True)
    sizes, order = np.abs(np.diag(found_qr[1])), found_qr[2]
    for rank in sorted({int((sizes > cut * sizes[0]).sum()) for cut in (1e-6, 1e-3, 0.05)}):
        best = lifted[:, order[:rank]]
        noise = float(np.abs(best @ np.linalg.lstsq(best, lifted, rcond=None)[0] - lifted).max())
        least = max(LEAST_EXCHANGE, 10 * noise)
        for pivots in _bases(lifted, np.sort(order[:rank]), least):
            coordinates = _coordinates(lifted, pivots)
            off = float(np.abs(lifted[:, pivots] @ coordinates - lifted).max())
            if off > 0.2:
                continue
            for field, C, says in _fits(coordinates, off):
                yield from _maps(A, B, initial, Basis(states[pivots].T, pivots), found, C, field, says, tolerance)


def _coordinates(lifted: np.ndarray, pivots: np.ndarray) -> np.ndarray:
    return np.linalg.lstsq(lifted[:, pivots], lifted, rcond=None)[0]


def _bases(lifted: np.ndarray, pivots: np.ndarray, least: float) -> Iterator[np.ndarray]:
    """Bases of columns: one that spans little, in which states of a lattice have integers for coordinates, and the well-conditioned one given."""
    small = pivots.copy()
    for _ in range(8 * len(pivots)):
        # an exchange multiplies the volume by a coordinate
        C = np.abs(_coordinates(lifted, small))
        C[least > C] = np.inf
        i, k = np.unravel_index(int(C.argmin()), C.shape)
        if C[i, k] > 0.99:
            break
        small[i] = k
    yield np.sort(small)
    if not np.array_equal(np.sort(small), pivots):
        yield pivots


@dataclass(frozen=True)
class Basis:
    """Reached states as columns (n, r), and their numbers."""

    columns: np.ndarray
    pivots: np.ndarray


def _maps(
    A: np.ndarray,
    B: np.ndarray,
    initial: np.ndarray,
    basis: Basis,
    found: Reached,
    C: Array,
    field: int,
    says: str,
    tolerance: float,
) -> Iterator[Rounding]:
    """The guess in which state k has the exact coordinates C[:, k], if its columns sum to 1 and nothing changes too much."""
    r = len(basis.pivots)
    one = root_of_unity(field, 0) if field > 1 else fmpq(1)
    if any(sum(C[:, k], one * 0) != one for k in {0, *found.after[:, basis.pivots].ravel().tolist()}) or not _independent(basis.columns):
        return
    maps = [C[:, row[basis.pivots]] for row in found.after]
    lifted = np.concatenate([basis.columns, np.ones((1, r))])
    left = np.linalg.pinv(lifted)
    if float(np.linalg.norm(left) * np.linalg.norm(lifted)) > WORST_CONDITION:
        return
    near, shifted, worst = [], [], [0.0, 0.0]
    for a, b, exact_map in zip(A, B, maps, strict=True):
        off = (basis.columns @ as_floats(exact_map) - (a @ basis.columns + b[:, None])) @ left
        near.append(a + off[:, :-1])
        shifted.append(b + off[:, -1])
        worst = [max(worst[0], float(np.abs(off[:, :-1]).max())), max(worst[1], float(np.abs(off[:, -1]).max()))]
    start = C[:, :1]
    first = float(np.abs(basis.columns @ as_floats(start)[:, 0] - initial).max())
    if not max(*worst, first) <= tolerance:
        return
    yield Rounding(
        maps,
        [exact.zeros(r, 1) * one for _ in maps],
        start,
        field,
        (worst[0], worst[1], first),
        f"combinations of {r} reached states by {says}",
        0.0,
        basis.columns,
        (np.array(near), np.array(shifted)),
    )


def _independent(columns: np.ndarray) -> bool:
    """Whether columns (n, r), with a 1 below each, are linearly independent as the rationals that they are: so exact maps near by exist."""
    lifted = [[fmpq(*float(x).as_integer_ratio()) for x in row] for row in columns] + [[fmpq(1)] * columns.shape[1]]
    return exact.rank(np.array(lifted, dtype=object)) == columns.shape[1]


# -- coefficients --------------------------------------------------------------------------------------------------------------


def _fits(coordinates: np.ndarray, off: float) -> Iterator[tuple[int, Array, str]]:
    """(field, exact coordinates, what they are), the simplest first."""
    for d in range(1, LARGEST_DENOMINATOR + 1):
        rounded = np.rint(coordinates * d)
        fit = float(np.abs(coordinates * d - rounded).max())
        # a finer grid has to fit as much better as it is finer
        if fit <= FIT / d**0.5:
            yield 1, exact.map_entries(lambda k, d=d: fmpq(int(k), d), rounded), "integers" if d == 1 else f"multiples of 1/{d}"
            break
    if off > 1e-4:
        return
    for N in ORDERS:
        found = _in_field(coordinates, N)
        if found is not None:
            yield N, found, f"elements of Q(cos 2pi/{N})"
            return


def _in_field(coordinates: np.ndarray, N: int) -> Array | None:
    """Entries as small elements of the real subfield of Q(zeta_N), by lattice reduction; None if some entry is none."""
    cosines = [2 * np.cos(2 * np.pi * k / N) for k in range(1, _degree(N))]
    known: dict[float, tuple[int, ...] | None] = {}
    out = np.empty(coordinates.shape, dtype=object)
    for index, v in np.ndenumerate(coordinates):
        key = round(float(v), 7)
        if key not in known:
            known[key] = _relation([float(v), 1.0, *cosines])
        relation = known[key]
        if relation is None:
            return None
        d, *parts = relation
        total = root_of_unity(N, 0) * fmpq(-parts[0], d)
        for k, a in enumerate(parts[1:], start=1):
            total = total + (root_of_unity(N, k) + root_of_unity(N, N - k)) * fmpq(-a, d)
        out[index] = total
    return out


@cache
def _degree(N: int) -> int:
    return max(1, sum(np.gcd(N, k) == 1 for k in range(N)) // 2)


#: floats are taken to six digits
DIGITS = 10**6


def _relation(values: list[float]) -> tuple[int, ...] | None:
    """Small integers c, the first not 0, with sum c_i values_i = 0 to six digits; None if there are none that chance would not give."""
    rows = [[int(i == j) for j in range(len(values))] + [round(x * DIGITS)] for i, x in enumerate(values)]
    shortest = [int(x) for x in fmpz_mat(rows).lll().tolist()[0]]
    # of numbers at random the shortest vector has entries of about DIGITS^(1/k)
    if shortest[0] == 0 or max(map(abs, shortest)) > 0.3 * DIGITS ** (1 / len(values)):
        return None
    return tuple(shortest[:-1])
