"""The overlaps X_IJ = <A_I Y_0, A_J Y_0> / N of states of a random low-rank equation, exactly (movahedi25, Eq. 15, Remarks G.3 and G.4)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import prod

import sympy
from flint import fmpq

from ...constructions.signature import (
    Expansion,
    Word,
    dense,
    low_rank,
    overlap_moment,
    overlap_trace,
    squared_error,
    word_pairs,
)
from ...numerics.low_rank import overlaps, sample
from ...numerics.wick import Gaussian, moment, moment_by_pairings
from ..claim import claim
from ..evidence import Proof

N, R = sympy.symbols("N r", positive=True)


def double_factorial(n: int) -> int:
    """n!! = n (n - 2) (n - 4) ..., 1 for n = 0 and -1."""
    return prod(range(n, 0, -2))


def pairings_of(I: Word, J: Word, copies: int) -> int:
    """How many pairings E[X_IJ^copies] sums over: the W of one letter among themselves, its M, and the Y."""
    uses = Counter(I + J)
    return double_factorial(2 * copies - 1) * prod(
        double_factorial(copies * n - 1) ** 2 if copies * n % 2 == 0 else 0 for n in uses.values()
    )


# -- which pairings survive ------------------------------------------------------------------------------------------------


@claim(
    "movahedi25.propG.2.pairings",
    topic="signature",
    place="App. G, proof of Proposition G.2",
    title="no pairing gives a positive power of N or r, and only the identity pairing gives N^0 r^0",
    says=r"$\mathbb E[X_{IJ}^k]=\sum_\pi N^{-a_\pi}r^{-b_\pi}$ over pairings, with all $a_\pi,b_\pi\ge0$ and, for $k=1$ and $2$, $a_\pi=b_\pi=0$ for the identity pairing alone, which exists iff $I=J$. "
    r"So $\mathbb E[(X_{IJ}-\delta_{IJ})^2]\le\frac{P_{IJ}}{\min(N,r)}$, where $P_{IJ}$ is the number of pairings of two copies.",
    construction="lemmata.constructions.signature.overlap_moment",
    sabotages={
        "all letters share one matrix": {"mixer": lambda letter: low_rank(1)},
        "W and M of one letter are the same matrix": {"partner": lambda letter: (low_rank(letter)[0], low_rank(letter)[0].T)},
    },
)
def only_the_identity_survives(proof: Proof, mixer=low_rank, partner=None) -> None:
    """The printed proof bounds the number of vertices altogether, which leaves r/N possible, for r_N much larger than N. Count them one kind at a time.

    In k copies there are km places with an index of size r (m = |I| + |J|), each between a W and an M. A W is paired with another W, at another place, so a loop
    joins two places at least: at most km/2 loops, so b >= 0. There are k(m + 1) places with an index of size N. Those between an M and a W, or an M and Y,
    are joined to others by the same argument; only the k tops, between the last W of I and the last W of J, can be loops of their own. So there are at most
    k + km/2 loops: a >= 0. If a = b = 0 every top is alone, so its two W are paired; their two places form a loop of size r, so their two M are paired, then the
    next two W, and so on down both ladders until the two Y meet: the identity pairing, and I = J. All others cost a factor N or r at least."""
    single, double = proof.pick((5, 3), (7, 5), (8, 6))
    mixer = partner or mixer
    for total in proof.every(f"E X_IJ for all words with |I| + |J| <= {single}", range(single + 1)):
        for I, J in word_pairs(total):
            mean = overlap_moment(I, J, 1, mixer)
            proof.holds("no positive power of N or r", all(a >= 0 and b >= 0 for a, b in mean.terms))
            proof.exactly("the constant term is delta_IJ", mean.constant, int(I == J))
    for total in proof.every(f"E X_IJ^2 for all words with |I| + |J| <= {double}", range(double + 1)):
        for I, J in word_pairs(total):
            second = overlap_moment(I, J, 2, mixer)
            proof.holds("no positive power of N or r in the second moment", all(a >= 0 and b >= 0 for a, b in second.terms))
            proof.exactly("the constant term of the second moment is delta_IJ", second.constant, int(I == J))
            proof.exactly("the coefficients count the pairings", second.total, pairings_of(I, J, 2))
            error = squared_error(I, J)
            proof.exactly("the squared error has no constant term", error.constant, 0)
            proof.holds("its positive coefficients sum to P at most", sum(c for c in error.terms.values() if c > 0) <= pairings_of(I, J, 2))


@claim(
    "movahedi25.propG.2.count",
    topic="signature",
    place="App. G, proof of Proposition G.2, last paragraph",
    title="the pairings of two copies number (4(|I| + |J|))!!",
    says=r"$G_{I,J}\sqcup G_{I,J}$ has $(4(|I|+|J|))!!$ admissible pairings.",
    reading="pairings of equal matrices with each other, with or without the three pairings of the four Y_0",
    sabotages={"only an upper bound is claimed": {"wrong": lambda counts, printed: min(counts) > printed}},
)
def number_of_pairings(proof: Proof, wrong=lambda counts, printed: printed not in counts) -> None:
    """For I = (1) and J empty there are two W, two M and four Y: 1 * 1 * 3 pairings, not 4!! = 8."""

    def counts(pair):
        I, J = pair
        enumerated = sum(moment_by_pairings(*[overlap_trace(I, J)] * 2).values())
        return enumerated, enumerated // 3

    candidates = [pair for total in range(1, 3) for pair in word_pairs(total)]
    found = proof.smallest("|I| + |J|, then I", candidates, lambda c: wrong(counts(c), double_factorial(4 * (len(c[0]) + len(c[1])))))
    if found:
        (I, J), _ = found
        total, printed = counts((I, J)), double_factorial(4 * (len(I) + len(J)))
        proof.counterexample(
            given={"I": I, "J": J, "pairings": total[0], "without those of Y_0": total[1], "printed": printed},
            hypotheses={"every pairing was enumerated": total[0] == pairings_of(I, J, 2)},
            violates={"neither number is the printed one": printed not in total},
            minimal=f"|I| + |J| = {len(I) + len(J)}",
        )


@claim(
    "movahedi25.propG.2.count.amended",
    topic="signature",
    place="App. G, proof of Proposition G.2, last paragraph",
    kind="amended",
    amends="movahedi25.propG.2.count",
    title="the pairings of two copies number 3 prod ((2 m_i - 1)!!)^2, m_i the uses of letter i, at most 3 ((2m - 1)!!)^2 and less than ((2m)!!)^2; Eq. 15 holds with kappa = 2",
    says=r"$P_{IJ}=3\prod_i((2m_i-1)!!)^2\le3((2m-1)!!)^2<((2m)!!)^2$ for $m=|I|+|J|\ge1$ and $m_i$ the uses of letter $i$; so (15) holds with $\kappa=2$ and $o(1)=\min(N,r)^{-1/2}$.",
    uses=("movahedi25.propG.2.pairings",),
    sabotages={
        "W may be paired with M": {"count": lambda I, J, copies: double_factorial(2 * copies * (len(I) + len(J)) - 1) * 3},
        "a factor of 2 less": {"factor": 4},
    },
)
def exact_number_of_pairings(proof: Proof, count=pairings_of, factor: int = 1) -> None:
    """2n things have (2n - 1)!! pairings, and there are 2 m_i of W^i and of M^i and four Y. ((2m - 1)!!)^2 / ((2m)!!)^2 falls with m, and is 1/4 at m = 1:
    3/4 < 1."""
    most = proof.pick(2, 3, 4)
    for total in proof.every(f"all words with |I| + |J| <= {most}, all pairings", range(1, most + 1)):
        for I, J in word_pairs(total):
            proof.exactly("their number", sum(moment_by_pairings(*[overlap_trace(I, J)] * 2).values()), count(I, J, 2))
    m = sympy.symbols("m", positive=True)
    proof.symbolically(
        "the quotient of (2m - 1)!!/(2m)!! for m + 1 and m is below 1", 1 - (2 * m + 1) / (2 * m + 2), 1 / (2 * m + 2), free="m"
    )
    proof.holds("3 ((2m - 1)!!)^2 < ((2m)!!)^2 at m = 1", 3 * factor * double_factorial(1) ** 2 < double_factorial(2) ** 2)


# -- formulas --------------------------------------------------------------------------------------------------------------


def certify(proof: Proof, title: str, I: Word, J: Word, copies: int = 1) -> None:
    """Keeps the exact moment for ``lemmata recheck``, which goes through all pairings."""
    terms = sorted([a, b, count] for (a, b), count in overlap_moment(I, J, copies).terms.items())
    proof.certificate("overlap-moment", title, I=I, J=J, copies=copies, terms=terms)


def _by_symbols(error: Expansion) -> sympy.Expr:
    return sympy.expand(error.in_symbols(N, R))


@claim(
    "movahedi25.eq15.letter",
    topic="signature",
    place="App. G, Eq. 15, for one letter",
    title="for I = J = (i) the L2 error in Eq. 15 is exactly sqrt((1 + 2/N)^2 (1 + 2/r) - 1)",
    says=r"$\big\|\tfrac1N\|A^iY_0\|^2-1\big\|_{L^2}^2=(1+\tfrac2N)^2(1+\tfrac2r)-1$; for $I=J=\emptyset$ it is $\tfrac2N$.",
    sabotages={"the middle index counts as N": {"exponent": 1}},
)
def one_letter(proof: Proof, exponent: int = 2) -> None:
    """All 3 pairings of W, of M and of Y, by enumeration and by the loop equations."""
    counted = Counter(moment_by_pairings(*[overlap_trace((1,), (1,))] * 2))
    scaled = sympy.Add(*(c * N ** (m.count("N") - 4) * R ** (m.count("r") - 2) for m, c in counted.items()))
    proof.symbolically("the 27 pairings", scaled, (1 + 2 / N) ** exponent * (1 + 2 / R), free="N, r")
    proof.symbolically("E (X - 1)^2", _by_symbols(squared_error((1,), (1,))), (1 + 2 / N) ** exponent * (1 + 2 / R) - 1, free="N, r")
    certify(proof, "second moment for I = J = (1)", (1,), (1,), 2)
    proof.symbolically("the empty word", _by_symbols(squared_error((), ())), 2 / N, free="N")


@claim(
    "new.signature.distinct",
    topic="signature",
    place="after movahedi25, Eq. 15",
    kind="new",
    title="for a word of n different letters the squared L2 error is exactly (1 + 2/N)^(n+1) (1 + 2/r)^n - 1",
    says=r"For $I=J$ with $n$ different letters, $\mathbb E[(X_{II}-1)^2]=(1+\frac2N)^{n+1}(1+\frac2r)^n-1\ge\frac{2n}r$: at bounded $r$ it does not vanish, and grows exponentially in $n$.",
    uses=("movahedi25.eq15.letter",),
    sabotages={"a repeated letter": {"word": lambda n: (1, 1, *range(2, n))[:n]}},
)
def different_letters(proof: Proof, word=lambda n: tuple(range(1, n + 1))) -> None:
    """Every new letter meets a state independent of it. For a Gaussian Z with n columns and a fixed v, Zv has independent N(0, |v|^2) entries, so
    E|Zv|^4 = |v|^4 n_rows (n_rows + 2). M' has r rows and W has N, so a letter multiplies E|Y|^4 by (1 + 2/r)(1 + 2/N); and E|Y_0|^4 = N^2 (1 + 2/N)."""
    s = sympy.symbols("s", positive=True)
    g = sympy.integrate(s**4 * sympy.exp(-(s**2) / 2), (s, -sympy.oo, sympy.oo)) / sympy.sqrt(2 * sympy.pi)
    n = sympy.symbols("n", positive=True)
    proof.symbolically("E|g|^4 for n Gaussians: n E g^4 + n (n - 1)", n * g + n * (n - 1), n * (n + 2), free="n")
    proof.symbolically("a letter multiplies E|Y|^4 by", N * (N + 2) * R * (R + 2) / (N * R) ** 2, (1 + 2 / N) * (1 + 2 / R), free="N, r")
    most = proof.pick(2, 3, 4)
    for k in range(most + 1):
        formula = (1 + 2 / N) ** (k + 1) * (1 + 2 / R) ** k - 1
        if k <= 2:
            certify(proof, f"second moment for {k} letters", word(k), word(k), 2)
        proof.symbolically("Wick", _by_symbols(squared_error(word(k), word(k))), sympy.expand(formula), free="N, r", up_to=f"n <= {most}")
        proof.holds("at least 2n/r", all(squared_error(word(k), word(k)).at(10**6, r) >= fmpq(2 * k, r) for r in range(1, 20)))


