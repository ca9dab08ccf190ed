"""Rotations, orthogonality, gains and factorisations in floats, against exact ones."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import isqrt
from random import Random
from typing import Any

import numpy as np
import sympy
from flint import fmpq, fmpq_poly

from ...constructions import samples, unitary
from ...constructions.householder import fewest
from ...constructions.householder import product as product_of
from ...constructions.householder.factors import noise
from ...constructions.householder.fewest import fewest_contraction_factors, pencil_form
from ...constructions.householder.pairs import pair_of_turns, turn_at
from ...constructions.householder.rotations import exact_rotation, rotation, rotation_as_two_reflections
from ...numerics import exact
from ...numerics.cyclotomic import gaussian
from ...numerics.identities import difference
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


@tie("grazzi25.appC1")
def differences(proof: Proof) -> None:
    """Identities by each way that SymPy takes, and the same with something added, however small: then the difference is not 0."""
    x, y, t = sympy.symbols("x y t", positive=True)
    identities = {
        "expanded": ((x + y) ** 3, x**3 + 3 * x**2 * y + 3 * x * y**2 + y**3),
        "fractions": (1 / (x * (x + 1)), 1 / x - 1 / (x + 1)),
        "circular": (sympy.sin(t) ** 2 + sympy.cos(t) ** 2, sympy.Integer(1)),
        "hyperbolic": (sympy.cosh(x) ** 2 - sympy.sinh(x) ** 2, sympy.Integer(1)),
        "quotients": (sympy.tan(t) * sympy.cos(t) / x, sympy.sin(t) / x),
        "double angles": (sympy.sin(2 * t) / (1 + x), 2 * sympy.sin(t) * sympy.cos(t) / (1 + x)),
        "roots": (sympy.sqrt(x**2 * y), x * sympy.sqrt(y)),
    }
    more = [
        sympy.Integer(-1),
        sympy.Integer(1),
        1 / x,
        sympy.Rational(1, 10**6),
        x / 1000,
        1 / (x + 7),
        sympy.sin(t) / (1 + y),
        sympy.exp(-x),
    ]
    for _, (left, right) in proof.tied("seven identities, and what is added to them", list(identities.items())):
        proof.exactly("an identity", difference(left, right) == 0, True)
        proof.exactly("no identity", [difference(left + more, right) == 0 for more in more], [False] * len(more))


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
        A = samples.integers(rng, n, n, bound=2) / fmpq(4 * n)
        K: np.ndarray = abs(samples.integers(rng, n, m)) + 1
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


@tie("grazzi25.prop1.2.contraction")
def wide_contractions(proof: Proof) -> None:
    """Singular values below 1 and nonreal eigenvalues of the pencil, so that there are more factors than rows."""
    rng = Random(37)
    for n, trials in proof.tied("strict contractions, n <= 12, with and without a search", product((4, 8, 12), (0, 8))):
        skew = exact.as_float(samples.integers(rng, n, n))
        M = skew - skew.T + exact.as_float(samples.integers(rng, n, n)) / 4
        M = 0.9 * M / np.linalg.norm(M, 2)
        found = fewest_contraction_factors(M, trials)
        proof.certified("as many factors as rows at least, and at most 3n/2", n <= len(found) <= 3 * n // 2)
        proof.closely("the product is the matrix", float(np.abs(product_of(found, n) - M).max()), 1e-8)
        proof.certified("every beta is in [0, 2]", all(-1e-9 <= f.beta <= 2 + 1e-9 for f in found))
    for n in proof.tied("samples.contraction, n <= 13", (1, 2, 3, 7, 11, 12, 13)):
        M = samples.contraction(rng, n)
        # the singular values are fractions with denominators up to 4
        squares = {fmpq(p, q) ** 2 for q in range(1, 5) for p in range(q + 1)}
        values = exact.rational_eigenvalues(exact.multiply(M.T, M))
        proof.exactly("singular values in [0, 1], with denominators up to 4", (set(values) <= squares, sum(values.values())), (True, n))


@tie("grazzi25.prop1.2.contraction")
def columns_of_factors(proof: Proof) -> None:
    """The extra factor of a pencil without real eigenvalues: one column, in the kernel of the factor of least degree."""
    turn = exact.rationals([[0, -1], [1, 1]])
    for blocks in proof.tied("2 to 8 rows, 1 to 4 pairs of nonreal eigenvalues", [[1], [1, 1], [1, 3], [2, 1, 5], [1, 2, 3, 4]]):
        pencil = exact.block_diagonal([turn * fmpq(c) for c in blocks])
        u = fewest._of_least_degree(pencil)
        proof.exactly("one column", u.shape, (len(pencil), 1))
        proof.exactly("which is not 0", any(x != 0 for x in u.flat), True)
        # c turn is a root of x^2 - c x + c^2
        held = [not any(x != 0 for x in (pencil @ (pencil @ u) - pencil @ u * c + u * c * c).flat) for c in map(fmpq, blocks)]
        proof.exactly("a pair of eigenvalues has it in its space", any(held), True)


@tie("new.householder.pencil")
@tie("new.householder.between")
def pencils(proof: Proof) -> None:
    """The form gives the matrix back: M = I - V L^-T V^T, V^T V = L + L^T - Delta; as many rows as I - M has ranks."""
    rng = Random(39)
    for n, fixed in proof.tied("n <= 9, some vectors fixed", [(m, k) for m in (1, 2, 3, 6, 7, 8, 9) for k in sorted({0, 1, m // 2, m})]):
        M = exact.identity(n)
        if fixed < n:
            inside = samples.integers(rng, n - fixed, n - fixed)
            M[: n - fixed, : n - fixed] = inside / (1 + sum(abs(x) for x in inside.flat))
        Q = samples.orthogonal(rng, n, 2)
        M = exact.multiply(Q, M, Q.T)
        form, one = pencil_form(M), exact.identity(n)
        proof.exactly(
            "as many rows as I - M has ranks",
            (form.L.shape, form.Delta.shape, form.V.shape),
            ((n - fixed,) * 2, (n - fixed,) * 2, (n, n - fixed)),
        )
        if fixed < n:
            middle = exact.multiply(form.V, exact.inverse(form.L).T, form.V.T)
            proof.exactly("M = I - V L^-T V^T", one - middle, M)
            proof.exactly("V^T V = L + L^T - Delta", exact.multiply(form.V.T, form.V), form.L + form.L.T - form.Delta)
            wanted = exact.rank(one - exact.multiply(M, M.T))
            proof.exactly("Delta has the rank of I - M M^T", exact.rank(form.Delta), wanted)


@tie("new.householder.pencil")
@tie("new.householder.between")
def smallest_kernels(proof: Proof) -> None:
    """Pencils without real eigenvalues: the column spans, with its image, a plane that the pencil keeps; with another column the form stays one of M."""
    points = [(fmpq(a), fmpq(b)) for a, b in ((1, 1), (3, 4), (fmpq(1, 7), -2), (12, 13), (fmpq(40, 3), fmpq(-5, 12)), (100, 1), (2, -9))]
    for turned in proof.tied("1 to 7 scaled turns, pencils of up to 14 rows", range(1, 8)):
        M = exact.block_diagonal([turn_at(p) for p in points[:turned]])
        form, one = pencil_form(M), exact.identity(2 * turned)
        pencil = form.pencil()
        u = fewest._of_least_degree(pencil)
        plane = np.hstack([u, pencil @ u, pencil @ pencil @ u])
        proof.exactly("a column, and a plane", (u.shape, exact.rank(u), exact.rank(plane)), ((2 * turned, 1), 1, 2))
        W = exact.multiply(form.Delta, u)
        larger = form.extended(W, exact.multiply(u.T, W) / 2)
        proof.exactly("extended: M = I - V L^-T V^T", one - exact.multiply(larger.V, exact.inverse(larger.L).T, larger.V.T), M)
        proof.exactly("extended: V^T V = L + L^T - Delta", exact.multiply(larger.V.T, larger.V), larger.L + larger.L.T - larger.Delta)
        proof.exactly("extended: one row more", larger.L.shape, (2 * turned + 1,) * 2)


@tie("grazzi25.prop1.1")
def drawn_factors(proof: Proof) -> None:
    """As many factors as asked for, none of them along 0, entries and strengths in their ranges."""
    rng = Random(38)
    for k, low in proof.tied("0 to 60 factors of 1 to 3 entries", product((0, 1, 9, 10, 60), (-1, 0))):
        for n in (1, 3):
            found = samples.householder_factors(rng, n, k, low, 1)
            proof.exactly("so many", len(found), k)
            proof.holds("vectors", all(any(x != 0 for x in f.v) and max(abs(x) for x in f.v) <= 3 for f in found))
            proof.holds("strengths", all(low <= 1 - f.beta <= 1 for f in found))


@tie("new.householder.four")
def turns(proof: Proof) -> None:
    """Scaled rotations from points: (1 - conj(nu)) / (1 + nu), multiplied out, and the pencil's eigenvalues."""
    points = [(fmpq(a), fmpq(b)) for a, b in ((1, 0), (3, 4), (fmpq(1, 7), -2), (12, 13), (fmpq(40, 3), fmpq(-5, 12)), (100, 1))]
    for nu in proof.tied("six points of positive real part, b of either sign", points):
        M, (a, b) = turn_at(nu), nu
        x, y = M[0, 0], M[1, 0]
        proof.exactly("[[x, -y], [y, x]]", (M[0, 1], M[1, 1]), (-y, x))
        # (x + iy) (1 + a + ib) = 1 - a + ib
        proof.exactly("times 1 + nu it is 1 - conj(nu)", (x * (1 + a) - y * b, x * b + y * (1 + a)), (1 - a, b))
        if b != 0:
            chi = exact.characteristic_polynomial(pencil_form(M).pencil())
            proof.exactly("the eigenvalues are those of the form", chi, _pair_of_pencil(M))
        above = fmpq(b * b + 1)
        double = pair_of_turns(nu, (above, a))
        zero = exact.zeros(2, 2)
        proof.exactly("pair_of_turns", double, np.block([[M, zero], [zero, turn_at((above, a))]]))


