"""Diagonal recurrences and their matrices, row by row: powers written out, up to 13 nodes and steps."""

from __future__ import annotations

from collections.abc import Callable
from math import ldexp
from random import Random
from typing import Any

import numpy as np
from flint import acb, acb_mat, arb, ctx, fmpq, fmpz_poly

from ....constructions import vandermonde
from ....numerics import cauchy, double_double, enclosures, exact, haar, lagrange, lanczos
from ....numerics import vandermonde as matrices
from ....numerics.cyclotomic import gaussian
from ....numerics.enclosures import certified_condition_number
from ....numerics.vandermonde import squared_modulus
from ...claim import tie
from ...evidence import Proof
from . import POSITIVE, hold, hold_closely, hold_refusals, matrix, plain, rational

#: a unit in the last place of 1
EPS = 2.0**-52


@tie("orvieto24.eq4")
def diagonal_states(proof: Proof) -> None:
    """The states of up to 13 nodes after up to 13 inputs, alone, beside a clock, and in blocks; the matrix of powers in each type."""
    rng = Random(341)
    for n in proof.tied("1 to 13 nodes and inputs", POSITIVE):
        nodes, inputs = [rational(rng) for _ in range(n)], [rational(rng) for _ in range(n)]
        wanted = [[sum((inputs[j] * x ** (k - 1 - j) for j in range(k)), fmpq(0)) for x in nodes] for k in range(1, n + 1)]
        proof.exactly("diagonal_recurrence", [list(H[:, 0]) for H in vandermonde.diagonal_recurrence(nodes).run(inputs)], wanted)
        proof.exactly(
            "clock_and_memory",
            [list(H[:, 0]) for H in vandermonde.clock_and_memory(nodes).run(inputs)],
            [[fmpq(k), *row] for k, row in enumerate(wanted, start=1)],
        )
        start = vandermonde.clock_and_memory(nodes).initial
        proof.exactly("clock_and_memory: from 0", plain(start), plain(exact.zeros(n + 1, 1)))
        blocks = [nodes, nodes[:1], [-x for x in nodes]]
        pairs = [[x, -x, 2 * x] for x in inputs]
        in_blocks = [
            [sum((pairs[j][b] * x ** (k - 1 - j) for j in range(k)), fmpq(0)) for b, block in enumerate(blocks) for x in block]
            for k in range(1, n + 1)
        ]
        layer = vandermonde.blockwise(blocks)
        proof.exactly(
            "blockwise", ([list(H[:, 0]) for H in layer.run(pairs)], plain(layer.initial)), (in_blocks, plain(exact.zeros(2 * n + 1, 1)))
        )
        typed = [nodes, [float(k - n) for k in range(n)], [complex(k - 3, k % 2) for k in range(n)], [gaussian(k, -1) for k in range(n)]]
        for given in typed:
            by_hand = []
            for x in given:
                row = [x * 0 + 1]
                for _ in range(min(n, 6) - 1):
                    row.insert(0, row[0] * x)
                by_hand.append(row)
            proof.exactly("recall_matrix", vandermonde.recall_matrix(given, min(n, 6)).tolist(), by_hand)
        X, Y = matrix(rng, n, 13), matrix(rng, n, 13)
        Z = X + Y * gaussian(0, 1)
        proof.exactly("real_and_imaginary", plain(vandermonde.real_and_imaginary(Z)), plain(np.concatenate([X, Y])))
        r = (n + 1) // 2
        low = (matrix(rng, n, r) + matrix(rng, n, r) * gaussian(0, 1)) @ np.concatenate([exact.identity(r), exact.zeros(r, n - r)], axis=1)
        low = low * 0 + (np.concatenate([exact.identity(r), exact.zeros(n - r, r)]) * gaussian(2, -1)) @ np.concatenate(
            [exact.identity(r), exact.zeros(r, n - r)], axis=1
        )
        proof.exactly(
            "complex_rank", (vandermonde.complex_rank(low), vandermonde.complex_rank(np.concatenate([low, low * gaussian(0, 1)]))), (r, r)
        )
    bad = (
        [(vandermonde.half_circle, (m,)) for m in (-2, 0)]
        + [(haar.haar, pair) for pair in ((-2, -2), (0, 1), (12, 3), (8, 9), (8, 0), (8, -1))]
        + [(lanczos.start, (-2,))]
    )
    hold_refusals(proof, "no length", bad)
    hold_refusals(
        proof,
        "floats",
        [(f, (np.array([[x]], dtype=object),)) for f in (vandermonde.real_and_imaginary, vandermonde.complex_rank) for x in (-0.5, 1j)],
    )
    hold(proof, "degrees below 0", vandermonde.sine_window, lambda k: [], [(-1,), (-3,)])


