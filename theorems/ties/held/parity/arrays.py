"""Exact entries, matrices and real roots, row by row: with int, Fraction, fmpz and fmpq, at sizes up to 13, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from random import Random
from typing import Any

import numpy as np
from flint import fmpq, fmpq_poly, fmpz

from .....numerics import exact
from .....numerics.jordan import jordan_block, jordan_form
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, SIZES, hold, hold_refusals, in_types, integers, minors, plain, products

FLOATS = (0.5, -2.0, 1j, np.float32(0.5), np.complex128(2))


def poly_from_roots(roots: Sequence[Any]) -> fmpq_poly:
    out = fmpq_poly([1])
    for x in roots:
        out = out * fmpq_poly([-x, 1])
    return out


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
