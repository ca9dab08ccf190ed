"""Coordinates in which ungated fixed-point layers have the transitions one wants (after movahedi25, Eq. 4): signed decays, and bases near the mirrors.

With Q = Lambda A^-1 the transition is A, and |Ax|^2 - |(I - Q)Ax|^2 = x.(Lambda A + A^T Lambda - Lambda^2) x: so ||I - Q|| < 1 iff this form is positive definite.
Matrices have shape (d, d), decays (d,); entries are rational, or cyclotomic where said.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from typing import Any

import numpy as np
from flint import fmpq

from ...numerics import exact
from ...numerics.aliases import Exact
from ...numerics.cyclotomic import root_of_unity
from ...numerics.exact import Array
from ..samples import tries

#: how often a decay, or a point, is halved before that is an error
MOST_HALVINGS = 1000


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
    zero: Exact = fmpq(0)
    return np.where(np.eye(len(entries)) == 1, entries[:, None], zero)


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


def helmert(n: int) -> Array:
    """Rows h_k = (n - k) e_k - e_(k+1) - ... - e_n, k = 1 .. n - 1: orthogonal to each other and to (1, ..., 1); integers, shape (n - 1, n)."""
    return exact.rationals([[(n - 1 - k if i == k else -int(i > k)) for i in range(n)] for k in range(n - 1)])


def transposition_decay(H: Array, k: int) -> Array:
    """Lambda for a swap of k with a later place, in the orthonormal basis along the rows of H, as the matrix of size n that it is: (1/m)(1 - 2 h h^T/h.h), m = n - k, k from 1."""
    m = H.shape[1] - k
    projections = (np.outer(h, h) * (fmpq(1 - 2 * (i + 1 == k), m) / (h @ h)) for i, h in enumerate(H))
    total: Exact = sum(projections)
    return total


def slightly_turned(n: int, t: fmpq) -> Array:
    """(1 - t K)^-1 (1 + t K) with K_ij = 1 above the diagonal, -1 below: an orthogonal matrix near 1 + 2 t K, by Cayley's formula."""
    K = exact.rationals([[int(j > i) - int(j < i) for j in range(n)] for i in range(n)])
    return exact.inverse(exact.identity(n) - K * t) @ (exact.identity(n) + K * t)


def signed_permutation_normals(n: int) -> list[Array]:
    """The normals e_i, e_i + e_j, e_i - e_j of the reflections among the signed permutations of n coordinates."""
    e = exact.identity(n)
    return [*e, *(e[i] + s * e[j] for i in range(n) for j in range(i + 1, n) for s in (1, -1))]


def signed_fifth_turn(A: Array) -> Array:
    """The decay cos 72 D for a sign matrix D with D A a rotation by 72 degrees, or D itself where A = D; A in Q(zeta_5), shape (3, 3).

    Raises ``ValueError`` for other matrices.
    """
    if A.shape != (3, 3):
        raise ValueError(f"expected a matrix of three rows, got shape {A.shape}")
    cosine = (root_of_unity(5) + root_of_unity(5, 4)) / 2
    for signs in product((1, -1), repeat=3):
        trace = sum(s * A[i, i] for i, s in enumerate(signs))
        if signs[0] * signs[1] * signs[2] == 1 and (trace == 1 + 2 * cosine or trace == 3):
            return np.array([s * (cosine if trace != 3 else cosine * 0 + 1) for s in signs], dtype=object)
    raise ValueError("expected a rotation that signs turn into one by 72 degrees or into 1, got another matrix")


# -- convergence to any finite set of transitions -----------------------------------------------------------------------------