@tie("orvieto24.sec4.1.real")
def real_nodes(proof: Proof) -> None:
    """Real nodes of either sign as floats, not as complex numbers: powers, condition numbers, singular values, least squares; up to 13 nodes and powers."""
    rng = Random(342)
    for n, length in proof.tied(
        "up to 13 nodes and 13 powers",
        [(1, 1), (1, 7), (2, 2), (3, 2), (2, 5), (5, 5), (7, 3), (3, 12), (9, 9), (12, 12), (13, 4), (5, 13)],
    ):
        nodes = np.array(sorted(rng.sample([k / 16 for k in range(-19, 20)], n)))
        ball = certified_condition_number(nodes, length)
        proof.closely("condition_number", abs(float(matrices.condition_number(nodes, length)) / float(ball) - 1), 1e-11)
        proof.exactly("condition_number: a number", isinstance(matrices.condition_number(nodes, length), float), True)
        proof.closely("log_condition_number", abs(float(matrices.log_condition_number(nodes, length)) - float(ball.log())), 1e-11)
        by_hand = np.array([[x**k for k in range(length - 1, -1, -1)] for x in nodes])
        hold_closely(proof, "powers", matrices.vandermonde, lambda *_, w=by_hand: w, [(nodes, length)], 1e-14)
        hold_closely(proof, "powers", matrices.powers, lambda *_, w=by_hand: w, [(nodes, length)], 1e-13)
        sizes = np.sort(np.abs(np.asarray(matrices.singular_values(nodes, length))))[::-1]
        wanted = np.linalg.svd(by_hand, compute_uv=False)
        proof.closely("singular_values", float(np.abs(sizes - wanted).max() / wanted[0]), 1e-13)
        if n >= length and float(ball) < 1e7:
            inputs = np.array([rng.uniform(-1, 1) for _ in range(length)])
            found = np.real(np.asarray(matrices.reconstruct(by_hand @ inputs, nodes, length)))
            proof.closely("reconstruct", float(np.abs(found.reshape(-1) - inputs).max()), 1e-14 * float(ball) + 1e-13)
    for scale in proof.tied("nodes down to 2^-1000", (2.0**-1000, 2.0**-901, 2.0**-899, 2.0**-300)):
        for nodes, length in ((np.array([1.0, -3.0]) * scale, 2), (np.array([1.0, 2.0, -5.0]) * scale, 1)):
            ball = certified_condition_number(nodes, length)
            proof.closely(
                "log_condition_number: tiny nodes", abs(float(matrices.log_condition_number(nodes, length)) - float(ball.log())), 1e-10
            )
    many = np.array([[rng.uniform(-1, 1) for _ in range(5)] for _ in range(3)])
    each = [float(matrices.condition_number(row, 4)) for row in many]
    hold_closely(proof, "three sets of real nodes at once", matrices.condition_number, lambda *_, w=each: w, [(many, 4)], 1e-12)
    rows: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (f, (x, 1.5)) for f in (double_double.two_product,) for x in (fmpq(1, 3), fmpq(-2))
    ]
    rows += [
        (double_double.multiply, ((fmpq(1, 3),) * 4, (1.0,) * 4)),
        (double_double.turns, (["a"],)),
    ]
    hold_refusals(proof, "exact numbers, which have no rounding errors", rows)
    refused = [np.zeros((2, 0)), np.array([float("nan")]), np.array([float("inf")]), np.array([1e301]), np.ma.masked_array([1.0], [True])]
    calls = [
        (f, (nodes, 3))
        for f in (matrices.condition_number, matrices.log_condition_number, matrices.vandermonde, matrices.singular_values)
        for nodes in refused
    ]
    hold_refusals(
        proof, "no nodes, infinite and masked ones; no length", [*calls, *[(matrices.condition_number, (np.ones(2), k)) for k in (0, -2)]]
    )


