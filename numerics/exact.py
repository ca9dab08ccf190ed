"""Exact matrices: NumPy object arrays with entries in the rationals (``flint.fmpq``), and linear algebra on FLINT.

An exact matrix is an ordinary ``numpy.ndarray`` of ``dtype=object``, so a construction written for floats
(``I - beta * v @ v.T``) runs on it unchanged; what needs elimination goes to FLINT and comes back.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpq_poly, fmpz

from .masked import refuse_masked

Array = np.ndarray


def rational(value: Any) -> fmpq:
    """One exact rational, from an int, a ``Fraction``, an ``fmpq``, or text like ``"-3/4"``.

    Raises ``ValueError`` for anything else; a float is refused because its decimal look and its binary value differ.
    """
    if isinstance(value, fmpq):
        return value
    if isinstance(value, (bool, np.bool_)):
        return fmpq(int(value))
    if isinstance(value, int | np.integer | fmpz):
        return fmpq(int(value))
    if isinstance(value, str | Fraction):
        try:
            fraction = Fraction(value)
        except (ValueError, ZeroDivisionError):
            raise ValueError(f"expected a rational number such as '-3/4', got {value!r}") from None
        return fmpq(fraction.numerator, fraction.denominator)
    raise ValueError(f"expected an exact rational (int, Fraction, fmpq or text like '3/4'), got {value!r}")


def rationals(values: Any) -> Array:
    """An exact array of the same shape as ``values`` (nested sequences or an array of exact numbers)."""
    refuse_masked(values)
    array = np.array(values, dtype=object)
    return map_entries(rational, array)


def map_entries(function: Any, array: Array) -> Array:
    """``function`` applied to every entry; always an object array (also for size 0 and for 0-d arrays)."""
    entries = np.asarray(array, dtype=object)
    return np.fromiter(map(function, entries.flat), dtype=object, count=entries.size).reshape(entries.shape)


def is_exact(array: Any) -> bool:
    """True if no entry is a float or a complex float, so that arithmetic on ``array`` is exact."""
    array = np.asarray(array)
    if array.dtype != object:
        return bool(np.issubdtype(array.dtype, np.integer))
    return not any(isinstance(x, float | complex | np.inexact) for x in array.flat)


def identity(n: int) -> Array:
    """The n x n identity over the rationals."""
    out = zeros(n, n)
    for i in range(n):
        out[i, i] = fmpq(1)
    return out


def zeros(*shape: int) -> Array:
    """The zero array over the rationals."""
    out = np.empty(shape, dtype=object)
    out.fill(fmpq(0))
    return out


def unit_vector(n: int, i: int) -> Array:
    """The i-th column of the n x n identity, shape (n,)."""
    out = zeros(n)
    out[i] = fmpq(1)
    return out


def to_flint(matrix: Array) -> fmpq_mat:
    """The FLINT matrix with the same rational entries; shape (rows, columns)."""
    rows, columns = matrix.shape
    return fmpq_mat(rows, columns, [rational(x) for x in matrix.flat])


def from_flint(matrix: fmpq_mat) -> Array:
    """The exact array with the same entries."""
    return np.fromiter(matrix.entries(), dtype=object, count=matrix.nrows() * matrix.ncols()).reshape(matrix.nrows(), matrix.ncols())


def require_square(matrix: Any) -> Array:
    """``matrix`` as an array, if it is square with at least one row, finite and not masked; else ``ValueError``."""
    refuse_masked(matrix)
    array = np.asarray(matrix)
    if array.ndim != 2 or array.shape[0] != array.shape[1] or array.shape[0] == 0:
        raise ValueError(f"expected a square matrix with at least one row, got an array of shape {array.shape}")
    if array.dtype != object:
        if not np.issubdtype(array.dtype, np.number):
            raise ValueError(f"expected a matrix of numbers, got dtype {array.dtype}")
        if not np.all(np.isfinite(array)):
            raise ValueError("expected a finite matrix, got one with nan or inf entries")
    elif any(isinstance(x, float | complex | np.inexact) and not np.isfinite(x) for x in array.flat):
        raise ValueError("expected a finite matrix, got one with nan or inf entries")
    return array


def multiply(*matrices: Array) -> Array:
    """The product, left to right, of rational matrices, computed by FLINT."""
    product = to_flint(matrices[0])
    for matrix in matrices[1:]:
        product = product * to_flint(matrix)
    return from_flint(product)


def rank(matrix: Array) -> int:
    """The rank over the rationals."""
    return int(to_flint(matrix).rank())


def determinant(matrix: Array) -> fmpq:
    """The determinant of a square rational matrix."""
    return to_flint(matrix).det()


def inverse(matrix: Array) -> Array:
    """The inverse; raises ``ValueError`` if the matrix is singular."""
    try:
        return from_flint(to_flint(matrix).inv())
    except ZeroDivisionError:
        raise ValueError("expected an invertible matrix, got a singular one") from None


def nullspace(matrix: Array) -> Array:
    """A basis of the kernel as columns, shape (columns of ``matrix``, nullity)."""
    rref, r = to_flint(matrix).rref()
    reduced, n = from_flint(rref), matrix.shape[1]
    pivots = [next(j for j in range(n) if reduced[i, j] != 0) for i in range(int(r))]
    free = [j for j in range(n) if j not in pivots]
    basis = zeros(n, len(free))
    for column, j in enumerate(free):
        basis[j, column] = fmpq(1)
        for i, pivot in enumerate(pivots):
            basis[pivot, column] = -reduced[i, j]
    return basis


def characteristic_polynomial(matrix: Array) -> fmpq_poly:
    """det(x I - matrix)."""
    return to_flint(require_square(matrix)).charpoly()


def rational_eigenvalues(matrix: Array) -> dict[fmpq, int]:
    """The rational eigenvalues with their algebraic multiplicities, largest first."""
    _, factors = characteristic_polynomial(matrix).factor()
    found = {-f.coeffs()[0] / f.coeffs()[1]: int(m) for f, m in factors if f.degree() == 1}
    return dict(sorted(found.items(), key=lambda item: item[0], reverse=True))


def count_real_roots(polynomial: fmpq_poly) -> int:
    """How many real roots a nonzero polynomial has, with multiplicity (Sturm, exact).

    Square-free factors are counted by the sign changes of their Sturm chain at -infinity and +infinity.
    """
    _, factors = polynomial.factor_squarefree()
    return sum(int(m) * _distinct_real_roots(f) for f, m in factors if f.degree() > 0)


def has_root_in(polynomial: fmpq_poly, low: fmpq, high: fmpq) -> bool:
    """Exact: the polynomial has a root in the closed interval (Sturm)."""
    if polynomial == 0 or polynomial(low) == 0 or polynomial(high) == 0:
        return True
    if polynomial.degree() == 0:
        return False
    chain = _sturm_chain(polynomial / polynomial.gcd(polynomial.derivative()))
    return _sign_changes([p(low) for p in chain]) != _sign_changes([p(high) for p in chain])


def _distinct_real_roots(square_free: fmpq_poly) -> int:
    chain = [p for p in _sturm_chain(square_free) if p != 0]
    leading = [p.leading_coefficient() for p in chain]
    return _sign_changes([-x if p.degree() % 2 else x for p, x in zip(chain, leading, strict=True)]) - _sign_changes(leading)


def _sturm_chain(square_free: fmpq_poly) -> list[fmpq_poly]:
    chain = [square_free, square_free.derivative()]
    while chain[-1].degree() > 0:
        chain.append(-(chain[-2] % chain[-1]))
    return chain


def _sign_changes(values: list[fmpq]) -> int:
    signs = [x > 0 for x in values if x != 0]
    return sum(a != b for a, b in itertools.pairwise(signs))


def is_positive_semidefinite(matrix: Array) -> bool:
    """Exact test of a symmetric rational matrix: symmetric elimination meets no negative pivot.

    A zero pivot is allowed only if its whole remaining row is zero.
    """
    a = np.array(matrix, dtype=object)
    if not np.array_equal(a, a.T):
        raise ValueError("expected a symmetric matrix, got one that differs from its transpose")
    for i in range(len(a)):
        if a[i, i] < 0 or (a[i, i] == 0 and any(x != 0 for x in a[i, i + 1 :])):
            return False
        if a[i, i] != 0:
            below = a[i + 1 :, i] / a[i, i]
            a[i + 1 :, i + 1 :] = a[i + 1 :, i + 1 :] - np.outer(below, a[i, i + 1 :])
    return True


def is_positive_definite(matrix: Array) -> bool:
    """Exact test: positive semidefinite and invertible."""
    return is_positive_semidefinite(matrix) and rank(matrix) == len(matrix)


def is_contraction(matrix: Array) -> bool:
    """Exact test of ||matrix|| <= 1 in the Euclidean operator norm: I - M^T M is positive semidefinite."""
    if any(line @ line > 1 for line in (*matrix, *matrix.T)):
        return False
    gram = multiply(matrix.T, matrix)
    return is_positive_semidefinite(identity(matrix.shape[1]) - gram)


def is_orthogonal(matrix: Array) -> bool:
    """Exact test of M^T M = I."""
    return np.array_equal(multiply(matrix.T, matrix), identity(matrix.shape[1]))


def block_diagonal(blocks: Iterable[Array]) -> Array:
    """The direct sum of exact matrices, square or not."""
    blocks = [np.asarray(b, dtype=object) for b in blocks]
    out, i, j = zeros(sum(len(b) for b in blocks), sum(b.shape[1] for b in blocks)), 0, 0
    for b in blocks:
        out[i : i + b.shape[0], j : j + b.shape[1]] = b
        i, j = i + b.shape[0], j + b.shape[1]
    return out


def as_float(array: Array) -> Array:
    """The float64 array nearest to an exact one."""
    return np.asarray(map_entries(float, np.asarray(array, dtype=object)), dtype=np.float64)


def freeze(array: Any) -> tuple:
    """A hashable copy of an array's entries, row by row: what a state is looked up by."""
    return tuple(np.asarray(array, dtype=object).flat)


def as_text(value: Any) -> Any:
    """``value`` with every exact number as text ("-3/4") and every array as nested lists: ready for JSON."""
    if isinstance(value, fmpq):
        return str(value)
    if isinstance(value, np.ndarray) and not value.ndim:
        return as_text(value[()])
    if isinstance(value, np.ndarray | list | tuple):
        return [as_text(x) for x in value]
    if isinstance(value, dict):
        return {str(k): as_text(v) for k, v in value.items()}
    if isinstance(value, fmpz | Fraction):
        return str(value)
    if isinstance(value, np.generic):
        return value.item()
    if hasattr(value, "to_text"):
        return value.to_text()
    return value
