"""Factors and contractions, row by row: floats beside exact numbers, up to 13 rows, and with what is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import numpy as np
from flint import fmpq, fmpq_poly

from ....constructions import samples, unitary
from ....constructions.householder import chunks, contractions, factors, fewest, pairs, rotations, search
from ....constructions.householder.factors import GeneralizedHouseholder
from ....numerics import exact, peak_gain
from ....numerics.cyclotomic import gaussian
from ...claim import tie
from ...evidence import Proof
from . import POSITIVE, SIZES, hold, hold_refusals, integers, matrix, plain, products

#: sizes at which exact matrices are multiplied out, and floats beside them
ROWS = (1, 2, 3, 4, 7, 9, 12)


def multiplied(found: list[GeneralizedHouseholder], n: int) -> np.ndarray:
    """The product of factors, each written out: I - beta v v^T / v^T v."""
    out = np.eye(n)
    for f in found:
        v = np.asarray(f.v, dtype=float)
        out = out @ (np.eye(n) - float(f.beta) * np.outer(v, v) / (v @ v))
    return out


@tie("grazzi25.prop1.2.orthogonal")
def reflections_in_floats(proof: Proof) -> None:
    """As many reflections as in exact arithmetic, and the same product; integers and float32 too."""
    rng = Random(291)
    for n in proof.tied("n <= 12; float64, float32, integers", ROWS):
        for count in sorted({0, 1, n - 1, n}):
            Q = samples.orthogonal(rng, n, count)
            wanted, least = exact.as_float(Q), exact.rank(Q - exact.identity(n))
            found = factors.reflections(wanted)
            proof.exactly(
                "as many as the rank of Q - I, each a reflection", (len(found), {float(f.beta) for f in found} <= {2.0}), (least, True)
            )
            proof.closely("the product", float(np.abs(multiplied(found, n) - wanted).max()), 1e-13 * n)
            proof.closely("and by products of factors", float(np.abs(factors.product(found, n).astype(float) - wanted).max()), 1e-13 * n)
            proof.exactly("exact ones", factors.product(factors.reflections(Q), n).tolist(), Q.tolist())
        P = np.eye(n, dtype=np.int64)[rng.sample(range(n), n)] * rng.choice((-1, 1))
        proof.exactly("a signed permutation of integers", factors.product(factors.reflections(P), n).tolist(), P.tolist())
        proof.closely("float32", float(np.abs(multiplied(factors.reflections(P.astype(np.float32)), n) - P).max()), 1e-13 * n)
        off = P.astype(float)
        off[0] = off[0] * (1 + 1e-8)
        hold_refusals(
            proof, "no orthogonal matrix", [(factors.reflections, (M,)) for M in (off, P * 2, P * 1j, exact.rationals(P) * fmpq(1, 2))]
        )


@tie("grazzi25.prop1.1")
def one_factor(proof: Proof) -> None:
    """A factor entry by entry, as a matrix and applied, in each type of numbers; none along 0 where two vectors are equal."""
    rng = Random(292)
    for n in proof.tied("n <= 13; exact, float, complex", POSITIVE):
        v, M = integers(rng, n, 1)[:, 0], integers(rng, n, 3)
        v[n - 1] = v[n - 1] or -1
        square = sum(x * x for x in v)
        for scale, beta in ((fmpq(1), fmpq(-3, 2)), (0.5, -1.5), (1j, 0.5 + 1j)):
            factor = GeneralizedHouseholder(v * scale, beta)
            wanted = [
                [
                    int(i == j) - beta * v[i] * v[j] / fmpq(square)
                    if isinstance(scale, fmpq)
                    else int(i == j) - beta * v[i] * v[j] / square
                    for j in range(n)
                ]
                for i in range(n)
            ]
            applied = [[sum(wanted[i][k] * M[k, j] for k in range(n)) for j in range(3)] for i in range(n)]
            if isinstance(scale, fmpq):
                proof.exactly("matrix, apply", (factor.matrix().tolist(), factor.apply(M).tolist()), (wanted, applied))
            else:
                typed = GeneralizedHouseholder((v * scale).astype(type(scale)), beta)
                for found, what in ((typed.matrix(), wanted), (typed.apply(M.astype(type(scale))), applied)):
                    proof.closely("matrix, apply", float(np.abs(found - np.array(what, dtype=complex)).max()), 1e-12)
        for tolerance, kind in ((0.0, object), (0.0, complex), (1e-14, float)):
            x, y = v.astype(kind), v[::-1].astype(kind)
            mirror = factors.mirror_between(x, y, np.zeros((n, 0), dtype=kind), tolerance)
            if (x == y).all():
                proof.exactly("mirror_between: none for equal vectors", mirror, None)
            elif kind is float:
                proof.closely(
                    "mirror_between: x goes to y", float(np.abs(mirror.apply(x[:, None])[:, 0] - y).max()) if mirror else 9.0, 1e-13
                )
            else:
                proof.exactly("mirror_between: along x - y", plain(mirror.v) if mirror else None, plain(x - y))
    identity = lambda count: factors.product([], count)  # noqa: E731
    hold(proof, "no factor, n <= 13", identity, exact.identity, ((n,) for n in SIZES), "product")


@tie("grazzi25.prop1.2.orthogonal")
def permutations_as_factors(proof: Proof) -> None:
    """All permutations of up to four points and some of up to 13: matrices, swaps, cycles, products."""
    rng = Random(293)
    drawn = [tuple(rng.sample(range(n), n)) for n in SIZES if n > 4 for _ in range(3)]
    for g in proof.tied("up to 13 points", [*(p for n in (1, 2, 3, 4) for p in permutations(range(n))), *drawn]):
        n = len(g)
        one_hot = [[fmpq(int(g[j] == i)) for j in range(n)] for i in range(n)]
        orbits: list[tuple[int, ...]] = []
        for start in range(n):
            orbit = [start]
            while g[orbit[-1]] != start:
                orbit.append(g[orbit[-1]])
            if start == min(orbit):
                orbits.append(tuple(orbit))
        found = factors.swaps(g)
        proof.exactly(
            "permutation_matrix, boolean_transition",
            (factors.permutation_matrix(g).tolist(), factors.boolean_transition(g).tolist()),
            (one_hot, one_hot),
        )
        proof.exactly("cycles", factors.cycles(g), orbits)
        proof.exactly("swaps: the fewest", len(found), n - len(orbits))
        proof.exactly(
            "swaps: each of two basis vectors",
            {(sorted(map(int, f.v)), int(f.beta)) == ([-1, *[0] * (n - 2), 1], 2) for f in found} <= {True},
            True,
        )
        out = np.array(products([exact.identity(n).tolist(), *(f.matrix().tolist() for f in found)]), dtype=object)
        proof.exactly("swaps: their product", out.tolist(), one_hot)
        h = tuple(rng.sample(range(n), n))
        proof.exactly("compose", factors.compose(g, h), tuple(g[x] for x in h))
    hold(
        proof,
        "functions on up to 13 states",
        lambda n: factors.boolean_transition([n - 1] * n),
        lambda n: exact.rationals([[int(i == n - 1)] * n for i in range(n)]),
        ((n,) for n in POSITIVE),
        "boolean_transition",
    )

    def zeros(n: int) -> np.ndarray:
        return np.array(products([exact.identity(n).tolist(), *(f.matrix().tolist() for f in factors.zero_factors(n))]), dtype=object)

    hold(proof, "n <= 13", zeros, lambda n: exact.zeros(n, n), ((n,) for n in POSITIVE), "zero_factors")
    hold(proof, "n <= 13", lambda n: len(factors.zero_factors(n)), lambda n: n, ((n,) for n in POSITIVE), "zero_factors: how many")
    hold(proof, "n <= 13", factors.noise, lambda n: 2.0**-48 * float(n) ** 0.5, ((n,) for n in (0, 1, 4, 9, 16, 169)))
    calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (f, (g,)) for f in (factors.permutation_matrix, factors.swaps) for g in ((0, -1), (), (1, 1), (1, 2))
    ]
    calls += [
        (factors.boolean_transition, ((-1, 0),)),
        (factors.boolean_transition, ((0, 2),)),
        (factors.zero_factors, (0,)),
        (factors.zero_factors, (-3,)),
        (factors.noise, (-1,)),
    ]
    hold_refusals(proof, "no permutation, no size", calls)


@tie("grazzi25.prop1.2.contraction")
def contractions_in_both(proof: Proof) -> None:
    """Singular values chosen, ties, 0 and 1 among them, up to 12 rows: factors, the polar form and its bounds, exactly and in floats."""
    rng = Random(294)
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
        [*calls, (contractions.contraction_factors, (third,)), (fewest.contraction_factor_bounds, (np.eye(3) * -0.5,))],
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


@tie("grazzi25.appC1")
def angles(proof: Proof) -> None:
    """Rotations by angles of either sign, and of no other type; counters of no modulus are refused."""
    for theta in proof.tied("angles -13 to 13", [k / 4 for k in range(-52, 53)]):
        z = np.exp(1j * theta)
        wanted = np.array([[z.real, -z.imag], [z.imag, z.real]])
        proof.closely("rotation", float(np.abs(rotations.rotation(theta) - wanted).max()), 1e-15)
        proof.closely("two reflections", float(np.abs(multiplied(rotations.rotation_as_two_reflections(theta), 2) - wanted).max()), 1e-14)
    moduli = (rotations.rotation_counter, rotations.decoder_tolerance, rotations.exact_rotation)
    calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [(f, (m,)) for f in moduli for m in (0, -3)]
    calls += [
        (f, (x,))
        for f in (rotations.rotation, rotations.rotation_as_two_reflections)
        for x in (float("nan"), float("inf"), -1j, fmpq(1, 2))
    ]
    hold_refusals(proof, "moduli below 1, angles that are no floats", calls)
    for m in proof.tied("moduli up to 13", (1, 2, 3, 5, 8, 13)):
        counter = rotations.rotation_counter(m)
        word = [1, 0, 1, 1] * (m + 1)
        proof.exactly("the count", counter.run(word), [sum(word[: t + 1]) % m for t in range(len(word))])
        if m > 1:
            proof.certified(
                "half the distance of neighbours",
                bool((rotations.decoder_tolerance(m) * 2 - abs(np.exp(2j * np.pi / m) - 1)).abs_upper() < 1e-14),
            )


@tie("new.householder.chunk")
def chunk_entries(proof: Proof) -> None:
    """The chunk's matrix entry by entry, its inverse multiplied out: up to 13 keys, exact, float and complex."""
    rng = Random(296)
    for n in proof.tied("0 to 13 keys of up to 4 coordinates", SIZES):
        K, b = matrix(rng, n, 1 + n % 4, 3), integers(rng, n, 1)[:, 0] * fmpq(1, 2)
        for scale, kind in ((fmpq(1), object), (0.5, float), (0.5 + 1j, complex)):
            keys, strengths = (exact.as_float(K).astype(kind) * scale, exact.as_float(b).astype(kind)) if kind is not object else (K, b)
            wanted = [
                [
                    strengths[i]
                    * sum((keys[i, c] * keys[j, c] for c in range(keys.shape[1])), keys.dtype.type(0) if kind is not object else fmpq(0))
                    if j < i
                    else 0
                    for j in range(n)
                ]
                for i in range(n)
            ]
            A, T = chunks.chunk_matrix(keys, strengths), chunks.chunk_inverse(keys, strengths)
            whole = (A + np.eye(n, dtype=int)) @ T if n else T
            if kind is object:
                proof.exactly("chunk_matrix", plain(A), plain(np.array(wanted, dtype=object).reshape(n, n)))
                proof.exactly("chunk_inverse", [list(row) for row in whole], np.eye(n, dtype=int).tolist())
            elif n:
                proof.closely("chunk_matrix", float(np.abs(A - np.array(wanted)).max()), 1e-12 * (1 + float(np.abs(A).max())))
                proof.closely("chunk_inverse", float(np.abs(whole - np.eye(n)).max()), 1e-12 * (1 + float(np.abs(T).max()) ** 2))
        units = exact.rationals([[rng.choice((-1, 1)) * int(c == i % 3) for c in range(3)] for i in range(n)]) if n else exact.zeros(0, 3)
        for strength, whole_numbers in ((0, True), (1, True), (2, True), (3, n == 0), (-1, n == 0), (fmpq(1, 2), n == 0)):
            given = [(units, exact.rationals([strength] * n) if n else exact.zeros(0)), (units.astype(float), np.full(n, float(strength)))]
            proof.exactly("chunk_criterion", [chunks.chunk_criterion(*pair) for pair in given], [whole_numbers] * 2)
    bad = [(np.zeros(3), np.zeros(3)), (np.zeros((3, 2)), np.zeros(2)), (np.zeros((3, 2)) * 1j, np.zeros((3, 1)))]
    hold_refusals(proof, "other shapes", [(f, pair) for f in (chunks.chunk_matrix, chunks.chunk_inverse) for pair in bad])
    hold_refusals(
        proof, "complex keys", [(chunks.chunk_criterion, (np.array([[-1j]], dtype=object), np.array([0.5 + 0.5j], dtype=object)))]
    )