def limit_at_rank(I: Word, J: Word) -> dict[int, int]:
    """{b: c}: the limit of E X_IJ for N -> infinity at fixed r is sum c r^-b, by r x r matrices.

    W^i'W^j / N becomes the identity for i = j and 0 otherwise, and each M^i'W^j / sqrt N its own r x r Gaussian matrix, M^i'Y / sqrt N its own vector.
    """
    if not I or not J:
        return {0: 1} if I == J else {}
    if I[-1] != J[-1]:
        return {}

    def state(word: Word) -> tuple[Gaussian, ...]:
        steps = [Gaussian(f"G{after},{before}", "r", "r") for before, after in pairwise(word)]
        return (*reversed(steps), Gaussian(f"z{word[0]}", "r", "1"))

    half = (len(I) + len(J)) // 2
    counts = moment((*(x.T for x in reversed(state(I))), *state(J)))
    return {half - m.count("r"): c for m, c in counts.items()}


@claim(
    "movahedi25.rmkG.4",
    topic="signature",
    place="Remark G.4",
    title="at bounded rank the overlaps have another limit than with dense matrices: A_1 Y and A_1^3 Y meet with 1/r in the mean",
    says=r"$\mathbb E[\tfrac1N\langle A_1Y_0,A_1^3Y_0\rangle]=\frac1r+\frac2N+\frac2{Nr}+\frac1{N^2}+\frac3{N^2r}\to\frac1r$ for $N\to\infty$; for dense Gaussian matrices it is $\frac2N+\frac1{N^2}\to0$. "
    r"At fixed $r$ all means tend to those of products of $r\times r$ Gaussian matrices.",
    reading="Figure 9 is not in the text; this is the shortest pair of words whose mean has another limit",
    sabotages={"different letters": {"words": ((1,), (1, 2, 1))}},
)
def symmetries_are_lost(proof: Proof, words=((1,), (1, 1, 1))) -> None:
    """M'W / sqrt N is an r x r Gaussian matrix G in the limit, and E tr(G G) / r^2 = 1/r: a small random matrix and its powers are not orthogonal."""
    formula = 1 / R + 2 / N + 2 / (N * R) + 1 / N**2 + 3 / (N**2 * R)
    low, full = (_by_symbols(overlap_moment(*words, 1, mixer)) for mixer in (low_rank, dense))
    proof.symbolically("the mean", low, sympy.expand(formula), free="N, r")
    proof.symbolically("its limit for N -> infinity", sympy.limit(low, N, sympy.oo), 1 / R, free="r")
    proof.symbolically("dense matrices", full, 2 / N + 1 / N**2, free="N")
    certify(proof, "the mean", *words)
    most = proof.pick(4, 6, 7)
    for total in proof.every(f"all words with |I| + |J| <= {most}", range(most + 1)):
        for I, J in word_pairs(total):
            limit = {b: c for (a, b), c in overlap_moment(I, J).terms.items() if a == 0}
            proof.exactly("the limit is a mean of r x r matrices", limit, limit_at_rank(I, J))
            if I != J and limit:
                proof.holds("no shorter pair has another limit than dense matrices", total >= sum(map(len, words)))


