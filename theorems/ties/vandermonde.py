"""Elimination and condition numbers on both sides of the sizes at which the code switches: portable, BLAS, compiled; and on the array-API path of other libraries."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ldexp
from random import Random
from typing import Any

import numpy as np
from flint import acb, arb, ctx, fmpq

from ...constructions import samples
from ...constructions.vandermonde import gap_polynomial, half_circle, sine_window
from ...numerics import cauchy, compiled, double_double, exact, lagrange, lanczos
from ...numerics.enclosures import certified_condition_number
from ...numerics.vandermonde import (
    condition_number,
    log_condition_number,
    log_condition_number_and_bound,
    powers,
    reconstruct,
    singular_values,
    vandermonde,
)
from ..claim import tie
from ..evidence import Proof
from .held import hold_refusals

EPS = float(np.finfo(float).eps)


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
        wanted = vandermonde(nodes, length) @ _fourier(length, float(factors.angle[0]))
        pivots = factors.pivots[0] * np.exp(factors.log_pivots[0])
        found = factors.row_phase[0][:, None] * ((factors.left[0] * pivots) @ factors.right[0]) * factors.column_phase[0]
        largest = max(float(np.abs(factors.left).max()), float(np.abs(factors.right).max()))
        proof.certified("pivots are the largest that are left: no factor has an entry beyond 1", largest <= 1 + 1e-9)
        rank, (rows, columns) = min(n, length), (factors.rows[0], factors.columns[0])
        at = [abs(factors.left[0, i, k] - 1) + abs(factors.right[0, k, j] - 1) for k, (i, j) in enumerate(zip(rows, columns, strict=True))]
        # a pivot over itself: the squared modulus of a product of units, each the product of two that are rounded: 9 roundings a step, 16 at the end
        proof.closely("rows and columns are the places of the pivots", float(max(at)), 2 * (9 * rank + 16) * EPS)
        proof.exactly("rows and columns, each once", (len({*rows.tolist()}), len({*columns.tolist()})), (rank, rank))
        proof.closely("the factors and phases give V F", float(np.max(np.abs(found - wanted)) / np.max(np.abs(wanted))), 1e-12)


@tie("orvieto24.sec4.1.ring")
def angles_and_differences(proof: Proof) -> None:
    """The turn of the roots lies in the middle of the widest gap; the differences of nodes and turned roots are those of balls."""
    for n, length in proof.tied("N <= 40, L <= 33; two sets of nodes at once, complex and real", product((1, 2, 7, 12, 40), (1, 2, 7, 33))):
        both = np.stack([nodes_on_a_ring(n), np.linspace(-0.9, 1.1, n) + 0j])
        angles = cauchy.free_angle(both, length)
        period = 2 * np.pi / length
        for nodes, angle in zip(both, angles, strict=True):
            turned = np.sort(np.angle(nodes) % period)
            widest = max(np.diff(turned, append=turned[0] + period))
            nearest = min(abs((angle - t + period / 2) % period - period / 2) for t in turned)
            proof.closely("free_angle: no node is nearer than half of the widest gap", abs(nearest - widest / 2), 1e-14)
        gaps, roots = cauchy.differences(both, length, angles)
        with ctx.workprec(160):
            for b, j in product(range(2), {0, length // 2, length - 1}):
                root = (acb(0, float(angles[b])) + acb(0, 2 * j) * acb.pi() / length).exp()
                proof.closely("differences: the turned roots", _relative(roots[b, j], root), 2 * EPS)
                for i in {0, n // 2, n - 1}:
                    wanted = root - acb(both[b, i].real, both[b, i].imag)
                    proof.closely("differences: right to the last place or two", _relative(gaps[b, i, j], wanted), 2 * EPS)


def _relative(found: complex, wanted: acb) -> float:
    return float((abs(acb(found.real, found.imag) - wanted) / abs(wanted)).mid())


@tie("orvieto24.sec4.1.ring")
def double_doubles(proof: Proof) -> None:
    """Sums and products of doubles without an error; products, roots and turns to 30 digits."""
    rng = Random(30)
    hold_refusals(proof, "rationals", [(double_double._halves, (x,)) for x in (fmpq(1, 3), fmpq(-7))])
    number = lambda: rng.choice((-1, 1)) * ldexp(rng.uniform(0.5, 1), rng.randint(-60, 60))  # noqa: E731
    for _ in proof.tied("200 pairs of numbers, 2^-60 to 2^60, either sign", range(200)):
        a, b = number(), number()
        (s, rest), (p, error) = double_double.two_sum(a, b), double_double.two_product(a, b)
        proof.exactly("two_sum", (s, Fraction(s) + Fraction(rest)), (a + b, Fraction(a) + Fraction(b)))
        proof.exactly("two_product", (p, Fraction(p) + Fraction(error)), (a * b, Fraction(a) * Fraction(b)))
    with ctx.workprec(160):
        for n in proof.tied("up to 100 roots", (1, 2, 3, 12, 100)):
            angles = [rng.uniform(-7, 7) for _ in range(n)]
            roots, turns = double_double.roots_of_unity(n), double_double.turns(angles)
            for m, t in enumerate(angles):
                root, turn = (acb(0, 2 * m) * acb.pi() / n).exp(), acb(0, t).exp()
                one, two = ([high[0, m], low[0, m], high[1, m], low[1, m]] for high, low in (roots, turns))
                found = double_double.multiply(tuple(one), tuple(two))
                for what, parts_of, wanted in (("roots_of_unity", one, root), ("turns", two, turn), ("multiply", found, root * turn)):
                    near = acb(arb(parts_of[0]) + arb(parts_of[1]), arb(parts_of[2]) + arb(parts_of[3]))
                    proof.closely(f"{what}: to 30 digits", float(abs(near - wanted).mid()), 1e-30)


#: exponents on both sides of 2^-20 and 2^20, and near the ends of the range
EXPONENTS = (-1000, -300, -21, -20, -19, 0, 19, 20, 21, 300, 1000)


@tie("orvieto24.sec4.1.ring")
def powers_of_two(proof: Proof) -> None:
    """Numbers that carry a power of two of their own: the same number, and parts in range; the largest entry after a step."""
    for e, mantissa in proof.tied("2^-1000 to 2^1000, signs, real and imaginary", product(EXPONENTS, (1.0, 1.125, -1.75, 1j, 1.5 - 1.25j))):
        z = complex(ldexp(complex(mantissa).real, e), ldexp(complex(mantissa).imag, e))
        for bits in (-7, 0, 5):
            found, rest = compiled.scaled(z, bits)
            size = max(abs(found.real), abs(found.imag))
            proof.exactly("scaled: the same number", [as_fraction(x, rest) for x in parts(found)], [as_fraction(x, bits) for x in parts(z)])
            proof.holds("scaled: parts between 2^-20 and 2^20", 2.0**-20 < size < 2.0**20)
            moved = compiled.times_power(z, bits)
            proof.exactly("times_power", [as_fraction(x, 0) for x in parts(moved)], [as_fraction(x, bits) for x in parts(z)])
    for bits in proof.tied("zero, and out of range", (-5000, 0, 9)):
        proof.exactly("zero stays", (compiled.scaled(0j, bits), compiled.times_power(0j, bits)), ((0j, bits), 0j))
        proof.exactly("out of range", (compiled.times_power(1 + 1j, -9000), compiled.times_power(1 - 1j, 9000).real), (0j, np.inf))
    generator = np.random.default_rng(28)
    for n, m, rows, columns in proof.tied("up to 9 x 70 entries", [(1, 1, 1, 1), (9, 70, 9, 70), (9, 70, 5, 33), (8, 3, 1, 3)]):
        sizes, down, right = (generator.integers(-9, 10, shape).astype(float) for shape in ((n, m), n, m))
        wanted = sizes.copy()
        wanted[:rows, :columns] += down[:rows, None] + right[None, :columns]
        top, a, b = compiled.largest(sizes, down, right, np.empty(m), rows, columns)
        proof.exactly("largest: the steps are added where they belong", sizes, wanted)
        proof.exactly(
            "largest: the entry and its place", (top, wanted[a, b], a < rows, b < columns), (wanted[:rows, :columns].max(), top, True, True)
        )


def parts(z: complex) -> tuple[float, float]:
    return z.real, z.imag


def as_fraction(x: float, bits: int) -> Fraction:
    """x 2^bits."""
    return Fraction(x) * Fraction(2) ** bits


def _fourier(length: int, angle: float) -> np.ndarray:
    """The unitary matrix that turns rows of powers, highest first, into values at the turned roots."""
    j = np.arange(length)
    powers = np.arange(length - 1, -1, -1)
    return np.exp(-1j * np.outer(powers, angle + 2 * np.pi * j / length)) / np.sqrt(length)


def same_condition_numbers(proof: Proof, library: str, convert: Any, back: Any) -> None:
    """Condition numbers, powers and factors of another array library against NumPy's."""
    for n, length in ((3, 3), (6, 4), (4, 9), (33, 33)):
        nodes = nodes_on_a_ring(n)
        wanted, found = float(condition_number(nodes, length)), float(back(condition_number(convert(nodes), length)))
        proof.closely(f"{library}: condition numbers as with NumPy, N, L <= 33", abs(found / wanted - 1), 1e-9)
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
    for length in proof.tied("four nodes, two of them alike; L from 2 to 7", (2, 3, 5, 7)):
        nodes = np.array([[0.5, 1j, -0.75, 0.5], [0.5, 1j, -0.75, 1.0]])
        portable, compiled = lagrange.matrices(nodes, length), lagrange.compiled_matrices(nodes, length)
        # three different nodes are enough for as many powers
        full = [length < 4, True]
        proof.exactly("as many different nodes as needed", (compiled.full.tolist(), portable.full.tolist()), (full, full))
        if compiled.S is not None and portable.S is not None and not full[0]:
            proof.exactly("compiled and portable: nodes that are alike", compiled.S[0].tolist(), portable.S[0].tolist())
    for torch in proof.extra("torch"):
        same_condition_numbers(proof, "torch", torch.from_numpy, lambda x: x.numpy())
    for strict in proof.extra("array_api_strict"):
        same_condition_numbers(proof, "array_api_strict", strict.asarray, np.asarray)


