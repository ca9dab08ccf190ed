"""Elimination and condition numbers on both sides of the sizes at which the code switches: portable, BLAS, compiled; and on the array-API path of other libraries."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import acb, arb, fmpq

from ...constructions.vandermonde import gap_polynomial, sine_window
from ...numerics import cauchy, lagrange
from ...numerics.vandermonde import condition_number, powers, reconstruct, singular_values, vandermonde
from ..claim import tie
from ..evidence import Proof


def nodes_on_a_ring(n: int) -> np.ndarray:
    """n distinct complex nodes of moduli 0.9 to 1.05, from golden angles."""
    k = np.arange(n)
    return (0.9 + 0.15 * ((k * 0.754877666) % 1)) * np.exp(2j * np.pi * ((k * 0.618033988) % 1))


def log_determinant(nodes: np.ndarray) -> float:
    """log |det V| for as many nodes as powers: the sum of log |x_i - x_j|, in balls."""
    total = arb(0)
    for i, x in enumerate(nodes):
        for y in nodes[:i]:
            total += abs(acb(x.real, x.imag) - acb(y.real, y.imag)).log()
    return float(total.mid())


#: shapes on both sides of each switch: 1024 entries (BLAS; compiled condition numbers) and 4096 (compiled elimination, BLAS)
SQUARE = (1, 2, 3, 12, 31, 32, 33, 63, 64, 65)
OBLONG = ((1, 5), (5, 1), (12, 20), (20, 12), (40, 100), (41, 100), (100, 41))


@tie("orvieto24.sec4.1.ring")
def elimination(proof: Proof) -> None:
    """The product of the pivots is the determinant; the factors give the matrix back."""
    for n in proof.tied("N = L <= 65", SQUARE):
        nodes = nodes_on_a_ring(n)
        factors = cauchy.decompose(nodes[None], n)
        found = float(np.sum(factors.log_pivots[0] + np.log(np.abs(factors.pivots[0]))))
        wanted = log_determinant(nodes)
        proof.closely("the pivots multiply to |det V|", abs(found - wanted), 1e-13 * n * max(1.0, abs(wanted)) ** 0.5)
    for n, length in proof.tied("N, L <= 100, 4200 entries", [*((n, n) for n in SQUARE), *OBLONG]):
        nodes = nodes_on_a_ring(n)
        factors = cauchy.decompose(nodes[None], length)
        wanted = np.abs(vandermonde(nodes, length) @ _fourier(length, float(factors.angle[0])))
        pivots = factors.pivots[0] * np.exp(factors.log_pivots[0])
        found = np.abs((factors.left[0] * pivots) @ factors.right[0])
        proof.closely("the factors give V F", float(np.max(np.abs(found - wanted)) / np.max(wanted)), 1e-12)


def _fourier(length: int, angle: float) -> np.ndarray:
    """The unitary matrix that turns rows of powers, highest first, into values at the turned roots."""
    j = np.arange(length)
    powers = np.arange(length - 1, -1, -1)
    return np.exp(-1j * np.outer(powers, angle + 2 * np.pi * j / length)) / np.sqrt(length)


def same_condition_numbers(proof: Proof, library: str, convert: Any, back: Any) -> None:
    """Condition numbers, powers and factors of another array library against NumPy's."""
    for n, length in ((3, 3), (6, 4), (4, 9), (33, 33), (64, 65)):
        nodes = nodes_on_a_ring(n)
        wanted, found = float(condition_number(nodes, length)), float(back(condition_number(convert(nodes), length)))
        proof.closely(f"{library}: condition numbers as with NumPy, N, L <= 65", abs(found / wanted - 1), 1e-9)
        proof.closely(
            f"{library}: powers",
            float(np.max(np.abs(back(powers(convert(nodes), length)) - vandermonde(nodes, length)))),
            1e-12 * 1.05**length,
        )