@tie("orvieto24.sec4.1.real")
def elimination_of_real_nodes(proof: Proof) -> None:
    """Real nodes of either sign as floats: turns of the roots, differences in balls, factors whose product is V F; repeated nodes, whose rank is lower; no factors at all."""
    rng = Random(343)
    for n, length in proof.tied("up to 13 nodes and 13 powers", [(1, 1), (2, 2), (3, 5), (5, 3), (7, 7), (9, 12), (13, 13), (13, 2)]):
        nodes = np.array([rng.sample([k / 16 for k in range(-19, 20)], n)])
        factors, angle = cauchy.decompose(nodes, length), cauchy.free_angle(nodes, length)
        period = 2 * np.pi / length
        turned = sorted(np.pi % period if x < 0 else 0.0 for x in nodes[0])
        gaps = [b - a for a, b in zip(turned, [*turned[1:], turned[0] + period], strict=True)]
        # two roundings of numbers up to 2 pi
        proof.closely("free_angle", abs(min(abs(angle[0] - t) for t in (*turned, turned[0] + period)) - max(gaps) / 2), 16 * EPS)
        apart, roots = cauchy.differences(nodes, length, angle)
        with ctx.workprec(160):
            for j in range(length):
                root = (acb(0, float(angle[0])) + acb(0, 2 * j) * acb.pi() / length).exp()
                for i, x in enumerate(nodes[0]):
                    gap = acb(apart[0, i, j].real, apart[0, i, j].imag)
                    proof.certified("differences: two units in the last place", bool(abs(gap - (root - x)) < abs(root - x) * (4 * EPS)))
                proof.certified("turned roots", bool(abs(acb(roots[0, j].real, roots[0, j].imag) - root) < 2 * EPS))
        product = (
            factors.row_phase[0][:, None] * factors.left[0] @ np.diag(factors.pivots[0] * np.exp(factors.log_pivots[0])) @ factors.right[0]
        )
        turns = np.array([[np.exp(-1j * k * (angle[0] + j * period)) for j in range(length)] for k in range(length - 1, -1, -1)])
        wanted = np.array([[x**k for k in range(length - 1, -1, -1)] for x in nodes[0]]) @ turns / length**0.5
        # an entry is a sum of n products of 4 n factors, each right to four units; so is the reference, of 2 L terms
        steps = (16 * n * n + 8 * length) * EPS
        proof.closely("decompose", float(np.abs(product * factors.column_phase[0] - wanted).max() / np.abs(wanted).max()), steps)
    for given, rank in proof.tied("repeated nodes", [([1.0, 1.0, -0.5], 2), ([-0.5] * 5, 1), ([0.25, -0.5, 0.25, -0.5, 1.0, 1.0, 1.0], 3)]):
        for kind in (float, complex):
            factors = cauchy.decompose(np.array([given], dtype=kind), len(given))
            spent = ~np.isfinite(factors.log_pivots[0])
            proof.exactly("decompose: pivots beyond the rank", (int(spent.sum()), list(spent[:rank])), (len(given) - rank, [False] * rank))
            proof.exactly("decompose: rows beyond the rank are 0", bool((factors.right[0][spent] == 0).all()), True)
            values = matrices.singular_values(np.array(given, dtype=kind), len(given))
            proof.exactly(
                "singular_values beyond the rank", (list(values[rank:]), bool(values[rank - 1] > 0)), ([0.0] * (len(given) - rank), True)
            )
            nothing = factors._replace(log_pivots=np.full_like(factors.log_pivots, -np.inf))
            proof.exactly("_jacobi: no pivot", list(matrices._jacobi(nothing)), [0.0] * len(given))
    for n, length in proof.tied(
        "condition numbers of up to 40 real nodes", [(1, 1), (2, 5), (3, 3), (5, 2), (9, 9), (7, 13), (13, 4), (40, 33)]
    ):
        nodes = np.array([rng.sample([k / 32 for k in range(-40, 41)], n)])
        (mantissa, exponent), bound = lagrange.condition(nodes, length)
        ball = certified_condition_number(nodes[0], length)
        found = arb(float(mantissa[0])) * arb(2) ** int(exponent[0])
        proof.certified(
            "condition: within its bound", bool(abs(found / ball - 1) < float(bound[0]) + 2 * EPS) and 0 < float(bound[0]) < 1e-9
        )
    for batch in proof.tied("no set of nodes, and none of several", [(0, 3), (2, 0, 3), (0, 0, 1)]):
        for kind in (float, complex):
            found = [f(np.zeros(batch, dtype=kind), 2) for f in (matrices.condition_number, matrices.log_condition_number)]
            proof.exactly("of no set", [x.shape for x in found], [batch[:-1]] * 2)


