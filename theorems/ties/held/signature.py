"""Words and signatures, row by row: up to 13 letters, iterated sums by definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice, product
from math import factorial
from random import Random
from typing import Any

import numpy as np
import sympy
from flint import fmpq, fmpz_poly

from ....constructions import signature
from ....numerics import low_rank, wick
from ....numerics.wick import Gaussian
from ...claim import tie
from ...evidence import Proof
from . import POSITIVE, hold, hold_refusals, matrix


def restricted_growth(length: int) -> Iterator[tuple[int, ...]]:
    """Words in which each new letter is the next number, in order: the last letter that may grow does, and 1 follows."""
    word = [1] * length
    while True:
        yield tuple(word)
        grows = [i for i in range(1, length) if word[i] <= max(word[:i])]
        if not grows:
            return
        word = [*word[: grows[-1]], word[grows[-1]] + 1, *[1] * (length - grows[-1] - 1)]


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
    for total in proof.tied("the first thousand pairs of 9, 12 and 13 letters, up to renaming", (9, 12, 13)):
        pairs = [(w[:k], w[k:]) for w in islice(restricted_growth(total), 200) for k in range(total // 2 + 1)][:1000]
        proof.exactly("word_pairs", list(islice(signature.word_pairs(total), 1000)), pairs)
        proof.exactly("_first_use", list(islice(signature._first_use(total), 300)), list(islice(restricted_growth(total), 300)))
    for length in proof.tied("words of up to 6 letters, up to renaming", range(7)):
        first = [w for w in product(range(1, length + 1), repeat=length) if all(x <= 1 + max(w[:i], default=0) for i, x in enumerate(w))]
        proof.exactly("_first_use", sorted(signature._first_use(length)), sorted(first))


@tie("movahedi25.propG.2.count")
def shapes_that_do_not_fit(proof: Proof) -> None:
    """A trace of matrices that cannot be multiplied is refused, alone and beside others."""
    X, Y = Gaussian("X", "n", "m"), Gaussian("Y", "m", "k")
    fits, bad = (X, Y, Y.T, X.T), [(X,), (X, Y), (X, X.T, X), (X.T, Y), (X, Y, X.T, Y.T)]
    hold_refusals(proof, "traces", [(wick.moment, given) for trace in bad for given in ((trace,), (fits, trace), (trace, fits))])


@tie("movahedi25.propG.2.count")
def moments_of_one_matrix(proof: Proof) -> None:
    """Squared lengths of a Gaussian vector and matrix, whose moments are products of n + 2j; pairings of up to 12 things by their number; names of up to 13 letters."""
    for n in proof.tied("12 to 0 things", (12, 10, 8, 7, 6, 4, 3, 2, 1, 0)):
        things = [3 * k - 13 for k in range(n)]
        found = list(wick.pairings(things))
        proof.exactly("how many", len(found), 0 if n % 2 else factorial(n) // (2 ** (n // 2) * factorial(n // 2)))
        proof.exactly("no two alike", len({frozenset(map(frozenset, pairs)) for pairs in found}), len(found))
        proof.exactly("each in one pair", all(sorted(x for pair in pairs for x in pair) == things for pairs in found), True)
    for k in proof.tied("10 to 1 traces of a vector and of a matrix", (10, 7, 6, 4, 3, 2, 1)):
        for name in ("X", "a name of many letters"):
            x, X = Gaussian(name, "n", "1"), Gaussian(name, "long name of rows", "m")
            # E |x|^(2k) = n (n + 2) ... (n + 2k - 2), for a matrix with nm in place of n
            rising = fmpz_poly([1])
            for j in range(k):
                rising = rising * fmpz_poly([2 * j, 1])
            wanted = {i: int(c) for i, c in enumerate(rising.coeffs()) if c}
            many, one = wick.moment(*[(x.T, x)] * k), wick.moment((x.T, x) * k)
            proof.exactly("a vector", [one, many], [Counter({("n",) * i: c for i, c in wanted.items()})] * 2)
            whole = Counter({(X.rows,) * i + ("m",) * i: c for i, c in wanted.items()})
            proof.exactly("a matrix", wick.moment(*[(X, X.T)] * k), whole)
            if k < 5:
                proof.exactly("by all pairings", wick.moment_by_pairings(*[(X, X.T)] * k), whole)
            proof.exactly("T, shape", (X.T, X.T.T, X.shape, X.T.shape), (Gaussian(*X[:3], True), X, (X.rows, "m"), ("m", X.rows)))


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


@tie("movahedi25.eq15")
def moments_of_long_words(proof: Proof) -> None:
    """Matrices by their names, moments of words of up to 13 different letters, which are 1, expansions of up to 13 terms at numbers."""
    rng = Random(373)
    for k in proof.tied("letters -13 to 13", range(-13, 14)):
        W, M, G = Gaussian(f"W{k}", "N", "r"), Gaussian(f"M{k}", "N", "r", True), Gaussian(f"G{k}", "N", "N")
        proof.exactly("low_rank, dense", (signature.low_rank(k), signature.dense(k)), ((W, M), (G,)))
    for n in proof.tied("words of 1 to 13 different letters", POSITIVE):
        letters = rng.sample([*range(-13, 0), *range(1, 14)], n)
        other = (*letters[1:], 14)
        for mixer in (signature.low_rank, signature.dense):
            # E |A Y|^2 = |Y|^2 for each letter, and a letter that comes once has mean 0
            moments = [signature.overlap_moment(tuple(letters), J, 1, mixer).terms for J in (tuple(letters), other)]
            proof.exactly("overlap_moment", moments, [{(0, 0): 1}, {}])
        # X has mean 1 or 0, and the mean of the square of what is left over is the moment minus the square of the mean
        if n < 4:
            second = signature.overlap_moment(tuple(letters), tuple(letters), 2).terms
            wanted = {key: c for key, c in {**second, (0, 0): second.get((0, 0), 0) - 1}.items() if c}
            proof.exactly("squared_error", signature.squared_error(tuple(letters), tuple(letters)).terms, wanted)
            apart = signature.overlap_moment(tuple(letters), other, 2).terms
            proof.exactly("squared_error: of two words", signature.squared_error(tuple(letters), other).terms, apart)
        Y, chain = Gaussian("Y", "N", "1"), [x for k in reversed(other) for x in signature.low_rank(k)]
        back = [x.T for k in letters for x in reversed(signature.low_rank(k))]
        proof.exactly("overlap_trace", signature.overlap_trace(tuple(letters), other), (Y.T, *back, *chain, Y))
        terms = {(i, rng.randint(-3, 3)): rng.choice((-2, 1, 5)) for i in range(-2, n - 2)}
        N, r = sympy.symbols("N r")
        expansion = signature.Expansion(terms)
        for at in ((2, 3), (5, 1)):
            wanted = sum((fmpq(c) * fmpq(at[0]) ** -a * fmpq(at[1]) ** -b for (a, b), c in terms.items()), fmpq(0))
            found: Any = expansion.in_symbols(N, r).subs({N: at[0], r: at[1]})
            proof.exactly("in_symbols, at", (fmpq(int(found.p), int(found.q)), expansion.at(*at)), (wanted, wanted))
