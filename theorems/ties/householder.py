"""Rotations, orthogonality, gains and factorisations in floats, against exact ones."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
from flint import fmpq

from ...constructions import samples
from ...constructions.householder import product as product_of
from ...constructions.householder.factors import noise
from ...constructions.householder.fewest import fewest_contraction_factors
from ...constructions.householder.rotations import exact_rotation, rotation, rotation_as_two_reflections
from ...numerics import exact
from ...numerics.jordan import JordanForm
from ...numerics.peak_gain import gain_is_below, norm_bracket, norm_is_below, peak_gain, toeplitz
from ..claim import tie
from ..evidence import Proof


@tie("grazzi25.appC1")
def rotations(proof: Proof) -> None:
    """By floats and by roots of unity, all the way round and beyond."""
    for m, k in proof.tied(
        "angles 2 pi k / m, m <= 12, -m <= k <= 2m", [(i, j) for i in (1, 2, 3, 4, 7, 12) for j in range(-i, 2 * i + 1)]
    ):
        theta, wanted = 2 * np.pi * k / m, exact.as_float(exact_rotation(m, k))
        proof.closely("rotation", float(np.abs(rotation(theta) - wanted).max()), 1e-14)
        reflections = rotation_as_two_reflections(theta)
        proof.exactly("two reflections", [f.beta for f in reflections], [2.0, 2.0])
        proof.closely("whose product is the rotation", float(np.abs(product_of(reflections, 2) - wanted).max()), 1e-14)


@tie("grazzi25.prop1.2.orthogonal")
def orthogonality(proof: Proof) -> None:
    rng = Random(31)
    for n in proof.tied("n <= 9", range(1, 10)):
        Q = samples.orthogonal(rng, n)
        off = Q * 1
        off[n - 1, n - 1] = off[n - 1, n - 1] + fmpq(1, 1000)
        proof.exactly("is_orthogonal", [exact.is_orthogonal(M) for M in (Q, off, Q * 2, Q[:, : max(1, n - 1)])], [True, False, False, True])


@tie("grazzi25.prop1.2.contraction")
def factors_in_floats(proof: Proof) -> None:
    """The search by QZ gives back the matrix that it was given."""
    rng = Random(33)
    for n, trials in proof.tied("contractions, n <= 7, with and without a search", product((1, 2, 3, 5, 7), (0, 20))):
        M = exact.as_float(samples.contraction(rng, n))
        found = fewest_contraction_factors(M, trials)
        rest = product_of(found, n) if found else np.eye(n)
        proof.closely("the product is the matrix", float(np.abs(rest - M).max()), 1e-7)
        proof.certified("every beta is in [0, 2]", all(-1e-9 <= f.beta <= 2 + 1e-9 for f in found))
    for n in proof.tied("n <= 100", (1, 4, 100)):
        proof.closely("noise is 16 sqrt(n) eps", abs(noise(n) / (16 * n**0.5 * 2.0**-52) - 1), 1e-12)


@tie("grazzi25.prop1.1")
def gains(proof: Proof) -> None:
    """Norms and gains in brackets, both ends of which are decided."""
    rng = Random(35)
    for n, m in proof.tied("n, m <= 4", product((1, 2, 4), (1, 2, 4))):
        A, K = samples.integers(rng, n, n, bound=2) / fmpq(4 * n), abs(samples.integers(rng, n, m)) + 1
        low, high = norm_bracket(K, 5)
        proof.exactly("norm_bracket", (norm_is_below(K, high**2), norm_is_below(K, low**2), high - low), (True, False, fmpq(1, 10**5)))
        for small in (K * 0, K / fmpq(10**7 * n * m), -K / fmpq(10**6)):
            low, high = norm_bracket(small, 5)
            found = norm_is_below(small, high**2), norm_is_below(small, low**2), low >= 0, high - low <= fmpq(1, 10**5)
            proof.exactly("norm_bracket of small matrices, cut at 0", found, (True, False, True, True))
        low, high = peak_gain(A, K, 3)
        proof.exactly(
            "peak_gain", (gain_is_below(A, K, high**2), gain_is_below(A, K, low**2), high - low <= fmpq(1, 1000)), (True, False, True)
        )
        T = toeplitz(A, K, 6)
        proof.holds("finite words gain less", norm_is_below(T, high**2))


@tie("grazzi25.thm2")
def jordan_matrices(proof: Proof) -> None:
    for blocks in proof.tied(
        "blocks of up to 5 rows", [[(fmpq(2), 1)], [(fmpq(1, 2), 3), (fmpq(-1), 2)], [(fmpq(0), 5), (fmpq(3), 1), (fmpq(3), 2)]]
    ):
        n = sum(size for _, size in blocks)
        wanted, at = exact.zeros(n, n), 0
        for value, size in blocks:
            for i in range(size):
                wanted[at + i, at + i] = value
                if i + 1 < size:
                    wanted[at + i, at + i + 1] = fmpq(1)
            at += size
        one = exact.identity(n)
        proof.exactly("JordanForm.matrix", JordanForm(one, one, tuple(blocks)).matrix(), wanted)
