"""Factors of contractions, the fewest of them, and what their search rests on, row by row."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from .....constructions import samples
from .....constructions.householder import contractions, factors, fewest, search
from .....numerics import exact
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, hold_refusals, integers, products
from .common import ROWS, multiplied


@tie("grazzi25.prop1.2.contraction")
def contractions_in_both(proof: Proof) -> None:
    """Singular values chosen, ties, 0 and 1 among them, up to 12 rows: factors, the polar form and its bounds, exactly and in floats."""
    rng = Random(294)
    hold_refusals(proof, "no roots", [(contractions._integer_root, (x,)) for x in (-1, -9, 1j, 4 - 1j)])
    for n in proof.tied("n <= 12, exact and float", ROWS):
        for spectrum in ([fmpq(i % 5, 4) for i in range(n)], [fmpq(1)] * n, [fmpq(1, 2)] * n, [fmpq(0)] * n):
            D = exact.block_diagonal([exact.rationals([[s]]) for s in spectrum])
            M = exact.multiply(samples.orthogonal(rng, n, 2), D, samples.orthogonal(rng, n, 1))
            wanted = exact.as_float(M)
            for given in (M, wanted):
                sigma, u, w = contractions.polar(given)
                size = np.array([float(s) for s in sigma])
                proof.exactly("polar: between 0 and 1", all(0 <= s <= 1 for s in sigma), True)
                proof.closely(
                    "polar: the singular values",
                    float(np.abs(np.sort(size) - np.sort(exact.as_float(np.array(spectrum)))).max()),
                    1e-14 * n,
                )
                P = sum((np.outer(u[:, i], u[:, i]) * (sigma[i] / (u[:, i] @ u[:, i])) for i in range(n)), np.zeros((n, n), dtype=w.dtype))
                proof.closely("polar: W P is the matrix", float(np.abs(exact.as_float(w @ P) - wanted).max()), 1e-14 * n)
                proof.closely("polar: W is orthogonal", float(np.abs(exact.as_float(w.T @ w) - np.eye(n)).max()), 1e-14 * n)
                found = contractions.contraction_factors(given)
                proof.exactly(
                    "at most 2n - 1 factors, eigenvalues in [-1, 1]",
                    (len(found) < 2 * n, all(0 <= f.beta <= 2 for f in found)),
                    (True, True),
                )
                proof.closely("the product", float(np.abs(multiplied(found, n) - wanted).max()), 1e-13 * n)
                proof.exactly("each float factor has a float strength", {type(f.beta) for f in found} <= {float} or given is M, True)
            proof.exactly("exact factors", factors.product(contractions.contraction_factors(M), n).tolist(), M.tolist())
    third = exact.rationals([["1/2", "1/3"], [0, "1/2"]])
    bad = [np.eye(2) * 1.1, np.eye(2) * 1j, exact.identity(3) * fmpq(-7, 6), np.zeros((2, 3)), np.array([[float("nan")]])]
    calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (f, (M,))
        for f in (contractions.contraction_factors, fewest.fewest_contraction_factors, fewest.contraction_factor_bounds)
        for M in bad
    ]
    hold_refusals(
        proof,
        "no contraction, or irrational singular values",
        [
            *calls,
            (contractions.contraction_factors, (third,)),
            (fewest.contraction_factor_bounds, (np.eye(3) * -0.5,)),
        ],
    )


@tie("new.householder.between")
def fewest_in_both(proof: Proof) -> None:
    """Symmetric contractions need rank(I - M) factors, and k scaled turns beside them at most k more: up to 12 rows, exactly and in floats."""
    rng = Random(295)
    turn = exact.rationals([["3/10", "-4/10"], ["4/10", "3/10"]])
    for n, turned in proof.tied(
        "n <= 12, up to three turns", [(1, 0), (2, 0), (2, 1), (3, 1), (5, 0), (7, 1), (9, 0), (12, 0), (12, 1), (7, 2)]
    ):
        k = n - 2 * turned
        spectrum = [fmpq(k - 2 * i, k) for i in range(k)]
        blocks = [exact.rationals([[s]]) for s in spectrum] + [turn] * turned
        Q = samples.orthogonal(rng, n, 2)
        M = exact.multiply(Q, exact.block_diagonal(blocks), Q.T)
        least = sum(s != 1 for s in spectrum) + 2 * turned
        low, high = fewest.contraction_factor_bounds(M)
        # all turns are alike, so that their pairs share an eigenvalue of geometric multiplicity ``turned``
        proof.exactly("contraction_factor_bounds", (low, high), (least + turned, least + turned))
        form = fewest.pencil_form(M)
        proof.exactly(
            "the pencil",
            form.pencil().tolist(),
            products([exact.inverse(form.L).tolist() if len(form.L) else [], form.Delta.tolist()]) if len(form.L) else [],
        )
        found = fewest.fewest_contraction_factors(M)
        proof.exactly("as few as that", (len(found), all(0 <= f.beta <= 2 for f in found)), (high, True))
        proof.exactly("the product", factors.product(found, n).tolist(), M.tolist())
        if not turned:
            proof.exactly("factors of the form", factors.product(form.factors(), n).tolist(), M.tolist())
        wanted = exact.as_float(M)
        floats = fewest.fewest_contraction_factors(wanted, trials=8)
        proof.exactly("in floats: no more", len(floats) <= high, True)
        proof.closely("in floats: the product", float(np.abs(multiplied(floats, n) - wanted).max()), 1e-8)
    for k, n in proof.tied("a singular value 10^-7 to 10^-13 below 1, 2 to 5 rows", product((7, 9, 10, 11, *[12] * 9, 13), (2, 3, 5))):
        Q = exact.as_float(samples.orthogonal(rng, n, 2))
        wanted = Q @ np.diag([1 - 10.0**-k, *(rng.uniform(-0.9, 0.9) for _ in range(n - 1))]) @ Q.T
        floats = fewest.fewest_contraction_factors(wanted, trials=8)
        proof.exactly("next to 1: no more factors than rows", len(floats) <= n, True)
        proof.closely("next to 1: the product", float(np.abs(multiplied(floats, n) - wanted).max()), 1e-8)


@tie("new.householder.between")
def spectra_of_extensions(proof: Proof) -> None:
    """Eigenvalues of extended forms by characteristic polynomials, arguments and real parts of complex vectors, eigenvectors; up to 13 rows and directions."""
    rng = Random(300)
    for k, count in proof.tied("1 to 12 rows, 1 to 13 directions", [(1, 13), (2, 3), (3, 10), (7, 2), (8, 2), (12, 1)]):
        A = exact.identity(k) * 2 + integers(rng, k, k, 1) * fmpq(1, 8)
        V = integers(rng, count, k, 2) * fmpq(1, 8)
        found = search._extended_spectra(exact.as_float(A), exact.as_float(V))
        for i in range(count):
            L = np.concatenate(
                [np.concatenate([A, V[i][:, None]], axis=1), np.concatenate([exact.zeros(1, k), exact.rationals([["1/2"]])], axis=1)]
            )
            Delta = exact.identity(k + 1)
            Delta[:k, k] = Delta[k, :k] = V[i]
            chi = exact.characteristic_polynomial(exact.multiply(exact.inverse(L), Delta)).coeffs()
            wanted = np.array([int(c.p) / int(c.q) for c in chi])[::-1]
            proof.closely("_extended_spectra", float(np.abs(np.poly(found[i]) - wanted).max() / np.abs(wanted).max()), 1e-11)
    for n in proof.tied("1 to 13 numbers; float, complex", POSITIVE):
        angles = [rng.choice((0.0, 0.25, -0.5, 1.25)) for _ in range(n)]
        t = np.array([(j + 1) * np.exp(1j * a) for j, a in enumerate(angles)])
        t[n - 1], angles[n - 1] = 0, 0.0
        proof.closely("_arguments", float(np.abs(search._arguments(t) - np.abs(np.sin(angles))).max()), 1e-15)
        proof.exactly(
            "_arguments of real numbers, _nonreal",
            (list(search._arguments(np.real(t))), search._nonreal(t)),
            ([0.0] * n, sum(a != 0 for a in angles)),
        )
        proof.exactly("_arguments of negative numbers", list(search._arguments(-np.arange(1.0, n + 1))), [0.0] * n)
        x = np.array([rng.uniform(-1, 1) for _ in range(n)])
        for turned in (x, x * np.exp(0.75j), x * -1j):
            unit = search._real_part(turned)
            proof.closely("_real_part", min(float(np.abs(unit - s * x / np.sqrt(x @ x)).max()) for s in (1, -1)), 1e-14)
        L, Delta = (np.array([[rng.uniform(-1, 1) for _ in range(n)] for _ in range(n)]) for _ in range(2))
        factor, rest = search._split(search._Form(L, Delta, np.eye(n)), x)
        grown, B = float(x @ x) + max(float(x @ Delta @ x), 0.0), rest.V
        proof.closely("_split: the factor", float(np.abs(factor.v - x).max()) + abs(factor.beta - 2 * float(x @ x) / grown), 1e-14)
        proof.exactly("_split: one direction less", (B.shape, rest.L.shape, rest.Delta.shape), ((n, n - 1), (n - 1, n - 1), (n - 1, n - 1)))
        if n > 1:
            wrong = [B.T @ (L @ x), B.T @ B - np.eye(n - 1), rest.L - B.T @ L @ B, rest.Delta - B.T @ Delta @ B]
            proof.closely("_split: the rest", max(float(np.abs(y).max()) for y in wrong), 1e-12)
        square = L @ L.T
        root = search._root(square)
        proof.closely("_root", float(np.abs(root @ root.T - square).max() / np.abs(square).max()), 1e-12)
        one = search._root(np.ones((n, n)))
        proof.closely("_root: of rank one", float(np.abs(one @ one.T - 1).max()), 1e-12)
        whole, coefficients = integers(rng, n, n, 2) * fmpq(1), [fmpq(k, 2) for k in (-3, 0, 1, 5)]
        powers = [exact.identity(n), whole, whole @ whole, whole @ whole @ whole]
        wanted = sum((A * c for A, c in zip(powers, coefficients, strict=True)), exact.zeros(n, n))
        proof.exactly("_at: a polynomial at a matrix", fewest._at(coefficients, whole).tolist(), wanted.tolist())
        a, b = (np.array([rng.uniform(-1, 1) for _ in range(n)]) for _ in range(2))
        # |a cos t + b sin t| is largest at half the angle of (|a|^2 - |b|^2, 2 a . b)
        t = np.arctan2(2 * float(a @ b), float(a @ a - b @ b)) / 2
        longest, unit = a * np.cos(t) + b * np.sin(t), search._real_part(a + 1j * b)
        longest = longest / np.sqrt(longest @ longest)
        proof.closely("_real_part: the longest", min(float(np.abs(unit - s * longest).max()) for s in (1, -1)), 1e-12)
        M = np.triu(integers(rng, n, n, 2), 1) * fmpq(1) + exact.block_diagonal([exact.rationals([[j - n]]) for j in range(n)])
        v = fewest._rational_eigenvector(M)
        proof.exactly(
            "_rational_eigenvector", v is not None and any(x != 0 for x in v) and any((M @ v == v * (j - n)).all() for j in range(n)), True
        )
        B = integers(rng, n, min(n, 4)) + 9 * np.eye(n, min(n, 4), dtype=int)
        for kind in (object, float, complex):
            given = B * fmpq(1) if kind is object else B.astype(kind) * (1 if kind is float else 1 + 0.5j)
            done = np.array(contractions._orthogonalise(given)).T
            gram = done.T @ done
            off = max((abs(complex(x)) for x in (gram - np.diag(np.diag(gram))).flat), default=0.0)
            proof.closely("_orthogonalise: u_i . u_j = 0", off if kind is not object else float(off != 0), 1e-10)
            step = done.T @ (given - done)
            proof.closely(
                "_orthogonalise: it takes off earlier ones",
                max((abs(complex(step[i, j])) for j in range(step.shape[1]) for i in range(j, len(step))), default=0.0),
                1e-10,
            )