def _pair_of_pencil(M: np.ndarray) -> fmpq_poly:
    """x^2 - 2 p x + p^2 + q^2 for the eigenvalues p +- iq of (I - M)^-1 (I - M M^T), M = [[x, -y], [y, x]]: (1 - |z|^2) / (1 - z)."""
    x, y = M[0, 0], M[1, 0]
    kept, length = 1 - x * x - y * y, (1 - x) ** 2 + y * y
    p, q = kept * (1 - x) / length, kept * y / length
    return fmpq_poly([p * p + q * q, -2 * p, 1])


Gaussian = tuple[Fraction, Fraction]


def times(a: Gaussian, b: Gaussian) -> Gaussian:
    """(a + b i)(c + d i) as pairs."""
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def as_pair(x: Any) -> Gaussian:
    """Real and imaginary part of a Gaussian rational."""
    coefficients = [Fraction(int(c.p), int(c.q)) for c in x.polynomial.coeffs()]
    return (*coefficients, Fraction(0), Fraction(0))[:2]  # type: ignore[return-value]


def pairs(M: Any) -> list[list[Gaussian]]:
    return [[as_pair(x) for x in row] for row in M]


def product_of_pairs(A: list[list[Gaussian]], B: list[list[Gaussian]]) -> list[list[Gaussian]]:
    terms = lambda row, j: [times(a, B[k][j]) for k, a in enumerate(row)]  # noqa: E731
    return [[(sum(t[0] for t in terms(row, j)), sum(t[1] for t in terms(row, j))) for j in range(len(B[0]))] for row in A]  # type: ignore[misc]