# -- printed slips ---------------------------------------------------------------------------------------------------------


@claim(
    "movahedi25.fig8.scale",
    topic="signature",
    place="Figure 8",
    title="the product graph is scaled by 1/N times 1/(N r)^(|I|+|J|)",
    says=r"$\frac1N\langle A_IY_0,A_JY_0\rangle=\frac1N\frac1{(Nr_N)^{|I|+|J|}}\cdot$ (product graph).",
    reading="as printed in the figure; the proof has the exponent (|I| + |J|)/2",
    sabotages={"the exponent of the proof": {"exponent": lambda m: fmpq(m, 2)}},
)
def scale_of_the_graph(proof: Proof, exponent=lambda m: fmpq(m)) -> None:
    """For I = J = (1) the graph is worth N^2 r in the mean: 1/N (N r)^-1 times that is 1, and 1/N (N r)^-2 times that is 1/(N r)."""
    I = J = (1,)
    graph = {(m.count("N"), m.count("r")): c for m, c in moment_by_pairings(overlap_trace(I, J)).items()}
    power = exponent(len(I) + len(J))
    value = sum(c * fmpq(2) ** int(a - 1 - power) * fmpq(3) ** int(b - power) for (a, b), c in graph.items())
    proof.counterexample(
        given={"I": I, "J": J, "N": 2, "r": 3, "with the figure's scale": value, "mean of the left side": overlap_moment(I, J).at(2, 3)},
        hypotheses={"the graph is worth N^2 r": graph == {(2, 1): 1}},
        violates={"the means differ": value != overlap_moment(I, J).at(2, 3)},
        minimal="I = J = (1), N = 2, r = 3",
    )


