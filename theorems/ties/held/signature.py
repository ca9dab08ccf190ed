"""Words and signatures, row by row: up to 13 letters, iterated sums by definition."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import factorial
from random import Random

import numpy as np
from flint import fmpq, fmpz_poly

from ....constructions import signature
from ....numerics import low_rank, wick
from ....numerics.wick import Gaussian
from ...claim import tie
from ...evidence import Proof
from . import POSITIVE, hold, hold_refusals, matrix


@tie("movahedi25.eq13")
def signatures_of_lines(proof: Proof) -> None:
    """All words in order; the signature of a line, and of two lines by Chen's identity; pairs of words up to renaming."""
    rng = Random(371)
    hold(
        proof,
        "up to 13 letters, lengths 0 to 12",
        signature.words,
        lambda n, k: [w for m in range(k + 1) for w in product(range(1, n + 1), repeat=m)],
        [(1, 12), (2, 7), (3, 4), (13, 2), (12, 1), (5, 0)],
    )
    for letters in proof.tied("1 to 13 letters, words of up to 3", POSITIVE):
        depth = 3 if letters < 6 else 2
        steps = matrix(rng, 2, letters)

        def of_line(word: tuple[int, ...], step: int, steps=steps) -> fmpq:
            out = fmpq(1, factorial(len(word)))
            for x in word:
                out = out * steps[step, x - 1]
            return out

        found = signature.signature(steps, depth)
        wanted = {
            word: sum((of_line(word[:k], 0) * of_line(word[k:], 1) for k in range(len(word) + 1)), fmpq(0))
            for n in range(depth + 1)
            for word in product(range(1, letters + 1), repeat=n)
        }
        proof.exactly("signature", found, wanted)
    for length in proof.tied("words of up to 6 letters, up to renaming", range(7)):
        first = [w for w in product(range(1, length + 1), repeat=length) if all(x <= 1 + max(w[:i], default=0) for i, x in enumerate(w))]
        proof.exactly("_first_use", sorted(signature._first_use(length)), sorted(first))


