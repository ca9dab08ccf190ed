"""The arithmetic that all claims stand on: linear algebra over the rationals, Sturm's theorem, roots of unity, at sizes up to 16 and with entries of either sign."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from math import comb, lcm
from random import Random
from typing import Any

import numpy as np
import sympy
from flint import acb, fmpq, fmpq_poly, fmpz

from ...constructions import architectures, rounded_delta, rounded_turns, samples
from ...constructions.architectures import gla, mamba
from ...constructions.parity import counter, counting_stack, power_recurrence, scalar, sign_flip
from ...constructions.recurrence import Recurrence, Stack, reachable_with
from ...numerics import exact
from ...numerics.cyclotomic import cosine_and_sine, gaussian, parts, realify, root_of_unity
from ...numerics.eventual import eventual_states
from ...numerics.exponential_sums import ExponentialSum
from ...numerics.finite_precision import FiniteSet, cast_model_states, stepwise_states
from ...numerics.floating_point import BINARY16, E4M3, E5M2, FORMATS
from ..claim import tie
from ..evidence import Proof
from .shared import refuses

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


def nearest(values: list[fmpq], x: fmpq) -> fmpq:
    """The nearest of these numbers, the smaller one at a tie."""
    return min(values, key=lambda v: (abs(v - x), v))


@tie("grazzi25.thm2")
@tie("grazzi25.thm1.layer")
def finite_sets(proof: Proof) -> None:
    """Casts by trying all elements: ties, both ends, integers of all types, Gaussian rationals."""
    rng = Random(74)
    for size in proof.tied("sets of 1 to 16 elements, numbers from -15 to 15", SIZES):
        values = sorted({fmpq(rng.randint(-24, 24), 2) for _ in range(size)})
        D = FiniteSet([str(v) for v in values[::-1]])
        proof.exactly("its elements", (D.values, len(D)), (values, len(values)))
        whole = list(range(-15, 16))
        wanted = [nearest(values, fmpq(k)) for k in whole]
        for kind in (int, fmpz, fmpq, Fraction, np.int64):
            proof.exactly(f"cast_scalar: {kind.__name__}", [D.cast_scalar(kind(k)) for k in whole], wanted)
        parts_of_eight = samples.integers(rng, 5, size, bound=120) / fmpq(8)
        rounded = [[nearest(values, x) for x in row] for row in parts_of_eight]
        proof.exactly("cast: arrays", D.cast(parts_of_eight).tolist(), rounded)
        # halves of sums of two neighbours are ties
        middles = [(a + b) / 2 for a, b in pairwise(values)]
        proof.exactly("at a tie the smaller", [D.cast_scalar(x) for x in middles], values[:-1])
        for x, y in zip(parts_of_eight[0], parts_of_eight[1], strict=True):
            proof.exactly("Gaussian rationals", D.cast_scalar(gaussian(x, y)), gaussian(nearest(values, x), nearest(values, y)))


@tie("grazzi25.thm2")
def settled_casts(proof: Proof) -> None:
    """From the threshold on the cast of a sum of powers is the announced value, at each of the next 40 steps."""
    rng = Random(75)
    for terms, size in proof.tied("1 to 8 terms, sets of 1 to 9 elements", product(range(1, 9), (1, 2, 5, 9))):
        places = [(fmpq(k, 2), m) for k in range(-3, 4) for m in range(3)]
        sequence = ExponentialSum({place: fmpq(rng.choice((-5, -2, 1, 3)), 2) for place in rng.sample(places, terms)})
        D = FiniteSet([fmpq(rng.randint(-8, 8), 2) for _ in range(size)])
        threshold, values = D.settles(sequence)
        by_hand = lambda k: sum((c * comb(k, m) * x ** (k - m) for (x, m), c in sequence.terms.items() if k >= m), fmpq(0))  # noqa: B023, E731
        later = range(threshold, threshold + 40)
        proof.exactly("settles", [nearest(D.values, by_hand(k)) for k in later], [values[k % 2] for k in later])


@tie("grazzi25.thm2")
def states_for_ever(proof: Proof) -> None:
    """What a period of letters leads to, against as many steps of the cast model, one after the other."""
    rng = Random(78)
    D = FiniteSet([fmpq(k, 2) for k in range(-2, 4)])
    cases = [(1, 0, 1), (1, 3, 13), (1, 1, 7), (2, 0, 2), (3, 1, 1)]
    for n, head, p in proof.tied("states of up to 3 rows, periods of up to 13 letters, 2 periods beyond the threshold", cases):

        def drawn(n: int = n) -> tuple[np.ndarray, np.ndarray]:
            diagonal = [rng.choice((fmpq(1, 2), fmpq(-1), fmpq(1), fmpq(0), fmpq(-1, 3))) for _ in range(n)]
            A = np.triu(samples.integers(rng, n, n, bound=1), 1) / fmpq(2)
            for i, x in enumerate(diagonal):
                A[i, i] = x
            return A, samples.integers(rng, n, 1, bound=1) / fmpq(2)

        before, period = [drawn() for _ in range(head)], [drawn() for _ in range(p)]
        start = samples.integers(rng, n, 1, bound=2)
        found = eventual_states(before, period, start, D)
        whole = exact.identity(n)
        for A, _ in period:
            whole = exact.multiply(A, whole)
        for j in range(n):
            entries = found.monodromy.power_entries(exact.identity(n), exact.unit_vector(n, j)[:, None])
            powers = [[x(k) for x in entries.flat] for k in range(3)]
            wanted = [list(exact.identity(n)[:, j]), list(whole[:, j]), list((whole @ whole)[:, j])]
            proof.exactly("powers of the product over a period", powers, wanted)
        last = found.threshold + 2 * p
        steps = [*before, *period * (last // p + 1)][:last]
        wanted = [H.tolist() for H in cast_model_states(steps, start, D)]
        proof.exactly("eventual_states", [found.state(t).tolist() for t in range(last + 1)], wanted[: last + 1])
        q = found.period
        ended = [wanted[found.threshold + t] for t in range(2 * p)]
        proof.exactly("the least period", [ended[t:] == ended[: len(ended) - t] for t in range(1, q + 1)], [False] * (q - 1) + [True])


@tie("new.parity.float.census")
def floating_formats(proof: Proof) -> None:
    """Spacings, rounding and ties in six formats, from the list of their numbers near each power of two, and NumPy's rounding."""
    bits = {
        "float64": (53, -1074, np.float64),
        "float32": (24, -149, np.float32),
        "float16": (11, -24, np.float16),
        "bfloat16": (8, -133, None),
    }
    for form in proof.tied("six formats, numbers between 2^-20 and 2^6 and in the last places, either sign", FORMATS):
        precision, lowest, kind = bits.get(form.name, (form.precision, form.lowest, None))
        proof.exactly(f"{form.name}: bits and the least number", (form.precision, form.lowest), (precision, lowest))
        least = lowest + precision - 1
        for e in (lowest, least - 1, least, least + 1, -7, -2, -1, 0, 1, 5):
            width = max(e - precision + 1, lowest)
            for share in (fmpq(1), fmpq(-1), fmpq(9, 8), fmpq(-11, 8), fmpq(15, 8), fmpq(4, 3), fmpq(-13, 7), fmpq(50, 49)):
                # between 2^e and 2^(e+1), with denominators that are no powers of two
                x = share * fmpq(2) ** e
                proof.exactly(f"{form.name}: spacing", form.spacing(x), fmpq(2) ** width)
                near = Fraction(int(x.p), int(x.q)) / Fraction(2) ** width
                proof.exactly(f"{form.name}: round", form.round(x), fmpq(round(near)) * fmpq(2) ** width)
                proof.exactly(f"{form.name}: ties", form.is_tie(x), near.denominator == 2)
                proof.exactly(f"{form.name}: in", x in form, near.denominator == 1)
                if kind is not None and abs(x) >= form.least_normal:
                    proof.exactly(f"{form.name}: as in NumPy", form.round(x), fmpq(*kind(float(x)).as_integer_ratio()))
    for form, largest in proof.tied("largest numbers", [(BINARY16, 65504), (E5M2, 57344), (E4M3, 448)]):
        proof.exactly(f"{form.name}: the largest", (form.largest, form.round(fmpq(largest))), (largest, largest))