@tie("movahedi25.thmD2")
def gaussian_vectors(proof: Proof) -> None:
    """Inner products, adjoints and reflections over Q(i) entry by entry, up to 13 coordinates; a reflection and a phase for unitary matrices."""
    rng = Random(297)
    for n in proof.tied("1 to 13 coordinates", POSITIVE):
        pairs = [[(rng.randint(-3, 3), rng.randint(-3, 3)) for _ in range(n)] for _ in range(3)]
        a, b, y = (np.array([gaussian(*z) for z in row], dtype=object) for row in pairs)
        (p, q) = pairs[0], pairs[1]
        real = sum(r * t + s * u for (r, s), (t, u) in zip(p, q, strict=True))
        proof.exactly("inner", unitary.inner(a, b), gaussian(real, sum(r * u - s * t for (r, s), (t, u) in zip(p, q, strict=True))))
        M = np.outer(a, b)[:, : 1 + n // 2]
        proof.exactly("adjoint", unitary.adjoint(M).tolist(), [[M[i, j].conjugate() for i in range(n)] for j in range(M.shape[1])])
        proof.exactly(
            "gaussian_identity", unitary.gaussian_identity(n).tolist(), [[gaussian(int(i == j)) for j in range(n)] for i in range(n)]
        )
        b[0] = gaussian(1, -2)
        H, square = unitary.complex_reflection(b), sum((x * x.conjugate() for x in b), gaussian(0))
        proof.exactly(
            "complex_reflection",
            H.tolist(),
            [[gaussian(int(i == j)) - 2 * b[i] * b[j].conjugate() / square for j in range(n)] for i in range(n)],
        )
        y[0] = gaussian(2, 1)
        phases = [gaussian(*rng.choice(((1, 0), (0, 1), (-1, 0), (0, -1)))) for _ in range(n)]
        for U in (
            np.diag(np.array(phases, dtype=object)) + unitary.gaussian_identity(n) * 0,
            unitary.gaussian_identity(n) * gaussian(0, -1),
            unitary.gaussian_identity(n),
        ):
            one_axis = np.array([gaussian(int(i == n - 1)) for i in range(n)], dtype=object)
            for vector in (one_axis, y):
                found = unitary.reflection_and_phase(U, vector)
                if found is None:
                    w = unitary.inner(vector, U @ vector)
                    value = (w * w.conjugate()).polynomial.coeffs()[0]
                    proof.exactly(
                        "reflection_and_phase: an irrational modulus",
                        exact.rational(value.p * value.q) in [fmpq(k) ** 2 for k in range(2000)],
                        False,
                    )
                    continue
                R, z = found
                proof.exactly("reflection_and_phase", (list(U @ vector), z * z.conjugate()), (list((R @ vector) * z), gaussian(1)))
                proof.exactly(
                    "a reflection",
                    ((R @ R).tolist(), (R - unitary.adjoint(R)).tolist() == (R * 0).tolist()),
                    (unitary.gaussian_identity(n).tolist(), True),
                )
        if n > 1:
            for vector in (y, np.array([gaussian(0)] * (n - 1) + [gaussian(0, 1)], dtype=object)):
                v = unitary._orthogonal_to(vector)
                proof.exactly("_orthogonal_to", (unitary.inner(v, vector) == 0, any(x != 0 for x in v)), (True, True))
    calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [(unitary.adjoint, (np.array([[0.5j, "a"]], dtype=object),))]
    calls = [
        (unitary.complex_reflection, (np.array([gaussian(0)] * 2, dtype=object),)),
        (unitary.complex_reflection, (np.array([0.5, -1j], dtype=object),)),
    ]
    hold_refusals(proof, "no vector, floats", calls)


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


# -- pairs of turns, and what the search in floats rests on ---------------------------------------------------------------


def polynomial_at(first: tuple[fmpq, fmpq], second: tuple[fmpq, fmpq], weights: tuple[fmpq, fmpq], y: Any) -> Any:
    """q of two pairs and two weights at y, from its factors, over Q(i)."""
    (a, b), (c, d) = first, second
    p, r = (y - a) * (y - a) + b * b, (y - c) * (y - c) + d * d
    return y * p * r - (y * y - 1) * ((y - a) * r * weights[0] + (y - c) * p * weights[1])


@tie("new.householder.four")
def pieces_of_weights(proof: Proof) -> None:
    """Triangles by up to 13 halvings, the parts of q over Q(i), turns by complex numbers, and triangulations that cover all weights or give up."""
    rng = Random(299)
    zero, one = fmpq(0), fmpq(1)
    for length in proof.tied("paths of 0 to 13 halvings", SIZES):
        path = "".join(rng.choice("01") for _ in range(length))
        corners = exact.rationals([[0, 0], [1, 0], [0, 1]])
        for letter in path:
            # the middle of the far side comes first, then the corner that was first, then one end of that side
            halves = exact.rationals([[0, "1/2", "1/2"], [1, 0, 0], [0, 1, 0] if letter == "0" else [0, 0, 1]])
            corners = exact.multiply(halves, corners)
        proof.exactly("triangle", [list(c) for c in pairs.triangle(path)], corners.tolist())
    for _ in proof.tied("20 pairs of points of either sign", range(20)):
        first, second, y, w = [(fmpq(rng.randint(-6, 6), rng.randint(1, 4)), fmpq(rng.randint(-6, 6), rng.randint(1, 4))) for _ in range(4)]
        u, v, x = (gaussian(*z) for z in pairs.parts_at(first, second, y))
        whole = polynomial_at(first, second, w, gaussian(*y))
        proof.exactly("parts_at", u - v * w[0] - x * w[1], whole)
        q = pairs._polynomials(first, second)(float(w[0].p) / float(w[0].q), float(w[1].p) / float(w[1].q))
        at = complex(float(y[0].p) / float(y[0].q), float(y[1].p) / float(y[1].q))
        proof.closely(
            "_polynomials", abs(complex(np.polyval(q, at)) - complex(whole)) / (1 + float(np.abs(q).max()) * (1 + abs(at)) ** 5), 1e-14
        )
        nu = gaussian(abs(first[0]) + 1, first[1])
        mu = (1 - nu.conjugate()) / (nu + 1)
        (c, s), (t, e) = pairs.turn_at((abs(first[0]) + 1, first[1]))
        proof.exactly("turn_at", (gaussian(c, t), s, e), (mu, -t, c))
        both = pairs.pair_of_turns((one, second[1]), (abs(first[0]) + 1, first[1]))
        blocks = [pairs.turn_at((one, second[1])).tolist(), [[c, s], [t, e]]]
        proof.exactly(
            "pair_of_turns", both.tolist(), [*([*row, zero, zero] for row in blocks[0]), *([zero, zero, *row] for row in blocks[1])]
        )
        z = complex(rng.uniform(-9, 9), rng.uniform(-1e-3, 1e-3))
        near = pairs._short(z)
        bits = [
            abs(Fraction(int(a.p), int(a.q)) - Fraction(b)) <= abs(Fraction(b)) / 1024 for a, b in zip(near, (z.real, z.imag), strict=True)
        ]
        proof.exactly("_short: within ten bits", bits, [True, True])
    pair = ((fmpq(5, 38), fmpq(13, 12)), (fmpq(2), fmpq(-3)))
    found = pairs.triangulation(*pair, 9) or []
    proof_rows = [(p.path, [gaussian(*x) for x in (p.z, p.low, p.along)]) for p in found]
    for path, (z, low, along) in proof.tied("a triangulation of 22 pieces", proof_rows):
        proof.exactly(
            "below z, and nearer to the real line",
            ((z - low) + (z - low).conjugate() == 0, bool(abs(low.ball().imag) < abs(z.ball().imag))),
            (True, True),
        )
        for corner in pairs.triangle(path):
            q_z, q_low = (polynomial_at(*pair, corner, x) for x in (z, low))
            right = (along.conjugate() * q_low).ball().real
            proof.certified("|q(z)| |along| < Re(conj(along) q(low))", bool(abs(q_z.ball()) * abs(along.ball()) < right))
        others = [p for p, _ in proof_rows if p != path]
        proof.exactly("no piece within another", any(path.startswith(p) for p in others), False)
    for whole in proof.tied("all pieces, and others", [found]):
        proof.exactly("they cover all weights", sum((fmpq(1, 2 ** len(p)) for p, _ in proof_rows), zero), one)
        wrong = [
            whole[0]._replace(low=whole[0].z),
            whole[0]._replace(along=(-whole[0].along[0], -whole[0].along[1])),
            whole[0]._replace(low=whole[-1].low),
            whole[0]._replace(path=""),
        ]
        proof.exactly(
            "excludes: another point, direction or path", [pairs.excludes(*pair, p) for p in (whole[0], *wrong)], [True, *[False] * 4]
        )
    five = ((fmpq(181, 19), fmpq(180, 19)), (fmpq(13, 12), fmpq(5, 12)))
    hold(proof, "depths 0 to 3", pairs.triangulation, lambda *_: None, [(*five, k) for k in range(4)])


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
        x = np.array([rng.uniform(-1, 1) for _ in range(n)])
        for turned in (x, x * np.exp(0.75j), x * -1j):
            unit = search._real_part(turned)
            proof.closely("_real_part", min(float(np.abs(unit - s * x / np.sqrt(x @ x)).max()) for s in (1, -1)), 1e-14)
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


@tie("grazzi25.appC1")
def angles_that_are_none(proof: Proof) -> None:
    """Angles are real and finite."""
    given = (1j, -2 + 1j, float("nan"), float("inf"), fmpq(1, 2), fmpq(-3))
    hold_refusals(proof, "complex, exact and infinite angles", [(rotations._require_angle, (x,)) for x in given])
    hold(proof, "angles of either sign", rotations._require_angle, lambda x: x, [(x / 4,) for x in range(-13, 14)])