@tie("orvieto24.sec4.1.ring")
def chords_and_largest_nodes(proof: Proof) -> None:
    """Distances of roots of unity, each; nodes as large as may be, and larger."""
    for length in proof.tied("1 to 13 roots, and 100", [*POSITIVE, 100]):
        found = cauchy._chords(length)
        proof.exactly("_chords: how many", found.shape, (2 * length - 1,))
        for k, m in enumerate(range(1 - length, length)):
            if m:
                wanted = (2 * abs(arb.sin_pi(arb(m) / length))).log()
                proof.closely("_chords", float(abs(arb(float(found[k])) - wanted).mid()), 4 * EPS)
        proof.holds("_chords: from a root to itself", bool(found[length - 1] <= cauchy.SPENT))
    largest = 1e300
    for z in proof.tied("the largest nodes", [largest, -largest, 1j * largest]):
        proof.exactly("log_condition_number: of one number", float(matrices.log_condition_number(np.array([z]), 1)), 0.0)
    beyond = [(matrices.log_condition_number, (np.array([z * largest]), 1)) for z in (1.005, -1.005, 1.005j)]
    hold_refusals(proof, "larger nodes", beyond)
    for n in proof.tied("real nodes as floats, 1 to 9", (1, 2, 3, 5, 9)):
        real = np.linspace(-0.9, 1.1, n)
        of_floats, of_complex = (
            [float(x) for x in matrices.log_condition_number_and_bound(z, n + 1)] for z in (real, real.astype(complex))
        )
        proof.exactly("log_condition_number_and_bound: as of complex ones", of_floats, of_complex)


@tie("orvieto24.sec4.1.ring")
def moduli_at_the_ends_of_the_range(proof: Proof) -> None:
    """Logarithms of moduli, and units, for complex numbers from 2^-1070 to 2^1000, and 0; also among larger ones."""
    exponents = (-1070, -1030, -1000, -901, -900, -899, -20, 0, 20, 1000)
    mantissas = (1.0, -1.75, 1j, 1.5 - 1.25j)
    for e in proof.tied("2^-1070 to 2^1000", exponents):
        numbers = [complex(ldexp(complex(m).real, e), ldexp(complex(m).imag, e)) for m in mantissas]
        for beside in ([], [1.0, 0.0]):
            logs, units = cauchy._polar(np, np.array([*numbers, *beside], dtype=complex))
            for z, found, unit in zip(numbers, logs, units, strict=False):
                # subnormal numbers have lost places: what is left of them decides
                whole = acb(z.real, z.imag) * arb(2) ** -e
                proof.closely(
                    "_polar: the logarithm", abs(float(found - (abs(whole).log() + arb(2).log() * e).mid())) / max(1, abs(e)), 4 * EPS
                )
                proof.closely("_polar: the unit", float(abs(acb(unit.real, unit.imag) - whole / abs(whole)).mid()), 4 * EPS)
            if beside:
                # the logarithm of 0 is below those of all other numbers
                ends = (float(logs[-2]), units[-2], float(logs[-1]) < -(10**7), units[-1])
                proof.exactly("_polar: of 1 and 0", ends, (0.0, 1, True, 1))


@tie("orvieto24.sec4.1.ring")
def powers_in_every_shape(proof: Proof) -> None:
    """Powers of nodes, one by one, for nodes with up to three axes."""
    rng = np.random.default_rng(345)
    shapes = ((1,), (13,), (2, 3), (1, 5), (4, 1, 2), (2, 3, 5))
    for shape, length in proof.tied("up to three axes, 1 to 13 powers", [(s, n) for s in shapes for n in POSITIVE]):
        nodes = rng.choice((-2.0, -0.5, 1.0, 3.0), shape)
        for z in (nodes, nodes * 1j):
            found = matrices.powers(z, length)
            proof.exactly("powers: shape", found.shape, (*shape, length))
            proof.exactly("powers", all((found[..., k] == z ** (length - 1 - k)).all() for k in range(length)), True)