@tie("grazzi25.table1")
def diagonals_of_architectures(proof: Proof) -> None:
    """Transitions of Table 1, entry by entry, from exact numbers and from floats."""
    rng = Random(79)
    for n in proof.tied("1 to 9 channels, exact numbers and floats", range(1, 10)):
        for exactly in (True, False):
            quarters = lambda: [rng.randint(-6, 6) for _ in range(n)]  # noqa: B023, E731
            drawn: list[list[Any]] = [[fmpq(x, 4) if exactly else x / 4 for x in quarters()] for _ in range(3)]
            alpha, k, (beta, *_) = drawn
            delta, w = [0.25 + rng.random() for _ in range(n)], [rng.uniform(-2, 2) for _ in range(n)]
            for found in (gla(np.array(alpha, dtype=object)), architectures.bmru(np.array(alpha, dtype=object))):
                proof.exactly("diagonal", found.tolist(), [[alpha[i] if i == j else 0 for j in range(n)] for i in range(n)])
            found = architectures.delta_rule(beta, np.array(k, dtype=object))
            proof.exactly("DeltaNet", found.tolist(), [[(i == j) - beta * k[i] * k[j] for j in range(n)] for i in range(n)])
            for convert in (float, lambda x: sympy.Rational(*x.as_integer_ratio())):
                found = mamba(np.array([convert(x) for x in delta], dtype=object), np.array([convert(x) for x in w], dtype=object))
                wanted = np.diag(np.exp(-np.array(delta) * np.exp(np.array(w))))
                proof.closely("Mamba", float(np.abs(found.astype(float) - wanted).max()), 1e-14)


