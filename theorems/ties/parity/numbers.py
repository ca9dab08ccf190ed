"""The arithmetic that all claims stand on: linear algebra over the rationals, Sturm's theorem, roots of unity, at sizes up to 16 and with entries of either sign."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from random import Random

import numpy as np
from flint import acb, fmpq, fmpq_poly

from ....constructions import samples
from ....numerics import exact
from ....numerics.cyclotomic import cosine_and_sine, gaussian, parts, realify, root_of_unity
from ...claim import tie
from ...evidence import Proof

SIZES = (1, 2, 3, 5, 8, 9, 12, 13, 16)


def product_by_hand(A: np.ndarray, B: np.ndarray) -> list[list[Fraction]]:
    fractions = lambda M: [[Fraction(int(x.p), int(x.q)) for x in row] for row in M]  # noqa: E731
    left, right = fractions(A), fractions(B)
    return [[sum((a * right[k][j] for k, a in enumerate(row)), Fraction(0)) for j in range(len(right[0]))] for row in left]


@tie("grazzi25.thm2")
def rational_linear_algebra(proof: Proof) -> None:
    """Products, ranks, kernels, inverses, determinants, characteristic polynomials."""
    rng = Random(71)
    for n in proof.tied("sizes 1 to 16, entries of either sign", SIZES):
        L = exact.identity(n) + np.tril(samples.integers(rng, n, n, bound=1), -1)
        U = exact.identity(n) * fmpq(-3, 2) + np.triu(samples.integers(rng, n, n, bound=1), 1)
        A = exact.multiply(L, U)
        proof.exactly("multiply", [[Fraction(int(x.p), int(x.q)) for x in row] for row in A], product_by_hand(L, U))
        proof.exactly("determinant", exact.determinant(A), fmpq(-3, 2) ** n)
        proof.exactly("inverse", (A @ exact.inverse(A)).tolist(), exact.identity(n).tolist())
        chi = exact.characteristic_polynomial(U)
        proof.exactly("characteristic_polynomial of a triangle", chi, fmpq_poly([fmpq(3, 2), 1]) ** n)
        proof.exactly("rational_eigenvalues", exact.rational_eigenvalues(U), {fmpq(-3, 2): n})
        for r in sorted({0, 1, n // 2, n}):
            low = L[:, :r] @ U[:r] if r else exact.zeros(n, n)
            kernel = exact.nullspace(low)
            proof.exactly("rank", exact.rank(low), r)
            proof.exactly(
                "nullspace: its size and that it is one",
                (kernel.shape, bool((low @ kernel == 0).all()), exact.rank(kernel) if r < n else 0),
                ((n, n - r), True, n - r),
            )
        gram = exact.multiply(A.T, A)
        less = gram * 1
        less[n - 1, n - 1] = less[n - 1, n - 1] - 1 / exact.inverse(gram)[n - 1, n - 1]
        below = less * 1
        below[n - 1, n - 1] = below[n - 1, n - 1] - fmpq(1, 1000)
        proof.exactly(
            "semidefinite: floats",
            [exact.is_positive_semidefinite(M) for M in (np.diag([1.0] * n), np.diag([0.0] * (n - 1) + [-0.5]), np.ones((n, n)))],
            [True, False, True],
        )
        signs = [(exact.is_positive_semidefinite(M), exact.is_positive_definite(M)) for M in (gram, less, below, -gram)]
        proof.exactly("definite, semidefinite, neither", signs, [(True, True), (True, False), (False, False), (False, False)])
        Q = samples.orthogonal(rng, n, 2)
        longer = Q * 1
        longer[:, 0] = longer[:, 0] * fmpq(1001, 1000)
        proof.exactly("is_contraction", [exact.is_contraction(M) for M in (Q, Q / 2, longer)], [True, True, False])
        proof.exactly("unit vectors and identities", [list(exact.unit_vector(n, i)) for i in range(n)], exact.identity(n).tolist())
        blocks = exact.block_diagonal([L, U[:1], exact.identity(2)])
        wanted = np.zeros((n + 3, 2 * n + 2), dtype=object)
        wanted[:n, :n], wanted[n : n + 1, n : 2 * n], wanted[n + 1 :, 2 * n :] = L, U[:1], np.eye(2, dtype=int)
        proof.exactly("block_diagonal", blocks.tolist(), wanted.tolist())
        proof.exactly(
            "as_float and as_text",
            (exact.as_float(A).tolist(), exact.as_text(A)),
            ([[int(x.p) / int(x.q) for x in row] for row in A], [[str(x) for x in row] for row in A]),
        )
        proof.exactly("to FLINT and back", exact.from_flint(exact.to_flint(A)).tolist(), A.tolist())
        proof.exactly("freeze", exact.freeze(A), tuple(x for row in A for x in row))
        numbers = [rng.choice((k, Fraction(k, 7), fmpq(k, 7), f"{k}/7")) for k in range(-n, n)]
        proof.exactly(
            "rationals",
            [str(x) for x in exact.rationals(numbers)],
            [str(fmpq(k, 1 if isinstance(x, int) else 7)) for k, x in zip(range(-n, n), numbers, strict=True)],
        )
    for array, yes in proof.tied(
        "types",
        [
            (np.eye(2), False),
            (np.eye(2, dtype=int), True),
            (np.eye(2) * 1j, False),
            (exact.identity(2), True),
            (np.array([fmpq(1), 0.5], dtype=object), False),
            (np.array([fmpq(1), 1j], dtype=object), False),
            (np.array([], dtype=object), True),
            (np.array([], dtype=int), True),
            (np.array([]), False),
            (np.array([], dtype=complex), False),
            (np.array([True, False]), False),
            (np.array(["1/2"]), False),
            (np.array([np.float32(1), fmpq(1)], dtype=object), False),
            (np.array([1, 2], dtype=np.uint8), True),
        ],
    ):
        proof.exactly("is_exact", exact.is_exact(array), yes)


@tie("grazzi25.thm2")
def floats_of_all_kinds(proof: Proof) -> None:
    """as_float gives each number's nearest float, whatever type it has, and keeps the shape."""
    for n in proof.tied("up to 16 numbers: int, rational, Fraction, float", (0, *SIZES)):
        halves = [fmpq(k, 2) for k in range(-n, n, 2)]
        wanted = np.array([float(x) for x in halves]).reshape(1, -1)
        kinds = {
            "rationals": halves,
            "fractions": [Fraction(int(x.p), int(x.q)) for x in halves],
            "floats": list(wanted[0]),
            "mixed": [x if i % 2 else float(x) for i, x in enumerate(halves)],
        }
        for name, numbers in kinds.items():
            array = np.empty((1, len(numbers)), dtype=object)
            array[0, :] = numbers
            found = exact.as_float(array)
            proof.exactly(f"as_float: {name}", (found.dtype, found.shape, found.tolist()), (np.dtype(float), wanted.shape, wanted.tolist()))
        for kind in (np.float64, np.float32, np.int64):
            proof.exactly(
                "as_float: arrays of floats and integers", exact.as_float(np.arange(-n, n, dtype=kind)).tolist(), list(range(-n, n))
            )
    for x in proof.tied("thirds, large and small", [fmpq(-1, 3), fmpq(10**40, 7), fmpq(1, 3**200), fmpq(2**53 + 1)]):
        proof.exactly("as_float: the nearest", float(exact.as_float(np.array([x], dtype=object))[0]), int(x.p) / int(x.q))