@tie("orvieto24.sec4.1.real")
def logarithms(proof: Proof) -> None:
    """Logarithms of condition numbers: r e^(2 pi i j / n) has (n - 1) |ln r| for as many powers, beyond the range of floats too."""
    radii = (1e-4, 0.5, 1.0, 1.5, 1e4)
    for n, r in proof.tied("N = L <= 100, radii 10^-4 to 10^4, several sets of nodes at once", product((1, 2, 7, 12, 33, 100), radii)):
        circle = np.exp(2j * np.pi * np.arange(n) / n)
        found, bound = log_condition_number_and_bound(np.stack([circle, r * circle]), n)
        wanted = (n - 1) * abs(float(np.log(r)))
        units = 2.5 * 3 * n + 6 * n**0.5 + 4 * n
        proof.closely("the bound of its error, in units of 2^-52", abs(float(bound[1]) * 2.0**52 / units - 1), 1e-12)
        proof.closely("ln of the condition number", abs(float(found[1]) - wanted), 1e-9 * max(1.0, wanted))
        proof.closely("on the unit circle 0", abs(float(found[0])), 1e-12 * n)
        proof.exactly("the same alone", float(log_condition_number(r * circle, n)), float(found[1]))
        proof.certified(
            "its error is within the bound", 0 < float(bound[1]) < 1 and abs(float(found[1]) - wanted) <= float(bound[1]) + 1e-12 * wanted
        )
    for nodes, length in proof.tied(
        "real nodes of either sign, as they are said by condition_number", [([-0.5, 0.25, 0.75], 3), ([-2.0, -1.0, 3.0], 5)]
    ):
        found = float(log_condition_number(np.array(nodes), length))
        values = np.linalg.svd(np.vander(nodes, length), compute_uv=False)
        proof.closely("real nodes", abs(found - float(np.log(values[0] / values[-1]))), 1e-10)