@tie("new.parity.half")
def rounded_states(proof: Proof) -> None:
    """States of both models of rounding, for up to 12 steps, from the sums of the text."""
    rng = Random(76)
    for n, steps in proof.tied("states of 1 to 5 entries, 0 to 12 steps", product((1, 2, 3, 5), (0, 1, 5, 12))):
        D = FiniteSet([fmpq(k, 2) for k in range(-12, 13)])
        word = [(samples.integers(rng, n, n, bound=2) / fmpq(3), samples.integers(rng, n, 1) / fmpq(4)) for _ in range(steps)]
        start = samples.integers(rng, n, 1) / fmpq(3)
        round_all = lambda M: np.array([[nearest(D.values, x) for x in row] for row in M], dtype=object)  # noqa: B023, E731
        cast_model, stepwise = [round_all(start)], [round_all(start)]
        for t in range(1, steps + 1):
            total = exact.zeros(n, 1)
            for i in range(t + 1):
                term = start if i == 0 else word[i - 1][1]
                for A, _ in word[i:t]:
                    term = A @ term
                total = total + round_all(term)
            cast_model.append(round_all(total))
            stepwise.append(round_all(word[t - 1][0] @ stepwise[-1] + word[t - 1][1]))
        as_lists = lambda states: [H.tolist() for H in states]  # noqa: E731
        proof.exactly("cast_model_states", as_lists(cast_model_states(word, start, D)), as_lists(cast_model))
        proof.exactly("stepwise_states", as_lists(stepwise_states(word, start, D)), as_lists(stepwise))


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


