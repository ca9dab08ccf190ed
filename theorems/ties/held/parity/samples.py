"""Drawn matrices, row by row: each has the property that it is drawn for, and is drawn again."""

from __future__ import annotations

from cmath import exp
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from .....constructions import architectures, parity, rounded_delta, samples
from .....numerics import exact
from .....numerics.jordan import jordan_block
from ....claim import tie
from ....evidence import Proof
from ....recheck import matrix_families as again
from .. import POSITIVE, hold_refusals, integers, products


@tie("grazzi25.thm2")
def drawn_twice(proof: Proof) -> None:
    """The re-checker draws again, by code of its own, what certificates hold: the same instances from the same seeds."""
    eigenvalues = [Fraction(-1), Fraction(1, 2), Fraction(2)]
    values = [fmpq(x.numerator, x.denominator) for x in eigenvalues]
    draws: list[tuple[Callable[..., Any], Callable[..., Any]]] = [
        (lambda rng, n: samples.triangular(rng, n, values), lambda rng, n: again.triangular(rng, n, eigenvalues)),
        (samples.positive_semidefinite, again.positive_semidefinite),
        (samples.contraction, again.contraction),
        (lambda rng, n: samples.jordan_blocks(rng, n, values), lambda rng, n: again.jordan_blocks(rng, n, eigenvalues)),
        (lambda rng, n: samples.finite_set(rng).values, lambda rng, n: again.finite_set(rng)),
        (lambda rng, n: samples.symmetric_set(rng).values, lambda rng, n: again.symmetric_set(rng)),
        (
            lambda rng, n: sorted([x, m, c] for (x, m), c in samples.exponential_sum(rng, values).terms.items()),
            lambda rng, n: sorted(again.exponential_sum(rng, eigenvalues)),
        ),
        (
            lambda rng, n: [(list(f.v), 1 - f.beta) for f in samples.householder_factors(rng, n, 3, -1, 1)],
            lambda rng, n: [(v, 1 - beta) for v, beta in again.gh_factors(rng, n, 3, -1, 1)],
        ),
    ]
    for k, n in proof.tied("30 seeds, sizes 1 to 5", [(k, n) for k in range(30) for n in (1, 2, 3, 5) if k < 8 or n == 2]):
        for ours, theirs in draws:
            found, wanted = (as_text(draw(Random(k), n)) for draw in (ours, theirs))
            proof.exactly("the same instance", found, wanted)


def as_text(x: Any) -> Any:
    """Numbers as text, rows as lists."""
    return [as_text(y) for y in x] if isinstance(x, list | tuple | np.ndarray) else str(x)


@tie("grazzi25.thm2")
def drawn_matrices(proof: Proof) -> None:
    """What is drawn has the property that it is drawn for, up to 13 rows; no sizes below 0."""
    for n in proof.tied("1 to 13 rows", POSITIVE):
        rng = Random(n)
        entries = samples.integers(rng, n, 3, bound=n)
        proof.exactly("integers", (entries.shape, all(x.q == 1 and abs(x) <= n for x in entries.flat)), ((n, 3), True))
        v = samples.nonzero_vector(rng, n, bound=1)
        proof.exactly("nonzero_vector", (v.shape, any(x != 0 for x in v), all(abs(x) <= 1 for x in v)), ((n,), True, True))
        again, drawn = Random(-n), [0] * n
        while not any(drawn):
            drawn = [again.randint(-9, 9) for _ in range(n)]
        proof.exactly("nonzero_vector: drawn again", list(samples.nonzero_vector(Random(-n), n, bound=9)), drawn)
        P = samples.basis(rng, n)
        proof.exactly("basis", (P.shape, exact.rank(P)), ((n, n), n))
        other = Random(100 + n)
        several = [samples.integers(other, n, n, bound=2) for _ in range(60)]
        first = next(M for M in several if exact.rank(M) == n)
        proof.exactly("basis: the first that is invertible", samples.basis(Random(100 + n), n).tolist(), first.tolist())
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
    rng = Random(14)
    for n in proof.tied("Mamba, 13 to 1 entries, float and complex", (13, 5, 1)):
        for turn in (1, 1j, 0.5 - 1j):
            delta = np.array([rng.randint(1, 8) / 8 for _ in range(n)])
            w = np.array([rng.randint(-8, 8) / 8 * turn for _ in range(n)])
            A = np.vectorize(complex, otypes=[complex])(architectures.mamba(delta, w))
            wanted = [[exp(-delta[i] * exp(w[i])) if i == j else 0 for j in range(n)] for i in range(n)]
            # two exponentials of numbers of modulus up to e
            proof.closely("mamba", float(np.abs(A - np.array(wanted)).max()), 64 * 2.0**-52)
    hold_refusals(proof, "floats", [(parity.scalar, (x,)) for x in (0.5, -2.0, 1j)])
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
