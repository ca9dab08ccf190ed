"""Exact arithmetic in the cyclotomic field Q(zeta_N), zeta_N = exp(2 pi i / N): where rotations by 2 pi / m live.

Elements mix with ints and ``flint.fmpq`` and sit in NumPy object arrays, so constructions run on them unchanged.
Gaussian rationals are the case N = 4.
"""

from __future__ import annotations

from functools import cache
from math import lcm
from typing import Any

import numpy as np
from flint import acb, arb, fmpq, fmpq_poly, fmpz, fmpz_poly, nmod_poly

from .exact import Array, rationals

#: where polynomials are evaluated to hash them
PRIME, POINT = 2**61 - 1, 0x1B873593CC9E2D51


class Cyclotomic:
    """An element of Q(zeta_N): a polynomial in zeta_N, reduced modulo the N-th cyclotomic polynomial."""

    __slots__ = ("order", "polynomial")

    def __init__(self, order: int, polynomial: fmpq_poly):
        self.order = order
        self.polynomial = polynomial % _modulus(order)

    def _coerce(self, other: Any) -> fmpq_poly | None:
        if isinstance(other, Cyclotomic):
            if other.order != self.order:
                raise ValueError(f"expected elements of one field, got Q(zeta_{self.order}) and Q(zeta_{other.order})")
            return other.polynomial
        if isinstance(other, int | fmpq | fmpz | np.integer):
            return fmpq_poly([fmpq(int(other)) if isinstance(other, np.integer) else other])
        return None

    def __add__(self, other: Any) -> Cyclotomic:
        p = self._coerce(other)
        return NotImplemented if p is None else Cyclotomic(self.order, self.polynomial + p)

    __radd__ = __add__

    def __neg__(self) -> Cyclotomic:
        return Cyclotomic(self.order, -self.polynomial)

    def __sub__(self, other: Any) -> Cyclotomic:
        p = self._coerce(other)
        return NotImplemented if p is None else Cyclotomic(self.order, self.polynomial - p)

    def __rsub__(self, other: Any) -> Cyclotomic:
        return -self + other

    def __mul__(self, other: Any) -> Cyclotomic:
        p = self._coerce(other)
        return NotImplemented if p is None else Cyclotomic(self.order, self.polynomial * p)

    __rmul__ = __mul__

    def inverse(self) -> Cyclotomic:
        """1 / self; raises ``ZeroDivisionError`` at 0."""
        if self.polynomial == 0:
            raise ZeroDivisionError("division by zero in a cyclotomic field")
        g, s, _ = self.polynomial.xgcd(_modulus(self.order))
        return Cyclotomic(self.order, s / g.coeffs()[0])

    def __truediv__(self, other: Any) -> Cyclotomic:
        p = self._coerce(other)
        return NotImplemented if p is None else self * Cyclotomic(self.order, p).inverse()

    def __rtruediv__(self, other: Any) -> Cyclotomic:
        return self.inverse() * other

    def __pow__(self, exponent: int) -> Cyclotomic:
        base, out = (self if exponent >= 0 else self.inverse()), Cyclotomic(self.order, fmpq_poly([1]))
        for bit in bin(abs(exponent))[2:]:
            out = out * out
            out = out * base if bit == "1" else out
        return out

    def conjugate(self) -> Cyclotomic:
        """The complex conjugate: zeta -> zeta^(N-1)."""
        coefficients = self.polynomial.coeffs()
        flipped = [fmpq(0)] * self.order
        for k, c in enumerate(coefficients):
            flipped[-k % self.order] += c
        return Cyclotomic(self.order, fmpq_poly(flipped))

    def __eq__(self, other: object) -> bool:
        p = self._coerce(other)
        return NotImplemented if p is None else self.polynomial == p

    def __hash__(self) -> int:
        if self.polynomial.degree() < 1:
            # rational elements hash like the rational, as they compare equal to it
            return hash(self.polynomial[0])
        # the value at a point modulo a prime tells polynomials apart, much faster than all their coefficients
        return hash((int(nmod_poly(self.polynomial.numer(), PRIME)(POINT)), int(self.polynomial.denom())))

    def ball(self) -> acb:
        """A rigorous enclosure of the complex number (zeta = exp(2 pi i / N)) at FLINT's current precision."""
        zeta = (acb(0, 2) * acb.pi() / self.order).exp()
        value = acb(0)
        for c in reversed(self.polynomial.coeffs()):
            value = value * zeta + acb(arb(c))
        return value

    def __float__(self) -> float:
        return float(self.ball().real)

    def __complex__(self) -> complex:
        ball = self.ball()
        return complex(float(ball.real), float(ball.imag))

    @property
    def coefficients(self) -> list[Any]:
        """The rational coefficients of 1, zeta, zeta^2, ..., up to the last that is not 0; none of 0."""
        return list(self.polynomial.coeffs())

    def to_text(self) -> str | list[str]:
        """A rational number as text, another one as the coefficients of 1, zeta, zeta^2, ... up to the last that is not 0, for JSON."""
        coefficients = [str(c) for c in self.coefficients]
        return coefficients if len(coefficients) > 1 else (coefficients or ["0"])[0]

    def __repr__(self) -> str:
        """In powers of ζ = exp(2 pi i / N), with a decimal value unless rational or Gaussian."""
        terms = []
        for k, c in enumerate(self.polynomial.coeffs()):
            if c != 0:
                sign = "-" if c == -1 else "" if c == 1 else f"{c} "
                terms.append(f"{c}" if k == 0 else f"{sign}ζ{'' if k == 1 else f'^{k}'}")
        text = " + ".join(terms).replace("+ -", "- ") or "0"
        if self.order <= 4 or self.polynomial.degree() < 1:
            return text.replace("ζ", "i" if self.order == 4 else "ζ")
        z = complex(self)
        near = f"{z.real:.6f}" if self == self.conjugate() else f"{z:.6f}"
        return f"{text} ≈ {near}"


