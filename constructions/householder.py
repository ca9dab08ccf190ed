"""Products of generalized Householder (GH) matrices  I - beta v v^T / (v^T v)  and what they can reach.

Written without a square root, so that the same code runs on float64 and, as object arrays, on rationals and cyclotomic
numbers. Factor lists are in the order in which the matrices are multiplied: the last factor acts first.
Source: grazzi25, Sec. 4.3 and App. C; the counts are sharper than printed (see ``theorems/householder``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt, sqrt
from typing import Any

import numpy as np
import scipy.linalg
from flint import arb, fmpq

from ..numerics import exact
from ..numerics.cyclotomic import cosine_and_sine
from .recurrence import Recurrence

Array = np.ndarray

EPS = float(np.finfo(np.float64).eps)

#: singular values above this count as 1 in floats: treating them so costs at most 1e-9, the pencil would lose EPS / (1 - sigma)
ISOMETRIC = 1 - 1e-9


@dataclass(frozen=True)
class GeneralizedHouseholder:
    """I - beta v v^T / (v^T v): eigenvalue 1 - beta along ``v``, shape (n,), and 1 across it; a reflection for beta = 2."""

    v: Array
    beta: Any = 2

    def matrix(self) -> Array:
        """The n x n matrix."""
        v = np.asarray(self.v)
        return _identity_like(v) - np.outer(v * (self.beta / (v @ v)), v)

    def apply(self, matrix: Array) -> Array:
        """The factor times ``matrix``, shape (n, m), as a rank-one update: O(n m) instead of a matrix product."""
        v = np.asarray(self.v)
        return matrix - np.outer(v * (self.beta / (v @ v)), v @ matrix)

    def _repr_latex_(self) -> str:
        entries = r" \\ ".join(str(x) for x in self.v)
        return rf"$I - {self.beta}\, vv^\top/(v^\top v),\quad v = \begin{{pmatrix}} {entries} \end{{pmatrix}}$"


def product(factors: Sequence[GeneralizedHouseholder], n: int) -> Array:
    """The product of the factors, left to right; the n x n identity (over the rationals) for none."""
    if not factors:
        return exact.identity(n)
    out = factors[-1].matrix()
    for factor in reversed(factors[:-1]):
        out = factor.apply(out)
    return out


# -- orthogonal matrices ------------------------------------------------------------------------------------------------


def reflections(Q: Array) -> list[GeneralizedHouseholder]:
    """Reflections (beta = 2) whose product is the orthogonal matrix ``Q``: exactly rank(Q - I) of them, the fewest.

    Reflect Q e_i back onto e_i, one axis at a time (Cartan-Dieudonne, Scherk 1950). Exact entries give exact factors;
    floats are taken as orthogonal up to 1e-9. Raises ``ValueError`` if Q is not square, finite, real and orthogonal.
    """
    Q = _require_real(Q)
    n = len(Q)
    if exact.is_exact(Q):
        Q = Q.astype(object)
        if not np.array_equal(Q.T @ Q, exact.identity(n)):
            raise ValueError("expected an orthogonal matrix, got one with Q^T Q different from I")
        tolerance = 0.0
    else:
        Q = Q.astype(np.float64)
        defect = float(np.abs(Q.T @ Q - np.eye(n)).max())
        if defect > 1e-9:
            raise ValueError(f"expected an orthogonal matrix, got one with |Q^T Q - I| up to {defect:.1e}")
        tolerance = _noise(n)
    rest, factors = Q, []
    for i in range(n):
        axes = _identity_like(rest[0])
        mirror = _mirror(rest[:, i], axes[:, i], axes[:, :i], tolerance)
        if mirror:
            factors.append(mirror)
            rest = mirror.apply(rest)
    return factors


def permutation_matrix(permutation: Sequence[int]) -> Array:
    """P with P e_i = e_{permutation[i]}. Raises ``ValueError`` unless the argument permutes 0 .. n-1, n >= 1."""
    return boolean_transition(_require_permutation(permutation))


def swaps(permutation: Sequence[int]) -> list[GeneralizedHouseholder]:
    """Swaps e_i - e_j whose product is the permutation matrix: n minus the number of cycles, the fewest reflections."""
    rest, factors = list(_require_permutation(permutation)), []
    for i in range(len(rest)):
        j = rest[i]
        if j != i:
            v = exact.unit_vector(len(rest), j)
            v[i] = fmpq(-1)
            factors.append(GeneralizedHouseholder(v))
            rest[rest.index(i)], rest[i] = j, i
    return factors


def cycles(permutation: Sequence[int]) -> list[tuple[int, ...]]:
    """The cycles of a permutation of 0 .. n-1, fixed points included."""
    found, seen = [], set()
    for start in range(len(permutation)):
        cycle, i = [], start
        while i not in seen:
            seen.add(i)
            cycle.append(i)
            i = permutation[i]
        if cycle:
            found.append(tuple(cycle))
    return found


def compose(g: Sequence[int], h: Sequence[int]) -> tuple[int, ...]:
    """The permutation g after h."""
    return tuple(g[i] for i in h)


# -- contractions -------------------------------------------------------------------------------------------------------


def contraction_factors(M: Array) -> list[GeneralizedHouseholder]:
    """At most 2n - 1 GH factors with eigenvalues in [-1, 1] whose product is ``M``, for every M with ||M|| <= 1.

    Polar form M = W P. If W has no eigenvalue 1, flip one eigenvector of P: W D then has it, so W D is n - 1 reflections,
    and D P is n GH factors along the eigenvectors of P. Backward stable in floats; exact for exact M whose singular
    values are rational. Raises ``ValueError`` if M is not square, finite and real, is no contraction, or cannot be done exactly.
    :func:`fewest_contraction_factors` needs only floor(3n/2).
    """
    M = _require_contraction(M)
    sigma, u, w = _polar(M)
    spectrum = list(sigma)
    orthogonal = reflections(w)
    if len(orthogonal) == len(M):
        # no eigenvalue 1, so det W = (-1)^n; one flip makes it (-1)^(n+1), which forces an eigenvalue 1
        spectrum[0] = -spectrum[0]
        orthogonal = reflections(w @ GeneralizedHouseholder(u[:, 0]).matrix())
    negligible = 0 if exact.is_exact(M) else 4 * EPS
    diagonal = [GeneralizedHouseholder(u[:, i], 1 - s) for i, s in enumerate(spectrum) if abs(1 - s) > negligible]
    return orthogonal + diagonal


def _polar(M: Array) -> tuple[list[Any], Array, Array]:
    """(singular values, orthogonal eigenvectors u of M^T M as columns, orthogonal W) with M = W sum sigma u u^T / u^T u."""
    if not exact.is_exact(M):
        left, sigma, right = np.linalg.svd(M)
        return list(np.clip(sigma, 0.0, 1.0)), right.T, left @ right
    n = len(M)
    sigma, columns = [], []
    gram = exact.multiply(M.T, M)
    for eigenvalue in exact.rational_eigenvalues(gram):
        root = _rational_square_root(eigenvalue)
        for u in _orthogonalise(exact.nullspace(gram - exact.identity(n) * eigenvalue)):
            sigma.append(root)
            columns.append(u)
    if len(columns) < n:
        raise ValueError("expected rational singular values for exact factors, got irrational ones; pass floats instead")
    u, w = np.stack(columns, axis=1), exact.identity(n)
    for i in range(n):
        if sigma[i] != 0:
            # reflect the image so far onto M u / sigma; earlier images are orthogonal to the difference and stay
            mirror = _mirror(w @ u[:, i], M @ u[:, i] / sigma[i], u[:, :0], 0.0)
            w = mirror.apply(w) if mirror else w
    return sigma, u, w


def _rational_square_root(x: fmpq) -> fmpq:
    root = fmpq(_integer_root(x.p), _integer_root(x.q))
    if root * root != x:
        raise ValueError("expected rational singular values for exact factors, got irrational ones; pass floats instead")
    return root


def _integer_root(k: Any) -> int:
    return isqrt(int(k))


def _orthogonalise(basis: Array) -> list[Array]:
    """Gram-Schmidt without norms: orthogonal columns with the same span, still rational."""
    done: list[Array] = []
    for v in basis.T:
        for u in done:
            v = v - u * ((u @ v) / (u @ u))
        done.append(v)
    return done


def fewest_contraction_factors(M: Array) -> list[GeneralizedHouseholder]:
    """At most floor(3n/2) GH factors with eigenvalues in [-1, 1] whose product is ``M``; no smaller bound serves every M, but a given M may need fewer.

    Directions that M does not shrink cost one reflection each. The rest, M = I - V K^-1 V^T on a frame V, loses one
    dimension for each factor as long as the pencil K x = s R x, R = K + K^T - V^T V, has a real eigenvector x: the factor
    lies along V x, and the frame of what remains is R-orthogonal to x. An odd dimension always has one; in an even one a
    single reflection in front makes one where there was none (``new.householder.minimum``).

    Exact for exact M if the eigenvalues met are rational. In floats singular values above 1 - 1e-9 are taken for 1, and the pencil of the others
    is as ill-conditioned as 1 / (1 - sigma^2); raises ``ValueError`` if the product misses M by more than 1e-8, or for M as in :func:`contraction_factors`.
    """
    M = _require_contraction(M)
    factors = _isometric_part(M)
    rest, frame = _strict_part(M, factors)
    factors += _strict_factors(rest, frame)
    if not exact.is_exact(M):
        error = float(np.abs(product(factors, len(M)).astype(float) - M).max())
        if not error <= 1e-8:
            raise ValueError(f"expected singular values away from 1, got some so close that the error is {error:.0e}")
    return factors


def _isometric_part(M: Array) -> list[GeneralizedHouseholder]:
    """Reflections H_1, ..., H_r such that H_r ... H_1 M fixes every vector whose length M keeps."""
    n, factors, rest = len(M), [], M
    if exact.is_exact(M):
        kept = exact.nullspace(exact.identity(n) - exact.multiply(M.T, M))
        directions, tolerance = _orthogonalise(kept), 0.0
    else:
        _, sigma, right = np.linalg.svd(M)
        directions, tolerance = list(right[sigma > ISOMETRIC]), _noise(n)
    for i, x in enumerate(directions):
        mirror = _mirror(rest @ x, x, np.array(directions[:i]).reshape(i, n).T, tolerance)
        if mirror:
            factors.append(mirror)
            rest = mirror.apply(rest)
    return factors


def _strict_part(M: Array, isometric: list[GeneralizedHouseholder]) -> tuple[Array, Array]:
    """(N, V): N = H_r ... H_1 M is the identity across the columns of the frame V and shrinks every vector in their span."""
    n, rest = len(M), M
    for factor in isometric:
        rest = factor.apply(rest)
    if exact.is_exact(M):
        kept = exact.nullspace(exact.identity(n) - exact.multiply(M.T, M))
        return rest, exact.nullspace(kept.T) if kept.shape[1] else exact.identity(n)
    _, sigma, right = np.linalg.svd(M)
    return rest, right[sigma <= ISOMETRIC].T


def _strict_factors(N: Array, frame: Array) -> list[GeneralizedHouseholder]:
    solve, complement, eigenvector = _EXACT if exact.is_exact(N) else _FLOAT
    V, factors, just_reflected = frame, [], False
    if V.shape[1] == 0:
        return factors
    gram = V.T @ V
    # in coordinates of the frame, N is 1 - K^-1 G, hence K = G (1 - N)^-1
    coordinates = solve(gram, V.T @ N @ V)
    K = gram @ solve(_identity_like(gram[0]) - coordinates, _identity_like(gram[0]))
    while V.shape[1]:
        gram = V.T @ V
        R = K + K.T - gram
        x = eigenvector(K, R, just_reflected)
        if x is None:
            one = _identity_like(gram[0])
            mirror = GeneralizedHouseholder(V[:, 0])
            in_frame = one - np.outer(one[:, 0], gram[0] * (2 / gram[0, 0]))
            K = gram @ solve(one - in_frame @ (one - solve(K, gram)), one)
            factors.append(mirror)
            just_reflected = True
            continue
        v = V @ x
        factors.append(GeneralizedHouseholder(v, (v @ v) / (x @ K @ x)))
        B = complement(R @ x)
        V, K, just_reflected = V @ B, B.T @ K @ B, False
    return factors


def _rational_eigenvector(K: Array, R: Array, just_reflected: bool) -> Array | None:
    """x with K x = s R x, s rational; None if no eigenvalue is real."""
    pencil = exact.multiply(exact.inverse(R), K)
    for s in exact.rational_eigenvalues(pencil):
        return exact.nullspace(pencil - exact.identity(len(K)) * s)[:, 0]
    if exact.count_real_roots(exact.characteristic_polynomial(pencil)):
        raise ValueError("expected rational eigenvalues for exact factors, got irrational ones; pass floats instead")
    return None


def _float_eigenvector(K: Array, R: Array, just_reflected: bool) -> Array | None:
    # the QZ algorithm, which a singular R does not stop; eigenvalues are the quotients above / below
    found: Any = scipy.linalg.eig(K, R, homogeneous_eigvals=True)
    (above, below), vectors = found
    size = np.abs(above) * np.abs(below)
    turned = np.abs((above * np.conj(below)).imag)
    angle = np.divide(turned, size, out=np.zeros_like(size), where=size > 0)
    best = int(np.argmin(angle))
    # after a reflection a real eigenvalue exists, so the one nearest to the real line is it
    if just_reflected or angle[best] <= 1e-10:
        return vectors[:, best].real
    return None


def _float_complement(row: Array) -> Array:
    """An orthonormal basis, as columns, of the vectors orthogonal to ``row``."""
    _, _, right = np.linalg.svd(row[None, :])
    return right[1:].T


_EXACT = (
    lambda a, b: exact.multiply(exact.inverse(a), b),
    lambda row: exact.nullspace(row[None, :]),
    _rational_eigenvector,
)
_FLOAT = (np.linalg.solve, _float_complement, _float_eigenvector)


def zero_factors(n: int) -> list[GeneralizedHouseholder]:
    """The zero matrix as n projections I - e_i e_i^T (grazzi25, App. C.5); fewer GH factors cannot give it."""
    if n < 1:
        raise ValueError(f"expected a size n >= 1, got {n}")
    return [GeneralizedHouseholder(exact.unit_vector(n, i), fmpq(1)) for i in range(n)]


def boolean_transition(function: Sequence[int]) -> Array:
    """The one-hot transition of q -> function[q] on n states: column q is e_{function[q]} (grazzi25, App. A.3)."""
    n = len(function)
    matrix = exact.zeros(n, n)
    for q, image in enumerate(function):
        if not 0 <= image < n:
            raise ValueError(f"expected states in 0 .. {n - 1}, got {image}")
        matrix[image, q] = fmpq(1)
    return matrix


# -- rotations ----------------------------------------------------------------------------------------------------------


def rotation(theta: float) -> Array:
    """R(theta), counter-clockwise by ``theta`` radians, float64. Raises ``ValueError`` unless theta is finite."""
    theta = _require_angle(theta)
    return np.array([[np.cos(theta), -np.sin(theta)], [np.sin(theta), np.cos(theta)]])


def rotation_as_two_reflections(theta: float) -> list[GeneralizedHouseholder]:
    """R(theta) = (I - 2 v1 v1^T)(I - 2 v2 v2^T) with unit v1, v2 (grazzi25, App. C.1); theta in radians.

    The mirrors enclose the angle theta / 2. Raises ``ValueError`` unless theta is finite.
    """
    theta = _require_angle(theta)
    return [
        GeneralizedHouseholder(np.array([-np.sin(theta / 2), np.cos(theta / 2)]), 2.0),
        GeneralizedHouseholder(np.array([0.0, 1.0]), 2.0),
    ]


def exact_rotation(m: int, k: int = 1) -> Array:
    """R(2 pi k / m) in exact cyclotomic numbers. Raises ``ValueError`` for m < 1."""
    c, s = cosine_and_sine(m, k)
    return np.array([[c, -s], [s, c]], dtype=object)


def rotation_counter(m: int) -> Recurrence:
    """The layer that counts modulo m by rotation: letter 1 turns by 2 pi / m, letter 0 does nothing (grazzi25, App. C.1).

    Exact in Q(zeta_lcm(4,m)). The decoder is the index of the state on the m-gon; ``None`` for any other state.
    """
    turn, still = exact_rotation(m), exact_rotation(m, 0)
    start = still[:, :1]
    polygon = {exact.freeze(exact_rotation(m, k)[:, :1]): k for k in range(m)}
    nothing = start * 0
    table = {0: (still, nothing), 1: (turn, nothing)}
    return Recurrence.from_table(table, start, lambda H, x: polygon.get(exact.freeze(H)))


def decoder_tolerance(m: int) -> arb:
    """How far the state of :func:`rotation_counter` may be off (Euclidean, strictly less) with the argmax still right.

    Half the distance of neighbouring codewords, sin(pi / m); unbounded, given as +inf, for m = 1. A rigorous ball.
    """
    if m < 1:
        raise ValueError(f"expected a modulus m >= 1, got {m}")
    return arb("inf") if m == 1 else (arb.pi() / m).sin()


# -- helpers ------------------------------------------------------------------------------------------------------------


def _require_permutation(permutation: Sequence[int]) -> Sequence[int]:
    n = len(permutation)
    if n == 0 or sorted(permutation) != list(range(n)):
        raise ValueError(f"expected a permutation of 0 .. n-1 with n >= 1, got {list(permutation)}")
    return permutation


def _require_real(M: Array) -> Array:
    M = exact.require_square(M)
    if np.iscomplexobj(M) or (M.dtype == object and any(isinstance(x, complex) for x in M.flat)):
        raise ValueError("expected a real matrix, got complex entries")
    return M


def _require_contraction(M: Array) -> Array:
    M = _require_real(M)
    if exact.is_exact(M):
        M = exact.rationals(M)
        if not exact.is_contraction(M):
            raise ValueError("expected a contraction (||M|| <= 1), got a matrix of larger norm")
        return M
    M = M.astype(np.float64)
    norm = float(np.linalg.norm(M, 2))
    if norm > 1 + 1e-12 * len(M):
        raise ValueError(f"expected a contraction (||M|| <= 1), got norm {norm:.6g}")
    return M


def _require_angle(theta: float) -> float:
    if not np.isfinite(theta):
        raise ValueError(f"expected a finite angle in radians, got {theta}")
    return float(theta)


def _identity_like(v: Array) -> Array:
    """The identity of size len(v), exact if v is."""
    return exact.identity(len(v)) if v.dtype == object else np.eye(len(v))


def _mirror(x: Array, y: Array, fixed: Array, tolerance: float) -> GeneralizedHouseholder | None:
    """The reflection that swaps x and y, vectors of equal length; None if they are equal (up to ``tolerance``).

    x and y are orthogonal to the orthonormal columns of ``fixed``, which therefore stay put.
    """
    v = x - y
    if tolerance == 0:
        return GeneralizedHouseholder(v) if any(entry != 0 for entry in v) else None
    s = x + y
    opposite = float(s @ s) <= float(v @ v)
    # what is orthogonal on paper is made so, twice: a short v would magnify the rounding by 1 / |v|
    for _ in range(2):
        if float(np.linalg.norm(v)) <= tolerance:
            return None
        v = v if opposite else v - s * ((v @ s) / (s @ s))
        v = v - fixed @ (fixed.T @ v)
    return GeneralizedHouseholder(v)


def _noise(n: int) -> float:
    """Displacements of unit vectors up to this size count as rounding: 16 sqrt(n) eps."""
    return 16 * sqrt(n) * EPS