@tie("grazzi25.abstract.triangular")
def reachable_pairs(proof: Proof) -> None:
    """The product of a network and an automaton: as many pairs as there are, the shortest word that is answered wrongly, giving up at the limit."""
    for n, m in proof.tied(
        "a network that counts modulo n <= 9 beside an automaton that counts modulo m <= 9", product((1, 2, 3, 7, 9), (1, 2, 3, 6, 9))
    ):
        shift = exact.rationals([[int(i == (j + 1) % n) for j in range(n)] for i in range(n)])
        table = {"+": (shift, exact.zeros(n, 1)), "0": (exact.identity(n), exact.zeros(n, 1))}
        silent = Recurrence.from_table(table, exact.unit_vector(n, 0)[:, None], lambda H, x: "same")
        counts = Recurrence.from_table(table, exact.unit_vector(n, 0)[:, None], lambda H, x: int(np.argmax(H[:, 0] == 1)))
        delta = lambda q, x, m=m: (q + (x == "+")) % m  # noqa: E731
        found = reachable_with(silent, delta, 0, "+0", lambda q: "same")
        proof.exactly("all pairs", (len(found.pairs), found.mismatch, found.closed), (lcm(n, m), None, True))
        place = {q: i for i, q in enumerate((int(np.argmax(H[:, 0] == 1)), q) for (H,), q in found.pairs)}
        steps = {(i, x): place[(h + (x == "+")) % n, delta(q, x)] for (h, q), i in place.items() for x in "+0"}
        proof.exactly("each once, and the edges between them", (len(place), found.edges), (lcm(n, m), steps))
        if lcm(n, m) > 1:
            proof.exactly("too many pairs", reachable_with(silent, delta, 0, "+0", lambda q: "same", lcm(n, m) - 1).closed, False)
        wrong = reachable_with(Stack((counts,)), delta, 0, "0+", lambda q: q).mismatch
        proof.exactly("the shortest word that is answered wrongly", wrong, None if n == m else ("+",) * min(n, m))


@tie("grazzi25.abstract.triangular")
def states_of_recurrences(proof: Proof) -> None:
    """States, outputs and the unrolled sum against H = A H + B, entry by entry."""
    rng = Random(75)
    cases = [(1, 1, 0), (1, 2, 1), (2, 1, 6), (3, 2, 7), (5, 1, 9), (7, 1, 12), (9, 2, 8), (2, 2, 60)]
    for n, d, length in proof.tied("states of up to 9 rows, words of up to 60 letters", cases):
        table = {x: (samples.integers(rng, n, n, bound=1), samples.integers(rng, n, d)) for x in "abc"}
        start, word = samples.integers(rng, n, d), [rng.choice("abc") for _ in range(length)]
        layer = Recurrence.from_table(table, start, lambda H, x: (x, H.tolist()))
        H = [[start[i, j] for j in range(d)] for i in range(n)]
        wanted = [H]
        for x in word:
            A, B = table[x]
            H = [[sum((A[i, k] * H[k][j] for k in range(n)), B[i, j]) for j in range(d)] for i in range(n)]
            wanted.append(H)
        proof.exactly("Recurrence.states", [state.tolist() for state in layer.states(word)], wanted)
        proof.exactly("Recurrence.run", layer.run(word), list(zip(word, wanted[1:], strict=True)))
        proof.exactly("Recurrence.closed_form", layer.closed_form(word).tolist(), wanted[-1])
        proof.exactly(
            "Recurrence.steps",
            [(A.tolist(), B.tolist()) for A, B in layer.steps(word)],
            [tuple(M.tolist() for M in table[x]) for x in word],
        )


@tie("grazzi25.sec4.1.counter")
@tie("grazzi25.thm1.converse")
def parities(proof: Proof) -> None:
    """Parities by a sign and by counting, and the states behind them."""
    rng = Random(78)
    lengths = [[rng.choice((0, 1, 1)) for _ in range(n)] for n in (0, 1, 2, 9, 40)] + [[1] * 200]
    for word in proof.tied("words of up to 200 letters", lengths):
        ones = [sum(word[: t + 1]) for t in range(len(word))]
        for layer in (sign_flip(), counter()):
            proof.exactly("parities", layer.run(word), [k % 2 for k in ones])
        states = [int(H[0, 0]) for H in counter().states(word)]
        proof.exactly("the states of the counter", states, [0, *ones])
        proof.exactly("the states of the sign", [int(H[0, 0]) for H in sign_flip().states(word)], [0, *(k % 2 for k in ones)])


