"""What kind of matrix a transition is, whatever the order of its coordinates: blocks are connected components, and equal blocks are counted."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.sparse.csgraph import connected_components

#: kinds of blocks, the plainest first
KINDS = (
    "diagonal",
    "rotation",
    "column one-hot",
    "a (I - beta k k^T)",
    "a (I - u v^T)",
    "a (I - rank r)",
    "companion",
    "diagonal plus rank one",
    "dense",
)


@dataclass(frozen=True)
class Block:
    """A block of a transition, and how many equal ones there are.

    Attributes:
        kind: One of :data:`KINDS`.
        matrix: The block, shape (m, m).
        copies: How many blocks are equal to it.
        facts: Numbers of the kind: ``a``, ``beta`` (of a unit vector k), ``rank``, ``modulus``.
        vector: The unit vector k of a (I - beta k k^T), up to its sign.
    """

    kind: str
    matrix: np.ndarray
    copies: int
    facts: dict[str, float] = field(default_factory=dict)
    vector: np.ndarray | None = None

    @property
    def eigenvalues(self) -> np.ndarray:
        """Those of the block."""
        return np.diag(self.matrix).astype(complex) if self.kind == "diagonal" else np.linalg.eigvals(self.matrix).astype(complex)


def blocks(A: np.ndarray, tolerance: float) -> list[Block]:
    """The blocks of a transition, the diagonal part as one; an entry below the tolerance counts as 0."""
    count, labels = connected_components(np.abs(A) > tolerance, directed=False)
    parts = [np.flatnonzero(labels == c) for c in range(count)]
    single = [i for part in parts if len(part) == 1 for i in part]
    found = [Block("diagonal", A[np.ix_(single, single)], 1)] if single else []
    different: list[tuple[np.ndarray, int]] = []
    for part in (p for p in parts if len(p) > 1):
        block = A[np.ix_(part, part)]
        for i, (other, copies) in enumerate(different):
            if other.shape == block.shape and np.abs(other - block).max() <= 5 * tolerance:
                different[i] = (other, copies + 1)
                break
        else:
            different.append((block, 1))
    return found + [described(block, copies, tolerance) for block, copies in different]


def described(A: np.ndarray, copies: int, tolerance: float) -> Block:
    """One connected block of at least two coordinates."""
    n = len(A)
    if n == 2 and abs(A[0, 0] - A[1, 1]) <= tolerance and abs(A[0, 1] + A[1, 0]) <= tolerance:
        return Block("rotation", A, copies, {"modulus": float(np.hypot(A[0, 0], A[1, 0]))})
    if ((np.abs(A) > tolerance).sum(0) <= 1).all():
        return Block("column one-hot", A, copies)
    if n >= 3 and (_is_companion(A, tolerance) or _is_companion(A.T, tolerance)):
        return Block("companion", A, copies)
    for a in _scalars(A, tolerance):
        rest = a * np.eye(n) - A
        rank = int((np.linalg.svd(rest, compute_uv=False) > 10 * tolerance).sum())
        if rank == 1 and abs(a) > 10 * tolerance:
            facts = {"a": a, "beta": float(np.trace(rest) / a)}
            if np.abs(A - A.T).max() <= 10 * tolerance:
                column = rest[:, np.argmax(np.abs(np.diag(rest)))]
                return Block("a (I - beta k k^T)", A, copies, facts, column / np.linalg.norm(column))
            return Block("a (I - u v^T)", A, copies, facts)
        if 1 < rank < n - 1:
            return Block("a (I - rank r)", A, copies, {"a": a, "rank": rank})
    # two coordinates, or three, always are
    if n >= 4 and _off_diagonal_rank(A, tolerance) <= 1:
        return Block("diagonal plus rank one", A, copies)
    return Block("dense", A, copies)


def _is_companion(A: np.ndarray, tolerance: float) -> bool:
    """Whether all rows but one are unit vectors, along one path through all coordinates that ends in the other."""
    full = np.flatnonzero((np.abs(A) > tolerance).sum(1) > 1)
    if len(full) != 1:
        return False
    rest = np.delete(A, full[0], axis=0)
    if np.abs(np.sort(rest, axis=1) - np.eye(len(A))[-1]).max() > 5 * tolerance:
        return False
    successor, at, visited = np.argmax(A, axis=1), set(range(len(A))) - set(np.argmax(rest, axis=1)), 1
    if len(at) != 1:
        return False
    place = at.pop()
    while place != full[0]:
        place, visited = int(successor[place]), visited + 1
    return visited == len(A)


def _scalars(A: np.ndarray, tolerance: float) -> list[float]:
    """Candidates for a of a (I - rank r): eigenvalues that most coordinates share, or, of 2 x 2 blocks, each real one."""
    values = np.linalg.eigvals(A)
    real = np.sort(values.real[np.abs(values.imag) <= np.sqrt(tolerance)])
    if len(A) == 2:
        return [float(v) for v in real[::-1]] if np.abs(A - A.T).max() <= 10 * tolerance else []
    if 2 * len(real) <= len(A):
        return []
    return [float(np.median(real))]


def _off_diagonal_rank(A: np.ndarray, tolerance: float) -> int:
    """The largest rank of the square parts beside the diagonal, over cuts of the coordinates into two halves."""
    n, rng = len(A), np.random.default_rng(0)
    cuts = [rng.permutation(n) for _ in range(12)]
    ranks = [np.linalg.matrix_rank(A[np.ix_(p[: n // 2], p[n // 2 :])], tol=10 * tolerance) for p in cuts]
    return int(max(ranks))
