"""Products of random low-rank matrices in batches, against the matrices themselves."""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy.linalg import expm

from ...numerics import low_rank
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
            moved = low_rank.overlaps(*(torch.from_numpy(x) for x in (W, M, Y)), pairs)
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