@tie("grazzi25.thm2")
def counting_stacks(proof: Proof) -> None:
    """Counts modulo 2^p by scalar layers, and the maps of each."""
    for p in proof.tied("1 to 8 layers, 2^p + 3 letters", range(1, 9)):
        word = [1, 0] + [1] * (2**p + 1)
        stack = counting_stack(p)
        proof.exactly("counts modulo 2^p", stack.run(word), [sum(word[: t + 1]) % 2**p for t in range(len(word))])
        handed, maps = word, set()
        for layer in stack.layers:
            maps |= {(int(layer.transition(y)[0, 0]), int(layer.inputs(y)[0, 0])) for y in handed}
            handed = layer.run(handed)
        proof.exactly("transitions 1 and -1, no inputs", maps, {(1, 0), (-1, 0)})
    for x in proof.tied("numbers of all kinds", (-3, 0, fmpq(-1, 7), Fraction(5, 2), "3/4")):
        wanted = fmpq(*map(int, str(x).split("/"))) if "/" in str(x) else fmpq(int(x))
        proof.exactly("scalar", scalar(x).tolist(), [[wanted]])
    for p in proof.tied("fewer layers than one", (0, -1)):
        proof.holds("are refused", refuses(counting_stack, p))


@tie("grazzi25.thm1.display")
def powers_of_one_map(proof: Proof) -> None:
    """States of one affine map, applied again and again."""
    rng = Random(81)
    for n, d in proof.tied("up to 9 rows, 9 steps, with inputs and without", product((1, 2, 5, 9), (1, 2))):
        A, H, B = samples.integers(rng, n, n, bound=1), samples.integers(rng, n, d), samples.integers(rng, n, d)
        for inputs in (None, B):
            states, wanted = H, []
            for _ in range(9):
                states = [
                    [sum((A[i, k] * states[k][j] for k in range(n)), fmpq(0)) + (B[i, j] if inputs is not None else 0) for j in range(d)]
                    for i in range(n)
                ]
                wanted.append(tuple(x for row in states for x in row))
            proof.exactly("power_recurrence", power_recurrence(A, H, inputs).run([1] * 9), wanted)


def to_bits(x: fmpq, precision: int) -> fmpq:
    """x to so many bits, ties to even."""
    if x == 0:
        return x
    e = 0
    while abs(x) >= fmpq(2) ** (e + 1):
        e += 1
    while abs(x) < fmpq(2) ** e:
        e -= 1
    spacing = fmpq(2) ** (e - precision + 1)
    low = (x / spacing).floor()
    rest = x / spacing - low
    return (low + int(rest > fmpq(1, 2) or (rest == fmpq(1, 2) and int(low) % 2 == 1))) * spacing


