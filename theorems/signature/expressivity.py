"""Proposition G.2 of movahedi25 with a full proof, and its converse: random matrices of bounded rank are not expressive."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
import sympy
from flint import acb_mat, arb, arb_mat, fmpq

from ...constructions import samples
from ...constructions.signature import Word, signature, words
from ...numerics import exact
from ...numerics.enclosures import largest_eigenvalue
from ...numerics.low_rank import sample, solve, states
from ..claim import claim
from ..evidence import Proof
from .moments import double_factorial

# -- the printed route -----------------------------------------------------------------------------------------------------


@claim(
    "movahedi25.propG.2.series",
    topic="signature",
    place="App. G, proof of Proposition G.2, first sentence",
    title="the bound (15) with kappa = 4, summed over all words against the decay of the signature, bounds the error of the readout",
    says=r"With $v=\frac1N\sum_I\alpha_IA_IY_0$ the error is $\sum_I\alpha_I\sum_J(X_{IJ}-\delta_{IJ})S^J$, and (15) with $|S^J|\le x^{|J|}/|J|!$ bounds its mean: $\sum_n\frac{x^n}{n!}(4(|I|+n))!!<\infty$.",
    reading="the proof needs nothing but (15), with kappa = 4 as it finds; x is the length of the path, one letter",
    sabotages={"kappa = 2": {"kappa": 2}, "a signature that decays like (1/n!)^2": {"decay": 2}},
)
def bound_is_not_summable(proof: Proof, kappa: int = 4, decay: int = 1) -> None:
    """(4n)!! grows like (n!)^2 and the signature decays like 1/n!, so the quotient of consecutive terms grows without bound, for every x > 0; an o(1) that
    does not depend on n does not help. With kappa = 2, which (15) admits, the sum is finite for x < 1/2 alone."""
    n, i, x = sympy.symbols("n i x", positive=True)
    # (k (m + 1))!! / (k m)!! for even k
    growth = sympy.prod([kappa * (n + i) + 2 * j for j in range(1, kappa // 2 + 1)])
    quotient = growth * x / (n + 1) ** decay
    steps = [double_factorial(kappa * (m + 1)) == double_factorial(kappa * m) * growth.subs({n: m, i: 0}) for m in range(20)]
    proof.counterexample(
        given={"kappa": kappa, "quotient of consecutive terms, i = |I|": str(sympy.factor(quotient))},
        hypotheses={"the quotients of the double factorials for n < 20": all(steps)},
        violates={"the quotient tends to infinity for every x > 0": sympy.limit(quotient, n, sympy.oo) == sympy.oo},
        how="symbolic",
        minimal="one letter, every length x > 0 of the path",
    )


# -- a bound that can be summed --------------------------------------------------------------------------------------------


def norm_squared(matrix: np.ndarray) -> arb:
    """The square of the largest singular value of a rational matrix, as a ball."""
    gram = exact.to_flint(matrix @ matrix.T if len(matrix) < matrix.shape[1] else matrix.T @ matrix)
    return largest_eigenvalue(acb_mat(arb_mat(gram)))


def overlap_by_norms(W: list[np.ndarray], M: list[np.ndarray], Y: np.ndarray, word: Word) -> arb:
    """|W_last|^2/N, |M'W|^2/(Nr) for each two neighbouring letters and |M_first'Y|^2/(Nr), multiplied: bounds X_JJ for a word of a letter or more."""
    N, r = W[0].shape
    first, last = word[0] - 1, word[-1] - 1
    value = norm_squared(W[last]) / N * norm_squared(M[first].T @ Y) / (N * r)
    for before, after in pairwise(word):
        value = value * norm_squared(M[after - 1].T @ W[before - 1]) / (N * r)
    return value


@claim(
    "movahedi25.propG.2.tail",
    topic="signature",
    place="App. G, Eq. 15",
    kind="amended",
    amends="movahedi25.propG.2.series",
    title="with overwhelming probability all overlaps of all words obey at once a bound that the signature's decay can sum",
    says=r"For $d$ letters and $s=\min(N,r)$, with probability at least $1-(d^2+3d+1)e^{-1.8s}$: $|X_{IJ}|\le50^{|I|+|J|+1}$ for all words $I,J$. And $\sum_n\frac{L^n}{n!}50^{|I|+n+1}<\infty$ for every $L$.",
    sabotages={
        "4 for 5: the net wins": {"factor": 4},
        "the last letter is forgotten": {"by_norms": lambda W, M, Y, word: overlap_by_norms(W, M, Y, word[:-1] or word)},
    },
)
def all_words_at_once(proof: Proof, factor: int = 5, by_norms=overlap_by_norms) -> None:
    """Norms. For a Gaussian a x b matrix Z and 1/4-nets of the two spheres, of 9^a and 9^b points at most, |Z| <= 2 max |u'Zv|, and each u'Zv is a standard Gaussian:
    P(|Z| > 5 sqrt S) <= 9^S exp(-25 S/8) <= e^(-0.9 S) for S >= a + b.
    Overlaps. For r <= N write A_J Y_0 / sqrt N as (W/sqrt N) (M'W/sqrt(Nr)) ... (M'W/sqrt(Nr)) (M'Y_0/sqrt(Nr)). W is independent of M, and M of Y_0, so
    |M'W| <= |M| |Z| and |M'Y_0| <= |Y_0| |z| with Gaussian r x r matrices Z and vectors z. The d matrices W and M and Y_0 have S = 2N, the d^2 Z and d z have S = 2r;
    if all keep their bounds, k letters make k + 1 factors 5 sqrt 2 of the one kind and k of the other: X_JJ <= 50^(2k + 1). For r > N take
    |WM'| <= |M| |Z| with N x N matrices Z: the same count. Last, X_IJ^2 <= X_II X_JJ."""
    margin = arb(factor) ** 2 / 8 - arb(9).log()
    proof.certified("25/8 - ln 9 >= 0.9", bool(margin >= arb("0.9")), margin.str(5))
    grid = [fmpq(k, 4) for k in range(1, 80)]
    for u in proof.each("u = 1/4, 1/2, ..., 79/4", grid):
        # Chernoff: P(g > u) <= e^(-u^2/2), and both signs by the factor 1/2 of the two tails
        proof.certified("P(|g| > u) <= exp(-u^2/2)", bool((arb(u) / arb(2).sqrt()).erfc() <= (-(arb(u) ** 2) / 2).exp()))
    for a in proof.each("vectors of 1 .. 60 entries, exact law", range(1, 61)):
        beyond = (arb(factor) ** 2 * (a + 1) / 2).gamma_upper(arb(a) / 2, regularized=1)
        proof.certified("P(|Z| > 5 sqrt S) <= exp(-0.9 S)", bool(beyond <= (arb("-0.9") * (a + 1)).exp()))
    rng = Random(41)
    for N, r in proof.each("random integer matrices, d = 2, words of up to 3 letters, (N, r) = (6, 2), (3, 3)", [(6, 2), (3, 3)]):
        W, M = ([samples.integers(rng, N, r) for _ in range(2)] for _ in range(2))
        Y = samples.integers(rng, N, 1)
        for word in words(2, 3)[1:]:
            state = Y
            for letter in word:
                state = W[letter - 1] @ (M[letter - 1].T @ state)
            overlap = (state.T @ state)[0, 0] / fmpq(N * (N * r) ** len(word))
            proof.certified(
                "X_JJ is at most the product of squared norms",
                bool(arb(overlap) <= by_norms(W, M, Y, word) * (1 + arb(10) ** -9)),
                f"word {word}",
            )
    n, x = sympy.symbols("n x", positive=True)
    term = (50 * x) ** n / sympy.gamma(n + 1)
    proof.symbolically("the quotient of consecutive terms", sympy.gammasimp(term.subs(n, n + 1) / term), 50 * x / (n + 1), free="n, x = L")


def long_words(length: int, L: fmpq, after: int) -> arb:
    """Bounds sum over n > ``after`` of L^n / n! 50^(length + n + 1): twice its first term. Raises ``ValueError`` where the terms do not shrink by half."""
    n = after + 1
    if n + 1 < 100 * L:
        raise ValueError(f"expected {100 * L} words or more, got {n}: the terms do not shrink by half")
    return 2 * ((50 * arb(L)).log() * n - arb(n + 1).lgamma()).exp() * arb(50) ** (length + 1)


def short_words(length: int, x: fmpq, after: int) -> arb:
    """sum over n <= ``after`` of x^n / n! (2 (length + n) - 1)!!."""
    term = total = arb(double_factorial(2 * length - 1))
    for n in range(1, after + 1):
        term = term * arb(x) * (2 * (length + n) - 1) / n
        total = total + term
    return total


def failure_bound(length: int, d: int, L: fmpq, s: int, tolerance: fmpq, after: int) -> arb:
    """Bounds P(sup |S^I - v'Y| > tolerance) for |I| = ``length``, d letters, paths of length L and min(N, r) >= s; 1 where it says nothing.

    Words of more than ``after`` letters take half of the tolerance at most, on the event of all norms; Markov's inequality does the rest.
    """
    if not long_words(length, L, after) <= arb(tolerance) / 2:
        return arb(1)
    mean = short_words(length, d * L, after) * (arb(3) / s).sqrt()
    return 2 * mean / arb(tolerance) + (d * d + 3 * d + 1) * (arb("-1.8") * s).exp()


def sufficient_size(length: int, d: int, L: fmpq, tolerance: fmpq, failure: fmpq) -> tuple[int, int]:
    """(n_0, k) for which ``failure_bound`` is at most ``failure`` at s = 10^k: first n_0, which does not depend on s, then s."""
    after = int(100 * L) + 1
    while not long_words(length, L, after) <= arb(tolerance) / 2:
        after += 1
    digits = 1
    while not failure_bound(length, d, L, 10**digits, tolerance, after) <= arb(failure):
        digits += 1
    return after, digits


@claim(
    "movahedi25.propG.2",
    topic="signature",
    place="Proposition G.2",
    title="random matrices of rank r_N -> infinity, however slowly, achieve maximal probabilistic expressivity, and some explicit size suffices",
    says=r"If $r_N\to\infty$, then for every compact set of paths of bounded variation, $\alpha$ and $\varepsilon$, with probability tending to 1 some $v$ has $\sup|\langle\alpha,S\rangle-v^\top Y|<\varepsilon$. "
    r"For $d$ letters, paths of length $L$ and $\sum_{n>n_0}\frac{L^n}{n!}50^{|I|+n+1}\le\frac\varepsilon2$: $P(\sup|S^I-v^\top Y|>\varepsilon)\le\frac2\varepsilon\sum_{n\le n_0}\frac{(dL)^n}{n!}\sqrt{\tfrac{P_n}{s}}+(d^2+3d+1)e^{-1.8s}$, $s=\min(N,r)$, $P_n=3((2|I|+2n-1)!!)^2$.",
    reading="compact in the 1-variation topology; the length of a path is the sum of the variations of its components; W and M independent for different letters",
    uses=("movahedi25.propG.2.pairings", "movahedi25.propG.2.count.amended", "movahedi25.propG.2.tail"),
    sabotages={"a rank that stays": {"rank": lambda s: 10**12}, "half of the digits": {"rank": lambda s: 10 ** (len(str(s)) // 2)}},
)
def expressive_with_growing_rank(proof: Proof, rank=lambda s: s) -> None:
    """v = (1/N) A_I Y_0 reads sum_J X_IJ S^J, and sum over |J| = n of |S^J| is at most L^n/n!, uniformly over the paths and times. Words of more than n_0 letters are small on the
    event of all norms, whatever N and r. The finitely many others have |S^J| <= L^n/n!, d^n words of n letters, and mean errors of at most sqrt(P/s): Markov's
    inequality. Choose n_0 first, then s; linear combinations add up. Here the bound is evaluated in balls: it is finite, and absurdly large."""
    cases = proof.pick([(1, 1, 1)], [(1, 1, 1), (2, 2, 1), (2, 1, 3)], [(0, 1, 1), (1, 1, 1), (2, 2, 1), (2, 1, 3), (4, 3, 5)])
    names = ", ".join(map(str, cases))
    for length, d, L in proof.each(f"error below 1/100 with probability 99/100 for (|I|, d, L) = {names}", cases):
        after, digits = sufficient_size(length, d, fmpq(L), fmpq(1, 100), fmpq(1, 100))
        bound = failure_bound(length, d, fmpq(L), rank(10**digits), fmpq(1, 100), after)
        proof.certified(
            "the size found suffices", bool(bound <= arb(1) / 100), f"min(N, r) = 10^{digits}, words of {after} letters: {bound}"
        )


# -- bounded rank ----------------------------------------------------------------------------------------------------------


def independent_paths(rng: Random, letters: int, count: int) -> tuple[list[np.ndarray], np.ndarray]:
    """As many integer paths as words, and the invertible matrix of the first ``count`` signature entries (rows) on them (columns)."""
    depth = next(n for n in range(count + 1) if len(words(letters, n)) >= count)
    chosen = words(letters, depth)[:count]
    while True:
        paths = [samples.integers(rng, rng.randint(1, 3), letters, bound=2) for _ in range(count)]
        signatures = [signature(p, depth) for p in paths]
        E = np.array([[S[w] for S in signatures] for w in chosen], dtype=object)
        if exact.rank(E) == count:
            return paths, E


def random_state_space(rng: Random, letters: int, N: int, r: int) -> tuple[list[np.ndarray], np.ndarray]:
    """Integer matrices A^i = W M' of rank r at most, and Y_0."""
    return [samples.integers(rng, N, r) @ samples.integers(rng, N, r).T for _ in range(letters)], samples.integers(rng, N, 1)


def reached(matrices: list[np.ndarray], Y: np.ndarray, length: int) -> np.ndarray:
    """A_J Y_0 for all words J of at most ``length`` letters, as columns."""
    known: dict[Word, np.ndarray] = {(): Y}
    for w in words(len(matrices), length)[1:]:
        known[w] = matrices[w[-1] - 1] @ known[w[:-1]]
    return np.hstack(list(known.values()))


@claim(
    "new.signature.bounded-rank",
    topic="signature",
    place="after movahedi25, Remark G.4",
    kind="new",
    title="growing rank is necessary: with matrices of rank at most r, whatever their law and however large N, maximal probabilistic expressivity fails",
    says=r"If $\operatorname{rank}A^i\le r$ for all $N$, then $Y_t\in\operatorname{span}(Y_0)+\sum_i\operatorname{im}A^i$, of dimension at most $1+rd$; so of any $K=2+rd$ linearly independent signature entries one is missed by more than an "
    r"$\varepsilon_0>0$ that depends on the paths alone, on every draw: one of them has success probability at most $1-\frac1K$ for infinitely many $N$.",
    hypotheses=("d letters, d and r at least 1; the set of paths contains K paths on which K signature entries are independent",),
    sabotages={"Y_0 is not counted": {"dimension": lambda r, d: r * d}, "matrices of full rank": {"rank_of": lambda r, N: N}},
)
def bounded_rank_fails(proof: Proof, dimension=lambda r, d: 1 + r * d, rank_of=lambda r, N: r) -> None:
    """The readouts v'Y of one draw, on K paths, make a matrix B of rank at most 1 + rd < K. The signature entries make an invertible matrix E.
    If |E - B| <= e in every entry and e K |E^-1| < 1 (largest row sum), then I - E^-1 (E - B) = E^-1 B is invertible, a contradiction. If all K entries were within
    e with probability above 1 - 1/K, they would be so together on some draw. One of the K fails for infinitely many N."""
    rng = Random(31)
    cases = proof.pick([(1, 1), (2, 1)], [(1, 1), (1, 2), (2, 1), (2, 2)], [(1, 1), (1, 2), (1, 4), (2, 1), (2, 2), (3, 1), (3, 2)])
    for d, r in proof.each("(d, r) = " + ", ".join(map(str, cases)) + ", N <= 20, exact", cases):
        ranks = []
        for N in (dimension(r, d) + 1, 20):
            A, Y = random_state_space(rng, d, N, rank_of(r, N))
            # a span that does not grow with one more letter never grows again
            spans = [exact.rank(reached(A, Y, length)) for length in range(r * d + 3)]
            proof.holds("the states span 1 + rd dimensions at most", spans[-1] <= dimension(r, d))
            proof.exactly("longer words add none", spans[-1], spans[-2])
            ranks.append(spans[-1])
        proof.holds("and no fewer for some matrices", max(ranks) == dimension(r, d))
        K = 2 + r * d
        _, E = independent_paths(rng, d, K)
        inverse = exact.inverse(E)
        e = 1 / (K * max(sum(abs(x) for x in row) for row in inverse))
        proof.holds("K signature entries are independent on K paths, and e > 0", e > 0)
        for _ in range(5):
            noise = np.array([[fmpq(rng.randint(-99, 99), 100) * e for _ in range(K)] for _ in range(K)], dtype=object)
            proof.exactly("a matrix within e has rank K", exact.rank(E - noise), K)


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
    title="the readout of the proof finds the entry S^12 of six paths to within 3/4 with N = 400 and r = 100, and not at rank 1",
    says=r"For six paths in the plane (corners, a line, squares), $\sup|S^{12}-\frac1N\langle A_{12}Y_0,Y_1\rangle|\le\frac34$ with probability at least $0.8$ at $N=400$, $r=100$, and more than $\frac34$ with probability at least $0.8$ at $N=400$, $r=1$.",
    uses=("movahedi25.propG.2",),
    construction="lemmata.numerics.low_rank.solve",
    sabotages={"the letters are exchanged": {"read": (2, 1)}, "rank 1 on both sides": {"ranks": (1, 1)}},
)
def readout_finds_the_signature(proof: Proof, read: Word = (1, 2), ranks: tuple[int, int] = (100, 1)) -> None:
    """One readout for all paths, without a fit: v = (1/N) A_12 Y_0."""
    draws = proof.pick(80, 120, 400)
    for _ in proof.each(f"six paths, {draws} independent draws", [0]):
        high, low = (readout_error(5, draws, 400, r, read, (1, 2)) for r in ranks)
        proof.statistically("r = 100: error <= 3/4", int((high <= 0.75).sum()), draws, 0.8)
        proof.statistically("r = 1: error > 3/4", int((low > 0.75).sum()), draws, 0.8)
