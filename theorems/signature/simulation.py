"""The exact means and the readout of Proposition G.2 against samples (movahedi25, App. G)."""

from __future__ import annotations

import numpy as np
from flint import fmpq

from ...constructions.signature import Word, overlap_moment, signature
from ...numerics import exact
from ...numerics.low_rank import overlaps, sample, solve, states
from ..claim import claim
from ..evidence import Proof

#: pairs whose means and mean squares are compared with samples: (I, J, N, r)
SAMPLED = [((1,), (1,), 12, 3), ((1, 2), (1, 2), 8, 4), ((1,), (1, 1, 1), 8, 2), ((1, 2), (2, 1), 6, 3), ((1, 1), (1, 1), 10, 5)]


@claim(
    "new.signature.samples",
    topic="signature",
    place="after movahedi25, Eq. 15",
    kind="new",
    known="Chebyshev's inequality; a simulation of the exact moments, and of the limit law at fixed rank.",
    title="simulation agrees with the exact means within Chebyshev's bound, and at rank 2 the overlaps do not settle",
    says=r"Means of $n$ independent draws of $X_{IJ}$ lie within $4\sigma/\sqrt n$ of the exact mean, $\sigma$ the exact standard deviation, with probability at least $0.9$ ($n=400$ at standard effort). For $N=200$: $|X_{11}-1|\ge\frac12$ "
    r"with probability at least $\frac12$ at $r=2$, and at most $\frac1{10}$ at $r=100$.",
    uses=("new.signature.letter",),
    construction="lemmata.numerics.low_rank.overlaps",
    sabotages={
        "only planar pairings are counted": {"mean": lambda I, J, N, r: fmpq(overlap_moment(I, J).constant)},
        "rank 100 for rank 2": {"ranks": (100, 100)},
    },
)
def samples_agree(proof: Proof, mean=lambda I, J, N, r: overlap_moment(I, J).at(N, r), ranks: tuple[int, int] = (2, 100)) -> None:
    r"""A batch of independent draws misses its mean by four standard deviations with probability $1/16$ at most.

    1. Chebyshev's inequality, with the exact variance of $X_{IJ}$ divided by the size of the batch. [checked: "a batch's mean is within Chebyshev's bound"]
    2. At $r=2$, $N\to\infty$, $X_{11}$ has the law of an exponential variable $E$, and $P(|E-1|\ge\frac12)=1-e^{-1/2}+e^{-3/2}=0.617$; at $r=100$ the standard deviation is about $0.2$. [checked: "r = 2: |X - 1| >= 1/2"; "r = 100: |X - 1| < 1/2"]
    """
    batches, size = proof.pick((120, 250), (150, 400), (1000, 400))
    for I, J, n, r in proof.each(f"five pairs of words, N <= 12, {batches} batches of {size} independent draws", SAMPLED):
        drawn = overlaps(*sample([7, n, r, len(I)], batches * size, 2, n, r), [(I, J)])[:, 0]
        centre = float(mean(I, J, n, r))
        variance = overlap_moment(I, J, 2).at(n, r) - overlap_moment(I, J).at(n, r) ** 2
        near = abs(drawn.reshape(batches, size).mean(axis=1) - centre) <= 4 * (float(variance) / size) ** 0.5
        proof.statistically("a batch's mean is within Chebyshev's bound", int(near.sum()), batches, 0.9)
    draws = proof.pick(200, 400, 2000)
    for _ in proof.each(f"N = 200, {draws} independent draws", [0]):
        low, high = (abs(overlaps(*sample([8, r], draws, 1, 200, r), [((1,), (1,))])[:, 0] - 1) >= 0.5 for r in ranks)
        proof.statistically("r = 2: |X - 1| >= 1/2", int(low.sum()), draws, 0.5)
        proof.statistically("r = 100: |X - 1| < 1/2", int((~high).sum()), draws, 0.9)


# -- the readout itself ----------------------------------------------------------------------------------------------------

#: increments of six piecewise linear paths in the plane: corners, a straight line, and the square run through both ways
SIX_PATHS = [
    exact.rationals(p)
    for p in (
        [[1, 0], [0, 1]],
        [[0, 1], [1, 0]],
        [[1, 1]],
        [["1/2", 0], [0, "1/2"], ["-1/2", 0], [0, "-1/2"]],
        [[0, "1/2"], ["1/2", 0], [0, "-1/2"], ["-1/2", 0]],
        [[-1, 0], [0, 1]],
    )
]


def readout_error(seed: int, draws: int, N: int, r: int, read: Word, wanted: Word) -> np.ndarray:
    """The largest error |S^wanted - <A_read Y_0, Y_1> / N| over the six paths, for every draw."""
    W, M, Y = sample([seed, N, r], draws, 2, N, r)
    v = states(W, M, Y, [read])[read] / N
    return np.max([abs((v * solve(p, W, M, Y)).sum(axis=-1) - float(signature(p, len(wanted))[wanted])) for p in SIX_PATHS], axis=0)


@claim(
    "new.signature.readout",
    topic="signature",
    place="after movahedi25, Proposition G.2",
    kind="new",
    known="An illustration of Proposition G.2; nothing else is claimed.",
    title="the readout of the proof finds the entry S^12 of six paths to within 3/4 with N = 400 and r = 100, and not at rank 1",
    says=r"For six paths in the plane (corners, a line, squares), $\sup|S^{12}-\frac1N\langle A_{12}Y_0,Y_1\rangle|\le\frac34$ with probability at least $0.8$ at $N=400$, $r=100$, and more than $\frac34$ with probability at least $0.8$ at $N=400$, $r=1$.",
    uses=("movahedi25.propG.2",),
    construction="lemmata.numerics.low_rank.solve",
    sabotages={"the letters are exchanged": {"read": (2, 1)}, "rank 1 on both sides": {"ranks": (1, 1)}},
)
def readout_finds_the_signature(proof: Proof, read: Word = (1, 2), ranks: tuple[int, int] = (100, 1)) -> None:
    r"""One readout for all paths, without a fit: $v=\frac1NA_{12}Y_0$.

    1. At $r=100$ its error over six paths is at most $\frac34$ in most draws, at $r=1$ more in most. [checked: "r = 100: error <= 3/4"; "r = 1: error > 3/4"]
    """
    draws = proof.pick(80, 120, 400)
    for _ in proof.each(f"six paths, {draws} independent draws", [0]):
        high, low = (readout_error(5, draws, 400, r, read, (1, 2)) for r in ranks)
        proof.statistically("r = 100: error <= 3/4", int((high <= 0.75).sum()), draws, 0.8)
        proof.statistically("r = 1: error > 3/4", int((low > 0.75).sum()), draws, 0.8)
