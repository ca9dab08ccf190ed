"""Jordan forms and exponential sums, row by row: matrices with known blocks, values and signs place by place."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from math import comb
from random import Random

import numpy as np
from flint import fmpq

from .....numerics import exact
from .....numerics.exponential_sums import ExponentialSum, monotone_from
from .....numerics.jordan import JordanForm, jordan_block, jordan_form
from ....claim import tie
from ....evidence import Proof
from .. import SIZES, hold, hold_refusals, integers, matrix, products


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
            # a parity is a class: -1 is odd, -2 even
            proof.exactly("of a negative number", (s.on_parity(parity - 2), s.settles(parity - 2)), (folded, (threshold, sign)))
    for (X, M), (x, m) in proof.tied(
        "pairs of terms", product([(fmpq(p, 4), m) for p in (1, 3, 4, 5, 12) for m in (0, 1, 5, 12)], repeat=2)
    ):
        if (x, m) < (X, M):
            start = monotone_from((X, M), (x, m))
            ratios = [comb(k, m) * x ** (k - m) / (comb(k, M) * X ** (k - M)) for k in range(start, start + 30)]
            proof.exactly("monotone_from: no ratio grows", all(a >= b for a, b in pairwise(ratios)), True)
            least = next(k for k in range(-99, 999) if (k + 1) * (X - x) >= m * X - M * x) if x < X else M
            proof.exactly("monotone_from: the least", start, max(M, m, least) if x < X else M)
