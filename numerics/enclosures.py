"""Rigorous enclosures by ball arithmetic (Arb): the condition number of a Vandermonde matrix of exact nodes, on all inputs or on those of a basis, to any accuracy."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import acb, acb_mat, acb_poly, arb, ctx

from .masked import refuse_masked
from .vandermonde import log_condition_number, vandermonde

#: the precision is doubled so often before giving up
MOST_DOUBLINGS = 5


def certified_condition_number(nodes: Any, length: int, digits: int = 15, basis: Any = None) -> arb:
    """A ball of relative radius below 10^-digits that holds the condition number of the Vandermonde matrix V of ``nodes``, shape (N,).

    With a ``basis`` Psi, real or complex of shape (length, P), that of V Psi. Nodes and basis are taken as exact doubles. The precision starts
    from the double-precision estimate and is doubled until the ball is small enough. Square V are inverted in O(N^2) by Lagrange
    polynomials, all else as Gram matrices in O(min(N, P)^3), P = length for all inputs. Raises ``ValueError`` for a basis of another length and for
    repeated nodes where the number is infinite, ``ArithmeticError`` where V Psi cannot be told from a matrix of lower rank.
    """
    refuse_masked(nodes, basis)
    nodes = np.asarray(nodes, dtype=np.complex128)
    psi = None if basis is None else np.asarray(basis, dtype=np.complex128)
    if psi is not None and (psi.ndim != 2 or len(psi) != length):
        raise ValueError(f"expected a basis of {length} inputs, shape ({length}, P), got shape {psi.shape}")
    rank = min(len(nodes), length if psi is None else psi.shape[1])
    if len(np.unique(nodes)) < rank:
        raise ValueError(f"expected at least {rank} distinct nodes, got {len(np.unique(nodes))}")
    estimate = float(log_condition_number(nodes, length)) if psi is None else _log_condition_number_by_svd(nodes, psi)
    inverse_gram = _inverse_gram_by_lagrange if psi is None and len(nodes) == length else _inverse_gram
    saved, bits = ctx.prec, 128 + 4 * digits + int(5 * estimate)
    try:
        for _ in range(MOST_DOUBLINGS):
            ctx.prec = bits
            exact = [_exact(x) for x in nodes]
            try:
                matrix = _vandermonde(exact, length)
                if psi is not None:
                    matrix = matrix * acb_mat([[_exact(z) for z in row] for row in psi[::-1]])
                grams = _gram(matrix), inverse_gram(exact, matrix)
                # the entries are known to many digits; the norms need few
                ctx.prec = 64 + 8 * digits
                kappa = (largest_eigenvalue(grams[0], digits) * largest_eigenvalue(grams[1], digits)).sqrt()
            except ZeroDivisionError:
                # at this precision the matrix cannot be told from a singular one
                kappa = arb("nan")
            if kappa.is_finite() and kappa.rad() < kappa.mid() * arb(10) ** -digits:
                return kappa
            bits *= 2
        raise ArithmeticError(f"expected {bits // 2} bits to enclose the condition number, which needs more")
    finally:
        ctx.prec = saved


def _log_condition_number_by_svd(nodes: np.ndarray, psi: np.ndarray) -> float:
    """Where the search for a precision begins: at most that of the last place of a double."""
    with np.errstate(all="ignore"):
        matrix = vandermonde(nodes, len(psi)) @ psi
        sizes = np.linalg.svd(matrix, compute_uv=False) if np.isfinite(matrix).all() else np.zeros(1)
    return float(np.log(sizes[0] / sizes[-1])) if 0 < 1e-16 * sizes[0] < sizes[-1] else 37.0


def _exact(z: Any) -> acb:
    return acb(float(z.real), float(z.imag))


def _vandermonde(nodes: list[acb], length: int) -> acb_mat:
    """The matrix of the exact nodes, powers ascending."""
    rows = []
    for x in nodes:
        powers = [acb(1)]
        for _ in range(length - 1):
            powers.append(powers[-1] * x)
        rows.append(powers)
    return acb_mat(rows)


def _gram(matrix: acb_mat) -> acb_mat:
    """A A^* or A^* A, whichever is smaller."""
    adjoint = matrix.conjugate().transpose()
    return matrix * adjoint if matrix.nrows() <= matrix.ncols() else adjoint * matrix


def _inverse_gram(nodes: list[acb], matrix: acb_mat) -> acb_mat:
    return _gram(matrix).inv()


def _inverse_gram_by_lagrange(nodes: list[acb], matrix: acb_mat) -> acb_mat:
    """(V V^*)^-1 for as many nodes as inputs: the columns of V^-1 are the coefficients of the Lagrange polynomials."""
    master = acb_poly.from_roots(nodes)
    slope = master.derivative()
    inverse = acb_mat([list((master // acb_poly([-x, 1])) * (1 / slope(x))) for x in nodes])
    # rounded outwards, so that the product is cheap
    bits, ctx.prec = ctx.prec, 256
    try:
        inverse = inverse * acb(1)
        return inverse.conjugate() * inverse.transpose()
    finally:
        ctx.prec = bits


def largest_eigenvalue(matrix: acb_mat, digits: int = 15) -> arb:
    """A ball that holds the largest eigenvalue of a Hermitian positive semidefinite matrix of balls.

    For a unit vector v, P = rho v v^* + r v^* + v r^* + P_2 with P_2 on the complement of v, so the largest eigenvalue lies in
    [rho, rho + |r|] if the Frobenius norm of P_2 is at most rho. Powers of the matrix spread the eigenvalues until that is so. If they
    coincide it never is, but trace(P^p)^(1/p) exceeds the largest by a factor n^(1/p) at most.
    """
    n, power, log_scale, P = matrix.nrows(), 1, arb(0), matrix
    while True:
        scale = P.trace().real.mid()
        P = P / acb(scale)
        log_scale += arb(scale).log() / power
        # P has trace 1: the largest eigenvalue lies between 1/n and 1
        if arb(n).log() / power < arb(10) ** (-digits - 1):
            return (arb(1).union(arb(1) / n).log() / power + log_scale).exp()
        v = _dominant(P)
        Pv = P * v
        rho = _inner(v, Pv)
        residual = _norm(Pv - v * acb(rho))
        square = sum((abs(x) ** 2 for x in P.entries()), arb(0)) - rho * rho
        if abs(square) <= rho * rho and residual < rho * arb(10) ** (-digits - 2):
            return (rho.union(rho + residual).log() / power + log_scale).exp()
        if not rho.is_finite():
            return arb("nan")
        P, power = P * P, 2 * power


def _dominant(P: acb_mat, steps: int = 40) -> acb_mat:
    """A unit vector near the dominant eigenvector: the longest column, improved by power iteration; P has trace 1."""
    columns = P.transpose().tolist()
    best = max(columns, key=lambda c: float(sum((abs(x) ** 2 for x in c), arb(0)).mid()))
    v = acb_mat([[x.mid()] for x in best])
    for _ in range(steps):
        # midpoints: any vector will do, so its own error need not be carried along
        v = acb_mat([[x.mid()] for x in (P * v / acb(_norm(v))).entries()])
    return v / acb(_norm(v))


def _inner(a: acb_mat, b: acb_mat) -> arb:
    return sum((x.conjugate() * y for x, y in zip(a.entries(), b.entries(), strict=True)), acb(0)).real


def _norm(v: acb_mat) -> arb:
    # a ball round 0 may reach below it, where the root is not defined
    return sum((abs(x) ** 2 for x in v.entries()), arb(0)).nonnegative_part().sqrt()