@tie("grazzi25.thm1.layer")
def gaussian_rationals(proof: Proof) -> None:
    """Sums, products, quotients and powers by hand; matrices as real ones of twice the size."""
    for a, b in proof.tied("parts from -13 to 20", product((-13, -2, 0, 1, 12, 20), repeat=2)):
        z = gaussian(a, b)
        proof.certified("gaussian: the ball holds the number", z.ball().contains(acb(a, b)))
        proof.closely("gaussian: and its middle is near", abs(complex(z) - complex(a, b)), 1e-14 * max(1, abs(a) + abs(b)))
        proof.exactly("gaussian: one part", gaussian(a) == a, True)
        for c, d in ((fmpq(3, 2), fmpq(-5)), (fmpq(-12), fmpq(1, 7))):
            w = gaussian(Fraction(int(c.p), int(c.q)), str(d))
            proof.exactly("a sum, and a difference", (z + w, z - w), (gaussian(a + c, b + d), gaussian(a - c, b - d)))
            proof.exactly("a product", z * w, gaussian(a * c - b * d, a * d + b * c))
            size = c * c + d * d
            proof.exactly("a quotient", z / w, gaussian((a * c + b * d) / size, (b * c - a * d) / size))
        proof.exactly("the conjugate", z.conjugate(), gaussian(a, -b))
        by_hand = gaussian(1)
        for k in range(13):
            proof.exactly("powers up to the twelfth", z**k, by_hand)
            by_hand = by_hand * z
    rng = Random(77)
    for n, m in proof.tied("matrices of up to 7 rows", product((1, 2, 3, 7), repeat=2)):
        X, Y = samples.integers(rng, n, m), samples.integers(rng, n, m)
        Z = X + Y * gaussian(0, 1)
        real, imaginary = parts(Z)
        proof.exactly("parts", (real.tolist(), imaginary.tolist()), (X.tolist(), Y.tolist()))
        whole = np.empty((2 * n, 2 * m), dtype=object)
        whole[:n, :m], whole[:n, m:], whole[n:, :m], whole[n:, m:] = X, -Y, Y, X
        proof.exactly("realify", realify(Z).tolist(), whole.tolist())


