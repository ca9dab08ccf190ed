"""Arithmetic of exact numbers, row by row: each operation against the definition, at sizes up to 13, with int, Fraction, fmpz and fmpq, and with what is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import comb
from random import Random
from typing import Any

import numpy as np
import sympy
from flint import fmpq, fmpq_poly, fmpz

from ....constructions import architectures, rounded_delta, samples
from ....constructions.recurrence import Recurrence, Stack, TwoSteps, reachable_with
from ....numerics import cyclotomic, exact, identities
from ....numerics.cyclotomic import Cyclotomic
from ....numerics.eventual import eventual_states
from ....numerics.exponential_sums import ExponentialSum, monotone_from
from ....numerics.finite_precision import FiniteSet, cast_model_states, rounded_to_bits, stepwise_states
from ....numerics.jordan import JordanForm, jordan_block, jordan_form
from ...claim import tie
from ...evidence import Proof
from . import POSITIVE, SIZES, hold, hold_refusals, in_types, integers, matrix, minors, plain, products, rational

FLOATS = (0.5, -2.0, 1j, np.float32(0.5), np.complex128(2))


def poly_from_roots(roots: Sequence[Any]) -> fmpq_poly:
    out = fmpq_poly([1])
    for x in roots:
        out = out * fmpq_poly([-x, 1])
    return out


# -- numbers and arrays ---------------------------------------------------------------------------------------------------


@tie("grazzi25.thm2")
def exact_entries(proof: Proof) -> None:
    """One number from each type, arrays entry by entry, and no number from a float."""
    written = [(f" {p}/{q} ", fmpq(p, q)) for p in (-13, -1, 0, 1, 12) for q in (1, 3, 12)] + [("-7", fmpq(-7)), ("0.25", fmpq(1, 4))]
    typed = [(kind(p), fmpq(p)) for p in (-13, -1, 0, 1, 12) for kind in (int, np.int64, np.int8, fmpz, fmpq, Fraction)]
    truths = [(x, fmpq(int(x))) for x in (True, False, np.True_, np.False_)]
    known = {i: wanted for i, (_, wanted) in enumerate([*written, *typed, *truths])}
    given = [x for x, _ in [*written, *typed, *truths]]
    hold(proof, "each type, -13 to 12", lambda i: exact.rational(given[i]), lambda i: known[i], ((i,) for i in known), "rational")
    hold_refusals(proof, "floats, and text that is no number", [(exact.rational, (x,)) for x in (*FLOATS, "x", "1/0", "", None)])
    rng = Random(281)
    for n, m in proof.tied("shapes up to 13, each type", product((0, 1, 3, 8, 13), repeat=2)):
        A = integers(rng, n, m)
        for typed_array in in_types(A):
            proof.exactly(
                "rationals",
                plain(exact.rationals(typed_array)),
                plain(np.array([fmpq(int(x)) for x in A.flat], dtype=object).reshape(n, m)),
            )
        for entries in (A, A.astype(float) / 2, A * (1 - 2j)):
            proof.exactly("map_entries", list(exact.map_entries(lambda x: 3 * x, entries).flat), [3 * x for x in entries.flat])
            proof.exactly("map_entries: shape", exact.map_entries(lambda x: 0, entries).shape, (n, m))
            proof.exactly("freeze", exact.freeze(entries), tuple(x for row in entries for x in row))
        halves = A * fmpq(1, 2)
        proof.exactly("as_float", exact.as_float(halves).tolist(), [[int(x) / 2 for x in row] for row in A])
        proof.exactly("as_text", exact.as_text(halves), [[str(fmpq(int(x), 2)) for x in row] for row in A])
        proof.exactly("zeros", plain(exact.zeros(n, m)), plain(np.array([fmpq(0)] * (n * m), dtype=object).reshape(n, m)))
        proof.exactly("to FLINT and back", plain(exact.from_flint(exact.to_flint(halves))), plain(halves))
    for value, text in proof.tied(
        "values of all kinds",
        [
            (np.array(fmpq(1, 2)), "1/2"),
            (fmpz(-3), "-3"),
            (Fraction(-1, 12), "-1/12"),
            (np.float64(-0.5), -0.5),
            (np.int64(13), 13),
            (-2.5, -2.5),
            (1j, 1j),
            ("a", "a"),
            (None, None),
        ],
    ):
        proof.exactly("as_text", exact.as_text({1: [value, (value,)]}), {"1": [text, [text]]})
    hold(
        proof,
        "n <= 13",
        exact.identity,
        lambda n: np.array([fmpq(int(i == j)) for i in range(n) for j in range(n)], dtype=object).reshape(n, n),
        ((n,) for n in SIZES),
    )
    pairs = [(n, i) for n in POSITIVE for i in range(n)]
    hold(proof, "n <= 13", exact.unit_vector, lambda n, i: np.array([fmpq(int(j == i)) for j in range(n)], dtype=object), pairs)
    hold_refusals(
        proof, "sizes below 0", [(exact.identity, (-1,)), (exact.zeros, (-2,)), (exact.unit_vector, (-1, 0)), (jordan_block, (fmpq(1), -1))]
    )
    half, whole = (np.array([[x]], dtype=object) for x in (0.5, -2.0))
    linear = (
        exact.rationals,
        exact.to_flint,
        exact.multiply,
        exact.rank,
        exact.determinant,
        exact.inverse,
        exact.nullspace,
        exact.characteristic_polynomial,
    )
    more = (exact.rational_eigenvalues, exact.is_orthogonal, jordan_form)
    hold_refusals(proof, "matrices of floats", [(f, (M,)) for f in (*linear, *more) for M in (half, whole, half * 1j)])
    positive = [(f, (M,)) for f in (exact.is_positive_definite, exact.is_contraction) for M in (half, half * 1j)]
    hold_refusals(proof, "matrices of floats", [*positive, (exact.is_positive_semidefinite, (half * 1j,))])


@tie("grazzi25.thm2")
def exact_matrices(proof: Proof) -> None:
    """Products, determinants and inverses by definition; which matrices are accepted."""
    rng = Random(282)
    for n in proof.tied("n <= 9; int, Fraction, fmpz, fmpq", (1, 2, 3, 5, 9)):
        A, B = integers(rng, n, n, 3), integers(rng, n, 2, 3)
        for left, right in zip(in_types(A), in_types(B), strict=True):
            proof.exactly("multiply", exact.multiply(left, right, right.T).tolist(), products([A, B, B.T]))
            proof.exactly("determinant", exact.determinant(left), minors(A))
            if minors(A) != 0:
                proof.exactly("inverse", products([A, exact.inverse(left)]), exact.identity(n).tolist())
            chi = exact.characteristic_polynomial(left)
            proof.exactly(
                "characteristic_polynomial", [chi(fmpq(k)) for k in (-1, 2)], [minors(exact.identity(n) * k - A) for k in (-1, 2)]
            )
    hold_refusals(proof, "singular, n <= 13", [(exact.inverse, (np.ones((n, n), dtype=int).astype(object),)) for n in POSITIVE if n > 1])
    nan, inf = float("nan"), float("inf")
    bad = [np.zeros((2, 3)), np.zeros((0, 0)), np.zeros(4), np.array([["a"]]), np.ma.masked_array([[1.0]], [[True]])]
    bad += [np.array([[x]], dtype=kind) for x in (nan, inf, -inf) for kind in (float, complex, object)]
    hold_refusals(proof, "no square, finite matrix of numbers", [(exact.require_square, (M,)) for M in bad])
    for n in proof.tied("n <= 13, each type", POSITIVE):
        for M in (integers(rng, n, n), np.eye(n) * -1.5, np.eye(n) * 2j, np.eye(n, dtype=int), (np.eye(n) * 1j).astype(object)):
            proof.exactly(
                "require_square gives the matrix",
                (exact.require_square(M) is M, plain(exact.require_square(M.tolist()))),
                (True, plain(np.array(M.tolist()))),
            )
    for n in proof.tied("permutation matrices, n <= 13", POSITIVE):
        Q = exact.identity(n)[rng.sample(range(n), n)] * -1
        longer = Q * 1
        longer[0] = longer[0] * fmpq(101, 100)
        columns = exact.rationals(np.concatenate([Q, Q * 0], axis=0))
        answers = [(exact.is_orthogonal(M), exact.is_contraction(M)) for M in (Q, longer, Q / 2, columns)]
        proof.exactly("is_orthogonal, is_contraction", answers, [(True, True), (False, False), (False, True), (True, True)])
        spread = exact.rationals(np.ones((n, n), dtype=int)) / n
        proof.exactly("a contraction whose rows are short", [exact.is_contraction(spread * s) for s in (-1, fmpq(101, 100))], [True, False])


@tie("grazzi25.thm2")
def roots_in_intervals(proof: Proof) -> None:
    """Polynomials with known roots: 0, constants, ends of the interval, none inside; counted with multiplicity."""
    rng = Random(283)
    quadratic = fmpq_poly([2, 1, 1])
    for degree in proof.tied("degrees 0 to 13, roots of either sign and multiple ones", SIZES):
        roots = [fmpq(rng.randint(-6, 6), 2) for _ in range(degree)]
        polynomial = poly_from_roots(roots)
        for p in (polynomial, polynomial * -3, polynomial * quadratic):
            proof.exactly("count_real_roots", exact.count_real_roots(p), degree)
            for low, high in pairwise([fmpq(k, 2) for k in (-13, -7, -4, -4, -1, 0, 3, 5, 13)]):
                proof.exactly("has_root_in", exact.has_root_in(p, low, high), any(low <= x <= high for x in roots))
    constants = [(fmpq_poly([0]), True), (fmpq_poly([-3]), False), (fmpq_poly([7]), False)]
    hold(
        proof,
        "constants",
        lambda i: exact.has_root_in(constants[i][0], fmpq(-1), fmpq(2)),
        lambda i: constants[i][1],
        ((i,) for i in range(3)),
        "has_root_in",
    )


# -- Jordan forms and what follows from them ------------------------------------------------------------------------------


def conjugated(rng: Random, blocks: Sequence[tuple[fmpq, int]]) -> np.ndarray:
    """A rational matrix with these Jordan blocks: its basis is a product of two triangles."""
    n = sum(size for _, size in blocks)
    J = exact.zeros(n, n)
    at = 0
    for eigenvalue, size in blocks:
        for i in range(size):
            J[at + i, at + i] = eigenvalue
            if i:
                J[at + i - 1, at + i] = fmpq(1)
        at += size
    P = exact.identity(n) + np.tril(integers(rng, n, n, 1), -1)
    P = exact.multiply(P, exact.identity(n) + np.triu(integers(rng, n, n, 1), 1))
    return exact.multiply(exact.multiply(P, J), exact.inverse(P))


SPECTRA: tuple[tuple[tuple[int, int], ...], ...] = (
    ((2, 1),), ((-1, 2), (-1, 1)), ((0, 3),), ((1, 2), (0, 2), (-2, 1)), ((-1, 5), (-1, 2)), ((1, 4), (1, 4)), ((0, 9),),
    ((3, 1), (1, 3), (0, 1), (-1, 2), (-1, 2), (-2, 3)), ((2, 13),),
)  # fmt: skip


@tie("grazzi25.thm2")
def jordan_forms(proof: Proof) -> None:
    """Matrices with known blocks, up to 13 rows: the blocks, the basis, and powers entry by entry."""
    rng = Random(284)
    for spectrum in proof.tied("up to 13 rows, blocks of size up to 13, eigenvalues of either sign and 0", SPECTRA):
        blocks = [(fmpq(x, 2), size) for x, size in spectrum]
        A = conjugated(rng, blocks)
        form = jordan_form(A)
        n = len(A)
        proof.exactly("the blocks", list(form.blocks), sorted(blocks, reverse=True))
        proof.exactly("the basis and its inverse", products([form.basis, form.basis_inverse]), exact.identity(n).tolist())
        proof.exactly("the matrix in that basis", products([form.basis, form.matrix(), form.basis_inverse]), A.tolist())
        left, right = matrix(rng, 2, n), matrix(rng, n, 1)
        entries, power = form.power_entries(left, right), exact.identity(n)
        for k in range(n + 3):
            proof.exactly("power_entries", [[s(k) for s in row] for row in entries], products([left, power, right]))
            power = exact.multiply(power, A)
        wide = form.power_entries(exact.identity(n), exact.identity(n))
        proof.exactly("power_entries of the matrix itself", [[s(1) for s in row] for row in wide], A.tolist())
        transposed = JordanForm(form.basis * -1, form.basis_inverse * -1, form.blocks)
        proof.exactly("a form by hand", products([transposed.basis, transposed.matrix(), transposed.basis_inverse]), A.tolist())
    shapes = [(x, n) for x in (fmpq(-3, 2), fmpq(0), fmpq(1)) for n in SIZES]

    def by_hand(x: fmpq, n: int) -> np.ndarray:
        return np.array([x if i == j else fmpq(int(j == i + 1)) for i in range(n) for j in range(n)], dtype=object).reshape(n, n)

    hold(proof, "sizes 0 to 13", jordan_block, by_hand, shapes)
    turn = exact.rationals([[0, -1], [1, 0]])
    hold_refusals(proof, "no rational eigenvalues, up to 12 rows", [(jordan_form, (exact.block_diagonal([turn] * k),)) for k in (1, 2, 6)])


@tie("grazzi25.thm2")
def exponential_sums(proof: Proof) -> None:
    """Values, sums and signs of sums with up to 13 terms, at 60 places."""
    rng = Random(285)

    def value(terms: dict[tuple[fmpq, int], fmpq], k: int) -> fmpq:
        return sum((c * comb(k, m) * x ** (k - m) for (x, m), c in terms.items() if k >= m), fmpq(0))

    def drawn(count: int) -> dict[tuple[fmpq, int], fmpq]:
        keys = [(fmpq(p, 2), m) for p in (-3, -2, -1, 0, 1, 2, 3) for m in (0, 1, 3)]
        return {key: rng.choice((-1, 1)) * fmpq(rng.randint(1, 9), 2) for key in rng.sample(keys, count)}

    for n in proof.tied("0 to 13 terms, eigenvalues -3/2 to 3/2", SIZES):
        one, two = drawn(n), drawn(max(0, n - 1))
        s, t = ExponentialSum(one), ExponentialSum(two)
        places = range(14)
        proof.exactly("values", [s(k) for k in places], [value(one, k) for k in places])
        proof.exactly("a sum", [(s + t)(k) for k in places], [value(one, k) + value(two, k) for k in places])
        proof.exactly("what cancels is left out", (s + ExponentialSum({key: -c for key, c in one.items()})).terms, {})
        proof.exactly("less a constant", [(s - fmpq(-5, 2))(k) for k in places], [value(one, k) + fmpq(5, 2) for k in places])
        for parity in (0, 1):
            folded = s.on_parity(parity)
            late = [k for k in range(4, 14) if k % 2 == parity]
            proof.exactly("on_parity: values", [folded(k) for k in late], [value(one, k) for k in late])
            proof.exactly("on_parity: eigenvalues above 0", all(x > 0 for x, _ in folded.terms), True)
            threshold, sign = s.settles(parity)
            signs = {(v > 0) - (v < 0) for k in range(threshold, threshold + 60, 2) if (v := value(one, k)) is not None}
            proof.exactly("settles", (signs, threshold % 2), ({sign}, parity))
    for (X, M), (x, m) in proof.tied(
        "pairs of terms", product([(fmpq(p, 4), m) for p in (1, 3, 4, 5, 12) for m in (0, 1, 5, 12)], repeat=2)
    ):
        if (x, m) < (X, M):
            start = monotone_from((X, M), (x, m))
            ratios = [comb(k, m) * x ** (k - m) / (comb(k, M) * X ** (k - M)) for k in range(start, start + 30)]
            proof.exactly("monotone_from: no ratio grows", all(a >= b for a, b in pairwise(ratios)), True)


@tie("grazzi25.thm2")
def casts(proof: Proof) -> None:
    """The nearest element by search, along both models, with up to 13 elements, rows and steps."""
    rng = Random(286)
    for n in proof.tied("1 to 13 elements, rows and steps", POSITIVE):
        values = rng.sample([fmpq(k, 2) for k in range(-15, 16)], n)
        D = FiniteSet([rng.choice((x, str(x))) for x in values])
        nearest = lambda x, D=D, values=values: min(sorted(values), key=lambda v: (abs(v - x), v))  # noqa: E731
        each = lambda A, f=nearest: [[f(x) for x in row] for row in A]  # noqa: E731
        proof.exactly("its elements", (D.values, len(D), D.to_text()), (sorted(values), n, [str(x) for x in sorted(values)]))
        A = matrix(rng, n, 2, 8)
        proof.exactly("cast", D.cast(A).tolist(), each(A))
        proof.exactly("cast: ties go down", [D.cast_scalar((a + b) / 2) for a, b in pairwise(sorted(values))], sorted(values)[:-1])
        rows = min(n, 10)
        start, steps = (
            matrix(rng, rows, 1, 8),
            [(integers(rng, rows, rows, 1) * fmpq(1, 2), matrix(rng, rows, 1, 8)) for _ in range(n if n < 4 else 3)],
        )
        slow, terms, whole = [each(start)], [start.tolist()], [each(start)]
        for T, B in steps:
            slow.append(each(np.array(products([T, slow[-1]]), dtype=object) + B))
            terms = [products([T, term]) for term in terms] + [B.tolist()]
            total = np.array(each(terms[0]), dtype=object)
            for term in terms[1:]:
                total = total + np.array(each(term), dtype=object)
            whole.append(each(total))
        proof.exactly("stepwise_states", [H.tolist() for H in stepwise_states(steps, start, D)], slow)
        proof.exactly("cast_model_states", [H.tolist() for H in cast_model_states(steps, start, D)], whole)
        period = [(exact.identity(rows) * -1, start)]
        ever = eventual_states([], period, start * 0, D)
        states = list(cast_model_states(period * 30, start * 0, D))
        proof.exactly("eventual_states", [ever.state(t).tolist() for t in range(31)], [H.tolist() for H in states])
        proof.exactly(
            "eventual_states: transient and cycle", (ever.threshold, ever.period <= 2 * len(ever.cycle)), (len(ever.transient), True)
        )
    D = FiniteSet([-1, 0, 1])
    floats = [np.array([[x]], dtype=object) for x in (-0.5, 1j)]
    one = exact.identity(1)
    calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (FiniteSet, ([],)),
        (FiniteSet, ([0.5],)),
        (eventual_states, ([], [], one, D)),
    ]
    for x in floats:
        calls += [
            (D.cast, (x,)),
            (stepwise_states, ([], x, D)),
            (cast_model_states, ([], x, D)),
            (eventual_states, ([], [(x, one)], one, D)),
        ]
    hold_refusals(proof, "floats, and sets without elements", calls)
    for x, bits in proof.tied(
        "fractions of either sign, 1 to 13 bits", product([Fraction(p, q) for p in range(-25, 26) for q in (1, 3, 8, 1000)], POSITIVE)
    ):
        found = rounded_to_bits(x, bits)
        shift = 0
        while abs(x) * Fraction(2) ** shift < 2 ** (bits - 1) and x:
            shift += 1
        while abs(x) * Fraction(2) ** shift >= 2**bits:
            shift -= 1
        proof.exactly("rounded_to_bits", found, Fraction(round(x * Fraction(2) ** shift)) / Fraction(2) ** shift)


# -- cyclotomic fields ----------------------------------------------------------------------------------------------------


def as_matrix(z: Any, order: int) -> np.ndarray:
    """What z multiplies powers of zeta by, on the basis 1, zeta, ...: the companion matrix of the N-th cyclotomic polynomial in the place of zeta."""
    x = sympy.Symbol("x")
    modulus = [int(c) for c in sympy.Poly(sympy.cyclotomic_poly(order, x), x).all_coeffs()][::-1]
    n = len(modulus) - 1
    C = exact.zeros(n, n)
    for i in range(n):
        C[i, n - 1] = fmpq(-modulus[i])
        if i:
            C[i, i - 1] = fmpq(1)
    coefficients = z.polynomial.coeffs() if isinstance(z, Cyclotomic) else [exact.rational(z)]
    out, power = exact.zeros(n, n), exact.identity(n)
    for c in coefficients:
        out, power = out + power * c, exact.multiply(power, C)
    return out


@tie("grazzi25.thm1.layer")
def cyclotomic_numbers(proof: Proof) -> None:
    """Every operation, with every type on the other side, as an operation of matrices."""
    rng = Random(287)
    for order in proof.tied("orders up to 15, numbers -13 to 13", (1, 2, 3, 4, 5, 8, 12, 15)):
        z = Cyclotomic(order, fmpq_poly([rational(rng) for _ in range(order)]) + 1)
        w = Cyclotomic(order, fmpq_poly([rational(rng) for _ in range(order)]) + 2)
        Z, one = as_matrix(z, order), as_matrix(1, order)
        same = lambda found, wanted, order=order: (as_matrix(found, order).tolist(), wanted.tolist())  # noqa: E731
        for y in (w, -13, -1, 2, 3, 5, 7, 9, 12, 13, fmpq(-7, 3), fmpz(-5), np.int64(-9)):
            Y = as_matrix(y, order)
            proof.exactly("a sum", *same(z + y, Z + Y))
            proof.exactly("a difference", *same(z - y, Z - Y))
            proof.exactly("a product", *same(z * y, exact.multiply(Z, Y)))
            proof.exactly("a quotient", *same(z / y, exact.multiply(Z, exact.inverse(Y))))
            proof.exactly("equality", (z == y, z == z + y - y, z + 1 == z), (Z.tolist() == Y.tolist(), True, False))
            if not isinstance(y, np.integer):
                proof.exactly("the number on the left: a sum", *same(y + z, Z + Y))
                proof.exactly("the number on the left: a difference", *same(y - z, Y - Z))
                proof.exactly("the number on the left: a product", *same(y * z, exact.multiply(Y, Z)))
                if z != 0:
                    proof.exactly("the number on the left: a quotient", *same(y / z, exact.multiply(Y, exact.inverse(Z))))
        power = one
        for k in range(14 if order < 8 else 4):
            proof.exactly("powers", *same(z**k, power))
            if z != 0:
                proof.exactly("negative powers", *same(z**-k, exact.inverse(power)))
            power = exact.multiply(power, Z)
        zeta = cyclotomic.root_of_unity(order)
        proof.exactly(
            "negation, conjugation",
            (*same(-z, -Z), (z * w).conjugate() == z.conjugate() * w.conjugate(), zeta.conjugate() * zeta == 1),
            (*same(-z, -Z), True, True),
        )
        proof.exactly(
            "no other type", (z == 0.5, z == "z", hash(z) == hash(z + 0), hash(z - z + 3) == hash(fmpq(3))), (False, False, True, True)
        )
        for k in range(-13, 14):
            found = exact.identity(len(one))
            for _ in range(k % order):
                found = exact.multiply(found, as_matrix(zeta, order))
            proof.exactly("root_of_unity", *same(cyclotomic.root_of_unity(order, k), found))
    hold(
        proof,
        "moduli 1 to 24",
        cyclotomic.rotation_order,
        lambda m: next(N for N in range(1, 97) if N % 4 == 0 and N % m == 0),
        ((m,) for m in range(1, 25)),
    )
    refused: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (f, (m,)) for f in (cyclotomic.rotation_order, cyclotomic.cosine_and_sine, cyclotomic.root_of_unity) for m in (-3, 0)
    ]
    third, quarter = cyclotomic.root_of_unity(3), cyclotomic.root_of_unity(4)
    for f in (cyclotomic.parts, cyclotomic.realify):
        refused += [(f, (np.array([[x]], dtype=object),)) for x in (-0.5, 2.5, 1j, third)]
    refused += [(lambda: third + quarter, ()), (lambda: third / 0, ()), (lambda: 1 / (third - third), ()), (cyclotomic.gaussian, (0.5,))]
    hold_refusals(proof, "orders below 1, floats, other fields", refused)
    for n, m in proof.tied("shapes up to 13", product((1, 2, 9, 13), (1, 3, 13))):
        X, Y = matrix(rng, n, m), matrix(rng, n, m)
        Z = X + Y * quarter
        proof.exactly("parts", plain(cyclotomic.parts(Z)), plain((X, Y)))
        proof.exactly(
            "realify",
            cyclotomic.realify(Z).tolist(),
            [[*a, *(-b)] for a, b in zip(X, Y, strict=True)] + [[*b, *a] for a, b in zip(X, Y, strict=True)],
        )
        proof.exactly("parts of rationals", plain(cyclotomic.parts(X)), plain((X, X * 0)))


@tie("grazzi25.thm2")
def differences_of_expressions(proof: Proof) -> None:
    """Differences of numbers of each type, and identities that need each of the forms in turn."""

    def numbers() -> Iterator[tuple[Any, Any]]:
        kinds: tuple[Callable[[int], Any], ...] = (int, sympy.Integer, lambda k: sympy.Rational(k, 7), float, complex)
        for kind in kinds:
            for a, b in product((-13, -3, 0, 5, 12), repeat=2):
                yield kind(a), kind(b)

    hold(proof, "numbers -13 to 12 of each type", identities.difference, lambda a, b: sympy.sympify(a) - sympy.sympify(b), numbers())
    x, y = sympy.symbols("x y")
    equal = [
        ((x + y) ** 12, sum(sympy.binomial(12, k) * x**k * y ** (12 - k) for k in range(13))),
        (1 / (x - y) - 1 / (x + y), 2 * y / (x**2 - y**2)),
    ]
    equal += [
        (sympy.sin(x) ** 2, 1 - sympy.cos(x) ** 2),
        (sympy.tanh(x), 1 - 2 / (sympy.exp(2 * x) + 1)),
        (sympy.tan(x), sympy.sin(x) / sympy.cos(x)),
    ]
    for left, right in proof.tied("expansion, denominators, exponentials", equal):
        proof.exactly("difference: an identity", identities.difference(left, right) == 0, True)
        proof.exactly("difference: and none", [identities.difference(left + d, right) == 0 for d in (1, -1, x / 1000)], [False] * 3)
        proof.exactly(
            "is_visible", [identities.is_visible(e) for e in (left - right, left - right + sympy.Rational(1, 1000))], [False, True]
        )
    hidden = [
        sympy.Function("f")(x),
        sympy.Integral(x, (x, 0, 1)) + 1,
        sympy.Sum(1 / y, (y, 1, x)),
        sympy.Derivative(x, x),
        sympy.zoo,
        sympy.nan,
    ]
    proof_of = lambda i: identities.is_visible(hidden[i])  # noqa: E731
    hold(proof, "what has no number", proof_of, lambda i: False, ((i,) for i in range(len(hidden))), "is_visible")


# -- recurrences ----------------------------------------------------------------------------------------------------------


@tie("grazzi25.thm2")
def recurrences_in_types(proof: Proof) -> None:
    """States and outputs of up to 13 rows by sums, for rationals, floats and complex numbers; stacks of up to 13 layers; rounded states; pairs that are reached."""
    rng = Random(288)
    for n, d in proof.tied("up to 13 rows and 2 columns", [(1, 1), (2, 2), (3, 1), (5, 2), (8, 1), (10, 1), (12, 2), (13, 1)]):
        table = {x: (integers(rng, n, n, 1), integers(rng, n, d, 2)) for x in range(3)}
        start, word = integers(rng, n, d, 2), [rng.randrange(3) for _ in range(5)]
        H, wanted = start.tolist(), [start.tolist()]
        for x in word:
            H = [[sum(int(table[x][0][i, k]) * H[k][j] for k in range(n)) + int(table[x][1][i, j]) for j in range(d)] for i in range(n)]
            wanted.append(H)
        for one in (fmpq(1), 1.0, 1 + 0j):
            typed = {x: (A * one, B * one) for x, (A, B) in table.items()}
            layer = Recurrence.from_table(typed, start * one, lambda H, x: (H.tolist(), x))
            proof.exactly("states", [S.tolist() for S in layer.states(word)], wanted)
            proof.exactly("run", layer.run(word), [(S, x) for S, x in zip(wanted[1:], word, strict=True)])
            proof.exactly("step", layer.step(start * one, word[0]).tolist(), wanted[1])
            proof.exactly("closed_form", layer.closed_form(word).tolist(), wanted[-1])
            proof.exactly(
                "steps",
                [(A.tolist(), B.tolist()) for A, B in layer.steps(word)],
                [(typed[x][0].tolist(), typed[x][1].tolist()) for x in word],
            )
            first = Recurrence.from_table(
                {x: (np.array([[one]], dtype=object), np.array([[one * x]], dtype=object)) for x in range(3)},
                np.array([[one]], dtype=object),
                lambda H, x: (int(H[0, 0]) if isinstance(H[0, 0], fmpq) else round(complex(H[0, 0]).real)) % 3,
            )
            stack = Stack((first, layer))
            sums = [(1 + sum(word[: t + 1])) % 3 for t in range(5)]
            proof.exactly("a stack", stack.run(word), layer.run(sums))
            states, out = stack.step(stack.initial, word[0])
            proof.exactly(
                "a stack's step",
                ([S.tolist() for S in states], out),
                ([[[1 + word[0]]], layer.step(start * one, sums[0]).tolist()], layer.run(sums)[0]),
            )
        D = FiniteSet([fmpq(k, 2) for k in range(-4, 5)])
        layer = Recurrence.from_table(
            {x: (A * fmpq(1, 2), B * fmpq(1, 3)) for x, (A, B) in table.items()}, start * fmpq(1, 3), lambda H, x: x
        )
        pairs_of = [(A * fmpq(1, 2), B * fmpq(1, 3)) for A, B in (table[x] for x in word)]
        proof.exactly(
            "cast_states",
            [S.tolist() for S in layer.cast_states(word, D)],
            [S.tolist() for S in cast_model_states(pairs_of, layer.initial, D)],
        )
        proof.exactly(
            "stepwise_states",
            [S.tolist() for S in layer.stepwise_states(word, D)],
            [S.tolist() for S in stepwise_states(pairs_of, layer.initial, D)],
        )
        halves = [np.array([[0.5 * c]], dtype=object) for c in (1, 1j)]
        rounded = [Recurrence(lambda x, c=c: c, lambda x, c=c: c, c, lambda H, x: x) for c in halves]
        calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
            (f, ([1], D)) for r in rounded for f in (r.cast_states, r.stepwise_states)
        ]
        calls += [(r.eventual_states, ([], [1], D)) for r in rounded] + [(layer.run, ([7],)), (layer.run, ([None],))]
        hold_refusals(proof, "floats that would be rounded, letters that are none", calls)
        bad = [
            (Recurrence.from_table, ({0: (exact.identity(n), exact.zeros(n + 1, d))}, start, plain)),
            (Recurrence.from_table, ({0: (exact.zeros(n, n + 1), start)}, start, plain)),
        ]
        hold_refusals(proof, "shapes", bad)
    one, flip = (
        exact.identity(1),
        Recurrence.from_table(
            {x: (exact.identity(1) * (-1) ** x, exact.zeros(1, 1)) for x in (0, 1)}, exact.identity(1), lambda H, x: int(H[0, 0] < 0)
        ),
    )
    for depth in proof.tied("stacks of 1 to 13 layers", POSITIVE):
        stack, word = Stack((flip,) * depth), [rng.randrange(2) for _ in range(20)]
        outs = list(word)
        for _ in range(depth):
            outs = [sum(outs[: t + 1]) % 2 for t in range(len(outs))]
        states, found = stack.initial, []
        for x in word:
            states, y = stack.step(states, x)
            found.append(y)
        proof.exactly("run, step, initial", (stack.run(word), found, len(stack.initial), len(states)), (outs, outs, depth, depth))
        if depth < 3:
            traces = stack.eventual_outputs([1, 0, 1], FiniteSet([-1, 0, 1]))
            forever = [1, 0, 1] * 40
            for trace in traces:
                proof.exactly("eventual_outputs", [trace.letter(t) for t in range(1, 100)], forever[:99])
                forever = [sum(forever[: t + 1]) % 2 for t in range(len(forever))]
            proof.exactly(
                "least_period",
                traces[1].least_period,
                next(p for p in range(1, 13) if all(traces[1].letter(t) == traces[1].letter(t + p) for t in range(20, 60))),
            )
        modulus = depth + 1
        turn = Recurrence.from_table(
            {x: (exact.identity(modulus)[:, [(i + x) % modulus for i in range(modulus)]], exact.zeros(modulus, 1)) for x in (0, 1)},
            exact.identity(modulus)[:, :1],
            lambda H, x: [int(q) for q in H[:, 0]].index(1),
        )
        reached = reachable_with(turn, lambda q, x, m=modulus: (q + x) % m, 0, (0, 1), lambda q: q)
        wrong = reachable_with(turn, lambda q, x, m=modulus: (q + x) % m, 0, (1,), lambda q, last=modulus - 1: q if q != last else -1)
        proof.exactly(
            "reachable_with", (len(reached.pairs), len(reached.edges), reached.mismatch, reached.closed), (modulus, 2 * modulus, None, True)
        )
        proof.exactly("reachable_with: the first mismatch", wrong.mismatch, (1,) * (modulus - 1))
        if modulus > 2:
            proof.exactly(
                "reachable_with: too many",
                reachable_with(turn, lambda q, x, m=modulus: (q + x) % m, 0, (0, 1), lambda q: q, limit=2).closed,
                False,
            )
        decoder = TwoSteps(lambda x: x % 3, lambda H, k: (len(H), k), lambda seen, x: (*seen, x))
        for letter in (depth, -depth, depth + 7):
            for H in (exact.zeros(depth, 1), np.zeros((depth, 1)) - 1, np.zeros((depth, 1)) * 1j):
                proof.exactly("TwoSteps", decoder(H, letter), (depth, letter % 3, letter))


@tie("grazzi25.thm2")
def drawn_matrices(proof: Proof) -> None:
    """What is drawn has the property that it is drawn for, up to 13 rows; no sizes below 0."""
    for n in proof.tied("1 to 13 rows", POSITIVE):
        rng = Random(n)
        entries = samples.integers(rng, n, 3, bound=n)
        proof.exactly("integers", (entries.shape, all(x.q == 1 and abs(x) <= n for x in entries.flat)), ((n, 3), True))
        v = samples.nonzero_vector(rng, n, bound=1)
        proof.exactly("nonzero_vector", (v.shape, any(x != 0 for x in v), all(abs(x) <= 1 for x in v)), ((n,), True, True))
        P = samples.basis(rng, n)
        proof.exactly("basis", (P.shape, exact.rank(P)), ((n, n), n))
        blocks = samples.jordan_blocks(rng, n, [fmpq(-1), fmpq(1, 2)])
        proof.exactly(
            "jordan_blocks",
            (sum(k for _, k in blocks), {x for x, _ in blocks} <= {fmpq(-1), fmpq(1, 2)}, min(k for _, k in blocks) > 0),
            (n, True, True),
        )
        A = samples.with_jordan_form(blocks, P)
        J = exact.block_diagonal(jordan_block(x, k) for x, k in blocks)
        proof.exactly("with_jordan_form", products([A, P]), products([P, J]))
        T = samples.triangular(rng, n, [fmpq(-1), fmpq(2)])
        proof.exactly("triangular", (bool((np.tril(T, -1) == 0).all()), {T[i, i] for i in range(n)} <= {fmpq(-1), fmpq(2)}), (True, True))
        Q = samples.orthogonal(rng, n)
        proof.exactly(
            "orthogonal",
            (products([Q.T, Q]), products([samples.orthogonal(rng, n, 0)])),
            (exact.identity(n).tolist(), exact.identity(n).tolist()),
        )
        M, S = samples.contraction(rng, min(n, 9)), samples.positive_semidefinite(rng, n)
        proof.exactly(
            "contraction, positive_semidefinite",
            (exact.is_contraction(M), exact.is_positive_semidefinite(S), bool((S == S.T).all())),
            (True, True, True),
        )
        found = samples.fraction(rng, -n, n, denominator=n)
        proof.exactly("fraction", (abs(found) <= n, found.q <= n), (True, True))
        drawn = samples.householder_factors(rng, n, n, -1, 1)
        proof.exactly("householder_factors", (len(drawn), all(0 <= f.beta <= 2 and len(f.v) == n for f in drawn)), (n, True))
        again, rows = Random(-n), Random(-n)
        X = np.array([[again.randint(-3, 3) for _ in range(r)] for r in [again.randint(1, n)] for _ in range(n)], dtype=object)
        scale = again.randint(1, 4 * n)
        wanted = [[sum(a * b for a, b in zip(u, v, strict=True)) * fmpq(1, scale) for v in X] for u in X]
        proof.exactly("positive_semidefinite: X X^T, drawn again", samples.positive_semidefinite(rows, n).tolist(), wanted)
        again, rows = Random(-n), Random(-n)
        upper = [[fmpq(0)] * n for _ in range(n)]
        for i in range(n):
            upper[i][i] = again.choice([fmpq(-1), fmpq(2)])
            for j in range(i + 1, n):
                upper[i][j] = fmpq(again.randint(-1, 1))
        proof.exactly("triangular: drawn again", samples.triangular(rows, n, [fmpq(-1), fmpq(2)]).tolist(), upper)
        again, rows = Random(-n), Random(-n)
        q = again.randint(1, 5)
        proof.exactly("fraction: drawn again", samples.fraction(rows, -n, n, 5), fmpq(again.randint(-n * q, n * q), q))
        again, rows, sizes = Random(-n), Random(-n), []
        while sum(k for _, k in sizes) < n:
            k = again.randint(1, n - sum(k for _, k in sizes))
            sizes.append((again.choice([fmpq(-1), fmpq(3)]), k))
        proof.exactly("jordan_blocks: drawn again", samples.jordan_blocks(rows, n, [fmpq(-1), fmpq(3)]), sizes)
        again, rows = Random(-n), Random(-n)
        proof.exactly(
            "integers: drawn again",
            samples.integers(rows, n, 2, bound=9).tolist(),
            [[fmpq(again.randint(-9, 9)) for _ in range(2)] for _ in range(n)],
        )
        for kind in (object, float, complex):
            k = integers(rng, n, 1)[:, 0].astype(kind)
            beta = {object: fmpq(1, 2), float: 0.5, complex: 0.5 + 0j}[kind]
            wanted = [[int(i == j) - beta * k[i] * k[j] for j in range(n)] for i in range(n)]
            proof.exactly("delta_rule", architectures.delta_rule(beta, k).tolist(), wanted)
            diagonal = [[k[i] if i == j else 0 for j in range(n)] for i in range(n)]
            proof.exactly("gla, bmru", (architectures.gla(k).tolist(), architectures.bmru(k).tolist()), (diagonal, diagonal))
    draws: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (f, (Random(0), -2)) for f in (samples.integers, samples.nonzero_vector, samples.basis)
    ]
    draws += [
        (samples.orthogonal, (Random(0), -2, 0)),
        (samples.contraction, (Random(0), -2)),
        (samples.positive_semidefinite, (Random(0), -2)),
        (samples.triangular, (Random(0), -2, [])),
    ]
    hold_refusals(proof, "sizes below 0", [*draws, (rounded_delta.below_two, (-2,))])