@tie("new.parity.float.turns")
def rounded_turns_by_hand(proof: Proof) -> None:
    """Complex units rounded to p bits: six products and sums at a time, orbits of length 3 and 6."""
    rng = Random(79)
    for p in proof.tied("2 to 60 bits", (*range(2, 17), 24, 53, 60)):
        format = rounded_turns.bits(p)
        drawn = [fmpq(rng.randint(-(2**70), 2**70), 2 ** rng.randint(69, 74)) for _ in range(9)] + [
            1 + fmpq(1, 2**p),
            1 + fmpq(3, 2**p),
            fmpq(0),
        ]
        proof.exactly("bits", [format.round(x) for x in drawn], [to_bits(x, p) for x in drawn])
        t = rounded_turns.height(p)
        # sqrt(3)/2 lies between the middles to the neighbours
        half = fmpq(1, 2 ** (p + 1))
        proof.holds("height: a number of p bits nearest to sqrt(3)/2", (t - half) ** 2 < fmpq(3, 4) < (t + half) ** 2 and (t * 2**p).q == 1)
        last = fmpq(2) ** (1 - p)
        found = list(rounded_turns.sizes(p))
        fits = lambda c: to_bits(3 * c / 4, p) == 3 * c / 4  # noqa: B023, E731
        if p < 12:
            proof.exactly("sizes: all of [1, 2)", found, [c for k in range(2 ** (p - 1)) for c in [1 + k * last] if fits(c)])
        else:
            every = [c for k in range(140) for c in [(fmpq(4, 3) / last).ceil() * last + k * last] if fits(c)]
            proof.exactly("sizes: 15, every second one from 4/3 on", found, every[::2][:15])
            proof.holds("the first ones", found[0] - fmpq(4, 3) < 4 * last)
        turn = rounded_turns.turn(p)
        proof.exactly("there is a turn from 3 bits on", turn is not None, p > 2)
        if turn is None:
            continue
        proof.exactly(
            "s = t c and 3 c / 4 = t s, rounded", (to_bits(t * turn.size, p), to_bits(t * turn.other, p)), (turn.other, 3 * turn.size / 4)
        )
        proof.exactly("its height, and the first size that will do", (turn.height, turn.size in found), (t, True))
        for m in (3, 6):
            a = turn.unit(m)
            proof.exactly("the unit", a, (fmpq(-1 if m == 3 else 1, 2), t))
            states = [(turn.size, fmpq(0))]
            for _ in range(13):
                (x, y), (u, v) = a, states[-1]
                b = lambda z: to_bits(z, p)  # noqa: B023, E731
                states.append((b(b(x * u) - b(y * v)), b(b(x * v) + b(y * u))))
            proof.exactly("orbit", rounded_turns.orbit(a, states[0], format.round, 13), states)
            proof.exactly("it comes back", states, (states[:m] * 5)[:14])
    for a, b, c, d in proof.tied("81 products of integers, not rounded", product((-2, 1, 3), repeat=4)):
        found = rounded_turns.times((a, b), (c, d), lambda x, y: x * y, lambda x: x)
        proof.exactly("times", found, (a * c - b * d, a * d + b * c))


def step_by_hand(layer: rounded_delta.RoundedLayer, letter: int, h: Any, how: rounded_delta.Evaluation, p: int) -> list[fmpq]:
    b = lambda z: to_bits(z, p)  # noqa: E731
    beta, v = (layer.beta, layer.v) if letter else (fmpq(0), fmpq(0))
    exact_sum = sum((x * y for x, y in zip(layer.k, h, strict=True)), fmpq(0))
    total = fmpq(0)
    for i in how.order:
        total = b(total + (layer.k[i] * h[i] if how.sum == "fused" else b(layer.k[i] * h[i])))
    if how.sum == "once":
        total = b(exact_sum)
    u = b(beta * b(v - (exact_sum if how.residual else total)))
    return [b(x + (u * y if how.update else b(u * y))) for x, y in zip(h, layer.k, strict=True)]