@tie("grazzi25.thm2")
def real_roots(proof: Proof) -> None:
    """Sturm's theorem on products of known factors."""
    rng = Random(73)
    quadratic = fmpq_poly([1, 1, 1])
    for degree in proof.tied("degrees 1 to 16", SIZES):
        roots = sorted(fmpq(rng.randint(-9, 9), 2) for _ in range(degree))
        polynomial = fmpq_poly([1])
        for x in roots:
            polynomial = polynomial * fmpq_poly([-x, 1])
        proof.exactly(
            "count_real_roots", [exact.count_real_roots(p) for p in (polynomial, polynomial * quadratic**3, polynomial * -2)], [degree] * 3
        )
        for low, high in combinations([fmpq(k, 4) for k in (-21, -7, -1, 1, 3, 19)], 2):
            proof.exactly("has_root_in", exact.has_root_in(polynomial * quadratic, low, high), any(low <= x <= high for x in roots))


@tie("grazzi25.thm2")
def roots_of_unity(proof: Proof) -> None:
    """Sums and products in cyclotomic fields, against complex numbers."""
    for m in proof.tied("orders 1 to 24", range(1, 25)):
        zeta = complex(root_of_unity(m, 1)) if m > 2 else (-1.0) ** (m - 1)
        proof.closely("root_of_unity", abs(zeta - complex(np.exp(2j * np.pi / m))), 1e-14)
        powers = [root_of_unity(m, k) for k in range(m)]
        total = sum(powers[1:], powers[0])
        proof.exactly("they sum to 0, for m = 1 to 1", total == (1 if m == 1 else 0), True)
        for k, p in enumerate(powers):
            proof.certified("balls hold the root", p.ball().overlaps((acb(0, 2 * k) * acb.pi() / m).exp()))
            proof.closely("and are narrow", float(abs(p.ball()).rad()), 1e-12)
        for k in (-1, 0, 1, m // 2, 2 * m + 1):
            c, s = cosine_and_sine(m, k)
            proof.exactly("cos^2 + sin^2", c * c + s * s == 1, True)
            proof.closely(
                "cosine_and_sine", max(abs(float(c) - np.cos(2 * np.pi * k / m)), abs(float(s) - np.sin(2 * np.pi * k / m))), 1e-14
            )
