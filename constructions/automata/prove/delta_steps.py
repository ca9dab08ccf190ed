"""Affine maps as the delta rule applies them: H -> H - beta v (v^T H) / (v^T v) + write v, one generalized Householder factor at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq

from ....numerics import exact
from ....numerics.exact import Array
from ...householder import GeneralizedHouseholder, fewest_contraction_factors, permutation_matrix, reflections, swaps


@dataclass(frozen=True)
class DeltaStep:
    """One micro-step of DeltaProduct (grazzi25, Sec. 3.3): a factor, and ``write``, how much of its vector is added to the state."""

    factor: GeneralizedHouseholder
    write: Any = 0

    def apply(self, H: Array) -> Array:
        """The state after the step, shape (n, 1)."""
        return self.factor.apply(H) + np.asarray(self.factor.v)[:, None] * self.write


def delta_steps(A: Array, B: Array) -> list[DeltaStep]:
    """The exact micro-steps, first to act first, whose composition is H -> A H + B; every 1 - beta lies in [-1, 1].

    A signed permutation matrix without some of its ones takes a projection for each of them, and reflections; B in the rows without a one
    costs nothing. A number in [-1, 1] is one factor. An orthogonal A with B = 0 takes rank(A - I) reflections, a contraction with B = 0 what ``fewest_contraction_factors`` needs, and
    A = u w^T of rank at most 1 one factor that turns u^T into w^T, which writes what B has along u, and n - 1 projections, the last of
    which writes the rest of B. Raises ``ValueError`` for other maps, if B lies along u, and if exact factors do not exist.
    """
    moved = _partial_permutation(A)
    if moved is not None and len(moved) < len(A) and (steps := _moves_and_writes(moved, B[:, 0])) is not None:
        return steps
    if len(A) == 1 and isinstance(A[0, 0], fmpq) and -1 <= A[0, 0] <= 1:
        return [DeltaStep(GeneralizedHouseholder(exact.unit_vector(1, 0), 1 - A[0, 0]), B[0, 0])] if A[0, 0] != 1 or B[0, 0] != 0 else []
    if not any(x != 0 for x in B.flat):
        return [DeltaStep(f) for f in reversed(_factors(A))]
    u = _range(A, B[:, 0])
    along = (B[:, 0] @ u) / (u @ u)
    rest = B[:, 0] - u * along
    if not any(x != 0 for x in rest):
        raise ValueError("expected an input that does not lie in the range of A, got one that does")
    first = _turned(u, A.T @ u, along)
    writing = DeltaStep(GeneralizedHouseholder(rest, fmpq(1)), fmpq(1))
    across = [DeltaStep(GeneralizedHouseholder(v, fmpq(1))) for v in _orthogonal_basis(len(A), [u, rest])]
    return [*first, *across, writing]


def _partial_permutation(A: Array) -> dict[int, tuple[int, int]] | None:
    """{j: (i, s)} for A = sum of s e_i e_j^T with different i, different j and signs s; None for other matrices."""
    if not all(isinstance(x, fmpq) and x in (0, 1, -1) for x in A.flat) or any(np.count_nonzero(line != 0) > 1 for line in (*A, *A.T)):
        return None
    return {int(j): (int(i), 1 if A[i, j] == 1 else -1) for i, j in zip(*np.nonzero(A != 0), strict=True)}


def _moves_and_writes(moved: dict[int, tuple[int, int]], b: Array) -> list[DeltaStep] | None:
    """Projections along the coordinates that A forgets, which write b, then a signed permutation; None if b is not 0 in some row with a one."""
    n = len(b)
    free = sorted(set(range(n)) - {i for i, _ in moved.values()})
    lost = sorted(set(range(n)) - set(moved))
    if any(b[i] != 0 for i in range(n) if i not in free):
        return None
    closed = _closing({j: i for j, (i, _) in moved.items()}, free)
    permutation = {j: i for j, (i, _) in moved.items()} | closed
    # a closed chain turns no sign in all, so that it takes one reflection less than it has coordinates
    signs = {j: s for j, (_, s) in moved.items()} | {j: _sign_back(moved, i) for j, i in closed.items()}
    kept = [DeltaStep(GeneralizedHouseholder(exact.unit_vector(n, j), fmpq(1)), b[permutation[j]] * signs[j]) for j in lost]
    P = permutation_matrix([permutation[j] for j in range(n)]) * exact.rationals([signs[j] for j in range(n)])
    return [*kept, *(DeltaStep(f) for f in reversed(reflections(P)))]


def _sign_back(moved: dict[int, tuple[int, int]], i: int) -> int:
    """The product of the signs along the chain from coordinate i on."""
    sign = 1
    while i in moved:
        i, s = moved[i]
        sign *= s
    return sign


def _closing(moved: dict[int, int], free: list[int]) -> dict[int, int]:
    """Every chain i -> moved[i] -> ... ends in a lost coordinate, which goes back to the chain's free beginning: the most cycles."""
    closed = {}
    for i in free:
        j = i
        # no chain is longer, and at its end it stays
        for _ in moved:
            j = moved.get(j, j)
        closed[j] = i
    return closed