@tie("new.parity.float.scalar")
def rounded_delta_by_hand(proof: Proof) -> None:
    """A step in every evaluation, for keys of up to 7 entries; layers that keep the parity, and layers that do not."""
    rng = Random(80)
    for n in proof.tied("widths 1 to 5: evaluations", range(1, 6)):
        found = list(rounded_delta.evaluations(n))
        orders = list(permutations(range(n)))
        wanted = {(kind, o, fused, False) for fused in (False, True) for kind in ("separate", "fused") for o in orders}
        wanted |= {("once", orders[0], fused, False) for fused in (False, True)}
        proof.exactly(
            "every way once", ({(e.sum, e.order, e.update, e.residual) for e in found}, len(found)), (wanted, 4 * len(orders) + 2)
        )
    for n, p in proof.tied("widths 1 to 7, 3 to 24 bits", product((1, 2, 3, 7), (3, 8, 24))):
        some = lambda: np.array([to_bits(fmpq(rng.randint(-99, 99), 64), p) for _ in range(n)], dtype=object)  # noqa: B023, E731
        layer = rounded_delta.RoundedLayer(some(), to_bits(fmpq(rng.randint(1, 99), 50), p), some()[0], some(), some())
        proof.exactly("1 - beta |k|^2", layer.eigenvalue, 1 - layer.beta * sum((x * x for x in layer.k), fmpq(0)))
        proof.exactly("numbers", layer.numbers(), [*layer.k, layer.beta, layer.v, *layer.even, *layer.odd])
        rounded = lambda x: to_bits(x, p)  # noqa: B023, E731
        order = tuple(rng.sample(range(n), n))
        for kind, update, residual, letter in product(rounded_delta.SUMS, (False, True), (False, True), (0, 1)):
            how, h = rounded_delta.Evaluation(kind, order, update, residual), some()
            found = list(rounded_delta.step(layer, letter, h, how, rounded))
            proof.exactly("a step", found, step_by_hand(layer, letter, h, how, p))
            alone = rounded_delta.RoundedLayer(layer.k, fmpq(1), fmpq(0), h, h)
            flat = step_by_hand(alone, 0, h, how, p)
            proof.exactly("the letter 0 keeps the state", flat, list(h))
            total = rounded_delta.dot(layer.k, h, rounded_delta.Evaluation(kind, order, update), rounded)
            by_hand = fmpq(0)
            for i in order:
                by_hand = rounded(by_hand + (layer.k[i] * h[i] if kind == "fused" else rounded(layer.k[i] * h[i])))
            proof.exactly(
                "k . h", total, rounded(sum((x * y for x, y in zip(layer.k, h, strict=True)), fmpq(0))) if kind == "once" else by_hand
            )
        for width in (n, n + 1, n + 5):
            wide = rounded_delta.padded(layer, width)
            zeros = [fmpq(0)] * (width - n)
            parts = [list(x) for x in (wide.k, wide.even, wide.odd)]
            proof.exactly("padded", parts, [[*x, *zeros] for x in (layer.k, layer.even, layer.odd)])
            proof.exactly("with the same numbers", (wide.beta, wide.v), (layer.beta, layer.v))
        how = next(rounded_delta.evaluations(n))
        swaps = [
            step_by_hand(layer, x, h, how, p) == list(g)
            for x, h, g in ((1, layer.even, layer.odd), (1, layer.odd, layer.even), (0, layer.even, layer.even))
        ]
        proof.exactly("keeps_parity: one that does not", rounded_delta.keeps_parity(layer, how, rounded), all(swaps))
    for p in proof.tied("8 to 60 bits", (8, 9, 11, 24, 53, 60)):
        layer = rounded_delta.below_two(p)
        spacing = fmpq(2) ** (1 - p)
        proof.exactly(
            "below two", ([*layer.even, *layer.odd], layer.k[0], layer.beta), ([2 - 17 * spacing, 2 - 15 * spacing], fmpq(9, 8), fmpq(3, 4))
        )
        proof.exactly("its value", layer.v, fmpq(9, 4) * (1 - 8 * spacing))
        for how in rounded_delta.evaluations(1):
            proof.exactly("keeps the parity", rounded_delta.keeps_parity(layer, how, lambda x, p=p: to_bits(x, p)), True)
            broken = rounded_delta.RoundedLayer(layer.k, layer.beta, layer.v, layer.even, layer.even)
            proof.exactly("not from one state to itself", rounded_delta.keeps_parity(broken, how, lambda x, p=p: to_bits(x, p)), False)
    for lowest in proof.tied("least numbers 2^-1074 to 1", (-1074, -149, -9, -1, 0)):
        layer = rounded_delta.smallest_numbers(lowest)
        proof.exactly("smallest numbers", layer.numbers(), [fmpq(7, 4), fmpq(5, 16), fmpq(0), fmpq(2) ** lowest, -(fmpq(2) ** lowest)])
