"""The old state as a dyadic number, in a coordinate of its own."""

from __future__ import annotations

from functools import cache

from flint import fmpq

from ....numerics import exact
from ....numerics.exact import Array
from ...householder import permutation_matrix
from ..cascade.cascade import Move
from ..layers.level_vectors import LevelVectors
from .level import Level

#: exact in bfloat16 by the delta rule up to so many states: differences of two numbers have at most 8 bits
MOST_NUMBERS = 257


def numbered(vectors: LevelVectors, start: int, last: bool) -> Level | None:
    """One-hot states and a number for the old state; None for more than :data:`MOST_NUMBERS` states."""
    m = len(vectors.entries)
    if m > MOST_NUMBERS:
        return None
    margin = min(0.5, float(old_numbers(m, 0)[1].q) ** -1 / 2)
    initial = exact.unit_vector(m + 1, start)[:, None]
    return Level(m + 1, lambda move: numbered_maps(move, m), initial, numbered_positions, margin)


def old_numbers(m: int, r: int) -> tuple[Array, fmpq]:
    """(u, unit): what a reset to r makes of each old state, shape (m,): distinct multiples of a power of two, u_r = 0 and |u| <= 1."""
    around = [(i - r + (m - 1) // 2) % m - (m - 1) // 2 for i in range(m)]
    squares, unit = sum(x * x for x in around), fmpq(1)
    while squares * unit * unit > 1:
        unit /= 2
    return exact.rationals(around) * unit, unit


@cache
def numbered_maps(move: Move, m: int) -> tuple[Array, Array]:
    """(A, B) on one-hot states of a level of m states and a number: P + 0, or e u^T and e_r; shapes (m + 1, m + 1) and (m + 1, 1)."""
    A, B = exact.zeros(m + 1, m + 1), exact.zeros(m + 1, 1)
    if move.permutation is not None:
        A[:m, :m] = permutation_matrix(move.permutation)
    else:
        assert move.reset is not None
        A[m, :m] = old_numbers(m, move.reset)[0]
        B[move.reset, 0] = fmpq(1)
    return A, B


def numbered_positions(H: Array, move: Move) -> tuple[int, int] | None:
    """(state before, state after) the letter that did ``move``, read off a state; None if it encodes none."""
    column = H[:, 0].tolist()
    m, number = len(column) - 1, column[-1]
    if column[:m].count(1) != 1 or column[:m].count(0) != m - 1:
        return None
    new = column.index(1)
    if move.permutation is not None:
        return move.permutation.index(new), new
    numbers = old_numbers(m, new)[0].tolist()
    return (numbers.index(number), new) if number in numbers else None