def separated_decay(M: Array) -> tuple[Array, list[fmpq]]:
    """(decay, points s_1 < ... < s_(n+1)) with eigenvalues of diag(decay) M between neighbouring points: all real and simple, and 0 < s_1, s_1 + s_(n+1) = 2.

    Row by row, as Fisher and Fuller (1958): a new row with a small decay hardly moves the eigenvalues so far, and adds one near 0, of the sign that one chooses. M is
    rational, or real in a cyclotomic field. Raises ``ValueError`` if a leading principal minor is 0.
    """
    n = len(M)
    decay, points, minor, polynomial = np.array([fmpq(0)] * n, dtype=object), [fmpq(1)], 1, [fmpq(1)]
    for k in range(n):
        head, before, still = M[: k + 1, : k + 1], minor, [fmpq(0), *polynomial]
        decay[k] = fmpq(1)
        change = [a - b for a, b in zip(characteristic(decay[: k + 1, None] * head), still, strict=True)]
        minor = sign_of(change[0]) * (-1) ** (k + 1) * _sign_of_product(decay[:k])
        if minor == 0:
            raise ValueError(f"expected nonzero leading principal minors, got 0 in place {k + 1}")
        decay[k] = fmpq(minor * before)
        # the characteristic polynomial is linear in the new decay, and s times the old one without it
        values = [(value_at(still, s), value_at(change, s)) for s in points]
        smaller = tries("a decay that moves no eigenvalue past a point", MOST_HALVINGS)
        while any(sign_of(v + decay[k] * c) != sign_of(v) for v, c in values):
            next(smaller)
            decay[k] /= 2
        polynomial = [a + decay[k] * b for a, b in zip(still, change, strict=True)]
        lowest, lower = points[0] / 2, tries("a point below the new eigenvalue", MOST_HALVINGS)
        while sign_of(value_at(polynomial, lowest)) != sign_of(polynomial[0]):
            next(lower)
            lowest /= 2
        points = [lowest, *points]
    points = _tightened(polynomial, points)
    scale = 2 / (points[0] + points[-1])
    return decay * scale, [s * scale for s in points]


def _sign_of_product(decay: Array) -> int:
    return (-1) ** sum(x < 0 for x in decay)


def _tightened(polynomial: list[Any], points: list[fmpq]) -> list[fmpq]:
    """The first point raised and the last one lowered, by factors of 5/4, as far as no root is passed."""
    low, high = points[0], points[-1]
    below, above = sign_of(value_at(polynomial, low)), sign_of(value_at(polynomial, high))
    while low * 5 / 4 < points[1] and sign_of(value_at(polynomial, low * 5 / 4)) == below:
        low = low * 5 / 4
    while high * 4 / 5 > points[-2] and sign_of(value_at(polynomial, high * 4 / 5)) == above:
        high = high * 4 / 5
    return [low, *points[1:-1], high]


def separates(M: Array, decay: Array, points: Sequence[fmpq]) -> bool:
    """det(s - diag(decay) M) has different signs at neighbours among 0 < s_1 < ... < s_(n+1): so the n eigenvalues lie between the points, one in each gap."""
    polynomial = characteristic(decay[:, None] * M)
    signs = [sign_of(value_at(polynomial, s)) for s in points]
    increasing = points[0] > 0 and all(a < b for a, b in pairwise(points))
    return len(points) == len(M) + 1 and increasing and 0 not in signs and all(a == -b for a, b in pairwise(signs))


def characteristic(M: Array) -> list[Any]:
    """The coefficients of det(s - M), lowest first: by FLINT, or by Faddeev and LeVerrier where M is not rational."""
    if all(isinstance(x, int | fmpq) for x in M.flat):
        return list(exact.characteristic_polynomial(M).coeffs())
    one, power = exact.identity(len(M)), exact.identity(len(M))
    found: list[Exact] = [fmpq(1)]
    for k in range(1, len(M) + 1):
        image = M @ power
        found.append(-sum(image[i, i] for i in range(len(M))) / k)
        power = image + one * found[-1]
    return found[::-1]


def value_at(polynomial: Sequence[Any], s: fmpq) -> Any:
    """By Horner's scheme."""
    total = polynomial[-1]
    for c in polynomial[-2::-1]:
        total = total * s + c
    return total


def sign_of(x: Any) -> int:
    """-1, 0 or 1 of a rational number or a real cyclotomic one; raises ``ArithmeticError`` if its ball is too wide to tell."""
    if x == 0:
        return 0
    value = x if isinstance(x, int | fmpq) else x.ball().real
    if not (value > 0 or value < 0):
        raise ArithmeticError(f"expected a number that its ball tells from 0, got {x}")
    return 1 if value > 0 else -1