@tie("orvieto24.sec4.1.ring")
def condition_numbers(proof: Proof) -> None:
    """Against balls, on both sides of the switches; the portable code against the compiled."""
    for n, length in proof.tied("N, L <= 65", [(1, 1), (2, 2), (2, 5), (5, 2), (9, 9), (31, 33), (32, 32), (33, 31), (64, 65)]):
        nodes = nodes_on_a_ring(n)
        values = singular_values(nodes, length)
        kappa = float(condition_number(nodes, length))
        proof.closely("condition number: largest over least singular value", abs(kappa / (values[0] / values[-1]) - 1), 1e-9)
        proof.closely(
            "the squares sum up to the squared entries",
            abs(float(np.sum(values**2) / np.sum(np.abs(vandermonde(nodes, length)) ** 2)) - 1),
            1e-12,
        )
        portable, compiled = lagrange.matrices(nodes[None], length), lagrange.compiled_matrices(nodes[None], length)
        scale = 2.0 ** (compiled.exponent - portable.exponent)[0]
        proof.closely(
            "compiled and portable products agree",
            _apart(portable.small, compiled.small * scale, portable.large, compiled.large / scale),
            1e-11,
        )
    for torch in proof.extra("torch"):
        same_condition_numbers(proof, "torch", torch.from_numpy, lambda x: x.numpy())
    for strict in proof.extra("array_api_strict"):
        same_condition_numbers(proof, "array_api_strict", strict.asarray, np.asarray)


def _apart(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> float:
    """How far Gram matrices of two scaled forms of the same matrices differ, whatever was taken out as a power of two."""
    return max(
        float(np.max(np.abs(np.abs(x) * np.max(np.abs(y)) / np.max(np.abs(x)) - np.abs(y))) / np.max(np.abs(y)))
        for x, y in ((a, b), (c, d))
    )


@tie("orvieto24.sec4.1.ring")
def reconstructions(proof: Proof) -> None:
    """Inputs come back from states, narrow and wide, one and many."""
    generator = np.random.default_rng(27)
    for n, length in proof.tied("L <= N <= 65", [(1, 1), (5, 3), (12, 12), (33, 20), (65, 64)]):
        nodes = np.exp(2j * np.pi * (np.arange(n) + 0.3) / n)
        u = generator.standard_normal((3, length))
        found = reconstruct(u @ vandermonde(nodes, length).T, nodes, length)
        proof.closely("reconstruct gives the inputs", float(np.abs(found - u).max()), 1e-9)


@tie("new.vandermonde.gap")
def windows(proof: Proof) -> None:
    """Sines in balls, and Chebyshev polynomials at rational points of the circle."""
    for k in proof.tied("k <= 12, and 40", (*range(13), 40)):
        window = sine_window(k)
        exact = [arb.sin_pi_fmpq(fmpq(j + 1, k + 2)) for j in range(k + 1)]
        near = all(abs(s - arb(f)) <= fmpq(1, 2**21) + fmpq(1, 2**40) for s, f in zip(exact, window, strict=True))
        proof.certified("sine_window: sines, rounded to 20 places", near and all((f * 2**20).q == 1 for f in window))
    for degree, c in proof.tied("degree <= 12", [(m, c) for m in (0, 1, 2, 5, 6, 7, 12) for c in (fmpq(1, 2), fmpq(3, 4), fmpq(-2, 3))]):
        P = gap_polynomial(degree, c)
        proof.exactly("gap_polynomial: of this degree, and the same from both ends", P, P[::-1])
        proof.exactly("as many coefficients", len(P), degree + 1)
        # e^(it/2) = (4 + 3i)/5: T_m(y) by its recurrence at y = cos(t/2) / c
        y, before, now = fmpq(4, 5) / c, fmpq(1), fmpq(4, 5) / c
        for _ in range(degree):
            before, now = now, 2 * y * now - before
        # P at e^(it) = (7 + 24i)/25 by Horner, and e^(i degree t / 2), as (real, imaginary) part
        value, turned = (fmpq(0), fmpq(0)), (fmpq(1), fmpq(0))
        for coefficient in reversed(P):
            real, imaginary = times(value, (fmpq(7, 25), fmpq(24, 25)))
            value = (real + coefficient, imaginary)
        for _ in range(degree):
            turned = times(turned, (fmpq(4, 5), fmpq(3, 5)))
        proof.exactly("its values are Chebyshev's, turned", value, times(turned, (before, fmpq(0))))


def times(x: tuple[fmpq, fmpq], y: tuple[fmpq, fmpq]) -> tuple[fmpq, fmpq]:
    """The product of two complex numbers."""
    return x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]