@claim(
    "movahedi25.fig8.scale.amended",
    topic="signature",
    place="Figure 8",
    kind="amended",
    amends="movahedi25.fig8.scale",
    title="the product graph is scaled by 1/N times (N r)^-(|I|+|J|)/2, and worth that much inverted if I = J, less otherwise",
    says=r"$\frac1N\langle A_IY_0,A_JY_0\rangle=N^{-1}(Nr)^{-(|I|+|J|)/2}\cdot$ (product graph), and the graph's mean is $N(Nr)^{(|I|+|J|)/2}(\delta_{IJ}+O(\tfrac1{\min(N,r)}))$.",
    uses=("movahedi25.propG.2.pairings",),
    sabotages={"the exponent of the figure": {"exponent": lambda m: m}},
)
def scale_of_the_proof(proof: Proof, exponent=lambda m: m // 2) -> None:
    """Each of the |I| + |J| matrices carries 1/sqrt(N r)."""
    most = proof.pick(3, 4, 5)
    for total in proof.every(f"all words with |I| + |J| <= {most}, all pairings", range(most + 1)):
        for I, J in word_pairs(total):
            power = exponent(total)
            graph = moment_by_pairings(overlap_trace(I, J))
            scaled = Counter({(1 + power - m.count("N"), power - m.count("r")): c for m, c in graph.items()})
            proof.exactly("the constant term is delta_IJ, and no power of N or r is positive", scaled.pop((0, 0), 0), int(I == J))
            proof.holds("the rest vanishes", all(min(a, b) >= 0 and max(a, b) > 0 for a, b in scaled))


# -- against samples -------------------------------------------------------------------------------------------------------

#: pairs whose means and mean squares are compared with samples: (I, J, N, r)
SAMPLED = [((1,), (1,), 12, 3), ((1, 2), (1, 2), 8, 4), ((1,), (1, 1, 1), 8, 2), ((1, 2), (2, 1), 6, 3), ((1, 1), (1, 1), 10, 5)]


@claim(
    "new.signature.samples",
    topic="signature",
    place="after movahedi25, Eq. 15",
    kind="new",
    title="simulation agrees with the exact means within Chebyshev's bound, and at rank 2 the overlaps do not settle",
    says=r"Means of $n$ independent draws of $X_{IJ}$ lie within $4\sigma/\sqrt n$ of the exact mean, $\sigma$ the exact standard deviation, with probability at least $0.9$ ($n=400$ at standard effort). For $N=200$: $|X_{11}-1|\ge\frac12$ "
    r"with probability at least $\frac12$ at $r=2$, and at most $\frac1{10}$ at $r=100$.",
    uses=("movahedi25.eq15.letter",),
    construction="lemmata.numerics.low_rank.overlaps",
    sabotages={
        "only planar pairings are counted": {"mean": lambda I, J, N, r: fmpq(overlap_moment(I, J).constant)},
        "rank 100 for rank 2": {"ranks": (100, 100)},
    },
)
def samples_agree(proof: Proof, mean=lambda I, J, N, r: overlap_moment(I, J).at(N, r), ranks: tuple[int, int] = (2, 100)) -> None:
    """Chebyshev: a batch misses by 4 standard deviations with probability 1/16 at most. The exact law at r = 2, N -> infinity is that of an
    exponential variable E, and P(|E - 1| >= 1/2) = 1 - e^(-1/2) + e^(-3/2) = 0.617."""
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
