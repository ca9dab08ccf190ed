"""Stability and gains of systems that are known, row by row."""

from __future__ import annotations

from random import Random

import numpy as np
from flint import fmpq, fmpq_poly

from .....constructions import samples
from .....numerics import exact, peak_gain
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, hold_refusals, integers, matrix, products


@tie("grazzi25.prop1.1")
def gains_of_diagonals(proof: Proof) -> None:
    """Diagonal systems, whose gain is known, turned by orthogonal matrices: up to 9 rows; stability, gains, norms of Toeplitz matrices of up to 13 steps."""
    rng = Random(298)
    for n in proof.tied("1 to 9 rows", (1, 2, 3, 5, 7)):
        spectrum = [fmpq(rng.randint(-7, 7), 8) for _ in range(n)]
        Q = samples.orthogonal(rng, n, 1)
        A = exact.multiply(Q, exact.block_diagonal([exact.rationals([[x]]) for x in spectrum]), Q.T)
        largest = max(1 / (1 - abs(x)) for x in spectrum)
        for scale, stable in ((fmpq(1), True), (1 / max(map(abs, spectrum)) if any(spectrum) else fmpq(1), not any(spectrum))):
            proof.exactly("is_stable", peak_gain.is_stable(A * scale), stable)
        one = exact.identity(n)
        proof.exactly(
            "gain_is_below",
            [peak_gain.gain_is_below(A, one, (largest * f) ** 2) for f in (fmpq(99, 100), fmpq(1), fmpq(101, 100))],
            [False, False, True],
        )
        if n < 4:
            low, high = peak_gain.peak_gain(A, one, 3)
            proof.exactly("peak_gain", (low <= largest < high, high - low <= fmpq(1, 1000)), (True, True))
    for n, length in proof.tied("up to 13 steps, 12 rows", [(1, 1), (1, 13), (2, 9), (5, 3), (9, 2), (12, 1)]):
        A, K = matrix(rng, n, n, 1), matrix(rng, n, 1 + n % 3, 2)
        m = K.shape[1]
        powers = [K.tolist()]
        for _ in range(length):
            powers.append(products([A.tolist(), powers[-1]]))
        wanted = [
            [powers[r // n - c // m][r % n][c % m] if r // n >= c // m else fmpq(0) for c in range(m * length)] for r in range(n * length)
        ]
        T = peak_gain.toeplitz(A, K, length)
        proof.exactly("toeplitz", T.tolist(), wanted)
        low, high = peak_gain.norm_bracket(T, 4)
        norm = fmpq(round(float(np.linalg.norm(exact.as_float(T), 2)) * 10**6), 10**6)
        proof.exactly(
            "norm_bracket", (low <= norm + fmpq(1, 10**5), norm - fmpq(1, 10**5) < high, high - low <= fmpq(1, 10**4)), (True, True, True)
        )
        diagonal = exact.block_diagonal([exact.rationals([[fmpq(k, n)]]) for k in range(-n, 1)])
        proof.exactly(
            "norm_is_below", [peak_gain.norm_is_below(diagonal, x) for x in (fmpq(1), fmpq(99, 100), fmpq(101, 100))], [False, False, True]
        )
    hold_refusals(
        proof,
        "no stable matrix",
        [(peak_gain.gain_is_below, (exact.identity(k) * x, exact.identity(k), fmpq(9))) for k in (1, 3) for x in (1, -1, fmpq(-3, 2))],
    )


@tie("grazzi25.prop1.1")
def gains_of_many_rows(proof: Proof) -> None:
    """Diagonal systems of up to 12 rows and 13 columns: stability, determinants factor by factor, gains to up to 13 digits."""
    rng = Random(301)
    one = fmpq(1)
    for n in proof.tied("1 to 12 rows", (1, 2, 5, 9, 12)):
        spectrum = [fmpq(rng.randint(-7, 7), 8) for _ in range(n)]
        A = exact.block_diagonal([exact.rationals([[x]]) for x in spectrum])
        largest = max(1 / (1 - abs(x)) for x in spectrum)
        outside = exact.block_diagonal([A[:-1, :-1], exact.rationals([[rng.choice((-1, 1))]])])
        proof.exactly("is_stable", (peak_gain.is_stable(A), peak_gain.is_stable(outside)), (True, False))
        for squared in (one, fmpq(9, 4)):
            # each factor is squared |1 - z a|^2 - 1 on the circle, with x = z + 1/z
            factors = fmpq_poly([1])
            for a in spectrum:
                factors = factors * fmpq_poly([squared * (1 + a * a) - 1, -squared * a])
            found = peak_gain._determinant(A, exact.identity(n), squared)
            proof.exactly("_determinant", found == factors, True)
        around = [peak_gain.gain_is_below(A, exact.identity(n), (largest * f) ** 2) for f in (fmpq(999, 1000), one, fmpq(1001, 1000))]
        proof.exactly("gain_is_below", around, [False, False, True])
        if n < 12:
            low, high = peak_gain.peak_gain(A, exact.identity(n), 1)
            proof.exactly("peak_gain", (low <= largest < high, high - low <= fmpq(1, 10)), (True, True))
    for digits in proof.tied("one row, 1 to 13 columns and digits", POSITIVE):
        a, row = fmpq(rng.choice((-3, -1, 0, 2)), 4), integers(rng, 1, digits)
        row[0, 0] = 3
        # the squared gain of one row is |K|^2 / (1 - |a|)^2
        squared = sum((x * x for x in row[0]), fmpq(0)) / (1 - abs(a)) ** 2
        A, K = exact.rationals([[a]]), row * one
        low, high = peak_gain.peak_gain(A, K, digits)
        proof.exactly("peak_gain", (low >= 0, low * low <= squared < high * high, high - low <= fmpq(1, 10**digits)), (True,) * 3)
        proof.exactly(
            "gain_is_below", [peak_gain.gain_is_below(A, K, squared * f) for f in (one, one + fmpq(1, 10**digits))], [False, True]
        )
