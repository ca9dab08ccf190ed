"""The norms of a Vandermonde matrix and of its pseudoinverse from products of differences, without elimination.

Times a unitary Fourier matrix F, V is up to phases the Cauchy matrix diag(q) [1 / (y_j - x_i)] / sqrt(L) with q_i = prod_j |y_j - x_i|. The y_j are the roots of
unity turned by 5/16 of a step; no node in floating point is one of them, since they have an irrational part. Write t for the shorter and s for the longer list
of points, n <= m, and M = diag(a) [1 / (t_k - s_i)] diag(b) for sqrt(L) V F: a = q and b = 1 for N >= L, and for N < L, transposed, a = 1 and b = q.
Let K be n of the m places, P and Q the polynomials with the roots s_K and t, and g_i = a_i / |Q(s_i)|. Lagrange's formula gives, up to phases,

    M_K^-1 = diag(gamma) [1 / (t_j - s_k)] diag(beta),        gamma_j = |P(t_j)| / (b_j |Q'(t_j)|),    beta_k = 1 / (g_k |P'(s_k)|),
    S = M M_K^-1 = diag(alpha) [1 / (s_i - s_k)] diag(beta),  alpha_i = g_i |P(s_i)|,                  rows of the identity for i in K,

and |M^+|^2 = |M_K^-1 (S^* S)^-1 M_K^-*|. Every entry is a product of differences, so it is right to some units in the last place for each factor. For N = L
there is nothing to choose and S = 1. Else the points are chosen one after another so that alpha_i is largest (Leja points; Reichel 1990). That keeps S small,
and only with S may digits be lost: see :func:`error_bound`.

Array-API code with a batch dimension: NumPy, torch and CuPy arrays. ``lagrange_compiled.py`` has the twin of :func:`matrices` for NumPy arrays.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import array_api_compat
import array_api_compat.numpy
import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import ztrtrs  # pyright: ignore[reportAttributeAccessIssue] # compiled, without a stub

from . import double_double

#: entries of a matrix from which on loading compiled code repays itself
REPAYS = 1024

#: so many mantissas in [1/2, 2) have a product whose inverse is a normal number
MOST_FACTORS = 1000

#: beyond these exponents a double is 0 or infinite
LAST = 1100
POWERS = np.ldexp(1.0, np.clip(np.arange(-LAST, LAST + 1), None, 1023))


class Scaled(NamedTuple):
    """The numbers mantissa 2^exponent, exponents whole."""

    mantissa: Any
    exponent: Any


class Polar(NamedTuple):
    """The complex numbers mantissa 2^exponent unit."""

    mantissa: Any
    exponent: Any
    unit: Any


class Matrices(NamedTuple):
    """For a batch: ``large`` (b, m, n) is M and ``small`` (b, n, n) the transpose of M_K^-1, scaled to entries near 1, which took out 2^``exponent`` (b,).

    ``S`` (b, m, n) is None for N = L, where it is 1. ``full`` (b,) says whether n points are distinct; where not, all else is finite and means nothing.
    """

    large: Any
    small: Any
    S: Any
    exponent: Any
    full: Any


def namespace(x: Any) -> Any:
    """``array_api_compat.array_namespace``, sooner for NumPy."""
    return array_api_compat.numpy if type(x) is np.ndarray else array_api_compat.array_namespace(x)


@cache
def _compiled() -> tuple[Any, Any]:
    """What Numba compiles, which takes a while to load."""
    from .lagrange_compiled import fill_all
    from .lanczos import largest_eigenvalue

    return fill_all, largest_eigenvalue


def condition(nodes: Any, length: int) -> tuple[Scaled, Any]:
    """Condition numbers of the Vandermonde matrices of ``nodes``, complex of shape (b, N), infinite below full rank, and bounds of their relative errors, all (b,)."""
    xp = namespace(nodes)
    is_large = nodes.shape[-1] * length >= REPAYS
    found = compiled_matrices(nodes, length) if array_api_compat.is_numpy_namespace(xp) and is_large else matrices(nodes, length)
    small, spread = found.small, 0.0
    if found.S is not None:
        spread = xp.sqrt(xp.sum(xp.real(found.S) ** 2 + xp.imag(found.S) ** 2, axis=(1, 2)))
        small = _over_triangle(xp, small, found.S, found.full)
    mantissa = xp.sqrt(_largest_eigenvalues(xp, found.large, is_large)) * xp.sqrt(_largest_eigenvalues(xp, small, is_large))
    bound = xp.zeros_like(mantissa) + error_bound(nodes.shape[-1], length, spread)
    if not bool(xp.all(found.full)):
        mantissa, bound = xp.where(found.full, mantissa, xp.full_like(mantissa, xp.inf)), xp.where(found.full, bound, xp.zeros_like(bound))
    return Scaled(mantissa, found.exponent), bound


def to_float(kappa: Scaled) -> Any:
    """As doubles; infinite beyond their range."""
    xp = namespace(kappa.mantissa)
    if array_api_compat.is_numpy_namespace(xp):
        with np.errstate(over="ignore"):
            return np.ldexp(kappa.mantissa, kappa.exponent)
    beyond = xp.log2(kappa.mantissa) + xp.astype(kappa.exponent, xp.float64) >= 1024.0
    exponent = xp.where(beyond, xp.zeros_like(kappa.exponent), kappa.exponent)
    half = exponent // 2
    found = kappa.mantissa * power(xp, half) * power(xp, exponent - half)
    return xp.where(beyond, xp.full_like(found, xp.inf), found)


def error_bound(N: int, length: int, spread: Any = 0.0) -> Any:
    """A bound of kappa's relative error to first order; ``spread`` is the Frobenius norm of S, 0 for N = L.

    Counted in units eps = 2^-52. A factor of a product is wrong by 2.5: 1 for the difference, 1 for the modulus, 1/2 for the product. M and M_K^-1 are made of
    3n factors for N >= L and of 4n + 2m else; these errors scale rows and columns, so they pass to the norms as they are. Six for what else is done to an entry
    count sqrt(n) times in a norm. Each eigenvalue is right to 4n, its root to 2n: by the test of ``lanczos.py``, elsewhere as LAPACK's backward error usually is.
    An error of S changes |S x| >= |x| by at most its own norm: 6 for an entry, n for the QR factorisation. Not proved are the constants of QR and of LAPACK.
    """
    n, m = min(N, length), max(N, length)
    factors = 3 * n if length <= N else 4 * n + 2 * m
    return float(np.finfo(float).eps) * (2.5 * factors + 6 * n**0.5 + 4 * n + (n + 6) * spread)


def _over_triangle(xp: Any, small: Any, S: Any, full: Any) -> Any:
    """The transpose of M_K^-1 R^-1 with R^* R = S^* S, triangular."""
    R: Any = np.linalg.qr(S, mode="r") if array_api_compat.is_numpy_namespace(xp) else xp.linalg.qr(S)[1]
    if not bool(xp.all(full)):
        R = xp.where(full[:, None, None], R, xp.eye(R.shape[-1], dtype=R.dtype, device=array_api_compat.device(R)))
    if not array_api_compat.is_numpy_namespace(xp):
        return xp.linalg.solve(xp.matrix_transpose(R), small)
    # LAPACK has less to do if it knows that R is a triangle
    return np.stack([ztrtrs(one, right, trans=1)[0] for one, right in zip(R, small, strict=True)])


def _largest_eigenvalues(xp: Any, matrix: Any, is_large: bool) -> Any:
    """Of A^* A for each A of a batch (b, m, n), m >= n: as accurate as the largest singular value."""
    if array_api_compat.is_numpy_namespace(xp) and is_large:
        _, largest_eigenvalue = _compiled()
        return np.array([largest_eigenvalue(one.T) for one in matrix])
    return xp.linalg.eigvalsh(xp.conj(xp.matrix_transpose(matrix)) @ matrix)[..., -1]


@cache
def turned_roots(length: int) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
    """exp(2 pi i (j + 5/16) / length), j = 0 .. length - 1, as high and low parts, complex of shape (length,) each."""
    high, low = (part[0, 5::16] + 1j * part[1, 5::16] for part in double_double.roots_of_unity(16 * length))
    return high, low


@cache
def _turned_parts(length: int) -> np.ndarray:
    """The same as real numbers, (4, length): real and imaginary parts, and those of the low parts."""
    return np.stack([part for z in turned_roots(length) for part in (z.real, z.imag)])


def matrices(nodes: Any, length: int) -> Matrices:
    """``Matrices`` for complex ``nodes`` of shape (b, N)."""
    xp = namespace(nodes)
    n = min(nodes.shape[-1], length)
    roots = tuple(xp.asarray(part, device=array_api_compat.device(nodes))[None, :] for part in turned_roots(length))
    exact = nodes, xp.zeros_like(nodes)
    s, t = (exact, roots) if n == length else (roots, exact)
    gaps = _polar(xp, _differences(t, s))
    along_rows = _product(xp, gaps, 2)
    if n == length:
        a, b, g = along_rows, None, None
    else:
        a, b, g = None, _product(xp, gaps, 1), _inverse(along_rows)
    large, large_exponent = _assemble(xp, a, b, gaps)
    if nodes.shape[-1] == length:
        S, chosen = None, gaps
        apart, full = _from_each_other(xp, s)
        beta = _inverse(_product(xp, apart, 2))
    else:
        places, full = _leja(xp, s[0], g, nodes.shape[0], n)
        S, beta = _interpolation(xp, s, g, places)
        chosen = Polar(*(xp.take_along_axis(part, places[:, :, None], axis=1) for part in gaps))
    gamma = _product(xp, chosen, 1)
    if b is None:
        # |Q'| = L at every root
        gamma = Scaled(gamma.mantissa / length, gamma.exponent)
    else:
        apart, full = _from_each_other(xp, t)
        gamma = _times(gamma, _inverse(_times(b, _product(xp, apart, 2))))
    small, small_exponent = _assemble(xp, beta, gamma, chosen)
    return Matrices(large, small, S, large_exponent + small_exponent, full)


def compiled_matrices(nodes: np.ndarray, length: int) -> Matrices:
    """Equivalent to :func:`matrices` for NumPy arrays."""
    fill_all, _ = _compiled()
    batch, N = nodes.shape
    m, n = max(N, length), min(N, length)
    large, small = np.empty((batch, m, n), complex), np.empty((batch, n, n), complex)
    S = None if length == N else np.empty((batch, m, n), complex)
    exponent, full, done = np.zeros(batch, np.int64), np.ones(batch, bool), np.zeros(batch, bool)
    fill_all(nodes, _turned_parts(length), length <= N, large, small, np.empty((batch, 0, 0), complex) if S is None else S, exponent, done)
    for b in np.flatnonzero(~done):
        one = matrices(nodes[b : b + 1], length)
        large[b], small[b], exponent[b], full[b] = one.large[0], one.small[0], one.exponent[0], one.full[0]
        if S is not None:
            S[b] = one.S[0]
    return Matrices(large, small, S, exponent, full)


def _differences(t: tuple[Any, Any], s: tuple[Any, Any]) -> Any:
    """t_k - s_i, (b, m, n), for points in high and low parts: right to the last place or two."""
    return (t[0][:, None, :] - s[0][:, :, None]) + (t[1][:, None, :] - s[1][:, :, None])


def _from_each_other(xp: Any, points: tuple[Any, Any]) -> tuple[Polar, Any]:
    """The differences of the points, 1 for 0, and whether only a point and itself have none, (b,)."""
    z = _differences(points, points)
    same = xp.astype(z == 0, z.dtype)
    return _polar(xp, z + same), xp.sum(xp.real(same), axis=(1, 2)) == float(z.shape[-1])


def _interpolation(xp: Any, s: tuple[Any, Any], g: Scaled | None, places: Any) -> tuple[Any, Scaled]:
    """S and beta for the points s at ``places``, (b, n)."""
    z = _differences(tuple(_at(xp, part, places) for part in s), s)
    same = xp.astype(z == 0, z.dtype)
    apart = _polar(xp, z + same)
    alpha = _times(_product(xp, apart, 2), g)
    beta = _inverse(Scaled(_at(xp, alpha.mantissa, places), _at(xp, alpha.exponent, places)))
    # a point that is chosen, or equals one that is, has a row of the identity
    S, _ = _assemble(xp, alpha, beta, apart, to_one=False)
    return xp.where(xp.any(z == 0, axis=2)[:, :, None], same, S), beta


def _leja(xp: Any, s: Any, g: Scaled | None, batch: int, n: int) -> tuple[Any, Any]:
    """The places (b, n) of the points that one after another make g times the distances from those before largest, and whether they are distinct, (b,)."""
    s, rows = xp.broadcast_to(s, (batch, s.shape[-1])), xp.arange(batch, device=array_api_compat.device(s))
    sizes = xp.zeros_like(xp.real(s)) if g is None else xp.log2(g.mantissa) + xp.astype(g.exponent, xp.float64)
    places, found = [], []
    # log 0 = -inf marks what is spent
    with np.errstate(divide="ignore"):
        for _ in range(n):
            place = xp.argmax(sizes, axis=1)
            places.append(place)
            found.append(sizes[rows, place])
            sizes = sizes + xp.log2(xp.abs(s - s[rows, place][:, None]))
    return xp.stack(places, axis=1), xp.all(xp.stack(found, axis=1) > -xp.inf, axis=1)


def _at(xp: Any, values: Any, places: Any) -> Any:
    """``values`` (1 or b, m) at ``places`` (b, n)."""
    return xp.take_along_axis(xp.broadcast_to(values, (places.shape[0], values.shape[-1])), places, axis=1)


def _polar(xp: Any, z: Any) -> Polar:
    """z, nowhere 0, by modulus and unit."""
    size, shift = xp.abs(z), 0
    if bool(xp.any(size < 2.0**-900)):
        # subnormal numbers lack places: there z is taken 2^500 times
        tiny = size < 2.0**-900
        z, shift = z * (1 + xp.astype(tiny, xp.float64) * (2.0**500 - 1)), 500 * xp.astype(tiny, xp.int64)
        size = xp.abs(z)
    mantissa, exponent = _split(xp, size)
    return Polar(mantissa, exponent - shift, z * (1 / size))


def _split(xp: Any, x: Any) -> tuple[Any, Any]:
    """Mantissas in [1/2, 2) and whole exponents of x > 0, normal."""
    if array_api_compat.is_numpy_namespace(xp):
        return np.frexp(x)
    exponent = xp.astype(xp.floor(xp.log2(x)), xp.int64)
    return x * power(xp, -exponent), exponent


def power(xp: Any, exponent: Any) -> Any:
    """2^exponent exactly, 0 where it is too small for a double."""
    if array_api_compat.is_numpy_namespace(xp):
        return np.ldexp(1.0, exponent)
    table = xp.asarray(POWERS, device=array_api_compat.device(exponent))
    return xp.reshape(xp.take(table, xp.reshape(xp.clip(exponent, -LAST, LAST) + LAST, (-1,))), exponent.shape)


def _product(xp: Any, x: Scaled | Polar, axis: int) -> Scaled:
    """The products of the moduli along an axis of three."""
    exponent, product, n = xp.sum(x.exponent, axis=axis), None, x.mantissa.shape[axis]
    for start in range(0, n, MOST_FACTORS):
        part = slice(start, min(start + MOST_FACTORS, n))
        factors = x.mantissa[:, part, :] if axis == 1 else x.mantissa[:, :, part]
        mantissa, more = _split(xp, xp.prod(factors, axis=axis))
        product, exponent = mantissa if product is None else product * mantissa, exponent + more
    return Scaled(product, exponent)


def _times(x: Scaled, y: Scaled | None) -> Scaled:
    return x if y is None else Scaled(x.mantissa * y.mantissa, x.exponent + y.exponent)


def _inverse(x: Scaled) -> Scaled:
    return Scaled(1 / x.mantissa, -x.exponent)


def _assemble(xp: Any, row: Scaled | None, column: Scaled | None, gaps: Polar, to_one: bool = True) -> tuple[Any, Any]:
    """The matrices row_i column_k / gaps_ik, (b, m, n); ``to_one`` takes out powers of two, whose exponents (b,) come with them, so that the largest entries are near 1."""
    size, exponent = 1 / gaps.mantissa, -gaps.exponent
    if row is not None:
        size, exponent = size * row.mantissa[:, :, None], exponent + row.exponent[:, :, None]
    if column is not None:
        size, exponent = size * column.mantissa[:, None, :], exponent + column.exponent[:, None, :]
    top = xp.max(exponent, axis=(1, 2)) if to_one else xp.zeros_like(exponent[:, 0, 0])
    return xp.conj(gaps.unit) * (size * power(xp, exponent - top[:, None, None])), top
