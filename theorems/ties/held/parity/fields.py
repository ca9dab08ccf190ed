"""Cyclotomic numbers and differences of expressions, row by row: each operation against matrices, each form in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np
import sympy
from flint import fmpq, fmpq_poly, fmpz

from .....numerics import cyclotomic, exact, identities
from .....numerics.cyclotomic import Cyclotomic
from ....claim import tie
from ....evidence import Proof
from .. import hold, hold_refusals, matrix, plain, rational


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
    for k in proof.tied("numbers on both sides of what may be rounding", (-1005, -995, 0, 995, 1005)):
        proof.exactly("is_visible: beyond 10^-12", identities.is_visible(sympy.Rational(k, 10**15)), abs(k) > 1000)
    kinds = {
        "positive": lambda v: v > 0, "negative": lambda v: v < 0, "nonnegative": lambda v: v >= 0, "nonpositive": lambda v: v <= 0,
        "integer": lambda v: v % 1 == 0, "zero": lambda v: v == 0, "even": lambda v: v % 2 == 0, "odd": lambda v: v % 2 == 1,
    }  # fmt: skip
    for name, means in proof.tied("a number and what is assumed of a symbol", kinds.items()):
        for says in (True, False):
            symbol, real = sympy.Symbol("s", **{name: says}), sympy.Symbol("s", real=True, **{name: says})
            values = [Fraction(p, q) for p in (-4, -3, 0, 1, 2, 12) for q in (1, 7)]
            fitting = [identities._fits(sympy.Rational(v.numerator, v.denominator), real) for v in values]
            proof.exactly("_fits: real numbers", fitting, [means(v) == says for v in values])
            proof.exactly("_fits: no real number", identities._fits(sympy.I, real), False)
            proof.exactly("_fits: of a symbol that is assumed to be so", says and identities._fits(sympy.I, symbol), False)
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