@cache
def _modulus(order: int) -> fmpq_poly:
    if order < 1:
        raise ValueError(f"expected a root of unity of order at least 1, got {order}")
    return fmpq_poly(fmpz_poly.cyclotomic(order))


def root_of_unity(order: int, power: int = 1) -> Cyclotomic:
    """zeta_order ^ power."""
    monomial = [0] * (power % order) + [1] if order > 0 else []
    _modulus(order)
    return Cyclotomic(order, fmpq_poly(monomial))


def rotation_order(m: int) -> int:
    """The least N for which cos(2 pi / m) and sin(2 pi / m) both lie in Q(zeta_N): lcm(4, m)."""
    if m < 1:
        raise ValueError(f"expected a modulus m >= 1, got {m}")
    return lcm(4, m)


def cosine_and_sine(m: int, k: int = 1) -> tuple[Cyclotomic, Cyclotomic]:
    """(cos, sin) of 2 pi k / m, exactly, in Q(zeta_N) with N = lcm(4, m). Raises ``ValueError`` for m < 1."""
    order = rotation_order(m)
    zeta, i = root_of_unity(order, k * (order // m)), root_of_unity(order, order // 4)
    bar = zeta.conjugate()
    return (zeta + bar) / 2, (zeta - bar) / (2 * i)


def gaussian(real: Any, imaginary: Any = 0) -> Cyclotomic:
    """The Gaussian rational ``real + imaginary i``, an element of Q(zeta_4)."""
    coefficients = rationals([real, imaginary])
    return Cyclotomic(4, fmpq_poly(list(coefficients)))


def realify(matrix: Array) -> Array:
    """A complex matrix X + iY over Q(zeta_4) as the real [[X, -Y], [Y, X]]; its spectrum is that of the matrix and its conjugate."""
    real, imaginary = parts(matrix)
    return np.block([[real, -imaginary], [imaginary, real]])


def parts(matrix: Array) -> tuple[Array, Array]:
    """(real, imaginary) parts, rational, of an array over Q(zeta_4)."""

    def coefficient(x: Any, k: int) -> fmpq:
        if isinstance(x, Cyclotomic) and x.order != 4:
            raise ValueError(f"expected Gaussian rationals, got an element of Q(zeta_{x.order})")
        c = x.polynomial.coeffs() if isinstance(x, Cyclotomic) else [rationals([x])[0]]
        return c[k] if k < len(c) else fmpq(0)

    both = []
    for k in (0, 1):
        out = np.empty(matrix.shape, dtype=object)
        for index in np.ndindex(out.shape):
            out[index] = coefficient(matrix[index], k)
        both.append(out)
    return both[0], both[1]