@tie("orvieto24.sec4.1.ring")
def roots_apart(proof: Proof) -> None:
    """Differences of turned roots of unity, from each root to all others, in balls."""
    for n in proof.tied("1 to 13 turned roots, several sets at once", POSITIVE):
        angles = [0.0, 0.125, 3.0]
        y = np.exp(1j * (np.array(angles)[:, None] + 2 * np.pi * np.arange(n) / n))
        j = np.array([[(3 * i + b) % n for i in range(n)] for b in range(len(angles))])
        logs, units = cauchy._roots_apart(np, y, j)
        proof.exactly("_roots_apart: how many", (logs.shape, units.shape), ((3, n, n), (3, n, n)))
        for b, i, m in np.ndindex(3, n, n):
            if j[b, i] != m:
                begin, other = (_on_circle(angles[b], int(k), n) for k in (j[b, i], m))
                apart = begin - other
                proof.closely("_roots_apart: the logarithm", abs(float((arb(float(logs[b, i, m])) - abs(apart).log()).mid())), 16 * EPS)
                found = acb(float(units[b, i, m].real), float(units[b, i, m].imag))
                proof.closely("_roots_apart: the unit", float(abs(found - apart / abs(apart)).mid()), 64 * EPS)


def _on_circle(angle: float, k: int, n: int) -> acb:
    """exp(i (angle + 2 pi k / n))."""
    return acb(0, arb(angle) + 2 * arb.pi() * k / n).exp()


