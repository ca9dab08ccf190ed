"""Products of random low-rank matrices in batches, against the matrices themselves."""

from __future__ import annotations

from itertools import product
from math import factorial
from random import Random

import numpy as np
from flint import fmpq
from scipy.linalg import expm

from ...constructions import samples, signature
from ...numerics import exact, low_rank
from ..claim import tie
from ..evidence import Proof


@tie("movahedi25.propG.2.pairings")
def low_rank_products(proof: Proof) -> None:
    """States, overlaps and solutions, formed with N x N matrices here."""
    words = [(), (1,), (2, 1), (1, 2, 2), (3, 1, 2, 1, 3)]
    for N, r in proof.tied("N <= 12, r <= 5, three letters, words of up to 5 letters", product((1, 3, 12), (1, 2, 5))):
        W, M, Y = low_rank.sample((N, r), 4, 3, N, r)
        proof.exactly("shapes", (W.shape, M.shape, Y.shape), ((4, 3, N, r), (4, 3, N, r), (4, N)))
        A = np.einsum("dlir,dljr->dlij", W, M) / np.sqrt(N * r)
        wanted = {}
        for word in words:
            state = Y
            for letter in word:
                state = np.einsum("dij,dj->di", A[:, letter - 1], state)
            wanted[word] = state
        found = low_rank.states(W, M, Y, words)
        scale = max(1.0, *(float(np.abs(x).max()) for x in wanted.values()))
        proof.closely("states", max(float(np.abs(found[w] - wanted[w]).max()) for w in words) / scale, 1e-12)
        pairs = [(I, J) for I in words for J in words]
        overlaps = np.stack([(wanted[I] * wanted[J]).mean(axis=1) for I, J in pairs], axis=1)
        proof.closely("overlaps", float(np.abs(low_rank.overlaps(W, M, Y, pairs) - overlaps).max()) / scale**2, 1e-12)
        increments = np.array([[0.5, 0.0, -0.25], [0.0, -0.5, 0.125]])
        solved = np.stack(
            [expm(np.einsum("l,lij->ij", increments[1], A[d])) @ expm(np.einsum("l,lij->ij", increments[0], A[d])) @ Y[d] for d in range(4)]
        )
        proof.closely(
            "solve: exponentials, one after the other",
            float(np.abs(low_rank.solve(increments, W, M, Y) - solved).max()) / max(1.0, float(np.abs(solved).max())),
            1e-10,
        )
        for torch in proof.extra("torch"):
            moved = low_rank.overlaps(torch.from_numpy(W), torch.from_numpy(M), torch.from_numpy(Y), pairs)
            proof.closely("torch: overlaps", float(np.abs(moved.numpy() - overlaps).max()) / scale**2, 1e-12)


@tie("movahedi25.propG.2.pairings")
def gaussian_entries(proof: Proof) -> None:
    """The samples are standard Gaussian and independent, as far as 10^5 of them show."""
    for N, r in proof.tied("10^5 entries", [(50, 10)]):
        W, M, Y = low_rank.sample(7, 100, 2, N, r)
        for x in (W, M):
            proof.closely("means and variances", max(abs(float(x.mean())), abs(float(x.var()) - 1)), 0.03)
        proof.closely("W and M are not correlated", abs(float((W * M).mean())), 0.03)
        proof.closely("nor Y", abs(float(Y.var()) - 1), 0.1)


@tie("movahedi25.eq13")
def signatures(proof: Proof) -> None:
    """Flows of nilpotent matrices and sums over words, for up to 16 units."""
    rng = Random(81)
    for n, letters in proof.tied("up to 16 units, 1 to 3 letters, 3 pieces", product((1, 2, 5, 9, 12, 13, 16), (1, 3))):
        matrices = [np.triu(samples.integers(rng, n, n, bound=2), 1) for _ in range(letters)]
        increments = samples.integers(rng, 3, letters) / fmpq(2)
        Y = wanted = samples.integers(rng, n)
        for piece in increments:
            A = sum((m * x for m, x in zip(matrices, piece, strict=True)), exact.zeros(n, n))
            exponential, term = exact.identity(n), exact.identity(n)
            for k in range(1, n + 3):
                term = exact.multiply(term, A) / k
                exponential = exponential + term
            wanted = exponential @ wanted
        proof.exactly("nilpotent_flow is a product of exponentials", list(signature.nilpotent_flow(increments, matrices, Y)), list(wanted))
    for pieces, letters, depth in proof.tied("up to 9 pieces, 3 letters, depth 4", [(1, 1, 4), (2, 2, 4), (9, 3, 3), (5, 1, 9)]):
        increments = samples.integers(rng, pieces, letters)
        found = signature.signature(increments, depth)
        totals = increments.sum(axis=0)
        proof.exactly("words", len(found), sum(letters**k for k in range(depth + 1)))
        proof.exactly("the empty word, and letters alone", [found[()], *(found[(i + 1,)] for i in range(letters))], [fmpq(1), *totals])
        for i in range(1, letters + 1):
            proof.exactly(
                "one letter, repeated",
                [found[(i,) * k] for k in range(depth + 1)],
                [totals[i - 1] ** k / factorial(k) for k in range(depth + 1)],
            )
            for j in range(1, letters + 1):
                shuffle = found[(i, j)] + found[(j, i)]
                proof.exactly("shuffles", shuffle, totals[i - 1] * totals[j - 1])
    for size in proof.tied("up to 16 terms", (0, 1, 3, 9, 16)):
        terms = {(i % 4, i // 4): rng.choice((-3, -1, 2, 5)) for i in range(size)}
        other = {(i % 4, i // 4): -terms.get((i % 4, i // 4), 1) if i % 2 else 4 for i in range(size + 2)}
        one, two = signature.Expansion(terms), signature.Expansion(other)
        at = lambda t, N, r: sum((fmpq(c) / (fmpq(N) ** a * fmpq(r) ** b) for (a, b), c in t.items()), fmpq(0))  # noqa: E731
        for N, r in ((1, 1), (2, 3), (16, 9)):
            proof.exactly("Expansion.at", one.at(N, r), at(terms, N, r))
            proof.exactly("a sum", (one + two).at(N, r), at(terms, N, r) + at(other, N, r))
            proof.exactly("multiples", [(c * one).at(N, r) for c in (-2, 0, 3)], [c * at(terms, N, r) for c in (-2, 0, 3)])
        proof.exactly("constant and total", (one.constant, one.total), (terms.get((0, 0), 0), sum(terms.values())))
