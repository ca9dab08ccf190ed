"""Proposition G.2 of movahedi25 with a full proof, and its converse: random matrices of bounded rank are not expressive."""

from __future__ import annotations

from itertools import pairwise
from math import factorial
from random import Random

import numpy as np
import sympy
from flint import acb_mat, arb, arb_mat, fmpq

from ...constructions import samples
from ...constructions.signature import Word, signature, word_pairs, words
from ...numerics import exact
from ...numerics.aliases import Exact
from ...numerics.enclosures import largest_eigenvalue
from ..claim import claim
from ..evidence import Proof
from .moments import double_factorial, pairings_of

# -- the printed route -----------------------------------------------------------------------------------------------------


@claim(
    "movahedi25.propG.2.series",
    place="App. G, proof of Proposition G.2, first sentence",
    flaw="gap",
    quotes=("we only need to prove a bound of type",),
    title="the bound (15) with κ = 4, to which the proof reduces the proposition, cannot be summed against the signature",
    says=r"With $v=\frac1N\sum_I\alpha_IA_IY_0$ the error is $\sum_I\alpha_I\sum_J(X_{IJ}-\delta_{IJ})S^J$, and (15) with $|S^J|\le x^{|J|}/|J|!$ bounds its mean: $\sum_n\frac{x^n}{n!}(4(|I|+n))!!<\infty$.",
    reading="the proof needs nothing but (15), with kappa = 4 as it finds; x is the length of the path, one letter",
    letter="The bound (15) with kappa = 4 does not prove Proposition G.2. The error of the readout is a sum over all words J. There (4(|I| + n))!! grows like "
    "(n!)^2 while the signature decays like 1/n!, so the sum of the bounds diverges. Norms of the Gaussian matrices bound all long words at once and close "
    "the gap.",
    sabotages={"kappa = 2": {"kappa": 2}, "a signature that decays like (1/n!)^2": {"decay": 2}},
)
def bound_is_not_summable(proof: Proof, kappa: int = 4, decay: int = 1) -> None:
    """(4n)!! grows like (n!)^2 and the signature decays like 1/n!, so the quotient of consecutive terms grows without bound, for every x > 0; an o(1) that
    does not depend on n does not help. With kappa = 2, which (15) admits, the sum is finite for x < 1/2 alone."""
    n, i, x = sympy.symbols("n i x", positive=True)
    # (k (m + 1))!! / (k m)!! for even k
    growth: Exact = sympy.prod([kappa * (n + i) + 2 * j for j in range(1, kappa // 2 + 1)])
    quotient = growth * x / (n + 1) ** decay
    steps = [double_factorial(kappa * (m + 1)) == double_factorial(kappa * m) * growth.subs({n: m, i: 0}) for m in range(20)]
    proof.counterexample(
        given={"kappa": kappa, "quotient of consecutive terms, i = |I|": str(sympy.factor(quotient))},
        words={"quotients": all(steps), "diverges": sympy.limit(quotient, n, sympy.oo) == sympy.oo},
        how="symbolic",
        minimal="one letter, every length x > 0 of the path",
    )
    for length in (fmpq(1), fmpq(1, 10), fmpq(1, 1000)):
        # the quotient is 4 (4 n + 2) x, at least 1 from here on
        proof.certificate("witness", f"a path of length {length}", kappa=kappa, x=length, growing_from=int(1 / (16 * length)) + 1)


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
    place="App. G, Eq. 15",
    amends="movahedi25.propG.2.series",
    title="with overwhelming probability all overlaps of all words obey at once a bound that the signature's decay can sum",
    says=r"For $d$ letters and $s=\min(N,r)$, with probability at least $1-(d^2+3d+1)e^{-1.8s}$: $|X_{IJ}|\le50^{|I|+|J|+1}$ for all words $I,J$. And $\sum_n\frac{L^n}{n!}50^{|I|+n+1}<\infty$ for every $L$.",
    sabotages={
        "4 for 5: the net wins": {"factor": 4},
        "the last letter is forgotten": {"by_norms": lambda W, M, Y, word: overlap_by_norms(W, M, Y, word[:-1] or word)},
    },
)
def all_words_at_once(proof: Proof, factor: int = 5, by_norms=overlap_by_norms) -> None:
    r"""The norms of a few Gaussian matrices bound all overlaps at once.

    1. For a Gaussian $a\times b$ matrix $Z$ and $\frac14$-nets of the two spheres, of $9^a$ and $9^b$ points at most, $|Z|\le2\max|u^\top Zv|$, and each $u^\top Zv$ is a standard Gaussian. [cited: nets of the sphere, e.g. Vershynin, High-Dimensional Probability, Sec. 4.4]
    2. $P(|g|>u)\le e^{-u^2/2}$, so $P(|Z|>5\sqrt S)\le9^Se^{-25S/8}\le e^{-0.9S}$ for $S\ge a+b$. [checked: "25/8 - ln 9 >= 0.9"; "P(|g| > u) <= exp(-u^2/2)"; "P(|Z| > 5 sqrt S) <= exp(-0.9 S)"]
    3. For $r\le N$ write $A_JY_0/\sqrt N$ as $(W/\sqrt N)(M'W/\sqrt{Nr})\cdots(M'W/\sqrt{Nr})(M'Y_0/\sqrt{Nr})$. [checked: "X_JJ is at most the product of squared norms"]
    4. $W$ is independent of $M$, and $M$ of $Y_0$, so $|M'W|\le|M||Z|$ and $|M'Y_0|\le|Y_0||z|$ with Gaussian $r\times r$ matrices $Z$ and vectors $z$. The $2d$ matrices $W$ and $M$ and $Y_0$ have $S=2N$, the $d^2$ matrices $Z$ and $d$ vectors $z$ have $S=2r$.
       If all keep their bounds, $k$ letters make $k+1$ factors $5\sqrt2$ of the one kind and $k$ of the other: $X_{JJ}\le50^{2k+1}$. For $r>N$ take $|WM'|\le|M||Z|$ with $N\times N$ matrices $Z$: the same count. [prose]
    5. $X_{IJ}^2\le X_{II}X_{JJ}$, so $|X_{IJ}|\le50^{|I|+|J|+1}$; and $\frac{L^n}{n!}50^n$ is summable. [checked: "the quotient of consecutive terms"]
    """
    margin = arb(factor) ** 2 / 8 - arb(9).log()
    proof.certified("25/8 - ln 9 >= 0.9", bool(margin >= arb("0.9")), margin.str(5))
    grid = [fmpq(k, 4) for k in range(1, 80)]
    for u in proof.each("u = 1/4, 1/2, ..., 79/4", grid):
        # Chernoff: P(g > u) <= e^(-u^2/2), and both signs by the factor 1/2 of the two tails
        proof.certified("P(|g| > u) <= exp(-u^2/2)", bool((arb(u) / arb(2).sqrt()).erfc() <= (-(arb(u) ** 2) / 2).exp()))
    for a in proof.each("vectors of 1 .. 60 entries, exact law", range(1, 61)):
        beyond = (arb(factor) ** 2 * (a + 1) / 2).gamma_upper(arb(a) / 2, regularized=1)
        proof.certified("P(|Z| > 5 sqrt S) <= exp(-0.9 S)", bool(beyond <= (arb("-0.9") * (a + 1)).exp()))
    proof.certified("the norm of diag(3, 1) is 3", bool(abs(norm_squared(exact.rationals([[3, 0], [0, 1]])) - 9) < arb("1e-9")))
    proof.exactly("words of one to three letters", len(words(2, 3)[1:]), 14)
    rng = Random(41)
    for N, r in proof.each("random integer matrices, d = 2, words of up to 3 letters, (N, r) = (6, 2), (3, 3), seed 41", [(6, 2), (3, 3)]):
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


def failure_bound(length: int, d: int, L: fmpq, s: int, tolerance: fmpq, after: int, short=short_words, long=long_words) -> arb:
    """Bounds P(sup |S^I - v'Y| > tolerance) for |I| = ``length``, d letters, paths of length L and min(N, r) >= s; 1 where it says nothing.

    Words of more than ``after`` letters take half of the tolerance at most, on the event of all norms; Markov's inequality does the rest.
    """
    if not long(length, L, after) <= arb(tolerance) / 2:
        return arb(1)
    mean = short(length, d * L, after) * (arb(3) / s).sqrt()
    return 2 * mean / arb(tolerance) + (d * d + 3 * d + 1) * (arb("-1.8") * s).exp()


def sufficient_size(length: int, d: int, L: fmpq, tolerance: fmpq, failure: fmpq, short=short_words, long=long_words) -> tuple[int, int]:
    """(n_0, k) for which ``failure_bound`` is at most ``failure`` at s = 10^k: first n_0, which does not depend on s, then s."""
    after = int(100 * L) + 1
    while not long(length, L, after) <= arb(tolerance) / 2:
        after += 1
    digits = 1
    while not failure_bound(length, d, L, 10**digits, tolerance, after, short, long) <= arb(failure):
        digits += 1
    return after, digits


def suffices(proof: Proof, length: int, d: int, L: fmpq, s: int, tolerance: fmpq, failure: fmpq, after: int) -> None:
    """Record that at min(N, r) = s the bound of Proposition G.2, summed term by term in exact rationals, is at most ``failure``.

    Nothing is taken from the functions that found the size.
    """
    tail, term = fmpq(0), fmpq(50) ** (length + 1)
    # (2 length - 1)!! as a quotient of factorials, multiplied up from there
    mean, weight, odd = fmpq(0), fmpq(1), fmpq(factorial(2 * length), 2**length * factorial(length))
    for n in range(after + 60):
        if n > 0:
            term, weight, odd = term * 50 * L / n, weight * d * L / n, odd * (2 * (length + n) - 1)
        if n <= after:
            mean += weight * odd
        else:
            tail += term
    ratio = 50 * L / (after + 60)
    proof.holds("the terms of long words shrink by half from there on", bool(ratio <= fmpq(1, 2)))
    proof.holds("all words longer than n_0 take half of the tolerance at most", bool(tail + term <= tolerance / 2))
    # e^-y <= 1/(1 + y)
    rest = fmpq(d * d + 3 * d + 1) / (1 + fmpq(9, 5) * s)
    room = failure - rest
    proof.holds(
        "2/eps sum (dL)^n/n! sqrt(P_n/s) + (d^2 + 3d + 1) e^(-1.8 s) is small enough",
        bool(room > 0 and 12 * mean**2 / (tolerance**2 * s) <= room**2),
    )
    proof.certificate("witness", "a size", length=length, d=d, L=L, s=fmpq(s), tolerance=tolerance, failure=failure, after=after)


def _tiny(length, x, after):
    return short_words(length, x, after) / 10**30


#: broken bounds, for every check that uses them
FORGETFUL = {
    "short words are forgotten": {"short": lambda length, x, after: arb(0)},
    "short words count 10^-30": {"short": _tiny},
    "long words are forgotten": {"long": lambda length, L, after: arb(0)},
}


@claim(
    "movahedi25.propG.2",
    place="Proposition G.2",
    title="random matrices whose rank tends to infinity with N, however slowly, achieve maximal probabilistic expressivity",
    says=r"If $r_N\to\infty$, then for every compact set of paths of bounded variation, $\alpha$ and $\varepsilon$, with probability tending to 1 some $v$ has $\sup|\langle\alpha,S\rangle-v^\top Y|<\varepsilon$. "
    r"For $d$ letters, paths of length $L$ and $\sum_{n>n_0}\frac{L^n}{n!}50^{|I|+n+1}\le\frac\varepsilon2$: $P(\sup|S^I-v^\top Y|>\varepsilon)\le\frac2\varepsilon\sum_{n\le n_0}\frac{(dL)^n}{n!}\sqrt{\tfrac{P_n}{s}}+(d^2+3d+1)e^{-1.8s}$, $s=\min(N,r)$, $P_n=3((2|I|+2n-1)!!)^2$.",
    reading="compact in the 1-variation topology; the length of a path is the sum of the variations of its components; W and M independent for different letters, which the notation leaves open",
    sabotages={
        "a rank that stays": {"rank": lambda s: 10**12},
        "half of the digits": {"rank": lambda s: 10 ** (len(str(s)) // 2)},
        "one word has no pairings": {"pairings": lambda length, n: 0},
        "paths are half as long": {"length_of": lambda increments: sum(abs(x) for x in increments.flat) / 2},
    }
    | FORGETFUL,
)
def expressive_with_growing_rank(
    proof: Proof,
    rank=lambda s: s,
    short=short_words,
    long=long_words,
    pairings=lambda length, n: 3 * double_factorial(2 * (length + n) - 1) ** 2,
    length_of=lambda increments: sum(abs(x) for x in increments.flat),
) -> None:
    r"""One readout serves all paths: long words are small on an event of high probability, and the finitely many short ones are small in the mean.

    1. $v=\frac1NA_IY_0$ reads $\sum_JX_{IJ}S^J$, so the error is $\sum_J(X_{IJ}-\delta_{IJ})S^J$. [prose]
    2. $\sum_{|J|=n}|S^J|\le L^n/n!$, uniformly over the paths of length $L$ and times. [checked: "the entries of n letters sum to L^n/n! at most"]
    3. On the event of all norms words of more than $n_0$ letters contribute $\frac\varepsilon2$ at most, whatever $N$ and $r$ are. [uses: movahedi25.propG.2.tail] [checked: "all words longer than n_0"; "the terms of long words shrink"]
    4. The others have mean errors of at most $\sqrt{P_n/s}$, there are $d^n$ of $n$ letters, and Markov's inequality gives the first term of the bound. [uses: movahedi25.propG.2.pairings, movahedi25.propG.2.count.amended] [checked: "P_n bounds the pairings of every word"]
    5. Choose $n_0$ first, then $s$: both terms tend to $0$ as $s\to\infty$. Linear combinations of words add up. The size that the search finds is checked by summing the bound again, in rationals: it is finite, and absurdly large.
       [checked: "2/eps sum (dL)^n/n! sqrt(P_n/s)"] [prose]
    """
    rng = Random(43)
    for d in proof.each("three random rational paths with three pieces, d <= 3, n <= 4, seed 43", (1, 2, 3)):
        increments = samples.integers(rng, 3, d) * fmpq(1, 2)
        S, L = signature(increments, 4), length_of(increments)
        proof.holds("the path moves", any(S[w] != 0 for w in words(d, 1) if w))
        for n in range(5):
            total = sum((abs(S[w]) for w in words(d, n) if len(w) == n), fmpq(0))
            proof.holds("the entries of n letters sum to L^n/n! at most", bool(total <= fmpq(L) ** n / factorial(n)))
    proof.exactly("pairs of words of up to three letters", [len(list(word_pairs(total))) for total in range(4)], [1, 1, 4, 10])
    for I, J in proof.every("all words with |I| + |J| <= 3", [pair for total in range(4) for pair in word_pairs(total)]):
        proof.holds("P_n bounds the pairings of every word", pairings_of(I, J, 2) <= pairings(len(I), len(J)))
    cases = proof.pick([(1, 1, 1)], [(1, 1, 1), (2, 2, 1), (2, 1, 3)], [(0, 1, 1), (1, 1, 1), (2, 2, 1), (2, 1, 3), (4, 3, 5)])
    names = ", ".join(map(str, cases))
    small = fmpq(1, 100)
    for length, d, L in proof.each(f"error below 1/100 with probability 99/100 for (|I|, d, L) = {names}", cases):
        after, digits = sufficient_size(length, d, fmpq(L), small, small, short, long)
        suffices(proof, length, d, fmpq(L), rank(10**digits), small, small, after)


# -- bounded rank ----------------------------------------------------------------------------------------------------------


def independent_paths(rng: Random, letters: int, count: int) -> tuple[list[np.ndarray], np.ndarray]:
    """As many integer paths as words, and the invertible matrix of the first ``count`` signature entries (rows) on them (columns)."""
    depth = next(n for n in range(count + 1) if len(words(letters, n)) >= count)
    chosen = words(letters, depth)[:count]
    draws = samples.tries("independent paths")
    while True:
        next(draws)
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
    place="after movahedi25, Remark G.4",
    known="The paper leaves it open (Remark G.4). The proof is a count of dimensions, as in the necessity of width for linear readouts of finitely many features.",
    title="growing rank is necessary: at rank r or less, whatever the law, maximal probabilistic expressivity fails",
    says=r"If $\operatorname{rank}A^i\le r$ for all $N$, then $Y_t\in\operatorname{span}(Y_0)+\sum_i\operatorname{im}A^i$, of dimension at most $1+rd$; so of any $K=2+rd$ linearly independent signature entries one is missed by more than an "
    r"$\varepsilon_0>0$ that depends on the paths alone, on every draw: one of them has success probability at most $1-\frac1K$ for infinitely many $N$.",
    hypotheses=("d letters, d and r at least 1; the set of paths contains K paths on which K signature entries are independent",),
    sabotages={"Y_0 is not counted": {"dimension": lambda r, d: r * d}, "matrices of full rank": {"rank_of": lambda r, N: N}},
)
def bounded_rank_fails(proof: Proof, dimension=lambda r, d: 1 + r * d, rank_of=lambda r, N: r) -> None:
    r"""The states span too few dimensions for all entries at once.

    1. $dY=\sum_iA^iY\,d\omega^i$ stays in $\operatorname{span}(Y_0)+\sum_i\operatorname{im}A^i$, of dimension $1+rd$ at most, and random matrices reach it. [checked: "the states span 1 + rd dimensions at most"; "longer words add none"; "and no fewer for some matrices"]
    2. So the readouts $v^\top Y$ of one draw, on $K=2+rd$ paths, make a matrix $B$ of rank at most $1+rd<K$. The signature entries make an invertible matrix $E$ for suitable paths. [checked: "K signature entries are independent on K paths, and e > 0"]
    3. If $|E-B|\le e$ in every entry and $eK\|E^{-1}\|<1$ (largest row sum), then $I-E^{-1}(E-B)=E^{-1}B$ is invertible, a contradiction: on every draw one of the $K$ entries is missed by $\varepsilon_0=e$. [checked: "a matrix within e has rank K"]
    4. If all $K$ entries were within $e$ with probability above $1-\frac1K$, they would be so together on some draw. So one of the $K$ fails for infinitely many $N$. [prose]
    """
    rng, other = Random(31), Random(32)
    cases = proof.pick([(1, 1), (2, 1)], [(1, 1), (1, 2), (2, 1), (2, 2)], [(1, 1), (1, 2), (1, 4), (2, 1), (2, 2), (3, 1), (3, 2)])
    for d, r in proof.each("(d, r) = " + ", ".join(map(str, cases)) + ", N <= 20, exact, seed 31", cases):
        ranks = []
        for N in (dimension(r, d) + 1, 20):
            A, Y = random_state_space(rng, d, N, rank_of(r, N))
            # a span that does not grow with one more letter never grows again
            spans = [exact.rank(reached(A, Y, length)) for length in range(r * d + 3)]
            proof.holds("the states span 1 + rd dimensions at most", spans[-1] <= dimension(r, d))
            proof.exactly("longer words add none", spans[-1], spans[-2])
            ranks.append(spans[-1])
            if N < 20:
                proof.certificate("witness", f"matrices of rank {r}, d = {d}, N = {N}", r=r, A=A, Y=Y)
        proof.holds("and no fewer for some matrices", max(ranks) == dimension(r, d))
        K = 2 + r * d
        _, E = independent_paths(other, d, K)
        inverse = exact.inverse(E)
        e = 1 / (K * max(sum(abs(x) for x in row) for row in inverse))
        proof.holds("K signature entries are independent on K paths, and e > 0", e > 0)
        for _ in range(5):
            noise = np.array([[fmpq(other.randint(-99, 99), 100) * e for _ in range(K)] for _ in range(K)], dtype=object)
            proof.exactly("a matrix within e has rank K", exact.rank(E - noise), K)