@tie("orvieto24.sec4.1.ring")
def numbers_in_parts(proof: Proof) -> None:
    """Sums without an error of exact and complex numbers, turns by exact angles, no roots at all; squared moduli from cosines; Fourier sums; eigenvalues in balls."""
    rng = Random(344)
    for _ in proof.tied("30 pairs of exact and complex numbers", range(30)):
        a, b = rational(rng, 99), rational(rng, 99)
        proof.exactly("two_sum: exact", double_double.two_sum(a, b), (a + b, fmpq(0)))
        z, w = (complex(rng.uniform(-9, 9), rng.uniform(-9, 9) * 2.0**40) for _ in range(2))
        total, rest = double_double.two_sum(z, w)
        sums = [fmpq(*p.as_integer_ratio()) + fmpq(*q.as_integer_ratio()) for p, q in ((z.real, w.real), (z.imag, w.imag))]
        found = [fmpq(*p.as_integer_ratio()) + fmpq(*q.as_integer_ratio()) for p, q in ((total.real, rest.real), (total.imag, rest.imag))]
        proof.exactly("two_sum: complex", (total, found), (z + w, sums))
        x = rng.choice((-1, 1)) * rng.uniform(1, 2)
        for given in (x, x * (1 - 2j)):
            high, low = double_double._halves(given)
            short = [float(part * 2.0**25 % 1) for part in (complex(high).real, complex(high).imag)]
            proof.exactly("_halves: 26 bits and the rest", (high + low, short, abs(low) < 2.0**-23), (given, [0.0, 0.0], True))
    with ctx.workprec(160):
        for angles in proof.tied(
            "exact angles of either sign", [[], [0], [fmpq(1, 3), fmpq(-7, 2), -3], [fmpq(k, 5) for k in range(-6, 7)]]
        ):
            high, low = double_double.turns(angles)
            proof.exactly("turns: how many", (high.shape, low.shape), ((2, len(angles)),) * 2)
            for m, t in enumerate(angles):
                wanted = acb(0, arb(t)).exp()
                near = acb(arb(high[0, m]) + arb(low[0, m]), arb(high[1, m]) + arb(low[1, m]))
                proof.certified("turns: 2^-105", bool(abs(near - wanted) < arb(2) ** -105))
    for n in proof.tied("no roots", (0, -1, -3, -13)):
        proof.exactly("roots_of_unity", [part.shape for part in double_double.roots_of_unity(n)], [(2, 0)] * 2)
    for n in proof.tied("1 to 13 coefficients; exact, float, complex cosines", POSITIVE):
        a = [rng.randint(-4, 4) for _ in range(n)]
        # every number here is a multiple of 2^-26 below 2^26
        for one, cosine in ((fmpq(1), fmpq(-3, 4)), (1, fmpq(2, 3)), (1.0, 0.75), (1.0, -0.5), (1.0, 0.5 - 0.5j), (1 + 0j, -0.25j)):
            wanted = sum(a[j] * a[k] * chebyshev(abs(j - k), cosine) for j in range(n) for k in range(n))
            proof.exactly("squared_modulus", matrices.squared_modulus([x * one for x in a], cosine), wanted)
    for n in proof.tied("1 to 13 sums", POSITIVE):
        z = np.array([[complex(rng.uniform(-1, 1), rng.uniform(-1, 1)) for _ in range(2)] for _ in range(n)])
        for angle in (-2.5, 0.0, 0.75):
            sums = [sum(np.exp(-1j * k * (angle + 2 * np.pi * j / n)) * z[j] for j in range(n)) / n**0.5 for k in range(n - 1, -1, -1)]
            # n terms, angles up to 10 n
            proof.closely("_to_inputs", float(np.abs(matrices._to_inputs(z, angle, n) - np.array(sums)).max()), 20 * n * n * EPS)
    for x in proof.tied("numbers of each type", (-13, -1, 0, 1, 5, 9, 13, 0.5, -0.25, 1 - 2j, np.float64(-3), np.complex128(2j))):
        proof.exactly("_exact", enclosures._exact(x) == acb(complex(x).real, complex(x).imag), True)
    for n, digits in proof.tied("1 to 13 rows, -3 to 20 digits", [(n, d) for n in (1, 2, 5, 13) for d in (-3, 0, 1, 9, 20)]):
        column = [rng.randint(-3, 3) + acb(0, rng.randint(1, 3)) for _ in range(n)]
        norm = sum((abs(x) ** 2 for x in column), arb(0))
        with ctx.workprec(256):
            # few digits leave all that the trace says: from its n-th part to the trace, in balls of 30 bits
            for matrix, value, least in (
                ([[x * y.conjugate() for y in column] for x in column], norm, norm / n),
                ([[acb(int(i == j)) for j in range(n)] for i in range(n)], arb(1), arb(1)),
            ):
                ball = enclosures.largest_eigenvalue(acb_mat(matrix), digits)
                trace = sum((matrix[i][i].real for i in range(n)), arb(0))
                inside = bool(ball < trace * (1 + fmpq(1, 2**20))) and bool(ball > least * (1 - fmpq(1, 2**20)))
                proof.certified("largest_eigenvalue", inside and bool(ball.overlaps(value)))
                if digits > 0:
                    proof.certified("as narrow as it is asked to be", bool(ball.rad() < value * arb(10) ** -digits))
    for bad in proof.tied("a matrix that is not finite", ("nan", "inf")):
        found = enclosures.largest_eigenvalue(acb_mat([[acb(bad), 0], [0, 1]]))
        proof.exactly("largest_eigenvalue", found.is_finite(), False)
    for e in proof.tied("bases that differ by 2^-e: more bits than the first estimate has", (30, 200, 400, 900)):
        x, psi = (-0.5, 3.0), np.array([[2.0**-e, 0.0], [1.0, 1.0]])
        # V psi for the rows (x, 1); kappa + 1 / kappa is the sum of the squares over |det|
        rows = [[fmpq(*y.as_integer_ratio()) * fmpq(1, 2**e) + 1, fmpq(1)] for y in x]
        det, squares = abs(rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]), sum(y * y for row in rows for y in row)
        with ctx.workprec(4 * e + 200):
            ratio = arb(squares / det)
            wanted = (ratio + (ratio * ratio - 4).sqrt()) / 2
            ball = certified_condition_number(np.array(x), 2, 15, psi)
            proof.certified("certified_condition_number", bool(abs(ball / wanted - 1) < fmpq(2, 10**15)))


def chebyshev(n: int, x: Any) -> Any:
    """T_n(x), coefficient by coefficient."""
    out = x * 0
    for c in reversed(fmpz_poly.chebyshev_t(n).coeffs()):
        out = out * x + int(c)
    return out


@tie("new.vandermonde.gap")
def squares_of_polynomials(proof: Proof) -> None:
    """The square of the modulus at (3 + 4i) / 5, by multiplying rational complex numbers; up to 13 coefficients of either sign."""
    rng = Random(432)

    def by_products(coefficients: list[fmpq], cosine: fmpq) -> fmpq:
        real, imaginary, at, up = fmpq(0), fmpq(0), fmpq(1), fmpq(0)
        for a in coefficients:
            real, imaginary = real + a * at, imaginary + a * up
            at, up = at * cosine - up * fmpq(4, 5), at * fmpq(4, 5) + up * cosine
        return real**2 + imaginary**2

    rows = [([fmpq(rng.randint(-5, 5), rng.randint(1, 3)) for _ in range(n)], s * fmpq(3, 5)) for n in POSITIVE for s in (1, -1)]
    hold(proof, "1 to 13 coefficients", squared_modulus, by_products, rows)