@tie("movahedi25.thmD2")
def complex_reflections(proof: Proof) -> None:
    """Inner products, adjoints, reflections and phases over the Gaussian rationals, by pairs of fractions."""
    rng = Random(82)
    draw = lambda n: np.array([gaussian(rng.randint(-3, 3), rng.randint(-3, 3)) for _ in range(n)], dtype=object)  # noqa: E731
    one = lambda n: [[(Fraction(int(i == j)), Fraction(0)) for j in range(n)] for i in range(n)]  # noqa: E731
    for n in proof.tied("dimensions 1 to 9", range(1, 10)):
        a, b = draw(n), draw(n)
        a[0] = gaussian(-2, 1)
        column, row = [[as_pair(x)] for x in b], [[(x, -y) for x, y in map(as_pair, a)]]
        proof.exactly("a* b", as_pair(unitary.inner(a, b)), product_of_pairs(row, column)[0][0])
        M = np.array([draw(n + 1) for _ in range(n)], dtype=object)
        proof.exactly("adjoint", pairs(unitary.adjoint(M)), [[(x, -y) for x, y in column] for column in zip(*pairs(M), strict=True)])
        proof.exactly("identity", pairs(unitary.gaussian_identity(n)), one(n))
        H = pairs(unitary.complex_reflection(a))
        image = product_of_pairs(H, [[as_pair(x)] for x in a])
        proof.exactly("v goes to -v", image, [[(-x, -y)] for x, y in map(as_pair, a)])
        # I - H has rank 1: its columns are multiples of v
        length = sum(x * x + y * y for x, y in map(as_pair, a))
        outer = [[times(as_pair(x), (2 * y[0] / length, 2 * y[1] / length)) for y in row[0]] for x in a]
        proof.exactly(
            "I - 2 v v* / v* v",
            H,
            [[(e[0] - o[0], e[1] - o[1]) for e, o in zip(r, s, strict=True)] for r, s in zip(one(n), outer, strict=True)],
        )
    phases = [gaussian(1), gaussian(-1), gaussian(0, 1), gaussian(fmpq(3, 5), fmpq(4, 5)), gaussian(fmpq(-5, 13), fmpq(12, 13))]
    for n, kind in proof.tied(
        "dimensions 1 to 7: diagonals, reflections, products, vectors that are kept", product((1, 2, 3, 7), range(4))
    ):
        diagonal = unitary.gaussian_identity(n)
        for i in range(n):
            diagonal[i, i] = phases[(i + kind) % len(phases)] if kind < 3 else phases[3]
        v, y = draw(n), draw(n)
        v[0], y[-1] = gaussian(1, 1), gaussian(2, -1)
        U = diagonal if kind % 3 == 0 else unitary.complex_reflection(v) @ diagonal
        found = unitary.reflection_and_phase(U, y)
        moved = product_of_pairs(pairs(U), [[as_pair(x)] for x in y])
        w = product_of_pairs([[(a, -b) for a, b in map(as_pair, y)]], moved)[0][0]
        square = w[0] ** 2 + w[1] ** 2
        root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
        proof.exactly("none where the modulus is irrational", found is None, root**2 != square)
        if found is None:
            continue
        mirror, z = pairs(found[0]), as_pair(found[1])
        proof.exactly("|z| = 1", z[0] ** 2 + z[1] ** 2, 1)
        proof.exactly("U y = z H y", moved, [[times(z, x)] for (x,) in product_of_pairs(mirror, [[as_pair(x)] for x in y])])
        proof.exactly(
            "a reflection: its own inverse, self-adjoint, of trace n - 2",
            (product_of_pairs(mirror, mirror), sum(mirror[i][i][0] for i in range(n))),
            (one(n), n - 2),
        )
        proof.exactly("self-adjoint", mirror, [[(x, -y) for x, y in column] for column in zip(*mirror, strict=True)])