def _factors(A: Array) -> list[GeneralizedHouseholder]:
    """Factors of a transition without input. A permutation takes swaps, and on the simplex (``repaired.level_maps``) one projection before them."""
    n = len(A)
    if (permutation := _permutation(A)) is not None:
        return swaps(permutation)
    if (permutation := _permutation(A + fmpq(1, n))) is not None:
        return [*swaps(permutation), GeneralizedHouseholder(exact.zeros(n) + 1, fmpq(1))]
    # only a matrix whose rows all have length 1 can be orthogonal; the products that decide it are expensive
    orthogonal = all(row @ row == 1 for row in A) and np.array_equal(A.T @ A, exact.identity(n))
    return reflections(A) if orthogonal else fewest_contraction_factors(A)


def _permutation(A: Array) -> list[int] | None:
    """p with A e_i = e_p[i], or None."""
    columns = A.T.tolist()
    if any(column.count(0) != len(A) - 1 or 1 not in column for column in columns):
        return None
    images = [column.index(1) for column in columns]
    return images if len(set(images)) == len(A) else None


def _range(A: Array, b: Array) -> Array:
    """A vector u with A = u w^T; any vector across b if A = 0."""
    if len(A) == 1:
        raise ValueError("expected a contraction, got a map of width 1 that is none")
    u = next((column for column in A.T if any(x != 0 for x in column)), None)
    if u is None:
        return _orthogonal_basis(len(A), [b])[0]
    if not np.array_equal(A * (u @ u), np.outer(u, u @ A)):
        raise ValueError("expected a map that only moves, or a transition of rank 1, got another")
    return u


def _turned(u: Array, t: Array, along: Any) -> list[DeltaStep]:
    """The factor F with F u = t, for |t| <= |u|; none if t = u. Before the projection onto u it gives u u^T F / u^T u = u t^T / u^T u.

    It writes as much of its vector as leaves ``along`` u after that projection. Raises ``ValueError`` if there is no factor to write it.
    """
    f = u - t
    if not any(x != 0 for x in f):
        if along != 0:
            raise ValueError("expected an input across the range of a projection, got another")
        return []
    return [DeltaStep(GeneralizedHouseholder(f, (f @ f) / (f @ u)), along * (u @ u) / (f @ u))]


def _orthogonal_basis(n: int, across: list[Array]) -> list[Array]:
    """An orthogonal basis, rational if the vectors are, of what is orthogonal to the vectors in ``across``: Gram-Schmidt of the unit vectors.

    Vector i is e_i across ``across`` and e_0, ..., e_(i-1), so across these and the entries from i on of the vectors in ``across``.
    """
    basis = []
    for i in range(n):
        v = exact.unit_vector(n - i, 0)
        tails: list[Array] = []
        for u in across:
            tail = u[i:]
            for t in tails:
                tail = tail - t * ((t @ tail) / (t @ t))
            if any(x != 0 for x in tail):
                tails.append(tail)
                v = v - tail * (tail[0] / (tail @ tail))
        if any(x != 0 for x in v):
            basis.append(np.concatenate([exact.zeros(i), v]))
    return basis
