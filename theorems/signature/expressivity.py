"""Proposition G.2 of movahedi25 with a full proof, and its converse: random matrices of bounded rank are not expressive."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import sympy
from flint import arb, fmpq

from ...constructions import samples
from ...constructions.signature import Word, overlap_moment, signature, words
from ...numerics import exact
from ...numerics.low_rank import sample, solve, states
from ...numerics.wick import Gaussian, moment
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


def norm_bound(p: int, size: int, net: int = 18) -> arb:
    """``net`` sqrt(max(p, size)): bounds the L^p norm of the largest singular value of a Gaussian a x b matrix, a + b <= size; p and size even."""
    return net * arb(max(p, size)).sqrt()


def overlap_bound(k: int, s: fmpq, net: int = 18) -> arb:
    """B(k, s) = (net^2 max((8k + 4)/s, 2))^(2k + 1): bounds the L2 norm of X_JJ for all words of k letters if s = min(N, r)."""
    return (net**2 * arb(max(fmpq(8 * k + 4) / s, fmpq(2)))) ** (2 * k + 1)


@claim(
    "movahedi25.propG.2.tail",
    topic="signature",
    place="App. G, Eq. 15",
    kind="amended",
    amends="movahedi25.propG.2.series",
    title="an explicit bound of the overlaps that the signature's decay can sum, uniformly in N and r",
    says=r"$\|X_{IJ}\|_{L^2}\le\sqrt{B(|I|,s)B(|J|,s)}$ with $s=\min(N,r)$ and $B(k,s)=\big(324\max(\tfrac{8k+4}s,2)\big)^{2k+1}$; and $\sum_{n>n_0}\frac{x^n}{n!}\sqrt{B(n,s)}\to0$ for $n_0\to\infty$, uniformly in "
    r"$s\ge7776\,e\,x$.",
    sabotages={"a net of one point": {"net": 1}, "one matrix is forgotten": {"power": lambda k: 2 * k - 3}},
)
def summable_bound(proof: Proof, net: int = 18, power=lambda k: 2 * k + 1) -> None:
    """Norms. For a Gaussian a x b matrix Z and 1/4-nets of the two spheres, of 9^a and 9^b points at most, |Z| <= 2 max |u'Zv|, so
    E|Z|^p <= 2^p 9^(a+b) E|g|^p, and E|g|^p = (p - 1)!! <= p^(p/2): for even p >= a + b the L^p norm is at most 18 sqrt p.
    Overlaps. For r <= N write A_J Y_0 / sqrt N as (W/sqrt N) (M'W/sqrt(Nr)) ... (M'W/sqrt(Nr)) (M'Y_0/sqrt(Nr)). As W is independent of M, and W of Y_0,
    |M'W| <= |M| |Z| with an r x r Gaussian Z. So X_JJ is at most the square of a product of k + 1 norms over sqrt N and k norms over sqrt r, for k letters, and
    Hoelder with p = 4(2k + 1) gives B. For r > N take |W M'| <= |M| |Z| with an N x N one: the same count. Last, |X_IJ|^2 <= X_II X_JJ.
    Sum. sqrt B(n, s) is at most 18^(2n+1) (2^(n+1/2) + ((8n+4)/s)^(n+1/2)). Divided by n!, both parts shrink by half at least from one n to the next,
    the first from n + 1 >= 1296 x on, the second for s >= 7776 e x, since (1 + 1/y)^y < e."""
    top = proof.pick(40, 100, 300)
    for p in proof.every(f"even p <= {top}", range(2, top + 1, 2)):
        proof.holds("E|g|^p = (p - 1)!! <= p^(p/2)", double_factorial(p - 1) ** 2 <= p**p)
    sizes = proof.pick((1, 2, 40), (1, 2, 6, 40, 200), (1, 2, 6, 40, 200, 1000))
    highest = proof.pick(6, 8, 12)
    for a, b in proof.each(f"E tr (ZZ')^k for k <= {highest}, sizes up to {sizes[-1]}", product(sizes, sizes)):
        for k in range(1, highest + 1):
            Z = Gaussian("Z", "a", "b")
            trace = sum(c * a ** m.count("a") * b ** m.count("b") for m, c in moment((Z, Z.T) * k).items())
            size = a + b + (a + b) % 2
            least = (arb(trace) / min(a, b)) ** (arb(1) / (2 * k))
            proof.certified("E|Z|^2k >= E tr / min(a, b) stays below the bound", bool(least <= norm_bound(2 * k, size, net)), f"k = {k}")
    most = proof.pick(1, 2, 3)
    for k in proof.every(f"E X_JJ^2 for words of k <= {most} letters, N and r in 1, 2, 5, 30, 1000", range(most + 1)):
        for N, r in product((1, 2, 5, 30, 1000), repeat=2):
            value = overlap_moment((1,) * k, (1,) * k, 2).at(N, r)
            bound = (net**2 * arb(max(fmpq(8 * k + 4) / min(N, r), fmpq(2)))) ** power(k)
            proof.certified("E X_JJ^2 <= B^2, one letter being the worst word", bool(arb(value) <= bound**2), f"k = {k}, N = {N}, r = {r}")
    n, x = sympy.symbols("n x", positive=True)
    first = (648 * x) ** n / sympy.gamma(n + 1)
    proof.symbolically("quotient of the first part", sympy.gammasimp(first.subs(n, n + 1) / first), 648 * x / (n + 1), free="n, x")
    proof.symbolically("base of the second part's quotient", (8 * n + 12) / (8 * n + 4) - 1, 1 / (n + sympy.Rational(1, 2)), free="n")
    proof.symbolically("(8n + 12)/(n + 1) <= 12 for n >= 0", 12 - (8 * n + 12) / (n + 1), 4 * n / (n + 1), free="n")


def tail(x: fmpq, s: fmpq, after: int) -> arb:
    """Bounds sum over n > ``after`` of x^n / n! sqrt B(n, s): twice its first terms. Raises ``ValueError`` where they do not shrink by half."""
    n = after + 1
    if n < 1296 * x or not arb(s) >= 7776 * arb(1).exp() * arb(x):
        raise ValueError(f"expected more terms than 1296 x = {1296 * x} and s >= 7776 e x, got {after} terms and s = {s}")
    half = arb(2 * n + 1) / 2
    # the logarithm keeps the numbers small
    common = n * arb(x).log() - arb(n + 1).lgamma() + (2 * n + 1) * arb(18).log()
    return 2 * ((common + half * arb(2).log()).exp() + (common + half * (arb(8 * n + 4) / arb(s)).log()).exp())


def short_words(x: fmpq, length: int, after: int) -> arb:
    """sum over n <= ``after`` of x^n / n! (2 (length + n) - 1)!!."""
    term = total = arb(double_factorial(2 * length - 1))
    for n in range(1, after + 1):
        term = term * arb(x) * (2 * (length + n) - 1) / n
        total = total + term
    return total


def readout_bound(x: fmpq, length: int, s: int, after: int) -> arb:
    """Bounds the mean of sup |S^I - v'Y| for |I| = ``length``, min(N, r) >= s: words of up to ``after`` letters by sqrt(P/s), the rest by B."""
    return short_words(x, length, after) * (arb(3) / s).sqrt() + overlap_bound(length, fmpq(s)).sqrt() * tail(x, fmpq(s), after)


def sufficient_size(x: fmpq, length: int, tolerance: fmpq) -> tuple[int, int]:
    """(n_0, k) for which ``readout_bound`` is at most ``tolerance`` at s = 10^k; x is the number of letters times the length of the paths.

    First n_0, good for all s from 10^9 on, then s.
    """
    after, least = int(1300 * x) + 1, 9
    while not overlap_bound(length, fmpq(10**least)).sqrt() * tail(x, fmpq(10**least), after) <= arb(tolerance) / 2:
        after += after // 4
    needed = 3 * (2 * short_words(x, length, after) / arb(tolerance)) ** 2
    return after, max(least, int((needed.log() / arb(10).log()).upper().ceil().unique_fmpz()))


@claim(
    "movahedi25.propG.2",
    topic="signature",
    place="Proposition G.2",
    title="random matrices of rank r_N -> infinity, however slowly, achieve maximal probabilistic expressivity, and some explicit size suffices",
    says=r"If $r_N\to\infty$, then for every compact set of paths of bounded variation, $\alpha$ and $\varepsilon$, with probability tending to 1 some $v$ has $\sup|\langle\alpha,S\rangle-v^\top Y|<\varepsilon$. "
    r"With $x=dL$ for $d$ letters and paths of length $L$: $\mathbb E\sup|S^I-v^\top Y|\le\sum_{n\le n_0}\frac{x^n}{n!}\sqrt{\tfrac{P}{s}}+\sqrt{B(|I|,s)}\sum_{n>n_0}\frac{x^n}{n!}\sqrt{B(n,s)}$, $s=\min(N,r)$.",
    reading="compact in the 1-variation topology; W and M independent for different letters",
    uses=("movahedi25.propG.2.pairings", "movahedi25.propG.2.count.amended", "movahedi25.propG.2.tail"),
    sabotages={"a rank that stays": {"rank": lambda s: 10**12}, "half of the digits": {"rank": lambda s: 10 ** (len(str(s)) // 2)}},
)
def expressive_with_growing_rank(proof: Proof, rank=lambda s: s) -> None:
    """v = (1/N) A_I Y_0 reads sum_J X_IJ S^J, and |S^J| <= L^n/n! for |J| = n, uniformly over the paths and times, with d^n words of n letters. So the mean of the
    supremum of the error is at most sum_n (dL)^n/n! max_J |X_IJ - delta_IJ|: up to n_0 by P/s, beyond it by B. Choose n_0 first, uniformly in s,
    then s. Markov's inequality does the rest, and linear combinations add up. Here the bound is evaluated in balls: it is finite, and absurdly large."""
    cases = proof.pick([(1, 1)], [(1, 1), (2, 1), (1, 2)], [(1, 0), (1, 1), (2, 1), (4, 1), (1, 4)])
    for x, length in proof.each("mean error below 1/100 for (dL, |I|) = " + ", ".join(map(str, cases)), cases):
        after, digits = sufficient_size(fmpq(x), length, fmpq(1, 100))
        bound = readout_bound(fmpq(x), length, rank(10**digits), after)
        proof.certified(
            "the mean error is small at the size found",
            bool(bound <= arb(1) / 100),
            f"min(N, r) = 10^{digits}, words of {after} letters: {bound}",
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
