"""Bases and decays of ungated layers, and gated layers for several matrices, against exact linear algebra written out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from ....constructions.fixed_point import bases, sets
from ....constructions.householder import permutation_matrix
from ....constructions.samples import integers
from ....numerics import exact
from ....numerics.cyclotomic import root_of_unity
from ...claim import tie
from ...evidence import Proof
from ..shared import refuses, spread


def fractions(M: Any) -> list[list[Fraction]]:
    return [[Fraction(int(x.p), int(x.q)) for x in row] for row in exact.rationals(M)]


def times(A: list[list[Fraction]], B: list[list[Fraction]]) -> list[list[Fraction]]:
    return [[sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0)) for column in zip(*B, strict=True)] for row in A]


def diagonal(v: Sequence[Any] | np.ndarray) -> np.ndarray:
    return exact.rationals([[x if i == j else 0 for j in range(len(v))] for i, x in enumerate(v)])


def vector(rng: Random, n: int) -> np.ndarray:
    """A vector with entries of either sign, the first one not 0."""
    return exact.rationals([rng.choice((-2, -1, 1, 3)), *(rng.randint(-3, 3) for _ in range(n - 1))])


@tie("new.fixed-point.signed-decay")
def forms_and_mixers(proof: Proof) -> None:
    """Lambda A + A' Lambda - Lambda^2; mixers of singular transitions."""
    rng = Random(25)
    for n in proof.tied("1 to 9 rows, decays of either sign", range(1, 10)):
        A, decay = integers(rng, n, n), exact.rationals([fmpq(rng.randint(-5, 5), 6) for _ in range(n)])
        wanted = [[decay[i] * A[i, j] + A[j, i] * decay[j] - (decay[i] ** 2 if i == j else 0) for j in range(n)] for i in range(n)]
        proof.exactly("contraction_form", bases.contraction_form(A, decay).tolist(), wanted)
        for rank in {0, 1, n // 2, n}:
            chosen = set(rng.sample(range(n), rank))
            # independent columns at some places, 0 at the others
            shape = exact.identity(n) * 2 + np.tril(integers(rng, n, n, bound=1), -1)
            B = exact.rationals([[shape[i, j] if j in chosen else 0 for j in range(n)] for i in range(n)])
            here = exact.rationals([decay[j] if j in chosen else 0 for j in range(n)])
            Q = bases.mixer_of_singular(B, here)
            proof.exactly("Q A = Lambda", (Q @ B).tolist(), diagonal(here).tolist())
            away = exact.nullspace(B.T) if rank < n else exact.zeros(n, 0)
            proof.exactly("and 1 off the range", (Q @ away).tolist(), away.tolist())


@tie("new.fixed-point.reflections")
def single_reflections(proof: Proof) -> None:
    """Reflections, their best decays, and matrices that forbid every decay."""
    rng = Random(26)
    for n, _ in proof.tied("1 to 12 coordinates, four normals each", product((1, 2, 3, 5, 9, 12), range(4))):
        u = vector(rng, n)
        size = sum(x * x for x in u)
        A = bases.reflection(u)
        proof.exactly("reflection", A.tolist(), [[int(i == j) - 2 * u[i] * u[j] / size for j in range(n)] for i in range(n)])
        shares = [x * x / size for x in u]
        top = shares.index(max(shares))
        c = 2 * max(shares) - 1
        proof.exactly("reflection_decay", list(bases.reflection_decay(u)), [-c if i == top else c for i in range(n)])
        proof.exactly("blocked unless one coordinate has more than half", refuses(bases.blocking_matrix, u), max(shares) > fmpq(1, 2))
        if max(shares) <= fmpq(1, 2):
            X = bases.blocking_matrix(u)
            proof.exactly(
                "symmetric and semidefinite, other than 0",
                (exact.is_positive_semidefinite(X), (X == X.T).all(), (X != 0).any()),
                (True, True, True),
            )
            proof.exactly("diag(A X) = 0", [sum((A[i, j] * X[j, i] for j in range(n)), fmpq(0)) for i in range(n)], [fmpq(0)] * n)
            proof.exactly("its diagonal is 2 u_i^2", [X[i, i] for i in range(n)], [2 * x * x for x in u])


@tie("new.fixed-point.reflection-groups")
def simple_roots(proof: Proof) -> None:
    """Cartan matrices and simple reflections; braid relations by orders of products; letters in another basis."""
    diagrams = {f"A{n}": (n, bases.path(n)) for n in range(1, 10)} | {
        "D4": (4, [(0, 1), (1, 2), (1, 3)]),
        "E6": (6, [(0, 1), (1, 2), (2, 3), (3, 4), (2, 5)]),
        "three apart": (3, []),
    }
    for name, (n, edges) in proof.tied("diagrams of 1 to 9 roots", diagrams.items()):
        if name[0] == "A":
            proof.exactly("path", edges, [(i, i + 1) for i in range(n - 1)])
        C = bases.cartan(edges, n)
        proof.exactly(
            "cartan", C.tolist(), [[2 if i == j else -1 if (i, j) in edges or (j, i) in edges else 0 for j in range(n)] for i in range(n)]
        )
        found = bases.simple_reflections(C)
        wanted = [[[int(a == b) - (C[i, b] if a == i else 0) for b in range(n)] for a in range(n)] for i in range(n)]
        proof.exactly("simple_reflections", [S.tolist() for S in found], wanted)
        proof.exactly("near_orthonormal", bases.near_orthonormal(C).tolist(), (C + exact.identity(n)).tolist())
        basis, strength = bases.near_orthonormal(C), fmpq(2, 7)
        letters = bases.mirror_letters(C, basis, strength)
        proof.exactly(
            "mirror_letters: A in the other basis", [(A @ basis).tolist() for A, _ in letters], [(basis @ S).tolist() for S in found]
        )
        proof.exactly(
            "mirror_letters: decays",
            [list(d) for _, d in letters],
            [[-strength if i == j else strength for j in range(n)] for i in range(n)],
        )
    for n in proof.tied("the group of the path, n <= 4", range(1, 5)):
        generators = [fractions(S) for S in bases.simple_reflections(bases.cartan(bases.path(n), n))]
        freeze = lambda M: tuple(map(tuple, M))  # noqa: E731
        group = spread([freeze(fractions(exact.identity(n)))], lambda M: [freeze(times(S, [list(r) for r in M])) for S in generators])  # noqa: B023
        order = 1
        for k in range(2, n + 2):
            order *= k
        proof.exactly("S_(n+1)", len(group), order)


@tie("new.fixed-point.transpositions")
def swaps(proof: Proof) -> None:
    """Helmert's rows, and decays for swaps in their basis."""
    for n in proof.tied("2 to 12 places", range(2, 13)):
        H = bases.helmert(n)
        rows = [[0] * k + [n - 1 - k] + [-1] * (n - 1 - k) for k in range(n - 1)]
        proof.exactly("helmert", H.tolist(), rows)
        for k in sorted({1, 2, n // 2, n - 1} - {0}):
            if k > n - 1:
                continue
            found, m = bases.transposition_decay(H, k), n - k
            total = [[Fraction(0)] * n for _ in range(n)]
            for i, h in enumerate(rows, 1):
                size, sign = sum(x * x for x in h), -1 if i == k else 1
                total = [
                    [t + Fraction(sign * a * b, m * size) for t, b in zip(row, h, strict=True)] for row, a in zip(total, h, strict=True)
                ]
            proof.exactly("transposition_decay", fractions(found), total)


@tie("new.fixed-point.all-reflections")
def turned_bases(proof: Proof) -> None:
    """Cayley's formula, and all reflections among signed permutations."""
    for n, t in proof.tied("1 to 9 coordinates, t from -1/2 to 1/9", product((1, 2, 3, 5, 9), (fmpq(-1, 2), fmpq(0), fmpq(1, 9)))):
        K = exact.rationals([[(j > i) - (j < i) for j in range(n)] for i in range(n)])
        found = bases.slightly_turned(n, t)
        proof.exactly("(1 - t K) M = 1 + t K", ((exact.identity(n) - K * t) @ found).tolist(), (exact.identity(n) + K * t).tolist())
        proof.exactly("orthogonal", (found @ found.T).tolist(), exact.identity(n).tolist())
    for n in proof.tied("1 to 9 coordinates", range(1, 10)):
        found = {tuple(v) for v in bases.signed_permutation_normals(n)}
        # signed permutations that are reflections move one coordinate, or two
        wanted = (
            {v for v in product((0, 1, -1), repeat=n) if 1 <= sum(map(abs, v)) <= 2 and next(x for x in v if x) == 1} if n < 7 else found
        )
        proof.exactly("normals, each once", (found, len(found)), (wanted, n * n))


@tie("new.fixed-point.any-letters")
def separating_decays(proof: Proof) -> None:
    """Eigenvalues of diag(decay) M between points, by Sturm's theorem; characteristic polynomials and signs."""
    rng = Random(27)
    for n in proof.tied("1 to 6 rows", range(1, 7)):
        for _ in range(2):
            M = (exact.identity(n) + np.tril(integers(rng, n, n, bound=1), -1)) @ (
                np.triu(integers(rng, n, n, bound=2), 1) + diagonal([rng.choice((-2, -1, 1, 3)) for _ in range(n)])
            )
            decay, points = bases.separated_decay(M)
            proof.exactly(
                "points", (len(points), points[0] > 0, points[0] + points[-1], points == sorted(set(points))), (n + 1, True, fmpq(2), True)
            )
            chi = exact.characteristic_polynomial(diagonal(decay) @ M)
            between = [exact.has_root_in(chi, a, b) for a, b in pairwise(points)]
            proof.exactly("an eigenvalue in each gap", between, [True] * n)
            proof.exactly("separates", bases.separates(M, decay, points), True)
            moved = [points[0] / 2, *points[:-1]] if n > 1 else [points[1], points[1] + 1]
            broken = [(M, decay, moved), (M, decay, points[:-1]), (M, decay, points[::-1]), (M, decay * 1000, points)]
            proof.exactly("not at other points", [bases.separates(*given) for given in broken], [False] * 4)
            proof.exactly("characteristic", bases.characteristic(M), list(exact.characteristic_polynomial(M).coeffs()))
            cyclotomic = M * root_of_unity(5, 0)
            proof.exactly(
                "and without FLINT",
                [x == y for x, y in zip(bases.characteristic(cyclotomic), bases.characteristic(M), strict=True)],
                [True] * (n + 1),
            )
            s = fmpq(-3, 2)
            coefficients = bases.characteristic(M)
            proof.exactly("value_at", bases.value_at(coefficients, s), sum((c * s**k for k, c in enumerate(coefficients)), fmpq(0)))
            proof.exactly("and it is det(s - M)", bases.value_at(coefficients, s), exact.determinant(exact.identity(n) * s - M))
    for M in proof.tied(
        "a leading minor that is 0", [exact.rationals([[0, 1], [1, 0]]), exact.rationals([[1, 1], [1, 1]]), exact.rationals([[0]])]
    ):
        proof.holds("is refused", refuses(bases.separated_decay, M))
    golden = root_of_unity(5) + root_of_unity(5, 4)
    signs = [
        (fmpq(-1, 9), -1),
        (0, 0),
        (3, 1),
        (-12, -1),
        (golden, 1),
        (-golden, -1),
        (golden * 0, 0),
        (golden * golden + golden - 1, 0),
        (golden - fmpq(618, 1000), 1),
        (golden - fmpq(619, 1000), -1),
    ]
    for x, sign in proof.tied("rational numbers and (sqrt 5 - 1)/2", signs):
        proof.exactly("sign_of", bases.sign_of(x), sign)


@tie("new.fixed-point.any-letters.groups")
def fifth_turns(proof: Proof) -> None:
    """Turns of the icosahedron's axes by 72 degrees behind signs."""
    golden = root_of_unity(5) + root_of_unity(5, 4)
    # orthogonal, of trace 1 + 2 cos 72
    turn = (
        np.array(
            [[golden + 1, -1 + golden * 0, golden], [1 + golden * 0, golden, -(golden + 1)], [golden, golden + 1, 1 + golden * 0]],
            dtype=object,
        )
        / 2
    )
    one = golden * 0 + 1
    for signs in proof.tied("four sign matrices of determinant 1", [d for d in product((1, -1), repeat=3) if d[0] * d[1] * d[2] == 1]):
        D = np.array([[signs[i] * one if i == j else one * 0 for j in range(3)] for i in range(3)], dtype=object)
        found = bases.signed_fifth_turn(D)
        proof.exactly("a sign matrix itself", [x == d for x, d in zip(found, signs, strict=True)], [True] * 3)
        found = bases.signed_fifth_turn(D @ turn)
        proof.exactly("cos 72 D", [x == golden * d / 2 for x, d in zip(found, signs, strict=True)], [True] * 3)
    for M in proof.tied("a turn by 120 degrees", [permutation_matrix((1, 2, 0)) * one]):
        proof.holds("is refused", refuses(bases.signed_fifth_turn, M))


@tie("new.fixed-point.gated.sets")
def common_layers(proof: Proof) -> None:
    """Lyapunov's equation, L D L', and gated tokens that act as given matrices, checked on the equations that define them."""
    rng = Random(28)
    for n in proof.tied("1 to 5 rows", range(1, 6)):
        M = exact.identity(n) * 2 + np.triu(integers(rng, n, n, bound=2), 1)
        P = sets.lyapunov(M)
        assert P is not None
        proof.exactly("P M + M' P = I", (P @ M + M.T @ P).tolist(), exact.identity(n).tolist())
        proof.exactly("symmetric, and definite", ((P == P.T).all(), exact.is_positive_definite(P)), (True, True))
        other = sets.lyapunov(-M)
        proof.exactly("not definite where eigenvalues are negative", other is not None and not exact.is_positive_definite(other), True)
    for M in proof.tied(
        "eigenvalues a and -a", [exact.rationals([[1, 0], [0, -1]]), exact.rationals([[0, 1], [-1, 0]]), exact.rationals([[0]])]
    ):
        proof.exactly("none where the equation is singular", sets.lyapunov(M), None)
    for n in proof.tied("1 to 13 rows", range(1, 14)):
        B = exact.identity(n) * 2 + np.tril(integers(rng, n, n, bound=1), -1)
        L, d = sets.ldl(B @ B.T)
        proof.exactly("P = L D L'", (L @ diagonal(d) @ L.T).tolist(), (B @ B.T).tolist())
        proof.exactly(
            "unit triangular, and positive",
            (np.triu(L, 1).any(), [L[i, i] for i in range(n)], all(x > 0 for x in d)),
            (False, [fmpq(1)] * n, True),
        )
    half = lambda n: exact.identity(n) / fmpq(2)  # noqa: E731
    turn, shear = exact.rationals([[0, -1], [1, 0]]) / fmpq(3) + half(2), exact.rationals([["1/2", 1], [0, "1/2"]])
    low = exact.rationals([["1/2", "1/2"], [0, 0]])
    for B in proof.tied(
        "1 to 7 rows, ranks from 0 to all",
        [half(1), half(7), turn, shear, low, exact.zeros(3, 3), exact.block_diagonal([turn, exact.zeros(2, 2)])],
    ):
        R, E, d = sets.own_channels(B)
        r = exact.rank(B)
        proof.exactly("B = E R, as many channels as the rank", ((E @ R).tolist(), R.shape), (B.tolist(), (r, len(B))))
        # gated for itself: with X = R E, D (X^-1 - 1) has a positive definite symmetric part
        if r:
            H = diagonal(d) @ (exact.inverse(R @ E) - exact.identity(r))
            proof.exactly("it contracts in its metric", (exact.is_positive_definite(H + H.T), all(x > 0 for x in d)), (True, True))
    for B in proof.tied(
        "eigenvalues elsewhere, or 0 that is not semisimple",
        [exact.identity(1), -half(2), exact.rationals([[0, 1], [0, 0]]), exact.rationals([[0, -1], [1, 0]])],
    ):
        proof.holds("is refused", refuses(sets.own_channels, B))
    for matrices in proof.tied(
        "1 to 3 matrices of 1 to 3 rows",
        [[half(1)], [exact.zeros(2, 2), turn], [turn, shear, low], [half(3), exact.zeros(3, 3), exact.block_diagonal([turn, half(1)])]],
    ):
        S, tokens = sets.common_layer(matrices)
        n, m = len(matrices[0]), len(S)
        proof.exactly("injective", exact.rank(S), n)
        for B, token in zip(matrices, tokens, strict=True):
            G, Q, one = diagonal(token.gate), token.mixer, exact.identity(m)
            left = one - G @ (one - Q)
            proof.exactly("the token acts on S as the matrix", (diagonal(token.decay) @ S).tolist(), (left @ (S @ B)).tolist())
            proof.exactly(
                "gated, with decays in [0, 1)",
                ([1 - x for x in token.decay], all(0 <= x < 1 for x in token.decay)),
                (list(token.gate), True),
            )
            F = one - Q
            proof.exactly("its mixer contracts", exact.is_positive_definite(one - F.T @ F) or exact.is_contraction(F), True)