@tie("orvieto24.sec4.1.real")
def enclosures_of_condition_numbers(proof: Proof) -> None:
    """Balls around condition numbers, on all inputs and on a basis, square and oblong, against LAPACK where that is exact enough."""
    for n, length in proof.tied("N, L <= 16", [(1, 1), (2, 2), (3, 5), (5, 3), (11, 11), (12, 12), (13, 13), (12, 16), (16, 12)]):
        nodes = nodes_on_a_ring(n)
        V = vandermonde(nodes, length)
        basis = np.cos(np.outer(np.arange(length), np.arange(1, min(length, 4) + 1)))
        for psi, matrix in ((None, V), (basis, V @ basis), (basis * 1j, V @ basis)):
            values = np.linalg.svd(matrix, compute_uv=False)
            kappa = float(values[0] / values[-1])
            ball = certified_condition_number(nodes, length, 12, psi)
            proof.certified("as narrow as it should be", float(ball.rad()) < 1e-12 * float(ball.mid()))
            proof.closely("its middle", abs(float(ball.mid()) / kappa - 1), 1e-11 * kappa)


@tie("new.vandermonde.half-circle")
def halves_of_circles(proof: Proof) -> None:
    """The roots of z^L = -1 in the upper half plane and -1: exact ones, in order, as balls, by multiplying out."""
    for length in proof.tied("L <= 24", (1, 2, 3, 4, 9, 10, 12, 19, 20, 24)):
        nodes = half_circle(length)
        proof.exactly("how many", len(nodes), (length + 1) // 2)
        for j, x in enumerate(nodes):
            ball = (acb(0, 2 * j + 1) * acb.pi() / length).exp()
            found = x.ball()
            proof.certified("each in its place", found.overlaps(ball) and float(abs(found).rad()) < 1e-10)
            proof.exactly("z^L = -1", x**length == -1, True)


@tie("orvieto24.sec4.1.ring")
def batches(proof: Proof) -> None:
    """Singular values of many sets of nodes are those of one after another; moduli of the products give determinants."""
    for shape, length in proof.tied("up to 2 x 3 sets, N, L <= 9", product([(1,), (2,), (2, 3), (3, 1, 5), (2, 9), (0, 4)], (1, 2, 5, 9))):
        nodes = nodes_on_a_ring(int(np.prod(shape))).reshape(shape)
        found = singular_values(nodes, length)
        proof.exactly("shape", found.shape, (*shape[:-1], min(shape[-1], length)))
        for at in np.ndindex(shape[:-1]):
            wanted = np.linalg.svd(vandermonde(nodes[at], length), compute_uv=False)
            proof.closely("singular values, largest first", float(np.max(np.abs(found[at] - wanted)) / wanted[0]), 1e-13)
    for n, length in proof.tied("real nodes of either sign, N <= 7, L <= 9", product((1, 2, 7), (1, 3, 9))):
        nodes = np.linspace(-1.1, 0.9, n)
        wanted = np.linalg.svd(vandermonde(nodes, length), compute_uv=False)
        proof.closely("singular values of real nodes", float(np.max(np.abs(singular_values(nodes, length) - wanted)) / wanted[0]), 1e-13)


@tie("orvieto24.sec4.1.ring")
def bounds_of_errors(proof: Proof) -> None:
    """The interpolation matrix S gives all rows from the chosen ones, and the bound of the error is that of its norm."""
    shapes = [(1, 1), (3, 3), (2, 5), (5, 2), (12, 20), (20, 12), (31, 33), (33, 31), (40, 40)]
    for n, length in proof.tied("N, L <= 40, portable and compiled, on the ring and on the real line", shapes):
        for nodes in (nodes_on_a_ring(n), np.linspace(-0.9, 1.1, n) + 0j):
            found, spread = lagrange.matrices(nodes[None], length), 0.0
            if n != length:
                S, M = found.S[0], found.large[0]
                chosen = [int(np.argmax(np.abs(S[:, k]) * (np.abs(S).sum(axis=1) == np.abs(S[:, k])))) for k in range(S.shape[1])]
                proof.exactly("S: rows of the identity at the chosen places", S[chosen].tolist(), np.eye(len(chosen)).tolist())
                # each row and column of S lacks a phase
                wanted = np.abs(np.linalg.solve(M[chosen].T, M.T).T)
                error = float(np.max(np.abs(np.abs(S) - wanted)) / np.max(wanted))
                proof.closely("S gives all rows from the chosen ones, up to phases", error, 4 * n * EPS * float(np.linalg.cond(M[chosen])))
                spread = float(np.linalg.norm(S))
            few, many = min(n, length), max(n, length)
            factors = 3 * few if length <= n else 4 * few + 2 * many
            wanted = EPS * (2.5 * factors + 6 * few**0.5 + 4 * few + (few + 6) * spread)
            _, bound = lagrange.condition(nodes[None], length)
            proof.closely("the bound of the error", abs(float(bound[0]) / wanted - 1), 1e-9)
    for n, length in proof.tied("twice the same node", [(3, 3), (2, 5), (5, 5), (40, 40)]):
        nodes = np.append(nodes_on_a_ring(n - 1), nodes_on_a_ring(1))
        kappa, bound = lagrange.condition(nodes[None], length)
        proof.exactly("infinite, without an error", (float(kappa.mantissa[0]), float(bound[0])), (np.inf, 0.0))


@tie("orvieto24.sec4.1.ring")
def largest_eigenvalues(proof: Proof) -> None:
    """Lanczos' method against exact factorisations: theta (1 + delta) - G is positive definite, theta (1 - delta) - G is not."""
    rng = Random(29)
    for n, m in proof.tied("integer matrices, n <= 24, m <= 40; of rank 1, and 0", [(1, 1), (2, 3), (5, 2), (7, 7), (12, 40), (24, 24)]):
        full, row = samples.integers(rng, n, m), samples.integers(rng, 1, m)
        for A in (full, np.repeat(row, n, axis=0), exact.identity(n)):
            gram = exact.multiply(A, A.T)
            theta = lanczos.largest_eigenvalue(exact.as_float(A).astype(complex))
            value, delta = fmpq(*theta.as_integer_ratio()), fmpq(4 * n, 2**52)
            ends = [exact.is_positive_definite(exact.identity(n) * (value * (1 + sign * delta)) - gram) for sign in (1, -1)]
            proof.exactly("no eigenvalue is larger, and one is as large", ends, [bool((gram != 0).any()), False])
            proof.exactly("the same matrix of real floats", lanczos.largest_eigenvalue(exact.as_float(A)), theta)
            turned = lanczos.largest_eigenvalue(exact.as_float(A) * np.exp(1j * np.arange(n))[:, None])
            proof.closely("phases of rows change nothing", abs(turned - theta) / max(theta, 1.0), 8 * n * EPS)
        proof.exactly("the zero matrix", lanczos.largest_eigenvalue(np.zeros((n, m), dtype=complex)), 0.0)


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