@tie("movahedi25.propG.2.count")
def moments_of_one_matrix(proof: Proof) -> None:
    """Squared lengths of a Gaussian vector and matrix, whose moments are products of n + 2j; pairings of up to 12 things by their number; names of up to 13 letters."""
    for k in proof.tied("1 to 10 traces of a vector and of a matrix", (1, 2, 3, 4, 6, 7, 10)):
        for name in ("X", "a name of many letters"):
            x, X = Gaussian(name, "n", "1"), Gaussian(name, "long name of rows", "m")
            # E |x|^(2k) = n (n + 2) ... (n + 2k - 2), for a matrix with nm in place of n
            rising = fmpz_poly([1])
            for j in range(k):
                rising = rising * fmpz_poly([2 * j, 1])
            wanted = {i: int(c) for i, c in enumerate(rising.coeffs()) if c}
            one, many = wick.moment((x.T, x) * k), wick.moment(*[(x.T, x)] * k)
            proof.exactly("a vector", [one, many], [Counter({("n",) * i: c for i, c in wanted.items()})] * 2)
            whole = Counter({(X.rows,) * i + ("m",) * i: c for i, c in wanted.items()})
            proof.exactly("a matrix", wick.moment(*[(X, X.T)] * k), whole)
            if k < 5:
                proof.exactly("by all pairings", wick.moment_by_pairings(*[(X, X.T)] * k), whole)
            proof.exactly("T, shape", (X.T, X.T.T, X.shape, X.T.shape), (Gaussian(*X[:3], True), X, (X.rows, "m"), ("m", X.rows)))
    for n in proof.tied("0 to 12 things", (0, 1, 2, 3, 4, 6, 7, 8, 10, 12)):
        things = [3 * k - 13 for k in range(n)]
        found = list(wick.pairings(things))
        proof.exactly("how many", len(found), 0 if n % 2 else factorial(n) // (2 ** (n // 2) * factorial(n // 2)))
        proof.exactly("no two alike", len({frozenset(map(frozenset, pairs)) for pairs in found}), len(found))
        proof.exactly("each in one pair", all(sorted(x for pair in pairs for x in pair) == things for pairs in found), True)


@tie("movahedi25.propG.2.pairings")
def low_rank_integers(proof: Proof) -> None:
    """States, overlaps and solutions for integers as floats and complex numbers: N r is a square, so that every step is exact; no draws below 0."""
    rng = Random(372)
    words = [(), (1,), (2,), (1, 2), (2, 1, 1), (1,) * 9]
    for N, r in proof.tied("N r a square, N <= 13", [(1, 1), (2, 2), (8, 2), (3, 12), (12, 3), (9, 9), (13, 13)]):
        root = {1: 1, 4: 2, 16: 4, 36: 6, 81: 9, 169: 13}[N * r]
        for one in (1.0, 1j, 1 - 1j):
            W, M = ([[[rng.randint(-1, 1) * root for _ in range(r)] for _ in range(N)] for _ in range(2)] for _ in range(2))
            Y = [rng.randint(-2, 2) for _ in range(N)]
            # W holds multiples of the root, so that W M' / sqrt(N r) has whole entries
            A = [[[sum(W[a][i][l] // root * M[a][j][l] for l in range(r)) for j in range(N)] for i in range(N)] for a in range(2)]
            states = {}
            for word in words:
                h = Y
                for letter in word:
                    h = [sum(A[letter - 1][i][j] * h[j] for j in range(N)) for i in range(N)]
                states[word] = h
            given = (np.array([W]) * one, np.array([M]) * 1.0, np.array([Y]) * 1.0)
            found = low_rank.states(*given, words)
            # whole numbers below 2^53 in floats, else 4 N r + 2 roundings a letter
            size = {w: max(1, *map(abs, states[w])) for w in words}
            for w in words:
                scaled = np.array([float(x) for x in states[w]]) * one ** len(w)
                apart = float(np.abs(found[w][0] - scaled).max()) / (size[w] * abs(one) ** len(w))
                proof.closely("states", apart, (4 * N * r + 2) * (N + 1) ** min(len(w), 1) * (len(w) + 1) * 2.0**-52)
            pairs = [((1,), (2,)), ((), (1, 2)), ((2, 1, 1), ())]
            wanted = [sum(x * y for x, y in zip(states[I], states[J], strict=True)) / N * one ** len(I + J) for I, J in pairs]
            apart = [
                abs(x - y) / max(1.0, N * size[I] * size[J] * abs(one) ** len(I + J))
                for x, y, (I, J) in zip(low_rank.overlaps(*given, pairs)[0], wanted, pairs, strict=True)
            ]
            proof.closely("overlaps", float(max(apart)), (4 * N * r + N + 2) * (N + 1) * 8 * 2.0**-52)
    for N in proof.tied("rank 1, one direction, increments of each type", POSITIVE):
        # A = e_1 e_1' scaled: the first coordinate grows by an exponential
        W, M, Y = np.zeros((1, 1, N, 1)), np.zeros((1, 1, N, 1)), np.arange(1.0, N + 1)[None]
        W[0, 0, 0, 0], M[0, 0, 0, 0] = N**0.5, 1
        increments: list[list[list[object]]] = [[[fmpq(1, 2)], [fmpq(-3, 4)]], [[1], [0], [-1], [2]], [[0.25], [-0.5]]]
        for path in increments:
            total = sum(float(row[0]) for row in path)  # pyright: ignore[reportArgumentType] # each is a number
            for one in (1.0, 1j):
                solved = low_rank.solve(path, W * one, M, Y * (1 + 0j))
                wanted = np.array([[np.exp(total * one), *range(2, N + 1)]])
                # 30 terms of arguments up to 2, and their rest
                proof.closely("solve", float(np.abs(solved - wanted).max()), 30 * len(path) * 8 * N * 2.0**-52)
    hold_refusals(
        proof, "sizes below 0", [(low_rank.sample, (0, *sizes)) for sizes in ((-1, 2, 3, 1), (1, -2, 3, 1), (1, 2, -3, 1), (1, 2, 3, -1))]
    )
