"""Coordinates in which ungated fixed-point layers have the transitions one wants (after movahedi25, Eq. 4): signed decays, and bases near the mirrors.

With Q = Lambda A^-1 the transition is A, and |Ax|^2 - |(I - Q)Ax|^2 = x.(Lambda A + A^T Lambda - Lambda^2) x: so ||I - Q|| < 1 iff this form is positive definite.
Matrices have shape (d, d), decays (d,); entries are rational, or cyclotomic where said.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
from flint import fmpq

from ..numerics import exact
from ..numerics.cyclotomic import root_of_unity
from ..numerics.exact import Array


def contraction_form(A: Array, decay: Array) -> Array:
    """Lambda A + A^T Lambda - Lambda^2, positive definite iff ||I - Lambda A^-1|| < 1; shape (d, d)."""
    rows = decay[:, None] * A
    return rows + rows.T - _diagonal(decay * decay)


def mixer_of_singular(A: Array, decay: Array) -> Array:
    """I - F, where F takes A x to (A - Lambda) x and is 0 on the complement of A's range: Q with Q A = Lambda; the nonzero columns of A are independent."""
    nonzero = [j for j in range(len(A)) if any(x != 0 for x in A[:, j])]
    if not nonzero:
        return exact.identity(len(A))
    columns = A[:, nonzero]
    pseudoinverse = exact.inverse(columns.T @ columns) @ columns.T
    return exact.identity(len(A)) - (A - _diagonal(decay))[:, nonzero] @ pseudoinverse


def _diagonal(entries: Array) -> Array:
    return np.where(np.eye(len(entries)) == 1, entries[:, None], fmpq(0))


# -- one reflection ----------------------------------------------------------------------------------------------------------


def reflection(u: Array) -> Array:
    """I - 2 u u^T / u.u for u other than 0."""
    return exact.identity(len(u)) - np.outer(u, u) * (2 / (u @ u))


def reflection_decay(u: Array) -> Array:
    """(2 p - 1) diag(1, ..., -1, ..., 1), -1 at the largest coordinate of u, p its share of u.u: the best decay where p > 1/2."""
    largest = max(range(len(u)), key=lambda i: u[i] * u[i])
    c = 2 * u[largest] * u[largest] / (u @ u) - 1
    return np.array([-c if i == largest else c for i in range(len(u))], dtype=object)


def blocking_matrix(u: Array) -> Array:
    """A positive semidefinite X other than 0 with diag(A X) = 0 for the reflection A along u: it forbids every contractive Lambda.

    X_jk = u_j u_k (1 + q_j.q_k) with unit vectors q_j, the directions of a closed polygon with sides u_j^2, drawn as a triangle. Raises ``ValueError`` if
    one side is longer than the others together; then there is no such polygon, and a contractive Lambda exists.
    """
    shares = [x * x / (u @ u) for x in u]
    if max(shares) > fmpq(1, 2):
        raise ValueError(f"expected no coordinate with more than half of u.u, got {[str(x) for x in u]}")
    middle = next(k for k in range(len(u)) if sum(shares[: k + 1]) > fmpq(1, 2))
    group = [int(k >= middle) + int(k > middle) for k in range(len(u))]
    sides = [sum((x for x, g in zip(shares, group, strict=True) if g == k), fmpq(0)) for k in range(3)]
    cosine = exact.identity(3)
    for k in range(3):
        a, b, c = sides[k], sides[(k + 1) % 3], sides[(k + 2) % 3]
        if a * b != 0:
            cosine[k, (k + 1) % 3] = cosine[(k + 1) % 3, k] = (c * c - a * a - b * b) / (2 * a * b)
    return np.array(
        [[x * y * (1 + cosine[g, h]) for y, h in zip(u, group, strict=True)] for x, g in zip(u, group, strict=True)], dtype=object
    )


# -- groups that reflections generate ------------------------------------------------------------------------------------------


def cartan(edges: Sequence[tuple[int, int]], n: int) -> Array:
    """2 on the diagonal, -1 for each edge of a diagram without multiple edges: twice the products of unit roots."""
    C = exact.identity(n) * 2
    for i, j in edges:
        C[i, j] = C[j, i] = fmpq(-1)
    return C


def path(n: int) -> list[tuple[int, int]]:
    """The edges of the diagram A_n, whose group is S_(n+1)."""
    return [(i, i + 1) for i in range(n - 1)]


def simple_reflections(C: Array) -> list[Array]:
    """x -> x - (C x)_i e_i in the coordinates of the simple roots, integers."""
    n = len(C)
    return [exact.identity(n) - np.outer(exact.unit_vector(n, i), C[i]) for i in range(n)]


def near_orthonormal(C: Array) -> Array:
    """I + C, near a multiple of the root of C: coordinates in which the simple roots are nearly the axes."""
    return exact.identity(len(C)) + C


def mirror_letters(C: Array, basis: Array, strength: fmpq) -> list[tuple[Array, Array]]:
    """(A, decay) for each simple reflection, A in the coordinates of ``basis``, decay = strength diag(1, ..., -1, ..., 1)."""
    inverse = exact.inverse(basis)
    signs = [np.array([strength * (-1) ** (i == j) for j in range(len(C))], dtype=object) for i in range(len(C))]
    return [(exact.multiply(basis, S, inverse), s) for S, s in zip(simple_reflections(C), signs, strict=True)]


def signed_fifth_turn(A: Array) -> Array:
    """The decay cos 72 D for a sign matrix D with D A a rotation by 72 degrees, or D itself where A = D; A in Q(zeta_5), shape (3, 3).

    Raises ``ValueError`` for other matrices.
    """
    cosine = (root_of_unity(5) + root_of_unity(5, 4)) / 2
    for signs in product((1, -1), repeat=3):
        trace = sum(s * A[i, i] for i, s in enumerate(signs))
        if signs[0] * signs[1] * signs[2] == 1 and (trace == 1 + 2 * cosine or trace == 3):
            return np.array([s * (cosine if trace != 3 else cosine * 0 + 1) for s in signs], dtype=object)
    raise ValueError("expected a rotation that signs turn into one by 72 degrees or into 1, got another matrix")
